//! Common properties of the quotients that were found, counted by order.
//!
//! The basic structural properties of each quotient, and their counts over a list, so that a
//! conjecture can be tested by reading a table.

use std::collections::{BTreeMap, VecDeque};

use serde::Serialize;

use misere_game::bipartite::idempotents::Idempotents;
use misere_game::bipartite::multiplication::Multiplication;
use misere_game::bipartite::{BipartiteMonoid, Element};
use misere_game::control::Control;
use misere_game::solution::Construction;
use misere_game::structure::kernel::Kernel;
use misere_game::structure::powers::Powers;

/// The properties of one quotient that are counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Facts {
    /// The order of the quotient.
    pub order: usize,
    /// The number of elements of the P-portion.
    pub p_size: usize,
    /// The number of idempotents, the identity among them.
    pub idempotents: usize,
    /// The number of invertible elements.
    pub units: usize,
    /// The number of elements of the kernel, the smallest ideal, which is a group.
    pub kernel: usize,
    /// Whether the kernel has exactly one element in P.
    ///
    /// This is Siegel, *Structure and classification*, Definition 3.1.
    pub regular: bool,
    /// Whether the only element of P in the kernel is the identity of the kernel (same definition).
    pub normal: bool,
    /// The least `p ≥ 1` with `x^(k+p) = x^k` for all `x` and all large `k`.
    pub period: u32,
    /// The least `k` with `x^(k+p) = x^k` for all `x`.
    pub index: u32,
    /// Whether games of equal value in the construction have equal nim-values (Definition 3.2).
    pub faithful: bool,
    /// The name of the quotient: `T_n`, `R_n` and some others.
    pub name: Option<String>,
}

/// Returns the facts of one quotient with its games.
///
/// Cost: `O(n²)` for order `n`.
///
/// ```
/// use misere_game::bipartite::families::tame;
/// use misere_algebra::classify::facts::facts;
/// use misere_game::monoid::word::Word;
/// use misere_game::solution::Construction;
/// // T_2 is the quotient of * = {0} and *2 = {0, *}.
/// let (zero, star) = (Word(vec![0, 0]), Word(vec![1, 0]));
/// let t2 = Construction::new(tame(2), vec![vec![zero.clone()], vec![zero, star]]);
/// let facts = facts(&t2);
/// assert_eq!((facts.order, facts.p_size, facts.idempotents), (6, 2, 2));
/// assert_eq!((facts.units, facts.kernel), (2, 4));
/// assert!(facts.normal && facts.faithful);
/// assert_eq!(facts.name.as_deref(), Some("T_2"));
/// ```
#[must_use]
pub fn facts(construction: &Construction) -> Facts {
    let quotient = &construction.quotient;
    let order = quotient.order();
    let multiplication = Multiplication::new(quotient);
    let idempotents = Idempotents::new(quotient);
    let kernel = Kernel::new(quotient, &idempotents);
    let units = (0..order as Element)
        .filter(|&x| multiplication.row(x).contains(&0))
        .count();
    let powers = Control::without_limit(|control| Powers::new(quotient, control));
    Facts {
        order,
        p_size: quotient.p_size(),
        idempotents: idempotents.elements.len(),
        units,
        kernel: kernel.elements.len(),
        regular: kernel.is_regular(),
        normal: kernel.is_normal(),
        // The periods of elements divide the order, which is small.
        period: powers
            .common_period()
            .map_or(u32::MAX, |period| period as u32),
        index: powers.greatest_index(),
        faithful: is_faithful(construction),
        name: quotient.known_name(),
    }
}

/// Reports whether the nim-values of the games extend to a homomorphism.
///
/// Then nim-values are a function of the elements.
fn is_faithful(construction: &Construction) -> bool {
    let mut values: Vec<u32> = Vec::with_capacity(construction.options.len());
    for options in &construction.options {
        let of_options: Vec<u32> = options
            .iter()
            .map(|word| {
                let odd = values
                    .iter()
                    .zip(&word.0)
                    .filter(|(_, copies)| *copies % 2 == 1);
                odd.fold(0, |sum, (value, _)| sum ^ value)
            })
            .collect();
        let mex = (0..).find(|value| !of_options.contains(value));
        values.push(mex.unwrap_or(0));
    }
    extends(&construction.quotient, &values)
}

/// Reports whether the generators' nim-values give every element one nim-value.
fn extends(quotient: &BipartiteMonoid, values: &[u32]) -> bool {
    let mut value = vec![None; quotient.order()];
    value[0] = Some(0);
    let mut queue = VecDeque::from([0]);
    while let Some(x) = queue.pop_front() {
        let of_x = value[x as usize].unwrap_or(0);
        for (g, of_g) in values.iter().enumerate() {
            let (y, of_y) = (quotient.act(x, g), of_x ^ of_g);
            match value[y as usize] {
                None => {
                    value[y as usize] = Some(of_y);
                    queue.push_back(y);
                }
                Some(known) if known != of_y => return false,
                Some(_) => {}
            }
        }
    }
    true
}

/// The number of quotients with each value of a property, by order.
pub type Distribution = BTreeMap<usize, BTreeMap<u32, usize>>;

/// The facts of a list, counted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// The number of quotients of each order.
    pub counts: BTreeMap<usize, usize>,
    /// The number of quotients by order and size of the P-portion.
    pub p_size: Distribution,
    /// The number of quotients by order and number of idempotents.
    pub idempotents: Distribution,
    /// The number of quotients by order and number of units.
    pub units: Distribution,
    /// The number of quotients by order and order of the kernel.
    pub kernel: Distribution,
    /// The number of quotients by order and period.
    pub period: Distribution,
    /// The number of quotients by order and index.
    pub index: Distribution,
    /// The number of quotients that are not regular, by order.
    pub not_regular: BTreeMap<usize, usize>,
    /// The number of regular quotients that are not normal, by order.
    pub regular_not_normal: BTreeMap<usize, usize>,
    /// The number of quotients whose games are not faithful, by order.
    pub not_faithful: BTreeMap<usize, usize>,
    /// The names that occur, by order.
    pub names: BTreeMap<usize, Vec<String>>,
    /// The number of quotients with two elements in P that are neither `T_n` nor `R_n`, by order.
    ///
    /// There are none by Siegel's Theorem 3.8.
    pub two_in_p_neither_tame_nor_restive: BTreeMap<usize, usize>,
}

impl Summary {
    /// Counts the facts of one more quotient.
    ///
    /// ```
    /// use misere_game::bipartite::families::tame;
    /// use misere_algebra::classify::facts::{Summary, facts};
    /// use misere_game::monoid::word::Word;
    /// use misere_game::solution::Construction;
    /// let t1 = Construction::new(tame(1), vec![vec![Word(vec![0])]]);
    /// let mut summary = Summary::default();
    /// summary.add(&facts(&t1));
    /// assert_eq!(summary.counts[&2], 1);
    /// assert_eq!(summary.names[&2], ["T_1"]);
    /// ```
    pub fn add(&mut self, facts: &Facts) {
        let order = facts.order;
        *self.counts.entry(order).or_default() += 1;
        for (distribution, value) in [
            (&mut self.p_size, facts.p_size as u32),
            (&mut self.idempotents, facts.idempotents as u32),
            (&mut self.units, facts.units as u32),
            (&mut self.kernel, facts.kernel as u32),
            (&mut self.period, facts.period),
            (&mut self.index, facts.index),
        ] {
            *distribution
                .entry(order)
                .or_default()
                .entry(value)
                .or_default() += 1;
        }
        let name = facts.name.as_deref().unwrap_or_default();
        let is_known = name.starts_with("T_") || is_restive(name, order);
        for (counter, holds) in [
            (&mut self.not_regular, !facts.regular),
            (&mut self.regular_not_normal, facts.regular && !facts.normal),
            (&mut self.not_faithful, !facts.faithful),
            (
                &mut self.two_in_p_neither_tame_nor_restive,
                facts.p_size == 2 && !is_known,
            ),
        ] {
            if holds {
                *counter.entry(order).or_default() += 1;
            }
        }
        if let Some(name) = &facts.name {
            self.names.entry(order).or_default().push(name.clone());
        }
    }
}

/// Reports whether a name belongs to the family `R_{2^n+4}`; `R_14` is a quotient of another kind.
fn is_restive(name: &str, order: usize) -> bool {
    name.starts_with("R_") && order > 4 && (order - 4).is_power_of_two()
}
