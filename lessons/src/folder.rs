//! The folder of a lesson as texts. The build and the command line read it the same way.

use std::fs;
use std::path::{Path, PathBuf};

/// The folder of the store in which the files of `input/` lie.
const INPUT: &str = "in/";

/// What the folder of a lesson holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Folder {
    /// Its name.
    pub slug: String,
    /// `lesson.toml`.
    pub form: String,
    /// `lesson.md`.
    pub text: String,
    /// `show.py`, or `start.py` where there is none.
    pub show: String,
    /// `start.py`.
    pub start: String,
    /// `solution.py`.
    pub solution: String,
    /// `wrong/NAME.py`: name and text.
    pub wrong: Vec<(String, String)>,
    /// `input/`: path in the store and text.
    pub files: Vec<(String, String)>,
}

impl Folder {
    /// Reads a folder.
    ///
    /// Errors: a file that is not there, with what it is for.
    pub fn read(path: &Path) -> Result<Folder, String> {
        let text = |name: &str, what: &str| {
            let file = path.join(name);
            fs::read_to_string(&file).map_err(|error| format!("{}: {error}. {what}", file.display()))
        };
        let start = text("start.py", "It is the script that the exercise begins with; write it.")?;
        Ok(Folder {
            slug: path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
            form: text("lesson.toml", "It is the lesson; copy that of another lesson and change it.")?,
            text: text("lesson.md", "It is what the learner reads first; write at most 120 words.")?,
            show: fs::read_to_string(path.join("show.py")).unwrap_or_else(|_| start.clone()),
            start,
            solution: text("solution.py", "It is one right answer to the exercise; write it.")?,
            wrong: texts(&path.join("wrong"), "py")?,
            files: texts(&path.join("input"), "json")?
                .into_iter()
                .map(|(name, text)| (format!("{INPUT}{name}.json"), text))
                .collect(),
        })
    }

    /// All lessons below a folder, in the order of their names; or the one lesson that it is.
    ///
    /// Errors: a folder that cannot be read, or one without a lesson.
    pub fn all(content: &Path) -> Result<Vec<Folder>, String> {
        if content.join("lesson.toml").exists() {
            return Ok(vec![Folder::read(content)?]);
        }
        let mut found: Vec<PathBuf> = entries(content)?;
        found.retain(|path| path.join("lesson.toml").exists());
        if found.is_empty() {
            return Err(format!(
                "{}: there is no lesson. A lesson is a folder with a lesson.toml.",
                content.display()
            ));
        }
        found.iter().map(|path| Folder::read(path)).collect()
    }
}

/// Name without ending, and text, of each file of a folder; nothing if there is no folder.
fn texts(folder: &Path, ending: &str) -> Result<Vec<(String, String)>, String> {
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let files =
        entries(folder)?.into_iter().filter(|path| path.extension().is_some_and(|found| found == ending));
    files
        .map(|file| {
            let name = file.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let text = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
            Ok((name, text))
        })
        .collect()
}

/// What lies in a folder, in the order of the names.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let read = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut found: Vec<PathBuf> = read.filter_map(|entry| Some(entry.ok()?.path())).collect();
    found.sort();
    Ok(found)
}
