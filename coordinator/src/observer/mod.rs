//! The state of a running census, as an operator sees it.
//!
//! Counters, workers, pace and time left, gathered for all readers: `misere census status`,
//! metrics, health checks. Observing changes nothing, and nothing seen here is part of the census
//!

mod rates;
mod readiness;
mod status;

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::{Duration, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use tokio::sync::watch;
use tokio::time::Instant;

use misere_ledger::{CheckCounts, Conduct, Reservation};
use misere_store::marks::short;
use misere_store::{Counters, Files, Level, Marked, Store, StoreError, WriteStatistics};

use crate::check_threads::{CertificateVerifier, CheckBacklog};
use crate::connections::ConnectionLimiter;
use crate::driver::{DriverClosedError, DriverHandle, Snapshot, Waiting, WorkerSnapshot};
use crate::rpc::call_statistics::CallStatistics;
use crate::rpc::{Identities, Orders, SharedCertificate, Tls};

pub use rates::{Rates, Remaining};
use readiness::Checks;
pub use readiness::ReadinessError;
pub use status::{CensusState, CensusStatus};

/// The observer of a running census.
#[derive(Clone, Debug)]
pub struct Observer {
    driver: DriverHandle,
    snapshots: watch::Receiver<Snapshot>,
    orders: Orders,
    statistics: Arc<WriteStatistics>,
    files: Files,
    rates: Arc<Mutex<Rates>>,
    checks: Arc<Mutex<Checks>>,
    gates: Arc<Mutex<Vec<ConnectionLimiter>>>,
    identities: Identities,
    tls: Arc<OnceLock<Tls>>,
    calls: CallStatistics,
    backlog: CheckBacklog,
    verifier: Option<CertificateVerifier>,
}

/// The state of a running census.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LiveStatus {
    /// The durable counts of tasks.
    pub counters: Counters,
    /// The levels of the misère quotients, by their order.
    #[serde(default)]
    pub levels: Vec<Level>,
    /// The number of tasks to be granted.
    pub ready: u64,
    /// The number of tasks held by workers.
    pub leased: u64,
    /// The number of tasks whose certificate is being checked.
    pub checking: u64,
    /// Whether an operator has paused the census, so that no task is granted.
    pub paused: bool,
    /// The workers, each with its running tasks.
    pub workers: Vec<Worker>,
    /// The number of tasks finished per second over the last minute, or over its observed part.
    pub per_second: Option<f64>,
    /// The estimate of the time left.
    pub remaining: Remaining,
    /// The reasons for which the census waits, apart from tasks being done.
    pub waiting: Vec<Waits>,
    /// The certificates that several workers show; such workers do not check each other.
    #[serde(default)]
    pub shared_certificates: Vec<SharedCertificate>,
    /// The workers that are distrusted or banned, connected or not.
    #[serde(default)]
    pub caught: Vec<Caught>,
    /// The number of workers that an operator has evicted since the coordinator was started.
    #[serde(default)]
    pub evicted: u64,
    /// The time at which the coordinator's certificate expires, in milliseconds of Unix time.
    ///
    /// `None` in plaintext.
    #[serde(default)]
    pub certificate_expires_ms: Option<u64>,
    /// The checks that other machines make.
    #[serde(default)]
    pub checkers: CheckersStatus,
    /// Whether certificates that a distrusted checker accepted are being checked again.
    #[serde(default)]
    pub rechecking: bool,
}

/// The checkers, and the certificates that they have checked since the coordinator was started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckersStatus {
    /// The checkers that are connected.
    pub connected: u64,
    /// The certificates that they hold.
    pub held: u64,
    /// The certificates that were accepted on their word.
    pub accepted: u64,
    /// The accepted certificates that the coordinator checked again.
    pub checked_again: u64,
    /// The certificates that they left unanswered.
    pub unanswered: u64,
    /// The verdicts that differed from the coordinator's.
    pub errors: u64,
}

impl From<CheckCounts> for CheckersStatus {
    fn from(counts: CheckCounts) -> Self {
        Self {
            connected: counts.checkers as u64,
            held: counts.sent as u64,
            accepted: counts.believed,
            checked_again: counts.sampled,
            unanswered: counts.unanswered,
            errors: counts.errors,
        }
    }
}

/// The connected workers, and those that are distrusted or banned.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Roll {
    /// The connected workers.
    pub workers: Vec<Worker>,
    /// The workers that are distrusted or banned, connected or not.
    pub caught: Vec<Caught>,
    /// The number of workers that an operator has evicted since the coordinator was started.
    pub evicted: u64,
}

impl From<LiveStatus> for Roll {
    fn from(standing: LiveStatus) -> Self {
        let LiveStatus {
            workers,
            caught,
            evicted,
            ..
        } = standing;
        Self {
            workers,
            caught,
            evicted,
        }
    }
}

/// A worker that is distrusted or banned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Caught {
    /// The name that the worker gave.
    pub name: String,
    /// The first digits of the worker's identity, the same over all its connections.
    pub identity: String,
    /// The fingerprint of the certificate that the worker showed last.
    pub fingerprint: Option<String>,
    /// The misconduct in a word.
    pub misdeed: String,
    /// The misconduct in a sentence.
    pub why: String,
    /// The game at which the worker was caught, if there is one.
    pub game: Option<String>,
    /// The time of the mark, in milliseconds of Unix time.
    pub at_ms: u64,
    /// Whether an operator has banned the worker.
    pub banned: bool,
}

impl From<&Marked> for Caught {
    fn from(mark: &Marked) -> Self {
        Self {
            name: mark.name.clone(),
            identity: short(mark.identity),
            fingerprint: mark.fingerprint.clone(),
            misdeed: mark.why.word().to_owned(),
            why: mark.why.to_string(),
            game: mark.game.clone(),
            at_ms: mark.at_ms,
            banned: mark.banned,
        }
    }
}

/// The trust in a worker, and its work since the coordinator was started.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trust {
    /// The state of trust: `trusted`, `held back` or `distrusted`.
    pub state: String,
    /// The reason why the worker gets no tasks, if that is on purpose.
    pub why: Option<String>,
    /// The number of games that the worker finished.
    pub finished: u64,
    /// The number of games on which another worker agreed with this one.
    pub agreed: u32,
    /// The number of games of this worker's refused certificates that others could finish.
    pub refused: u32,
    /// The number of games that others could finish and this worker could not.
    pub failed_alone: u32,
    /// The number of games that this worker alone failed at since it last finished one.
    pub failing: u32,
    /// The share of the worker's games that another worker does again: one in this many.
    pub confirmed_one_in: u32,
}

/// A reason for which a census waits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "for", rename_all = "snake_case")]
pub enum Waits {
    /// The census waits for a worker.
    Workers,
    /// The census waits for a worker that offers this memory class.
    Memory {
        /// The memory class.
        class: u8,
        /// The number of tasks that need the class, among the next ones.
        tasks: u64,
        /// The game of one of these tasks.
        example: String,
    },
}

/// A worker, as an operator sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Worker {
    /// The number of the worker.
    pub worker: String,
    /// The name of the worker.
    pub name: String,
    /// The number of tasks that the worker computes at once.
    pub threads: u32,
    /// The greatest memory class of tasks that the worker takes.
    pub memory_class: u8,
    /// The first digits of the worker's identity, the same over all its connections.
    #[serde(default)]
    pub identity: String,
    /// The fingerprint of the worker's certificate, if it showed one.
    #[serde(default)]
    pub fingerprint: Option<String>,
    /// The number of games that the worker holds, waiting or being computed.
    #[serde(default)]
    pub held: u64,
    /// The time since the worker's last message, in milliseconds.
    #[serde(default)]
    pub silent_ms: u64,
    /// Whether an operator drains the worker, so that it gets no more games and then ends.
    #[serde(default)]
    pub draining: bool,
    /// The trust in the worker.
    #[serde(default)]
    pub trust: Trust,
    /// The tasks that the worker computes.
    pub running: Vec<Running>,
}

/// A task being computed, as an operator sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Running {
    /// The code of the game.
    pub code: String,
    /// The largest heap settled.
    pub heap: u32,
    /// The order of the partial quotient at that heap.
    pub order: u32,
    /// The time for which the task has been running, in milliseconds.
    pub running_ms: u64,
    /// The checkpoint that is kept of the task, if there is one.
    pub checkpoint: Option<CheckpointStatus>,
}

/// A checkpoint, as an operator sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckpointStatus {
    /// The largest heap known.
    pub heap: u32,
    /// The fuel spent to reach the checkpoint.
    pub fuel: u64,
}

impl Observer {
    /// Observes the snapshots of a driver and its store, and begins to record the pace.
    ///
    /// Must be called within a tokio runtime.
    #[must_use]
    pub fn start(
        driver: DriverHandle,
        snapshots: watch::Receiver<Snapshot>,
        orders: Orders,
        (statistics, files): (Arc<WriteStatistics>, Files),
    ) -> Self {
        let rates = Arc::new(Mutex::new(Rates::default()));
        let checks = Arc::default();
        let noted = (Arc::downgrade(&rates), Arc::downgrade(&checks));
        tokio::spawn(note(snapshots.clone(), orders.clone(), noted));
        Self {
            driver,
            snapshots,
            orders,
            statistics,
            files,
            rates,
            checks,
            gates: Arc::default(),
            identities: Identities::default(),
            tls: Arc::default(),
            calls: CallStatistics::default(),
            backlog: CheckBacklog::default(),
            verifier: None,
        }
    }

    /// Adds the certificate of the coordinator to the observed things, once.
    pub(crate) fn watch_tls(&self, tls: Tls) {
        // A second one would be that of another coordinator, which has an observer of its own.
        let _ = self.tls.set(tls);
    }

    /// Adds the identities of workers to the observed things.
    #[must_use]
    pub fn with_identities(mut self, identities: Identities) -> Self {
        self.identities = identities;
        self
    }

    /// Adds the checks of a verifier to the observed things.
    #[must_use]
    pub fn with_checks(mut self, verifier: CertificateVerifier) -> Self {
        self.backlog = verifier.backlog().clone();
        self.verifier = Some(verifier);
        self
    }

    /// Returns the counts of checks by others.
    #[must_use]
    pub fn check_counts(&self) -> CheckCounts {
        let counts = self
            .verifier
            .as_ref()
            .map(CertificateVerifier::check_counts);
        counts.unwrap_or_default()
    }

    /// Adds a gate to the observed things, from now on.
    pub fn watch(&self, gate: ConnectionLimiter) {
        self.lock_gates().push(gate);
    }

    /// Returns the gates through which connections come.
    #[must_use]
    pub fn gates(&self) -> Vec<ConnectionLimiter> {
        self.lock_gates().clone()
    }

    fn lock_gates(&self) -> MutexGuard<'_, Vec<ConnectionLimiter>> {
        self.gates.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the state of the census.
    #[must_use]
    pub fn standing(&self) -> LiveStatus {
        let snapshot = self.snapshots.borrow().clone();
        let rates = self.rates.lock().unwrap_or_else(PoisonError::into_inner);
        let workers = snapshot.workers.iter().map(|known| Worker {
            draining: self.orders.is_draining(known.worker),
            ..worker(known)
        });
        LiveStatus {
            counters: snapshot.counters,
            levels: snapshot.levels,
            ready: snapshot.ready,
            leased: snapshot.leased,
            checking: snapshot.checking,
            paused: self.orders.paused(),
            workers: workers.collect(),
            per_second: rates.per_second(),
            remaining: match (snapshot.counters.pending(), snapshot.workers.is_empty()) {
                (0, _) => Remaining::Nothing,
                (_, true) => Remaining::Unknown,
                (left, false) => rates.remaining(left),
            },
            waiting: snapshot.waiting.iter().map(waits).collect(),
            shared_certificates: self
                .identities
                .shared(&snapshot.workers.iter().map(|at| at.worker).collect()),
            caught: snapshot.marked.iter().map(Caught::from).collect(),
            evicted: snapshot.evicted,
            certificate_expires_ms: self.tls.get().and_then(Tls::expires).and_then(|time| {
                let since = time.duration_since(UNIX_EPOCH).ok()?;
                u64::try_from(since.as_millis()).ok()
            }),
            checkers: self.check_counts().into(),
            rechecking: snapshot.rechecking,
        }
    }

    /// Returns the status of the census, with its plan.
    ///
    /// May block.
    ///
    /// # Errors
    /// [`StoreError`] if the store cannot be read.
    pub fn status(&self) -> Result<CensusStatus, StoreError> {
        let store = self.files.read()?;
        Ok(CensusStatus::of(&store, Some(self.standing()), true))
    }

    /// Returns the statistics of calls since the coordinator was started.
    #[must_use]
    pub fn calls(&self) -> &CallStatistics {
        &self.calls
    }

    /// Returns the certificates that wait for a check, and the time that checks have taken.
    #[must_use]
    pub fn backlog(&self) -> &CheckBacklog {
        &self.backlog
    }

    /// Returns the statistics of writes since the store was opened.
    #[must_use]
    pub fn statistics(&self) -> &WriteStatistics {
        &self.statistics
    }

    /// Returns the files of the store.
    #[must_use]
    pub fn files(&self) -> &Files {
        &self.files
    }

    /// Returns the handle of the driver, for the orders of an operator.
    #[must_use]
    pub fn driver(&self) -> &DriverHandle {
        &self.driver
    }

    /// Calls a function with the store, between two commits.
    ///
    /// # Errors
    /// [`DriverClosedError`] if the driver has ended.
    pub async fn with_store<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Store) -> T + Send + 'static,
    ) -> Result<T, DriverClosedError> {
        self.driver.with_store(work).await
    }
}

fn worker(snapshot: &WorkerSnapshot) -> Worker {
    let conduct = snapshot.conduct.as_ref();
    Worker {
        worker: snapshot.worker.to_string(),
        name: snapshot.name.clone(),
        threads: snapshot.slots,
        memory_class: snapshot.class.number(),
        identity: conduct.map_or_else(String::new, |conduct| short(conduct.identity)),
        fingerprint: snapshot.fingerprint.clone(),
        held: conduct.map_or(0, |conduct| conduct.held),
        silent_ms: conduct.map_or(0, |conduct| conduct.silent_ms),
        draining: false,
        trust: conduct.map_or_else(Trust::default, |conduct| trust(conduct, snapshot)),
        running: snapshot.running.iter().map(running).collect(),
    }
}

fn trust(conduct: &Conduct, snapshot: &WorkerSnapshot) -> Trust {
    let state = match conduct.reservation {
        None => "trusted",
        Some(Reservation::HeldBack { .. }) => "held back",
        Some(Reservation::Distrusted(_)) => "distrusted",
    };
    Trust {
        state: state.to_owned(),
        why: snapshot.reserved.clone(),
        finished: conduct.finished,
        agreed: conduct.agreements,
        refused: conduct.refusals,
        failed_alone: conduct.faults,
        failing: conduct.failing,
        confirmed_one_in: conduct.confirmed_one_in,
    }
}

fn running(task: &crate::driver::RunningTask) -> Running {
    Running {
        code: task.name.clone(),
        heap: task.progress.heap,
        order: task.progress.order,
        running_ms: task.running_ms,
        checkpoint: task
            .kept
            .map(|(heap, fuel)| CheckpointStatus { heap, fuel }),
    }
}

fn waits(waiting: &Waiting) -> Waits {
    match waiting {
        Waiting::ForWorkers => Waits::Workers,
        Waiting::ForMemory {
            class,
            tasks,
            example,
        } => Waits::Memory {
            class: class.number(),
            tasks: *tasks,
            example: example.clone(),
        },
    }
}

/// Records the finished and checked tasks once a second, as long as an observer exists.
async fn note(
    snapshots: watch::Receiver<Snapshot>,
    orders: Orders,
    (rates, checks): (Weak<Mutex<Rates>>, Weak<Mutex<Checks>>),
) {
    let mut second = tokio::time::interval(Duration::from_secs(1));
    while let (Some(rates), Some(checks)) = (rates.upgrade(), checks.upgrade()) {
        // Before a worker is present, and while nothing is granted, time says nothing of the pace.
        let (finished, checking, is_at_work) = {
            let snapshot = snapshots.borrow();
            let rests = orders.paused() && snapshot.leased == 0;
            let is_at_work = !snapshot.workers.is_empty() && !rests;
            (snapshot.finished(), snapshot.checking, is_at_work)
        };
        if is_at_work {
            let mut rates = rates.lock().unwrap_or_else(PoisonError::into_inner);
            rates.note(finished);
        }
        {
            let mut checks = checks.lock().unwrap_or_else(PoisonError::into_inner);
            checks.note(finished, checking, Instant::now());
        }
        drop((rates, checks));
        second.tick().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_pause_is_no_part_of_the_pace() {
        let snapshot = |done, leased| Snapshot {
            counters: Counters {
                tasks: 1_000,
                done,
                ..Counters::default()
            },
            leased,
            workers: vec![WorkerSnapshot {
                worker: misere_census::WorkerId(1),
                name: String::new(),
                slots: 1,
                class: misere_census::MemoryClass::FIRST,
                fingerprint: None,
                conduct: None,
                reserved: None,
                running: Vec::new(),
            }],
            ..Snapshot::default()
        };
        let (sender, snapshots) = watch::channel(snapshot(0, 1));
        let (rates, checks) = (Arc::new(Mutex::new(Rates::default())), Arc::default());
        let orders = Orders::default();
        let noted = (Arc::downgrade(&rates), Arc::downgrade(&checks));
        tokio::spawn(note(snapshots, orders.clone(), noted));
        let seconds = async |from: u64, leased| {
            for second in 0..20 {
                sender.send_replace(snapshot(from + 5 * second * leased, leased));
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
        };
        let pace = || rates.lock().unwrap().per_second().unwrap();
        seconds(0, 1).await;
        let before = pace();
        assert!((4.0..6.0).contains(&before), "{before}");
        orders.pause(true);
        seconds(95, 0).await;
        assert!((before - pace()).abs() < 0.5, "{}", pace());
        orders.pause(false);
        seconds(95, 1).await;
        assert!((4.0..6.0).contains(&pace()), "{}", pace());
    }
}
