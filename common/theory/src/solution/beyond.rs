//! What is claimed of a game beyond the heaps listed, where its values do not simply repeat?
//!
//! Two further claims that a [`Solution`](super::Solution) can carry, each with the verdict of the same name:
//!
//! - [`Tail`] (tame relative to a heap): from some heap on misère play is normal play on the kernel. Proved.
//! - [`Growth`] (grows): the partial quotients get larger for ever, in a pattern. A conjecture: what is proved is that the
//!   pattern holds on the heaps listed.

use serde::{Deserialize, Serialize};

/// How the normal play of a game that is tame relative to a heap goes on.
///
/// By Siegel (*Structure and classification of misère quotients*, Theorem 3.9) `Φ(h_n)` is then, for every `n` from that
/// heap on, the element of the kernel that stands for the nim-value of `h_n`, and the quotient of the whole game is the
/// `k`-th tame extension of the quotient listed, `k ≤ ∞`. So the nim-values decide everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tail {
    /// Nim-values were computed for the heaps `0..=nim_heaps`.
    pub nim_heaps: u32,
    /// The period of the nim-values, if one is proved by those heaps (Guy–Smith theorem).
    pub nim_period: Option<NimPeriod>,
    /// How many tame extensions lead to the quotient of the whole game.
    pub stages: Stages,
}

/// `G(h_{n + period}) = G(h_n)` for all `n ≥ preperiod`, both the least.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NimPeriod {
    /// The least period.
    pub period: u32,
    /// The least heap from which on it holds, heaps counted from 0.
    pub preperiod: u32,
}

/// The number `k` of tame extensions between a quotient and that of the whole game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stages {
    /// Exactly so many: the nim-values are known for all heaps.
    Known(u32),
    /// Open. The nim-values computed ask for so many.
    AtLeast(u32),
}

/// A pattern in partial quotients that keep growing: a conjecture that holds on all heaps listed from `start` on.
///
/// Residues are taken from `start`: heap `n` belongs to residue `i` and time `t` if `n = start + i + period · t` with
/// `0 ≤ i < period`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Growth {
    /// The heap from which on the pattern is claimed.
    pub start: u32,
    /// Its period.
    pub period: u32,
    /// For each residue the order of the partial quotient as a polynomial in `t`.
    pub orders: Vec<Polynomial>,
    /// For each residue the number of P-elements as a polynomial in `t`.
    pub p_sizes: Vec<Polynomial>,
    /// For each residue the value of the heap in terms of smaller heaps, to heap `words_to`.
    pub words: Vec<GrowingWord>,
    /// The greatest heap whose value obeys [`words`](Self::words). The partial quotients obey theirs to the last heap.
    pub words_to: u32,
}

/// A polynomial of degree at most 3 that takes integers to integers: `Σ c_j · t(t−1)…(t−j+1)/j!` with these `c_j`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Polynomial(pub Vec<i64>);

impl Polynomial {
    /// The value at `t`, or `None` beyond the range of `i64`.
    #[must_use]
    pub fn at(&self, t: u32) -> Option<i64> {
        let mut binomial = 1_i64;
        let mut sum = 0_i64;
        for (j, &c) in (0_i64..).zip(&self.0) {
            sum = sum.checked_add(c.checked_mul(binomial)?)?;
            binomial = binomial.checked_mul(i64::from(t) - j)? / (j + 1);
        }
        Some(sum)
    }

    /// The degree; 0 for a constant.
    #[must_use]
    pub fn degree(&self) -> usize {
        self.0.iter().rposition(|&c| c != 0).unwrap_or(0)
    }
}

/// A value of `Φ` as a sum of heaps, some of which move along with the heap itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GrowingWord {
    /// Heaps with their counts, the same for all heaps of the residue.
    pub fixed: Vec<(u32, u32)>,
    /// `(back, count)`: so many copies of the heap that is smaller by `back`. `back = 0` is the heap itself: its value
    /// is a new generator.
    pub moving: Vec<(u32, u32)>,
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
        assert_eq!(Polynomial(vec![i64::MAX, 1]).at(1), None);
        assert_eq!(Polynomial(vec![0; 9]).at(u32::MAX), None);
    }
}
