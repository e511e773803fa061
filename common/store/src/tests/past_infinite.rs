//! Tests: games solved past an infinite quotient, in this format and in format 7.

use misere_census::{AllHeapsFacts, GameTask, Status};
use misere_query::{Field, Filter, Query};

use super::*;

/// Two games solved past an infinite quotient, and Kayles.
pub(super) const CODES: [&str; 3] = ["0.31011", "0.77", "0.1210002"];

fn record(store: &Store, code: &str) -> Record {
    match store.ruleset(&code.parse().unwrap()).unwrap() {
        Some(Ruleset::Record(record)) => *record,
        other => panic!("{other:?}"),
    }
}

/// Returns the games whose words of all heaps repeat with a period of at least 2.
///
/// The access path of the answer is returned, too.
fn asked(store: &Store) -> (Vec<String>, answers::AccessPath) {
    let query = Query {
        filter: Filter {
            ranges: [(Field::PastInfinite, "2..".parse().unwrap())]
                .into_iter()
                .collect(),
            ..Filter::default()
        },
        ..Query::default()
    };
    let (found, stats) = answers::collect(store, &query).unwrap();
    let codes = found.iter().map(|game| game.record.code.to_string());
    (codes.collect(), stats.path)
}

/// Returns all entries except those that depend on openings.
pub(super) fn lasting(store: &Store) -> BTreeMap<&'static str, Vec<(Bytes, Bytes)>> {
    let mut contents = contents(store);
    contents.remove("event");
    let meta = contents.get_mut("meta").unwrap();
    meta.retain(|(key, _)| key != Meta::Generation.key());
    contents
}

/// Returns the record in format 7, in which words of all heaps are not part of the claim.
fn of_format_7(store: &Store, now: &Record) -> Record {
    let key = code_key(&now.code);
    let family = store.family(Kind::Certificate).unwrap();
    let bytes = store.db.get_cf(family, key).unwrap().unwrap();
    let mut solution = certificate::decode(&bytes).unwrap();
    solution.evidence = (solution.evidence).map(|evidence| evidence.with_all_heaps(None));
    let game = GameTask {
        code: now.code.clone(),
        aliases: now.aliases.iter().map(|alias| alias.code.clone()).collect(),
        budget: store.plan().budget(),
    };
    Record::new(&game, &solution).unwrap()
}

/// Writes the entries that format 7 has.
///
/// The records of games that are solved past an infinite quotient lose the words of all heaps, and
/// the endings are not counted.
pub(super) fn back_to_7(store: &Store) {
    let mut batch = WriteBatch::default();
    for now in store.records().unwrap().map(Result::unwrap) {
        if now.all_heaps.is_none() {
            continue;
        }
        let old = of_format_7(store, &now);
        assert_eq!(old.status(), Some(Status::Infinite));
        assert_ne!(old.claim, now.claim);
        store.unindex(&mut batch, &now).unwrap();
        let value = Ruleset::Record(Box::new(old.clone()));
        let key = code_key(&old.code);
        store.put(&mut batch, Kind::Ruleset, &key, &value).unwrap();
        store.index(&mut batch, &old).unwrap();
    }
    for (meta, value) in [(Meta::Format, 7_u32), (Meta::Indexes, 3)] {
        store
            .put(&mut batch, Kind::Meta, meta.key(), &value)
            .unwrap();
    }
    store
        .delete(&mut batch, Kind::Meta, Meta::Tallies.key())
        .unwrap();
    store.write(batch).unwrap();
}

/// Tests that a census of format 7 can be read as it is.
///
/// When it is opened for writing, its records get the words of all heaps from their certificates.
#[test]
fn format_7_learns_of_games_past_an_infinite_quotient() {
    let dir = tempfile::tempdir().unwrap();
    let plan = plan(&CODES);
    let mut store = open(dir.path(), &plan).unwrap();
    for (_, stored) in store.pending(0, 9).unwrap() {
        store
            .commit(&commit_of(vec![finished(&stored.task)]))
            .unwrap();
    }
    let learned = record(&store, "0.31011");
    let all = AllHeapsFacts {
        preperiod: 6,
        period: 2,
    };
    assert_eq!(learned.all_heaps, Some(all));
    assert_eq!(learned.status(), Some(Status::Solved));
    assert!(learned.is_proved_infinite());
    let solved = ["0.31011", "0.1210002"].map(str::to_owned).to_vec();
    assert_eq!(asked(&store).0, solved);
    let digest = store.digest().unwrap();
    let unchanged = record(&store, "0.77");
    let before = lasting(&store);

    back_to_7(&store);
    drop(store);

    let store = Store::open_read_only(dir.path()).unwrap();
    assert_eq!(record(&store, "0.31011").status(), Some(Status::Infinite));
    assert_ne!(store.digest().unwrap(), digest);
    // The index does not exist yet, and is not read.
    assert_eq!(asked(&store), (Vec::new(), answers::AccessPath::All));
    drop(store);

    let store = open(dir.path(), &plan).unwrap();
    assert_eq!(record(&store, "0.31011"), learned);
    assert_eq!(record(&store, "0.77"), unchanged);
    assert_eq!(store.digest().unwrap(), digest);
    let (found, path) = asked(&store);
    assert_eq!(found, solved);
    assert_ne!(path, answers::AccessPath::All);
    assert_eq!(lasting(&store), before);
}

/// Tests that a game solved past an infinite quotient has its own number on disk.
///
/// After it come the bytes of the record in earlier releases; its aliases keep their bytes.
#[test]
fn rulesets_past_an_infinite_quotient_have_their_number() {
    let plain = misere_query::samples::synthetic(0);
    let all = |preperiod| AllHeapsFacts {
        preperiod,
        period: 2,
    };
    let mut solved = plain.clone();
    solved.law = None;
    solved.automaton = None;
    solved.reason = None;
    solved.all_heaps = None;
    solved.infinite_later = None;
    solved
        .aliases
        .iter_mut()
        .for_each(|alias| alias.all_heaps = None);
    assert_eq!(solved.aliases.len(), 1);
    let bytes = |record: &Record| {
        let ruleset = Ruleset::Record(Box::new(record.clone()));
        let bytes = encoding::encode(Kind::Ruleset.version(), &ruleset).unwrap();
        let read: Ruleset = encoding::decode(Kind::Ruleset.version(), &bytes).unwrap();
        assert_eq!(read, ruleset);
        bytes
    };
    let without = bytes(&solved);
    solved.all_heaps = Some(all(6));
    solved.aliases[0].all_heaps = Some(all(300));
    let with = bytes(&solved);
    assert_eq!((&without[..2], &with[..2]), (&[3, 0][..], &[3, 4][..]));
    assert_eq!(with[2..without.len()], without[2..]);
    assert_eq!(with[without.len()..], [6, 2, 1, 1, 0xac, 0x02, 2]);

    // The heap of a later proof comes first, under one number with all heaps and without them.
    let mut later = solved.clone();
    later.infinite_later = Some(40);
    let with = bytes(&later);
    assert_eq!(with[..2], [3, 6]);
    assert_eq!(with[2..without.len()], without[2..]);
    assert_eq!(with[without.len()..], [40, 1, 6, 2, 1, 1, 0xac, 0x02, 2]);
    later.all_heaps = None;
    later.aliases[0].all_heaps = None;
    assert_eq!(bytes(&later)[without.len()..], [40, 0]);
}
