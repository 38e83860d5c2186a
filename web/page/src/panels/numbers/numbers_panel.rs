//! Spark's measures as small plots, one above another: each batch stands where the rail has it.

use yew::prelude::*;

use super::plots::{Batch, Plots, Row};
use super::progress;
use crate::app::use_world;
use crate::state::look::numbers::{
    Column, Lack, MEASURES, Measure, choices, columns, exact, of_state, text, told,
};
use crate::state::look::rail;
use crate::state::words::count;
use crate::widgets::Segments;
use tidemark_types::clock::length;

/// The picture, its table, and the progress.
#[component]
pub fn Numbers() -> Html {
    let world = use_world();
    let chosen = use_state_eq(|| None::<usize>);
    let queries = world.view.as_ref().map(|view| view.queries.as_slice()).unwrap_or_default();
    let all = choices(queries);
    let at = chosen.filter(|at| *at < all.len()).unwrap_or(all.len().saturating_sub(1));
    let axis = rail::axis(&world);
    let line = axis.lines.iter().find(|line| line.branch == world.branch);
    let (Some(query), Some(line)) = (all.get(at).map(|place| &queries[*place]), line) else {
        return progress::empty(&world);
    };
    let columns = columns(&line.marks, world.moment, queries, &query.id);
    let has = |(.., of): &Measure| columns.iter().any(|column| column.entry.is_ok_and(|n| of(n).is_some()));
    let measures: Vec<Measure> = MEASURES.into_iter().filter(has).collect();
    let words: Vec<AttrValue> =
        all.iter().map(|place| AttrValue::from(queries[*place].sink.clone())).collect();
    let choose = Callback::from(move |at: usize| chosen.set(Some(at)));
    let now = columns.iter().rfind(|column| column.at <= world.moment);
    html! {
        <>
            <div class="picture-say">
                <p class="picture-sentence" role="status" aria-live="polite">{now.map(sentence)}</p>
                <p class="picture-meaning">{meaning(&columns, &measures)}</p>
                if words.len() > 1 { <Segments label="Query" {words} chosen={at} controls="numbers-plots" onchoose={choose} /> }
            </div>
            <Plots line={line.clone()} of={axis.of} moment={world.moment} batches={drawn(&columns)} rows={rows(&columns, &measures)} />
            { note(&columns) }
            <div class="evidence evidence-numbers">
                <section class="panel" aria-labelledby="h-measures" data-panel="" tabindex="-1" data-open="">
                    <div class="panel-head"><h2 id="h-measures">{"The picture as a table"}</h2><span class="panel-note push">{count(columns.len(), "batch")}</span></div>
                    <div class="panel-body" tabindex="0" role="region" aria-label="Measures by batch">{ table(&columns, &measures) }</div>
                </section>
                <section class="panel" aria-labelledby="h-progress" data-panel="" tabindex="-1" data-open="">
                    <div class="panel-head"><h2 id="h-progress">{"Progress"}</h2><span class="panel-note push">{&query.sink}</span></div>
                    <div class="panel-body" tabindex="0" role="region" aria-label="Parts of the batches">{ progress::progress(queries, query) }</div>
                </section>
            </div>
        </>
    }
}

/// The value of a batch in words, or why there is none.
fn say(column: &Column<'_>, (_, unit, of): &Measure) -> String {
    match column.entry {
        Ok(numbers) => of(numbers).map_or_else(|| "none".to_owned(), |value| told(value, unit)),
        Err(lack) => lack.words().to_owned(),
    }
}

/// The batches as the plots draw them.
fn drawn(columns: &[Column<'_>]) -> Vec<Batch> {
    let batch = |column: &Column<'_>| Batch {
        at: column.at,
        last: column.last,
        name: format!("b{}", column.batch),
        lack: column.entry.err().map(Lack::mark),
    };
    columns.iter().map(batch).collect()
}

/// The measures as the plots draw them: each from 0 to its largest value.
fn rows(columns: &[Column<'_>], measures: &[Measure]) -> Vec<Row> {
    let row = |measure: &Measure| {
        let (name, unit, of) = *measure;
        let value = |column: &Column<'_>| column.entry.ok().and_then(of);
        let mut most = (0.0, String::new());
        for column in columns {
            if let Some(value) = value(column).filter(|value| *value > most.0) {
                most = (value, format!("most {} in b{}", text(value), column.batch));
            }
        }
        Row {
            name,
            unit,
            shares: columns
                .iter()
                .map(|column| {
                    value(column).map_or(0.0, |value| (value / most.0.max(f64::MIN_POSITIVE)).max(0.0))
                })
                .collect(),
            values: columns.iter().map(|column| value(column).map(text)).collect(),
            told: columns.iter().map(|column| say(column, measure)).collect(),
            most: most.1,
        }
    };
    measures.iter().map(row).collect()
}

/// The batch at the playhead in one sentence.
fn sentence(column: &Column<'_>) -> String {
    match column.entry {
        Ok(numbers) => {
            format!(
                "Batch {} read {} in {} ms.",
                column.batch,
                count(numbers.input_rows as usize, "row"),
                numbers.duration
            )
        }
        Err(lack) => format!("Batch {}: {}.", column.batch, lack.words()),
    }
}

/// What the picture leaves open.
fn meaning(columns: &[Column<'_>], measures: &[Measure]) -> String {
    let mut text = "A batch is as wide as on the rail. A press, or Enter, goes to its end.".to_owned();
    let entry = columns.iter().rev().find_map(|column| column.entry.ok());
    if let Some((numbers, line)) = entry.and_then(|numbers| Some((numbers, numbers.watermark?))) {
        let side = if line > numbers.at.0 { "ahead of" } else { "behind" };
        let gap = (numbers.at.0 - line).abs();
        // In whole minutes, where there are some.
        let unit = if gap < 120_000 { 1000 } else { 60_000 };
        let gap = length(gap / unit * unit);
        text += &format!(" The watermark is {gap} {side} the trigger of batch {}.", numbers.batch);
    }
    if !measures.iter().any(|(name, ..)| *name == "numRowsTotal") {
        text += " This query keeps no state, so it has no measures of state.";
    }
    text
}

/// What Spark's count of late rows leaves open, where there are some.
fn note(columns: &[Column<'_>]) -> Html {
    let is_dropped = |column: &Column<'_>| {
        column.entry.ok().and_then(|n| of_state(n, |m| m.dropped)).is_some_and(|rows| rows > 0.0)
    };
    if !columns.iter().any(is_dropped) {
        return Html::default();
    }
    html! { <p class="numbers-note"><b>{"numRowsDroppedByWatermark"}</b>{" counts after the partial aggregation: several late rows of one group in one task are one. The time plane counts rows."}</p> }
}

/// Each batch with all its measures.
fn table(columns: &[Column<'_>], measures: &[Measure]) -> Html {
    let head =
        measures.iter().map(|(name, unit, _)| html! { <th scope="col" class="r" title={*unit}>{*name}</th> });
    let rows = columns.iter().enumerate().map(|(at, column)| {
        let cells = measures.iter().enumerate().map(|(place, (.., of))| {
            let text = match column.entry {
                Ok(numbers) => of(numbers).map_or_else(|| "-".to_owned(), exact),
                // The reason stands once.
                Err(lack) if place == 0 => lack.words().to_owned(),
                Err(_) => String::new(),
            };
            html! { <td class="r">{text}</td> }
        });
        html! {
            <tr key={at}><th scope="row"><span class="quiet">{format!("run {} ", column.run)}</span><span class="batch">{format!("b{}", column.batch)}</span></th>{ for cells }</tr>
        }
    });
    html! {
        <table class="grid numbers-recent"><thead><tr><th scope="col">{"batch"}</th>{ for head }</tr></thead><tbody>{ for rows }</tbody></table>
    }
}
