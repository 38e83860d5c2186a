//! Where all is wired: acts become runs, runs become moments, moments become views.
//!
//! Owns: the driver (one run of a script with its queries), acts, moments, views of moments, conformance cases.
//! May touch: all rooms below it.
//! Must not know: the browser, the command line.
//! Invariants: given the same acts, the same bytes; a crash keeps the World and drops the driver; a moment, once
//! recorded, never changes.

mod archive;
mod batch_log;
mod check;
mod compare;
mod cost;
mod driver;
mod export;
mod fault;
mod harness;
mod import;
mod lane;
mod lineage;
mod modes;
mod moment;
mod numbers;
mod object;
mod plane;
mod query;
mod record;
mod sandbox;
mod settings;
mod sink;
mod state_view;
mod store;
mod sweep;
mod system;
mod table;
mod view;

pub use check::{LessonCheck, hidden_files};
pub use driver::{Driver, Limits, Rest, Tick};
pub use export::ExportedFile;
pub use fault::fault_of_place;
pub use harness::{CaseOutcome, run_case};
pub use sandbox::{Sandbox, SandboxError, Work};
pub use sweep::Sweep;
pub use tidemark_engine::Error as DriverError;
pub use tidemark_pyspark::Conf;
pub use tidemark_types::SimTime;
/// The World, for those who bring one: a mirror of a folder.
pub use tidemark_world as world;

/// The time that a text names: ISO in UTC, or milliseconds since the epoch.
pub fn parse_time(text: &str) -> Option<SimTime> {
    text.parse().map(SimTime).ok().or_else(|| {
        let zone = tidemark_types::zone::Zone::UTC;
        tidemark_types::timestamp::parse_timestamp(text, zone, 0)
            .map(|micros| SimTime(micros.div_euclid(1000)))
    })
}
