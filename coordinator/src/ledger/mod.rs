//! Who holds which task, and what happens next?
//!
//! A pure state machine: [`Ledger::apply`] takes a command and the time and says what follows. It
//! reads no clock, draws no lots, touches no disk and knows no sockets; the [driver](crate::driver)
//! makes its effects real.
//!
//! ```text
//!              Lease                    Claim                   Settle
//!   Ready ───────────────▶ Leased ───────────────▶ Checking ───────────────▶ Done | Exhausted
//!     ▲                      │                        │
//!     │  silence, shutdown   │  failure, guard        │  certificate refused, or drawn for another worker to confirm
//!     └──────────────────────┴────────────────────────┴──▶ (third failure) Quarantined
//! ```
//!
//! - A lease carries an [`Epoch`] that only the ledger issues. A message with any other epoch
//!   changes nothing (A-3).
//! - A lease ends by silence: whoever does not renew in time loses it. That counts as a failure
//!   only of tasks that were running; those queued behind them are innocent.
//! - `Checking` has no deadline: the coordinator itself is at work on the certificate.
//! - Done, Exhausted and Quarantined are final and leave the ledger, which holds only a window of
//!   the unfinished tasks (A-8); finished ones live in the store.
//!
//! | question | file |
//! |---|---|
//! | which tasks are in memory, in which state | `window.rs` |
//! | who gets how many of them | `dispatch.rs`, `pace.rs` |
//! | what follows from a failure | `attempts.rs`; of whose fault it is, `conduct.rs` |
//! | what follows from a certificate, and who is believed | `settling.rs`, `trust.rs` |
//! | who goes on from whose checkpoint | `checkpoints.rs` |
//! | what always holds | `invariants.rs` |

mod attempts;
mod checkpoints;
mod command;
mod conduct;
mod dispatch;
mod invariants;
mod pace;
mod settling;
mod standing;
mod trust;
mod window;

use std::collections::{BTreeMap, BTreeSet};

use misere_census::{
    Epoch, Failure, InterruptCause, MemoryClass, TaskId, WorkerId, WorkerIdentity,
};

pub use attempts::{Attempts, MAX_TOP_FAILURES};
pub use command::{
    Admitted, Claim, Command, Effect, Finish, HeldLease, Kept, LeaseTerms, MAX_SLOTS, Misdeed,
    Moment, Report, Said, Trouble,
};
pub use dispatch::Waiting;
pub use invariants::Broken;
pub use standing::{Conduct, Reservation};
pub use trust::TrustTerms;
pub use window::{Counts, Entry, State};

use pace::Pace;
use trust::Standing;
use window::Window;

/// The tasks in the window, their leases, and the workers known.
#[derive(Debug)]
pub struct Ledger {
    terms: LeaseTerms,
    generation: u32,
    /// The generation in which it began.
    first_generation: u32,
    key: [u8; 32],
    next_epoch: u32,
    next_worker: u32,
    /// The latest moment ever told. Time never goes back, however the stamps of commands cross.
    now: Moment,
    workers: BTreeMap<WorkerId, Worker>,
    standings: BTreeMap<WorkerIdentity, Standing>,
    window: Window,
    /// Tasks that the coordinator itself computes to put what was said of them to the test.
    spot_checks: BTreeSet<TaskId>,
}

/// With so few numbers left a new generation is to begin: more than one group of commands can use
/// up.
const NUMBERS_LEFT: u32 = 1 << 24;

#[derive(Debug)]
struct Worker {
    identity: WorkerIdentity,
    slots: u32,
    class: MemoryClass,
    last_heard: Moment,
    /// When it last got less than it could have begun at once, if that was so when it last asked.
    idle_at: Option<Moment>,
    pace: Pace,
}

impl Ledger {
    /// An empty ledger of the coordinator's given generation (a number greater than at every
    /// earlier opening).
    #[must_use]
    pub fn new(terms: LeaseTerms, generation: u32) -> Self {
        Self {
            terms,
            generation,
            first_generation: generation,
            key: [0; 32],
            next_epoch: 0,
            next_worker: 0,
            now: Moment::default(),
            workers: BTreeMap::new(),
            standings: BTreeMap::new(),
            window: Window::default(),
            spot_checks: BTreeSet::new(),
        }
    }

    /// Whether a new generation is to begin soon, since the numbers of this one are used up.
    #[must_use]
    pub fn is_nearly_spent(&self) -> bool {
        self.next_epoch.max(self.next_worker) > u32::MAX - NUMBERS_LEFT
    }

    /// The same with a key that no worker knows: it decides whose work is done again.
    #[must_use]
    pub fn with_key(self, key: [u8; 32]) -> Self {
        Self { key, ..self }
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

    /// The tasks that a worker holds.
    pub fn held_by(&self, worker: WorkerId) -> impl Iterator<Item = (TaskId, &Entry)> {
        let held = self.window.held_by(worker);
        held.filter_map(|task| Some((task, self.window.get(task)?)))
    }

    /// The workers known.
    pub fn workers(&self) -> impl Iterator<Item = WorkerId> {
        self.workers.keys().copied()
    }

    /// Takes a command at the given time, and says what follows, in order.
    ///
    /// Cost: logarithmic in the window per task named; [`Command::Tick`] and [`Command::Distrust`]
    /// look at the whole window.
    pub fn apply(&mut self, command: Command, now: Moment) -> Vec<Effect> {
        self.now = self.now.max(now);
        let effects = self.follow(command, self.now);
        if cfg!(test)
            && let Err(broken) = self.check_invariants()
        {
            unreachable!("{broken}");
        }
        effects
    }

    fn follow(&mut self, command: Command, now: Moment) -> Vec<Effect> {
        match command {
            Command::Admit(tasks) => {
                let dropped = tasks.into_iter().filter_map(|task| self.admit(task));
                dropped.collect()
            }
            Command::Register {
                identity,
                slots,
                class,
            } => {
                let registered = self.register(identity, slots, class, now);
                vec![registered.map_or(Effect::Spent, Effect::Registered)]
            }
            Command::Lease {
                worker,
                held,
                idle,
                room,
            } => self.heard(worker, now, |ledger| {
                ledger.takes_part(worker, now);
                ledger.lease(worker, &held, idle, room, now)
            }),
            Command::Renew { worker, held } => {
                self.heard(worker, now, |ledger| ledger.renew(worker, &held, now))
            }
            Command::Claim {
                worker,
                task,
                epoch,
            } => self.heard(worker, now, |ledger| {
                ledger.takes_part(worker, now);
                ledger.claim(worker, task, epoch, now)
            }),
            Command::Settle {
                task,
                epoch,
                report,
            } => self.settle(task, epoch, report, now),
            Command::GiveUp {
                worker,
                task,
                epoch,
                report,
            } => self.heard(worker, now, |ledger| {
                ledger.give_up(worker, task, epoch, report, now)
            }),
            Command::Keep {
                worker,
                task,
                epoch,
                fuel,
            } => self.heard(worker, now, |ledger| ledger.keep(worker, task, epoch, fuel)),
            Command::Withdraw(tasks) => {
                for task in tasks {
                    self.spot_checks.remove(&task);
                    self.window.remove(task);
                }
                Vec::new()
            }
            Command::Stop(task) => {
                if self.window.ask_to_stop(task) {
                    Vec::new()
                } else {
                    vec![Effect::Stale(task)]
                }
            }
            Command::Distrust(identity, why) => self.distrust(identity, why),
            Command::Pardon(identity) => self.pardon(identity),
            Command::Begin(generation) => {
                if generation > self.generation {
                    self.generation = generation;
                    (self.next_epoch, self.next_worker) = (0, 0);
                }
                Vec::new()
            }
            Command::Leave { worker } => self.leave(worker),
            Command::Tick => self.tick(now),
        }
    }

    fn register(
        &mut self,
        identity: WorkerIdentity,
        slots: u32,
        class: MemoryClass,
        now: Moment,
    ) -> Option<WorkerId> {
        self.next_worker = self.next_worker.checked_add(1)?;
        let id = WorkerId::issued(self.generation, self.next_worker);
        let worker = Worker {
            identity,
            slots: slots.clamp(1, MAX_SLOTS),
            class,
            last_heard: now,
            idle_at: None,
            pace: Pace::new(),
        };
        self.workers.insert(id, worker);
        let standing = self.standings.entry(identity).or_default();
        (standing.last_heard, standing.last_active) = (Some(now), Some(now));
        standing.class = standing.class.max(class);
        Some(id)
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
                self.standings.entry(known.identity).or_default().last_heard = Some(now);
                then(self)
            }
            None => vec![Effect::UnknownWorker(worker)],
        }
    }

    /// Renews the leases that the worker says it holds; those it holds no more, and those it is to
    /// stop, are named.
    fn renew(&mut self, worker: WorkerId, held: &[HeldLease], now: Moment) -> Vec<Effect> {
        let deadline = now.after(self.terms.duration_ms);
        let mut effects = Vec::new();
        // Twice as many as it has threads: what was computed and is on its way is told of as
        // running too.
        let slots = self.workers.get(&worker).map_or(0, |known| known.slots);
        let mut may_begin = (2 * slots as usize).saturating_sub(self.window.running_at(worker));
        let mut computes = false;
        for &lease in held {
            let HeldLease { task, epoch, .. } = lease;
            let begins = lease.running && !self.window.get(task).is_some_and(Entry::is_running);
            let running = lease.running && (!begins || may_begin > 0);
            may_begin -= usize::from(begins && running);
            let lease = HeldLease { running, ..lease };
            if !self.window.renew(worker, lease, deadline, now) {
                effects.push(Effect::Lost { task, epoch });
                continue;
            }
            computes |= running;
            if self.window.get(task).is_some_and(|entry| entry.stop) {
                effects.push(Effect::StopAsked { task, epoch });
            }
        }
        if computes {
            self.takes_part(worker, now);
        }
        effects
    }

    /// Notes that a worker does more than to be heard of.
    fn takes_part(&mut self, worker: WorkerId, now: Moment) {
        if let Some(known) = self.workers.get(&worker) {
            self.standings
                .entry(known.identity)
                .or_default()
                .last_active = Some(now);
        }
    }

    /// Whether a worker holds a task under this epoch.
    #[must_use]
    pub fn is_held(&self, worker: WorkerId, task: TaskId, epoch: Epoch) -> bool {
        matches!(
            self.window.get(task),
            Some(Entry { state: State::Leased { worker: holder, epoch: live, .. }, .. })
                if *holder == worker && *live == epoch
        )
    }

    /// The next epoch; `None` if there is none left in this generation.
    fn issue_epoch(&mut self) -> Option<Epoch> {
        let epoch = Epoch::issued(self.generation, self.next_epoch);
        self.next_epoch = self.next_epoch.checked_add(1)?;
        Some(epoch)
    }

    fn give_up(
        &mut self,
        worker: WorkerId,
        task: TaskId,
        epoch: Epoch,
        report: Report,
        now: Moment,
    ) -> Vec<Effect> {
        if !self.is_held(worker, task, epoch) {
            return vec![Effect::Stale(task)];
        }
        let by = self.workers.get(&worker).map(|known| known.identity);
        match report {
            Report::Interrupted(InterruptCause::Shutdown) => {
                self.window.make_ready(task, |_| ());
                Vec::new()
            }
            Report::Interrupted(cause) => self.fail(task, Failure::Guard(cause), by, now),
            Report::Failed(failure) => self.fail(task, failure, by, now),
            // Only the coordinator's check finishes a task (A-2).
            Report::Finished(..) | Report::Unproved(..) | Report::Contradicted => {
                vec![Effect::Stale(task)]
            }
        }
    }

    fn leave(&mut self, worker: WorkerId) -> Vec<Effect> {
        let Some(Worker { identity, .. }) = self.workers.remove(&worker) else {
            return vec![Effect::UnknownWorker(worker)];
        };
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
        vec![Effect::Left(worker)]
    }

    /// Expires leases past their deadline, takes back what waits too long, forgets workers that
    /// have long been silent, and sees to tasks on which workers do not agree.
    fn tick(&mut self, now: Moment) -> Vec<Effect> {
        let mut effects = self.expire(now);
        effects.extend(self.take_back_what_waits(now));
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
        effects.extend(self.arbitrate_where_nobody_can(now));
        effects
    }
}

#[cfg(test)]
mod simulation;
#[cfg(test)]
mod tests;
