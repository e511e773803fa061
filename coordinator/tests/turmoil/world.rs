//! A coordinator and its workers on the hosts of a simulated network.
//!
//! The network, its timers and its faults are simulated, drawn from a seed; coordinator, store,
//! checkers and workers are the real ones, with their threads and clocks. Simulated time therefore
//! keeps up with real time, [`SPEED`] times as fast: a silent connection is noticed in a second.
//! The work under way when a fault strikes differs from run to run; the census must not.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use misere_census::{Budget, CensusDigest, Plan, Space};
use misere_coordinator::driver::Snapshot;
use misere_coordinator::{Coordinator, Settings};
use misere_ledger::{CheckConfig, LeaseConfig, TrustConfig};
use misere_store::{Store, is_in_use};
use misere_worker::{Compute, Guards, Isolation, solve_task};
use tokio::sync::watch;
use turmoil::Sim;

use super::connection::{COORDINATOR, connections, link};

/// The factor by which simulated time is faster than real time.
const SPEED: u32 = 10;

/// Simulated time of one step.
const TICK: Duration = Duration::from_millis(5);

/// Real time after which an unfinished census counts as stuck.
const WAIT_TIMEOUT: Duration = Duration::from_secs(60);

/// Least duration of a task, so that there is work to disturb.
const TASK: Duration = Duration::from_millis(10);

pub(crate) const WORKERS: [&str; 2] = ["worker-1", "worker-2"];

pub(crate) struct World {
    sim: Sim<'static>,
    data: tempfile::TempDir,
    seen: Rc<RefCell<Option<watch::Receiver<Snapshot>>>>,
    begun: Instant,
}

impl World {
    /// Starts a coordinator and all workers.
    pub(crate) fn new(seed: u64) -> Self {
        let mut sim = turmoil::Builder::new()
            .rng_seed(seed)
            .tick_duration(TICK)
            .simulation_duration(WAIT_TIMEOUT * SPEED * 2)
            .min_message_latency(Duration::from_millis(1))
            .max_message_latency(Duration::from_millis(20))
            .tcp_capacity(4096)
            .enable_tokio_io()
            .build();
        let data = tempfile::tempdir().unwrap();
        let seen = Rc::default();
        let (dir, shows) = (data.path().to_owned(), Rc::clone(&seen));
        sim.host(COORDINATOR, move || {
            coordinate(dir.clone(), Rc::clone(&shows))
        });
        for name in WORKERS {
            sim.host(name, move || work(name));
        }
        let begun = Instant::now();
        Self {
            sim,
            data,
            seen,
            begun,
        }
    }

    /// Runs the world for this time by its own clock.
    pub(crate) fn pass(&mut self, time: Duration) {
        let until = self.sim.elapsed() + time;
        while self.sim.elapsed() < until {
            self.step();
        }
    }

    /// Runs the world until this number of tasks is finished.
    pub(crate) fn until_finished(&mut self, tasks: u64) {
        while self.finished() < tasks {
            self.step();
        }
    }

    /// Runs the world to the end of the census and returns its digest.
    pub(crate) fn digest_at_the_end(mut self) -> CensusDigest {
        self.until_finished(task_count());
        // The coordinator closes the store when its host dies.
        self.sim.crash(COORDINATOR);
        WORKERS.into_iter().for_each(|name| self.sim.crash(name));
        let store = patiently(|| Store::open_read_only(self.data.path()).ok());
        assert_eq!(store.counters().quarantined, 0);
        store.digest().unwrap()
    }

    pub(crate) fn network(&mut self) -> &mut Sim<'static> {
        &mut self.sim
    }

    fn finished(&self) -> u64 {
        let seen = self.seen.borrow();
        let snapshot = seen.as_ref().map(|seen| seen.borrow().finished());
        snapshot.unwrap_or(0)
    }

    fn step(&mut self) {
        assert!(
            self.begun.elapsed() < WAIT_TIMEOUT,
            "the census does not end"
        );
        // Real threads need their time before the world goes on.
        let due = self.sim.elapsed() / SPEED;
        std::thread::sleep(due.saturating_sub(self.begun.elapsed()));
        self.sim.step().unwrap();
    }
}

/// Returns the digest of a census without faults.
pub(crate) fn undisturbed() -> CensusDigest {
    World::new(0).digest_at_the_end()
}

pub(crate) fn task_count() -> u64 {
    misere_census::plan::tasks(&plan()).len() as u64
}

fn plan() -> Plan {
    let budget = Budget {
        fuel: 2_000,
        ..Budget::default()
    };
    Plan::new(Space::Octal { digits: 2 }, budget).unwrap()
}

type HostResult = Result<(), Box<dyn std::error::Error>>;

async fn coordinate(
    data: PathBuf,
    shows: Rc<RefCell<Option<watch::Receiver<Snapshot>>>>,
) -> HostResult {
    // Threads of the crashed coordinator are still ending; a killed process would have none.
    while is_in_use(&data) {
        tokio::time::sleep(TICK).await;
    }
    let coordinator = Coordinator::start_on(settings(&data), connections().await?).await?;
    shows.replace(Some(coordinator.snapshots()));
    // Hosts never end by themselves: the simulation stops them.
    std::future::pending().await
}

fn settings(data: &Path) -> Settings {
    Settings {
        data: data.to_owned(),
        plan: plan(),
        listen: "127.0.0.1:0".parse().unwrap(),
        terms: LeaseConfig {
            duration_ms: 400,
            // Network faults must not count as failures of tasks, however many there are.
            max_failures: 1_000,
            max_batch: 8,
            work_ahead_ms: 50,
            max_queued_ms: 400,
            checks: CheckConfig::USUAL,
            trust: TrustConfig {
                wait_for_others_ms: 1_000,
                ..TrustConfig::default()
            },
        },
        check_threads: 1,
        retry_quarantined: false,
    }
}

async fn work(name: &'static str) -> HostResult {
    let settings = misere_worker::Settings {
        coordinator: String::new(),
        name: name.to_owned(),
        slots: 1,
        guards: Guards::default(),
        isolation: Isolation::default(),
        grace: Duration::ZERO,
        memory_class: misere_census::MemoryClass::TOP,
        checkpoint_every: misere_worker::CHECKPOINT_INTERVAL,
        give_up_after: None,
        sign_of_life: None,
    };
    let compute: Compute = Arc::new(|task, interrupt| {
        std::thread::sleep(TASK);
        solve_task(task, interrupt)
    });
    let (_stop, stops) = watch::channel(false);
    misere_worker::run_over(link(), settings, compute, stops).await?;
    Ok(())
}

fn patiently<T>(mut attempt: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(done) = attempt() {
            return done;
        }
        assert!(begun.elapsed() < WAIT_TIMEOUT, "never");
        std::thread::sleep(Duration::from_millis(5));
    }
}
