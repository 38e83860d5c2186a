//! The comparison: which two moments stand side by side, asked of the engine while the picture is on.

use tidemark_protocol::{Command, Place};

use crate::state::model::{Model, Ui, World};
use crate::state::tabs::Tab;

/// One of the two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The left one, A.
    Left,
    /// The right one, B.
    Right,
}

/// The two moments. The side on the branch on screen follows the playhead.
pub fn sides(world: &World, ui: &Ui) -> Option<(Place, Place)> {
    let here = Place { branch: world.branch, moment: world.moment };
    let Some((left, right)) = ui.sides.filter(|(left, right)| has(world, *left) && has(world, *right)) else {
        return chosen(world, here);
    };
    Some(match follower(world, (left, right)) {
        Some(Side::Right) => (left, here),
        Some(Side::Left) => (here, right),
        None => (left, right),
    })
}

/// The side that follows the playhead, if one is on the branch on screen.
pub fn follower(world: &World, (left, right): (Place, Place)) -> Option<Side> {
    if right.branch == world.branch {
        Some(Side::Right)
    } else {
        (left.branch == world.branch).then_some(Side::Left)
    }
}

fn has(world: &World, place: Place) -> bool {
    world.branches.get(place.branch).is_some_and(|branch| place.moment < branch.moments)
}

/// What is compared before anything was chosen: this branch and the one it left, or the last run and what was before it.
fn chosen(world: &World, here: Place) -> Option<(Place, Place)> {
    let own = world.branches.get(world.branch)?;
    let other = own.fork.map(|fork| fork.branch).filter(|parent| *parent < world.branches.len());
    let other = other.or_else(|| (0..world.branches.len()).rev().find(|place| *place != world.branch));
    if let Some(other) = other {
        let there = Place { branch: other, moment: world.branches[other].moments.saturating_sub(1) };
        return Some(if other < world.branch { (there, here) } else { (here, there) });
    }
    let run = world.marks.get(world.moment)?.run;
    let before = world.marks.iter().position(|mark| mark.run == run && run > 0)?.checked_sub(1)?;
    Some((Place { branch: here.branch, moment: before }, here))
}

/// Asks for the comparison if the one at hand is of other moments.
pub(in crate::state) fn ask(model: &mut Model) {
    let world = &model.world;
    if model.ui.tab != Tab::Compare || world.view.is_none() || world.awaiting.is_some() {
        return;
    }
    let Some((left, right)) = sides(world, &model.ui) else { return };
    if world.comparing.is_some_and(|(_, old, new)| (old, new) == (left, right)) {
        return;
    }
    let number = model.post(Command::Compare { left, right });
    model.world_mut().comparing = Some((number, left, right));
}

/// Puts another moment on a side.
pub(in crate::state) fn put(model: &mut Model, side: Side, place: Place) {
    let Some((left, right)) = sides(&model.world, &model.ui) else { return };
    model.ui_mut().sides = Some(match side {
        Side::Left => (place, right),
        Side::Right => (left, place),
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::branch::Branch;
    use crate::state::model::{Screen, Theme};
    use crate::state::tests::conversation;
    use std::rc::Rc;
    use tidemark_protocol::{Fork, MomentMark};

    fn model() -> Model {
        let mut model = Model::fresh(Screen::Sandbox, Theme::System);
        let fork = Fork { branch: 0, moment: 4, acts: 2 };
        let branch = |fork, moments| Branch {
            name: String::new(),
            fork,
            moments,
            marks: Rc::default(),
            acts: Rc::default(),
            idle: vec![],
        };
        let world = Rc::make_mut(&mut model.world);
        world.branches = vec![branch(None, 9), branch(Some(fork), 7)];
        (world.branch, world.moment) = (1, 6);
        model
    }

    const fn place(branch: usize, moment: usize) -> Place {
        Place { branch, moment }
    }

    #[test]
    fn a_branch_is_compared_with_the_one_it_left() {
        let mut model = model();
        assert_eq!(sides(&model.world, &model.ui), Some((place(0, 8), place(1, 6))));
        Rc::make_mut(&mut model.world).moment = 5;
        assert_eq!(sides(&model.world, &model.ui), Some((place(0, 8), place(1, 5))));
        put(&mut model, Side::Left, place(0, 2));
        assert_eq!(sides(&model.world, &model.ui), Some((place(0, 2), place(1, 5))));
        let world = Rc::make_mut(&mut model.world);
        (world.branch, world.moment) = (0, 3);
        assert_eq!(sides(&model.world, &model.ui), Some((place(0, 3), place(1, 5))));
    }

    #[test]
    fn one_branch_is_compared_with_itself_before_its_last_run() {
        let mut model = model();
        let world = Rc::make_mut(&mut model.world);
        world.branches.truncate(1);
        let mark = |run| MomentMark { run, ..conversation::mark() };
        world.marks = Rc::new([0, 0, 1, 1, 2, 2].map(mark).to_vec());
        (world.branch, world.moment) = (0, 5);
        assert_eq!(sides(world, &model.ui.clone()), Some((place(0, 3), place(0, 5))));
    }
}
