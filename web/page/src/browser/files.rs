//! Files from outside: the page as a drop target, and the picker.

use std::cell::RefCell;
use std::rc::Rc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use js_sys::{ArrayBuffer, Uint8Array};
use tidemark_protocol::Act;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{DragEvent, Event, File, FileList, HtmlInputElement};

use super::listener::{Listener, document};
use crate::state::Dropped;

/// What the page hears of files.
pub enum FileNews {
    /// One hangs over the page, or has left it.
    Over(bool),
    /// They have been read.
    Read(Vec<Dropped>),
    /// An archive has been read.
    Archive {
        /// Its name.
        name: String,
        /// Its content.
        base64: String,
    },
    /// An archive is too big to be read.
    TooBig {
        /// Its name.
        name: String,
        /// How many bytes it has.
        bytes: u64,
    },
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

fn is_archive(file: &File) -> bool {
    file.name().to_lowercase().ends_with(".zip")
}

/// Reads an archive, unless it is bigger than one may be.
fn read_archive(file: &File, tell: impl Fn(FileNews) + 'static) {
    let (name, bytes) = (file.name(), file.size() as u64);
    if bytes > Act::ARCHIVE_BYTES_MAX as u64 {
        return tell(FileNews::TooBig { name, bytes });
    }
    let finish = Closure::<dyn FnMut(JsValue)>::new(move |content: JsValue| {
        // One that cannot be read comes in empty, and is refused by its name.
        let bytes =
            if content.is_instance_of::<ArrayBuffer>() { Uint8Array::new(&content).to_vec() } else { vec![] };
        tell(FileNews::Archive { name: name.clone(), base64: STANDARD.encode(bytes) });
    });
    let _ = file.array_buffer().then2(&finish, &finish);
    finish.forget();
}

/// Reads all files, then tells them at once.
fn read(files: &FileList, tell: impl Fn(FileNews) + Clone + 'static) {
    let all = (0..files.length()).filter_map(|index| files.get(index));
    let (archives, texts): (Vec<File>, Vec<File>) = all.partition(is_archive);
    for archive in archives {
        read_archive(&archive, tell.clone());
    }
    let count = texts.len();
    let done: Rc<RefCell<Vec<Dropped>>> = Rc::default();
    for file in texts {
        let (done, tell, name) = (done.clone(), tell.clone(), file.name());
        let finish = Closure::<dyn FnMut(JsValue)>::new(move |text: JsValue| {
            let text = text.as_string().unwrap_or_default();
            done.borrow_mut().push(Dropped { name: name.clone(), text });
            if done.borrow().len() == count {
                tell(FileNews::Read(done.take()));
            }
        });
        // A file that cannot be read comes in empty, so that the others are not lost.
        let _ = file.text().then2(&finish, &finish);
        finish.forget();
    }
}
