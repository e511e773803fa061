//! Overhead of the system in a census, and the gain of two workers over one.
//!
//! `cargo bench -p misere-coordinator --bench share` prints a table, and `… -- DIGITS FUEL ROUNDS`
//! prints one for another census. Each round solves the tasks of the plan one after the other in a
//! loop, on one thread and on two; then in that loop with every certificate checked; then as a
//! census over loopback, with one worker of one thread, with two such workers, and with two workers
//! that are trusted without samples. All rounds have this order, so that other load of the machine
//! affects all measurements alike. Processor time is the whole process's.
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
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use misere_census::admission::verify;
use misere_census::{Budget, Plan, Space, Task, certificate, plan};
use misere_coordinator::driver::Snapshot;
use misere_coordinator::{Coordinator, Settings};
use misere_game::control::Interrupt;
use misere_ledger::{LeaseConfig, TrustConfig};
use misere_worker::{Guards, Isolation, solve_task};
use tokio::sync::watch;

use processor::processor_seconds;

/// Digits, fuel and rounds, unless others are given: half a minute of work.
const USUAL: [u64; 3] = [3, 30_000, 3];

fn main() {
    let asked = std::env::args().skip(1).filter_map(|arg| arg.parse().ok());
    let mut asked = asked.collect::<Vec<u64>>().into_iter();
    let [digits, fuel, rounds] = USUAL.map(|usual| asked.next().unwrap_or(usual));
    let budget = Budget {
        fuel,
        ..Budget::default()
    };
    let digits = u8::try_from(digits).unwrap();
    let plan = Plan::new(Space::Octal { digits }, budget).unwrap();
    let tasks: Vec<Task> = plan::tasks(&plan).collect();
    println!("{plan}: {} tasks", tasks.len());
    println!("{:>34} {:>10} {:>12}", "", "seconds", "processor s");
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let census = |workers, first_one_in| {
        let dir = tempfile::tempdir().unwrap();
        runtime.block_on(census(dir.path(), &plan, workers, first_one_in))
    };
    let believed = 0;
    let usual = TrustConfig::default().first_one_in;
    for _ in 0..rounds {
        show("a loop on one thread", || timed(|| solve(&tasks, 1, false)));
        show("a loop on two", || timed(|| solve(&tasks, 2, false)));
        show("one thread, with checks", || {
            timed(|| solve(&tasks, 1, true))
        });
        show("two, with checks", || timed(|| solve(&tasks, 2, true)));
        show("census, one worker", || census(1, usual));
        show("census, two workers", || census(2, usual));
        show("census, two workers believed", || census(2, believed));
    }
}

fn show(what: &str, work: impl FnOnce() -> (f64, f64)) {
    let (seconds, processor) = work();
    println!("{what:>34} {seconds:>10.2} {processor:>12.2}");
}

/// Returns the wall-clock and processor seconds that `work` takes.
fn timed(work: impl FnOnce()) -> (f64, f64) {
    let (start, processor) = (Instant::now(), processor_seconds());
    work();
    (
        start.elapsed().as_secs_f64(),
        processor_seconds() - processor,
    )
}

/// Solves all tasks on `threads` threads; each thread takes the next task when it is free.
fn solve(tasks: &[Task], threads: usize, check: bool) {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let solution = solve_task(task.as_game().unwrap(), Interrupt::default());
                    let bytes = certificate::encode(&solution).unwrap();
                    if check {
                        verify(task, &bytes, Interrupt::default()).unwrap();
                    }
                }
            });
        }
    });
}

/// Runs a census and times it from the start of the workers to the last record on disk.
async fn census(dir: &Path, plan: &Plan, workers: u32, first_one_in: u32) -> (f64, f64) {
    let settings = Settings {
        data: dir.to_owned(),
        plan: plan.clone(),
        listen: "127.0.0.1:0".parse().unwrap(),
        terms: LeaseConfig {
            trust: TrustConfig {
                first_one_in,
                ..TrustConfig::default()
            },
            ..LeaseConfig::default()
        },
        check_threads: 2,
        retry_quarantined: false,
    };
    let coordinator = Coordinator::start(settings).await.unwrap();
    let (start, processor) = (Instant::now(), processor_seconds());
    let crew: Vec<_> = (0..workers)
        .map(|number| {
            let settings = misere_worker::Settings {
                coordinator: format!("http://{}", coordinator.address()),
                name: format!("worker {number}"),
                slots: 1,
                guards: Guards::default(),
                isolation: Isolation::default(),
                grace: Duration::ZERO,
                memory_class: misere_census::MemoryClass::TOP,
                checkpoint_every: misere_worker::CHECKPOINT_INTERVAL,
                give_up_after: None,
                sign_of_life: None,
            };
            let (stop, stops) = watch::channel(false);
            let work = misere_worker::run(settings, Arc::new(solve_task), stops);
            (stop, tokio::spawn(work))
        })
        .collect();
    let mut snapshots = coordinator.snapshots();
    let finished = snapshots.wait_for(Snapshot::is_finished);
    finished.await.unwrap();
    let taken = (
        start.elapsed().as_secs_f64(),
        processor_seconds() - processor,
    );
    for (_stop, work) in crew {
        work.await.unwrap().unwrap();
    }
    coordinator.stop().await.unwrap();
    taken
}
