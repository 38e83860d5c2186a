//! The state: Spark's measures by batch, and the rows of each store.

use tidemark_protocol::{StateMeasure, StateOperator, StatePartition, StateTable, StateView};
use yew::prelude::*;

use crate::app::{use_dispatch, use_world};
use crate::browser::geometry;
use crate::state::Action;
use crate::state::words::count;
use crate::widgets::{Icon, Segments};
use tidemark_types::clock::Clock;

/// So many of the last batches have a bar and a button.
const BATCHES_MAX: usize = 8;

/// The panel.
#[component]
pub fn StatePanel() -> Html {
    let world = use_world();
    let note = world.time.state.as_ref().filter(|state| state.absent.is_none()).map(|state| {
        let names: Vec<String> =
            state.operators.iter().map(|o| format!("{}, operator {}", o.name, o.id)).collect();
        names.join("; ")
    });
    html! {
        <section class="panel state" aria-labelledby="h-state" data-panel="" tabindex="-1" data-open="">
            <div class="panel-head"><h2 id="h-state">{"State"}</h2><span class="panel-note">{note}</span></div>
            <div class="panel-body" tabindex="0" role="region" aria-label="Rows of the state"><StateTables /></div>
        </section>
    }
}

/// The state without a frame, for a panel that shows other things too.
#[component]
pub fn StateTables() -> Html {
    let (world, dispatch) = (use_world(), use_dispatch());
    let node = use_node_ref();
    geometry::use_geometry(&node);
    let Some(state) = world.time.state.clone() else {
        return html! { <div class="empty"><p>{"The engine looks the state up."}</p></div> };
    };
    if let Some(absent) = &state.absent {
        return html! { <div class="empty"><Icon name="box" /><p>{absent}</p></div> };
    }
    let shown: Vec<i64> = state.batches.iter().rev().take(BATCHES_MAX).rev().copied().collect();
    let chosen =
        shown.iter().position(|batch| *batch == state.batch).unwrap_or(shown.len().saturating_sub(1));
    let words: Vec<AttrValue> = shown.iter().map(|batch| AttrValue::from(format!("b{batch}"))).collect();
    let choose = {
        let shown = shown.clone();
        dispatch
            .reform(move |at: usize| Action::StateOf(shown.get(at).copied().filter(|_| at + 1 < shown.len())))
    };
    html! {
        <div class="state-all" ref={node}>
            <div class="state-when"><span>{"after batch"}</span><Segments label="State after batch" {words} {chosen} controls="state-rows" onchoose={choose} /></div>
            <div id="state-rows">{ for state.operators.iter().map(|operator| one(operator, &state)) }</div>
        </div>
    }
}

fn one(operator: &StateOperator, state: &StateView) -> Html {
    let several = state.operators.len() > 1 || operator.stores.len() > 1;
    let is_empty = operator.stores.iter().flat_map(|store| &store.partitions).all(|part| part.total == 0);
    html! {
        <section key={operator.id} aria-label={format!("{}, operator {}", operator.name, operator.id)}>
            if state.operators.len() > 1 { <h3 class="state-op">{format!("{}, operator {}", operator.name, operator.id)}</h3> }
            { strip(operator, state.batch) }
            if is_empty { <p class="sink-note">{gone(operator, state.batch)}</p> } else if is_join(operator) { { sides(operator) } } else { { for operator.stores.iter().map(|store| table(operator, store, several)) } }
        </section>
    }
}

/// Why there is no key.
fn gone(operator: &StateOperator, batch: i64) -> String {
    let mut measures = operator.measures.iter().rev();
    match measures.find(|measure| measure.batch <= batch && measure.removed > 0) {
        Some(measure) => format!("No keys: the last one expired in batch {}.", measure.batch),
        None => "No keys yet: no row has come that is to be remembered.".to_owned(),
    }
}

fn is_join(operator: &StateOperator) -> bool {
    operator.stores.iter().any(|store| store.name.starts_with("right-"))
}

/// A join: the rows of both sides as two tables; how many there are of each key stands below.
fn sides(operator: &StateOperator) -> Html {
    let (counts, rows): (Vec<&StateTable>, Vec<&StateTable>) =
        operator.stores.iter().partition(|store| store.name.ends_with("keyToNumValues"));
    let side = |store: &StateTable| {
        let (side, _) = store.name.split_once('-').unwrap_or((&store.name, ""));
        html! { <div class="state-side" tabindex="0" role="region" aria-label={format!("Rows of the {side} side")}><h4 class="state-store">{format!("rows of the {side} side ")}<span class="mono">{&store.name}</span></h4>{ table(operator, store, false) }</div> }
    };
    html! {
        <>
            <div class="state-sides">{ for rows.into_iter().map(side) }</div>
            <p class="sink-note">{"A row leaves when the watermark is past every time that could still match it. Under matched, false means that an outer join hands it out alone when it leaves."}</p>
            <details class="state-counts"><summary>{"How many rows each key has"}</summary>{ for counts.into_iter().map(|store| table(operator, store, true)) }</details>
        </>
    }
}

/// Rows total, updated, removed and dropped, by batch.
fn strip(operator: &StateOperator, now: i64) -> Html {
    const MEASURES: [(&str, &str, fn(&StateMeasure) -> i64); 4] = [
        ("numRowsTotal", "state", |m| m.total),
        ("numRowsUpdated", "state", |m| m.updated),
        ("numRowsRemoved", "state", |m| m.removed),
        ("dropped by watermark", "dropped", |m| m.dropped),
    ];
    let from = operator.measures.len().saturating_sub(BATCHES_MAX);
    let shown = &operator.measures[from..];
    let plots = MEASURES.map(|(name, meaning, of)| {
        let most = shown.iter().map(of).max().unwrap_or(0).max(1);
        let values: Vec<String> = shown.iter().map(|m| of(m).to_string()).collect();
        let bars = shown.iter().map(|measure| {
            let value = of(measure);
            let share = value as f64 / most as f64;
            html! { <span key={measure.batch} data-now={(measure.batch == now).then_some("")} data-geo={format!("v:{share:.3}")}><i>{value}</i></span> }
        });
        html! {
            <div key={name} class="state-bars" data-m={meaning}>
                <h3>{name}</h3>
                <div role="img" aria-label={format!("{name} by batch: {}", values.join(", "))} data-geo={format!("n:{}", shown.len().max(1))}>{ for bars }</div>
            </div>
        }
    });
    html! { <div class="state-strip">{ for plots }</div> }
}

fn table(operator: &StateOperator, store: &StateTable, named: bool) -> Html {
    let leaves = store.partitions.iter().flat_map(|p| p.rows.iter().filter_map(|row| row.leaves));
    let clock = Clock::of(leaves);
    let has_end = store.partitions.iter().any(|p| p.rows.iter().any(|row| row.leaves.is_some()));
    let head = store.columns.iter().enumerate().map(|(at, name)| {
        let key = (at < store.key_columns).then_some("");
        html! { <th scope="col" data-key={key}>{name}</th> }
    });
    let width = store.columns.len() + 1 + usize::from(has_end);
    html! {
        <>
            if named { <h4 class="state-store">{&store.name}</h4> }
            <table class="grid state-rows" aria-label={format!("{} {}", operator.name, store.name)}>
                <thead><tr>{ for head }if has_end { <th scope="col">{"leaves at"}</th> }<th scope="col">{"touched"}</th></tr></thead>
                { for store.partitions.iter().map(|partition| part(partition, clock, has_end, width)) }
            </table>
        </>
    }
}

fn part(partition: &StatePartition, clock: Clock, has_end: bool, width: usize) -> Html {
    let rows = partition.rows.iter().enumerate().map(|(at, row)| {
        let cells = row.cells.iter().map(|cell| html! { <td class="mono">{cell}</td> });
        html! {
            <tr key={at}>
                { for cells }
                if has_end { <td class="mono">{row.leaves.map_or_else(|| "never".to_owned(), |at| clock.text(at))}</td> }
                <td>if let Some(batch) = row.touched { <span class="batch">{format!("b{batch}")}</span> }</td>
            </tr>
        }
    });
    let more = partition.total.saturating_sub(partition.rows.len() as u64);
    html! {
        <tbody key={partition.partition}>
            <tr class="state-part">
                <th colspan={width.to_string()} scope="rowgroup">{format!("partition {} ", partition.partition)}<span class="mono">{partition.file.clone().unwrap_or_default()}</span></th>
            </tr>
            if partition.total == 0 {
                <tr><td class="soft" colspan={width.to_string()}>{"empty: the hash of every key went elsewhere"}</td></tr>
            }
            { for rows }
            if more > 0 { <tr><td class="soft" colspan={width.to_string()}>{format!("and {} more", count(more as usize, "key"))}</td></tr> }
        </tbody>
    }
}
