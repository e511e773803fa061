//! Tests: earlier formats are brought up, whatever breaks off in between.

mod records;

use super::super::migrate::{
    CLASS_OF_4, ClassOf4, RULESET_OF_4, RULESET_OF_5, RecordOf4, RecordOf5, RulesetOf4, RulesetOf5,
    StoredTaskOf4, TASK_OF_4,
};
use misere_census::{AutomatonFacts, LawFacts, Status};
use misere_query::{Field, Filter, Query};
use misere_theory::quotient::Limits;
use misere_theory::solution::Verdict;

use super::*;

/// A census of format 1, written by the program of 2026-11-21 12:20 (commit f7eac7e) from the codes
/// below, fuel 20k: 12 codes, 8 tasks, all finished.
fn of_format_1() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let fixture = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/format-1.tar.gz");
    let unpacked = std::process::Command::new("tar")
        .args(["-xzf", fixture, "-C"])
        .arg(dir.path())
        .status()
        .unwrap();
    assert!(unpacked.success());
    dir
}

fn plan_of_format_1() -> Plan {
    let codes = "0.3 0.7 0.77 4.6 0.123 0.07 0.137 0.26 0.37 0.15 0.2 0.6";
    let limits = misere_theory::quotient::Limits {
        max_heap: 3000,
        ..Default::default()
    };
    let budget = Budget {
        fuel: 20_000,
        limits,
        ..Budget::default()
    };
    let codes = codes.split(' ').map(|code| code.parse().unwrap()).collect();
    Plan::new(Space::Codes(codes), budget).unwrap()
}

#[test]
fn format_1_keeps_its_plan_and_is_computed_again() {
    let (dir, expected) = (of_format_1(), plan_of_format_1());
    let dir = dir.path().join("format-1");
    let read = Store::open_read_only(&dir);
    assert!(matches!(
        read,
        Err(StoreError::EarlierFormat { found: 1, .. })
    ));
    assert_eq!(plan_of(&dir).unwrap(), expected);
    // Another plan is refused before anything is changed.
    assert!(matches!(
        open(&dir, &plan(&["0.3"])),
        Err(StoreError::OtherPlan { .. })
    ));
    assert!(matches!(
        Store::open_read_only(&dir),
        Err(StoreError::EarlierFormat { .. })
    ));
    let mut store = open(&dir, &expected).unwrap();
    let counters = store.counters();
    assert_eq!(
        (counters.tasks, counters.codes, counters.pending()),
        (8, 12, 8)
    );
    // It was opened twice before; no epoch comes again.
    assert!(store.generation() > 1);
    let events = store.events().unwrap();
    assert!(events.len() > 1);
    assert!(matches!(
        events.last().unwrap().what,
        EventKind::Migrated { from: 1 }
    ));
    for (_, stored) in store.pending(0, 99).unwrap() {
        store
            .commit(&commit_of(vec![finished_before(&stored.task)]))
            .unwrap();
    }
    // The same as a census that never had format 1.
    let fresh = tempfile::tempdir().unwrap();
    let mut other = open(fresh.path(), &expected).unwrap();
    for (_, stored) in other.pending(0, 99).unwrap() {
        other
            .commit(&commit_of(vec![finished_before(&stored.task)]))
            .unwrap();
    }
    let (mut one, mut other) = (contents(&store), contents(&other));
    for family in ["meta", "event"] {
        one.remove(family);
        other.remove(family);
    }
    assert_eq!(one, other);
}

/// Tests a migration that was broken off right after its batch, before the tasks were laid down.
#[test]
fn a_migration_broken_off_is_completed() {
    let (dir, plan) = (of_format_1(), plan_of_format_1());
    let dir = dir.path().join("format-1");
    let store = Store {
        db: Arc::new(open_database(&dir).unwrap()),
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
    };
    store.migrate(&dir).unwrap();
    drop(store);
    assert_eq!(plan_of(&dir).unwrap(), plan);
    assert!(Store::open_read_only(&dir).is_err());
    let store = open(&dir, &plan).unwrap();
    assert_eq!((store.counters().tasks, store.counters().pending()), (8, 8));
    assert_eq!(store.pending(0, 99).unwrap().len(), 8);
}

#[test]
fn format_2_keeps_everything() {
    let dir = tempfile::tempdir().unwrap();
    let plan = plan(&["0.3", "0.77", "0.07"]);
    let mut store = open(dir.path(), &plan).unwrap();
    let all = store.pending(0, 9).unwrap();
    store
        .commit(&commit_of(vec![finished(&all[0].1.task)]))
        .unwrap();
    quarantine(&mut store, all[1].0);
    let (now, digest) = (contents(&store), store.digest().unwrap());
    // Back to what format 2 wrote.
    let mut batch = WriteBatch::default();
    let Counters {
        tasks,
        codes,
        done,
        exhausted,
        quarantined,
        ..
    } = store.counters();
    let counters = migrate::CountersOf2 {
        tasks,
        codes,
        done,
        exhausted,
        quarantined,
    };
    store
        .put(&mut batch, Kind::Meta, Meta::Counters.key(), &counters)
        .unwrap();
    store
        .put(&mut batch, Kind::Meta, Meta::Format.key(), &2_u32)
        .unwrap();
    let (task, why) = store.quarantined().unwrap().remove(0);
    let old = migrate::QuarantineOf2 {
        code: why.name.parse().unwrap(),
        failures: why.failures,
        failure: why.failure,
        at_ms: why.at_ms,
    };
    let bytes = encoding::encode(migrate::QUARANTINE_OF_2, &old).unwrap();
    batch.put_cf(
        store.family(Kind::Quarantine).unwrap(),
        task_key(task),
        bytes,
    );
    let last = store.last_event().unwrap().unwrap();
    store
        .delete(&mut batch, Kind::Event, &number_key(last))
        .unwrap();
    store.write(batch).unwrap();
    drop(store);

    let store = open(dir.path(), &plan).unwrap();
    assert_eq!(store.digest().unwrap(), digest);
    let mut migrated = contents(&store);
    let mut now = now;
    for family in ["meta", "event"] {
        migrated.remove(family);
        now.remove(family);
    }
    assert_eq!(migrated, now);
    assert_eq!(store.counters().quarantined, 1);
}

/// A finished task as releases before format 7 certified it: without a reason.
fn finished_before(task: &Task) -> Finished {
    let without = |solution| Solution {
        reason: None,
        ..solution
    };
    finished_so(task, without)
}

/// Writes the records as formats 2 to 4 had them, and takes away what these did not have.
fn back_to(format: u32, store: Store, dir: &Path) {
    let mut batch = WriteBatch::default();
    store
        .put(&mut batch, Kind::Meta, Meta::Format.key(), &format)
        .unwrap();
    store
        .delete(&mut batch, Kind::Meta, Meta::Indexes.key())
        .unwrap();
    let kind = Kind::Ruleset;
    for entry in store.scan::<Ruleset>(kind, &[]).unwrap() {
        let (key, value) = entry.unwrap();
        let old = match value {
            Ruleset::Record(record) => RulesetOf4::Record(Box::new(of_4(*record))),
            Ruleset::AliasOf(code) => RulesetOf4::AliasOf(code),
        };
        let old = encoding::encode(RULESET_OF_4, &old).unwrap();
        batch.put_cf(store.family(kind).unwrap(), key, old);
    }
    let kind = Kind::Task;
    for entry in store.scan::<StoredTask>(kind, &[]).unwrap() {
        let (key, stored) = entry.unwrap();
        let old = StoredTaskOf4 {
            task: stored.task.as_game().unwrap().clone(),
            position: stored.position,
            state: stored.state,
        };
        let old = encoding::encode(TASK_OF_4, &old).unwrap();
        batch.put_cf(store.family(kind).unwrap(), key, old);
    }
    let kind = Kind::Class;
    for entry in store.scan::<Class>(kind, &[]).unwrap() {
        let (key, class) = entry.unwrap();
        let old = ClassOf4 {
            order: class.order,
            p_size: class.p_size,
            witness: class.witness.unwrap(),
            heap: class.heap,
            quotient: class.quotient,
        };
        let old = encoding::encode(CLASS_OF_4, &old).unwrap();
        batch.put_cf(store.family(kind).unwrap(), key, old);
    }
    store.write(batch).unwrap();
    drop(store);
    let mut families: Vec<&str> = Kind::ALL.iter().map(|kind| kind.family()).collect();
    let mut gone = vec![
        "index",
        "level",
        "part",
        "settled",
        "candidate",
        "construction",
    ];
    if format == 3 {
        gone.push("checkpoint");
    }
    let path = dir.join("db");
    {
        let mut db = DB::open_cf(&rocksdb::Options::default(), &path, &families).unwrap();
        gone.iter().for_each(|family| db.drop_cf(family).unwrap());
    }
    families.retain(|family| !gone.contains(family));
    assert!(DB::open_cf(&rocksdb::Options::default(), &path, &families).is_ok());
}

fn of_4(record: Record) -> RecordOf4 {
    RecordOf4 {
        aliases: record.codes().skip(1).cloned().collect(),
        code: record.code,
        verdict: record.verdict,
        heaps: record.heaps,
        order: record.order,
        p_size: record.p_size,
        generators: record.generators,
        class: record.class,
        tame: record.tame,
        partials: record.partials,
        tail: record.tail,
        fuel: record.fuel,
        claim: record.claim,
    }
}

#[test]
fn format_3_gets_room_for_checkpoints() {
    let dir = tempfile::tempdir().unwrap();
    let plan = plan(&["0.3", "0.77"]);
    let mut store = open(dir.path(), &plan).unwrap();
    let (task, stored) = first_pending(&store);
    store
        .commit(&commit_of(vec![finished(&stored.task)]))
        .unwrap();
    let digest = store.digest().unwrap();
    back_to(3, store, dir.path());
    assert!(matches!(
        Store::open_read_only(dir.path()),
        Err(StoreError::EarlierFormat { found: 3, .. })
    ));
    assert_eq!(plan_of(dir.path()).unwrap(), plan);
    let mut store = open(dir.path(), &plan).unwrap();
    assert_eq!(store.digest().unwrap(), digest);
    store.commit(&keeping(task, 1)).unwrap();
    assert_eq!(store.checkpoints().unwrap(), []);
    let (left, _) = first_pending(&store);
    store.commit(&keeping(left, 1)).unwrap();
    assert_eq!(store.checkpoints().unwrap(), [(left, head(1))]);
}

/// Tests that aliases get their heap numbers from code and certificate, and that the games are
/// found by them.
#[test]
fn format_5_gets_the_heap_numbers_of_aliases() {
    let dir = tempfile::tempdir().unwrap();
    let plan = plan(&["0.4", "0.07", "0.77", "4.4", "0.041", "0.43"]);
    let mut store = open(dir.path(), &plan).unwrap();
    for (_, stored) in store.pending(0, 9).unwrap() {
        store
            .commit(&commit_of(vec![finished_before(&stored.task)]))
            .unwrap();
    }
    let digest = store.digest().unwrap();
    let mut batch = WriteBatch::default();
    store
        .put(&mut batch, Kind::Meta, Meta::Format.key(), &5_u32)
        .unwrap();
    let kind = Kind::Ruleset;
    for entry in store.scan::<Ruleset>(kind, &[]).unwrap() {
        let (key, value) = entry.unwrap();
        let old = match value {
            Ruleset::Record(record) => RulesetOf5::Record(Box::new(RecordOf5 {
                distinct_multiples: record.distinct_multiples.clone(),
                of_4: of_4(*record),
            })),
            Ruleset::AliasOf(code) => RulesetOf5::AliasOf(code),
        };
        let old = encoding::encode(RULESET_OF_5, &old).unwrap();
        batch.put_cf(store.family(kind).unwrap(), key, old);
    }
    store
        .put(&mut batch, Kind::Meta, Meta::Indexes.key(), &1_u32)
        .unwrap();
    let mut before = contents(&store);
    store.write(batch).unwrap();
    drop(store);
    assert!(matches!(
        Store::open_read_only(dir.path()),
        Err(StoreError::EarlierFormat { found: 5, .. })
    ));
    let store = open(dir.path(), &plan).unwrap();
    assert_eq!(store.digest().unwrap(), digest);
    let mut after = contents(&store);
    for family in ["meta", "event"] {
        before.remove(family);
        after.remove(family);
    }
    assert_eq!(after, before);
    let preperiod = |code: &str| {
        let game = store.game(&code.parse().unwrap()).unwrap().unwrap();
        (game.record.verdict, store.solution(&game).unwrap().verdict)
    };
    let solved = |preperiod| Verdict::Solved {
        period: 12,
        preperiod,
    };
    assert_eq!(preperiod("0.77"), (solved(71), solved(71)));
    assert_eq!(preperiod("4.4"), (solved(72), solved(72)));
}

/// Tests that records learn from their certificates what is proved infinite, and are indexed;
/// wherever that is broken off.
#[test]
fn format_4_gets_indexes_and_what_is_infinite() {
    let dir = tempfile::tempdir().unwrap();
    let plan = plan(&["0.3", "0.77", "4.4", "0.005", "0.07"]);
    let mut store = open(dir.path(), &plan).unwrap();
    for (_, stored) in store.pending(0, 9).unwrap() {
        store
            .commit(&commit_of(vec![finished_before(&stored.task)]))
            .unwrap();
    }
    let infinite = || -> Record {
        let store = Store::open_read_only(dir.path()).unwrap();
        match store.ruleset(&"0.005".parse().unwrap()).unwrap() {
            Some(Ruleset::Record(record)) => *record,
            other => panic!("{other:?}"),
        }
    };
    let generation = |contents: &mut BTreeMap<&'static str, Vec<(Bytes, Bytes)>>| {
        // These tell of every opening.
        contents.remove("event");
        let meta = contents.get_mut("meta").unwrap();
        meta.retain(|(key, _)| key != Meta::Generation.key());
    };
    let mut before = contents(&store);
    generation(&mut before);
    let digest = store.digest().unwrap();
    back_to(4, store, dir.path());
    assert!(matches!(
        Store::open_read_only(dir.path()),
        Err(StoreError::EarlierFormat { found: 4, .. })
    ));
    let store = open(dir.path(), &plan).unwrap();
    assert_eq!(store.digest().unwrap(), digest);
    let mut after = contents(&store);
    generation(&mut after);
    assert_eq!(after, before);
    drop(store);
    assert_eq!(infinite().status(), Some(misere_census::Status::Infinite));
    assert!(!infinite().distinct_multiples.is_empty());

    // Killed while it was at it: one record is new, the others are not.
    let store = open(dir.path(), &plan).unwrap();
    let new = store.ruleset(&"0.77".parse().unwrap()).unwrap().unwrap();
    back_to(4, store, dir.path());
    let store = Store {
        db: Arc::new(open_database(dir.path()).unwrap()),
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
    };
    let mut batch = WriteBatch::default();
    let code = code_key(&"0.77".parse().unwrap());
    store.put(&mut batch, Kind::Ruleset, &code, &new).unwrap();
    for (meta, value) in [(Meta::Format, FORMAT), (Meta::Migrating, 4)] {
        store
            .put(&mut batch, Kind::Meta, meta.key(), &value)
            .unwrap();
    }
    store.write(batch).unwrap();
    drop(store);
    assert!(matches!(
        Store::open_read_only(dir.path()),
        Err(StoreError::EarlierFormat { found: 4, .. })
    ));
    let store = open(dir.path(), &plan).unwrap();
    let mut after = contents(&store);
    generation(&mut after);
    assert_eq!(after, before);
}
