//! The facts that were computed for a page, cached for later requests.
//!
//! A fact depends on its key alone, so it never becomes wrong. The number is limited; the oldest
//! facts are dropped first.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// The number of facts of one kind that are kept.
const MAX_CACHED: usize = 128;

/// Facts of one kind by their keys.
pub(super) struct Cache<T>(Mutex<VecDeque<(String, Arc<T>)>>);

impl<T> Default for Cache<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> fmt::Debug for Cache<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Cache")
    }
}

impl<T> Cache<T> {
    /// Returns the facts with this key, computed if they are not cached.
    ///
    /// They are computed without a lock, so that two concurrent requests may both compute them.
    pub(super) fn or_made(&self, key: &str, make: impl FnOnce() -> T) -> Arc<T> {
        let find = |facts: &VecDeque<(String, Arc<T>)>| {
            let found = facts.iter().find(|(other, _)| other == key);
            found.map(|(_, facts)| Arc::clone(facts))
        };
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = find(&lock()) {
            return found;
        }
        let made = Arc::new(make());
        let mut facts = lock();
        if find(&facts).is_none() {
            facts.push_back((key.to_owned(), Arc::clone(&made)));
            if facts.len() > MAX_CACHED {
                facts.pop_front();
            }
        }
        made
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_made_once_and_given_up_in_turn() {
        let kept = Cache::default();
        let first = kept.or_made("0", || 7);
        assert_eq!(*kept.or_made("0", || 8), *first);
        for key in 1..=MAX_CACHED {
            kept.or_made(&key.to_string(), || key as i32);
        }
        assert_eq!(*kept.or_made("0", || 9), 9);
        assert_eq!(*kept.or_made("5", || 0), 5);
    }
}
