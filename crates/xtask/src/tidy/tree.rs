//! The files that are looked at, and every rule on each of them.

use std::fmt;
use std::path::Path;

use anyhow::{Context as _, Result, bail};

use super::{form, length, link, rooms, text};
use crate::command::root;

/// Folders that hold what others wrote or what tools made.
const SKIPPED: [&str; 5] =
    ["dist", "tests/delta-golden", "tests/conformance/cases", "tests/python", "web/editor/editor.bundle.js"];

/// A text file of the project.
pub(crate) struct File {
    /// From the root, with forward slashes.
    pub(crate) path: String,
    pub(crate) text: String,
}

impl File {
    /// What stands behind the last dot of the name, or nothing.
    pub(crate) fn extension(&self) -> &str {
        Path::new(&self.path).extension().and_then(|extension| extension.to_str()).unwrap_or_default()
    }

    /// A finding at a line, counted from 1.
    pub(crate) fn finding(&self, line: usize, message: impl Into<String>) -> Finding {
        Finding { path: self.path.clone(), line, message: message.into() }
    }
}

/// Something that does not hold, at its place.
#[derive(Debug, PartialEq)]
pub(crate) struct Finding {
    pub(crate) path: String,
    pub(crate) line: usize,
    pub(crate) message: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}: {}", self.path, self.line, self.message)
    }
}

/// Looks at the whole tree and prints what it finds.
///
/// Errors: there is a finding.
pub(crate) fn run() -> Result<()> {
    let mut files = Vec::new();
    read_files(&root(), "", &mut files)?;
    let mut findings = rooms::check(&files);
    findings.extend(form::check_scripts(&files));
    for file in &files {
        findings.extend(length::check(file));
        findings.extend(form::check(file));
        findings.extend(text::check(file));
        findings.extend(link::check(file, &root()));
    }
    for finding in &findings {
        println!("{finding}");
    }
    println!("tidy: {} files, {} findings", files.len(), findings.len());
    if !findings.is_empty() {
        bail!("the tree is not tidy");
    }
    Ok(())
}

/// Collects the text files below `dir`, in the order of their paths.
fn read_files(dir: &Path, prefix: &str, files: &mut Vec<File>) -> Result<()> {
    let entries = std::fs::read_dir(dir).with_context(|| format!("cannot list {}", dir.display()))?;
    let mut entries: Vec<_> = entries.filter_map(Result::ok).collect();
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{prefix}{name}");
        if name == ".git"
            || name == "node_modules"
            || (prefix.is_empty() && name.starts_with("target"))
            || SKIPPED.contains(&path.as_str())
        {
            continue;
        }
        if entry.path().is_dir() {
            read_files(&entry.path(), &format!("{path}/"), files)?;
        } else if let Ok(text) = std::fs::read_to_string(entry.path()) {
            // What is not text in UTF-8 is a picture or data of a test.
            files.push(File { path, text });
        }
    }
    Ok(())
}
