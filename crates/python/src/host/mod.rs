//! What the host offers to Python programs, and the questions that a program asks it.

mod question;
mod registry;

pub use question::{
    HostCall, Printed, PyException, Stop, SystemCall, SystemError, SystemReply, Target, Traceback,
    TracebackFrame,
};
pub use registry::{
    Constant, Export, Host, HostClass, HostClassId, HostException, HostModule, HostObject, Member,
};
