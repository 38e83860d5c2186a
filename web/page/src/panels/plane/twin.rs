//! The picture as a table.

use std::rc::Rc;

use tidemark_protocol::{Fate, PlaneRow, PlaneView};
use yew::prelude::*;

use super::marks::fate;
use super::plane_panel::clock_of;
use crate::state::words::count;
use crate::widgets::Icon;

#[derive(Clone, PartialEq, Properties)]
pub(super) struct TwinProps {
    pub(super) plane: Rc<PlaneView>,
}

/// All rows of the picture, with what became of each and why.
#[component]
pub(super) fn Twin(props: &TwinProps) -> Html {
    let plane = &props.plane;
    let clock = clock_of(plane);
    let window = |row: &PlaneRow| {
        let names = row.windows.iter().filter_map(|at| plane.windows.get(*at));
        names.map(|window| clock.window(window.start, window.end)).collect::<Vec<_>>().join(" ")
    };
    let has_windows = !plane.windows.is_empty();
    let head = plane.columns.iter().map(|name| html! { <th scope="col">{name}</th> });
    let rows = plane.rows.iter().enumerate().map(|(at, row)| {
        let (kind, icon, word) = fate(row.fate);
        let cells = row.cells.iter().map(|cell| html! { <td class="mono">{cell}</td> });
        html! {
            <tr key={at}>
                <td><span class="batch">{format!("b{}", row.batch)}</span></td>{ for cells }
                if has_windows { <td class="mono">{window(row)}</td> }
                <td><span class="mark" data-m={kind}><Icon name={icon} />{word}</span></td>
                <td class="soft">{&row.reason}</td>
            </tr>
        }
    });
    html! {
        <section class="panel" aria-labelledby="h-twin" data-panel="" tabindex="-1" data-open="">
            <div class="panel-head"><h2 id="h-twin">{"The picture as a table"}</h2><span class="panel-note push">{sum(plane)}</span></div>
            <div class="panel-body" tabindex="0" role="region" aria-label="Rows of the picture">
                <table class="grid">
                    <thead><tr><th scope="col">{"batch"}</th>{ for head }if has_windows { <th scope="col">{"window"}</th> }<th scope="col">{"fate"}</th><th scope="col">{"reason"}</th></tr></thead>
                    <tbody>{ for rows }</tbody>
                </table>
                if plane.total > plane.rows.len() as u64 {
                    <p class="sink-note">{format!("The first {} of {} rows are drawn.", plane.rows.len(), plane.total)}</p>
                }
            </div>
        </section>
    }
}

fn sum(plane: &PlaneView) -> String {
    let of = |fate: Fate| plane.rows.iter().filter(|row| row.fate == fate).count();
    let mut parts = vec![format!("{} in", count(plane.total as usize, "row"))];
    for (number, word) in
        [(of(Fate::Late), "late but kept"), (of(Fate::Dropped), "dropped"), (of(Fate::Repeated), "repeated")]
    {
        if number > 0 {
            parts.push(format!("{number} {word}"));
        }
    }
    parts.join(", ")
}
