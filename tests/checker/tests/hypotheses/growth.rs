//! W: the partial quotients and the words follow the pattern claimed.

use std::sync::LazyLock;

use misere_check::CheckError;
use misere_game::solution::{Growth, Polynomial, Solution, Verdict};

use super::{flaw, solved_to};

/// Returns 4.7 to heap 34: period 2 from heap 9 on, and every heap is a new generator.
pub(crate) fn good() -> Solution {
    static GOOD: LazyLock<Solution> = LazyLock::new(|| solved_to("4.7", 34));
    let good = GOOD.clone();
    assert!(matches!(good.verdict, Verdict::Grows { .. }));
    good
}

/// Returns what is wrong with another pattern, claimed of the same heaps.
fn changed(change: impl FnOnce(&mut Growth)) -> CheckError {
    flaw(&good(), |s| {
        let growth = s.growth.as_mut().unwrap();
        change(growth);
        s.verdict = Verdict::Grows {
            start: growth.start,
            period: growth.period,
        };
    })
}

#[test]
fn f1_the_pattern_is_well_formed() {
    assert_eq!(changed(|g| g.start = 0), CheckError::NoPattern);
    assert_eq!(changed(|g| g.period = 0), CheckError::NoPattern);
    assert_eq!(
        changed(|g| {
            g.period = 0;
            (g.orders, g.p_sizes, g.words) = (Vec::new(), Vec::new(), Vec::new());
        }),
        CheckError::NoPattern
    );
    assert_eq!(
        changed(|g| {
            g.orders.pop();
        }),
        CheckError::NoPattern
    );
    assert_eq!(
        changed(|g| {
            g.p_sizes.pop();
        }),
        CheckError::NoPattern
    );
    assert_eq!(
        changed(|g| {
            g.words.pop();
        }),
        CheckError::NoPattern
    );
    assert_eq!(changed(|g| g.words_to = 35), CheckError::NoPattern);
    assert_eq!(changed(|g| g.orders[0].0.push(0)), CheckError::NoPattern);
    assert_eq!(
        changed(|g| g.p_sizes[1].0 = Vec::new()),
        CheckError::NoPattern
    );
    assert_eq!(
        changed(|g| g.p_sizes[1] = Polynomial(vec![0, 1, 0, 0, 1])),
        CheckError::NoPattern
    );
}

/// Fewer heaps than four times as many values as coefficients for every residue; and orders that do
/// not grow.
#[test]
fn f2_the_pattern_has_been_tested_often_enough() {
    assert_eq!(changed(|g| g.start += 16), CheckError::NoPattern);
    assert_eq!(changed(|g| g.words_to = 20), CheckError::NoPattern);
    assert_eq!(
        changed(|g| g.orders[0] = Polynomial(vec![1])),
        CheckError::NoPattern
    );
}

#[test]
fn f3_orders_and_p_portions_follow_the_pattern() {
    let heap = good().growth.unwrap().start;
    assert_eq!(
        changed(|g| g.orders[0].0[0] += 1),
        CheckError::OffPattern { heap }
    );
    assert_eq!(
        changed(|g| g.p_sizes[1].0[0] += 1),
        CheckError::OffPattern { heap: heap + 1 }
    );
}

#[test]
fn f4_words_follow_the_pattern() {
    let heap = good().growth.unwrap().start;
    assert_eq!(
        changed(|g| g.words[0].moving[0].0 = 2),
        CheckError::WordOffPattern { heap }
    );
    assert_eq!(
        changed(|g| g.words[1].fixed.push((2, 1, 0))),
        CheckError::WordOffPattern { heap: heap + 1 }
    );
}

/// Heap 1 is `*`, so twice heap 1 times a heap has the value of that heap; but a word is made of
/// other generators.
#[test]
fn f4_a_word_does_not_contain_its_heap() {
    let heap = good().growth.unwrap().start;
    assert_eq!(
        changed(|g| g.words[0].fixed.push((1, 2, 0))),
        CheckError::WordOffPattern { heap }
    );
}

#[test]
fn f5_the_words_are_claimed_as_far_as_they_follow() {
    let heap = good().growth.unwrap().words_to;
    assert_eq!(
        changed(|g| g.words_to -= 1),
        CheckError::PatternGoesOn { heap }
    );
}

/// The whole pattern begins one period later.
#[test]
fn f6_the_start_is_the_least() {
    let start = good().growth.unwrap().start;
    let later = changed(|g| {
        g.start += g.period;
        for polynomial in g.orders.iter_mut().chain(&mut g.p_sizes) {
            for j in 0..polynomial.0.len() - 1 {
                polynomial.0[j] += polynomial.0[j + 1];
            }
        }
    });
    assert_eq!(later, CheckError::PatternGoesOn { heap: start + 1 });
}

/// The same pattern with twice the period, claimed of as many heaps as that needs.
#[test]
fn f7_the_period_is_the_least() {
    assert_eq!(twice("4.7", 58), CheckError::SmallerPattern { period: 2 });
    // The counts of its words grow: this claim was accepted once.
    assert_eq!(twice("4.52", 120), CheckError::SmallerPattern { period: 4 });
}

fn twice(code: &str, heaps: u32) -> CheckError {
    let good = solved_to(code, heaps);
    flaw(&good, |s| {
        let growth = s.growth.as_mut().unwrap();
        let every_other = |polynomials: &[Polynomial]| -> Vec<Polynomial> {
            let later = (0..2).flat_map(|late| polynomials.iter().map(move |p| (p, late)));
            later
                .map(|(p, late)| through([0, 2, 4, 6].map(|t| p.at(t + late).unwrap())))
                .collect()
        };
        growth.orders = every_other(&growth.orders);
        growth.p_sizes = every_other(&growth.p_sizes);
        let mut later = growth.words.clone();
        for (_, count, more) in later.iter_mut().flat_map(|word| &mut word.fixed) {
            *count += *more;
        }
        growth.words.extend(later);
        for (_, _, more) in growth.words.iter_mut().flat_map(|word| &mut word.fixed) {
            *more *= 2;
        }
        growth.period *= 2;
        s.verdict = Verdict::Grows {
            start: growth.start,
            period: growth.period,
        };
    })
}

/// Returns the polynomial with these values at 0, 1, 2 and 3.
fn through(mut values: [i64; 4]) -> Polynomial {
    let mut coefficients = Vec::new();
    for round in 0..4 {
        coefficients.push(values[0]);
        for at in 0..3 - round {
            values[at] = values[at + 1] - values[at];
        }
    }
    while coefficients.len() > 1 && coefficients.last() == Some(&0) {
        coefficients.pop();
    }
    Polynomial(coefficients)
}
