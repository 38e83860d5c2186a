//! The lesson that is open: its stages, what the learner said, what is covered until then; and how far each lesson has come.
//!
//! [`Desk`] is what there is, `flow` how it changes, `curtain` what may not be seen or done yet, `progress` what is kept
//! between visits, [`diff`] the solution beside the learner's script, [`text`] the words of a lesson as they are drawn.

mod curtain;
mod desk;
pub mod diff;
mod flow;
#[cfg(test)]
mod flow_tests;
mod progress;
pub mod text;
mod verdict;

pub use curtain::{COVERED, Curtain};
pub use desk::{Desk, LessonAction, Open, Pick, Stage};
pub use progress::{Mark, Progress};

pub(super) use flow::{act, after, aside, checked, close, keep_aside, refuses};
