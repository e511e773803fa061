//! Tests: levels end the same, despite lies, deaths of workers, and any order of work.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::OnceLock;

use misere_algebra::classify::batch::BatchResult;
use misere_census::admission::verify;
use misere_census::schemes::Outcome;
use misere_census::{Budget, Plan, Space, Task, TaskId};
use misere_census::{Finding, schemes};
use misere_game::control::{Control, Interrupt};
use proptest::prelude::*;

use super::keys::Kind;
use super::{Commit, Finished, Store};

const MAX_ORDER: u8 = 12;

/// A digest, levels and constructions.
type Outline = (String, Vec<super::Level>, BTreeMap<Vec<u8>, Vec<u8>>);

fn open(dir: &Path) -> Store {
    let plan = Plan::new(Space::Quotients { order: MAX_ORDER }, Budget::default()).unwrap();
    Store::open(dir, &plan, Vec::new).unwrap()
}

/// Returns the result of an honest worker, changed by `change`.
fn finished(task: &Task, change: impl FnOnce(&mut BatchResult)) -> Finished {
    let mut control = Control::new(0, Interrupt::default());
    let outcome = schemes::settle(task.as_schemes().unwrap(), &mut control).unwrap();
    let mut certificate = schemes::encode(&outcome).unwrap();
    let mut judged = verify(task, &certificate, Interrupt::default()).unwrap();
    // Change a lie that the verifier would find after the verification.
    if let Finding::Schemes(finding) = &mut judged.finding
        && let Some(settled) = &mut finding.settled
    {
        change(settled);
        certificate = schemes::encode(&Outcome::Settled(settled.clone())).unwrap();
    }
    Finished {
        task: task.id(),
        finish: judged.finish,
        certificate,
        finding: judged.finding,
        checked_by: None,
    }
}

fn commit_of(finished: Vec<Finished>) -> Commit {
    Commit {
        finished,
        ..Commit::default()
    }
}

fn pending(store: &Store) -> Vec<(TaskId, Task)> {
    let all = store.pending(0, 1000).unwrap().into_iter();
    all.map(|(id, stored)| (id, stored.task)).collect()
}

/// Finishes the remaining tasks, the last first.
fn complete(store: &mut Store) {
    while let Some((_, task)) = pending(store).pop() {
        store
            .commit(&commit_of(vec![finished(&task, |_| ())]))
            .unwrap();
        store.advance().unwrap();
    }
}

/// Returns all entries that must not depend on the history of a census.
///
/// The positions of tasks are left out.
fn outcome(store: &Store) -> Outline {
    assert!(store.is_complete());
    let kind = Kind::Construction;
    let entries = store
        .db
        .iterator_cf(store.family(kind).unwrap(), rocksdb::IteratorMode::Start);
    let entries = entries.map(|entry| entry.map(|(key, value)| (key.to_vec(), value.to_vec())));
    let counters = store.counters();
    let batches: u64 = store.levels().map(|level| level.tasks).sum();
    assert_eq!((counters.tasks, counters.done), (batches, batches));
    let levels = store.levels().copied().collect();
    let digest = store.digest().unwrap().to_string();
    (digest, levels, entries.collect::<Result<_, _>>().unwrap())
}

fn expected() -> Outline {
    static EXPECTED: OnceLock<Outline> = OnceLock::new();
    let expected = EXPECTED.get_or_init(|| {
        let dir = tempfile::tempdir().unwrap();
        let mut store = open(dir.path());
        complete(&mut store);
        outcome(&store)
    });
    expected.clone()
}

#[test]
fn levels_follow_one_another_and_are_read() {
    let dir = tempfile::tempdir().unwrap();
    let mut store = open(dir.path());
    assert_eq!((store.counters().tasks, store.counters().codes), (1, 0));
    assert_eq!(store.open_level().unwrap().order, 2);
    complete(&mut store);
    let counts: Vec<(u8, u64)> = store
        .levels()
        .map(|level| (level.order, level.classes))
        .collect();
    assert_eq!(counts, [(2, 1), (4, 0), (6, 1), (8, 1), (10, 1), (12, 6)]);
    assert_eq!(store.class_count().unwrap(), 0, "no game has met any");
    for quotient in store.quotients(12).unwrap() {
        assert_eq!(quotient.construction.quotient.class_key(), quotient.class);
        let class = store.class(&quotient.class).unwrap().unwrap();
        assert_eq!((class.order, class.witness), (12, None));
        assert_eq!(class.construction, Some(quotient.code));
    }
    let found = outcome(&store);
    drop(store);
    let mut store = open(dir.path());
    assert_eq!(store.advance().unwrap(), []);
    assert_eq!(outcome(&store), found);
    assert_eq!(outcome(&Store::open_read_only(dir.path()).unwrap()), found);
}

/// Tests that a lie found late leaves nothing behind.
///
/// Candidates that a caught worker left out are found, those it added are gone, and tasks built on
/// either are withdrawn.
#[test]
fn a_lie_found_out_late_leaves_nothing_behind() {
    for add in [false, true] {
        let dir = tempfile::tempdir().unwrap();
        let mut store = open(dir.path());
        // The tasks of order 2 to 6, one of them by a liar.
        while store.open_level().unwrap().order < 6 {
            let (_, task) = pending(&store).remove(0);
            store
                .commit(&commit_of(vec![finished(&task, |_| ())]))
                .unwrap();
            store.advance().unwrap();
        }
        let (liar, task) = pending(&store).remove(0);
        let lie = finished(&task, |settled| {
            if add {
                // The same candidate by another way, with a hint that is not the least.
                let last = settled.reached.len() - 1;
                settled.reached[last].hint[1] ^= 1;
            } else {
                settled.reached.retain(|scheme| scheme.order() != 8);
            }
        });
        store.commit(&commit_of(vec![lie])).unwrap();
        complete(&mut store);
        let false_levels = store.levels().copied().collect::<Vec<_>>();
        let reopen = Commit {
            reopened: vec![liar],
            ..Commit::default()
        };
        store.commit(&reopen).unwrap();
        assert_eq!(store.open_level().unwrap().order, 6);
        assert!(
            store
                .levels()
                .filter(|level| level.order >= 6)
                .all(|level| !level.closed)
        );
        // Repeating it changes nothing.
        store.commit(&reopen).unwrap();
        assert_eq!(store.advance().unwrap(), []);
        assert_eq!(pending(&store).len(), 1);
        complete(&mut store);
        let expected = expected();
        assert_eq!(outcome(&store), expected, "add: {add}");
        if !add {
            assert_ne!(false_levels, expected.1);
        }
    }
}

/// Tests that a level is written again from the start after an interruption anywhere.
#[test]
fn writing_a_level_may_be_interrupted() {
    let dir = tempfile::tempdir().unwrap();
    let mut store = open(dir.path());
    while store.open_level().unwrap().order < 12 {
        let before = store.open_level().unwrap().order;
        let (_, task) = pending(&store).remove(0);
        store
            .commit(&commit_of(vec![finished(&task, |_| ())]))
            .unwrap();
        if pending(&store).is_empty() {
            // The tasks of the next level are written, and then the power fails.
            store.lay_down_half(before + 2).unwrap();
            drop(store);
            store = open(dir.path());
            assert_eq!(store.open_level().unwrap().order, before + 2);
        }
    }
    complete(&mut store);
    assert_eq!(outcome(&store), expected());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 5, ..ProptestConfig::default() })]

    /// Tests that levels end the same after any course of events.
    ///
    /// Tasks finish, are taken back and finish again, and the store is opened again, in any order.
    #[test]
    fn any_course_ends_the_same(course in prop::collection::vec((0_u8..8, any::<prop::sample::Index>()), 0..30)) {
        let dir = tempfile::tempdir().unwrap();
        let mut store = open(dir.path());
        let mut done: Vec<TaskId> = Vec::new();
        for (step, which) in course {
            let left = pending(&store);
            match step {
                0 if !done.is_empty() => {
                    let reopened = vec![*which.get(&done)];
                    store.commit(&Commit { reopened, ..Commit::default() }).unwrap();
                }
                1 => {
                    drop(store);
                    store = open(dir.path());
                }
                2 if !left.is_empty() => {
                    // A lie: half of the candidates reached are left out.
                    let (id, task) = which.get(&left);
                    let mut keep = false;
                    let lie = finished(task, |settled| settled.reached.retain(|_| {
                        keep = !keep;
                        keep
                    }));
                    store.commit(&commit_of(vec![lie])).unwrap();
                    store.advance().unwrap();
                    store.commit(&Commit { reopened: vec![*id], ..Commit::default() }).unwrap();
                }
                _ if !left.is_empty() => {
                    let (id, task) = which.get(&left);
                    store.commit(&commit_of(vec![finished(task, |_| ())])).unwrap();
                    done.push(*id);
                }
                _ => {}
            }
            store.advance().unwrap();
        }
        complete(&mut store);
        prop_assert_eq!(outcome(&store), expected());
    }
}
