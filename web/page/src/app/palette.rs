//! The palette: one field, and below it what fits the words.

use web_sys::HtmlInputElement;
use yew::prelude::*;

use super::context::{use_dispatch, use_ui, use_world};
use crate::browser::focus;
use crate::state::Action;
use crate::state::offer::palette::{Found, find};
use crate::widgets::Icon;

/// What the palette begins with.
#[derive(Clone, PartialEq, Properties)]
pub struct PaletteProps {
    /// The words in the field at first.
    pub query: String,
}

/// The palette. The field keeps the focus; up and down choose, Enter does.
#[component]
pub fn Palette(props: &PaletteProps) -> Html {
    let (world, ui, dispatch) = (use_world(), use_ui(), use_dispatch());
    let query = use_state(|| props.query.clone());
    let chosen = use_state_eq(|| 0_usize);
    let (field, list) = (use_node_ref(), use_node_ref());
    let found = find(&world, &ui, &query);
    let at = (*chosen).min(found.len().saturating_sub(1));
    {
        let field = field.clone();
        use_effect_with((), move |()| focus::take(&field));
        let list = list.clone();
        use_effect_with(at, move |_| focus::show(&list, "[aria-selected=true]"));
    }
    let oninput = {
        let (query, chosen, field) = (query.setter(), chosen.setter(), field.clone());
        Callback::from(move |_: InputEvent| {
            query.set(field.cast::<HtmlInputElement>().map(|field| field.value()).unwrap_or_default());
            chosen.set(0);
        })
    };
    let onkeydown = {
        let (chosen, dispatch, found) = (chosen.setter(), dispatch.clone(), found.clone());
        Callback::from(move |event: KeyboardEvent| {
            let count = found.len().max(1);
            match event.key().as_str() {
                "ArrowDown" => chosen.set((at + 1) % count),
                "ArrowUp" => chosen.set((at + count - 1) % count),
                "Enter" => choose(&dispatch, found.get(at)),
                // A field for searching would only empty itself.
                "Escape" => dispatch.emit(Action::Close),
                _ => return,
            }
            event.prevent_default();
            event.stop_propagation();
        })
    };
    let active = (!found.is_empty()).then(|| format!("found-{at}"));
    html! {
        <>
            <div class="palette-in">
                <Icon name="find" />
                <input type="search" role="combobox" aria-expanded="true" aria-controls="found" aria-label="Find anything" aria-activedescendant={active}
                    aria-autocomplete="list" placeholder="Command, file, moment, branch" autocomplete="off" spellcheck="false" ref={field}
                    value={(*query).clone()} {oninput} {onkeydown} />
                <kbd class="key" aria-hidden="true">{"Esc"}</kbd>
            </div>
            <div class="palette" id="found" role="listbox" aria-label="Found" ref={list}>
                { for groups(&found).into_iter().map(|(from, group)| draw(from, group, at, &dispatch)) }
                if found.is_empty() { <p class="palette-none" role="presentation">{"Nothing fits. A part of a name is enough: offsets, crash, batch 1."}</p> }
            </div>
        </>
    }
}

/// The found things, group by group, each with the place of its first.
fn groups(found: &[Found]) -> Vec<(usize, &[Found])> {
    let mut groups = Vec::new();
    let mut from = 0;
    for group in found.chunk_by(|one, other| one.group == other.group) {
        groups.push((from, group));
        from += group.len();
    }
    groups
}

fn draw(from: usize, group: &[Found], at: usize, dispatch: &Callback<Action>) -> Html {
    let name = group[0].group;
    let rows = group.iter().enumerate().map(|(index, found)| {
        let place = from + index;
        let press = {
            let (found, dispatch) = (found.clone(), dispatch.clone());
            Callback::from(move |_: MouseEvent| choose(&dispatch, Some(&found)))
        };
        let note = found.off.clone().unwrap_or_else(|| found.note.clone());
        html! {
            <div key={place} class="palette-item" id={format!("found-{place}")} role="option" aria-selected={(place == at).to_string()}
                aria-disabled={found.off.is_some().then_some("true")} onclick={press}>
                <Icon name={found.icon} /><b>{&found.name}</b>
                <span>{note}</span>
                if !found.caps.is_empty() { <span class="palette-caps" aria-hidden="true">{ for found.caps.iter().map(|cap| html! { <kbd class="key">{*cap}</kbd> }) }</span> }
            </div>
        }
    });
    html! {
        <div key={name} role="group" aria-label={name}><p class="palette-group" role="presentation">{name}</p>{ for rows }</div>
    }
}

/// Closes the palette and does what was chosen, or says why that is off.
fn choose(dispatch: &Callback<Action>, found: Option<&Found>) {
    let Some(found) = found else { return };
    dispatch.emit(Action::Close);
    dispatch.emit(found.off.clone().map_or_else(|| found.action.clone(), Action::Say));
}
