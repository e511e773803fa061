//! The search for a law that decides all positions of a game that grows.
//!
//! In the partial quotients of such a game one generator `b` has powers up to a great index, and
//! every element is `u b^i` or `u b^i Φ(h)` with a unit `u` and a heap `h`. The least `i` for which
//! `b^i Φ(h)` is `u b^(i + t)` is the threshold of the heap `h`, `u` its unit and `t` its weight.
//! Heaps far below the greatest one have the values of the whole game. The law read from them is a
//! guess, and the checker decides whether it is right.

use std::collections::HashMap;

use misere_check::{CheckError, check_law};
use misere_game::bipartite::{BipartiteMonoid, Element};
use misere_game::control::{Control, Stop};
use misere_game::ruleset::Code;
use misere_game::solution::{HeapLaw, Solution, ThresholdLaw};

/// The most bits of a unit.
const MAX_BITS: u32 = 4;
/// The greatest index of powers for which an element counts as one of the finite beginning.
const NEAR_THE_END: usize = 2;
/// The number of periods in which a law must be observed.
const PERIODS_SEEN: usize = 3;

/// A reason why no law of a game that grows is proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, thiserror::Error)]
pub enum LawSearchError {
    /// The powers of each generator repeat early, or there are too many units.
    #[error("no generator of the last partial quotient has powers up to a great index")]
    NoBase,
    /// The readable heaps do not repeat for three periods.
    #[error(
        "the greatest index of a generator is {index}, and the {read} heaps whose weights it tells do not repeat for three periods"
    )]
    NotSeen {
        /// The greatest index of the powers of a generator.
        index: u32,
        /// The number of heaps whose weights these powers determine.
        read: u32,
    },
    /// The law read from the last partial quotient is false, or not in form.
    #[error("the checker refuses the law that was read off the last partial quotient")]
    Refused,
}

/// Returns the reason why a solution of a game that grows has no law.
///
/// Returns `None` if it has one, or if the game does not grow.
///
/// Cost: the search for a law, and its check.
///
/// ```
/// use misere_game::control::Control;
/// use misere_engine::quotient::{Limits, Strategy, solve, why_no_law};
/// let control = &mut Control::unlimited();
/// let solution = solve(&"0.123".parse()?, &Limits::default(), Strategy::Exact, control);
/// assert_eq!(why_no_law(&solution, control)?, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Stop`] if `control` ends the check.
pub fn why_no_law(
    solution: &Solution,
    control: &mut Control,
) -> Result<Option<LawSearchError>, Stop> {
    if solution.growth.is_none() || solution.law().is_some() {
        return Ok(None);
    }
    match found(&solution.code, &solution.quotient, &solution.phi, control) {
        Ok(_) => Ok(None),
        Err(SearchError::For(reason)) => Ok(Some(reason)),
        Err(SearchError::Stopped(stop)) => Err(stop),
    }
}

/// The reason why there is no law, or why the search did not finish.
pub(super) enum SearchError {
    For(LawSearchError),
    Stopped(Stop),
}

/// Returns the proved law of a game that grows, if one is found.
///
/// It is read from the game's partial quotient and values.
pub(super) fn found(
    code: &Code,
    monoid: &BipartiteMonoid,
    values: &[Element],
    control: &mut Control,
) -> Result<ThresholdLaw, SearchError> {
    let frame = Frame::of(monoid).ok_or(SearchError::For(LawSearchError::NoBase))?;
    let seen: Vec<HeapRow> = values
        .iter()
        .skip(1)
        .map_while(|&value| frame.seen(value))
        .collect();
    let not_seen = || {
        SearchError::For(LawSearchError::NotSeen {
            index: (frame.of_base.len() + NEAR_THE_END) as u32,
            read: seen.len() as u32,
        })
    };
    let law = guess(&frame, &seen, code.length() + 2).ok_or_else(not_seen)?;
    match check_law(code, &law, control) {
        Ok(()) => Ok(law),
        Err(CheckError::Unchecked(stop)) => Err(SearchError::Stopped(stop)),
        Err(_) => Err(SearchError::For(LawSearchError::Refused)),
    }
}

/// Returns a law read from heaps 1, 2, … of a partial quotient of a game that grows.
///
/// `least_listed` is the least number of heaps that the law lists.
///
/// Cost: `O(order · generators)`, and the order times the units for each heap.
fn guess(frame: &Frame<'_>, seen: &[HeapRow], least_listed: usize) -> Option<ThresholdLaw> {
    let (period, slope) = (1..=seen.len() / PERIODS_SEEN)
        .find_map(|period| Some((period, slope(seen, period, frame.modulus)?)))?;
    let repeats_from = (0..seen.len() - period)
        .rev()
        .find(|&at| !seen[at].repeats_in(&seen[at + period], slope))
        .map_or(0, |at| at + 1)
        .max(least_listed.saturating_sub(period));
    if repeats_from + PERIODS_SEEN * period > seen.len() {
        return None;
    }
    let heaps = (0..repeats_from + period).map(|at| {
        // Later heaps of the class have longer rows.
        let step = if at < repeats_from {
            seen.len()
        } else {
            period
        };
        let class = seen.iter().skip(at).step_by(step);
        Some(HeapLaw {
            unit: seen[at].unit,
            weight: seen[at].weight as u32,
            threshold: seen[at].row.len() as u32,
            alone: alone(class, frame.modulus)?,
        })
    });
    let (first_totals, totals) = frame.totals()?;
    Some(ThresholdLaw {
        bits: frame.bits,
        modulus: frame.modulus as u32,
        first_totals,
        totals,
        heaps: heaps.collect::<Option<_>>()?,
        period: period as u32,
        slope: slope as u32,
    })
}

/// Returns the growth of weights in a period, as the last periods show it.
///
/// Returns `None` unless it is positive and a multiple of the modulus.
fn slope(seen: &[HeapRow], period: usize, modulus: usize) -> Option<usize> {
    let from = seen.len().checked_sub(PERIODS_SEEN * period)?;
    let slope = seen[from + period].weight.checked_sub(seen[from].weight)?;
    let goes_on =
        (from..seen.len() - period).all(|at| seen[at].repeats_in(&seen[at + period], slope));
    (slope > 0 && slope.is_multiple_of(modulus) && goes_on).then_some(slope)
}

/// Returns the sets of units by the residue of the distance to the threshold.
///
/// All rows must agree.
fn alone<'a>(rows: impl Iterator<Item = &'a HeapRow>, modulus: usize) -> Option<Vec<u32>> {
    let mut sets = vec![None; modulus];
    let mut is_ever_free = false;
    for seen in rows {
        let threshold = seen.row.len();
        is_ever_free |= threshold > 0;
        for (others, &units) in seen.row.iter().enumerate() {
            let set = &mut sets[(threshold - others) % modulus];
            if *set.get_or_insert(units) != units {
                return None;
            }
        }
    }
    let sets = sets.into_iter().map(Option::unwrap_or_default);
    Some(if is_ever_free {
        sets.collect()
    } else {
        Vec::new()
    })
}

/// The unit, the weight and the row of a heap.
///
/// The row has the sets of units that make a P-position with the heap and 0, 1, … copies of the
/// base, as long as these are fewer than its threshold.
struct HeapRow {
    unit: u32,
    weight: usize,
    row: Vec<u32>,
}

impl HeapRow {
    fn repeats_in(&self, later: &Self, slope: usize) -> bool {
        let threshold = match self.row.len() {
            0 => 0,
            threshold => threshold + slope,
        };
        self.unit == later.unit
            && self.weight + slope == later.weight
            && threshold == later.row.len()
    }
}

/// The units of a quotient and the powers of its base, the generator with the greatest index.
struct Frame<'a> {
    monoid: &'a BipartiteMonoid,
    bits: u32,
    /// Generators whose product is a unit, by unit.
    units: Vec<Vec<usize>>,
    base: usize,
    /// The period of the powers of the base.
    modulus: usize,
    /// Exponent and unit of the elements `u b^i` with `i` less than the index.
    powers: HashMap<Element, (usize, u32)>,
    /// The powers `b^i` with `i` less than the index.
    of_base: Vec<Element>,
}

impl<'a> Frame<'a> {
    fn of(monoid: &'a BipartiteMonoid) -> Option<Self> {
        let mut units: Vec<Vec<usize>> = vec![Vec::new()];
        let mut elements = vec![0];
        for generator in 0..monoid.generators() {
            let unit = monoid.act(0, generator);
            if monoid.act(unit, generator) != 0 || elements.contains(&unit) {
                continue;
            }
            let more: Vec<Vec<usize>> = units
                .iter()
                .map(|unit| [unit.as_slice(), &[generator]].concat())
                .collect();
            elements.extend_from_within(..);
            let half = elements.len() / 2;
            for element in &mut elements[half..] {
                *element = monoid.act(*element, generator);
            }
            units.extend(more);
        }
        let bits = units.len().ilog2();
        let (base, index, modulus) = (0..monoid.generators())
            .map(|generator| {
                let (index, period) = index_and_period(monoid, generator);
                (generator, index, period)
            })
            .max_by_key(|&(generator, index, _)| (index, std::cmp::Reverse(generator)))?;
        if bits > MAX_BITS || index <= NEAR_THE_END {
            return None;
        }
        let of_base: Vec<Element> =
            std::iter::successors(Some(0), |&power| Some(monoid.act(power, base)))
                .take(index - NEAR_THE_END)
                .collect();
        let mut frame = Self {
            monoid,
            bits,
            units,
            base,
            modulus,
            powers: HashMap::new(),
            of_base,
        };
        for exponent in 0..frame.of_base.len() {
            for unit in 0..frame.units.len() {
                let element = frame.times(frame.of_base[exponent], unit);
                frame
                    .powers
                    .entry(element)
                    .or_insert((exponent, unit as u32));
            }
        }
        Some(frame)
    }

    fn times(&self, element: Element, unit: usize) -> Element {
        let generators = &self.units[unit];
        generators.iter().fold(element, |element, &generator| {
            self.monoid.act(element, generator)
        })
    }

    /// Returns the units that make P-positions with an element.
    fn p_units(&self, element: Element) -> u32 {
        (0..self.units.len())
            .filter(|&unit| self.monoid.in_p(self.times(element, unit)))
            .fold(0, |set, unit| set | 1 << unit)
    }

    /// Returns the unit, the weight and the row of the heap with this value.
    ///
    /// Returns `None` if the heap is too near the end.
    fn seen(&self, value: Element) -> Option<HeapRow> {
        let mut row = Vec::new();
        let mut element = value;
        for copies in 0..self.of_base.len() {
            if let Some(&(exponent, unit)) = self.powers.get(&element)
                && let Some(weight) = exponent.checked_sub(copies)
            {
                return Some(HeapRow { unit, weight, row });
            }
            row.push(self.p_units(element));
            element = self.monoid.act(element, self.base);
        }
        None
    }

    /// Returns the sets of units for the powers of the base: first ones, and repeating ones.
    fn totals(&self) -> Option<(Vec<u32>, Vec<u32>)> {
        let sets: Vec<u32> = self
            .of_base
            .iter()
            .map(|&power| self.p_units(power))
            .collect();
        let last = sets.len().checked_sub(self.modulus)?;
        let first = (0..last)
            .rev()
            .find(|&at| sets[at] != sets[at + self.modulus])
            .map_or(0, |at| at + 1);
        let totals = sets.get(first..first + self.modulus)?.to_vec();
        Some((sets[..first].to_vec(), totals))
    }
}

/// Returns the index and the period of the powers of a generator.
fn index_and_period(monoid: &BipartiteMonoid, generator: usize) -> (usize, usize) {
    let mut seen = HashMap::new();
    let mut power = 0;
    loop {
        let exponent = seen.len();
        if let Some(&first) = seen.get(&power) {
            return (first, exponent - first);
        }
        seen.insert(power, exponent);
        power = monoid.act(power, generator);
    }
}
