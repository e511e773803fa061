//! Tests: claims, failures and checkpoints of tasks that are not finished are stored.

use misere_game::control::Interrupt;

use super::*;
use crate::audit::{Audit, AuditResult, audit};

#[test]
fn quarantine_and_release() {
    let dir = tempfile::tempdir().unwrap();
    let plan = plan(&["0.3"]);
    let mut store = open(dir.path(), &plan).unwrap();
    let (task, _) = first_pending(&store);
    store
        .commit(&Commit {
            retried: vec![TaskRetry {
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

/// Tests that a claim that waits for another worker continues to wait after a restart.
///
/// The memory class is kept, too, and a worker that was caught stays distrusted.
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
    let statement = Statement::Certificate(CertificateDigest([1; 32]));
    let claims = vec![Claim { by, statement }];
    store
        .commit(&Commit {
            retried: vec![TaskRetry {
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

#[test]
fn the_quarantine_keeps_every_failure() {
    let dir = tempfile::tempdir().unwrap();
    let mut store = open(dir.path(), &plan(&["0.3", "0.77"])).unwrap();
    let (task, _) = first_pending(&store);
    for _ in 0..2 {
        quarantine(&mut store, task);
        let why = store.quarantined().unwrap().remove(0).1;
        let earlier: Vec<_> = why.earlier.iter().map(|a| a.failure.to_string()).collect();
        // Failures before the last release are no longer evidence.
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
    let failures = store.statistics().failures();
    assert_eq!(failures[0], ("computation", 4));
    assert_eq!(failures[3], ("silence", 2));
}

#[test]
fn a_census_with_a_task_in_quarantine_is_sound() {
    let dir = tempfile::tempdir().unwrap();
    let mut store = open(dir.path(), &plan(&["0.3", "0.77"])).unwrap();
    let (task, _) = first_pending(&store);
    quarantine(&mut store, task);
    drop(store);
    let of_everything = Audit {
        proves: true,
        interrupt: &Interrupt::default(),
        progress: &mut |_, _| (),
    };
    let AuditResult::Whole(findings) = audit(dir.path(), of_everything).unwrap() else {
        panic!("nothing stopped the audit")
    };
    assert!(findings.is_sound(), "{findings:?}");
}

#[test]
fn a_dropped_task_stays_listed_and_can_be_tried_again() {
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
    // It is neither granted, nor released by `--retry-quarantined`.
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
    // The checkpoint goes when the record comes, and none is stored for a final task.
    let commit = Commit {
        dropped: vec![all[0].0],
        ..commit_of(vec![finished(&all[0].1.task)])
    };
    store.commit(&commit).unwrap();
    store.commit(&keeping(all[0].0, 4)).unwrap();
    assert_eq!(store.checkpoints().unwrap(), [(all[1].0, head(2))]);
    assert_eq!(store.checkpoint(all[0].0).unwrap(), None);
}
