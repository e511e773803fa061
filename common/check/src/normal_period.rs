//! The check that the nim-values of a game repeat for ever.
//!
//! The theorem, its hypotheses N1 to N8 and its proof are in `docs/normal-play.md`. Nothing of the
//! claim is trusted: the nim-value of every heap up to the last one claimed is computed here. The
//! recurrence is right for any list of rare heaps that is exact, and it verifies along the way that
//! the list is exact. For games with constraints only the plain theorem is used;
//! `ruleset/guy_smith.rs` gives its number of heaps.

use misere_game::control::{Control, Stop};
use misere_game::solution::normal_period::MAX_HEAPS;
use misere_game::solution::normal_values::marked;
use misere_game::solution::{Mark, NormalPeriod, NormalValues};

pub use super::normal_period_error::NormalPeriodCheckError;
use super::prime_factors::prime_factors;
use super::sparse::{MAX_NUMBER, RareClaim, Rarity, nim_values, splits};
use super::two_heaps::{Leaves, leaves};

/// The number of heaps between two checks for a stop.
const AT_ONCE: usize = 1 << 20;

/// Returns the first heap of a range for which `holds` is true.
fn first(
    heaps: std::ops::Range<usize>,
    holds: impl Fn(usize) -> bool,
    control: &mut Control,
) -> Result<Option<usize>, Stop> {
    for start in heaps.clone().step_by(AT_ONCE) {
        let end = heaps.end.min(start + AT_ONCE);
        control.spend((end - start) as u64)?;
        if let Some(found) = (start..end).find(|&heap| holds(heap)) {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// Proves a claim about normal play from the code alone, or names the first thing wrong with it.
///
/// Cost: for each heap, and each digit with which it is split, a tick for each rare heap and for
/// each pair of common heaps that is needed.
///
/// ```
/// use misere_game::control::Control;
/// use misere_game::solution::NormalPeriod;
/// use misere_check::normal_period::{NormalPeriodCheckError, check};
/// // 0.3: take one bean. The nim-values are 0, 1, 0, 1, …; under the mask 1 the even heaps are rare.
/// let claim = NormalPeriod {
///     code: "0.3".parse()?, period: 2, preperiod: 0, heaps: 6, mask: 1, parity: false,
///     rare: vec![2, 4, 6],
/// };
/// let control = &mut Control::unlimited();
/// assert_eq!(check(&claim, control), Ok(()));
/// let four = NormalPeriod { period: 4, heaps: 10, rare: vec![2, 4, 6, 8, 10], ..claim };
/// assert_eq!(check(&four, control), Err(NormalPeriodCheckError::SmallerPeriod(2)));
/// # Ok::<(), misere_game::ruleset::CodeError>(())
/// ```
///
/// # Errors
/// The first [`NormalPeriodCheckError`]; [`NormalPeriodCheckError::Unchecked`] if `control` ended
/// the check.
pub fn check(claim: &NormalPeriod, control: &mut Control) -> Result<(), NormalPeriodCheckError> {
    check_with(claim, &[], control).map(|_| ())
}

/// The nim-values that a check has computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RightValues {
    /// The right mark of the last heap.
    pub last: Mark,
    /// The nim-values of the heaps from 0 on.
    pub values: Vec<u16>,
}

/// Proves a claim about normal play together with marks, and returns the right values.
///
/// Cost: [`check`], and a tick for each heap.
///
/// # Errors
/// The first [`NormalPeriodCheckError`].
pub fn check_with(
    claim: &NormalPeriod,
    marks: &[Mark],
    control: &mut Control,
) -> Result<RightValues, NormalPeriodCheckError> {
    check_form(claim)?;
    let values = nim_values(&listed(claim), control)?;
    check_period(claim, &values, control)?;
    let last = check_marks(&listed(claim), marks, &values, control)?;
    Ok(RightValues { last, values })
}

/// Checks a claim about the nim-values up to a heap, and returns the right values.
///
/// It uses the code alone.
///
/// Cost: as [`check`].
///
/// ```
/// use misere_game::control::Control;
/// use misere_game::solution::NormalValues;
/// use misere_check::normal_period::{NormalPeriodCheckError, check_values};
/// // 0.3: the nim-values are 0, 1, 0, 1, …
/// let claim = NormalValues {
///     code: "0.3".parse()?, heaps: 6, mask: 1, parity: false, rare: Some(vec![2, 4, 6]),
///     marks: Vec::new(),
/// };
/// let control = &mut Control::unlimited();
/// let mark = check_values(&claim, control)?.last;
/// assert_eq!((mark.max_nim_value, mark.max_nim_value_heap, mark.last_rare), (1, 1, 6));
/// let wrong = NormalValues { rare: Some(vec![2, 4]), ..claim };
/// assert!(matches!(check_values(&wrong, control), Err(NormalPeriodCheckError::Rare { heap: 6, .. })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The first [`NormalPeriodCheckError`]; [`NormalPeriodCheckError::Unchecked`] if `control` ended
/// the check.
pub fn check_values(
    claim: &NormalValues,
    control: &mut Control,
) -> Result<RightValues, NormalPeriodCheckError> {
    let listed = RareClaim {
        code: &claim.code,
        heaps: claim.heaps,
        mask: claim.mask,
        parity: claim.parity,
        rare: claim.rare.as_deref(),
    };
    check_space(&listed)?;
    let values = nim_values(&listed, control)?;
    let last = check_marks(&listed, &claim.marks, &values, control)?;
    Ok(RightValues { last, values })
}

fn listed(claim: &NormalPeriod) -> RareClaim<'_> {
    RareClaim {
        code: &claim.code,
        heaps: claim.heaps,
        mask: claim.mask,
        parity: claim.parity,
        rare: Some(&claim.rare),
    }
}

/// Compares the claimed marks with the right ones and returns the mark of the last heap.
fn check_marks(
    listed: &RareClaim<'_>,
    claimed: &[Mark],
    values: &[u16],
    control: &mut Control,
) -> Result<Mark, NormalPeriodCheckError> {
    let rarity = Rarity::new(listed);
    let mut mark = Mark {
        heaps: 0,
        rare: 0,
        last_rare: 0,
        max_nim_value: 0,
        max_nim_value_heap: 0,
        most_frequent: 0,
        frequency: 0,
    };
    let mut times = vec![0_u32; MAX_NUMBER];
    let mut claimed = claimed.iter();
    let mut next = 1;
    for heaps in marked(listed.heaps) {
        for heap in next..=heaps {
            if (heap as usize).is_multiple_of(AT_ONCE) || heap == heaps {
                control.spend(u64::from(heap.min(AT_ONCE as u32)))?;
            }
            let value = values[heap as usize];
            times[usize::from(value)] += 1;
            if u32::from(value) > mark.max_nim_value {
                mark.max_nim_value = value.into();
                mark.max_nim_value_heap = heap;
            }
            if rarity.is_rare(value.into(), heap as usize) {
                mark.rare += 1;
                mark.last_rare = heap;
            }
        }
        next = heaps + 1;
        mark.heaps = heaps;
        let counted = (0_u32..).zip(&times);
        let most = counted.fold(
            (0, 0),
            |best, (value, &count)| {
                if count > best.1 { (value, count) } else { best }
            },
        );
        (mark.most_frequent, mark.frequency) = most;
        if let Some(found) = claimed.next() {
            compare(found, &mark)?;
        }
    }
    match claimed.next() {
        None => Ok(mark),
        Some(_) => Err(NormalPeriodCheckError::Form(
            "the marks do not stand at the powers of two",
        )),
    }
}

fn compare(found: &Mark, right: &Mark) -> Result<(), NormalPeriodCheckError> {
    let fields = |mark: &Mark| {
        [
            ("heap of the mark", mark.heaps),
            ("number of rare heaps", mark.rare),
            ("last rare heap", mark.last_rare),
            ("greatest nim-value", mark.max_nim_value),
            (
                "first heap with the greatest nim-value",
                mark.max_nim_value_heap,
            ),
            ("most frequent nim-value", mark.most_frequent),
            ("frequency of the most frequent nim-value", mark.frequency),
        ]
    };
    let pairs = fields(found).into_iter().zip(fields(right));
    for ((field, found), (_, right_number)) in pairs {
        if found != right_number {
            return Err(NormalPeriodCheckError::Mark {
                heaps: right.heaps,
                field,
                found,
                right: right_number,
            });
        }
    }
    Ok(())
}

/// Checks N3, N7 and N8, and that there are enough heaps.
fn check_period(
    claim: &NormalPeriod,
    values: &[u16],
    control: &mut Control,
) -> Result<(), NormalPeriodCheckError> {
    let (heaps, period) = (claim.heaps as usize, claim.period as usize);
    let preperiod = claim.preperiod as usize;
    let value = |heap: usize| u32::from(values[heap]);
    let repeats = |heap: usize, period: usize| values[heap] == values[heap + period];
    let other = |heap| !repeats(heap, period);
    if let Some(heap) = first(preperiod..heaps - period + 1, other, control)? {
        return Err(NormalPeriodCheckError::NotPeriodic {
            heap: heap as u32,
            period: claim.period,
            one: value(heap),
            other: value(heap + period),
        });
    }
    check_length(claim, values, control)?;
    if preperiod > 0 && repeats(preperiod - 1, period) {
        return Err(NormalPeriodCheckError::SmallerPreperiod(
            claim.preperiod - 1,
        ));
    }
    for prime in prime_factors(claim.period) {
        let part = period / prime as usize;
        let heaps = preperiod..preperiod + period - part;
        if first(heaps, |heap| !repeats(heap, part), control)?.is_none() {
            return Err(NormalPeriodCheckError::SmallerPeriod(part as u32));
        }
    }
    Ok(())
}

/// Checks N1.
fn check_form(claim: &NormalPeriod) -> Result<(), NormalPeriodCheckError> {
    check_space(&listed(claim))?;
    let end = u64::from(claim.preperiod) + u64::from(claim.period);
    form(claim.period > 0, "the period is 0")?;
    form(
        end <= claim.heaps.into(),
        "a period ends after the last heap",
    )?;
    Ok(())
}

fn form(holds: bool, flaw: &'static str) -> Result<(), NormalPeriodCheckError> {
    match holds {
        true => Ok(()),
        false => Err(NormalPeriodCheckError::Form(flaw)),
    }
}

/// Checks the part of N1 about the game, the mask and the list.
fn check_space(claim: &RareClaim<'_>) -> Result<(), NormalPeriodCheckError> {
    let moves = leaves(claim.code).ok_or(NormalPeriodCheckError::NotOctal)?;
    if claim.heaps > MAX_HEAPS {
        return Err(NormalPeriodCheckError::TooManyHeaps(claim.heaps));
    }
    // Every number is rare for every other heap if the number of the heap counts as well.
    form(claim.mask != 0, "under the mask 0 every number is rare")?;
    form((claim.mask as usize) < MAX_NUMBER, "the mask is too great")?;
    let rare = claim.rare.unwrap_or_default();
    let ascend = rare.windows(2).all(|pair| pair[0] < pair[1]);
    let from_one = rare.first().is_none_or(|&heap| heap >= 1);
    let to_the_end = rare.last().is_none_or(|&heap| heap <= claim.heaps);
    form(
        ascend && from_one && to_the_end,
        "the rare heaps do not ascend from 1",
    )?;
    let odd = splits(&moves).any(|split| split.taken % 2 == 1);
    let even = splits(&moves).any(|split| split.taken % 2 == 0);
    let parity = "the number of the heap counts, and heaps are split by even and odd moves";
    form(!(claim.parity && odd && even), parity)
}

/// Reports whether every move that leaves two heaps may leave any two.
fn are_plain(moves: &[Leaves]) -> bool {
    let is_plain = |leaves: &Leaves| !leaves.equal && leaves.split.is_none_or(|it| it.equal_too);
    moves.iter().all(is_plain)
}

/// Checks that the claim has enough heaps.
///
/// The theorem on periods of the game requires a number, or else N4 to N6 do.
fn check_length(
    claim: &NormalPeriod,
    values: &[u16],
    control: &mut Control,
) -> Result<(), NormalPeriodCheckError> {
    let plain = claim.code.heaps_to_prove(claim.preperiod, claim.period);
    if plain <= claim.heaps.into() {
        return Ok(());
    }
    let too_few = |needed: u64| NormalPeriodCheckError::TooFewHeaps {
        found: claim.heaps,
        needed,
    };
    let moves = leaves(&claim.code).ok_or(NormalPeriodCheckError::NotOctal)?;
    // The other theorem is for games without constraints.
    if claim.parity && claim.period % 2 == 1 || !are_plain(&moves) {
        return Err(too_few(plain));
    }
    let start = claim.preperiod.max(1);
    let last_rare = claim.rare.last().copied().unwrap_or(0);
    let needed = u64::from(start)
        + u64::from(claim.period)
        + u64::from(last_rare)
        + claim.code.length() as u64
        - 1;
    if u64::from(claim.heaps) < needed {
        return Err(too_few(needed));
    }
    let (rarity, start) = (Rarity::new(&listed(claim)), start as usize);
    let mut seen = vec![0_u32; values.iter().copied().max().unwrap_or(0) as usize + 1];
    seen.resize(seen.len().next_power_of_two(), 0);
    for heap in claim.heaps - claim.period + 1..=claim.heaps {
        let n = heap as usize;
        let rest = n.saturating_sub(claim.code.length());
        if rest >= 2 * start {
            // One of two heaps with so large a total has at least `start` beans.
            break;
        }
        control.spend(20 + claim.code.length() as u64)?;
        for taken in 1..=claim.code.length() {
            if claim.code.digit(taken) >> 1 & 1 == 1 && n >= start + taken {
                seen[usize::from(values[n - taken])] = heap;
            }
        }
        let mut wanted = (0..usize::from(values[n])).filter(|&number| rarity.is_rare(number, n));
        let mut next = wanted.find(|&number| seen[number] != heap);
        'found: for total in splits(&moves).filter_map(|split| n.checked_sub(split.taken)) {
            for one in 1..=total.saturating_sub(start) {
                if next.is_none() {
                    break 'found;
                }
                control.spend(2)?;
                seen[usize::from(values[one] ^ values[total - one])] = heap;
                while let Some(number) = next.filter(|&number| seen[number] == heap) {
                    next = wanted.find(|&other| other > number && seen[other] != heap);
                }
            }
        }
        if let Some(number) = next {
            let number = number as u32;
            return Err(NormalPeriodCheckError::RareNumber { heap, number });
        }
    }
    Ok(())
}
