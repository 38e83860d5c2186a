//! Geometry from data: `data-geo="at:3;len:2"` becomes the custom properties `--at` and `--len`.
//!
//! The page's policy forbids style attributes; properties set from a script are allowed.

use wasm_bindgen::JsCast as _;
use web_sys::{Element, HtmlElement, SvgElement};
use yew::prelude::*;

use super::listener::window;

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

/// How far across a node the pointer is, from 0 to 1.
pub fn share_across(event: &PointerEvent, node: &NodeRef) -> Option<f64> {
    shares(event, node).map(|(across, _)| across)
}

/// How far across a node the pointer is, from 0 to 1, and how far below its top, in pixels.
pub fn shares(event: &PointerEvent, node: &NodeRef) -> Option<(f64, f64)> {
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
