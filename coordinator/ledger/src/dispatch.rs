//! The number of tasks that a worker gets, and the reasons why the census waits.

use misere_census::{MemoryClass, TaskId, WorkerId, WorkerIdentity};

use super::{CountedSlots, Entry, Grant, Ledger, Millis, State};

/// The time in milliseconds after which a worker that got no tasks asks again.
const RETRY_MS: std::ops::RangeInclusive<u64> = 50..=2_000;

/// The time in milliseconds that a task may be queued at a worker without waiting long.
const MAX_QUIET_WAIT_MS: u64 = 100;

/// The number of workers for which a count of slots may be older by one millisecond.
///
/// With fewer workers every count is fresh.
const WORKERS_PER_MS: u64 = 20;

/// The greatest age of a count of slots, in milliseconds.
const MAX_COUNT_AGE_MS: u64 = 500;

/// A reason for which an unfinished census waits, apart from tasks being computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Waiting {
    /// No worker is registered.
    ForWorkers,
    /// Some ready tasks need more memory than any registered worker has.
    ForMemory {
        /// The class they need.
        class: MemoryClass,
        /// The number of such tasks in the window.
        tasks: u64,
        /// One of them.
        example: TaskId,
    },
}

impl Ledger {
    /// Grants tasks to a worker.
    pub(super) fn grant(
        &mut self,
        worker: WorkerId,
        idle: u32,
        room: u32,
        now: Millis,
    ) -> Vec<Grant> {
        let mut grants = Vec::new();
        let Some((identity, class)) = self
            .workers
            .get(&worker)
            .map(|known| (known.identity, known.class))
        else {
            return grants;
        };
        if idle > 0 {
            let standing = self.standings.entry(identity).or_default();
            standing.last_asked = Some(now);
            if let Some(known) = self.workers.get_mut(&worker) {
                known.asked_at = Some(now);
            }
        }
        if self.is_distrusted(identity) || self.is_kept_out(worker, now) {
            return grants;
        }
        self.count_slots();
        let times = (now, now.after(self.config.duration_ms));
        let mut some_await = true;
        for _ in 0..self.share_of(worker, idle, room) {
            let awaiting = some_await
                .then(|| {
                    self.window.next_awaiting_confirmation(|entry| {
                        entry.attempts.class <= class && self.may_do((worker, identity), entry, now)
                    })
                })
                .flatten();
            some_await = awaiting.is_some();
            let Some(task) = awaiting.or_else(|| {
                let may_do = |entry: &Entry| self.may_do((worker, identity), entry, now);
                self.window.next_ready(class, may_do)
            }) else {
                break;
            };
            let Some(entry) = self.window.get(task) else {
                break;
            };
            let (class, resumed) = (entry.attempts.class, entry.is_resumable());
            let Some(epoch) = self.issue_epoch() else {
                break;
            };
            if !self.window.lease(task, worker, epoch, times) {
                break;
            }
            grants.push(Grant {
                task,
                epoch,
                class,
                resumed,
            });
        }
        if let Some(known) = self.workers.get_mut(&worker) {
            known.idle_at = (grants.len() < idle as usize).then_some(now);
        }
        grants
    }

    /// Counts the slots of all workers that may get tasks, unless the last count is recent.
    fn count_slots(&mut self) {
        let (now, workers) = (self.now, self.workers.len());
        let is_recent = |counted: CountedSlots| {
            let age = (workers as u64 / WORKERS_PER_MS).min(MAX_COUNT_AGE_MS);
            counted.workers == workers && now.since(counted.at) < age
        };
        if self.counted_slots.is_some_and(is_recent) {
            return;
        }
        let counting = self.workers.iter().filter(|&(&id, worker)| {
            !self.is_distrusted(worker.identity) && !self.is_kept_out(id, now)
        });
        let slots = counting
            .map(|(_, worker)| u64::from(worker.slots.max(1)))
            .sum();
        self.counted_slots = Some(CountedSlots {
            at: now,
            workers,
            slots,
        });
    }

    /// Returns the number of tasks that a worker gets.
    ///
    /// It gets its share of the ready tasks for its idle slots. More tasks are queued behind them
    /// only while there is plenty for all workers, or, within its share, as many as it does in
    /// `MAX_QUIET_WAIT_MS`. It never gets more than keeps it busy for a while, nor more than its
    /// quota. Near the end of a census no task should wait at one worker that another could start.
    fn share_of(&self, id: WorkerId, idle: u32, room: u32) -> u32 {
        let Some(worker) = self.workers.get(&id) else {
            return 0;
        };
        let ready = self.window.counts().ready;
        let slots = |slots: u32| u64::from(slots.max(1));
        let all_slots = self.counted_slots.map_or(1, |counted| counted.slots);
        let fair = (ready * slots(worker.slots)).div_ceil(all_slots.max(1));
        let plenty = ready / (4 * self.workers.len().max(1) as u64);
        let start = u64::from(idle).min(fair);
        let moment = match worker.pace.mean_ms() {
            None => 0,
            Some(_) => worker.pace.fill(MAX_QUIET_WAIT_MS, worker.slots),
        };
        let moment = u64::from(moment.saturating_sub(worker.slots)).min(fair - start);
        let wait = u64::from(room).min(plenty.max(moment));
        let held = self.window.held_count(id);
        let busy = worker.pace.fill(self.config.work_ahead_ms, worker.slots);
        let may_hold = busy.max(idle).min(self.may_hold(worker.identity));
        let most = may_hold.saturating_sub(held).min(self.config.max_batch);
        u32::try_from(start + wait).unwrap_or(u32::MAX).min(most)
    }

    /// Returns the most tasks that each worker of an identity may hold.
    fn may_hold(&self, identity: WorkerIdentity) -> u32 {
        let standing = self.standings.get(&identity);
        standing.map_or(self.config.max_batch, |standing| {
            match standing.trouble(&self.config.trust) {
                Some(_) => 1,
                None => standing.quota.tasks(self.config.max_batch),
            }
        })
    }

    /// Returns the time in milliseconds after which a worker that got no tasks should ask again.
    ///
    /// This is about half a task, since by then a task may have come back.
    #[must_use]
    pub fn retry_ms(&self, id: WorkerId) -> u64 {
        let Some(worker) = self.workers.get(&id) else {
            return *RETRY_MS.start();
        };
        if self.is_distrusted(worker.identity) || self.is_kept_out(id, self.now) {
            return self.config.duration_ms;
        }
        let mean = worker.pace.mean_ms().unwrap_or(400);
        let most = (*RETRY_MS.end()).min(self.config.duration_ms / 3);
        (mean / 2).clamp((*RETRY_MS.start()).min(most), most)
    }

    /// Returns the reasons why the census waits.
    #[must_use]
    pub fn waiting(&self) -> Vec<Waiting> {
        let believed = self
            .workers
            .values()
            .filter(|worker| !self.is_distrusted(worker.identity));
        let Some(offered) = believed.map(|worker| worker.class).max() else {
            return vec![Waiting::ForWorkers];
        };
        let beyond = MemoryClass::ALL
            .into_iter()
            .filter(|&class| class > offered);
        beyond
            .filter_map(|class| {
                let fits =
                    |entry: &Entry| entry.state == State::Ready && entry.attempts.class == class;
                let queue = &self.window.places.queues[usize::from(class.number())];
                let awaiting = self.window.places.awaiting_confirmation.iter();
                let mut tasks = queue
                    .iter()
                    .chain(awaiting)
                    .copied()
                    .filter(|&task| self.window.get(task).is_some_and(fits));
                let example = tasks.next()?;
                Some(Waiting::ForMemory {
                    class,
                    tasks: 1 + tasks.count() as u64,
                    example,
                })
            })
            .collect()
    }
}
