//! The outcome function of any number of copies of the lower levels, and few copies of the others.
//!
//! In 0.06, for example, take any number of heaps to 12, and one heap of 17. A move in the heap of
//! 17 leaves one heap of 15, or two heaps with 15 beans together, at most one of them greater than
//! 12. So the functions for a heap of 13, 14 or 15, and for none, give the one for 17.

use std::collections::BTreeMap;

use misere_game::control::{Control, Stop};

use super::super::rho::{EMPTY, FULL, Set, UNKNOWN};
use super::{ClosedOutcomes, KernelBuilder, LevelGame, QuotientError};

/// The most choices of scarce copies for which outcome functions are found.
pub(crate) const MAX_SCARCE_CHOICES: usize = 500;

impl KernelBuilder {
    /// Returns the outcome function of positions with few copies of the higher levels.
    ///
    /// It covers the positions that can be reached from any number of copies of the first `before`
    /// levels and `scarce` copies of the others, as in [`closed_outcomes`](Self::closed_outcomes).
    /// All other positions are unknown.
    pub(in crate::quotient) fn outcomes_with_scarce(
        mut self,
        game: &LevelGame,
        (before, scarce): (usize, &[u32]),
        copies: &[u32],
        most_nodes: usize,
        control: &mut Control,
    ) -> Result<ClosedOutcomes, QuotientError> {
        self.close_after(game, copies, most_nodes);
        let mut functions = BTreeMap::new();
        self.with_scarce(before, scarce, &mut functions, control)?;
        let root = self.by_counts(before, scarce.len(), Vec::new(), &functions, control)?;
        Ok(self.closed(root))
    }

    /// Returns the outcome function of any number of low levels and few copies of the others.
    ///
    /// It covers any number of copies of the first `before` levels, with `scarce` copies of the
    /// others.
    ///
    /// The function is the kernel `K(E)`: `E` has the positions from which a move in a scarce copy
    /// leads to a P-position, or only the empty position if there is no scarce copy. The functions
    /// for the counts after such moves are computed too.
    fn with_scarce(
        &mut self,
        before: usize,
        scarce: &[u32],
        functions: &mut BTreeMap<Vec<u32>, Set>,
        control: &mut Control,
    ) -> Result<Set, QuotientError> {
        if let Some(&known) = functions.get(scarce) {
            return Ok(known);
        }
        let mut won = EMPTY;
        if scarce.iter().all(|&count| count == 0) {
            won = FULL;
            for level in 1..=before as u32 {
                won = self.pool.sequence(level, &[won, EMPTY], 1, control)?;
            }
        }
        for (at, _) in scarce.iter().enumerate().filter(|&(_, &count)| count > 0) {
            for option in self.game.options[before + at].clone() {
                let mut left = scarce.to_vec();
                left[at] -= 1;
                let (of_many, of_scarce): (Vec<u32>, Vec<u32>) =
                    option.iter().partition(|&&level| level as usize <= before);
                for level in of_scarce {
                    left[level as usize - before - 1] += 1;
                }
                let mut target = self.with_scarce(before, &left, functions, control)?;
                for level in of_many {
                    target = self.pool.shift(target, level, control)?;
                }
                won = self.pool.union(won, target, control)?;
            }
        }
        if functions.len() == MAX_SCARCE_CHOICES {
            return Err(QuotientError::TooLarge);
        }
        let function = self.kernel(before as u32, won, 0, control)?;
        functions.insert(scarce.to_vec(), function);
        Ok(function)
    }

    /// Returns the function that equals one of `functions` for each choice of scarce counts.
    ///
    /// The choices are counts of the `scarce` last levels; for all other counts it is unknown.
    /// `greater` has the counts of the last scarce levels, which are chosen already.
    fn by_counts(
        &mut self,
        before: usize,
        scarce: usize,
        greater: Vec<u32>,
        functions: &BTreeMap<Vec<u32>, Set>,
        control: &mut Control,
    ) -> Result<Set, Stop> {
        let Some(at) = scarce.checked_sub(greater.len() + 1) else {
            return Ok(functions.get(&greater).copied().unwrap_or(UNKNOWN));
        };
        control.spend(functions.len() as u64)?;
        let with_these = functions.keys().filter(|key| key[at + 1..] == greater);
        let Some(most) = with_these.map(|key| key[at]).max() else {
            return Ok(UNKNOWN);
        };
        let mut sequence = Vec::new();
        for count in 0..=most {
            let counts = [&[count], &greater[..]].concat();
            sequence.push(self.by_counts(before, scarce, counts, functions, control)?);
        }
        sequence.push(UNKNOWN);
        let level = (before + at + 1) as u32;
        let start = sequence.len() - 1;
        self.pool.sequence(level, &sequence, start, control)
    }
}
