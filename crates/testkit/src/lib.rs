//! The golden runner: scripts whose expected output stands beside their commands.
//!
//! A script is text. Its first comment makes the claim; then come blocks, each of commands, a line `---`, and
//! the output that the commands gave, parted by blank lines:
//!
//! ```text
//! # A repeated put replaces the bytes.
//! put a.txt one
//! put a.txt two
//! get a.txt
//! ---
//! two
//! ```
//!
//! `UPDATE=1` rewrites the outputs (`cargo xtask golden`); the change is then read line by line. An output with an empty
//! line, or with a line that could end it, is written with `> ` before each line.
//!
//! Owns: the format of scripts, their comparison and their rewriting.
//! May touch: files below the given folder, the variable `UPDATE`.
//! Must not know: what a command means.
//! Invariants: a script that passes is rewritten to itself.

mod diff;
mod script;

use std::fs;
use std::path::{Path, PathBuf};

use script::Script;

/// Runs every script below `dir` and panics with the differences; `run` turns the commands of one block into
/// their output and keeps nothing from block to block.
pub fn run_dir(dir: impl AsRef<Path>, mut run: impl FnMut(&str) -> String) {
    run_dir_with(dir, || (), |(), commands| run(commands));
}

/// Runs every script below `dir` and panics with the differences; each script gets a `new` state, and `step` turns
/// the commands of one block into their output on it.
///
/// Shape: scripts in the order of their paths, blocks in the order of the script.
pub fn run_dir_with<S>(
    dir: impl AsRef<Path>,
    mut new: impl FnMut() -> S,
    mut step: impl FnMut(&mut S, &str) -> String,
) {
    let update = std::env::var_os("UPDATE").is_some_and(|value| value == "1");
    let dir = dir.as_ref();
    let paths = read_paths(dir);
    assert!(!paths.is_empty(), "no scripts below {}", dir.display());
    let mut failures = Vec::new();
    for path in &paths {
        let mut state = new();
        if let Err(failure) = run_file(path, update, |commands| step(&mut state, commands)) {
            failures.push(failure);
        }
    }
    assert!(
        failures.is_empty(),
        "{} of {} scripts differ; `cargo xtask golden` rewrites them\n\n{}",
        failures.len(),
        paths.len(),
        failures.join("\n"),
    );
}

/// Runs one script; the error is the text of the difference.
fn run_file(path: &Path, update: bool, run: impl FnMut(&str) -> String) -> Result<(), String> {
    let name = path.display();
    let before = fs::read_to_string(path).map_err(|error| format!("{name}: {error}"))?;
    let script = Script::parse(&before).map_err(|error| format!("{name}: {error}"))?;
    let after = script.render_with(run);
    if after == before {
        return Ok(());
    }
    if update {
        return fs::write(path, after).map_err(|error| format!("{name}: {error}"));
    }
    Err(format!("{name}\n{}", diff::render_difference(&before, &after)))
}

/// All files below `dir` in the order of their paths, without hidden ones.
fn read_paths(dir: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(dir) else { return Vec::new() };
    let mut paths = Vec::new();
    for path in entries.filter_map(Result::ok).map(|entry| entry.path()) {
        if path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.')) {
            continue;
        }
        if path.is_dir() { paths.extend(read_paths(&path)) } else { paths.push(path) }
    }
    paths.sort();
    paths
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder below the target's temporary folder, empty at the start.
    fn folder(name: &str) -> PathBuf {
        let dir = std::env::temp_dir().join(format!("tidemark-testkit-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&dir);
        fs::create_dir_all(&dir).unwrap();
        dir
    }

    fn shout(commands: &str) -> String {
        commands.to_uppercase()
    }

    #[test]
    fn a_script_that_agrees_is_left_alone() {
        let dir = folder("agrees");
        fs::write(dir.join("a.txt"), "# Shouts.\nhey\n---\nHEY\n").unwrap();
        run_dir(&dir, shout);
        assert_eq!(fs::read_to_string(dir.join("a.txt")).unwrap(), "# Shouts.\nhey\n---\nHEY\n");
    }

    #[test]
    fn a_difference_is_shown_and_updated() {
        let dir = folder("differs");
        let path = dir.join("a.txt");
        fs::write(&path, "hey\n---\nHO\n").unwrap();
        let failure = run_file(&path, false, shout).unwrap_err();
        assert!(failure.contains("-HO\n+HEY\n"), "{failure}");
        run_file(&path, true, shout).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "hey\n---\nHEY\n");
    }

    #[test]
    fn state_lives_for_one_script() {
        let dir = folder("state");
        for name in ["a.txt", "b.txt"] {
            fs::write(dir.join(name), "add\n---\n1\n\nadd\nadd\n---\n3\n").unwrap();
        }
        run_dir_with(
            &dir,
            || 0,
            |count, commands| {
                *count += commands.lines().count();
                format!("{count}\n")
            },
        );
    }

    #[test]
    #[should_panic(expected = "no scripts below")]
    fn an_empty_folder_is_an_error() {
        run_dir(folder("empty"), shout);
    }
}
