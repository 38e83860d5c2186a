//! The machine: frames, heap, fuel, and the conversation with the host.

mod attribute;
mod bind;
mod builtin_attribute;
mod class;
mod collect;
mod compare;
mod face;
mod fault;
mod frame;
mod genesis;
mod hashing;
mod import;
mod index;
mod iterate;
mod library_value;
mod native;
mod operator;
mod perform;
mod protocol;
mod raise;
mod run;
mod state;
mod step;
mod step_rare;
mod text;
mod traceback;

pub use face::Program;
pub use state::Machine;

pub(crate) use fault::{Fault, Need, R};
pub(crate) use frame::{Frame, PyFrame};
pub(crate) use iterate::char_value;
pub(crate) use native::{Args, NativeFunction, NativeKind};
pub(crate) use operator::{as_big, as_float, float_divmod, ldexp, truncate};
pub(crate) use text::{ascii, printable, quote, quote_bytes};
pub(crate) use traceback::format_entries;
