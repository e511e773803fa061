//! Claims about the heaps beyond those listed, if the values do not simply repeat.
//!
//! A [`Solution`](super::Solution) can carry two further claims, each with the verdict of the same
//! name:
//!
//! - [`Tail`] (tame relative to a heap): from some heap on misère play is normal play on the
//!   kernel. This is proved.
//! - [`Growth`] (grows): the partial quotients get larger for ever, in a pattern. This is a
//!   conjecture: it is proved that the pattern holds on the heaps listed.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::lists::{at_most, snug};
use crate::monoid::word::generator_name;
use crate::solution::automaton::PositionAutomaton;
use crate::solution::law::ThresholdLaw;

/// The continuation of the normal play of a game that is tame relative to a heap.
///
/// By Siegel (*Structure and classification of misère quotients*, Theorem 3.9) `Φ(h_n)` is then,
/// for every `n` from that heap on, the element of the kernel that represents the nim-value of
/// `h_n`, and the quotient of the whole game is the `k`-th tame extension of the quotient listed,
/// `k ≤ ∞`. So the nim-values decide everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tail {
    /// The last heap whose nim-value was computed: the heaps are `0..=nim_heaps`.
    pub nim_heaps: u32,
    /// The period of the nim-values, if one is proved by those heaps (Guy–Smith theorem).
    pub nim_period: Option<NimPeriod>,
    /// The number of tame extensions that lead to the quotient of the whole game.
    pub stages: Stages,
}

/// A period of nim-values: `G(h_{n + period}) = G(h_n)` for all `n ≥ preperiod`, both the least.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NimPeriod {
    /// The least period.
    pub period: u32,
    /// The least heap from which on the period holds, heaps counted from 0.
    pub preperiod: u32,
}

/// The number `k` of tame extensions between a quotient and the quotient of the whole game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stages {
    /// The exact number: the nim-values are known for all heaps.
    Known(u32),
    /// The number that the computed nim-values require; the exact number is open.
    AtLeast(u32),
}

/// A pattern in partial quotients that keep growing.
///
/// It is a conjecture that holds on all heaps listed from `start` on.
///
/// Residues are taken from `start`: heap `n` belongs to residue `i` and time `t` if
/// `n = start + i + period · t` with `0 ≤ i < period`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Growth {
    /// The heap from which on the pattern is claimed.
    pub start: u32,
    /// The period of the pattern.
    pub period: u32,
    /// For each residue the order of the partial quotient as a polynomial in `t`.
    #[serde(deserialize_with = "at_most::<MAX_PERIOD, _, _>")]
    pub orders: Vec<Polynomial>,
    /// For each residue the number of P-elements as a polynomial in `t`.
    #[serde(deserialize_with = "at_most::<MAX_PERIOD, _, _>")]
    pub p_sizes: Vec<Polynomial>,
    /// For each residue the value of the heap in terms of smaller heaps, to heap `words_to`.
    #[serde(deserialize_with = "at_most::<MAX_PERIOD, _, _>")]
    pub words: Vec<GrowingWord>,
    /// The greatest heap whose value obeys [`words`](Self::words).
    ///
    /// The partial quotients obey their polynomials to the last heap.
    pub words_to: u32,
    /// The rule that decides every position of all heaps, if one is known; it is proved.
    ///
    /// Both forms of a solution write it beside the pattern and not as a part of it.
    #[serde(skip)]
    pub solved_by: Option<SolvedBy>,
}

/// A rule that decides every position of all heaps of a game that grows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SolvedBy {
    /// A law of units, weights and thresholds.
    Law(ThresholdLaw),
    /// An automaton that reads the heaps in the order of their sizes.
    Automaton(PositionAutomaton),
}

impl SolvedBy {
    /// Returns the kind of rule, with its article.
    #[must_use]
    pub fn words(&self) -> &'static str {
        match self {
            Self::Law(_) => "a law",
            Self::Automaton(_) => "an automaton",
        }
    }
}

/// The greatest period of a pattern that is read; a pattern is seen on four times as many heaps.
const MAX_PERIOD: usize = 1 << 16;
/// The most coefficients of a polynomial that are read; a pattern has at most four.
const MAX_COEFFICIENTS: usize = 16;
/// The number of values for each residue and each coefficient of its polynomials.
///
/// The pattern is found from the first values and tested on the others, which are three times as
/// many.
const VALUES_PER_COEFFICIENT: u32 = 4;
/// The number of values for each coefficient at which a computation is ended for a pattern.
const VALUES_TO_END_FOR: u32 = 6;
/// The least heap at which a computation is ended for a pattern.
const MIN_HEAP_TO_END_FOR: u32 = 100;
/// The least number of requested heaps at which a pattern may end a computation.
///
/// If fewer heaps are requested, all of them are computed.
const MIN_HEAPS_TO_END_FOR: u32 = 1_000;
/// The number of fourths of the heaps on which at least the words obey the pattern.
const FOURTHS_OF_WORDS: u64 = 3;

impl Growth {
    /// Reports whether the pattern, if it holds to heap `heaps`, has been tested enough.
    ///
    /// It makes the quotients grow; for every residue there are four times as many values as
    /// coefficients; and the words obey it on three fourths of the heaps from `start` on.
    #[must_use]
    pub fn is_convincing(&self, heaps: u32) -> bool {
        let Some(length) = heaps.saturating_add(1).checked_sub(self.start) else {
            return false;
        };
        let words = u64::from(self.words_to.saturating_add(1).saturating_sub(self.start));
        self.grows()
            && self.values_per_coefficient(length) >= VALUES_PER_COEFFICIENT
            && 4 * words >= FOURTHS_OF_WORDS * u64::from(length)
    }

    /// Reports whether the pattern has been tested enough to end a computation early.
    ///
    /// It is tested at least to heap 100, with six times as many values as coefficients. A
    /// computation of fewer than 1,000 requested heaps is not ended early.
    #[must_use]
    pub fn is_worth_ending_for(&self, heaps: u32, max_heap: u32) -> bool {
        max_heap >= MIN_HEAPS_TO_END_FOR
            && heaps >= MIN_HEAP_TO_END_FOR
            && self.is_convincing(heaps)
            && self.values_per_coefficient(heaps.saturating_add(1).saturating_sub(self.start))
                >= VALUES_TO_END_FOR
    }

    /// Returns the greatest degree of the polynomials of orders and numbers of P-elements.
    #[must_use]
    pub fn degree(&self) -> usize {
        let degrees = self.orders.iter().chain(&self.p_sizes);
        degrees.map(Polynomial::degree).max().unwrap_or(0)
    }

    fn grows(&self) -> bool {
        self.orders
            .iter()
            .all(|order| order.degree() > 0 && order.0.last().is_some_and(|&c| c > 0))
    }

    fn values_per_coefficient(&self, length: u32) -> u32 {
        length / self.period.max(1) / (self.degree() as u32 + 1)
    }

    /// Returns the residue and the time of a heap from `start` on; `None` for a smaller heap.
    ///
    /// ```
    /// use misere_game::solution::Growth;
    /// let growth = Growth {
    ///     start: 10,
    ///     period: 4,
    ///     orders: Vec::new(),
    ///     p_sizes: Vec::new(),
    ///     words: Vec::new(),
    ///     words_to: 0,
    ///     solved_by: None,
    /// };
    /// assert_eq!(growth.place(17), Some((3, 1))); // 17 = 10 + 3 + 4·1
    /// assert_eq!(growth.place(9), None);
    /// ```
    #[must_use]
    pub fn place(&self, heap: u32) -> Option<(usize, u32)> {
        let since = heap.checked_sub(self.start)?;
        let residue = since.checked_rem(self.period)?;
        Some((residue as usize, since / self.period))
    }
}

impl GrowingWord {
    /// Returns the word as text, given the heap of each generator: `a^2 b^(1+2t) Φ(n-4)`.
    ///
    /// ```
    /// use misere_game::solution::GrowingWord;
    /// let word = GrowingWord { fixed: vec![(1, 1, 0), (2, 1, 2)], moving: vec![(4, 1)] };
    /// assert_eq!(word.written(&[1, 2]), "a b^(1+2t) Φ(n-4)");
    /// ```
    #[must_use]
    pub fn written(&self, generator_heaps: &[u32]) -> String {
        let power = |letter: String, count: u32| match count {
            1 => letter,
            _ => format!("{letter}^{count}"),
        };
        let mut letters = Vec::new();
        for &(heap, count, more) in &self.fixed {
            let generator = generator_heaps.binary_search(&heap);
            let name = generator.map_or_else(|_| format!("h_{heap}"), generator_name);
            letters.push(match more {
                0 => power(name, count),
                more => format!("{name}^({count}+{more}t)"),
            });
        }
        for &(back, count) in &self.moving {
            letters.push(match back {
                0 => "a new generator".to_owned(),
                ..0 => power(format!("Φ(n+{})", back.unsigned_abs()), count),
                _ => power(format!("Φ(n-{back})"), count),
            });
        }
        match letters.is_empty() {
            true => "1".to_owned(),
            false => letters.join(" "),
        }
    }

    /// Returns the rule for two heaps of a residue, one period apart, the first of them at time 0.
    ///
    /// The heaps in both words are fixed, and the others move.
    pub fn of_neighbours(heap: u32, word: &[(u32, u32)], next: &[(u32, u32)]) -> Self {
        let mut rule = Self {
            fixed: Vec::new(),
            moving: Vec::new(),
        };
        for &(part, count) in word {
            let later = next.iter().find(|&&(other, _)| other == part);
            match later.and_then(|&(_, later)| later.checked_sub(count)) {
                Some(more) => rule.fixed.push((part, count, more)),
                None => rule.moving.push((heap as i32 - part as i32, count)),
            }
        }
        rule
    }

    /// Returns this rule with times counted from `periods` periods earlier.
    ///
    /// Returns `None` if a count would be negative there.
    pub fn counted_from_earlier(&self, periods: u32) -> Option<Self> {
        let earlier = |&(part, count, more): &(u32, u32, u32)| {
            Some((part, count.checked_sub(more.checked_mul(periods)?)?, more))
        };
        Some(Self {
            fixed: self.fixed.iter().map(earlier).collect::<Option<_>>()?,
            moving: self.moving.clone(),
        })
    }

    /// Returns the word of a heap at a time: heaps with their counts, in ascending order.
    ///
    /// Returns `None` if the word would have negative heaps or counts.
    ///
    /// Cost: the length of the word.
    ///
    /// ```
    /// use misere_game::solution::GrowingWord;
    /// // Two copies of heap 1 and one more at each time, and the heap four beans smaller.
    /// let word = GrowingWord { fixed: vec![(1, 2, 1)], moving: vec![(4, 1)] };
    /// assert_eq!(word.at(20, 3), Some(vec![(1, 5), (16, 1)]));
    /// assert_eq!(word.at(3, 0), None);
    /// ```
    #[must_use]
    pub fn at(&self, heap: u32, time: i64) -> Option<Vec<(u32, u32)>> {
        let moved = |&(back, count): &(i32, u32)| {
            Some((heap.checked_add_signed(back.checked_neg()?)?, count))
        };
        let mut word: Vec<(u32, u32)> = self.moving.iter().map(moved).collect::<Option<_>>()?;
        for &(part, count, more) in &self.fixed {
            let count = i64::from(count).checked_add(i64::from(more).checked_mul(time)?)?;
            word.push((part, u32::try_from(count).ok()?));
        }
        word.retain(|&(_, count)| count > 0);
        word.sort_unstable();
        Some(word)
    }
}

/// A polynomial of degree at most 3 that maps integers to integers.
///
/// It is `Σ c_j · t(t−1)…(t−j+1)/j!` with these `c_j`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Polynomial(
    #[serde(deserialize_with = "at_most::<MAX_COEFFICIENTS, _, _>")] pub Vec<i64>,
);

impl Polynomial {
    /// Returns the polynomial of least degree, at most 3, through values at `t = 0, 1, 2, …`.
    ///
    /// It takes the first four values, or all if there are fewer; `None` if there are none.
    pub fn through<'a>(values: impl Iterator<Item = &'a i64>) -> Option<Self> {
        let mut differences: Vec<i64> = values.take(4).copied().collect();
        let mut coefficients = Vec::new();
        while let Some(&first) = differences.first() {
            coefficients.push(first);
            differences = differences.windows(2).map(|two| two[1] - two[0]).collect();
        }
        while coefficients.len() > 1 && coefficients.last() == Some(&0) {
            coefficients.pop();
        }
        (!coefficients.is_empty()).then_some(Self(coefficients))
    }

    /// Returns the value at `t`; `None` beyond the range of `i64`.
    ///
    /// ```
    /// use misere_game::solution::Polynomial;
    /// // 4 + 3t + 2·t(t−1)/2
    /// let polynomial = Polynomial(vec![4, 3, 2]);
    /// assert_eq!([0, 1, 2, 3].map(|t| polynomial.at(t)), [4, 7, 12, 19].map(Some));
    /// ```
    #[must_use]
    pub fn at(&self, t: i64) -> Option<i64> {
        let mut binomial = 1_i64;
        let mut sum = 0_i64;
        for (j, &c) in (0_i64..).zip(&self.0) {
            sum = sum.checked_add(c.checked_mul(binomial)?)?;
            binomial = binomial.checked_mul(t.checked_sub(j)?)? / (j + 1);
        }
        Some(sum)
    }

    /// Returns the degree; 0 for a constant.
    ///
    /// ```
    /// use misere_game::solution::Polynomial;
    /// assert_eq!(Polynomial(vec![4, 3, 0]).degree(), 1);
    /// ```
    #[must_use]
    pub fn degree(&self) -> usize {
        self.0.iter().rposition(|&c| c != 0).unwrap_or(0)
    }
}

/// The form `4 + 3t + 2C(t,2)`, in binomial coefficients as in the document.
impl fmt::Display for Polynomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const POWERS: [&str; 4] = ["", "t", "C(t,2)", "C(t,3)"];
        let mut is_first = true;
        for (&c, power) in self.0.iter().zip(POWERS) {
            if c == 0 && !(power.is_empty() && self.0.len() == 1) {
                continue;
            }
            match (is_first, c < 0) {
                (true, true) => f.write_str("-")?,
                (true, false) => {}
                (false, true) => f.write_str(" - ")?,
                (false, false) => f.write_str(" + ")?,
            }
            is_first = false;
            match (c.unsigned_abs(), power) {
                (size, "") => write!(f, "{size}")?,
                (1, power) => f.write_str(power)?,
                (size, power) => write!(f, "{size}{power}")?,
            }
        }
        Ok(())
    }
}

/// A value of `Φ` as a sum of heaps, where some of them move along with the heap itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GrowingWord {
    /// The heaps that are the same for all heaps of the residue, as `(heap, count, more)`.
    ///
    /// There are `count + more · t` copies of each.
    #[serde(deserialize_with = "snug")]
    pub fixed: Vec<(u32, u32, u32)>,
    /// The heaps that move along, as `(back, count)`.
    ///
    /// There are `count` copies of the heap that is smaller by `back`. `back = 0` is the heap
    /// itself: its value is a new generator.
    #[serde(deserialize_with = "snug")]
    pub moving: Vec<(i32, u32)>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polynomials_take_their_values() {
        // 1 + t + 3 t(t−1)/2 + t(t−1)(t−2)/6
        let polynomial = Polynomial(vec![1, 1, 3, 1]);
        let values: Vec<_> = (0..5).map(|t| polynomial.at(t).unwrap()).collect();
        assert_eq!(values, [1, 2, 6, 14, 27]);
        assert_eq!(
            (polynomial.degree(), Polynomial(vec![4, 0]).degree()),
            (3, 0)
        );
        assert_eq!(Polynomial::through(values.iter()), Some(polynomial));
        // 3 + 2t, backwards too: (−1 choose 1) = −1.
        assert_eq!(Polynomial(vec![3, 2]).at(-1), Some(1));
        assert_eq!(
            Polynomial::through([5, 5, 5, 5].iter()),
            Some(Polynomial(vec![5]))
        );
        assert_eq!(Polynomial(vec![i64::MAX, 1]).at(1), None);
        assert_eq!(Polynomial(vec![0; 9]).at(i64::MAX), None);
    }
}
