//! Is this bipartite monoid one of the known ones?
//!
//! Siegel (*The structure and classification of misère quotients*, section 1) describes two families:
//!
//! - The **tame** quotients: `T_0` is trivial, `T_1 = ⟨a | a² = 1⟩` with `P = {a}`, and for `n ≥ 2`
//!   `T_n = ⟨a, b_1, …, b_{n−1} | a² = 1, b_i³ = b_i, b_i² = b_j²⟩` with `P = {a, b_1²}`. It consists of the units `{1, a}` and the kernel
//!   `K ≅ (ℤ/2)^n` with identity `z = b_1²`, in which `za ≠ z`. Order `2^n + 2`.
//! - The **restive** quotients `R_{2^n+4}`, `n ≥ 2`: `T_n` with two further elements `t, at`, where `tz = t² = z`. Order `2^n + 4`.
//!
//! Finite misère quotients with two elements in P are exactly these (loc. cit.). Some others have names in Plambeck and
//! Siegel's *Misère quotients for impartial games: supplementary material*, Figure 10.

use std::sync::OnceLock;

use super::multiplication::Multiplication;
use super::{BipartiteMonoid, ClassKey, Element, ElementSet};

/// The tame quotient `T_n`.
///
/// # Panics
/// If `n > 28`: its elements would not be counted by 32 bits with room to spare.
///
/// ```
/// use misere_theory::bipartite::families::tame;
/// assert_eq!([0, 1, 2, 3, 4].map(|n| tame(n).order()), [1, 2, 6, 10, 18]);
/// ```
#[must_use]
pub fn tame(n: u32) -> BipartiteMonoid {
    match n {
        0 => BipartiteMonoid::trivial(),
        1 => BipartiteMonoid::by_construction(
            vec![vec![1, 0]],
            ElementSet::where_true(2, |x| x == 1),
        ),
        _ => extended_kernel(n, false),
    }
}

/// The restive quotient `R_{2^n+4}`, for `n ≥ 2`; `None` for smaller `n`.
///
/// # Panics
/// If `n > 28`, as for [`tame`].
///
/// ```
/// use misere_theory::bipartite::families::restive;
/// assert_eq!([2, 3, 4].map(|n| restive(n).map(|r| r.order())), [Some(8), Some(12), Some(20)]);
/// ```
#[must_use]
pub fn restive(n: u32) -> Option<BipartiteMonoid> {
    (n >= 2).then(|| extended_kernel(n, true))
}

/// The bipartite monoid with a name: `T_3`, `R_12`, `S_12`, `S'_12` (also written `S_12'`), `R_14`; `None` if nothing is called so, or it
/// has more than 2¹⁶ elements.
///
/// ```
/// use misere_theory::bipartite::families::by_name;
/// assert_eq!(by_name("R_8").map(|r8| r8.order()), Some(8));
/// assert_eq!(by_name("S_12'").and_then(|s12| s12.known_name()).as_deref(), Some("S'_12"));
/// assert!(by_name("R_10").is_none());
/// ```
#[must_use]
pub fn by_name(name: &str) -> Option<BipartiteMonoid> {
    const MOST: u64 = 16;
    let sporadic = sporadic().iter();
    let mut sporadic = sporadic.filter(|named| match named.name {
        "S'_12" => ["S'_12", "S_12'"].contains(&name),
        _ => named.name == name,
    });
    if let Some(named) = sporadic.next() {
        return Some(named.monoid.clone());
    }
    let (letter, number) = name.split_once('_')?;
    let number: u64 = number.parse().ok().filter(|_| !number.starts_with('+'))?;
    match letter {
        "T" if number <= MOST => Some(tame(number as u32)),
        "R" => {
            let kernel = number.checked_sub(4)?;
            let n = u64::from(kernel.checked_ilog2()?);
            let fits = kernel.is_power_of_two() && n <= MOST;
            fits.then(|| restive(n as u32)).flatten()
        }
        _ => None,
    }
}

/// The group `(ℤ/2)^n` below `{1, a}` and, if restive, `{t, at}`: elements 1, a, then the kernel with its vectors as
/// numbers (`za` is the vector 1), then t, at.
fn extended_kernel(n: u32, is_restive: bool) -> BipartiteMonoid {
    assert!(n <= 28, "T_{n} and R_(2^{n}+4) are too large");
    let kernel = 1_u32 << n;
    let order = kernel + if is_restive { 4 } else { 2 };
    let (first, t) = (2, kernel + 2);
    let a = (0..order)
        .map(|x| {
            if x < first || x >= t {
                x ^ 1
            } else {
                first + ((x - first) ^ 1)
            }
        })
        .collect();
    let mut action: Vec<Vec<Element>> = vec![a];
    // An element outside the kernel acts on it as its image there: 1, t as the vector 0 and a, at as the vector 1.
    let vector = |x: Element| {
        if (first..t).contains(&x) {
            x - first
        } else {
            x & 1
        }
    };
    action.extend((1..n).map(|bit| {
        (0..order)
            .map(|x| first + (vector(x) ^ (1 << bit)))
            .collect()
    }));
    if is_restive {
        action.push(
            (0..order)
                .map(|x| if x < first { t + x } else { first + vector(x) })
                .collect(),
        );
    }
    BipartiteMonoid::by_construction(
        action,
        ElementSet::where_true(order as usize, |x| x == 1 || x == first),
    )
}

/// Which of the two families.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Family {
    Tame,
    Restive,
}

impl BipartiteMonoid {
    /// Whether this is some `T_n`, up to isomorphism. Cost: `O(n)` for order `n`.
    ///
    /// ```
    /// use misere_theory::bipartite::families::{restive, tame};
    /// assert!(tame(4).is_tame());
    /// assert!(!restive(2).is_some_and(|r8| r8.is_tame()));
    /// ```
    #[must_use]
    pub fn is_tame(&self) -> bool {
        matches!(self.family(), Some((Family::Tame, _)))
    }

    /// The name of this bipartite monoid, if it has one: `T_3`, `R_8`, `S_12`, `S'_12`, `R_14`.
    ///
    /// Cost: `O(n)`, and for the orders of Figure 10 a canonical form of that order.
    ///
    /// ```
    /// use misere_theory::bipartite::families::{restive, tame};
    /// assert_eq!(tame(3).known_name().as_deref(), Some("T_3"));
    /// assert_eq!(restive(3).and_then(|r12| r12.known_name()).as_deref(), Some("R_12"));
    /// ```
    #[must_use]
    pub fn known_name(&self) -> Option<String> {
        match self.family() {
            Some((Family::Tame, n)) => Some(format!("T_{n}")),
            Some((Family::Restive, n)) => Some(format!("R_{}", (1_u64 << n) + 4)),
            None => {
                let (mut candidates, mut key) = (sporadic().iter(), None);
                candidates
                    .find(|named| {
                        named.order == self.order()
                            && named.key == *key.get_or_insert_with(|| self.class_key())
                    })
                    .map(|named| named.name.to_owned())
            }
        }
    }

    /// The family and `n`, for a tame or restive quotient.
    ///
    /// **Exactness.** Suppose the squares are 1, for exactly two elements `1, a`, and otherwise all `z ≠ a`; then `z` is idempotent. Let `K`
    /// consist of those `x` with `x² = z` and `xz = x`. Then `K` is closed under products and under `a`, and is an
    /// elementary abelian 2-group with identity `z`. If `az ≠ z` and nothing else is left, the products are those of `T_n` with
    /// `2^n = |K|`, as some basis of `K` contains `az`. If besides just `t` and `at ≠ t` are left, with `tz = z`, then `tk = tzk = k`
    /// for `k` in `K`, and the products are those of `R_{2^n+4}`. `P = {a, z}` decides.
    fn family(&self) -> Option<(Family, u32)> {
        let order = self.order();
        match order {
            1 => return (self.p_size() == 0).then_some((Family::Tame, 0)),
            2 => {
                let multiplication = Multiplication::new(self);
                let is_t1 = multiplication.row(1) == [1, 0] && self.p_size() == 1 && self.in_p(1);
                return is_t1.then_some((Family::Tame, 1));
            }
            _ => {}
        }
        let (family, n) = [(Family::Tame, 2), (Family::Restive, 4)]
            .into_iter()
            .find_map(|(family, outside)| {
                let kernel = order.checked_sub(outside)?;
                (kernel >= 4 && kernel.is_power_of_two()).then(|| (family, kernel.ilog2()))
            })?;
        if self.p_size() != 2 {
            return None;
        }
        let multiplication = Multiplication::new(self);
        let squares = multiplication.powers(2);
        let mut units = (1..order as Element).filter(|&x| squares[x as usize] == 0);
        let (a, None) = (units.next()?, units.next()) else {
            return None;
        };
        let mut others = (1..order as Element).filter(|&x| x != a);
        let z = squares[others.next()? as usize];
        if others.any(|x| squares[x as usize] != z) {
            return None;
        }
        let by_z = multiplication.row(z);
        if z == a || by_z[a as usize] == z || !self.in_p(a) || !self.in_p(z) {
            return None;
        }
        let nilpotent: Vec<Element> = (1..order as Element)
            .filter(|&x| x != a && by_z[x as usize] != x)
            .collect();
        let fits = match (family, nilpotent.as_slice()) {
            (Family::Tame, []) => true,
            (Family::Restive, &[one, other]) => {
                let by_a = multiplication.row(a);
                by_a[one as usize] == other && [one, other].iter().any(|&t| by_z[t as usize] == z)
            }
            _ => false,
        };
        fits.then_some((family, n))
    }
}

/// A quotient with a name of its own.
struct Named {
    name: &'static str,
    order: usize,
    key: ClassKey,
    monoid: BipartiteMonoid,
}

/// The rows of Figure 10 that belong to neither family.
fn sporadic() -> &'static [Named] {
    static SPORADIC: OnceLock<Vec<Named>> = OnceLock::new();
    SPORADIC.get_or_init(|| {
        [
            (
                "S_12",
                "<a,b,c | a^2=1, b^4=b^2, b^2c=b^3, c^2=1>",
                ["a", "b^2", "ac"].as_slice(),
            ),
            (
                "S'_12",
                "<a,b,c | a^2=1, b^3=b, c^2=1>",
                &["a", "b^2", "ac"],
            ),
            (
                "R_14",
                "<a,b,c | a^2=1, b^3=b, b^2c=c, c^3=ac^2>",
                &["a", "b^2", "bc", "c^2"],
            ),
        ]
        .into_iter()
        .filter_map(|(name, text, p_portion)| {
            // A text that cannot be read would leave the name unknown; the tests ask for every name.
            let presentation: crate::monoid::finitely_presented::FinitePresentation =
                text.parse().ok()?;
            let monoid = presentation.bipartite_monoid_of(p_portion, 14).ok()?;
            Some(Named {
                name,
                order: monoid.order(),
                key: monoid.class_key(),
                monoid,
            })
        })
        .collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_agree_with_keys() {
        let mut names = std::collections::BTreeMap::new();
        for n in 0..7 {
            for (monoid, name) in [
                (Some(tame(n)), format!("T_{n}")),
                (restive(n), format!("R_{}", (1 << n) + 4)),
            ] {
                let Some(monoid) = monoid else { continue };
                assert!(monoid.is_reduced());
                assert_eq!(monoid.known_name(), Some(name.clone()));
                assert_eq!(monoid.is_tame(), name.starts_with('T'));
                assert_eq!(names.insert(monoid.class_key(), name), None);
            }
        }
        assert_eq!(sporadic().len(), 3);
        assert!(
            sporadic()
                .iter()
                .all(|named| !names.contains_key(&named.key))
        );
    }

    #[test]
    fn monoids_of_any_order_may_be_asked_for_their_name() {
        for order in 3..40 {
            let row = (0..order).map(|x| (x + 1) % order).collect();
            let cyclic = BipartiteMonoid::new(order as usize, vec![row], [1]).unwrap();
            assert_eq!(cyclic.known_name(), None, "{order}");
        }
    }

    /// Every other choice of two elements of P, and every other P of the same monoid, is another class.
    #[test]
    fn the_p_portion_decides() {
        for (monoid, automorphic) in [(tame(2), 1), (tame(3), 1), (restive(2).unwrap(), 1)] {
            let order = monoid.order() as Element;
            let mut named = 0;
            for x in 0..order {
                for y in x + 1..order {
                    let other =
                        BipartiteMonoid::new(order as usize, monoid.action().to_vec(), [x, y])
                            .unwrap();
                    let is_isomorphic = other.class_key() == monoid.class_key();
                    assert_eq!(other.family().is_some(), is_isomorphic);
                    named += usize::from(is_isomorphic);
                }
            }
            assert_eq!(named, automorphic);
        }
    }

    /// Monoids of the right order that are not of the family: a cyclic kernel, a kernel on which `a` acts trivially, a
    /// group.
    #[test]
    fn look_alikes() {
        let read = |text: &str, p: [&str; 2]| {
            let presentation: crate::monoid::finitely_presented::FinitePresentation =
                text.parse().unwrap();
            presentation.bipartite_monoid_of(&p, 100).unwrap()
        };
        for (text, p, order) in [
            ("<a,b | a^2=1, b^5=b, ab^2=b^4>", ["a", "b^4"], 6),
            (
                "<a,b,c | a^2=1, b^3=b, c^3=c, c^2=b^2, ab=b>",
                ["a", "b^2"],
                6,
            ),
            ("<a | a^6=1>", ["a", "a^3"], 6),
            (
                "<a,b,t | a^2=1, b^3=b, t^3=t, t^2=b^2, bt=ab^2>",
                ["a", "b^2"],
                6,
            ),
        ] {
            let monoid = read(text, p);
            assert_eq!(monoid.order(), order, "{text}");
            assert_eq!(
                monoid.family().is_some(),
                monoid.class_key() == tame(2).class_key(),
                "{text}"
            );
        }
    }
}
