//! The crash sweep: the acts of a branch replayed with a crash at each write, and what came of each.
//!
//! A run without a crash shows every write and what the tables hold in the end; then each crash is tried in a sandbox
//! of its own that begins where the act began in which it falls.

mod replay;
mod report;
mod script;
mod site;
mod sweeper;
mod tables;

pub use sweeper::Sweep;
