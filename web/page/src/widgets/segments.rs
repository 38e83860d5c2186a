//! A choice among two to four, inside a panel.

use yew::prelude::*;

use crate::browser::focus;

/// The choices.
#[derive(Clone, PartialEq, Properties)]
pub struct SegmentsProps {
    /// What is chosen here, for a screen reader.
    pub label: AttrValue,
    /// The words in order.
    pub words: Vec<AttrValue>,
    /// Which is chosen.
    pub chosen: usize,
    /// The id of the panel that the choice changes.
    pub controls: AttrValue,
    /// Hears a new choice.
    pub onchoose: Callback<usize>,
}

/// Tabs in a row: one stop for Tab, left and right choose.
#[component]
pub fn Segments(props: &SegmentsProps) -> Html {
    let node = use_node_ref();
    let onkeydown = {
        let (choose, chosen, count, node) =
            (props.onchoose.clone(), props.chosen, props.words.len(), node.clone());
        Callback::from(move |event: KeyboardEvent| {
            let Some((across, 0.0)) = focus::arrow(&event.key()) else { return };
            event.prevent_default();
            event.stop_propagation();
            let steps = across as i32;
            choose.emit((chosen as i32 + steps).rem_euclid(count as i32) as usize);
            focus::move_round(&node, "[role=tab]", steps);
        })
    };
    let tabs = props.words.iter().enumerate().map(|(index, word)| {
        let on = index == props.chosen;
        let choose = props.onchoose.reform(move |_: MouseEvent| index);
        html! {
            <button key={word.to_string()} type="button" role="tab" aria-selected={on.to_string()} tabindex={if on { "0" } else { "-1" }}
                aria-controls={props.controls.clone()} onclick={choose}>{word}</button>
        }
    });
    html! {
        <div class="seg" role="tablist" aria-label={props.label.clone()} ref={node} {onkeydown}>{ for tabs }</div>
    }
}
