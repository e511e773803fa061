//! Queries against the definition: all records, filtered and sorted.

use misere_query::samples::{PATTERNS, any_query, synthetic};
use misere_query::{ClassPattern, GenusClass, Ranges, Sort, Span, Tameness};
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ops::ControlFlow;

use misere_census::{Budget, Finding, Finish, Plan, Record, Space, Status, Task};
use misere_game::bipartite::{BipartiteMonoid, ClassKey};
use misere_game::ruleset::Code;

use proptest::prelude::*;
use proptest::strategy::ValueTree;

use super::*;
use crate::{Commit, Finished};

/// Returns the task with this record.
fn task_of(record: &Record) -> Task {
    let aliases = record.codes().skip(1).cloned().collect();
    Task::game(record.code.clone(), aliases, Budget::default())
}

/// Returns a census of these records.
fn census(dir: &std::path::Path, records: &[Record]) -> Store {
    let plan = Plan::new(Space::Octal { digits: 6 }, Budget::default()).unwrap();
    let tasks: Vec<Task> = (records.iter()).map(task_of).collect();
    let mut store = Store::open(dir, &plan, || tasks.clone()).unwrap();
    for (tasks, records) in tasks.chunks(2000).zip(records.chunks(2000)) {
        let finished = tasks.iter().zip(records).map(|(task, record)| Finished {
            task: task.id(),
            finish: Finish::Done,
            certificate: Vec::new(),
            finding: Finding::Game {
                record: Box::new(record.clone()),
                quotient: BipartiteMonoid::trivial(),
            },
            checked_by: None,
        });
        let commit = Commit {
            finished: finished.collect(),
            ..Commit::default()
        };
        store.commit(&commit).unwrap();
    }
    store
}

/// Returns the answer by the definition.
fn by_definition(records: &[Record], query: &Query) -> Vec<Code> {
    let told = |record: &Record| -> Option<Record> {
        let names: BTreeSet<&Code> = record.codes().collect();
        let mut named = names.into_iter().map(|name| record.under(name).unwrap());
        named.find(|named| is_asked_for(&query.filter, named))
    };
    let mut found: Vec<(Option<u64>, Code, Code)> = records
        .iter()
        .filter_map(|record| {
            let named = told(record)?;
            let number = query.sort.field().and_then(|field| field.number(&named));
            Some((number, named.code, record.code.clone()))
        })
        .collect();
    let by_code = query.sort == Sort::CODE;
    let order = |(number, shown, code): &(Option<u64>, Code, Code)| {
        let code = if by_code { shown.clone() } else { code.clone() };
        (*number, code)
    };
    if query.descending {
        found.sort_by_key(|entry| Reverse(order(entry)));
    } else {
        found.sort_by_key(order);
    }
    // Records without a number come last.
    if !by_code {
        found.sort_by_key(|(number, ..)| number.is_none());
    }
    let found = found.into_iter().skip(query.offset as usize);
    let limit = query.limit.map_or(usize::MAX, |limit| limit as usize);
    found.take(limit).map(|(_, shown, _)| shown).collect()
}

/// Reports whether a record fulfils a filter in its own heap numbers.
fn is_asked_for(filter: &Filter, record: &Record) -> bool {
    let in_range = |(field, span): (Field, Span)| {
        let numbers = field.numbers(record);
        numbers.into_iter().any(|number| span.contains(number))
    };
    let status = record.status().unwrap();
    let class = |pattern: &Option<ClassPattern>, class: &ClassKey| {
        pattern.as_ref().is_none_or(|pattern| pattern.fits(class))
    };
    let mut partials = record.partials.iter();
    (filter.status.is_empty() || filter.status.contains(&status))
        && filter
            .tame
            .is_none_or(|tame| tame == Tameness::of(record.tame))
        && filter
            .code
            .as_ref()
            .is_none_or(|code| code.fits(&record.code))
        && class(&filter.class, &record.class)
        && (filter.any_class.is_none()
            || partials.any(|partial| class(&filter.any_class, &partial.class)))
        && (filter.reason.is_empty()
            || record
                .reason
                .is_some_and(|reason| filter.reason.contains(&reason)))
        && (filter.genus.is_empty()
            || (GenusClass::of(record).iter()).any(|class| filter.genus.contains(class)))
        && filter.ranges.iter().all(in_range)
}

/// Returns one range for one field.
fn range(field: Field, span: &str) -> Ranges {
    [(field, span.parse().unwrap())].into_iter().collect()
}

fn codes(store: &Store, query: &Query) -> (Vec<Code>, QueryStats) {
    let (hits, stats) = collect(store, query).unwrap();
    (hits.into_iter().map(|hit| hit.record.code).collect(), stats)
}

#[test]
fn answers_agree_with_the_definition() {
    let dir = tempfile::tempdir().unwrap();
    let records: Vec<Record> = (0..800).map(synthetic).collect();
    let store = census(dir.path(), &records);
    drop(store);
    let store = Store::open_read_only(dir.path()).unwrap();
    let mut ways = BTreeSet::new();
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let any = std::iter::repeat_with(|| any_query().new_tree(&mut runner).unwrap().current());
    // A pattern alone is rare among them.
    let patterns = PATTERNS.iter().map(|pattern| Query {
        filter: Filter {
            code: Some(pattern.parse().unwrap()),
            ..Filter::default()
        },
        ..Query::default()
    });
    for query in any.take(600).chain(patterns) {
        let (found, stats) = codes(&store, &query);
        assert_eq!(found, by_definition(&records, &query), "{query:?}: {stats}");
        ways.insert(stats.path.to_string().split('`').next().unwrap().to_owned());
    }
    // Every access path occurred.
    assert_eq!(ways.len(), 6, "{ways:?}");
}

/// The census counts the records of each status as they come; other filters count answers.
///
/// All 64 sets of statuses are tried.
#[test]
fn counts_agree_with_the_answers() {
    let dir = tempfile::tempdir().unwrap();
    let records: Vec<Record> = (0..800).map(synthetic).collect();
    let store = census(dir.path(), &records);
    for subset in 0..1_u32 << Status::ALL.len() {
        let asked_for = |at: usize| subset >> at & 1 == 1;
        let statuses = Status::ALL.into_iter().enumerate();
        let mut query = Query::default();
        query.filter.status = statuses
            .filter_map(|(at, status)| asked_for(at).then_some(status))
            .collect();
        let number = by_definition(&records, &query).len() as u64;
        let counted = count(&store, &query.filter).unwrap();
        assert_eq!((counted.found, counted.reads.records), (number, 0));
        query.filter.tame = Some(Tameness::Wild);
        let number = by_definition(&records, &query).len() as u64;
        let counted = count(&store, &query.filter).unwrap();
        assert_eq!(counted.found, number);
        assert_ne!(counted.path, AccessPath::Tallies);
    }
}

/// Tests that all kinds of filters are counted correctly, up to the limit of counting.
#[test]
fn counts_end_at_their_limit() {
    let dir = tempfile::tempdir().unwrap();
    let records: Vec<Record> = (0..800).map(synthetic).collect();
    let store = census(dir.path(), &records);
    let ranged = |field, span: &str| Filter {
        ranges: range(field, span),
        ..Filter::default()
    };
    let filters = [
        Filter::default(),
        ranged(Field::Order, "16"),
        ranged(Field::Order, "8..40"),
        ranged(Field::DivergesAt, "30..60"),
        Filter {
            tame: Some(Tameness::Wild),
            ..Filter::default()
        },
        Filter {
            status: [Status::Solved].into(),
            ..ranged(Field::Order, "16")
        },
        Filter {
            any_class: Some(records[77].partials[0].class.into()),
            ..Filter::default()
        },
        Filter {
            code: Some("0.000003*".parse().unwrap()),
            ..Filter::default()
        },
    ];
    for filter in &filters {
        let query = Query {
            filter: filter.clone(),
            ..Query::default()
        };
        let number = by_definition(&records, &query).len() as u64;
        let within = |most, most_read| count_within(&store, filter, most, most_read).unwrap();
        assert_eq!(
            within(800, u64::MAX),
            RecordCount::All(number),
            "{filter:?}"
        );
        assert_eq!(
            within(number, u64::MAX),
            RecordCount::All(number),
            "{filter:?}"
        );
        for most in [0, 1, number.saturating_sub(1)] {
            let known = [RecordCount::All(number), RecordCount::AtLeast(most)];
            let counted = within(most, u64::MAX);
            // The numbers of all statuses are stored.
            assert_eq!(counted, known[usize::from(*filter != Filter::default())]);
        }
        match within(800, 20) {
            RecordCount::All(found) => assert_eq!(found, number, "{filter:?}"),
            RecordCount::AtLeast(found) => assert!(found <= number.min(20), "{filter:?}"),
        }
    }
    // Single values and single ranges are counted without records, and a pattern of codes is not.
    let after_one = |at: usize| count_within(&store, &filters[at], 800, 1).unwrap();
    for of_values in [1, 2, 3, 4, 5, 6] {
        assert!(matches!(after_one(of_values), RecordCount::All(_)));
    }
    assert_eq!(after_one(7), RecordCount::AtLeast(1));
}

/// Tests that one value is not counted before its entries are followed to the limit.
#[test]
fn a_few_games_with_one_value_take_a_few_keys() {
    let dir = tempfile::tempdir().unwrap();
    let records: Vec<Record> = (0..4_000).map(synthetic).collect();
    let store = census(dir.path(), &records);
    let wild = Query {
        filter: Filter {
            tame: Some(Tameness::Wild),
            ..Filter::default()
        },
        limit: Some(5),
        ..Query::default()
    };
    let (found, stats) = codes(&store, &wild);
    assert_eq!(found, by_definition(&records, &wild));
    assert!(stats.reads.keys < 10, "{stats}");
}

/// Tests that facts in an index are not searched among all records.
#[test]
fn few_keys_are_read_for_few_answers() {
    let dir = tempfile::tempdir().unwrap();
    let records: Vec<Record> = (0..10_000).map(synthetic).collect();
    let store = census(dir.path(), &records);
    let wild_of_period_2 = Query {
        filter: Filter {
            status: [Status::Solved].into(),
            tame: Some(Tameness::Wild),
            ranges: range(Field::Period, "2"),
            ..Filter::default()
        },
        ..Query::default()
    };
    let (found, stats) = codes(&store, &wild_of_period_2);
    assert!((3..30).contains(&found.len()), "{stats}");
    assert!(matches!(stats.path, AccessPath::Indexes(_)));
    assert_eq!(stats.reads.records, found.len() as u64, "{stats}");
    assert!(stats.reads.keys < 400, "{stats}");

    let with = |query: Query, limit| Query {
        limit: Some(limit),
        ..query
    };
    let largest = Query {
        sort: Sort::by(Field::Fuel).unwrap(),
        descending: true,
        ..Query::default()
    };
    let one_code = Filter {
        code: Some("4.60100002".parse().unwrap()),
        ..Filter::default()
    };
    let some_codes = Filter {
        code: Some("0.000003*".parse().unwrap()),
        ..Filter::default()
    };
    let class = Filter {
        any_class: Some(records[77].partials[0].class.into()),
        ranges: range(Field::Order, "16"),
        ..Filter::default()
    };
    let diverging = Filter {
        ranges: range(Field::DivergesAt, "41"),
        ..Filter::default()
    };
    for (query, least, most_keys, most_records) in [
        (with(largest.clone(), 20), 20, 30, 20),
        (
            Query {
                filter: one_code,
                ..Query::default()
            },
            1,
            1,
            2,
        ),
        (
            Query {
                filter: some_codes,
                ..Query::default()
            },
            8,
            100,
            20,
        ),
        (
            Query {
                filter: class,
                ..Query::default()
            },
            10,
            1500,
            60,
        ),
        (
            with(
                Query {
                    filter: diverging.clone(),
                    ..largest
                },
                5,
            ),
            5,
            400,
            300,
        ),
        (
            Query {
                filter: diverging,
                ..Query::default()
            },
            50,
            400,
            // Each is read once for the code under which it is shown and once for the answer.
            300,
        ),
    ] {
        let (found, stats) = codes(&store, &query);
        assert!(found.len() >= least, "{query:?}: {stats}");
        assert!(stats.reads.keys <= most_keys, "{query:?}: {stats}");
        assert!(stats.reads.records <= most_records, "{query:?}: {stats}");
        assert_eq!(found, by_definition(&records, &query));
    }
}

/// Tests that nothing committed while an answer is read is part of the answer.
#[test]
fn an_answer_is_of_one_moment() {
    let dir = tempfile::tempdir().unwrap();
    let records: Vec<Record> = (0..100).map(synthetic).collect();
    let mut store = census(dir.path(), &records);
    let reading = store.files().read().unwrap();
    let task = |n: usize| task_of(&records[n]);
    assert!(store.task(task(99).id()).unwrap().is_some());
    let mut seen = 0;
    visit(&reading, &Query::default(), &mut |_| {
        seen += 1;
        if seen == 1 {
            let commit = Commit {
                reopened: (50..100).map(|n| task(n).id()).collect(),
                ..Commit::default()
            };
            store.commit(&commit).unwrap();
        }
        ControlFlow::Continue(())
    })
    .unwrap();
    assert_eq!(seen, 100);
    assert_eq!(count(&reading, &Filter::default()).unwrap().found, 50);
    // The indexes have no entries of records that were taken back.
    for index in [Field::Order, Field::Period, Field::Fuel] {
        let index = Sort::by(index).unwrap();
        let query = Query {
            sort: index,
            ..Query::default()
        };
        let (found, stats) = codes(&store, &query);
        assert_eq!(found, by_definition(&records[..50], &query));
        assert!(stats.reads.keys < 60, "{stats}");
    }
    assert_eq!(store.counters().records(), 50);
    drop(reading);
}

#[test]
#[ignore = "slow: a million records are written first"]
fn a_million_records_are_not_scanned() {
    let dir = tempfile::tempdir().unwrap();
    let records: Vec<Record> = (0..1_000_000).map(synthetic).collect();
    let store = census(dir.path(), &records);
    for (query, most_keys, most_records) in [
        (
            Query {
                filter: Filter {
                    status: [Status::Solved].into(),
                    ranges: [(Field::Period, "12"), (Field::Preperiod, "3..4")]
                        .into_iter()
                        .map(|(field, span)| (field, span.parse().unwrap()))
                        .collect(),
                    ..Filter::default()
                },
                ..Query::default()
            },
            40_000,
            5_000,
        ),
        (
            Query {
                filter: Filter {
                    status: [Status::Diverges, Status::Infinite].into(),
                    ..Filter::default()
                },
                sort: Sort::by(Field::Fuel).unwrap(),
                descending: true,
                limit: Some(50),
                ..Query::default()
            },
            70_000,
            500,
        ),
    ] {
        let (found, stats) = codes(&store, &query);
        println!("{stats}");
        assert_eq!(found, by_definition(&records, &query));
        assert!(stats.reads.keys < most_keys, "{stats}");
        assert!(stats.reads.records < most_records, "{stats}");
    }
}
