//! A modal dialog: opened and closed from state, closed by Escape and by a press beside it.

use wasm_bindgen::JsCast as _;
use web_sys::HtmlDialogElement;
use yew::prelude::*;

use super::listener::Listener;

/// Keeps a dialog open or closed as the state says; `close` hears when the browser closes it.
#[hook]
pub fn use_modal(node: &NodeRef, open: bool, close: Callback<()>) {
    let heard = node.clone();
    use_effect_with((), move |()| {
        let listeners = heard.cast::<HtmlDialogElement>().map(|dialog| {
            let closed = close.clone();
            let beside = dialog.clone();
            [
                Listener::new(&dialog, "close", move |_| closed.emit(())),
                Listener::new(&dialog, "click", move |event| {
                    let on_itself = event.target().is_some_and(|target| {
                        target.dyn_ref::<HtmlDialogElement>().is_some_and(|target| *target == beside)
                    });
                    if on_itself {
                        beside.close();
                    }
                }),
            ]
        });
        move || drop(listeners)
    });
    let node = node.clone();
    use_effect_with(open, move |open| {
        let Some(dialog) = node.cast::<HtmlDialogElement>() else { return };
        if *open && !dialog.open() {
            // A dialog that cannot be modal is still shown.
            let _ = dialog.show_modal();
        } else if !*open && dialog.open() {
            dialog.close();
        }
    });
}
