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
//!
//! # How it works
//! `compile` turns a syntax tree into instructions. `machine` executes them: a stack of explicit frames, where a frame is
//! a Python function or a native operation that waits for one. A native operation that needs Python code returns what it
//! needs, the code runs, and the operation begins again with a log of the results it had; so native code is written
//! straight down and still never blocks. `object` says how objects behave, `value` holds the values and the heap, `builtin` the built-in functions and
//! methods, `module` the standard library, most of it in Python.

mod builtin;
mod compile;
mod diagnostic;
mod host;
mod machine;
mod module;
mod object;
mod script;
mod value;

pub use diagnostic::{Span, SyntaxError};
pub use host::*;
pub use machine::{Machine, Program};
pub use script::{Failure, run_program};
pub use value::{Bound, HostFunction, Native, ObjId, Range, Value, View};
