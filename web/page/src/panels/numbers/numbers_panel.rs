//! `recentProgress` of every run, and `lastProgress`.

use tidemark_protocol::QueryView;
use yew::prelude::*;

use crate::app::use_world;
use crate::widgets::Icon;

/// `recentProgress` of every run as a table, and `lastProgress` as JSON.
#[component]
pub fn Numbers() -> Html {
    let world = use_world();
    let queries = world.view.as_ref().map(|view| view.queries.as_slice()).unwrap_or_default();
    if !queries.iter().any(|query| !query.recent.is_empty()) {
        return html! {
            <div class="empty"><Icon name="lane" /><p>{"No numbers yet. Each trigger of a query adds one entry to recentProgress."}</p></div>
        };
    }
    let last = queries.iter().rev().find(|query| !query.last_progress.is_empty());
    html! {
        <>
            <h3 class="numbers-head">{"recentProgress"}</h3>
            <table class="grid numbers-recent">
                <thead><tr><th scope="col">{"run"}</th><th scope="col" class="r">{"batchId"}</th><th scope="col" class="r">{"numInputRows"}</th></tr></thead>
                <tbody>{ for queries.iter().flat_map(entries) }</tbody>
            </table>
            if let Some(last) = last {
                <h3 class="numbers-head">{"lastProgress"}</h3>
                <pre class="inspect-raw">{&last.last_progress}</pre>
            }
        </>
    }
}

fn entries(query: &QueryView) -> Vec<Html> {
    let row = |(batch, rows): &(i64, i64)| {
        html! { <tr><td>{format!("run {}", query.run)}</td><td class="r">{*batch}</td><td class="r">{*rows}</td></tr> }
    };
    query.recent.iter().map(row).collect()
}
