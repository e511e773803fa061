//! Waiting for an event, within a time limit.

use std::time::{Duration, Instant};

/// The time to sleep between two checks.
const PAUSE: Duration = Duration::from_millis(10);

/// Waits until a check finds something, and returns it.
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

/// Waits until a condition holds.
pub(crate) fn until(what: &str, patience: Duration, mut holds: impl FnMut() -> bool) {
    soon(what, patience, || holds().then_some(()));
}
