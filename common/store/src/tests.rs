mod formats;

use super::*;
use misere_census::admission::judge;
use misere_census::frozen::code_key;
use misere_census::{Attempts, Claim, Finish, Said};
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
    Store::open(dir, plan, || misere_census::plan::tasks(plan))
}

fn code(task: &Task) -> Code {
    task.as_game().unwrap().code.clone()
}

fn finished(task: &Task) -> Finished {
    let Budget {
        fuel,
        limits,
        strategy,
    } = task.budget();
    let solution = solve(
        &code(task),
        &limits,
        strategy,
        &mut Control::new(fuel, Interrupt::default()),
    );
    let certificate = certificate::encode(&solution).unwrap();
    let judged = judge(task, &certificate, Interrupt::default()).unwrap();
    let (finish, finding) = (judged.finish, judged.finding);
    Finished {
        task: task.id(),
        finish,
        certificate,
        finding,
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

/// A reader of a finished census does not read a long log.
#[test]
fn a_long_log_becomes_tables_and_a_short_one_stays() {
    let logged = |dir: &std::path::Path| -> u64 {
        let files = std::fs::read_dir(dir.join("db")).unwrap();
        let paths = files.map(|file| file.unwrap().path());
        let logs = paths.filter(|path| path.extension().is_some_and(|kind| kind == "log"));
        logs.map(|path| path.metadata().unwrap().len()).sum()
    };
    for (digits, is_long) in [(1, false), (5, true)] {
        let dir = tempfile::tempdir().unwrap();
        let plan = Plan::new(Space::Octal { digits }, Budget::default()).unwrap();
        let store = open(dir.path(), &plan).unwrap();
        let before = logged(dir.path());
        store.write_tables().unwrap();
        let counters = store.counters();
        drop(store);
        let after = logged(dir.path());
        assert_eq!(after == 0, is_long, "{digits}: {before} to {after}");
        let read = Store::open_read_only(dir.path()).unwrap();
        assert_eq!(read.counters(), counters);
    }
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
    let quarantined = vec![QuarantineWrite {
        by: Vec::new(),
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
    assert_eq!(store.take_released(), None);
    assert!(store.pending(0, 9).unwrap().is_empty());
    assert_eq!(store.release_quarantined().unwrap(), 1);
    assert_eq!(store.take_released(), Some(0));
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
        Err(StoreError::NoCensus(_))
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

/// What waits for another worker waits on after a restart, and so does the memory class; who was
/// caught stays caught.
#[test]
fn claims_classes_and_distrust_survive() {
    let dir = tempfile::tempdir().unwrap();
    let plan = plan(&["0.3"]);
    let mut store = open(dir.path(), &plan).unwrap();
    let (task, _) = first_pending(&store);
    let attempts = Attempts {
        failures: 3,
        top_failures: 0,
        silences: 2,
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
    assert_eq!(store.certificate(&code(&stored.task)).unwrap(), None);
    store.commit(&reopen).unwrap();
    assert_eq!(store.counters(), before.1);
    assert_eq!(first_pending(&store).0, task);
    store.commit(&commit).unwrap();
    assert_eq!((store.digest().unwrap(), store.counters()), done);
}

fn quarantine(store: &mut Store, task: TaskId) {
    let failed = |failures, failure: &str| Event {
        at_ms: u64::from(failures),
        what: Happening::AttemptFailed {
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

#[test]
fn the_quarantine_keeps_every_failure() {
    let dir = tempfile::tempdir().unwrap();
    let mut store = open(dir.path(), &plan(&["0.3", "0.77"])).unwrap();
    let (task, _) = first_pending(&store);
    for _ in 0..2 {
        quarantine(&mut store, task);
        let why = store.quarantined().unwrap().remove(0).1;
        let earlier: Vec<_> = why.earlier.iter().map(|a| a.failure.to_string()).collect();
        // What happened before the last release is no evidence any more.
        assert_eq!(earlier.len(), 2);
        assert!(earlier[0].contains("first") && earlier[1].contains("second"));
        assert_eq!(why.failure, Failure::Silence);
        assert_eq!(store.release(&[task, task]).unwrap(), 1);
        assert_eq!(store.counters().quarantined, 0);
    }
    assert!(matches!(
        store.release(&[task]),
        Err(StoreError::NotInQuarantine(_))
    ));
    let failures = store.figures().failures();
    assert_eq!(failures[0], ("computation", 4));
    assert_eq!(failures[3], ("silence", 2));
}

#[test]
fn what_is_given_up_stays_listed_and_can_be_taken_up_again() {
    let dir = tempfile::tempdir().unwrap();
    let plan = plan(&["0.3", "0.77"]);
    let mut store = open(dir.path(), &plan).unwrap();
    let (task, _) = first_pending(&store);
    quarantine(&mut store, task);
    assert_eq!(store.give_up(&[task]).unwrap(), 1);
    assert_eq!(store.give_up(&[task]).unwrap(), 0);
    let counters = store.counters();
    assert_eq!(
        (counters.quarantined, counters.dropped, counters.pending()),
        (0, 1, 1)
    );
    // Neither is it handed out, nor does `--retry-quarantined` mean it.
    assert_eq!(store.release_quarantined().unwrap(), 0);
    assert!(
        store
            .pending(0, 9)
            .unwrap()
            .iter()
            .all(|(id, _)| *id != task)
    );
    drop(store);
    let mut store = open(dir.path(), &plan).unwrap();
    assert!(store.quarantined().unwrap()[0].1.dropped);
    assert!(!store.counters().is_complete());
    assert_eq!(store.release(&[task]).unwrap(), 1);
    assert_eq!(
        store.counters(),
        Counters {
            tasks: 2,
            codes: 2,
            ..Counters::default()
        }
    );
    assert_eq!(store.pending(0, 9).unwrap().len(), 2);
}

#[test]
fn a_copy_is_the_census_between_two_commits() {
    let dir = tempfile::tempdir().unwrap();
    let plan = plan(&["0.3", "0.77", "0.07"]);
    let mut store = open(dir.path(), &plan).unwrap();
    let (_, stored) = first_pending(&store);
    store
        .commit(&commit_of(vec![finished(&stored.task)]))
        .unwrap();
    let to = dir.path().join("copies").join("one");
    let (files, before) = (store.files(), contents(&store));
    files.copy(&to).unwrap();
    let digest = store.digest().unwrap();
    let (_, stored) = first_pending(&store);
    store
        .commit(&commit_of(vec![finished(&stored.task)]))
        .unwrap();
    let copy = Store::open_read_only(&to).unwrap();
    assert_eq!(contents(&copy), before);
    assert_eq!(copy.digest().unwrap(), digest);
    drop(copy);
    assert!(matches!(files.copy(&to), Err(StoreError::NotEmpty(_))));
    // The copy is a census of its own.
    let mut restored = open(&to, &plan).unwrap();
    for (_, stored) in restored.pending(0, 9).unwrap() {
        restored
            .commit(&commit_of(vec![finished(&stored.task)]))
            .unwrap();
    }
    assert!(restored.counters().is_complete());
    assert!(!store.counters().is_complete());
    drop(store);
    let closed = files.copy(&dir.path().join("late"));
    assert!(matches!(closed, Err(StoreError::Closed)));
}

/// What a killed process leaves of a copy does not stand in the way of the next one.
#[test]
fn an_unfinished_copy_is_replaced() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path(), &plan(&["0.3"])).unwrap();
    let to = dir.path().join("copy");
    std::fs::create_dir_all(to.join("db.tmp")).unwrap();
    std::fs::write(to.join("db.tmp/000012.sst"), "half").unwrap();
    store.files().copy(&to).unwrap();
    let copy = Store::open_read_only(&to).unwrap();
    assert_eq!(contents(&copy), contents(&store));
    assert!(!to.join("db.tmp").exists());
}

fn head(fuel: u64) -> CheckpointHead {
    CheckpointHead {
        engine: misere_census::engine(),
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
fn checkpoints_stay_until_their_task_is_finished() {
    let dir = tempfile::tempdir().unwrap();
    let plan = plan(&["0.3", "0.77", "0.07"]);
    let mut store = open(dir.path(), &plan).unwrap();
    let all = store.pending(0, 9).unwrap();
    for (task, fuel) in [(0, 1), (1, 2), (0, 3)] {
        store.commit(&keeping(all[task].0, fuel)).unwrap();
    }
    drop(store);
    let mut store = open(dir.path(), &plan).unwrap();
    let mut expected = vec![(all[0].0, head(3)), (all[1].0, head(2))];
    expected.sort_by_key(|(task, _)| *task);
    assert_eq!(store.checkpoints().unwrap(), expected);
    assert_eq!(store.checkpoint(all[0].0).unwrap(), Some(vec![1, 2, 3]));
    assert_eq!(store.checkpoint(all[2].0).unwrap(), None);
    // With the record the checkpoint goes, and none is kept of a task that is final.
    let commit = Commit {
        dropped: vec![all[0].0],
        ..commit_of(vec![finished(&all[0].1.task)])
    };
    store.commit(&commit).unwrap();
    store.commit(&keeping(all[0].0, 4)).unwrap();
    assert_eq!(store.checkpoints().unwrap(), [(all[1].0, head(2))]);
    assert_eq!(store.checkpoint(all[0].0).unwrap(), None);
}

#[test]
fn tallies_are_those_of_the_records() {
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
    // Something was written since.
    assert_eq!(store.known_digest(), None);
}
