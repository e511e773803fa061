//! Statistics of writes: the amount that the store wrote, and the time it took.
//!
//! They are counted since the census was opened, for observers of a running one. They are not part
//! of the census (A-5).

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The upper ends of the classes of write durations, in microseconds.
///
/// Slower writes have a class of their own.
pub const WRITE_CLASSES_US: [u64; 12] = [
    250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000, 5_000_000,
];

/// The names of the kinds of failures of attempts in metrics.
pub const FAILURE_KINDS: [&str; 6] = [
    "computation",
    "guard",
    "refused",
    "silence",
    "out_of_memory",
    "crashed",
];

/// Counters of writes, records and failures since a store was opened.
#[derive(Debug, Default)]
pub struct WriteStatistics {
    writes: AtomicU64,
    bytes: AtomicU64,
    write_us: AtomicU64,
    by_duration: [AtomicU64; WRITE_CLASSES_US.len() + 1],
    commits: AtomicU64,
    records: AtomicU64,
    quarantined: AtomicU64,
    failures: [AtomicU64; FAILURE_KINDS.len()],
}

impl WriteStatistics {
    /// Records one durable write.
    pub(super) fn wrote(&self, bytes: u64, took: Duration) {
        let us = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        add(&self.writes, 1);
        add(&self.bytes, bytes);
        add(&self.write_us, us);
        let class = WRITE_CLASSES_US.partition_point(|&end| end < us);
        if let Some(count) = self.by_duration.get(class) {
            add(count, 1);
        }
    }

    /// Records one commit, with the numbers of its new records and of the tasks it quarantined.
    pub(super) fn committed(&self, records: u64, quarantined: u64) {
        add(&self.commits, 1);
        add(&self.records, records);
        add(&self.quarantined, quarantined);
    }

    /// Records a failed attempt.
    pub(super) fn failed(&self, failure: &misere_census::Failure) {
        use misere_census::Failure;
        let kind = match failure {
            Failure::Computation(_) => 0,
            Failure::Guard(_) => 1,
            Failure::Refused(_) => 2,
            Failure::Silence => 3,
            Failure::OutOfMemory { .. } => 4,
            Failure::Crashed { .. } => 5,
        };
        add(&self.failures[kind], 1);
    }

    /// Returns the number of commits.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// let statistics = store.statistics();
    /// assert_eq!(statistics.commits(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn commits(&self) -> u64 {
        get(&self.commits)
    }

    /// Returns the number of records that entered the census.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// let statistics = store.statistics();
    /// assert_eq!(statistics.records(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn records(&self) -> u64 {
        get(&self.records)
    }

    /// Returns the number of tasks that were put into quarantine.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// let statistics = store.statistics();
    /// assert_eq!(statistics.quarantined(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn quarantined(&self) -> u64 {
        get(&self.quarantined)
    }

    /// Returns the number of bytes of all write batches.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// let statistics = store.statistics();
    /// assert!(statistics.bytes() > 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn bytes(&self) -> u64 {
        get(&self.bytes)
    }

    /// Returns the number of failed attempts of each [kind](FAILURE_KINDS).
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// let statistics = store.statistics();
    /// assert_eq!(statistics.failures()[0], ("computation", 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn failures(&self) -> [(&'static str, u64); FAILURE_KINDS.len()] {
        std::array::from_fn(|at| (FAILURE_KINDS[at], get(&self.failures[at])))
    }

    /// Returns the number of durable writes of at most each [duration](WRITE_CLASSES_US).
    ///
    /// Then follow the number of all writes, and the seconds that all of them took together.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// let statistics = store.statistics();
    /// let (classes, writes, seconds) = statistics.write_times();
    /// assert!(writes > 2 && seconds > 0.0);
    /// assert!(classes.iter().all(|&(_, count)| count <= writes));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn write_times(&self) -> (Vec<(u64, u64)>, u64, f64) {
        let mut sum = 0;
        let classes = WRITE_CLASSES_US.iter().zip(&self.by_duration);
        let classes = classes.map(|(&end, count)| {
            sum += get(count);
            (end, sum)
        });
        let classes = classes.collect();
        let all = self.by_duration.iter().map(get).sum();
        (classes, all, get(&self.write_us) as f64 / 1e6)
    }
}

fn add(to: &AtomicU64, number: u64) {
    to.fetch_add(number, Ordering::Relaxed);
}

fn get(from: &AtomicU64) -> u64 {
    from.load(Ordering::Relaxed)
}

#[cfg(test)]
mod tests {
    use misere_census::{Failure, InterruptCause};

    use super::*;

    #[test]
    fn every_kind_of_failure_is_counted_under_its_own_name() {
        let text = String::new;
        let failures = [
            Failure::Computation(text()),
            Failure::Guard(InterruptCause::MemoryGuard),
            Failure::Refused(text()),
            Failure::Silence,
            Failure::OutOfMemory { limit: None },
            Failure::Crashed {
                end: text(),
                last_words: text(),
            },
        ];
        let statistics = WriteStatistics::default();
        for (times, failure) in (1..).zip(&failures) {
            for _ in 0..times {
                statistics.failed(failure);
            }
        }
        let counted: Vec<u64> = statistics.failures().map(|(_, count)| count).to_vec();
        assert_eq!(counted, [1, 2, 3, 4, 5, 6]);
    }
}
