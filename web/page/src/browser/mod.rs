//! The browser: the only room of the page that knows `web_sys` and `js_sys`.

pub mod base;
pub mod carry;
pub mod dialog;
pub mod editor;
pub mod files;
pub mod focus;
pub mod geometry;
pub mod keyboard;
pub mod link;
pub mod listener;
pub mod lock;
pub mod press;
pub mod screen;
pub mod shelf;
pub mod timer;

pub use editor::Editor;
pub use link::{Heard, Link, Worker};
