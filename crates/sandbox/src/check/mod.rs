//! The check of a lesson: a script goes through the lesson's acts on the visible data and on hidden ones, and what it has
//! done is judged.
//!
//! [`LessonCheck`] goes from attempt to attempt in slices; an [`attempt::Attempt`] is one run through the acts; [`judge`]
//! says what is wrong in it; [`table`] reads Delta tables as rows; [`data`] makes the hidden data.

mod attempt;
mod data;
mod judge;
mod lesson_check;
mod table;

pub use data::hidden_files;
pub use lesson_check::LessonCheck;
