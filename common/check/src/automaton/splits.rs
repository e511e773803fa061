//! Replies that split a heap into two large parts (D5).
//!
//! For the positions that [`super::replies`] leaves open, two schemes of replies are tried. Both
//! speak of the heaps of one *class*: those whose sizes have one remainder modulo the period.
//!
//! - *Beside an equal.* There are two heaps `g < h` of the class, of different sizes. A player
//!   takes `t` beans from `h` and leaves `g` and the rest.
//! - *In halves.* There is a heap `h` of the class. A player takes `t` beans from it and leaves two
//!   heaps that differ by `δ`; `t` and `δ` depend on whether `h` is odd.
//!
//! A scheme decides an open end if every position that ends there has such heaps, and if for *all*
//! heaps `h`, or pairs `g < h`, the option is P. So the search looks for the ends of positions that
//! lack such heaps, or in which an option of the scheme is N. Let `a ≤ b` be the parts. Between
//! size 1 and size `a` there are `a - 1` steps, and between `b` and `h` there are `a + t`. Two
//! sequences become periodic: the situations reached at size `a`, and the pairs of a situation and
//! the state of the option reached a given number of steps after `b`. All combinations are
//! examined.

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use misere_game::control::Control;
use misere_game::solution::automaton::MAX_STATES;

use super::situation::{Edge, MAX_SITUATIONS, Situation};
use super::{AutomatonCheckError, Machine};

/// The most members of sets of situations before they repeat.
const MAX_MEMBERS: usize = 1_000_000;
/// The members of sets that are kept for other sequences, of four bytes each.
const MAX_KEPT: usize = 10_000_000;
/// The flaw of a claim whose sets have more than [`MAX_MEMBERS`].
const TOO_MANY_MEMBERS: AutomatonCheckError =
    AutomatonCheckError::TooLarge("1,000,000 members of sets before situations repeat");
/// The greatest difference of two parts that are almost halves.
const MAX_DIFFERENCE: usize = 2;

/// The number of a situation and the state of an option, packed into one number.
///
/// Sets of millions of them are sorted and compared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Beside(u32);

/// The bits of the state in a [`Beside`].
const STATE_BITS: u32 = MAX_STATES.ilog2();
const _: () = assert!(MAX_STATES <= 1 << STATE_BITS && MAX_SITUATIONS < 1 << (32 - STATE_BITS));

impl Beside {
    fn new(situation: usize, state: usize) -> Self {
        Self((situation as u32) << STATE_BITS | state as u32)
    }

    fn parts(self) -> (usize, usize) {
        let state = self.0 & ((1 << STATE_BITS) - 1);
        ((self.0 >> STATE_BITS) as usize, state as usize)
    }
}

/// Open ends: situations with numbers of heaps.
type Ends = BTreeSet<(usize, usize)>;

/// The open ends of positions, and what leads to them.
pub(super) struct Splits<'a> {
    machine: &'a Machine<'a>,
    situations: &'a [Situation],
    /// The edges to situations from which an open end can be reached.
    edges: Vec<Vec<Edge>>,
    ends: Ends,
}

impl<'a> Splits<'a> {
    pub(super) fn new(
        machine: &'a Machine<'a>,
        situations: &'a [Situation],
        edges: &[Vec<Edge>],
    ) -> Self {
        let mut before = vec![Vec::new(); situations.len()];
        let mut ends = Ends::new();
        let mut todo = Vec::new();
        for (at, edges) in edges.iter().enumerate() {
            for edge in edges {
                if let Some(to) = edge.to {
                    before[to].push(at);
                }
                if edge.is_open {
                    ends.insert((at, edge.heaps));
                    todo.push(at);
                }
            }
        }
        let mut matters = vec![false; situations.len()];
        while let Some(at) = todo.pop() {
            if !std::mem::replace(&mut matters[at], true) {
                todo.extend(&before[at]);
            }
        }
        let trimmed = edges.iter().map(|edges| {
            edges
                .iter()
                .map(|edge| Edge {
                    to: edge.to.filter(|&to| matters[to]),
                    ..*edge
                })
                .collect()
        });
        Self {
            machine,
            situations,
            edges: trimmed.collect(),
            ends,
        }
    }

    /// Reports whether every open end is decided by one of the schemes.
    pub(super) fn decide_all(&self, control: &mut Control) -> Result<bool, AutomatonCheckError> {
        let mut left = self.ends.clone();
        let by_size = self.by_size(control)?;
        let sequences = &mut Sequences::new();
        for class in 0..self.machine.period {
            let lacking = self.lacking(class, 2, 0, control)?;
            for taken in self.splitting_digits() {
                if left.is_empty() {
                    return Ok(true);
                }
                // Two sizes of the class differ by at least the period, so a bean is left.
                if taken < self.machine.period {
                    let known = (&by_size, &mut *sequences);
                    let undecided = self.beside_an_equal(known, &lacking, class, taken, control)?;
                    left.retain(|end| undecided.contains(end));
                }
            }
            let undecided = self.in_halves(&by_size, sequences, class, control)?;
            left.retain(|end| undecided.iter().all(|undecided| undecided.contains(end)));
        }
        Ok(left.is_empty())
    }

    fn splitting_digits(&self) -> impl Iterator<Item = usize> + use<'_> {
        let code = self.machine.code;
        (0..=code.length()).filter(|&taken| code.digit(taken) & 4 != 0)
    }

    fn is_of_class(&self, situation: usize, class: usize) -> bool {
        let state = usize::from(self.situations[situation].state);
        self.machine.residue[state] == Some(class)
    }

    /// Returns the ends of positions that lack the heaps of the scheme, or where its option is N.
    fn beside_an_equal(
        &self,
        (by_size, sequences): (&Periodic<usize>, &mut Sequences<Beside>),
        lacking: &Ends,
        class: usize,
        taken: usize,
        control: &mut Control,
    ) -> Result<Ends, AutomatonCheckError> {
        let mut undecided = lacking.clone();
        for smaller_is_equal in [true, false] {
            if undecided.len() == self.ends.len() {
                break;
            }
            let parts = |situations: &[usize], control: &mut Control| {
                self.parts_with_an_equal(situations, class, smaller_is_equal, control)
            };
            let known = (by_size, &mut *sequences);
            undecided.extend(self.undecided(known, parts, taken, class, control)?);
        }
        Ok(undecided)
    }

    /// Returns the undecided ends for each choice of `t` and `δ` for odd and for even heaps.
    fn in_halves(
        &self,
        by_size: &Periodic<usize>,
        sequences: &mut Sequences<Beside>,
        class: usize,
        control: &mut Control,
    ) -> Result<Vec<Ends>, AutomatonCheckError> {
        // Smaller heaps than this need not have such an option.
        let least = self.machine.code.length() + MAX_DIFFERENCE + 2;
        let lacking = self.lacking(class, 1, least, control)?;
        if lacking.len() == self.ends.len() {
            return Ok(Vec::new());
        }
        let mut by_parity: [Vec<Ends>; 2] = Default::default();
        for taken in self.splitting_digits() {
            for difference in 0..=MAX_DIFFERENCE {
                let parts = |situations: &[usize], control: &mut Control| {
                    self.almost_halves(situations, difference, control)
                };
                let known = (by_size, &mut *sequences);
                let undecided = self.undecided(known, parts, taken, class, control)?;
                by_parity[(taken + difference) % 2].push(undecided);
            }
        }
        let [even, odd] = &by_parity;
        let mut choices = Vec::new();
        for odd in odd {
            for even in even {
                choices.push(lacking.iter().chain(odd).chain(even).copied().collect());
            }
        }
        Ok(choices)
    }

    /// Returns the ends of positions with fewer than `wanted` sizes of a class, from size `least`
    /// on.
    fn lacking(
        &self,
        class: usize,
        wanted: usize,
        least: usize,
        control: &mut Control,
    ) -> Result<Ends, AutomatonCheckError> {
        let mut lacking = Ends::new();
        let mut met = FxHashSet::from_iter([(0, 0)]);
        let mut todo = vec![(0, 0)];
        while let Some((at, sizes)) = todo.pop() {
            control.spend(self.edges[at].len() as u64)?;
            let counts =
                self.is_of_class(at, class) && usize::from(self.situations[at].size) >= least;
            for edge in &self.edges[at] {
                let sizes = wanted.min(sizes + usize::from(counts && edge.heaps > 0));
                if edge.is_open && sizes < wanted {
                    lacking.insert((at, edge.heaps));
                }
                if let Some(to) = edge.to
                    && met.insert((to, sizes))
                {
                    todo.push((to, sizes));
                }
            }
        }
        Ok(lacking)
    }

    /// Returns the situations that matter at size 1, 2, ….
    fn by_size(&self, control: &mut Control) -> Result<Periodic<usize>, AutomatonCheckError> {
        Sequences::new().from(vec![0], control, |situations, next| {
            let edges = situations.iter().flat_map(|&at| &self.edges[at]);
            next.extend(edges.filter_map(|edge| edge.to));
        })
    }

    /// Returns the pairs one step after the greater part, if one part is beside an equal heap.
    ///
    /// A pair is a situation and the state of an option; the equal heap is of the class.
    ///
    /// The smaller part has the size of the situations.
    fn parts_with_an_equal(
        &self,
        situations: &[usize],
        class: usize,
        smaller_is_equal: bool,
        control: &mut Control,
    ) -> Result<Vec<Beside>, AutomatonCheckError> {
        let mut placed = FxHashSet::default();
        let mut met = FxHashSet::default();
        let mut todo = Vec::new();
        for &at in situations {
            let of_class = self.is_of_class(at, class);
            let state = usize::from(self.situations[at].state);
            for edge in &self.edges[at] {
                let has_equal = of_class && edge.heaps > 0;
                if smaller_is_equal && !has_equal {
                    continue;
                }
                if has_equal {
                    placed.extend(self.follow(edge, state, 2));
                }
                todo.extend(self.follow(edge, state, 1));
            }
        }
        todo.retain(|&beside| met.insert(beside));
        while let Some((at, state)) = todo.pop().map(Beside::parts) {
            control.spend(self.edges[at].len() as u64)?;
            if placed.len() + met.len() > MAX_MEMBERS {
                return Err(TOO_MANY_MEMBERS);
            }
            let of_class = self.is_of_class(at, class);
            for edge in &self.edges[at] {
                if smaller_is_equal || of_class && edge.heaps > 0 {
                    placed.extend(self.follow(edge, state, 1));
                }
                let next = self.follow(edge, state, 0);
                todo.extend(next.filter(|&beside| met.insert(beside)));
            }
        }
        Ok(as_set(placed.into_iter().collect()))
    }

    /// Returns the pairs one step after the greater part, if the parts differ by `difference`.
    ///
    /// A pair is a situation and the state of an option.
    fn almost_halves(
        &self,
        situations: &[usize],
        difference: usize,
        control: &mut Control,
    ) -> Result<Vec<Beside>, AutomatonCheckError> {
        let of_automaton = |at: usize| usize::from(self.situations[at].state);
        let situations = situations.iter();
        let mut beside: Vec<Beside> = situations
            .map(|&at| Beside::new(at, of_automaton(at)))
            .collect();
        for size in 0..=difference {
            control.spend(beside.len() as u64)?;
            if beside.len() > MAX_MEMBERS {
                return Err(TOO_MANY_MEMBERS);
            }
            let parts = usize::from(size == 0) + usize::from(size == difference);
            let mut next = Vec::new();
            self.follow_all(&beside, parts, &mut next);
            beside = as_set(next);
        }
        Ok(beside)
    }

    /// Returns the next situation, with the state of an option that has `more` heaps more here.
    fn follow(&self, edge: &Edge, state: usize, more: usize) -> Option<Beside> {
        let to = edge.to?;
        let state = self.machine.after_heaps(state, edge.heaps + more);
        Some(Beside::new(to, self.machine.step[state]))
    }

    /// Adds what follows from each of these at the next size.
    fn follow_all(&self, beside: &[Beside], more: usize, next: &mut Vec<Beside>) {
        for (at, state) in beside.iter().map(|beside| beside.parts()) {
            let edges = self.edges[at].iter();
            next.extend(edges.filter_map(|edge| self.follow(edge, state, more)));
        }
    }

    /// Returns the ends that are not P in the option that leaves these parts.
    ///
    /// `parts` maps the situations at the smaller part to those one step after the greater part.
    fn undecided(
        &self,
        (by_size, sequences): (&Periodic<usize>, &mut Sequences<Beside>),
        parts: impl Fn(&[usize], &mut Control) -> Result<Vec<Beside>, AutomatonCheckError>,
        taken: usize,
        class: usize,
        control: &mut Control,
    ) -> Result<Ends, AutomatonCheckError> {
        let mut undecided = Ends::new();
        for (at, situations) in by_size.sets.iter().enumerate() {
            let begun = parts(situations, control)?;
            if begun.is_empty() {
                continue;
            }
            let after = sequences.from(begun, control, |beside, next| {
                self.follow_all(beside, 0, next);
            })?;
            // The situations at size `at + 1`, and, if they repeat, at that size plus any number of
            // periods. From the greater part to the heap there are as many steps as the smaller
            // part and the beans taken together, and one of them is made already.
            let mut places = BTreeSet::new();
            let mut part = at + 1;
            loop {
                let steps = part + taken - 1;
                let is_known = !places.insert(after.place(steps));
                let is_repeated = is_known && steps >= after.settled;
                if at < by_size.settled || is_repeated {
                    break;
                }
                part += by_size.period();
            }
            for place in places {
                control.spend(after.sets[place].len() as u64)?;
                self.undecided_from(&after.sets[place], class, &mut undecided, control)?;
            }
        }
        Ok(undecided)
    }

    /// Adds the ends that are not P if the move is made in a heap of the present size.
    fn undecided_from(
        &self,
        beside: &[Beside],
        class: usize,
        undecided: &mut Ends,
        control: &mut Control,
    ) -> Result<(), AutomatonCheckError> {
        let mut met = FxHashSet::default();
        let mut todo = Vec::new();
        for (at, state) in beside.iter().map(|beside| beside.parts()) {
            if self.is_of_class(at, class) {
                // The option has one heap fewer than the position.
                let with_heaps = self.edges[at].iter().filter(|edge| edge.heaps > 0);
                for edge in with_heaps {
                    let state = self.machine.after_heaps(state, edge.heaps - 1);
                    self.end(at, edge, state, undecided);
                    let next = edge.to.map(|to| Beside::new(to, self.machine.step[state]));
                    todo.extend(next.filter(|&next| met.insert(next)));
                }
            }
        }
        while let Some((at, state)) = todo.pop().map(Beside::parts) {
            control.spend(self.edges[at].len() as u64)?;
            if met.len() > MAX_MEMBERS {
                return Err(TOO_MANY_MEMBERS);
            }
            for edge in &self.edges[at] {
                let state = self.machine.after_heaps(state, edge.heaps);
                self.end(at, edge, state, undecided);
                let next = edge.to.map(|to| Beside::new(to, self.machine.step[state]));
                todo.extend(next.filter(|&next| met.insert(next)));
            }
        }
        Ok(())
    }

    /// Records an open end in which an option is not P.
    fn end(&self, at: usize, edge: &Edge, state: usize, undecided: &mut Ends) {
        if edge.is_open && !self.machine.in_p[state] {
            undecided.insert((at, edge.heaps));
        }
    }
}

/// A sequence of sets in which each determines the next, and which repeats. Each is ascending.
struct Periodic<T> {
    sets: Vec<Rc<[T]>>,
    /// The place of the first set that occurs again.
    settled: usize,
}

/// All sets that occur in sequences, each with the set that follows it.
///
/// Sequences that start from different sets soon agree.
struct Sequences<T> {
    numbers: FxHashMap<Rc<[T]>, usize>,
    /// Each set with the number of the set that follows, indexed by its own number.
    sets: Vec<(Rc<[T]>, Option<usize>)>,
    /// The members of all sets.
    members: usize,
}

impl<T: Ord + Copy + std::hash::Hash> Sequences<T> {
    fn new() -> Self {
        Self {
            numbers: FxHashMap::default(),
            sets: Vec::new(),
            members: 0,
        }
    }

    /// Returns the sequence that starts with a set.
    ///
    /// `next` adds the members of the set that follows a set, in any order, and must be the same at
    /// each call.
    fn from(
        &mut self,
        first: Vec<T>,
        control: &mut Control,
        next: impl Fn(&[T], &mut Vec<T>),
    ) -> Result<Periodic<T>, AutomatonCheckError> {
        if self.members > MAX_KEPT {
            *self = Self::new();
        }
        let mut last = self.number(as_set(first));
        let mut places = FxHashMap::from_iter([(last, 0)]);
        let mut sets = vec![Rc::clone(&self.sets[last].0)];
        let mut members = sets[0].len();
        loop {
            let (set, following) = &self.sets[last];
            control.spend(1 + set.len() as u64)?;
            let following = match *following {
                Some(known) => known,
                None => {
                    let mut listed = Vec::new();
                    next(set, &mut listed);
                    let found = self.number(as_set(listed));
                    self.sets[last].1 = Some(found);
                    found
                }
            };
            if let Some(&settled) = places.get(&following) {
                return Ok(Periodic { sets, settled });
            }
            let set = Rc::clone(&self.sets[following].0);
            members += 1 + set.len();
            if members > MAX_MEMBERS {
                return Err(TOO_MANY_MEMBERS);
            }
            places.insert(following, sets.len());
            sets.push(set);
            last = following;
        }
    }

    /// Returns the number of a set, whose members must be ascending.
    fn number(&mut self, set: Vec<T>) -> usize {
        if let Some(&known) = self.numbers.get(set.as_slice()) {
            return known;
        }
        self.members += set.len();
        let (number, set): (_, Rc<[T]>) = (self.sets.len(), set.into());
        self.numbers.insert(Rc::clone(&set), number);
        self.sets.push((set, None));
        number
    }
}

impl<T> Periodic<T> {
    fn period(&self) -> usize {
        self.sets.len() - self.settled
    }

    /// Returns the place of a set in the list.
    fn place(&self, at: usize) -> usize {
        match at.checked_sub(self.settled) {
            None => at,
            Some(beyond) => self.settled + beyond % self.period(),
        }
    }
}

/// Returns the members of a list, ascending and without duplicates.
fn as_set<T: Ord>(mut members: Vec<T>) -> Vec<T> {
    members.sort_unstable();
    members.dedup();
    members
}
