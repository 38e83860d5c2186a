//! The work in the browser, in a link and in a log.

pub mod fragment;
pub mod keep;
pub mod log;
