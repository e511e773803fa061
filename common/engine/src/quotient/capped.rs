//! Outcome functions of few copies of heaps whose quotient seems infinite.
//!
//! The exact outcome function of such heaps is infinite. Here each of its sequences that has not
//! repeated within the **cap** of its level is closed by force. The result is finite, right for
//! counts far below the cap, and a guess for greater ones. Anything learnt from it has to be
//! proved.

use rustc_hash::FxHashMap;

use misere_game::control::{Control, Stop};

pub(crate) use super::kernel::scarce::MAX_SCARCE_CHOICES;
use super::kernel::{KernelBuilder, LevelGame, QuotientError};
use super::rho::{FULL, Pool, Set, UNKNOWN};

/// A set of positions of the levels, as its restriction to no copy of the greater ones.
pub(crate) type Part = Set;

/// The parts for each count of a level, and the index from which on they repeat.
pub(crate) type Sequence = (Vec<Part>, usize);

/// The P-positions of some levels as far as a cap determines them.
pub(crate) struct Capped {
    pool: Pool,
    root: Part,
    levels: u32,
    is_exact: bool,
    /// The sequences examined so far.
    sequences: Vec<Sequence>,
    /// The number of the sequence of each part, or [`NOT_YET`]; shorter than the pool.
    number: Vec<u32>,
}

/// The mark of a part whose sequence has not been examined.
const NOT_YET: u32 = u32::MAX;

impl Capped {
    /// Returns the P-positions of levels with these options and these caps.
    ///
    /// Options are counts of the lower levels.
    ///
    /// Returns `None` if there are more nodes than allowed. With `scarce = (before, counts)` only
    /// the positions that can be reached from any number of copies of the first `before` levels,
    /// and `counts` copies of the others, are included.
    pub(crate) fn new(
        options: &[Vec<Vec<i32>>],
        scarce: Option<(usize, &[u32])>,
        caps: &[u32],
        most_nodes: usize,
        control: &mut Control,
    ) -> Result<Option<Self>, Stop> {
        let word = |counts: &Vec<i32>| -> Vec<u32> {
            let letters = (1..).zip(counts);
            letters
                .flat_map(|(level, &count)| std::iter::repeat_n(level, count.max(0) as usize))
                .collect()
        };
        let game = LevelGame {
            options: options
                .iter()
                .map(|options| options.iter().map(word).collect())
                .collect(),
        };
        let kernels = KernelBuilder::new();
        let outcomes = match scarce {
            None => kernels.closed_outcomes(&game, caps, most_nodes, control),
            Some(scarce) => kernels.outcomes_with_scarce(&game, scarce, caps, most_nodes, control),
        };
        match outcomes {
            Ok(closed) => Ok(Some(Self {
                pool: closed.pool,
                root: closed.root,
                is_exact: closed.is_exact,
                levels: options.len() as u32,
                sequences: Vec::new(),
                number: Vec::new(),
            })),
            Err(QuotientError::Stopped(stop)) => Err(stop),
            Err(_) => Ok(None),
        }
    }

    pub(crate) fn root(&self) -> Part {
        self.root
    }

    /// Returns the number of nodes of all parts that were made.
    pub(crate) fn nodes(&self) -> usize {
        self.pool.len()
    }

    /// Reports whether every sequence has repeated, so that nothing is a guess.
    ///
    /// In that case, with these options, all multiples of every level repeat.
    pub(crate) fn is_exact(&self) -> bool {
        self.is_exact
    }

    /// Returns the greatest level, counted from 0, on which a part depends.
    ///
    /// Returns `None` if the part is constant.
    pub(crate) fn level(&self, part: Part) -> Option<usize> {
        (self.pool.level(part) as usize).checked_sub(1)
    }

    /// Returns the entries of a part at a level, one for each count, and where they begin to
    /// repeat.
    pub(crate) fn sequence(
        &mut self,
        part: Part,
        control: &mut Control,
    ) -> Result<&Sequence, Stop> {
        let number = match self.number.get(part as usize) {
            Some(&number) if number != NOT_YET => number,
            _ => self.look_at(part, control)?,
        };
        Ok(&self.sequences[number as usize])
    }

    /// Walks along the sequence of a part and returns its number.
    fn look_at(&mut self, part: Part, control: &mut Control) -> Result<u32, Stop> {
        let pool = &self.pool;
        let level = pool.level(part);
        let mut place_of = FxHashMap::default();
        let (mut entries, mut at) = (Vec::new(), part);
        let start = loop {
            control.spend(60)?;
            if let Some(earlier) = place_of.insert(at, entries.len()) {
                break earlier;
            }
            entries.push(pool.none(at, level));
            at = pool.next(at, level);
        };
        let number = self.sequences.len() as u32;
        self.sequences.push((entries, start));
        if self.number.len() <= part as usize {
            self.number.resize(pool.len(), NOT_YET);
        }
        self.number[part as usize] = number;
        Ok(number)
    }

    /// Returns the restriction of a part to `count` copies of a level.
    ///
    /// The part may depend only on this level and lower ones.
    pub(crate) fn with(
        &mut self,
        part: Part,
        level: usize,
        count: usize,
        control: &mut Control,
    ) -> Result<Part, Stop> {
        if self.level(part) != Some(level) {
            return Ok(part);
        }
        let (entries, start) = self.sequence(part, control)?;
        let all = entries.len();
        Ok(entries[if count < all {
            count
        } else {
            start + (count - start) % (all - start)
        }])
    }

    /// Returns the part whose entries at a level are these, repeated from `start` on.
    pub(crate) fn repeating(
        &mut self,
        level: usize,
        entries: &[Part],
        start: usize,
        control: &mut Control,
    ) -> Result<Part, Stop> {
        self.pool
            .sequence(level as u32 + 1, entries, start, control)
    }

    /// Reports whether a position, by counts of all levels, is a P-position.
    pub(crate) fn is_p(&mut self, counts: &[i32], control: &mut Control) -> Result<bool, Stop> {
        let mut part = self.root;
        for level in (0..self.levels as usize).rev() {
            control.spend(10)?;
            part = self.with(part, level, counts[level].max(0) as usize, control)?;
        }
        Ok(part == Self::ALL)
    }

    /// The part that has all positions.
    pub(crate) const ALL: Part = FULL;

    /// The part without any known outcome.
    pub(crate) const NOTHING: Part = UNKNOWN;
}
