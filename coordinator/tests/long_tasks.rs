//! Checkpoints of long tasks, and requests to stop them, over real sockets and with a real store.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

use std::path::Path;

use misere_census::{
    Budget, InterruptCause, Lease, MemoryClass, Plan, Space, Task, WorkerId, checkpoint,
};
use misere_coordinator::driver;
use misere_coordinator::observer::Waits;
use misere_coordinator::{Coordinator, Settings};
use misere_engine::quotient::{Checkpoint, Limits, Strategy, solve_spaced};
use misere_game::control::{Control, Interrupt};
use misere_ledger::{LeaseConfig, TrustConfig};
use misere_store::Store;
use misere_worker::link::{Holdings, Introduction, LeasedTask, Link, ReportReply};
use misere_worker::pool::ComputationResult;
use misere_worker::solve_task;
use tonic::transport::Endpoint;

const TERMS: LeaseConfig = LeaseConfig {
    duration_ms: 60_000,
    max_failures: 3,
    max_batch: 4,
    work_ahead_ms: 2_000,
    max_queued_ms: 10_000,
    trust: TrustConfig {
        first_one_in: 0,
        wait_for_others_ms: 1_000,
        spot_check_one_in: 0,
        ..TrustConfig::USUAL
    },
    ..LeaseConfig::USUAL
};

fn long_plan(codes: &[&str]) -> Plan {
    let codes = codes.iter().map(|code| code.parse().unwrap()).collect();
    let limits = Limits {
        max_heap: 30,
        ..Limits::default()
    };
    let budget = Budget {
        limits,
        ..Budget::default()
    };
    Plan::new(Space::Codes(codes), budget).unwrap()
}

async fn coordinator(dir: &Path, plan: &Plan) -> Coordinator {
    let settings = Settings {
        data: dir.to_owned(),
        plan: plan.clone(),
        listen: "127.0.0.1:0".parse().unwrap(),
        terms: TERMS,
        check_threads: 1,
        retry_quarantined: false,
    };
    Coordinator::start(settings).await.unwrap()
}

fn link(coordinator: &Coordinator) -> Link {
    let url = format!("http://{}", coordinator.address());
    Link::new(Endpoint::from_shared(url).unwrap())
}

/// Returns the checkpoints of a task, as if they came every two milliseconds.
fn checkpoints(task: &Task) -> Vec<Vec<u8>> {
    let task = task.as_game().unwrap();
    let limits = &task.budget.limits;
    let mut written = Vec::new();
    let mut keep = |at: &Checkpoint| {
        written.push(checkpoint::encode(&task.code, limits, at).unwrap());
    };
    let control = &mut Control::new(task.budget.fuel, Interrupt::default());
    let (exact, every) = (Strategy::Exact, 2_000_000);
    let _ = solve_spaced(&task.code, limits, exact, None, &mut keep, every, control);
    written
}

async fn lease(link: &mut Link, worker: WorkerId) -> (LeasedTask, Lease) {
    let leases = link.lease(worker, Holdings::default(), 1, 0).await;
    let leased = leases.unwrap().leased.remove(0);
    let (task, epoch) = (leased.task.id(), leased.epoch);
    (leased, Lease { task, epoch })
}

#[tokio::test(flavor = "multi_thread")]
async fn the_next_worker_gets_the_latest_checkpoint_of_its_task_and_no_other() {
    let plan = long_plan(&["0.142"]);
    let dir = tempfile::tempdir().unwrap();
    let coordinator = coordinator(dir.path(), &plan).await;
    let mut link = link(&coordinator);
    let (one, _) = link.register("one", 1).await.unwrap();
    let (two, _) = link.register("two", 1).await.unwrap();
    let (leased, key) = lease(&mut link, one).await;
    assert!(!leased.resumed);
    let written = checkpoints(&leased.task);
    let [first, second, ..] = &written[..] else {
        panic!("{} checkpoints", written.len())
    };
    assert_eq!(link.fetch_checkpoint(one, key).await.unwrap(), None);
    assert!(link.keep_checkpoint(one, key, second).await.unwrap());
    // Refused: an earlier checkpoint, another worker's, nonsense, an empty one, another game's.
    assert!(!link.keep_checkpoint(one, key, first).await.unwrap());
    assert!(!link.keep_checkpoint(two, key, second).await.unwrap());
    assert!(!link.keep_checkpoint(one, key, b"nonsense").await.unwrap());
    assert!(!link.keep_checkpoint(one, key, &[]).await.unwrap());
    let other = Task::game("0.26".parse().unwrap(), Vec::new(), leased.task.budget());
    for foreign in checkpoints(&other).iter().rev().take(1) {
        assert!(!link.keep_checkpoint(one, key, foreign).await.unwrap());
    }
    let standing = coordinator.observer().standing();
    assert_eq!(standing.workers.len(), 2);
    link.leave(one).await.unwrap();
    assert!(!link.keep_checkpoint(two, key, second).await.unwrap());
    let (again, key) = lease(&mut link, two).await;
    assert!(again.resumed);
    let fetched = link.fetch_checkpoint(two, key).await.unwrap();
    assert_eq!(fetched.as_ref(), Some(second));
    coordinator.stop().await.unwrap();

    // The checkpoint outlives the coordinator, and is removed with the record.
    let coordinator = self::coordinator(dir.path(), &plan).await;
    let mut link = self::link(&coordinator);
    let (three, _) = link.register("three", 1).await.unwrap();
    let (again, key) = lease(&mut link, three).await;
    assert!(again.resumed);
    let fetched = link.fetch_checkpoint(three, key).await.unwrap();
    assert_eq!(fetched.as_ref(), Some(second));
    let solution = solve_task(again.task.as_game().unwrap(), Interrupt::default());
    let bytes = misere_census::certificate::encode(&solution).unwrap();
    let reported = link
        .report(
            three,
            key,
            &ComputationResult::Certificate(bytes),
            InterruptCause::Shutdown,
        )
        .await;
    assert_eq!(reported.unwrap(), ReportReply::Accepted);
    assert_eq!(link.fetch_checkpoint(three, key).await.unwrap(), None);
    coordinator.stop().await.unwrap();
    let store = Store::open_read_only(dir.path()).unwrap();
    assert_eq!(store.checkpoints().unwrap(), []);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_task_told_to_stop_is_named_to_its_holder() {
    let plan = long_plan(&["0.142", "0.26"]);
    let dir = tempfile::tempdir().unwrap();
    let coordinator = coordinator(dir.path(), &plan).await;
    let mut link = link(&coordinator);
    let (one, _) = link.register("one", 1).await.unwrap();
    let (leased, key) = lease(&mut link, one).await;
    let url = format!("http://{}", coordinator.address());
    let url = Endpoint::from_shared(url).unwrap();
    let stop = |name: String| {
        let command = misere_coordinator::rpc::Command::StopTask(name);
        misere_coordinator::rpc::order(&url, command)
    };
    let code = leased.task.to_string();
    let running = misere_proto::Running {
        lease: key,
        progress: Default::default(),
    };
    let holdings = || Holdings {
        running: vec![running],
        queued: vec![],
    };
    // No worker has reported yet that it computes the task.
    let idle = stop(code.clone()).await.unwrap_err();
    assert_eq!(idle.code(), tonic::Code::NotFound);
    assert!(
        link.heartbeat(one, holdings())
            .await
            .unwrap()
            .stop
            .is_empty()
    );
    let mut snapshots = coordinator.snapshots();
    let seen = |snapshot: &driver::Snapshot| {
        snapshot
            .workers
            .iter()
            .any(|worker| !worker.running.is_empty())
    };
    // An operator's snapshot lags a little behind.
    while !seen(&snapshots.borrow_and_update()) {
        link.heartbeat(one, holdings()).await.unwrap();
    }
    stop(code).await.unwrap();
    assert_eq!(link.heartbeat(one, holdings()).await.unwrap().stop, [key]);
    let given_back = link
        .report(
            one,
            key,
            &ComputationResult::Stopped,
            InterruptCause::Shutdown,
        )
        .await;
    assert_eq!(given_back.unwrap(), ReportReply::Accepted);
    // The other game is granted first now, then this one again, without a failure.
    let (other, _) = lease(&mut link, one).await;
    assert_ne!(other.task, leased.task);
    let (again, _) = lease(&mut link, one).await;
    assert_eq!((again.task, again.failures), (leased.task, 0));
    coordinator.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_gets_what_it_has_the_memory_for() {
    let plan = long_plan(&["0.142"]);
    let dir = tempfile::tempdir().unwrap();
    let coordinator = coordinator(dir.path(), &plan).await;
    let mut link = link(&coordinator);
    let introduction = |name, class| Introduction {
        name,
        slots: 1,
        class: MemoryClass::new(class),
    };
    let small = link.introduce(introduction("small", 0)).await.unwrap();
    assert_eq!(small.census, plan.id().to_string());
    let (_, key) = lease(&mut link, small.worker).await;
    let out = ComputationResult::Failed(misere_census::Failure::OutOfMemory { limit: None });
    let reported = link
        .report(small.worker, key, &out, InterruptCause::Shutdown)
        .await;
    assert_eq!(reported.unwrap(), ReportReply::Accepted);
    let nothing = link.lease(small.worker, Holdings::default(), 1, 0).await;
    assert!(nothing.unwrap().leased.is_empty());
    let example = "0.142".to_owned();
    let waits = Waits::Memory {
        class: 1,
        tasks: 1,
        example,
    };
    let mut snapshots = coordinator.snapshots();
    while !coordinator.observer().standing().waiting.contains(&waits) {
        snapshots.changed().await.unwrap();
    }
    let large = link.introduce(introduction("large", 1)).await.unwrap();
    let (leased, _) = lease(&mut link, large.worker).await;
    assert_eq!(leased.failures, 1);
    coordinator.stop().await.unwrap();
}
