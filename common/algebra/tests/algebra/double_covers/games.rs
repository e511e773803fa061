//! The decision whether games have a bipartite monoid for their misère quotient.
//!
//! By Siegel's Theorem 8.4, in its own words: all sequences `x_1, …, x_k` that generate the monoid,
//! where `x_i` is not a product of the elements before it; the options of a game with the value
//! `x_i` are all products `y` of the elements before it such that no `z` has `x_i z` and `yz` in P.
//! The pairs of a value and a set of values of options that these games generate are written down
//! one by one, as sets. A pair that breaks parity ends a sequence, since the pairs of a beginning
//! are pairs of the whole.

use std::collections::{BTreeSet, HashSet};

use super::bipartite::{Bipartite, MAX_COVERED, Rows, Set, elements};

/// A pair of a value and the values of options.
type Pair = (usize, Set);

/// The search for a sequence of one bipartite monoid.
struct Search<'a> {
    quotient: &'a Bipartite,
    /// For each x the elements y such that no z has xz and yz in P.
    meximal: Rows,
    /// Sets of games that were tried.
    tried: HashSet<BTreeSet<Pair>>,
}

/// Returns values of games with this misère quotient, if there are such games.
///
/// The first value is `a`. `wins` has for each element `x` the elements `z` with `xz ∈ P`.
pub(crate) fn sequence(quotient: &Bipartite, wins: &Rows) -> Option<Vec<usize>> {
    let mut meximal = [0; MAX_COVERED];
    for x in 0..quotient.order {
        let apart = (0..quotient.order).filter(|&y| wins[x] & wins[y] == 0);
        meximal[x] = apart.fold(0, |set, y| set | 1 << y);
    }
    let mut search = Search {
        quotient,
        meximal,
        tried: HashSet::new(),
    };
    if !search.has_sums_of_two(wins) || !search.is_founded() {
        return None;
    }
    let mut chosen = Vec::new();
    let algebra = HashSet::from([(0, 0)]);
    search
        .choose(1, 1, &mut chosen, &algebra)
        .then(|| chosen.into_iter().map(|(x, _)| x).collect())
}

impl Search<'_> {
    fn keeps_parity(&self, (x, options): Pair) -> bool {
        let is_p = options != 0 && options & self.quotient.p == 0;
        (x, options) == (0, 0) || self.quotient.in_p(x) == is_p
    }

    /// Reports whether the sum of two games of any values other than 1 can keep parity.
    ///
    /// The options of a game with the value x have values y such that no z has xz and yz in P.
    fn has_sums_of_two(&self, wins: &Rows) -> bool {
        (1..self.quotient.order).all(|x| {
            (1..=x).all(|y| {
                let winning = wins[y] & self.meximal[x] | wins[x] & self.meximal[y];
                winning != 0 || wins[x] >> y & 1 != 0
            })
        })
    }

    /// Reports whether each element is the value of some game if only its own parity counts.
    ///
    /// A game of least birthday with the value x has options with values that have games of less
    /// birthday.
    fn is_founded(&self) -> bool {
        let all = (1 << self.quotient.order) - 1;
        let mut reached: Set = 1;
        loop {
            let next = elements(all & !reached)
                .filter(|&x| self.keeps_parity((x, self.meximal[x] & reached)))
                .fold(reached, |set, x| set | 1 << x);
            if next == reached {
                return reached == all;
            }
            reached = next;
        }
    }

    /// Reports whether `x`, and others after it, can follow the chosen games.
    fn choose(
        &mut self,
        x: usize,
        generated: Set,
        chosen: &mut Vec<Pair>,
        algebra: &HashSet<Pair>,
    ) -> bool {
        let pair = (x, self.meximal[x] & generated);
        if !self.keeps_parity(pair) {
            return false;
        }
        chosen.push(pair);
        if self.tried.insert(chosen.iter().copied().collect())
            && let Some(algebra) = self.joined(algebra, pair)
        {
            let generated = self.generated(generated, x);
            let left = ((1 << self.quotient.order) - 1) & !generated;
            if left == 0 || elements(left).any(|y| self.choose(y, generated, chosen, &algebra)) {
                return true;
            }
        }
        chosen.pop();
        false
    }

    /// Returns the products of a submonoid with the powers of an element.
    fn generated(&self, submonoid: Set, x: usize) -> Set {
        let mut all = submonoid;
        loop {
            let more = all | self.times(x, all);
            if more == all {
                return all;
            }
            all = more;
        }
    }

    fn times(&self, x: usize, set: Set) -> Set {
        elements(set).fold(0, |image, y| image | 1 << self.quotient.product(x, y))
    }

    /// Returns the algebra that a pair generates with another algebra; none if parity is broken in
    /// it.
    fn joined(&self, algebra: &HashSet<Pair>, (x, of_x): Pair) -> Option<HashSet<Pair>> {
        let mut all = algebra.clone();
        let mut last: Vec<Pair> = algebra.iter().copied().collect();
        while let Some((y, of_y)) = last.pop() {
            let pair = (
                self.quotient.product(x, y),
                self.times(y, of_x) | self.times(x, of_y),
            );
            if !self.keeps_parity(pair) {
                return None;
            }
            if all.insert(pair) {
                last.push(pair);
            }
        }
        Some(all)
    }
}
