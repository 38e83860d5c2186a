//! The store as a tree: a group per top folder, files below it, a plan and its commit as one row with two lamps.

use tidemark_protocol::{Change, StoreEntry};

/// A top folder, or the files beside the folders.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// The path with its slash; empty for files at the root.
    pub path: String,
    /// What it is, in a word or two.
    pub word: &'static str,
    /// What happened to the folder itself.
    pub change: Change,
    /// Its rows.
    pub rows: Vec<Row>,
}

/// A row of the tree.
#[derive(Clone, Debug, PartialEq)]
pub enum Row {
    /// A file.
    File(StoreEntry),
    /// A batch: planned and done.
    Pair {
        /// The batch.
        batch: i64,
        /// The folder of the checkpoint, with its slash.
        checkpoint: String,
        /// `offsets/N`.
        planned: Option<StoreEntry>,
        /// `commits/N`.
        done: Option<StoreEntry>,
    },
}

impl Row {
    /// What the step did to it: of a pair, what it did to one of both.
    pub fn change(&self) -> Change {
        match self {
            Row::File(entry) => entry.change,
            Row::Pair { planned, done, .. } => {
                let changes = [planned, done].into_iter().flatten().map(|entry| entry.change);
                changes.into_iter().find(|change| *change != Change::Same).unwrap_or(Change::Same)
            }
        }
    }
}

/// The groups of a store, in its order. With `only_new`, only what changed.
pub fn groups(store: &[StoreEntry], only_new: bool) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for entry in store {
        let top = entry.path.split_once('/').map_or(String::new(), |(top, _)| format!("{top}/"));
        if !groups.iter().any(|group| group.path == top) {
            let word = word(store, &top);
            groups.push(Group { path: top.clone(), word, change: Change::Same, rows: Vec::new() });
        }
        let group = groups.iter_mut().find(|group| group.path == top).expect("it was added above");
        if entry.path == top {
            group.change = entry.change;
        } else if !entry.folder && (!only_new || entry.change != Change::Same) {
            add(group, entry);
        }
    }
    for group in &mut groups {
        let is_listed = store.iter().any(|entry| entry.path == group.path);
        if !is_listed && group.rows.iter().all(|row| row.change() == Change::Deleted) {
            group.change = Change::Deleted;
        }
    }
    groups.retain(|group| !only_new || !group.rows.is_empty() || group.change != Change::Same);
    groups
}

fn add(group: &mut Group, entry: &StoreEntry) {
    let Some((checkpoint, log, number)) = log_entry(&entry.path) else {
        group.rows.push(Row::File(entry.clone()));
        return;
    };
    let is_it = |row: &Row| matches!(row, Row::Pair { batch, checkpoint: other, .. } if *batch == number && other == checkpoint);
    let at = group.rows.iter().position(is_it).unwrap_or_else(|| {
        let checkpoint = checkpoint.to_owned();
        let pair = Row::Pair { batch: number, checkpoint, planned: None, done: None };
        let after = |row: &Row| matches!(row, Row::Pair { batch, .. } if *batch > number);
        let first_pair = group.rows.iter().position(after);
        let last_pair = group.rows.iter().rposition(|row| matches!(row, Row::Pair { .. }));
        let at = first_pair.or(last_pair.map(|last| last + 1)).unwrap_or(group.rows.len());
        group.rows.insert(at, pair);
        at
    });
    let Row::Pair { planned, done, .. } = &mut group.rows[at] else { return };
    *(if log == "offsets" { planned } else { done }) = Some(entry.clone());
}

/// The checkpoint, the log and the batch of `ckpt/offsets/3`.
pub fn log_entry(path: &str) -> Option<(&str, &str, i64)> {
    let (folder, number) = path.rsplit_once('/')?;
    let (checkpoint, log) = folder.rsplit_once('/')?;
    let is_log = log == "offsets" || log == "commits";
    let number = number.parse().ok().filter(|_| is_log)?;
    Some((&path[..=checkpoint.len()], log, number))
}

/// What a top folder is, by what lies in it.
fn word(store: &[StoreEntry], top: &str) -> &'static str {
    let has = |tail: &str| store.iter().any(|entry| entry.path.starts_with(&format!("{top}{tail}")));
    if top.is_empty() {
        "files"
    } else if has("_delta_log/") {
        "Delta table"
    } else if has("offsets/") || has("metadata") || has("commits/") {
        "planned, done"
    } else if has("part-") {
        "data"
    } else {
        "source"
    }
}

/// A name as the tree shows it: the version of a Delta commit and the id of a part file shortened in the middle.
pub fn short_name(path: &str) -> String {
    let name = path.split_once('/').map_or(path, |(_, name)| name);
    let (folder, file) = name.rsplit_once('/').map_or(("", name), |(folder, file)| (folder, file));
    let file = match file.strip_suffix(".json") {
        Some(version) if version.len() == 20 && version.bytes().all(|b| b.is_ascii_digit()) => {
            format!("…{}.json", &version[15..])
        }
        _ => file.to_owned(),
    };
    if folder.is_empty() { file } else { format!("{folder}/{file}") }
}

/// A file as a tile of the lane shows it: a long form and a short one.
pub fn tile_names(path: &str) -> (String, String) {
    let parts: Vec<&str> = path.split('/').collect();
    let file = parts.last().copied().unwrap_or(path);
    let folder = parts.len().checked_sub(2).map_or("", |at| parts[at]);
    if let Some(id) = file.strip_prefix("part-") {
        let id: String = id.chars().skip(6).take(4).collect();
        let head: String = file.chars().take(15).collect();
        return (format!("{head}…"), format!("part…{id}"));
    }
    if folder == "_delta_log" {
        let tail =
            |n: usize| file.chars().rev().take(n).collect::<Vec<_>>().into_iter().rev().collect::<String>();
        return (format!("…{}", tail(10)), format!("…{}", tail(7)));
    }
    if parts.len() >= 3 && parts[parts.len() - 3] == "sources" {
        return (format!("sources/{folder}/{file}"), format!("…/{folder}/{file}"));
    }
    let name = if folder.is_empty() { file.to_owned() } else { format!("{folder}/{file}") };
    (name.clone(), name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tidemark_types::SimTime;

    fn entry(path: &str) -> StoreEntry {
        StoreEntry {
            path: path.to_owned(),
            folder: path.ends_with('/'),
            bytes: 1,
            modified: SimTime(0),
            change: Change::Same,
            batch: None,
            note: String::new(),
        }
    }

    #[test]
    fn a_checkpoint_is_pairs() {
        let paths = [
            "ckpt/",
            "ckpt/commits/",
            "ckpt/commits/0",
            "ckpt/metadata",
            "ckpt/offsets/",
            "ckpt/offsets/0",
            "ckpt/offsets/1",
            "ckpt/sources/0/0",
            "in/",
            "in/a.json",
        ];
        let store: Vec<StoreEntry> = paths.into_iter().map(entry).collect();
        let found = groups(&store, false);
        let rows: Vec<String> = found[0].rows.iter().map(describe).collect();
        assert_eq!(rows, ["0 true true", "1 true false", "ckpt/metadata", "ckpt/sources/0/0"]);
        assert_eq!((found[0].word, found[1].word), ("planned, done", "source"));
        assert_eq!(found[1].rows.len(), 1);
    }

    fn describe(row: &Row) -> String {
        match row {
            Row::File(entry) => entry.path.clone(),
            Row::Pair { batch, planned, done, .. } => {
                format!("{batch} {} {}", planned.is_some(), done.is_some())
            }
        }
    }

    #[test]
    fn only_new_leaves_what_changed() {
        let mut store: Vec<StoreEntry> =
            ["in/", "in/a.json", "out/", "out/x"].into_iter().map(entry).collect();
        store[3].change = Change::New;
        let found = groups(&store, true);
        assert_eq!(found.iter().map(|group| group.path.as_str()).collect::<Vec<_>>(), ["out/"]);
    }

    #[test]
    fn names_are_shortened() {
        for (path, name) in [
            ("out/_delta_log/00000000000000000001.json", "_delta_log/…00001.json"),
            ("in/a.json", "a.json"),
            ("ckpt/sources/0/1", "sources/0/1"),
        ] {
            assert_eq!(short_name(path), name);
        }
        for (path, long, short) in [
            ("ckpt/sources/0/1", "sources/0/1", "…/0/1"),
            ("ckpt/offsets/1", "offsets/1", "offsets/1"),
            ("out/_delta_log/00000000000000000001.json", "…00001.json", "…01.json"),
            ("out/part-00000-9b1e46c8-02af-c000.snappy.parquet", "part-00000-9b1e…", "part…9b1e"),
        ] {
            assert_eq!(tile_names(path), (long.to_owned(), short.to_owned()));
        }
    }
}
