//! How does a running census stand?
//!
//! Counters, workers, pace and time left, gathered for all who look: `misere census status`, metrics, health checks. Looking
//! changes nothing, and nothing seen here is part of the census.

mod rates;
mod readiness;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::sync::watch;
use tokio::time::Instant;

use crate::connections::Gate;
use crate::driver::{DriverHandle, Gone, Snapshot, Waiting};
use crate::rpc::{Identities, Orders, SharedCertificate};
use crate::store::{Counters, Figures, Files, Store};

pub use rates::{Rates, Remaining};
use readiness::Checks;
pub use readiness::Unready;

/// Looks at a running census.
#[derive(Clone, Debug)]
pub struct Observer {
    driver: DriverHandle,
    snapshots: watch::Receiver<Snapshot>,
    orders: Orders,
    figures: Arc<Figures>,
    files: Files,
    rates: Arc<Mutex<Rates>>,
    checks: Arc<Mutex<Checks>>,
    gates: Arc<Mutex<Vec<Gate>>>,
    identities: Identities,
}

/// How a running census stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    /// What is durable.
    pub counters: Counters,
    /// Tasks to be handed out.
    pub ready: u64,
    /// Tasks held by workers.
    pub leased: u64,
    /// Tasks whose certificate is being checked.
    pub checking: u64,
    /// Whether an operator has it paused: nothing is handed out.
    pub paused: bool,
    /// The workers, and what each is at.
    pub workers: Vec<Worker>,
    /// Tasks finished per second over the last minute, or as much of it as was seen.
    pub per_second: Option<f64>,
    /// How long it will still take.
    pub remaining: Remaining,
    /// What it waits for, apart from tasks being done.
    pub waiting: Vec<Waits>,
    /// Certificates that several workers show, which then do not check each other.
    #[serde(default)]
    pub shared_certificates: Vec<SharedCertificate>,
}

/// What a census waits for, as an operator sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "for", rename_all = "snake_case")]
pub enum Waits {
    /// A worker.
    Workers,
    /// A worker that offers this memory class.
    Memory {
        /// The class.
        class: u8,
        /// How many tasks need it, among those that come next.
        tasks: u64,
        /// The game of one of them.
        example: String,
    },
}

/// A worker, as an operator sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Worker {
    /// Its number.
    pub worker: String,
    /// Its name.
    pub name: String,
    /// How many tasks it computes at once.
    pub threads: u32,
    /// The greatest memory class of tasks it takes.
    pub memory_class: u8,
    /// What it is at.
    pub running: Vec<Running>,
}

/// A task being computed, as an operator sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Running {
    /// The code.
    pub code: String,
    /// The largest heap settled.
    pub heap: u32,
    /// The order of the partial quotient there.
    pub order: u32,
    /// For how long it has been running, in milliseconds.
    pub running_ms: u64,
    /// How far the checkpoint goes that is kept of it, if there is one.
    pub checkpoint: Option<Kept>,
}

/// A checkpoint, as an operator sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
    /// The largest heap known.
    pub heap: u32,
    /// The fuel spent until then.
    pub fuel: u64,
}

impl Observer {
    /// Looks at what a driver publishes and at the store it was given, and begins to note how fast it goes.
    ///
    /// Must be called within a tokio runtime.
    #[must_use]
    pub fn start(
        driver: DriverHandle,
        snapshots: watch::Receiver<Snapshot>,
        orders: Orders,
        (figures, files): (Arc<Figures>, Files),
    ) -> Self {
        let rates = Arc::new(Mutex::new(Rates::default()));
        let checks = Arc::default();
        let noted = (Arc::downgrade(&rates), Arc::downgrade(&checks));
        tokio::spawn(note(snapshots.clone(), noted));
        Self {
            driver,
            snapshots,
            orders,
            figures,
            files,
            rates,
            checks,
            gates: Arc::default(),
            identities: Identities::default(),
        }
    }

    /// Looks at who shows which certificate, too.
    #[must_use]
    pub fn with_identities(mut self, identities: Identities) -> Self {
        self.identities = identities;
        self
    }

    /// Looks at a gate too, from now on.
    pub fn watch(&self, gate: Gate) {
        self.lock_gates().push(gate);
    }

    /// The gates through which connections come.
    #[must_use]
    pub fn gates(&self) -> Vec<Gate> {
        self.lock_gates().clone()
    }

    fn lock_gates(&self) -> MutexGuard<'_, Vec<Gate>> {
        self.gates.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How the census stands.
    #[must_use]
    pub fn standing(&self) -> Standing {
        let snapshot = self.snapshots.borrow().clone();
        let rates = self.rates.lock().unwrap_or_else(PoisonError::into_inner);
        let workers = snapshot.workers.iter().map(|worker| Worker {
            worker: worker.worker.to_string(),
            name: worker.name.clone(),
            threads: worker.slots,
            memory_class: worker.class.number(),
            running: worker.running.iter().map(running).collect(),
        });
        Standing {
            counters: snapshot.counters,
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
        }
    }

    /// What the store has written since it was opened.
    #[must_use]
    pub fn figures(&self) -> &Figures {
        &self.figures
    }

    /// The files of the store.
    #[must_use]
    pub fn files(&self) -> &Files {
        &self.files
    }

    /// Does something with the store between two commits.
    ///
    /// # Errors
    /// [`Gone`] if the driver has ended.
    pub async fn with_store<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Store) -> T + Send + 'static,
    ) -> Result<T, Gone> {
        self.driver.with_store(work).await
    }
}

fn running(task: &crate::driver::RunningTask) -> Running {
    Running {
        code: task.name.clone(),
        heap: task.progress.heap,
        order: task.progress.order,
        running_ms: task.running_ms,
        checkpoint: task.kept.map(|(heap, fuel)| Kept { heap, fuel }),
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

/// Notes once a second how many tasks are finished and checked, as long as somebody may ask.
async fn note(
    snapshots: watch::Receiver<Snapshot>,
    (rates, checks): (Weak<Mutex<Rates>>, Weak<Mutex<Checks>>),
) {
    let mut second = tokio::time::interval(Duration::from_secs(1));
    while let (Some(rates), Some(checks)) = (rates.upgrade(), checks.upgrade()) {
        // Before a worker is there, time says nothing of the pace.
        let (finished, checking, is_anybody_there) = {
            let snapshot = snapshots.borrow();
            let is_anybody_there = !snapshot.workers.is_empty();
            (snapshot.finished(), snapshot.checking, is_anybody_there)
        };
        if is_anybody_there {
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
