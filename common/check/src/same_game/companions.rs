//! The options of at most two heaps, compared by which heaps may be beside a heap.
//!
//! In Kayles a move from heap 9 may leave heap 3 beside heap 5, and so may a move from heap 10:
//! heap 3 may be beside any heap that is 4 or 5 smaller than the heap of the move. Whether a heap
//! may be beside another depends only on the difference between the other and the heap of the move.
//! So one row of bits for each difference describes the options of all heaps.

use super::heaps::Heaps;

/// The options of all heaps of a code, by ranks, if moves leave at most two heaps.
#[derive(Debug)]
pub(super) struct Companions {
    /// For each number `x` of beans, the heaps that may be beside a heap.
    ///
    /// The row has the ranks of the live heaps that a move in heap `b + x` may leave beside heap
    /// `b`, for any `b`.
    beside: Rows,
    /// For each heap, the ranks of the live heaps that a move may leave without another live heap.
    ///
    /// The row includes rank 0 if a move may leave no live heap at all.
    alone: Rows,
}

/// Rows of bits, one bit for each rank.
#[derive(Debug)]
struct Rows {
    /// The number of words of a row.
    width: usize,
    words: Vec<u64>,
}

impl Companions {
    /// Returns the options of all heaps up to the largest.
    ///
    /// Cost: for each of the `H` heaps the number of digits, and for each dead heap `H / 64`.
    pub(super) fn of(heaps: &Heaps) -> Self {
        let largest = heaps.largest();
        let (mut beside, mut alone) = (Rows::to(largest), Rows::to(largest));
        // For each number of beans, whether a move that leaves it may leave a dead heap beside the
        // other.
        let mut beside_dead = vec![false; largest as usize + 1];
        for (beans, beside_dead) in (0..).zip(&mut beside_dead) {
            for &taken in heaps.taken(2) {
                if taken < beans {
                    match heaps.rank(beans - taken) {
                        Some(rank) => beside.insert(beans, rank),
                        None => *beside_dead = true,
                    }
                }
            }
        }
        let dead: Vec<u32> = heaps.dead().collect();
        for heap in 1..=largest {
            if heaps.rests(heap, 0).next().is_some() {
                alone.insert(heap, 0);
            }
            for rest in heaps.rests(heap, 1) {
                alone.insert(heap, heaps.rank(rest).unwrap_or(0));
            }
            for &other in dead.iter().take_while(|&&other| other < heap) {
                alone.insert_all(heap, beside.row(heap - other));
                if beside_dead.get((heap - other) as usize) == Some(&true) {
                    alone.insert(heap, 0);
                }
            }
        }
        Self { beside, alone }
    }
}

/// The comparison of the options of two codes, heap by heap, up to the same largest heap.
pub(super) struct Comparison<'a> {
    ours: (&'a Heaps, &'a Companions),
    theirs: (&'a Heaps, &'a Companions),
    /// A rank from which on neither code has a dead heap.
    gapless_from: u32,
    /// The greatest rank such that the options of all ranks to it were found to be the same.
    same_to: u32,
    /// For each number of beans, the number in the other code whose row was last the same.
    ///
    /// It is 0 initially. Most heaps query the same pairs of rows.
    same_beside: Vec<u32>,
}

impl<'a> Comparison<'a> {
    /// Returns a comparison before the first heap.
    pub(super) fn new(
        ours: (&'a Heaps, &'a Companions),
        theirs: (&'a Heaps, &'a Companions),
    ) -> Self {
        Self {
            ours,
            theirs,
            gapless_from: ours.0.gapless_from().max(theirs.0.gapless_from()),
            same_to: 0,
            same_beside: vec![0; ours.0.largest() as usize + 1],
        }
    }

    /// Reports whether the heaps of a rank in the two codes have the same options, by ranks.
    ///
    /// Both must exist.
    ///
    /// An option of two live heaps is tested twice, beside each of them.
    ///
    /// Beyond the last dead heap, the heaps of the ranks `R` and `r` differ by `R − r` beans in
    /// both codes. So do those of the ranks `R − 1` and `r − 1`, and if the options of rank `R − 1`
    /// are the same, no further comparison is needed.
    ///
    /// Cost: a number, or a row, for each smaller rank up to the first that no dead heap follows;
    /// for every smaller rank if the rank before was not found to be the same.
    pub(super) fn same_options(&mut self, rank: u32) -> bool {
        let ((our_heaps, ours), (their_heaps, theirs)) = (self.ours, self.theirs);
        let pair = |rank| our_heaps.of_rank(rank).zip(their_heaps.of_rank(rank));
        let Some((heap, counterpart)) = pair(rank) else {
            return false;
        };
        let asked_before = self.same_to + 1 == rank;
        let lefts = match asked_before {
            true => 1..rank.min(self.gapless_from + 1),
            false => 1..rank,
        };
        let same = ours.alone.row(heap) == theirs.alone.row(counterpart)
            && lefts
                .filter_map(pair)
                .all(|(left, left_there)| self.same_beside(heap - left, counterpart - left_there));
        if same && asked_before {
            self.same_to = rank;
        }
        same
    }

    /// Reports whether the same ranks may be beside a heap in both codes.
    ///
    /// The heap is `beans` smaller than the heap of the move.
    ///
    /// In the other code the heap is `there` beans smaller. Both numbers are at least 1.
    fn same_beside(&mut self, beans: u32, there: u32) -> bool {
        let known = &mut self.same_beside[beans as usize];
        if *known == there {
            return true;
        }
        let same = self.ours.1.beside.row(beans) == self.theirs.1.beside.row(there);
        if same {
            *known = there;
        }
        same
    }
}

impl Rows {
    /// Returns empty rows `0..=largest`, for ranks of at most `largest`.
    fn to(largest: u32) -> Self {
        let rows = largest as usize + 1;
        let width = rows.div_ceil(64);
        Self {
            width,
            words: vec![0; rows * width],
        }
    }

    fn row(&self, row: u32) -> &[u64] {
        let from = self.width * row as usize;
        &self.words[from..from + self.width]
    }

    fn insert(&mut self, row: u32, rank: u32) {
        let word = self.width * row as usize + rank as usize / 64;
        self.words[word] |= 1 << (rank % 64);
    }

    fn insert_all(&mut self, row: u32, ranks: &[u64]) {
        let from = self.width * row as usize;
        for (word, &ranks) in self.words[from..].iter_mut().zip(ranks) {
            *word |= ranks;
        }
    }
}
