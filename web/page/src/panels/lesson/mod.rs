//! Lesson: one column of text beside the same picture. The guess is asked here and drawn there.

mod compare;
mod exercise;
mod explain;
mod guess;
mod lesson_panel;
mod prose;
mod stages;

pub use lesson_panel::LessonPanel;
pub use stages::{Place, Stages};
