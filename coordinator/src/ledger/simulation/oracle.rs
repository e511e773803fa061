//! Who may hold what, told again in other words: the rules of leases and attempts, kept beside the ledger and compared with it.

use std::collections::BTreeMap;

use misere_census::{Epoch, Failure, MemoryClass, TaskId, WorkerId, WorkerIdentity};

use super::super::{Attempts, Command, Effect, HeldLease, Moment, Report};

#[derive(Clone, Debug)]
struct Lease {
    epoch: Epoch,
    worker: WorkerId,
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
    pub(super) fn new(lease_ms: u64, max_failures: u32, last_epoch: Option<Epoch>) -> Self {
        Self {
            lease_ms,
            max_failures,
            last_epoch,
            ..Self::default()
        }
    }

    pub(super) fn last_epoch(&self) -> Option<Epoch> {
        self.last_epoch
    }

    pub(super) fn admitted(&mut self, task: TaskId, attempts: Attempts) {
        self.attempts.insert(task, attempts);
    }

    /// Compares what the ledger says with what must follow.
    pub(super) fn judge(
        &mut self,
        command: &Command,
        effects: &[Effect],
        now: Moment,
    ) -> Result<(), String> {
        self.now = self.now.max(now.0);
        let unknown = matches!(effects, [Effect::UnknownWorker(_)]);
        if let Command::Lease { worker, held, .. } | Command::Renew { worker, held } = command
            && !unknown
        {
            self.renewed(*worker, held);
        }
        let refused = matches!(effects, [Effect::Stale(_) | Effect::UnknownWorker(_)]);
        let about_a_lease = matches!(
            command,
            Command::Claim { .. }
                | Command::GiveUp { .. }
                | Command::Settle { .. }
                | Command::Split { .. }
        );
        ensure!(
            !about_a_lease || refused || self.is_live(command),
            "{command:?} is followed, but not live (A-3)"
        );
        let mut failures = self.failures_of(command, effects);
        if let Command::Tick = command {
            failures = self.expire();
        }
        for effect in effects {
            self.follow(command, effect, &mut failures)?;
        }
        ensure!(failures.is_empty(), "failures passed over: {failures:?}");
        if let Command::Leave { worker } = command {
            self.leases
                .retain(|_, lease| lease.worker != *worker || lease.checking);
        }
        Ok(())
    }

    fn renewed(&mut self, worker: WorkerId, held: &[HeldLease]) {
        for held in held {
            if let Some(lease) = self.leases.get_mut(&held.task)
                && (lease.epoch, lease.worker) == (held.epoch, worker)
                && !lease.checking
            {
                lease.until = lease.until.max(self.now + self.lease_ms);
                lease.running |= held.running;
            }
        }
    }

    /// Which failures this command must bring about.
    fn failures_of(&mut self, command: &Command, effects: &[Effect]) -> BTreeMap<TaskId, Failure> {
        let stale = matches!(effects, [Effect::Stale(_) | Effect::UnknownWorker(_)]);
        let (task, report) = match command {
            Command::GiveUp { task, report, .. } | Command::Settle { task, report, .. }
                if !stale =>
            {
                (*task, report)
            }
            _ => return BTreeMap::new(),
        };
        self.leases.remove(&task);
        match report {
            Report::Failed(failure) => BTreeMap::from([(task, failure.clone())]),
            Report::Interrupted(misere_census::InterruptCause::Shutdown) | Report::Finished(..) => {
                BTreeMap::new()
            }
            Report::Interrupted(cause) => BTreeMap::from([(task, Failure::Guard(*cause))]),
        }
    }

    /// Silence costs every lease, and an attempt only of those seen running.
    fn expire(&mut self) -> BTreeMap<TaskId, Failure> {
        let now = self.now;
        let over = |lease: &Lease| !lease.checking && lease.until < now;
        let failed = self.leases.iter();
        let failed = failed
            .filter(|(_, lease)| over(lease) && lease.running)
            .map(|(&task, _)| (task, Failure::Silence))
            .collect();
        self.leases.retain(|_, lease| !over(lease));
        failed
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
            }
            | Command::Split {
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
                && worker.is_none_or(|worker| lease.worker == *worker)
        })
    }

    fn follow(
        &mut self,
        command: &Command,
        effect: &Effect,
        failures: &mut BTreeMap<TaskId, Failure>,
    ) -> Result<(), String> {
        match effect {
            Effect::Registered(worker) => {
                if let Command::Register { identity, .. } = command {
                    ensure!(
                        self.who.insert(*worker, *identity).is_none(),
                        "{worker} is issued twice"
                    );
                }
            }
            Effect::Granted {
                task, epoch, class, ..
            } => {
                let Command::Lease { worker, .. } = command else {
                    return Err("granted to nobody".to_owned());
                };
                let held = self.leases.get(task);
                ensure!(held.is_none(), "{task} is granted, but {held:?} (A-3)");
                ensure!(self.last_epoch < Some(*epoch), "{epoch} is not new (A-3)");
                let attempts = self.attempts.get(task).copied().unwrap_or_default();
                ensure!(attempts.class == *class, "{task} in another class: {class}");
                self.last_epoch = Some(*epoch);
                let lease = Lease {
                    epoch: *epoch,
                    worker: *worker,
                    until: self.now + self.lease_ms,
                    running: false,
                    checking: false,
                };
                self.leases.insert(*task, lease);
            }
            Effect::Lost { task, epoch } => {
                if let Command::Lease { worker, .. } | Command::Renew { worker, .. } = command {
                    let live = self
                        .leases
                        .get(task)
                        .is_some_and(|lease| lease.epoch == *epoch && lease.worker == *worker);
                    ensure!(
                        !live,
                        "{task} under {epoch} is said to be lost, but is live"
                    );
                }
            }
            Effect::Claimed { task, .. } => {
                if let Some(lease) = self.leases.get_mut(task) {
                    lease.checking = true;
                }
            }
            Effect::Stale(_) => {
                ensure!(
                    !self.is_live(command),
                    "{command:?} is live, but called stale"
                );
            }
            Effect::Finished { .. } => {
                let checked = matches!(
                    command,
                    Command::Settle {
                        report: Report::Finished(..),
                        ..
                    }
                );
                ensure!(checked, "finished without a check (A-2)");
            }
            Effect::Split { task, .. } => {
                self.leases.remove(task);
            }
            Effect::Arbitrate { task, epoch } => {
                let held = self.leases.get(task);
                ensure!(held.is_none(), "{task} is arbitrated, but {held:?}");
                self.last_epoch = Some(*epoch);
                let lease = Lease {
                    epoch: *epoch,
                    worker: WorkerId(0),
                    until: u64::MAX,
                    running: true,
                    checking: true,
                };
                self.leases.insert(*task, lease);
            }
            Effect::Distrusted { identity, .. } => {
                let who = &self.who;
                self.leases
                    .retain(|_, lease| who.get(&lease.worker) != Some(identity));
            }
            Effect::Reopened(task) => {
                self.attempts.remove(task);
            }
            Effect::Retry {
                task,
                attempts,
                failure,
            } => {
                let enough = self.failed(*task, *attempts, failure, failures)?;
                ensure!(!enough, "{task} is tried once too often: {attempts:?}");
            }
            Effect::Quarantined {
                task,
                attempts,
                failure,
            } => {
                let enough = self.failed(*task, *attempts, failure, failures)?;
                ensure!(enough, "{task} is given up too early: {attempts:?}");
            }
            Effect::Left(_)
            | Effect::UnknownWorker(_)
            | Effect::StopAsked { .. }
            | Effect::Kept { .. }
            | Effect::Dropped(_)
            | Effect::Doubted { .. } => {}
        }
        Ok(())
    }

    /// Whether a failure that must have been was the last one.
    fn failed(
        &mut self,
        task: TaskId,
        attempts: Attempts,
        failure: &Failure,
        failures: &mut BTreeMap<TaskId, Failure>,
    ) -> Result<bool, String> {
        let expected = failures.remove(&task);
        ensure!(
            expected.as_ref() == Some(failure),
            "{task} failed of {failure:?}, not of {expected:?}"
        );
        let known = self.attempts.entry(task).or_default();
        known.failures += 1;
        if failure.is_out_of_memory() {
            if known.class == MemoryClass::TOP {
                known.top_failures += 1;
            } else {
                known.class = MemoryClass::new(known.class.number() + 1);
            }
        }
        ensure!(*known == attempts, "{task}: {attempts:?}, not {known:?}");
        Ok(known.failures >= self.max_failures || known.top_failures >= 2)
    }
}
