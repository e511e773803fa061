//! The function of a page that watches a computation.

use std::cell::RefCell;

use js_sys::Function;
use misere_game::control::{Interrupt, Progress};
use wasm_bindgen::JsValue;

thread_local! {
    static WATCHER: RefCell<Option<Function>> = const { RefCell::new(None) };
}

/// Runs `work` while `watcher` is called with the heap and the order at every step.
pub(crate) fn watched<T>(watcher: Option<Function>, work: impl FnOnce() -> T) -> T {
    WATCHER.set(watcher);
    let done = work();
    WATCHER.set(None);
    done
}

/// Returns the handle of a computation that is watched.
pub(crate) fn handle() -> Interrupt {
    Interrupt::watched_by(tell)
}

fn tell(progress: Progress) {
    // The watcher may call the module, so it is not called while it is borrowed.
    let watcher = WATCHER.with_borrow(Clone::clone);
    if let Some(watcher) = watcher {
        let (heap, order) = (progress.heap.into(), progress.order.into());
        // An exception of the watcher changes no result.
        let _ = watcher.call2(&JsValue::NULL, &heap, &order);
    }
}
