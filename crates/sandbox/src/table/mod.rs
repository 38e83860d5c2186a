//! The tables that queries write, row by row: where each row lies, and which batch of which query brought it.

mod copies;
mod delta;
mod delta_log;
mod files;
mod find;
mod follow;
mod row;

pub(crate) use copies::Copies;
pub(crate) use find::{Place, places, table_at, tables};
pub(crate) use follow::{News, Reader};
pub(crate) use row::{Placed, Table, Writer};
