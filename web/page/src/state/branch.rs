//! The branches as the page keeps them: marks and acts of each, so that a switch is a picture at once and a new worker
//! can begin again.

use std::rc::Rc;

use tidemark_protocol::{Act, BatchView, BranchMark, Fork, MomentMark, StepState, Update, Work, WorkBranch};

use crate::state::model::World;

/// One branch.
#[derive(Clone, Debug, PartialEq)]
pub struct Branch {
    /// Its name.
    pub name: String,
    /// Where it left an older one.
    pub fork: Option<Fork>,
    /// How many moments it has, the shared ones included.
    pub moments: usize,
    /// Those of its moments that have been heard of, from the first on.
    pub marks: Rc<Vec<MomentMark>>,
    /// Its acts, the shared ones included.
    pub acts: Rc<Vec<Act>>,
    /// Batches without a row, each with its run.
    pub idle: Vec<(u32, i64)>,
}

impl Branch {
    fn of(mark: &BranchMark, marks: Rc<Vec<MomentMark>>, acts: Rc<Vec<Act>>) -> Branch {
        Branch {
            name: mark.name.clone(),
            fork: mark.fork,
            moments: mark.moments,
            marks,
            acts,
            idle: Vec::new(),
        }
    }
}

/// Takes the branches of an update into the world: its marks and acts are those of the branch on screen.
pub(super) fn take(world: &mut World, update: &Update) {
    adopt(world, &update.branches);
    let place = update.branch.min(world.branches.len().saturating_sub(1));
    if world.branches.is_empty() {
        let main = BranchMark { name: "main".to_owned(), fork: None, moments: update.moments };
        world.branches.push(Branch::of(&main, world.marks.clone(), world.acts.clone()));
    }
    // The lists leave the branch for a moment, so that they are changed in their place.
    let branch = &mut world.branches[place];
    let (mut marks, mut acts) = (std::mem::take(&mut branch.marks), std::mem::take(&mut branch.acts));
    world.marks = Rc::default();
    world.acts = Rc::default();
    let list = Rc::make_mut(&mut marks);
    list.truncate(update.first_mark);
    list.extend(update.marks.iter().cloned());
    list.truncate(update.moments);
    let list = Rc::make_mut(&mut acts);
    list.truncate(update.first_act);
    list.extend(update.acts.iter().cloned());
    for query in &update.view.queries {
        // A second try that the sink skips has rows, though it reads none.
        let is_skipped = |batch: &BatchView| batch.steps.iter().any(|step| step.state == StepState::Skipped);
        let is_idle = |batch: &&BatchView| batch.input_rows == 0 && !batch.crashed && !is_skipped(batch);
        for batch in &query.batches {
            // An update in the middle of a run may know a batch before its rows are counted.
            let found = (batch.run, batch.batch);
            branch.idle.retain(|known| *known != found);
            branch.idle.extend(is_idle(&batch).then_some(found));
        }
    }
    branch.moments = update.moments;
    branch.marks = marks.clone();
    branch.acts = acts.clone();
    world.branch = place;
    world.marks = marks;
    world.acts = acts;
}

/// Takes kept work into the world: acts are there, marks come with the engine's first answer.
pub(super) fn restore(world: &mut World, work: &Work) {
    let branch = |(place, kept): (usize, &WorkBranch)| {
        let mark = BranchMark { name: kept.name.clone(), fork: kept.fork, moments: 0 };
        Branch::of(&mark, Rc::default(), Rc::new(work.acts(place)))
    };
    world.branches = work.branches.iter().enumerate().map(branch).collect();
    world.branch = work.current.min(world.branches.len().saturating_sub(1));
    world.acts = world.branches.get(world.branch).map_or_else(Rc::default, |branch| branch.acts.clone());
}

/// Matches the branches that are kept with those that there are now.
fn adopt(world: &mut World, now: &[BranchMark]) {
    if now.is_empty() {
        return;
    }
    let before = std::mem::take(&mut world.branches);
    let is_same = |(old, new): (&Branch, &BranchMark)| {
        old.name == new.name || (old.fork, old.moments) == (new.fork, new.moments)
    };
    let is_renamed = before.len() == now.len() && before.iter().zip(now).all(is_same);
    let mut from = 0;
    for (place, mark) in now.iter().enumerate() {
        let found = if is_renamed {
            Some(place)
        } else {
            (from..before.len()).find(|at| before[*at].name == mark.name)
        };
        let branch = match found.and_then(|at| Some((at, before.get(at)?))) {
            Some((at, old)) => {
                from = at + 1;
                let kept = Branch::of(mark, old.marks.clone(), old.acts.clone());
                Branch { idle: old.idle.clone(), ..kept }
            }
            None => begun(world, mark),
        };
        world.branches.push(branch);
    }
}

/// A branch that is new: it begins with what it shares.
fn begun(world: &World, mark: &BranchMark) -> Branch {
    let parent = mark.fork.and_then(|fork| Some((fork, world.branches.get(fork.branch)?)));
    let Some((fork, parent)) = parent else {
        let is_first = world.branches.is_empty();
        let acts = if is_first { world.acts.clone() } else { Rc::default() };
        return Branch::of(mark, Rc::default(), acts);
    };
    let marks = parent.marks.iter().take(fork.moment + 1).cloned().collect();
    let acts = parent.acts.iter().take(fork.acts).cloned().collect();
    Branch::of(mark, Rc::new(marks), Rc::new(acts))
}

impl World {
    /// All that a new worker needs to begin again.
    pub fn work(&self) -> Work {
        if self.branches.is_empty() {
            return Work::of_acts(self.acts.to_vec());
        }
        let own = |(place, branch): (usize, &Branch)| {
            let acts = if place == self.branch { &self.acts } else { &branch.acts };
            let shared = branch.fork.map_or(0, |fork| fork.acts.min(acts.len()));
            WorkBranch { name: branch.name.clone(), fork: branch.fork, acts: acts[shared..].to_vec() }
        };
        let branches = self.branches.iter().enumerate().map(own).collect();
        Work { branches, current: self.branch, moment: None }
    }

    /// The branch on screen, once the engine has told of it.
    pub fn on_screen(&self) -> Option<&Branch> {
        self.branches.get(self.branch)
    }

    /// The name of a branch.
    pub fn branch_name(&self, place: usize) -> &str {
        self.branches.get(place).map_or("main", |branch| &branch.name)
    }
}
