//! Spark's measures where the rail has their batches.

use tidemark_protocol::{BatchNumbers, MomentMark, QueryView, StateMeasure};

use crate::state::travel;

/// A measure: its name, its unit, and its value in a batch, if the batch has it.
pub type Measure = (&'static str, &'static str, fn(&BatchNumbers) -> Option<f64>);

/// All measures in their order, by Spark's names where it has one.
pub const MEASURES: [Measure; 10] = [
    ("numInputRows", "rows", |n| Some(n.input_rows as f64)),
    ("inputRowsPerSecond", "rows/s", |n| n.input_rate),
    ("processedRowsPerSecond", "rows/s", |n| n.process_rate),
    ("batchDuration", "ms", |n| Some(n.duration as f64)),
    ("watermark gap", "s", |n| Some((n.at.0 - n.watermark?) as f64 / 1000.0)),
    ("numRowsTotal", "keys", |n| of_state(n, |m| m.total)),
    ("numRowsUpdated", "keys", |n| of_state(n, |m| m.updated)),
    ("numRowsRemoved", "keys", |n| of_state(n, |m| m.removed)),
    ("numRowsDroppedByWatermark", "rows", |n| of_state(n, |m| m.dropped)),
    ("memoryUsedBytes", "bytes", |n| of_state(n, |m| m.memory)),
];

/// A measure of all stateful operators of a batch together.
pub fn of_state(numbers: &BatchNumbers, of: fn(&StateMeasure) -> i64) -> Option<f64> {
    (!numbers.operators.is_empty()).then(|| numbers.operators.iter().map(of).sum::<i64>() as f64)
}

/// A batch of the query where the rail has it.
#[derive(Clone, Debug, PartialEq)]
pub struct Column<'a> {
    /// Its first moment.
    pub at: usize,
    /// Its last moment: the one at which its entry is there.
    pub last: usize,
    /// Its run.
    pub run: u32,
    /// Its number.
    pub batch: i64,
    /// Its measures, or why there are none.
    pub entry: Result<&'a BatchNumbers, Lack>,
}

/// Why a batch has no measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lack {
    /// The playhead has not come there.
    Ahead,
    /// It is at work.
    Running,
    /// It did not come to its end.
    Lost,
    /// Only the last ones are kept.
    Old,
}

impl Lack {
    /// As an attribute.
    pub fn mark(self) -> &'static str {
        match self {
            Lack::Ahead | Lack::Running => "planned",
            Lack::Lost => "lost",
            Lack::Old => "old",
        }
    }

    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Lack::Ahead => "not yet",
            Lack::Running => "at work",
            Lack::Lost => "no entry, it did not end",
            Lack::Old => "entry no longer kept",
        }
    }
}

/// The places of the queries, by their last run that has an entry: each id once, the newest last.
pub fn choices(queries: &[QueryView]) -> Vec<usize> {
    let is_last = |at: &usize| {
        let later = &queries[at + 1..];
        !queries[*at].numbers.is_empty()
            && later.iter().all(|other| other.id != queries[*at].id || other.numbers.is_empty())
    };
    (0..queries.len()).filter(is_last).collect()
}

/// The batches of a query over all its runs, from left to right.
pub fn columns<'a>(
    marks: &[MomentMark],
    moment: usize,
    queries: &'a [QueryView],
    id: &str,
) -> Vec<Column<'a>> {
    let stretch = |stretch: travel::Stretch| {
        let (at, last, batch) = (stretch.at, stretch.at + stretch.len - 1, stretch.number);
        let run = marks[at].run;
        let column = |entry| Some(Column { at, last, run, batch, entry });
        if at > moment {
            return column(Err(Lack::Ahead));
        }
        let mut own = queries.iter().filter(|query| query.id == id && query.run == run);
        let entries = own.clone().flat_map(|query| &query.numbers);
        // Two queries of a run may have a batch of this number: the entry lies in the time of the stretch.
        let is_its = |n: &&BatchNumbers| {
            n.batch == batch && n.at <= marks[last].at && marks[at].at.0 <= n.at.0 + n.duration
        };
        if let Some(found) = entries.clone().find(is_its) {
            return column(Ok(found));
        }
        if !own
            .any(|query| query.batches.iter().any(|shown| shown.batch == batch) || query.earlier.batches > 0)
            || entries.clone().any(|n| n.batch == batch)
        {
            return None;
        }
        let is_old = entries.clone().next().is_some_and(|first| batch < first.batch);
        column(Err(if is_old {
            Lack::Old
        } else if moment <= last && !marks[last].crash {
            Lack::Running
        } else {
            Lack::Lost
        }))
    };
    travel::batches(marks).into_iter().filter_map(stretch).collect()
}

/// A value as it is, with one digit behind the point where it has a part.
pub fn exact(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map_or_else(|| text.clone(), str::to_owned)
}

/// A value, short.
pub fn text(value: f64) -> String {
    match value {
        value if value >= 1e6 => exact(value / 1e6) + "M",
        value if value >= 1e4 => exact((value / 1e3).round()) + "k",
        value => exact(value),
    }
}

/// A value with its unit.
pub fn told(value: f64, unit: &str) -> String {
    let text = exact(value);
    let one = unit.strip_suffix('s').filter(|one| text == "1" && one.len() > 2 && !one.ends_with('/'));
    text + " " + one.unwrap_or(unit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::tests::conversation;
    use tidemark_types::SimTime;

    #[test]
    fn values_are_told_with_their_unit() {
        for (value, unit, is, short) in [
            (1.0, "rows", "1 row", "1"),
            (1.0, "rows/s", "1 rows/s", "1"),
            (1.0, "ms", "1 ms", "1"),
            (4.37, "rows/s", "4.4 rows/s", "4.4"),
            (12_345.0, "bytes", "12345 bytes", "12k"),
            (1_250_000.0, "bytes", "1250000 bytes", "1.2M"),
        ] {
            assert_eq!((told(value, unit).as_str(), text(value).as_str()), (is, short));
        }
    }

    fn marks(pattern: &[(u32, Option<i64>)]) -> Vec<MomentMark> {
        let mark = |(at, &(run, batch)): (usize, &(u32, Option<i64>))| MomentMark {
            at: SimTime(at as i64 * 10),
            run,
            batch,
            ..conversation::mark()
        };
        pattern.iter().enumerate().map(mark).collect()
    }

    fn query(id: &str, run: u32, batches: &[i64], numbers: &[(i64, i64, i64)]) -> QueryView {
        let batch = |batch: &i64| serde_json::json!({"batch":batch,"run":run,"input_rows":0,"steps":[],"cost":tidemark_protocol::Cost::default()});
        let entry = |(batch, at, duration): &(i64, i64, i64)| BatchNumbers {
            batch: *batch,
            at: SimTime(*at),
            duration: *duration,
            ..BatchNumbers::default()
        };
        let json = serde_json::json!({
            "id":id,"run_id":"","name":null,"state":"ended","run":run,"source":"","sink":"","trigger":"",
            "batches":batches.iter().map(batch).collect::<Vec<_>>(),"last_progress":"","recent":[],
            "numbers":numbers.iter().map(entry).collect::<Vec<_>>(),"exception":null});
        serde_json::from_value(json).expect("a query as the engine writes it")
    }

    #[test]
    fn a_batch_stands_where_the_rail_has_it() {
        let rail = marks(&[
            (0, None),
            (1, Some(0)),
            (1, Some(0)),
            (1, Some(1)),
            (1, Some(1)),
            (2, Some(1)),
            (2, Some(1)),
            (2, Some(2)),
        ]);
        let queries = [query("q", 1, &[0, 1], &[(0, 10, 10)]), query("q", 2, &[1], &[(1, 50, 10)])];
        let found: Vec<_> = columns(&rail, 6, &queries, "q")
            .iter()
            .map(|c| (c.at, c.last, c.run, c.batch, c.entry.err()))
            .collect();
        assert_eq!(
            found,
            [
                (1, 2, 1, 0, None),
                (3, 4, 1, 1, Some(Lack::Lost)),
                (5, 6, 2, 1, None),
                (7, 7, 2, 2, Some(Lack::Ahead))
            ]
        );
        assert_eq!(choices(&queries), [1]);
    }

    #[test]
    fn two_queries_of_a_run_keep_their_own_batches() {
        let rail = marks(&[(1, Some(0)), (1, Some(0)), (1, None), (1, Some(0)), (1, Some(0))]);
        let queries = [query("a", 1, &[0], &[(0, 0, 10)]), query("b", 1, &[0], &[(0, 30, 10)])];
        for (id, at) in [("a", 0), ("b", 3)] {
            let found: Vec<_> =
                columns(&rail, 4, &queries, id).iter().map(|c| (c.at, c.entry.is_ok())).collect();
            assert_eq!(found, [(at, true)], "{id}");
        }
        assert_eq!(choices(&queries), [0, 1]);
    }
}
