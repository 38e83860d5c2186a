//! The acts: each with its key, off with a reason.

use yew::prelude::*;

use crate::app::{use_dispatch, use_world};
use crate::state::act::deed;
use crate::state::{Action, Deed};
use crate::widgets::ActButton;

/// Word, icon, key and what it does, in the order of the two rows.
const ACTS: [(Deed, &str, &str, &str, &str); 7] = [
    (Deed::Run, "Run", "play", "R", "Run the script from the store as it is"),
    (Deed::Step, "Step", "step", "N", "One engine step"),
    (Deed::Trigger, "Trigger", "trigger", "T", "One trigger of the query"),
    (Deed::Stop, "Stop", "stop", "X", "Stop the run, the query or the script"),
    (Deed::Drop, "Drop", "drop", "D", "Drop the next sample file into in/"),
    (Deed::Crash, "Crash", "bolt", "K", "The driver dies after this step"),
    (Deed::Restart, "Restart", "restart", "R", "Start the script again from the store"),
];

/// The buttons.
#[component]
pub fn Acts() -> Html {
    let (world, dispatch) = (use_world(), use_dispatch());
    let strong = deed::strong(&world);
    let buttons = ACTS.into_iter().map(|(deed, word, icon, key, title)| {
        let off = deed::reason(&world, deed).map(AttrValue::from);
        let is_strong = deed == strong && off.is_none();
        let press = dispatch.reform(move |()| Action::Do(deed));
        html! {
            <ActButton key={word} {word} {icon} hotkey={Some(AttrValue::from(key))} {off} strong={is_strong} {title} onpress={press} />
        }
    });
    html! { <div class="rail-acts" role="group" aria-label="Acts">{ for buttons }</div> }
}
