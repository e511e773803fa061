//! The P-portions that make a monoid a misère quotient.
//!
//! The author of a presentation may leave the P-portion out. Of a monoid of small order all subsets
//! can be tried: some of them make it reduced, and some a misère quotient. Example:
//! `⟨a,b | a² = 1, b³ = b⟩` is a misère quotient with one P-portion only, `{a, b²}`, up to
//! automorphism.

use std::collections::BTreeMap;

use misere_game::bipartite::{BipartiteMonoid, ClassKey, Element};
use misere_game::control::{Control, Stop};
use misere_game::structure::table::Table;

use super::decision::{Decision, decide};

/// The greatest order of a monoid whose subsets are all tried.
pub const MAX_TRIED: usize = 16;

/// The P-portions of a monoid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PPortions {
    /// The number of subsets that make it reduced.
    pub reduced: usize,
    /// The subsets that make it a misère quotient, one of each isomorphism class, ascending.
    pub quotients: Vec<Vec<Element>>,
}

/// Returns the P-portions of a monoid, for any P-portion of its own.
///
/// The result is `None` if the order is above [`MAX_TRIED`].
///
/// Cost: `O(2^n · n²)` for order `n`, and the decision of each class of those that remain.
///
/// ```
/// use misere_game::bipartite::families::tame;
/// use misere_game::control::Control;
/// use misere_algebra::classify::p_portions::p_portions;
/// let t2 = tame(2);
/// let found = p_portions(&t2, &mut Control::unlimited())?.ok_or("too large")?;
/// assert_eq!(found.quotients, [t2.p_portion().iter().collect::<Vec<_>>()]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Stop`] if `control` ends it.
pub fn p_portions(
    monoid: &BipartiteMonoid,
    control: &mut Control,
) -> Result<Option<PPortions>, Stop> {
    let order = monoid.order();
    if order > MAX_TRIED {
        return Ok(None);
    }
    let table = Table::new(monoid, control)?;
    let subsets = 1_u32 << order;
    let mut reduced = 0;
    let mut quotients: BTreeMap<ClassKey, Option<Vec<Element>>> = BTreeMap::new();
    for subset in 0..subsets {
        control.spend((order * order) as u64)?;
        if !tells_all_apart(&table, subset) {
            continue;
        }
        reduced += 1;
        // The end of a game is an N-position, and there is a P-position if there are moves.
        if subset & 1 != 0 {
            continue;
        }
        let p_portion: Vec<Element> = (0..order as Element)
            .filter(|x| subset >> x & 1 != 0)
            .collect();
        let rows = monoid.action().to_vec();
        let Ok(marked) = BipartiteMonoid::new(order, rows, p_portion.iter().copied()) else {
            continue;
        };
        // Subsets that are certainly not P-portions of a quotient need no canonical form.
        if order > 1 && !has_star(&table, subset) {
            continue;
        }
        let key = marked.class_key_within(control)?;
        if let std::collections::btree_map::Entry::Vacant(entry) = quotients.entry(key) {
            let is_one = matches!(decide(&marked, control)?, Decision::Quotient(_));
            entry.insert(is_one.then_some(p_portion));
        }
    }
    let mut quotients: Vec<Vec<Element>> = quotients.into_values().flatten().collect();
    quotients.sort();
    Ok(Some(PPortions { reduced, quotients }))
}

/// Reports whether any two elements have different translates in a subset.
fn tells_all_apart(table: &Table, subset: u32) -> bool {
    let elements = || 0..table.order() as Element;
    let won =
        |x: Element| elements().fold(0_u32, |won, z| won << 1 | (subset >> table.times(x, z) & 1));
    let mut seen: Vec<u32> = elements().map(won).collect();
    seen.sort_unstable();
    seen.windows(2).all(|pair| pair[0] != pair[1])
}

/// Reports whether some element has the properties of the value of `*`.
///
/// These are: `a` is in P, `a² = 1`, `ax ≠ x`, and `x` or `ax` is not in P for every `x`.
fn has_star(table: &Table, subset: u32) -> bool {
    let in_p = |x: Element| subset >> x & 1 != 0;
    let mut candidates = (1..table.order() as Element).filter(|&a| in_p(a));
    candidates.any(|a| {
        table.times(a, a) == 0
            && (0..table.order() as Element).all(|x| {
                let ax = table.times(a, x);
                ax != x && !(in_p(x) && in_p(ax))
            })
    })
}
