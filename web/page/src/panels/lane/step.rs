//! One step of a batch: a box above the tide line and the file that it left below.

use tidemark_protocol::{StepState, StepView};
use tidemark_trace::Phase;
use yew::prelude::*;

use crate::state::{tree, words};
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
    /// Whether the driver stopped after it.
    pub crash: bool,
    /// The file is opened.
    pub onselect: Callback<String>,
    /// The step tells what it did.
    pub onsay: Callback<String>,
}

/// The column.
#[component]
pub(super) fn Step(props: &StepProps) -> Html {
    let step = &props.step;
    let verb = step.phase.verb();
    let heard = words::state_in_words(step.state);
    let tell = {
        let text = if step.note.is_empty() { format!("{verb}{heard}") } else { step.note.clone() };
        let file = step.file.clone().filter(|_| step.state != StepState::Planned);
        let (select, say) = (props.onselect.clone(), props.onsay.clone());
        Callback::from(move |_: MouseEvent| match &file {
            Some(file) => select.emit(file.clone()),
            None => say.emit(text.clone()),
        })
    };
    let now = (props.now || step.state == StepState::Now).then_some("");
    html! {
        <li class="lane-step">
            <button class="lane-box" type="button" data-state={drawn(step)} data-now={now} title={step.note.clone()} onclick={tell}>
                <span class="lane-name">{verb}<Icon name="tick" /></span>
                <span class="lane-word">{word(step)}</span>
                <span class="only-read">{heard}</span>
            </button>
            { tile(props) }
            if props.crash {
                <span class="lane-crash"><span class="lane-crash-flag"><Icon name="bolt" /><span>{"crash"}</span></span></span>
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
fn tile(props: &StepProps) -> Html {
    let Some(file) = &props.step.file else { return Html::default() };
    let planned = props.step.state == StepState::Planned;
    let (long, short) = tree::tile_names(file);
    let open = {
        let file = file.clone();
        props.onselect.reform(move |_: MouseEvent| file.clone())
    };
    html! {
        <button class="lane-file" type="button" data-state={if planned { "planned" } else { "kept" }} data-on={props.on.then_some("")}
            title={file.clone()} onclick={open}>
            <span class="full">{long}</span>
            <span class="short" aria-hidden="true">{short}</span>
        </button>
    }
}
