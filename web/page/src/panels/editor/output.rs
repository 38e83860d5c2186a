//! What the script printed, each piece with its line, and its errors in words.

use tidemark_protocol::{Diagnostic, LogLine, ScriptState};
use yew::prelude::*;

use crate::app::{use_dispatch, use_world};
use crate::browser::geometry;
use crate::state::Action;
use crate::state::act::import;
use crate::widgets::Icon;

/// The output.
#[component]
pub fn Output() -> Html {
    let (world, dispatch) = (use_world(), use_dispatch());
    let node = use_node_ref();
    let view = world.view.clone();
    let (printed, errors, state) = match &view {
        Some(view) => (view.script.printed.clone(), view.script.errors.clone(), view.script.state),
        None => (Vec::new(), Vec::new(), ScriptState::Fresh),
    };
    {
        let node = node.clone();
        use_effect_with(printed.len() + errors.len(), move |_| geometry::scroll_to_end(&node));
    }
    if printed.is_empty() && errors.is_empty() {
        let word = if state == ScriptState::Fresh {
            "What the script prints stands here."
        } else {
            "Nothing printed yet in this run."
        };
        return html! { <p class="editor-foot">{word}</p> };
    }
    html! {
        <div class="editor-output" ref={node} tabindex="0" role="log" aria-label="Printed output">
            if !printed.is_empty() { <ol>{ for lines(&printed) }</ol> }
            { for errors.iter().map(|found| error(found, &world.draft, &dispatch)) }
        </div>
    }
}

/// The pieces in order; the line that printed them stands at the first of each.
fn lines(printed: &[LogLine]) -> impl Iterator<Item = Html> + '_ {
    let before = std::iter::once(None).chain(printed.iter().map(|log| log.line));
    printed.iter().zip(before).map(|(log, before)| line(log, log.line != before))
}

fn line(log: &LogLine, is_first: bool) -> Html {
    let place = log.line.filter(|_| is_first).map(|line| line.to_string()).unwrap_or_default();
    let title = log.line.map(|line| format!("printed by line {line}"));
    html! { <li {title}><span class="editor-at" aria-hidden="true">{place}</span><pre>{&log.text}</pre></li> }
}

fn error(found: &Diagnostic, draft: &str, dispatch: &Callback<Action>) -> Html {
    let condition =
        if found.condition.is_empty() { String::new() } else { format!(" [{}]", found.condition) };
    let first = found.message.lines().next().unwrap_or_default();
    let more = if found.traceback.is_empty() { &found.message } else { &found.traceback };
    let add = import::missing(found, draft).map(|line| {
        let draft = import::with(line, draft);
        let press = dispatch.reform(move |_: MouseEvent| Action::Draft(draft.clone()));
        html! { <p><button class="btn btn-small" type="button" onclick={press}>{"Add "}<code>{line}</code></button></p> }
    });
    html! {
        <div class="editor-error" data-m="crash" role="alert">
            <Icon name="bolt" />
            <div>
                <p><b>{format!("Line {}: {}{condition}", found.line, found.class)}</b></p>
                <p>{first}</p>
                { for add }
                <details><summary>{"The whole message"}</summary><pre class="trouble-why">{more}</pre></details>
            </div>
        </div>
    }
}
