//! The check that no position called P has an option called P (A5).
//!
//! A position `G` with an option `G'`: a heap `h` becomes the parts `a`, `b` (or one, or none). Let
//! `g` be the heap with the greatest sum of weight and threshold among the other heaps, if there
//! are any, and let the rest have the unit `v` and the weight `i`. No heap of the rest is free in
//! `G` or in `G'`, since then `g` would be free too. So the law's verdicts on `G` and `G'` depend
//! on `h`, `a`, `b`, `g`, `v`, `i` only, and it suffices that for no such numbers both are P;
//! whether there is a rest with that unit and that weight does not matter.
//!
//! *Finitely many suffice.* Let `a` be a listed heap and `A` periods, likewise `b` and `g`, and let
//! `i = i₀ + slope · I`. Whether a heap is free depends on a comparison of two weights, which is
//! one of the forms `I+G-A-B`, `I+A+B-G`, `I+B+G-A`, `I+A+G-B`, times the slope, plus a number that
//! depends on the listed heaps and `i₀` only. The total whose set decides depends likewise on
//! `I+A+B+G`. All else depends on residues, which periods do not change (A1). So tuples with the
//! same values of these forms, cut off where the sign of each comparison is settled, are alike, and
//! one of them is examined.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use misere_game::control::Control;

use super::signatures::{Form, representatives};
use super::{CheckError, Law};

/// The forms that decide, in the numbers of periods `A`, `B`, `G` and in `I`.
const FORMS: [Form<4>; 5] = [
    [-1, -1, 1, 1],
    [1, 1, -1, 1],
    [-1, 1, 1, 1],
    [1, -1, 1, 1],
    [1, 1, 1, 1],
];

/// The ticks for the law's verdicts on two positions.
const PAIR: u64 = 4;

/// The tuples that represent all, by the numbers that are not 0 and by the bound.
type Representatives = HashMap<([bool; 4], i64), Vec<[u64; 4]>>;

pub(super) fn check(law: &Law<'_>, control: &mut Control) -> Result<(), CheckError> {
    let mut known = Representatives::new();
    for taken in 0..=law.code.length() {
        let digit = law.code.digit(taken);
        let taken = taken as u64;
        if digit & 1 != 0 && taken > 0 {
            check_move(law, taken, [0, 0], &mut known, control)?;
        }
        for a in law.slots() {
            if digit & 2 != 0 {
                check_move(law, taken, [a, 0], &mut known, control)?;
            }
            if digit & 4 != 0 {
                for b in law.slots() {
                    check_move(law, taken, [a, b], &mut known, control)?;
                }
            }
        }
    }
    Ok(())
}

/// Checks all moves that take `taken` beans and leave these heaps, or heaps that repeat them.
fn check_move(
    law: &Law<'_>,
    taken: u64,
    [a, b]: [u64; 2],
    known: &mut Representatives,
    control: &mut Control,
) -> Result<(), CheckError> {
    for g in 0..=law.listed() {
        for first in 0..law.slope {
            let active = [law.repeats(a), law.repeats(b), law.repeats(g), true];
            let bound = bound(law, taken, [a, b, g], first);
            let tuples = match known.entry((active, bound)) {
                Entry::Occupied(entry) => entry.into_mut(),
                Entry::Vacant(entry) => {
                    entry.insert(representatives(&FORMS, active, [false; 4], bound, control)?)
                }
            };
            control.spend(PAIR * u64::from(law.units) * tuples.len() as u64)?;
            for &[periods_a, periods_b, periods_g, more] in &*tuples {
                let a = a + law.period * periods_a;
                let b = b + law.period * periods_b;
                let g = g + law.period * periods_g;
                let h = taken + a + b;
                let weight = first + law.slope * more as i64;
                let both = (0..law.units).find(|&unit| {
                    law.is_p([h, g, 0], unit, weight) && law.is_p([a, b, g], unit, weight)
                });
                if let Some(unit) = both {
                    return Err(CheckError::LawPToP {
                        heap: h,
                        parts: [a, b],
                        beside: g,
                        unit,
                        weight: weight as u64,
                    });
                }
            }
        }
    }
    Ok(())
}

/// Returns a bound at which all comparisons are settled, and the total is not a first total.
fn bound(law: &Law<'_>, taken: u64, [a, b, g]: [u64; 3], first: i64) -> i64 {
    let h = law.heap(taken + a + b);
    let [a, b, g] = [a, b, g].map(|heap| law.heap(heap));
    let comparisons = [
        first + g.weight - h.threshold,
        first + h.weight - g.threshold,
        first + b.weight + g.weight - a.threshold,
        first + a.weight + g.weight - b.threshold,
        first + a.weight + b.weight - g.threshold,
        law.first_totals,
    ];
    let greatest = comparisons.iter().map(|c| c.abs()).max().unwrap_or(0);
    greatest / law.slope + 1
}
