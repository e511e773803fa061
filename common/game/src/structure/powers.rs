//! The index and the period of every element.
//!
//! The powers `x⁰ = 1, x, x², …` of an element of a finite monoid repeat. The *index* of `x` is the
//! least `k` and its *period* the least `p ≥ 1` with `x^(k+p) = x^k`. Units have index 0, other
//! elements of groups index 1. Example: in the quotient of 0.123 the element `b` with `b⁴ = b²` has
//! index 2 and period 2.

use crate::bipartite::multiplication::Multiplication;
use crate::bipartite::{BipartiteMonoid, Element};
use crate::control::{Control, Stop};

/// The index and the period of every element of a monoid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Powers {
    /// For every element the least `k` with `x^(k+p) = x^k` for some `p ≥ 1`.
    pub index: Vec<u32>,
    /// For every element the least such `p`.
    pub period: Vec<u32>,
}

impl Powers {
    /// Returns the powers of all elements. Cost: `O(n²)` for order `n`.
    ///
    /// ```
    /// use misere_game::bipartite::families::tame;
    /// use misere_game::control::Control;
    /// use misere_game::structure::powers::Powers;
    /// let t2 = tame(2);
    /// let powers = Powers::new(&t2, &mut Control::unlimited())?;
    /// // a² = 1, and b³ = b.
    /// let (a, b) = (t2.act(0, 0) as usize, t2.act(0, 1) as usize);
    /// assert_eq!((powers.index[a], powers.period[a]), (0, 2));
    /// assert_eq!((powers.index[b], powers.period[b]), (1, 2));
    /// # Ok::<(), misere_game::control::Stop>(())
    /// ```
    ///
    /// # Errors
    /// [`Stop`] if `control` ends it.
    pub fn new(monoid: &BipartiteMonoid, control: &mut Control) -> Result<Self, Stop> {
        let order = monoid.order();
        let multiplication = Multiplication::new(monoid);
        let (mut index, mut period) = (Vec::with_capacity(order), Vec::with_capacity(order));
        // The last element that reached a power, with the exponent.
        let mut seen: Vec<(Element, u32)> = vec![(Element::MAX, 0); order];
        for x in 0..order as Element {
            control.spend(order as u64)?;
            let row = multiplication.row(x);
            let (mut power, mut exponent) = (0, 0);
            while seen[power as usize].0 != x {
                seen[power as usize] = (x, exponent);
                power = row[power as usize];
                exponent += 1;
            }
            let start = seen[power as usize].1;
            index.push(start);
            period.push(exponent - start);
        }
        Ok(Self { index, period })
    }

    /// Returns the least `k` with `x^(k+p) = x^k` for all elements and some `p`.
    #[must_use]
    pub fn greatest_index(&self) -> u32 {
        self.index.iter().copied().max().unwrap_or(0)
    }

    /// Returns the least `p` with `x^(k+p) = x^k` for all elements and all large `k`.
    ///
    /// The result is `None` if it has more than 64 bits.
    ///
    /// ```
    /// use misere_game::bipartite::BipartiteMonoid;
    /// use misere_game::control::Control;
    /// use misere_game::structure::powers::Powers;
    /// let z6 = BipartiteMonoid::new(6, vec![vec![1, 2, 3, 4, 5, 0]], [1])?;
    /// let powers = Powers::new(&z6, &mut Control::unlimited())?;
    /// assert_eq!((powers.greatest_index(), powers.common_period()), (0, Some(6)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn common_period(&self) -> Option<u64> {
        self.period.iter().try_fold(1_u64, |common, &period| {
            let period = u64::from(period);
            (common / greatest_common_divisor(common, period)).checked_mul(period)
        })
    }
}

fn greatest_common_divisor(mut x: u64, mut y: u64) -> u64 {
    while y != 0 {
        (x, y) = (y, x % y);
    }
    x
}
