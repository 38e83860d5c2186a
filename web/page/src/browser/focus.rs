//! Focus: one stop for Tab in each group with arrows inside, and F6 from panel to panel.

use wasm_bindgen::JsCast as _;
use web_sys::{Element, HtmlElement, HtmlInputElement, ScrollIntoViewOptions, ScrollLogicalPosition};
use yew::prelude::*;

use super::listener::document;

/// Which way an arrow points, as steps across and down.
pub fn arrow(key: &str) -> Option<(f64, f64)> {
    match key {
        "ArrowRight" => Some((1.0, 0.0)),
        "ArrowLeft" => Some((-1.0, 0.0)),
        "ArrowDown" => Some((0.0, 1.0)),
        "ArrowUp" => Some((0.0, -1.0)),
        _ => None,
    }
}

/// After each render, exactly one of the stops below `root` can be reached by Tab.
#[hook]
pub fn use_one_stop(root: &NodeRef, selector: &'static str) {
    let root = root.clone();
    use_effect(move || settle(&root, selector));
}

/// Makes the focused stop the one for Tab, or the selected one, or the first.
pub fn settle(root: &NodeRef, selector: &str) {
    let stops = stops(root, selector);
    let focused = document().active_element();
    let is_focused =
        |stop: &&HtmlElement| focused.as_ref().is_some_and(|element| element.is_same_node(Some(stop)));
    let is_chosen = |stop: &&HtmlElement| {
        stop.get_attribute("aria-selected").is_some_and(|value| value == "true")
            || stop.has_attribute("data-now")
    };
    let chosen = stops.iter().find(is_focused).or_else(|| stops.iter().find(is_chosen)).or(stops.first());
    for stop in &stops {
        stop.set_tab_index(if chosen.is_some_and(|chosen| chosen == stop) { 0 } else { -1 });
    }
}

/// Makes the stop that gets the focus the one for Tab.
pub fn settling(root: &NodeRef, selector: &'static str) -> Callback<FocusEvent> {
    let root = root.clone();
    Callback::from(move |_: FocusEvent| settle(&root, selector))
}

/// Up and down move the focus over the stops, unless Shift or Alt is held.
pub fn up_and_down(root: &NodeRef, selector: &'static str) -> Callback<KeyboardEvent> {
    let root = root.clone();
    Callback::from(move |event: KeyboardEvent| {
        let steps = match event.key().as_str() {
            "ArrowDown" => 1,
            "ArrowUp" => -1,
            _ => return,
        };
        if !event.shift_key() && !event.alt_key() {
            event.prevent_default();
            event.stop_propagation();
            move_by(&root, selector, steps);
        }
    })
}

/// Moves the focus by so many stops in their order.
pub fn move_by(root: &NodeRef, selector: &str, steps: i32) {
    let stops = stops(root, selector);
    let focused = document().active_element();
    let here = stops
        .iter()
        .position(|stop| focused.as_ref().is_some_and(|element| element.is_same_node(Some(stop))));
    let last = stops.len() as i32 - 1;
    let there = here.map_or(0, |here| (here as i32 + steps).clamp(0, last.max(0)));
    if let Some(stop) = stops.get(there as usize) {
        give(stop);
    }
}

/// Moves the focus by so many stops, from the last on to the first.
pub fn move_round(root: &NodeRef, selector: &str, steps: i32) {
    let stops = stops(root, selector);
    let focused = document().active_element();
    let here = stops
        .iter()
        .position(|stop| focused.as_ref().is_some_and(|element| element.is_same_node(Some(stop))));
    let count = stops.len().max(1) as i32;
    if let Some(stop) = here.and_then(|here| stops.get((here as i32 + steps).rem_euclid(count) as usize)) {
        give(stop);
    }
}

/// Moves the focus to the nearest stop in a direction, as it lies on screen.
pub fn move_towards(root: &NodeRef, selector: &str, way: (f64, f64)) {
    let Some(from) = document().active_element() else { return };
    let centre = |element: &Element| {
        let rect = element.get_bounding_client_rect();
        (rect.x() + rect.width() / 2.0, rect.y() + rect.height() / 2.0)
    };
    let here = centre(&from);
    let score = |stop: &HtmlElement| {
        let there = centre(stop);
        let (x, y) = (there.0 - here.0, there.1 - here.1);
        let along = x * way.0 + y * way.1;
        let aside = (x * way.1).abs() + (y * way.0).abs();
        if along > 2.0 { along + aside * 6.0 } else { f64::INFINITY }
    };
    let stops = stops(root, selector);
    let best = stops.iter().min_by(|one, other| score(one).total_cmp(&score(other)));
    if let Some(best) = best.filter(|best| score(best).is_finite()) {
        give(best);
    }
}

/// Whether the event comes from a stop itself, not from a field inside it.
pub fn is_in_text(event: &KeyboardEvent) -> bool {
    event
        .target()
        .and_then(|target| target.dyn_into::<Element>().ok())
        .is_some_and(|element| is_text(&element))
}

/// Whether an element takes text.
pub(super) fn is_text(element: &Element) -> bool {
    let fields = "input, textarea, select, [contenteditable], .editor-host";
    element.closest(fields).is_ok_and(|found| found.is_some())
}

/// Whether an element is pressed by space and enter.
pub(super) fn is_pressed(element: &Element) -> bool {
    let buttons = "button, a[href], summary, [role=treeitem], [role=tab]";
    element.closest(buttons).is_ok_and(|found| found.is_some())
}

/// Focuses the next panel after the one with the focus, or the one before.
pub fn next_panel(forward: bool) {
    let Ok(found) = document().query_selector_all("[data-panel]") else { return };
    let panels: Vec<HtmlElement> = (0..found.length())
        .filter_map(|index| found.get(index).and_then(|node| node.dyn_into().ok()))
        .filter(|panel: &HtmlElement| panel.offset_height() > 0)
        .collect();
    if panels.is_empty() {
        return;
    }
    let focused = document().active_element();
    let holds = |panel: &HtmlElement| panel.contains(focused.as_ref().map(AsRef::as_ref));
    let here = panels.iter().position(holds);
    let count = panels.len();
    let there = match here {
        Some(here) if forward => (here + 1) % count,
        Some(here) => (here + count - 1) % count,
        None => 0,
    };
    let panel = &panels[there];
    if panel.tab_index() < 0 {
        panel.set_tab_index(-1);
        // Without the attribute a section cannot take the focus.
        let _ = panel.set_attribute("tabindex", "-1");
    }
    give(panel);
}

/// Focuses the first element that fits.
pub fn focus_on(selector: &str) {
    let found = document().query_selector(selector).ok().flatten();
    if let Some(element) = found.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
        give(&element);
    }
}

/// Gives a node the focus, and marks its text if it is a field.
pub fn take(node: &NodeRef) {
    if let Some(element) = node.cast::<HtmlElement>() {
        give(&element);
    }
    let element = node.cast::<Element>();
    if let Some(field) = element.and_then(|element| element.dyn_into::<HtmlInputElement>().ok()) {
        field.select();
    }
}

/// Scrolls the first element that fits into view inside its list.
pub fn show(root: &NodeRef, selector: &str) {
    let found = root.cast::<Element>().and_then(|root| root.query_selector(selector).ok().flatten());
    if let Some(element) = found {
        let options = ScrollIntoViewOptions::new();
        options.set_block(ScrollLogicalPosition::Nearest);
        element.scroll_into_view_with_scroll_into_view_options(&options);
    }
}

fn stops(root: &NodeRef, selector: &str) -> Vec<HtmlElement> {
    let Some(found) = root.cast::<Element>().and_then(|root| root.query_selector_all(selector).ok()) else {
        return Vec::new();
    };
    let elements = (0..found.length()).filter_map(|index| found.get(index)?.dyn_into::<HtmlElement>().ok());
    elements.filter(|stop| stop.offset_height() > 0).collect()
}

fn give(element: &HtmlElement) {
    // An element that cannot take the focus leaves it where it is.
    let _ = element.focus();
}
