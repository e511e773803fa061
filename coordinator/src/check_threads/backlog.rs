//! The certificates that wait for a thread, and the time that checks have taken.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The certificates that wait, and the checks that are done; all copies share one state.
#[derive(Clone, Debug, Default)]
pub struct CheckBacklog(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    /// The time at which each group of certificates began to wait.
    waiting: BTreeMap<u64, Instant>,
    next: u64,
    checks: u64,
    checking: Duration,
}

/// A group of certificates that waits, until this is dropped.
#[derive(Debug)]
pub(super) struct Ticket {
    backlog: CheckBacklog,
    number: u64,
}

impl CheckBacklog {
    /// Returns how long the oldest certificate has waited; zero if none waits.
    #[must_use]
    pub fn oldest(&self) -> Duration {
        let state = self.lock();
        // Numbers grow with time.
        let first = state.waiting.values().next();
        first.map_or(Duration::ZERO, Instant::elapsed)
    }

    /// Returns the number of checks that are done, and the time that they took together.
    #[must_use]
    pub fn checked(&self) -> (u64, Duration) {
        let state = self.lock();
        (state.checks, state.checking)
    }

    /// Puts a group of certificates into the backlog.
    pub(super) fn enter(&self) -> Ticket {
        let mut state = self.lock();
        let number = state.next;
        state.next += 1;
        state.waiting.insert(number, Instant::now());
        Ticket {
            backlog: self.clone(),
            number,
        }
    }

    /// Records a check that is done.
    pub(super) fn record(&self, took: Duration) {
        let mut state = self.lock();
        state.checks += 1;
        state.checking += took;
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.backlog.lock().waiting.remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_waits_until_its_turn() {
        let backlog = CheckBacklog::default();
        assert_eq!(backlog.oldest(), Duration::ZERO);
        let first = backlog.enter();
        std::thread::sleep(Duration::from_millis(20));
        let second = backlog.enter();
        assert!(backlog.oldest() >= Duration::from_millis(20));
        drop(first);
        assert!(backlog.oldest() > Duration::ZERO);
        drop(second);
        assert_eq!(backlog.oldest(), Duration::ZERO);
        backlog.record(Duration::from_secs(2));
        assert_eq!(backlog.checked(), (1, Duration::from_secs(2)));
    }
}
