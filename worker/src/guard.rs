//! How much may a computation cost this machine?
//!
//! Guards protect a machine; they decide nothing. What they stop is reported as interrupted, tried again, and after three
//! times put into quarantine: it never becomes a verdict.

use std::time::Duration;

/// What one computation, and all together, may cost.
#[derive(Clone, Copy, Debug, Default)]
pub struct Guards {
    /// Time for one task.
    pub time: Option<Duration>,
    /// Resident memory of this process, in bytes; beyond it the task with the largest quotient is stopped.
    pub memory: Option<u64>,
}

/// The resident memory of this process in bytes, where the system tells (Linux).
#[must_use]
pub fn resident_bytes() -> Option<u64> {
    const PAGE_BYTES: u64 = 4096;
    let statm = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = statm.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * PAGE_BYTES)
}
