//! One step of a batch: a box above the tide line and the file that it left below.

use tidemark_protocol::{StepState, StepView};
use tidemark_trace::Phase;
use yew::prelude::*;

use super::gap::{self, Side};
use crate::app::use_dispatch;
use crate::browser::press::use_long_press;
use crate::state::act::crash::Gap;
use crate::state::{Action, tree, words};
use crate::widgets::Icon;

/// What the column draws.
#[derive(Clone, PartialEq, Properties)]
pub(super) struct StepProps {
    /// The step.
    pub step: StepView,
    /// Whether its file is selected.
    pub on: bool,
    /// Whether it was the last to happen.
    pub now: bool,
    /// Whether the driver stopped in the middle of it.
    #[prop_or_default]
    pub begun: bool,
    /// The name of the point at which the driver stopped, if it did after this step.
    pub crash: Option<AttrValue>,
    /// The gap left of it, if it is the first.
    #[prop_or_default]
    pub before: Option<Gap>,
    /// The gap right of it.
    #[prop_or_default]
    pub after: Option<Gap>,
    /// The gap in the middle of it.
    #[prop_or_default]
    pub inside: Option<Gap>,
}

/// The column. A long press on the box arms a crash after it, for those without a pointer for the gaps.
#[component]
pub(super) fn Step(props: &StepProps) -> Html {
    let dispatch = use_dispatch();
    let step = &props.step;
    let verb = step.phase.verb();
    let heard = if props.begun { " when the driver stopped" } else { words::state_in_words(step.state) };
    let node = use_node_ref();
    let press = {
        let (action, dispatch) = (props.after.as_ref().map(gap::action), dispatch.clone());
        Callback::from(move |()| {
            if let Some(action) = &action {
                dispatch.emit(action.clone());
            }
        })
    };
    let was_long = use_long_press(&node, press);
    let tell = {
        let text = if step.note.is_empty() { format!("{verb}{heard}") } else { step.note.clone() };
        let file = step.file.clone().filter(|_| step.state != StepState::Planned);
        let dispatch = dispatch.clone();
        Callback::from(move |_: MouseEvent| {
            if was_long.is_echo() {
                return;
            }
            dispatch.emit(match &file {
                Some(file) => Action::Select(file.clone()),
                None => Action::Say(text.clone()),
            });
        })
    };
    let now = (props.now || step.state == StepState::Now).then_some("");
    html! {
        <li class="lane-step">
            if let Some(before) = &props.before { { gap::button(before, Side::First, &dispatch) } }
            <button class="lane-box" type="button" data-state={drawn(step)} data-now={now} title={step.note.clone()} onclick={tell} ref={node}>
                <span class="lane-name">{verb}<Icon name="tick" /></span>
                <span class="lane-word">{if props.begun { "begun".into() } else { word(step) }}</span>
                <span class="only-read">{heard}</span>
            </button>
            if let Some(after) = &props.after { { gap::button(after, Side::After, &dispatch) } }
            if let Some(inside) = &props.inside { { gap::button(inside, Side::Inside, &dispatch) } }
            { tile(props, &dispatch) }
            if let Some(name) = &props.crash {
                <span class="lane-crash"><span class="lane-crash-flag"><Icon name="bolt" /><span>{name}</span></span></span>
            }
        </li>
    }
}

/// The state as it is drawn: the last step is drawn by what it left.
fn drawn(step: &StepView) -> &'static str {
    match step.state {
        StepState::Kept => "kept",
        StepState::Now if step.file.is_some() => "kept",
        StepState::Done | StepState::Now => "done",
        StepState::Planned => "planned",
        StepState::Lost => "lost",
        StepState::Unused => "unused",
        StepState::Skipped => "skipped",
    }
}

fn word(step: &StepView) -> Html {
    let word = match (step.state, step.phase) {
        (StepState::Unused, Phase::Save) => "no state".to_owned(),
        (StepState::Unused, Phase::Advance) => {
            return html! { <>{"no "}<span class="full">{"watermark"}</span><span class="short" aria-hidden="true">{"mark"}</span></> };
        }
        _ => words::word_in_box(step.state, step.millis),
    };
    word.into()
}

/// The tile of the file below the line.
fn tile(props: &StepProps, dispatch: &Callback<Action>) -> Html {
    let Some(file) = &props.step.file else { return Html::default() };
    let planned = props.step.state == StepState::Planned;
    let (long, short) = tree::tile_names(file);
    let open = {
        let file = file.clone();
        dispatch.reform(move |_: MouseEvent| Action::Select(file.clone()))
    };
    html! {
        <button class="lane-file" type="button" data-state={if planned { "planned" } else { "kept" }} data-on={props.on.then_some("")}
            title={file.clone()} onclick={open}>
            <span class="full">{long}</span>
            <span class="short" aria-hidden="true">{short}</span>
        </button>
    }
}
