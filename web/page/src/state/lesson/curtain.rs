//! What a lesson holds back: acts, the moments to come, the fields that would give the answer away.

use tidemark_protocol::lesson::{Cover, matches};

/// What is held back; nothing in the sandbox.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curtain {
    /// Why acts are off.
    pub hold: Option<&'static str>,
    /// The last moment that may be seen: what comes after it lies behind the veil.
    pub veil: Option<usize>,
    /// What stands on the veil.
    pub word: String,
    /// What is covered in opened objects.
    pub covers: Vec<Cover>,
}

impl Curtain {
    /// Whether a field of an opened object is covered; the field, or the heading above it.
    pub fn hides(&self, path: &str, field: &str) -> bool {
        self.covers.iter().any(|cover| matches(&cover.path, path) && cover.field == field)
    }

    /// Whether anything of an object is covered: then its other readings are too.
    pub fn hides_some(&self, path: &str) -> bool {
        self.covers.iter().any(|cover| matches(&cover.path, path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_named_is_covered() {
        let cover = Cover { path: "out/_delta_log/*".to_owned(), field: "txn".to_owned() };
        let curtain = Curtain { covers: vec![cover], ..Curtain::default() };
        for (path, field, hidden) in [
            ("out/_delta_log/00000000000000000001.json", "txn", true),
            ("out/_delta_log/00000000000000000001.json", "add", false),
            ("ckpt/offsets/1", "txn", false),
        ] {
            assert_eq!(curtain.hides(path, field), hidden, "{path} {field}");
        }
        assert!(curtain.hides_some("out/_delta_log/x.json") && !Curtain::default().hides_some("out/x"));
    }
}
