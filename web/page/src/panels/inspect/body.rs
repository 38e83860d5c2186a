//! The three readings of an object, and a folder.

use std::rc::Rc;

use tidemark_protocol::{Change, Field, ObjectBody, ObjectView, Table};
use yew::prelude::*;

use super::lines::Lines;
use crate::state::lesson::COVERED;
use crate::state::{Action, World, words};

/// Named fields, or rows.
pub(super) fn fields(object: &Rc<ObjectView>) -> Html {
    match &object.body {
        ObjectBody::Rows { table } if object.kind == "JSON lines" => {
            html! { <Lines object={object.clone()} table={table.clone()} /> }
        }
        ObjectBody::Rows { table } => rows(table),
        ObjectBody::Fields { fields } => html! { <>{ for sections(fields).into_iter().map(section) }</> },
        ObjectBody::Text => raw(object),
        ObjectBody::Gone => html! { <div class="inspect-words"><p>{"It is gone at this moment."}</p></div> },
    }
}

/// What it is and promises.
pub(super) fn in_words(object: &ObjectView) -> Html {
    html! {
        <div class="inspect-words">
            <p>{&object.words}</p>
            <p class="quiet">{format!("{}, {}, written at {}.", object.kind, words::size(object.bytes), words::clock(object.modified))}</p>
        </div>
    }
}

/// As it lies in the store.
pub(super) fn raw(object: &ObjectView) -> Html {
    html! { <pre class="inspect-raw">{&object.raw}</pre> }
}

/// Fields from one heading to the next; those that decide what a second try does come first.
fn sections(fields: &[Field]) -> Vec<&[Field]> {
    let mut sections: Vec<&[Field]> = Vec::new();
    let mut from = 0;
    for at in 1..=fields.len() {
        let begins = |field: &Field| {
            field.depth == 0 && (is_heading(fields, from) || is_heading(fields, at) || is_proof(field))
        };
        let ends = fields.get(at).is_none_or(begins);
        if ends && from < fields.len() {
            sections.push(&fields[from..at]);
            from = at;
        }
    }
    sections.sort_by_key(|section| !is_proof(&section[0]));
    sections
}

/// Whether a field decides what a second try of a batch does: the note of Delta, the plan of a source.
fn is_proof(field: &Field) -> bool {
    field.name == "txn" || field.name.starts_with("source ")
}

/// A field without a value that has others below it.
fn is_heading(fields: &[Field], at: usize) -> bool {
    fields.get(at).is_some_and(|field| field.depth == 0)
        && fields.get(at + 1).is_some_and(|next| next.depth > 0)
}

fn section(fields: &[Field]) -> Html {
    let has_head = is_heading(fields, 0);
    let rest = if has_head { &fields[1..] } else { fields };
    let rows = rest.iter().map(|field| {
        let name = html! { <dt data-depth={field.depth.saturating_sub(u8::from(has_head)).min(4).to_string()} title={field.name.clone()}>{short(&field.name)}</dt> };
        html! { <>{name}<dd title={format!("{} {}", field.value, field.meaning)}>{ value(field) }<span>{&field.meaning}</span></dd></> }
    });
    let is_covered = fields.iter().any(|field| field.value == COVERED);
    let lit = fields.first().is_some_and(is_proof) && !is_covered;
    html! {
        <section class="inspect-act" data-lit={lit.then_some("")}>
            if has_head { <h3>{&fields[0].name}<span>{head_note(&fields[0])}</span></h3> }
            <dl class="inspect-fields">{ for rows }</dl>
        </section>
    }
}

/// A value; one that a lesson still covers is hatched.
fn value(field: &Field) -> Html {
    if field.value == COVERED {
        return html! { <span class="inspect-cover">{COVERED}</span> };
    }
    html! { {&field.value} }
}

/// The end of a long dotted name says more than its beginning.
fn short(name: &str) -> String {
    match name.strip_prefix("spark.sql.") {
        Some(tail) => format!("…{}", tail.strip_prefix("streaming.").unwrap_or(tail)),
        None => name.to_owned(),
    }
}

fn head_note(field: &Field) -> String {
    [field.value.as_str(), field.meaning.as_str()]
        .into_iter()
        .filter(|text| !text.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

fn rows(table: &Table) -> Html {
    let head = table.columns.iter().map(|name| html! { <th scope="col">{name}</th> });
    let body = table.rows.iter().map(|row| {
        html! { <tr>{ for row.iter().map(|cell| html! { <td>{cell}</td> }) }</tr> }
    });
    let shown = table.rows.len() as u64;
    html! {
        <>
            <div class="inspect-table">
                <table class="grid inspect-grid"><thead><tr>{ for head }</tr></thead><tbody>{ for body }</tbody></table>
            </div>
            <p class="sink-sum"><b>{words::count(table.total as usize, "row")}</b>
                if shown < table.total { {format!("the first {shown} are shown")} }
            </p>
        </>
    }
}

/// A folder: what lies in it, and what deleting it means.
pub(super) fn folder(world: &World, path: &str, dispatch: &Callback<Action>) -> Html {
    let store = world.view.as_ref().map(|view| view.store.as_slice()).unwrap_or_default();
    let inside = store.iter().filter(|entry| {
        let rest = entry.path.strip_prefix(path).unwrap_or_default();
        entry.change != Change::Deleted && !rest.is_empty() && !rest.trim_end_matches('/').contains('/')
    });
    let items = inside.map(|entry| {
        let open = {
            let path = entry.path.clone();
            dispatch.reform(move |_: MouseEvent| Action::Select(path.clone()))
        };
        let name = entry.path.strip_prefix(path).unwrap_or(&entry.path);
        html! { <li key={entry.path.clone()}><button class="inspect-item" type="button" onclick={open}><span class="name">{name}</span><span>{&entry.note}</span></button></li> }
    });
    html! {
        <>
            <div class="inspect-words"><p>{promise(path)}</p></div>
            <ul class="inspect-folder">{ for items }</ul>
        </>
    }
}

/// What a folder promises.
fn promise(path: &str) -> String {
    let name = path.trim_end_matches('/').rsplit('/').next().unwrap_or(path);
    match name {
        "offsets" => "The plans: a batch that has a file here will be run, with exactly what the file names.",
        "commits" => "The marks: a batch that has a file here is done and never runs again.",
        "sources" => "What each source has seen: files noted here are not taken as new again.",
        "_delta_log" => "The table itself: its versions, one file each. Data files count only from the commit that names them.",
        "state" => "What operators remember from batch to batch.",
        _ => "A folder. Deleting it deletes all that lies in it; step back to undo.",
    }
    .to_owned()
}
