//! Tests: finished tasks enter the census, and are taken back, whole.

mod ends;
mod formats;
mod opening;
mod past_infinite;
mod unfinished;

use super::*;
use crate::audit::{Audit, AuditResult, audit};
use misere_census::admission::verify;
use misere_census::frozen::code_key;
use misere_census::{Attempts, Backer, Claim, Finish, Statement};
use misere_census::{
    Budget, CertificateDigest, Failure, MemoryClass, Record, Space, WorkerIdentity, certificate,
};
use misere_engine::quotient::solve;
use misere_game::control::{Control, Interrupt};
use misere_game::ruleset::Code;
use misere_game::solution::Solution;
use std::collections::BTreeMap;
use std::sync::Mutex;

fn plan(codes: &[&str]) -> Plan {
    let codes = codes.iter().map(|code| code.parse().unwrap()).collect();
    Plan::new(Space::Codes(codes), Budget::default()).unwrap()
}

fn open(dir: &Path, plan: &Plan) -> Result<Store, StoreError> {
    Store::open(dir, plan, || misere_census::plan::tasks(plan))
}

fn code(task: &Task) -> Code {
    task.as_game().unwrap().code.clone()
}

pub(crate) fn finished(task: &Task) -> Finished {
    finished_so(task, |solution| solution)
}

/// Returns a finished task whose solution is changed before it is certified.
fn finished_so(task: &Task, change: impl FnOnce(Solution) -> Solution) -> Finished {
    judged(task, certificate::encode(&change(solved(task))).unwrap())
}

/// Returns the solution of a task, computed once for all tests.
///
/// These tests are about the store's handling of it.
fn solved(task: &Task) -> Solution {
    static SOLVED: Mutex<BTreeMap<TaskId, Solution>> = Mutex::new(BTreeMap::new());
    let mut solved = SOLVED.lock().unwrap();
    let solution = solved.entry(task.id()).or_insert_with(|| {
        let Budget {
            fuel,
            limits,
            strategy,
        } = task.budget();
        let mut control = Control::new(fuel, Interrupt::default());
        solve(&code(task), &limits, strategy, &mut control)
    });
    solution.clone()
}

/// Returns a finished task with a certificate that is verified, once for all tests.
fn judged(task: &Task, certificate: Vec<u8>) -> Finished {
    static JUDGED: Mutex<BTreeMap<(TaskId, Vec<u8>), Finished>> = Mutex::new(BTreeMap::new());
    let mut judged = JUDGED.lock().unwrap();
    let key = (task.id(), certificate.clone());
    let finished = judged.entry(key).or_insert_with(|| {
        let judged = verify(task, &certificate, Interrupt::default()).unwrap();
        Finished {
            task: task.id(),
            finish: judged.finish,
            certificate,
            finding: judged.finding,
            checked_by: None,
        }
    });
    finished.clone()
}

fn commit_of(finished: Vec<Finished>) -> Commit {
    Commit {
        finished,
        ..Commit::default()
    }
}

fn first_pending(store: &Store) -> (TaskId, StoredTask) {
    store.pending(0, 1).unwrap().remove(0)
}

type Bytes = Vec<u8>;

/// Returns all entries of the store, by column family.
fn contents(store: &Store) -> BTreeMap<&'static str, Vec<(Bytes, Bytes)>> {
    // A census of an earlier format that is opened for reading lacks some families.
    Kind::ALL
        .iter()
        .filter_map(|&kind| {
            let family = store.db.cf_handle(kind.family())?;
            let entries = store.db.iterator_cf(family, rocksdb::IteratorMode::Start);
            Some((
                kind.family(),
                entries
                    .map(|entry| entry.map(|(k, v)| (k.to_vec(), v.to_vec())).unwrap())
                    .collect(),
            ))
        })
        .collect()
}

fn quarantine(store: &mut Store, task: TaskId) {
    let failed = |failures, failure: &str| Event {
        at_ms: u64::from(failures),
        what: EventKind::AttemptFailed {
            task,
            failures,
            failure: Failure::computation(failure),
        },
    };
    let attempts = [vec![failed(1, "first")], vec![failed(2, "second")]];
    for events in attempts {
        let commit = Commit {
            events,
            ..Commit::default()
        };
        store.commit(&commit).unwrap();
    }
    let commit = Commit {
        quarantined: vec![QuarantineWrite {
            by: Vec::new(),
            task,
            failures: 3,
            failure: Failure::Silence,
            at_ms: 3,
        }],
        ..Commit::default()
    };
    store.commit(&commit).unwrap();
}

fn head(fuel: u64) -> CheckpointHead {
    CheckpointHead {
        engine: misere_census::engine_fingerprint(),
        makers: vec![WorkerIdentity::named("one")],
        heap: 9,
        fuel,
        bytes: 3,
    }
}

fn keeping(task: TaskId, fuel: u64) -> Commit {
    let keeping = CheckpointWrite {
        task,
        head: head(fuel),
        checkpoint: vec![1, 2, fuel as u8],
    };
    Commit {
        kept: vec![keeping],
        ..Commit::default()
    }
}

#[test]
fn records_survive_and_replaying_a_commit_changes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let plan = plan(&["0.3", "0.77", "0.07", "0.137"]);
    let mut store = open(dir.path(), &plan).unwrap();
    assert_eq!(
        store.counters(),
        Counters {
            tasks: 3,
            codes: 4,
            ..Counters::default()
        }
    );
    let (task, stored) = store
        .pending(0, 9)
        .unwrap()
        .into_iter()
        .find(|(_, s)| s.task.to_string() == "0.77")
        .unwrap();
    let commit = commit_of(vec![finished(&stored.task)]);
    store.commit(&commit).unwrap();
    let before = contents(&store);
    let digest = store.digest().unwrap();
    store.commit(&commit).unwrap();
    assert_eq!(contents(&store), before);
    drop(store);

    let mut store = open(dir.path(), &plan).unwrap();
    assert_eq!(store.generation(), 2);
    assert_eq!(store.counters().done, 1);
    assert_eq!(store.digest().unwrap(), digest);
    assert_eq!(store.task(task).unwrap().unwrap().state, TaskState::Done);
    assert_eq!(store.pending(0, 9).unwrap().len(), 2);
    store.commit(&commit).unwrap();
    assert_eq!(store.counters().done, 1);
    let record: Record = store.records().unwrap().next().unwrap().unwrap();
    assert_eq!((record.order, record.p_size), (40, 9));
    let class = store.class(&record.class).unwrap().unwrap();
    assert_eq!(class.quotient.unwrap().class_key(), record.class);
    assert_eq!(store.members(&record.class).unwrap().len(), 1);
    assert!(store.members(&record.class).unwrap()[0].forever);
    let bytes = store.certificate(&record.code).unwrap().unwrap();
    assert_eq!(certificate::decode(&bytes).unwrap().code, record.code);
}

#[test]
fn aliases_point_to_their_representative() {
    let dir = tempfile::tempdir().unwrap();
    let plan = Plan::new(
        Space::Codes(vec!["0.77".parse().unwrap(), "4.6".parse().unwrap()]),
        Budget::default(),
    )
    .unwrap();
    let mut store = open(dir.path(), &plan).unwrap();
    let (_, stored) = first_pending(&store);
    store
        .commit(&commit_of(vec![finished(&stored.task)]))
        .unwrap();
    let alias: Code = "4.6".parse().unwrap();
    assert_eq!(
        store.ruleset(&alias).unwrap(),
        Some(Ruleset::AliasOf("0.77".parse().unwrap()))
    );
    assert_eq!(store.records().unwrap().count(), 1);
}

/// Tests that the contents of the store do not depend on the order in which results come.
#[test]
fn the_order_of_commits_leaves_no_trace() {
    let plan = plan(&["0.77", "0.123", "0.44", "0.53", "0.3", "0.2"]);
    let tasks = misere_census::plan::tasks(&plan).collect::<Vec<_>>();
    let mut all = Vec::new();
    for backwards in [false, true] {
        let dir = tempfile::tempdir().unwrap();
        let mut store = open(dir.path(), &plan).unwrap();
        let mut results: Vec<Finished> = tasks.iter().map(finished).collect();
        if backwards {
            results.reverse();
            results
                .into_iter()
                .for_each(|one| store.commit(&commit_of(vec![one])).unwrap());
        } else {
            store.commit(&commit_of(results)).unwrap();
        }
        all.push((store.digest().unwrap(), contents(&store)));
    }
    assert_eq!(all[0], all[1]);
}

/// Tests that a record taken back leaves nothing behind, and the task can be computed again.
#[test]
fn a_reopened_task_is_as_if_it_had_never_been_done() {
    let dir = tempfile::tempdir().unwrap();
    let plan = plan(&["0.77", "0.137"]);
    let mut store = open(dir.path(), &plan).unwrap();
    let (task, stored) = first_pending(&store);
    let before = (store.digest().unwrap(), store.counters());
    let commit = commit_of(vec![finished(&stored.task)]);
    store.commit(&commit).unwrap();
    let done = (store.digest().unwrap(), store.counters());
    let class = store.records().unwrap().next().unwrap().unwrap().class;
    let reopen = Commit {
        reopened: vec![task],
        ..Commit::default()
    };
    store.commit(&reopen).unwrap();
    assert_eq!((store.digest().unwrap(), store.counters()), before);
    assert!(store.members(&class).unwrap().is_empty());
    assert_eq!(store.certificate(&code(&stored.task)).unwrap(), None);
    store.commit(&reopen).unwrap();
    assert_eq!(store.counters(), before.1);
    assert_eq!(first_pending(&store).0, task);
    store.commit(&commit).unwrap();
    assert_eq!((store.digest().unwrap(), store.counters()), done);
}

#[test]
fn tallies_agree_with_the_records() {
    let dir = tempfile::tempdir().unwrap();
    let plan = plan(&["0.3", "0.77", "0.07", "0.137", "4.6", "0.2"]);
    let mut store = open(dir.path(), &plan).unwrap();
    let tasks: Vec<_> = store.pending(0, 9).unwrap();
    for (_, stored) in &tasks {
        store
            .commit(&commit_of(vec![finished(&stored.task)]))
            .unwrap();
        assert_eq!(store.tallies().unwrap(), store.tallies_counted().unwrap());
    }
    let full = store.tallies().unwrap();
    let reopened = vec![tasks[0].0];
    store
        .commit(&Commit {
            reopened,
            ..Commit::default()
        })
        .unwrap();
    assert_ne!(store.tallies().unwrap(), full);
    assert_eq!(store.tallies().unwrap(), store.tallies_counted().unwrap());
    store
        .commit(&commit_of(vec![finished(&tasks[0].1.task)]))
        .unwrap();
    let mut batch = WriteBatch::default();
    store
        .delete(&mut batch, Kind::Meta, Meta::Tallies.key())
        .unwrap();
    store.write(batch).unwrap();
    assert_eq!(store.tallies_kept().unwrap(), None);
    drop(store);
    let store = Store::open_read_only(dir.path()).unwrap();
    assert_eq!(store.tallies().unwrap(), full);
    let digest = store.digest().unwrap();
    assert_eq!(store.known_digest(), Some(digest));
    drop(store);
    let store = open(dir.path(), &plan).unwrap();
    assert_eq!(store.tallies_kept().unwrap(), Some(full));
    // The census was written since.
    assert_eq!(store.known_digest(), None);
}

/// Tests that the store knows which checker has checked a certificate, until it is checked again.
#[test]
fn certificates_that_a_checker_checked_are_listed_under_it() {
    let dir = tempfile::tempdir().unwrap();
    let plan = plan(&["0.3", "0.77", "0.123", "0.53"]);
    let mut store = open(dir.path(), &plan).unwrap();
    let tasks: Vec<(TaskId, StoredTask)> = store.pending(0, 4).unwrap();
    let (one, two) = (WorkerIdentity([1; 32]), WorkerIdentity([2; 32]));
    let by = |checker: Option<WorkerIdentity>, at: usize| Finished {
        checked_by: checker,
        ..finished(&tasks[at].1.task)
    };
    let commit = commit_of(vec![
        by(Some(one), 0),
        by(Some(two), 1),
        by(Some(one), 2),
        by(None, 3),
    ]);
    store.commit(&commit).unwrap();
    let id = |at: usize| tasks[at].0;
    let mut of_one = [id(0), id(2)];
    of_one.sort_unstable();
    assert_eq!(store.vouched(one, 10).unwrap(), of_one);
    assert_eq!(store.vouched(one, 1).unwrap(), of_one[..1]);
    assert_eq!(store.vouched(two, 10).unwrap(), [id(1)]);
    assert_eq!(store.vouched(WorkerIdentity([0; 32]), 10).unwrap(), []);
    let with_certificate = store.vouched_tasks(two, 10).unwrap().remove(0);
    let certificate = commit.finished[1].certificate.clone();
    let certified = Some((tasks[1].1.task.clone(), certificate));
    assert_eq!(
        (with_certificate.id, with_certificate.certified),
        (id(1), certified)
    );
    assert!(!store.is_doubted().unwrap());
    let distrusted = Commit {
        distrusted: vec![one],
        ..Commit::default()
    };
    store.commit(&distrusted).unwrap();
    assert!(store.is_doubted().unwrap());
    let rechecked = Commit {
        confirmed: vec![(one, id(0)), (one, id(2))],
        reopened: vec![id(2)],
        ..Commit::default()
    };
    store.commit(&rechecked).unwrap();
    assert_eq!(store.vouched(one, 10).unwrap(), []);
    assert!(!store.is_doubted().unwrap());
    assert_eq!(store.counters().pending(), 1);
    assert_eq!(store.vouched(two, 10).unwrap(), [id(1)]);
    // The entries of checkers are sound, too.
    drop(store);
    let of_everything = Audit {
        proves: true,
        interrupt: &Interrupt::default(),
        progress: &mut |_, _| {},
    };
    let audited = audit(dir.path(), of_everything).unwrap();
    assert!(matches!(audited, AuditResult::Whole(findings) if findings.is_sound()));
}

/// The store knows on whose word a result rests until it is taken back, also through a repair.
#[test]
fn results_are_listed_under_the_workers_that_computed_them() {
    let dir = tempfile::tempdir().unwrap();
    let plan = plan(&["0.3", "0.77"]);
    let mut store = open(dir.path(), &plan).unwrap();
    let tasks: Vec<(TaskId, StoredTask)> = store.pending(0, 2).unwrap();
    let (one, two) = (WorkerIdentity([1; 32]), WorkerIdentity([2; 32]));
    let backer = |worker, confirmed_by| Backer {
        worker,
        confirmed_by,
    };
    let [first, second] = [tasks[0].0, tasks[1].0];
    let finished = tasks.iter().map(|(_, stored)| finished(&stored.task));
    let mut commit = commit_of(finished.collect());
    commit.backed = vec![
        (first, backer(one, Some(two))),
        (first, backer(two, Some(one))),
        (second, backer(two, None)),
    ];
    commit.distrusted = vec![one];
    store.commit(&commit).unwrap();
    assert_eq!(
        store.backed_by(one, TaskId([0; 32]), 10).unwrap(),
        [(first, backer(one, Some(two)))]
    );
    let all = store.backed_by(two, TaskId([0; 32]), 10).unwrap();
    assert_eq!(all.len(), 2);
    let second_page = store.backed_by(two, all[1].0, 10).unwrap();
    assert_eq!(second_page, all[1..]);
    assert_eq!(store.backed_by(two, TaskId([0; 32]), 1).unwrap(), all[..1]);
    assert!(store.is_doubted().unwrap());
    drop(store);
    let interrupt = Interrupt::default();
    crate::repair::repair(
        dir.path(),
        misere_census::plan::tasks,
        &interrupt,
        &mut |_, _| {},
    )
    .unwrap();
    let mut store = open(dir.path(), &plan).unwrap();
    assert_eq!(store.backed_by(two, TaskId([0; 32]), 10).unwrap().len(), 2);
    assert!(store.is_doubted().unwrap());
    // The result rests on the word of the second worker from now on.
    let relies = Commit {
        unbacked: vec![(one, first)],
        backed: vec![(first, backer(two, None))],
        ..Commit::default()
    };
    store.commit(&relies).unwrap();
    assert!(!store.is_doubted().unwrap() && !store.rests_on(one).unwrap());
    let rests = store.backed_by(two, TaskId([0; 32]), 10).unwrap();
    assert!(rests.contains(&(first, backer(two, None))));
    drop(store);
    let of_everything = Audit {
        proves: true,
        interrupt: &interrupt,
        progress: &mut |_, _| {},
    };
    let audited = audit(dir.path(), of_everything).unwrap();
    assert!(matches!(audited, AuditResult::Whole(findings) if findings.is_sound()));
}
