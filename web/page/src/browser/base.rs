//! The browser's data base, as keys and texts: one object store, ranges of keys, changes that happen whole or not at all.
//!
//! `web_sys` alone: a crate over it would cost more than these calls, which are all that the page makes.

use std::ops::Range;

use js_sys::{Array, Function, Promise};
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    DomException, IdbDatabase, IdbKeyRange, IdbObjectStore, IdbRequest, IdbTransaction, IdbTransactionMode,
};

use super::listener::window;
use crate::state::save::log::Change;

const NAME: &str = "tidemark";
const STORE: &str = "log";
const VERSION: u32 = 1;

/// The data base.
pub struct Base(IdbDatabase);

/// Why something did not happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The text under the guarded key is another one.
    Changed,
    /// There is no room.
    Full,
    /// Anything else, in the words of the browser.
    Broken(String),
}

impl From<JsValue> for Trouble {
    fn from(error: JsValue) -> Trouble {
        match error.dyn_ref::<DomException>() {
            Some(error) if error.name() == "QuotaExceededError" => Trouble::Full,
            Some(error) => Trouble::Broken(format!("{}: {}", error.name(), error.message())),
            None => Trouble::Broken(format!("{error:?}")),
        }
    }
}

impl Base {
    /// Opens the data base of this page, and makes it at the first visit.
    pub async fn open() -> Result<Base, Trouble> {
        let factory = window().indexed_db()?.ok_or(Trouble::Broken("no IndexedDB".to_owned()))?;
        let request = factory.open_with_u32(NAME, VERSION)?;
        let opening = request.clone();
        let make = Closure::once(move |_: JsValue| {
            let base = opening.result().ok().and_then(|base| base.dyn_into::<IdbDatabase>().ok());
            // A store that cannot be made shows when it is used.
            let _ = base.map(|base| base.create_object_store(STORE));
        });
        request.set_onupgradeneeded(Some(make.as_ref().unchecked_ref()));
        let base: IdbDatabase = answer(&request).await?.unchecked_into();
        // Another tab that brings a newer form is not kept waiting.
        let closing = base.clone();
        let close = Closure::<dyn FnMut()>::new(move || closing.close());
        base.set_onversionchange(Some(close.as_ref().unchecked_ref()));
        close.forget();
        Ok(Base(base))
    }

    /// Keys and texts of a range, in the order of the keys.
    pub async fn read(&self, range: &Range<String>) -> Result<Vec<(String, String)>, Trouble> {
        let (_, store) = self.begin(IdbTransactionMode::Readonly)?;
        let range = key_range(range)?;
        let (keys, texts) = (store.get_all_keys_with_key(&range)?, store.get_all_with_key(&range)?);
        let keys = Array::from(&answer(&keys).await?);
        let texts = Array::from(&answer(&texts).await?);
        let text = |value: JsValue| value.as_string().unwrap_or_default();
        Ok(keys.iter().map(text).zip(texts.iter().map(text)).collect())
    }

    /// Does a change if `guard` holds for the text that stands under `key`; all of it, or nothing.
    pub async fn write(
        &self,
        key: &str,
        guard: impl Fn(Option<String>) -> bool,
        change: &Change,
    ) -> Result<(), Trouble> {
        let (transaction, store) = self.begin(IdbTransactionMode::Readwrite)?;
        let end = ending(&transaction);
        let present = answer(&store.get(&key.into())?).await?.as_string();
        if !guard(present) {
            transaction.abort()?;
            let _ = JsFuture::from(end).await;
            return Err(Trouble::Changed);
        }
        let put = || -> Result<(), JsValue> {
            for cut in &change.cuts {
                store.delete(&key_range(cut)?)?;
            }
            for (key, text) in &change.puts {
                store.put_with_key(&text.into(), &key.into())?;
            }
            Ok(())
        };
        if let Err(error) = put() {
            // What was asked for before the fault is taken back with it.
            let _ = transaction.abort();
            let _ = JsFuture::from(end).await;
            return Err(error.into());
        }
        JsFuture::from(end).await?;
        Ok(())
    }

    fn begin(&self, mode: IdbTransactionMode) -> Result<(IdbTransaction, IdbObjectStore), Trouble> {
        let transaction = self.0.transaction_with_str_and_mode(STORE, mode)?;
        let store = transaction.object_store(STORE)?;
        Ok((transaction, store))
    }
}

fn key_range(range: &Range<String>) -> Result<JsValue, JsValue> {
    let (from, to) = (range.start.as_str().into(), range.end.as_str().into());
    IdbKeyRange::bound_with_lower_open_and_upper_open(&from, &to, false, true).map(Into::into)
}

/// What a request answers.
async fn answer(request: &IdbRequest) -> Result<JsValue, Trouble> {
    let promise = Promise::new(&mut |keep: Function, fail: Function| {
        request.set_onsuccess(Some(&keep));
        request.set_onerror(Some(&fail));
    });
    match JsFuture::from(promise).await {
        Ok(_) => Ok(request.result()?),
        Err(_) => {
            Err(request.error()?.map_or(Trouble::Broken(String::new()), |error| JsValue::from(error).into()))
        }
    }
}

/// Kept when the transaction is through, broken with its error when it is not.
fn ending(transaction: &IdbTransaction) -> Promise {
    Promise::new(&mut |keep: Function, fail: Function| {
        transaction.set_oncomplete(Some(&keep));
        let aborted = transaction.clone();
        let abort = Closure::once_into_js(move |_: JsValue| {
            let error = aborted.error().map_or(JsValue::NULL, JsValue::from);
            let _ = fail.call1(&JsValue::NULL, &error);
        });
        transaction.set_onabort(Some(abort.unchecked_ref()));
    })
}
