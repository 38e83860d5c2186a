//! Files by their keys, in the order in which the log brought them.

use std::sync::Arc;

use imbl::OrdMap;

use crate::action::DeletionVector;
use crate::path;

/// What tells a file from others: its absolute path, and its deletion vector if it has one.
pub(crate) type FileKey = (String, Option<String>);

/// The key of a file as the log names it.
pub(crate) fn key(table_path: &str, named: &str, vector: Option<&DeletionVector>) -> FileKey {
    (path::resolve(table_path, named), vector.map(DeletionVector::unique_id))
}

/// Files in order. A clone shares them, so that a table's next version costs what is new in it.
#[derive(Clone, Debug)]
pub(crate) struct FileList<T> {
    places: OrdMap<FileKey, u64>,
    files: OrdMap<u64, Arc<T>>,
    next: u64,
}

impl<T> Default for FileList<T> {
    fn default() -> Self {
        FileList { places: OrdMap::new(), files: OrdMap::new(), next: 0 }
    }
}

impl<T> FileList<T> {
    /// Puts a file at the end, in the place of one with the same key.
    pub(crate) fn insert(&mut self, key: FileKey, file: T) {
        self.remove(&key);
        self.places.insert(key, self.next);
        self.files.insert(self.next, Arc::new(file));
        self.next += 1;
    }

    pub(crate) fn remove(&mut self, key: &FileKey) {
        if let Some(place) = self.places.remove(key) {
            self.files.remove(&place);
        }
    }

    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = &T> {
        self.files.values().map(AsRef::as_ref)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_comes_again_comes_last_and_a_clone_keeps_what_it_had() {
        let key = |name: &str| (name.to_owned(), None);
        let mut list = FileList::default();
        for (name, file) in [("a", 1), ("b", 2), ("c", 3), ("a", 4)] {
            list.insert(key(name), file);
        }
        let before = list.clone();
        list.remove(&key("b"));
        list.remove(&key("none"));
        let files = |list: &FileList<i32>| list.iter().copied().collect::<Vec<_>>();
        assert_eq!((files(&before), files(&list)), (vec![2, 3, 4], vec![3, 4]));
    }
}
