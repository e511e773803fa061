//! Tests: files that lost their end, directories that moved, and foreign files.

use super::*;
use crate::audit::{Audit, AuditResult, audit};
use crate::commit_watermark::Note;
use crate::repair::{RepairSummary, repair};

const CODES: [&str; 4] = ["0.3", "0.7", "0.77", "0.07"];

/// Commits the results of the next pending tasks.
fn finish(store: &mut Store, limit: usize) {
    for (_, stored) in store.pending(0, limit).unwrap() {
        store
            .commit(&commit_of(vec![finished(&stored.task)]))
            .unwrap();
    }
}

/// Returns a census with results in tables of two sessions, and in a log.
fn census(dir: &Path) -> Plan {
    let plan = plan(&CODES);
    for _ in 0..2 {
        finish(&mut open(dir, &plan).unwrap(), 1);
    }
    finish(&mut open(dir, &plan).unwrap(), 2);
    plan
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &to),
            false => drop(std::fs::copy(entry.path(), to).unwrap()),
        }
    }
}

/// Returns the names of the files of a database, with their lengths.
fn files(dir: &Path) -> BTreeMap<String, u64> {
    let entries = std::fs::read_dir(dir.join("db")).unwrap();
    let file = |entry: std::fs::DirEntry| {
        let bytes = entry.metadata().unwrap().len();
        (entry.file_name().into_string().unwrap(), bytes)
    };
    entries.map(|entry| file(entry.unwrap())).collect()
}

fn manifest(dir: &Path) -> std::path::PathBuf {
    let current = std::fs::read_to_string(dir.join("db/CURRENT")).unwrap();
    dir.join("db").join(current.trim_end())
}

fn cut(file: &Path, bytes: u64) {
    let file = File::options().write(true).open(file).unwrap();
    file.set_len(bytes).unwrap();
}

fn digests(dir: &Path) -> (String, String) {
    let store = Store::open_read_only(dir).unwrap();
    let certificates = store.certificates_digest().unwrap();
    (
        store.digest().unwrap().to_string(),
        certificates.to_string(),
    )
}

fn is_sound(dir: &Path) -> bool {
    let all = Audit {
        proves: false,
        interrupt: &Interrupt::default(),
        progress: &mut |_, _| {},
    };
    match audit(dir, all) {
        Ok(AuditResult::Whole(findings)) => findings.is_sound(),
        Ok(AuditResult::Stopped(_)) => panic!("nothing stopped it"),
        Err(_) => false,
    }
}

fn repaired(dir: &Path) -> RepairSummary {
    let interrupt = Interrupt::default();
    repair(dir, misere_census::plan::tasks, &interrupt, &mut |_, _| {}).unwrap()
}

/// Tests that nothing opens a damaged census, and that it is rebuilt with all of its records.
///
/// It keeps its files.
fn is_noticed_and_repaired(dir: &Path, plan: &Plan, told: &(String, String), what: &str) {
    let tables = |dir: &Path| {
        let mut files = files(dir);
        files.retain(|name, _| !name.starts_with("commits") && !name.starts_with("LOG"));
        files
    };
    let before = tables(dir);
    for error in [
        Store::open_read_only(dir).map(drop).unwrap_err(),
        open(dir, plan).map(drop).unwrap_err(),
        plan_of(dir).map(drop).unwrap_err(),
    ] {
        let says = error.to_string();
        assert!(says.contains("is damaged"), "{what}: {says}");
        assert!(!says.contains("makes one"), "{what}: {says}");
        assert!(!says.contains("began"), "{what}: {says}");
    }
    assert_eq!(tables(dir), before, "{what}");
    assert!(!is_sound(dir), "{what}");
    let saved = repaired(dir);
    assert_eq!(saved.records, CODES.len() as u64, "{what}: {saved:?}");
    assert!(is_sound(dir), "{what}");
    assert_eq!(&digests(dir), told, "{what}");
}

#[test]
fn a_list_of_tables_that_lost_its_end_is_noticed() {
    let whole = tempfile::tempdir().unwrap();
    let plan = census(whole.path());
    let told = digests(whole.path());
    let bytes = std::fs::metadata(manifest(whole.path())).unwrap().len();
    for left in [0, bytes / 4, bytes / 2, bytes * 3 / 4, bytes - 1] {
        for says_how_long in [true, false] {
            let dir = tempfile::tempdir().unwrap();
            copy(whole.path(), dir.path());
            cut(&manifest(dir.path()), left);
            if !says_how_long {
                // The note in the form of an earlier release.
                let note = std::fs::read_to_string(dir.path().join("db/commits")).unwrap();
                let facts: Vec<&str> = note.split(' ').collect();
                let facts = format!("misere commits 1 {} {}", facts[3], facts[4]);
                let hash = blake3::hash(facts.as_bytes()).to_hex();
                let note = format!("{facts} {}\n", &hash[..16]);
                std::fs::write(dir.path().join("db/commits"), note).unwrap();
                // Without the length, a cut that drops no table is not detected, and is harmless.
                if Store::open_read_only(dir.path()).is_ok() {
                    assert_eq!(digests(dir.path()), told, "{left} of {bytes}");
                    drop(open(dir.path(), &plan).unwrap());
                    assert_eq!(digests(dir.path()), told, "{left} of {bytes}");
                    continue;
                }
            }
            let what = format!("{left} of {bytes}, {says_how_long}");
            is_noticed_and_repaired(dir.path(), &plan, &told, &what);
        }
    }
}

/// Tests that a census with an interrupted first opening is opened by the next process.
///
/// It is of an earlier release, and the opening is killed between the end of a table and its entry
/// in the list.
#[test]
fn a_table_that_a_killed_opening_left_is_not_damage() {
    let dir = tempfile::tempdir().unwrap();
    let plan = census(dir.path());
    let told = digests(dir.path());
    std::fs::remove_file(dir.path().join("db/commits")).unwrap();
    let tables = files(dir.path()).into_keys();
    let table = tables.filter(|name| name.ends_with(".sst")).min().unwrap();
    let leave_a_table = || {
        let db = dir.path().join("db");
        std::fs::copy(db.join(&table), db.join("009999.sst")).unwrap();
    };
    leave_a_table();
    let error = open(dir.path(), &plan).map(drop).unwrap_err();
    assert!(error.to_string().contains("009999.sst"), "{error}");
    std::fs::remove_file(dir.path().join("db/009999.sst")).unwrap();
    drop(Note::open(dir.path()).unwrap());
    leave_a_table();
    drop(open(dir.path(), &plan).unwrap());
    assert_eq!(digests(dir.path()), told);
}

#[test]
fn a_missing_or_older_list_of_tables_is_noticed() {
    let whole = tempfile::tempdir().unwrap();
    let plan = plan(&CODES);
    finish(&mut open(whole.path(), &plan).unwrap(), 2);
    let earlier = tempfile::tempdir().unwrap();
    copy(whole.path(), earlier.path());
    finish(&mut open(whole.path(), &plan).unwrap(), 2);
    let told = digests(whole.path());
    let older = manifest(earlier.path());
    for (what, is_older) in [("older", true), ("missing", false)] {
        let dir = tempfile::tempdir().unwrap();
        copy(whole.path(), dir.path());
        std::fs::remove_file(manifest(dir.path())).unwrap();
        if is_older {
            let name = older.file_name().unwrap();
            std::fs::copy(&older, dir.path().join("db").join(name)).unwrap();
            let current = earlier.path().join("db/CURRENT");
            std::fs::copy(current, dir.path().join("db/CURRENT")).unwrap();
        }
        is_noticed_and_repaired(dir.path(), &plan, &told, what);
    }
}

/// Tests that an earlier log that lost its end, or is missing, is noticed.
///
/// The newest log is complete.
#[test]
fn an_earlier_log_that_lost_its_end_is_noticed() {
    let whole = tempfile::tempdir().unwrap();
    let plan = plan(&CODES);
    let mut store = open(whole.path(), &plan).unwrap();
    finish(&mut store, 2);
    // One family goes into a table, so that there is a new log and the old one is still needed.
    let family = store.family(Kind::Event).unwrap();
    store.db.put_cf(family, number_key(u64::MAX), []).unwrap();
    store.db.flush_cf(family).unwrap();
    store.db.delete_cf(family, number_key(u64::MAX)).unwrap();
    finish(&mut store, 2);
    drop(store);
    let logs = files(whole.path()).into_iter();
    let logs: Vec<_> = logs.filter(|(name, _)| name.ends_with(".log")).collect();
    assert_eq!(logs.len(), 2, "{logs:?}");
    let (name, bytes) = &logs[0];
    for left in [0, bytes / 3, bytes - 1] {
        let dir = tempfile::tempdir().unwrap();
        copy(whole.path(), dir.path());
        cut(&dir.path().join("db").join(name), left);
        let error = open(dir.path(), &plan).map(drop).unwrap_err();
        assert!(error.to_string().contains("is damaged"), "{left}: {error}");
        assert!(Store::open_read_only(dir.path()).is_err(), "{left}");
        // These are all entries of the newest log.
        let saved = repaired(dir.path());
        assert!(saved.records >= 2, "{left}: {saved:?}");
    }
    let dir = tempfile::tempdir().unwrap();
    copy(whole.path(), dir.path());
    std::fs::remove_file(dir.path().join("db").join(name)).unwrap();
    assert!(open(dir.path(), &plan).is_err());
}

/// Tests that a copy that shares its files with the census keeps its content.
///
/// The census continues meanwhile.
#[test]
fn a_copy_of_links_is_a_census_of_its_own() {
    let dir = tempfile::tempdir().unwrap();
    let (one, other) = (dir.path().join("one"), dir.path().join("other"));
    let plan = plan(&CODES);
    finish(&mut open(&one, &plan).unwrap(), 1);
    let told = digests(&one);
    let link = |to: &Path| {
        std::fs::create_dir_all(to.join("db")).unwrap();
        for name in files(&one).into_keys().map(|name| format!("db/{name}")) {
            std::fs::hard_link(one.join(&name), to.join(name)).unwrap();
        }
    };
    link(&other);
    let mut store = open(&one, &plan).unwrap();
    finish(&mut store, 2);
    assert_eq!(digests(&other), told);
    assert!(is_sound(&other));
    // The same holds while it is written.
    let third = dir.path().join("third");
    link(&third);
    finish(&mut store, 1);
    assert!(Store::open_read_only(&third).is_ok());
    drop(store);
    assert!(open(&other, &plan).is_ok() && open(&third, &plan).is_ok());
    assert!(is_sound(&one));
}

/// Tests that a census whose directory is renamed, replaced or deleted writes nothing more.
///
/// It writes nothing into another census that has its name.
#[test]
fn a_census_that_lost_its_place_writes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let (here, there) = (dir.path().join("here"), dir.path().join("there"));
    let plan = plan(&CODES);
    let mut store = open(&here, &plan).unwrap();
    finish(&mut store, 1);
    let told = (store.digest().unwrap(), contents(&store));
    std::fs::rename(&here, &there).unwrap();
    let commit = |store: &mut Store| {
        let stored = first_pending(store).1;
        store.commit(&commit_of(vec![finished(&stored.task)]))
    };
    assert!(matches!(commit(&mut store), Err(StoreError::Moved(_))));
    assert!(!here.exists());
    // RocksDB's writes in the background follow the directory.
    let mut other = open(&here, &plan).unwrap();
    finish(&mut other, 2);
    let before = files(&here);
    store
        .db
        .flush_cf(store.family(Kind::Ruleset).unwrap())
        .unwrap();
    assert_eq!(files(&here), before);
    let error = commit(&mut store).unwrap_err();
    assert!(error.to_string().contains("renamed"), "{error}");
    drop(store);
    assert_eq!(other.counters().records(), 2);
    drop(other);
    assert!(is_sound(&here) && is_sound(&there));
    let store = open(&there, &plan).unwrap();
    assert_eq!(store.digest().unwrap(), told.0);
    drop(store);

    let mut store = open(&there, &plan).unwrap();
    std::fs::remove_dir_all(&there).unwrap();
    assert!(matches!(commit(&mut store), Err(StoreError::Moved(_))));
    drop(store);
    assert!(!there.exists());
}

/// Tests that foreign files do not block a census, and are not taken for one.
#[test]
fn foreign_files_beside_a_census_are_ignored() {
    let strange = [
        "lost+found",
        ".nfs0001",
        "core",
        "core.123",
        ".DS_Store",
        "nohup.out",
    ];
    let dir = tempfile::tempdir().unwrap();
    let plan = plan(&["0.3"]);
    // In a directory with only such files a census can be begun.
    for name in strange {
        std::fs::write(dir.path().join(name), "x").unwrap();
    }
    drop(open(dir.path(), &plan).unwrap());
    // Once it exists, any files may be added beside it.
    std::fs::write(dir.path().join("thesis.tex"), "x").unwrap();
    drop(open(dir.path(), &plan).unwrap());
    assert!(is_sound(dir.path()));
    std::fs::remove_file(dir.path().join("db/CURRENT")).unwrap();
    let error = open(dir.path(), &plan).map(drop).unwrap_err();
    assert!(error.to_string().contains("is damaged"), "{error}");
    let other = tempfile::tempdir().unwrap();
    std::fs::write(other.path().join("thesis.tex"), "x").unwrap();
    let error = open(other.path(), &plan).map(drop).unwrap_err();
    assert!(error.to_string().contains("`thesis.tex`"), "{error}");
}

#[test]
fn a_copy_inside_the_census_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(&dir.path().join("census"), &plan(&["0.3"])).unwrap();
    let inside = dir.path().join("census");
    std::os::unix::fs::symlink(inside.join("db"), dir.path().join("link")).unwrap();
    for to in [
        inside.clone(),
        inside.join("copy"),
        inside.join("db"),
        dir.path().join("link/a/b"),
    ] {
        let refused = store.files().copy(&to).unwrap_err();
        assert!(
            matches!(refused, StoreError::CopyInside { .. }),
            "{refused}"
        );
    }
    store.files().copy(&dir.path().join("census-2")).unwrap();
}

#[test]
fn bans_have_a_limit() {
    let dir = tempfile::tempdir().unwrap();
    let mut store = open(dir.path(), &plan(&["0.3"])).unwrap();
    let marked: Vec<_> = (0..crate::marks::MAX_MARKS)
        .map(|number| Marked::banned(&format!("host-{number}")))
        .collect();
    let commit = Commit {
        marked,
        ..Commit::default()
    };
    store.commit(&commit).unwrap();
    assert!(matches!(
        store.ban("one-more"),
        Err(StoreError::TooManyMarks(_))
    ));
    // Existing ones can be refused again and pardoned.
    assert!(store.ban("host-7").is_ok());
    assert_eq!(store.pardon("host-7").unwrap(), ["host-7"]);
    assert!(store.ban("one-more").is_ok());
    assert!(matches!(
        store.ban(&"x".repeat(1_000)),
        Err(StoreError::LongName(_))
    ));
}
