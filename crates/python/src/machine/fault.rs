//! Why a native operation did not come to its end.

use std::rc::Rc;

use crate::compile::Code;
use crate::host::{HostCall, SystemCall};
use crate::machine::Args;
use crate::value::{ObjId, Value};

/// An exception, or something that has to run first.
#[derive(Clone, Debug)]
pub(crate) enum Fault {
    Raise(ObjId),
    Need(Box<Need>),
}

/// What has to run before a native operation can go on.
#[derive(Clone, Debug)]
pub(crate) enum Need {
    /// A Python function.
    Call(ObjId, Args),
    /// The body of a class, in this namespace.
    Body(ObjId, ObjId),
    /// The code of a module or of `exec`: globals, and a namespace for other names.
    Code(Rc<Code>, ObjId, Option<ObjId>),
    /// A generator, with the value it gets.
    Resume(ObjId, Value),
    /// A generator, with the exception raised in it.
    Throw(ObjId, ObjId),
    Host(HostCall),
    System(SystemCall),
}

/// The result of a native operation.
pub(crate) type R<T = Value> = Result<T, Fault>;
