//! Locks that a tab holds on its work: Web Locks where the browser has them, else none.
//!
//! Web Locks are no stable part of `web_sys`, so they are called by their names.

use std::cell::Cell;
use std::rc::Rc;

use js_sys::{Function, Object, Promise, Reflect};
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;

use super::listener::window;

/// A lock that is held until it is dropped or taken away.
pub struct Lock {
    release: Option<Function>,
    is_over: Rc<Cell<bool>>,
}

impl Lock {
    /// Takes the lock with this name if it is free; with `steal`, from whoever has it. `lost` is called when another tab takes
    /// it away. Nothing comes if another tab has it.
    pub async fn take(name: &str, steal: bool, lost: impl FnOnce() + 'static) -> Option<Lock> {
        let is_over = Rc::new(Cell::new(false));
        let Some((locks, request)) = web_locks() else { return Some(Lock { release: None, is_over }) };
        let options = Object::new();
        // A plain object takes every field.
        let _ = Reflect::set(&options, &if steal { "steal" } else { "ifAvailable" }.into(), &true.into());
        let over = is_over.clone();
        let mut lost = Some(lost);
        let granted = Promise::new(&mut |grant, _| {
            let refuse = grant.clone();
            let hold = Closure::once_into_js(move |lock: JsValue| -> JsValue {
                if lock.is_null() {
                    let _ = grant.call1(&JsValue::NULL, &JsValue::NULL);
                    return JsValue::UNDEFINED;
                }
                // The lock is held until this promise is kept.
                let held = Promise::new(&mut |release, _| {
                    let _ = grant.call1(&JsValue::NULL, &release);
                });
                held.into()
            });
            let asked = request.call3(&locks, &name.into(), &options, &hold);
            let Some(asked) = asked.ok().and_then(|asked| asked.dyn_into::<Promise>().ok()) else {
                let _ = refuse.call1(&JsValue::NULL, &JsValue::NULL);
                return;
            };
            let (over, mut lost) = (over.clone(), lost.take());
            // A lock that is taken away breaks the promise of its request.
            let broken = Closure::once(move |_: JsValue| {
                if let Some(lost) = lost.take().filter(|_| !over.get()) {
                    lost();
                }
            });
            let _ = asked.catch(&broken);
            broken.forget();
        });
        let release = JsFuture::from(granted).await.ok()?.dyn_into().ok()?;
        Some(Lock { release: Some(release), is_over })
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        self.is_over.set(true);
        if let Some(release) = &self.release {
            // A lock that is gone already needs no release.
            let _ = release.call0(&JsValue::NULL);
        }
    }
}

fn web_locks() -> Option<(JsValue, Function)> {
    let locks =
        Reflect::get(&window().navigator(), &"locks".into()).ok().filter(|locks| locks.is_object())?;
    let request = Reflect::get(&locks, &"request".into()).ok()?.dyn_into().ok()?;
    Some((locks, request))
}
