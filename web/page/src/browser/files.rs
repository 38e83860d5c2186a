//! Files from outside: the page as a drop target, and the picker.

use std::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{DragEvent, Event, FileList, HtmlInputElement};

use super::listener::{Listener, document};
use crate::state::Dropped;

/// What the page hears of files.
pub enum FileNews {
    /// One hangs over the page, or has left it.
    Over(bool),
    /// They have been read.
    Read(Vec<Dropped>),
}

/// Makes the whole page a drop target.
pub fn listen(tell: impl Fn(FileNews) + Clone + 'static) -> [Listener; 3] {
    let (over, leave, drop) = (tell.clone(), tell.clone(), tell);
    let page = document();
    [
        Listener::new(&page, "dragover", move |event| {
            event.prevent_default();
            over(FileNews::Over(true));
        }),
        Listener::new(&page, "dragleave", move |event| {
            // Only leaving the page counts, not going from one part to the next.
            if event.unchecked_into::<DragEvent>().related_target().is_none() {
                leave(FileNews::Over(false));
            }
        }),
        Listener::new(&page, "drop", move |event| {
            event.prevent_default();
            drop(FileNews::Over(false));
            let files = event.unchecked_into::<DragEvent>().data_transfer().and_then(|data| data.files());
            if let Some(files) = files {
                read(&files, drop.clone());
            }
        }),
    ]
}

/// Reads what a file input has picked, and empties it.
pub fn take_picked(event: &Event, tell: impl Fn(FileNews) + Clone + 'static) {
    let target = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
    let Some(input) = target else { return };
    if let Some(files) = input.files() {
        read(&files, tell);
    }
    input.set_value("");
}

/// Reads all files, then tells them at once.
fn read(files: &FileList, tell: impl Fn(FileNews) + Clone + 'static) {
    let count = files.length();
    let done: Rc<RefCell<Vec<Dropped>>> = Rc::default();
    for file in (0..count).filter_map(|index| files.get(index)) {
        let (done, tell, name) = (done.clone(), tell.clone(), file.name());
        let finish = Closure::<dyn FnMut(JsValue)>::new(move |text: JsValue| {
            let text = text.as_string().unwrap_or_default();
            done.borrow_mut().push(Dropped { name: name.clone(), text });
            if done.borrow().len() == count as usize {
                tell(FileNews::Read(done.take()));
            }
        });
        // A file that cannot be read comes in empty, so that the others are not lost.
        let _ = file.text().then2(&finish, &finish);
        finish.forget();
    }
}
