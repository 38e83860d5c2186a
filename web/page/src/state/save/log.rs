//! Work as a log of texts under keys: what a browser's store keeps, appended and not rewritten.
//!
//! `head/ID` has what changes often: the moment, the draft, the names of the branches, and whose tab writes. `acts/ID/BB/NNNNNN`
//! is one act. A tab appends acts, and cuts them off where a branch was cut.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use tidemark_protocol::{Act, Fork, Work, WorkBranch};

use crate::state::save::keep::Kept;

/// What stands under `head/ID`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Head {
    /// The tab that writes; another one may not.
    pub owner: String,
    /// When it was last written, in milliseconds of the browser's clock.
    pub at: f64,
    /// The work before this one, if it is still kept.
    #[serde(default)]
    pub former: Option<String>,
    current: usize,
    #[serde(default)]
    moment: Option<usize>,
    #[serde(default)]
    draft: Option<String>,
    branches: Vec<HeadBranch>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct HeadBranch {
    name: String,
    fork: Option<Fork>,
    acts: usize,
}

/// What a save does to the store, all or nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// Keys that go, as ranges without their ends.
    pub cuts: Vec<Range<String>>,
    /// Keys with their new texts.
    pub puts: Vec<(String, String)>,
}

impl Change {
    /// How many bytes are written.
    pub fn bytes(&self) -> usize {
        self.puts.iter().map(|(key, text)| key.len() + text.len()).sum()
    }
}

/// The key of a head.
pub fn head_key(id: &str) -> String {
    format!("head/{id}")
}

/// The keys of all heads.
pub fn heads() -> Range<String> {
    "head/".to_owned().."head0".to_owned()
}

/// The keys of all acts of some work.
pub fn acts_keys(id: &str) -> Range<String> {
    format!("acts/{id}/")..format!("acts/{id}0")
}

fn act_key(id: &str, branch: usize, act: usize) -> String {
    format!("acts/{id}/{branch:02}/{act:06}")
}

/// Everything of some work.
pub fn forget(id: &str) -> Change {
    let head = head_key(id);
    let end = format!("{head}\u{0}");
    Change { cuts: vec![head..end, acts_keys(id)], puts: Vec::new() }
}

/// What leads from what is stored to what is to be: new acts, and those that are cut off.
pub fn acts_change(id: &str, stored: Option<&Work>, work: &Work) -> Change {
    let mut change = Change::default();
    let none = Vec::new();
    if stored.is_none() {
        change.cuts.push(acts_keys(id));
    }
    let old = stored.map_or(&none, |work| &work.branches);
    for at in 0..old.len().max(work.branches.len()) {
        let before = old.get(at).map_or(&[][..], |branch| &branch.acts);
        let now = work.branches.get(at).map_or(&[][..], |branch| &branch.acts);
        let same = before.iter().zip(now).take_while(|(old, new)| old == new).count();
        if before.len() > now.len() {
            change.cuts.push(act_key(id, at, now.len())..format!("acts/{id}/{at:02}0"));
        }
        let new = now.iter().enumerate().skip(same);
        change.puts.extend(new.map(|(n, act)| (act_key(id, at, n), act.to_string())));
    }
    change
}

/// The head of some work.
pub fn head(kept: &Kept, owner: &str, at: f64, former: Option<&str>) -> Head {
    let branch = |branch: &WorkBranch| HeadBranch {
        name: branch.name.clone(),
        fork: branch.fork,
        acts: branch.acts.len(),
    };
    Head {
        owner: owner.to_owned(),
        at,
        former: former.map(str::to_owned),
        current: kept.work.current,
        moment: kept.work.moment,
        draft: kept.draft.clone(),
        branches: kept.work.branches.iter().map(branch).collect(),
    }
}

/// The work of a head and its acts; a branch ends before the first act that is missing or cannot be read.
pub fn restore(head: &Head, acts: &[(String, String)], id: &str) -> Kept {
    let find = |branch: usize, act: usize| {
        let key = act_key(id, branch, act);
        let at = acts.binary_search_by(|(other, _)| other.as_str().cmp(&key)).ok()?;
        Act::parse(&acts[at].1).ok()
    };
    let branch = |(at, branch): (usize, &HeadBranch)| WorkBranch {
        name: branch.name.clone(),
        fork: branch.fork,
        acts: (0..branch.acts).map_while(|act| find(at, act)).collect(),
    };
    let branches: Vec<WorkBranch> = head.branches.iter().enumerate().map(branch).collect();
    let current = head.current.min(branches.len().saturating_sub(1));
    Kept { work: Work { branches, current, moment: head.moment }, draft: head.draft.clone() }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// A store that does what a change says.
    #[derive(Default)]
    struct Store(BTreeMap<String, String>);

    impl Store {
        fn save(&mut self, id: &str, stored: Option<&Kept>, kept: &Kept) -> usize {
            let change = acts_change(id, stored.map(|kept| &kept.work), &kept.work);
            for cut in &change.cuts {
                let gone: Vec<String> = self.0.range(cut.clone()).map(|(key, _)| key.clone()).collect();
                gone.iter().for_each(|key| drop(self.0.remove(key)));
            }
            let written = change.puts.len();
            self.0.extend(change.puts);
            let head = serde_json::to_string(&head(kept, "tab", 1.0, None)).expect("plain data");
            self.0.insert(head_key(id), head);
            written
        }

        fn load(&self, id: &str) -> Kept {
            let head: Head = serde_json::from_str(&self.0[&head_key(id)]).expect("a head");
            let acts: Vec<(String, String)> =
                self.0.range(acts_keys(id)).map(|(key, text)| (key.clone(), text.clone())).collect();
            restore(&head, &acts, id)
        }
    }

    fn kept(branches: &[(&str, Option<Fork>, &[&str])]) -> Kept {
        let branch = |(name, fork, acts): &(&str, Option<Fork>, &[&str])| WorkBranch {
            name: (*name).to_owned(),
            fork: *fork,
            acts: acts.iter().map(|line| Act::parse(line).expect("an act")).collect(),
        };
        let work = Work { branches: branches.iter().map(branch).collect(), current: 0, moment: Some(2) };
        Kept { work, draft: Some("x = 1".to_owned()) }
    }

    #[test]
    fn a_save_appends_what_is_new_and_cuts_what_is_gone() {
        let fork = Some(Fork { branch: 0, moment: 1, acts: 1 });
        let states = [
            (kept(&[("main", None, &["seed 1"])]), 1),
            (kept(&[("main", None, &["seed 1", "put a.json {}", "run main.py"])]), 2),
            (kept(&[("main", None, &["seed 1", "put a.json {}", "step"])]), 1),
            (kept(&[("main", None, &["seed 1", "step"])]), 1),
            (
                kept(&[
                    ("main", None, &["seed 1", "step"]),
                    ("no checkpoint", fork, &["delete ckpt/", "run main.py"]),
                ]),
                2,
            ),
            (
                kept(&[
                    ("main", None, &["seed 1", "step"]),
                    ("no checkpoint", fork, &["delete ckpt/", "run main.py"]),
                ]),
                0,
            ),
            (kept(&[("main", None, &["seed 1", "step", "crash"])]), 1),
        ];
        let mut store = Store::default();
        // Another work whose name begins alike stays untouched.
        store.save("10", None, &states[0].0);
        let mut before: Option<&Kept> = None;
        for (state, written) in &states {
            assert_eq!(store.save("1", before, state), *written);
            assert_eq!(&store.load("1"), state);
            before = Some(state);
        }
        assert_eq!(store.load("10"), states[0].0);
        for cut in forget("1").cuts {
            store.0.retain(|key, _| !cut.contains(key));
        }
        assert_eq!(store.0.keys().collect::<Vec<_>>(), ["acts/10/00/000000", "head/10"]);
    }

    #[test]
    fn a_branch_ends_before_an_act_that_cannot_be_read() {
        let mut store = Store::default();
        store.save("1", None, &kept(&[("main", None, &["seed 1", "step", "crash"])]));
        store.0.insert(act_key("1", 0, 1), "fly".to_owned());
        assert_eq!(store.load("1").work.branches[0].acts, [Act::Seed { seed: 1 }]);
    }
}
