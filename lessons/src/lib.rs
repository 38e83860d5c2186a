//! Lessons as files, and a loader without logic.
//!
//! Owns: the texts, programs and data under `content/`, one folder a lesson.
//! May touch: protocol.
//! Must not know: how a script runs, how a lesson is drawn.
//! Invariants: what a lesson gives a learner stands in its folder and nowhere else.

use tidemark_protocol::Act;

/// The beginning of a lesson: the script in the editor, and the files that can be dropped, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// The folder's name.
    pub slug: &'static str,
    /// The script, `start.py`.
    pub script: &'static str,
    /// Path in the store and content of each file of `input/`.
    pub files: &'static [(&'static str, &'static str)],
}

/// The three runs: what a newcomer finds in the sandbox.
pub const THREE_RUNS: Start = Start {
    slug: "01-three-runs",
    script: include_str!("../content/01-three-runs/start.py"),
    files: &[
        ("in/a.json", include_str!("../content/01-three-runs/input/a.json")),
        ("in/b.json", include_str!("../content/01-three-runs/input/b.json")),
        ("in/c.json", include_str!("../content/01-three-runs/input/c.json")),
        ("in/d.json", include_str!("../content/01-three-runs/input/d.json")),
    ],
};

impl Start {
    /// The act that drops a file of the lesson.
    pub fn drop_act(&self, index: usize) -> Option<Act> {
        let (path, text) = self.files.get(index)?;
        Some(Act::Put { path: (*path).to_owned(), text: (*text).to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::THREE_RUNS;

    #[test]
    fn every_file_of_the_first_lesson_is_lines_of_json() {
        for (path, text) in THREE_RUNS.files {
            assert!(text.ends_with('\n'), "{path} ends with a line end");
            for line in text.lines() {
                assert!(line.starts_with("{\"id\":") && line.ends_with('}'), "{path}: {line}");
            }
        }
    }
}
