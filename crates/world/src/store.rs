//! The objects: a persistent map from path to shared bytes, and the folders, as a file system has them.

use bytes::Bytes;
use imbl::{OrdMap, OrdSet};
use tidemark_types::SimTime;

/// One object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// Its content.
    pub bytes: Bytes,
    /// When it was last written.
    pub modified: SimTime,
}

/// What a listing says of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectMeta {
    /// The absolute path.
    pub path: String,
    /// The size in bytes.
    pub size: u64,
    /// When it was last written.
    pub modified: SimTime,
}

/// What lies directly in a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A file.
    File(ObjectMeta),
    /// A folder, by its absolute path.
    Folder(String),
}

impl Entry {
    /// The absolute path.
    pub fn path(&self) -> &str {
        match self {
            Entry::File(meta) => &meta.path,
            Entry::Folder(path) => path,
        }
    }
}

/// Objects and folders. Folders appear with their first file, or by themselves, and stay until they are deleted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Store {
    objects: OrdMap<String, Object>,
    folders: OrdSet<String>,
}

impl Store {
    pub(crate) fn get(&self, path: &str) -> Option<&Object> {
        self.objects.get(path)
    }

    pub(crate) fn is_folder(&self, path: &str) -> bool {
        self.folders.contains(path)
    }

    pub(crate) fn put(&mut self, path: &str, object: Object) {
        self.make_folders(parent(path));
        self.objects.insert(path.to_owned(), object);
    }

    pub(crate) fn make_folders(&mut self, path: &str) {
        let mut at = path;
        while !at.is_empty() && at != "/" && !self.folders.contains(at) {
            self.folders.insert(at.to_owned());
            at = parent(at);
        }
    }

    pub(crate) fn remove(&mut self, path: &str) -> bool {
        self.objects.remove(path).is_some()
    }

    /// Removes a folder with all below it; says which files went.
    pub(crate) fn remove_tree(&mut self, path: &str) -> Vec<String> {
        let files: Vec<String> = self.list(path).into_iter().map(|m| m.path).collect();
        for file in &files {
            self.objects.remove(file);
        }
        let below = format!("{path}/");
        let folders: Vec<String> =
            self.folders.iter().filter(|f| *f == path || f.starts_with(&below)).cloned().collect();
        for folder in folders {
            self.folders.remove(&folder);
        }
        files
    }

    /// All files below a folder, in the order of their paths.
    pub(crate) fn list(&self, folder: &str) -> Vec<ObjectMeta> {
        self.list_from(folder, folder)
    }

    /// Those of them whose paths do not come before `from`.
    pub(crate) fn list_from(&self, folder: &str, from: &str) -> Vec<ObjectMeta> {
        let below = format!("{}/", folder.trim_end_matches('/'));
        self.objects
            .range(from.max(&below).to_owned()..)
            .take_while(|(path, _)| path.starts_with(&below))
            .map(|(path, object)| meta(path, object))
            .collect()
    }

    /// What lies directly in a folder, in the order of the names.
    pub(crate) fn children(&self, folder: &str) -> Vec<Entry> {
        let below = format!("{}/", folder.trim_end_matches('/'));
        let direct = |path: &str| path.strip_prefix(&below).is_some_and(|rest| !rest.contains('/'));
        let mut entries: Vec<Entry> = self
            .list(folder)
            .into_iter()
            .filter(|m| direct(&m.path))
            .map(Entry::File)
            .chain(
                self.folders
                    .range(below.clone()..)
                    .take_while(|f| f.starts_with(&below))
                    .filter(|f| direct(f))
                    .map(|f| Entry::Folder(f.clone())),
            )
            .collect();
        entries.sort_by(|a, b| a.path().cmp(b.path()));
        entries
    }

    /// All folders, in the order of their paths.
    pub(crate) fn folders(&self) -> impl Iterator<Item = &String> {
        self.folders.iter()
    }
}

pub(crate) fn meta(path: &str, object: &Object) -> ObjectMeta {
    ObjectMeta { path: path.to_owned(), size: object.bytes.len() as u64, modified: object.modified }
}

pub(crate) fn parent(path: &str) -> &str {
    path.rfind('/').map_or("", |at| &path[..at])
}
