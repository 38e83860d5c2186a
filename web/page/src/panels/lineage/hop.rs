//! One station of a way.

use tidemark_protocol::{Hop, HopKind};
use yew::prelude::*;

use crate::state::Action;
use crate::widgets::Icon;

/// A station as a button: it opens its object. The row at the end is drawn as a row.
pub(super) fn hop(hop: &Hop, dispatch: &Callback<Action>, is_doubled: bool) -> Html {
    if hop.kind == HopKind::Row {
        return row(hop, is_doubled);
    }
    let is_kept = hop.kind == HopKind::Version && !hop.text.is_empty() && !hop.text.starts_with("by someone");
    html! {
        <li class="lineage-hop" data-m={is_kept.then_some("done")} data-other={is_foreign(hop).then_some("")}>{ station(hop, dispatch, is_kept) }</li>
    }
}

fn is_foreign(hop: &Hop) -> bool {
    hop.kind == HopKind::Version && hop.text.starts_with("by someone")
}

fn station(hop: &Hop, dispatch: &Callback<Action>, is_kept: bool) -> Html {
    let open = {
        let (dispatch, path) = (dispatch.clone(), hop.path.clone());
        let said = format!("{}: {}", hop.name, hop.text);
        Callback::from(move |_: MouseEvent| {
            dispatch.emit(path.clone().map_or_else(|| Action::Say(said.clone()), Action::Select));
        })
    };
    let (head, below) = words(hop);
    html! {
        <button type="button" title={title(hop)} onclick={open}>
            <span>if is_kept { <Icon name="tick" /> }{head}</span><code>{below}</code>
        </button>
    }
}

/// An input line as a button.
pub(super) fn input(hop: &Hop, dispatch: &Callback<Action>) -> Html {
    let open = {
        let path = hop.path.clone().unwrap_or_default();
        dispatch.reform(move |_: MouseEvent| Action::Select(path.clone()))
    };
    let below = if hop.text.is_empty() { "\u{a0}".to_owned() } else { hop.text.clone() };
    html! {
        <li key={hop.name.clone()}><button type="button" title={title(hop)} onclick={open}>
            <span><Icon name="dot" />{&hop.name}</span><code>{below}</code>
        </button></li>
    }
}

fn title(hop: &Hop) -> String {
    let open = hop.path.as_deref().map(|path| format!("  opens {path}")).unwrap_or_default();
    format!("{}: {}{open}", hop.name, hop.text)
}

/// The two lines of a station.
fn words(hop: &Hop) -> (Html, String) {
    match (hop.kind, hop.batch) {
        (HopKind::Batch, Some(batch)) => {
            let tag = html! { <>{&hop.text}{" "}<b class="batch">{format!("b{batch}")}</b></> };
            (tag, hop.path.as_deref().map_or_else(|| hop.name.clone(), tail))
        }
        (HopKind::File, _) => (html! { {&hop.text} }, short(&hop.name)),
        _ => (html! { {&hop.name} }, hop.text.clone()),
    }
}

/// `offsets/1` of `ckpt/offsets/1`.
fn tail(path: &str) -> String {
    let mut parts: Vec<&str> = path.rsplit('/').take(2).collect();
    parts.reverse();
    parts.join("/")
}

/// `part-00000-9b1e…`
fn short(name: &str) -> String {
    let end = name.char_indices().nth(15).map_or(name.len(), |(at, _)| at);
    if end < name.len() { format!("{}…", &name[..end]) } else { name.to_owned() }
}

fn row(hop: &Hop, is_doubled: bool) -> Html {
    let (first, rest) = hop.text.split_once(' ').unwrap_or((&hop.text, ""));
    let batch = hop.batch.map(|batch| html! { <span class="batch">{format!("b{batch}")}</span> });
    let ring = classes!(is_doubled.then_some("sink-ring"));
    html! {
        <li class="lineage-row" title={format!("{}: {}", hop.name, hop.text)}>{batch}<span class={ring}>{first}</span><span>{rest}</span></li>
    }
}
