//! What no compiler checks: which room may know which, how long things get, what each room says of itself, and
//! whether links lead somewhere. Each rule is a pure function from a file, or from the tree, to findings.

mod form;
mod length;
mod link;
mod rooms;
mod rust_text;
mod text;
mod tree;

pub(crate) use tree::run;
