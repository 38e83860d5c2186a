//! The form of files: what a room says of itself, and that no golden script lies dead.

use super::tree::{File, Finding};

/// What the header of each room says, in this order.
const HEADINGS: [&str; 4] = ["Owns", "May touch", "Must not know", "Invariants"];
/// Runs the scripts of a folder, by either of its names.
const RUNNER: &str = "run_dir";

/// The header of a `lib.rs`.
pub(crate) fn check(file: &File) -> Vec<Finding> {
    if !file.path.ends_with("src/lib.rs") {
        return Vec::new();
    }
    let header: Vec<&str> = file.text.lines().take_while(|line| line.starts_with("//!")).collect();
    let says = |heading: &&str| {
        header.iter().any(|line| line[3..].trim_start_matches([' ', '*', '#', '-']).starts_with(heading))
    };
    let missing: Vec<&str> = HEADINGS.into_iter().filter(|heading| !says(heading)).collect();
    if missing.is_empty() {
        return Vec::new();
    }
    vec![file.finding(
        1,
        format!("the header of a room says: {}; missing: {}", HEADINGS.join(", "), missing.join(", ")),
    )]
}

/// Every `crates/ROOM/scripts` is run by a test of its room.
pub(crate) fn check_scripts(files: &[File]) -> Vec<Finding> {
    let mut findings: Vec<Finding> = Vec::new();
    let mut seen = "";
    for file in files {
        let Some((room, _)) = file.path.split_once("/scripts/") else { continue };
        if !room.starts_with("crates/") || room.matches('/').count() != 1 || room == seen {
            continue;
        }
        seen = room;
        let inside = format!("{room}/");
        let is_run = |other: &File| {
            other.extension() == "rs" && other.path.starts_with(&inside) && other.text.contains(RUNNER)
        };
        if !files.iter().any(is_run) {
            findings.push(file.finding(1, format!("no test of {room} runs its scripts with testkit")));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> File {
        File { path: path.into(), text: text.into() }
    }

    #[test]
    fn a_room_tells_four_things() {
        let whole = "//! One line.\n//!\n//! **Owns** a.\n//! - May touch: b.\n//! Must not know: c.\n//! # Invariants\n";
        assert!(check(&file("crates/a/src/lib.rs", whole)).is_empty());
        let findings =
            check(&file("crates/a/src/lib.rs", "//! One line.\n//! Owns: a.\nuse x;\n//! Invariants: b\n"));
        assert!(
            findings[0].message.ends_with("missing: May touch, Must not know, Invariants"),
            "{findings:?}"
        );
        assert!(check(&file("crates/a/src/main.rs", "")).is_empty());
    }

    #[test]
    fn dead_scripts_are_found() {
        let script = file("crates/a/scripts/x.txt", "go\n---\n");
        let test = file("crates/a/tests/golden.rs", "testkit::run_dir(\"scripts\", go);");
        let other = file("crates/b/tests/golden.rs", "testkit::run_dir(\"scripts\", go);");
        assert_eq!(check_scripts(&[script, other]).len(), 1);
        let script = file("crates/a/scripts/x.txt", "go\n---\n");
        assert!(check_scripts(&[script, test]).is_empty());
    }
}
