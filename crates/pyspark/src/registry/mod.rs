//! What Python sees of PySpark: modules, classes and exceptions, with an honest refusal for each name not here yet.

mod class;
mod exception;
mod host;
mod name_list;

pub(crate) use class::Class;
pub(crate) use host::build;
pub(crate) use name_list::refusal;
