//! The crash that is looked at: what happened, the others of its point, and the way to its branch.

use tidemark_protocol::{SweepCell, Verdict};
use yew::prelude::*;

use super::table::mark;
use crate::app::{use_dispatch, use_world};
use crate::browser::focus;
use crate::state::look::sweep::{self, SweepMove};
use crate::state::{Action, Tab};
use crate::widgets::{ActButton, Icon};

const STOPS: &str = ".sweep-cells .sweep-cell";

/// The side of the table.
#[component]
pub(super) fn SidePanel() -> Html {
    let (world, dispatch) = (use_world(), use_dispatch());
    let node = use_node_ref();
    focus::use_one_stop(&node, STOPS);
    let (Some(row), Some(cell)) = (world.sweep.row(), world.sweep.chosen()) else {
        return html! { <aside class="sweep-side" ref={node} aria-label="One crash"><p>{"The first verdict is on its way."}</p></aside> };
    };
    let at = row.cells.iter().position(|other| other == cell).unwrap_or(0);
    let story = sweep::story(row.point, cell, &world.draft);
    let open = dispatch.reform(move |()| Action::Sweep(SweepMove::Open(at)));
    let off =
        cell.acts.is_empty().then(|| AttrValue::from("The branches can be opened when the sweep is over."));
    let mend = dispatch.reform(|()| Action::Tab(Tab::Lane));
    let is_wrong = matches!(cell.verdict, Verdict::Doubled | Verdict::Lost);
    html! {
        <aside class="sweep-side" ref={node} aria-labelledby="sweep-h">
            <p class="panel-note">{format!("{:?}, {}", row.point, cell.place)}</p>
            <h2 id="sweep-h">{sweep::outcome(cell)}</h2>
            { for story.iter().map(|line| html! { <p key={line.clone()}>{line}</p> }) }
            <div class="sweep-do">
                <ActButton word="Open this branch" icon="fork" strong=true {off} title="The acts that lead there, as a branch of its own" onpress={open} />
                if is_wrong && world.draft.contains("foreachBatch") {
                    <ActButton word="Fix the function" icon="code" title="Back to the lane and the script" onpress={mend} />
                }
            </div>
            <Cells cells={row.cells.clone()} {at} />
        </aside>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct CellsProps {
    cells: Vec<SweepCell>,
    at: usize,
}

/// All crashes of the point: one stop for Tab, up and down move, Enter looks at one.
#[component]
fn Cells(props: &CellsProps) -> Html {
    let dispatch = use_dispatch();
    let node = use_node_ref();
    let onkeydown = {
        let node = node.clone();
        Callback::from(move |event: KeyboardEvent| {
            let steps = match event.key().as_str() {
                "ArrowDown" => 1,
                "ArrowUp" => -1,
                _ => return,
            };
            event.prevent_default();
            event.stop_propagation();
            focus::move_by(&node, ".sweep-cell", steps);
        })
    };
    let rows = props.cells.iter().enumerate().map(|(at, cell)| {
        let on = at == props.at;
        let look = dispatch.reform(move |_: MouseEvent| Action::Sweep(SweepMove::Cell(at)));
        let (icon, hue) = mark(cell.verdict);
        let batch = cell.batch.map_or_else(|| "-".to_owned(), |batch| format!("b{batch}"));
        html! {
            <tr key={at} data-on={on.then_some("")}>
                <td><span class="batch">{batch}</span></td>
                <td class="sweep-place">{&cell.place}</td>
                <td>
                    <button class="sweep-cell" type="button" data-m={hue} data-now={on.then_some("")} aria-pressed={on.to_string()} onclick={look}
                        aria-label={format!("{}: {}. Look at it", cell.place, cell.verdict)}>
                        <Icon name={icon} />{cell.verdict.to_string()}
                    </button>
                </td>
            </tr>
        }
    });
    html! {
        <div class="sweep-cells" ref={node} {onkeydown}>
            <table class="sink-rows">
                <caption class="only-read">{"All crashes of this point"}</caption>
                <thead><tr><th scope="col">{"batch"}</th><th scope="col">{"crash"}</th><th scope="col">{"tables"}</th></tr></thead>
                <tbody>{ for rows }</tbody>
            </table>
        </div>
    }
}
