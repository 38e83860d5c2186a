//! Spark's measures over the batches, by Spark's names; and `lastProgress`.

use tidemark_protocol::{BatchNumbers, QueryView, StateMeasure};
use yew::prelude::*;

use crate::app::use_world;
use crate::browser::geometry;
use crate::state::words;
use crate::widgets::Icon;
use tidemark_types::clock::length;

/// So many of the last batches have a bar.
const BARS_MAX: usize = 12;

/// A measure: its name, its unit, and its value in a batch, if the batch has it.
type Measure = (&'static str, &'static str, fn(&BatchNumbers) -> Option<f64>);

const MEASURES: [Measure; 10] = [
    ("numInputRows", "rows", |n| Some(n.input_rows as f64)),
    ("inputRowsPerSecond", "rows/s", |n| n.input_rate),
    ("processedRowsPerSecond", "rows/s", |n| n.process_rate),
    ("batchDuration", "ms", |n| Some(n.duration as f64)),
    ("watermark gap", "s behind the trigger", |n| Some((n.at.0 - n.watermark?) as f64 / 1000.0)),
    ("numRowsTotal", "keys in state", |n| of_state(n, |m| m.total)),
    ("numRowsUpdated", "keys", |n| of_state(n, |m| m.updated)),
    ("numRowsRemoved", "keys", |n| of_state(n, |m| m.removed)),
    ("numRowsDroppedByWatermark", "rows", |n| of_state(n, |m| m.dropped)),
    ("memoryUsedBytes", "bytes", |n| of_state(n, |m| m.memory)),
];

fn of_state(numbers: &BatchNumbers, of: fn(&StateMeasure) -> i64) -> Option<f64> {
    (!numbers.operators.is_empty()).then(|| numbers.operators.iter().map(of).sum::<i64>() as f64)
}

/// A batch of a run.
struct Bar<'a> {
    run: u32,
    numbers: &'a BatchNumbers,
}

/// The measures as plots, the parts of each batch as a table, and the last entry as JSON.
#[component]
pub fn Numbers() -> Html {
    let world = use_world();
    let node = use_node_ref();
    geometry::use_geometry(&node);
    let queries = world.view.as_ref().map(|view| view.queries.as_slice()).unwrap_or_default();
    let last = queries.iter().rev().find(|query| !query.last_progress.is_empty());
    let bars: Vec<Bar<'_>> = last.map(|last| bars(queries, last)).unwrap_or_default();
    if bars.is_empty() {
        return html! {
            <div class="empty"><Icon name="lane" /><p>{"No numbers yet. Each batch of a query adds one entry to recentProgress. Run the script with R."}</p></div>
        };
    }
    let dropped = bars.iter().any(|bar| of_state(bar.numbers, |m| m.dropped).is_some_and(|rows| rows > 0.0));
    html! {
        <div class="numbers" ref={node}>
            <div class="numbers-grid">{ for MEASURES.iter().filter_map(|measure| plot(measure, &bars)) }</div>
            if dropped {
                <p class="numbers-note"><b>{"numRowsDroppedByWatermark"}</b>{" counts after the partial aggregation: several late rows of one group in one task are one. The time plane counts rows."}</p>
            }
            { parts(&bars) }
            if let Some(last) = last {
                <h3 class="numbers-head">{"lastProgress"}</h3>
                <pre class="inspect-raw" tabindex="0">{&last.last_progress}</pre>
            }
        </div>
    }
}

/// The batches of a query over all its runs, the last ones.
fn bars<'a>(queries: &'a [QueryView], last: &QueryView) -> Vec<Bar<'a>> {
    let runs = queries.iter().filter(|query| query.id == last.id);
    let mut all: Vec<Bar<'a>> =
        runs.flat_map(|query| query.numbers.iter().map(|numbers| Bar { run: query.run, numbers })).collect();
    let from = all.len().saturating_sub(BARS_MAX);
    all.drain(..from);
    all
}

fn plot((name, unit, of): &Measure, bars: &[Bar<'_>]) -> Option<Html> {
    let values: Vec<Option<f64>> = bars.iter().map(|bar| of(bar.numbers)).collect();
    let most = values.iter().flatten().copied().fold(f64::NAN, f64::max);
    if most.is_nan() {
        return None;
    }
    let told: Vec<String> =
        bars.iter().zip(&values).map(|(bar, v)| format!("b{} {}", bar.numbers.batch, text(*v))).collect();
    let drawn = bars.iter().zip(&values).enumerate().map(|(at, (bar, value))| {
        let share = value.map_or(0.0, |value| if most > 0.0 { (value / most).max(0.0) } else { 0.0 });
        let split = at > 0 && bars[at - 1].run != bar.run;
        let now = at + 1 == bars.len();
        html! {
            <span key={at} data-now={now.then_some("")} data-split={split.then_some("")} data-geo={format!("v:{share:.3}")}>
                <i>{text(*value)}</i><em>{format!("b{}", bar.numbers.batch)}</em>
            </span>
        }
    });
    Some(html! {
        <div key={*name} class="numbers-plot">
            <h3>{*name}<small>{*unit}</small></h3>
            <div role="img" aria-label={format!("{name} in {unit} by batch: {}", told.join(", "))} data-geo={format!("n:{}", bars.len())}>{ for drawn }</div>
        </div>
    })
}

/// A value as short as its bar.
fn text(value: Option<f64>) -> String {
    match value {
        None => "-".to_owned(),
        Some(value) if value >= 1e6 => format!("{:.1}M", value / 1e6),
        Some(value) if value >= 1e4 => format!("{:.0}k", value / 1e3),
        Some(value) if value.fract().abs() < 0.05 || value >= 100.0 => format!("{value:.0}"),
        Some(value) => format!("{value:.1}"),
    }
}

/// Where the time of each batch went, by Spark's keys of `durationMs`.
fn parts(bars: &[Bar<'_>]) -> Html {
    const KEYS: [&str; 7] = [
        "latestOffset",
        "walCommit",
        "getBatch",
        "queryPlanning",
        "addBatch",
        "commitOffsets",
        "triggerExecution",
    ];
    let head = KEYS.into_iter().map(|key| html! { <th scope="col" class="r">{key}</th> });
    let rows = bars.iter().enumerate().map(|(at, bar)| {
        let of = |key: &str| bar.numbers.parts.iter().find(|(name, _)| name == key).map(|(_, millis)| *millis);
        let cells = KEYS.into_iter().map(|key| html! { <td class="r">{of(key).map_or("-".to_owned(), |ms| ms.to_string())}</td> });
        let gap = bar.numbers.watermark.map(|line| length((bar.numbers.at.0 - line).max(0) / 1000 * 1000));
        html! {
            <tr key={at} title={gap.map(|gap| format!("the watermark is {gap} behind this trigger"))}>
                <th scope="row"><span class="quiet">{format!("run {} ", bar.run)}</span><span class="batch">{format!("b{}", bar.numbers.batch)}</span></th>{ for cells }
            </tr>
        }
    });
    html! {
        <>
            <h3 class="numbers-head">{"durationMs"}<small>{format!("of the last {}", words::count(bars.len(), "batch"))}</small></h3>
            <div class="numbers-scroll" tabindex="0" role="region" aria-label="durationMs by batch">
                <table class="grid numbers-recent"><thead><tr><th scope="col">{"batch"}</th>{ for head }</tr></thead><tbody>{ for rows }</tbody></table>
            </div>
        </>
    }
}
