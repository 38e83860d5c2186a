//! A Python that can stop after any instruction, be cloned there, and be metered.
//!
//! Owns: a subset of Python 3.11 — text to instructions, the machine that executes them, the built-in types and
//! functions, some modules of the standard library.
//!
//! May touch: nothing outside itself. Files and clock are questions ([`Stop::System`]), and so is all that a host adds
//! ([`Stop::Ask`]).
//!
//! Must not know: Spark, tables, the page.
//!
//! Invariants: a [`Machine`] is plain data, and a clone goes on exactly as the original does. No Python call uses the
//! Rust stack. Syntax that is not supported is refused with its place before the first instruction.
//!
//! # How a host drives it
//! Build a [`Host`], compile a [`Program`], make a [`Machine`], and loop over [`Machine::run`], answering what it asks.

mod diagnostic;
mod host;
mod machine;
mod value;

pub use diagnostic::{Span, SyntaxError};
pub use host::*;
pub use machine::{Machine, Program};
pub use value::{Bound, HostFunction, Native, ObjId, Range, Value, View};
