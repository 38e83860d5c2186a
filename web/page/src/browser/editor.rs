//! The script editor: CodeMirror from its own bundle, and a plain text area until that is there.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Array, Function, Object, Promise, Reflect};
use tidemark_protocol::Diagnostic;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{Element, HtmlTextAreaElement};

use super::listener::window;

/// An editor in its place.
pub struct Editor {
    handle: JsValue,
    _on_change: Closure<dyn Fn(String)>,
    _on_run: Closure<dyn Fn()>,
}

impl Editor {
    /// Loads the bundle and puts an editor into `parent`; `ready` gets it. Without a bundle nothing happens.
    pub fn load(
        parent: Element,
        text: Rc<RefCell<String>>,
        on_change: impl Fn(String) + 'static,
        on_run: impl Fn() + 'static,
        ready: impl FnOnce(Editor) + 'static,
    ) {
        let Some(promise) = bundle() else { return };
        let made = Closure::once(move |module: JsValue| {
            if let Some(editor) = Editor::create(&module, &parent, &text.borrow(), on_change, on_run) {
                ready(editor);
            }
        });
        // A bundle that cannot be loaded leaves the plain text area.
        let _ = promise.then(&made);
        made.forget();
    }

    fn create(
        module: &JsValue,
        parent: &Element,
        text: &str,
        on_change: impl Fn(String) + 'static,
        on_run: impl Fn() + 'static,
    ) -> Option<Editor> {
        let create: Function = get(module, "createEditor")?.dyn_into().ok()?;
        let on_change = Closure::<dyn Fn(String)>::new(on_change);
        let on_run = Closure::<dyn Fn()>::new(on_run);
        let options = object(&[
            ("doc", text.into()),
            ("label", "Script, PySpark".into()),
            ("onChange", on_change.as_ref().clone()),
            ("onRun", on_run.as_ref().clone()),
        ]);
        let handle = create.call2(&JsValue::NULL, parent, &options).ok()?;
        Some(Editor { handle, _on_change: on_change, _on_run: on_run })
    }

    /// Replaces the text, if it is another one; the learner's change is not reported back.
    pub fn set_text(&self, text: &str) {
        self.call("setDoc", &text.into());
    }

    /// Marks errors at their places.
    pub fn set_errors(&self, errors: &[Diagnostic]) {
        let marks = Array::new();
        for error in errors {
            let mark = object(&[
                ("line", error.line.into()),
                ("column", error.column.into()),
                ("endLine", error.end_line.into()),
                ("endColumn", error.end_column.into()),
                ("message", format!("{}: {}", error.class, error.message).into()),
            ]);
            marks.push(&mark);
        }
        self.call("setDiagnostics", &marks);
    }

    /// Marks the line at which the script stands; none for no mark.
    pub fn set_line(&self, line: Option<u32>) {
        self.call("setLine", &line.map_or(JsValue::NULL, JsValue::from));
    }

    fn call(&self, name: &str, argument: &JsValue) {
        if let Some(function) = get(&self.handle, name).and_then(|value| value.dyn_into::<Function>().ok()) {
            // What the editor cannot show it leaves out; the text is the page's own.
            let _ = function.call1(&self.handle, argument);
        }
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        self.call("destroy", &JsValue::UNDEFINED);
    }
}

/// The text of the plain text area that an event comes from.
pub fn text_of(event: &yew::InputEvent) -> String {
    let area = event.target().and_then(|target| target.dyn_into::<HtmlTextAreaElement>().ok());
    area.map(|area| area.value()).unwrap_or_default()
}

/// The editor's module on its way; the shell's loader knows where it lies.
fn bundle() -> Option<Promise> {
    let load: Function = get(&window(), "loadEditor")?.dyn_into().ok()?;
    load.call0(&JsValue::NULL).ok()?.dyn_into().ok()
}

fn get(object: &JsValue, name: &str) -> Option<JsValue> {
    Reflect::get(object, &name.into()).ok().filter(|value| !value.is_undefined())
}

fn object(fields: &[(&str, JsValue)]) -> JsValue {
    let object = Object::new();
    for (name, value) in fields {
        // A plain object takes every field.
        let _ = Reflect::set(&object, &(*name).into(), value);
    }
    object.into()
}
