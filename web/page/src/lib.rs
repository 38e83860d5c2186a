//! The page: draws the moment that the rail points at, and turns keys and clicks into commands.
//!
//! Owns: the model of the page and its one reducer, panels, widgets, and the browser behind a small face.
//! May touch: protocol, trace, types.
//! Must not know: how anything is computed; it never folds facts into state.
//! Invariants: one `Model`, one `Action`, one pure `reduce`; only `browser` knows the document; panels talk through
//! actions alone; whatever a pointer can do, a key can do.

pub mod app;
pub mod browser;
pub mod panels;
pub mod state;
pub mod widgets;
