//! Three columns, one for each mode; batches of the same input stand in one row.

use tidemark_protocol::{ModeBatch, ModeOutcome, ModesView};
use yew::prelude::*;

use crate::app::use_world;
use crate::state::words::{self, count};
use crate::widgets::Icon;

/// What each mode means, in a few words.
fn meaning(mode: &str) -> &'static str {
    match mode {
        "append" => "a row when it is final",
        "update" => "a row each time it changes",
        _ => "the whole result each time",
    }
}

/// The picture.
#[component]
pub fn Modes() -> Html {
    let world = use_world();
    let Some(modes) = world.time.modes.clone() else {
        let text = if world.view.is_some() {
            "The engine runs the query in each mode."
        } else {
            "The engine is loading."
        };
        return html! { <div class="empty"><p>{text}</p></div> };
    };
    if let Some(absent) = &modes.absent {
        let text = words::unstarted(&world).unwrap_or_else(|| absent.clone());
        return html! { <div class="empty"><Icon name="table" /><p>{text}</p></div> };
    }
    let inputs =
        modes.modes.iter().flat_map(|mode| &mode.batches).map(|batch| batch.input + 1).max().unwrap_or(0);
    let heads = modes.modes.iter().map(|mode| {
        let own = mode.mode == modes.own;
        html! {
            <th key={mode.mode.clone()} scope="col" data-own={own.then_some("")}>
                <b>{&mode.mode}</b><span>{meaning(&mode.mode)}</span>
                <span class="num">{ if mode.refused.is_some() { "refused".to_owned() } else { format!("{} handed over", count(mode.total as usize, "row")) } }</span>
                if own { <span class="modes-own">{"this query"}</span> }
            </th>
        }
    });
    html! {
        <>
            <div class="picture-say"><p class="picture-sentence" role="status" aria-live="polite">{sentence(&modes)}</p>
                <p class="picture-meaning">{"Each mode reads one file at a time and rests before the next, so the batches have numbers of their own."}</p></div>
            <div class="modes-scroll" tabindex="0" role="region" aria-label="Output modes side by side">
                <table class="modes">
                    <caption class="only-read">{"What the query hands to its sink in each output mode, batch by batch"}</caption>
                    <thead><tr><th scope="col">{"input"}</th>{ for heads }</tr></thead>
                    <tbody>
                        { refusals(&modes) }
                        { for (0..inputs).map(|input| row(&modes, input)) }
                    </tbody>
                </table>
            </div>
        </>
    }
}

fn refusals(modes: &ModesView) -> Html {
    if modes.modes.iter().all(|mode| mode.refused.is_none()) {
        return Html::default();
    }
    let cells = modes.modes.iter().map(|mode| match &mode.refused {
        Some(message) => html! { <td key={mode.mode.clone()}><p class="modes-refused"><Icon name="bolt" />{message}</p></td> },
        None => html! { <td key={mode.mode.clone()}></td> },
    });
    html! { <tr><th scope="row">{"start"}</th>{ for cells }</tr> }
}

fn row(modes: &ModesView, input: usize) -> Html {
    let files = modes.modes.iter().flat_map(|mode| &mode.batches).find(|batch| batch.input == input);
    let files = files.map(|batch| batch.files.join(", ")).unwrap_or_default();
    let cells = modes
        .modes
        .iter()
        .map(|mode| html! { <td key={mode.mode.clone()}>{ cell(modes, mode, input) }</td> });
    html! { <tr key={input}><th scope="row">{files}</th>{ for cells }</tr> }
}

fn cell(modes: &ModesView, mode: &ModeOutcome, input: usize) -> Html {
    let batches: Vec<&ModeBatch> = mode.batches.iter().filter(|batch| batch.input == input).collect();
    html! { <>{ for batches.into_iter().map(|batch| one(modes, batch)) }</> }
}

fn one(modes: &ModesView, batch: &ModeBatch) -> Html {
    let head = modes.columns.iter().map(|name| html! { <th scope="col">{name}</th> });
    let rows = batch.rows.iter().enumerate().map(|(at, row)| {
        html! { <tr key={at}>{ for row.iter().map(|cell| html! { <td class="mono">{cell}</td> }) }</tr> }
    });
    let more = batch.total.saturating_sub(batch.rows.len() as u64);
    html! {
        <div class="modes-batch" key={batch.batch}>
            <p><span class="batch">{format!("b{}", batch.batch)}</span>{ if batch.idle { " without input" } else { "" } }</p>
            if batch.rows.is_empty() {
                <p class="soft">{"nothing"}</p>
            } else {
                <table class="grid"><thead><tr>{ for head }</tr></thead><tbody>{ for rows }</tbody></table>
            }
            if more > 0 { <p class="soft">{format!("and {more} more")}</p> }
        </div>
    }
}

/// The comparison in one sentence.
fn sentence(modes: &ModesView) -> String {
    let parts: Vec<String> = modes
        .modes
        .iter()
        .map(|mode| match &mode.refused {
            Some(_) if mode.batches.is_empty() => format!("{} is refused", mode.mode),
            _ => format!("{} hands over {}", mode.mode, count(mode.total as usize, "row")),
        })
        .collect();
    let text = parts.join(", ");
    let mut letters = text.chars();
    letters
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().collect::<String>() + letters.as_str() + ".")
}
