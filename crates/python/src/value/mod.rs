//! The values of Python, and the heap on which those live that can change.

mod value;
mod view;

pub use value::{Bound, HostFunction, Native, ObjId, Range, Value};
pub use view::View;
