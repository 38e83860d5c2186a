//! Lineage: the stations of a row from its input lines to its place in the table, as a strip under the picture.

mod hop;
mod lineage_panel;

pub use lineage_panel::LineagePanel;
