//! Rho diagrams: exact representations of eventually periodic sets of positions.
//!
//! Fix heaps `h_1 < … < h_m`, the *levels*. A set of positions in which each heap's count matters
//! only up to a prefix and a cycle is a **rho diagram**. A node at level `t` stands for an
//! eventually periodic sequence of sets of lower levels, its `c`-th entry being the restriction to
//! `c` copies of `h_t`. It has two successors: its restriction to no copy of `h_t` ([`Pool::none`])
//! and its shift by one copy ([`Pool::next`]). So a sequence is a chain of nodes that ends in a
//! cycle, or in a set of lower levels, and two sequences with a common end share it. A level on
//! which nothing depends is skipped, prefixes and cycles are minimal, equal nodes are shared: two
//! diagrams are the same set iff they are the same number. (A binary decision diagram with lassos
//! for branches.)
//!
//! Shifting by the heap of a node's own level is one step along its chain, and operations are
//! remembered node by node: what was computed for a sequence need not be computed again for its
//! shifts. (With whole sequences as nodes, every operation costs the length of the sequence; where
//! quotients grow with the heaps, sequences are a hundred entries long.)
//!
//! Prices in ticks: [`TICKS_PER_STEP`] per node of an operation that is not remembered,
//! [`TICKS_PER_NODE`] per new node.

use std::hash::Hasher;

use hashbrown::HashTable;
use rustc_hash::FxHasher;

use crate::control::{Control, Stop};

/// A set of positions: the number of its node.
pub(super) type Set = u32;

/// The empty set.
pub(super) const EMPTY: Set = 0;
/// The set of all positions.
pub(super) const FULL: Set = 1;
/// The unknown part of a set, where a truncated kernel ends: of no position it is known whether it
/// is in the set. A set with an unknown part is a function with three values, and a union knows
/// what can be known of it.
pub(super) const UNKNOWN: Set = 2;

const TICKS_PER_STEP: u64 = 100;
const TICKS_PER_NODE: u64 = 200;

/// The shared nodes and what is remembered of operations on them.
#[derive(Clone)]
pub(super) struct Pool {
    nodes: Vec<Node>,
    /// Nodes outside cycles by what they stand for; with each, half of its hash, so that growing or
    /// missing reads no node.
    unique: HashTable<(u32, Set)>,
    cycles: Vec<Cycle>,
    /// Cycles by level and least rotation.
    unique_cycles: HashTable<(u32, u32)>,
    unions: Memory,
    shifts: Memory,
    /// The chains and cycles under construction; a stack, since operations nest.
    scratch: Vec<Set>,
}

#[derive(Clone, Copy)]
struct Node {
    level: u32,
    /// The restriction to no copy of the level's heap.
    none: Set,
    /// The shift by one copy.
    next: Set,
    /// The cycle of which the node is part, or [`NO_CYCLE`].
    cycle: u32,
}

/// A cycle of two nodes or more, numbered one after the other from `first` on.
#[derive(Clone, Copy)]
struct Cycle {
    first: Set,
    length: u32,
}

const NO_CYCLE: u32 = u32::MAX;

impl Pool {
    pub(super) fn new() -> Self {
        let leaf = |set: Set| Node {
            level: 0,
            none: set,
            next: set,
            cycle: NO_CYCLE,
        };
        Self {
            nodes: [EMPTY, FULL, UNKNOWN].map(leaf).to_vec(),
            unique: HashTable::new(),
            cycles: Vec::new(),
            unique_cycles: HashTable::new(),
            unions: Memory::new(),
            shifts: Memory::new(),
            scratch: Vec::new(),
        }
    }

    /// The number of nodes, a measure of memory.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The greatest level on which the set depends (0: on none).
    #[inline]
    pub(super) fn level(&self, set: Set) -> u32 {
        self.nodes[set as usize].level
    }

    /// The restriction to no copy of the heap of `level`, for a set that depends on no higher
    /// level.
    #[inline]
    pub(super) fn none(&self, set: Set, level: u32) -> Set {
        let node = self.nodes[set as usize];
        if node.level < level { set } else { node.none }
    }

    /// The shift by one copy of the heap of `level`, for a set that depends on no higher level.
    #[inline]
    pub(super) fn next(&self, set: Set, level: u32) -> Set {
        let node = self.nodes[set as usize];
        if node.level < level { set } else { node.next }
    }

    /// The value at the empty position: [`FULL`] if it is in the set, [`EMPTY`] if not, or
    /// [`UNKNOWN`].
    pub(super) fn at_zero(&self, mut set: Set) -> Set {
        while set > UNKNOWN {
            set = self.nodes[set as usize].none;
        }
        set
    }

    /// The set whose restriction to `c` copies at `level` is `sequence[c]`, and from `prefix` on
    /// periodic.
    pub(super) fn sequence(
        &mut self,
        level: u32,
        sequence: &[Set],
        prefix: usize,
        control: &mut Control,
    ) -> Result<Set, Stop> {
        control.spend(TICKS_PER_STEP * sequence.len() as u64 / 8)?;
        let base = self.scratch.len();
        self.scratch.extend_from_slice(&sequence[prefix..]);
        let mut set = self.cycle(level, base, control)?;
        for &entry in sequence[..prefix].iter().rev() {
            set = self.before(level, entry, set, control)?;
        }
        Ok(set)
    }

    /// The union of two sets.
    pub(super) fn union(
        &mut self,
        mut a: Set,
        mut b: Set,
        control: &mut Control,
    ) -> Result<Set, Stop> {
        let level = self.level(a).max(self.level(b));
        let base = self.scratch.len();
        let mut union = loop {
            (a, b) = (a.min(b), a.max(b));
            if a == b || a == EMPTY {
                break b;
            }
            if a == FULL || b == FULL {
                break FULL;
            }
            if let Some(known) = self.unions.recall(a, b) {
                break known;
            }
            let (x, y) = (self.nodes[a as usize], self.nodes[b as usize]);
            if x.level < level && y.level < level {
                break self.union(a, b, control)?;
            }
            let periodic = |node: Node| node.level < level || node.cycle != NO_CYCLE;
            if periodic(x) && periodic(y) {
                let union = self.union_of_cycles(a, b, level, control)?;
                self.unions.keep(a, b, union);
                break union;
            }
            control.spend(TICKS_PER_STEP)?;
            let none = self.union(self.none(a, level), self.none(b, level), control)?;
            self.scratch.extend([a, b, none]);
            (a, b) = (self.next(a, level), self.next(b, level));
        };
        while self.scratch.len() > base {
            let at = self.scratch.len() - 3;
            let (a, b, none) = (self.scratch[at], self.scratch[at + 1], self.scratch[at + 2]);
            self.scratch.truncate(at);
            union = self.before(level, none, union, control)?;
            self.unions.keep(a, b, union);
        }
        Ok(union)
    }

    /// The union of two sets that are periodic at `level` from the start, not both constant.
    fn union_of_cycles(
        &mut self,
        a: Set,
        b: Set,
        level: u32,
        control: &mut Control,
    ) -> Result<Set, Stop> {
        let length = lcm(self.period(a, level), self.period(b, level));
        control.spend(TICKS_PER_STEP.saturating_mul(length))?;
        let base = self.scratch.len();
        let (mut x, mut y) = (a, b);
        for _ in 0..length {
            let entry = self.union(self.none(x, level), self.none(y, level), control)?;
            self.scratch.push(entry);
            (x, y) = (self.next(x, level), self.next(y, level));
        }
        self.cycle(level, base, control)
    }

    /// The length of the cycle of a set that is periodic at `level`.
    fn period(&self, set: Set, level: u32) -> u32 {
        let node = self.nodes[set as usize];
        if node.level < level || node.cycle == NO_CYCLE {
            1
        } else {
            self.cycles[node.cycle as usize].length
        }
    }

    /// The set of positions `Y` such that `Y` and one more heap of `by` is in `set`.
    pub(super) fn shift(
        &mut self,
        mut set: Set,
        by: u32,
        control: &mut Control,
    ) -> Result<Set, Stop> {
        let level = self.level(set);
        let base = self.scratch.len();
        let mut shifted = loop {
            let node = self.nodes[set as usize];
            if node.level <= by {
                break self.next(set, by);
            }
            if let Some(known) = self.shifts.recall(set, by) {
                break known;
            }
            if node.level < level {
                break self.shift(set, by, control)?;
            }
            control.spend(TICKS_PER_STEP)?;
            if node.cycle != NO_CYCLE {
                let shifted = self.shift_of_cycle(set, by, control)?;
                self.shifts.keep(set, by, shifted);
                break shifted;
            }
            let none = self.shift(node.none, by, control)?;
            self.scratch.extend([set, none]);
            set = node.next;
        };
        while self.scratch.len() > base {
            let at = self.scratch.len() - 2;
            let (set, none) = (self.scratch[at], self.scratch[at + 1]);
            self.scratch.truncate(at);
            shifted = self.before(level, none, shifted, control)?;
            self.shifts.keep(set, by, shifted);
        }
        Ok(shifted)
    }

    fn shift_of_cycle(&mut self, set: Set, by: u32, control: &mut Control) -> Result<Set, Stop> {
        let level = self.level(set);
        let length = self.period(set, level);
        control.spend(TICKS_PER_STEP * u64::from(length))?;
        let base = self.scratch.len();
        let mut at = set;
        for _ in 0..length {
            let entry = self.shift(self.nodes[at as usize].none, by, control)?;
            self.scratch.push(entry);
            at = self.nodes[at as usize].next;
        }
        self.cycle(level, base, control)
    }

    /// The set that is `none` without a heap of `level`, and `next` once one is taken away from
    /// where there are some.
    fn before(
        &mut self,
        level: u32,
        none: Set,
        next: Set,
        control: &mut Control,
    ) -> Result<Set, Stop> {
        if none == next {
            return Ok(none);
        }
        let following = self.nodes[next as usize];
        if following.cycle != NO_CYCLE && following.level == level {
            // An entry before the cycle that equals the cycle's last belongs to the cycle: the
            // cycle turns back by one.
            let Cycle { first, length } = self.cycles[following.cycle as usize];
            let back = if next == first {
                first + length - 1
            } else {
                next - 1
            };
            if self.nodes[back as usize].none == none {
                return Ok(back);
            }
        }
        let hash = hash([level, none, next]);
        let nodes = &self.nodes;
        let same = |&(other, id): &(u32, Set)| {
            other == hash && {
                let node = nodes[id as usize];
                node.level == level && node.none == none && node.next == next
            }
        };
        if let Some(&(_, id)) = self.unique.find(spread(hash), same) {
            return Ok(id);
        }
        control.spend(TICKS_PER_NODE)?;
        let id = self.nodes.len() as Set;
        self.nodes.push(Node {
            level,
            none,
            next,
            cycle: NO_CYCLE,
        });
        self.unique
            .insert_unique(spread(hash), (hash, id), |&(hash, _)| spread(hash));
        Ok(id)
    }

    /// The set whose restrictions at `level` repeat what stands in the scratch space from `base`
    /// on, which is cleared.
    fn cycle(&mut self, level: u32, base: usize, control: &mut Control) -> Result<Set, Stop> {
        let entries = &self.scratch[base..];
        let length = entries.len();
        let is_period =
            |&p: &usize| length.is_multiple_of(p) && entries[p..] == entries[..length - p];
        let primitive = (1..=length / 2).find(is_period).unwrap_or(length);
        self.scratch.truncate(base + primitive);
        let entries = &mut self.scratch[base..];
        if let [only] = *entries {
            self.scratch.truncate(base);
            return Ok(only);
        }
        let turn = least_rotation(entries);
        entries.rotate_left(turn);
        let hash = hash(std::iter::once(level).chain(entries.iter().copied()));
        let (nodes, cycles, entries) = (&self.nodes, &self.cycles, &self.scratch[base..]);
        let same = |&(other, id): &(u32, u32)| {
            other == hash && {
                let Cycle { first, length } = cycles[id as usize];
                let members = &nodes[first as usize..(first + length) as usize];
                members[0].level == level
                    && members
                        .iter()
                        .map(|node| node.none)
                        .eq(entries.iter().copied())
            }
        };
        let first = match self.unique_cycles.find(spread(hash), same) {
            Some(&(_, id)) => self.cycles[id as usize].first,
            None => {
                let length = entries.len() as u32;
                control.spend(TICKS_PER_NODE * u64::from(length))?;
                let (id, first) = (self.cycles.len() as u32, self.nodes.len() as Set);
                let members = (0..length).map(|at| Node {
                    level,
                    none: self.scratch[base + at as usize],
                    next: first + (at + 1) % length,
                    cycle: id,
                });
                self.nodes.extend(members);
                self.cycles.push(Cycle { first, length });
                self.unique_cycles
                    .insert_unique(spread(hash), (hash, id), |&(hash, _)| spread(hash));
                first
            }
        };
        let set = first + ((primitive - turn) % primitive) as Set;
        self.scratch.truncate(base);
        Ok(set)
    }
}

/// The number of places by which a primitive sequence must be rotated to the left to be the
/// lexicographically least of its rotations.
///
/// Two candidates run against each other; a mismatch rules out as many starts as were compared.
/// Linear time.
fn least_rotation(sequence: &[Set]) -> usize {
    let length = sequence.len();
    let at = |place: usize| sequence[place % length];
    let (mut one, mut other, mut equal) = (0, 1, 0);
    while one < length && other < length && equal < length {
        match at(one + equal).cmp(&at(other + equal)) {
            std::cmp::Ordering::Equal => {
                equal += 1;
                continue;
            }
            std::cmp::Ordering::Less => other += equal + 1,
            std::cmp::Ordering::Greater => one += equal + 1,
        }
        if one == other {
            other += 1;
        }
        equal = 0;
    }
    one.min(other)
}

fn lcm(a: u32, b: u32) -> u64 {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    u64::from(a / x) * u64::from(b)
}

fn hash(words: impl IntoIterator<Item = u32>) -> u32 {
    let mut hasher = FxHasher::default();
    words.into_iter().for_each(|word| hasher.write_u32(word));
    (hasher.finish() >> 32) as u32
}

/// The hash table wants 64 bits with entropy at both ends.
fn spread(hash: u32) -> u64 {
    u64::from(hash).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// A memory of results that forgets: each pair of arguments has one place, and a later result takes
/// it.
///
/// It grows with the number of results up to [`Memory::MOST`] places, so that it is small for small
/// games and bounded for great ones. What it forgets is computed again; results and fuel stay
/// deterministic.
#[derive(Clone)]
struct Memory {
    places: Vec<[u32; 3]>,
    /// Results kept since the memory was last made larger.
    kept: usize,
}

impl Memory {
    const LEAST: usize = 1 << 10;
    const MOST: usize = 1 << 24;

    fn new() -> Self {
        Self {
            places: vec![[u32::MAX; 3]; Self::LEAST],
            kept: 0,
        }
    }

    #[inline]
    fn place(&self, a: u32, b: u32) -> usize {
        let mixed = (u64::from(a) << 32 | u64::from(b)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed >> 32) as usize & (self.places.len() - 1)
    }

    #[inline]
    fn recall(&self, a: u32, b: u32) -> Option<u32> {
        let [x, y, result] = self.places[self.place(a, b)];
        (x == a && y == b).then_some(result)
    }

    #[inline]
    fn keep(&mut self, a: u32, b: u32, result: u32) {
        self.kept += 1;
        if self.kept > self.places.len() && self.places.len() < Self::MOST {
            self.kept = 0;
            let grown = vec![[u32::MAX; 3]; self.places.len() * 4];
            for entry in std::mem::replace(&mut self.places, grown) {
                let place = self.place(entry[0], entry[1]);
                self.places[place] = entry;
            }
        }
        let place = self.place(a, b);
        self.places[place] = [a, b, result];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The multiples of `period` from `from` on, at `level`.
    fn multiples(pool: &mut Pool, level: u32, from: usize, period: usize) -> Set {
        let sequence: Vec<Set> = (0..from + period)
            .map(|c| {
                if c >= from && c.is_multiple_of(period) {
                    FULL
                } else {
                    EMPTY
                }
            })
            .collect();
        pool.sequence(level, &sequence, from, &mut Control::unlimited())
            .unwrap()
    }

    fn contains(pool: &Pool, set: Set, counts: [u32; 2]) -> bool {
        let copies = |set: Set, level: u32, count: u32| {
            pool.none((0..count).fold(set, |set, _| pool.next(set, level)), level)
        };
        copies(copies(set, 2, counts[1]), 1, counts[0]) == FULL
    }

    #[test]
    fn equal_sets_are_equal_numbers() {
        let mut pool = Pool::new();
        let control = &mut Control::unlimited();
        let even = multiples(&mut pool, 1, 0, 2);
        let long = pool.sequence(1, &[FULL, EMPTY, FULL, EMPTY, FULL, EMPTY], 2, control);
        assert_eq!(long, Ok(even));
        let odd = pool.shift(even, 1, control).unwrap();
        assert_eq!(pool.union(even, odd, control), Ok(FULL));
        assert_eq!(pool.sequence(2, &[even, even], 1, control), Ok(even));
    }

    #[test]
    fn union_and_shift_by_enumeration() {
        let mut pool = Pool::new();
        let control = &mut Control::unlimited();
        let (a, b) = (multiples(&mut pool, 1, 3, 2), multiples(&mut pool, 1, 1, 3));
        let (c, d) = (
            pool.sequence(2, &[a, b, EMPTY, b], 2, control).unwrap(),
            multiples(&mut pool, 2, 2, 3),
        );
        let union = pool.union(c, d, control).unwrap();
        for level in [1, 2] {
            let shifted = pool.shift(union, level, control).unwrap();
            for x in 0..20 {
                for y in 0..20 {
                    let either = contains(&pool, c, [x, y]) || contains(&pool, d, [x, y]);
                    assert_eq!(contains(&pool, union, [x, y]), either);
                    let moved = if level == 1 { [x + 1, y] } else { [x, y + 1] };
                    assert_eq!(
                        contains(&pool, shifted, [x, y]),
                        contains(&pool, union, moved)
                    );
                }
            }
        }
    }
}
