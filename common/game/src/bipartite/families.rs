//! The bipartite monoids that the literature names.
//!
//! Siegel (*The structure and classification of misère quotients*, section 1) describes two
//! families:
//!
//! - The **tame** quotients: `T_0` is trivial, `T_1 = ⟨a | a² = 1⟩` with `P = {a}`, and for `n ≥ 2`
//!   `T_n = ⟨a, b_1, …, b_{n−1} | a² = 1, b_i³ = b_i, b_i² = b_j²⟩` with `P = {a, b_1²}`. It
//!   consists of the units `{1, a}` and the kernel `K ≅ (ℤ/2)^n` with identity `z = b_1²`, in which
//!   `za ≠ z`. Order `2^n + 2`.
//! - The **restive** quotients `R_{2^n+4}`, `n ≥ 2`: `T_n` with two further elements `t, at`, where
//!   `tz = t² = z`. Order `2^n + 4`.
//!
//! Finite misère quotients with two elements in P are exactly these (loc. cit.). Some others have
//! names in Plambeck and Siegel's *Misère quotients for impartial games: supplementary material*,
//! Figure 10.

use std::collections::BTreeMap;
use std::sync::{Mutex, OnceLock, PoisonError};

use super::multiplication::Multiplication;
use super::{BipartiteMonoid, ClassKey, Element, ElementSet};

/// Returns the tame quotient `T_n`.
///
/// Cost: proportional to the table, order times generators.
///
/// # Panics
/// If `n > 28`: 32 bits would not number its elements with room to spare.
///
/// ```
/// use misere_game::bipartite::families::tame;
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

/// Returns the restive quotient `R_{2^n+4}`, for `n ≥ 2`; `None` for smaller `n`.
///
/// Cost: proportional to the table, order times generators.
///
/// # Panics
/// If `n > 28`, as for [`tame`].
///
/// ```
/// use misere_game::bipartite::families::restive;
/// assert_eq!([2, 3, 4].map(|n| restive(n).map(|r| r.order())), [Some(8), Some(12), Some(20)]);
/// ```
#[must_use]
pub fn restive(n: u32) -> Option<BipartiteMonoid> {
    (n >= 2).then(|| extended_kernel(n, true))
}

/// The greatest `n` for which `T_n` and `R_{2^n+4}` are made by their names.
const MAX_NAMED: u32 = 16;

/// The reason why a name gives no bipartite monoid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QuotientNameError {
    /// The text does not have the form of a name.
    #[error("`{0}` is not a name of a quotient; names are T_3, R_8, S_12, S'_12, R_14")]
    NotAName(String),
    /// The name of a member of a family that is too large.
    #[error(
        "the quotient {0} has more than 2^{MAX_NAMED} + 4 elements, and so large ones are not made by name"
    )]
    TooLarge(String),
    /// A name that no quotient has.
    #[error(
        "no misère quotient is called {0}; there are T_n (of order 2^n + 2 for n ≥ 2), R_m for m = 2^n + 4 (R_8, R_12, R_20, …), and \
         S_12, S'_12, R_14 of Figure 10"
    )]
    NotOne(String),
}

/// Returns a name in its printed form, or `None` if the text does not have the form of a name.
///
/// The printed form of `T3`, `t_3`, `T₃` and `$T_{3}$` is `T_3`. There need not be a quotient of
/// that name.
///
/// ```
/// use misere_game::bipartite::families::printed_name;
/// assert_eq!(printed_name("r8").as_deref(), Some("R_8"));
/// assert_eq!(printed_name("S_12'").as_deref(), Some("S'_12"));
/// assert_eq!(printed_name("0.77"), None);
/// ```
#[must_use]
pub fn printed_name(text: &str) -> Option<String> {
    let plain = text.chars().filter_map(|c| match c {
        '_' | '{' | '}' | '$' | '\\' => None,
        '₀'..='₉' => char::from_digit(u32::from(c) - u32::from('₀'), 10),
        '′' | '’' => Some('\''),
        c => Some(c),
    });
    let plain: String = plain.collect();
    let mut chars = plain.trim().chars();
    let letter = chars.next()?.to_ascii_uppercase();
    let rest = chars.as_str();
    let digits = rest.trim_matches('\'');
    let primes = rest.len() - digits.len();
    let is_number = !digits.is_empty() && digits.bytes().all(|c| c.is_ascii_digit());
    let is_name = ['T', 'R', 'S'].contains(&letter) && is_number && primes <= 1;
    let prime = if primes == 1 { "'" } else { "" };
    let number = digits.trim_start_matches('0');
    let number = if number.is_empty() { "0" } else { number };
    is_name.then(|| format!("{letter}{prime}_{number}"))
}

/// Returns the bipartite monoid with a name, on the generators of the papers.
///
/// The names are `T_n`, `R_m`, `S_12`, `S'_12` (also written `S_12'`) and `R_14`, read as by
/// [`printed_name`].
///
/// Cost: proportional to the table, order times generators.
///
/// # Errors
/// [`QuotientNameError`] if no quotient has this name, or it has more than 2¹⁶ + 4 elements.
///
/// ```
/// use misere_game::bipartite::families::by_name;
/// assert_eq!(by_name("R_8").map(|r8| r8.order()), Ok(8));
/// assert_eq!(by_name("s12'")?.known_name().as_deref(), Some("S'_12"));
/// assert!(by_name("R_10").is_err());
/// # Ok::<(), misere_game::bipartite::families::QuotientNameError>(())
/// ```
pub fn by_name(text: &str) -> Result<BipartiteMonoid, QuotientNameError> {
    let name = printed_name(text).ok_or_else(|| QuotientNameError::NotAName(text.to_owned()))?;
    if let Some(named) = sporadic().iter().find(|named| named.name == name) {
        return Ok(named.monoid.clone());
    }
    let too_large = || QuotientNameError::TooLarge(name.clone());
    let not_one = || QuotientNameError::NotOne(name.clone());
    match name.split_once('_') {
        Some(("T", number)) => match number.parse::<u32>() {
            Ok(n) if n <= MAX_NAMED => Ok(tame(n)),
            _ => Err(too_large()),
        },
        Some(("R", number)) => {
            let order: u64 = number.parse().map_err(|_| too_large())?;
            let kernel = order
                .checked_sub(4)
                .filter(|kernel| kernel.is_power_of_two());
            let n = kernel.ok_or_else(not_one)?.ilog2();
            match n {
                0..=1 => Err(not_one()),
                2..=MAX_NAMED => restive(n).ok_or_else(not_one),
                _ => Err(too_large()),
            }
        }
        _ => Err(not_one()),
    }
}

/// Returns the name of the bipartite monoids of a class, if it has one.
///
/// `order` and `p_size` are the order and the size of the P-portion of these monoids.
///
/// Cost: once for every order that some name has, a canonical form of that order; then a
/// comparison.
///
/// ```
/// use misere_game::bipartite::families::{name_of_class, tame};
/// assert_eq!(name_of_class(10, 2, &tame(3).class_key()).as_deref(), Some("T_3"));
/// assert_eq!(name_of_class(8, 2, &tame(3).class_key()), None);
/// ```
#[must_use]
pub fn name_of_class(order: usize, p_size: usize, class: &ClassKey) -> Option<String> {
    /// The greatest exponent: beyond it a canonical form costs more than a name is worth.
    const MAX_EXPONENT: u32 = 12;
    type Names = BTreeMap<(usize, usize), Vec<(ClassKey, String)>>;
    static NAMES: Mutex<Names> = Mutex::new(BTreeMap::new());
    let has_kernel = |outside: usize| {
        let kernel = order.checked_sub(outside)?;
        let is_one = kernel >= 4 && kernel.is_power_of_two() && kernel.ilog2() <= MAX_EXPONENT;
        (is_one && p_size == 2).then(|| kernel.ilog2())
    };
    let tame = match order {
        1 => Some(0),
        2 => Some(1),
        _ => has_kernel(2),
    };
    let tame = tame.map(|n| format!("T_{n}"));
    let restive = has_kernel(4).map(|_| format!("R_{order}"));
    let named = sporadic().iter().filter(|named| named.order == order);
    let named = named.map(|named| named.name.to_owned());
    let candidates: Vec<String> = tame.into_iter().chain(restive).chain(named).collect();
    if candidates.is_empty() {
        return None;
    }
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    let of_size = names.entry((order, p_size)).or_insert_with(|| {
        let keys = candidates.into_iter().filter_map(|name| {
            let monoid = by_name(&name).ok()?;
            Some((monoid.class_key(), name))
        });
        keys.collect()
    });
    let found = of_size.iter().find(|(key, _)| key == class);
    found.map(|(_, name)| name.clone())
}

/// Returns the group `(ℤ/2)^n` below `{1, a}` and, if restive, `{t, at}`.
///
/// The elements are 1, a, then the kernel with its vectors as numbers (`za` is the vector 1), then
/// t, at.
///
/// The last generator of a restive one is `at`, as in the papers: there `bc = ab` holds in `R_8`.
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
    // An element outside the kernel acts on it as its image there: 1, t as the vector 0 and a, at
    // as the vector 1.
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
                .map(|x| {
                    if x < first {
                        t + (x ^ 1)
                    } else {
                        first + (vector(x) ^ 1)
                    }
                })
                .collect(),
        );
    }
    BipartiteMonoid::by_construction(
        action,
        ElementSet::where_true(order as usize, |x| x == 1 || x == first),
    )
}

/// One of the two families.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Family {
    Tame,
    Restive,
}

impl BipartiteMonoid {
    /// Reports whether the quotient is some `T_n`, up to isomorphism. Cost: `O(n)` for order `n`.
    ///
    /// ```
    /// use misere_game::bipartite::families::{restive, tame};
    /// assert!(tame(4).is_tame());
    /// assert!(!restive(2).is_some_and(|r8| r8.is_tame()));
    /// ```
    #[must_use]
    pub fn is_tame(&self) -> bool {
        matches!(self.family(), Some((Family::Tame, _)))
    }

    /// Returns the name of this bipartite monoid, if it has one, such as `T_3`, `R_8` or `S'_12`.
    ///
    /// Cost: `O(n)`, and for the orders of Figure 10 a canonical form of that order.
    ///
    /// ```
    /// use misere_game::bipartite::families::{restive, tame};
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

    /// Returns the family and `n`, for a tame or restive quotient.
    ///
    /// **Exactness.** Suppose the squares are 1, for exactly two elements `1, a`, and otherwise all
    /// `z ≠ a`; then `z` is idempotent. Let `K` consist of those `x` with `x² = z` and `xz = x`.
    /// Then `K` is closed under products and under `a`, and is an elementary abelian 2-group with
    /// identity `z`. If `az ≠ z` and nothing else is left, the products are those of `T_n` with
    /// `2^n = |K|`, as some basis of `K` contains `az`. If only `t` and `at ≠ t` are left besides,
    /// with `tz = z`, then `tk = tzk = k` for `k` in `K`, and the products are those of
    /// `R_{2^n+4}`. `P = {a, z}` decides.
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
struct NamedQuotient {
    name: &'static str,
    order: usize,
    key: ClassKey,
    monoid: BipartiteMonoid,
}

/// Returns the rows of Figure 10 that belong to neither family.
fn sporadic() -> &'static [NamedQuotient] {
    static SPORADIC: OnceLock<Vec<NamedQuotient>> = OnceLock::new();
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
            // A text that cannot be read would leave the name unknown; the tests query every name.
            let presentation: crate::monoid::finitely_presented::FinitePresentation =
                text.parse().ok()?;
            let monoid = presentation.bipartite_monoid_of(p_portion, 14).ok()?;
            Some(NamedQuotient {
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
    fn names_are_read_in_all_spellings() {
        for (written, printed) in [
            ("T_3", "T_3"),
            ("t3", "T_3"),
            (" T₁₀ ", "T_10"),
            ("$T_{3}$", "T_3"),
            ("R08", "R_8"),
            ("r_20", "R_20"),
            ("S12", "S_12"),
            ("S_12'", "S'_12"),
            ("s'12", "S'_12"),
            ("S’_{12}", "S'_12"),
            ("R14", "R_14"),
            ("T_0", "T_0"),
        ] {
            assert_eq!(printed_name(written).as_deref(), Some(printed), "{written}");
            let named = by_name(written).unwrap();
            assert_eq!(named.known_name().as_deref(), Some(printed), "{written}");
        }
        for bad in ["", "T", "3", "Q_8", "T_", "T_-1", "T_3a", "0.77", "T''_3"] {
            assert_eq!(printed_name(bad), None, "{bad}");
            assert!(
                matches!(by_name(bad), Err(QuotientNameError::NotAName(_))),
                "{bad}"
            );
        }
        for (text, error) in [
            ("T_17", QuotientNameError::TooLarge("T_17".to_owned())),
            ("T_40", QuotientNameError::TooLarge("T_40".to_owned())),
            (
                "R_131076",
                QuotientNameError::TooLarge("R_131076".to_owned()),
            ),
            ("R_9", QuotientNameError::NotOne("R_9".to_owned())),
            ("R_6", QuotientNameError::NotOne("R_6".to_owned())),
            ("R_3", QuotientNameError::NotOne("R_3".to_owned())),
            ("S_14", QuotientNameError::NotOne("S_14".to_owned())),
            ("T'_3", QuotientNameError::NotOne("T'_3".to_owned())),
        ] {
            assert_eq!(by_name(text).unwrap_err(), error, "{text}");
        }
    }

    #[test]
    fn classes_have_the_names_of_their_members() {
        let named = (0..8).map(|n| format!("T_{n}"));
        let named = named.chain((2..8).map(|n| format!("R_{}", (1 << n) + 4)));
        let sporadic = ["S_12", "S'_12", "R_14"].map(str::to_owned);
        for name in named.chain(sporadic) {
            let monoid = by_name(&name).unwrap();
            let class = monoid.class_key();
            let p_size = monoid.p_size();
            assert_eq!(name_of_class(monoid.order(), p_size, &class), Some(name));
            assert_eq!(name_of_class(monoid.order() + 2, p_size, &class), None);
        }
        assert_eq!(name_of_class(usize::MAX, 2, &ClassKey([0; 32])), None);
    }

    #[test]
    fn known_name_accepts_monoids_of_any_order() {
        for order in 3..40 {
            let row = (0..order).map(|x| (x + 1) % order).collect();
            let cyclic = BipartiteMonoid::new(order as usize, vec![row], [1]).unwrap();
            assert_eq!(cyclic.known_name(), None, "{order}");
        }
    }

    /// Gives every other choice of two elements of P, and every other monoid's P, another class.
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

    /// Tries monoids of the right order outside the family.
    ///
    /// One has a cyclic kernel, one a kernel on which `a` acts trivially, one is a group.
    #[test]
    fn monoids_outside_the_families_are_not_named() {
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
