//! The editor: the script, what it printed, and its errors at their lines.

mod editor_panel;
mod output;
mod script;

pub use editor_panel::EditorPanel;
