//! How the branches lie on the rail: which are drawn, each in a row of its own, from its fork on.

use std::rc::Rc;

use tidemark_protocol::MomentMark;

use crate::state::model::World;

/// Rows that fit.
pub const ROWS_MAX: usize = 3;

/// A branch as it is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Its place among the branches.
    pub branch: usize,
    /// Its name.
    pub name: String,
    /// The row it lies in.
    pub row: usize,
    /// The moment after which it leaves, and the row of the branch that it leaves; none if it is drawn from the start.
    pub fork: Option<(usize, usize)>,
    /// Its first moment that is drawn.
    pub from: usize,
    /// How many moments it has.
    pub moments: usize,
    /// Its marks, as far as they are known.
    pub marks: Rc<Vec<MomentMark>>,
    /// Batches without a row.
    pub idle: Vec<(u32, i64)>,
}

/// The axis of the rail, and of whatever stands above it.
pub struct Axis {
    /// The branches that are drawn.
    pub lines: Rc<Vec<Line>>,
    /// How many are not.
    pub hidden: usize,
    /// The moment at its right end.
    pub of: usize,
}

/// The axis: a moment lies at its share of `of` from the left.
pub fn axis(world: &World) -> Axis {
    let (lines, hidden) = lines(world);
    let of = room(length(&lines, world.seen()), world);
    Axis { lines: Rc::new(lines), hidden, of }
}

/// The branches that are drawn: the one on screen, those it hangs on, and the youngest others; the rest is counted.
fn lines(world: &World) -> (Vec<Line>, usize) {
    let shown = shown(world);
    let hidden = world.branches.len() - shown.len();
    let row_of = |branch: usize| shown.iter().position(|other| *other == branch);
    let line = |(row, place): (usize, &usize)| {
        let branch = &world.branches[*place];
        let fork = branch.fork.and_then(|fork| Some((fork.moment, row_of(fork.branch)?)));
        let marks = if *place == world.branch { world.marks.clone() } else { branch.marks.clone() };
        // What a lesson still covers is not drawn.
        let seen = if *place == world.branch { world.seen() } else { usize::MAX };
        let marks = if marks.len() > seen { Rc::new(marks[..seen].to_vec()) } else { marks };
        Line {
            branch: *place,
            name: branch.name.clone(),
            row,
            fork,
            from: fork.map_or(0, |(moment, _)| moment + 1),
            moments: branch.moments.min(seen),
            marks,
            idle: branch.idle.clone(),
        }
    };
    (shown.iter().enumerate().map(line).collect(), hidden)
}

/// The places of the branches that are drawn, in their order.
fn shown(world: &World) -> Vec<usize> {
    let mut shown = Vec::new();
    let mut next = (world.branch < world.branches.len()).then_some(world.branch);
    while let Some(place) = next.filter(|_| shown.len() < ROWS_MAX) {
        shown.push(place);
        next = world.branches[place].fork.map(|fork| fork.branch).filter(|parent| *parent < place);
    }
    for place in (0..world.branches.len()).rev() {
        if shown.len() < ROWS_MAX && !shown.contains(&place) {
            shown.push(place);
        }
    }
    shown.sort_unstable();
    shown
}

/// The last moment of the longest branch that is drawn, at least 1.
fn length(lines: &[Line], moments: usize) -> usize {
    let longest = lines.iter().map(|line| line.moments).chain([moments]).max().unwrap_or(1);
    longest.saturating_sub(1).max(1)
}

/// The length with room for what is to come, where a lesson still covers it.
fn room(length: usize, world: &World) -> usize {
    if world.curtain.veil.is_some() { length + length * 2 / 5 + 2 } else { length }
}

/// The line under a pointer: the nearest row that reaches this far, or the one on screen.
pub fn line_at(lines: &[Line], row: f64, moment: usize, on_screen: usize) -> Option<&Line> {
    let reaches = |line: &&Line| line.from <= moment + 1 && moment < line.moments + 1;
    let far = |line: &&Line| (line.row as f64 - row).abs();
    let near = lines.iter().filter(reaches).min_by(|one, other| far(one).total_cmp(&far(other)));
    near.filter(|line| far(line) < 0.6).or_else(|| lines.iter().find(|line| line.branch == on_screen))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::branch::Branch;
    use crate::state::model::{Model, Screen, Theme};
    use tidemark_protocol::Fork;

    fn world(forks: &[(Option<usize>, usize)], on_screen: usize) -> World {
        let mut world = (*Model::fresh(Screen::Sandbox, Theme::System).world).clone();
        let branch = |(fork, moments): &(Option<usize>, usize)| Branch {
            name: "b".to_owned(),
            fork: fork.map(|branch| Fork { branch, moment: 4, acts: 2 }),
            moments: *moments,
            marks: Rc::default(),
            acts: Rc::default(),
            idle: vec![],
        };
        world.branches = forks.iter().map(branch).collect();
        world.branch = on_screen;
        world
    }

    #[test]
    fn the_branch_on_screen_and_its_parents_are_drawn() {
        let forks = [(None, 9), (Some(0), 8), (Some(0), 20), (Some(1), 7), (Some(0), 6)];
        for (on_screen, drawn) in [(0, vec![0, 3, 4]), (3, vec![0, 1, 3]), (2, vec![0, 2, 4])] {
            let (lines, hidden) = lines(&world(&forks, on_screen));
            assert_eq!(lines.iter().map(|line| line.branch).collect::<Vec<_>>(), drawn);
            assert_eq!(hidden, 2);
        }
    }

    #[test]
    fn a_branch_begins_behind_its_fork() {
        let (found, _) = lines(&world(&[(None, 9), (Some(0), 12)], 1));
        assert_eq!((found[0].from, found[1].from, found[1].fork), (0, 5, Some((4, 0))));
        assert_eq!(length(&found, 12), 11);
        for (row, moment, branch) in [(0.1, 3, 0), (1.0, 8, 1), (1.0, 2, 1), (0.2, 11, 1)] {
            let there = line_at(&found, row, moment, 1).map(|line| line.branch);
            assert_eq!(there, Some(branch), "row {row}, moment {moment}");
        }
    }
}
