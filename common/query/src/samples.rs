//! Records and queries for tests.
//!
//! They are a feature of this crate, so that the store and the service test with the same ones.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::missing_panics_doc)]

use misere_census::{Alias, AllHeapsFacts, AutomatonFacts, LawFacts, Record, Status};
use misere_game::bipartite::ClassKey;
use misere_game::ruleset::{Code, Renumbering};
use misere_game::solution::{Limit, Partial, Reason, Verdict};
use proptest::prelude::*;

use crate::{ClassPattern, Field, Filter, GenusClass, Kind, Query, Ranges, Sort, Span, Tameness};

/// Returns a record without any facts.
pub fn record(code: &str) -> Record {
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
        reason: None,
        law: None,
        automaton: None,
        all_heaps: None,
        infinite_later: None,
    }
}

/// Scrambles a number.
pub fn scramble(number: u64) -> u64 {
    let mut h = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    h = (h ^ (h >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    h ^ (h >> 27)
}

/// Returns the `n`-th octal code of the form `0.d_1…d_7`, with seven digits.
pub fn code(n: u64) -> Code {
    let digits: Vec<u8> = (0..7)
        .map(|at| ((n >> (3 * (6 - at))) & 7) as u8)
        .chain([1])
        .collect();
    Code::new(0, &digits).unwrap()
}

/// Returns a synthetic alias, with every heap one larger than under the representative code.
///
/// `verdict` is the verdict under the alias.
fn one_larger(
    code: Code,
    verdict: Verdict,
    heaps: u32,
    automaton: Option<AutomatonFacts>,
    all: Option<AllHeapsFacts>,
) -> Alias {
    let [from, to] = ["0.07", "0.4"].map(|code| code.parse().unwrap());
    Alias {
        code,
        renumbering: Renumbering::between(&from, &to).unwrap(),
        verdict,
        heaps: heaps + 1,
        tail: None,
        automaton: automaton.map(|facts| AutomatonFacts {
            states: facts.states + 1,
            ..facts
        }),
        all_heaps: all.map(|all| AllHeapsFacts {
            preperiod: all.preperiod + 1,
            ..all
        }),
    }
}

/// Returns a synthetic record: few are solved and wild, many diverge.
///
/// Every tenth has an alias `4.…`.
pub fn synthetic(n: u64) -> Record {
    let r = scramble(n);
    let pick = |shift: u32, of: u64| (r >> shift) % of;
    let heap = pick(3, 40) as u32 + 3;
    let shifted_verdict = |shift: u32| match pick(0, 100) {
        0..3 => Verdict::Solved {
            period: 1 + pick(7, 12) as u32,
            preperiod: pick(11, 30) as u32 + shift,
        },
        3..20 => Verdict::TameRelative { heap: heap + shift },
        20..70 => Verdict::Diverges {
            heap: heap + shift,
            copies: 20,
        },
        70..80 => Verdict::Grows {
            start: heap + shift,
            period: 2,
        },
        _ => Verdict::Exhausted(Limit::Fuel),
    };
    let verdict = shifted_verdict(0);
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
    let is_infinite = pick(37, 2) == 0;
    let is_past = is_infinite && verdict.diverges_at().is_some() && pick(43, 4) == 0;
    let all_heaps = is_past.then(|| AllHeapsFacts {
        preperiod: heap,
        period: 1 + pick(47, 12) as u32,
    });
    let is_later = is_infinite && verdict.diverges_at().is_some() && pick(57, 3) == 0;
    let grows = verdict.growth().is_some();
    let has_law = grows && pick(43, 2) == 0;
    let has_automaton = grows && !has_law && pick(45, 2) == 0;
    let automaton = has_automaton.then(|| AutomatonFacts {
        period: 1 + pick(47, 12) as u32,
        states: 20 + pick(51, 100) as u32,
        p_states: 7,
        infinite: true,
    });
    Record {
        law: has_law.then(|| LawFacts {
            period: 1 + pick(47, 12) as u32,
            slope: 2,
            modulus: 2,
            bits: 1,
            infinite: true,
        }),
        automaton,
        all_heaps,
        infinite_later: is_later.then_some(heap + 1 + pick(53, 9) as u32),
        code: code(n),
        aliases: if n.is_multiple_of(10) {
            let verdict = shifted_verdict(1);
            vec![one_larger(four, verdict, heaps, automaton, all_heaps)]
        } else {
            Vec::new()
        },
        verdict,
        heaps,
        order: last.order,
        p_size: last.p_size,
        class: last.class,
        tame: [Some(true), Some(false), None][pick(31, 3) as usize],
        distinct_multiples: if is_infinite { vec![3] } else { Vec::new() },
        reason: (Reason::ALL.get(pick(43, 12) as usize).copied())
            .filter(|_| verdict.diverges_at().is_some() && !is_infinite),
        fuel: 1000 + pick(41, 5000),
        partials,
        ..record("0.7")
    }
}

/// Patterns of codes for queries.
pub const PATTERNS: &[&str] = &[
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

/// Returns filters of all kinds.
pub fn any_filter() -> impl Strategy<Value = Filter> {
    let span = |most: u64| {
        let ends = (0..most, 0..most);
        ends.prop_map(|(a, b)| Span {
            least: a.min(b),
            most: a.max(b),
        })
    };
    let status = prop::collection::btree_set(prop::sample::select(&Status::ALL[..]), 0..3);
    let tame = prop::option::weighted(0.3, prop::sample::select(&Tameness::ALL[..]));
    let code = prop::option::weighted(0.3, prop::sample::select(PATTERNS));
    let class = || prop::option::weighted(0.2, (0_u8..200, 1_usize..65));
    // The greatest number in a query: about the greatest of the samples.
    let most = |field: Field| match field {
        Field::Fuel => 7000,
        Field::Heaps => 120,
        Field::PSize => 6,
        Field::Period | Field::Law | Field::Automaton | Field::PastInfinite => 13,
        _ => 40,
    };
    // At most one event has a condition: few records fit several.
    let events: Vec<Field> = Field::with_ranges()
        .filter(|field| field.kind() == Kind::Event)
        .collect();
    let event = (prop::sample::select(events), span(50));
    let event = prop::collection::vec(event, 0..2);
    let numbers = Field::with_ranges().filter(|field| field.kind() == Kind::Number);
    let numbers: Vec<_> = numbers
        .map(|field| {
            let asked = prop::option::weighted(0.2, span(most(field)));
            asked.prop_map(move |span| Some((field, span?)))
        })
        .collect();
    let reasons = prop::collection::btree_set(prop::sample::select(&Reason::ALL[..]), 1..4);
    let reason = prop::option::weighted(0.2, reasons);
    let genera = prop::collection::btree_set(prop::sample::select(&GenusClass::ALL[..]), 1..4);
    let genus = prop::option::weighted(0.2, genera);
    let sets = (reason, genus);
    (status, tame, code, class(), class(), event, numbers, sets).prop_map(
        |(status, tame, code, class, any_class, event, numbers, (reason, genus))| {
            let class_of = |(byte, digits): (u8, usize)| -> ClassPattern {
                ClassKey([byte; 32]).to_string()[..digits].parse().unwrap()
            };
            let ranges: Ranges = numbers.into_iter().flatten().chain(event).collect();
            Filter {
                code: code.map(|text| text.parse().unwrap()),
                status,
                tame,
                ranges,
                class: class.map(class_of),
                any_class: any_class.map(class_of),
                reason: reason.unwrap_or_default(),
                genus: genus.unwrap_or_default(),
            }
        },
    )
}

/// Returns queries of all kinds.
pub fn any_query() -> impl Strategy<Value = Query> {
    let sort = prop::sample::select(Sort::all().collect::<Vec<_>>());
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
