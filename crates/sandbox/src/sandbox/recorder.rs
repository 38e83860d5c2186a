//! The recorder: facts and changes out of the World, the script and its queries as they are drawn, moments.

use std::rc::Rc;

use tidemark_protocol::{MomentMark, QueryState};
use tidemark_trace::{Event, Fact, Phase, Seq};
use tidemark_world::Change;

use super::Sandbox;
use crate::lane::new_lane;
use crate::moment::Moment;

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
        self.changes.extend(changes);
        let at = self.world.now();
        for fact in self.world.take_facts() {
            if let Fact::Batch(batch) = &fact {
                self.rows += batch.rows.unwrap_or(0);
            }
            self.events.push(Event { seq: Seq(self.seq), cause: None, at, fact });
            self.seq += 1;
        }
    }

    /// Brings what is drawn of the script and its queries up to date.
    pub(super) fn sync(&mut self) {
        if let Some(driver) = &self.driver {
            self.script.line = driver.line().or(self.script.line);
            let known = self.script.printed.len();
            for piece in &driver.printed()[known.min(driver.printed().len())..] {
                self.script.printed.push_back((piece.text.as_str().into(), piece.line));
            }
        }
        self.sync_lanes();
    }

    pub(super) fn sync_lanes(&mut self) {
        let Some(driver) = &self.driver else { return };
        let run = self.script.run;
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
            if lane.view.recent.len() != progress.len() || progress.len() >= 99 {
                lane.view.recent =
                    progress.iter().map(|p| (p.batch_id.0, p.num_input_rows() as i64)).collect();
                lane.view.last_progress = progress.last().map(|p| p.pretty_json()).unwrap_or_default();
                if let Some(last) = progress.last()
                    && let Some(batch) = lane.batches.back_mut()
                    && batch.batch == last.batch_id.0
                {
                    Rc::make_mut(batch).input_rows = last.num_input_rows() as i64;
                }
            }
            lane.view.exception = query.exception().map(ToString::to_string);
        }
    }

    pub(super) fn moment(&self, sentence: &str, batch: Option<i64>, phase: Option<Phase>, act: bool) -> Moment {
        let mark = MomentMark {
            at: self.world.now(),
            sentence: sentence.to_owned(),
            run: self.script.run,
            batch,
            phase,
            crash: false,
            act,
            output: false,
            duplicate: false,
        };
        Moment {
            world: self.world.clone(),
            driver: self.driver.clone(),
            script: self.script.clone(),
            lanes: self.lanes.clone(),
            mark,
            acts: self.acts.len(),
            step: self.step,
        }
    }

    pub(super) fn record(&mut self, sentence: &str, batch: Option<i64>, phase: Option<Phase>, act: bool) {
        self.drain();
        let mut moment = self.moment(sentence, batch, phase, act);
        if phase == Some(Phase::Commit) {
            let (output, duplicate) = self.what_came_out(&moment);
            moment.mark.output = output;
            moment.mark.duplicate = duplicate;
        }
        self.moments.push(moment);
        self.step += 1;
    }

    /// Whether rows left the query in this commit, and whether one of them was there before.
    pub(super) fn what_came_out(&self, moment: &Moment) -> (bool, bool) {
        let rows = |m: &Moment| crate::sink::sinks(&m.world, &m.lanes, m.driver.as_ref());
        let now = rows(moment);
        let before = self.moments.last().map(rows).unwrap_or_default();
        let total = |views: &[tidemark_protocol::SinkView]| views.iter().map(|v| v.total).sum::<u64>();
        let doubled = |views: &[tidemark_protocol::SinkView]| {
            views.iter().flat_map(|v| &v.rows).filter(|r| r.copies > 1).count()
        };
        (total(&now) > total(&before), doubled(&now) > doubled(&before))
    }
}
