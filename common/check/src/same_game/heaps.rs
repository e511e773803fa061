//! The live heaps of a code with their ranks, and the moves in a heap, read from the digits.

use misere_game::ruleset::Code;

/// The heaps of a code up to some size, with their ranks among the live ones.
#[derive(Debug)]
pub(super) struct Heaps {
    /// For each number of heaps, the numbers of beans that moves to that many heaps take,
    /// ascending.
    taken: Vec<Vec<u32>>,
    /// For each heap from 0 on its rank, if it is live.
    ranks: Vec<Option<u32>>,
    /// The live heaps, ascending.
    live: Vec<u32>,
}

impl Heaps {
    /// Returns the heaps 0 to `largest` of a code.
    pub(super) fn to(code: &Code, largest: u32) -> Self {
        let takes = |parts: u32| {
            let allows = move |&taken: &u32| code.digit(taken as usize) >> parts & 1 != 0;
            (0..=code.length() as u32).filter(allows).collect()
        };
        let mut heaps = Self {
            taken: (0..=code.max_parts()).map(takes).collect(),
            ranks: vec![None; largest as usize + 1],
            live: Vec::new(),
        };
        for heap in 1..=largest {
            if heaps.moves(heap).next().is_some() {
                heaps.live.push(heap);
                if let Some(place) = heaps.ranks.get_mut(heap as usize) {
                    *place = Some(heaps.live.len() as u32);
                }
            }
        }
        heaps
    }

    /// Returns the greatest heap.
    pub(super) fn largest(&self) -> u32 {
        self.ranks.len() as u32 - 1
    }

    /// Returns the rank of a heap, if it is live.
    pub(super) fn rank(&self, heap: u32) -> Option<u32> {
        *self.ranks.get(heap as usize)?
    }

    /// Returns the live heap of a rank, which is 1 or more.
    pub(super) fn of_rank(&self, rank: u32) -> Option<u32> {
        self.live.get(rank as usize - 1).copied()
    }

    /// Returns the rank of the first live heap after which every heap is live, up to the largest.
    ///
    /// Returns 1 if there is no live heap.
    pub(super) fn gapless_from(&self) -> u32 {
        let gap = |&at: &usize| self.live[at] - self.live[at - 1] > 1;
        let last_gap = (1..self.live.len()).rev().find(gap);
        last_gap.unwrap_or(0) as u32 + 1
    }

    /// Returns the heaps from 1 on that are not live, ascending.
    pub(super) fn dead(&self) -> impl Iterator<Item = u32> {
        (1..=self.largest()).filter(|&heap| self.rank(heap).is_none())
    }

    /// Returns the numbers of beans that a move takes to leave `parts` heaps, ascending.
    pub(super) fn taken(&self, parts: u32) -> &[u32] {
        self.taken.get(parts as usize).map_or(&[], Vec::as_slice)
    }

    /// Returns the moves in a heap: the beans that are left, and the number of heaps they make.
    pub(super) fn moves(&self, heap: u32) -> impl Iterator<Item = (u32, u32)> {
        let parts = 0..self.taken.len() as u32;
        parts.flat_map(move |parts| self.rests(heap, parts).map(move |rest| (rest, parts)))
    }

    /// Returns the numbers of beans that may be left when a move in a heap leaves `parts` heaps.
    pub(super) fn rests(&self, heap: u32, parts: u32) -> impl Iterator<Item = u32> {
        let possible = move |&(taken, rest): &(u32, u32)| match parts {
            0 => rest == 0 && taken > 0,
            1 => rest > 0 && taken > 0,
            _ => rest >= parts,
        };
        let rests = self.taken(parts).iter();
        let rests = rests.map_while(move |&taken| Some((taken, heap.checked_sub(taken)?)));
        rests.filter(possible).map(|(_, rest)| rest)
    }
}
