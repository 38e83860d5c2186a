//! The sink: rows with the batch that wrote them, duplicates ringed, orphans apart.

mod rows;
mod sink_panel;

pub use sink_panel::SinkPanel;
