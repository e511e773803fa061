//! A second way to decide whether a bipartite monoid with values is the misère quotient of heaps.
//!
//! The judge decides the question for all positions, by the method of a list of states. A position
//! violates the prediction N if no move in any of its heaps leads to a P. Build the position heap
//! by heap, and keep with the product `w` the set `R` of those further contexts in which no heap
//! so far has a right move. From `(w, R)` a heap with the value `v` and the failures `F = {r : rv
//! is not in P, and re is not in P for every option e}` leads to `(wv, (R : v) ∩ (F : w))`, where
//! `(A : x) = {r : rx ∈ A}`. There is a violation if and only if a state with `1 ∈ R` is reached.

use std::collections::{BTreeSet, HashMap};

use misere_game::bipartite::{BipartiteMonoid, Element};

/// A set of elements.
type Set = u128;

/// The greatest order that is judged.
pub(crate) const MAX_ORDER: usize = 128;

/// A bound on the states, greater than any case here needs.
const MAX_STATES: usize = 1_000_000;

/// A whole multiplication table.
#[derive(Clone)]
pub(crate) struct Products {
    pub(crate) order: usize,
    table: Vec<Vec<Element>>,
    pub(crate) p: Set,
}

impl Products {
    /// Builds the table of a monoid, or reports what is wrong with its rows.
    pub(crate) fn of(monoid: &BipartiteMonoid) -> Result<Self, String> {
        let order = monoid.order();
        assert!(order <= MAX_ORDER, "order {order}");
        let rows = monoid.action();
        for x in 0..order {
            for f in rows {
                for g in rows {
                    if f[g[x] as usize] != g[f[x] as usize] {
                        return Err(format!("two generators do not commute at {x}"));
                    }
                }
            }
        }
        // How each element is reached from 1, then the same way from every other element.
        let mut way: Vec<Option<Vec<usize>>> = vec![None; order];
        way[0] = Some(Vec::new());
        let mut open = vec![0_usize];
        while let Some(x) = open.pop() {
            for (g, row) in rows.iter().enumerate() {
                let y = row[x] as usize;
                if way[y].is_none() {
                    let mut longer = way[x].clone().unwrap();
                    longer.push(g);
                    way[y] = Some(longer);
                    open.push(y);
                }
            }
        }
        let mut table = Vec::with_capacity(order);
        for y in 0..order {
            let Some(way) = &way[y] else {
                return Err(format!("element {y} is not a product of generators"));
            };
            let walk = |x: usize| way.iter().fold(x as Element, |x, &g| rows[g][x as usize]);
            table.push((0..order).map(walk).collect());
        }
        let p = (0..order).filter(|&x| monoid.in_p(x as Element));
        Ok(Self {
            order,
            table,
            p: p.fold(0, |set, x| set | 1 << x),
        })
    }

    pub(crate) fn times(&self, x: Element, y: Element) -> Element {
        self.table[x as usize][y as usize]
    }

    pub(crate) fn in_p(&self, x: Element) -> bool {
        self.p >> x & 1 != 0
    }

    /// Returns `{r : rx ∈ set}`.
    fn divided(&self, set: Set, x: Element) -> Set {
        let row = &self.table[x as usize];
        let inside = (0..self.order).filter(|&r| set >> row[r] & 1 != 0);
        inside.fold(0, |found, r| found | 1 << r)
    }

    /// Returns two elements that no context tells apart.
    pub(crate) fn alike(&self) -> Option<(usize, usize)> {
        let mut seen = HashMap::new();
        (0..self.order).find_map(|x| {
            let before = seen.insert(self.divided(self.p, x as Element), x)?;
            Some((before, x))
        })
    }

    /// Returns the number of elements that the values generate.
    pub(crate) fn generated(&self, values: impl IntoIterator<Item = Element>) -> usize {
        let values: BTreeSet<Element> = values.into_iter().collect();
        let mut reached = BTreeSet::from([0]);
        let mut open = vec![0];
        while let Some(x) = open.pop() {
            for &value in &values {
                let y = self.times(x, value);
                if reached.insert(y) {
                    open.push(y);
                }
            }
        }
        reached.len()
    }
}

/// Checks that every position has the outcome that its product claims.
///
/// The positions are those of heaps with these values and these values of options. A pair
/// represents a heap that has options; heaps without options have the value 1 and claim nothing.
/// The error says how a position has another outcome.
pub(crate) fn outcomes(
    products: &Products,
    pairs: &BTreeSet<(Element, BTreeSet<Element>)>,
) -> Result<(), String> {
    if products.in_p(0) {
        return Err("the end is said to be a P-position".to_owned());
    }
    let all = if products.order == MAX_ORDER {
        Set::MAX
    } else {
        (1 << products.order) - 1
    };
    let mut heaps: Vec<(Element, Set)> = Vec::new();
    for (value, options) in pairs {
        let from = products.divided(products.p, *value);
        let mut to = 0;
        for &option in options {
            to |= products.divided(products.p, option);
        }
        if from & to != 0 {
            return Err(format!(
                "value {value} with options {options:?}: P leads to P"
            ));
        }
        let fails = all & !from & !to;
        if fails != 0 {
            heaps.push((*value, fails));
        }
    }
    heaps.sort_unstable();
    heaps.dedup();
    let mut known: HashMap<Element, Vec<Set>> = HashMap::new();
    let mut open: Vec<(Element, Set)> = heaps.clone();
    let mut looked_at = 0;
    while let Some((w, r)) = open.pop() {
        if r == 0 {
            continue;
        }
        if r & 1 != 0 {
            return Err(format!(
                "a position of value {w} is said to be N and has no move to a P"
            ));
        }
        let sets = known.entry(w).or_default();
        if sets.iter().any(|&larger| r & !larger == 0) {
            continue;
        }
        sets.retain(|&smaller| smaller & !r != 0);
        sets.push(r);
        looked_at += 1;
        assert!(looked_at < MAX_STATES, "too many states for this judge");
        for &(v, fails) in &heaps {
            let after = products.divided(r, v) & products.divided(fails, w);
            open.push((products.times(w, v), after));
        }
    }
    Ok(())
}

/// The definitions that the judge of tameness needs.
impl Products {
    /// Returns the least ideal: the multiples of the product of all elements.
    pub(crate) fn kernel(&self) -> BTreeSet<Element> {
        let all = 0..self.order as Element;
        let bottom = all.clone().fold(0, |x, y| self.times(x, y));
        all.map(|x| self.times(bottom, x)).collect()
    }

    /// Returns a nim-value for every element, if equal values of sums have equal nim-values.
    pub(crate) fn carried(&self, phi: &[Element], nim: &[u32]) -> Option<Vec<u32>> {
        let mut of: Vec<Option<u32>> = vec![None; self.order];
        of[0] = Some(0);
        let mut open = vec![0];
        while let Some(x) = open.pop() {
            for (&value, &nim_value) in phi.iter().zip(nim) {
                let y = self.times(x, value);
                let along = of[x as usize]? ^ nim_value;
                match of[y as usize] {
                    None => {
                        of[y as usize] = Some(along);
                        open.push(y);
                    }
                    Some(known) if known == along => {}
                    Some(_) => return None,
                }
            }
        }
        of.into_iter().collect()
    }

    /// Returns the monoid with a second copy of the kernel.
    ///
    /// An element times the copy of `y` is the copy of its product with `y`, and the product of two
    /// copies is the product of their originals.
    pub(crate) fn first_tame_extension(&self, kernel: &[Element]) -> Self {
        let order = self.order + kernel.len();
        let original = |x: usize| match x.checked_sub(self.order) {
            Some(at) => (kernel[at], true),
            None => (x as Element, false),
        };
        let copy = |y: Element| {
            let at = kernel.iter().position(|&x| x == y).unwrap();
            (self.order + at) as Element
        };
        let product = |x: usize, y: usize| {
            let ((x, of_copy), (y, by_copy)) = (original(x), original(y));
            match of_copy != by_copy {
                true => copy(self.times(x, y)),
                false => self.times(x, y),
            }
        };
        let row = |x: usize| (0..order).map(|y| product(x, y)).collect();
        Self {
            order,
            table: (0..order).map(row).collect(),
            p: self.p,
        }
    }
}
