//! The one place for dialogs: at most one is open, over everything else.

use yew::prelude::*;

use super::branches::Branches;
use super::context::{use_dispatch, use_ui};
use super::hand::SecondHand;
use super::palette::Palette;
use super::share::Share;
use super::sheet::Sheet;
use crate::browser::dialog::use_modal;
use crate::state::{Action, Dialog};

/// The host.
#[component]
pub fn Dialogs() -> Html {
    let (ui, dispatch) = (use_ui(), use_dispatch());
    let node = use_node_ref();
    use_modal(&node, ui.dialog.is_some(), dispatch.reform(|()| Action::Close));
    let shown = ui.dialog.as_ref().map(draw);
    let (label, content) = shown.unwrap_or_default();
    let is_top = matches!(ui.dialog, Some(Dialog::Palette(_)));
    html! {
        <dialog class={classes!("dialog", is_top.then_some("dialog-top"))} ref={node} aria-label={label}>{content}</dialog>
    }
}

/// A dialog's name and content. To add one, add a variant to `Dialog` and a line here.
fn draw(dialog: &Dialog) -> (&'static str, Html) {
    match dialog {
        Dialog::Keys => ("All keys", html! { <Sheet /> }),
        Dialog::Palette(query) => ("Find anything", html! { <Palette query={query.clone()} /> }),
        Dialog::Hand => ("Someone else", html! { <SecondHand /> }),
        Dialog::Share => ("Share", html! { <Share /> }),
        Dialog::Branches => ("Branches", html! { <Branches /> }),
    }
}
