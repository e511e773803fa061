//! Queries against the definition: all records, filtered and sorted.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ops::ControlFlow;

use misere_census::{Alias, Budget, Finding, Finish, Plan, Record, Space, Status, Task};
use misere_theory::bipartite::{BipartiteMonoid, ClassKey};
use misere_theory::ruleset::{Code, Renumbering};
use misere_theory::solution::{Limit, Partial, Verdict};
use proptest::prelude::*;
use proptest::strategy::ValueTree;

use super::*;
use crate::store::{Commit, Finished};

/// A record of which nothing is true.
pub(crate) fn record(code: &str) -> Record {
    Record {
        code: code.parse().unwrap(),
        aliases: Vec::new(),
        verdict: Verdict::Solved {
            period: 1,
            preperiod: 0,
        },
        heaps: 10,
        order: 2,
        p_size: 1,
        generators: 1,
        class: ClassKey([7; 32]),
        tame: Some(true),
        partials: Vec::new(),
        tail: None,
        fuel: 5,
        claim: [0; 32],
        distinct_multiples: Vec::new(),
    }
}

/// Numbers that look like nothing in particular.
fn scramble(number: u64) -> u64 {
    let mut h = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    h = (h ^ (h >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    h ^ (h >> 27)
}

/// The `n`-th octal code of the form `0.d_1…d_7`, with seven digits.
fn code(n: u64) -> Code {
    let digits: Vec<u8> = (0..7)
        .map(|at| ((n >> (3 * (6 - at))) & 7) as u8)
        .chain([1])
        .collect();
    Code::new(0, &digits).unwrap()
}

/// A synthetic alias: every heap is one larger than under the code that stands for all.
fn one_larger(code: Code, verdict: Verdict, heaps: u32) -> Alias {
    let [from, to] = ["0.07", "0.4"].map(|code| code.parse().unwrap());
    let verdict = match verdict {
        Verdict::Solved { period, preperiod } => Verdict::Solved {
            period,
            preperiod: preperiod + 1,
        },
        Verdict::TameRelative { heap } => Verdict::TameRelative { heap: heap + 1 },
        Verdict::Diverges { heap, copies } => Verdict::Diverges {
            heap: heap + 1,
            copies,
        },
        Verdict::Grows { start, period } => Verdict::Grows {
            start: start + 1,
            period,
        },
        other => other,
    };
    Alias {
        code,
        renumbering: Renumbering::between(&from, &to).unwrap(),
        verdict,
        heaps: heaps + 1,
        tail: None,
    }
}

/// A synthetic record: few are solved and wild, many diverge; every tenth has an alias `4.…`.
pub(crate) fn synthetic(n: u64) -> Record {
    let r = scramble(n);
    let pick = |shift: u32, of: u64| (r >> shift) % of;
    let heap = pick(3, 40) as u32 + 3;
    let verdict = match pick(0, 100) {
        0..3 => Verdict::Solved {
            period: 1 + pick(7, 12) as u32,
            preperiod: pick(11, 30) as u32,
        },
        3..20 => Verdict::TameRelative { heap },
        20..70 => Verdict::Diverges { heap, copies: 20 },
        70..80 => Verdict::Grows {
            start: heap,
            period: 2,
        },
        _ => Verdict::Exhausted(Limit::Fuel),
    };
    let heaps = 20 + pick(29, 100) as u32;
    let partials = (0..1 + pick(17, 4) as u32).map(|step| Partial {
        heap: 2 + 5 * step,
        order: 2 << step,
        p_size: 1 + step,
        class: ClassKey([(step as u64 * 50 + pick(23, 50)) as u8; 32]),
    });
    let partials: Vec<Partial> = partials.collect();
    let last = *partials.last().unwrap();
    let mut four: Vec<u8> = (0..7).map(|at| ((n >> (3 * at)) & 7) as u8).collect();
    four.push(2);
    let four = Code::new(4, &four).unwrap();
    Record {
        code: code(n),
        aliases: if n.is_multiple_of(10) {
            vec![one_larger(four, verdict, heaps)]
        } else {
            Vec::new()
        },
        verdict,
        heaps,
        order: last.order,
        p_size: last.p_size,
        class: last.class,
        tame: [Some(true), Some(false), None][pick(31, 3) as usize],
        distinct_multiples: if pick(37, 2) == 0 {
            vec![3]
        } else {
            Vec::new()
        },
        fuel: 1000 + pick(41, 5000),
        partials,
        ..record("0.7")
    }
}

/// The task that has this record.
fn task_of(record: &Record) -> Task {
    let aliases = record.codes().skip(1).cloned().collect();
    Task::game(record.code.clone(), aliases, Budget::default())
}

/// A census of these records.
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
        });
        let commit = Commit {
            finished: finished.collect(),
            ..Commit::default()
        };
        store.commit(&commit).unwrap();
    }
    store
}

/// The answer by the definition.
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
            let number = query.sort.index().and_then(|index| index.number(&named));
            Some((number, named.code, record.code.clone()))
        })
        .collect();
    let by_code = query.sort == Sort::Code;
    let order = |(number, shown, code): &(Option<u64>, Code, Code)| {
        let code = if by_code { shown.clone() } else { code.clone() };
        (*number, code)
    };
    if query.descending {
        found.sort_by_key(|entry| Reverse(order(entry)));
    } else {
        found.sort_by_key(order);
    }
    // Those that say nothing come last.
    if !by_code {
        found.sort_by_key(|(number, ..)| number.is_none());
    }
    let found = found.into_iter().skip(query.offset as usize);
    let limit = query.limit.map_or(usize::MAX, |limit| limit as usize);
    found.take(limit).map(|(_, shown, _)| shown).collect()
}

/// Whether everything that is asked for is true of a record in its own heap numbers.
fn is_asked_for(filter: &Filter, record: &Record) -> bool {
    let number = |index: Index, span: Option<Span>| match span {
        Some(span) => index
            .number(record)
            .is_some_and(|number| span.contains(number)),
        None => true,
    };
    let happens = |&(what, span): &(Happening, Span)| match what {
        Happening::Changes => {
            let mut partials = record.partials.iter();
            partials.any(|partial| span.contains(partial.heap.into()))
        }
        _ => number(what.index(), Some(span)),
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
        && number(Index::Order, filter.order)
        && number(Index::PSize, filter.p_size)
        && number(Index::Period, filter.period)
        && number(Index::Preperiod, filter.preperiod)
        && number(Index::Heaps, filter.heaps)
        && number(Index::Fuel, filter.fuel)
        && class(&filter.class, &record.class)
        && (filter.any_class.is_none()
            || partials.any(|partial| class(&filter.any_class, &partial.class)))
        && filter.happens.iter().all(happens)
}

/// Patterns of codes that are asked for.
const PATTERNS: &[&str] = &[
    "0.*1",
    "4.*",
    "0.00000?",
    "0.0?0*1",
    "?.?2*",
    "0.0000012",
    "4.2*",
    "*.77*",
    "0.[0-3]*[12]1",
    "[04].*[2-57]2*",
];

fn any_filter() -> impl Strategy<Value = Filter> {
    let span = |most: u64| {
        let ends = (0..most, 0..most);
        ends.prop_map(|(a, b)| Span {
            least: a.min(b),
            most: a.max(b),
        })
    };
    let maybe = |most: u64| prop::option::weighted(0.2, span(most));
    let status = prop::collection::btree_set(prop::sample::select(&Status::ALL[..]), 0..3);
    let tame = prop::option::weighted(0.3, prop::sample::select(&Tameness::ALL[..]));
    let code = prop::option::weighted(0.3, prop::sample::select(PATTERNS));
    let class = || prop::option::weighted(0.2, (0_u8..200, 1_usize..65));
    let happens = (prop::sample::select(&Happening::ALL[..]), span(50));
    let happens = prop::collection::vec(happens, 0..2);
    let numbers = (
        maybe(20),
        maybe(6),
        maybe(13),
        maybe(30),
        maybe(120),
        maybe(7000),
    );
    (status, tame, code, class(), class(), happens, numbers).prop_map(
        |(status, tame, code, class, any_class, happens, numbers)| {
            let class_of = |(byte, digits): (u8, usize)| -> ClassPattern {
                ClassKey([byte; 32]).to_string()[..digits].parse().unwrap()
            };
            let (order, p_size, period, preperiod, heaps, fuel) = numbers;
            Filter {
                code: code.map(|text| text.parse().unwrap()),
                status,
                tame,
                order,
                p_size,
                period,
                preperiod,
                heaps,
                fuel,
                class: class.map(class_of),
                any_class: any_class.map(class_of),
                happens,
            }
        },
    )
}

pub(crate) fn any_query() -> impl Strategy<Value = Query> {
    let sort = prop::sample::select(&Sort::ALL[..]);
    let limit = prop::option::of(0_u64..40);
    (any_filter(), sort, any::<bool>(), 0_u64..5, limit).prop_map(
        |(filter, sort, descending, offset, limit)| Query {
            filter,
            sort,
            descending,
            offset,
            limit,
        },
    )
}

fn codes(store: &Store, query: &Query) -> (Vec<Code>, Explained) {
    let (hits, explained) = collect(store, query).unwrap();
    (
        hits.into_iter().map(|hit| hit.record.code).collect(),
        explained,
    )
}

#[test]
fn answers_are_those_of_the_definition() {
    let dir = tempfile::tempdir().unwrap();
    let records: Vec<Record> = (0..800).map(synthetic).collect();
    let store = census(dir.path(), &records);
    drop(store);
    let store = Store::open_read_only(dir.path()).unwrap();
    let mut ways = BTreeSet::new();
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let any = std::iter::repeat_with(|| any_query().new_tree(&mut runner).unwrap().current());
    // A pattern alone is rarely met among them.
    let patterns = PATTERNS.iter().map(|pattern| Query {
        filter: Filter {
            code: Some(pattern.parse().unwrap()),
            ..Filter::default()
        },
        ..Query::default()
    });
    for query in any.take(600).chain(patterns) {
        let (found, explained) = codes(&store, &query);
        assert_eq!(
            found,
            by_definition(&records, &query),
            "{query:?}: {explained}"
        );
        ways.insert(
            explained
                .way
                .to_string()
                .split('`')
                .next()
                .unwrap()
                .to_owned(),
        );
    }
    // Every way was gone.
    assert_eq!(ways.len(), 6, "{ways:?}");
}

/// What an index tells is not looked for among all records.
#[test]
fn few_keys_are_read_for_few_answers() {
    let dir = tempfile::tempdir().unwrap();
    let records: Vec<Record> = (0..10_000).map(synthetic).collect();
    let store = census(dir.path(), &records);
    let wild_of_period_2 = Query {
        filter: Filter {
            status: [Status::Solved].into(),
            tame: Some(Tameness::Wild),
            period: Some("2".parse().unwrap()),
            ..Filter::default()
        },
        ..Query::default()
    };
    let (found, explained) = codes(&store, &wild_of_period_2);
    assert!((3..30).contains(&found.len()), "{explained}");
    assert!(matches!(explained.way, Way::Indexes(_)));
    assert_eq!(explained.reads.records, found.len() as u64, "{explained}");
    assert!(explained.reads.keys < 400, "{explained}");

    let with = |query: Query, limit| Query {
        limit: Some(limit),
        ..query
    };
    let largest = Query {
        sort: Sort::Fuel,
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
        order: Some("16".parse().unwrap()),
        ..Filter::default()
    };
    let diverging = Filter {
        happens: vec![(Happening::Diverges, "41".parse().unwrap())],
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
            // Each is read once for the code under which it is told and once to be handed out.
            300,
        ),
    ] {
        let (found, explained) = codes(&store, &query);
        assert!(found.len() >= least, "{query:?}: {explained}");
        assert!(explained.reads.keys <= most_keys, "{query:?}: {explained}");
        assert!(
            explained.reads.records <= most_records,
            "{query:?}: {explained}"
        );
        assert_eq!(found, by_definition(&records, &query));
    }
}

/// What is committed while an answer is given is no part of it.
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
    assert_eq!(count(&reading, &Filter::default()).unwrap(), 50);
    // Nothing of the records taken back is left in an index.
    for index in [Sort::Order, Sort::Period, Sort::Fuel] {
        let query = Query {
            sort: index,
            ..Query::default()
        };
        let (found, explained) = codes(&store, &query);
        assert_eq!(found, by_definition(&records[..50], &query));
        assert!(explained.reads.keys < 60, "{explained}");
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
                    period: Some("12".parse().unwrap()),
                    preperiod: Some("3..4".parse().unwrap()),
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
                sort: Sort::Fuel,
                descending: true,
                limit: Some(50),
                ..Query::default()
            },
            70_000,
            500,
        ),
    ] {
        let (found, explained) = codes(&store, &query);
        println!("{explained}");
        assert_eq!(found, by_definition(&records, &query));
        assert!(explained.reads.keys < most_keys, "{explained}");
        assert!(explained.reads.records < most_records, "{explained}");
    }
}
