//! The idempotents of a monoid: their order, their maximal subgroups and their components.
//!
//! Write `e ≤ f` for idempotents with `ef = e`. In a finite commutative monoid that is a lattice
//! order with the identity at the top and the identity of the kernel at the bottom (Plambeck 2005,
//! section 8.2 and Figure 26). Every element has exactly one idempotent among its powers; the
//! elements with the same one are an **archimedean component**. The elements that divide `e` and
//! are divided by it are the **maximal subgroup** `I(e)`, with `e` as its identity (loc. cit.,
//! Figure 27).
//!
//! The powers `x, x², x⁴, …` sink to classes of associates that are groups and stay there, so
//! squares alone find the idempotent of every element: it is the identity of the group they end in.

use super::divisibility::Divisibility;
use super::multiplication::Multiplication;
use super::{BipartiteMonoid, Element};

/// The idempotents of a monoid, with their order, components and groups.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Idempotents {
    /// The idempotents; if `e < f` then `f` comes before `e`. The identity is the first.
    pub elements: Vec<Element>,
    /// For every element of the monoid, the place of the idempotent among its powers.
    pub component: Vec<u32>,
    /// For each idempotent the elements of its maximal subgroup, ascending.
    pub groups: Vec<Vec<Element>>,
    /// The pairs `(f, e)` with `e < f` and nothing between, as sorted places in `elements`.
    pub covers: Vec<(u32, u32)>,
}

impl Idempotents {
    /// Finds the idempotents, their order, components and groups.
    ///
    /// Cost: `O(n · g)` for order `n` and `g` generators, and `O(k n + k³)` for `k` idempotents.
    ///
    /// ```
    /// use misere_game::bipartite::{families::tame, idempotents::Idempotents};
    /// // T_2 = {1, a} over the kernel {b, ab, b², ab²}.
    /// let t2 = tame(2);
    /// let found = Idempotents::new(&t2);
    /// assert_eq!(found.covers, [(0, 1)]);
    /// assert_eq!(found.groups.iter().map(Vec::len).collect::<Vec<_>>(), [2, 4]);
    /// assert_eq!(found.invariants(&t2, 1), [2, 2]);
    /// ```
    #[must_use]
    pub fn new(monoid: &BipartiteMonoid) -> Self {
        let multiplication = Multiplication::new(monoid);
        let squares = multiplication.powers(2);
        let divisibility = Divisibility::new(monoid);
        let class_of = |x: Element| divisibility.class[x as usize] as usize;
        let mut elements: Vec<Element> = (0..monoid.order() as Element)
            .filter(|&x| squares[x as usize] == x)
            .collect();
        // Greater classes come later in the order; two idempotents in one order have different
        // classes.
        elements.sort_by_key(|&x| std::cmp::Reverse(class_of(x)));
        let mut idempotent_of_class = vec![None; divisibility.size.len()];
        for (number, &e) in (0_u32..).zip(&elements) {
            idempotent_of_class[class_of(e)] = Some(number);
        }
        let mut groups = vec![Vec::new(); elements.len()];
        let mut component = Vec::with_capacity(monoid.order());
        for x in 0..monoid.order() as Element {
            if let Some(number) = idempotent_of_class[class_of(x)] {
                groups[number as usize].push(x);
            }
            component.push(idempotent_below(x, |x| {
                idempotent_of_class[class_of(x)].ok_or(squares[x as usize])
            }));
        }
        let covers = covers(&multiplication, &elements);
        Self {
            elements,
            component,
            groups,
            covers,
        }
    }

    /// Returns the number of elements in each archimedean component.
    ///
    /// Cost: linear in the order.
    ///
    /// ```
    /// use misere_game::bipartite::{families::tame, idempotents::Idempotents};
    /// // In T_2 the powers of 1 and a contain 1, those of the four others contain b².
    /// assert_eq!(Idempotents::new(&tame(2)).component_sizes(), [2, 4]);
    /// ```
    #[must_use]
    pub fn component_sizes(&self) -> Vec<u32> {
        let mut sizes = vec![0; self.elements.len()];
        for &number in &self.component {
            sizes[number as usize] += 1;
        }
        sizes
    }

    /// Returns the structure of the maximal subgroup of the idempotent in this place.
    ///
    /// The group is a product of cyclic groups. The result lists their orders, prime powers in
    /// ascending order; it is empty for the trivial group.
    ///
    /// The factors are counted: there are `log_p (n_k / n_(k-1))` cyclic factors of order at least
    /// `p^k`, where `n_k` elements are killed by `p^k`. Cost: `O(n · m)` for a group of order `m`,
    /// much less where `m` has small factors.
    ///
    /// ```
    /// use misere_game::bipartite::BipartiteMonoid;
    /// use misere_game::bipartite::idempotents::Idempotents;
    /// // The cyclic group of order 6 is the product of those of orders 2 and 3.
    /// let z6 = BipartiteMonoid::new(6, vec![vec![1, 2, 3, 4, 5, 0]], [1])?;
    /// assert_eq!(Idempotents::new(&z6).invariants(&z6, 0), [2, 3]);
    /// # Ok::<(), misere_game::bipartite::MonoidError>(())
    /// ```
    #[must_use]
    pub fn invariants(&self, monoid: &BipartiteMonoid, place: usize) -> Vec<u32> {
        let (Some(group), Some(&identity)) = (self.groups.get(place), self.elements.get(place))
        else {
            return Vec::new();
        };
        let multiplication = Multiplication::new(monoid);
        let mut orders = Vec::new();
        for (prime, most) in prime_powers(group.len() as u32) {
            let (mut killed, mut power, mut at_least) = (1, 1, Vec::new());
            while killed < most {
                power *= prime;
                let powers = multiplication.powers(power);
                let now = group
                    .iter()
                    .filter(|&&x| powers[x as usize] == identity)
                    .count() as u32;
                // In a group of that order the number grows until all elements are killed.
                if now <= killed {
                    break;
                }
                at_least.push((power, (now / killed).ilog(prime)));
                killed = now;
            }
            for (level, &(power, factors)) in at_least.iter().enumerate() {
                let more = at_least.get(level + 1).map_or(0, |&(_, more)| more);
                orders.extend(std::iter::repeat_n(power, (factors - more) as usize));
            }
        }
        orders.sort_unstable();
        orders
    }
}

/// Squares until the class has an idempotent.
///
/// Each square divides the next, and a class is not entered again once it is left.
fn idempotent_below(mut x: Element, step: impl Fn(Element) -> Result<u32, Element>) -> u32 {
    loop {
        match step(x) {
            Ok(number) => return number,
            Err(square) => x = square,
        }
    }
}

fn covers(multiplication: &Multiplication<'_>, elements: &[Element]) -> Vec<(u32, u32)> {
    let below: Vec<Vec<bool>> = elements
        .iter()
        .map(|&f| {
            let row = multiplication.row(f);
            let is_below = |&e: &Element| e != f && row[e as usize] == e;
            elements.iter().map(is_below).collect()
        })
        .collect();
    let mut covers = Vec::new();
    for f in 0..elements.len() {
        for e in (0..elements.len()).filter(|&e| below[f][e]) {
            if !(0..elements.len()).any(|between| below[f][between] && below[between][e]) {
                covers.push((f as u32, e as u32));
            }
        }
    }
    covers
}

/// Returns the primes that divide `n`, each with its greatest power that divides `n`.
fn prime_powers(mut n: u32) -> Vec<(u32, u32)> {
    let mut found = Vec::new();
    let mut p = 2;
    while n > 1 {
        if p * p > n {
            p = n;
        }
        let mut power = 1;
        while n.is_multiple_of(p) {
            n /= p;
            power *= p;
        }
        if power > 1 {
            found.push((p, power));
        }
        p += 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bipartite::families::restive;
    use crate::monoid::finitely_presented::FinitePresentation;
    use crate::monoid::word::lex_least_words;

    fn monoid(presentation: &str) -> BipartiteMonoid {
        let given: FinitePresentation = presentation.parse().unwrap();
        given.bipartite_monoid(&[], 10_000).unwrap()
    }

    /// Compares Plambeck 2005, Figures 26 to 28, in the letters of the supplement's Figure 7.
    #[test]
    fn the_five_idempotents_of_kayles() {
        let kayles = monoid(
            "<a,b,c,d,e,f,g | a^2=1, b^3=b, bc^2=b, c^3=c, bd=bc, cd=b^2, d^3=d, be=bc, ce=b^2, e^2=de, bf=ab, cf=ab^2c, \
             d^2f=f, f^2=b^2, b^2g=g, c^2g=g, dg=cg, eg=cg, fg=ag, g^2=b^2>",
        );
        let found = Idempotents::new(&kayles);
        let words = lex_least_words(&kayles);
        let mut seen: Vec<_> = (0..found.elements.len())
            .map(|place| {
                let name = words[found.elements[place] as usize].to_string();
                (
                    name,
                    found.groups[place].len(),
                    found.invariants(&kayles, place),
                )
            })
            .collect();
        seen.sort();
        let expected = [
            ("1", 2, vec![2]),
            ("b^2", 16, vec![2; 4]),
            ("c^2", 4, vec![2; 2]),
            ("d^2", 4, vec![2; 2]),
            ("de", 4, vec![2; 2]),
        ];
        let expected = expected.map(|(name, size, orders)| (name.to_owned(), size, orders));
        assert_eq!(seen, expected);
        assert_eq!(found.component_sizes().iter().sum::<u32>(), 40);
        // 1 over c² and d², d² over de, both over b².
        assert_eq!(found.covers.len(), 5);
    }

    #[test]
    fn components_by_the_definition() {
        for text in [
            "<a,b,c,d | a^2=1, b^4=b^2, b^2c=b^3, c^2=1, b^2d=d, cd=bd, d^3=ad^2>",
            "<a,b | a^6=a^2, b^5=ab>",
            "<a | a^12=1>",
        ] {
            let monoid = monoid(text);
            let found = Idempotents::new(&monoid);
            let multiplication = Multiplication::new(&monoid);
            for x in 0..monoid.order() as Element {
                let row = multiplication.row(x);
                let mut power = x;
                while multiplication.row(power)[power as usize] != power {
                    power = row[power as usize];
                }
                assert_eq!(found.elements[found.component[x as usize] as usize], power);
            }
        }
    }

    #[test]
    fn cyclic_groups_are_decomposed() {
        let group = |text: &str| {
            let monoid = monoid(text);
            Idempotents::new(&monoid).invariants(&monoid, 0)
        };
        assert_eq!(group("<a | a^12=1>"), [3, 4]);
        assert_eq!(group("<a,b | a^4=1, b^2=1>"), [2, 4]);
        assert_eq!(group("<>"), [] as [u32; 0]);
        let r8 = restive(2).unwrap();
        assert_eq!(Idempotents::new(&r8).component_sizes(), [2, 6]);
    }
}
