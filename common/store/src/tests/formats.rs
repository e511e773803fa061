//! Tests: earlier formats are migrated, also after an interruption, or refused.

mod records;

use misere_census::{AutomatonFacts, LawFacts, Status};
use misere_engine::quotient::Limits;
use misere_query::{Field, Filter, Query};

use super::past_infinite::{CODES, back_to_7, lasting};
use super::*;
use crate::audit::{Audit, AuditResult, audit};
use crate::repair::{RepairError, repair};

/// The digest of the frozen census after its migration.
const FROZEN_DIGEST: &str = "bc22fc6ac9d8044b97becba5a7a6e71b3db86ed3bc01669103a3d7c11d8740e8";

/// Unpacks the frozen census of format 7, which has 14 codes and 10 tasks, 8 of them finished.
///
/// It was computed by engine 9 with a fuel of 200k, and [`back_to_7`] changed its format. The files
/// beside the database that format 7 did not have were deleted.
fn frozen() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let fixture = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/format-7.tar.gz");
    let unpacked = std::process::Command::new("tar")
        .args(["-xzf", fixture, "-C"])
        .arg(dir.path())
        .status()
        .unwrap();
    assert!(unpacked.success());
    dir
}

fn frozen_plan() -> Plan {
    let codes = "0.3 0.7 0.77 4.6 0.123 0.07 0.137 0.26 0.37 0.15 0.2 0.6 0.31011 0.1210002";
    let limits = Limits {
        max_heap: 3000,
        ..Limits::default()
    };
    let budget = Budget {
        fuel: 200_000,
        limits,
        ..Budget::default()
    };
    let codes = codes.split(' ').map(|code| code.parse().unwrap()).collect();
    Plan::new(Space::Codes(codes), budget).unwrap()
}

/// Opens the database in a directory without any check, as a process that is about to migrate it.
fn unchecked(dir: &Path, plan: &Plan) -> Store {
    Store {
        db: Arc::new(open_database(dir).unwrap()),
        plan: plan.clone(),
        counters: Counters::default(),
        generation: 0,
        levels: BTreeMap::new(),
        next_event: 0,
        statistics: Arc::default(),
        released: None,
        tallies: tallies::Tallies::default(),
        note: None,
        place: None,
        _lock: None,
    }
}

#[test]
fn a_frozen_census_is_migrated_with_everything_in_it() {
    let (dir, plan) = (frozen(), frozen_plan());
    let dir = dir.path().join("format-7");
    let read = Store::open_read_only(&dir).unwrap();
    assert_eq!((read.plan(), plan_of(&dir).unwrap()), (&plan, plan.clone()));
    let (before, generation) = (contents(&read), read.generation());
    let old_digest = read.digest().unwrap();
    drop(read);
    // Another plan is refused before anything is changed.
    assert!(matches!(
        open(&dir, &super::plan(&["0.3"])),
        Err(StoreError::OtherPlan { .. })
    ));
    let read = Store::open_read_only(&dir).unwrap();
    assert_eq!(contents(&read), before);
    drop(read);

    let mut store = open(&dir, &plan).unwrap();
    let counters = store.counters();
    assert_eq!(
        (counters.tasks, counters.codes, counters.pending()),
        (10, 14, 2)
    );
    assert_eq!(store.generation(), generation + 1);
    assert!(matches!(
        store.events().unwrap().last().unwrap().what,
        EventKind::Migrated { from: 7 }
    ));
    let digest = store.digest().unwrap();
    assert_eq!(digest.to_string(), FROZEN_DIGEST);
    assert_ne!(digest, old_digest);
    let after = contents(&store);
    for family in ["task", "pending", "certificate", "class", "membership"] {
        assert_eq!(after[family], before[family], "{family}");
    }
    for (_, stored) in store.pending(0, 99).unwrap() {
        store
            .commit(&commit_of(vec![finished(&stored.task)]))
            .unwrap();
    }
    assert!(store.counters().is_complete());
    drop(store);
    // Every record, class and index follows from the certificates.
    let whole = Audit {
        proves: true,
        interrupt: &Interrupt::default(),
        progress: &mut |_, _| {},
    };
    match audit(&dir, whole).unwrap() {
        AuditResult::Whole(findings) => assert_eq!(findings.faults, []),
        AuditResult::Stopped(_) => panic!("nothing stopped it"),
    }
}

/// Tests that the next opening finishes a migration that was interrupted after its first batch.
///
/// Until then no process reads the census. It was killed before any record was changed, or after
/// one of two.
#[test]
fn an_interrupted_migration_is_finished() {
    let plan = plan(&CODES);
    for changed in [None, Some("0.31011")] {
        let dir = tempfile::tempdir().unwrap();
        let mut store = open(dir.path(), &plan).unwrap();
        for (_, stored) in store.pending(0, 9).unwrap() {
            store
                .commit(&commit_of(vec![finished(&stored.task)]))
                .unwrap();
        }
        let (expected, digest) = (lasting(&store), store.digest().unwrap());
        let changed = changed.map(|code: &str| {
            let code = code.parse().unwrap();
            (code_key(&code), store.ruleset(&code).unwrap().unwrap())
        });
        back_to_7(&store);
        drop(store);

        let store = unchecked(dir.path(), &plan);
        store.begin_migration(7, dir.path()).unwrap();
        if let Some((key, record)) = changed {
            let mut batch = WriteBatch::default();
            store.put(&mut batch, Kind::Ruleset, &key, &record).unwrap();
            store.write(batch).unwrap();
        }
        drop(store);
        assert_eq!(plan_of(dir.path()).unwrap(), plan);
        let error = Store::open_read_only(dir.path()).unwrap_err();
        assert!(matches!(error, StoreError::Unmigrated { from: 7, .. }));
        assert!(error.to_string().contains("from format 7 to format 12"));

        let store = open(dir.path(), &plan).unwrap();
        assert_eq!(lasting(&store), expected);
        assert_eq!(store.digest().unwrap(), digest);
        drop(store);
        assert!(Store::open_read_only(dir.path()).is_ok());
    }
}

/// Tests that formats 1 to 5 are refused, and migrations from them that are not finished.
///
/// Nothing in the directory changes, so that an earlier release can still open it.
#[test]
fn formats_before_6_are_refused() {
    let plan = plan(&["0.3", "0.77"]);
    let unfinished = [(6, Some(5)), (8, Some(4)), (FORMAT, Some(2))];
    for (format, migrating) in (1..=5).map(|format| (format, None)).chain(unfinished) {
        let dir = tempfile::tempdir().unwrap();
        let store = open(dir.path(), &plan).unwrap();
        let mut batch = WriteBatch::default();
        let entries = [(Meta::Format, Some(format)), (Meta::Migrating, migrating)];
        for (meta, value) in entries {
            if let Some(value) = value {
                store
                    .put(&mut batch, Kind::Meta, meta.key(), &value)
                    .unwrap();
            }
        }
        store.write(batch).unwrap();
        drop(store);
        // Releases of these formats had no copy of the plan.
        std::fs::remove_file(dir.path().join("db/plan")).unwrap();
        if format < 5 {
            drop_later_families(dir.path());
        }
        let families = || DB::list_cf(&rocksdb::Options::default(), dir.path().join("db")).unwrap();
        let note = || std::fs::read(dir.path().join("db/commits")).unwrap();
        let before = (families(), note());

        let interrupt = Interrupt::default();
        let audit_of = Audit {
            proves: false,
            interrupt: &interrupt,
            progress: &mut |_, _| {},
        };
        let repaired = repair(
            dir.path(),
            misere_census::plan::tasks,
            &interrupt,
            &mut |_, _| {},
        );
        let repair_error = match repaired.unwrap_err() {
            RepairError::Store(error) => error,
            other => panic!("{other:?}"),
        };
        let earliest = migrating.unwrap_or(format);
        let says = format!(
            "the census in {} has store format {earliest}; this release opens formats 6 to 12. Open \
             it once with",
            dir.path().display()
        );
        for error in [
            open(dir.path(), &plan).map(drop).unwrap_err(),
            Store::open_read_only(dir.path()).map(drop).unwrap_err(),
            plan_of(dir.path()).map(drop).unwrap_err(),
            audit(dir.path(), audit_of).map(drop).unwrap_err(),
            repair_error,
        ] {
            assert!(
                matches!(error, StoreError::EarlierFormat { found, .. } if found == earliest),
                "{format}, {migrating:?}: {error:?}"
            );
            assert!(error.to_string().starts_with(&says), "{error}");
        }
        assert_eq!((families(), note()), before, "{format}, {migrating:?}");
    }
}

/// Drops the families that a census of format 4 does not have.
fn drop_later_families(dir: &Path) {
    let families = Kind::ALL.iter().map(|kind| kind.family());
    let options = rocksdb::Options::default();
    let mut db = DB::open_cf(&options, dir.join("db"), families).unwrap();
    for family in [
        "index",
        "level",
        "part",
        "settled",
        "candidate",
        "construction",
    ] {
        db.drop_cf(family).unwrap();
    }
}

/// Returns a finished task as releases before format 7 certified it: without a reason.
fn finished_before(task: &Task) -> Finished {
    let without = |solution| Solution {
        reason: None,
        ..solution
    };
    finished_so(task, without)
}
