//! A learner's act: the closed list of all that can be done, each with one line of text.
//!
//! The same lines stand in golden scripts, lessons, links, saved work and on the command line. Given the same acts, a
//! sandbox makes the same bytes.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tidemark_trace::{CrashPoint, Phase, When};

/// One act.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "act", rename_all = "lowercase")]
pub enum Act {
    /// `seed N`: fixes all ids. The first act.
    Seed {
        /// The seed.
        seed: u64,
    },
    /// `put PATH TEXT`: a file is dropped; the clock moves 1 s.
    Put {
        /// The path as written, relative to the root.
        path: String,
        /// The content, shared with the store: it may be large.
        text: Arc<str>,
    },
    /// `import NAME BASE64`: an archive that an export made is unpacked into the store, times and all.
    Import {
        /// The name of the file that the learner chose.
        name: String,
        /// The archive, in base64.
        archive: String,
    },
    /// `edit SCRIPT TEXT`: the script's text is replaced.
    Edit {
        /// The name of the script, `main.py`.
        script: String,
        /// The new text.
        text: String,
    },
    /// `run SCRIPT`: the script is started afresh and runs to its end, or until it parks.
    Run {
        /// The name of the script.
        script: String,
    },
    /// `trigger [QUERY]`: one trigger of a query.
    Trigger {
        /// The query by name or id, the only one if absent.
        query: Option<String>,
    },
    /// `step`: one engine step; starts the script if none is running.
    Step,
    /// `arm …`: a crash is armed.
    Arm {
        /// Where.
        place: ArmPlace,
    },
    /// `disarm …`: an armed crash is taken away.
    Disarm {
        /// Where it is armed.
        place: ArmPlace,
    },
    /// `crash`: the driver stops here and now.
    Crash,
    /// `restart`: the script is started again from the store as it is.
    Restart,
    /// `delete PATH`: an object, or a folder with all below it.
    Delete {
        /// The path as written.
        path: String,
    },
    /// `stop [QUERY]`: a query is stopped, or the script if no query runs.
    Stop {
        /// The query by name or id.
        query: Option<String>,
    },
    /// `pause M`: the next act rests after it has made M moments; `pause M T`: it is interrupted T ticks later. Never a
    /// learner's: it stands before an act that was cut or interrupted, so that it comes as far when it is done again.
    Pause {
        /// Moments that the next act makes.
        moments: u64,
        /// Ticks after the last of them at which it is interrupted; none if it just rests.
        ticks: Option<u64>,
    },
    /// `advance DURATION`: the clock moves.
    Advance {
        /// How far, in milliseconds.
        millis: i64,
    },
    /// `set CONF VALUE`: a setting of the session.
    Set {
        /// The name.
        name: String,
        /// The value.
        value: String,
    },
}

/// Where a crash is armed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "at", rename_all = "lowercase")]
pub enum ArmPlace {
    /// `arm C10`: a named point.
    Point {
        /// The point.
        point: CrashPoint,
    },
    /// `arm commit before`: a phase.
    Phase {
        /// The phase.
        phase: Phase,
        /// The side.
        when: When,
    },
    /// `arm write 3 after`: the k-th write from now on.
    Write {
        /// How many writes away, from 1.
        k: u64,
        /// The side.
        when: When,
    },
}

/// Why a line is no act.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActError(
    /// What is wrong, with the line and what was expected.
    pub String,
);

impl fmt::Display for ActError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ActError {}

impl fmt::Display for Act {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let optional = |verb: &str, query: &Option<String>| match query {
            Some(query) => format!("{verb} {query}"),
            None => verb.to_owned(),
        };
        match self {
            Act::Seed { seed } => write!(f, "seed {seed}"),
            Act::Put { path, text } => write!(f, "put {path} {}", quote(text)),
            Act::Import { name, archive } => write!(f, "import {} {archive}", quote(name)),
            Act::Edit { script, text } => write!(f, "edit {script} {}", quote(text)),
            Act::Run { script } => write!(f, "run {script}"),
            Act::Trigger { query } => f.write_str(&optional("trigger", query)),
            Act::Step => f.write_str("step"),
            Act::Arm { place } => write!(f, "arm {place}"),
            Act::Disarm { place } => write!(f, "disarm {place}"),
            Act::Crash => f.write_str("crash"),
            Act::Restart => f.write_str("restart"),
            Act::Delete { path } => write!(f, "delete {path}"),
            Act::Stop { query } => f.write_str(&optional("stop", query)),
            Act::Pause { moments, ticks: None } => write!(f, "pause {moments}"),
            Act::Pause { moments, ticks: Some(ticks) } => write!(f, "pause {moments} {ticks}"),
            Act::Advance { millis } => write!(f, "advance {millis}ms"),
            Act::Set { name, value } => write!(f, "set {name} {value}"),
        }
    }
}

impl fmt::Display for ArmPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ArmPlace::Point { point } => write!(f, "{point:?}"),
            ArmPlace::Phase { phase, when } => write!(f, "{phase} {}", side(*when)),
            ArmPlace::Write { k, when } => write!(f, "write {k} {}", side(*when)),
        }
    }
}

fn side(when: When) -> &'static str {
    match when {
        When::Before => "before",
        When::During => "during",
        When::After => "after",
    }
}

fn quote(text: &str) -> String {
    serde_json::Value::String(text.to_owned()).to_string()
}

impl Act {
    /// An archive that is imported may have so many bytes.
    pub const ARCHIVE_BYTES_MAX: usize = 16 << 20;

    /// Reads one line. A text argument is a JSON string, or the rest of the line as it stands.
    ///
    /// ```
    /// use tidemark_protocol::Act;
    /// let act = Act::parse(r#"put in/a.json {"id":1}"#).unwrap();
    /// assert_eq!(act.to_string(), r#"put in/a.json "{\"id\":1}""#);
    /// assert_eq!(Act::parse(&act.to_string()).unwrap(), act);
    /// ```
    pub fn parse(line: &str) -> Result<Act, ActError> {
        let line = line.trim();
        let (verb, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let wants = |what: &str| ActError(format!("`{line}` is no act: `{verb}` wants {what}"));
        let one = |what: &str| if rest.is_empty() { Err(wants(what)) } else { Ok(rest.to_owned()) };
        let maybe = || (!rest.is_empty()).then(|| rest.to_owned());
        match verb {
            "seed" => rest.parse().map(|seed| Act::Seed { seed }).map_err(|_| wants("a number")),
            "put" => {
                let (path, text) = path_and_text(rest).ok_or_else(|| wants("a path and a text"))?;
                Ok(Act::Put { path, text: text.into() })
            }
            "import" => {
                let (name, archive) =
                    rest.rsplit_once(char::is_whitespace).ok_or_else(|| wants("a name and an archive"))?;
                let name = name.trim();
                let name = if name.starts_with('"') {
                    serde_json::from_str(name).map_err(|_| wants("a name and an archive"))?
                } else {
                    name.to_owned()
                };
                Ok(Act::Import { name, archive: archive.to_owned() })
            }
            "edit" => {
                let (script, text) = path_and_text(rest).ok_or_else(|| wants("a script and a text"))?;
                Ok(Act::Edit { script, text })
            }
            "run" => Ok(Act::Run { script: one("the name of a script")? }),
            "trigger" => Ok(Act::Trigger { query: maybe() }),
            "step" => Ok(Act::Step),
            "arm" | "disarm" => {
                let place = arm_place(rest).ok_or_else(|| {
                    wants(
                        "a point C01 to C14, a phase and a side, or `write K` and a side (before, during, after)",
                    )
                })?;
                Ok(if verb == "arm" { Act::Arm { place } } else { Act::Disarm { place } })
            }
            "crash" => Ok(Act::Crash),
            "restart" => Ok(Act::Restart),
            "delete" => Ok(Act::Delete { path: one("a path")? }),
            "stop" => Ok(Act::Stop { query: maybe() }),
            "pause" => {
                let mut numbers = rest.split_whitespace().map(str::parse);
                match (numbers.next(), numbers.next(), numbers.next()) {
                    (Some(Ok(moments)), None, None) => Ok(Act::Pause { moments, ticks: None }),
                    (Some(Ok(moments)), Some(Ok(ticks)), None) => {
                        Ok(Act::Pause { moments, ticks: Some(ticks) })
                    }
                    _ => Err(wants("one number or two")),
                }
            }
            "advance" => {
                duration_millis(rest).map(|millis| Act::Advance { millis }).ok_or_else(|| wants("a duration"))
            }
            "set" => {
                let (name, value) =
                    rest.split_once(char::is_whitespace).ok_or_else(|| wants("a name and a value"))?;
                Ok(Act::Set { name: name.to_owned(), value: value.trim().to_owned() })
            }
            _ => Err(ActError(format!(
                "`{line}` is no act: acts are seed, put, import, edit, run, trigger, step, arm, disarm, crash, restart, delete, \
                 stop, advance, set"
            ))),
        }
    }
}

fn path_and_text(rest: &str) -> Option<(String, String)> {
    let (path, text) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    if path.is_empty() {
        return None;
    }
    let text = text.trim();
    let text = if text.starts_with('"') { serde_json::from_str(text).ok()? } else { text.to_owned() };
    Some((path.to_owned(), text))
}

fn arm_place(text: &str) -> Option<ArmPlace> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let when = |word: &str| match word {
        "before" => Some(When::Before),
        "during" => Some(When::During),
        "after" => Some(When::After),
        _ => None,
    };
    match words.as_slice() {
        [point] => CrashPoint::from_name(point).map(|point| ArmPlace::Point { point }),
        ["write", k, side] => Some(ArmPlace::Write { k: k.parse().ok()?, when: when(side)? }),
        [phase, side] => Some(ArmPlace::Phase { phase: Phase::from_verb(phase)?, when: when(side)? }),
        _ => None,
    }
}

/// Milliseconds of `90s`, `1.5s`, `10m`, `2h`, `1d`, `250ms`.
fn duration_millis(text: &str) -> Option<i64> {
    let split = text.find(|c: char| c.is_ascii_alphabetic())?;
    let (number, unit) = text.split_at(split);
    let number: f64 = number.trim().parse().ok()?;
    let scale = match unit.trim() {
        "ms" => 1.0,
        "s" => 1_000.0,
        "m" => 60_000.0,
        "h" => 3_600_000.0,
        "d" => 86_400_000.0,
        _ => return None,
    };
    Some((number * scale) as i64)
}

#[cfg(test)]
mod tests {
    use super::Act;

    #[test]
    fn every_line_reads_back_as_the_same_act() {
        for line in [
            "seed 7",
            r#"put in/a.json "{\"id\":1}\n""#,
            r#"import "my work.zip" UEsFBg=="#,
            r#"edit main.py "x = 1\n""#,
            "run main.py",
            "trigger",
            "trigger copy",
            "step",
            "arm C10",
            "arm commit before",
            "arm write 3 during",
            "disarm commit after",
            "crash",
            "restart",
            "delete ckpt/",
            "stop",
            "pause 5",
            "pause 5 17",
            "advance 90000ms",
            "set spark.sql.shuffle.partitions 4",
        ] {
            assert_eq!(Act::parse(line).map(|act| act.to_string()).as_deref(), Ok(line));
        }
    }

    #[test]
    fn a_line_that_is_no_act_says_what_is_wanted() {
        for (line, wanted) in [
            ("seed x", "`seed` wants a number"),
            ("arm C15", "a point C01 to C14"),
            ("disarm", "`disarm` wants a point C01 to C14"),
            ("advance 3 fortnights", "`advance` wants a duration"),
            ("fly", "acts are seed, put"),
        ] {
            let error = Act::parse(line).unwrap_err().0;
            assert!(error.contains(wanted), "{error}");
        }
    }
}
