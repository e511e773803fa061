//! The search for values that all need each other.
//!
//! The input is values, each with its *need*, a set of elements (for [`super::outcomes`]: the
//! context in which no move in a heap of that value is right). The search is for a non-empty
//! multiset `h_1, …, h_k` of values with `∏_{j≠i} h_j ∈ need(h_i)` for all `i`.
//!
//! Build it value by value. A *state* `(x, z)` says that the values taken have the product `x`, and
//! those to come have the product `z`. It begins as `(h, z)`, `z ∈ need(h)`; taking a value `h`
//! leads from `(x, zh)` to `(xh, z)` and is allowed if `xz ∈ need(h)`; it ends at `(x, 1)`. A path
//! from a beginning to the end is exactly such a multiset: from the end back, the second entry *is*
//! the product of the values taken later, and each condition is that of the multiset. So there is
//! none iff no end is reached. There are finitely many states, so a search decides it although
//! there are infinitely many positions.
//!
//! Values whose needs are no greater than those of a sum of others with the same value are left
//! out. The order in which a multiset is taken is free: the values are ranked by their least heap
//! (but right after those that generate them, if these come earlier) and taken in descending rank.
//! Then a state `(x, z)` whose last value has rank `r` is examined only if `z` is a product of
//! values of rank up to `r`, and there are few. Since `xz` is the same all along a path, the search
//! runs separately for each total, with the values whose needs contain that total. (On 0.142 to
//! heap 60, order 4466, this examines some 10⁶ products; in any order they would be 2·10⁸, and in a
//! search through pairs of a value and a whole set of context 10⁹.)

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::hash_map::Entry;

use rustc_hash::{FxHashMap, FxHashSet};

use misere_game::bipartite::{Element, ElementSet};
use misere_game::control::{Control, Stop};

use super::table::Table;

/// A value of heaps with the union of their needs.
pub(super) struct Needy {
    pub(super) value: Element,
    pub(super) need: ElementSet,
}

/// A state of the search, and how the search reached it.
struct State {
    taken: Element,
    to_come: Element,
    /// The rank taken last, the context in which it was in need, and the state before.
    last: u32,
    context: Element,
    before: Option<usize>,
}

/// The search for a multiset of values each of which needs the others.
pub(super) struct Search {
    /// The values, by rank.
    needy: Vec<Needy>,
    /// For each element the least rank up to which it is a product of values, or [`NO_RANK`].
    rank: Vec<u32>,
    /// For each rank the products of that value with elements of no greater rank.
    factors: Vec<Factors>,
}

const NO_RANK: u32 = u32::MAX;

impl Search {
    pub(super) fn new(
        needy: Vec<Needy>,
        table: &Table<'_>,
        control: &mut Control,
    ) -> Result<Self, Stop> {
        let early = Ranks::new(&needy, table, control)?;
        let mut needy = early.without_covered(needy, table, control)?;
        // Values in the submonoid of a few others come right after these, so that submonoids grow
        // late.
        needy.sort_by_key(|needy| early.rank[needy.value as usize]);
        let Ranks { rank, ranked, .. } = Ranks::new(&needy, table, control)?;
        let mut factors = Vec::with_capacity(needy.len());
        for (at, Needy { value, .. }) in (0..).zip(&needy) {
            let row = table.row(*value, control)?;
            let of_no_greater_rank = ranked.partition_point(|&x| rank[x as usize] <= at);
            control.spend((table.order() + 8 * of_no_greater_rank) as u64)?;
            factors.push(Factors::new(&row, &ranked[..of_no_greater_rank]));
        }
        Ok(Self {
            needy,
            rank,
            factors,
        })
    }

    /// Returns a multiset of values each of which needs the others.
    ///
    /// Each value comes with the product of the others. Returns `None` if there is no such
    /// multiset.
    pub(super) fn violation(
        &self,
        table: &mut Table<'_>,
        control: &mut Control,
    ) -> Result<Option<Vec<(Element, Element)>>, Stop> {
        let needs = self.needs_by_total(table, control)?;
        for of_one_total in needs.chunk_by(|(one, ..), (other, ..)| one == other) {
            if let Some(needs) = self.violation_at(of_one_total, table, control)? {
                return Ok(Some(needs));
            }
        }
        Ok(None)
    }

    /// Returns total, rank and context of every value in need of context, by total, then by rank.
    fn needs_by_total(
        &self,
        table: &Table<'_>,
        control: &mut Control,
    ) -> Result<Vec<(Element, u32, Element)>, Stop> {
        let mut needs = Vec::new();
        for (at, Needy { value, need }) in (0..).zip(&self.needy) {
            let row = table.row(*value, control)?;
            let before = needs.len();
            needs.extend(need.iter().map(|z| (row[z as usize], at, z)));
            control.spend(20 + 30 * (needs.len() - before) as u64)?;
        }
        needs.sort_unstable();
        Ok(needs)
    }

    fn violation_at(
        &self,
        needs: &[(Element, u32, Element)],
        table: &mut Table<'_>,
        control: &mut Control,
    ) -> Result<Option<Vec<(Element, Element)>>, Stop> {
        control.spend(10 + 3 * needs.len() as u64)?;
        let is_beginning = |&&(_, at, z): &&(_, u32, Element)| self.rank[z as usize] <= at;
        let mut ranks: Vec<u32> = needs.iter().map(|&(_, at, _)| at).collect();
        ranks.dedup();
        let mut states: Vec<State> = Vec::new();
        let mut open = BinaryHeap::new();
        let mut greatest_last: FxHashMap<(Element, Element), u32> = FxHashMap::default();
        let mut meet = |state: State, states: &mut Vec<State>, open: &mut BinaryHeap<_>| {
            let known = greatest_last.entry((state.taken, state.to_come));
            let is_new = match known {
                Entry::Occupied(known) if *known.get() >= state.last => false,
                known => {
                    known.insert_entry(state.last);
                    true
                }
            };
            if is_new {
                open.push((state.last, Reverse(states.len())));
                states.push(state);
            }
        };
        for &(_, at, context) in needs.iter().filter(is_beginning) {
            let beginning = State {
                taken: self.needy[at as usize].value,
                to_come: context,
                last: at,
                context,
                before: None,
            };
            meet(beginning, &mut states, &mut open);
        }
        // Ranks only descend, so with the greatest first every state is expanded once, with all
        // that can follow it.
        let mut done = FxHashSet::default();
        while let Some((last, Reverse(index))) = open.pop() {
            let (x, z) = (states[index].taken, states[index].to_come);
            if z == 0 {
                return Ok(Some(self.needs_of(index, &states)));
            }
            if !done.insert((x, z)) {
                continue;
            }
            let from = ranks.partition_point(|&at| at < self.rank[z as usize]);
            let to = ranks.partition_point(|&at| at <= last);
            control.spend(60 + 10 * to.saturating_sub(from) as u64)?;
            table.keep(x, control)?;
            let by_x = table.kept(x);
            for &at in ranks.get(from..to).unwrap_or(&[]) {
                let Needy { value, need } = &self.needy[at as usize];
                for rest in self.factors[at as usize].of(z) {
                    control.spend(5)?;
                    let context =
                        by_x.map_or_else(|| table.times(x, rest), |row| row[rest as usize]);
                    if need.contains(context) {
                        let state = State {
                            taken: table.times(*value, x),
                            to_come: rest,
                            last: at,
                            context,
                            before: Some(index),
                        };
                        meet(state, &mut states, &mut open);
                    }
                }
            }
        }
        Ok(None)
    }

    /// Returns the values on the way to a state, each with the context in which it is in need.
    fn needs_of(&self, end: usize, states: &[State]) -> Vec<(Element, Element)> {
        std::iter::successors(states.get(end), |state| states.get(state.before?))
            .map(|state| (self.needy[state.last as usize].value, state.context))
            .collect()
    }
}

/// The elements that are products of the first values of a list.
struct Ranks {
    /// For each element the least index up to which it is a product of values, or [`NO_RANK`].
    rank: Vec<u32>,
    /// The elements that are products, in the order of their ranks.
    ranked: Vec<Element>,
    /// For each of them but 1, the element that the value of its rank multiplies to give it.
    before: Vec<Element>,
}

impl Ranks {
    fn new(needy: &[Needy], table: &Table<'_>, control: &mut Control) -> Result<Self, Stop> {
        let mut rank = vec![NO_RANK; table.order()];
        let mut before = vec![0; table.order()];
        rank[0] = 0;
        let mut ranked = vec![0];
        for (at, Needy { value, .. }) in (0..).zip(needy) {
            if rank[*value as usize] != NO_RANK {
                continue;
            }
            let row = table.row(*value, control)?;
            let mut block = 0..ranked.len();
            while !block.is_empty() {
                let end = ranked.len();
                control.spend(10 + 2 * block.len() as u64)?;
                for index in block {
                    let y = row[ranked[index] as usize];
                    if rank[y as usize] == NO_RANK {
                        rank[y as usize] = at;
                        before[y as usize] = ranked[index];
                        ranked.push(y);
                    }
                }
                block = end..ranked.len();
            }
        }
        Ok(Self {
            rank,
            ranked,
            before,
        })
    }

    /// Returns the values of the list that are not *covered* by those that generate them.
    ///
    /// A value is covered if it can be replaced by its word in every multiset in which it needs the
    /// others: each letter then needs the rest of the word and the others. As the product is the
    /// same, nothing changes for the others.
    fn without_covered(
        &self,
        needy: Vec<Needy>,
        table: &Table<'_>,
        control: &mut Control,
    ) -> Result<Vec<Needy>, Stop> {
        let mut kept = Vec::with_capacity(needy.len());
        for (at, candidate) in (0..).zip(&needy) {
            let generates = self.rank[candidate.value as usize] == at;
            kept.push(generates || !self.is_covered(candidate, &needy, table, control)?);
        }
        let mut kept = kept.into_iter();
        Ok(needy
            .into_iter()
            .filter(|_| kept.next().unwrap_or(true))
            .collect())
    }

    fn is_covered(
        &self,
        candidate: &Needy,
        needy: &[Needy],
        table: &Table<'_>,
        control: &mut Control,
    ) -> Result<bool, Stop> {
        let mut word = Vec::new();
        let mut x = candidate.value;
        while x != 0 {
            word.push(self.rank[x as usize]);
            x = self.before[x as usize];
        }
        word.reverse();
        for letter in 0..word.len() {
            if letter > 0 && word[letter] == word[letter - 1] {
                continue;
            }
            let others = (0..word.len()).filter(|&other| other != letter);
            let rest = others.fold(0, |x, other| {
                table.times(needy[word[other] as usize].value, x)
            });
            let row = table.row(rest, control)?;
            control.spend(20 + table.order() as u64)?;
            let need = &needy[word[letter] as usize].need;
            if !candidate
                .need
                .iter()
                .all(|z| need.contains(row[z as usize]))
            {
                return Ok(false);
            }
        }
        Ok(!word.is_empty())
    }
}

/// The products of one element, by product.
///
/// It uses memory for each factor, not for each element of the monoid.
struct Factors {
    /// The pairs (product, factor), by product.
    pairs: Vec<(Element, Element)>,
    /// The first index of the pairs whose product has at least these leading bits.
    begin: Vec<u32>,
    shift: u32,
}

impl Factors {
    /// Returns the products with the `factors` of an element with the given row.
    fn new(row: &[Element], factors: &[Element]) -> Self {
        let mut pairs: Vec<_> = factors.iter().map(|&z| (row[z as usize], z)).collect();
        pairs.sort_unstable();
        let shift = (row.len() / pairs.len().max(1)).max(1).ilog2();
        let mut begin = vec![0; (row.len() >> shift) + 2];
        for &(product, _) in &pairs {
            begin[(product >> shift) as usize + 1] += 1;
        }
        for at in 1..begin.len() {
            begin[at] += begin[at - 1];
        }
        Self {
            pairs,
            begin,
            shift,
        }
    }

    /// Returns the factors with this product.
    fn of(&self, product: Element) -> impl Iterator<Item = Element> {
        let at = (product >> self.shift) as usize;
        self.pairs[self.begin[at] as usize..self.begin[at + 1] as usize]
            .iter()
            .skip_while(move |&&(known, _)| known < product)
            .take_while(move |&&(known, _)| known == product)
            .map(|&(_, factor)| factor)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use super::*;
    use misere_game::bipartite::BipartiteMonoid;
    use proptest::prelude::*;

    /// Reports by the definition whether a multiset of at most `limit` values is a violation.
    fn is_violated_by_few(needy: &[Needy], monoid: &Table<'_>, limit: usize) -> bool {
        let mut multisets: Vec<Vec<usize>> = (0..needy.len()).map(|at| vec![at]).collect();
        for _ in 1..limit {
            let longer = multisets
                .iter()
                .flat_map(|set| (set[0]..needy.len()).map(|at| [&[at], &set[..]].concat()));
            multisets.extend(longer.collect::<Vec<_>>());
        }
        multisets.iter().any(|set| {
            (0..set.len()).all(|i| {
                let others = (0..set.len()).filter(|&j| j != i);
                let context = others.fold(0, |x, j| monoid.times(x, needy[set[j]].value));
                needy[set[i]].need.contains(context)
            })
        })
    }

    /// The quotient of 0.123 (Plambeck 2005, Figure 5), and a product of a chain and a group.
    ///
    /// The product has no symmetry between them.
    static MONOIDS: LazyLock<[BipartiteMonoid; 2]> = LazyLock::new(|| {
        let presented = |text: &str| {
            let given: misere_game::monoid::finitely_presented::FinitePresentation =
                text.parse().unwrap();
            given.bipartite_monoid(&[], 1_000).unwrap()
        };
        [
            presented("<a,b,c,d | a^2=1, c^2=1, b^4=b^2, cd=bd, b^2d=d, d^3=ad^2, b^2c=b^3>"),
            presented("<a,b,c | a^3=1, b^5=b^4, c^3=ac>"),
        ]
    });

    fn needy(values: &[(usize, Vec<usize>)], order: usize) -> Vec<Needy> {
        let mut needy: Vec<Needy> = Vec::new();
        for (value, context) in values {
            let value = (value % order) as Element;
            let need =
                ElementSet::where_true(order, |z| context.iter().any(|y| y % order == z as usize));
            if needy.iter().all(|known| known.value != value) {
                needy.push(Needy { value, need });
            }
        }
        needy
    }

    /// `ab` and `c` need each other.
    ///
    /// In the context of `c`, `a` and `b` each need a second copy of themselves, not each other, so
    /// they do not cover `ab`.
    #[test]
    fn letters_that_need_the_wrong_context_cover_nothing() {
        let monoid = &MONOIDS[1];
        let control = &mut Control::unlimited();
        let mut table = Table::new(monoid, control).unwrap();
        let [a, b, c] = [0, 1, 2].map(|g| monoid.act(0, g));
        let product = |x, y| table.times(x, y);
        let ab = product(a, b);
        let needs = [(a, product(a, c)), (b, product(b, c)), (ab, c), (c, ab)];
        let needy = needs.map(|(value, context)| Needy {
            value,
            need: ElementSet::where_true(monoid.order(), |z| z == context),
        });
        let search = Search::new(needy.into(), &table, control).unwrap();
        let mut found = search.violation(&mut table, control).unwrap().unwrap();
        found.sort_unstable();
        let mut expected = vec![(ab, c), (c, ab)];
        expected.sort_unstable();
        assert_eq!(found, expected);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3_000))]
        /// For needs of every kind, any multiset found is a violation, and one is found if a small
        /// one exists.
        #[test]
        fn needs_of_all_kinds(
            which in 0_usize..2,
            values in prop::collection::vec((0_usize..60, prop::collection::vec(0_usize..60, 0..9)), 1..6),
        ) {
            let monoid = &MONOIDS[which];
            let order = monoid.order();
            let control = &mut Control::unlimited();
            let mut table = Table::new(monoid, control).unwrap();
            let needy = needy(&values, order);
            let is_violated = is_violated_by_few(&needy, &table, 4);
            let search = Search::new(needy, &table, control).unwrap();
            match search.violation(&mut table, control).unwrap() {
                None => prop_assert!(!is_violated),
                Some(needs) => {
                    prop_assert!(!needs.is_empty());
                    for (i, &(value, context)) in needs.iter().enumerate() {
                        let others = (0..needs.len()).filter(|&j| j != i);
                        prop_assert_eq!(others.fold(0, |x, j| table.times(x, needs[j].0)), context);
                        let needy = search.needy.iter().find(|needy| needy.value == value).unwrap();
                        prop_assert!(needy.need.contains(context));
                    }
                }
            }
        }

        /// Some values are made to need each other; the needs of the others may lead there in other
        /// ways, or nowhere.
        #[test]
        fn needs_that_are_planted(
            which in 0_usize..2,
            values in prop::collection::vec((0_usize..60, prop::collection::vec(0_usize..60, 0..4)), 1..10),
            planted in prop::collection::vec(0_usize..10, 1..7),
        ) {
            let monoid = &MONOIDS[which];
            let order = monoid.order();
            let control = &mut Control::unlimited();
            let mut table = Table::new(monoid, control).unwrap();
            let mut needy = needy(&values, order);
            let planted: Vec<usize> = planted.iter().map(|at| at % needy.len()).collect();
            for i in 0..planted.len() {
                let others = (0..planted.len()).filter(|&j| j != i);
                let context = others.fold(0, |x, j| table.times(x, needy[planted[j]].value));
                needy[planted[i]].need.insert(context);
            }
            let search = Search::new(needy, &table, control).unwrap();
            prop_assert!(search.violation(&mut table, control).unwrap().is_some());
        }
    }
}
