//! The playhead: where a move along the rail leads.

use tidemark_protocol::{MomentMark, Place};

use crate::state::heard;
use crate::state::model::{Model, World};

/// Puts the playhead on a moment and asks for its picture.
pub(super) fn go(model: &mut Model, moment: usize) {
    if model.world.awaiting.is_some() {
        model.say("The engine is at work. Stop it first, then look around.");
        return;
    }
    let last = model.world.marks.len().saturating_sub(1);
    let moment = moment.min(model.world.curtain.veil.unwrap_or(last)).min(last);
    if moment == model.world.moment {
        return;
    }
    model.world_mut().moment = moment;
    heard::look_again(model);
}

/// The moment so many steps away.
pub fn by(here: usize, steps: i64, moments: usize) -> usize {
    let last = moments.saturating_sub(1) as i64;
    (here as i64 + steps).clamp(0, last) as usize
}

/// The first moment of the next batch, or of this or the previous one.
pub fn by_batch(marks: &[MomentMark], here: usize, forward: bool) -> usize {
    jump(marks, here, forward, |mark| mark.batch.map(|batch| (mark.run, batch)))
}

/// The first moment of the next run, or of this or the previous one.
pub fn by_run(marks: &[MomentMark], here: usize, forward: bool) -> usize {
    jump(marks, here, forward, |mark| (mark.run > 0).then_some((mark.run, 0)))
}

/// The nearest beginning of a group in the direction; the end of the rail if there is none.
fn jump(
    marks: &[MomentMark],
    here: usize,
    forward: bool,
    group: impl Fn(&MomentMark) -> Option<(u32, i64)>,
) -> usize {
    let begins = |at: &usize| {
        let this = group(&marks[*at]);
        this.is_some() && (*at == 0 || group(&marks[*at - 1]) != this)
    };
    let last = marks.len().saturating_sub(1);
    if forward {
        (here + 1..marks.len()).find(begins).unwrap_or(last)
    } else {
        (0..here.min(marks.len())).rev().find(begins).unwrap_or(0)
    }
}

/// A place worth going to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Jump {
    /// What it is.
    pub word: &'static str,
    /// Its icon.
    pub icon: &'static str,
    /// Where it is.
    pub place: Place,
}

/// The next output, dropped row, act and crash after the playhead, and the first duplicate of any branch.
pub fn jumps(world: &World) -> Vec<Jump> {
    let here = |moment: usize| Place { branch: world.branch, moment };
    let next = |is_it: fn(&MomentMark) -> bool| {
        let after = world.moment + 1..world.marks.len();
        after.into_iter().find(|at| is_it(&world.marks[*at])).map(here)
    };
    let double = |marks: &[MomentMark]| marks.iter().position(|mark| mark.duplicate);
    let first_double = double(&world.marks).map(here).or_else(|| {
        let mut all = world.branches.iter().enumerate();
        all.find_map(|(branch, kept)| Some(Place { branch, moment: double(&kept.marks)? }))
    });
    let found = [
        ("next output", "diamond", next(|mark| mark.output)),
        ("next dropped row", "cross", next(|mark| mark.dropped > 0)),
        ("next act", "dot", next(|mark| mark.act && !mark.crash)),
        ("next crash", "bolt", next(|mark| mark.crash)),
        ("first duplicate", "ring", first_double),
    ];
    found.into_iter().filter_map(|(word, icon, place)| Some(Jump { word, icon, place: place? })).collect()
}

/// A stretch of the rail that belongs to one run or one batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// Its first moment.
    pub at: usize,
    /// How many moments it has.
    pub len: usize,
    /// Its number.
    pub number: i64,
}

/// The runs on the rail.
pub fn runs(marks: &[MomentMark]) -> Vec<Stretch> {
    stretches(marks, |mark| (mark.run > 0).then_some((mark.run, i64::from(mark.run))))
}

/// The batches on the rail.
pub fn batches(marks: &[MomentMark]) -> Vec<Stretch> {
    stretches(marks, |mark| mark.batch.map(|batch| (mark.run, batch)))
}

fn stretches(marks: &[MomentMark], key: impl Fn(&MomentMark) -> Option<(u32, i64)>) -> Vec<Stretch> {
    let mut found: Vec<Stretch> = Vec::new();
    let mut open = None;
    for (at, mark) in marks.iter().enumerate() {
        let this = key(mark);
        match this {
            Some(_) if this == open => found.last_mut().expect("an open stretch is in the list").len += 1,
            Some((_, number)) => found.push(Stretch { at, len: 1, number }),
            None => {}
        }
        open = this;
    }
    found
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::*;
    use crate::state::model::{Screen, Theme};
    use crate::state::tests::conversation;

    fn rail(pattern: &[(u32, Option<i64>)]) -> Vec<MomentMark> {
        let mark = |&(run, batch)| MomentMark { run, batch, ..conversation::mark() };
        pattern.iter().map(mark).collect()
    }

    #[test]
    fn runs_and_batches_are_stretches() {
        let marks =
            rail(&[(0, None), (1, None), (1, Some(0)), (1, Some(0)), (2, None), (3, Some(1)), (4, Some(1))]);
        assert_eq!(
            runs(&marks).iter().map(|s| (s.at, s.len)).collect::<Vec<_>>(),
            [(1, 3), (4, 1), (5, 1), (6, 1)]
        );
        let found: Vec<_> = batches(&marks).iter().map(|s| (s.at, s.len, s.number)).collect();
        assert_eq!(found, [(2, 2, 0), (5, 1, 1), (6, 1, 1)]);
    }

    #[test]
    fn jumps_go_to_beginnings() {
        let marks = rail(&[(0, None), (1, None), (1, Some(0)), (1, Some(0)), (2, None), (3, Some(1))]);
        for (here, forward, batch, run) in [
            (0, true, 2, 1),
            (2, true, 5, 4),
            (5, true, 5, 5),
            (5, false, 2, 4),
            (3, false, 2, 1),
            (1, false, 0, 0),
        ] {
            assert_eq!(by_batch(&marks, here, forward), batch, "batch from {here}");
            assert_eq!(by_run(&marks, here, forward), run, "run from {here}");
        }
    }

    #[test]
    fn jumps_lead_to_what_happens_next() {
        let mut world = (*Model::fresh(Screen::Sandbox, Theme::System).world).clone();
        let mut marks = rail(&[(1, Some(0)); 8]);
        (marks[1].output, marks[2].dropped, marks[3].act, marks[4].crash) = (true, 2, true, true);
        (marks[5].output, marks[6].duplicate, marks[7].dropped) = (true, true, 1);
        world.marks = Rc::new(marks);
        for (moment, wanted) in [
            (0, "next output 1, next dropped row 2, next act 3, next crash 4, first duplicate 6"),
            (2, "next output 5, next dropped row 7, next act 3, next crash 4, first duplicate 6"),
            (6, "next dropped row 7, first duplicate 6"),
        ] {
            world.moment = moment;
            let found = jumps(&world).into_iter().map(|jump| format!("{} {}", jump.word, jump.place.moment));
            assert_eq!(found.collect::<Vec<_>>().join(", "), wanted, "from {moment}");
        }
    }

    #[test]
    fn steps_stay_on_the_rail() {
        for (here, steps, moments, there) in [(0, -1, 5, 0), (0, 1, 5, 1), (4, 3, 5, 4), (0, 1, 0, 0)] {
            assert_eq!(by(here, steps, moments), there);
        }
    }
}
