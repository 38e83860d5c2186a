//! The machine: frames, heap, fuel, and the conversation with the host.

mod bind;
mod collect;
mod face;
mod fault;
mod frame;
mod genesis;
mod import;
mod library_value;
mod moment_text;
mod native;
mod perform;
mod raise;
mod run;
mod state;
mod step;
mod step_rare;
mod traceback;

pub use face::Program;
pub use state::Machine;

pub(crate) use fault::{Fault, Need, R};
pub(crate) use frame::{Frame, PyFrame};
pub(crate) use native::{Args, NativeFunction, NativeKind};
pub(crate) use state::DEPTH_MAX;
pub(crate) use step::{quick_binary, quick_compare};
pub(crate) use traceback::format_entries;
