//! A worker that is told to stop returns the tasks that it has not begun, and ends those it has.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use misere_census::{Budget, Plan, Space};
use misere_coordinator::driver::Snapshot;
use misere_coordinator::{Coordinator, Settings};
use misere_ledger::LeaseConfig;
use misere_store::{EventKind, Store};
use misere_worker::{Compute, Guards, Isolation, WorkerError, solve_task};
use tokio::sync::{Notify, watch};
use tokio::task::JoinHandle;

const CODES: [&str; 6] = ["0.3", "0.77", "0.123", "0.07", "0.53", "0.26"];

const WAIT_TIMEOUT: Duration = Duration::from_secs(60);

/// A time for running tasks that no test reaches, however busy the machine is.
const LONG_GRACE: Duration = Duration::from_secs(600);

/// Returns leases so long that no task comes back by their end.
fn terms() -> LeaseConfig {
    LeaseConfig {
        duration_ms: 600_000,
        max_batch: 4,
        ..LeaseConfig::default()
    }
}

async fn coordinator(dir: &Path) -> Coordinator {
    let codes = CODES.iter().map(|code| code.parse().unwrap()).collect();
    let budget = Budget {
        fuel: 20_000,
        ..Budget::default()
    };
    let settings = Settings {
        data: dir.to_owned(),
        plan: Plan::new(Space::Codes(codes), budget).unwrap(),
        listen: "127.0.0.1:0".parse().unwrap(),
        terms: terms(),
        check_threads: 1,
        retry_quarantined: false,
    };
    Coordinator::start(settings).await.unwrap()
}

/// The codes that a worker has solved, in order.
type Solved = Arc<Mutex<Vec<String>>>;

struct Worker {
    stop: watch::Sender<bool>,
    work: JoinHandle<Result<(), WorkerError>>,
    solved: Solved,
    begins: Arc<Notify>,
}

/// Starts a worker of one slot that solves nothing while its gate is shut.
fn worker(coordinator: &Coordinator, gate: watch::Receiver<bool>, grace: Duration) -> Worker {
    let settings = misere_worker::Settings {
        coordinator: format!("http://{}", coordinator.address()),
        name: "test".to_owned(),
        slots: 1,
        guards: Guards::default(),
        isolation: Isolation::default(),
        grace,
        sign_of_life: None,
        memory_class: misere_census::MemoryClass::TOP,
        checkpoint_every: misere_worker::CHECKPOINT_INTERVAL,
        give_up_after: None,
    };
    let solved = Solved::default();
    let noted = Arc::clone(&solved);
    let begins = Arc::new(Notify::new());
    let begun = Arc::clone(&begins);
    let compute: Compute = Arc::new(move |task, interrupt| {
        begun.notify_one();
        while !*gate.borrow() && !interrupt.is_raised() {
            std::thread::sleep(Duration::from_millis(1));
        }
        if !interrupt.is_raised() {
            noted.lock().unwrap().push(task.code.to_string());
        }
        solve_task(task, interrupt)
    });
    let (stop, stops) = watch::channel(false);
    let work = tokio::spawn(misere_worker::run(settings, compute, stops));
    Worker {
        stop,
        work,
        solved,
        begins,
    }
}

async fn until(coordinator: &Coordinator, what: &str, holds: impl FnMut(&Snapshot) -> bool) {
    let mut snapshots = coordinator.snapshots();
    let seen = tokio::time::timeout(WAIT_TIMEOUT, snapshots.wait_for(holds)).await;
    seen.expect(what).unwrap();
}

/// Stops a worker that holds one task running behind its gate and at least one in its queue.
///
/// Another worker works on.
async fn stopped_with_one_running(
    dir: &Path,
    grace: Duration,
) -> (Coordinator, Worker, Worker, watch::Sender<bool>) {
    let coordinator = coordinator(dir).await;
    let (gate, shut) = watch::channel(false);
    let first = worker(&coordinator, shut, grace);
    until(&coordinator, "two are leased", |snapshot| {
        snapshot.leased >= 2
    })
    .await;
    // Leases are so long that the next heartbeat, which would report it, is minutes away.
    tokio::time::timeout(WAIT_TIMEOUT, first.begins.notified())
        .await
        .expect("one runs");
    first.stop.send_replace(true);
    let (_, open) = watch::channel(true);
    let second = worker(&coordinator, open, Duration::ZERO);
    (coordinator, first, second, gate)
}

async fn end(coordinator: Coordinator, workers: [Worker; 2], dir: &Path) -> [Vec<String>; 2] {
    until(&coordinator, "an end", Snapshot::is_finished).await;
    let mut all = vec![];
    for worker in workers {
        tokio::time::timeout(WAIT_TIMEOUT, worker.work)
            .await
            .expect("it ends")
            .unwrap()
            .unwrap();
        all.push(worker.solved.lock().unwrap().clone());
    }
    coordinator.stop().await.unwrap();
    let events = Store::open_read_only(dir).unwrap().events().unwrap();
    let failed = |happening: &EventKind| matches!(happening, EventKind::AttemptFailed { .. });
    assert!(
        !events.iter().any(|event| failed(&event.what)),
        "a stop is not a failure"
    );
    all.try_into().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_running_task_may_end_and_waiting_ones_go_back_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let (coordinator, first, second, gate) = stopped_with_one_running(dir.path(), LONG_GRACE).await;
    // The other worker finishes everything but the one running game, while the first still computes
    // it.
    let all_but_one = CODES.len() as u64 - 1;
    until(&coordinator, "the queue comes back", |snapshot| {
        snapshot.finished() == all_but_one
    })
    .await;
    assert!(!first.work.is_finished());
    gate.send_replace(true);
    let [ended, others] = end(coordinator, [first, second], dir.path()).await;
    assert_eq!((ended.len(), others.len()), (1, CODES.len() - 1));
    assert!(!others.contains(&ended[0]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_grace_everything_goes_back() {
    let dir = tempfile::tempdir().unwrap();
    let (coordinator, first, second, gate) =
        stopped_with_one_running(dir.path(), Duration::ZERO).await;
    let [ended, others] = end(coordinator, [first, second], dir.path()).await;
    drop(gate);
    assert_eq!((ended.len(), others.len()), (0, CODES.len()));
}
