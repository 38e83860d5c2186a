//! The rows of an input file: each can be followed to where it went.

use std::rc::Rc;

use tidemark_protocol::{LineageOf, ObjectView, Table};
use yew::prelude::*;

use crate::app::{use_dispatch, use_world};
use crate::browser::focus;
use crate::state::look::way;
use crate::state::{Action, words};

const STOPS: &str = "tbody tr";

/// What is drawn.
#[derive(Clone, PartialEq, Properties)]
pub(super) struct LinesProps {
    /// The file.
    pub object: Rc<ObjectView>,
    /// Its rows.
    pub table: Table,
}

/// The rows as a grid. One stop for Tab: up and down move, Enter follows the line.
#[component]
pub(super) fn Lines(props: &LinesProps) -> Html {
    let (world, dispatch) = (use_world(), use_dispatch());
    let node = use_node_ref();
    focus::use_one_stop(&node, STOPS);
    let LinesProps { object, table } = props;
    let numbers = way::line_numbers(object);
    let onkeydown = focus::up_and_down(&node, STOPS);
    let head = table.columns.iter().map(|name| html! { <th scope="col">{name}</th> });
    let rows = table.rows.iter().enumerate().map(|(at, cells)| {
        let line = numbers.get(at).copied().unwrap_or(at as u32 + 1);
        let is_on_way = world.way.touches_line(&object.path, line);
        row(line, cells, is_on_way, follow(&dispatch, &object.path, line))
    });
    let shown = table.rows.len() as u64;
    html! {
        <>
            <div class="inspect-table">
                <table class="grid inspect-grid" role="grid" aria-label={format!("Lines of {}", object.path)} ref={node} {onkeydown}>
                    <thead><tr><th scope="col">{"line"}</th>{ for head }</tr></thead><tbody>{ for rows }</tbody>
                </table>
            </div>
            <p class="sink-sum"><b>{words::count(table.total as usize, "row")}</b>
                if shown < table.total { {format!("the first {shown} are shown")} }
                <span>{"Enter on a line shows where it went."}</span>
            </p>
        </>
    }
}

fn follow(dispatch: &Callback<Action>, path: &str, line: u32) -> Callback<()> {
    let of = LineageOf::Line { path: path.to_owned(), line };
    dispatch.reform(move |()| Action::Trace(Some(of.clone())))
}

fn row(line: u32, cells: &[String], is_on_way: bool, follow: Callback<()>) -> Html {
    let onclick = follow.reform(|_: MouseEvent| ());
    let onkeydown = Callback::from(move |event: KeyboardEvent| {
        if matches!(event.key().as_str(), "Enter" | " ") {
            event.prevent_default();
            event.stop_propagation();
            follow.emit(());
        }
    });
    html! {
        <tr key={line} data-way={is_on_way.then_some("")} aria-selected={is_on_way.to_string()} title="Where did this line go?  Enter" {onclick} {onkeydown}>
            <td class="quiet">{line}</td>{ for cells.iter().map(|cell| html! { <td>{cell}</td> }) }
        </tr>
    }
}
