//! The only doors outside: objects, simulated clock, ids, faults.
//!
//! Owns: the in-memory object store, paths and their root, the clock, the source of ids, the fault plan, the journal of facts.
//! May touch: types, trace.
//! Must not know: what an object means, queries, Python, the page.
//! Invariants: a clone is cheap and complete; the same seed and the same calls give the same bytes; after a crash has
//! fired no write succeeds until [`World::restart`].

mod fault;
mod id;
mod path;
mod store;
mod world;

pub use fault::{Fault, FaultPlan};
pub use path::normalize;
pub use store::{Entry, Object, ObjectMeta};
pub use world::{Change, World, WorldError};
