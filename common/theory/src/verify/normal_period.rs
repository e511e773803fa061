//! The check that the nim-values of a game repeat for ever.
//!
//! The theorem, its hypotheses N1 to N8 and its proof stand in `docs/normal-play.md`. Nothing of
//! the claim is believed: the nim-value of every heap to the last one claimed is computed here, by
//! a recurrence that is right whatever the list of rare heaps says, if only the list is exact; and
//! that it is exact is seen on the way.
//!
//! Of heap `n` the numbers of options are of two kinds. A common number is that of an option with
//! one rare heap, so all of these pairs are gone through. A rare number below the least common one
//! left out is looked for among all pairs.
//!
//! A constraint on two heaps forbids pairs of equal heaps, or all others. Two equal heaps have the
//! number 0, and no other number is concerned. A common number is never that of two equal heaps,
//! since exactly one heap of the pair is rare. Of such games only the plain theorem is used, for
//! which the number of heaps is that of `ruleset/repetition.rs`.

use super::two_heaps::{Leaves, Split, leaves};
use crate::control::{Control, Stop};
use crate::ruleset::Code;
use crate::solution::normal_values::marked;
use crate::solution::{Mark, NormalPeriod, NormalValues};

/// Nim-values are kept in two bytes.
const MAX_NUMBER: usize = 1 << 16;
/// Pairs of heaps that are looked at in one tick.
const PAIRS_PER_TICK: usize = 1;

/// The first thing wrong with a claim about normal play.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NormalFlaw {
    /// The game is not of the kind that the theorem is about.
    #[error("the theorem is about codes with an end whose moves leave at most two heaps")]
    NotOctal,
    /// The claim is not in form.
    #[error("the claim is not in form: {0}")]
    Form(&'static str),
    /// The list of rare heaps is wrong.
    #[error("heap {heap} has the nim-value {value}: {}", if *.rare {
        "it is rare, and is not listed"
    } else {
        "it is listed as rare, and is common"
    })]
    Rare {
        /// The first heap that is listed wrongly.
        heap: u32,
        /// Its nim-value.
        value: u32,
        /// Whether it is rare.
        rare: bool,
    },
    /// A number of a mark is wrong.
    #[error("to heap {heaps} the {field} is {right}, not {found}")]
    Mark {
        /// The heap.
        heaps: u32,
        /// The field.
        field: &'static str,
        /// The number claimed.
        found: u32,
        /// The right number.
        right: u32,
    },
    /// A nim-value is too great to be kept.
    #[error("the nim-value of heap {0} does not fit into two bytes")]
    TooGreat(u32),
    /// The values do not repeat as claimed.
    #[error("heaps {heap} and {heap} + {period} have the nim-values {one} and {other}")]
    NotPeriodic {
        /// The smaller heap.
        heap: u32,
        /// The period claimed.
        period: u32,
        /// Its nim-value.
        one: u32,
        /// The nim-value of the heap one period greater.
        other: u32,
    },
    /// Too few heaps for either theorem.
    #[error("nim-values to heap {found} prove no period; heap {needed} is needed")]
    TooFewHeaps {
        /// The heaps claimed.
        found: u32,
        /// The fewest that may do.
        needed: u64,
    },
    /// A rare number below the value of a heap may not stay that of an option.
    #[error("of heap {heap} no option with a repeating heap has the nim-value {number}")]
    RareNumber {
        /// One of the last heaps.
        heap: u32,
        /// The number.
        number: u32,
    },
    /// A smaller period will do.
    #[error("the period {0} will do")]
    SmallerPeriod(u32),
    /// A smaller preperiod will do.
    #[error("the nim-values repeat from heap {0} on")]
    SmallerPreperiod(u32),
    /// The check was stopped.
    #[error("not checked to the end: {0}")]
    Unchecked(#[from] Stop),
}

/// Proves a claim about normal play from the code alone, or names the first thing wrong with it.
///
/// Cost: for each heap, and each digit with which it is split, a tick for each rare heap and for
/// each pair of common heaps that is needed.
///
/// ```
/// use misere_theory::control::Control;
/// use misere_theory::solution::NormalPeriod;
/// use misere_theory::verify::normal_period::{NormalFlaw, check};
/// // 0.3: take one bean. The nim-values are 0, 1, 0, 1, …; under the mask 1 the even heaps are rare.
/// let claim = NormalPeriod {
///     code: "0.3".parse()?, period: 2, preperiod: 0, heaps: 6, mask: 1, parity: false,
///     rare: vec![2, 4, 6],
/// };
/// let control = &mut Control::unlimited();
/// assert_eq!(check(&claim, control), Ok(()));
/// let four = NormalPeriod { period: 4, heaps: 10, rare: vec![2, 4, 6, 8, 10], ..claim };
/// assert_eq!(check(&four, control), Err(NormalFlaw::SmallerPeriod(2)));
/// # Ok::<(), misere_theory::ruleset::CodeError>(())
/// ```
///
/// # Errors
/// The first [`NormalFlaw`]; [`NormalFlaw::Unchecked`] if `control` ended the check.
pub fn check(claim: &NormalPeriod, control: &mut Control) -> Result<(), NormalFlaw> {
    check_with(claim, &[], control).map(|_| ())
}

/// Proves a claim about normal play together with marks, and gives the right mark of the last heap.
///
/// Cost: that of [`check`], and a tick for each heap.
///
/// # Errors
/// The first [`NormalFlaw`].
pub fn check_with(
    claim: &NormalPeriod,
    marks: &[Mark],
    control: &mut Control,
) -> Result<Mark, NormalFlaw> {
    check_form(claim)?;
    let values = nim_values(&listed(claim), control)?;
    check_period(claim, &values, control)?;
    check_marks(&listed(claim), marks, &values, control)
}

/// Judges a claim about the nim-values to a heap, from the code alone, and gives the right mark of
/// that heap.
///
/// Cost: that of [`check`].
///
/// ```
/// use misere_theory::control::Control;
/// use misere_theory::solution::NormalValues;
/// use misere_theory::verify::normal_period::{NormalFlaw, check_values};
/// // 0.3: the nim-values are 0, 1, 0, 1, …
/// let claim = NormalValues {
///     code: "0.3".parse()?, heaps: 6, mask: 1, parity: false, rare: Some(vec![2, 4, 6]),
///     marks: Vec::new(),
/// };
/// let control = &mut Control::unlimited();
/// let mark = check_values(&claim, control)?;
/// assert_eq!((mark.max_nim_value, mark.max_nim_value_heap, mark.last_rare), (1, 1, 6));
/// let wrong = NormalValues { rare: Some(vec![2, 4]), ..claim };
/// assert!(matches!(check_values(&wrong, control), Err(NormalFlaw::Rare { heap: 6, .. })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The first [`NormalFlaw`]; [`NormalFlaw::Unchecked`] if `control` ended the check.
pub fn check_values(claim: &NormalValues, control: &mut Control) -> Result<Mark, NormalFlaw> {
    let listed = Listed {
        code: &claim.code,
        heaps: claim.heaps,
        mask: claim.mask,
        parity: claim.parity,
        rare: claim.rare.as_deref(),
    };
    check_space(&listed)?;
    let values = nim_values(&listed, control)?;
    check_marks(&listed, &claim.marks, &values, control)
}

/// The part of a claim that says which heaps are rare.
struct Listed<'a> {
    code: &'a Code,
    heaps: u32,
    mask: u32,
    parity: bool,
    rare: Option<&'a [u32]>,
}

fn listed(claim: &NormalPeriod) -> Listed<'_> {
    Listed {
        code: &claim.code,
        heaps: claim.heaps,
        mask: claim.mask,
        parity: claim.parity,
        rare: Some(&claim.rare),
    }
}

/// The right marks at the heaps of those claimed, compared; and that of the last heap.
fn check_marks(
    listed: &Listed<'_>,
    claimed: &[Mark],
    values: &[u16],
    control: &mut Control,
) -> Result<Mark, NormalFlaw> {
    control.spend(u64::from(listed.heaps))?;
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
        Some(_) => Err(NormalFlaw::Form(
            "the marks do not stand at the powers of two",
        )),
    }
}

fn compare(found: &Mark, right: &Mark) -> Result<(), NormalFlaw> {
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
            return Err(NormalFlaw::Mark {
                heaps: right.heaps,
                field,
                found,
                right: right_number,
            });
        }
    }
    Ok(())
}

/// N3, N7 and N8, and that the heaps are enough.
fn check_period(
    claim: &NormalPeriod,
    values: &[u16],
    control: &mut Control,
) -> Result<(), NormalFlaw> {
    let (heaps, period) = (claim.heaps as usize, claim.period as usize);
    let preperiod = claim.preperiod as usize;
    control.spend(heaps as u64)?;
    let value = |heap: usize| u32::from(values[heap]);
    let repeats = |heap: &usize, period: usize| values[*heap] == values[heap + period];
    if let Some(heap) = (preperiod..=heaps - period).find(|heap| !repeats(heap, period)) {
        return Err(NormalFlaw::NotPeriodic {
            heap: heap as u32,
            period: claim.period,
            one: value(heap),
            other: value(heap + period),
        });
    }
    check_length(claim, values, control)?;
    if preperiod > 0 && repeats(&(preperiod - 1), period) {
        return Err(NormalFlaw::SmallerPreperiod(claim.preperiod - 1));
    }
    for prime in prime_factors(claim.period) {
        let part = period / prime as usize;
        control.spend(period as u64)?;
        if (preperiod..preperiod + period - part).all(|heap| repeats(&heap, part)) {
            return Err(NormalFlaw::SmallerPeriod(part as u32));
        }
    }
    Ok(())
}

/// N1.
fn check_form(claim: &NormalPeriod) -> Result<(), NormalFlaw> {
    check_space(&listed(claim))?;
    let end = u64::from(claim.preperiod) + u64::from(claim.period);
    form(claim.period > 0, "the period is 0")?;
    form(
        end <= claim.heaps.into(),
        "a period ends after the last heap",
    )?;
    Ok(())
}

fn form(holds: bool, flaw: &'static str) -> Result<(), NormalFlaw> {
    match holds {
        true => Ok(()),
        false => Err(NormalFlaw::Form(flaw)),
    }
}

/// The part of N1 about the game, the mask and the list.
fn check_space(claim: &Listed<'_>) -> Result<(), NormalFlaw> {
    let moves = leaves(claim.code).ok_or(NormalFlaw::NotOctal)?;
    form(claim.heaps < u32::MAX, "there are too many heaps")?;
    // With the number of the heap, too, every number is rare for every other heap.
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

/// The moves that leave two heaps, not only equal ones.
fn splits(moves: &[Leaves]) -> impl Iterator<Item = Split> + '_ {
    moves.iter().filter_map(|leaves| leaves.split)
}

/// Whether the moves that leave two heaps leave any two.
fn are_plain(moves: &[Leaves]) -> bool {
    let is_plain = |leaves: &Leaves| !leaves.equal && leaves.split.is_none_or(|it| it.equal_too);
    moves.iter().all(is_plain)
}

/// The rule that says which numbers are rare for which heaps.
#[derive(Clone, Copy)]
struct Rarity {
    mask: u32,
    parity: bool,
    /// The parity of the beans that splitting moves take.
    taken: usize,
}

impl Rarity {
    fn new(claim: &Listed<'_>) -> Self {
        Self {
            mask: claim.mask,
            parity: claim.parity,
            taken: leaves(claim.code)
                .and_then(|moves| splits(&moves).next())
                .map_or(0, |split| split.taken % 2),
        }
    }

    fn is_rare(self, number: usize, heap: usize) -> bool {
        let ones = (number as u32 & self.mask).count_ones() as usize;
        let heap = if self.parity { heap + self.taken } else { 0 };
        (ones + heap).is_multiple_of(2)
    }
}

/// The nim-values of heaps 0 to the last one claimed (N2, N3).
fn nim_values(claim: &Listed<'_>, control: &mut Control) -> Result<Vec<u16>, NormalFlaw> {
    let rarity = Rarity::new(claim);
    let moves = leaves(claim.code).ok_or(NormalFlaw::NotOctal)?;
    let splits: Vec<Split> = splits(&moves).collect();
    let mut values: Vec<u16> = vec![0];
    // The rare heaps so far, and their values.
    let mut rare: Vec<(usize, u16)> = Vec::new();
    let mut listed = claim.rare.map(|rare| rare.iter().copied().peekable());
    // The latest heap with an option of this number.
    let mut seen = vec![0_u32; 64];
    for heap in 1..=claim.heaps {
        let n = heap as usize;
        control
            .spend((20 + 2 * moves.len() + splits.len() * rare.len() / PAIRS_PER_TICK) as u64)?;
        for (taken, leaves) in moves.iter().enumerate().take(n + 1) {
            let rest = n - taken;
            if leaves.nothing && rest == 0 || leaves.equal && rest > 0 && rest.is_multiple_of(2) {
                seen[0] = heap;
            }
            if leaves.one && rest > 0 && taken > 0 {
                seen[usize::from(values[rest])] = heap;
            }
        }
        for (total, split) in totals(&splits, n) {
            let before = rare.partition_point(|&(one, _)| one < total);
            for &(one, value) in &rare[..before] {
                if split.equal_too || 2 * one != total {
                    seen[usize::from(value ^ values[total - one])] = heap;
                }
            }
        }
        let is_seen = |seen: &[u32], number: usize| seen.get(number) == Some(&heap);
        let mut ceiling = 0;
        while rarity.is_rare(ceiling, n) || is_seen(&seen, ceiling) {
            ceiling += 1;
        }
        let mut least = (0..ceiling).find(|&number| !is_seen(&seen, number));
        if let Some(first) = least {
            least = search(&values, &splits, n, first, ceiling, &mut seen, control)?;
        }
        let value = least.unwrap_or(ceiling);
        if value >= MAX_NUMBER {
            return Err(NormalFlaw::TooGreat(heap));
        }
        if value >= seen.len() {
            seen.resize((value + 1).next_power_of_two(), 0);
        }
        values.push(value as u16);
        let is_rare = rarity.is_rare(value, n);
        let listed = listed.as_mut().map(|listed| listed.next_if_eq(&heap));
        if listed.is_some_and(|listed| is_rare != listed.is_some()) {
            let (value, rare) = (value as u32, is_rare);
            return Err(NormalFlaw::Rare { heap, value, rare });
        }
        if is_rare {
            rare.push((n, value as u16));
        }
    }
    Ok(values)
}

/// The beans that each split leaves of a heap.
fn totals(splits: &[Split], n: usize) -> impl Iterator<Item = (usize, Split)> + '_ {
    let total = move |split: &Split| Some((n.checked_sub(split.taken)?, *split));
    splits.iter().filter_map(total)
}

/// Goes through pairs of heaps until every number from `first` to below `ceiling` has been seen;
/// otherwise the least that no pair has.
fn search(
    values: &[u16],
    splits: &[Split],
    n: usize,
    first: usize,
    ceiling: usize,
    seen: &mut [u32],
    control: &mut Control,
) -> Result<Option<usize>, Stop> {
    let heap = n as u32;
    let mut wanted = first;
    for (total, split) in totals(splits, n) {
        let last = match split.equal_too {
            true => total / 2,
            false => total.saturating_sub(1) / 2,
        };
        for one in 1..=last {
            let number = usize::from(values[one] ^ values[total - one]);
            seen[number] = heap;
            if one % 64 == 0 {
                control.spend((64 / PAIRS_PER_TICK) as u64)?;
            }
            while seen.get(wanted) == Some(&heap) {
                wanted += 1;
            }
            if wanted >= ceiling {
                return Ok(None);
            }
        }
    }
    Ok(Some(wanted))
}

/// That the heaps claimed are enough: N5 and N6 of the one theorem, or N4 of the other.
fn check_length(
    claim: &NormalPeriod,
    values: &[u16],
    control: &mut Control,
) -> Result<(), NormalFlaw> {
    let plain = claim.code.heaps_to_prove(claim.preperiod, claim.period);
    if plain <= claim.heaps.into() {
        return Ok(());
    }
    let too_few = |needed: u64| NormalFlaw::TooFewHeaps {
        found: claim.heaps,
        needed,
    };
    let moves = leaves(&claim.code).ok_or(NormalFlaw::NotOctal)?;
    // The other theorem is about games without constraints.
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
            // Of two heaps with so many beans one has `start` at least.
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
            return Err(NormalFlaw::RareNumber { heap, number });
        }
    }
    Ok(())
}

fn prime_factors(mut number: u32) -> Vec<u32> {
    let mut primes = Vec::new();
    let mut divisor = 2;
    while u64::from(divisor) * u64::from(divisor) <= u64::from(number) {
        if number.is_multiple_of(divisor) {
            primes.push(divisor);
            while number.is_multiple_of(divisor) {
                number /= divisor;
            }
        }
        divisor += 1;
    }
    primes.extend((number > 1).then_some(number));
    primes
}
