use super::*;
use crate::judge::judge;
use crate::ledger::{Attempts, Claim, Finish, Said};
use misere_census::{
    Budget, CertificateDigest, Failure, MemoryClass, Record, Space, WorkerIdentity, certificate,
};
use misere_theory::control::{Control, Interrupt};
use misere_theory::quotient::solve;
use misere_theory::ruleset::Code;
use std::collections::BTreeMap;

fn plan(codes: &[&str]) -> Plan {
    let codes = codes.iter().map(|code| code.parse().unwrap()).collect();
    Plan::new(Space::Codes(codes), Budget::default()).unwrap()
}

fn open(dir: &Path, plan: &Plan) -> Result<Store, StoreError> {
    Store::open(dir, plan, || crate::plan::tasks(plan))
}

fn finished(task: &Task) -> Finished {
    let Budget {
        fuel,
        limits,
        strategy,
    } = task.budget;
    let solution = solve(
        &task.code,
        &limits,
        strategy,
        &mut Control::new(fuel, Interrupt::default()),
    );
    let certificate = certificate::encode(&solution).unwrap();
    let judged = judge(task, &certificate, Interrupt::default()).unwrap();
    let (finish, record, quotient) = (judged.finish, judged.record, judged.quotient);
    Finished {
        task: task.id(),
        finish,
        record,
        certificate,
        quotient,
    }
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

/// Everything in the store, by column family.
fn contents(store: &Store) -> BTreeMap<&'static str, Vec<(Bytes, Bytes)>> {
    Kind::ALL
        .iter()
        .map(|&kind| {
            let entries = store
                .db
                .iterator_cf(store.family(kind).unwrap(), rocksdb::IteratorMode::Start);
            (
                kind.family(),
                entries
                    .map(|entry| entry.map(|(k, v)| (k.to_vec(), v.to_vec())).unwrap())
                    .collect(),
            )
        })
        .collect()
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
        .find(|(_, s)| s.task.code.to_string() == "0.77")
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
fn aliases_point_to_the_code_that_stands_for_them() {
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

/// What is in the store does not hang on the order in which results come.
#[test]
fn the_order_of_commits_leaves_no_trace() {
    let plan = plan(&["0.77", "0.123", "0.44", "0.53", "0.3", "0.2"]);
    let tasks = crate::plan::tasks(&plan);
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

#[test]
fn quarantine_and_release() {
    let dir = tempfile::tempdir().unwrap();
    let plan = plan(&["0.3"]);
    let mut store = open(dir.path(), &plan).unwrap();
    let (task, _) = first_pending(&store);
    store
        .commit(&Commit {
            retried: vec![Retried {
                task,
                attempts: Attempts {
                    failures: 2,
                    ..Attempts::default()
                },
                claims: Vec::new(),
            }],
            ..Commit::default()
        })
        .unwrap();
    assert_eq!(
        first_pending(&store).1.state,
        TaskState::Pending { failures: 2 }
    );
    let failure = Failure::Silence;
    let quarantined = vec![Quarantining {
        task,
        failures: 3,
        failure,
        at_ms: 7,
    }];
    store
        .commit(&Commit {
            quarantined,
            ..Commit::default()
        })
        .unwrap();
    assert_eq!(
        (store.counters().quarantined, store.counters().pending()),
        (1, 0)
    );
    assert_eq!(store.quarantined().unwrap()[0].1.failures, 3);
    assert!(store.pending(0, 9).unwrap().is_empty());
    assert_eq!(store.release_quarantined().unwrap(), 1);
    assert_eq!(
        first_pending(&store).1.state,
        TaskState::Pending { failures: 0 }
    );
    assert!(store.quarantined().unwrap().is_empty());
    assert_eq!(Finish::Done, finished(&first_pending(&store).1.task).finish);
}

#[test]
fn one_process_writes_and_readers_read() {
    let dir = tempfile::tempdir().unwrap();
    let plan = plan(&["0.3"]);
    let store = open(dir.path(), &plan).unwrap();
    assert!(matches!(open(dir.path(), &plan), Err(StoreError::InUse(_))));
    let reader = Store::open_read_only(dir.path()).unwrap();
    assert_eq!(reader.plan(), &plan);
    assert_eq!(reader.counters(), store.counters());
}

#[test]
fn other_plans_other_formats_and_other_things_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    assert!(matches!(
        Store::open_read_only(dir.path()),
        Err(StoreError::Missing(_))
    ));
    let store = open(dir.path(), &plan(&["0.3"])).unwrap();
    let mut batch = WriteBatch::default();
    store
        .put(&mut batch, Kind::Meta, Meta::Format.key(), &(FORMAT + 1))
        .unwrap();
    let error = open(tempfile::tempdir().unwrap().path(), &plan(&["0.3"])).map(|_| ());
    assert!(error.is_ok());
    drop(store);
    let error = open(dir.path(), &plan(&["0.7"])).unwrap_err();
    assert!(matches!(&error, StoreError::OtherPlan { .. }));
    assert!(error.to_string().contains("codes 0.3") && error.to_string().contains("codes 0.7"));

    let store = open(dir.path(), &plan(&["0.3"])).unwrap();
    store.write(batch).unwrap();
    drop(store);
    assert!(matches!(
        open(dir.path(), &plan(&["0.3"])),
        Err(StoreError::Format { found, .. }) if found == FORMAT + 1
    ));
    assert!(matches!(
        Store::open_read_only(dir.path()),
        Err(StoreError::Format { found, .. }) if found == FORMAT + 1
    ));

    let other = tempfile::tempdir().unwrap();
    std::fs::write(other.path().join("thesis.tex"), "x").unwrap();
    assert!(matches!(
        open(other.path(), &plan(&["0.3"])),
        Err(StoreError::NotACensus(_))
    ));
    assert!(matches!(
        Store::open_read_only(other.path()),
        Err(StoreError::NotACensus(_))
    ));
    assert_eq!(std::fs::read_dir(other.path()).unwrap().count(), 1);
    let file = other.path().join("thesis.tex");
    assert!(matches!(
        open(&file, &plan(&["0.3"])),
        Err(StoreError::Directory { .. })
    ));
}

#[test]
fn a_plan_laid_down_by_half_is_laid_down_again() {
    let dir = tempfile::tempdir().unwrap();
    let plan = plan(&["0.3", "0.7", "0.77"]);
    let store = open(dir.path(), &plan).unwrap();
    let whole = contents(&store);
    // As if power had gone before the last batches.
    let mut batch = WriteBatch::default();
    store
        .delete(&mut batch, Kind::Meta, Meta::Counters.key())
        .unwrap();
    store
        .delete(&mut batch, Kind::Meta, Meta::Generation.key())
        .unwrap();
    store
        .delete(&mut batch, Kind::Pending, &number_key(2))
        .unwrap();
    store.write(batch).unwrap();
    assert!(Store::open_read_only(dir.path()).is_err());
    drop(store);
    assert_eq!(contents(&open(dir.path(), &plan).unwrap()), whole);
}

#[test]
fn damaged_entries_are_errors() {
    let dir = tempfile::tempdir().unwrap();
    let plan = plan(&["0.3"]);
    let store = open(dir.path(), &plan).unwrap();
    let (task, _) = first_pending(&store);
    let family = store.family(Kind::Task).unwrap();
    store.db.put_cf(family, task_key(task), [1, 2, 3]).unwrap();
    assert!(matches!(
        store.pending(0, 1),
        Err(StoreError::Damaged { family: "task", .. })
    ));
    store.db.put_cf(family, task_key(task), [9, 2, 3]).unwrap();
    assert!(store.task(task).is_err());
}

/// What waits for another worker waits on after a restart, and so does the memory class; who was caught stays caught.
#[test]
fn claims_classes_and_distrust_survive() {
    let dir = tempfile::tempdir().unwrap();
    let plan = plan(&["0.3"]);
    let mut store = open(dir.path(), &plan).unwrap();
    let (task, _) = first_pending(&store);
    let attempts = Attempts {
        failures: 1,
        top_failures: 0,
        class: MemoryClass::new(1),
    };
    let by = WorkerIdentity::named("one");
    let said = Said::Certificate(CertificateDigest([1; 32]));
    let claims = vec![Claim { by, said }];
    store
        .commit(&Commit {
            retried: vec![Retried {
                task,
                attempts,
                claims: claims.clone(),
            }],
            distrusted: vec![by],
            ..Commit::default()
        })
        .unwrap();
    drop(store);
    let store = open(dir.path(), &plan).unwrap();
    let state = first_pending(&store).1.state;
    assert_eq!(state.attempts(), Some((attempts, &claims[..])));
    assert_eq!(store.distrusted().unwrap(), [by]);
}

/// A record taken back leaves nothing behind, and the task can be done again.
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
    assert_eq!(store.certificate(&stored.task.code).unwrap(), None);
    store.commit(&reopen).unwrap();
    assert_eq!(store.counters(), before.1);
    assert_eq!(first_pending(&store).0, task);
    store.commit(&commit).unwrap();
    assert_eq!((store.digest().unwrap(), store.counters()), done);
}
