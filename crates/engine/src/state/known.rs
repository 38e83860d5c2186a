//! The stores that were saved or loaded last, by the files that hold them.
//!
//! Files make one store and no other, so this changes nothing but time and memory: a run that begins where another one
//! ended shares the state with it, and with all moments that can be gone back to.

use std::cell::RefCell;
use std::collections::VecDeque;

use bytes::Bytes;
use imbl::Vector;

use crate::state::store::{STATE_BYTES_MAX, StateStore};

/// How many are known at most.
const KNOWN_MAX: usize = 32;

thread_local! {
    static KNOWN: RefCell<VecDeque<StateStore>> = const { RefCell::new(VecDeque::new()) };
}

/// The store of these very files.
pub(super) fn find(files: &Vector<Bytes>, version: i64) -> Option<StateStore> {
    KNOWN.with_borrow(|known| {
        known.iter().find(|store| store.version() == version && are_same(&store.files, files)).cloned()
    })
}

/// Keeps a store whose files are written.
pub(crate) fn keep(store: &StateStore) {
    KNOWN.with_borrow_mut(|known| {
        known.retain(|other| !are_same(&other.files, &store.files));
        known.push_back(store.clone());
        let mut bytes: usize = known.iter().map(StateStore::bytes).sum();
        while known.len() > KNOWN_MAX || bytes > STATE_BYTES_MAX {
            let Some(oldest) = known.pop_front() else { break };
            bytes -= oldest.bytes();
        }
    });
}

/// Whether these are the same pieces of memory: equal bytes elsewhere do not count.
fn are_same(left: &Vector<Bytes>, right: &Vector<Bytes>) -> bool {
    left.len() == right.len()
        && left.iter().zip(right).all(|(l, r)| l.as_ptr() == r.as_ptr() && l.len() == r.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_is_found_by_its_very_files() {
        let mut store = StateStore::default();
        store.apply(Bytes::from_static(b"key"), Some(Bytes::from_static(b"value")));
        let files: Vector<Bytes> = [vec![1, 2], vec![3]].into_iter().map(Bytes::from).collect();
        store.files = files.clone();
        let store = store.at_version(2);
        keep(&store);
        assert_eq!(find(&files, 2), Some(store));
        assert_eq!(find(&files, 1), None);
        assert_eq!(find(&files.take(1), 2), None);
        let equal: Vector<Bytes> = files.iter().map(|file| Bytes::copy_from_slice(file)).collect();
        assert_eq!(find(&equal, 2), None);
    }
}
