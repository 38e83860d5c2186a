//! The PySpark API as objects of our Python: calls become plans and questions.
//!
//! Owns: the classes, functions and exceptions that a script sees, the session's settings and views, `Row`.
//! May touch: types, trace, plan, python.
//! Must not know: how a plan runs, where objects lie, the page.
//! Invariants: nothing runs here: an action is a [`Question`] that the sandbox answers; every public name of PySpark
//! either works or is refused by name.

mod call;
mod cell;
mod column;
mod conf;
mod data_type;
mod delta_table;
mod fault;
mod frame;
mod function;
mod json_value;
mod local;
mod missing;
mod object;
mod options;
mod query;
mod question;
mod read;
mod registry;
mod row;
mod session;
mod stream_write;
mod window;
mod write;

pub use conf::Conf;
pub use question::{Answer, QueryHandle, QueryInfo, QueryRequest, Question};
pub use session::{Reply, Session};
