//! How far each lesson has come: kept in the browser under the lesson's id.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

/// How far one lesson has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    /// The furthest stage, from 1; 0 before it was opened.
    pub stage: u8,
    /// Whether the check has passed.
    pub solved: bool,
    /// Whether the solution was looked at before.
    pub seen: bool,
}

/// All lessons by their ids.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress(BTreeMap<String, Mark>);

impl Progress {
    /// How far a lesson has come.
    pub fn of(&self, id: &str) -> Mark {
        self.0.get(id).copied().unwrap_or_default()
    }

    /// Changes the mark of a lesson.
    pub fn note(&mut self, id: &str, change: impl FnOnce(&mut Mark)) {
        change(self.0.entry(id.to_owned()).or_default());
    }

    /// As it is kept.
    pub fn text(&self) -> String {
        let marks = self.0.iter().map(|(id, mark)| {
            (id.clone(), json!({"stage": mark.stage, "solved": mark.solved, "seen": mark.seen}))
        });
        Value::Object(marks.collect::<Map<_, _>>()).to_string()
    }

    /// What was kept; what cannot be read is nothing.
    pub fn read(text: &str) -> Progress {
        let Ok(Value::Object(found)) = serde_json::from_str(text) else { return Progress::default() };
        let mark = |value: &Value| Mark {
            stage: value["stage"].as_u64().unwrap_or(0).min(6) as u8,
            solved: value["solved"].as_bool().unwrap_or(false),
            seen: value["seen"].as_bool().unwrap_or(false),
        };
        Progress(found.iter().map(|(id, value)| (id.clone(), mark(value))).collect())
    }
}

impl Mark {
    /// In a few words, for a list of lessons.
    pub fn words(self) -> String {
        match self {
            Mark { solved: true, seen: true, .. } => "solved, after the solution was seen".to_owned(),
            Mark { solved: true, .. } => "solved".to_owned(),
            Mark { seen: true, .. } => "solution seen".to_owned(),
            Mark { stage: 0, .. } => String::new(),
            Mark { stage, .. } => format!("stage {stage} of 6"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_reads_back() {
        let mut progress = Progress::default();
        progress.note("three-runs", |mark| mark.stage = 4);
        progress.note("crash", |mark| (mark.stage, mark.solved) = (6, true));
        assert_eq!(Progress::read(&progress.text()), progress);
        assert_eq!(progress.of("three-runs").words(), "stage 4 of 6");
        assert_eq!(progress.of("crash").words(), "solved");
        for garbled in ["", "[]", "{\"a\":3}", "<b>"] {
            assert_eq!(Progress::read(garbled).of("a"), Mark::default(), "{garbled}");
        }
    }
}
