//! One tick of a run, and the moment that it makes.

use std::rc::Rc;

use tidemark_engine::Error;
use tidemark_protocol::ScriptState;
use tidemark_pyspark::QueryHandle;
use tidemark_trace::{Fact, Phase};

use super::rewind::mark_of;
use super::{Goal, Sandbox};
use crate::cost;
use crate::driver::{Driver, Rest, Tick};
use crate::moment::StepNote;
use crate::store;
use crate::view::traceback;

impl Sandbox {
    pub(super) fn crash(&mut self, sentence: &str) {
        self.sync();
        self.lanes.crash(self.script.run, self.world.crashed());
        self.driver = None;
        self.goal = None;
        self.script.state = ScriptState::Crashed;
        self.record(sentence, None, None, false);
        if let Some(at) = self.moments.len().checked_sub(1)
            && let Some(last) = self.moments.get_mut(at)
        {
            mark_of(last).crash = true;
        }
    }

    /// Does the next thing of the present act: a moment at most.
    pub(super) fn tick(&mut self) {
        let before = self.moments.len();
        self.quiet += 1;
        if self.aside.is_some() {
            self.tick_aside();
        } else {
            self.tick_driver();
        }
        let is_new = self.moments.len() > before;
        if is_new && matches!(self.goal, Some(Goal::OneStep)) {
            self.goal = None;
        }
        self.heed_pause();
        if is_new {
            self.keep_keyframe();
        }
    }

    fn tick_driver(&mut self) {
        let Some(driver) = &mut self.driver else {
            self.goal = None;
            return;
        };
        let before = self.world.now();
        let (from, lanes) = (self.events.len(), self.lanes.iter().count());
        let tick = driver.tick(&mut self.world);
        self.drain();
        self.sync();
        if let Some(driver) = &self.driver {
            let whose = (self.script.run, driver);
            cost::book(&mut self.lanes, whose, &self.world, &tick, &self.events[from..], lanes);
        }
        match tick {
            Ok(Tick::Quiet) => {}
            Ok(Tick::Did { query, batch, phase, sentence }) => {
                let millis = self.world.now().0 - before.0;
                self.did(self.script.run, (query, batch, phase), &sentence, millis);
            }
            Ok(Tick::Idle { query }) => {
                if matches!(self.goal, Some(Goal::OneTrigger(wanted)) if wanted == query) {
                    self.park("Nothing new to read. The query waits.");
                }
            }
            Ok(Tick::QueryEnded { sentence, .. }) => {
                self.record(&sentence, None, None, false);
                if matches!(self.goal, Some(Goal::OneTrigger(_))) {
                    self.goal = Some(Goal::Rest);
                }
            }
            Ok(Tick::Rest(rest)) => self.rested(rest),
            Err(Error::Crashed(place)) => {
                self.note_last_step(&place);
                let place = self.plain_place(&place);
                self.crash(&format!("The driver stopped {place}. The store is as you see it."));
            }
            Err(Error::Spark(error)) => {
                self.script.state = ScriptState::Failed;
                self.goal = None;
                self.record(&format!("The run failed: {error}"), None, None, false);
            }
        }
    }

    pub(super) fn rested(&mut self, rest: Rest) {
        match rest {
            Rest::Parked => self.park("The query waits for data. Drop a file, or press Trigger."),
            Rest::Ended => {
                self.goal = None;
                self.script.state = ScriptState::Ended;
                self.script.line = None;
                self.record("The script has ended.", None, None, false);
            }
            Rest::Failed => {
                self.goal = None;
                self.script.state = ScriptState::Failed;
                let error = self.driver.as_ref().and_then(Driver::error);
                let diagnostic = error.map(|error| traceback(&self.script.name, error));
                let sentence = match &diagnostic {
                    Some(d) => {
                        format!(
                            "Line {}: {}: {}",
                            d.line,
                            d.class,
                            d.message.lines().next().unwrap_or_default()
                        )
                    }
                    None => "The script ended with an error.".to_owned(),
                };
                self.script.errors = Rc::new(diagnostic.into_iter().collect());
                self.record(&sentence, None, None, false);
            }
        }
    }

    pub(super) fn park(&mut self, sentence: &str) {
        self.goal = None;
        self.script.state = ScriptState::Parked;
        self.record(sentence, None, None, false);
    }

    pub(super) fn did(
        &mut self,
        run: u32,
        (query, batch, phase): (QueryHandle, Option<i64>, Phase),
        sentence: &str,
        millis: i64,
    ) {
        let written = self.written();
        let shown = written.as_deref().and_then(|path| store::relative(&self.world, path)).map(str::to_owned);
        if let (Some(path), Some(batch)) = (written, batch) {
            self.lanes.writers.insert(path, batch);
        }
        let again = self.again;
        // A driver that dies before its report has read them all the same.
        let rows = self.events.last().and_then(|event| match &event.fact {
            Fact::Batch(fact) if fact.phase == Phase::Read => fact.rows,
            _ => None,
        });
        if let (Some(batch), Some(lane)) = (batch, self.lanes.get_mut(run, query)) {
            let note = StepNote { batch, phase, millis, file: shown.as_deref(), sentence, again, rows };
            lane.note(run, &note);
        }
        self.record(sentence, batch, Some(phase), false);
    }

    /// The place of a crash in the learner's words.
    pub(super) fn plain_place(&self, place: &str) -> String {
        let words = Phase::ALL.into_iter().find_map(|phase| {
            let side = place.strip_suffix(phase.verb())?.trim_end();
            (side == "before" || side == "after").then(|| format!("{side} {}", noun(phase)))
        });
        let plain = || place.replace(&format!("{}/", self.world.root()), "");
        words.or_else(|| self.plain_write(place)).unwrap_or_else(plain)
    }

    /// `while ckpt/offsets/0 was written`.
    fn plain_write(&self, place: &str) -> Option<String> {
        let (side, path) = place.split_once(" put ")?;
        let path = store::relative(&self.world, path).unwrap_or(path);
        let side = if side == "during" { "while" } else { side };
        Some(format!("{side} {path} was written"))
    }
}

/// A phase as a noun: what a crash was before or after.
fn noun(phase: Phase) -> &'static str {
    match phase {
        Phase::List => "the listing of the source",
        Phase::Note => "the note of the new files",
        Phase::Plan => "the plan of the batch",
        Phase::Read => "the reading",
        Phase::Work => "the work",
        Phase::Save => "the saving of state",
        Phase::Write => "the writing of the sink's files",
        Phase::Commit => "the commit of the sink",
        Phase::Advance => "the advance of the watermark",
        Phase::Done => "the mark of the batch",
    }
}
