//! The rows of the tree: a folder, a file, a batch with two lamps.

use tidemark_protocol::{Change, StoreEntry};
use yew::prelude::*;

use crate::state::look::way::Way;
use crate::state::tree::{Group, Row, short_name};
use crate::state::{Action, words};
use crate::widgets::Icon;

/// What lights up: the selected object, and what lies on the way that is followed.
#[derive(Clone, Copy)]
pub(super) struct Lit<'a> {
    /// The selected path.
    pub(super) selected: Option<&'a str>,
    /// The way.
    pub(super) way: &'a Way,
}

/// A top folder with its rows.
pub(super) fn group(
    group: &Group,
    headline: Option<String>,
    lit: Lit<'_>,
    dispatch: &Callback<Action>,
) -> Html {
    let rows = group.rows.iter().map(|found| row(found, lit, dispatch));
    if group.path.is_empty() {
        return html! { <>{ for rows }</> };
    }
    let chosen = (lit.selected == Some(&group.path)).to_string();
    html! {
        <li key={group.path.clone()} role="treeitem" class="store-group" aria-expanded="true" aria-selected={chosen}
            data-path={group.path.clone()} onclick={open(&group.path, dispatch)} onkeydown={keys(&group.path, dispatch)}>
            <div class="store-root" data-change={change(group.change)}>
                <span class="name">{&group.path}</span><span class="quiet">{group.word}</span>
                { delete(&group.path, dispatch) }
            </div>
            if let Some(headline) = headline { <p class="store-headline">{headline}</p> }
            <ul role="group">{ for rows }</ul>
        </li>
    }
}

fn row(row: &Row, lit: Lit<'_>, dispatch: &Callback<Action>) -> Html {
    match row {
        Row::File(entry) => file(entry, lit, dispatch),
        Row::Pair { batch, checkpoint, planned, done } => {
            let is_open = planned.is_some() && done.is_none();
            let planned = lamp(planned.as_ref(), &format!("{checkpoint}offsets/{batch}"), lit, dispatch);
            let done = lamp(done.as_ref(), &format!("{checkpoint}commits/{batch}"), lit, dispatch);
            html! {
                <li key={format!("{checkpoint}{batch}")} role="none">
                    <div class="store-pair" role="none" data-open={is_open.then_some("")}>
                        <span class="sign" aria-hidden="true">{sign(row.change())}</span>
                        <span class="batch" aria-hidden="true">{format!("b{batch}")}</span>{planned}{done}
                    </div>
                </li>
            }
        }
    }
}

fn file(entry: &StoreEntry, lit: Lit<'_>, dispatch: &Callback<Action>) -> Html {
    let chosen = (lit.selected == Some(&entry.path)).to_string();
    let note = match (entry.note.is_empty(), entry.batch) {
        (true, _) if entry.change == Change::Deleted => "deleted".to_owned(),
        (true, Some(batch)) => format!("b{batch}"),
        (true, None) => words::size(entry.bytes),
        (false, _) => entry.note.clone(),
    };
    html! {
        <li key={entry.path.clone()} role="treeitem" aria-selected={chosen} data-path={entry.path.clone()} title={entry.path.clone()}
            onclick={open(&entry.path, dispatch)} onkeydown={keys(&entry.path, dispatch)}>
            <div class="store-row" data-change={change(entry.change)} data-way={lit.way.touches(&entry.path).then_some("")}>
                <span class="sign">{sign(entry.change)}</span>
                <span class="name">{short_name(&entry.path)}</span>
                <span class="store-note">{note}</span>
                if entry.change != Change::Deleted { { delete(&entry.path, dispatch) } }
            </div>
        </li>
    }
}

/// One lamp of a batch: lit if its file is there.
fn lamp(entry: Option<&StoreEntry>, path: &str, lit: Lit<'_>, dispatch: &Callback<Action>) -> Html {
    let name = short_name(path);
    let change = entry.map_or(Change::Same, |entry| entry.change);
    let Some(entry) = entry.filter(|entry| entry.change != Change::Deleted) else {
        let word = if change == Change::Deleted { "deleted" } else { "not yet" };
        return html! { <span class="store-lamp" data-lit="no" data-gone={(change == Change::Deleted).then_some("")}>{name}<span class="only-read">{format!(", {word}")}</span></span> };
    };
    let chosen = (lit.selected == Some(&entry.path)).to_string();
    html! {
        <span class="store-lamp" data-lit="yes" data-way={lit.way.touches(&entry.path).then_some("")} role="treeitem" aria-selected={chosen} data-path={entry.path.clone()} title={entry.path.clone()}
            onclick={open(&entry.path, dispatch)} onkeydown={keys(&entry.path, dispatch)}>
            <span class="name">{name}</span>
            { delete(&entry.path, dispatch) }
        </span>
    }
}

fn open(path: &str, dispatch: &Callback<Action>) -> Callback<MouseEvent> {
    let (path, dispatch) = (path.to_owned(), dispatch.clone());
    Callback::from(move |event: MouseEvent| {
        event.stop_propagation();
        dispatch.emit(Action::Select(path.clone()));
    })
}

/// Enter opens, Delete deletes.
fn keys(path: &str, dispatch: &Callback<Action>) -> Callback<KeyboardEvent> {
    let (path, dispatch) = (path.to_owned(), dispatch.clone());
    Callback::from(move |event: KeyboardEvent| {
        let action = match event.key().as_str() {
            "Enter" | " " => Action::Select(path.clone()),
            "Delete" | "Backspace" => Action::Delete(path.clone()),
            _ => return,
        };
        event.prevent_default();
        event.stop_propagation();
        dispatch.emit(action);
    })
}

/// The button that deletes, for the pointer; keys have Delete.
fn delete(path: &str, dispatch: &Callback<Action>) -> Html {
    let press = {
        let (path, dispatch) = (path.to_owned(), dispatch.clone());
        Callback::from(move |event: MouseEvent| {
            event.stop_propagation();
            dispatch.emit(Action::Delete(path.clone()));
        })
    };
    let label = format!("Delete {path}");
    html! {
        <button class="store-delete" type="button" tabindex="-1" aria-label={label.clone()} title={format!("{label}  Del")} onclick={press}>
            <Icon name="trash" />
        </button>
    }
}

fn sign(change: Change) -> &'static str {
    match change {
        Change::Same => "",
        Change::New => "+",
        Change::Changed => "△",
        Change::Deleted => "×",
    }
}

fn change(change: Change) -> Option<&'static str> {
    match change {
        Change::Same => None,
        Change::New => Some("new"),
        Change::Changed => Some("changed"),
        Change::Deleted => Some("gone"),
    }
}
