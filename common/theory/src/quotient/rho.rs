//! How is an eventually periodic set of positions kept exactly?
//!
//! Fix heaps `h_1 < … < h_m`, the *levels*. A set of positions in which each heap's count matters only up to a prefix and
//! a cycle is a **rho diagram**: a node at level `t` is an eventually periodic sequence of nodes of lower levels, its
//! `c`-th entry being the restriction to `c` copies of `h_t`. Prefix and cycle are minimal, a level on which nothing
//! depends is skipped, and equal nodes are shared, so two diagrams are the same set iff they are the same number.
//! (A binary decision diagram with lassos for branches.)
//!
//! Prices in ticks: [`TICKS_PER_STEP`] per operation that is not remembered, [`TICKS_PER_CHILD`] per entry it makes, [`TICKS_PER_NODE`]
//! per new node.

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
/// Nobody knows of any position whether it is in the set: where a truncated kernel ends. A set of which some is unknown
/// is a function with three values, and a union knows what can be known of it.
pub(super) const UNKNOWN: Set = 2;

const TICKS_PER_STEP: u64 = 150;
const TICKS_PER_CHILD: u64 = 20;
const TICKS_PER_NODE: u64 = 250;

/// The shared nodes and what is remembered of operations on them.
pub(super) struct Pool {
    nodes: Vec<Node>,
    entries: Vec<Set>,
    /// The nodes by their sequence; with each, half of its hash, so that growing or missing reads no sequence.
    unique: HashTable<(u32, Set)>,
    unions: Memory,
    shifts: Memory,
    /// Where sequences under construction are kept; a stack, since operations nest.
    scratch: Vec<Set>,
}

#[derive(Clone, Copy)]
struct Node {
    level: u32,
    start: u32,
    prefix: u32,
    cycle: u32,
}

impl Pool {
    pub(super) fn new() -> Self {
        let leaf = Node {
            level: 0,
            start: 0,
            prefix: 0,
            cycle: 0,
        };
        Self {
            nodes: vec![leaf; 3],
            entries: Vec::new(),
            unique: HashTable::new(),
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

    /// The restriction to `count` copies of the heap of `level`, for a set that depends on no higher level.
    #[inline]
    pub(super) fn restrict(&self, set: Set, level: u32, count: u32) -> Set {
        let node = self.nodes[set as usize];
        if node.level < level {
            return set;
        }
        self.entries[(node.start + position(count, node.prefix, node.cycle)) as usize]
    }

    /// Prefix and cycle of the sequence of restrictions at `level`.
    pub(super) fn lasso(&self, set: Set, level: u32) -> (u32, u32) {
        let node = self.nodes[set as usize];
        if node.level < level {
            (0, 1)
        } else {
            (node.prefix, node.cycle)
        }
    }

    /// Of the empty position: [`FULL`] if it is in the set, [`EMPTY`] if not, or [`UNKNOWN`].
    pub(super) fn at_zero(&self, mut set: Set) -> Set {
        while set > UNKNOWN {
            set = self.entries[self.nodes[set as usize].start as usize];
        }
        set
    }

    /// The set whose restriction to `c` copies at `level` is `sequence[c]`, and from `prefix` on periodic.
    pub(super) fn sequence(
        &mut self,
        level: u32,
        sequence: &[Set],
        prefix: usize,
        control: &mut Control,
    ) -> Result<Set, Stop> {
        let base = self.scratch.len();
        self.scratch.extend_from_slice(sequence);
        self.intern(level, base, prefix, control)
    }

    /// The union of two sets.
    pub(super) fn union(&mut self, a: Set, b: Set, control: &mut Control) -> Result<Set, Stop> {
        if a == b || b == EMPTY || a == FULL {
            return Ok(a);
        }
        if a == EMPTY || b == FULL {
            return Ok(b);
        }
        let (a, b) = (a.min(b), a.max(b));
        if let Some(known) = self.unions.recall(a, b) {
            return Ok(known);
        }
        let level = self.level(a).max(self.level(b));
        let ((prefix_a, cycle_a), (prefix_b, cycle_b)) =
            (self.lasso(a, level), self.lasso(b, level));
        let prefix = prefix_a.max(prefix_b);
        let length = u64::from(prefix) + lcm(cycle_a, cycle_b);
        control.spend(TICKS_PER_STEP + TICKS_PER_CHILD * length)?;
        let base = self.scratch.len();
        for count in 0..length as u32 {
            let entry = self.union(
                self.restrict(a, level, count),
                self.restrict(b, level, count),
                control,
            )?;
            self.scratch.push(entry);
        }
        let union = self.intern(level, base, prefix as usize, control)?;
        self.unions.keep(a, b, union, self.nodes.len());
        Ok(union)
    }

    /// The set of positions `Y` such that `Y` and one more heap of `level` is in `set`.
    pub(super) fn shift(
        &mut self,
        set: Set,
        level: u32,
        control: &mut Control,
    ) -> Result<Set, Stop> {
        let node = self.nodes[set as usize];
        if node.level < level {
            return Ok(set);
        }
        if let Some(known) = self.shifts.recall(set, level) {
            return Ok(known);
        }
        let length = node.prefix + node.cycle;
        control.spend(TICKS_PER_STEP + TICKS_PER_CHILD * u64::from(length))?;
        let base = self.scratch.len();
        let shifted = if node.level == level {
            let range = node.start as usize..(node.start + length) as usize;
            self.scratch.extend_from_slice(&self.entries[range]);
            if node.prefix > 0 {
                self.scratch.remove(base);
            } else {
                self.scratch[base..].rotate_left(1);
            }
            self.intern(level, base, node.prefix.saturating_sub(1) as usize, control)?
        } else {
            for at in node.start..node.start + length {
                let entry = self.shift(self.entries[at as usize], level, control)?;
                self.scratch.push(entry);
            }
            self.intern(node.level, base, node.prefix as usize, control)?
        };
        self.shifts.keep(set, level, shifted, self.nodes.len());
        Ok(shifted)
    }

    /// The node of the sequence that stands in the scratch space from `base` on, which is cleared.
    fn intern(
        &mut self,
        level: u32,
        base: usize,
        prefix: usize,
        control: &mut Control,
    ) -> Result<Set, Stop> {
        let prefix = self.make_minimal(base, prefix);
        let sequence = &self.scratch[base..];
        if prefix == 0 && sequence.len() == 1 {
            let only = sequence[0];
            self.scratch.truncate(base);
            return Ok(only);
        }
        let hash = hash_sequence(level, prefix as u32, sequence);
        let (nodes, entries) = (&self.nodes, &self.entries);
        let same = |&(other, id): &(u32, Set)| {
            other == hash && {
                let node = nodes[id as usize];
                node.level == level
                    && node.prefix as usize == prefix
                    && entries[node.start as usize..][..(node.prefix + node.cycle) as usize]
                        == *sequence
            }
        };
        let found = self.unique.find(spread(hash), same).map(|&(_, id)| id);
        let id = match found {
            Some(id) => id,
            None => {
                control.spend(TICKS_PER_NODE)?;
                let id = nodes.len() as Set;
                let node = Node {
                    level,
                    start: entries.len() as u32,
                    prefix: prefix as u32,
                    cycle: (sequence.len() - prefix) as u32,
                };
                self.nodes.push(node);
                self.entries.extend_from_slice(sequence);
                self.unique
                    .insert_unique(spread(hash), (hash, id), |&(hash, _)| spread(hash));
                id
            }
        };
        self.scratch.truncate(base);
        Ok(id)
    }

    /// Makes the sequence from `base` on minimal: primitive cycle, then shortest prefix. Returns the new prefix.
    fn make_minimal(&mut self, base: usize, mut prefix: usize) -> usize {
        let cycle = self.scratch.len() - base - prefix;
        if cycle > 1 {
            let sequence = &self.scratch[base + prefix..];
            let is_period =
                |&p: &usize| cycle.is_multiple_of(p) && sequence[p..] == sequence[..cycle - p];
            let primitive = (1..=cycle / 2).find(is_period).unwrap_or(cycle);
            self.scratch.truncate(base + prefix + primitive);
        }
        // An entry before the cycle that equals the cycle's last belongs to the cycle: the cycle turns back by one.
        while prefix > 0 && self.scratch[base + prefix - 1] == self.scratch[self.scratch.len() - 1]
        {
            self.scratch.pop();
            prefix -= 1;
        }
        prefix
    }
}

/// The place of the `count`-th entry of a sequence with that prefix and cycle.
#[inline]
fn position(count: u32, prefix: u32, cycle: u32) -> u32 {
    if count < prefix + cycle {
        count
    } else {
        prefix + (count - prefix) % cycle
    }
}

fn lcm(a: u32, b: u32) -> u64 {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    u64::from(a / x) * u64::from(b)
}

fn hash_sequence(level: u32, prefix: u32, sequence: &[Set]) -> u32 {
    let mut hasher = FxHasher::default();
    hasher.write_u64(u64::from(level) << 32 | u64::from(prefix));
    for &entry in sequence {
        hasher.write_u32(entry);
    }
    (hasher.finish() >> 32) as u32
}

/// The hash table wants 64 bits with entropy at both ends.
fn spread(hash: u32) -> u64 {
    u64::from(hash).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// A memory of results that forgets: each pair of arguments has one place, and a later result takes it.
///
/// It grows with the number of nodes up to [`Memory::MOST`] places, so that it is small for small games and bounded for
/// great ones. What it forgets is computed again; results and fuel stay deterministic.
struct Memory {
    places: Vec<[u32; 3]>,
}

impl Memory {
    const LEAST: usize = 1 << 10;
    const MOST: usize = 1 << 22;

    fn new() -> Self {
        Self {
            places: vec![[u32::MAX; 3]; Self::LEAST],
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
    fn keep(&mut self, a: u32, b: u32, result: u32, nodes: usize) {
        if nodes > self.places.len() && self.places.len() < Self::MOST {
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
        pool.restrict(pool.restrict(set, 2, counts[1]), 1, counts[0]) == FULL
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
