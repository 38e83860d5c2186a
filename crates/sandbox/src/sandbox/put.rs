//! A learner's hand in the store: a file dropped, changed in place, grown, cut, or deleted, and what that means.

use std::sync::Arc;

use bytes::Bytes;
use tidemark_types::Millis;

use super::Sandbox;

/// The text of an act as the bytes of an object: they are in memory once.
struct Text(Arc<str>);

impl AsRef<[u8]> for Text {
    fn as_ref(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

impl Sandbox {
    /// Puts a file there. It takes a second, so that every drop has its own modification time.
    pub(super) fn drop_file(&mut self, path: &str, text: &Arc<str>) {
        self.world.advance(Millis(1000));
        let now = self.world.now();
        let absolute = self.world.resolve(path);
        let old = self.world.peek(&absolute).map(|object| object.bytes.clone());
        let sentence = match old {
            None => format!("{path} lies in the store."),
            Some(old) => {
                let change = change_of(&old, text.as_bytes());
                format!("{path} {change}{}", self.consequence(path, &absolute))
            }
        };
        self.world.drop_file(&absolute, Bytes::from_owner(Text(text.clone())), now);
        if let Some(driver) = &mut self.driver {
            driver.wake();
        }
        self.record(&sentence, None, None, true);
    }

    /// Why so many bytes more do not go into the store.
    pub(super) fn no_room(&self, path: &str, bytes: usize) -> Option<String> {
        self.world.has_room(path, bytes).err().map(|full| full.to_string())
    }

    /// What a change of a file means for those who read it.
    fn consequence(&self, path: &str, absolute: &str) -> &'static str {
        if is_of_checkpoint(path) {
            ": the query believes what it finds there."
        } else if path.contains("/_delta_log/") {
            ": readers believe what the log says."
        } else if path.ends_with(".parquet") {
            ": the table's log still names it."
        } else if self.has_read(absolute) {
            ": the source has read it already and does not read it again."
        } else {
            ". No query has read it yet."
        }
    }

    /// Whether a source has noted a file as read.
    fn has_read(&self, absolute: &str) -> bool {
        let name = format!("\"{}\"", self.world.uri(absolute));
        let logs = self.world.peek_list(self.world.root());
        logs.iter()
            .filter(|meta| meta.path.contains("/sources/"))
            .any(|meta| self.world.peek(&meta.path).is_some_and(|log| contains(&log.bytes, name.as_bytes())))
    }

    /// Deletes a file, or a folder with all below it.
    pub(super) fn delete(&mut self, path: &str) {
        let absolute = self.world.resolve(path);
        let sentence = if self.is_checkpoint(path) {
            format!(
                "{path} is gone: the query's memory of what it has done. The sink stays. Step back to undo."
            )
        } else if self.has_read(&absolute) {
            format!(
                "{path} is gone. The source has read it already: its rows stay in the sink. Step back to undo."
            )
        } else {
            format!("{path} is gone. Step back to undo.")
        };
        // The learner deletes even while the driver is down.
        let down = self.world.crashed().map(str::to_owned);
        self.world.restart();
        // `refuse` has seen that it is there.
        let _ = self.world.delete_tree(&absolute);
        if let Some(place) = down {
            self.world.crash_now(&place);
        }
        self.record(&sentence, None, None, true);
    }
}

/// Whether a path is a log or the state of a query.
fn is_of_checkpoint(path: &str) -> bool {
    path.split('/').rev().skip(1).any(|folder| matches!(folder, "offsets" | "commits" | "sources" | "state"))
}

/// How the new content of a file differs from the old one.
fn change_of(old: &[u8], new: &[u8]) -> String {
    let lines = |bytes: &[u8]| bytes.split(|b| *b == b'\n').filter(|line| !line.is_empty()).count();
    if old == new {
        "was written again with the same content".to_owned()
    } else if new.starts_with(old) {
        match lines(new).saturating_sub(lines(old)) {
            0 => "has grown".to_owned(),
            1 => "has grown by 1 line".to_owned(),
            more => format!("has grown by {more} lines"),
        }
    } else if old.starts_with(new) {
        format!("was cut to {} of {} bytes", new.len(), old.len())
    } else {
        "was changed in place".to_owned()
    }
}

fn contains(bytes: &[u8], wanted: &[u8]) -> bool {
    !wanted.is_empty() && bytes.windows(wanted.len()).any(|window| window == wanted)
}

#[cfg(test)]
mod tests {
    use super::{change_of, is_of_checkpoint};

    #[test]
    fn a_change_is_told_by_what_it_did() {
        let table = [
            ("a\n", "a\nb\n", "has grown by 1 line"),
            ("a\n", "a\nb\nc\n", "has grown by 2 lines"),
            ("ab\n", "a", "was cut to 1 of 3 bytes"),
            ("a\n", "b\n", "was changed in place"),
            ("a\n", "a\n", "was written again with the same content"),
        ];
        for (old, new, expected) in table {
            assert_eq!(change_of(old.as_bytes(), new.as_bytes()), expected);
        }
        assert!(is_of_checkpoint("ckpt/offsets/0") && !is_of_checkpoint("in/offsets.json"));
    }
}
