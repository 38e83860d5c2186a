//! What the page knows and how it changes: one [`Model`], one [`Action`], one pure `reduce`.

pub mod act;
pub mod action;
pub mod branch;
pub mod heard;
pub mod lesson;
pub mod look;
pub mod model;
pub mod offer;
pub mod reduce;
pub mod save;
pub mod tabs;
pub mod travel;
pub mod tree;
pub mod words;

#[cfg(test)]
mod tests;

pub use act::deed::{Deed, reason, strong};
pub use action::{Action, Dropped};
pub use branch::Branch;
pub use lesson::{Curtain, Desk, LessonAction, Stage};
pub use model::{Depth, Dialog, Dock, Engine, Model, Notice, Reading, Screen, Theme, Ui, World};
pub use reduce::reduce;
pub use save::keep::{Keep, KeepNews, Kept};
pub use tabs::{Evidence, Tab};
