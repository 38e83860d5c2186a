//! One side: how many rows its tables hold, and those that the other side has not.

use std::rc::Rc;

use tidemark_protocol::{Comparison, RowDifference, SinkDifference};
use yew::prelude::*;

use crate::state::look::sides::Side;
use crate::state::words;

/// What a side draws.
#[derive(Clone, PartialEq, Properties)]
pub(super) struct SideProps {
    /// `A` or `B`.
    pub tag: AttrValue,
    /// The comparison.
    pub found: Rc<Comparison>,
    /// Which side.
    pub side: Side,
}

/// The side.
#[component]
pub(super) fn SidePanel(props: &SideProps) -> Html {
    let found = &props.found;
    let own = if props.side == Side::Left { &found.left } else { &found.right };
    let id = format!("compare-{}", props.tag);
    html! {
        <section class="compare-side" aria-labelledby={id.clone()}>
            <h2 id={id}><span class="compare-tag">{&props.tag}</span>{&own.name}<span class="quiet">{format!("step {}, {}", own.place.moment + 1, words::clock(own.at))}</span></h2>
            if found.sinks.is_empty() { <p class="sink-note">{"No table on either side."}</p> }
            { for found.sinks.iter().map(|sink| table(sink, props.side, found.sinks.len() > 1)) }
        </section>
    }
}

fn on(row: &RowDifference, side: Side) -> u64 {
    if side == Side::Left { row.left } else { row.right }
}

fn table(sink: &SinkDifference, side: Side, is_named: bool) -> Html {
    let total = if side == Side::Left { sink.left_total } else { sink.right_total };
    let rows: Vec<&RowDifference> = sink.rows.iter().filter(|row| on(row, side) > 0).collect();
    let doubled = rows.iter().filter(|row| on(row, side) > 1).count();
    let (number, noun) = (total.to_string(), if total == 1 { "row" } else { "rows" });
    html! {
        <div key={sink.name.clone()}>
            <p class="compare-big" data-m={(doubled > 0).then_some("dup")}>
                <b>{number}</b>{noun}<span class="mono quiet">{if is_named { sink.name.as_str() } else { "" }}</span>
                if doubled > 0 { <span class="sink-two">{format!("{} more than once", words::count(doubled, "row"))}</span> }
            </p>
            if !rows.is_empty() {
                <table class="sink-rows">
                    <caption class="only-read">{format!("Rows of {} that the sides do not share", sink.name)}</caption>
                    <thead><tr><th scope="col">{"times"}</th>{ for sink.columns.iter().map(|name| html! { <th scope="col">{name}</th> }) }</tr></thead>
                    <tbody>{ for rows.into_iter().map(|row| line(row, side)) }</tbody>
                </table>
            } else {
                <p class="sink-note">{if sink.rows.is_empty() { "The rows are the same on both sides." } else { "No row that the other side has not." }}</p>
            }
        </div>
    }
}

fn line(row: &RowDifference, side: Side) -> Html {
    let times = on(row, side);
    let cells = row.cells.iter().enumerate().map(|(index, cell)| {
        let class = if cell.parse::<f64>().is_ok() { "r" } else { "" };
        if index == 0 && times > 1 {
            html! { <td {class}><span class="ring">{cell}</span></td> }
        } else {
            html! { <td {class}>{cell}</td> }
        }
    });
    html! { <tr><td><span class="batch">{format!("{times}x")}</span></td>{ for cells }</tr> }
}
