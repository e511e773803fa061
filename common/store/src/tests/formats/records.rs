//! Tests: records of earlier formats have no reasons and get laws; rulesets keep their numbers.

use super::*;

/// Tests that records of format 6 are read unchanged.
///
/// A reason is stored beside a record and changes no digest.
#[test]
fn format_6_has_no_reasons() {
    let plan = plan(&["0.4", "0.07", "0.77"]);
    let of = |finish: fn(&Task) -> Finished| {
        let dir = tempfile::tempdir().unwrap();
        let mut store = open(dir.path(), &plan).unwrap();
        for (_, stored) in store.pending(0, 9).unwrap() {
            store
                .commit(&commit_of(vec![finish(&stored.task)]))
                .unwrap();
        }
        (dir, store)
    };
    let reason = |store: &Store| {
        let game = store.game(&"0.07".parse().unwrap()).unwrap().unwrap();
        game.record.reason
    };
    let (dir, store) = of(finished_before);
    let digest = store.digest().unwrap();
    let mut batch = WriteBatch::default();
    let six = 6_u32;
    store
        .put(&mut batch, Kind::Meta, Meta::Format.key(), &six)
        .unwrap();
    store
        .put(&mut batch, Kind::Meta, Meta::Indexes.key(), &2_u32)
        .unwrap();
    store.write(batch).unwrap();
    let before = contents(&store).remove("ruleset");
    drop(store);
    let store = Store::open_read_only(dir.path()).unwrap();
    assert_eq!((store.digest().unwrap(), reason(&store)), (digest, None));
    drop(store);
    let store = open(dir.path(), &plan).unwrap();
    assert_eq!(contents(&store).remove("ruleset"), before);
    assert_eq!((store.digest().unwrap(), reason(&store)), (digest, None));

    let (_dir, with_reasons) = of(finished);
    assert!(reason(&with_reasons).is_some());
    assert_eq!(with_reasons.digest().unwrap(), digest);
    // To the bytes of earlier releases come the number of the variant, and the reason.
    let now = contents(&with_reasons).remove("ruleset").unwrap();
    for ((key, old), (_, new)) in before.unwrap().into_iter().zip(now) {
        let record = encoding::decode::<Ruleset>(Kind::Ruleset.version(), &new).unwrap();
        match record {
            Ruleset::Record(record) if record.reason.is_some() => {
                assert_eq!(new[..2], [Kind::Ruleset.version(), 3]);
                assert_eq!(new[2..new.len() - 1], old[2..], "{key:?}");
            }
            _ => assert_eq!(new, old),
        }
    }
}

/// Tests that a census of format 6 can be read as it is.
///
/// When it is opened for writing, its records get the laws that their certificates prove.
#[test]
fn format_6_learns_of_laws() {
    let dir = tempfile::tempdir().unwrap();
    let budget = Budget {
        limits: Limits {
            max_heap: 60,
            ..Limits::default()
        },
        ..Budget::default()
    };
    let codes = ["0.26", "0.27", "0.77"].map(|code| code.parse().unwrap());
    let plan = Plan::new(Space::Codes(codes.to_vec()), budget).unwrap();
    let mut store = open(dir.path(), &plan).unwrap();
    for (_, stored) in store.pending(0, 9).unwrap() {
        store
            .commit(&commit_of(vec![finished(&stored.task)]))
            .unwrap();
    }
    let digest = store.digest().unwrap();
    let record = |store: &Store| -> Record {
        match store.ruleset(&"0.26".parse().unwrap()).unwrap() {
            Some(Ruleset::Record(record)) => *record,
            other => panic!("{other:?}"),
        }
    };
    let learned = record(&store);
    assert_eq!(learned.status(), Some(Status::Solved));
    assert!(
        learned
            .law
            .is_some_and(|law| law.period == 4 && law.infinite)
    );
    let generation = |contents: &mut BTreeMap<&'static str, Vec<(Bytes, Bytes)>>| {
        contents.remove("event");
        let meta = contents.get_mut("meta").unwrap();
        meta.retain(|(key, _)| key != Meta::Generation.key());
    };
    let mut before = contents(&store);
    generation(&mut before);

    let mut batch = WriteBatch::default();
    let old = Record {
        law: None,
        ..learned.clone()
    };
    store.unindex(&mut batch, &learned).unwrap();
    let key = code_key(&learned.code);
    let kind = Kind::Ruleset;
    let value = Ruleset::Record(Box::new(old.clone()));
    store.put(&mut batch, kind, &key, &value).unwrap();
    store.index(&mut batch, &old).unwrap();
    for (meta, value) in [(Meta::Format, 6_u32), (Meta::Indexes, 2)] {
        store
            .put(&mut batch, Kind::Meta, meta.key(), &value)
            .unwrap();
    }
    store
        .delete(&mut batch, Kind::Meta, Meta::Tallies.key())
        .unwrap();
    store.write(batch).unwrap();
    drop(store);

    let store = Store::open_read_only(dir.path()).unwrap();
    assert_eq!(record(&store), old);
    assert_eq!(store.digest().unwrap(), digest);
    // The index of laws does not exist yet, and is not read.
    let query = Query {
        filter: Filter {
            ranges: [(Field::Law, "4".parse().unwrap())].into_iter().collect(),
            ..Filter::default()
        },
        ..Query::default()
    };
    let (found, stats) = answers::collect(&store, &query).unwrap();
    assert_eq!(found, []);
    assert_eq!(stats.path, answers::AccessPath::All);
    drop(store);

    let store = open(dir.path(), &plan).unwrap();
    assert_eq!(record(&store), learned);
    assert_eq!(store.digest().unwrap(), digest);
    let (found, stats) = answers::collect(&store, &query).unwrap();
    assert_eq!(found.len(), 1);
    assert_ne!(stats.path, answers::AccessPath::All);
    let mut after = contents(&store);
    generation(&mut after);
    assert_eq!(after, before);
}

/// Tests that a census of format 8 keeps its records, and that its endings are counted again.
///
/// While it is only read, its index has no automata. After its migration, games that are solved by
/// an automaton are found by its period.
#[test]
fn format_8_counts_its_endings_again() {
    let dir = tempfile::tempdir().unwrap();
    let plan = plan(&["0.54", "0.77"]);
    let mut store = open(dir.path(), &plan).unwrap();
    for (_, stored) in store.pending(0, 9).unwrap() {
        store
            .commit(&commit_of(vec![finished(&stored.task)]))
            .unwrap();
    }
    let asked = |store: &Store| {
        let query = Query {
            filter: Filter {
                ranges: [(Field::Automaton, "7".parse().unwrap())]
                    .into_iter()
                    .collect(),
                ..Filter::default()
            },
            ..Query::default()
        };
        let (found, stats) = answers::collect(store, &query).unwrap();
        (found.len(), stats.path)
    };
    assert_eq!(asked(&store).0, 1);
    let (digest, tallies) = (store.digest().unwrap(), store.tallies().unwrap());
    let rulesets = contents(&store).remove("ruleset");
    let mut batch = WriteBatch::default();
    for (meta, value) in [(Meta::Format, 8_u32), (Meta::Indexes, 4)] {
        store
            .put(&mut batch, Kind::Meta, meta.key(), &value)
            .unwrap();
    }
    store
        .delete(&mut batch, Kind::Meta, Meta::Tallies.key())
        .unwrap();
    store.write(batch).unwrap();
    drop(store);
    let store = Store::open_read_only(dir.path()).unwrap();
    assert_eq!(asked(&store), (1, answers::AccessPath::All));
    drop(store);
    let store = open(dir.path(), &plan).unwrap();
    assert_eq!(store.digest().unwrap(), digest);
    assert_eq!(store.tallies_kept().unwrap(), Some(tallies));
    assert_eq!(contents(&store).remove("ruleset"), rulesets);
    assert_ne!(asked(&store).1, answers::AccessPath::All);
}

/// Tests that records without a law or an automaton have the bytes of earlier releases.
///
/// Records with a law and those with an automaton have numbers of their own.
#[test]
fn rulesets_keep_their_numbers() {
    let plain = misere_query::samples::record("0.77");
    let law = LawFacts {
        period: 4,
        slope: 2,
        modulus: 300,
        bits: 1,
        infinite: true,
    };
    let with_law = Record {
        law: Some(law),
        ..plain.clone()
    };
    let bytes = |ruleset: &Ruleset| {
        let bytes = encoding::encode(Kind::Ruleset.version(), ruleset).unwrap();
        let read: Ruleset = encoding::decode(Kind::Ruleset.version(), &bytes).unwrap();
        assert_eq!(read, *ruleset);
        bytes
    };
    let without = bytes(&Ruleset::Record(Box::new(plain)));
    assert_eq!(without[..2], [3, 0]);
    assert_eq!(
        bytes(&Ruleset::AliasOf("0.77".parse().unwrap()))[..2],
        [3, 1]
    );
    let with_automaton = Record {
        law: None,
        automaton: Some(AutomatonFacts {
            period: 7,
            states: 253,
            p_states: 60,
            infinite: true,
        }),
        ..with_law.clone()
    };
    let automaton = bytes(&Ruleset::Record(Box::new(with_automaton)));
    assert_eq!(automaton[..2], [3, 5]);
    assert_eq!(automaton[2..without.len()], without[2..]);
    assert_eq!(automaton[without.len()..], [7, 0xfd, 0x01, 60, 1, 0]);
    let with = bytes(&Ruleset::Record(Box::new(with_law)));
    assert_eq!(with[..2], [3, 2]);
    assert_eq!(with[2..without.len()], without[2..]);
    assert_eq!(with[without.len()..], [4, 2, 0xac, 0x02, 1, 1]);
}
