//! The shell: which screen the address asks for, the theme, the first screen's line on the engine.

use wasm_bindgen::JsCast as _;
use web_sys::HtmlElement;

use super::listener::{Listener, document, window};
use crate::state::save::fragment;
use crate::state::{Screen, Theme};

const THEME: &str = "theme";
const PRICES: &str = "prices";
const LESSONS: &str = "lessons";
/// What stands before the name of a lesson in the address.
const LESSON: &str = "#lesson/";

/// The screen that the address asks for.
pub fn from_address() -> Screen {
    match window().location().hash().as_deref() {
        Ok("#sandbox") => Screen::Sandbox,
        Ok(lesson) if lesson.starts_with(LESSON) => Screen::Sandbox,
        // A link brings work along.
        Ok(link) if fragment::read(link).is_some() => Screen::Sandbox,
        _ => Screen::Start,
    }
}

/// The lesson that the address asks for; on the first screen nothing is asked.
pub fn lesson_asked() -> Option<Option<String>> {
    let hash = window().location().hash().unwrap_or_default();
    match hash.strip_prefix(LESSON) {
        Some(slug) => Some(Some(slug.to_owned())),
        None => (from_address() == Screen::Sandbox).then_some(None),
    }
}

/// Writes the lesson that is open into the address; the sandbox if none is.
pub fn say_lesson(slug: Option<&str>) {
    let location = window().location();
    let hash = location.hash().unwrap_or_default();
    let wanted = slug.map(|slug| format!("{LESSON}{slug}"));
    let other = match &wanted {
        Some(wanted) => *wanted != hash,
        None => hash.starts_with(LESSON),
    };
    if other {
        // An address that cannot be written changes nothing on screen.
        let _ = location.set_hash(wanted.as_deref().unwrap_or("#sandbox"));
    }
}

/// How far the lessons had come at the last visit, as text; empty if nothing is kept.
pub fn stored_lessons() -> String {
    let storage = window().local_storage().ok().flatten();
    storage.and_then(|storage| storage.get_item(LESSONS).ok().flatten()).unwrap_or_default()
}

/// Keeps how far the lessons have come, and writes it into the first screen's list.
pub fn keep_lessons(text: &str, words: impl Fn(&str) -> String) {
    if let Ok(Some(storage)) = window().local_storage() {
        // A browser without storage forgets it.
        let _ = storage.set_item(LESSONS, text);
    }
    let Ok(found) = document().query_selector_all("[data-lesson-id]") else { return };
    for index in 0..found.length() {
        let place = found.get(index).and_then(|node| node.dyn_into::<HtmlElement>().ok());
        if let Some(place) = place {
            let id = place.get_attribute("data-lesson-id").unwrap_or_default();
            place.set_text_content(Some(&words(&id)));
        }
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
