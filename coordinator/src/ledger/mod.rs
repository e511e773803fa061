//! Who holds which task, and what happens next?
//!
//! A pure state machine: [`Ledger::apply`] takes a command and the time and says what follows. It reads no clock, touches
//! no disk and knows no sockets; the [driver](crate::driver) makes its effects real.
//!
//! ```text
//!              Lease                    Claim                   Settle
//!   Ready ───────────────▶ Leased ───────────────▶ Checking ───────────────▶ Done | Exhausted
//!     ▲                      │                        │
//!     │  silence, shutdown   │  failure, guard        │  certificate refused
//!     └──────────────────────┴────────────────────────┴──▶ (third failure) Quarantined
//! ```
//!
//! - A lease carries an [`Epoch`] that only the ledger issues. A message with any other epoch changes nothing (A-3).
//! - A lease ends by silence: whoever does not renew in time loses it. That counts as a failure only of tasks that were
//!   running; those queued behind them are innocent.
//! - `Checking` has no deadline: the coordinator itself is at work on the certificate.
//! - Done, Exhausted and Quarantined are final and leave the ledger, which holds only a window of the unfinished tasks
//!   (A-8); finished ones live in the store.

mod command;
mod window;

use std::collections::BTreeMap;

use misere_census::{Epoch, Failure, InterruptCause, TaskId, WorkerId};

pub use command::{Admitted, Command, Effect, Finish, HeldLease, LeaseTerms, Moment, Report};
use window::Window;
pub use window::{Counts, Entry, State};

/// The tasks in the window, their leases, and the workers known.
#[derive(Debug)]
pub struct Ledger {
    terms: LeaseTerms,
    generation: u32,
    next_epoch: u32,
    next_worker: u32,
    workers: BTreeMap<WorkerId, Worker>,
    window: Window,
}

#[derive(Debug)]
struct Worker {
    last_heard: Moment,
}

impl Ledger {
    /// An empty ledger of the coordinator's given generation (a number greater than at every earlier opening).
    #[must_use]
    pub fn new(terms: LeaseTerms, generation: u32) -> Self {
        Self {
            terms,
            generation,
            next_epoch: 0,
            next_worker: 0,
            workers: BTreeMap::new(),
            window: Window::default(),
        }
    }

    /// How many tasks of the window are in each state.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.window.counts()
    }

    /// A task of the window.
    #[must_use]
    pub fn entry(&self, task: TaskId) -> Option<&Entry> {
        self.window.get(task)
    }

    /// All tasks of the window.
    pub fn entries(&self) -> impl Iterator<Item = (TaskId, &Entry)> {
        self.window.iter()
    }

    /// The workers known.
    pub fn workers(&self) -> impl Iterator<Item = WorkerId> {
        self.workers.keys().copied()
    }

    /// Takes a command at the given time, and says what follows, in order.
    ///
    /// Cost: logarithmic in the window per task named; [`Command::Tick`] looks at the whole window.
    pub fn apply(&mut self, command: Command, now: Moment) -> Vec<Effect> {
        match command {
            Command::Admit(tasks) => {
                for Admitted { task, failures } in tasks {
                    self.window.admit(task, failures);
                }
                Vec::new()
            }
            Command::Register => vec![Effect::Registered(self.register(now))],
            Command::Lease {
                worker,
                held,
                idle,
                room,
            } => self.heard(worker, now, |ledger| {
                ledger.lease(worker, &held, idle, room, now)
            }),
            Command::Renew { worker, held } => {
                self.heard(worker, now, |ledger| ledger.renew(worker, &held, now))
            }
            Command::Claim {
                worker,
                task,
                epoch,
            } => self.heard(worker, now, |ledger| ledger.claim(worker, task, epoch)),
            Command::Settle {
                task,
                epoch,
                report,
            } => self.settle(task, epoch, report),
            Command::GiveUp {
                worker,
                task,
                epoch,
                report,
            } => self.heard(worker, now, |ledger| {
                if ledger.holds(worker, task, epoch) {
                    ledger.end(task, report)
                } else {
                    vec![Effect::Stale(task)]
                }
            }),
            Command::Leave { worker } => self.leave(worker),
            Command::Tick => self.tick(now),
        }
    }

    fn register(&mut self, now: Moment) -> WorkerId {
        self.next_worker += 1;
        let id = WorkerId::issued(self.generation, self.next_worker);
        self.workers.insert(id, Worker { last_heard: now });
        id
    }

    /// Notes that a worker was heard of, or says that it is not known.
    fn heard(
        &mut self,
        worker: WorkerId,
        now: Moment,
        then: impl FnOnce(&mut Self) -> Vec<Effect>,
    ) -> Vec<Effect> {
        match self.workers.get_mut(&worker) {
            Some(known) => {
                known.last_heard = now;
                then(self)
            }
            None => vec![Effect::UnknownWorker(worker)],
        }
    }

    /// Renews the leases that the worker says it holds; those it holds no more are named.
    fn renew(&mut self, worker: WorkerId, held: &[HeldLease], now: Moment) -> Vec<Effect> {
        let deadline = now.after(self.terms.duration_ms);
        let mut effects = Vec::new();
        for &HeldLease {
            task,
            epoch,
            running,
        } in held
        {
            if !self
                .window
                .renew(worker, task, epoch, deadline, running, now)
            {
                effects.push(Effect::Lost { task, epoch });
            }
        }
        effects
    }

    fn lease(
        &mut self,
        worker: WorkerId,
        held: &[HeldLease],
        idle: u32,
        room: u32,
        now: Moment,
    ) -> Vec<Effect> {
        let mut effects = self.renew(worker, held, now);
        let deadline = now.after(self.terms.duration_ms);
        for _ in 0..self.granted(idle, room) {
            let epoch = Epoch::issued(self.generation, self.next_epoch);
            let Some(task) = self.window.lease_next(worker, epoch, deadline) else {
                break;
            };
            self.next_epoch += 1;
            effects.push(Effect::Granted { task, epoch });
        }
        effects
    }

    /// How many tasks a worker gets: as many as can start at once, and more to wait behind them only while there is
    /// plenty for everybody. Near the end of a census nothing should wait at one worker that another could start.
    fn granted(&self, idle: u32, room: u32) -> u32 {
        let ready = u32::try_from(self.window.counts().ready).unwrap_or(u32::MAX);
        let share = ready / (4 * u32::try_from(self.workers.len()).unwrap_or(u32::MAX).max(1));
        idle.saturating_add(room.min(share))
            .min(self.terms.max_batch)
    }

    fn holds(&self, worker: WorkerId, task: TaskId, epoch: Epoch) -> bool {
        matches!(
            self.window.get(task),
            Some(Entry { state: State::Leased { worker: holder, epoch: live, .. }, .. })
                if *holder == worker && *live == epoch
        )
    }

    fn claim(&mut self, worker: WorkerId, task: TaskId, epoch: Epoch) -> Vec<Effect> {
        if !self.holds(worker, task, epoch) {
            return vec![Effect::Stale(task)];
        }
        self.window.check(task, epoch);
        vec![Effect::Claimed { task, epoch }]
    }

    fn settle(&mut self, task: TaskId, epoch: Epoch, report: Report) -> Vec<Effect> {
        match self.window.get(task) {
            Some(Entry {
                state: State::Checking { epoch: live },
                ..
            }) if *live == epoch => self.end(task, report),
            _ => vec![Effect::Stale(task)],
        }
    }

    /// Ends the live lease of a task.
    fn end(&mut self, task: TaskId, report: Report) -> Vec<Effect> {
        match report {
            Report::Finished(finish) => {
                self.window.remove(task);
                vec![Effect::Finished { task, finish }]
            }
            Report::Interrupted(InterruptCause::Shutdown) => {
                self.window.make_ready(task, 0);
                Vec::new()
            }
            Report::Interrupted(cause) => self.fail(task, Failure::Guard(cause)),
            Report::Failed(failure) => self.fail(task, failure),
        }
    }

    fn fail(&mut self, task: TaskId, failure: Failure) -> Vec<Effect> {
        let failures = self.window.get(task).map_or(0, |entry| entry.failures) + 1;
        if failures >= self.terms.max_failures {
            self.window.remove(task);
            vec![Effect::Quarantined {
                task,
                failures,
                failure,
            }]
        } else {
            self.window.make_ready(task, 1);
            vec![Effect::Retry {
                task,
                failures,
                failure,
            }]
        }
    }

    fn leave(&mut self, worker: WorkerId) -> Vec<Effect> {
        if self.workers.remove(&worker).is_none() {
            return vec![Effect::UnknownWorker(worker)];
        }
        for task in self.window.leased_by(|_, holder, _| holder == worker) {
            self.window.make_ready(task, 0);
        }
        vec![Effect::Left(worker)]
    }

    /// Expires leases past their deadline and forgets workers that hold none and have long been silent.
    fn tick(&mut self, now: Moment) -> Vec<Effect> {
        let mut effects = Vec::new();
        for task in self.window.leased_by(|deadline, _, _| deadline < now) {
            let started = self.window.get(task).is_some_and(Entry::is_running);
            if started {
                effects.extend(self.fail(task, Failure::Silence));
            } else {
                self.window.make_ready(task, 0);
            }
        }
        let patience = self.terms.duration_ms.saturating_mul(2);
        let silent: Vec<WorkerId> = self
            .workers
            .iter()
            .filter(|(_, worker)| worker.last_heard.after(patience) < now)
            .map(|(&id, _)| id)
            .collect();
        for worker in silent {
            self.workers.remove(&worker);
            effects.push(Effect::Left(worker));
        }
        effects
    }
}

#[cfg(test)]
mod tests;
