//! One batch: a row of ten steps.

use tidemark_protocol::{BatchView, StepState};
use tidemark_trace::Phase;
use yew::prelude::*;

use super::step::Step;
use crate::state::act::crash::{self, Gaps};

/// What is said of a batch in which the driver stopped; where there is no room the line of the crash says it alone.
const STOPPED: &str = ", stopped";

/// What the row draws.
#[derive(Clone, PartialEq, Properties)]
pub(super) struct BatchProps {
    /// The batch.
    pub batch: BatchView,
    /// The name of its query, where there are several.
    pub query: AttrValue,
    /// Whether it is one of the older rows.
    pub small: bool,
    /// The step that was the last to happen, if it is one of these.
    pub now: Option<Phase>,
    /// The path that is selected.
    pub on: Option<AttrValue>,
    /// Whether it lies on the way that is followed.
    pub way: bool,
    /// Where a crash can strike.
    pub gaps: Gaps,
}

/// The row.
#[component]
pub(super) fn Batch(props: &BatchProps) -> Html {
    let batch = &props.batch;
    let crash = crash_of(batch);
    let how = side(batch);
    let label = format!("Batch {}, {how}", batch.batch);
    let steps = batch.steps.iter().enumerate().map(|(index, step)| {
        let on = step.file.is_some() && step.file.as_deref() == props.on.as_deref();
        let crash = crash.as_ref().filter(|(at, _)| *at == index).map(|(_, name)| name.clone());
        // The line of a crash stands where the button would.
        let after = props.gaps.after.get(index).cloned().flatten().filter(|_| crash.is_none());
        let inside = props.gaps.inside.get(index).cloned().flatten();
        let begun = step.state == StepState::Planned
            && batch.within.is_some_and(|point| crash::point_inside(step.phase) == Some(point));
        html! {
            <Step key={index} step={step.clone()} {on} {crash} {after} {inside} {begun} now={props.now == Some(step.phase)} />
        }
    });
    html! {
        <div class="lane-batch" data-way={props.way.then_some("")} data-size={props.small.then_some("small")} data-again={batch.again.then_some("")} data-crashed={batch.crashed.then_some("")} data-armed={props.gaps.has_armed().then_some("")}>
            <span class="lane-tide"></span>
            <div class="lane-side">
                <b>{format!("batch {}", batch.batch)}</b>
                <span class="lane-how" title={how.clone()}>{how.trim_end_matches(STOPPED).to_owned()}if batch.crashed { <span class="lane-stopped">{STOPPED}</span> }</span>
                if !props.query.is_empty() { <span class="lane-query"><i>{"query "}</i>{&props.query}</span> }
                <span class="lane-shore">{"store"}</span>
            </div>
            <ol class="lane-steps" aria-label={label}>{ for steps }</ol>
        </div>
    }
}

/// After which step the driver stopped, and the name of that point.
pub(super) fn crash_of(batch: &BatchView) -> Option<(usize, AttrValue)> {
    let reached = |state: StepState| {
        matches!(
            state,
            StepState::Kept | StepState::Done | StepState::Now | StepState::Lost | StepState::Skipped
        )
    };
    if !batch.crashed {
        return None;
    }
    let at = batch.steps.iter().rposition(|step| reached(step.state)).unwrap_or(0);
    let after = || batch.steps.get(at).and_then(|step| crash::point_after(step.phase));
    let point = batch.within.or_else(after);
    Some((at, point.map_or_else(|| "crash".into(), |point| format!("{point:?}").into())))
}

/// Which run and try it is, and whether the driver stopped in it.
fn side(batch: &BatchView) -> String {
    let again = if batch.again { "again, " } else { "" };
    let stopped = if batch.crashed { STOPPED } else { "" };
    format!("{again}run {}{stopped}", batch.run)
}
