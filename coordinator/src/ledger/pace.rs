//! How fast is a worker, and how much may it hold?
//!
//! The time of a task is learned from how quickly its slots give results; a worker then holds about as much work as fills
//! all its slots for `work_ahead_ms`. What it may hold at all is halved with every failure and every lease that runs
//! out, and grows back with what it finishes.

use super::Moment;

/// One part in so many of the mean is renewed by each task.
const DECAY: u64 = 32;

/// What is known of a worker's speed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    /// Decayed mean of the slot time of a task, in nanoseconds; `None` before the first.
    mean_ns: Option<u64>,
    last_ended: Moment,
    quota: u32,
}

impl Pace {
    pub(super) fn new(max_batch: u32) -> Self {
        Self {
            mean_ns: None,
            last_ended: Moment::default(),
            quota: max_batch.max(1),
        }
    }

    /// A lease that began at `leased` has ended with a result, on a worker with so many slots.
    pub(super) fn ended(&mut self, leased: Moment, slots: u32, now: Moment) {
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

    pub(super) fn succeeded(&mut self, max_batch: u32) {
        let more = (self.quota / 4).max(1);
        self.quota = self.quota.saturating_add(more).min(max_batch.max(1));
    }

    pub(super) fn failed(&mut self) {
        self.quota = (self.quota / 2).max(1);
    }

    /// The most tasks it may hold.
    pub(super) fn quota(&self) -> u32 {
        self.quota
    }

    /// The mean time of a task, in milliseconds.
    pub(super) fn mean_ms(&self) -> Option<u64> {
        self.mean_ns.map(|mean| mean / 1_000_000)
    }

    /// So many tasks fill the slots for so long: at least one each.
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
        let mut pace = Pace::new(4_096);
        assert_eq!(pace.fill(2_000, 4), 8);
        pace.ended(Moment(0), 4, Moment(86_400_000));
        assert_eq!(pace.fill(2_000, 4), 4);
        let mut pace = Pace::new(4_096);
        // Twenty tasks a millisecond on two slots: 100 µs each.
        for n in 0..10_000 {
            pace.ended(Moment(0), 2, Moment(n / 20));
        }
        let fill = pace.fill(2_000, 2);
        assert!((20_000..100_000).contains(&fill), "{fill}");
    }

    #[test]
    fn the_quota_shrinks_and_grows_back() {
        let mut pace = Pace::new(100);
        (0..10).for_each(|_| pace.failed());
        assert_eq!(pace.quota(), 1);
        (0..4).for_each(|_| pace.succeeded(100));
        assert_eq!(pace.quota(), 5);
        (0..50).for_each(|_| pace.succeeded(100));
        assert_eq!(pace.quota(), 100);
    }
}
