//! Inspect: one object, three readings: fields, words, raw.

mod body;
mod inspect_panel;
mod lines;

pub use inspect_panel::InspectPanel;
