//! Tests: opening a census, whole or damaged, and the content of a copy.

use super::*;

/// Tests that a reader of a finished census does not read a long log.
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
        Err(StoreError::NotACensus(..))
    ));
    assert!(matches!(
        Store::open_read_only(other.path()),
        Err(StoreError::NoCensus(..))
    ));
    assert_eq!(std::fs::read_dir(other.path()).unwrap().count(), 1);
    let file = other.path().join("thesis.tex");
    assert!(matches!(
        open(&file, &plan(&["0.3"])),
        Err(StoreError::Directory { .. })
    ));
}

#[test]
fn a_half_written_plan_is_written_again() {
    let dir = tempfile::tempdir().unwrap();
    let plan = plan(&["0.3", "0.7", "0.77"]);
    let store = open(dir.path(), &plan).unwrap();
    let whole = contents(&store);
    // The state after a power loss before the last batches.
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

#[test]
fn a_copy_is_the_census_between_two_commits() {
    let dir = tempfile::tempdir().unwrap();
    let plan = plan(&["0.3", "0.77", "0.07"]);
    let mut store = open(dir.path(), &plan).unwrap();
    let (_, stored) = first_pending(&store);
    store
        .commit(&commit_of(vec![finished(&stored.task)]))
        .unwrap();
    let copies = tempfile::tempdir().unwrap();
    let to = copies.path().join("copies").join("one");
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
    let closed = files.copy(&copies.path().join("late"));
    assert!(matches!(closed, Err(StoreError::Closed)));
}

/// Tests that the unfinished copy of a killed process does not block the next one.
#[test]
fn an_unfinished_copy_is_replaced() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path(), &plan(&["0.3"])).unwrap();
    let copies = tempfile::tempdir().unwrap();
    let to = copies.path().join("copy");
    std::fs::create_dir_all(to.join("db.tmp")).unwrap();
    std::fs::write(to.join("db.tmp/000012.sst"), "half").unwrap();
    store.files().copy(&to).unwrap();
    let copy = Store::open_read_only(&to).unwrap();
    assert_eq!(contents(&copy), contents(&store));
    assert!(!to.join("db.tmp").exists());
}

/// A process that opens a census for writing puts its log into tables.
///
/// A concurrent reader sees all of the census, too.
#[test]
fn readers_see_all_while_a_census_is_opened() {
    let dir = tempfile::tempdir().unwrap();
    let plan = plan(&["0.77", "0.07"]);
    drop(open(dir.path(), &plan).unwrap());
    let is_over = std::sync::atomic::AtomicBool::new(false);
    let is_over = &is_over;
    std::thread::scope(|scope| {
        let readers: Vec<_> = (0..2)
            .map(|_| {
                scope.spawn(|| {
                    let mut read = 0;
                    while !is_over.load(std::sync::atomic::Ordering::Relaxed) {
                        let store = Store::open_read_only(dir.path()).unwrap();
                        assert_eq!(store.counters().tasks, 2);
                        read += 1;
                    }
                    read
                })
            })
            .collect();
        for _ in 0..20 {
            drop(open(dir.path(), &plan).unwrap());
        }
        is_over.store(true, std::sync::atomic::Ordering::Relaxed);
        let read: u32 = readers.into_iter().map(|one| one.join().unwrap()).sum();
        assert!(read > 10, "{read}");
    });
}

/// A killed process keeps the lock for a moment, and so does a check whether the census is in use.
#[test]
fn a_census_that_is_free_again_soon_is_opened() {
    let dir = tempfile::tempdir().unwrap();
    let plan = plan(&["0.3"]);
    let held = open(dir.path(), &plan).unwrap();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            std::thread::sleep(std::time::Duration::from_millis(100));
            drop(held);
        });
        let opened = open(dir.path(), &plan);
        assert!(opened.is_ok(), "{:?}", opened.err());
    });
}
