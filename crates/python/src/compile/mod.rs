//! From text to instructions.

mod code;
mod compiler;
mod comprehension;
mod definition;
mod expression;
mod guard;
mod handler;
mod literal;
mod parse;
mod pattern;
mod scope;
mod source;
mod statement;
mod target;

pub(crate) use code::{BinOp, CmpOp, Code, Conversion, Op, UnOp};
pub(crate) use parse::{compile_expression, compile_module};
pub(crate) use source::Source;
