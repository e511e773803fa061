//! Outcomes of positions by the definition alone.
//!
//! The definition of outcomes executed literally, with memory: a position is an N-position if some
//! option is a P-position. A position without options is N in misère play (the player to move has
//! won) and P in normal play. It is slow and obviously right, and the tests compare everything else
//! with it.

use std::fmt;

use rustc_hash::FxHashMap;

use crate::control::{Control, Stop};
use crate::ruleset::{Code, HeapOption};

/// The fuel for the outcome of a position that only the rules decide.
///
/// About a fifth of a second; at worst two million options and some tens of megabytes of remembered
/// positions.
pub const FUEL_BY_RULES: u64 = 200_000;

/// The outcome of a position: the next player (N) or the previous one (P) wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum Outcome {
    /// The player to move wins.
    N,
    /// The player who has just moved wins.
    P,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::N => "N",
            Self::P => "P",
        })
    }
}

/// The convention that decides which player wins when no move is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Convention {
    /// The last player to move loses.
    Misere,
    /// The last player to move wins.
    Normal,
}

/// A move in a position: the heap that is taken and the heaps that replace it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Move {
    /// The size of the heap.
    pub heap: u32,
    /// The heaps that replace the heap.
    pub option: HeapOption,
}

/// The outcomes of one game's positions, computed from the rules and remembered.
///
/// ```
/// use misere_game::control::Control;
/// use misere_game::outcome::{Convention, Oracle, Outcome};
/// let kayles = "0.77".parse()?;
/// let mut oracle = Oracle::new(&kayles, Convention::Misere);
/// assert_eq!(oracle.outcome(&[1], &mut Control::unlimited())?, Outcome::P);
/// assert_eq!(oracle.outcome(&[], &mut Control::unlimited())?, Outcome::N);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Oracle {
    code: Code,
    convention: Convention,
    options: FxHashMap<u32, Vec<HeapOption>>,
    known: FxHashMap<Position, Outcome>,
}

/// The live heaps of a position, largest first.
type Position = Vec<u32>;

/// A position whose options are being examined.
struct Open {
    position: Position,
    options: Vec<Position>,
}

impl Oracle {
    /// Returns an oracle that knows nothing yet.
    #[must_use]
    pub fn new(code: &Code, convention: Convention) -> Self {
        Self {
            code: code.clone(),
            convention,
            options: FxHashMap::default(),
            known: FxHashMap::default(),
        }
    }

    /// Returns the outcome of the sum of `heaps`, in any order.
    ///
    /// Empty and dead heaps are ignored.
    ///
    /// ```
    /// use misere_game::control::Control;
    /// use misere_game::outcome::{Convention, Oracle, Outcome};
    /// // Nim: 1 + 2 + 3 is P in both conventions, a single bean in misère play only.
    /// let nim = "0.333".parse()?;
    /// let control = &mut Control::unlimited();
    /// let mut misere = Oracle::new(&nim, Convention::Misere);
    /// let mut normal = Oracle::new(&nim, Convention::Normal);
    /// assert_eq!(misere.outcome(&[1, 2, 3], control)?, Outcome::P);
    /// assert_eq!(normal.outcome(&[1, 2, 3], control)?, Outcome::P);
    /// assert_eq!(misere.outcome(&[1], control)?, Outcome::P);
    /// assert_eq!(normal.outcome(&[1], control)?, Outcome::N);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Stop`] when the fuel runs out or a stop is requested; a tick is spent per option. Cost:
    /// the number of positions that can be reached, which grows exponentially; no recursion, so
    /// large positions cost time but no stack.
    pub fn outcome(&mut self, heaps: &[u32], control: &mut Control) -> Result<Outcome, Stop> {
        let root = self.live(heaps);
        let mut stack = vec![self.open(root.clone(), control)?];
        while let Some(open) = stack.last_mut() {
            // An open position is decided by its first P option, or by having none left.
            let mut descend = None;
            let mut outcome = Outcome::P;
            while let Some(option) = open.options.last() {
                match self.known.get(option) {
                    Some(Outcome::P) => {
                        outcome = Outcome::N;
                        break;
                    }
                    Some(Outcome::N) => {
                        open.options.pop();
                    }
                    None => {
                        descend = Some(option.clone());
                        break;
                    }
                }
            }
            if let Some(position) = descend {
                let open = self.open(position, control)?;
                stack.push(open);
            } else if let Some(open) = stack.pop() {
                let is_end = self.convention == Convention::Misere && open.position.is_empty();
                self.known
                    .insert(open.position, if is_end { Outcome::N } else { outcome });
            }
        }
        Ok(self.known[&root])
    }

    /// Returns every move from the sum of `heaps` to a P-position, each once.
    ///
    /// Cost: as [`outcome`](Self::outcome) of every option.
    ///
    /// ```
    /// use misere_game::control::Control;
    /// use misere_game::outcome::{Convention, Move, Oracle};
    /// use misere_game::ruleset::HeapOption;
    /// // Kayles with a heap of two beans: taking one leaves the last bean to the other player.
    /// let mut kayles = Oracle::new(&"0.77".parse()?, Convention::Misere);
    /// let moves = kayles.winning_moves(&[2], &mut Control::unlimited())?;
    /// assert_eq!(moves, [Move { heap: 2, option: HeapOption([1, 0, 0, 0]) }]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`outcome`](Self::outcome).
    pub fn winning_moves(
        &mut self,
        heaps: &[u32],
        control: &mut Control,
    ) -> Result<Vec<Move>, Stop> {
        let mut distinct: Vec<u32> = heaps.to_vec();
        distinct.sort_unstable();
        distinct.dedup();
        let mut winning = Vec::new();
        for heap in distinct {
            control.spend(100 * self.code.most_options(heap))?;
            for option in self.code.options(heap) {
                let mut rest = heaps.to_vec();
                if let Some(at) = rest.iter().position(|&h| h == heap) {
                    rest.swap_remove(at);
                }
                rest.extend(option.parts());
                if self.outcome(&rest, control)? == Outcome::P {
                    winning.push(Move { heap, option });
                }
            }
        }
        Ok(winning)
    }

    fn open(&mut self, position: Position, control: &mut Control) -> Result<Open, Stop> {
        let mut options = Vec::new();
        for (at, &heap) in position.iter().enumerate() {
            if at > 0 && position[at - 1] == heap {
                continue;
            }
            control.spend(100 + 100 * self.code.most_options(heap))?;
            let of_heap = self
                .options
                .entry(heap)
                .or_insert_with(|| self.code.options(heap))
                .clone();
            for option in of_heap {
                let mut rest = position.clone();
                rest.remove(at);
                rest.extend(option.parts());
                options.push(self.live(&rest));
            }
        }
        options.sort_unstable();
        options.dedup();
        // The smallest options are examined first: they are the likeliest to be known.
        options.reverse();
        Ok(Open { position, options })
    }

    fn live(&self, heaps: &[u32]) -> Position {
        let mut position: Position = heaps
            .iter()
            .copied()
            .filter(|&heap| self.code.is_live(heap))
            .collect();
        position.sort_unstable_by(|a, b| b.cmp(a));
        position
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn oracle(code: &str, convention: Convention) -> Oracle {
        Oracle::new(&code.parse().unwrap(), convention)
    }

    #[test]
    fn nim_by_theory() {
        // 0.333333333 is Nim with heaps of at most 9. Bouton: misère Nim is won as normal Nim while
        // some heap exceeds 1.
        let mut misere = oracle("0.333333333", Convention::Misere);
        let mut normal = oracle("0.333333333", Convention::Normal);
        let control = &mut Control::unlimited();
        for a in 0..6 {
            for b in 0..6 {
                for c in 0..6 {
                    let zero = a ^ b ^ c == 0;
                    let small = a.max(b).max(c) <= 1;
                    let expected = |p: bool| if p { Outcome::P } else { Outcome::N };
                    assert_eq!(normal.outcome(&[a, b, c], control).unwrap(), expected(zero));
                    assert_eq!(
                        misere.outcome(&[a, b, c], control).unwrap(),
                        expected(zero != small)
                    );
                }
            }
        }
    }

    #[test]
    fn the_example_of_0_123() {
        // Plambeck 2005, section 4.2: an N-position, and taking the whole heap of 3 is among the
        // winning moves.
        let mut oracle = oracle("0.123", Convention::Misere);
        let control = &mut Control::unlimited();
        let position = [1, 3, 4, 8, 9, 21];
        assert_eq!(oracle.outcome(&position, control).unwrap(), Outcome::N);
        let whole_three = Move {
            heap: 3,
            option: HeapOption([0, 0, 0, 0]),
        };
        assert!(
            oracle
                .winning_moves(&position, control)
                .unwrap()
                .contains(&whole_three)
        );
    }

    #[test]
    fn a_large_position_stops_without_fuel() {
        let mut control = Control::new(1_000, crate::control::Interrupt::default());
        let outcome = oracle("0.77", Convention::Misere).outcome(&[4_000_000, 3_000], &mut control);
        assert_eq!(outcome, Err(Stop::FuelSpent));
    }
}
