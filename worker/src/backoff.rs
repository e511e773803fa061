//! The pauses before a worker tries to connect again.
//!
//! A pause is drawn evenly from nothing to a limit that doubles with every failure (full jitter),
//! so that a thousand workers do not come back to a restarted coordinator in step.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::Duration;

use misere_proto::DialError;

use crate::link::LinkError;

const FIRST_PAUSE: Duration = Duration::from_millis(100);

/// The longest pause.
pub const MAX_PAUSE: Duration = Duration::from_secs(10);

/// The number of consecutive failures for each logged one.
///
/// With the longest pauses that is one in five minutes or so.
const LOG_PERIOD: u32 = 64;

/// The pauses between attempts.
#[derive(Debug, Default)]
pub struct Backoff {
    failures: u32,
    /// Whether the last failure passes by itself, as far as is known.
    passes: Option<bool>,
}

impl Backoff {
    /// Returns the pause after one more failure.
    pub fn next_pause(&mut self) -> Duration {
        let bound = bound(self.failures);
        self.failures = self.failures.saturating_add(1);
        // Randomly keyed each time, which suffices for jitter.
        let random = RandomState::new().build_hasher().finish();
        let ms = bound.as_millis() as u64;
        Duration::from_millis(random % (ms + 1))
    }

    /// Logs why the last attempt failed.
    ///
    /// The first time it logs loudly, since the certificates may be the cause, and then now and
    /// then, and when a failure that passes by itself is followed by one that does not. The fault
    /// of the last connection says more than the call that failed for it.
    pub fn log(&mut self, error: &LinkError, fault: Option<&DialError>) {
        let passes = fault.is_none_or(DialError::passes);
        let is_new = self.passes.replace(passes) != Some(passes);
        let loudly = is_new || self.failures % LOG_PERIOD == 1;
        match fault {
            Some(fault) if !fault.passes() && loudly => {
                tracing::warn!(why = %fault, "no connection to the coordinator; this worker keeps trying");
            }
            Some(fault) if !fault.passes() => {
                tracing::debug!(why = %fault, "no connection to the coordinator");
            }
            Some(fault) if loudly => {
                tracing::warn!(why = %fault, "the coordinator is away; this worker keeps trying");
            }
            None if loudly => {
                tracing::warn!(%error, "the coordinator is away; this worker keeps trying");
            }
            _ => tracing::debug!(%error, "the coordinator is away"),
        }
    }

    /// Records a success: the next pauses are short again.
    pub fn reset(&mut self) {
        if self.failures > 0 {
            tracing::info!("the coordinator is back");
        }
        *self = Self::default();
    }
}

/// Returns the limit of the pause after this many failures.
fn bound(failures: u32) -> Duration {
    FIRST_PAUSE
        .saturating_mul(2_u32.saturating_pow(failures))
        .min(MAX_PAUSE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_double_up_to_the_longest() {
        assert_eq!(bound(0), FIRST_PAUSE);
        assert_eq!(bound(3), 8 * FIRST_PAUSE);
        assert_eq!(bound(1_000_000), MAX_PAUSE);
        let mut backoff = Backoff {
            failures: 2,
            ..Backoff::default()
        };
        assert!(backoff.next_pause() <= bound(2));
        backoff.reset();
        assert!(backoff.next_pause() <= FIRST_PAUSE);
    }
}
