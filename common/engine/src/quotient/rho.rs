//! Rho diagrams: exact representations of eventually periodic sets of positions.
//!
//! Fix heaps `h_1 < … < h_m`, the *levels*. A set of positions in which each heap's count matters
//! only up to a prefix and a cycle is a **rho diagram**. A node at level `t` represents an
//! eventually periodic sequence of sets of lower levels, its `c`-th entry being the restriction to
//! `c` copies of `h_t`. It has two successors: its restriction to no copy of `h_t` ([`Pool::none`])
//! and its shift by one copy ([`Pool::next`]). So a sequence is a chain of nodes that ends in a
//! cycle, or in a set of lower levels, and two sequences with a common end share it. A level on
//! which nothing depends is skipped, prefixes and cycles are minimal, equal nodes are shared: two
//! diagrams are the same set iff they are the same number. (A binary decision diagram with lassos
//! for branches.)
//!
//! Shifting by the heap of a node's own level is one step along its chain, and operations are
//! remembered node by node: results for a sequence need not be computed again for its shifts. (With
//! whole sequences as nodes, every operation costs the length of the sequence; if quotients grow
//! with the heaps, sequences are a hundred entries long.)
//!
//! Prices in ticks: [`TICKS_PER_STEP`] per node of an operation that is not remembered,
//! [`TICKS_PER_NODE`] per new node.

mod cycles;
mod memory;
mod unique;

use prefetch_index::prefetch_index;

use memory::Memory;
use misere_game::control::{Control, Stop};
use unique::Unique;

/// A set of positions: the number of its node.
pub(super) type Set = u32;

/// The empty set.
pub(super) const EMPTY: Set = 0;
/// The set of all positions.
pub(super) const FULL: Set = 1;
/// The unknown part of a set, where a truncated kernel ends.
///
/// It is unknown for every position whether it is in the set. A set with an unknown part is a
/// function with three values, and a union keeps everything that can be known of it.
pub(super) const UNKNOWN: Set = 2;

const TICKS_PER_STEP: u64 = 100;
const TICKS_PER_NODE: u64 = 200;

/// The shared nodes and the remembered results of operations on them.
#[derive(Clone)]
pub(super) struct Pool {
    nodes: Vec<Node>,
    /// Nodes outside cycles by what they represent.
    unique: Unique,
    cycles: Vec<Cycle>,
    /// The first nodes of cycles by level and least rotation.
    unique_cycles: Unique,
    unions: Memory,
    shifts: Memory,
    /// The chains and cycles under construction; a stack, since operations nest.
    scratch: Vec<Set>,
    /// The unions under construction, another stack.
    pending: Vec<PendingUnion>,
}

/// A union of two nodes whose restriction to no copy of the level's heap is known already.
#[derive(Clone, Copy)]
struct PendingUnion {
    a: Set,
    b: Set,
    none: Set,
    /// The union of the shifts by one copy with which the whole union is `a`, or [`NO_SET`].
    next_if_a: Set,
    next_if_b: Set,
}

const NO_SET: Set = u32::MAX;

#[derive(Clone, Copy)]
struct Node {
    level: u32,
    /// The restriction to no copy of the level's heap.
    none: Set,
    /// The shift by one copy.
    next: Set,
    /// The cycle that contains the node, or [`NO_CYCLE`].
    cycle: u32,
}

impl Node {
    /// Returns the restriction to no copy of the heap of `level`, where this is the node of `set`.
    #[inline]
    fn none_at(self, level: u32, set: Set) -> Set {
        if self.level < level { set } else { self.none }
    }

    /// Returns the shift by one copy of the heap of `level`, where this is the node of `set`.
    #[inline]
    fn next_at(self, level: u32, set: Set) -> Set {
        if self.level < level { set } else { self.next }
    }
}

/// A cycle of at least two nodes, numbered consecutively from `first` on.
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
            unique: Unique::new(),
            cycles: Vec::new(),
            unique_cycles: Unique::new(),
            unions: Memory::new(),
            shifts: Memory::new(),
            scratch: Vec::new(),
            pending: Vec::new(),
        }
    }

    /// Returns the number of nodes, a measure of memory.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the greatest level on which the set depends (0: on none).
    #[inline]
    pub(super) fn level(&self, set: Set) -> u32 {
        self.nodes[set as usize].level
    }

    /// Returns the restriction to no copy of the heap of `level`.
    ///
    /// The set must not depend on a higher level.
    #[inline]
    pub(super) fn none(&self, set: Set, level: u32) -> Set {
        self.nodes[set as usize].none_at(level, set)
    }

    /// Returns the shift by one copy of the heap of `level`.
    ///
    /// The set must not depend on a higher level.
    #[inline]
    pub(super) fn next(&self, set: Set, level: u32) -> Set {
        self.nodes[set as usize].next_at(level, set)
    }

    /// Returns the value of each set at the empty position.
    ///
    /// It is [`FULL`] if the position is in the set, [`EMPTY`] if not, or [`UNKNOWN`].
    ///
    /// Cost: one step for each node that is reached from the sets by restrictions to no copy.
    pub(super) fn at_zero(&self, sets: &[Set]) -> Vec<Set> {
        // The known values plus 1: zeros that are never touched cost nothing.
        let mut known = vec![0_u8; self.nodes.len()];
        let value = |&set: &Set| {
            let mut at = set;
            while at > UNKNOWN && known[at as usize] == 0 {
                at = self.nodes[at as usize].none;
            }
            let value = match known[at as usize] {
                0 => at,
                value => Set::from(value) - 1,
            };
            let mut on_path = set;
            while on_path != at {
                known[on_path as usize] = value as u8 + 1;
                on_path = self.nodes[on_path as usize].none;
            }
            value
        };
        sets.iter().map(value).collect()
    }

    /// Returns the set with the restriction `sequence[c]` to `c` copies at `level`.
    ///
    /// The sequence is periodic from `prefix` on.
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

    /// Returns the union of two sets.
    pub(super) fn union(
        &mut self,
        mut a: Set,
        mut b: Set,
        control: &mut Control,
    ) -> Result<Set, Stop> {
        let level = self.level(a).max(self.level(b));
        let base = self.pending.len();
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
            let (none_a, none_b) = (x.none_at(level, a), y.none_at(level, b));
            let (next_a, next_b) = (x.next_at(level, a), y.next_at(level, b));
            self.expect_union(next_a, next_b, level);
            let none = self.union(none_a, none_b, control)?;
            self.pending.push(PendingUnion {
                a,
                b,
                none,
                next_if_a: if none == none_a { next_a } else { NO_SET },
                next_if_b: if none == none_b { next_b } else { NO_SET },
            });
            (a, b) = (next_a, next_b);
        };
        while self.pending.len() > base
            && let Some(pending) = self.pending.pop()
        {
            // If one of the two contains the other, no search is needed.
            union = if union == pending.next_if_a {
                pending.a
            } else if union == pending.next_if_b {
                pending.b
            } else {
                self.before(level, pending.none, union, control)?
            };
            self.unions.keep(pending.a, pending.b, union);
        }
        Ok(union)
    }

    /// Prefetches the start of the union of the next two sets of a chain, and the nodes after them.
    #[inline]
    fn expect_union(&self, a: Set, b: Set, level: u32) {
        let (x, y) = (self.nodes[a as usize], self.nodes[b as usize]);
        let (none_a, none_b) = (x.none_at(level, a), y.none_at(level, b));
        self.unions.expect(a.min(b), a.max(b));
        self.unions.expect(none_a.min(none_b), none_a.max(none_b));
        prefetch_index(&self.nodes, x.next as usize);
        prefetch_index(&self.nodes, y.next as usize);
    }

    /// Returns the union of two sets that are periodic at `level` from the start.
    ///
    /// At most one of them is constant.
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
        let mut entries = (self.none(x, level), self.none(y, level));
        for _ in 0..length {
            (x, y) = (self.next(x, level), self.next(y, level));
            let following = (self.none(x, level), self.none(y, level));
            self.unions
                .expect(following.0.min(following.1), following.0.max(following.1));
            let entry = self.union(entries.0, entries.1, control)?;
            self.scratch.push(entry);
            entries = following;
        }
        self.cycle(level, base, control)
    }

    /// Returns the length of the cycle of a set that is periodic at `level`.
    fn period(&self, set: Set, level: u32) -> u32 {
        let node = self.nodes[set as usize];
        if node.level < level || node.cycle == NO_CYCLE {
            1
        } else {
            self.cycles[node.cycle as usize].length
        }
    }

    /// Returns the set of positions `Y` such that `Y` and one more heap of `by` is in `set`.
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
            prefetch_index(&self.nodes, node.next as usize);
            self.shifts.expect(node.next, by);
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
        let mut at = self.nodes[set as usize];
        for _ in 0..length {
            let following = self.nodes[at.next as usize];
            self.shifts.expect(following.none, by);
            let entry = self.shift(at.none, by, control)?;
            self.scratch.push(entry);
            at = following;
        }
        self.cycle(level, base, control)
    }

    /// Returns the set with restriction `none` to no heap of `level` and shift `next` by one copy.
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
            // An entry before the cycle that equals the cycle's last entry belongs to the cycle,
            // which is rotated back by one.
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
        let same = |id: Set| {
            let node = nodes[id as usize];
            node.level == level && node.none == none && node.next == next
        };
        let place = match self.unique.find(hash, same) {
            Ok(id) => return Ok(id),
            Err(place) => place,
        };
        control.spend(TICKS_PER_NODE)?;
        let id = self.nodes.len() as Set;
        self.nodes.push(Node {
            level,
            none,
            next,
            cycle: NO_CYCLE,
        });
        self.unique.insert(place, hash, id);
        Ok(id)
    }
}

fn lcm(a: u32, b: u32) -> u64 {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    u64::from(a / x) * u64::from(b)
}

/// Mixes words as `FxHasher` does where a pointer has 64 bits.
///
/// Where a pointer has 32 bits, as in a browser, `FxHasher` itself has 32 bits only, and no upper
/// half.
fn hash(words: impl IntoIterator<Item = u32>) -> u32 {
    const FACTOR: u64 = 0xf135_7aea_2e62_a9c5;
    let mix = |sum: u64, word: u32| (sum.wrapping_add(word.into())).wrapping_mul(FACTOR);
    let mixed = words.into_iter().fold(0, mix);
    (mixed.rotate_left(26) >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The union of a set with a part of it is the set itself, and makes no node.
    #[test]
    fn union_with_a_part_makes_no_node() {
        let mut pool = Pool::new();
        let control = &mut Control::unlimited();
        let thirds = multiples(&mut pool, 2, 4, 3);
        let sixths = multiples(&mut pool, 2, 4, 6);
        let some = pool.union(sixths, thirds, control).unwrap();
        let nodes = pool.len();
        assert_eq!(pool.union(thirds, some, control), Ok(some));
        assert_eq!(pool.union(some, sixths, control), Ok(some));
        assert_eq!(pool.len(), nodes);
    }

    /// Returns the multiples of `period` from `from` on, at `level`.
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
