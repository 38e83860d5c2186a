//! The application: the model at its root, the link beside it, and the frame around the panels.

pub mod branches;
pub mod context;
pub mod dialogs;
pub mod dock;
pub mod frame;
pub mod hand;
pub mod memo;
pub mod notice;
pub mod palette;
pub mod picture;
pub mod root;
mod saving;
pub mod share;
pub mod sheet;
pub mod top;

pub use context::{Dispatch, use_dispatch, use_ui, use_world};
pub use root::{App, AppProps, Connect};
