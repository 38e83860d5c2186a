//! The facts: all that can happen, as plain data, each with its one-line sentence.
//!
//! Owns: the closed enums of facts, the ten phases of a micro-batch, crash points, and their sentences.
//! May touch: types.
//! Must not know: how anything happens. No room reads facts to decide anything.
//! Invariants: a fact is past tense, small and self-contained; its `Display` is one line.

pub mod fact;
pub mod phase;

pub use fact::{BatchFact, Event, Fact, FaultFact, ObjectFact, QueryFact, ScriptFact, Seq};
pub use phase::{CrashPoint, Phase, When};
