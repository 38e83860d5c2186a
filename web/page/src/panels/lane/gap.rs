//! A place where the driver can die: between two boxes, or in the middle of one.

use yew::prelude::*;

use crate::state::Action;
use crate::state::act::crash::{Gap, Strike};

/// Where the button stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// Left of the first box.
    First,
    /// Right of a box.
    After,
    /// Below a box, on its way into the store.
    Inside,
}

/// The button; a press arms a crash, or lets the driver die at a moment that has been.
pub(super) fn button(gap: &Gap, side: Side, dispatch: &Callback<Action>) -> Html {
    let place = match side {
        Side::First => "first",
        Side::After => "after",
        Side::Inside => "inside",
    };
    let name = gap.point.map(|point| format!("{point:?}: ")).unwrap_or_default();
    let words = format!("{name}{}", gap.words);
    let tip = match (gap.is_armed, gap.point) {
        (true, Some(point)) => format!("{point:?} armed"),
        (true, None) => "armed".to_owned(),
        (false, _) => words.clone(),
    };
    // The name holds what the tip shows.
    let label = match (gap.strike, gap.is_armed) {
        (_, true) => format!("{tip}: {}", gap.words),
        (Strike::Ahead, false) => format!("Arm a crash. {words}"),
        (Strike::Here(_), false) => format!("Crash here. {words}"),
    };
    let press = {
        let (action, dispatch) = (action(gap), dispatch.clone());
        Callback::from(move |_: MouseEvent| dispatch.emit(action.clone()))
    };
    let pressed = (gap.strike == Strike::Ahead).then(|| gap.is_armed.to_string());
    html! {
        <button class="lane-gap" type="button" data-side={place} data-ahead={(gap.strike == Strike::Ahead).then_some("")} aria-pressed={pressed}
            aria-label={label} onclick={press}><span class="tip" aria-hidden="true">{tip}</span></button>
    }
}

/// What a press on a gap does.
pub(super) fn action(gap: &Gap) -> Action {
    match gap.strike {
        Strike::Ahead => Action::Arm(gap.place.clone()),
        Strike::Here(moment) => Action::CrashAt(moment),
    }
}
