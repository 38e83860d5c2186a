//! What the page knows and how it changes: one [`Model`], one [`Action`], one pure `reduce`.

pub mod action;
mod ahead;
pub mod branch;
pub mod clock;
pub mod crash;
pub mod deed;
pub mod heard;
pub mod keys;
pub mod model;
pub mod offers;
pub mod palette;
pub mod rail;
pub mod reduce;
#[cfg(test)]
mod reduce_tests;
pub mod sample;
pub mod tabs;
pub mod time;
pub mod travel;
pub mod tree;
pub mod words;

pub use action::{Action, Dropped};
pub use deed::{Deed, reason, strong};
pub use branch::Branch;
pub use model::{Depth, Dialog, Dock, Engine, Model, Notice, Reading, Screen, Theme, Ui, World};
pub use reduce::reduce;
pub use tabs::{Evidence, Tab};
