//! The work as it is kept: what a reload, a link and an export carry. And the branches as the rail draws them.

use serde::{Deserialize, Serialize};

use crate::act::Act;

/// All branches, each as its acts. Given the same work, the same moments.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Work {
    /// The branches in the order of their birth; the first one is `main`.
    pub branches: Vec<WorkBranch>,
    /// The place in `branches` of the one that is on screen.
    pub current: usize,
    /// The moment of it that is on screen; the newest if absent.
    pub moment: Option<usize>,
}

/// One branch: the acts that it shares with an older one, and its own.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WorkBranch {
    /// Its name: `main`, or the act that began it.
    pub name: String,
    /// Where it left an older branch; none if it began by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fork: Option<Fork>,
    /// The acts after those that it shares.
    pub acts: Vec<Act>,
}

/// Where a branch left an older one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fork {
    /// The place of the older branch among the branches.
    pub branch: usize,
    /// The last moment that both have.
    pub moment: usize,
    /// How many acts of the older one come first.
    pub acts: usize,
}

impl Work {
    /// How many branches are kept; the one that was looked at longest ago makes room for a seventh.
    pub const BRANCHES_MAX: usize = 6;

    /// Work of one branch.
    pub fn of_acts(acts: Vec<Act>) -> Work {
        let main = WorkBranch { name: "main".to_owned(), fork: None, acts };
        Work { branches: vec![main], current: 0, moment: None }
    }

    /// All acts of a branch, the shared ones first; empty for a branch that is not there or hangs on a younger one.
    pub fn acts(&self, branch: usize) -> Vec<Act> {
        let Some(own) = self.branches.get(branch) else { return Vec::new() };
        let mut acts = match own.fork {
            Some(fork) if fork.branch < branch => {
                let mut shared = self.acts(fork.branch);
                shared.truncate(fork.acts);
                shared
            }
            _ => Vec::new(),
        };
        acts.extend(own.acts.iter().cloned());
        acts
    }
}

/// A branch on the rail.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BranchMark {
    /// Its name.
    pub name: String,
    /// Where it left an older branch.
    pub fork: Option<Fork>,
    /// How many moments it has, the shared ones included.
    pub moments: usize,
}

/// A moment of a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The place of the branch among the branches.
    pub branch: usize,
    /// The moment.
    pub moment: usize,
}

#[cfg(test)]
mod tests {
    use super::{Fork, Work, WorkBranch};
    use crate::act::Act;

    #[test]
    fn a_branch_begins_with_the_acts_that_it_shares() {
        let mut work = Work::of_acts(vec![Act::Seed { seed: 1 }, Act::Step, Act::Crash]);
        work.branches.push(WorkBranch {
            name: "no checkpoint".to_owned(),
            fork: Some(Fork { branch: 0, moment: 2, acts: 2 }),
            acts: vec![Act::Delete { path: "ckpt/".to_owned() }],
        });
        let lines: Vec<String> = work.acts(1).iter().map(ToString::to_string).collect();
        assert_eq!(lines, ["seed 1", "step", "delete ckpt/"]);
        assert!(work.acts(7).is_empty());
    }
}
