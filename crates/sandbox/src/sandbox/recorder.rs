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
        self.unread.extend(changes.iter().filter(|change| touches_a_table(change)).cloned());
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
        if !self.are_sinks_old && self.unread.is_empty() && known == self.lanes.len() {
            return;
        }
        let before = (&self.sinks, self.unread.as_slice());
        self.sinks = Sinks::read(&mut self.reader, &self.world, &self.lanes, &self.memories, before);
        self.unread.clear();
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

#[cfg(test)]
mod tests {
    use tidemark_protocol::{Act, ArmPlace};
    use tidemark_trace::When;

    use super::{Sandbox, Sinks};
    use crate::table::Reader;

    /// Appends each batch twice by a function, and once by a sink; then another writer, an overwrite, and lost files.
    const SCRIPT: &str = r#"
def twice(rows, batch):
    rows.write.format("delta").mode("append").save("twice/")
    rows.write.format("delta").mode("append").save("twice/")

rows = spark.readStream.schema("id INT").option("maxFilesPerTrigger", 1).json("in/")
rows.writeStream.foreachBatch(twice).option("checkpointLocation", "ckpt/a").trigger(availableNow=True).start().awaitTermination()
rows.writeStream.format("delta").option("checkpointLocation", "ckpt/b").trigger(availableNow=True).start("once/").awaitTermination()
whole = rows.groupBy("id").count().writeStream.outputMode("complete").format("delta")
whole.option("checkpointLocation", "ckpt/c").trigger(availableNow=True).start("whole/").awaitTermination()
"#;

    fn put(path: &str, text: &str) -> Act {
        Act::Put { path: path.into(), text: text.into() }
    }

    #[test]
    fn a_table_that_is_followed_is_the_one_that_is_read_at_every_moment() {
        let run = || Act::Run { script: "main.py".into() };
        let arm = |k, when| Act::Arm { place: ArmPlace::Write { k, when } };
        let by_hand = "spark.createDataFrame([(7,)], \"id INT\").write.format(\"delta\").mode(\"append\").save(\"once/\")\n";
        let acts = [
            Act::Seed { seed: 3 },
            Act::Edit { script: "main.py".into(), text: SCRIPT.into() },
            put("in/a.json", "{\"id\":1}\n{\"id\":2}\n"),
            put("in/b.json", "{\"id\":2}\n"),
            run(),
            put("in/c.json", "{\"id\":3}\n"),
            arm(5, When::During),
            run(),
            Act::Restart,
            Act::Edit { script: "hand.py".into(), text: by_hand.into() },
            Act::Run { script: "hand.py".into() },
            put("in/d.json", "{\"id\":3}\n"),
            run(),
            put("once/_delta_log/00000000000000000001.json", "{\"add\":{\"path\":"),
            Act::Delete { path: "twice/_delta_log/00000000000000000000.json".into() },
            Act::Delete { path: "once/".into() },
            put("in/e.json", "{\"id\":9}\n"),
            run(),
        ];
        let mut sandbox = Sandbox::default();
        for act in &acts {
            sandbox.apply(act).expect("the act is fit");
            sandbox.rest();
        }
        let mut doubled = 0;
        for entry in &sandbox.moments {
            let moment = &entry.moment;
            let (lanes, memories) = (&moment.lanes, &moment.memories);
            let none = (&Sinks::default(), [].as_slice());
            let read = Sinks::read(&mut Reader::default(), &moment.world, lanes, memories, none);
            assert_eq!(moment.sinks.to_views(), read.to_views(), "{}", moment.mark.sentence);
            assert_eq!(moment.sinks.doubled(), read.doubled(), "{}", moment.mark.sentence);
            doubled = doubled.max(read.doubled());
        }
        assert!(doubled > 2 && sandbox.moments.len() > 100, "{doubled} in {}", sandbox.moments.len());
    }
}
