//! What the learner does to the sandbox, and what it asks of the engine.

pub mod ahead;
pub mod crash;
pub mod deed;
pub mod hand;
pub mod import;
pub mod sample;
