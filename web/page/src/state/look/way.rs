//! The way of a row: asked of the engine for the moment on screen, as long as one is followed.

use std::rc::Rc;

use tidemark_protocol::{Command, Hop, HopKind, Lineage, LineageOf, ObjectView, Place, SinkRow};

use crate::state::heard;
use crate::state::model::{Model, World};

/// What is followed, and what is known of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Way {
    /// The row or the line that is followed.
    pub of: Option<LineageOf>,
    /// Its way, or its ways.
    pub found: Option<Rc<Lineage>>,
    asked: Option<(u64, Place)>,
    /// The line of a doubled row: all its ways are asked for too.
    line: Option<LineageOf>,
}

/// One of the ways of a line: from a batch to a row.
pub type OneWay<'a> = Vec<&'a Hop>;

impl Way {
    /// The lines at the beginning, and the ways from there.
    pub fn parts(&self) -> (Vec<&Hop>, Vec<OneWay<'_>>) {
        let Some(lineage) = &self.found else { return Default::default() };
        let from = lineage.hops.iter().take_while(|hop| hop.kind == HopKind::Input).collect::<Vec<_>>();
        let mut ways: Vec<OneWay<'_>> = Vec::new();
        let mut open = false;
        for hop in &lineage.hops[from.len()..] {
            match ways.last_mut() {
                Some(way) if open => way.push(hop),
                _ => ways.push(vec![hop]),
            }
            open = hop.kind != HopKind::Row;
        }
        (from, ways)
    }

    /// Whether an object lies on the way.
    pub fn touches(&self, path: &str) -> bool {
        self.hops().any(|hop| hop.path.as_deref() == Some(path))
    }

    /// Whether a line of a file lies on the way.
    pub fn touches_line(&self, path: &str, line: u32) -> bool {
        let is_followed =
            matches!(&self.of, Some(LineageOf::Line { path: p, line: l }) if p == path && *l == line);
        is_followed || self.hops().any(|hop| hop.path.as_deref() == Some(path) && hop.line == Some(line))
    }

    /// Whether a batch of a run lies on the way.
    pub fn touches_batch(&self, run: u32, batch: i64) -> bool {
        self.hops().any(|hop| hop.kind == HopKind::Batch && hop.run == Some(run) && hop.batch == Some(batch))
    }

    /// Whether a row of a table lies on the way.
    pub fn touches_row(&self, sink: &str, row: usize) -> bool {
        self.hops().any(|hop| hop.path.as_deref() == Some(sink) && hop.row == Some(row))
    }

    /// Whether this row is the one that is followed.
    pub fn is_row(&self, sink: &str, row: usize) -> bool {
        matches!(&self.of, Some(LineageOf::Row { sink: s, row: r }) if s == sink && *r == row)
    }

    fn hops(&self) -> impl Iterator<Item = &Hop> {
        self.found.iter().flat_map(|lineage| &lineage.hops)
    }
}

/// Follows something, or nothing more; the same twice is nothing more.
pub(in crate::state) fn trace(model: &mut Model, of: Option<LineageOf>) {
    let way = &mut model.world_mut().way;
    let of = if way.of == of { None } else { of };
    *way = Way { of, ..Way::default() };
}

/// Asks for the way as of the moment on screen, if another one is at hand.
pub(in crate::state) fn ask(model: &mut Model) {
    let Some(view) = model.world.view.clone() else { return };
    let Some(of) = model.world.way.of.clone() else { return };
    if model.world.awaiting.is_some() || model.world.busy.is_some() {
        return;
    }
    let here = Place { branch: model.world.branch, moment: view.moment };
    if model.world.way.asked.is_some_and(|(_, place)| place == here) {
        return;
    }
    let number = model.post(Command::Follow { moment: here.moment, of });
    let way = &mut model.world_mut().way;
    way.asked = Some((number, here));
    way.line = None;
}

/// Takes a way, if it is the one that was asked for last.
pub(in crate::state) fn take(model: &mut Model, number: u64, lineage: Lineage) {
    let Some((asked, here)) = model.world.way.asked else { return };
    if asked != number {
        return;
    }
    let is_first = model.world.way.line.is_none();
    let line = line_of_doubled(&model.world, &lineage).filter(|_| is_first);
    let input = lineage.hops.iter().find(|hop| hop.kind == HopKind::Input && hop.path.is_some());
    let input = input.and_then(|hop| hop.path.clone());
    let way = &mut model.world_mut().way;
    way.found = Some(Rc::new(lineage));
    if let Some(of) = line {
        let number = model.post(Command::Follow { moment: here.moment, of: of.clone() });
        let way = &mut model.world_mut().way;
        way.asked = Some((number, here));
        way.line = Some(of);
    }
    // The file that the row came from lights up in the store and opens; from a line it is open already.
    let from_row = matches!(model.world.way.of, Some(LineageOf::Row { .. }));
    if let Some(path) = input.filter(|_| from_row && is_first) {
        let ui = model.ui_mut();
        ui.selected = Some(path);
        ui.follow = false;
        heard::read(model);
    }
}

/// What was asked of a worker that has died is asked again.
pub(in crate::state) fn forget(model: &mut Model) {
    model.world_mut().way.asked = None;
}

/// The line of a row that stands more than once: it has gone several ways.
fn line_of_doubled(world: &World, lineage: &Lineage) -> Option<LineageOf> {
    let Some(LineageOf::Row { sink, row }) = &world.way.of else { return None };
    if row_at(world, sink, *row)?.copies < 2 {
        return None;
    }
    let mut inputs = lineage.hops.iter().filter(|hop| hop.kind == HopKind::Input);
    let (only, None) = (inputs.next()?, inputs.next()) else { return None };
    Some(LineageOf::Line { path: only.path.clone()?, line: only.line? })
}

fn row_at<'a>(world: &'a World, sink: &str, row: usize) -> Option<&'a SinkRow> {
    world.view.as_ref()?.sinks.iter().find(|found| found.name == sink)?.rows.get(row)
}

/// The lines of an opened file that are rows: the row of this place stands on that line, from 1.
pub fn line_numbers(object: &ObjectView) -> Vec<u32> {
    (1..).zip(object.raw.lines()).filter(|(_, line)| !line.trim().is_empty()).map(|(at, _)| at).collect()
}

#[cfg(test)]
mod tests {
    use tidemark_protocol::{Change, FromWorker, ScriptState, SinkView};

    use super::*;
    use crate::state::tests::conversation::{Page, view, with_file};
    use crate::state::{Action, Deed};

    fn hop(kind: HopKind, path: &str) -> Hop {
        let path = Some(path.to_owned());
        Hop {
            kind,
            name: String::new(),
            text: String::new(),
            path,
            line: None,
            batch: None,
            run: None,
            row: None,
        }
    }

    fn way(kinds: &[HopKind]) -> Way {
        let hops = kinds.iter().map(|kind| hop(*kind, "in/a.json")).collect();
        let lineage = Lineage { sentence: String::new(), hops, sure: true };
        Way { found: Some(Rc::new(lineage)), ..Way::default() }
    }

    #[test]
    fn ways_part_at_rows() {
        use HopKind as K;
        for (kinds, from, ways) in [
            (&[K::Input, K::Batch, K::File, K::Version, K::Row][..], 1, vec![4]),
            (&[K::Input, K::Input, K::Batch, K::State, K::Row], 2, vec![3]),
            (&[K::Input, K::Batch, K::Row, K::Batch, K::File, K::Row], 1, vec![2, 3]),
            (&[K::Input, K::Batch], 1, vec![1]),
            (&[K::File, K::Row], 0, vec![2]),
            (&[], 0, vec![]),
        ] {
            let way = way(kinds);
            let (inputs, found) = way.parts();
            assert_eq!(inputs.len(), from, "{kinds:?}");
            assert_eq!(found.iter().map(Vec::len).collect::<Vec<_>>(), ways, "{kinds:?}");
        }
    }

    /// A page with a table whose only row stands twice.
    fn page_with_a_doubled_row() -> Page {
        let row =
            SinkRow { cells: vec!["3".to_owned()], batch: Some(0), version: Some(0), file: None, copies: 2 };
        let mut shown = with_file(view(0, "", ScriptState::Ended), "in/b.json", Change::Same);
        shown.sinks.push(SinkView {
            name: "out/".to_owned(),
            kind: "delta".to_owned(),
            version: Some(1),
            columns: vec!["id".to_owned()],
            rows: vec![row.clone(), row],
            total: 2,
            orphans: vec![],
            text: String::new(),
        });
        let mut page = Page::open();
        page.act(Action::Do(Deed::Drop));
        page.answer(shown, 1);
        page
    }

    #[test]
    fn a_doubled_row_is_followed_to_its_line_and_on_to_all_its_rows() {
        let mut page = page_with_a_doubled_row();
        let of = LineageOf::Row { sink: "out/".to_owned(), row: 1 };
        page.act(Action::Trace(Some(of.clone())));
        assert_eq!(*page.command(), Command::Follow { moment: 0, of: of.clone() });
        let number = page.last().number;
        let line = Hop { line: Some(1), ..hop(HopKind::Input, "in/b.json") };
        let lineage = Lineage { sentence: "one way".to_owned(), hops: vec![line], sure: true };
        page.hear(FromWorker::Followed { number, lineage: Box::new(lineage.clone()) });
        assert_eq!(page.model.ui.selected.as_deref(), Some("in/b.json"), "the file opens");
        let asked = page.asked.iter().rev().find_map(|request| match &request.command {
            Command::Follow { of, .. } => Some((request.number, of.clone())),
            _ => None,
        });
        let (number, line) = asked.expect("the line is followed");
        assert_eq!(line, LineageOf::Line { path: "in/b.json".to_owned(), line: 1 });
        let both = Lineage { sentence: "two ways".to_owned(), ..lineage };
        page.hear(FromWorker::Followed { number, lineage: Box::new(both) });
        let way = &page.model.world.way;
        assert_eq!(way.found.as_ref().map(|found| found.sentence.as_str()), Some("two ways"));
        assert!(way.is_row("out/", 1) && way.touches_line("in/b.json", 1));
        // The same again is nothing more.
        page.act(Action::Trace(Some(of)));
        assert_eq!(page.model.world.way, Way::default());
    }

    #[test]
    fn a_stale_way_is_left_aside() {
        let mut page = page_with_a_doubled_row();
        page.act(Action::Trace(Some(LineageOf::Line { path: "in/b.json".to_owned(), line: 1 })));
        let number = page.last().number;
        page.act(Action::Trace(Some(LineageOf::Line { path: "in/b.json".to_owned(), line: 2 })));
        let lineage = Box::new(Lineage { sentence: "old".to_owned(), ..Lineage::default() });
        page.hear(FromWorker::Followed { number, lineage });
        assert_eq!(page.model.world.way.found, None);
    }

    #[test]
    fn what_lies_on_a_way() {
        let way = way(&[HopKind::Input]);
        assert!(way.touches("in/a.json") && !way.touches("in/b.json"));
        assert!(!way.touches_line("in/a.json", 1) && !way.touches_batch(1, 0));
    }
}
