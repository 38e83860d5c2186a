//! Lessons as files, and a loader without logic.
//!
//! Owns: the texts, programs and data under `content/`, one folder a lesson, and the reading of such a folder.
//! May touch: protocol.
//! Must not know: how a script runs, how a lesson is drawn.
//! Invariants: what a lesson gives a learner stands in its folder and nowhere else; the page carries the lessons as one
//! JSON that the build has made, and no reader of TOML.

#[cfg(feature = "form")]
pub mod folder;
#[cfg(feature = "form")]
pub mod form;

use tidemark_protocol::{Act, Lesson};

/// The beginning of a sandbox: the script in the editor, and the files that can be dropped, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// The folder's name.
    pub slug: &'static str,
    /// The script, `show.py`.
    pub script: &'static str,
    /// Path in the store and content of each file of `input/`.
    pub files: &'static [(&'static str, &'static str)],
}

/// The three runs: what a newcomer finds in the sandbox.
pub const THREE_RUNS: Start = Start {
    slug: "01-three-runs",
    script: include_str!("../content/01-three-runs/show.py"),
    files: &[
        ("in/a.json", include_str!("../content/01-three-runs/input/a.json")),
        ("in/b.json", include_str!("../content/01-three-runs/input/b.json")),
        ("in/c.json", include_str!("../content/01-three-runs/input/c.json")),
        ("in/d.json", include_str!("../content/01-three-runs/input/d.json")),
    ],
};

/// All lessons, as the build has made them of their folders.
const LESSONS: &str = include_str!(concat!(env!("OUT_DIR"), "/lessons.json"));

/// All lessons in their order.
///
/// Shape: read anew at each call; who asks keeps them. A lesson whose form is wrong is left out: `tidemark check` says why.
pub fn all() -> Vec<Lesson> {
    let found: Vec<serde_json::Value> = serde_json::from_str(LESSONS).unwrap_or_default();
    found.into_iter().filter_map(|lesson| serde_json::from_value(lesson).ok()).collect()
}

impl Start {
    /// The act that drops a file of the lesson.
    pub fn drop_act(&self, index: usize) -> Option<Act> {
        let (path, text) = self.files.get(index)?;
        Some(Act::Put { path: (*path).to_owned(), text: (*text).into() })
    }
}

#[cfg(test)]
mod tests {
    use super::{LESSONS, THREE_RUNS, all};

    #[test]
    fn every_file_of_the_first_lesson_is_lines_of_json() {
        for (path, text) in THREE_RUNS.files {
            assert!(text.ends_with('\n'), "{path} ends with a line end");
            for line in text.lines() {
                assert!(line.starts_with("{\"id\":") && line.ends_with('}'), "{path}: {line}");
            }
        }
    }

    #[test]
    fn every_lesson_of_the_build_is_one() {
        let found: Vec<serde_json::Value> = serde_json::from_str(LESSONS).expect("the build writes JSON");
        for lesson in &found {
            let read: Result<tidemark_protocol::Lesson, _> = serde_json::from_value(lesson.clone());
            assert!(read.is_ok(), "{}: {:?}", lesson["slug"], read.err());
        }
        assert_eq!(all().len(), found.len());
        assert_eq!(all()[0].slug, THREE_RUNS.slug);
    }
}
