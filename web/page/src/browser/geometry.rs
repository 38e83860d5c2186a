//! Geometry from data: `data-geo="at:3;len:2"` becomes the custom properties `--at` and `--len`.
//!
//! The page's policy forbids style attributes; properties set from a script are allowed.

use wasm_bindgen::JsCast as _;
use web_sys::{Element, HtmlElement, SvgElement};
use yew::prelude::*;

use super::listener::{Listener, document, window};

/// Applies the geometry below a node after each render of the component.
#[hook]
pub fn use_geometry(root: &NodeRef) {
    let root = root.clone();
    use_effect(move || {
        if let Some(root) = root.cast::<Element>() {
            apply(&root);
        }
    });
}

fn apply(root: &Element) {
    place(root);
    let Ok(found) = root.query_selector_all("[data-geo]") else { return };
    for index in 0..found.length() {
        if let Some(element) = found.get(index).and_then(|node| node.dyn_into::<Element>().ok()) {
            place(&element);
        }
    }
}

fn place(element: &Element) {
    let Some(text) = element.get_attribute("data-geo") else { return };
    let style = match element.dyn_ref::<HtmlElement>() {
        Some(html) => html.style(),
        None => match element.dyn_ref::<SvgElement>() {
            Some(svg) => svg.style(),
            None => return,
        },
    };
    for (name, value) in text.split(';').filter_map(|pair| pair.split_once(':')) {
        // A browser that does not take a value draws the part at its default place.
        let _ = style.set_property(&format!("--{name}"), value);
    }
}

/// Gives a node the left edge and the width of the rail's track as `--from` and `--wide`, as long as the track lies
/// beneath it; again after each render and when the window changes.
#[hook]
pub fn use_rail(root: &NodeRef) {
    let node = root.clone();
    use_effect(move || lay_on_rail(&node));
    let node = root.clone();
    use_effect_with((), move |()| {
        let listener = Listener::new(&window(), "resize", move |_| lay_on_rail(&node));
        move || drop(listener)
    });
}

fn lay_on_rail(root: &NodeRef) {
    let Some(own) = root.cast::<HtmlElement>() else { return };
    let rail = document().query_selector(".rail-track .rail-in").ok().flatten();
    let Some(rail) = rail.map(|rail| rail.get_bounding_client_rect()) else { return };
    let rect = own.get_bounding_client_rect();
    let from = rail.left() - rect.left();
    let is_beneath = from > 160.0 && rail.width() > rect.width() * 0.4;
    // The attributes fail only for names that no browser takes.
    let _ = own.toggle_attribute_with_force("data-rail", is_beneath);
    let _ = own.style().set_property("--from", &format!("{from}px"));
    let _ = own.style().set_property("--wide", &format!("{}px", rail.width()));
}

/// How far across a node the pointer is, from 0 to 1.
pub fn share_across(event: &MouseEvent, node: &NodeRef) -> Option<f64> {
    shares(event, node).map(|(across, _)| across)
}

/// How far across a node the pointer is, from 0 to 1, and how far below its top, in pixels.
pub fn shares(event: &MouseEvent, node: &NodeRef) -> Option<(f64, f64)> {
    let rect = node.cast::<Element>()?.get_bounding_client_rect();
    let share = (f64::from(event.client_x()) - rect.left()) / rect.width().max(1.0);
    Some((share.clamp(0.0, 1.0), f64::from(event.client_y()) - rect.top()))
}

/// Which row of the rail lies so many pixels below its top; the styles say where rows are.
pub fn rail_row(down: f64, node: &NodeRef) -> f64 {
    let Some(element) = node.cast::<Element>() else { return 0.0 };
    let style = window().get_computed_style(&element).ok().flatten();
    let rem = |name: &str, or: f64| {
        let text = style.as_ref().and_then(|style| style.get_property_value(name).ok()).unwrap_or_default();
        text.trim().trim_end_matches("rem").parse::<f64>().unwrap_or(or) * 16.0
    };
    (down - rem("--rail-0", 2.25)) / rem("--rail-step", 1.5).max(1.0)
}

/// Keeps the pointer with a node until it is released.
pub fn capture(event: &PointerEvent, node: &NodeRef) {
    if let Some(element) = node.cast::<Element>() {
        // A pointer that is gone already needs no capture.
        let _ = element.set_pointer_capture(event.pointer_id());
    }
}

/// Scrolls a node to its end.
pub fn scroll_to_end(node: &NodeRef) {
    if let Some(element) = node.cast::<Element>() {
        element.set_scroll_top(element.scroll_height());
    }
}
