//! The windows of a query, batch by batch: what each holds, what it came to, and when it left.

use std::collections::BTreeMap;
use std::sync::Arc;

use tidemark_plan::{OutputMode, Plan};
use tidemark_protocol::{PlaneReach, PlaneValue, PlaneWindow};
use tidemark_types::Batch;

use crate::plane::read::{Asker, Group, ReadRow, grouped, keys_of};
use crate::plane::shape::{Stream, with_rows};

/// A window by its bounds, and its key if it is a session.
pub(super) type WindowId = (i64, i64, String);

/// What is known of a window while the batches are gone through.
#[derive(Clone, Debug, Default)]
struct Story {
    left: Option<i64>,
    values: Vec<PlaneValue>,
    now: String,
}

/// The windows while the batches are gone through, oldest first.
pub(super) struct Windows<'a> {
    plan: &'a Plan,
    window: usize,
    source: u64,
    sessions: bool,
    mode: OutputMode,
    /// Rows that count and whose windows are still open.
    open_rows: Vec<ReadRow>,
    stories: BTreeMap<WindowId, Story>,
    /// The open sessions after each batch.
    reaches: Vec<(i64, WindowId)>,
}

/// What a batch did to the windows.
#[derive(Default)]
pub(super) struct Turn {
    /// Those that left, each with its values.
    pub(super) left: Vec<(WindowId, String)>,
    /// Sessions that several have become.
    pub(super) merged: Vec<WindowId>,
}

impl<'a> Windows<'a> {
    pub(super) fn new(
        plan: &'a Plan,
        window: usize,
        stream: &Stream,
        sessions: bool,
        mode: OutputMode,
    ) -> Windows<'a> {
        let source = stream.source;
        Windows {
            plan,
            window,
            source,
            sessions,
            mode,
            open_rows: Vec::new(),
            stories: BTreeMap::new(),
            reaches: Vec::new(),
        }
    }

    /// Goes through one batch: its rows that count, and the line at which windows leave. Says what became of them.
    pub(super) fn batch(
        &mut self,
        asker: &mut Asker,
        batch: i64,
        rows: &[ReadRow],
        evict: Option<i64>,
    ) -> Turn {
        self.open_rows.extend(rows.iter().cloned());
        let texts = self.texts(asker);
        let mut turn = Turn::default();
        if self.sessions {
            turn.merged = texts.keys().filter(|id| self.pieces(id) > 1).cloned().collect();
            self.reaches.extend(texts.keys().map(|id| (batch, id.clone())));
        }
        // A session that has grown or merged is another window.
        self.stories.retain(|id, story| story.left.is_some() || texts.contains_key(id));
        for (id, text) in texts {
            let leaves = self.mode != OutputMode::Complete && evict.is_some_and(|line| id.1 <= line);
            let story = self.stories.entry(id.clone()).or_default();
            let says = match self.mode {
                OutputMode::Append => leaves,
                OutputMode::Update => story.now != text,
                OutputMode::Complete => true,
            };
            if says {
                story.values.push(PlaneValue { batch, text: text.clone() });
            }
            story.now.clone_from(&text);
            if leaves {
                story.left = Some(batch);
                turn.left.push((id, text));
            }
        }
        let stories = &self.stories;
        let sessions = self.sessions;
        self.open_rows.retain(|row| {
            let mut ids = stories.iter().filter(|(id, _)| holds(id, row, sessions));
            ids.any(|(_, story)| story.left.is_none())
        });
        turn
    }

    /// How many sessions that were open before lie within this one.
    fn pieces(&self, id: &WindowId) -> usize {
        self.stories.iter().filter(|(piece, story)| story.left.is_none() && lies_in(piece, id)).count()
    }

    /// The windows as the page gets them, in the order of their starts.
    pub(super) fn finish(self) -> Vec<PlaneWindow> {
        let reaches = self.reaches;
        let window = |(id, story): (WindowId, Story)| {
            let until = story.left.unwrap_or(i64::MAX);
            let own = reaches.iter().filter(|(batch, piece)| *batch <= until && lies_in(piece, &id));
            let grew =
                own.map(|(batch, (start, end, _))| PlaneReach { batch: *batch, start: *start, end: *end });
            PlaneWindow {
                start: id.0,
                end: id.1,
                grew: grew.collect(),
                key: id.2,
                left: story.left,
                values: story.values,
                now: story.now,
                why: None,
            }
        };
        self.stories.into_iter().map(window).collect()
    }

    /// What every window that is still open stands at, all keys of it together.
    fn texts(&self, asker: &mut Asker) -> BTreeMap<WindowId, String> {
        let rows: Vec<Batch> = self.open_rows.iter().flat_map(|row| row.row.iter().cloned()).collect();
        let Some(schema) = rows.first().map(|row| row.schema().clone()) else { return BTreeMap::new() };
        let Ok(rows) = Batch::concat(&schema, &rows) else { return BTreeMap::new() };
        let plan = with_rows(self.plan, self.source, &Arc::new(vec![rows]));
        let Some(groups) = asker.ask(&plan) else { return BTreeMap::new() };
        let mut texts: BTreeMap<WindowId, String> = BTreeMap::new();
        for Group { start, end, key, value } in grouped(&groups, self.window, keys_of(self.plan)) {
            let id = (start, end, if self.sessions { key.clone() } else { String::new() });
            if self.stories.get(&id).is_some_and(|story| story.left.is_some()) {
                continue;
            }
            let text =
                [key.as_str(), value.as_str()].into_iter().filter(|t| !t.is_empty()).collect::<Vec<_>>();
            let whole = texts.entry(id).or_default();
            if !whole.is_empty() {
                whole.push_str(", ");
            }
            whole.push_str(&text.join(" "));
        }
        texts
    }
}

/// Whether a session lies within another one of its key, or is it.
fn lies_in(piece: &WindowId, whole: &WindowId) -> bool {
    piece.2 == whole.2 && whole.0 <= piece.0 && piece.1 <= whole.1
}

/// Whether a row is in a window.
pub(super) fn holds(id: &WindowId, row: &ReadRow, sessions: bool) -> bool {
    if sessions {
        return (id.2.is_empty() || id.2 == row.key) && row.event.is_some_and(|at| id.0 <= at && at < id.1);
    }
    row.windows.iter().any(|(start, end)| *start == id.0 && *end == id.1)
}
