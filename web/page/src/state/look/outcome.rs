//! What the newest batch means for the tables: a second try that was skipped, a row that the checkpoint does not know
//! yet, a table that waits.

use tidemark_protocol::{BatchView, PlaneView, SinkView, StepState, View};
use tidemark_trace::Phase;

/// The sentence below the tables, if there is something to say.
pub fn note(view: &View) -> Option<String> {
    let batch = view.queries.last()?.batches.last()?;
    let number = batch.batch;
    let is_committed = matches!(state(batch, Phase::Commit), StepState::Kept | StepState::Done);
    let is_done = state(batch, Phase::Done) == StepState::Kept;
    if batch.again && state(batch, Phase::Write) == StepState::Skipped && is_committed {
        return Some(format!(
            "b{number}, second try: skipped. The table has its own note of the batch, its txn."
        ));
    }
    if batch.crashed && state(batch, Phase::Commit) == StepState::Kept && !is_done {
        return Some(format!(
            "What b{number} wrote is in the table. The checkpoint does not know it yet: commits/{number} is missing."
        ));
    }
    None
}

/// What a table without rows waits for, and whether that is time.
pub fn waits(view: &View, sink: &SinkView, plane: Option<&PlaneView>) -> Option<(String, bool)> {
    if sink.total > 0 || sink.columns.is_empty() {
        return None;
    }
    if !is_timed(view) {
        return Some(("No row yet. Drop a file, then press R or T.".to_owned(), false));
    }
    let open = plane.and_then(|plane| plane.windows.iter().find_map(|window| window.why.as_ref()));
    let rule = || "No row yet. A window leaves when the watermark has passed its end.".to_owned();
    Some((open.map_or_else(rule, |why| why.sentence.clone()), true))
}

/// Whether a table is empty because of time: then the time plane knows why.
pub fn waits_for_time(view: &View) -> bool {
    is_timed(view) && view.sinks.iter().any(|sink| sink.total == 0 && !sink.columns.is_empty())
}

fn is_timed(view: &View) -> bool {
    let mut batches = view.queries.iter().flat_map(|query| &query.batches);
    batches.any(|batch| state(batch, Phase::Advance) != StepState::Unused)
}

fn state(batch: &BatchView, phase: Phase) -> StepState {
    batch.steps.iter().find(|step| step.phase == phase).map_or(StepState::Unused, |step| step.state)
}

#[cfg(test)]
mod tests {
    use tidemark_protocol::{Cost, QueryState, QueryView, ScriptState, StepView};

    use super::*;
    use crate::state::tests::conversation;

    fn view(again: bool, crashed: bool, steps: &[(Phase, StepState)]) -> View {
        let of = |phase: Phase| {
            steps.iter().find(|(known, _)| *known == phase).map_or(StepState::Planned, |s| s.1)
        };
        let steps = Phase::ALL.map(|phase| StepView {
            phase,
            state: of(phase),
            millis: 0,
            file: None,
            note: String::new(),
        });
        let batch = BatchView {
            batch: 1,
            again,
            run: 1,
            input_rows: 0,
            steps: steps.to_vec(),
            crashed,
            within: None,
            cost: Cost::default(),
        };
        let mut view = conversation::view(0, "", ScriptState::Ended);
        view.queries.push(query(batch));
        view
    }

    fn query(batch: BatchView) -> QueryView {
        let text = r#"{"id":"q","run_id":"r","name":null,"state":"ended","run":1,"source":"","sink":"","trigger":"once",
            "batches":[],"last_progress":"","recent":[],"numbers":[],"exception":null}"#;
        let query: QueryView = serde_json::from_str(text).expect("fields that came later have defaults");
        QueryView { state: QueryState::Ended, batches: vec![batch], ..query }
    }

    #[test]
    fn what_the_newest_batch_means() {
        use Phase as P;
        use StepState as S;
        for (again, crashed, steps, wanted) in [
            (
                true,
                false,
                vec![(P::Write, S::Skipped), (P::Commit, S::Done), (P::Done, S::Kept)],
                Some("b1, second try"),
            ),
            (false, true, vec![(P::Write, S::Kept), (P::Commit, S::Kept)], Some("What b1 wrote")),
            (false, false, vec![(P::Write, S::Kept), (P::Commit, S::Kept), (P::Done, S::Kept)], None),
            (true, false, vec![(P::Write, S::Kept), (P::Commit, S::Kept), (P::Done, S::Kept)], None),
        ] {
            let said = note(&view(again, crashed, &steps));
            match wanted {
                Some(wanted) => {
                    assert!(said.as_ref().is_some_and(|said| said.starts_with(wanted)), "{said:?}");
                }
                None => assert_eq!(said, None),
            }
        }
    }
}
