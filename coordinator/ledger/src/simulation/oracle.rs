//! The rules of leases and attempts in other words, compared with the ledger.

use std::collections::{BTreeMap, BTreeSet};

use misere_census::{
    Attempts, Claim, Epoch, Failure, MemoryClass, Statement, TaskId, WorkerId, WorkerIdentity,
};

use super::super::Effect;
use super::super::transcript::{Command, Event};
use super::super::{Entry, HeldLease, LeaseConfig, Ledger, Millis, Report, State};

/// The failures that must have happened, and the workers they belong to.
type Failures = BTreeMap<TaskId, (Failure, Option<WorkerIdentity>)>;

#[derive(Clone, Debug)]
struct Lease {
    epoch: Epoch,
    /// The holder; none while the coordinator computes the task itself.
    worker: Option<WorkerId>,
    until: u64,
    running: bool,
    checking: bool,
}

#[derive(Debug, Default)]
pub(super) struct Oracle {
    lease_ms: u64,
    max_failures: u32,
    now: u64,
    leases: BTreeMap<TaskId, Lease>,
    attempts: BTreeMap<TaskId, Attempts>,
    who: BTreeMap<WorkerId, WorkerIdentity>,
    slots: BTreeMap<WorkerId, u32>,
    /// The registered workers, each with the time of its last failure, or of its registration.
    faultless_since: BTreeMap<WorkerId, u64>,
    /// The workers that submitted an accepted certificate.
    works: BTreeSet<WorkerId>,
    /// The workers that failed at a task.
    ///
    /// Failures count since the task was first tried, or since the claims of a worker were undone.
    failed_by: BTreeMap<TaskId, BTreeSet<WorkerIdentity>>,
    /// The workers that have an accepted certificate of a task.
    certified: BTreeMap<TaskId, BTreeSet<WorkerIdentity>>,
    /// The time until which an identity is held back.
    held_back: BTreeMap<WorkerIdentity, u64>,
    broken_after: u32,
    last_epoch: Option<Epoch>,
}

macro_rules! ensure {
    ($condition:expr, $($what:tt)*) => {
        if !$condition {
            return Err(format!($($what)*));
        }
    };
}
pub(super) use ensure;

impl Oracle {
    pub(super) fn new(config: &LeaseConfig, last_epoch: Option<Epoch>) -> Self {
        Self {
            lease_ms: config.duration_ms,
            max_failures: config.max_failures,
            broken_after: config.trust.broken_after,
            last_epoch,
            ..Self::default()
        }
    }

    pub(super) fn last_epoch(&self) -> Option<Epoch> {
        self.last_epoch
    }

    /// Records a task that enters, or is still there.
    pub(super) fn admitted(&mut self, task: TaskId, entry: &Entry) {
        self.attempts.insert(task, entry.attempts);
        self.claimed(task, &entry.claims);
    }

    fn claimed(&mut self, task: TaskId, claims: &[Claim]) {
        let failed = claims.iter().filter(|claim| claim.is_failure());
        let failed = failed.map(|claim| claim.by).collect();
        self.failed_by.insert(task, failed);
        let certified = claims.iter().filter(|claim| {
            matches!(
                claim.statement,
                Statement::Certificate(_) | Statement::Resumed(_)
            )
        });
        let certified = certified.map(|claim| claim.by).collect();
        self.certified.insert(task, certified);
    }

    /// Compares the events of the ledger with what must follow.
    pub(super) fn judge(
        &mut self,
        command: &Command,
        effects: &[Event],
        ledger: &Ledger,
        now: Millis,
    ) -> Result<(), String> {
        self.now = self.now.max(now.0);
        let unknown = matches!(effects, [Event::UnknownWorker(_)]);
        if let Command::Lease { worker, held, .. } | Command::Renew { worker, held } = command
            && !unknown
        {
            self.renewed(*worker, held);
        }
        let refused = matches!(effects, [Event::Stale(_) | Event::UnknownWorker(_)]);
        let about_a_lease = matches!(
            command,
            Command::Claim { .. } | Command::GiveUp { .. } | Command::Settle { .. }
        );
        ensure!(
            !about_a_lease || refused || self.is_live(command),
            "{command:?} is followed, but not live (A-3)"
        );
        let mut failures = self.failures_of(command, effects);
        if let Command::Tick = command {
            failures = self.expire();
            self.leases.retain(|task, _| {
                let state = ledger.entry(*task).map(|entry| entry.state);
                // The task waited too long while other workers were idle.
                !matches!(state, Some(State::Ready)) || failures.contains_key(task)
            });
        }
        if let Command::Withdraw(tasks) = command {
            for task in tasks {
                self.leases.remove(task);
                self.attempts.remove(task);
                self.failed_by.remove(task);
                self.certified.remove(task);
            }
        }
        for effect in effects {
            self.follow(command, effect, &mut failures)?;
        }
        ensure!(failures.is_empty(), "failures passed over: {failures:?}");
        if let Command::Leave { worker } = command {
            self.leases
                .retain(|_, lease| lease.worker != Some(*worker) || lease.checking);
        }
        // Tasks queued at a worker that gets no tasks go back.
        let kept_out: BTreeSet<WorkerId> = self
            .faultless_since
            .keys()
            .copied()
            .filter(|&worker| self.is_kept_out(worker))
            .collect();
        self.leases.retain(|_, lease| {
            let is_kept_out = lease.worker.is_some_and(|at| kept_out.contains(&at));
            lease.running || lease.checking || !is_kept_out
        });
        Ok(())
    }

    /// Reports whether a worker gets no tasks.
    ///
    /// That is so if its identity is held back, and the worker is alone with it or failed itself
    /// within the time of a lease.
    fn is_kept_out(&self, worker: WorkerId) -> bool {
        let who = self.who.get(&worker);
        let held_back = who.and_then(|who| self.held_back.get(who));
        if held_back.is_none_or(|&until| until <= self.now) {
            return false;
        }
        let comrades = self.faultless_since.keys();
        let comrades = comrades.filter(|&other| self.who.get(other) == who).count();
        let since = self.faultless_since.get(&worker);
        let failed_lately = since.is_none_or(|since| self.now < since + self.lease_ms);
        failed_lately || comrades < 2
    }

    /// Records that a worker fails at a task, and returns its identity.
    fn fails(&mut self, worker: Option<WorkerId>) -> Option<WorkerIdentity> {
        if let Some(since) = self.faultless_since.get_mut(&worker?) {
            *since = self.now;
        }
        self.who.get(&worker?).copied()
    }

    fn renewed(&mut self, worker: WorkerId, held: &[HeldLease]) {
        let slots = self.slots.get(&worker).copied().unwrap_or(0) as usize;
        for held in held {
            let running = self.leases.values();
            let running = running.filter(|lease| lease.worker == Some(worker) && lease.running);
            let full = running.filter(|lease| !lease.checking).count() >= 2 * slots;
            if let Some(lease) = self.leases.get_mut(&held.task)
                && (lease.epoch, lease.worker) == (held.epoch, Some(worker))
                && !lease.checking
            {
                lease.until = lease.until.max(self.now + self.lease_ms);
                lease.running |= held.running && !full;
            }
        }
    }

    /// Returns the failures that this command must cause.
    fn failures_of(&mut self, command: &Command, effects: &[Event]) -> Failures {
        let stale = matches!(effects, [Event::Stale(_) | Event::UnknownWorker(_)]);
        let (task, report) = match command {
            Command::GiveUp { task, report, .. } | Command::Settle { task, report, .. }
                if !stale =>
            {
                (*task, report)
            }
            _ => return BTreeMap::new(),
        };
        let lease = self.leases.remove(&task);
        let worker = lease.and_then(|lease| lease.worker);
        let by = worker.and_then(|worker| self.who.get(&worker).copied());
        match report {
            Report::Failed(failure) => {
                BTreeMap::from([(task, (failure.clone(), self.fails(worker)))])
            }
            Report::Interrupted(misere_census::InterruptCause::Shutdown)
            | Report::Finished(..)
            | Report::Unproved(..)
            | Report::Contradicted => {
                if matches!(report, Report::Finished(..) | Report::Unproved(..)) {
                    self.works.extend(worker);
                }
                let others = self.faultless_since.keys();
                let is_shared = others.filter(|at| self.who.get(at) == by.as_ref()).count() > 1;
                if let Some(by) = by.filter(|_| !matches!(report, Report::Interrupted(_)))
                    // One of several is reliable, and the failing one is another.
                    && !(is_shared && self.held_back.get(&by).is_some_and(|&until| self.now < until))
                {
                    // It is reliable.
                    self.held_back.remove(&by);
                }
                BTreeMap::new()
            }
            Report::Interrupted(cause) => {
                BTreeMap::from([(task, (Failure::Guard(*cause), self.fails(worker)))])
            }
        }
    }

    /// Returns the failures that silence causes.
    ///
    /// Silence costs every lease, and an attempt only of the tasks seen running.
    fn expire(&mut self) -> Failures {
        let now = self.now;
        let over = |lease: &Lease| !lease.checking && lease.until < now;
        let failed = self.leases.iter();
        let failed: Vec<(TaskId, Option<WorkerId>)> = failed
            .filter(|(_, lease)| over(lease) && lease.running)
            .map(|(&task, lease)| (task, lease.worker))
            .collect();
        self.leases.retain(|_, lease| !over(lease));
        let silent = |(task, worker)| (task, (Failure::Silence, self.fails(worker)));
        failed.into_iter().map(silent).collect()
    }

    fn is_live(&self, command: &Command) -> bool {
        let (task, epoch, worker, checking) = match command {
            Command::Claim {
                worker,
                task,
                epoch,
            }
            | Command::GiveUp {
                worker,
                task,
                epoch,
                ..
            } => (task, epoch, Some(worker), false),
            Command::Settle { task, epoch, .. } => (task, epoch, None, true),
            _ => return false,
        };
        self.leases.get(task).is_some_and(|lease| {
            lease.epoch == *epoch
                && lease.checking == checking
                && worker.is_none_or(|worker| lease.worker == Some(*worker))
        })
    }

    fn follow(
        &mut self,
        command: &Command,
        effect: &Event,
        failures: &mut Failures,
    ) -> Result<(), String> {
        match effect {
            Event::Registered(worker) => {
                if let Command::Register {
                    identity, slots, ..
                } = command
                {
                    self.slots.insert(*worker, *slots);
                    self.faultless_since.insert(*worker, self.now);
                    ensure!(
                        self.who.insert(*worker, *identity).is_none(),
                        "{worker} is issued twice"
                    );
                }
            }
            Event::Granted {
                task, epoch, class, ..
            } => {
                let Command::Lease { worker, .. } = command else {
                    return Err("granted to nobody".to_owned());
                };
                let held = self.leases.get(task);
                ensure!(held.is_none(), "{task} is granted, but {held:?} (A-3)");
                ensure!(
                    !self.is_kept_out(*worker),
                    "{task} is granted to {worker}, which is kept out"
                );
                ensure!(self.last_epoch < Some(*epoch), "{epoch} is not new (A-3)");
                let attempts = self.attempts.get(task).copied().unwrap_or_default();
                ensure!(attempts.class == *class, "{task} in another class: {class}");
                self.last_epoch = Some(*epoch);
                let lease = Lease {
                    epoch: *epoch,
                    worker: Some(*worker),
                    until: self.now + self.lease_ms,
                    running: false,
                    checking: false,
                };
                self.leases.insert(*task, lease);
            }
            Event::Lost { task, epoch } => {
                if let Command::Lease { worker, .. } | Command::Renew { worker, .. } = command {
                    let live = self.leases.get(task).is_some_and(|lease| {
                        lease.epoch == *epoch && lease.worker == Some(*worker)
                    });
                    ensure!(
                        !live,
                        "{task} under {epoch} is said to be lost, but is live"
                    );
                }
            }
            Event::Claimed { task, .. } => {
                if let Some(lease) = self.leases.get_mut(task) {
                    lease.checking = true;
                }
            }
            Event::Stale(_) => {
                ensure!(
                    !self.is_live(command),
                    "{command:?} is live, but called stale"
                );
            }
            Event::Follows(Effect::Finished { .. }) => {
                let checked = matches!(
                    command,
                    Command::Settle {
                        report: Report::Finished(..) | Report::Unproved(..),
                        ..
                    }
                );
                ensure!(checked, "finished without a check (A-2)");
            }
            Event::Follows(Effect::Arbitrate { task, epoch, .. }) => {
                let held = self.leases.get(task);
                ensure!(held.is_none(), "{task} is arbitrated, but {held:?}");
                self.last_epoch = Some(*epoch);
                let lease = Lease {
                    epoch: *epoch,
                    worker: None,
                    until: u64::MAX,
                    running: true,
                    checking: true,
                };
                self.leases.insert(*task, lease);
            }
            Event::Follows(Effect::Distrusted { identity, .. }) => {
                let who = &self.who;
                let is_its =
                    |lease: &Lease| lease.worker.and_then(|at| who.get(&at)) == Some(identity);
                self.leases.retain(|_, lease| !is_its(lease));
            }
            Event::Follows(Effect::Undone {
                task,
                attempts,
                claims,
            }) => {
                let known = self.attempts.get(task).copied().unwrap_or_default();
                ensure!(
                    attempts.failures <= known.failures,
                    "{task} has failed more often than before: {attempts:?}, {known:?}"
                );
                ensure!(
                    attempts.failures > 0 || *attempts == Attempts::default(),
                    "{task} did not fail, but {attempts:?}"
                );
                self.attempts.insert(*task, *attempts);
                self.claimed(*task, claims);
            }
            Event::Follows(Effect::ClaimsChanged { task, claims }) => self.claimed(*task, claims),
            Event::Follows(Effect::Advanced { task, attempts }) => {
                ensure!(
                    matches!(command, Command::Keep { .. }),
                    "{task} advances without a checkpoint"
                );
                let known = self.attempts.entry(*task).or_default();
                known.failures -= known.silences;
                known.silences = 0;
                ensure!(known == attempts, "{task}: {attempts:?}, not {known:?}");
            }
            Event::Follows(Effect::HeldBack { identity, ms, .. }) => {
                ensure!(self.broken_after > 0, "nobody is ever held back here");
                let who = &self.who;
                let is_its =
                    |lease: &Lease| lease.worker.and_then(|at| who.get(&at)) == Some(identity);
                self.leases
                    .retain(|_, lease| lease.running || lease.checking || !is_its(lease));
                let until = self.held_back.insert(*identity, self.now + ms);
                ensure!(
                    until.is_none_or(|until| until <= self.now),
                    "{identity} is held back twice"
                );
            }
            Event::Pardoned(identity) => {
                self.held_back.remove(identity);
            }
            Event::Follows(Effect::Retry {
                task,
                attempts,
                failure,
            }) => {
                let enough = self.failed(*task, *attempts, failure, failures)?;
                ensure!(!enough, "{task} is tried once too often: {attempts:?}");
            }
            Event::Follows(Effect::Quarantined {
                task,
                attempts,
                failure,
                ..
            }) => {
                let enough = self.failed(*task, *attempts, failure, failures)?;
                ensure!(enough, "{task} is given up too early: {attempts:?}");
            }
            Event::Follows(Effect::Left(worker)) => {
                self.faultless_since.remove(worker);
            }
            Event::UnknownWorker(_)
            | Event::Spent
            | Event::StopAsked { .. }
            | Event::Kept { .. }
            | Event::Follows(Effect::Dropped(_)) => {}
        }
        Ok(())
    }

    /// Reports whether a failure that must have happened was the last one of its task.
    fn failed(
        &mut self,
        task: TaskId,
        attempts: Attempts,
        failure: &Failure,
        failures: &mut Failures,
    ) -> Result<bool, String> {
        let expected = failures.remove(&task);
        ensure!(
            expected.as_ref().map(|(failure, _)| failure) == Some(failure),
            "{task} failed of {failure:?}, not of {expected:?}"
        );
        let known = self.attempts.entry(task).or_default();
        let (_, by) = expected.unwrap_or((failure.clone(), None));
        if *known == attempts {
            // The failure is the worker's: it failed at the task before, or others did the task, or
            // it fails at everything.
            let by = by.ok_or_else(|| format!("{task} fails, and nobody says so"))?;
            let failed_by = self.failed_by.entry(task).or_default();
            let again = !failed_by.insert(by);
            let others = self.certified.get(&task);
            let others = others.is_some_and(|others| others.iter().any(|&other| other != by));
            let until = self.held_back.get(&by);
            let held_back = until.is_some_and(|&until| self.now < until);
            let comrades = self.faultless_since.keys();
            let works = |at: &WorkerId| self.works.contains(at);
            let outdone = comrades
                .filter(|&at| self.who.get(at) == Some(&by))
                .any(works);
            let crowd = *failure == Failure::Silence && self.broken_after > 0;
            ensure!(
                again || others || held_back || crowd || outdone,
                "a failure of {task} is not counted: {failure:?} by {by}"
            );
            return Ok(false);
        }
        if let Some(by) = by {
            self.failed_by.entry(task).or_default().insert(by);
        }
        known.failures += 1;
        known.silences += u32::from(*failure == Failure::Silence);
        if failure.is_out_of_memory() {
            if known.class == MemoryClass::TOP {
                known.top_failures += 1;
            } else {
                known.class = MemoryClass::new(known.class.number() + 1);
            }
        }
        ensure!(*known == attempts, "{task}: {attempts:?}, not {known:?}");
        // A silent worker may have been ended from outside: four silences weigh as one failure.
        let quarters = 4 * (known.failures - known.silences) + known.silences / 4 * 4;
        Ok(quarters >= 4 * self.max_failures || known.top_failures >= 2)
    }
}
