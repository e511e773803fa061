//! When does a worker try again?
//!
//! After a pause drawn evenly from nothing to a bound that doubles with every failure (full jitter), so that a thousand
//! workers do not come back to a restarted coordinator in step.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::Duration;

const FIRST: Duration = Duration::from_millis(100);
const LONGEST: Duration = Duration::from_secs(10);

/// The pauses between attempts.
#[derive(Debug, Default)]
pub struct Backoff {
    failures: u32,
}

impl Backoff {
    /// The pause after one more failure.
    pub fn next_pause(&mut self) -> Duration {
        let bound = bound(self.failures);
        self.failures = self.failures.saturating_add(1);
        // Randomly keyed anew each time; no more is needed of a jitter.
        let random = RandomState::new().build_hasher().finish();
        let ms = bound.as_millis() as u64;
        Duration::from_millis(random % (ms + 1))
    }

    /// Something worked: start over with short pauses.
    pub fn reset(&mut self) {
        self.failures = 0;
    }
}

/// The bound of the pause after so many failures.
fn bound(failures: u32) -> Duration {
    FIRST
        .saturating_mul(2_u32.saturating_pow(failures))
        .min(LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_double_up_to_the_longest() {
        assert_eq!(bound(0), FIRST);
        assert_eq!(bound(3), 8 * FIRST);
        assert_eq!(bound(1_000_000), LONGEST);
        let mut backoff = Backoff { failures: 2 };
        assert!(backoff.next_pause() <= bound(2));
        backoff.reset();
        assert!(backoff.next_pause() <= FIRST);
    }
}
