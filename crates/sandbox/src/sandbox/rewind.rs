//! Going back: a branch as it stood at one of its moments, with acts that lead just there.

use std::rc::Rc;

use tidemark_protocol::Act;

use super::timeline::{Keyframe, Keyframes};
use super::{Pause, Sandbox};

/// Ticks from a keyframe to a moment at most: the same acts lead there, so this is never reached.
const REPLAY_TICKS_MAX: u64 = 50_000_000;

impl Sandbox {
    /// Goes back to a moment: what came after it is dropped.
    ///
    /// The acts are rewritten so that they lead just there: a run that is cut in the middle begins with a `pause`.
    pub fn go_back(&mut self, index: usize) {
        if index + 1 >= self.moments.len() {
            return;
        }
        let mut cut = self.cut_at(index);
        cut.marks_sent = self.marks_sent.min(cut.moments.len());
        cut.acts_sent = self.acts_sent.min(self.shared_acts(&cut.acts));
        self.put_on_screen(cut);
    }

    /// How many acts of this branch and of others are the same from the first on.
    pub(super) fn shared_acts(&self, other: &[Act]) -> usize {
        self.acts.iter().zip(other).take_while(|(a, b)| a == b).count()
    }

    /// The present branch as it stood at a moment, at rest, with acts that lead just there.
    pub(super) fn cut_at(&self, index: usize) -> Sandbox {
        let mut stand = self.stood_at(index);
        stand.pause = None;
        if stand.goal.take().is_some() {
            let moments = stand.step as u64;
            stand.note_pause(moments, None);
        }
        stand
    }

    /// The present branch as it stood at a moment, perhaps in the middle of an act; without the other branches.
    pub(super) fn stood_at(&self, index: usize) -> Sandbox {
        let index = index.min(self.moments.len() - 1);
        let mut stand = if index + 1 == self.moments.len() && self.goal.is_none() {
            self.at_keyframe(index, self.keyframe())
        } else {
            let (from, keyframe) = self.keyframe_before(index);
            self.at_keyframe(from, keyframe)
        };
        let mut ticks = 0;
        while stand.moments.len() <= index && ticks < REPLAY_TICKS_MAX {
            if stand.goal.is_some() {
                stand.tick();
                ticks += 1;
                continue;
            }
            let Some(act) = self.acts.get(stand.acts.len()) else { break };
            // It has been done before, from the same state.
            if stand.begin_act(act).is_err() {
                break;
            }
        }
        stand
    }

    /// The run as it is now.
    pub(super) fn keyframe(&self) -> Keyframe {
        Keyframe {
            driver: self.driver.clone(),
            aside: self.aside.clone(),
            goal: self.goal.clone(),
            pause: self.pause.clone(),
            again: self.again,
            rows: self.rows,
        }
    }

    /// The last moment up to this one at which the run is known: a keyframe, or a moment without a run.
    fn keyframe_before(&self, index: usize) -> (usize, Keyframe) {
        let nearest = self.keyframes.nearest(index);
        let first = nearest.map_or(0, |(at, _)| at + 1);
        let idle = (first..=index).rev().find(|at| self.moments.get(*at).is_some_and(|m| !m.is_alive));
        match (idle, nearest) {
            (None, Some((at, keyframe))) => (at, keyframe.clone()),
            (idle, _) => (
                idle.unwrap_or(0),
                Keyframe {
                    driver: None,
                    aside: None,
                    goal: None,
                    pause: None,
                    again: false,
                    rows: self.rows,
                },
            ),
        }
    }

    /// The present branch up to a moment whose run is known.
    fn at_keyframe(&self, index: usize, keyframe: Keyframe) -> Sandbox {
        let entry = &self.moments[index];
        let Keyframe { driver, aside, goal, pause, again, rows } = keyframe;
        Sandbox {
            origin: self.origin.clone(),
            world: entry.world.clone(),
            driver,
            aside,
            script: entry.script.clone(),
            lanes: entry.lanes.clone(),
            settings: entry.settings.clone(),
            memories: entry.memories.clone(),
            sinks: entry.sinks.clone(),
            notes: entry.notes.clone(),
            reader: self.reader.elsewhere(),
            acts: self.acts[..entry.acts.min(self.acts.len())].to_vec(),
            moments: self.moments.take(index + 1),
            keyframes: self.keyframes.up_to(index),
            goal,
            pause,
            step: entry.step + 1,
            again,
            rows,
            ..Sandbox::blank(&self.origin)
        }
    }

    /// Keeps the run at the newest moment, which has just been recorded, if it is time for a keyframe.
    pub(super) fn keep_keyframe(&mut self) {
        let newest = self.moments.len() - 1;
        if !self.moments[newest].is_alive || !self.keyframes.wants(newest) {
            return;
        }
        let keyframe = self.keyframe();
        self.keyframes.keep(newest, keyframe);
    }

    /// How many runs are kept, for replay to begin at.
    pub fn keyframes(&self) -> usize {
        self.keyframes.len()
    }

    /// The most runs that are kept for a branch.
    pub const KEYFRAMES_MAX: usize = Keyframes::MAX;

    /// Writes down how far the newest act has come: done again, it comes just as far.
    pub(super) fn note_pause(&mut self, moments: u64, ticks: Option<u64>) {
        let before = self.acts.len();
        let Some(act) = self.acts.pop() else { return };
        if matches!(self.acts.last(), Some(Act::Pause { .. })) {
            self.acts.pop();
        }
        self.acts_sent = self.acts_sent.min(self.acts.len());
        self.acts.push(Act::Pause { moments, ticks });
        self.acts.push(act);
        let now = self.acts.len();
        for at in (0..self.moments.len()).rev() {
            let Some(entry) = self.moments.get_mut(at).filter(|entry| entry.acts == before) else { break };
            entry.acts = now;
        }
    }

    /// After each tick: rests or interrupts if the act has come as far as a `pause` said.
    pub(super) fn heed_pause(&mut self) {
        if self.goal.is_none() {
            if !matches!(self.acts.last(), Some(Act::Pause { .. })) {
                self.pause = None;
            }
            return;
        }
        let Some(Pause { moments, ticks }) = self.pause else { return };
        if (self.step as u64) < moments {
            return;
        }
        match ticks {
            None => {
                self.goal = None;
                self.pause = None;
            }
            Some(ticks) if self.quiet >= ticks => {
                self.pause = None;
                self.interrupt();
            }
            Some(_) => {}
        }
    }

    /// Puts a branch in the place of the one on screen and gives that one; what belongs to all of them stays.
    pub(super) fn put_on_screen(&mut self, branch: Sandbox) -> Sandbox {
        let mut left = branch;
        std::mem::swap(self, &mut left);
        self.branches = std::mem::take(&mut left.branches);
        self.current = left.current;
        self.looks = left.looks;
        self.notice = left.notice.take();
        self.seq = left.seq;
        self.events = std::mem::take(&mut left.events);
        self.changes = std::mem::take(&mut left.changes);
        self.last_changes = 0;
        left
    }
}

/// A moment's mark, changed before anyone has seen it.
pub(super) fn mark_of(entry: &mut super::timeline::Entry) -> &mut tidemark_protocol::MomentMark {
    &mut Rc::make_mut(&mut entry.moment).mark
}
