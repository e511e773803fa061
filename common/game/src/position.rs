//! Positions, and their notation.
//!
//! One notation is read everywhere: heaps separated by blanks, `+`, `,` or `;`, and equal heaps as
//! `3^20` or `3x20` (twenty heaps of 3), or `20·3`. The heaps of a finite game are its followers,
//! each a number or a game such as `*2`.

use std::collections::BTreeMap;
use std::fmt;

use crate::ruleset::{Code, FiniteGame, HeapOption};

/// The most equal heaps that a sum lists one by one; more are grouped as `20·3`.
const MAX_REPEATED: u64 = 2;

/// A sum of heaps: the number of copies of each size.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position(BTreeMap<u32, u64>);

/// The reason why a text is not a position of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// A part of the text is not a heap.
    #[error("`{0}` is not a heap: write a number, such as 3, or 3^20 for twenty heaps of 3")]
    NotAHeap(String),
    /// A `+` has no heap on one side.
    #[error("a heap is missing beside a `+`")]
    MissingHeap,
    /// A number is negative.
    #[error("`{0}`: a heap cannot be negative")]
    Negative(String),
    /// A number is greater than any heap.
    #[error("`{0}` is too large: a heap or a number of copies is at most 4294967295")]
    TooLarge(String),
    /// A follower is written in a notation that is not understood.
    #[error("`{text}` is not a follower: {reason}")]
    BadFollower {
        /// The part of the text.
        text: String,
        /// The error of the notation.
        reason: String,
    },
    /// The finite game has no such follower.
    #[error(
        "{code} has no follower `{text}`: its followers besides 0 have the numbers 1 to {last}; \
         `misere solve '{code}'` lists them"
    )]
    NoFollower {
        /// The game.
        code: String,
        /// The part of the text.
        text: String,
        /// The number of the last follower.
        last: u32,
    },
    /// The position of a heap game names a finite game.
    #[error("`{text}` is not a heap of {code}: its heaps are numbers, such as 3")]
    NotANumber {
        /// The game.
        code: String,
        /// The part of the text.
        text: String,
    },
}

impl Position {
    /// Parses a position of a game. The empty text is the empty position.
    ///
    /// ```
    /// use misere_game::position::Position;
    /// let kayles = "0.77".parse()?;
    /// let position = Position::parse(&kayles, "3 5 7")?;
    /// for text in ["3+5+7", "7, 5, 3", "3 + 5; 7", "3^1 1·5 7x1"] {
    ///     assert_eq!(Position::parse(&kayles, text)?, position);
    /// }
    /// assert!(Position::parse(&kayles, "3 +").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PositionError`] with the part that is not understood.
    pub fn parse(code: &Code, text: &str) -> Result<Self, PositionError> {
        let mut position = Self::default();
        let sums: Vec<&str> = split(text, |letter| letter == '+');
        for sum in &sums {
            let mut heaps = split(sum, |letter| {
                letter.is_whitespace() || ",;".contains(letter)
            })
            .into_iter()
            .filter(|heap| !heap.is_empty())
            .peekable();
            if heaps.peek().is_none() && sums.len() > 1 {
                return Err(PositionError::MissingHeap);
            }
            for heap in heaps {
                let (heap, copies) = equal_heaps(heap)?;
                position.add(size(code, heap)?, copies);
            }
        }
        Ok(position)
    }

    /// Adds equal heaps; heaps of 0 beans are heaps, too.
    fn add(&mut self, heap: u32, copies: u64) {
        if copies > 0 {
            let count = self.0.entry(heap).or_default();
            *count = count.saturating_add(copies);
        }
    }

    /// Returns the sizes of the heaps, ascending, with the number of copies of each.
    pub fn heaps(&self) -> impl DoubleEndedIterator<Item = (u32, u64)> + Clone {
        self.0.iter().map(|(&heap, &copies)| (heap, copies))
    }

    /// Returns the sizes of the heaps, ascending, each once.
    pub fn sizes(&self) -> impl DoubleEndedIterator<Item = u32> {
        self.0.keys().copied()
    }

    /// Returns the size of the largest heap, 0 if there is none.
    #[must_use]
    pub fn largest(&self) -> u32 {
        self.0.keys().next_back().copied().unwrap_or(0)
    }

    /// Returns all heaps one by one, ascending; `None` if there are more than `limit`.
    #[must_use]
    pub fn one_by_one(&self, limit: u64) -> Option<Vec<u32>> {
        let count = self
            .0
            .values()
            .fold(0, |sum: u64, &x| sum.saturating_add(x));
        let all = self.heaps();
        (count <= limit).then(|| {
            all.flat_map(|(heap, count)| (0..count).map(move |_| heap))
                .collect()
        })
    }

    /// Returns the position with one heap of this size less.
    #[must_use]
    pub fn without(&self, heap: u32) -> Self {
        let mut rest = self.clone();
        match rest.0.get_mut(&heap) {
            Some(copies) if *copies > 1 => *copies -= 1,
            _ => {
                rest.0.remove(&heap);
            }
        }
        rest
    }

    /// Returns the position with equal heaps more.
    #[must_use]
    pub fn with_copies(&self, heap: u32, copies: u64) -> Self {
        let mut sum = self.clone();
        sum.add(heap, copies);
        sum
    }

    /// Returns the position with the heaps more that a move leaves.
    #[must_use]
    pub fn with(&self, option: HeapOption) -> Self {
        let mut sum = self.clone();
        option.parts().for_each(|part| sum.add(part, 1));
        sum
    }

    /// Returns the heaps that have a move.
    #[must_use]
    pub fn live(&self, code: &Code) -> Self {
        self.heaps()
            .filter(|&(heap, _)| code.is_live(heap))
            .collect()
    }

    /// Reports whether a move is left.
    #[must_use]
    pub fn has_moves(&self, code: &Code) -> bool {
        self.sizes().any(|heap| code.is_live(heap))
    }
}

impl FromIterator<(u32, u64)> for Position {
    fn from_iter<T: IntoIterator<Item = (u32, u64)>>(heaps: T) -> Self {
        let mut position = Self::default();
        heaps
            .into_iter()
            .for_each(|(heap, copies)| position.add(heap, copies));
        position
    }
}

impl FromIterator<u32> for Position {
    fn from_iter<T: IntoIterator<Item = u32>>(heaps: T) -> Self {
        heaps.into_iter().map(|heap| (heap, 1)).collect()
    }
}

/// The position as a sum: `3 + 5 + 5 + 20·7`.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("the empty position");
        }
        let summands = self.heaps().map(|(heap, copies)| match copies {
            1..=MAX_REPEATED => vec![heap.to_string(); copies as usize].join(" + "),
            _ => format!("{copies}·{heap}"),
        });
        f.write_str(&summands.collect::<Vec<_>>().join(" + "))
    }
}

/// Splits a text at letters outside of brackets, which belong to the notation of a finite game.
fn split(text: &str, is_between: impl Fn(char) -> bool) -> Vec<&str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0_u32);
    for (at, letter) in text.char_indices() {
        match letter {
            '{' | '[' | '(' => depth += 1,
            '}' | ']' | ')' => depth = depth.saturating_sub(1),
            _ if depth == 0 && is_between(letter) => {
                parts.push(&text[start..at]);
                start = at + letter.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

/// Splits `3^20`, `3x20`, `3×20` or `20·3` into the heap and the number of copies.
fn equal_heaps(text: &str) -> Result<(&str, u64), PositionError> {
    let is_game = text.starts_with(['*', '{']);
    let (heap, copies) = match (text.rsplit_once('^'), text.split_once('·')) {
        (Some(parts), _) => parts,
        (None, Some((copies, heap))) => (heap, copies),
        (None, None) if is_game => return Ok((text, 1)),
        (None, None) => match text.split_once(['x', '×']) {
            Some(parts) => parts,
            None => return Ok((text, 1)),
        },
    };
    Ok((
        heap,
        number(copies).map_err(|error| error.within(text))?.into(),
    ))
}

impl PositionError {
    /// The error with the whole part of the text instead of its number.
    fn within(self, text: &str) -> Self {
        match self {
            Self::NotAHeap(_) => Self::NotAHeap(text.to_owned()),
            other => other,
        }
    }
}

fn number(text: &str) -> Result<u32, PositionError> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    match text.parse() {
        _ if !is_number => Err(PositionError::NotAHeap(text.to_owned())),
        Ok(number) => Ok(number),
        Err(_) if text.starts_with('-') => Err(PositionError::Negative(text.to_owned())),
        Err(_) => Err(PositionError::TooLarge(text.to_owned())),
    }
}

/// Returns the size of a heap; of a finite game the number of a follower.
fn size(code: &Code, text: &str) -> Result<u32, PositionError> {
    let wanted = match text.starts_with(['*', '{']) {
        true => Some(follower(text)?),
        false => None,
    };
    let no_follower = |game: &FiniteGame| PositionError::NoFollower {
        code: code.to_string(),
        text: text.to_owned(),
        last: game.heaps(),
    };
    match (wanted, code.finite_game()) {
        (None, None) => number(text),
        (None, Some(game)) => Some(number(text)?)
            .filter(|&number| number <= game.heaps())
            .ok_or_else(|| no_follower(game)),
        (Some(_), None) => Err(PositionError::NotANumber {
            code: code.to_string(),
            text: text.to_owned(),
        }),
        (Some(wanted), Some(game)) => (0..=game.heaps())
            .find(|&number| game.follower(number) == wanted)
            .ok_or_else(|| no_follower(game)),
    }
}

fn follower(text: &str) -> Result<FiniteGame, PositionError> {
    let bad = |reason: String| PositionError::BadFollower {
        text: text.to_owned(),
        reason,
    };
    let game: Code = text.parse().map_err(|error| bad(format!("{error}")))?;
    let game = game.finite_game().cloned();
    game.ok_or_else(|| bad("it is not a finite game".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(code: &str, text: &str) -> Result<Position, PositionError> {
        Position::parse(&code.parse().unwrap(), text)
    }

    #[test]
    fn equal_heaps_are_counted() {
        let position: Position = [(1, 1), (2, 4)].into_iter().collect();
        for text in [
            "2 1 2^3",
            "2+1 + 2^3",
            "1, 2x4",
            "1;4·2",
            "2^4 1 7^0",
            "2×4 1",
        ] {
            assert_eq!(parsed("0.77", text).unwrap(), position, "{text}");
        }
        assert_eq!(position.one_by_one(5), Some(vec![1, 2, 2, 2, 2]));
        assert_eq!(position.one_by_one(4), None);
        assert_eq!(position.without(2).with(HeapOption([2, 0, 0, 0])), position);
        assert_eq!(
            position.without(1).without(1),
            parsed("0.77", "2^4").unwrap()
        );
        assert_eq!(parsed("0.77", " ").unwrap(), Position::default());
        assert_eq!(Position::default().largest(), 0);
    }

    #[test]
    fn a_written_position_is_read_again() {
        for text in ["3 + 5 + 7", "3 + 200·5 + 4294967295·7"] {
            assert_eq!(parsed("0.77", text).unwrap().to_string(), text);
        }
        assert_eq!(Position::default().to_string(), "the empty position");
    }

    #[test]
    fn followers_are_read_by_number_and_by_name() {
        let game = "{*2,{*2,0}}";
        let by_name = parsed(game, "*2 {*2,0} + *2").unwrap();
        assert_eq!(by_name, parsed(game, "2^2, 3").unwrap());
        assert_eq!(by_name, parsed(game, "*2^2 3").unwrap());
        for text in ["9", "*7", "*x", "3 *7"] {
            assert!(parsed(game, text).is_err(), "{text}");
        }
        assert!(matches!(
            parsed("0.77", "*2"),
            Err(PositionError::NotANumber { .. })
        ));
    }

    #[test]
    fn other_texts_are_refused_with_their_part() {
        for (text, said) in [
            ("2+", "beside a `+`"),
            ("+2", "beside a `+`"),
            ("2++3", "beside a `+`"),
            ("2^", "`2^`"),
            ("^2", "``"),
            ("2^-1", "negative"),
            ("-3", "negative"),
            ("2^4294967296", "too large"),
            ("4294967296", "too large"),
            ("2^2^2", "`2^2`"),
            ("3 x", "`x`"),
            ("1e3", "`1e3`"),
            ("٣", "`٣`"),
        ] {
            let error = parsed("0.77", text).unwrap_err().to_string();
            assert!(error.contains(said), "{text}: {error}");
        }
    }
}
