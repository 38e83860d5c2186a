//! The head with the path, the choice of reading, and the object.

use std::rc::Rc;

use tidemark_protocol::ObjectView;
use yew::prelude::*;

use super::body::{fields, folder, in_words, raw};
use crate::app::dock::open_mark;
use crate::app::{use_dispatch, use_ui, use_world};
use crate::state::{Action, Dock, Reading, Ui, World};
use crate::widgets::{Icon, Segments};

const READINGS: [(Reading, &str); 3] =
    [(Reading::Fields, "Fields"), (Reading::Words, "Words"), (Reading::Raw, "Raw")];

/// The panel.
#[component]
pub fn InspectPanel() -> Html {
    let (world, ui, dispatch) = (use_world(), use_ui(), use_dispatch());
    let object = at_hand(&world, &ui).map(|object| world.curtain.cover(object));
    let one = READINGS.iter().position(|(reading, _)| *reading == ui.reading).unwrap_or(0);
    let chosen = if ui.wide { READINGS.len() } else { one };
    let choose = {
        let dispatch = dispatch.clone();
        Callback::from(move |index: usize| match READINGS.get(index) {
            Some((reading, _)) => {
                dispatch.emit(Action::Wide(false));
                dispatch.emit(Action::Read(*reading));
            }
            None => dispatch.emit(Action::Wide(true)),
        })
    };
    let kind = object.as_ref().map(|object| object.kind.clone()).unwrap_or_default();
    let words = READINGS.iter().map(|(_, word)| *word).chain(["Both"]);
    let words: Vec<AttrValue> = words.map(AttrValue::from).collect();
    html! {
        <section class="panel inspect" aria-labelledby="h-inspect" tabindex="-1" data-panel="" data-open={open_mark(ui.dock, Dock::Inspect)}>
            <div class="panel-head">
                <h2 id="h-inspect">{"Inspect"}</h2>
                <div class="push"><Segments label="Reading" {words} {chosen} controls="inspect-body" onchoose={choose} /></div>
            </div>
            <Path {kind} />
            <div class="panel-body" id="inspect-body" role="tabpanel" aria-label="The object" tabindex="0">
                { content(&world, &ui, object.as_ref(), &dispatch) }
            </div>
        </section>
    }
}

/// The object, if it is the one that is selected.
fn at_hand(world: &World, ui: &Ui) -> Option<Rc<ObjectView>> {
    let object = world.object.clone()?;
    (ui.selected.as_deref() == Some(&object.path)).then_some(object)
}

fn content(world: &World, ui: &Ui, object: Option<&Rc<ObjectView>>, dispatch: &Callback<Action>) -> Html {
    let Some(path) = ui.selected.as_deref() else {
        return html! {
            <div class="empty">
                <Icon name="file" />
                <p>{"Nothing is open. Choose a file in the store or on the lane; each step opens what it wrote."}</p>
            </div>
        };
    };
    if path.ends_with('/') {
        return folder(world, path, dispatch);
    }
    if world.entry(path).is_none() {
        return html! { <div class="inspect-words"><p>{format!("{path} is not in the store at this moment. Move along the rail to where it is.")}</p></div> };
    }
    match (object, ui.reading) {
        (None, _) => Html::default(),
        (Some(object), _) if ui.wide => html! {
            <div class="inspect-both">
                <section aria-label="Raw">{ raw(object) }</section>
                <section aria-label="Fields">{ in_words(object) }{ fields(object) }</section>
            </div>
        },
        (Some(object), Reading::Fields) => fields(object),
        (Some(object), Reading::Words) => in_words(object),
        (Some(object), Reading::Raw) => raw(object),
    }
}

#[derive(Clone, PartialEq, Properties)]
struct PathProps {
    kind: String,
}

/// The path: each folder of it opens, the object can be deleted, and the panel can follow the steps.
#[component]
fn Path(props: &PathProps) -> Html {
    let (world, ui, dispatch) = (use_world(), use_ui(), use_dispatch());
    let follow = {
        let on = !ui.follow;
        dispatch.reform(move |_: MouseEvent| Action::Follow(on))
    };
    let path = ui.selected.clone().unwrap_or_default();
    let is_there = world.entry(&path).is_some() || path.ends_with('/');
    let delete = {
        let path = path.clone();
        dispatch.reform(move |_: MouseEvent| Action::Delete(path.clone()))
    };
    let parts: Vec<&str> = path.split_inclusive('/').collect();
    let crumbs = parts.iter().enumerate().map(|(index, part)| {
        if index + 1 == parts.len() {
            return html! { <b>{*part}</b> };
        }
        let folder: String = parts[..=index].concat();
        let open = dispatch.reform(move |_: MouseEvent| Action::Select(folder.clone()));
        html! { <button type="button" onclick={open}>{*part}</button> }
    });
    html! {
        <div class="inspect-path">
            <p class="inspect-crumbs">{ for crumbs }</p>
            <span class="inspect-kind">{&props.kind}</span>
            <button class="btn btn-quiet btn-small" type="button" aria-pressed={ui.follow.to_string()} title="Open the newest file at each step" onclick={follow}>{"Follow"}</button>
            if !path.is_empty() && is_there {
                <button class="btn btn-quiet btn-small" type="button" onclick={delete} aria-label={format!("Delete {path}")}><Icon name="trash" />{"Delete"}</button>
            }
        </div>
    }
}
