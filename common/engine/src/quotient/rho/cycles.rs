//! Cycles of nodes, each made once for all its rotations.

use misere_game::control::{Control, Stop};

use super::{Cycle, Node, Pool, Set, TICKS_PER_NODE, hash};

impl Pool {
    /// Returns the set whose restrictions at `level` repeat the scratch space from `base` on.
    ///
    /// Clears that part of the scratch space.
    pub(super) fn cycle(
        &mut self,
        level: u32,
        base: usize,
        control: &mut Control,
    ) -> Result<Set, Stop> {
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
        let entries = &self.scratch[base..];
        let same = |first| self.is_cycle(first, level, entries);
        let first = match self.unique_cycles.find(hash, same) {
            Ok(first) => first,
            Err(place) => {
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
                self.unique_cycles.insert(place, hash, first);
                first
            }
        };
        let set = first + ((primitive - turn) % primitive) as Set;
        self.scratch.truncate(base);
        Ok(set)
    }

    /// Reports whether the cycle that begins with `first` has this level and these restrictions.
    fn is_cycle(&self, first: Set, level: u32, restrictions: &[Set]) -> bool {
        let first_at = first as usize;
        let members = self.nodes.get(first_at..first_at + restrictions.len());
        let Some(members @ [node, .., last]) = members else {
            return false;
        };
        // The last node leads back to the first; a node that only precedes a shorter cycle does
        // not.
        let ends_here = last.next == first && last.cycle == node.cycle;
        let restrictions_of = members.iter().map(|node| &node.none);
        ends_here && node.level == level && restrictions_of.eq(restrictions)
    }
}

/// Returns the left rotation that gives the least of a primitive sequence's rotations.
///
/// The order is lexicographic.
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

#[cfg(test)]
mod tests {
    use super::super::{EMPTY, FULL};
    use super::*;

    /// A node that leads to a cycle and is numbered right after it does not count as part of it.
    #[test]
    fn cycle_ends_before_the_node_that_leads_to_it() {
        let mut pool = Pool::new();
        let control = &mut Control::unlimited();
        let one = pool.sequence(1, &[FULL, EMPTY], 1, control).unwrap();
        let even = pool.sequence(2, &[FULL, EMPTY], 0, control).unwrap();
        let Cycle { first, length } = pool.cycles[0];
        assert_eq!((length, even >= first), (2, true));
        let leading = pool.before(2, one, first, control).unwrap();
        assert_eq!(leading, first + length);
        let restrictions: Vec<Set> = (first..=leading).map(|set| pool.none(set, 2)).collect();
        assert!(pool.is_cycle(first, 2, &restrictions[..2]));
        assert!(!pool.is_cycle(first, 2, &restrictions));
        assert!(!pool.is_cycle(first, 1, &restrictions[..2]));
        assert!(!pool.is_cycle(first + 1, 2, &[restrictions[1], restrictions[0]]));
    }
}
