//! Honest workers and one whose lies pass the checker, over real sockets with a real store.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use misere_census::{Budget, Misconduct, Plan, Record, Space, WorkerIdentity};
use misere_coordinator::{Coordinator, Settings};
use misere_ledger::{LeaseConfig, TrustConfig};
use misere_store::{Commit, EventKind, Store};
use misere_worker::{Compute, Guards, Isolation, solve_task};
use tokio::sync::{OnceCell, watch};

/// Settings under which every task is done twice, after a wait for other workers.
const ALL_TWICE: TrustConfig = TrustConfig {
    first_one_in: 1,
    agreements_per_halving: 1_000,
    least_one_in: 1,
    wait_for_others_ms: 3_000,
    spot_check_one_in: 0,
    ..TrustConfig::USUAL
};

/// Settings under which no task is computed again.
const NEVER_TWICE: TrustConfig = TrustConfig {
    first_one_in: 0,
    spot_check_one_in: 0,
    ..TrustConfig::USUAL
};

fn plan() -> Plan {
    // All games are solved: the checker refuses a lie about fuel where the verdict is spent fuel.
    let codes = ["0.3", "0.77", "0.123", "0.53", "0.115", "0.152", "0.71"];
    let codes = codes.iter().map(|code| code.parse().unwrap()).collect();
    let budget = Budget {
        fuel: 200_000,
        ..Budget::default()
    };
    Plan::new(Space::Codes(codes), budget).unwrap()
}

fn honest() -> Compute {
    Arc::new(solve_task)
}

/// Returns a worker that lies about the fuel a game took, which no checker can know.
fn liar() -> Compute {
    Arc::new(|task, interrupt| {
        let mut solution = solve_task(task, interrupt);
        solution.fuel -= 1;
        solution
    })
}

/// Returns a worker whose certificates the checker refuses.
fn sloppy() -> Compute {
    Arc::new(|task, interrupt| {
        let mut solution = solve_task(task, interrupt);
        let last = solution.phi.len() - 1;
        solution.phi[last] = (solution.phi[last] + 1) % solution.quotient.order() as u32;
        solution
    })
}

/// Runs a census in which all workers have joined before any of them finishes a task.
async fn census(dir: &Path, trust: TrustConfig, crew: &[(&str, Compute)]) -> Store {
    let settings = Settings {
        data: dir.to_owned(),
        plan: plan(),
        listen: "127.0.0.1:0".parse().unwrap(),
        terms: LeaseConfig {
            duration_ms: 1_000,
            trust,
            ..LeaseConfig::default()
        },
        check_threads: 2,
        retry_quarantined: false,
    };
    let coordinator = Coordinator::start(settings).await.unwrap();
    let (begin, begun) = watch::channel(crew.len() < 2);
    let workers: Vec<_> = crew
        .iter()
        .map(|(name, compute)| {
            let (compute, begun) = (Arc::clone(compute), begun.clone());
            let settings = misere_worker::Settings {
                coordinator: format!("http://{}", coordinator.address()),
                name: (*name).to_owned(),
                slots: 1,
                guards: Guards::default(),
                isolation: Isolation::default(),
                grace: Duration::ZERO,
                sign_of_life: None,
                memory_class: misere_census::MemoryClass::TOP,
                checkpoint_every: misere_worker::CHECKPOINT_INTERVAL,
                give_up_after: None,
            };
            let waiting: Compute = Arc::new(move |task, interrupt| {
                while !*begun.borrow() {
                    std::thread::sleep(Duration::from_millis(5));
                }
                compute(task, interrupt)
            });
            let (stop, stops) = watch::channel(false);
            (
                stop,
                tokio::spawn(misere_worker::run(settings, waiting, stops)),
            )
        })
        .collect();
    let mut snapshots = coordinator.snapshots();
    let all_there = snapshots.wait_for(|snapshot| snapshot.workers.len() == crew.len());
    all_there.await.unwrap();
    begin.send_replace(true);
    let finished = snapshots.wait_for(misere_coordinator::driver::Snapshot::is_finished);
    tokio::time::timeout(Duration::from_secs(60), finished)
        .await
        .expect("it ends")
        .unwrap();
    coordinator.stop().await.unwrap();
    drop(workers);
    Store::open_read_only(dir).unwrap()
}

fn records(store: &Store) -> Vec<Record> {
    store.records().unwrap().map(Result::unwrap).collect()
}

fn misdeeds(store: &Store) -> Vec<Misconduct> {
    let events = store.events().unwrap().into_iter();
    let misdeeds = events.filter_map(|event| match event.what {
        EventKind::WorkerDistrusted { why, .. } => Some(why),
        _ => None,
    });
    misdeeds.collect()
}

type Results = (Vec<Record>, misere_census::CensusDigest);

/// Asserts that records and digest are equal, without printing the records.
fn assert_same(found: &Results, expected: &Results) {
    let codes = |results: &Results| -> Vec<String> {
        let codes = results.0.iter().map(|record| record.code.to_string());
        codes.collect()
    };
    assert_eq!(codes(found), codes(expected));
    assert!(found == expected, "{} is not {}", found.1, expected.1);
}

/// Returns the results of one honest worker, computed once for all tests.
async fn truth() -> Results {
    static TRUTH: OnceCell<Results> = OnceCell::const_new();
    let found = TRUTH.get_or_init(|| async {
        let dir = tempfile::tempdir().unwrap();
        let store = census(dir.path(), TrustConfig::default(), &[("one", honest())]).await;
        assert_eq!(misdeeds(&store), []);
        (records(&store), store.digest().unwrap())
    });
    found.await.clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn honest_workers_agree() {
    let dir = tempfile::tempdir().unwrap();
    let crew = [("one", honest()), ("two", honest()), ("three", honest())];
    let store = census(dir.path(), ALL_TWICE, &crew).await;
    assert_same(&(records(&store), store.digest().unwrap()), &truth().await);
    assert_eq!(misdeeds(&store), []);
}

/// A worker that is caught by a claim from before a restart may not have come back yet.
#[tokio::test(flavor = "multi_thread")]
async fn a_worker_that_was_caught_while_away_is_named_when_it_comes_back() {
    let dir = tempfile::tempdir().unwrap();
    let caught = WorkerIdentity::named("liar");
    let mut store =
        Store::open(dir.path(), &plan(), || misere_census::plan::tasks(&plan())).unwrap();
    let commit = Commit {
        distrusted: vec![caught],
        ..Commit::default()
    };
    store.commit(&commit).unwrap();
    drop(store);
    let crew = [("honest", honest()), ("liar", liar())];
    let store = census(dir.path(), TrustConfig::default(), &crew).await;
    let marked = store.marked().unwrap();
    assert_eq!(marked.len(), 1);
    assert_eq!(
        (marked[0].identity, marked[0].name.as_str()),
        (caught, "liar")
    );
    assert_same(&(records(&store), store.digest().unwrap()), &truth().await);
}

/// Two workers differ and there is no third: the coordinator decides.
#[tokio::test(flavor = "multi_thread")]
async fn the_coordinator_decides_between_two() {
    let dir = tempfile::tempdir().unwrap();
    let crew = [("honest", honest()), ("liar", liar())];
    let store = census(dir.path(), ALL_TWICE, &crew).await;
    assert_same(&(records(&store), store.digest().unwrap()), &truth().await);
    let caught = misdeeds(&store);
    assert!(
        matches!(caught[..], [Misconduct::OtherCertificate(_)]),
        "{caught:?}"
    );
    assert_eq!(store.distrusted().unwrap().len(), 1);
}

/// Two workers that tell one lie do not outvote the honest one.
#[tokio::test(flavor = "multi_thread")]
async fn liars_who_agree_have_no_majority() {
    let dir = tempfile::tempdir().unwrap();
    let crew = [("liar-1", liar()), ("liar-2", liar()), ("honest", honest())];
    let store = census(dir.path(), ALL_TWICE, &crew).await;
    // The honest worker does at least one task, which a liar does again.
    let caught = store.marked().unwrap();
    assert!(!caught.is_empty());
    assert!(caught.iter().all(|mark| mark.name.starts_with("liar")));
}

/// Bans a worker while no coordinator is at work, and finishes the census with an honest one.
async fn finished_without(dir: &Path, banned: &str) -> Results {
    let mut store = Store::open(dir, &plan(), || misere_census::plan::tasks(&plan())).unwrap();
    store.ban(banned).unwrap();
    drop(store);
    let store = census(dir, NEVER_TWICE, &[("honest", honest())]).await;
    assert!(!store.rests_on(WorkerIdentity::named(banned)).unwrap());
    (records(&store), store.digest().unwrap())
}

/// No task was drawn while the liar was there; it is caught when the census has long been finished.
#[tokio::test(flavor = "multi_thread")]
async fn results_of_a_worker_that_is_caught_late_are_computed_again() {
    let dir = tempfile::tempdir().unwrap();
    let store = census(dir.path(), NEVER_TWICE, &[("liar", liar())]).await;
    assert!(records(&store) != truth().await.0, "it lies");
    drop(store);
    assert_same(&finished_without(dir.path(), "liar").await, &truth().await);
}

/// What two liars confirmed to each other rests on the word of the second when one is caught.
#[tokio::test(flavor = "multi_thread")]
async fn what_only_liars_confirmed_is_computed_again() {
    let dir = tempfile::tempdir().unwrap();
    let crew = [("liar-1", liar()), ("liar-2", liar())];
    let store = census(dir.path(), ALL_TWICE, &crew).await;
    let lies = (records(&store), store.digest().unwrap());
    assert!(lies.0 != truth().await.0, "they lie");
    drop(store);
    assert_same(&finished_without(dir.path(), "liar-1").await, &lies);
    assert_same(
        &finished_without(dir.path(), "liar-2").await,
        &truth().await,
    );
}

/// A worker whose certificates are refused, for games that others solve, gets no more tasks.
///
/// No game is lost.
#[tokio::test(flavor = "multi_thread")]
async fn refused_certificates_fall_back_on_who_makes_them() {
    let dir = tempfile::tempdir().unwrap();
    let crew = [("honest", honest()), ("sloppy", sloppy())];
    let store = census(dir.path(), TrustConfig::default(), &crew).await;
    assert_same(&(records(&store), store.digest().unwrap()), &truth().await);
    assert_eq!(store.counters().quarantined, 0);
    let caught = misdeeds(&store);
    assert!(
        caught.iter().all(|why| *why == Misconduct::RefusedTooOften),
        "{caught:?}"
    );
}
