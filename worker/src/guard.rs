//! The guards of a worker: limits on the time and memory of its computations.
//!
//! Guards protect a machine; they decide nothing. A computation that they stop is reported as
//! interrupted, tried again, and after three times put into quarantine: it never becomes a verdict
//!

use std::path::Path;
use std::time::Duration;

use misere_census::resident_memory;

/// The limits of one computation, and of all together.
#[derive(Clone, Copy, Debug, Default)]
pub struct Guards {
    /// The time limit of one task.
    pub time: Option<Duration>,
    /// The limit of resident memory of this process and its children, in bytes.
    ///
    /// Beyond it the task with the largest quotient is stopped.
    pub memory: Option<u64>,
}

/// Returns the resident memory of this process and these children in bytes.
///
/// Returns `None` if the system does not provide it (Linux does).
#[must_use]
pub fn resident_bytes(children: &[u32]) -> Option<u64> {
    let own = resident_memory::resident_bytes("self")?;
    // A child that has just gone uses nothing.
    let theirs = children.iter();
    let theirs = theirs.filter_map(|pid| resident_memory::resident_bytes(&pid.to_string()));
    Some(own + theirs.sum::<u64>())
}

/// Returns the greatest memory that this process could have, in bytes.
///
/// It is the machine's, or the rest left by its control groups (Linux).
#[must_use]
pub fn machine_bytes() -> Option<u64> {
    let machine = kib_of(&std::fs::read_to_string("/proc/meminfo").ok()?, "MemTotal:")? * 1024;
    // Every control group above this process may limit it. Inside a container the path starts at
    // its own group.
    let groups = std::fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let group = groups.lines().find_map(|line| line.strip_prefix("0::/"));
    let above = Path::new(group.unwrap_or_default()).ancestors();
    let limits = above.filter_map(|group| {
        let file = Path::new("/sys/fs/cgroup").join(group).join("memory.max");
        // "max" means no limit.
        std::fs::read_to_string(file).ok()?.trim().parse().ok()
    });
    Some(limits.fold(machine, u64::min))
}

fn kib_of(meminfo: &str, name: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn children_count_and_the_machine_holds_them_all() {
        let own = resident_bytes(&[]).unwrap();
        let twice = resident_bytes(&[std::process::id(), u32::MAX]).unwrap();
        assert!(own > 0 && twice > own && twice < machine_bytes().unwrap());
        assert_eq!(
            kib_of("MemFree: 3 kB\nMemTotal:  24 kB\n", "MemTotal:"),
            Some(24)
        );
    }
}
