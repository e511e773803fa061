//! The heaps of a position, as a person names them.

use std::str::FromStr;

use misere_theory::ruleset::{Code, CodeError, FiniteGame};

use crate::exit::Failure;
use misere_census::quantity::whole_number;

/// A heap of the position.
#[derive(Clone, Debug)]
pub(super) enum Heap {
    /// The size of the heap; of a finite game the number of a follower.
    Size(u32),
    /// A follower of a finite game.
    Follower(FiniteGame),
}

impl FromStr for Heap {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if !text.starts_with(['*', '{']) {
            let size = whole_number(text).map_err(|error| error.to_string())?;
            return Ok(Self::Size(size));
        }
        let game: Code = text.parse().map_err(|error: CodeError| error.to_string())?;
        let game = game.finite_game().cloned();
        game.map(Self::Follower)
            .ok_or_else(|| "it is no finite game".to_owned())
    }
}

impl Heap {
    /// The size of the heap in a game.
    ///
    /// # Errors
    /// [`Failure::NoHeap`] if the game has no such heap.
    pub(super) fn of(&self, code: &Code) -> Result<u32, Failure> {
        let size = match (self, code.finite_game()) {
            (Self::Size(size), None) => Ok(*size),
            (Self::Size(number), Some(game)) if *number <= game.heaps() => Ok(*number),
            (Self::Size(number), Some(game)) => Err(format!(
                "{code} has no follower {number}: its followers but 0 have the numbers 1 to {}",
                game.heaps()
            )),
            (Self::Follower(wanted), None) => Err(format!(
                "{wanted} is no heap of {code}: its heaps are numbers, such as 3"
            )),
            (Self::Follower(wanted), Some(game)) => {
                let mut numbers = 0..=game.heaps();
                let number = numbers.find(|&number| game.follower(number) == *wanted);
                number.ok_or_else(|| format!("{wanted} is no follower of {code}"))
            }
        };
        size.map_err(|reason| match code.finite_game() {
            None => Failure::NoHeap(reason),
            Some(_) => Failure::NoHeap(format!("{reason}; `misere solve '{code}'` lists them")),
        })
    }
}
