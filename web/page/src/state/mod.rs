//! What the page knows and how it changes: one [`Model`], one [`Action`], one pure `reduce`.

pub mod action;
mod ahead;
pub mod bill;
pub mod branch;
pub mod changes;
pub mod clock;
pub mod crash;
pub mod deed;
pub mod fragment;
#[cfg(test)]
mod frame_tests;
pub mod hand;
pub mod heard;
pub mod keep;
#[cfg(test)]
mod keep_tests;
pub mod keys;
pub mod log;
pub mod lesson;
pub mod model;
pub mod offers;
pub mod outcome;
pub mod palette;
pub mod rail;
pub mod reduce;
#[cfg(test)]
mod reduce_tests;
pub mod sample;
pub mod sides;
pub mod stale;
pub mod sweep;
pub mod tabs;
pub mod time;
pub mod travel;
pub mod tree;
pub mod way;
pub mod words;

pub use action::{Action, Dropped};
pub use deed::{Deed, reason, strong};
pub use keep::{Keep, KeepNews, Kept};
pub use lesson::{Curtain, Desk, LessonAction, Stage};
pub use branch::Branch;
pub use model::{Depth, Dialog, Dock, Engine, Model, Notice, Reading, Screen, Theme, Ui, World};
pub use reduce::reduce;
pub use tabs::{Evidence, Tab};
