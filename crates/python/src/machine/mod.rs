//! The machine: frames, heap, fuel, and the conversation with the host.

mod face;

pub use face::{Machine, Program};
pub(crate) use face::NativeFunction;
