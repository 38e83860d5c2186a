//! A folder read as a lesson, with errors for its teacher: file, line, key, and the next move.

use tidemark_protocol::act::Act;
use tidemark_protocol::lesson::{LESSON_SCRIPT, Lesson, LessonFile, LessonForm};

use crate::folder::Folder;

/// So many words may be read before the guess.
const WORDS_MAX: usize = 120;
/// So many wrong answers a lesson knows at least.
const WRONG_MIN: usize = 3;
/// So many hints an exercise has.
const HINTS: usize = 3;
/// So many hidden data sets a check has.
const HIDDEN: usize = 3;

/// A lesson, and the answers that are known to be wrong.
#[derive(Clone, Debug, PartialEq)]
pub struct Written {
    /// The lesson.
    pub lesson: Lesson,
    /// The wrong answers.
    pub wrong: Vec<WrongAnswer>,
}

/// An answer that is known to be wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongAnswer {
    /// The file's name without its ending.
    pub name: String,
    /// The message that it must get: its first comment.
    pub message: String,
    /// The script.
    pub script: String,
}

/// Reads a lesson.
///
/// Errors: everything that is wrong with its files, one line each.
pub fn read(folder: &Folder) -> Result<Written, Vec<String>> {
    let form: LessonForm = toml::from_str(&folder.form).map_err(|error| vec![syntax(folder, &error)])?;
    let files: Vec<LessonFile> = folder
        .files
        .iter()
        .map(|(path, text)| LessonFile { path: path.clone(), text: text.clone() })
        .collect();
    let wrong = folder
        .wrong
        .iter()
        .map(|(name, script)| WrongAnswer {
            name: name.clone(),
            message: first_comment(script),
            script: script.clone(),
        })
        .collect();
    let lesson = Lesson {
        slug: folder.slug.clone(),
        form,
        text: folder.text.clone(),
        show: folder.show.clone(),
        start: folder.start.clone(),
        solution: folder.solution.clone(),
        files,
    };
    let written = Written { lesson, wrong };
    let errors = Faults { folder, written: &written, found: Vec::new() }.all();
    if errors.is_empty() { Ok(written) } else { Err(errors) }
}

/// What the reader of TOML says, with file and line.
fn syntax(folder: &Folder, error: &toml::de::Error) -> String {
    let at = error.span().map_or(0, |span| span.start);
    let before = folder.form.get(..at).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let text = folder.form.lines().nth(line - 1).unwrap_or_default();
    let key = text.split('=').next().unwrap_or_default().trim();
    let message = error.message().trim_end_matches('.');
    format!("{}/lesson.toml:{line}: `{key}`: {message}. lessons/README.md lists the keys", folder.slug)
}

/// The comment at the head of a script, its lines joined.
pub fn first_comment(script: &str) -> String {
    let lines = script.lines().map_while(|line| line.strip_prefix('#'));
    lines.map(str::trim).collect::<Vec<_>>().join(" ")
}

/// The line of the first line that begins so, from 1.
fn line_of(text: &str, beginning: &str) -> usize {
    text.lines().position(|line| line.trim_start().starts_with(beginning)).map_or(1, |at| at + 1)
}

/// What a form can say and must not.
struct Faults<'a> {
    folder: &'a Folder,
    written: &'a Written,
    found: Vec<String>,
}

impl Faults<'_> {
    fn all(mut self) -> Vec<String> {
        self.texts();
        self.guess();
        self.explain();
        self.check();
        self.puts();
        self.found
    }

    /// A fault of `lesson.toml` at a key.
    fn fault(&mut self, key: &str, what: &str) {
        let line = line_of(&self.folder.form, key);
        self.found.push(format!("{}/lesson.toml:{line}: `{key}`: {what}", self.folder.slug));
    }

    /// A fault of `lesson.toml` in the first line that holds a text.
    fn fault_at(&mut self, text: &str, key: &str, what: &str) {
        let line = self.folder.form.lines().position(|line| line.contains(text)).map_or(1, |at| at + 1);
        self.found.push(format!("{}/lesson.toml:{line}: `{key}`: {what}", self.folder.slug));
    }

    fn texts(&mut self) {
        let words = read_words(&self.folder.text);
        if words > WORDS_MAX {
            self.found.push(format!(
                "{}/lesson.md:1: {words} words are read before the guess; {WORDS_MAX} are enough. Move the rest to an answer.",
                self.folder.slug
            ));
        }
        if !self.folder.text.starts_with("# ") {
            self.found.push(format!(
                "{}/lesson.md:1: the first line is the heading: write `# ` and what the learner sees.",
                self.folder.slug
            ));
        }
        if self.written.lesson.form.hints.len() != HINTS {
            self.fault("hints", "three are wanted: where to look, the rule, nearly the answer.");
        }
        let wrong = &self.written.wrong;
        if wrong.len() < WRONG_MIN {
            self.found.push(format!(
                "{}/wrong/: {} known wrong answers; {WRONG_MIN} are wanted, each a script that a learner would write.",
                self.folder.slug,
                wrong.len()
            ));
        }
        for answer in wrong.iter().filter(|answer| answer.message.is_empty()) {
            self.found.push(format!(
                "{}/wrong/{}.py:1: the first comment is the message that this answer must get; write `# ` and the message.",
                self.folder.slug, answer.name
            ));
        }
    }

    fn guess(&mut self) {
        let options = &self.written.lesson.form.guess.options;
        if options.iter().filter(|option| option.right).count() != 1 {
            self.fault("[[guess.options]]", "just one choice has `right = true`.");
        }
        if options.len() < 2 {
            self.fault(
                "[[guess.options]]",
                "at least two choices are wanted; `I do not know` comes by itself.",
            );
        }
    }

    fn explain(&mut self) {
        let explain = &self.written.lesson.form.explain;
        if explain.choices.iter().filter(|choice| choice.right).count() != 1 {
            self.fault("[[explain.choices]]", "just one cause has `right = true`.");
        }
        if !explain.points.iter().any(|point| point.right) {
            self.fault(
                "[[explain.points]]",
                "one file at least has `right = true`: the explanation points at something.",
            );
        }
    }

    fn check(&mut self) {
        let check = &self.written.lesson.form.check;
        if check.hidden.len() != HIDDEN {
            self.fault("hidden", "three seeds are wanted, any three numbers.");
        }
        if check.expect.is_empty() {
            self.fault(
                "[[check.expect]]",
                "a check expects something; `what = \"rows\"` is the usual beginning.",
            );
        }
        if check.data.rows[0] == 0 || check.data.rows[0] > check.data.rows[1] {
            self.fault("rows", "the fewest rows come first and are 1 at least: `rows = [2, 5]`.");
        }
    }

    /// Each file that is put without a text is in `input/`, and the script that runs is the lesson's.
    fn puts(&mut self) {
        let lesson = &self.written.lesson;
        let form = &lesson.form;
        let acts: Vec<Act> =
            [&form.world.acts, &form.run.acts, &form.check.acts].into_iter().flatten().cloned().collect();
        for act in acts {
            match &act {
                Act::Put { path, text }
                    if text.is_empty() && !lesson.files.iter().any(|file| file.path == *path) =>
                {
                    let what = format!(
                        "`put {path}` wants a file of that name in input/, or a text behind the path."
                    );
                    self.fault_at(path, "acts", &what);
                }
                Act::Run { script } if script != LESSON_SCRIPT => {
                    self.fault_at(
                        script,
                        "acts",
                        &format!("the script of a lesson is {LESSON_SCRIPT}: write `run {LESSON_SCRIPT}`."),
                    );
                }
                Act::Seed { .. } | Act::Edit { .. } => {
                    self.fault_at(
                        if matches!(act, Act::Seed { .. }) { "seed " } else { "edit " },
                        "acts",
                        "seed and script are set already: leave `seed` and `edit` out.",
                    );
                }
                _ => {}
            }
        }
    }
}

/// The words between the heading and the next one.
fn read_words(text: &str) -> usize {
    let body = text.lines().skip(1).take_while(|line| !line.starts_with("## "));
    body.flat_map(str::split_whitespace).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> Folder {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/content/01-three-runs");
        Folder::read(std::path::Path::new(path)).expect("the first lesson is there")
    }

    #[test]
    fn errors_name_file_line_and_key() {
        type Spoil = (&'static str, &'static str, &'static str);
        let cases: [Spoil; 6] = [
            ("title = ", "titel = ", "`titel`: unknown field `titel`"),
            ("\"put in/a.json\"", "\"fly in/a.json\"", "is no act: acts are seed, put"),
            ("right = true", "right = false", "`[[guess.options]]`: just one choice has `right = true`"),
            ("hidden = [11, ", "hidden = [", "`hidden`: three seeds are wanted"),
            ("put in/b.json", "put in/z.json", "`put in/z.json` wants a file of that name in input/"),
            ("generator = \"orders\"", "generator = \"vans\"", "unknown variant `vans`, expected `orders`"),
        ];
        for (good, bad, wanted) in cases {
            let mut folder = folder();
            folder.form = folder.form.replace(good, bad);
            let errors = read(&folder).expect_err(bad);
            assert!(errors[0].starts_with("01-three-runs/lesson.toml:"), "{errors:?}");
            assert!(errors.iter().any(|error| error.contains(wanted)), "{bad}: {errors:?}");
        }
    }

    #[test]
    fn the_first_comment_is_the_message() {
        assert_eq!(
            first_comment("# On the visible data,\n# order 3 is there twice.\nx = 1\n# no\n"),
            "On the visible data, order 3 is there twice."
        );
        assert_eq!(first_comment("x = 1\n"), "");
    }
}
