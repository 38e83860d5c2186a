//! The values of Python, and the heap on which those live that can change.

mod dict;
mod object;
mod plain;
mod types;
mod variant;
mod view;

pub use variant::{Bound, HostFunction, Native, ObjId, Range, Value};
pub use view::View;

pub(crate) use dict::{Dict, Found, hash_str};
pub(crate) use object::{
    Body, ClassData, ExceptionData, FunctionData, GeneratorData, GeneratorState, Heap, IterState, Obj,
    TraceEntry, ViewKind,
};
pub(crate) use plain::{hash_join, plain_eq, plain_hash, same};
pub(crate) use types::{EXCEPTIONS_FROM, TYPES, Type};
