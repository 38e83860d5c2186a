//! What a lesson holds back: acts, the moments to come, the fields that would give the answer away.

use std::rc::Rc;

use tidemark_protocol::lesson::{Cover, matches};
use tidemark_protocol::{Field, ObjectBody, ObjectView};

/// What stands in the place of what is covered.
pub const COVERED: &str = "covered until you guess";

fn hide(field: &mut Field) {
    if !field.value.is_empty() {
        COVERED.clone_into(&mut field.value);
    }
    field.meaning.clear();
}

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

    /// An opened object with what is covered in it; its other readings are covered whole.
    pub fn cover(&self, object: Rc<ObjectView>) -> Rc<ObjectView> {
        if !self.covers.iter().any(|cover| matches(&cover.path, &object.path)) {
            return object;
        }
        let mut covered = (*object).clone();
        (covered.raw, covered.words) = (COVERED.to_owned(), format!("It is {COVERED}."));
        if let ObjectBody::Fields { fields } = &mut covered.body {
            let mut below = None;
            for field in fields.iter_mut() {
                if below.is_some_and(|depth| field.depth <= depth) {
                    below = None;
                }
                if self.hides(&object.path, &field.name) {
                    below = Some(field.depth);
                }
                if below.is_some() {
                    hide(field);
                }
            }
        }
        Rc::new(covered)
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
    }
}
