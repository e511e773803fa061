//! Waiting for something to happen, with an end to patience.

use std::time::{Duration, Instant};

/// How long to sleep between two looks.
const PAUSE: Duration = Duration::from_millis(10);

/// Waits until a look finds something, and returns what was found.
pub(crate) fn soon<T>(what: &str, patience: Duration, mut look: impl FnMut() -> Option<T>) -> T {
    let since = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(since.elapsed() < patience, "it does not come: {what}");
        std::thread::sleep(PAUSE);
    }
}

/// Waits until something holds.
pub(crate) fn until(what: &str, patience: Duration, mut holds: impl FnMut() -> bool) {
    soon(what, patience, || holds().then_some(()));
}
