//! The bill: what each batch asked of the store, what that costs, and what it makes of a day.

use tidemark_protocol::{Cost, QueryView, StepState};

/// Seconds of a day.
const DAY: f64 = 86_400.0;
/// Bytes of a gigabyte, as stores bill it.
const GIGABYTE: f64 = 1e9;

/// What requests and bytes cost, in dollars; and how often a trigger comes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prices {
    /// A thousand listings.
    pub list: f64,
    /// A thousand readings.
    pub get: f64,
    /// A thousand writings.
    pub put: f64,
    /// A gigabyte read.
    pub read: f64,
    /// A gigabyte kept for a month.
    pub kept: f64,
    /// Seconds from one trigger to the next; 0 as long as the learner has not said.
    pub interval: f64,
}

/// Examples, of the order of what large stores ask.
pub const EXAMPLES: Prices =
    Prices { list: 0.005, get: 0.0004, put: 0.005, read: 0.0, kept: 0.023, interval: 0.0 };

/// Seconds from one trigger to the next, where neither the query nor the learner says.
const INTERVAL: f64 = 60.0;

/// A price that can be changed: its word, what it is for, and how to get at it.
pub type PriceField = (&'static str, &'static str, fn(&mut Prices) -> &mut f64);

/// The prices in their order.
pub const FIELDS: &[PriceField] = &[
    ("LIST", "$ for 1,000", |p| &mut p.list),
    ("GET", "$ for 1,000", |p| &mut p.get),
    ("PUT", "$ for 1,000", |p| &mut p.put),
    ("read", "$ for 1 GB", |p| &mut p.read),
    ("kept", "$ for 1 GB and month", |p| &mut p.kept),
];

impl Prices {
    /// What something costs; what it wrote is kept for a month. Deleting is free.
    pub fn of(&self, cost: &Cost) -> f64 {
        (cost.list as f64 * self.list + cost.get as f64 * self.get + cost.put as f64 * self.put) / 1e3
            + (cost.bytes_read as f64 * self.read + cost.bytes_written as f64 * self.kept) / GIGABYTE
    }

    /// Seconds from one trigger to the next: what the learner says, or the query, or a minute.
    pub fn every(&self, told: Option<f64>) -> f64 {
        if self.interval > 0.0 { self.interval } else { told.unwrap_or(INTERVAL) }
    }

    /// As a text to be kept.
    pub fn text(&self) -> String {
        let mut copy = *self;
        let mut parts: Vec<String> = FIELDS.iter().map(|(.., of)| of(&mut copy).to_string()).collect();
        parts.push(self.interval.to_string());
        parts.join(" ")
    }

    /// From a text that was kept; the examples if it is none.
    pub fn from_text(text: &str) -> Prices {
        let numbers: Vec<f64> = text.split_whitespace().filter_map(|part| part.parse().ok()).collect();
        let mut prices = EXAMPLES;
        if numbers.len() == FIELDS.len() + 1 && numbers.iter().all(|n| n.is_finite() && *n >= 0.0) {
            for ((.., of), number) in FIELDS.iter().zip(&numbers) {
                *of(&mut prices) = *number;
            }
            prices.interval = numbers[FIELDS.len()];
        }
        prices
    }
}

/// One line of the bill.
#[derive(Clone, Debug, PartialEq)]
pub struct BillRow {
    /// The run.
    pub run: u32,
    /// `b1`, `start`, `2 idle`.
    pub name: String,
    /// What it asked.
    pub cost: Cost,
    /// Whether it is a whole batch, of which a day can be made.
    pub is_batch: bool,
}

/// The lines of all queries, in the order of their starts.
pub fn rows(queries: &[QueryView]) -> Vec<BillRow> {
    let mut out = Vec::new();
    for query in queries {
        let row = |name: String, cost: Cost, is_batch: bool| BillRow { run: query.run, name, cost, is_batch };
        if query.start != Cost::default() {
            out.push(row("start".to_owned(), query.start, false));
        }
        if query.earlier.batches > 0 {
            out.push(row(format!("{} earlier batches", query.earlier.batches), query.earlier.cost, false));
        }
        for batch in &query.batches {
            let again = if batch.again { " again" } else { "" };
            let is_done = batch.steps.last().is_some_and(|step| step.state == StepState::Kept);
            let is_whole = is_done && !batch.again && !batch.crashed;
            out.push(row(format!("b{}{again}", batch.batch), batch.cost, is_whole));
        }
        if query.idle != Cost::default() {
            out.push(row(format!("{} idle", query.idle_triggers), query.idle, false));
        }
    }
    out
}

/// All lines together.
pub fn total(rows: &[BillRow]) -> Cost {
    let mut all = Cost::default();
    rows.iter().for_each(|row| all += row.cost);
    all
}

/// Seconds between two triggers, where the query says so.
pub fn interval(queries: &[QueryView]) -> Option<f64> {
    let text = &queries.last()?.trigger;
    let millis: f64 = text.strip_prefix("processingTime ")?.strip_suffix(" ms")?.parse().ok()?;
    (millis > 0.0).then_some(millis / 1e3)
}

/// What a day makes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Day {
    /// Triggers in it.
    pub triggers: f64,
    /// Requests in it.
    pub requests: f64,
    /// Data files in it.
    pub files: f64,
    /// What it costs.
    pub price: f64,
}

/// A day in which each trigger costs as much as one of these did on the average.
pub fn day(all: &Cost, count: u64, interval: f64, prices: &Prices) -> Option<Day> {
    if count == 0 || interval <= 0.0 {
        return None;
    }
    let triggers = DAY / interval;
    let share = triggers / count as f64;
    Some(Day {
        triggers,
        requests: (all.list + all.get + all.put + all.delete) as f64 * share,
        files: all.files as f64 * share,
        price: prices.of(all) * share,
    })
}

/// `$0.0012`: enough digits to tell it from nothing.
pub fn money(dollars: f64) -> String {
    match dollars {
        0.0 => "$0".to_owned(),
        d if d < 0.000_001 => "< $0.000001".to_owned(),
        d if d < 0.01 => format!("${d:.6}"),
        d if d < 1.0 => format!("${d:.4}"),
        d => format!("${d:.2}"),
    }
}

/// `8 640`: a whole number in groups of three.
pub fn grouped(number: f64) -> String {
    let digits = format!("{:.0}", number.max(0.0));
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at) % 3 == 0 {
            out.push('\u{202f}');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_so_many_triggers() {
        let cost = Cost { list: 2, get: 10, put: 10, files: 2, ..Cost::default() };
        let day = day(&cost, 2, 10.0, &EXAMPLES).expect("there are batches");
        assert_eq!((day.triggers, day.requests, day.files), (8640.0, 95_040.0, 8640.0));
        let wanted = (2.0 * 0.005 + 10.0 * 0.0004 + 10.0 * 0.005) / 1e3 * 4320.0;
        assert!((day.price - wanted).abs() < 1e-9);
        assert_eq!(super::day(&cost, 0, 10.0, &EXAMPLES), None);
    }

    #[test]
    fn prices_are_kept_as_text() {
        let mine = Prices { get: 0.5, interval: 10.0, ..EXAMPLES };
        assert_eq!(Prices::from_text(&mine.text()), mine);
        for text in ["", "1 2 3", "a b c d e f", "-1 0 0 0 0 1", "NaN 0 0 0 0 1"] {
            assert_eq!(Prices::from_text(text), EXAMPLES, "{text}");
        }
    }

    #[test]
    fn how_often_a_trigger_comes() {
        for (said, told, wanted) in [(0.0, None, 60.0), (0.0, Some(10.0), 10.0), (5.0, Some(10.0), 5.0)] {
            assert_eq!(Prices { interval: said, ..EXAMPLES }.every(told), wanted);
        }
    }

    #[test]
    fn numbers_as_words() {
        for (dollars, wanted) in [
            (0.0, "$0"),
            (0.000_000_1, "< $0.000001"),
            (0.000_074, "$0.000074"),
            (0.31, "$0.3100"),
            (12.0, "$12.00"),
        ] {
            assert_eq!(money(dollars), wanted);
        }
        for (number, wanted) in
            [(8640.0, "8\u{202f}640"), (12.0, "12"), (1_234_567.0, "1\u{202f}234\u{202f}567")]
        {
            assert_eq!(grouped(number), wanted);
        }
    }
}
