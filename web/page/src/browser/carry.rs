//! What is carried out of the page: files to the downloads, links to the clipboard, the address.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use js_sys::{Array, Function, Promise, Reflect, Uint8Array};
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{Blob, BlobPropertyBag, HtmlAnchorElement, Url};

use super::listener::{document, window};

/// Puts a file into the learner's downloads.
pub fn download(name: &str, mime: &str, base64: &str) {
    let Ok(bytes) = STANDARD.decode(base64) else { return };
    let save = || -> Result<(), JsValue> {
        let options = BlobPropertyBag::new();
        options.set_type(mime);
        let parts = Array::of1(&Uint8Array::from(bytes.as_slice()));
        let address = Url::create_object_url_with_blob(&Blob::new_with_u8_array_sequence_and_options(
            &parts, &options,
        )?)?;
        let anchor: HtmlAnchorElement = document().create_element("a")?.unchecked_into();
        anchor.set_href(&address);
        anchor.set_download(name);
        anchor.click();
        Url::revoke_object_url(&address)
    };
    // A browser that does not save files says so itself.
    let _ = save();
}

/// The address of this page with another fragment.
pub fn address(fragment: &str) -> String {
    let location = window().location();
    let part = |part: Result<String, JsValue>| part.unwrap_or_default();
    format!("{}{}#{fragment}", part(location.origin()), part(location.pathname()))
}

/// Copies a text; `done` hears whether it worked.
pub fn copy(text: &str, done: impl FnOnce(bool) + 'static) {
    let clipboard = Reflect::get(&window().navigator(), &"clipboard".into()).unwrap_or_default();
    let write =
        Reflect::get(&clipboard, &"writeText".into()).ok().and_then(|f| f.dyn_into::<Function>().ok());
    let asked =
        write.and_then(|write| write.call1(&clipboard, &text.into()).ok()?.dyn_into::<Promise>().ok());
    let Some(asked) = asked else { return done(false) };
    let done = std::rc::Rc::new(std::cell::Cell::new(Some(done)));
    let answer = |worked: bool| {
        let done = done.clone();
        Closure::once(move |_: JsValue| {
            if let Some(done) = done.take() {
                done(worked);
            }
        })
    };
    let (well, badly) = (answer(true), answer(false));
    let _ = asked.then2(&well, &badly);
    well.forget();
    badly.forget();
}

/// The fragment of the address, with `#`.
pub fn fragment() -> String {
    window().location().hash().unwrap_or_default()
}

/// Replaces the fragment without a step in the history and without an event: a link is opened once.
pub fn set_fragment(fragment: &str) {
    if let Ok(history) = window().history() {
        // An address that stays opens the link again, which changes nothing that is kept.
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&format!("#{fragment}")));
    }
}

/// Loads the page again; a new version that waits takes over first.
pub fn reload() {
    let take =
        Reflect::get(&window(), &"takeVersion".into()).ok().and_then(|f| f.dyn_into::<Function>().ok());
    let taken = take.is_some_and(|take| take.call0(&JsValue::NULL).is_ok());
    if !taken {
        // A page that cannot be loaded again stays as it is.
        let _ = window().location().reload();
    }
}
