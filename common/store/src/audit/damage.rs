//! Tests: every damage is detected, also damage under a valid checksum.

use std::path::Path;

use misere_census::{Budget, Plan, Space};
use misere_game::control::Interrupt;
use rocksdb::IteratorMode;

use super::{Audit, AuditResult, Findings, audit};
use crate::keys::Kind;
use crate::repair::{RepairSummary, repair};
use crate::{Commit, Store, tests};

const CODES: [&str; 8] = [
    "0.3", "0.77", "0.07", "0.137", "4.6", "0.123", "0.144", "0.6",
];

fn plan() -> Plan {
    let codes = CODES.iter().map(|code| code.parse().unwrap()).collect();
    let budget = Budget {
        fuel: 200_000,
        ..Budget::default()
    };
    Plan::new(Space::Codes(codes), budget).unwrap()
}

fn open(dir: &Path) -> Store {
    Store::open(dir, &plan(), || misere_census::plan::tasks(&plan())).unwrap()
}

/// Makes a finished census.
fn finished(dir: &Path) {
    let mut store = open(dir);
    for (_, stored) in store.pending(0, 100).unwrap() {
        let finished = vec![tests::finished(&stored.task)];
        store
            .commit(&Commit {
                finished,
                ..Commit::default()
            })
            .unwrap();
    }
}

/// Returns the findings of an audit; `None` if the census cannot be opened.
fn looked_at(dir: &Path, proves: bool) -> Option<Findings> {
    let done = audit(
        dir,
        Audit {
            proves,
            interrupt: &Interrupt::default(),
            progress: &mut |_, _| {},
        },
    );
    match done.ok()? {
        AuditResult::Whole(findings) => Some(findings),
        AuditResult::Stopped(_) => panic!("no one stopped it"),
    }
}

fn audited(dir: &Path, proves: bool) -> Findings {
    looked_at(dir, proves).unwrap()
}

fn repaired(dir: &Path) -> RepairSummary {
    repair(
        dir,
        misere_census::plan::tasks,
        &Interrupt::default(),
        &mut |_, _| {},
    )
    .unwrap()
}

fn digests(dir: &Path) -> (String, String) {
    let store = Store::open_read_only(dir).unwrap();
    let certificates = store.certificates_digest().unwrap();
    (
        store.digest().unwrap().to_string(),
        certificates.to_string(),
    )
}

/// The families whose entries state facts about results; the others are tested by name.
const KINDS: [Kind; 9] = [
    Kind::Task,
    Kind::Ruleset,
    Kind::Certificate,
    Kind::Class,
    Kind::Membership,
    Kind::Index,
    Kind::Event,
    Kind::Pending,
    Kind::Meta,
];

/// Tests that each flipped bit, deleted entry or added entry is detected, or changes no claim.
#[test]
fn every_change_under_a_valid_checksum_is_detected() {
    let whole = tempfile::tempdir().unwrap();
    finished(whole.path());
    assert_eq!(audited(whole.path(), true).faults, []);
    let told = digests(whole.path());
    let (mut seen, mut harmless) = (0, Vec::new());
    for kind in KINDS {
        let original = open(whole.path());
        let family = original.family(kind).unwrap();
        let entries = original.db.iterator_cf(family, IteratorMode::Start);
        let entries: Vec<(Vec<u8>, Vec<u8>)> = entries
            .map(|entry| entry.map(|(k, v)| (k.to_vec(), v.to_vec())).unwrap())
            .collect();
        for (at, (key, value)) in entries.iter().enumerate().step_by(1 + entries.len() / 6) {
            let bits = value.len() * 8;
            let flips = (0..3).map(|n| (at * 7 + n * 131) % bits.max(1));
            for flip in flips.map(Some).chain([None]) {
                let dir = tempfile::tempdir().unwrap();
                let copy = dir.path().join("copy");
                original.files().copy(&copy).unwrap();
                let store = open(&copy);
                let family = store.family(kind).unwrap();
                match flip.filter(|_| bits > 0) {
                    Some(bit) => {
                        let mut other = value.clone();
                        other[bit / 8] ^= 1 << (bit % 8);
                        store.db.put_cf(family, key, other).unwrap();
                    }
                    None => store.db.delete_cf(family, key).unwrap(),
                }
                // Not through the store, which would record its extent.
                drop(store);
                let proves = matches!(kind, Kind::Certificate | Kind::Class);
                // A change of the format: the census is not opened at all.
                let Some(findings) = looked_at(&copy, proves) else {
                    seen += 1;
                    continue;
                };
                if findings.is_sound() {
                    harmless.push((kind, String::from_utf8_lossy(key).into_owned(), flip));
                    // An undetected change touches nothing that the census states about games.
                    assert!(
                        matches!(kind, Kind::Event | Kind::Meta | Kind::Certificate),
                        "{harmless:?}"
                    );
                    if kind != Kind::Certificate {
                        assert_eq!(digests(&copy), told, "{harmless:?}");
                    }
                    continue;
                }
                seen += 1;
            }
        }
    }
    assert!(seen > 100, "{seen} seen, {harmless:?}");
}

/// Tests that a census rebuilt from its certificates has its former digests.
///
/// Lost results are to be computed again.
#[test]
fn a_damaged_census_is_rebuilt_from_certificates() {
    let dir = tempfile::tempdir().unwrap();
    finished(dir.path());
    let told = digests(dir.path());
    let store = open(dir.path());
    let generation = store.generation();
    for kind in [Kind::Ruleset, Kind::Index, Kind::Class, Kind::Task] {
        let family = store.family(kind).unwrap();
        let first = store.db.iterator_cf(family, IteratorMode::Start).next();
        let (key, _) = first.unwrap().unwrap();
        store.db.put_cf(family, key, b"nothing").unwrap();
    }
    drop(store);
    let findings = audited(dir.path(), false);
    assert!(findings.count >= 4, "{:?}", findings.faults);
    let done = repaired(dir.path());
    let all = misere_census::plan::tasks(&plan()).len() as u64;
    assert_eq!((done.records, done.pending, done.again_count), (all, 0, 0));
    assert_eq!(audited(dir.path(), true).faults, []);
    assert_eq!(digests(dir.path()), told);
    let store = open(dir.path());
    assert!(store.generation() > generation);
    // One certificate is lost, and another one is changed.
    let family = store.family(Kind::Certificate).unwrap();
    let mut entries = store.db.iterator_cf(family, IteratorMode::Start);
    let (lost, _) = entries.next().unwrap().unwrap();
    let (other, mut value) = entries.next().unwrap().unwrap();
    let middle = value.len() / 2;
    value[middle] ^= 4;
    store.db.delete_cf(family, lost).unwrap();
    store.db.put_cf(family, other, value).unwrap();
    drop(entries);
    drop(store);
    std::fs::remove_dir_all(dir.path().join("damaged")).unwrap();
    assert!(!audited(dir.path(), true).is_sound());
    let done = repaired(dir.path());
    assert_eq!(
        (done.records, done.pending, done.again_count),
        (all - 2, 2, 2)
    );
    assert_eq!(audited(dir.path(), true).faults, []);
    finished(dir.path());
    assert_eq!(digests(dir.path()), told);
}
