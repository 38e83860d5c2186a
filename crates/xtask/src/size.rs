//! Sizes of the release page, as built and as a server sends them, against their budgets.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use crate::command::{Program, root};
use crate::setup;

/// What a group of files may weigh after `brotli -q 11`.
struct Budget {
    name: &'static str,
    bytes_max: Option<usize>,
    holds: fn(&str) -> bool,
}

const MEGABYTE: usize = 1_000_000;

const BUDGETS: [Budget; 4] = [
    Budget {
        name: "page wasm",
        bytes_max: Some(MEGABYTE / 2),
        holds: |file| is_wasm(file) && !is_engine(file),
    },
    Budget {
        name: "engine wasm",
        bytes_max: Some(2 * MEGABYTE),
        holds: |file| is_wasm(file) && is_engine(file),
    },
    Budget { name: "JavaScript", bytes_max: None, holds: |file| has_extension(file, "js") },
    Budget {
        name: "CSS, HTML",
        bytes_max: None,
        holds: |file| has_extension(file, "css") || has_extension(file, "html"),
    },
];

fn has_extension(file: &str, extension: &str) -> bool {
    Path::new(file).extension().is_some_and(|found| found == extension)
}

fn is_wasm(file: &str) -> bool {
    has_extension(file, "wasm")
}

fn is_engine(file: &str) -> bool {
    file.starts_with("worker")
}

/// Prints the sizes of what is in `dist/`.
///
/// Errors: a group is empty where it has a budget, or is over it.
pub(crate) fn run() -> Result<()> {
    setup::install_system()?;
    let files = read_files(&root().join("dist"))?;
    println!("{:<12} {:>10} {:>10} {:>10}", "", "raw kB", "brotli kB", "budget kB");
    let mut over = Vec::new();
    for budget in &BUDGETS {
        let group: Vec<&PathBuf> = files.iter().filter(|file| (budget.holds)(&file_name(file))).collect();
        let (mut raw, mut packed) = (0, 0);
        for file in &group {
            raw += std::fs::metadata(file).with_context(|| format!("cannot read {}", file.display()))?.len()
                as usize;
            packed += packed_len(file)?;
        }
        let limit = budget.bytes_max.map(kilobytes).unwrap_or_default();
        println!("{:<12} {:>10} {:>10} {limit:>10}", budget.name, kilobytes(raw), kilobytes(packed));
        if let Some(bytes_max) = budget.bytes_max
            && (packed > bytes_max || group.is_empty())
        {
            over.push(budget.name);
        }
    }
    if !over.is_empty() {
        bail!("over budget or missing: {}", over.join(", "));
    }
    println!("all within budget");
    Ok(())
}

/// Kilobytes with one decimal.
fn kilobytes(bytes: usize) -> String {
    format!("{}.{}", bytes / 1000, bytes % 1000 / 100)
}

fn packed_len(file: &Path) -> Result<usize> {
    let packed = Program::new("brotli").args("--quality=11 --stdout --keep").arg(file);
    packed.capture_len().with_context(|| format!("brotli cannot pack {}", file.display()))
}

fn file_name(file: &Path) -> String {
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// All files below a folder.
fn read_files(dir: &Path) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(dir).with_context(|| format!("cannot list {}", dir.display()))?;
    let mut files = Vec::new();
    for path in entries.filter_map(Result::ok).map(|entry| entry.path()) {
        if path.is_dir() { files.extend(read_files(&path)?) } else { files.push(path) }
    }
    files.sort();
    Ok(files)
}
