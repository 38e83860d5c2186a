//! The recorder: facts and changes out of the World, the script and its queries as they are drawn, moments.

use std::rc::Rc;

use tidemark_protocol::{MomentMark, QueryState};
use tidemark_trace::{Event, Fact, Phase, Seq};
use tidemark_world::Change;

use super::Sandbox;
use super::timeline::Entry;
use crate::driver::Driver;
use crate::lane::new_lane;
use crate::moment::{Memories, Moment};
use crate::numbers::numbers;
use crate::sink::Sinks;

impl Sandbox {
    /// The object that the last tick wrote, if it wrote one that is no temporary file.
    pub(super) fn written(&self) -> Option<String> {
        self.changes.iter().rev().take(self.last_changes).find_map(|change| match change {
            Change::Put { path, .. } => Some(path.clone()),
            _ => None,
        })
    }

    /// Takes facts and changes out of the World.
    pub(super) fn drain(&mut self) {
        let changes = self.world.take_changes();
        self.last_changes = changes.len();
        self.are_sinks_old |= changes.iter().any(touches_a_table);
        self.notes.take(&self.world, &changes);
        self.changes.extend(changes);
        let at = self.world.now();
        for fact in self.world.take_facts() {
            if let Fact::Batch(batch) = &fact {
                self.rows += batch.rows.unwrap_or(0);
                self.again = batch.again;
            }
            self.events.push(Event { seq: Seq(self.seq), cause: None, at, fact });
            self.seq += 1;
        }
    }

    /// Brings what is drawn of the script and its queries up to date.
    pub(super) fn sync(&mut self) {
        if let Some(driver) = &self.driver {
            self.script.line = driver.line().or(self.script.line);
            for piece in driver.printed().iter().skip(self.script.taken) {
                self.script.printed.push_back((piece.text.as_str().into(), piece.line));
            }
            self.script.taken = driver.printed().len();
        }
        self.sync_lanes();
    }

    pub(super) fn sync_lanes(&mut self) {
        let Some(driver) = self.driver.take() else { return };
        self.sync_lanes_of(&driver, self.script.run);
        self.driver = Some(driver);
    }

    pub(super) fn sync_lanes_of(&mut self, driver: &Driver, run: u32) {
        for (handle, running) in driver.queries.all() {
            let query = &running.execution;
            if self.lanes.get_mut(run, handle).is_none() {
                let lane = new_lane(run, handle, query, &self.world);
                self.lanes.push(lane);
            }
            let Some(lane) = self.lanes.get_mut(run, handle) else { continue };
            lane.view.state = match (query.is_active(), query.exception()) {
                (true, _) => QueryState::Active,
                (false, None) => QueryState::Ended,
                (false, Some(_)) => QueryState::Failed,
            };
            let progress = query.recent_progress();
            let newest = progress.last().map(|p| (progress.len(), p.batch_id, p.timestamp, p.batch_duration));
            if let Some(last) = progress.last()
                && lane.heard != newest
            {
                lane.heard = newest;
                lane.view.recent =
                    progress.iter().map(|p| (p.batch_id.0, p.num_input_rows() as i64)).collect();
                lane.view.last_progress = last.pretty_json();
                if let Some(measures) = numbers(last)
                    && lane.numbers.back().is_none_or(|known| known.batch < measures.batch)
                {
                    lane.numbers.push_back(Rc::new(measures));
                }
                if let Some(batch) = lane.batches.back_mut()
                    && batch.batch == last.batch_id.0
                {
                    Rc::make_mut(batch).input_rows = last.num_input_rows() as i64;
                }
            }
            lane.view.exception = query.exception().map(ToString::to_string);
        }
    }

    pub(super) fn moment(
        &self,
        sentence: &str,
        batch: Option<i64>,
        phase: Option<Phase>,
        act: bool,
    ) -> Moment {
        let mark = MomentMark {
            at: self.world.now(),
            sentence: sentence.to_owned(),
            run: self.aside.as_ref().map_or(self.script.run, |aside| aside.run),
            batch,
            phase,
            crash: false,
            act,
            output: false,
            duplicate: false,
            dropped: 0,
        };
        Moment {
            world: self.world.clone(),
            script: self.script.clone(),
            lanes: self.lanes.clone(),
            settings: self.settings.clone(),
            memories: self.memories.clone(),
            sinks: self.sinks.clone(),
            notes: self.notes.clone(),
            mark,
            is_alive: self.driver.is_some() || self.aside.is_some(),
        }
    }

    pub(super) fn record(&mut self, sentence: &str, batch: Option<i64>, phase: Option<Phase>, act: bool) {
        self.drain();
        self.sync_memories();
        self.sync_sinks();
        let mut moment = self.moment(sentence, batch, phase, act);
        if phase == Some(Phase::Commit) {
            let (output, duplicate) = self.what_came_out(&moment);
            moment.mark.output = output;
            moment.mark.duplicate = duplicate;
        }
        if phase == Some(Phase::Done) {
            moment.mark.dropped = self.dropped_in(moment.mark.run, batch);
        }
        let entry = Entry { moment: Rc::new(moment), acts: self.acts.len(), step: self.step };
        self.moments.push_back(entry);
        self.step += 1;
        self.quiet = 0;
    }

    /// The rows that came too late in a batch of a run, as its entry of `recentProgress` counts them.
    fn dropped_in(&self, run: u32, batch: Option<i64>) -> u64 {
        let of_run = self.lanes.iter().filter(|lane| lane.view.run == run);
        let entries = of_run.filter_map(|lane| lane.numbers.back());
        let of_batch = entries.filter(|entry| Some(entry.batch) == batch);
        of_batch.flat_map(|entry| &entry.operators).map(|operator| operator.dropped.unsigned_abs()).sum()
    }

    /// Tables in memory are lost with the driver.
    fn sync_memories(&mut self) {
        let Some(driver) = &self.driver else {
            self.are_sinks_old |= !self.memories.is_empty();
            self.memories = Memories::default();
            return;
        };
        let run = self.script.run;
        let of_run = self.lanes.iter().filter(|l| l.view.run == run && l.sink_kind == "memory");
        let names: Vec<String> = of_run.filter_map(|l| l.sink_path.clone()).collect();
        self.are_sinks_old |= self.memories.sync(&driver.queries, &names);
    }

    /// Tables are read when they have changed, not when they are looked at.
    fn sync_sinks(&mut self) {
        let known = self.moments.last().map_or(0, |last| last.lanes.len());
        if !self.are_sinks_old && known == self.lanes.len() {
            return;
        }
        let cache = &mut self.row_cache;
        self.sinks = Sinks::read(cache, &self.world, &self.lanes, &self.memories, &self.sinks);
        self.are_sinks_old = false;
    }

    /// Whether rows left the query in this commit, and whether one of them was there before.
    pub(super) fn what_came_out(&self, moment: &Moment) -> (bool, bool) {
        let before = self.moments.last().map(|last| last.sinks.clone()).unwrap_or_default();
        (moment.sinks.total() > before.total(), moment.sinks.doubled() > before.doubled())
    }
}

/// Whether a change of the store can be one of a table.
fn touches_a_table(change: &Change) -> bool {
    match change {
        Change::Put { path, .. } | Change::Delete { path } => {
            let is_log = path.contains("/_delta_log/") || path.contains("/_spark_metadata/");
            is_log || path.contains("/part-") || path.ends_with(".parquet")
        }
        Change::DeleteTree { .. } => true,
        Change::MakeFolder { .. } => false,
    }
}
