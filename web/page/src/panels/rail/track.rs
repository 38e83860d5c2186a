//! The track: a slider over all moments. Press, drag or arrows move the playhead; the branches lie below each other.

use tidemark_protocol::Place;
use yew::prelude::*;

use super::lines::{Lines, Names};
use crate::app::{use_dispatch, use_ui, use_world};
use crate::browser::geometry::{self, use_geometry};
use crate::state::look::rail::{self, Axis, Line};
use crate::state::{Action, Tab, Ui, World, words};

/// The track.
#[component]
pub fn Track() -> Html {
    let (world, ui, dispatch) = (use_world(), use_ui(), use_dispatch());
    let node = use_node_ref();
    let around = use_node_ref();
    let over = use_state_eq(|| None::<Place>);
    use_geometry(&around);
    let Axis { lines, hidden, of } = rail::axis(&world);
    let last = world.seen().saturating_sub(1);
    let here = world.branch;
    let place_at = {
        let (node, lines) = (node.clone(), lines.clone());
        move |event: &PointerEvent| {
            let (across, down) = geometry::shares(event, &node)?;
            let moment = (across * of as f64).round() as usize;
            let line = rail::line_at(&lines, geometry::rail_row(down, &node), moment, here);
            let (branch, moments) = line.map_or((here, last + 1), |line| (line.branch, line.moments));
            Some(Place { branch, moment: moment.min(moments.saturating_sub(1)) })
        }
    };
    let onpointerdown = {
        let (dispatch, node, place_at) = (dispatch.clone(), node.clone(), place_at.clone());
        Callback::from(move |event: PointerEvent| {
            geometry::capture(&event, &node);
            if let Some(place) = place_at(&event) {
                dispatch.emit(if place.branch == here {
                    Action::Look(place.moment)
                } else {
                    Action::Visit(place)
                });
            }
        })
    };
    let onpointermove = {
        let (dispatch, over, node) = (dispatch.clone(), over.clone(), node.clone());
        Callback::from(move |event: PointerEvent| {
            over.set(place_at(&event).filter(|_| event.pointer_type() != "touch"));
            // A drag stays on the branch on screen.
            let moment =
                geometry::shares(&event, &node).map(|(across, _)| (across * of as f64).round() as usize);
            if let Some(moment) = moment.filter(|_| event.buttons() & 1 == 1) {
                dispatch.emit(Action::Look(moment.min(last)));
            }
        })
    };
    let leave = over.setter();
    let onpointerleave = Callback::from(move |_: PointerEvent| leave.set(None));
    let sentence = world.marks.get(world.moment).map(|mark| mark.sentence.clone()).unwrap_or_default();
    let text = format!("Step {} of {}. {sentence}", world.moment + 1, last + 1);
    let row = lines.iter().find(|line| line.branch == here).map_or(0, |line| line.row);
    let own = Place { branch: here, moment: world.moment };
    let other = other_head(&world, &ui, &lines, own);
    let geo = format!("of:{of};now:{}", world.moment);
    html! {
        <div class="rail-box" ref={around} data-rows={lines.len().to_string()}>
            <div class="rail-track" role="slider" tabindex="0" aria-label="Rail" aria-valuemin="1" aria-valuemax={(last + 1).to_string()}
                aria-valuenow={(world.moment + 1).to_string()} aria-valuetext={text} {onpointerdown} {onpointermove} {onpointerleave}>
                <div class="rail-in" ref={node} data-geo={geo.clone()}>
                    <Lines lines={lines.clone()} {here} now={world.moment} />
                    if let Some((moment, row)) = other { <span class="rail-head" data-other="" data-geo={format!("at:{moment};row:{row}")}></span> }
                    { veil(&world) }
                    <span class="rail-head" data-geo={format!("at:{};row:{row}", world.moment)}></span>
                    { tip(&lines, *over, own, of) }
                </div>
            </div>
            <div class="rail-in rail-names" data-geo={geo}><Names lines={lines.clone()} {here} {of} {hidden} /></div>
        </div>
    }
}

/// What a lesson still covers.
fn veil(world: &World) -> Html {
    let Some(veil) = world.curtain.veil else { return Html::default() };
    html! { <span class="rail-veil" data-geo={format!("at:{veil}")}><span>{&world.curtain.word}</span></span> }
}

/// The moment and the row of the other side of a comparison, while that is on screen.
fn other_head(world: &World, ui: &Ui, lines: &[Line], own: Place) -> Option<(usize, usize)> {
    let found = world.comparison.as_ref().filter(|_| ui.tab == Tab::Compare)?;
    let other = [&found.left, &found.right].into_iter().find(|side| side.place != own)?;
    let line = lines.iter().find(|line| line.branch == other.place.branch)?;
    Some((other.place.moment, line.row))
}

/// The sentence of the moment under the pointer, or of the playhead's while the track has the focus.
fn tip(lines: &[Line], over: Option<Place>, own: Place, of: usize) -> Html {
    let place = over.unwrap_or(own);
    let Some(line) = lines.iter().find(|line| line.branch == place.branch) else { return Html::default() };
    let Some(mark) = line.marks.get(place.moment) else { return Html::default() };
    // Near the ends the tip stays on screen.
    let at = place.moment.clamp(of / 6, of - of / 6);
    html! {
        <span class="tip rail-tip" data-own={over.is_none().then_some("")} data-geo={format!("at:{at}")}>
            <b>{place.moment + 1}</b>{&mark.sentence}<span class="rail-clock">{words::clock(mark.at)}</span>
        </span>
    }
}
