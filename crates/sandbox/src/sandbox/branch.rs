//! Branches: other futures, each with its acts and moments. The one on screen is the sandbox itself; the others wait.

use imbl::Vector;
use tidemark_protocol::{Act, ArmPlace, BranchMark, Comparison, Fork, Place, Work as SavedWork, WorkBranch};

use super::timeline::Entry;
use super::{Sandbox, SandboxError, Work};
use crate::compare::{Stand, compare};
use crate::fault::in_words;

/// Characters of a branch's name at most.
const NAME_MAX: usize = 40;

/// One branch.
#[derive(Clone, Debug)]
pub(crate) struct Branch {
    pub(super) name: String,
    pub(super) fork: Option<Fork>,
    /// When it was last put on screen, in switches.
    looked: u64,
    shelf: Shelf,
}

/// Where a branch is while it is not on screen.
#[derive(Clone, Debug)]
enum Shelf {
    /// It is on screen.
    OnScreen,
    /// Whole.
    Built(Box<Sandbox>),
    /// Only its acts: it is made when it is looked at, or when there is nothing else to do.
    Folded(Vec<Act>),
    /// On its way.
    Making(Box<Sandbox>),
}

impl Branch {
    pub(super) fn main() -> Branch {
        Branch { name: "main".to_owned(), fork: None, looked: 0, shelf: Shelf::OnScreen }
    }
}

fn refuse<T>(reason: impl Into<String>) -> Result<T, SandboxError> {
    Err(SandboxError(reason.into()))
}

impl Sandbox {
    /// The work to be kept: all branches, each as its acts.
    pub fn work_saved(&self) -> SavedWork {
        let branches = self.branches.iter().enumerate().map(|(at, branch)| {
            let acts = self.acts_of(at);
            let shared = branch.fork.map_or(0, |fork| fork.acts);
            let acts = acts.skip(shared).cloned().collect();
            WorkBranch { name: branch.name.clone(), fork: branch.fork, acts }
        });
        SavedWork { branches: branches.collect(), current: self.current, moment: None }
    }

    /// A sandbox from work that was kept: the branch on screen at once, the others when they are looked at.
    ///
    /// Errors: an act that is refused; those before it are done.
    pub fn open(work: &SavedWork) -> Result<Sandbox, SandboxError> {
        let mut sandbox = Sandbox::opening(work);
        sandbox.rest();
        match sandbox.take_refusal() {
            Some(refusal) => Err(refusal),
            None => Ok(sandbox),
        }
    }

    /// A sandbox that has still to do the acts of kept work: `work` does them.
    pub fn opening(work: &SavedWork) -> Sandbox {
        let mut sandbox = Sandbox::default();
        let branches = work.branches.iter().take(SavedWork::BRANCHES_MAX).enumerate();
        let kept: Vec<Branch> = branches
            .map(|(at, branch)| Branch {
                name: branch.name.clone(),
                fork: branch.fork.filter(|fork| fork.branch < at),
                looked: 0,
                shelf: Shelf::Folded(work.acts(at)),
            })
            .collect();
        if kept.is_empty() {
            return sandbox;
        }
        sandbox.current = work.current.min(kept.len() - 1);
        sandbox.branches = kept;
        let shelf = std::mem::replace(&mut sandbox.branches[sandbox.current].shelf, Shelf::OnScreen);
        if let Shelf::Folded(acts) = shelf {
            sandbox.queue = acts.into();
        }
        sandbox
    }

    /// Begins an act at a moment; acting in the past starts a branch there, named after the act.
    ///
    /// Errors: the act makes no sense there; nothing changed.
    pub fn act_at(&mut self, act: &Act, at: usize) -> Result<(), SandboxError> {
        self.be_at_rest()?;
        self.notice = None;
        if at + 1 >= self.moments.len() {
            return self.apply(act);
        }
        if matches!(act, Act::Seed { .. }) {
            return refuse("The seed is the first act.");
        }
        let mut stand = self.cut_at(at);
        let name = name_of(act, &stand);
        let acts = self.shared_acts(&stand.acts);
        stand.apply(act)?;
        let parent = self.make_room();
        let fork = Fork { branch: parent, moment: at, acts };
        stand.acts_sent = acts;
        self.put_new(&name, Some(fork), stand);
        Ok(())
    }

    /// Begins a branch that shares nothing with the others and puts it on screen; `work` does its acts.
    pub fn begin(&mut self, name: &str, acts: &[Act]) -> Result<(), SandboxError> {
        self.be_at_rest()?;
        self.notice = None;
        let stand = self.unfolded(acts);
        self.make_room();
        self.put_new(name, None, stand);
        Ok(())
    }

    /// Puts another branch on screen. One that is only kept as acts is made by `work`.
    pub fn switch(&mut self, branch: usize) -> Result<(), SandboxError> {
        self.be_at_rest()?;
        self.notice = None;
        if branch == self.current {
            return Ok(());
        }
        let Some(there) = self.branches.get_mut(branch) else { return refuse("There is no such branch.") };
        let stand = match std::mem::replace(&mut there.shelf, Shelf::OnScreen) {
            Shelf::OnScreen => return Ok(()),
            Shelf::Built(stand) | Shelf::Making(stand) => *stand,
            Shelf::Folded(acts) => self.unfolded(&acts),
        };
        self.put(branch, stand);
        Ok(())
    }

    /// The place of the branch on screen among the branches.
    pub fn branch(&self) -> usize {
        self.current
    }

    /// Gives a branch another name.
    pub fn rename(&mut self, branch: usize, name: &str) -> Result<(), SandboxError> {
        let name: String = name.split_whitespace().collect::<Vec<_>>().join(" ");
        let name: String = name.chars().take(NAME_MAX).collect();
        if name.is_empty() {
            return refuse("A branch wants a name.");
        }
        if self.branches.iter().enumerate().any(|(at, other)| at != branch && other.name == name) {
            return refuse(format!("Another branch is called {name}."));
        }
        match self.branches.get_mut(branch) {
            None => refuse("There is no such branch."),
            Some(_) if branch == 0 => refuse("main keeps its name."),
            Some(there) => {
                there.name = name;
                Ok(())
            }
        }
    }

    /// Drops a branch; those that hang on it stay whole.
    pub fn discard(&mut self, branch: usize) -> Result<(), SandboxError> {
        self.be_at_rest()?;
        if branch == 0 {
            return refuse("main stays.");
        }
        let Some(there) = self.branches.get(branch) else { return refuse("There is no such branch.") };
        let name = there.name.clone();
        if branch == self.current {
            let parent = there.fork.map_or(0, |fork| fork.branch);
            self.switch(parent)?;
        }
        self.drop_branch(branch);
        self.notice = Some(format!("The branch {name} is gone."));
        Ok(())
    }

    /// The branches as the rail draws them.
    pub(super) fn branch_marks(&self) -> Vec<BranchMark> {
        let marks = self.branches.iter().map(|branch| {
            let moments = match &branch.shelf {
                Shelf::OnScreen => self.moments.len(),
                Shelf::Built(stand) => stand.moments.len(),
                // Each act makes a moment or more.
                Shelf::Folded(acts) => acts.len().max(branch.fork.map_or(0, |fork| fork.moment + 1)),
                Shelf::Making(stand) => stand.moments.len() + stand.queue.len(),
            };
            BranchMark { name: branch.name.clone(), fork: branch.fork, moments }
        });
        marks.collect()
    }

    /// What differs between two moments, of two branches or of one.
    ///
    /// Errors: there is no such branch.
    pub fn compare(&mut self, left: Place, right: Place) -> Result<Comparison, SandboxError> {
        self.make_whole(left.branch);
        self.make_whole(right.branch);
        let (left, right) = (self.stand_of(left)?, self.stand_of(right)?);
        Ok(compare(left, right))
    }

    fn stand_of(&self, place: Place) -> Result<Stand<'_>, SandboxError> {
        let (Some(branch), Some(moments)) = (self.branches.get(place.branch), self.moments_of(place.branch))
        else {
            return refuse("There is no such branch.");
        };
        let index = place.moment.min(moments.len().saturating_sub(1));
        let Some(entry) = moments.get(index) else { return refuse("There is no such moment.") };
        Ok((entry, Place { branch: place.branch, moment: index }, &branch.name))
    }

    /// Works for about so many ticks on branches of which only the acts are kept; says whether one has become whole, and
    /// nothing once all are.
    pub fn make_branches(&mut self, ticks: usize) -> Option<bool> {
        let is_open = |branch: &Branch| matches!(branch.shelf, Shelf::Folded(_) | Shelf::Making(_));
        let at = self.branches.iter().position(is_open)?;
        Some(self.make(at, ticks))
    }

    /// Makes a branch of which only the acts are kept, at once.
    fn make_whole(&mut self, branch: usize) {
        if branch < self.branches.len() {
            while !self.make(branch, 1_000) {}
        }
    }

    /// Works on a branch; says whether it is whole.
    fn make(&mut self, branch: usize, ticks: usize) -> bool {
        let shelf = std::mem::replace(&mut self.branches[branch].shelf, Shelf::OnScreen);
        let (shelf, is_whole) = match shelf {
            Shelf::Folded(acts) => (Shelf::Making(Box::new(self.unfolded(&acts))), false),
            Shelf::Making(mut stand) => match stand.work(ticks) {
                Work::Rest => (Shelf::Built(stand), true),
                Work::Busy(_) => (Shelf::Making(stand), false),
            },
            whole => (whole, true),
        };
        self.branches[branch].shelf = shelf;
        is_whole
    }

    fn moments_of(&self, branch: usize) -> Option<&Vector<Entry>> {
        match &self.branches.get(branch)?.shelf {
            Shelf::OnScreen => Some(&self.moments),
            Shelf::Built(stand) => Some(&stand.moments),
            Shelf::Folded(_) | Shelf::Making(_) => None,
        }
    }

    // ---- the shelf

    /// All acts of a branch, those too that are still to be done.
    fn acts_of(&self, branch: usize) -> Box<dyn Iterator<Item = &Act> + '_> {
        match self.branches.get(branch).map(|branch| &branch.shelf) {
            Some(Shelf::OnScreen) => Box::new(self.acts.iter().chain(&self.queue)),
            Some(Shelf::Built(stand) | Shelf::Making(stand)) => {
                Box::new(stand.acts.iter().chain(&stand.queue))
            }
            Some(Shelf::Folded(acts)) => Box::new(acts.iter()),
            None => Box::new(std::iter::empty()),
        }
    }

    /// A branch that has still to do these acts, after those that it shares with a branch that is whole.
    fn unfolded(&self, acts: &[Act]) -> Sandbox {
        let whole = self.branches.iter().enumerate().filter_map(|(at, branch)| match &branch.shelf {
            Shelf::OnScreen => (at == self.current).then_some(self),
            Shelf::Built(stand) => Some(stand.as_ref()),
            Shelf::Folded(_) | Shelf::Making(_) => None,
        });
        let best = whole.filter_map(|line| Some((line.last_shared(acts)?, line))).max_by_key(|(at, _)| *at);
        let mut stand = match best {
            Some((at, line)) => line.stood_at(at),
            None => Sandbox::new(self.origin.clone()),
        };
        stand.queue = acts[stand.acts.len()..].iter().cloned().collect();
        stand
    }

    /// The last moment at which all acts so far are over and are the first of these.
    fn last_shared(&self, acts: &[Act]) -> Option<usize> {
        let shared = self.shared_acts(acts);
        let is_over =
            |at: usize| self.moments.get(at + 1).is_none_or(|next| next.acts != self.moments[at].acts);
        (0..self.moments.len()).rev().find(|at| {
            let entry = &self.moments[*at];
            entry.acts > 0 && entry.acts <= shared && is_over(*at)
        })
    }

    fn put_new(&mut self, name: &str, fork: Option<Fork>, stand: Sandbox) {
        let name = self.unique(name);
        self.branches.push(Branch { name, fork, looked: 0, shelf: Shelf::OnScreen });
        self.put(self.branches.len() - 1, stand);
    }

    /// Puts a branch on screen and the one that was there on its shelf.
    fn put(&mut self, branch: usize, stand: Sandbox) {
        let left = self.put_on_screen(stand);
        self.branches[self.current].shelf = Shelf::Built(Box::new(left));
        self.branches[branch].shelf = Shelf::OnScreen;
        self.current = branch;
        self.looks += 1;
        self.branches[branch].looked = self.looks;
    }

    /// Drops the branch that was looked at longest ago if there are as many as are kept; gives the place of the present one.
    fn make_room(&mut self) -> usize {
        if self.branches.len() >= SavedWork::BRANCHES_MAX {
            let others = (1..self.branches.len()).filter(|at| *at != self.current);
            if let Some(oldest) = others.min_by_key(|at| self.branches[*at].looked) {
                let name = self.branches[oldest].name.clone();
                self.drop_branch(oldest);
                let most = SavedWork::BRANCHES_MAX;
                self.notice = Some(format!("{most} branches are kept: {name} has made room."));
            }
        }
        self.current
    }

    /// Takes a branch out; those that hang on it hang on what it hung on.
    fn drop_branch(&mut self, branch: usize) {
        let gone = self.branches.remove(branch).fork;
        for other in &mut self.branches {
            let Some(fork) = &mut other.fork else { continue };
            if fork.branch == branch {
                other.fork = gone.map(|older| Fork {
                    branch: older.branch,
                    moment: fork.moment.min(older.moment),
                    acts: fork.acts.min(older.acts),
                });
            } else if fork.branch > branch {
                fork.branch -= 1;
            }
        }
        if self.current > branch {
            self.current -= 1;
        }
    }

    /// A name that no branch has.
    fn unique(&self, name: &str) -> String {
        let name: String = name.chars().take(NAME_MAX).collect();
        let is_free = |name: &String| self.branches.iter().all(|branch| branch.name != *name);
        let numbered = (2..).map(|n| format!("{name} {n}"));
        std::iter::once(name.clone()).chain(numbered).find(is_free).unwrap_or(name)
    }
}

/// What a branch is called that begins with this act.
fn name_of(act: &Act, stand: &Sandbox) -> String {
    let file = |path: &str| path.trim_end_matches('/').rsplit('/').next().unwrap_or_default().to_owned();
    let is_there = |path: &str| stand.world.exists(&stand.world.resolve(path));
    match act {
        Act::Put { path, .. } if is_there(path) => format!("{} changed", file(path)),
        Act::Put { path, .. } => format!("drop {}", file(path)),
        Act::Delete { path } if stand.is_checkpoint(path) => "no checkpoint".to_owned(),
        Act::Delete { path } => format!("no {}", file(path)),
        Act::Edit { script, .. } if *script == *stand.script.name => "edited".to_owned(),
        Act::Edit { script, .. } => format!("edited {script}"),
        Act::Arm { place } => match place {
            ArmPlace::Point { point } => format!("crash at {point:?}"),
            ArmPlace::Phase { .. } => format!("crash {}", in_words(place)),
            ArmPlace::Write { .. } => format!("crash at {place}"),
        },
        Act::Disarm { .. } => "no crash".to_owned(),
        Act::Crash => match stand.moments.last().and_then(|last| last.mark.phase) {
            Some(phase) => format!("crash after {phase}"),
            None => "crash".to_owned(),
        },
        Act::Advance { .. } => act.to_string().replacen("advance", "clock +", 1).replace("+ ", "+"),
        Act::Set { name, value } => format!("{} = {value}", name.rsplit('.').next().unwrap_or(name)),
        Act::Import { name, .. } => format!("import {name}"),
        Act::Stop { .. } => "stopped".to_owned(),
        Act::Run { .. } | Act::Restart => "run again".to_owned(),
        Act::Step | Act::Trigger { .. } | Act::Seed { .. } | Act::Pause { .. } => "went on".to_owned(),
    }
}
