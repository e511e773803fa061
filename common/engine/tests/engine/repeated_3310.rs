//! The games `0.(3310)^n` (Plambeck–Siegel supplement): the printed table, and what is proved in
//! `docs/spaces.md` for all `n` and for the code without end.

use std::collections::{BTreeMap, BTreeSet};

use misere_check::check;
use misere_engine::quotient::{Limits, Strategy, solve};
use misere_game::control::{Control, Interrupt};
use misere_game::ruleset::Code;
use misere_game::solution::{Solution, Verdict};
use serde::Deserialize;

const TABLES: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../common/report/data/tables.json"
));

/// Sixty times the need of the most expensive of these games.
const FUEL: u64 = 30_000_000;

/// The greatest `n` whose code has no more digits than are accepted.
const LAST: u32 = 63;

#[derive(Deserialize)]
struct Tables {
    table_3310: Table3310,
}

#[derive(Deserialize)]
struct Table3310 {
    rows: Vec<Row3310>,
}

#[derive(Deserialize)]
struct Row3310 {
    code: String,
    order: usize,
    pd: u32,
}

fn solved(code: &str, max_heap: u32) -> Solution {
    let limits = Limits {
        max_heap,
        ..Limits::default()
    };
    let mut control = Control::new(FUEL, Interrupt::default());
    solve(
        &code.parse().unwrap(),
        &limits,
        Strategy::Exact,
        &mut control,
    )
}

/// From the second row on the heap at which the quotient first grows beyond order 50 is one whose
/// quotient is finite although its generators' quotient, with stand-ins for other heaps, is not.
#[test]
fn the_printed_table() {
    let tables: Tables = serde_json::from_str(TABLES).unwrap();
    assert_eq!(tables.table_3310.rows.len(), 5);
    for row in tables.table_3310.rows {
        let solution = solved(&row.code, 3_000);
        let Verdict::Solved { period, .. } = solution.verdict else {
            panic!("{}: {:?}", row.code, solution.verdict)
        };
        let found = (period, solution.quotient.order());
        assert_eq!(found, (row.pd, row.order), "{}", row.code);
    }
}

/// Order 226 with |P| = 41 for all `n` from 3 to 63, and always the same quotient.
#[test]
fn the_table_goes_on() {
    let mut classes = BTreeSet::new();
    for n in 3..=LAST {
        let solution = solved(&format!("0.(3310)^{n}"), 3_000);
        let (period, preperiod) = (4 * n - 1, 8 * n - 5);
        assert_eq!(
            solution.verdict,
            Verdict::Solved { period, preperiod },
            "{n}"
        );
        let quotient = &solution.quotient;
        assert_eq!((quotient.order(), quotient.p_size()), (226, 41), "{n}");
        classes.insert(solution.class());
    }
    assert_eq!(classes.len(), 1);
}

/// Returns `Φ` of `0.(3310)^n` for `n ≥ 3` as docs/spaces.md states it, for heaps `0..=heaps`.
///
/// There is a letter for each value.
fn formula(n: usize, heaps: usize) -> Vec<char> {
    let mut text = "1abAB".to_owned();
    text.push_str(&"cdeB".repeat(n - 1));
    text.push_str("fgB");
    text.push_str(&"fhiB".repeat(n - 2));
    text.push_str("fhjBfhk");
    while text.len() <= heaps {
        text.push_str(&"fhjB".repeat(n - 1));
        text.push_str("fhk");
    }
    text.chars().take(heaps + 1).collect()
}

/// Returns the pairs (value of a heap, values of its options) of the formula.
fn pairs(n: usize, heaps: usize) -> BTreeSet<(char, BTreeSet<char>)> {
    let values = formula(n, heaps);
    let code: Code = format!("0.(3310)^{n}").parse().unwrap();
    let image = |heap: usize| {
        let left = |option: misere_game::ruleset::HeapOption| values[option.0[0] as usize];
        code.options(heap as u32).into_iter().map(left).collect()
    };
    (1..=heaps)
        .map(|heap| (values[heap], image(heap)))
        .collect()
}

#[test]
fn the_formula_is_the_pretending_function() {
    for n in 3..=12 {
        let solution = solved(&format!("0.(3310)^{n}"), 3_000);
        assert_eq!(check(&solution), Ok(()));
        let mut element_of = BTreeMap::new();
        let letters = formula(n as usize, solution.heaps() as usize);
        for (letter, &element) in letters.iter().zip(&solution.phi) {
            assert_eq!(
                *element_of.entry(*letter).or_insert(element),
                element,
                "{n} {letter}"
            );
        }
        // Different letters are different elements.
        let elements: BTreeSet<u32> = element_of.values().copied().collect();
        assert_eq!((element_of.len(), elements.len()), (14, 14));
    }
}

/// Only these pairs decide whether a quotient and values are right, and they are the same for all
/// `n ≥ 4`.
#[test]
fn the_pairs_do_not_depend_on_n() {
    let four = pairs(4, 200);
    assert_eq!(four.len(), 30);
    for n in 5..=LAST as usize {
        assert_eq!(pairs(n, 24 * n), four, "{n}");
    }
}

/// The heaps to `4n` of `0.(3310)^n` have the options they have in `0.(3310)^∞`. There a heap has
/// the options of the one smaller by four and two more, so values that repeat with period 4 from
/// heap 4 to heap 9 do so for ever.
#[test]
fn without_end_the_order_is_34() {
    let solution = solved(&format!("0.(3310)^{LAST}"), 4 * LAST);
    assert_eq!(check(&solution), Ok(()));
    assert_eq!(solution.quotient.order(), 34);
    assert_eq!(solution.quotient.p_size(), 8);
    assert_eq!(solution.partials.last().unwrap().heap, 7);
    let phi = &solution.phi;
    assert!((4..=4 * LAST as usize - 4).all(|heap| phi[heap] == phi[heap + 4]));
}
