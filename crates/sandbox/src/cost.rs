//! What was asked of the store, and by which batch: the bill.
//!
//! Counted is what the World was asked for: a listing, a reading, a writing, a deletion of one object. Spark's probes
//! whether something is there (`exists`, sizes of planned files) are not: how many requests they make depends on the
//! connector of the file system. A log file counts as one writing, without the renaming of its temporary file.

use tidemark_engine::Error;
use tidemark_protocol::{Cost, StepState};
use tidemark_pyspark::QueryHandle;
use tidemark_trace::{Event, Fact, ObjectFact};
use tidemark_world::World;

use crate::driver::{Driver, Tick};
use crate::lineage;
use crate::moment::{Lane, Lanes};

/// What these events asked of the store; what lies in the checkpoint is no data file.
fn spent(events: &[Event], checkpoint: &str) -> Cost {
    let mut cost = Cost::default();
    for event in events {
        let Fact::Object(fact) = &event.fact else { continue };
        match fact {
            ObjectFact::Listed { .. } => cost.list += 1,
            ObjectFact::Got { bytes, .. } => {
                cost.get += 1;
                cost.bytes_read += bytes;
            }
            ObjectFact::Put { path, bytes, .. } => {
                cost.put += 1;
                cost.bytes_written += bytes;
                cost.files += u64::from(is_data_file(path, checkpoint));
            }
            ObjectFact::Deleted { .. } => cost.delete += 1,
        }
    }
    cost
}

/// Readers take a file for data unless its name, or that of a folder above it, begins with `_` or a dot.
fn is_data_file(path: &str, checkpoint: &str) -> bool {
    let is_inside = path.strip_prefix(checkpoint).is_some_and(|rest| rest.starts_with('/'));
    !is_inside && !path.split('/').any(|part| part.starts_with(['_', '.']))
}

/// Books what a tick of a run asked of the store, and keeps what lineage wants of it. `before` is how many queries
/// there were before it.
pub(crate) fn book(
    lanes: &mut Lanes,
    (run, driver): (u32, &Driver),
    world: &World,
    tick: &Result<Tick, Error>,
    events: &[Event],
    before: usize,
) {
    let born = lanes.iter().nth(before).map(|lane| lane.handle);
    match born {
        Some(handle) => lanes.charge_start(run, handle, events),
        None => lanes.charge(run, driver.at_work(), tick, events),
    }
    lineage::note(lanes, run, driver, world, tick, events);
}

impl Lanes {
    /// Books what a tick asked of the store to the query that was at work: to its batch, with the listing of its
    /// trigger; to its start; or to the triggers that found nothing.
    fn charge(
        &mut self,
        run: u32,
        at_work: Option<QueryHandle>,
        tick: &Result<Tick, Error>,
        events: &[Event],
    ) {
        let handle = match tick {
            Ok(Tick::Did { query, .. } | Tick::Idle { query } | Tick::QueryEnded { query, .. }) => {
                Some(*query)
            }
            Ok(Tick::Quiet | Tick::Rest(_)) | Err(_) => at_work,
        };
        let Some(lane) = handle.and_then(|handle| self.get_mut(run, handle)) else { return };
        let cost = spent(events, lane.way.checkpoint());
        match tick {
            // The step itself is noted a moment later, and takes this with it into its batch.
            Ok(Tick::Did { batch: Some(_), .. }) => lane.unbilled += cost,
            Ok(Tick::Did { batch: None, .. }) => lane.view.start += cost,
            _ => lane.charge(cost),
        }
    }

    /// Books what the script asked of the store while it started a query.
    fn charge_start(&mut self, run: u32, handle: QueryHandle, events: &[Event]) {
        let Some(lane) = self.get_mut(run, handle) else { return };
        let cost = spent(events, lane.way.checkpoint());
        lane.view.start += cost;
    }
}

impl Lane {
    /// To the batch under way, if there is one.
    fn charge(&mut self, cost: Cost) {
        let is_open = |batch: &tidemark_protocol::BatchView| {
            batch.steps.last().is_some_and(|step| step.state != StepState::Kept)
        };
        let is_first = self.batches.is_empty();
        if let Some(batch) = self.batches.back_mut().filter(|batch| is_open(batch)) {
            std::rc::Rc::make_mut(batch).cost += cost;
        } else if is_first && cost.list == 0 {
            self.view.start += cost;
        } else {
            self.view.idle += cost;
            self.view.idle_triggers += u64::from(cost.list > 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_data_file;

    #[test]
    fn what_counts_as_a_data_file() {
        for (path, wanted) in [
            ("/t/out/part-00000-a.parquet", true),
            ("/t/out/day=1/part-00000-a.parquet", true),
            ("/t/out/_delta_log/00000000000000000000.json", false),
            ("/t/out/_SUCCESS", false),
            ("/t/out/.part-00000-a.parquet.tmp", false),
            ("/t/ckpt/offsets/0", false),
            ("/t/ckpt2/part-0", true),
        ] {
            assert_eq!(is_data_file(path, "/t/ckpt"), wanted, "{path}");
        }
    }
}
