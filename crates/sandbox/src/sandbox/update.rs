//! What the page asks: views of moments, objects, updates.

use std::rc::Rc;

use tidemark_protocol::{
    Act, Busy, Lineage, LineageOf, ModesView, MomentMark, ObjectView, PlaneView, StateView, Update, View,
};

use super::Sandbox;
use crate::view::view;
use crate::{lineage, modes, object, plane, state_view};

impl Sandbox {
    /// The view of a moment; the newest for an index behind the end.
    pub fn view_at(&self, index: usize) -> View {
        let index = index.min(self.moments.len() - 1);
        let before = index.checked_sub(1).and_then(|at| self.moments.get(at)).map(|m| &m.world);
        view(index, &self.moments[index], before)
    }

    /// An object as of a moment.
    pub fn object_at(&self, index: usize, path: &str) -> ObjectView {
        let index = index.min(self.moments.len() - 1);
        object::open(&self.moments[index].world, path)
    }

    /// The way of a row or of an input line as of a moment.
    pub fn follow_at(&self, index: usize, of: &LineageOf) -> Lineage {
        let moment = &self.moments[index.min(self.moments.len() - 1)];
        lineage::follow(&moment.world, &moment.lanes, &moment.memories, of)
    }

    /// The time plane of a query as of a moment; of the one with a watermark that started last if none is named.
    pub fn plane_at(&self, index: usize, query: Option<usize>) -> PlaneView {
        let index = index.min(self.moments.len() - 1);
        let moment = &self.moments[index];
        plane::plane(&moment.world, &moment.lanes, query)
    }

    /// What each output mode hands to the sink, over the input up to a moment; of the query that started last if none is
    /// named.
    pub fn modes_at(&self, index: usize, query: Option<usize>) -> ModesView {
        let index = index.min(self.moments.len() - 1);
        let moment = &self.moments[index];
        modes::modes(&moment.world, &moment.lanes, query)
    }

    /// The state of a query as of a moment, after a batch; of the one with state that started last, after its newest
    /// batch, if none is named.
    pub fn state_at(&self, index: usize, query: Option<usize>, batch: Option<i64>) -> StateView {
        let index = index.min(self.moments.len() - 1);
        let moment = &self.moments[index];
        state_view::state(&moment.world, &moment.lanes, query, batch)
    }

    /// How the sandbox stands, for the page; marks and acts since the last update. Facts that nobody has taken are dropped.
    pub fn update(&mut self, number: u64, moment: usize) -> Update {
        let first_mark = self.marks_sent.min(self.moments.len());
        let marks: Vec<MomentMark> = self.moments.skip(first_mark).iter().map(|m| m.mark.clone()).collect();
        self.marks_sent = self.moments.len();
        let (first_act, acts) = self.new_acts();
        self.events.clear();
        self.changes.clear();
        self.last_changes = 0;
        let mut view = self.view_at(moment);
        if let Some(notice) = self.notice.as_ref().filter(|_| moment + 1 >= self.moments.len()) {
            view.sentence = format!("{} {notice}", view.sentence);
        }
        Update {
            number,
            view: Rc::new(view),
            marks,
            first_mark,
            moments: self.moments.len(),
            branch: self.current,
            branches: self.branch_marks(),
            acts,
            first_act,
            busy: self.is_busy().then(|| Busy { what: self.busy_text() }),
        }
    }

    /// The acts since the last update. While acts wait to be done again, the page has them and keeps its own.
    fn new_acts(&mut self) -> (usize, Vec<Act>) {
        if !self.queue.is_empty() {
            return (self.acts.len() + self.queue.len(), Vec::new());
        }
        let first = self.acts_sent.min(self.acts.len());
        self.acts_sent = self.acts.len();
        (first, self.acts[first..].to_vec())
    }

    pub(super) fn busy_text(&self) -> String {
        let batch = self.moments.iter().rev().find_map(|m| m.mark.batch);
        match batch {
            Some(batch) => format!("batch {batch}, {} rows", self.rows),
            None => format!("line {}", self.script.line.unwrap_or(0)),
        }
    }
}
