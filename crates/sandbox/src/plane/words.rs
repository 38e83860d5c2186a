//! Times and lengths in words, and the sentences of the picture.

use tidemark_protocol::{Fate, PlaneRow, WhyNot};
use tidemark_types::clock::Clock;

use crate::plane::windows::Turn;

/// What happened in a batch.
pub(super) struct BandFacts<'a> {
    pub(super) rows: Vec<&'a PlaneRow>,
    pub(super) turn: &'a Turn,
    pub(super) sets: Option<i64>,
    pub(super) has_line: bool,
    pub(super) says_on_leaving: bool,
}

/// The sentence of a batch.
pub(super) fn band(clock: Clock, facts: &BandFacts<'_>, ends: &dyn Fn(&PlaneRow) -> Option<i64>) -> String {
    let mut parts = Vec::new();
    if facts.rows.is_empty() {
        parts.push("It ran without input, because the line moved.".to_owned());
    }
    let name = |row: &PlaneRow| match row.event {
        // A number beside a time would be read as one.
        Some(event) if row.key.starts_with(|first: char| first.is_ascii_digit()) => {
            format!("{} at {}", row.key, clock.text(event))
        }
        Some(event) => format!("{} {}", row.key, clock.text(event)),
        None => row.key.clone(),
    };
    let of = |fate: Fate| facts.rows.iter().filter(move |row| row.fate == fate).copied().collect::<Vec<_>>();
    match of(Fate::Dropped).as_slice() {
        [] => {}
        [one] => parts.push(format!("{} is dropped: {}.", name(one), one.reason)),
        many => parts.push(format!("{} rows are dropped: too late.", many.len())),
    }
    match of(Fate::Late).as_slice() {
        [] => {}
        [one] => parts.push(match ends(one) {
            Some(end) => {
                format!("{} is late but kept: its window is open until {}.", name(one), clock.text(end))
            }
            None => format!("{} is late but kept.", name(one)),
        }),
        many => parts.push(format!("{} rows are late but kept.", many.len())),
    }
    match of(Fate::Repeated).as_slice() {
        [] => {}
        [one] => parts.push(format!("{} is there already and is left out.", name(one))),
        many => parts.push(format!("{} rows are there already and are left out.", many.len())),
    }
    for (start, end, key) in &facts.turn.merged {
        let whose = if key.is_empty() { String::new() } else { format!(" of {key}") };
        parts.push(format!("Sessions{whose} meet and become {}.", clock.window(*start, *end)));
    }
    for ((start, end, key), text) in &facts.turn.left {
        let window = clock.window(*start, *end);
        let whose = if key.is_empty() { window } else { format!("{window} of {key}") };
        let verb = if facts.says_on_leaving { "leaves with" } else { "leaves the state at" };
        parts.push(format!("{whose} {verb} {text}."));
    }
    match (facts.sets, facts.rows.iter().find(|row| row.sets.is_some())) {
        (Some(line), Some(row)) => {
            parts.push(format!("{} is the newest, it sets {}.", name(row), clock.text(line)));
        }
        (Some(line), None) => parts.push(format!("The line moves to {}.", clock.text(line))),
        (None, _) if !facts.has_line && parts.is_empty() => parts.push("No line yet.".to_owned()),
        (None, _) => {}
    }
    if parts.is_empty() {
        parts.push(match facts.rows.len() {
            1 => "One row, and the line stays.".to_owned(),
            n => format!("{n} rows, and the line stays."),
        });
    }
    parts.join(" ")
}

/// Why an open window is not out yet.
pub(super) fn why(clock: Clock, end: i64, delay: i64, line: Option<i64>, next: Option<i64>) -> WhyNot {
    let closes = end + delay;
    let sentence = match (line, next) {
        (_, Some(next)) if next >= end => format!(
            "No row yet. The window ends at {}. The line has moved to {}: the next batch hands it out, even without input.",
            clock.text(end),
            clock.text(next)
        ),
        (line, next) => {
            let stands = match next.or(line) {
                Some(at) => format!("the watermark is at {}", clock.text(at)),
                None => "there is no watermark yet".to_owned(),
            };
            format!(
                "No row yet. The window ends at {}, {stands}. An event at {} or later closes it, one batch after it arrives.",
                clock.text(end),
                clock.text(closes)
            )
        }
    };
    WhyNot { line, next, closes, sentence }
}
