//! What does an operator see of a running census?

use misere_census::{Epoch, TaskId, WorkerId};
use misere_theory::control::Progress;
use misere_theory::ruleset::Code;

use crate::ledger::Waiting;
use crate::store::Counters;

/// The state of a running census at one moment.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// What is durable.
    pub counters: Counters,
    /// Tasks to be handed out, in the window or not.
    pub ready: u64,
    /// Tasks held by workers.
    pub leased: u64,
    /// Tasks whose certificate is being checked.
    pub checking: u64,
    /// What the census waits for, apart from tasks being done.
    pub waiting: Vec<Waiting>,
    /// The workers known.
    pub workers: Vec<WorkerSnapshot>,
}

/// A worker and what it is at.
#[derive(Clone, Debug)]
pub struct WorkerSnapshot {
    /// Its number.
    pub worker: WorkerId,
    /// Its name.
    pub name: String,
    /// How many tasks it computes at once.
    pub slots: u32,
    /// What it is at.
    pub running: Vec<RunningTask>,
}

/// A task being computed.
#[derive(Clone, Debug)]
pub struct RunningTask {
    /// The task.
    pub task: TaskId,
    /// Its lease.
    pub epoch: Epoch,
    /// Its code.
    pub code: Code,
    /// How far it has come.
    pub progress: Progress,
    /// For how long, in milliseconds.
    pub running_ms: u64,
}

impl Snapshot {
    /// Whether every task is finished.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.counters.tasks > 0 && self.counters.pending() == 0
    }

    /// Tasks finished.
    #[must_use]
    pub fn finished(&self) -> u64 {
        self.counters.tasks - self.counters.pending()
    }
}
