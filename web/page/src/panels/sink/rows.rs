//! One table of the sink.

use tidemark_protocol::{SinkRow, SinkView};
use yew::prelude::*;

use crate::state::words::count;
use crate::widgets::Icon;

/// A table, with its name where there are several.
pub(super) fn sink(sink: &SinkView, named: bool) -> Html {
    html! {
        <section class="sink-one" key={sink.name.clone()} aria-label={sink.name.clone()}>
            if named { <h3 class="sink-name">{&sink.name}<span>{&sink.kind}</span></h3> }
            if !sink.columns.is_empty() { { table(sink) } }
            if !sink.text.is_empty() { <pre class="inspect-raw">{&sink.text}</pre> }
            if !sink.columns.is_empty() { { sum(sink) } }
            { orphans(sink) }
        </section>
    }
}

fn table(sink: &SinkView) -> Html {
    let head = sink.columns.iter().map(|name| html! { <th scope="col">{name}</th> });
    let mut previous = None;
    let rows = sink.rows.iter().map(|found| {
        let is_first = previous.is_some_and(|batch| batch != (found.batch, found.version));
        previous = Some((found.batch, found.version));
        row(found, is_first)
    });
    html! {
        <table class="sink-rows">
            <thead><tr><th scope="col">{"batch"}</th>{ for head }</tr></thead>
            <tbody>{ for rows }</tbody>
        </table>
    }
}

fn row(row: &SinkRow, is_first: bool) -> Html {
    let batch =
        row.batch.map_or_else(|| row.version.map_or(String::new(), |v| format!("v{v}")), |b| format!("b{b}"));
    let is_copy = row.copies > 1;
    let copies = html! { <span class="sink-two">{format!("{}x", row.copies)}</span> };
    let cells = row.cells.iter().enumerate().map(|(index, cell)| {
        let class = if cell.parse::<f64>().is_ok() { "r" } else { "" };
        if index == 0 && is_copy {
            html! { <td {class}>{copies.clone()}<span class="ring">{cell}</span></td> }
        } else {
            html! { <td {class}>{cell}</td> }
        }
    });
    html! {
        <tr data-first={is_first.then_some("")} data-dup={is_copy.then_some("")}>
            <td><span class="batch">{batch}</span></td>{ for cells }
        </tr>
    }
}

fn sum(sink: &SinkView) -> Html {
    let copies = if sink.rows.iter().all(|row| row.copies < 2) {
        html! { <span>{"no row twice"}</span> }
    } else {
        html! { <span class="mark" data-m="dup"><Icon name="ring" />{doubled(&sink.rows)}</span> }
    };
    let shown = sink.rows.len() as u64;
    html! {
        <p class="sink-sum">
            <span><b>{count(sink.total as usize, "row")}</b></span>{copies}
            if shown < sink.total { <span>{format!("the first {shown} are shown")}</span> }
        </p>
    }
}

/// How many different rows are there more than once.
fn doubled(rows: &[SinkRow]) -> String {
    let share: f64 = rows.iter().filter(|row| row.copies > 1).map(|row| 1.0 / f64::from(row.copies)).sum();
    let different = count(share.round() as usize, "row");
    if rows.iter().all(|row| row.copies <= 2) {
        format!("{different} twice")
    } else {
        format!("{different} more than once")
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
