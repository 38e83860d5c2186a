//! Where a crash can strike on the lane, and in which words.

use tidemark_protocol::{ArmPlace, BatchView, QueryView, ScriptState, StepState, View};
use tidemark_trace::{CrashPoint, Phase, When};

use crate::state::model::World;

/// A place between two steps, or in the middle of one.
#[derive(Clone, Debug, PartialEq)]
pub struct Gap {
    /// Where it is armed.
    pub place: ArmPlace,
    /// The name of the point, where it has one.
    pub point: Option<CrashPoint>,
    /// What is there and what is not, when the driver stops here.
    pub words: String,
    /// What a press does.
    pub strike: Strike,
    /// Whether a crash is armed here.
    pub is_armed: bool,
}

/// What a press on a gap does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strike {
    /// A crash is armed for when the run comes here.
    Ahead,
    /// The driver dies at this moment, which has been.
    Here(usize),
}

/// The gaps of a row: before its first step, and for each step the one after it and the one inside it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gaps {
    /// Before `list`.
    pub first: Option<Gap>,
    /// After each of the ten steps.
    pub after: Vec<Option<Gap>>,
    /// In the middle of each.
    pub inside: Vec<Option<Gap>>,
}

impl Gaps {
    /// Whether a crash is armed in one of them.
    pub fn has_armed(&self) -> bool {
        let all = self.first.iter().chain(self.after.iter().flatten()).chain(self.inside.iter().flatten());
        all.into_iter().any(|gap| gap.is_armed)
    }
}

/// The point with which the gap after a phase is named.
pub fn point_after(phase: Phase) -> Option<CrashPoint> {
    match phase {
        Phase::Note => Some(CrashPoint::C02),
        Phase::Plan => Some(CrashPoint::C04),
        Phase::Read => Some(CrashPoint::C05),
        Phase::Save => Some(CrashPoint::C07),
        Phase::Write => Some(CrashPoint::C09),
        Phase::Commit => Some(CrashPoint::C10),
        Phase::Done => Some(CrashPoint::C12),
        Phase::List | Phase::Work | Phase::Advance => None,
    }
}

/// The point inside a phase.
pub fn point_inside(phase: Phase) -> Option<CrashPoint> {
    match phase {
        Phase::Plan => Some(CrashPoint::C03),
        Phase::Save => Some(CrashPoint::C06),
        Phase::Write => Some(CrashPoint::C08),
        Phase::Commit => Some(CrashPoint::C13),
        Phase::Done => Some(CrashPoint::C11),
        _ => None,
    }
}

/// The point inside a phase of a query: only a function can stop between its writes.
fn inside(phase: Phase, query: Option<&QueryView>) -> Option<CrashPoint> {
    let calls = || query.is_some_and(|query| query.sink.starts_with("ForeachBatch"));
    point_inside(phase).filter(|point| *point != CrashPoint::C13 || calls())
}

/// A place as a view names it: a point at the end of a phase is that phase.
pub fn as_seen(place: &ArmPlace) -> ArmPlace {
    let ArmPlace::Point { point } = place else { return place.clone() };
    let ends = |phase: &Phase| point_after(*phase) == Some(*point);
    match Phase::ALL.into_iter().find(ends) {
        _ if *point == CrashPoint::C01 => ArmPlace::Phase { phase: Phase::List, when: When::Before },
        Some(phase) => ArmPlace::Phase { phase, when: When::After },
        None => place.clone(),
    }
}

/// Whether a crash is armed at a place, in whichever words the place is named.
pub fn is_armed(view: &View, place: &ArmPlace) -> bool {
    view.armed.contains(&as_seen(place))
}

/// What lies in the store when the driver stops after a phase of a batch.
fn words_after(phase: Phase, batch: &str) -> String {
    match phase {
        Phase::List => format!("the source is listed, sources/0/{batch} is not there"),
        Phase::Note => format!("sources/0/{batch} is there, offsets/{batch} is not"),
        Phase::Plan => format!("offsets/{batch} is there, nothing is read"),
        Phase::Read => "rows are read, nothing is written".to_owned(),
        Phase::Work => "the work is done, nothing is written".to_owned(),
        Phase::Save => "all state is saved, no row is written".to_owned(),
        Phase::Write => "all files are written, the sink has not committed".to_owned(),
        Phase::Commit => format!("the sink has committed, commits/{batch} is not there"),
        Phase::Advance => format!("the watermark is set, commits/{batch} is not there"),
        Phase::Done => format!("commits/{batch} is there, all is done"),
    }
}

fn words_inside(point: CrashPoint, batch: &str) -> String {
    match point {
        CrashPoint::C03 => format!("offsets/{batch} is half written, a temporary file stays"),
        CrashPoint::C06 => "the first state file is saved, no row is written".to_owned(),
        CrashPoint::C08 => "the first file is written, the sink has not committed".to_owned(),
        CrashPoint::C13 => "the function has made its first commit, and not returned".to_owned(),
        _ => format!("commits/{batch} is half written, a temporary file stays"),
    }
}

/// Whether the driver of a batch lives, so that a crash can be armed in it.
fn is_live(view: &View, query: &QueryView, batch: &BatchView) -> bool {
    let runs = matches!(view.script.state, ScriptState::Running | ScriptState::Parked);
    let last_run = view.queries.iter().map(|query| query.run).max();
    runs && !batch.crashed && Some(query.run) == last_run
}

fn is_open(batch: &BatchView) -> bool {
    batch.steps.iter().any(|step| step.state == StepState::Planned)
}

/// The gaps of a batch that has begun: behind the playhead the driver dies there, ahead of it a crash is armed.
pub fn of_batch(world: &World, view: &View, query: &QueryView, batch: &BatchView) -> Gaps {
    let armable = is_live(view, query, batch) && is_open(batch);
    let number = batch.batch.to_string();
    let seen = &world.marks[..world.marks.len().min(view.moment + 1)];
    let is_own =
        |mark: &tidemark_protocol::MomentMark| mark.run == batch.run && mark.batch == Some(batch.batch);
    let after = batch.steps.iter().map(|step| {
        let place = ArmPlace::Phase { phase: step.phase, when: When::After };
        let reached =
            seen.iter().rposition(|mark| is_own(mark) && mark.phase == Some(step.phase) && !mark.crash);
        let strike = match (reached, step.state) {
            (Some(moment), _) => Strike::Here(moment),
            (None, StepState::Planned) if armable => Strike::Ahead,
            _ => return None,
        };
        Some(gap(view, place, point_after(step.phase), words_after(step.phase, &number), strike))
    });
    let within = batch.steps.iter().map(|step| {
        let point = inside(step.phase, Some(query))?;
        let place = ArmPlace::Point { point };
        let is_ahead = step.state == StepState::Planned && armable;
        is_ahead.then(|| gap(view, place, Some(point), words_inside(point, &number), Strike::Ahead))
    });
    Gaps { first: None, after: after.collect(), inside: within.collect() }
}

fn gap(view: &View, place: ArmPlace, point: Option<CrashPoint>, words: String, strike: Strike) -> Gap {
    let is_armed = strike == Strike::Ahead && view.armed.contains(&place);
    Gap { place, point, words, strike, is_armed }
}

/// A batch that has not begun.
#[derive(Clone, Debug, PartialEq)]
pub struct Next {
    /// The batch that will run again, if one is planned and not done.
    pub again: Option<i64>,
    /// The phases that the query has no use for.
    pub unused: Vec<Phase>,
    /// Its gaps.
    pub gaps: Gaps,
}

/// The batch that has not begun; none while one is going on.
pub fn next(view: &View) -> Option<Next> {
    let last = view.queries.iter().rev().find_map(|query| Some((query, query.batches.last()?)));
    if last.is_some_and(|(query, batch)| is_live(view, query, batch) && is_open(batch)) {
        return None;
    }
    // A batch without input uses fewer steps than the next one may: what no batch of the query has used is not used.
    let own = view.queries.iter().filter(|query| last.is_some_and(|(last, _)| last.id == query.id));
    let batches: Vec<&BatchView> = own.flat_map(|query| &query.batches).collect();
    let is_unused = |phase: &Phase| {
        !batches.is_empty()
            && batches.iter().all(|batch| batch.steps[*phase as usize].state == StepState::Unused)
    };
    let unused: Vec<Phase> = Phase::ALL.into_iter().filter(is_unused).collect();
    let again = crate::state::words::open_batch(view);
    let number = again.map_or_else(|| "N".to_owned(), |batch| batch.to_string());
    let first = {
        let place = ArmPlace::Phase { phase: Phase::List, when: When::Before };
        gap(view, place, Some(CrashPoint::C01), "nothing is listed yet".to_owned(), Strike::Ahead)
    };
    let is_used = |phase: &Phase| !unused.contains(phase);
    let after = Phase::ALL.iter().map(|phase| {
        let place = ArmPlace::Phase { phase: *phase, when: When::After };
        let words = words_after(*phase, &number);
        is_used(phase).then(|| gap(view, place, point_after(*phase), words, Strike::Ahead))
    });
    let within = Phase::ALL.iter().map(|phase| {
        let point = inside(*phase, last.map(|(query, _)| query)).filter(|_| is_used(phase))?;
        let place = ArmPlace::Point { point };
        Some(gap(view, place, Some(point), words_inside(point, &number), Strike::Ahead))
    });
    let gaps = Gaps { first: Some(first), after: after.collect(), inside: within.collect() };
    Some(Next { again, unused, gaps })
}

/// `before the commit`, `C03, during offsets/N`.
pub fn in_words(place: &ArmPlace) -> String {
    let side = |when: &When| match when {
        When::Before => "before",
        When::During => "during",
        When::After => "after",
    };
    match place {
        ArmPlace::Point { point } => format!("{point:?}, {}", point.phrase()),
        ArmPlace::Phase { phase, when } => {
            let point = match when {
                When::After => point_after(*phase),
                When::Before if *phase == Phase::List => Some(CrashPoint::C01),
                When::Before | When::During => None,
            };
            let name = point.map(|point| format!("{point:?}, ")).unwrap_or_default();
            format!("{name}{} {}", side(when), phase.verb())
        }
        ArmPlace::Write { k, when } => format!("{} write {k} from now", side(when)),
    }
}

#[cfg(test)]
mod tests {
    use tidemark_protocol::{Cost, StepView};

    use super::*;

    #[test]
    fn every_named_gap_has_words() {
        for phase in Phase::ALL {
            assert!(!words_after(phase, "1").is_empty());
            if let Some(point) = inside(phase, None) {
                assert!(!words_inside(point, "1").is_empty());
            }
        }
        assert_eq!(words_after(Phase::Commit, "1"), "the sink has committed, commits/1 is not there");
        assert_eq!(words_after(Phase::Note, "N"), "sources/0/N is there, offsets/N is not");
    }

    #[test]
    fn armed_crashes_are_told() {
        let phase = |phase, when| ArmPlace::Phase { phase, when };
        for (place, words) in [
            (phase(Phase::Commit, When::After), "C10, after commit"),
            (phase(Phase::Work, When::After), "after work"),
            (phase(Phase::Write, When::Before), "before write"),
            (phase(Phase::List, When::Before), "C01, before list"),
            (ArmPlace::Point { point: CrashPoint::C08 }, "C08, some sink files written"),
            (ArmPlace::Write { k: 3, when: When::During }, "during write 3 from now"),
        ] {
            assert_eq!(in_words(&place), words);
        }
    }

    #[test]
    fn a_point_is_the_phase_that_it_ends() {
        let phase = |phase, when| ArmPlace::Phase { phase, when };
        let point = |point| ArmPlace::Point { point };
        for (place, seen) in [
            (point(CrashPoint::C10), phase(Phase::Commit, When::After)),
            (point(CrashPoint::C01), phase(Phase::List, When::Before)),
            (point(CrashPoint::C03), point(CrashPoint::C03)),
            (point(CrashPoint::C14), point(CrashPoint::C14)),
        ] {
            assert_eq!(as_seen(&place), seen);
        }
    }

    #[test]
    fn what_no_batch_uses_has_no_gap() {
        let batch = |unused: &[Phase]| BatchView {
            batch: 0,
            again: false,
            run: 1,
            input_rows: 0,
            steps: Phase::ALL
                .map(|phase| StepView {
                    phase,
                    state: if unused.contains(&phase) { StepState::Unused } else { StepState::Kept },
                    millis: 0,
                    file: None,
                    note: String::new(),
                })
                .to_vec(),
            crashed: false,
            within: None,
            cost: Cost::default(),
        };
        let text = r#"{"id":"q","run_id":"r","name":null,"state":"ended","run":1,"source":"","sink":"","trigger":"once",
            "batches":[],"last_progress":"","recent":[],"numbers":[],"exception":null}"#;
        for (sink, inside) in [("DeltaSink[out]", None), ("ForeachBatchSink", Some(CrashPoint::C13))] {
            let query: QueryView = serde_json::from_str(text).expect("fields that came later have defaults");
            let batches =
                vec![batch(&[Phase::Save]), batch(&[Phase::List, Phase::Note, Phase::Save, Phase::Write])];
            let mut view = crate::state::tests::conversation::view(0, "", ScriptState::Ended);
            view.queries.push(QueryView { batches, sink: sink.to_owned(), ..query });
            let next = next(&view).expect("no batch goes on");
            assert_eq!(next.unused, [Phase::Save]);
            assert!(next.gaps.after[Phase::List as usize].is_some());
            let within = next.gaps.inside[Phase::Commit as usize].as_ref();
            assert_eq!(within.and_then(|gap| gap.point), inside, "{sink}");
        }
    }
}
