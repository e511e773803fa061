//! The snapshot of a running census for operators.

use misere_census::{Epoch, MemoryClass, TaskId, WorkerId};
use misere_game::control::Progress;

use misere_ledger::{Conduct, Entry, MAX_SLOTS, Millis, State};
use misere_store::{Counters, Level, Marked};

use super::Driver;

/// The age of a snapshot in milliseconds at which the next one is made.
const PUBLISH_INTERVAL_MS: u64 = 50;

/// The number of workers for which that time is longer by one millisecond.
const WORKERS_PER_MS: u64 = 20;

/// The state of a running census at one moment.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// The counts of tasks that are durable.
    pub counters: Counters,
    /// The number of tasks to be granted, in the window or not.
    pub ready: u64,
    /// The number of tasks held by workers.
    pub leased: u64,
    /// The number of tasks whose certificate is being checked.
    pub checking: u64,
    /// The reasons for which the census waits, apart from tasks being computed.
    pub waiting: Vec<Waiting>,
    /// The levels of the misère quotients, by their order.
    pub levels: Vec<Level>,
    /// The level of the quotients that is at work or cannot be closed, and the greatest order.
    pub level: Option<(Level, u8)>,
    /// The workers known.
    pub workers: Vec<WorkerSnapshot>,
    /// The workers that are not trusted or are banned, present or not.
    pub marked: Vec<Marked>,
    /// The number of workers that an operator has evicted.
    pub evicted: u64,
    /// Whether certificates that a distrusted checker accepted are being checked again.
    pub rechecking: bool,
}

/// A reason for which an unfinished census waits, apart from tasks being computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Waiting {
    /// No worker is present.
    ForWorkers,
    /// Tasks are ready that no present worker can take.
    ForMemory {
        /// The memory class of these tasks.
        class: MemoryClass,
        /// The number of such tasks among the next ones.
        tasks: u64,
        /// The game of one of them.
        example: String,
    },
}

/// A worker and its current work.
#[derive(Clone, Debug)]
pub struct WorkerSnapshot {
    /// Its number.
    pub worker: WorkerId,
    /// Its name.
    pub name: String,
    /// The number of tasks that the worker computes at once.
    pub slots: u32,
    /// The greatest memory class of tasks it takes.
    pub class: MemoryClass,
    /// The fingerprint of its certificate, if it showed one.
    pub fingerprint: Option<String>,
    /// The conduct of the worker.
    pub conduct: Option<Conduct>,
    /// The reason why it gets no tasks, if that is on purpose.
    pub reserved: Option<String>,
    /// The tasks that it computes.
    pub running: Vec<RunningTask>,
}

/// A task being computed.
#[derive(Clone, Debug)]
pub struct RunningTask {
    /// The task.
    pub task: TaskId,
    /// Its lease.
    pub epoch: Epoch,
    /// The name of the task for people: the code of a game.
    pub name: String,
    /// The progress of the computation.
    pub progress: Progress,
    /// The time in milliseconds for which it has run.
    pub running_ms: u64,
    /// The heap and the fuel up to which a checkpoint of it is kept.
    pub kept: Option<(u32, u64)>,
}

impl Snapshot {
    /// Reports whether every task is finished, and no certificate is to be checked again.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.counters.tasks > 0 && self.counters.pending() == 0 && !self.rechecking
    }

    /// Returns the number of finished tasks.
    #[must_use]
    pub fn finished(&self) -> u64 {
        self.counters.tasks - self.counters.pending()
    }
}

impl Driver {
    /// Publishes a snapshot, unless one is recent and nothing urgent has happened.
    pub(super) fn publish(&mut self, now: Millis, urgent: bool) {
        let counters = self.store.counters();
        // A snapshot takes some microseconds for each worker.
        let interval = PUBLISH_INTERVAL_MS + self.workers.there.len() as u64 / WORKERS_PER_MS;
        let lately = |at: Millis| now.since(at) < interval;
        if !urgent && counters.pending() > 0 && self.published.is_some_and(lately) {
            return;
        }
        self.published = Some(now);
        let counts = self.ledger.counts();
        let workers = self.workers.there.iter().map(|(&worker, introduction)| {
            let running = self.ledger.held_by(worker);
            WorkerSnapshot {
                worker,
                name: introduction.name.clone(),
                slots: introduction.slots.clamp(1, MAX_SLOTS),
                class: introduction.class,
                fingerprint: introduction.fingerprint.clone(),
                conduct: self.ledger.conduct(worker),
                reserved: self.reserved(worker),
                running: running
                    .filter_map(|(task, entry)| self.running(task, entry, now))
                    .collect(),
            }
        });
        self.snapshots.send_replace(Snapshot {
            counters,
            ready: counters
                .pending()
                .saturating_sub(counts.leased + counts.checking),
            leased: counts.leased,
            checking: counts.checking,
            waiting: if counters.pending() == 0 {
                Vec::new()
            } else {
                let waiting = self.ledger.waiting().into_iter();
                waiting.map(|waiting| self.named(waiting)).collect()
            },
            levels: self.store.levels().copied().collect(),
            level: self
                .store
                .open_level()
                .copied()
                .zip(self.store.plan().space().max_quotient_order()),
            workers: workers.collect(),
            marked: self.workers.marked.values().cloned().collect(),
            evicted: self.workers.evicted,
            rechecking: !self.rechecking.is_empty(),
        });
    }

    fn named(&self, waiting: misere_ledger::Waiting) -> Waiting {
        match waiting {
            misere_ledger::Waiting::ForWorkers => Waiting::ForWorkers,
            misere_ledger::Waiting::ForMemory {
                class,
                tasks,
                example,
            } => Waiting::ForMemory {
                class,
                tasks,
                example: self
                    .tasks
                    .get(&example)
                    .map_or_else(|| example.to_string(), |task| task.to_string()),
            },
        }
    }

    fn running(&self, task: TaskId, entry: &Entry, now: Millis) -> Option<RunningTask> {
        let State::Leased {
            epoch,
            running_since: Some(since),
            ..
        } = entry.state
        else {
            return None;
        };
        Some(RunningTask {
            task,
            epoch,
            name: self.tasks.get(&task)?.to_string(),
            progress: self.progress.get(&task).copied().unwrap_or_default(),
            running_ms: now.since(since),
            kept: self
                .checkpoints
                .get(&task)
                .map(|head| (head.heap, head.fuel)),
        })
    }
}
