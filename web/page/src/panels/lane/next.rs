//! The batch that has not begun: ten dashed boxes, and gaps in which a crash can be armed ahead of time.

use tidemark_protocol::{StepState, StepView};
use tidemark_trace::Phase;
use yew::prelude::*;

use super::step::Step;
use crate::state::act::crash::Next;

/// What the row draws.
#[derive(Clone, PartialEq, Properties)]
pub(super) struct NextProps {
    /// The batch.
    pub next: Next,
    /// Whether there is no other row.
    pub is_only: bool,
}

/// The row.
#[component]
pub(super) fn NextBatch(props: &NextProps) -> Html {
    let next = &props.next;
    let (name, how) = match next.again {
        Some(batch) => (format!("batch {batch}"), "again"),
        None => ("next batch".to_owned(), "not begun"),
    };
    let steps = Phase::ALL.iter().enumerate().map(|(index, phase)| {
        let before = next.gaps.first.clone().filter(|_| index == 0);
        let after = next.gaps.after.get(index).cloned().flatten();
        let inside = next.gaps.inside.get(index).cloned().flatten();
        html! { <Step key={index} step={step(*phase, next)} on={false} now={false} crash={None::<AttrValue>} {before} {after} {inside} /> }
    });
    let armed = next.gaps.has_armed();
    html! {
        <div class="lane-batch" data-size="next" data-only={props.is_only.then_some("")} data-armed={armed.then_some("")}>
            <div class="lane-side"><b>{name.clone()}</b><span class="lane-how">{if armed { "crash armed" } else { how }}</span></div>
            <ol class="lane-steps" aria-label={format!("{name}, {how}: a crash can be armed between the steps")}>{ for steps }</ol>
        </div>
    }
}

fn step(phase: Phase, next: &Next) -> StepView {
    let is_unused = next.unused.contains(&phase);
    StepView {
        phase,
        state: if is_unused { StepState::Unused } else { StepState::Planned },
        millis: 0,
        file: None,
        note: if is_unused { "This query has no use for it.".to_owned() } else { "Not yet.".to_owned() },
    }
}
