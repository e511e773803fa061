//! Throughput of coordinator and worker in tasks per second, with tasks that take no time.
//!
//! `cargo bench -p misere-coordinator --bench dispatch` prints a table. Coordinator and worker talk
//! over loopback, as they do on two machines; every certificate is checked, every record is synced
//! to the disk of the temporary directory (`TMPDIR`). The tasks are all codes of five digits with
//! one unit of fuel: the engine gives up at once. The clock runs from the start of the worker to
//! the last record on disk; processor time is the whole process's in this interval.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    missing_docs,
    reason = "a bench"
)]

mod processor;

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use misere_census::{Budget, Plan, Space, plan};
use misere_coordinator::driver::Snapshot;
use misere_coordinator::{Coordinator, Settings};
use misere_ledger::LeaseConfig;
use misere_store::Store;
use misere_worker::{Guards, Isolation, solve_task};
use tokio::sync::watch;

use processor::processor_seconds;

const ROUNDS: u32 = 3;

fn main() {
    let slots = std::thread::available_parallelism().map_or(2, usize::from);
    let budget = Budget {
        fuel: 1,
        ..Budget::default()
    };
    let plan = Plan::new(Space::Octal { digits: 5 }, budget).unwrap();
    let (start, processor) = (Instant::now(), processor_seconds());
    let tasks = plan::tasks(&plan).len();
    println!(
        "plan of {tasks} tasks: {:.2} s, {:.2} s of processor",
        start.elapsed().as_secs_f64(),
        processor_seconds() - processor
    );
    println!(
        "{:>10} {:>12} {:>16} {:>12} {:>14}",
        "tasks/s", "seconds", "processor µs", "commits", "bytes/record"
    );
    let runtime = tokio::runtime::Runtime::new().unwrap();
    for _ in 0..ROUNDS {
        let dir = tempfile::tempdir().unwrap();
        runtime.block_on(round(dir.path(), &plan, slots));
    }
}

async fn round(dir: &Path, plan: &Plan, slots: usize) {
    let settings = Settings {
        data: dir.to_owned(),
        plan: plan.clone(),
        listen: "127.0.0.1:0".parse().unwrap(),
        terms: LeaseConfig::default(),
        check_threads: slots,
        retry_quarantined: false,
    };
    let coordinator = Coordinator::start(settings).await.unwrap();
    let observer = coordinator.observer();
    let statistics = observer.statistics();
    let (bytes, commits) = (statistics.bytes(), statistics.commits());
    let settings = misere_worker::Settings {
        coordinator: format!("http://{}", coordinator.address()),
        name: "bench".to_owned(),
        slots,
        guards: Guards::default(),
        isolation: Isolation::default(),
        grace: Duration::ZERO,
        memory_class: misere_census::MemoryClass::TOP,
        checkpoint_every: misere_worker::CHECKPOINT_INTERVAL,
        give_up_after: None,
        sign_of_life: None,
    };
    let (start, processor) = (Instant::now(), processor_seconds());
    let (_stop, stops) = watch::channel(false);
    let worker = tokio::spawn(misere_worker::run(settings, Arc::new(solve_task), stops));
    let mut snapshots = coordinator.snapshots();
    let finished = snapshots.wait_for(Snapshot::is_finished);
    let tasks = finished.await.unwrap().counters.tasks as f64;
    let (seconds, processor) = (
        start.elapsed().as_secs_f64(),
        processor_seconds() - processor,
    );
    println!(
        "{:>10.0} {seconds:>12.2} {:>16.1} {:>12} {:>14.0}",
        tasks / seconds,
        processor / tasks * 1e6,
        statistics.commits() - commits,
        (statistics.bytes() - bytes) as f64 / tasks,
    );
    worker.await.unwrap().unwrap();
    coordinator.stop().await.unwrap();
    // Optimizations must not change the census.
    let digest = Store::open_read_only(dir).unwrap().digest().unwrap();
    println!("{:>10} {digest}", "digest");
}
