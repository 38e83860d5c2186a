//! The shell: which screen the address asks for, the theme, the first screen's line on the engine.

use wasm_bindgen::JsCast as _;
use web_sys::HtmlElement;

use super::listener::{Listener, document, window};
use crate::state::{Screen, Theme, fragment};

const THEME: &str = "theme";
const PRICES: &str = "prices";

/// The screen that the address asks for.
pub fn from_address() -> Screen {
    match window().location().hash().as_deref() {
        Ok("#sandbox") => Screen::Sandbox,
        // A link brings work along.
        Ok(link) if fragment::read(link).is_some() => Screen::Sandbox,
        _ => Screen::Start,
    }
}

/// Hears when the address asks for another screen.
pub fn listen(tell: impl Fn(Screen) + 'static) -> Listener {
    Listener::new(&window(), "hashchange", move |_| tell(from_address()))
}

/// Shows a screen of the shell; the other one is hidden by its style.
pub fn show(screen: Screen) {
    if let Some(body) = document().body() {
        let word = match screen {
            Screen::Start => "start",
            Screen::Sandbox => "sandbox",
        };
        // The shell without the attribute shows the first screen.
        let _ = body.set_attribute("data-screen", word);
    }
}

/// Writes the first screen's line on the engine.
pub fn say_on_start(text: &str) {
    if let Some(line) = document().get_element_by_id("start-load") {
        line.set_text_content(Some(text));
    }
}

/// The theme of the last visit.
pub fn stored_theme() -> Theme {
    let stored =
        window().local_storage().ok().flatten().and_then(|storage| storage.get_item(THEME).ok().flatten());
    Theme::from_word(&stored.unwrap_or_default())
}

/// Puts a theme on and keeps it for the next visit.
pub fn put_on(theme: Theme) {
    let root = document().document_element().and_then(|root| root.dyn_into::<HtmlElement>().ok());
    if let Some(root) = root {
        // A browser without storage or attributes shows the theme of the system.
        let _ = match theme {
            Theme::System => root.remove_attribute("data-theme"),
            _ => root.set_attribute("data-theme", theme.word()),
        };
    }
    if let Ok(Some(storage)) = window().local_storage() {
        let _ = match theme {
            Theme::System => storage.remove_item(THEME),
            _ => storage.set_item(THEME, theme.word()),
        };
    }
}

/// The prices of the last visit, as text; empty if there are none.
pub fn stored_prices() -> String {
    let storage = window().local_storage().ok().flatten();
    storage.and_then(|storage| storage.get_item(PRICES).ok().flatten()).unwrap_or_default()
}

/// Keeps the prices for the next visit. A browser without storage forgets them.
pub fn keep_prices(text: &str) {
    if let Ok(Some(storage)) = window().local_storage() {
        let _ = storage.set_item(PRICES, text);
    }
}

/// A seed for the sandbox, drawn from the outside once.
pub fn draw_seed() -> u64 {
    (js_sys::Math::random() * f64::from(u32::MAX)) as u64
}
