//! The heaps that a person names, and the position that they are.

use std::collections::BTreeMap;
use std::str::FromStr;

use misere_theory::ruleset::{Code, CodeError, FiniteGame, HeapOption};

use crate::exit::Failure;
use misere_census::quantity::whole_number;

/// Heaps of the position as one argument names them: `3`, `3^1000000`, or a sum such as `5+3`.
#[derive(Clone, Debug)]
pub struct Heaps(Vec<Equal>);

/// Equal heaps: `3`, `3^1000000`.
#[derive(Clone, Debug)]
struct Equal {
    heap: Heap,
    copies: u32,
}

/// A heap as it was named.
#[derive(Clone, Debug)]
enum Heap {
    /// Its size; of a finite game the number of a follower.
    Size(u32),
    /// A follower of a finite game.
    Follower(FiniteGame),
}

impl FromStr for Heaps {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // `5 + 3` written with blanks is three arguments, and the `+` between two heaps says no
        // more than the blanks do.
        if text.trim() == "+" {
            return Ok(Self(Vec::new()));
        }
        let summands = summands(text).into_iter();
        let heaps = summands.map(|summand| summand.trim().parse());
        heaps.collect::<Result<_, _>>().map(Self)
    }
}

/// The parts of a sum. A `+` in brackets belongs to the notation of a finite game.
fn summands(text: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0_u32);
    for (at, letter) in text.char_indices() {
        match letter {
            '{' | '[' | '(' => depth += 1,
            '}' | ']' | ')' => depth = depth.saturating_sub(1),
            '+' if depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

impl FromStr for Equal {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (heap, copies) = match text.rsplit_once('^') {
            Some((heap, copies)) => (heap, whole_number(copies).map_err(|e| e.to_string())?),
            None => (text, 1),
        };
        let heap = heap.parse()?;
        Ok(Self { heap, copies })
    }
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
    fn of(&self, code: &Code) -> Result<u32, Failure> {
        let size = match (self, code.finite_game()) {
            (Self::Size(size), None) => Ok(*size),
            (Self::Size(number), Some(game)) if *number <= game.heaps() => Ok(*number),
            (Self::Size(number), Some(game)) => Err(format!(
                "{code} has no follower {number}: its followers besides 0 have the numbers 1 to {}",
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

/// A sum of heaps: how many there are of each size.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Position(BTreeMap<u32, u64>);

impl Position {
    /// The position with the heaps named.
    ///
    /// # Errors
    /// [`Failure::NoHeap`] if the game has no such heap.
    pub fn new(code: &Code, named: &[Heaps]) -> Result<Self, Failure> {
        let mut position = Self::default();
        let named = named.iter().flat_map(|Heaps(equal)| equal);
        for Equal { heap, copies } in named {
            position.add(heap.of(code)?, u64::from(*copies));
        }
        Ok(position)
    }

    fn add(&mut self, heap: u32, copies: u64) {
        if copies > 0 {
            *self.0.entry(heap).or_default() += copies;
        }
    }

    /// The sizes of the heaps, ascending, with how many there are of each.
    pub fn heaps(&self) -> impl DoubleEndedIterator<Item = (u32, u64)> {
        self.0.iter().map(|(&heap, &copies)| (heap, copies))
    }

    /// The sizes of the heaps, ascending, each once.
    pub fn sizes(&self) -> impl DoubleEndedIterator<Item = u32> {
        self.0.keys().copied()
    }

    /// The size of the largest heap, 0 if there is none.
    pub fn largest(&self) -> u32 {
        self.0.keys().next_back().copied().unwrap_or(0)
    }

    /// All heaps one by one, ascending, unless there are more than `most`.
    pub fn one_by_one(&self, most: u64) -> Option<Vec<u32>> {
        let all = self
            .0
            .values()
            .try_fold(0_u64, |sum, &x| sum.checked_add(x));
        if all? > most {
            return None;
        }
        let copies = self.heaps();
        let heaps = copies.flat_map(|(heap, count)| (0..count).map(move |_| heap));
        Some(heaps.collect())
    }

    /// The position with one heap of this size less.
    pub fn without(&self, heap: u32) -> Self {
        let mut rest = self.clone();
        if let Some(copies) = rest.0.get_mut(&heap) {
            *copies -= 1;
            if *copies == 0 {
                rest.0.remove(&heap);
            }
        }
        rest
    }

    /// The position with equal heaps more.
    pub fn with_copies(&self, heap: u32, copies: u64) -> Self {
        let mut sum = self.clone();
        sum.add(heap, copies);
        sum
    }

    /// The position with the heaps more that a move leaves.
    pub fn with(&self, option: HeapOption) -> Self {
        let mut sum = self.clone();
        option.parts().for_each(|part| sum.add(part, 1));
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_heaps_are_counted() {
        let code: Code = "0.77".parse().unwrap();
        let position = |words: &[&str]| {
            let named: Vec<Heaps> = words.iter().map(|word| word.parse().unwrap()).collect();
            Position::new(&code, &named).unwrap()
        };
        assert_eq!(position(&["2", "1", "2^3"]), position(&["1", "2^4", "7^0"]));
        assert_eq!(
            position(&["2", "1", "2"]).one_by_one(3),
            Some(vec![1, 2, 2])
        );
        assert_eq!(position(&["2", "1", "2"]).one_by_one(2), None);
        assert_eq!(position(&[]).largest(), 0);
        let rest = position(&["2^2", "3"]).without(3);
        assert_eq!(rest.with(HeapOption([2, 0, 0, 0])), position(&["2^3"]));
        assert_eq!(rest.without(2), position(&["2"]));
        assert_eq!(
            position(&["2+1", "+", "2^3 + 0"]),
            position(&["0", "1", "2^4"])
        );
        for wrong in [
            "",
            "2+",
            "+2",
            "2++3",
            "2^",
            "^2",
            "2^-1",
            "2^4294967296",
            "2^2^2",
        ] {
            assert!(wrong.parse::<Heaps>().is_err(), "{wrong}");
        }
    }
}
