//! Coordinator and workers over real sockets: honest, lying, silent and panicking workers.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use misere_census::{Budget, CensusDigest, InterruptCause, Lease, Plan, Space, TaskId, WorkerId};
use misere_coordinator::{Coordinator, Settings};
use misere_ledger::{LeaseConfig, TrustConfig};
use misere_proto::RefusalKind;
use misere_store::{EventKind, Store};
use misere_worker::link::{Holdings, LeasedTask, Link, ReportReply};
use misere_worker::pool::ComputationResult;
use misere_worker::{Compute, Guards, Isolation, solve_task};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tonic::transport::Endpoint;

const TERMS: LeaseConfig = LeaseConfig {
    duration_ms: 1_000,
    max_failures: 3,
    max_batch: 4,
    work_ahead_ms: 2_000,
    max_queued_ms: 10_000,
    // Each test chooses its workers; `trust.rs` tests confirmation.
    trust: TrustConfig {
        first_one_in: 0,
        wait_for_others_ms: 1_000,
        spot_check_one_in: 0,
        ..TrustConfig::USUAL
    },
    ..LeaseConfig::USUAL
};

fn plan(codes: &[&str]) -> Plan {
    let codes = codes.iter().map(|code| code.parse().unwrap()).collect();
    Plan::new(
        Space::Codes(codes),
        Budget {
            fuel: 200_000,
            ..Budget::default()
        },
    )
    .unwrap()
}

fn small_plan() -> Plan {
    plan(&["0.3", "0.77", "0.123", "0.07", "0.53", "0.26", "0.16"])
}

async fn coordinator(dir: &Path, plan: &Plan) -> Coordinator {
    let settings = Settings {
        data: dir.to_owned(),
        plan: plan.clone(),
        listen: "127.0.0.1:0".parse().unwrap(),
        terms: TERMS,
        check_threads: 2,
        retry_quarantined: false,
    };
    Coordinator::start(settings).await.unwrap()
}

fn endpoint(coordinator: &Coordinator) -> Endpoint {
    Endpoint::from_shared(format!("http://{}", coordinator.address())).unwrap()
}

type Work = JoinHandle<Result<(), misere_worker::WorkerError>>;

fn worker(
    coordinator: &Coordinator,
    compute: Compute,
    guards: Guards,
) -> (watch::Sender<bool>, Work) {
    let settings = misere_worker::Settings {
        coordinator: format!("http://{}", coordinator.address()),
        name: "test".to_owned(),
        slots: 2,
        guards,
        isolation: Isolation::default(),
        grace: Duration::ZERO,
        sign_of_life: None,
        memory_class: misere_census::MemoryClass::TOP,
        checkpoint_every: misere_worker::CHECKPOINT_INTERVAL,
        give_up_after: None,
    };
    let (stop, stops) = watch::channel(false);
    (
        stop,
        tokio::spawn(misere_worker::run(settings, compute, stops)),
    )
}

async fn finish(coordinator: Coordinator) {
    let mut snapshots = coordinator.snapshots();
    let finished = snapshots.wait_for(misere_coordinator::driver::Snapshot::is_finished);
    tokio::time::timeout(Duration::from_secs(120), finished)
        .await
        .expect("it ends")
        .unwrap();
    coordinator.stop().await.unwrap();
}

fn digest(dir: &Path) -> CensusDigest {
    Store::open_read_only(dir).unwrap().digest().unwrap()
}

async fn honest_digest(plan: &Plan, workers: usize) -> CensusDigest {
    let dir = tempfile::tempdir().unwrap();
    let coordinator = coordinator(dir.path(), plan).await;
    let crew: Vec<_> = (0..workers)
        .map(|_| worker(&coordinator, Arc::new(solve_task), Guards::default()))
        .collect();
    finish(coordinator).await;
    drop(crew);
    digest(dir.path())
}

#[tokio::test(flavor = "multi_thread")]
async fn any_number_of_workers_makes_the_same_census() {
    let plan = small_plan();
    assert_eq!(honest_digest(&plan, 1).await, honest_digest(&plan, 3).await);
}

/// a worker that lies about every game gets nothing into the census, and an honest one
/// completes it.
#[tokio::test(flavor = "multi_thread")]
async fn a_lying_worker_is_refused() {
    let plan = small_plan();
    let dir = tempfile::tempdir().unwrap();
    let coordinator = coordinator(dir.path(), &plan).await;
    let lies = Arc::new(AtomicU32::new(0));
    let told = Arc::clone(&lies);
    // At most two lies in all, so that no game ends in quarantine.
    let lying: Compute = Arc::new(move |task, interrupt| {
        let mut solution = solve_task(task, interrupt);
        if told.fetch_add(1, Ordering::SeqCst) < 2 {
            let last = solution.phi.len() - 1;
            solution.phi[last] = (solution.phi[last] + 1) % solution.quotient.order() as u32;
        }
        solution
    });
    let (_stop, _work) = worker(&coordinator, lying, Guards::default());
    finish(coordinator).await;
    let store = Store::open_read_only(dir.path()).unwrap();
    let refused = store.events().unwrap();
    let refused = refused
        .iter()
        .filter(|event| matches!(event.what, EventKind::CertificateRefused { .. }));
    assert_eq!(refused.count(), 2);
    assert_eq!(store.counters().quarantined, 0);
    drop(store);
    assert_eq!(digest(dir.path()), honest_digest(&plan, 1).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_always_fails_ends_in_quarantine_and_stops_nothing_else() {
    let plan = plan(&["0.3", "0.77", "0.123"]);
    let dir = tempfile::tempdir().unwrap();
    let coordinator = coordinator(dir.path(), &plan).await;
    let failing: Compute = Arc::new(|task, interrupt| {
        assert!(task.code.to_string() != "0.77", "this game is too much");
        solve_task(task, interrupt)
    });
    let (_stop, _work) = worker(&coordinator, failing, Guards::default());
    finish(coordinator).await;
    let store = Store::open_read_only(dir.path()).unwrap();
    assert_eq!(
        (store.counters().done, store.counters().quarantined),
        (2, 1)
    );
    let (_, why) = store.quarantined().unwrap().remove(0);
    // A worker alone brings no more tasks into quarantine than it has finished, so there are more
    // failures if the other two games are checked late.
    assert_eq!(why.name, "0.77");
    assert!(why.failures >= 3, "{}", why.failures);
    assert!(
        why.failure.to_string().contains("too much"),
        "{}",
        why.failure
    );
}

/// A task that a guard stops is tried again and then put aside; it never becomes a verdict.
#[tokio::test(flavor = "multi_thread")]
async fn guards_give_no_verdicts() {
    let plan = plan(&["0.3", "0.07"]);
    let dir = tempfile::tempdir().unwrap();
    let coordinator = coordinator(dir.path(), &plan).await;
    let slow: Compute = Arc::new(|task, interrupt| {
        while task.code.to_string() == "0.07" && !interrupt.is_raised() {
            std::thread::sleep(Duration::from_millis(5));
        }
        solve_task(task, interrupt)
    });
    let guards = Guards {
        time: Some(Duration::from_millis(50)),
        memory: None,
    };
    let (_stop, _work) = worker(&coordinator, slow, guards);
    finish(coordinator).await;
    let store = Store::open_read_only(dir.path()).unwrap();
    assert_eq!(store.records().unwrap().count(), 1);
    assert_eq!(
        store.quarantined().unwrap()[0].1.failure.to_string(),
        "time limit reached"
    );
}

/// a worker that falls silent loses the lease, and its later reports change nothing.
#[tokio::test(flavor = "multi_thread")]
async fn stale_epochs_change_nothing() {
    let plan = plan(&["0.3"]);
    let dir = tempfile::tempdir().unwrap();
    let coordinator = coordinator(dir.path(), &plan).await;
    let mut link = Link::new(endpoint(&coordinator));
    let (silent, _) = link.register("silent", 1).await.unwrap();
    let LeasedTask { task, epoch, .. } = link
        .lease(silent, Holdings::default(), 1, 0)
        .await
        .unwrap()
        .leased
        .remove(0);
    let certificate = {
        let solution = solve_task(
            task.as_game().unwrap(),
            misere_game::control::Interrupt::default(),
        );
        ComputationResult::Certificate(misere_census::certificate::encode(&solution).unwrap())
    };
    let key = Lease {
        task: task.id(),
        epoch,
    };
    // Another worker's lease is not ours, and an invented one belongs to no worker.
    let (other, _) = link.register("other", 1).await.unwrap();
    let shutdown = InterruptCause::Shutdown;
    assert_eq!(
        link.report(other, key, &certificate, shutdown)
            .await
            .unwrap(),
        ReportReply::Stale
    );
    let invented = Lease {
        task: TaskId([1; 32]),
        ..key
    };
    assert_eq!(
        link.report(silent, invented, &certificate, shutdown)
            .await
            .unwrap(),
        ReportReply::Stale
    );
    let unknown = link
        .report(WorkerId(1), key, &certificate, shutdown)
        .await
        .unwrap_err();
    assert_eq!(unknown.kind(), RefusalKind::Register);
    // The other worker gets the task under a new epoch once the silent worker's lease has expired.
    let again = loop {
        let mut leases = link.lease(other, Holdings::default(), 1, 0).await.unwrap();
        if let Some(LeasedTask { epoch, .. }) = leases.leased.pop() {
            break Lease {
                task: task.id(),
                epoch,
            };
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    assert!(again.epoch > epoch);
    assert_eq!(
        link.report(silent, key, &certificate, shutdown)
            .await
            .unwrap(),
        ReportReply::Stale
    );
    assert!(!coordinator.snapshots().borrow().is_finished());
    assert_eq!(
        link.report(other, again, &certificate, shutdown)
            .await
            .unwrap(),
        ReportReply::Accepted
    );
    assert_eq!(
        link.report(other, again, &certificate, shutdown)
            .await
            .unwrap(),
        ReportReply::Stale
    );
    finish(coordinator).await;
}

/// a worker outlives its coordinator and starts over with the next one on the same address.
#[tokio::test(flavor = "multi_thread")]
async fn a_worker_waits_for_its_coordinator() {
    let plan = small_plan();
    let dir = tempfile::tempdir().unwrap();
    let first = coordinator(dir.path(), &plan).await;
    let address = first.address();
    let slow: Compute = Arc::new(|task, interrupt| {
        std::thread::sleep(Duration::from_millis(100));
        solve_task(task, interrupt)
    });
    let (_stop, _work) = worker(&first, slow, Guards::default());
    let mut snapshots = first.snapshots();
    snapshots
        .wait_for(|snapshot| snapshot.finished() >= 1)
        .await
        .unwrap();
    first.stop().await.unwrap();
    let settings = Settings {
        data: dir.path().to_owned(),
        plan: plan.clone(),
        listen: address,
        terms: TERMS,
        check_threads: 1,
        retry_quarantined: false,
    };
    let second = Coordinator::start(settings).await.unwrap();
    finish(second).await;
    assert_eq!(digest(dir.path()), honest_digest(&plan, 2).await);
}
