//! The dock of a phone: one panel at a time under the picture.

use yew::prelude::*;

use super::context::{use_dispatch, use_ui};
use crate::state::tabs::row_of;
use crate::state::{Action, Dock};
use crate::widgets::Icon;

const PANELS: [(Dock, &str, &str); 5] = [
    (Dock::Lesson, "Lesson", "book"),
    (Dock::Code, "Code", "code"),
    (Dock::Store, "Store", "tree"),
    (Dock::Inspect, "Inspect", "file"),
    (Dock::Sink, "Sink", "table"),
];

/// The dock.
#[component]
pub fn DockBar() -> Html {
    let (ui, dispatch) = (use_ui(), use_dispatch());
    let lesson = ui.lesson.open.as_ref();
    let is_there = |dock: Dock| match dock {
        Dock::Lesson => lesson.is_some(),
        // Before the exercise the script is not the matter.
        Dock::Code => lesson.is_none_or(|open| open.exercise),
        Dock::Store | Dock::Inspect | Dock::Sink => true,
    };
    let shown = PANELS.into_iter().filter(|(dock, ..)| is_there(*dock));
    let buttons = shown.map(|(dock, name, icon)| {
        let pressed = (ui.dock == dock && !row_of(ui.tab).is_full).to_string();
        let show = dispatch.reform(move |_: MouseEvent| Action::Dock(dock));
        html! {
            <button key={name} type="button" aria-pressed={pressed} onclick={show}><Icon name={icon} />{name}</button>
        }
    });
    html! { <nav class="dock" aria-label="Panels">{ for buttons }</nav> }
}

/// The attribute that opens a panel on a phone.
pub fn open_mark(chosen: Dock, own: Dock) -> Option<&'static str> {
    (chosen == own).then_some("")
}
