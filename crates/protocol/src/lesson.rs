//! A lesson as plain data: what a teacher writes in `lesson.toml`, and the files beside it.

use serde::{Deserialize, Serialize};
use tidemark_trace::Phase;

use crate::act::Act;
use crate::check::Check;
use crate::view::{Change, View};

/// The script that a lesson runs; its acts say `run main.py`.
pub const LESSON_SCRIPT: &str = "main.py";

/// One lesson: what its folder holds, without the wrong answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lesson {
    /// The folder's name: `01-three-runs`.
    pub slug: String,
    /// `lesson.toml`.
    pub form: LessonForm,
    /// `lesson.md`: what is read first.
    pub text: String,
    /// `show.py`: the script of the stages before the last; `start.py` where there is none.
    pub show: String,
    /// `start.py`: the script that the exercise begins with.
    pub start: String,
    /// `solution.py`: one right answer.
    pub solution: String,
    /// `input/`: the visible data, by path in the store.
    pub files: Vec<LessonFile>,
}

/// A data file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LessonFile {
    /// The path in the store: `in/a.json`.
    pub path: String,
    /// The content.
    pub text: String,
}

/// `lesson.toml`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LessonForm {
    /// The name under which a learner's progress is kept; frozen for ever.
    pub id: String,
    /// Grows when the lesson changes.
    pub version: u32,
    /// The title.
    pub title: String,
    /// The belief that the lesson breaks, as the learner would say it.
    pub misconception: String,
    /// Three hints, from where to look to nearly the answer.
    pub hints: Vec<String>,
    /// The beginning.
    pub world: LessonWorld,
    /// The question before the run.
    pub guess: Guess,
    /// What is run after the guess.
    pub run: LessonRun,
    /// The question after the run.
    pub explain: Explain,
    /// Things to do by hand before the exercise.
    #[serde(default, rename = "do")]
    pub tasks: Vec<Task>,
    /// The exercise.
    #[serde(rename = "try")]
    pub exercise: Exercise,
    /// What a right answer has.
    pub check: Check,
}

/// The World of a lesson, and what has happened in it when the learner comes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LessonWorld {
    /// Fixes all ids.
    pub seed: u64,
    /// How far the clock stands after 12:00, as an act says it: `90s`, `10m`. Nothing if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<String>,
    /// What has happened. A `put` without a text takes the file from `input/`.
    #[serde(with = "act_lines")]
    pub acts: Vec<Act>,
}

/// The question before the run. `I do not know` is always one more choice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Guess {
    /// What is asked, as the beginning of a sentence: `After the restart, out/ holds`.
    pub question: String,
    /// The button that makes the guess and starts the run: `Restart and see`.
    pub go: String,
    /// What is compared.
    pub shows: Shows,
    /// What would give the answer away: it is covered until the guess.
    #[serde(default)]
    pub covers: Vec<Cover>,
    /// The choices.
    pub options: Vec<GuessOption>,
}

/// One choice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GuessOption {
    /// The words: `4 rows, id 3 twice`.
    pub text: String,
    /// The same in a word or two: `4 rows`.
    pub short: String,
    /// Whether it is what happens.
    #[serde(default)]
    pub right: bool,
    /// What is said of it after the run: why one could think so, and what is so.
    pub says: String,
    /// What is added for one who was sure of it.
    #[serde(default)]
    pub sure: String,
    /// The guess as a column of small boxes, beside that of the real thing.
    pub boxes: Vec<String>,
    /// Rows that the guess has beyond the real ones, by their first column: drawn as ghosts in the sink.
    #[serde(default)]
    pub extra: Vec<String>,
}

/// What guess and reality are compared by: a column of small boxes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "lowercase", deny_unknown_fields)]
pub enum Shows {
    /// The first column of each row of a table.
    Rows {
        /// The table: `out/`.
        table: String,
    },
    /// The rows that each run of the script read.
    Runs,
}

/// Something that is covered until the guess: the values of fields of an opened object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cover {
    /// The path, with `*` for any characters: `out/_delta_log/*`.
    pub path: String,
    /// The name of the field; a heading covers what is below it.
    pub field: String,
}

/// What is run after the guess.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LessonRun {
    /// The acts.
    #[serde(with = "act_lines")]
    pub acts: Vec<Act>,
    /// The step that decides: play stops before it.
    pub decides: Decides,
}

/// A step of the run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decides {
    /// The run of the script, from 1.
    pub run: u32,
    /// The step by its verb: `commit`.
    pub step: Phase,
}

/// The question after the run: a cause, and the file that proves it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Explain {
    /// The beginning of the sentence that a choice finishes.
    pub question: String,
    /// The causes.
    pub choices: Vec<Choice>,
    /// What is to be pointed at: `Which file proves it?`
    pub ask: String,
    /// Files that one may point at, each with an answer.
    pub points: Vec<Point>,
    /// What is said of any other file.
    pub elsewhere: String,
}

/// A cause to choose.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    /// The words.
    pub text: String,
    /// Whether it is the cause.
    #[serde(default)]
    pub right: bool,
    /// What is said of it.
    pub says: String,
}

/// A file that one may point at.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Point {
    /// The path, with `*` for any characters.
    pub path: String,
    /// Whether it is evidence.
    #[serde(default)]
    pub right: bool,
    /// What is said of it.
    pub says: String,
}

/// Something to do by hand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Task {
    /// What to do.
    pub ask: String,
    /// When it is done.
    #[serde(with = "watch_line")]
    pub until: Watch,
    /// What is said then.
    pub says: String,
    /// Acts that do it; none for what is only looked at.
    #[serde(default, with = "act_lines")]
    pub acts: Vec<Act>,
}

/// The exercise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exercise {
    /// What to do, one paragraph.
    pub ask: String,
}

/// When a task is done: one line of text each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Watch {
    /// `gone PATH`: there is no such object.
    Gone(String),
    /// `there PATH`: there is such an object; `*` stands for any characters.
    There(String),
    /// `open PATH`: the learner has opened such an object.
    Open(String),
}

impl Watch {
    /// Reads one line.
    ///
    /// Errors: what is wanted, as a sentence.
    pub fn parse(line: &str) -> Result<Watch, String> {
        let (verb, rest) = line.trim().split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim().to_owned();
        let no =
            || format!("`{line}` says nothing to wait for: write `gone PATH`, `there PATH` or `open PATH`");
        if rest.is_empty() {
            return Err(no());
        }
        match verb {
            "gone" => Ok(Watch::Gone(rest)),
            "there" => Ok(Watch::There(rest)),
            "open" => Ok(Watch::Open(rest)),
            _ => Err(no()),
        }
    }

    /// Whether it is so at a moment, with this object opened.
    pub fn holds(&self, view: &View, opened: Option<&str>) -> bool {
        let there = |path: &str| {
            view.store.iter().any(|entry| entry.change != Change::Deleted && matches(path, &entry.path))
        };
        match self {
            Watch::Gone(path) => !there(path),
            Watch::There(path) => there(path),
            Watch::Open(path) => opened.is_some_and(|opened| matches(path, opened)),
        }
    }
}

impl std::fmt::Display for Watch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Watch::Gone(path) => write!(f, "gone {path}"),
            Watch::There(path) => write!(f, "there {path}"),
            Watch::Open(path) => write!(f, "open {path}"),
        }
    }
}

/// Whether a path fits a pattern in which `*` stands for any characters.
pub fn matches(pattern: &str, path: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = path.strip_prefix(first) else { return false };
    let parts: Vec<&str> = parts.collect();
    for (at, part) in parts.iter().enumerate() {
        if at + 1 == parts.len() {
            return rest.ends_with(part);
        }
        match rest.find(part) {
            Some(found) => rest = &rest[found + part.len()..],
            None => return false,
        }
    }
    rest.is_empty()
}

impl Shows {
    /// The column of small boxes that a moment makes.
    pub fn boxes(&self, view: &View) -> Vec<String> {
        match self {
            Shows::Rows { table } => view
                .sinks
                .iter()
                .filter(|sink| sink.name == *table)
                .flat_map(|sink| &sink.rows)
                .map(|row| row.cells.first().cloned().unwrap_or_default())
                .collect(),
            Shows::Runs => {
                let mut runs: Vec<(u32, i64)> = Vec::new();
                for query in &view.queries {
                    let rows: i64 = query.batches.iter().map(|batch| batch.input_rows).sum();
                    match runs.iter_mut().find(|(run, _)| *run == query.run) {
                        Some((_, sum)) => *sum += rows,
                        None => runs.push((query.run, rows)),
                    }
                }
                runs.iter().map(|(run, rows)| format!("run {run}: {rows}")).collect()
            }
        }
    }
}

impl Lesson {
    /// The acts that lead to the beginning of the lesson.
    pub fn opening(&self) -> Vec<Act> {
        let mut acts = self.begin(&self.show);
        acts.extend(self.filled(&self.form.world.acts));
        acts
    }

    /// Seed, clock and script: what comes before all other acts.
    pub fn begin(&self, script: &str) -> Vec<Act> {
        let world = &self.form.world;
        let mut acts = vec![Act::Seed { seed: world.seed }];
        acts.extend(world.clock.as_ref().and_then(|clock| Act::parse(&format!("advance {clock}")).ok()));
        acts.push(Act::Edit { script: LESSON_SCRIPT.to_owned(), text: script.to_owned() });
        acts
    }

    /// Acts with the texts of the files that they put.
    pub fn filled(&self, acts: &[Act]) -> Vec<Act> {
        filled(acts, &self.files)
    }

    /// The rows of the choices and the right one.
    pub fn right_guess(&self) -> usize {
        self.form.guess.options.iter().position(|option| option.right).unwrap_or(0)
    }
}

/// Acts in which each `put` without a text has that of the file of its path.
pub fn filled(acts: &[Act], files: &[LessonFile]) -> Vec<Act> {
    let text_of = |wanted: &str| files.iter().find(|file| file.path == wanted).map(|file| file.text.clone());
    acts.iter()
        .map(|act| match act {
            Act::Put { path, text } if text.is_empty() => {
                Act::Put { path: path.clone(), text: text_of(path).unwrap_or_default().into() }
            }
            other => other.clone(),
        })
        .collect()
}

/// Acts as lines of text.
pub(crate) mod act_lines {
    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};

    use crate::act::Act;

    pub(crate) fn serialize<S: Serializer>(acts: &[Act], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(acts.iter().map(ToString::to_string))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Act>, D::Error> {
        let lines = Vec::<String>::deserialize(from)?;
        lines.iter().map(|line| Act::parse(line).map_err(D::Error::custom)).collect()
    }
}

/// What is waited for as a line of text.
mod watch_line {
    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};

    use super::Watch;

    pub(super) fn serialize<S: Serializer>(watch: &Watch, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(watch)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Watch, D::Error> {
        Watch::parse(&String::deserialize(from)?).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::{LessonFile, Watch, filled, matches};
    use crate::act::Act;

    #[test]
    fn a_star_stands_for_any_characters() {
        for (pattern, path, fits) in [
            ("out/_delta_log/*1.json", "out/_delta_log/00000000000000000001.json", true),
            ("out/_delta_log/*1.json", "out/_delta_log/00000000000000000010.json", false),
            ("ckpt/sources/0/*", "ckpt/sources/0/1", true),
            ("ckpt/commits/1", "ckpt/commits/1", true),
            ("ckpt/commits/1", "ckpt/commits/10", false),
            ("*", "anything", true),
            ("a*b*c", "axxbyyc", true),
            ("a*b*c", "axxyyc", false),
        ] {
            assert_eq!(matches(pattern, path), fits, "{pattern} {path}");
        }
    }

    #[test]
    fn what_is_waited_for_is_one_line() {
        for line in ["gone ckpt/commits/1", "there out/_delta_log/*", "open ckpt/offsets/1"] {
            assert_eq!(Watch::parse(line).map(|watch| watch.to_string()).as_deref(), Ok(line));
        }
        for line in ["gone", "again 1", "sleep 1"] {
            assert!(Watch::parse(line).is_err_and(|text| text.contains("`gone PATH`")), "{line}");
        }
    }

    #[test]
    fn a_put_without_a_text_takes_that_of_the_file() {
        let files = [LessonFile { path: "in/a.json".to_owned(), text: "{}\n".to_owned() }];
        let acts = [Act::parse("put in/a.json").expect("an act"), Act::Restart];
        let found: Vec<String> = filled(&acts, &files).iter().map(ToString::to_string).collect();
        assert_eq!(found, [r#"put in/a.json "{}\n""#, "restart"]);
    }
}
