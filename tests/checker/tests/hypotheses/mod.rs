//! Claims that break the hypotheses of the checker's theorems, each alone.
//!
//! The hypotheses have numbers: Q of a finite quotient, G of a period (Guy and Smith), K of
//! tameness relative to a heap (the kernel), W of growth (words) in `docs/mathematics.md`; J of a
//! quotient with games of its own in `docs/classification.md`; N of normal play, and A of arithmetic
//! periods, in `docs/normal-play.md`; H of an infinite quotient in `docs/infinite.md`; B of the words
//! of all heaps in `docs/beyond.md`. For each there is a claim here for which only this hypothesis
//! fails, or fails first. The test is named after the number, and it fails if the line that tests the
//! hypothesis is removed. Q1 to Q3, J2 and a few others are about tables that no document can
//! state; they are tested beside the checker, in `verify/`.

mod all_heaps;
mod arithmetic;
mod constructions;
mod diagram;
mod finite;
mod growth;
mod infinite;
mod normal;
mod periods;
mod tame;

use misere_check::{CheckError, check, check_within};
use misere_engine::quotient::{Limits, Strategy, solve};
use misere_game::bipartite::{BipartiteMonoid, Element};
use misere_game::control::{Control, Interrupt};
use misere_game::solution::{Limit, Partial, Solution, Verdict};

/// Returns the true claim of a code, to a heap.
fn solved_to(code: &str, max_heap: u32) -> Solution {
    let limits = Limits {
        max_heap,
        max_evidence: 0,
        ..Limits::default()
    };
    let control = &mut Control::unlimited();
    let solution = solve(&code.parse().unwrap(), &limits, Strategy::Exact, control);
    assert_eq!(check(&solution), Ok(()), "{code}");
    solution
}

/// Returns the true claim of a code, with evidence and within this fuel.
fn solved_within(code: &str, fuel: u64) -> Solution {
    let control = &mut Control::new(fuel, Interrupt::default());
    let limits = Limits::default();
    let solution = solve(&code.parse().unwrap(), &limits, Strategy::Exact, control);
    assert_eq!(check(&solution), Ok(()), "{code}");
    solution
}

fn solved(code: &str) -> Solution {
    solved_to(code, Limits::default().max_heap)
}

/// Returns the claim that a monoid with these rows and this P-portion is the quotient of the heaps
/// listed.
///
/// One partial quotient is listed, the whole monoid at a heap, or none.
fn claim(
    code: &str,
    rows: &[&[Element]],
    p: &[Element],
    generator_heaps: &[u32],
    phi: &[Element],
    changes_at: Option<u32>,
) -> Solution {
    let order = rows.first().map_or(1, |row| row.len());
    let rows = rows.iter().map(|row| row.to_vec()).collect();
    let quotient = BipartiteMonoid::new(order, rows, p.iter().copied()).unwrap();
    let partial = |heap| Partial {
        heap,
        order: order as u32,
        p_size: p.len() as u32,
        class: quotient.class_key(),
    };
    Solution {
        code: code.parse().unwrap(),
        verdict: Verdict::Exhausted(Limit::MaxHeap),
        partials: changes_at.into_iter().map(partial).collect(),
        quotient,
        generator_heaps: generator_heaps.to_vec(),
        phi: phi.to_vec(),
        tail: None,
        growth: None,
        evidence: None,
        reason: None,
        fuel: 0,
    }
}

/// Returns what is wrong with a claim after a change; a check that would take long is broken off.
fn flaw(good: &Solution, change: impl FnOnce(&mut Solution)) -> CheckError {
    let mut changed = good.clone();
    change(&mut changed);
    refused(&changed)
}

fn refused(claim: &Solution) -> CheckError {
    let control = &mut Control::new(10_000_000, Interrupt::default());
    check_within(claim, control).unwrap_err()
}
