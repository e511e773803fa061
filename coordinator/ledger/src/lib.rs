//! The ledger of a census: which worker holds which task, and what happens next.
//!
//! The ledger is a pure state machine: each call is given the time and returns its own answer type.
//! The effects on others are taken with [`Ledger::take_effects`]. It does no I/O: no clock,
//! randomness, disk or network. The driver of the coordinator applies the effects.
//!
//! ```text
//!              Lease                    Claim                   Settle
//!   Ready ───────────────▶ Leased ───────────────▶ Checking ───────────────▶ Done | Exhausted
//!     ▲                      │                        │
//!     │  silence, shutdown   │  failure, guard        │  refused, or sampled for confirmation
//!     └──────────────────────┴────────────────────────┴──▶ (third failure) Quarantined
//! ```
//!
//! - A lease carries an [`Epoch`] that only the ledger issues. A message with any other epoch
//!   changes nothing (A-3).
//! - A lease ends by silence: a worker that does not renew in time loses it. That counts as a
//!   failure only of tasks that were running; those queued behind them are innocent.
//! - `Checking` has no deadline: the coordinator itself is checking the certificate.
//! - Done, Exhausted and Quarantined are final. Such tasks leave the ledger, which holds only a
//!   window of the unfinished tasks (A-8); finished ones are in the store.
//!
//! | file | contents |
//! |---|---|
//! | `window.rs` | the unfinished tasks in memory, and the state of each |
//! | `lease.rs` | the leases that workers get and renew |
//! | `dispatch.rs`, `pace.rs` | the number of tasks that a worker gets |
//! | `failures.rs` | the end of leases by silence, and the assignment of failures to tasks and workers |
//! | `settling.rs`, `trust.rs` | the consequences of a certificate; which workers are trusted |
//! | `checks/` | which certificates are checked by others, and the trust in checkers |
//! | `checkpoints.rs` | the checkpoints of tasks, and which worker may resume from them |
//! | `invariants.rs` | the invariants of the ledger |
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod checkpoints;
mod checks;
mod command;
mod conduct;
mod dispatch;
mod failures;
mod invariants;
mod lease;
mod pace;
mod settling;
mod trust;
mod window;

use std::collections::{BTreeMap, BTreeSet};

use misere_census::{
    Epoch, Failure, InterruptCause, MemoryClass, Misconduct, TaskId, WorkerId, WorkerIdentity,
};

pub use checks::{
    CheckConfig, CheckCounts, CheckId, CheckLedger, CheckVerdict, CheckerId, NextStep,
    UnansweredError,
};
pub use command::{
    CheckpointInfo, Effect, Grant, HeldLease, LeaseConfig, LeaseError, Leases, MAX_SLOTS, Millis,
    Renewal, Report, SettleResult, StaleLeaseError, Trouble, UnknownWorkerError, WindowTask,
    WorkerNumbersError,
};
pub use conduct::{Conduct, Reservation};
pub use dispatch::Waiting;
pub use invariants::InvariantError;
pub use trust::TrustConfig;
pub use window::{Counts, Entry, State};

use pace::Pace;
use trust::WorkerTrust;
use window::Window;

/// The tasks in the window, their leases, and the known workers.
#[derive(Debug)]
pub struct Ledger {
    config: LeaseConfig,
    generation: u32,
    /// The generation in which the ledger began.
    first_generation: u32,
    key: [u8; 32],
    next_epoch: u32,
    next_worker: u32,
    /// The latest time given in any call. Time never goes back, in whatever order commands arrive.
    now: Millis,
    workers: BTreeMap<WorkerId, Worker>,
    standings: BTreeMap<WorkerIdentity, WorkerTrust>,
    window: Window,
    /// Tasks that the coordinator itself computes to test what workers claimed about them.
    spot_checks: BTreeSet<TaskId>,
    /// The effects that were not taken yet.
    effects: Vec<Effect>,
    /// The slots of all workers that may get tasks, when they were counted last.
    counted_slots: Option<CountedSlots>,
}

/// The slots of all workers that may get tasks, at some time.
///
/// Each grant needs them. Counting takes a step for each worker, so with thousands of workers the
/// number may be a little old.
#[derive(Clone, Copy, Debug)]
struct CountedSlots {
    at: Millis,
    workers: usize,
    slots: u64,
}

/// The number of numbers left at which a new generation is to begin.
///
/// One group of commands uses up fewer than these.
const NUMBERS_LEFT: u32 = 1 << 24;

#[derive(Debug)]
struct Worker {
    identity: WorkerIdentity,
    slots: u32,
    class: MemoryClass,
    last_heard: Millis,
    /// The time of its last failure, or of its registration if it has not failed.
    faultless_since: Millis,
    /// Whether a certificate of the worker was accepted.
    has_finished: bool,
    /// The time of its last request, if it got fewer tasks than it could have started at once.
    idle_at: Option<Millis>,
    /// The time at which it last asked for a task to start at once.
    asked_at: Option<Millis>,
    pace: Pace,
}

impl Ledger {
    /// Creates an empty ledger of the coordinator's given generation.
    ///
    /// The generation is greater than at every earlier opening.
    #[must_use]
    pub fn new(config: LeaseConfig, generation: u32) -> Self {
        Self {
            config,
            generation,
            first_generation: generation,
            key: [0; 32],
            next_epoch: 0,
            next_worker: 0,
            now: Millis::default(),
            workers: BTreeMap::new(),
            standings: BTreeMap::new(),
            window: Window::default(),
            spot_checks: BTreeSet::new(),
            effects: Vec::new(),
            counted_slots: None,
        }
    }

    /// Reports whether a new generation is to begin soon because few numbers are left in this one.
    #[must_use]
    pub fn is_nearly_spent(&self) -> bool {
        self.next_epoch.max(self.next_worker) > u32::MAX - NUMBERS_LEFT
    }

    /// Returns this ledger with a secret key, which decides which tasks are sampled.
    #[must_use]
    pub fn with_key(self, key: [u8; 32]) -> Self {
        Self { key, ..self }
    }

    /// Returns the number of tasks in the window per state.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.window.counts()
    }

    /// Returns a task of the window.
    #[must_use]
    pub fn entry(&self, task: TaskId) -> Option<&Entry> {
        self.window.get(task)
    }

    /// Returns all tasks of the window.
    pub fn entries(&self) -> impl Iterator<Item = (TaskId, &Entry)> {
        self.window.iter()
    }

    /// Returns the tasks that a worker holds.
    pub fn held_by(&self, worker: WorkerId) -> impl Iterator<Item = (TaskId, &Entry)> {
        let held = self.window.held_by(worker);
        held.filter_map(|task| Some((task, self.window.get(task)?)))
    }

    /// Returns the known workers.
    pub fn workers(&self) -> impl Iterator<Item = WorkerId> {
        self.workers.keys().copied()
    }

    /// Takes the effects of all calls since the last call of this function, in their order.
    pub fn take_effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }

    /// Returns the time of a call, never earlier than the time of a previous call.
    fn at(&mut self, now: Millis) -> Millis {
        self.now = self.now.max(now);
        self.now
    }

    /// Admits unfinished tasks to the window.
    ///
    /// Tasks already there are left as they are.
    ///
    /// Cost: logarithmic in the window for each task.
    pub fn admit(&mut self, tasks: Vec<WindowTask>, now: Millis) {
        self.at(now);
        for task in tasks {
            let dropped = self.admit_one(task);
            self.effects.extend(dropped);
        }
    }

    /// Removes tasks from the window that no longer exist, whether or not a worker holds them.
    ///
    /// Cost: logarithmic in the window for each task.
    pub fn withdraw(&mut self, tasks: &[TaskId]) {
        for task in tasks {
            self.spot_checks.remove(task);
            self.window.remove(*task);
        }
    }

    /// Asks the worker that computes this task to stop.
    ///
    /// # Errors
    /// [`StaleLeaseError`] if no worker computes it.
    pub fn stop(&mut self, task: TaskId) -> Result<(), StaleLeaseError> {
        match self.window.ask_to_stop(task) {
            true => Ok(()),
            false => Err(StaleLeaseError),
        }
    }

    /// Distrusts this worker from now on.
    ///
    /// Cost: linear in the window.
    pub fn distrust(&mut self, identity: WorkerIdentity, why: Misconduct, now: Millis) {
        self.at(now);
        let effects = self.revoke_trust(identity, why);
        self.effects.extend(effects);
    }

    /// Issues numbers under this generation from now on, if it is greater than any before.
    pub fn begin(&mut self, generation: u32) {
        if generation > self.generation {
            self.generation = generation;
            (self.next_epoch, self.next_worker) = (0, 0);
        }
    }

    /// Records that a worker submits a certificate, which is then to be verified and settled.
    ///
    /// # Errors
    /// [`LeaseError`] if the worker does not hold the task under this epoch.
    pub fn claim(
        &mut self,
        worker: WorkerId,
        task: TaskId,
        epoch: Epoch,
        now: Millis,
    ) -> Result<(), LeaseError> {
        let now = self.note_sign_of_life(worker, now)?;
        self.takes_part(worker, now);
        Ok(self.check(worker, task, epoch, now)?)
    }

    /// Applies the verdict about a certificate.
    ///
    /// A worker claimed it, or the coordinator made it itself.
    ///
    /// # Errors
    /// [`StaleLeaseError`] if no certificate is being verified under this epoch.
    pub fn settle(
        &mut self,
        task: TaskId,
        epoch: Epoch,
        report: Report,
        now: Millis,
    ) -> Result<SettleResult, StaleLeaseError> {
        let now = self.at(now);
        let (settled, effects) = self.follow_verdict(task, epoch, report, now)?;
        self.effects.extend(effects);
        Ok(settled)
    }

    /// Records that a worker has no certificate.
    ///
    /// # Errors
    /// [`LeaseError`] if the worker does not hold the task under this epoch, or reports a
    /// certificate.
    pub fn give_up(
        &mut self,
        worker: WorkerId,
        task: TaskId,
        epoch: Epoch,
        report: Report,
        now: Millis,
    ) -> Result<(), LeaseError> {
        let now = self.note_sign_of_life(worker, now)?;
        let effects = self.follow_loss(worker, task, epoch, report, now)?;
        self.effects.extend(effects);
        Ok(())
    }

    /// Takes a checkpoint from the holder of a task.
    ///
    /// Returns the workers that contributed to it if it is to be stored, and `None` if a later one
    /// of the same computation is already there.
    ///
    /// # Errors
    /// [`LeaseError`] if the worker does not hold the task under this epoch.
    pub fn keep(
        &mut self,
        worker: WorkerId,
        task: TaskId,
        epoch: Epoch,
        fuel: u64,
        now: Millis,
    ) -> Result<Option<Vec<WorkerIdentity>>, LeaseError> {
        self.note_sign_of_life(worker, now)?;
        Ok(self.keep_checkpoint(worker, task, epoch, fuel)?)
    }

    /// Registers a worker and returns its number.
    ///
    /// # Errors
    /// [`WorkerNumbersError`] if no number is left in this generation.
    pub fn register(
        &mut self,
        identity: WorkerIdentity,
        slots: u32,
        class: MemoryClass,
        now: Millis,
    ) -> Result<WorkerId, WorkerNumbersError> {
        let now = self.at(now);
        self.next_worker = self.next_worker.checked_add(1).ok_or(WorkerNumbersError)?;
        let id = WorkerId::issued(self.generation, self.next_worker);
        let worker = Worker {
            identity,
            slots: slots.clamp(1, MAX_SLOTS),
            class,
            last_heard: now,
            faultless_since: now,
            has_finished: false,
            idle_at: None,
            asked_at: None,
            pace: Pace::new(),
        };
        self.workers.insert(id, worker);
        let standing = self.standings.entry(identity).or_default();
        (standing.last_heard, standing.last_active) = (Some(now), Some(now));
        standing.class = standing.class.max(class);
        Ok(id)
    }

    /// Records a sign of life of a worker and returns its time.
    fn note_sign_of_life(
        &mut self,
        worker: WorkerId,
        now: Millis,
    ) -> Result<Millis, UnknownWorkerError> {
        let now = self.at(now);
        let known = self.workers.get_mut(&worker).ok_or(UnknownWorkerError)?;
        known.last_heard = now;
        self.standings.entry(known.identity).or_default().last_heard = Some(now);
        Ok(now)
    }

    /// Marks the worker as active, not merely connected.
    fn takes_part(&mut self, worker: WorkerId, now: Millis) {
        if let Some(known) = self.workers.get(&worker) {
            self.standings
                .entry(known.identity)
                .or_default()
                .last_active = Some(now);
        }
    }

    /// Reports whether a worker holds a task under this epoch.
    #[must_use]
    pub fn is_held(&self, worker: WorkerId, task: TaskId, epoch: Epoch) -> bool {
        matches!(
            self.window.get(task),
            Some(Entry { state: State::Leased { worker: holder, epoch: live, .. }, .. })
                if *holder == worker && *live == epoch
        )
    }

    /// Returns the next epoch; `None` if none is left in this generation.
    fn issue_epoch(&mut self) -> Option<Epoch> {
        let epoch = Epoch::issued(self.generation, self.next_epoch);
        self.next_epoch = self.next_epoch.checked_add(1)?;
        Some(epoch)
    }

    fn follow_loss(
        &mut self,
        worker: WorkerId,
        task: TaskId,
        epoch: Epoch,
        report: Report,
        now: Millis,
    ) -> Result<Vec<Effect>, StaleLeaseError> {
        if !self.is_held(worker, task, epoch) {
            return Err(StaleLeaseError);
        }
        let by = self.workers.get(&worker);
        let by = by.map(|known| (worker, known.identity));
        Ok(match report {
            Report::Interrupted(InterruptCause::Shutdown) => {
                self.window.make_ready(task, |_| ());
                Vec::new()
            }
            Report::Interrupted(cause) => self.fail(task, Failure::Guard(cause), by, now),
            Report::Failed(failure) => self.fail(task, failure, by, now),
            // Only the coordinator's check finishes a task (A-2).
            Report::Finished(..) | Report::Unproved(..) | Report::Contradicted => {
                return Err(StaleLeaseError);
            }
        })
    }

    /// Takes back the leases of a worker that leaves, and forgets the worker.
    ///
    /// # Errors
    /// [`UnknownWorkerError`] if it is not known.
    pub fn leave(&mut self, worker: WorkerId, now: Millis) -> Result<(), UnknownWorkerError> {
        self.at(now);
        let Worker { identity, .. } = self.workers.remove(&worker).ok_or(UnknownWorkerError)?;
        let held: Vec<TaskId> = self.window.held_by(worker).collect();
        for task in held {
            self.window.make_ready(task, |_| ());
        }
        let mut left = self.workers.values();
        if !left.any(|other| other.identity == identity)
            && let Some(standing) = self.standings.get_mut(&identity)
        {
            standing.last_heard = None;
        }
        self.effects.push(Effect::Left(worker));
        self.release_kept_out(identity, now);
        Ok(())
    }

    /// Does the work that is due by now, over all workers and tasks.
    ///
    /// Expires leases past their deadline, takes back tasks that wait too long, forgets workers
    /// that have long been silent, and arbitrates tasks on which workers disagree.
    ///
    /// Cost: linear in the window.
    pub fn tick(&mut self, now: Millis) {
        let now = self.at(now);
        let mut effects = self.expire(now);
        effects.extend(self.reclaim_waiting(now));
        let patience = self.config.duration_ms.saturating_mul(2);
        let silent: Vec<WorkerId> = self
            .workers
            .iter()
            .filter(|(_, worker)| worker.last_heard.after(patience) < now)
            .map(|(&id, _)| id)
            .collect();
        for worker in silent {
            let gone = self.workers.remove(&worker);
            effects.push(Effect::Left(worker));
            if let Some(gone) = gone {
                self.release_kept_out(gone.identity, now);
            }
        }
        effects.extend(self.arbitrate_stuck(now));
        self.effects.extend(effects);
    }
}

#[cfg(test)]
mod simulation;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod transcript;
