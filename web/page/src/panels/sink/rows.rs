//! One table of the sink: rows that can be followed, duplicates ringed, orphans apart.

use std::collections::BTreeMap;

use tidemark_protocol::{LineageOf, SinkRow, SinkView};
use yew::prelude::*;

use crate::app::{use_dispatch, use_ui, use_world};
use crate::browser::focus;
use crate::state::Action;
use crate::state::words::count;
use crate::widgets::Icon;

const STOPS: &str = "tbody tr";

/// What is drawn.
#[derive(Clone, PartialEq, Properties)]
pub(super) struct SinkProps {
    /// The table.
    pub sink: SinkView,
    /// Whether its name is shown: where there are several.
    pub named: bool,
}

/// A table. One stop for Tab: up and down move, Enter follows the row.
#[component]
pub(super) fn SinkTable(props: &SinkProps) -> Html {
    let SinkProps { sink, named } = props;
    let key = use_state_eq(|| None::<String>);
    let column = key.as_ref().and_then(|name| sink.columns.iter().position(|column| column == name));
    let copies = copies(&sink.rows, column);
    let choose = {
        let key = key.clone();
        Callback::from(move |name: Option<String>| key.set(name))
    };
    html! {
        <section class="sink-one" aria-label={sink.name.clone()}>
            if *named { <h3 class="sink-name">{&sink.name}<span>{&sink.kind}</span></h3> }
            if !sink.columns.is_empty() { <Rows sink={sink.clone()} copies={copies.clone()} {column} /> }
            if !sink.text.is_empty() { <pre class="inspect-raw">{&sink.text}</pre> }
            if !sink.columns.is_empty() { { sum(sink, &copies, column, &choose) } }
            { orphans(sink) }
        </section>
    }
}

/// How often each row is there: as a whole, or by one column.
fn copies(rows: &[SinkRow], column: Option<usize>) -> Vec<u32> {
    let Some(column) = column else { return rows.iter().map(|row| row.copies).collect() };
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    let value = |row: &'_ SinkRow| row.cells.get(column).map(String::as_str).unwrap_or_default().to_owned();
    for row in rows {
        *counts.entry(row.cells.get(column).map(String::as_str).unwrap_or_default()).or_default() += 1;
    }
    rows.iter().map(|row| counts.get(value(row).as_str()).copied().unwrap_or(1)).collect()
}

#[derive(Clone, PartialEq, Properties)]
struct RowsProps {
    sink: SinkView,
    copies: Vec<u32>,
    column: Option<usize>,
}

#[component]
fn Rows(props: &RowsProps) -> Html {
    let (world, ui, dispatch) = (use_world(), use_ui(), use_dispatch());
    let node = use_node_ref();
    focus::use_one_stop(&node, STOPS);
    let sink = &props.sink;
    let ghosts = ui.lesson.open.as_ref().map(|open| open.ghosts(sink)).unwrap_or_default();
    let onkeydown = focus::up_and_down(&node, STOPS);
    let head = sink.columns.iter().map(|name| html! { <th scope="col">{name}</th> });
    let mut previous = None;
    let rows = sink.rows.iter().enumerate().map(|(at, found)| {
        let is_first = previous.is_some_and(|batch| batch != (found.batch, found.version));
        previous = Some((found.batch, found.version));
        let drawn = Drawn {
            row: found,
            copies: props.copies.get(at).copied().unwrap_or(1),
            ringed: props.column.unwrap_or(0),
            is_first,
            is_chosen: world.way.is_row(&sink.name, at),
            is_on_way: world.way.touches_row(&sink.name, at),
        };
        row(&drawn, follow(&dispatch, &sink.name, at))
    });
    html! {
        <table class="sink-rows" role="grid" aria-label={format!("Rows of {}", sink.name)} ref={node} {onkeydown}>
            <thead><tr><th scope="col">{"batch"}</th>{ for head }</tr></thead>
            <tbody>{ for rows }{ for ghosts.iter().map(ghost) }</tbody>
        </table>
    }
}

/// A row that only the guess has.
fn ghost(row: &SinkRow) -> Html {
    let cells = row.cells.iter().map(|cell| {
        let class = if cell.parse::<f64>().is_ok() { "r" } else { "" };
        html! { <td {class}>{cell}</td> }
    });
    html! { <tr data-ghost="" title="Only your guess has this row"><td>{ writer(row) }</td>{ for cells }</tr> }
}

/// Follows a row on a click, on Enter and on Space.
fn follow(dispatch: &Callback<Action>, sink: &str, row: usize) -> Callback<bool> {
    let of = LineageOf::Row { sink: sink.to_owned(), row };
    dispatch.reform(move |_: bool| Action::Trace(Some(of.clone())))
}

struct Drawn<'a> {
    row: &'a SinkRow,
    copies: u32,
    /// The column that is ringed.
    ringed: usize,
    is_first: bool,
    is_chosen: bool,
    is_on_way: bool,
}

fn row(drawn: &Drawn<'_>, follow: Callback<bool>) -> Html {
    let row = drawn.row;
    let is_copy = drawn.copies > 1;
    let copies = html! { <span class="sink-two">{format!("{}x", drawn.copies)}</span> };
    let cells = row.cells.iter().enumerate().map(|(index, cell)| {
        let class = if cell.parse::<f64>().is_ok() { "r" } else { "" };
        if index == drawn.ringed && is_copy {
            html! { <td {class}>{copies.clone()}<span class="ring">{cell}</span></td> }
        } else {
            html! { <td {class}>{cell}</td> }
        }
    });
    let onclick = follow.reform(|_: MouseEvent| true);
    let onkeydown = Callback::from(move |event: KeyboardEvent| {
        if matches!(event.key().as_str(), "Enter" | " ") {
            event.prevent_default();
            event.stop_propagation();
            follow.emit(true);
        }
    });
    html! {
        <tr data-first={drawn.is_first.then_some("")} data-dup={is_copy.then_some("")} data-way={drawn.is_on_way.then_some("")}
            aria-selected={drawn.is_chosen.to_string()} title="Where does this row come from?  Enter" {onclick} {onkeydown}>
            <td>{ writer(row) }</td>{ for cells }
        </tr>
    }
}

/// The batch that brought a row; a version in a double frame where it was someone else.
fn writer(row: &SinkRow) -> Html {
    match (row.batch, row.version) {
        (Some(batch), _) => html! { <span class="batch">{format!("b{batch}")}</span> },
        (None, Some(version)) => {
            html! { <span class="sink-other" title={format!("version {version}, by someone else")}>{format!("v{version}")}</span> }
        }
        (None, None) => Html::default(),
    }
}

fn sum(sink: &SinkView, copies: &[u32], column: Option<usize>, choose: &Callback<Option<String>>) -> Html {
    let noun = column.and_then(|at| sink.columns.get(at)).map_or("row", String::as_str);
    let said = if copies.iter().all(|copies| *copies < 2) {
        html! { <span>{format!("no {noun} twice")}</span> }
    } else {
        html! { <span class="mark" data-m="dup"><Icon name="ring" />{doubled(copies, noun)}</span> }
    };
    let shown = sink.rows.len() as u64;
    html! {
        <p class="sink-sum">
            <span><b>{count(sink.total as usize, "row")}</b></span>{said}
            if shown < sink.total { <span>{format!("the first {shown} are shown")}</span> }
            { key(sink, column, choose) }
        </p>
    }
}

/// The choice of the key by which duplicates count.
fn key(sink: &SinkView, column: Option<usize>, choose: &Callback<Option<String>>) -> Html {
    let onchange = {
        let (choose, columns) = (choose.clone(), sink.columns.clone());
        Callback::from(move |event: Event| {
            let chosen = event.target_dyn_into::<web_sys::HtmlSelectElement>().map(|field| field.value());
            choose.emit(chosen.filter(|name| columns.contains(name)));
        })
    };
    let options = sink.columns.iter().enumerate().map(|(at, name)| {
        html! { <option value={name.clone()} selected={column == Some(at)}>{name}</option> }
    });
    html! {
        <label class="sink-key">{"duplicates by "}
            <select {onchange}><option value="" selected={column.is_none()}>{"whole row"}</option>{ for options }</select>
        </label>
    }
}

/// How many different rows or keys are there more than once.
fn doubled(copies: &[u32], noun: &str) -> String {
    let share: f64 = copies.iter().filter(|copies| **copies > 1).map(|copies| 1.0 / f64::from(*copies)).sum();
    let different = share.round() as usize;
    let what = if noun == "row" { count(different, "row") } else { format!("{different} {noun}") };
    if copies.iter().all(|copies| *copies <= 2) {
        format!("{what} twice")
    } else {
        format!("{what} more than once")
    }
}

fn orphans(sink: &SinkView) -> Html {
    if sink.orphans.is_empty() {
        return Html::default();
    }
    let files = sink.orphans.iter().map(|path| html! { <li key={path.clone()}>{path}</li> });
    html! {
        <div class="sink-orphans">
            <p>{format!("{}, written but in no version: no reader sees it.", count(sink.orphans.len(), "file"))}</p>
            <ul>{ for files }</ul>
        </div>
    }
}
