//! What each part of a query costs on the simulated clock. Fixed, so that `durationMs` is the same for the same acts.

use tidemark_types::Millis;

/// Making the sources and reading the checkpoint.
pub const START: Millis = Millis(40);
/// Listing one source.
pub const LIST: Millis = Millis(6);
/// Writing one entry of a source's log.
pub const NOTE: Millis = Millis(9);
/// Writing `offsets/N`.
pub const PLAN: Millis = Millis(12);
/// Deleting one old file, or finishing one source's batch before.
pub const TIDY: Millis = Millis(2);
/// Planning the rows of a batch: `getBatch`.
pub const GET_BATCH: Millis = Millis(4);
/// Planning the operators of a batch: `queryPlanning`.
pub const QUERY_PLANNING: Millis = Millis(7);
/// Asking the sink whether it wants the batch.
pub const BEGIN: Millis = Millis(3);
/// Reading the rows of a batch.
pub const READ: Millis = Millis(15);
/// Running the operators.
pub const WORK: Millis = Millis(10);
/// Writing the state of one partition, or one file about the state.
pub const SAVE: Millis = Millis(8);
/// Writing one snapshot, or deleting one old state file, between two batches.
pub const MAINTAIN: Millis = Millis(5);
/// Writing one task's rows.
pub const WRITE: Millis = Millis(20);
/// The commit of the sink.
pub const COMMIT: Millis = Millis(18);
/// One thing the sink does after its commit.
pub const AFTER_COMMIT: Millis = Millis(14);
/// Advancing the watermark.
pub const ADVANCE: Millis = Millis(1);
/// Writing `commits/N`.
pub const DONE: Millis = Millis(11);
