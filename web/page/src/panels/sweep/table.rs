//! The table: fourteen rows, a verdict each.

use std::rc::Rc;

use tidemark_protocol::{SweepRow, SweepTable, Verdict};
use tidemark_trace::CrashPoint;
use yew::prelude::*;

use super::glyph::Glyph;
use crate::app::use_dispatch;
use crate::browser::focus;
use crate::state::Action;
use crate::state::look::sweep::{SweepMove, row_in_words, where_in};
use crate::widgets::Icon;

const STOPS: &str = ".sweep-table .sweep-cell";

#[derive(Clone, PartialEq, Properties)]
pub(super) struct RowsProps {
    pub(super) table: Rc<SweepTable>,
    /// The point that is looked at.
    pub(super) point: Option<CrashPoint>,
}

/// The table. Its verdicts are one stop for Tab; up and down move, Enter looks at one.
#[component]
pub(super) fn SweepRows(props: &RowsProps) -> Html {
    let node = use_node_ref();
    focus::use_one_stop(&node, STOPS);
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
            focus::move_by(&node, STOPS, steps);
        })
    };
    let state = props.table.rows.iter().any(|row| row.point == CrashPoint::C06 && row.absent.is_none());
    let batch = props.table.rows.iter().flat_map(|row| &row.cells).filter_map(|cell| cell.batch).max();
    let rows = props.table.rows.iter().map(|row| {
        let on = props.point == Some(row.point) && row.absent.is_none();
        html! { <Row key={format!("{:?}", row.point)} row={Rc::new(row.clone())} {state} {batch} {on} /> }
    });
    let done = format!("{} of {}", props.table.survived, props.table.applicable);
    html! {
        <div class="sweep-scroll" ref={node} {onkeydown} tabindex="0" role="region" aria-label="Crash sweep table">
            <table class="sweep-table">
                <caption class="only-read">{format!("Crash sweep: fourteen crash points, {done} survived")}</caption>
                <thead>
                    <tr>
                        <th scope="col">{"crash"}</th>
                        <th scope="col">{"where in a batch"}</th>
                        <th scope="col" class="sweep-where"><span class="only-read">{"in words"}</span></th>
                        <th scope="col" class="sweep-first">{"tables"}</th>
                        <th scope="col" class="r">{"too many"}</th>
                        <th scope="col" class="r">{"missing"}</th>
                        <th scope="col" class="r">{"run again"}</th>
                        <th scope="col" class="r">{"crashes"}</th>
                    </tr>
                </thead>
                <tbody>{ for rows }</tbody>
            </table>
        </div>
    }
}

/// The icon and the hue of a verdict.
pub(super) fn mark(verdict: Verdict) -> (&'static str, &'static str) {
    match verdict {
        Verdict::Right => ("tick", "done"),
        Verdict::Doubled => ("ring", "dup"),
        Verdict::Lost => ("cross", "dropped"),
        Verdict::Stuck => ("bolt", "crash"),
    }
}

#[derive(Clone, PartialEq, Properties)]
struct RowProps {
    row: Rc<SweepRow>,
    state: bool,
    batch: Option<i64>,
    on: bool,
}

#[component]
fn Row(props: &RowProps) -> Html {
    let dispatch = use_dispatch();
    let row = &props.row;
    let name = format!("{:?}", row.point);
    html! {
        <tr data-on={props.on.then_some("")}>
            <th scope="row" class="mono">{name}</th>
            <td class="sweep-g"><Glyph point={row.point} state={props.state} /></td>
            <td class="sweep-where">{where_in(row.point, props.batch)}</td>
            { verdict(row, props.on, &dispatch) }
        </tr>
    }
}

fn verdict(row: &SweepRow, on: bool, dispatch: &Callback<Action>) -> Html {
    let Some(verdict) = row.verdict else {
        let words = row.absent.clone().unwrap_or_else(|| "not tried yet".to_owned());
        return html! { <td class="sweep-na sweep-first" colspan="5">{words}</td> };
    };
    let point = row.point;
    let look = dispatch.reform(move |_: MouseEvent| Action::Sweep(SweepMove::Point(point)));
    let (icon, hue) = mark(verdict);
    let (doubled, lost, again) = row.most();
    html! {
        <>
            <td class="sweep-first">
                <button class="sweep-cell" type="button" data-m={hue} data-now={on.then_some("")} aria-pressed={on.to_string()} onclick={look}
                    aria-label={format!("{}. Look at it", row_in_words(row))} title="Look at it  Enter">
                    <Icon name={icon} />{verdict.to_string()}
                </button>
            </td>
            { number(doubled, true) }{ number(lost, true) }{ number(again, false) }
            <td class="r quiet">{row.cells.len()}</td>
        </>
    }
}

fn number(number: u64, is_bad: bool) -> Html {
    match (number, is_bad) {
        (0, _) => html! { <td class="r quiet">{"0"}</td> },
        (_, true) => html! { <td class="r"><b class="sweep-bad">{number}</b></td> },
        (_, false) => html! { <td class="r">{number}</td> },
    }
}
