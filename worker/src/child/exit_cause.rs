//! The cause of the exit of a child process.
//!
//! Lack of memory is distinguished from a crash, because it is worth another attempt with more
//! memory and a crash is not:
//!
//! - The limit of the child itself makes an allocation fail; the standard library then says so in
//!   its last line of standard error and aborts.
//! - The system's own killer of processes sends SIGKILL. Besides it only the worker does, and the
//!   worker knows what it sent. Where the kernel counts such killings, the count must have grown.

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

use misere_census::{Failure, InterruptCause};
use rustix::process::Signal;

use super::Limits;

/// The evidence of the exit of a child that the worker did not kill.
#[derive(Clone, Debug)]
pub(super) struct ExitCause {
    pub(super) status: ExitStatus,
    /// The most informative line on its standard error: why it aborted, or else the last.
    pub(super) stderr_tail: String,
    /// Whether the system killed processes for lack of memory meanwhile; `None` if it does not say.
    pub(super) system_ran_out: Option<bool>,
}

impl ExitCause {
    /// Returns the failure of the task it was computing.
    pub(super) fn failure(&self, limits: Limits) -> Failure {
        let died_of = |signal: Signal| self.status.signal() == Some(signal.as_raw());
        if died_of(Signal::ABORT) && is_allocation_failure(&self.stderr_tail) {
            return Failure::OutOfMemory {
                limit: limits.memory,
            };
        }
        if died_of(Signal::KILL) && self.system_ran_out != Some(false) {
            return Failure::OutOfMemory { limit: None };
        }
        if died_of(Signal::XCPU) {
            return Failure::Guard(InterruptCause::TimeGuard);
        }
        Failure::crashed(&self.status.to_string(), &self.stderr_tail)
    }
}

/// Reports whether a line is the standard library's message before it aborts for lack of memory.
///
/// The message is "memory allocation of 17 bytes failed".
pub(super) fn is_allocation_failure(line: &str) -> bool {
    line.strip_prefix("memory allocation of ")
        .is_some_and(|rest| rest.trim_end().ends_with("bytes failed"))
}

/// Returns the number of processes that the system has killed for lack of memory.
///
/// Returns `None` if the system does not count them (Linux does).
pub(super) fn killed_for_memory() -> Option<u64> {
    let counts = std::fs::read_to_string("/proc/vmstat").ok()?;
    let line = counts
        .lines()
        .find_map(|line| line.strip_prefix("oom_kill "))?;
    line.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(raw_status: i32, stderr_tail: &str, system_ran_out: Option<bool>) -> Failure {
        let exit_cause = ExitCause {
            status: ExitStatus::from_raw(raw_status),
            stderr_tail: stderr_tail.to_owned(),
            system_ran_out,
        };
        let limits = Limits {
            memory: Some(7),
            ..Limits::default()
        };
        exit_cause.failure(limits)
    }

    #[test]
    fn causes_of_death_are_distinguished() {
        let out = Failure::OutOfMemory { limit: Some(7) };
        let system = Failure::OutOfMemory { limit: None };
        let words = "memory allocation of 8589934592 bytes failed";
        assert_eq!(failure(6, words, None), out);
        assert_eq!(failure(9, "", Some(true)), system);
        assert_eq!(failure(9, "", None), system);
        assert!(matches!(
            failure(9, "", Some(false)),
            Failure::Crashed { .. }
        ));
        assert_eq!(
            failure(24, "", None),
            Failure::Guard(InterruptCause::TimeGuard)
        );
        // An abort for another reason, a fault, and an exit.
        for (raw, words) in [(6, "no"), (11, words), (3 << 8, "")] {
            assert!(matches!(failure(raw, words, None), Failure::Crashed { .. }));
        }
    }
}
