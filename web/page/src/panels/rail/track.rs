//! The track: a slider over all moments. Press, drag or arrows move the playhead.

use std::rc::Rc;

use tidemark_protocol::MomentMark;
use yew::prelude::*;

use crate::app::{use_dispatch, use_world};
use crate::browser::geometry::{self, use_geometry};
use crate::state::{Action, travel};
use crate::widgets::Icon;

/// More moments than this get no small ticks: they would be one grey bar.
const TICKS_MAX: usize = 220;

/// The track.
#[component]
pub fn Track() -> Html {
    let (world, dispatch) = (use_world(), use_dispatch());
    let node = use_node_ref();
    let over = use_state_eq(|| None::<usize>);
    use_geometry(&node);
    let last = world.moments().saturating_sub(1);
    let moment_at = {
        let node = node.clone();
        move |event: &PointerEvent| {
            geometry::share_across(event, &node).map(|share| (share * last as f64).round() as usize)
        }
    };
    let onpointerdown = {
        let (look, node, moment_at) = (dispatch.reform(Action::Look), node.clone(), moment_at.clone());
        Callback::from(move |event: PointerEvent| {
            geometry::capture(&event, &node);
            if let Some(moment) = moment_at(&event) {
                look.emit(moment);
            }
        })
    };
    let onpointermove = {
        let (look, over) = (dispatch.reform(Action::Look), over.clone());
        Callback::from(move |event: PointerEvent| {
            let moment = moment_at(&event);
            over.set(moment.filter(|_| event.pointer_type() != "touch"));
            if let Some(moment) = moment.filter(|_| event.buttons() & 1 == 1) {
                look.emit(moment);
            }
        })
    };
    let onpointerleave = {
        let over = over.clone();
        Callback::from(move |_: PointerEvent| over.set(None))
    };
    let sentence = world.marks.get(world.moment).map(|mark| mark.sentence.clone()).unwrap_or_default();
    let text = format!("Step {} of {}. {sentence}", world.moment + 1, last + 1);
    html! {
        <div class="rail-track" role="slider" tabindex="0" aria-label="Rail" aria-valuemin="1" aria-valuemax={(last + 1).to_string()}
            aria-valuenow={(world.moment + 1).to_string()} aria-valuetext={text} {onpointerdown} {onpointermove} {onpointerleave}>
            <div class="rail-in" ref={node} data-geo={format!("of:{};now:{}", last.max(1), world.moment)}>
                <Marks marks={world.marks.clone()} />
                <span class="rail-head" data-geo={format!("at:{}", world.moment)}></span>
                { tip(&world.marks, *over, last) }
            </div>
        </div>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct MarksProps {
    marks: Rc<Vec<MomentMark>>,
}

/// Everything on the track but the playhead.
#[component]
fn Marks(props: &MarksProps) -> Html {
    let marks = &props.marks;
    let last = marks.len().saturating_sub(1);
    let runs = travel::runs(marks).into_iter().map(|run| {
        let late = (run.at * 100 > last * 93).then_some("");
        html! { <span class="rail-run" data-end={late} data-geo={format!("at:{};len:{}", run.at, run.len)}>{format!("run {}", run.number)}</span> }
    });
    let batches = travel::batches(marks);
    let tall = batches.iter().map(|batch| {
        let at = format!("at:{}", batch.at);
        html! {
            <>
                <span class="rail-tick rail-y0" data-tall="" data-here="" data-geo={at.clone()}></span>
                <span class="rail-b rail-y0" data-geo={at}>{format!("b{}", batch.number)}</span>
            </>
        }
    });
    let ticks = (0..marks.len()).filter(|_| marks.len() <= TICKS_MAX).map(|at| {
        html! { <span class="rail-tick rail-y0" data-here="" data-geo={format!("at:{at}")}></span> }
    });
    html! {
        <>
            { for runs }
            <span class="rail-line rail-y0" data-here="" data-geo={format!("at:0;len:{}", last.max(1))}></span>
            { for ticks }
            { for tall }
            { for marks.iter().enumerate().filter_map(|(at, mark)| sign(at, mark)) }
        </>
    }
}

/// The sign of a moment: a bolt, a ring, a diamond, a dot.
fn sign(at: usize, mark: &MomentMark) -> Option<Html> {
    let (kind, icon) = if mark.crash {
        ("crash", "bolt")
    } else if mark.duplicate {
        ("dup", "ring")
    } else if mark.output {
        ("out", "diamond")
    } else if mark.act {
        ("act", "dot")
    } else {
        return None;
    };
    Some(
        html! { <span class="rail-mark rail-y0" data-k={kind} data-geo={format!("at:{at}")}><Icon name={icon} /></span> },
    )
}

/// The sentence of the moment under the pointer.
fn tip(marks: &[MomentMark], over: Option<usize>, last: usize) -> Html {
    let Some((moment, mark)) = over.and_then(|moment| Some((moment, marks.get(moment)?))) else {
        return Html::default();
    };
    // Near the ends the tip stays on screen.
    let at = moment.clamp(last / 6, last - last / 6);
    html! { <span class="tip rail-tip" data-geo={format!("at:{at}")}><b>{moment + 1}</b>{&mark.sentence}</span> }
}
