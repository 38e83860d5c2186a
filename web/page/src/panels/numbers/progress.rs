//! Where the time of each batch went, and `lastProgress`.

use tidemark_protocol::QueryView;
use yew::prelude::*;

use crate::app::{use_dispatch, use_world};
use crate::state::look::numbers::choices;
use crate::state::tabs::Tab;
use crate::state::{Action, World, words};
use crate::widgets::Icon;
use tidemark_types::clock::length;

/// So many of the last batches have a line.
const BATCHES_MAX: usize = 12;

/// The progress of the query that spoke last, for the last panel.
#[component]
pub fn Progress() -> Html {
    let (world, dispatch) = (use_world(), use_dispatch());
    let queries = world.view.as_ref().map(|view| view.queries.as_slice()).unwrap_or_default();
    let Some(last) = choices(queries).pop() else { return empty(&world) };
    let plot = dispatch.reform(|_: MouseEvent| Action::Tab(Tab::Numbers));
    html! {
        <>
            <p class="numbers-note"><button class="btn btn-small" type="button" aria-keyshortcuts="6" title="Each measure over the batches of the rail  6" onclick={plot}><Icon name="lane" />{"Plot all measures over the rail"}</button></p>
            { progress(queries, &queries[last]) }
        </>
    }
}

/// What stands where there is no entry yet.
pub(super) fn empty(world: &World) -> Html {
    let text = words::unstarted(world).unwrap_or_else(|| {
        "No numbers yet. Each batch of a query adds one entry to recentProgress. Run the script with R."
            .to_owned()
    });
    html! { <div class="empty"><Icon name="lane" /><p>{text}</p></div> }
}

/// The parts of the last batches of a query, over all its runs, and its last entry as JSON.
pub(super) fn progress(queries: &[QueryView], last: &QueryView) -> Html {
    html! {
        <>
            { parts(queries, &last.id) }
            <h3 class="numbers-head">{"lastProgress"}</h3>
            <pre class="inspect-raw" tabindex="0">{&last.last_progress}</pre>
        </>
    }
}

/// Where the time of each batch went, by Spark's keys of `durationMs`.
fn parts(queries: &[QueryView], id: &str) -> Html {
    const KEYS: [&str; 7] = [
        "latestOffset",
        "walCommit",
        "getBatch",
        "queryPlanning",
        "addBatch",
        "commitOffsets",
        "triggerExecution",
    ];
    let runs = queries.iter().filter(|query| query.id == id);
    let all: Vec<_> =
        runs.flat_map(|query| query.numbers.iter().map(|numbers| (query.run, numbers))).collect();
    let shown = &all[all.len().saturating_sub(BATCHES_MAX)..];
    let head = KEYS.into_iter().map(|key| html! { <th scope="col" class="r">{key}</th> });
    let rows = shown.iter().enumerate().map(|(at, (run, numbers))| {
        let of = |key: &str| numbers.parts.iter().find(|(name, _)| name == key).map(|(_, millis)| *millis);
        let cells = KEYS.into_iter().map(|key| html! { <td class="r">{of(key).map_or("-".to_owned(), |ms| ms.to_string())}</td> });
        let gap = numbers.watermark.map(|line| length((numbers.at.0 - line).max(0) / 1000 * 1000));
        html! {
            <tr key={at} title={gap.map(|gap| format!("the watermark is {gap} behind this trigger"))}>
                <th scope="row"><span class="quiet">{format!("run {run} ")}</span><span class="batch">{format!("b{}", numbers.batch)}</span></th>{ for cells }
            </tr>
        }
    });
    html! {
        <>
            <h3 class="numbers-head">{"durationMs"}<small>{format!("of the last {}", words::count(shown.len(), "batch"))}</small></h3>
            <div class="numbers-scroll" tabindex="0" role="region" aria-label="durationMs by batch">
                <table class="grid numbers-recent"><thead><tr><th scope="col">{"batch"}</th>{ for head }</tr></thead><tbody>{ for rows }</tbody></table>
            </div>
        </>
    }
}
