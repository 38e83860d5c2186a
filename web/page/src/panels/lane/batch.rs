//! One batch: a row of ten steps.

use tidemark_protocol::{BatchView, StepState};
use tidemark_trace::Phase;
use yew::prelude::*;

use super::step::Step;

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
    /// A file is opened.
    pub onselect: Callback<String>,
    /// A step tells what it did.
    pub onsay: Callback<String>,
}

/// The row.
#[component]
pub(super) fn Batch(props: &BatchProps) -> Html {
    let batch = &props.batch;
    let reached = |state: StepState| {
        matches!(
            state,
            StepState::Kept | StepState::Done | StepState::Now | StepState::Lost | StepState::Skipped
        )
    };
    let crash = batch.crashed.then(|| batch.steps.iter().rposition(|step| reached(step.state)).unwrap_or(0));
    let how = side(batch);
    let label = format!("Batch {}, {how}", batch.batch);
    let steps = batch.steps.iter().enumerate().map(|(index, step)| {
        let on = step.file.is_some() && step.file.as_deref() == props.on.as_deref();
        html! {
            <Step key={index} step={step.clone()} {on} crash={crash == Some(index)} now={props.now == Some(step.phase)} onselect={props.onselect.clone()}
                onsay={props.onsay.clone()} />
        }
    });
    html! {
        <div class="lane-batch" data-size={props.small.then_some("small")}>
            <span class="lane-tide"></span>
            <div class="lane-side">
                <b>{format!("batch {}", batch.batch)}</b>
                <span class="lane-how" title={how.clone()}>{how.clone()}</span>
                if !props.query.is_empty() { <span class="lane-query"><i>{"query "}</i>{&props.query}</span> }
                <span class="lane-shore">{"store"}</span>
            </div>
            <ol class="lane-steps" aria-label={label}>{ for steps }</ol>
        </div>
    }
}

/// Which run and try it is, and whether the driver stopped in it.
fn side(batch: &BatchView) -> String {
    let again = if batch.again { "again, " } else { "" };
    let stopped = if batch.crashed { ", stopped" } else { "" };
    format!("{again}run {}{stopped}", batch.run)
}
