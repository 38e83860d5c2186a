//! Regular expressions as Python has them: parsed to a small program, matched by backtracking with a limit.

mod matcher;
mod parser;
mod program;

pub(crate) use matcher::{Mode, find};
pub(crate) use parser::compile;
pub(crate) use program::Regex;
