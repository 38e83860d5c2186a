//! Which files a stream has taken, so that none is taken twice.

use std::collections::BTreeMap;

/// Files by URI with their modification times, as far back as the age allows.
#[derive(Clone, Debug)]
pub(crate) struct SeenFiles {
    max_age_ms: i64,
    file_name_only: bool,
    files: BTreeMap<String, i64>,
    newest_ms: i64,
    threshold_ms: i64,
}

impl SeenFiles {
    pub(crate) fn new(max_age_ms: i64, file_name_only: bool) -> Self {
        SeenFiles { max_age_ms, file_name_only, files: BTreeMap::new(), newest_ms: 0, threshold_ms: 0 }
    }

    /// Notes a file as taken.
    pub(crate) fn add(&mut self, uri: &str, modified_ms: i64) {
        let key = self.key(uri).to_owned();
        self.files.insert(key, modified_ms);
        self.newest_ms = self.newest_ms.max(modified_ms);
    }

    /// Whether a file is new: not taken yet, and not older than what has been forgotten.
    pub(crate) fn is_new(&self, uri: &str, modified_ms: i64) -> bool {
        modified_ms >= self.threshold_ms && !self.files.contains_key(self.key(uri))
    }

    /// Forgets files that are too old by the newest one taken.
    pub(crate) fn purge(&mut self) {
        self.threshold_ms = self.newest_ms.saturating_sub(self.max_age_ms);
        let threshold = self.threshold_ms;
        self.files.retain(|_, modified| *modified >= threshold);
    }

    fn key<'a>(&self, uri: &'a str) -> &'a str {
        if self.file_name_only { uri.rsplit('/').next().unwrap_or(uri) } else { uri }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: i64 = 86_400_000;

    #[test]
    fn what_is_new() {
        let mut seen = SeenFiles::new(7 * DAY, false);
        assert!(seen.is_new("file:///in/old", 1), "before the first purge nothing is too old");
        seen.add("file:///in/a", 100 * DAY);
        seen.purge();
        let table = [
            ("file:///in/a", 100 * DAY, false),
            ("file:///in/a", 101 * DAY, false),
            ("file:///in/b", 99 * DAY, true),
            ("file:///in/b", 93 * DAY, true),
            ("file:///in/b", 92 * DAY, false),
        ];
        for (uri, modified, wanted) in table {
            assert_eq!(seen.is_new(uri, modified), wanted, "{uri} {modified}");
        }
    }

    #[test]
    fn a_forgotten_file_is_new_again() {
        let mut seen = SeenFiles::new(1, false);
        seen.add("file:///in/a", 10);
        seen.add("file:///in/b", 20);
        seen.purge();
        assert!(seen.is_new("file:///in/a", 30));
        assert!(!seen.is_new("file:///in/a", 10));
    }

    #[test]
    fn by_name_alone() {
        let mut seen = SeenFiles::new(7 * DAY, true);
        seen.add("file:///in/x/a.json", 10);
        assert!(!seen.is_new("file:///in/y/a.json", 20));
    }
}
