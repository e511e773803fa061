//! The readiness of a coordinator: whether work moves.
//!
//! A process that accepts connections may still be stuck. A coordinator is ready if its driver,
//! which owns ledger and store, answers within a few seconds, and if running checks of certificates
//! come to an end.

use std::sync::PoisonError;
use std::time::Duration;

use tokio::time::Instant;

use super::Observer;

/// The time that the driver has to answer.
///
/// A commit takes milliseconds; a group of a thousand on a slow disk a second or two.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(5);

/// The longest time in which certificates are being checked and none of them is settled.
const CHECKING: Duration = Duration::from_secs(300);

/// The reason why a coordinator is not ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadinessError {
    /// The driver has ended.
    #[error("the coordinator is stopping or its store has failed")]
    Gone,
    /// The driver, or the disk that it waits for, is stuck.
    #[error("the store does not answer")]
    Silent,
    /// The checkers are stuck.
    #[error("no check of a certificate has come to an end for {} s", .0.as_secs())]
    Checks(Duration),
}

impl Observer {
    /// Checks that work moves.
    ///
    /// Takes as long as the driver needs for an answer.
    ///
    /// # Errors
    /// [`ReadinessError`], which says what is stuck.
    pub async fn ready(&self) -> Result<(), ReadinessError> {
        let asked = self.with_store(|_| ());
        match tokio::time::timeout(ANSWER_TIMEOUT, asked).await {
            Ok(Ok(())) => {}
            Ok(Err(_)) => return Err(ReadinessError::Gone),
            Err(_) => return Err(ReadinessError::Silent),
        }
        let checks = self.checks.lock().unwrap_or_else(PoisonError::into_inner);
        match checks.stuck(Instant::now()) {
            Some(stuck) => Err(ReadinessError::Checks(stuck)),
            None => Ok(()),
        }
    }
}

/// The record of whether checks come to an end.
#[derive(Debug, Default)]
pub(super) struct Checks {
    finished: u64,
    checking: u64,
    /// The time when a check last ended, or none was running.
    moved: Option<Instant>,
}

impl Checks {
    /// Records the number of finished tasks, and of tasks being checked.
    pub(super) fn note(&mut self, finished: u64, checking: u64, now: Instant) {
        if checking == 0 || checking < self.checking || finished != self.finished {
            self.moved = Some(now);
        }
        (self.finished, self.checking) = (finished, checking);
    }

    /// Returns the time for which no check has come to an end, if that is too long.
    fn stuck(&self, now: Instant) -> Option<Duration> {
        let stuck = now.saturating_duration_since(self.moved?);
        (stuck > CHECKING).then_some(stuck)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_that_come_to_no_end_are_noticed() {
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let mut checks = Checks::default();
        checks.note(0, 0, at(0));
        for second in 1..=300 {
            // More come, and none is settled.
            checks.note(0, second, at(second));
        }
        assert_eq!(checks.stuck(at(300)), None);
        assert_eq!(checks.stuck(at(301)), Some(Duration::from_secs(301)));
        checks.note(1, 300, at(302));
        assert_eq!(checks.stuck(at(303)), None);
        // A failure finishes nothing, but is an end.
        checks.note(1, 299, at(700));
        assert_eq!(checks.stuck(at(701)), None);
        checks.note(1, 0, at(1_200));
        assert_eq!(checks.stuck(at(1_300)), None);
    }
}
