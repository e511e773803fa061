//! The proof of who wins 0.35 (`docs/game-035.md`), and comparisons of the claim.
//!
//! The claim is `tests/data/0.35.json` with the condition (Z). The proof takes no part of it on
//! trust: a change of one number is refused.

mod claim;
mod options_of_p;
mod parities;
mod replies_to_n;
mod special;
mod sums;

use std::collections::HashMap;

use misere_engine::quotient::{self, Limits, solve};
use misere_game::bipartite::multiplication::Multiplication;
use misere_game::control::Control;
use misere_game::ruleset::Code;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use claim::{Claim, Label, SCARCE, options};
use parities::Beside;
use sums::Sums;

/// The step of the proof that fails.
#[derive(Debug, PartialEq, Eq)]
struct Refused(String);

/// Proves that the claim says P of a sum exactly if it says N of all its options, or refuses it.
fn prove(claim: &Claim) -> Result<(), Refused> {
    claim.others.check()?;
    claim.beside.check()?;
    sums::check_sorts(claim)?;
    let beside = Beside::new(claim)?;
    let sums = Sums::new(claim)?;
    options_of_p::check(claim, &beside, &sums)?;
    replies_to_n::check(claim, &beside, &sums)?;
    special::check(claim, &beside)
}

/// Returns all lists of at most `most` numbers of a range, in ascending order.
fn multisets(from: usize, to: usize, most: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for at in 0.. {
        let Some(list) = all.get(at).cloned() else {
            return all;
        };
        let least = list.last().copied().unwrap_or(from);
        if list.len() < most {
            all.extend((least..=to).map(|next| [&list[..], &[next]].concat()));
        }
    }
    all
}

#[test]
fn the_claim_is_proved() {
    assert_eq!(prove(&Claim::read()), Ok(()));
}

#[test]
fn changed_claims_are_refused() {
    let claim = Claim::read();
    let mut changed: Vec<(String, Claim)> = Vec::new();
    let mut change = |name: String, by: &dyn Fn(&mut Claim)| {
        let mut other = claim.clone();
        by(&mut other);
        changed.push((name, other));
    };
    for by in [-1, 1] {
        change(format!("lack {by}"), &|claim| claim.bounds.lack += by);
        change(format!("least {by}"), &|claim| claim.bounds.least += by);
        change(format!("excess {by}"), &|claim| claim.bounds.excess += by);
        change(format!("spread {by}"), &|claim| claim.bounds.spread += by);
        change(format!("large {by}"), &|claim| claim.bounds.large += by);
    }
    for x in [1, 17, 333, 1_001, 2_222, 2_609] {
        change(format!("outcome of {x}"), &|claim| claim.in_p[x] ^= true);
    }
    for x in [3, 20, 64, 131] {
        let other = if claim.labels[x] == Label::N {
            Label::P
        } else {
            Label::N
        };
        change(format!("label of {x}"), &|claim| claim.labels[x] = other);
    }
    for (name, claim) in changed {
        assert!(prove(&claim).is_err(), "{name}");
    }
}

#[test]
fn the_claim_agrees_with_the_definition() {
    let claim = Claim::read();
    let mut known: HashMap<Vec<usize>, bool> = HashMap::from([(Vec::new(), false)]);
    let mut sums = vec![Vec::new()];
    while let Some(sum) = sums.pop() {
        let is_p = by_definition(&sum, &mut known);
        assert_eq!(is_p, claim.is_p(&sum), "{sum:?}");
        let left = 28 - sum.iter().sum::<usize>();
        let least = sum.last().copied().unwrap_or(1);
        sums.extend((least..=left).map(|heap| [&sum[..], &[heap]].concat()));
    }
    assert!(known.len() > 18_000, "{}", known.len());
}

/// Reports whether a sum is a P-position, by the definition.
fn by_definition(sum: &[usize], known: &mut HashMap<Vec<usize>, bool>) -> bool {
    if let Some(&is_p) = known.get(sum) {
        return is_p;
    }
    let is_p = options(sum).into_iter().all(|mut option| {
        option.sort_unstable();
        !by_definition(&option, known)
    });
    known.insert(sum.to_vec(), is_p);
    is_p
}

#[test]
fn a_sum_is_claimed_p_exactly_if_no_option_is() {
    let claim = Claim::read();
    let heap = prop_oneof![1..24_usize, 1..60_usize, 1..400_usize];
    // Two heaps that (Z) compares, and some heaps of 8 or more beside them.
    let compared = (
        1..60_usize,
        0..9_usize,
        0..4_usize,
        0..3_usize,
        -5..=5_isize,
    )
        .prop_map(|(j, eights, ones, twos, difference)| {
            let near = j.saturating_add_signed(difference).max(1);
            let mut sum = vec![
                SCARCE,
                3 * j,
                if eights.is_multiple_of(2) {
                    3 * near
                } else {
                    3 * near + 8
                },
            ];
            sum.extend(std::iter::repeat_n(8, eights));
            sum.extend(std::iter::repeat_n(1, ones));
            sum.extend(std::iter::repeat_n(2, twos));
            sum
        });
    let any = (proptest::collection::vec(heap, 1..6), any::<bool>()).prop_map(|(mut sum, with)| {
        sum.extend(with.then_some(SCARCE));
        sum
    });
    let mut runner = TestRunner::new(Config::with_cases(4_000));
    runner
        .run(&prop_oneof![any, compared], |mut sum| {
            sum.sort_unstable();
            prop_assert_eq!(
                claim.is_p(&sum),
                !claim.has_p_option(&sum, false),
                "{:?}",
                sum
            );
            Ok(())
        })
        .unwrap();
}

#[test]
fn the_claim_agrees_with_a_partial_quotient() {
    let code: Code = "0.35".parse().unwrap();
    let limits = Limits {
        max_heap: 56,
        max_evidence: 0,
        ..Limits::default()
    };
    let solution = solve(
        &code,
        &limits,
        quotient::Strategy::Exact,
        &mut Control::unlimited(),
    );
    let products = Multiplication::new(&solution.quotient);
    let claim = Claim::read();
    let mut count = 0;
    for (ones, twos) in [(0, 0), (0, 1), (1, 0), (1, 1), (2, 3), (3, 2)] {
        for threes in multisets(1, 18, 3) {
            for others in multisets(1, 18, 2) {
                let mut sum = vec![SCARCE];
                sum.extend(std::iter::repeat_n(1, ones));
                sum.extend(std::iter::repeat_n(2, twos));
                sum.extend(threes.iter().map(|j| 3 * j));
                sum.extend(others.iter().map(|u| 3 * u + 2));
                let value = |x, &heap: &usize| products.times(x, solution.phi[heap]);
                let is_p = solution.quotient.in_p(sum.iter().fold(0, value));
                assert_eq!(claim.is_p(&sum), is_p, "{sum:?}");
                count += 1;
            }
        }
    }
    assert!(count > 500_000, "{count}");
}
