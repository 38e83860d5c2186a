//! The acts of a branch as the sweep replays them: whole runs, and no crash but its own.

use tidemark_protocol::Act;

/// One thing to do without a crash.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Part {
    /// An act as it is.
    Act(Act),
    /// Single steps of the learner's: what they began is brought to its rest.
    Steps,
}

/// The acts without crashes and restarts, steps taken together, with a run of the script at the end if there is none.
/// Every run is of the text as it is now: what is swept is the script that the learner sees.
pub(super) fn parts(acts: &[Act]) -> Vec<Part> {
    let mut parts = Vec::new();
    let (mut armed, mut down) = (0_usize, false);
    let mut edited: Vec<&str> = Vec::new();
    for act in acts {
        match act {
            Act::Edit { script, .. } => {
                if !edited.contains(&script.as_str()) {
                    edited.push(script);
                    parts.extend(newest_text(acts, script));
                }
            }
            Act::Arm { .. } => armed += 1,
            Act::Disarm { .. } => armed = armed.saturating_sub(1),
            Act::Crash => down = true,
            Act::Restart if down => down = false,
            Act::Restart => parts.push(Part::Act(Act::Run { script: script_name(acts) })),
            Act::Step => {
                (down, armed) = (down || armed > 0, 0);
                if parts.last() != Some(&Part::Steps) {
                    parts.push(Part::Steps);
                }
            }
            Act::Run { .. } | Act::Trigger { .. } => {
                (down, armed) = (armed > 0, 0);
                parts.push(Part::Act(act.clone()));
            }
            other => parts.push(Part::Act(other.clone())),
        }
    }
    let runs = |part: &Part| matches!(part, Part::Steps | Part::Act(Act::Run { .. }));
    if !parts.iter().any(runs) {
        parts.push(Part::Act(Act::Run { script: script_name(acts) }));
    }
    parts
}

fn newest_text(acts: &[Act], name: &str) -> Option<Part> {
    let is_it = |act: &&Act| matches!(act, Act::Edit { script, .. } if script == name);
    acts.iter().rev().find(is_it).map(|act| Part::Act(act.clone()))
}

/// The name of the main script: the one that was edited first; others run beside it.
pub(super) fn script_name(acts: &[Act]) -> String {
    let edited = acts.iter().find_map(|act| match act {
        Act::Edit { script, .. } => Some(script.clone()),
        _ => None,
    });
    edited.unwrap_or_else(|| "main.py".to_owned())
}

#[cfg(test)]
mod tests {
    use super::{Part, parts};
    use tidemark_protocol::Act;

    fn words(acts: &str) -> Vec<String> {
        let acts: Vec<Act> = acts.split("; ").filter_map(|line| Act::parse(line).ok()).collect();
        let word = |part: Part| match part {
            Part::Act(act) => act.to_string(),
            Part::Steps => "steps".to_owned(),
        };
        parts(&acts).into_iter().map(word).collect()
    }

    #[test]
    fn crashes_go_and_steps_become_runs() {
        for (acts, wanted) in [
            ("seed 7; run main.py", &["seed 7", "run main.py"][..]),
            ("seed 7", &["seed 7", "run main.py"]),
            ("arm C10; run main.py; restart", &["run main.py"]),
            ("arm C10; disarm C10; run main.py; restart", &["run main.py", "run main.py"]),
            ("step; step; crash; restart; run main.py", &["steps", "run main.py"]),
            (
                "edit main.py x = 1; run main.py; edit main.py x = 2",
                &["edit main.py \"x = 2\"", "run main.py"],
            ),
            ("run main.py; restart", &["run main.py", "run main.py"]),
            ("run main.py; arm C04; step; restart; stop", &["run main.py", "steps", "stop"]),
        ] {
            assert_eq!(words(acts), wanted, "{acts}");
        }
    }
}
