//! Texts that might break the parser, and documents that might break or fool the checker.
//!
//! Fuzzers with fixed seeds, so that a failure can be repeated: a bounded number of cases by
//! default, many more in the slow suite. Every document that passes the checker is compared with
//! the rules themselves and with the engine.

use misere_check::{CheckError, check_within};
use misere_engine::quotient::{Limits, Strategy, solve};
use misere_game::control::{Control, Interrupt};
use misere_game::outcome::{Convention, Oracle, Outcome};
use misere_game::ruleset::Code;
use misere_game::solution::{Document, Solution, Verdict};
use serde_json::Value;

/// Pseudo-random numbers (splitmix64).
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.roll() % bound.max(1) as u64) as usize
    }
}

fn solved(code: &str, max_heap: u32) -> Solution {
    let limits = Limits {
        max_heap,
        ..Limits::default()
    };
    solve(
        &code.parse().unwrap(),
        &limits,
        Strategy::Exact,
        &mut Control::unlimited(),
    )
}

/// Reads codes and near-codes made of the characters of codes, and of others.
fn texts(cases: u64) {
    const LETTERS: [char; 24] = [
        '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'A', 'F', 'f', '.', '.', '(', ')', '^',
        ' ', '-', '\u{0}', 'é', '٣', '𝟚',
    ];
    for seed in 0..cases {
        let dice = &mut Dice(seed);
        let length = dice.below(40);
        let text: String = (0..length).map(|_| LETTERS[dice.below(24)]).collect();
        for text in [format!("0.{text}"), text] {
            if let Ok(code) = text.parse::<Code>() {
                assert_eq!(code.to_string().parse(), Ok(code.clone()), "{text}");
                (0..4).for_each(|heap| drop(code.options(heap)));
            }
        }
    }
}

/// Changes a document somewhere, at most `depth` steps down from here.
fn changed(here: &mut Value, donor: &Value, depth: usize, dice: &mut Dice) {
    if depth > 0 {
        match here {
            Value::Object(fields) if !fields.is_empty() => {
                let key = fields.keys().nth(dice.below(fields.len())).unwrap().clone();
                if dice.below(40) == 0 {
                    fields.remove(&key);
                } else {
                    let other = donor.get(&key).unwrap_or(&Value::Null);
                    changed(fields.get_mut(&key).unwrap(), other, depth - 1, dice);
                }
                return;
            }
            Value::Array(entries) if !entries.is_empty() => {
                let (one, two) = (dice.below(entries.len()), dice.below(entries.len()));
                let other = donor.get(one).unwrap_or(&Value::Null);
                match dice.below(12) {
                    0 => entries.swap(one, two),
                    1 => drop(entries.remove(one)),
                    2 => entries.insert(two, entries[one].clone()),
                    3 => entries.truncate(one),
                    _ => changed(&mut entries[one], other, depth - 1, dice),
                }
                return;
            }
            _ => {}
        }
    }
    changed_leaf(here, donor, dice);
}

fn changed_leaf(here: &mut Value, other: &Value, dice: &mut Dice) {
    let number = here.as_i64().unwrap_or(0);
    *here = match dice.below(10) {
        0 => other.clone(),
        1 => Value::from(u64::MAX >> dice.below(64)),
        2 => Value::Null,
        3 => Value::from(
            ["solved", "exhausted", "interrupted", "diverges", "0.77", ""][dice.below(6)],
        ),
        4 | 5 => Value::from(number - 1),
        6 | 7 => Value::from(number + 1),
        _ => Value::from(dice.below(30)),
    };
}

/// Reads and checks changed documents of small games.
///
/// Returns the number that passed with a claim other than the original.
fn documents(cases: u64) -> usize {
    let solutions = ["0.123", "0.53", "0.77", "0.15", "4.5", "0.26", "0.8"]
        .map(|code| solved(code, if code == "0.8" { 12 } else { 22 }));
    let values = solutions
        .each_ref()
        .map(|solution| serde_json::to_value(Document::new(solution)).unwrap());
    let mut accepted = 0;
    for seed in 0..cases {
        let dice = &mut Dice(seed);
        let (which, donor) = (dice.below(values.len()), dice.below(values.len()));
        let mut value = values[which].clone();
        for _ in 0..=dice.below(3) {
            let depth = 1 + dice.below(5);
            changed(&mut value, &values[donor], depth, dice);
        }
        let mut text = serde_json::to_vec(&value).unwrap();
        if dice.below(4) == 0 {
            let at = dice.below(text.len());
            text[at] ^= 1 << dice.below(8);
        }
        if dice.below(16) == 0 {
            text.truncate(dice.below(text.len()));
        }
        let Ok(document) = serde_json::from_slice::<Document>(&text) else {
            continue;
        };
        let Ok(mut claim) = document.into_solution() else {
            continue;
        };
        let mut control = Control::new(2_000_000, Interrupt::default());
        match check_within(&claim, &mut control) {
            Err(flaw) => assert!(
                !matches!(flaw, CheckError::Unchecked(_)),
                "seed {seed}: small documents are checked at small cost"
            ),
            Ok(()) => {
                claim.fuel = solutions[which].fuel;
                if claim != solutions[which] {
                    accepted += 1;
                    assert_true(&claim, seed);
                }
            }
        }
    }
    accepted
}

/// Fails unless all outcomes of up to three heaps are as claimed, and the engine makes the same
/// claim about the same heaps.
fn assert_true(claim: &Solution, seed: u64) {
    let context = format!("seed {seed}: {} {:?}", claim.code, claim.verdict);
    let mut oracle = Oracle::new(&claim.code, Convention::Misere);
    let heaps = claim.heaps().min(9);
    let words = misere_game::monoid::word::lex_least_words(&claim.quotient);
    let times = |x, heap: u32| {
        let word = &words[claim.phi[heap as usize] as usize].0;
        claim
            .quotient
            .product_from(x, word.iter().copied().enumerate())
    };
    for a in 0..=heaps {
        for b in 0..=a {
            for c in 0..=b {
                let outcome = oracle
                    .outcome(&[a, b, c], &mut Control::unlimited())
                    .unwrap();
                let predicted = claim.quotient.in_p(times(times(times(0, a), b), c));
                assert_eq!(predicted, outcome == Outcome::P, "{context}: {a} {b} {c}");
            }
        }
    }
    let computed = solved(&claim.code.to_string(), claim.heaps());
    if computed.heaps() == claim.heaps() {
        assert_eq!(claim.partials, computed.partials, "{context}");
        assert_eq!(claim.class(), claim.quotient.class_key(), "{context}");
        assert_eq!(
            claim.quotient.order(),
            computed.quotient.order(),
            "{context}"
        );
    }
    if let (Verdict::Solved { .. }, Verdict::Solved { .. }) = (claim.verdict, computed.verdict) {
        assert_eq!(claim.verdict, computed.verdict, "{context}");
    }
}

#[test]
fn texts_are_codes_or_refused() {
    texts(20_000);
}

#[test]
fn changed_documents_never_fool_the_checker() {
    // Some pass: shorter lists of heaps, generators named by other heaps of the same value,
    // verdicts that claim less.
    assert!(documents(4_000) > 0);
}

#[test]
#[ignore = "slow: a million texts and half a million documents"]
fn many_texts_and_documents() {
    texts(1_000_000);
    documents(500_000);
}
