//! A second hand: another script, run to its end on the same store while the driver of the main one stands still.
//!
//! It is another application: its session, queries and settings are its own, and nothing but the store is shared. What
//! two queries on one checkpoint do to each other they do through its files, as two Spark applications would.

use std::rc::Rc;

use tidemark_engine::Error;
use tidemark_protocol::QueryState;

use super::{Goal, Sandbox};
use crate::cost;
use crate::driver::{Driver, Rest, Tick, conf_of};

/// The run of another script.
#[derive(Clone, Debug)]
pub(crate) struct Aside {
    pub(super) driver: Driver,
    pub(super) name: Rc<str>,
    pub(super) run: u32,
    /// Pieces of its output that have been taken over.
    taken: usize,
}

impl Sandbox {
    /// Starts another script beside the main one.
    pub(super) fn start_aside(&mut self, name: &str) {
        let Some(text) = self.script.others.get(name).cloned() else { return };
        match Driver::new(&mut self.world, name, &text, conf_of(&self.settings)) {
            Ok(driver) => {
                self.script.runs += 1;
                self.aside = Some(Aside { driver, name: name.into(), run: self.script.runs, taken: 0 });
                self.goal = Some(Goal::Rest);
            }
            Err(errors) => {
                let reason = errors.first().map(|e| format!(": line {}: {}", e.span.line, e.message));
                self.record(
                    &format!("{name} was not started{}.", reason.unwrap_or_default()),
                    None,
                    None,
                    true,
                );
            }
        }
    }

    /// One tick of the other script.
    pub(super) fn tick_aside(&mut self) {
        let Some(mut aside) = self.aside.take() else { return };
        let before = self.world.now();
        let (from, lanes) = (self.events.len(), self.lanes.iter().count());
        let tick = aside.driver.tick(&mut self.world);
        self.drain();
        self.take_over(&mut aside);
        let whose = (aside.run, &aside.driver);
        cost::book(&mut self.lanes, whose, &self.world, &tick, &self.events[from..], lanes);
        let (name, run) = (aside.name.clone(), aside.run);
        self.aside = Some(aside);
        let said = |sentence: &str| format!("{name}: {sentence}");
        match tick {
            Ok(Tick::Quiet | Tick::Idle { .. }) => {}
            Ok(Tick::Did { query, batch, phase, sentence }) => {
                let millis = self.world.now().0 - before.0;
                self.did(run, (query, batch, phase), &said(&sentence), millis);
            }
            Ok(Tick::QueryEnded { sentence, .. }) => self.record(&said(&sentence), None, None, false),
            Ok(Tick::Rest(Rest::Ended)) => self.end_aside(&format!("{name} has ended.")),
            Ok(Tick::Rest(Rest::Parked)) => {
                let sentence = format!("{name} would wait for data for ever. It was stopped here.");
                self.end_aside(&sentence);
            }
            Ok(Tick::Rest(Rest::Failed)) => {
                let error = self.aside.as_ref().and_then(|aside| aside.driver.error());
                let error =
                    error.map(|e| format!("{}: {}", e.class, e.message.lines().next().unwrap_or_default()));
                self.say_aside(&format!("{name}: {}\n", error.clone().unwrap_or_default()));
                self.end_aside(&format!("{name} has failed: {}", error.unwrap_or_default()));
            }
            Err(Error::Crashed(place)) => {
                let place = self.plain_place(&place);
                // Only the process of the other script is gone.
                self.lanes.crash(run, self.world.crashed());
                self.world.restart();
                self.end_aside(&format!("{name} was stopped {place}. The store is as you see it."));
                if let Some(at) = self.moments.len().checked_sub(1)
                    && let Some(last) = self.moments.get_mut(at)
                {
                    super::rewind::mark_of(last).crash = true;
                }
            }
            Err(Error::Spark(error)) => self.end_aside(&format!("{name} has failed: {error}")),
        }
    }

    /// The other script is stopped by the learner.
    pub(super) fn interrupt_aside(&mut self) {
        let name = self.aside.as_ref().map(|aside| aside.name.clone()).unwrap_or_default();
        self.end_aside(&format!("{name} was interrupted."));
    }

    /// Its output and its queries, as they are drawn.
    fn take_over(&mut self, aside: &mut Aside) {
        let pieces: Vec<String> =
            aside.driver.printed()[aside.taken..].iter().map(|piece| piece.text.clone()).collect();
        aside.taken += pieces.len();
        for piece in pieces {
            let text: String =
                piece.split_inclusive('\n').map(|line| format!("{}: {line}", aside.name)).collect();
            self.say_aside(&text);
        }
        self.sync_lanes_of(&aside.driver, aside.run);
    }

    fn say_aside(&mut self, text: &str) {
        self.script.printed.push_back((text.into(), 0));
    }

    /// The other script is gone; the main one finds a changed store.
    fn end_aside(&mut self, sentence: &str) {
        if let Some(aside) = self.aside.take() {
            for handle in aside.driver.active_queries() {
                if let Some(lane) = self.lanes.get_mut(aside.run, handle)
                    && lane.view.state == QueryState::Active
                {
                    lane.view.state = QueryState::Ended;
                }
            }
        }
        if let Some(driver) = &mut self.driver {
            driver.wake();
        }
        self.goal = None;
        self.record(sentence, None, None, false);
    }
}
