//! The pace of a worker, and the number of tasks that it may hold.
//!
//! The time of a task is learned from how quickly the worker's slots give results. A worker then
//! holds about as much work as fills all its slots for `work_ahead_ms`. Its quota is halved with
//! every failure and every time that leases run out, and grows back with the tasks it finishes.
//! Registering under a new number does not reset it.

use super::Millis;

/// The decay of the mean: each task renews `1 / DECAY` of it.
const DECAY: u64 = 32;

/// The measured pace of a worker.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    /// Decayed mean of the slot time of a task, in nanoseconds; `None` before the first.
    mean_ns: Option<u64>,
    last_ended: Millis,
}

/// The most tasks that each worker of an identity may hold.
///
/// It outlives registrations.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quota(u32);

impl Default for Quota {
    fn default() -> Self {
        Self(u32::MAX)
    }
}

impl Quota {
    pub(super) fn succeeded(&mut self, max_batch: u32) {
        let now = self.tasks(max_batch);
        self.0 = now.saturating_add((now / 4).max(1));
    }

    pub(super) fn failed(&mut self, max_batch: u32) {
        self.0 = (self.tasks(max_batch) / 2).max(1);
    }

    /// Returns the quota in tasks, at most a whole batch.
    pub(super) fn tasks(self, max_batch: u32) -> u32 {
        self.0.clamp(1, max_batch.max(1))
    }
}

impl Pace {
    pub(super) fn new() -> Self {
        Self {
            mean_ns: None,
            last_ended: Millis::default(),
        }
    }

    /// Records the end of a lease that began at `leased`, with a result, on a worker with `slots`.
    pub(super) fn ended(&mut self, leased: Millis, slots: u32, now: Millis) {
        let alone = now.since(leased.max(self.last_ended));
        let took_ns = alone
            .saturating_mul(1_000_000)
            .saturating_mul(u64::from(slots.max(1)));
        self.mean_ns = Some(match self.mean_ns {
            None => took_ns,
            Some(mean) => mean - mean / DECAY + took_ns / DECAY,
        });
        self.last_ended = now.max(self.last_ended);
    }

    /// Returns the mean time of a task, in milliseconds.
    pub(super) fn mean_ms(&self) -> Option<u64> {
        self.mean_ns.map(|mean| mean / 1_000_000)
    }

    /// Returns the number of tasks that fill the slots for `work_ahead_ms`: at least one each.
    pub(super) fn fill(&self, work_ahead_ms: u64, slots: u32) -> u32 {
        let slots = slots.max(1);
        let each = match self.mean_ns {
            None => 2,
            Some(mean) => work_ahead_ms
                .saturating_mul(1_000_000)
                .div_ceil(mean.max(1)),
        };
        slots.saturating_mul(u32::try_from(each.max(1)).unwrap_or(u32::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_tasks_come_one_by_one_and_tiny_ones_by_thousands() {
        let mut pace = Pace::new();
        assert_eq!(pace.fill(2_000, 4), 8);
        pace.ended(Millis(0), 4, Millis(86_400_000));
        assert_eq!(pace.fill(2_000, 4), 4);
        let mut pace = Pace::new();
        // Twenty tasks a millisecond on two slots: 100 µs each.
        for n in 0..10_000 {
            pace.ended(Millis(0), 2, Millis(n / 20));
        }
        let fill = pace.fill(2_000, 2);
        assert!((20_000..100_000).contains(&fill), "{fill}");
    }

    #[test]
    fn the_quota_shrinks_and_grows_back() {
        let mut quota = Quota::default();
        assert_eq!(quota.tasks(100), 100);
        (0..10).for_each(|_| quota.failed(100));
        assert_eq!(quota.tasks(100), 1);
        (0..4).for_each(|_| quota.succeeded(100));
        assert_eq!(quota.tasks(100), 5);
        (0..50).for_each(|_| quota.succeeded(100));
        assert_eq!(quota.tasks(100), 100);
    }
}
