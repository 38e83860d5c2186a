//! The tree of objects at a moment, and what changed in it.

use std::collections::BTreeMap;
use std::rc::Rc;

use imbl::OrdMap;
use tidemark_protocol::{Change, StoreEntry};
use tidemark_world::{Change as WorldChange, Object, World};

use crate::moment::Lanes;

/// A few words about each object that has been written, by absolute path: they are found once, not at every look.
#[derive(Clone, Debug, Default)]
pub(crate) struct Notes {
    words: OrdMap<Rc<str>, Rc<str>>,
}

impl Notes {
    /// Takes over what has been written.
    pub(crate) fn take(&mut self, world: &World, changes: &[WorldChange]) {
        for change in changes {
            if let WorldChange::Put { path, bytes, .. } = change
                && let Some(shown) = relative(world, path)
            {
                self.words.insert(path.as_str().into(), note(shown, bytes).into());
            }
        }
    }
}

/// Files and folders in the order of the tree, those that this step deleted among them.
pub(crate) fn entries(
    world: &World,
    before: Option<&World>,
    lanes: &Lanes,
    notes: &Notes,
) -> Vec<StoreEntry> {
    let mut found: BTreeMap<String, StoreEntry> = BTreeMap::new();
    for folder in world.peek_folders() {
        if let Some(path) = relative(world, &folder) {
            found.insert(
                format!("{path}/"),
                StoreEntry {
                    path: format!("{path}/"),
                    folder: true,
                    bytes: 0,
                    modified: world.now(),
                    change: if before.is_some_and(|w| !w.is_folder(&folder)) {
                        Change::New
                    } else {
                        Change::Same
                    },
                    batch: None,
                    note: String::new(),
                },
            );
        }
    }
    for meta in world.peek_list(world.root()) {
        let Some(path) = relative(world, &meta.path) else { continue };
        let object = world.peek(&meta.path);
        let old = before.map(|w| w.peek(&meta.path));
        let change = match (old, object) {
            (None, _) => Change::Same,
            (Some(None), _) => Change::New,
            (Some(Some(old)), Some(new)) if is_same(old, new) => Change::Same,
            _ => Change::Changed,
        };
        let batch = lanes.writers.get(&meta.path).copied();
        let note = match notes.words.get(meta.path.as_str()) {
            Some(words) => words.to_string(),
            None => object.map(|o| note(path, &o.bytes)).unwrap_or_default(),
        };
        let entry = StoreEntry {
            path: path.to_owned(),
            folder: false,
            bytes: meta.size,
            modified: meta.modified,
            change,
            batch,
            note,
        };
        found.insert(path.to_owned(), entry);
    }
    if let Some(before) = before {
        for meta in before.peek_list(before.root()) {
            let Some(path) = relative(before, &meta.path) else { continue };
            found.entry(path.to_owned()).or_insert_with(|| StoreEntry {
                path: path.to_owned(),
                folder: false,
                bytes: meta.size,
                modified: meta.modified,
                change: Change::Deleted,
                batch: lanes.writers.get(&meta.path).copied(),
                note: String::new(),
            });
        }
    }
    found.into_values().collect()
}

fn is_same(old: &Object, new: &Object) -> bool {
    old.modified == new.modified && is_same_content(old, new)
}

/// Whether two objects hold the same bytes.
pub(crate) fn is_same_content(old: &Object, new: &Object) -> bool {
    old.bytes.len() == new.bytes.len() && (old.bytes.as_ptr() == new.bytes.as_ptr() || old.bytes == new.bytes)
}

/// A path below the root without it.
pub(crate) fn relative<'a>(world: &World, path: &'a str) -> Option<&'a str> {
    path.strip_prefix(world.root())?.strip_prefix('/').filter(|p| !p.is_empty())
}

/// The files that a source log names: by name while they are few.
fn files_noted(bytes: &[u8]) -> String {
    let lines = bytes.split(|b| *b == b'\n').filter(|l| l.starts_with(b"{"));
    let name = |line: &[u8]| {
        let entry: serde_json::Value = serde_json::from_slice(line).ok()?;
        let path = entry.get("path")?.as_str()?;
        Some(path.rsplit('/').next().unwrap_or(path).to_owned())
    };
    let names: Vec<Option<String>> = lines.map(name).collect();
    let few =
        names.iter().cloned().collect::<Option<Vec<String>>>().filter(|names| (1..=3).contains(&names.len()));
    match few {
        Some(names) => names.join(", "),
        None => format!("{} file{}", names.len(), if names.len() == 1 { "" } else { "s" }),
    }
}

/// A few words about an object, from its place.
pub(crate) fn note(path: &str, bytes: &[u8]) -> String {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let parent = folder.rsplit('/').next().unwrap_or_default();
    let number = name.parse::<i64>().ok();
    match (parent, number) {
        ("offsets", Some(n)) => return format!("plan of batch {n}"),
        ("commits", Some(n)) => return format!("batch {n} is done"),
        _ => {}
    }
    if name.starts_with('.') && name.ends_with(".tmp") {
        return "half written".to_owned();
    }
    if parent == "_delta_log" {
        return match name.strip_suffix(".json").and_then(|v| v.parse::<i64>().ok()) {
            Some(version) => format!("version {version}"),
            None => String::new(),
        };
    }
    if folder.rsplit('/').nth(1) == Some("sources") {
        return files_noted(bytes);
    }
    if name == "metadata" {
        return "query id".to_owned();
    }
    if name.ends_with(".json") && bytes.len() < 200_000 {
        let rows = bytes.split(|b| *b == b'\n').filter(|l| !l.iter().all(u8::is_ascii_whitespace)).count();
        return format!("{rows} row{}", if rows == 1 { "" } else { "s" });
    }
    String::new()
}
