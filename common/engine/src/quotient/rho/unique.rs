//! The table by which equal nodes are one node.

use super::Set;

/// Nodes by the hashes of what they represent, in a table of open addressing with linear probing.
///
/// The table is read at random and is often far larger than the caches of the processor. A search
/// that finds a node waits for one place of the table and for the node, and a search that finds
/// none waits for one place. (Tables that store a byte of each hash separately wait once more.)
#[derive(Clone)]
pub(super) struct Unique {
    /// A hash and the node that has it. The node 0 is a leaf, and marks a free place.
    places: Vec<[u32; 2]>,
    nodes: usize,
}

const FREE: Set = 0;

impl Unique {
    const MIN_PLACES: usize = 1 << 6;

    pub(super) fn new() -> Self {
        Self {
            places: vec![[0, FREE]; Self::MIN_PLACES],
            nodes: 0,
        }
    }

    /// Returns the node with this hash that is the `same`, or the free place where it belongs.
    #[inline]
    pub(super) fn find(&self, hash: u32, same: impl Fn(Set) -> bool) -> Result<Set, usize> {
        let mask = self.places.len() - 1;
        let mut place = (u64::from(hash).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize & mask;
        loop {
            match self.places[place] {
                [_, FREE] => return Err(place),
                [other, node] if other == hash && same(node) => return Ok(node),
                _ => place = (place + 1) & mask,
            }
        }
    }

    /// Puts a node other than 0 into the place that [`find`](Self::find) gave for its hash.
    ///
    /// At least a quarter of the places stays free.
    pub(super) fn insert(&mut self, place: usize, hash: u32, node: Set) {
        self.places[place] = [hash, node];
        self.nodes += 1;
        if self.nodes > self.places.len() / 4 * 3 {
            let grown = vec![[0, FREE]; self.places.len() * 2];
            for entry in std::mem::replace(&mut self.places, grown) {
                if entry[1] != FREE
                    && let Err(place) = self.find(entry[0], |_| false)
                {
                    self.places[place] = entry;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nodes are found again by what they represent, whether all hashes are equal, all different,
    /// or partly equal.
    #[test]
    fn nodes_are_found_with_any_hashes() {
        for hash_of in [|_| 7, |node| node, |node: u32| node / 10] {
            let mut unique = Unique::new();
            for node in 1..2_000 {
                let place = unique.find(hash_of(node), |other| other == node);
                unique.insert(place.unwrap_err(), hash_of(node), node);
            }
            for node in 1..2_000 {
                assert_eq!(unique.find(hash_of(node), |other| other == node), Ok(node));
            }
            assert!(unique.find(hash_of(5), |other| other == 2_000).is_err());
        }
    }
}
