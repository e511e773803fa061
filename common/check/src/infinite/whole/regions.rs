//! Whether linear conditions say which counts of the digits are P-positions.
//!
//! The automaton and the conditions read the counts together, one binary digit of all counts at a
//! time, the lowest first. After the bits `b` the count `x = b + 2x'` is still to be read as `x'`,
//! and a condition on `x` is one on `x'` (T10 in `docs/semilinear.md`). Finitely many conditions
//! occur, so finitely many pairs of a state and cells occur.

use std::collections::{BTreeSet, HashMap};

use misere_game::control::Control;
use misere_game::outcome::Outcome;
use misere_game::solution::semilinear::{Cell, Condition, Region};

use super::super::diagram::reading::Reading;
use super::super::{FamilyCheckError, too_large};
use super::PresentationCheckError;

/// The most pairs of a state and cells for one region.
const MAX_PAIRS: usize = 1_000_000;
/// The most conditions of one region.
const MAX_CONDITIONS: usize = 100_000;
/// The greatest coefficient, bound and modulus.
const MAX_NUMBER: i64 = 1_000_000;

/// A condition on counts, translated to the counts after their lowest bits.
enum NextCondition {
    Holds,
    Fails,
    Asks(Condition),
}

/// Checks S1 and S2: each state at which the digits begin is in exactly one region.
///
/// The regions have no other states, the states ascend, and the conditions are about the digits.
pub(super) fn check_form(
    reading: &Reading<'_>,
    regions: &[Region],
) -> Result<(), PresentationCheckError> {
    let mut unclaimed: BTreeSet<u32> = reading.starts().into_iter().collect();
    for (number, region) in regions.iter().enumerate() {
        let ascend = region.states.is_sorted_by(|one, other| one < other);
        let mut states = region.states.iter();
        if region.states.is_empty() || !ascend || !states.all(|state| unclaimed.remove(state)) {
            return Err(PresentationCheckError::Region { number });
        }
        let conditions: usize = region.cells.iter().map(Vec::len).sum();
        if conditions > MAX_CONDITIONS {
            return Err(too_large("conditions", conditions, MAX_CONDITIONS).into());
        }
        let of_digits = |condition| is_of_digits(condition, reading.digits.len());
        if !region.cells.iter().flatten().all(of_digits) {
            return Err(PresentationCheckError::Region { number });
        }
    }
    match unclaimed.first() {
        None => Ok(()),
        Some(&state) => Err(PresentationCheckError::NoRegion { state }),
    }
}

fn is_of_digits(condition: &Condition, digits: usize) -> bool {
    let small = |number: &i64| (-MAX_NUMBER..=MAX_NUMBER).contains(number);
    match condition {
        Condition::AtLeast { form, at_least } => {
            form.len() == digits && form.iter().all(small) && small(at_least)
        }
        Condition::Remainder {
            digit,
            remainder,
            modulus,
        } => (*digit as usize) < digits && remainder < modulus && small(&i64::from(*modulus)),
    }
}

/// Returns digit counts for which the cells and the automaton from a state disagree (S3).
///
/// Returns `None` if there are none. The conditions have to be about the digits.
///
/// Cost: pairs of a state and cells, times choices of binary digits, times conditions.
pub(super) fn misplaced(
    reading: &Reading<'_>,
    state: u32,
    cells: &[Cell],
    control: &mut Control,
) -> Result<Option<Vec<u64>>, FamilyCheckError> {
    let digits = reading.digits.len();
    let first = (state, in_order(cells.to_vec()));
    // Each pair with the pair before it and the bits that lead from there.
    let mut found: Vec<(Pair, usize, usize)> = vec![(first.clone(), 0, 0)];
    let mut number: HashMap<Pair, usize> = HashMap::from([(first, 0)]);
    let mut at = 0;
    while let Some(((state, cells), _, _)) = found.get(at).cloned() {
        let conditions: usize = cells.iter().map(|cell| 1 + cell.len()).sum();
        control.spend((100 + 20 * conditions as u64) << digits)?;
        let of_state = &reading.states[state as usize];
        let is_p = cells.iter().any(|cell| cell.iter().all(holds_at_zero));
        if is_p != (of_state.outcome == Some(Outcome::P)) {
            return Ok(Some(counts(&found, at, digits)));
        }
        for (bits, &next) in of_state.next.iter().enumerate() {
            let pair = (next, cells_after(&cells, bits));
            if number.contains_key(&pair) {
                continue;
            }
            if found.len() >= MAX_PAIRS {
                return Err(too_large(
                    "pairs of a state and cells",
                    found.len() + 1,
                    MAX_PAIRS,
                ));
            }
            number.insert(pair.clone(), found.len());
            found.push((pair, at, bits));
        }
        at += 1;
    }
    Ok(None)
}

type Pair = (u32, Vec<Cell>);

/// Returns the counts whose bits lead to a pair.
fn counts(found: &[(Pair, usize, usize)], mut at: usize, digits: usize) -> Vec<u64> {
    let mut counts = vec![0_u64; digits];
    while at > 0 {
        let (_, before, bits) = &found[at];
        for (digit, count) in counts.iter_mut().enumerate() {
            *count = count.saturating_mul(2) | (bits >> digit & 1) as u64;
        }
        at = *before;
    }
    counts
}

/// Returns the cells in a normal form that is equal for equal cells.
fn in_order(mut cells: Vec<Cell>) -> Vec<Cell> {
    for cell in &mut cells {
        cell.sort_unstable();
        cell.dedup();
    }
    cells.sort_unstable();
    cells.dedup();
    // If a cell without conditions holds, the others do not matter.
    match cells.first() {
        Some(first) if first.is_empty() => vec![Vec::new()],
        _ => cells,
    }
}

/// Returns the cells translated to the counts after their lowest bits.
fn cells_after(cells: &[Cell], bits: usize) -> Vec<Cell> {
    let mut left = Vec::with_capacity(cells.len());
    'cells: for cell in cells {
        let mut asked = Vec::with_capacity(cell.len());
        for condition in cell {
            match after(condition, bits) {
                NextCondition::Holds => {}
                NextCondition::Fails => continue 'cells,
                NextCondition::Asks(condition) => asked.push(condition),
            }
        }
        left.push(asked);
    }
    in_order(left)
}

fn after(condition: &Condition, bits: usize) -> NextCondition {
    match condition {
        Condition::AtLeast { form, at_least } => {
            let read = form.iter().enumerate();
            let read = read.map(|(digit, &of_digit)| of_digit * (bits >> digit & 1) as i64);
            // Half of what is left, rounded up.
            let left = at_least - read.sum::<i64>();
            let bound = left.div_euclid(2) + left.rem_euclid(2);
            if bound <= 0 && form.iter().all(|&of_digit| of_digit >= 0) {
                return NextCondition::Holds;
            }
            if bound > 0 && form.iter().all(|&of_digit| of_digit <= 0) {
                return NextCondition::Fails;
            }
            NextCondition::Asks(Condition::AtLeast {
                form: form.clone(),
                at_least: bound,
            })
        }
        &Condition::Remainder {
            digit,
            remainder,
            modulus,
        } => {
            let bit = (bits >> digit & 1) as u32;
            // The remainder of twice the rest.
            let twice = (remainder + modulus - bit % modulus) % modulus;
            let (remainder, modulus) = match (modulus % 2, twice % 2) {
                (0, 0) => (twice / 2, modulus / 2),
                (0, _) => return NextCondition::Fails,
                (_, 0) => (twice / 2, modulus),
                (_, _) => ((twice + modulus) / 2, modulus),
            };
            match modulus {
                1 => NextCondition::Holds,
                _ => NextCondition::Asks(Condition::Remainder {
                    digit,
                    remainder,
                    modulus,
                }),
            }
        }
    }
}

fn holds_at_zero(condition: &Condition) -> bool {
    match condition {
        Condition::AtLeast { at_least, .. } => *at_least <= 0,
        Condition::Remainder { remainder, .. } => *remainder == 0,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn condition() -> impl Strategy<Value = Condition> {
        let at_least = (prop::collection::vec(-9_i64..10, 2), -40_i64..41)
            .prop_map(|(form, at_least)| Condition::AtLeast { form, at_least });
        let remainder = (0..2_u32, 1..30_u32, 0..30_u32).prop_map(|(digit, modulus, number)| {
            Condition::Remainder {
                digit,
                remainder: number % modulus,
                modulus,
            }
        });
        prop_oneof![at_least, remainder]
    }

    proptest! {
        /// A condition that is read bit by bit agrees with the condition on the numbers.
        #[test]
        fn conditions_on_bits_agree_with_conditions_on_numbers(
            condition in condition(),
            counts in prop::collection::vec(0..200_i64, 2),
        ) {
            let mut asked = condition.clone();
            let mut read = None;
            for bit in 0..8 {
                let bits = (counts[0] >> bit & 1) | (counts[1] >> bit & 1) << 1;
                match after(&asked, bits as usize) {
                    NextCondition::Holds => read = Some(true),
                    NextCondition::Fails => read = Some(false),
                    NextCondition::Asks(next) => { asked = next; continue; }
                }
                break;
            }
            let read = read.unwrap_or_else(|| holds_at_zero(&asked));
            prop_assert_eq!(read, condition.holds(&counts));
        }
    }
}
