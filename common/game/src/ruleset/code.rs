//! Codes of take-and-break games.
//!
//! Most are take-and-break codes, digits after `d_0`. There are also codes with constraints or
//! without end, games that no code describes, by name, games whose options are listed, and finite
//! games. All are read and written as text, see [`code_parser`](super::code_parser).

use std::fmt::{self, Write};

use serde::{Deserialize, Serialize};

use super::finite::FiniteGame;
use super::general::General;
use super::grundys_game::GRUNDY;
use super::listed::HeapList;

/// The most digits after the point that are accepted; bounds what a typed code can cost.
pub const MAX_DIGITS: usize = 255;

/// A heap game: a code, Grundy's game, a list of options or a finite game.
///
/// A code is a take-and-break code (`d_0` and the digits after the point, without trailing zeros)
/// or a general code (with constraints, or without end). A list gives the options heap by heap. A
/// finite game has its followers for heaps.
///
/// Take-and-break codes come first. They order by `d_0`, then by the number of digits after the
/// point, then by digits, so that the code by which a game is known comes before its aliases:
/// Kayles is `0.77` rather than `4.4`. All other games order by the length of their text, then by
/// the text.
///
/// ```
/// use misere_game::ruleset::Code;
/// let kayles: Code = ".770".parse()?;
/// assert_eq!(kayles.to_string(), "0.77");
/// assert_eq!("0.(3310)^2".parse::<Code>()?.to_string(), "0.3310331");
/// assert_eq!("*[2#320]".parse::<Code>()?.to_string(), "{*3,{*2},*2,0}");
/// assert_eq!("0.33[33]".parse::<Code>()?.to_string(), "0.[3]");
/// # Ok::<(), misere_game::ruleset::CodeError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Code(pub(super) Rules);

/// The kinds of rulesets.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Rules {
    TakeAndBreak { d0: u8, digits: Vec<u8> },
    Grundy,
    Finite(FiniteGame),
    General(General),
    Listed(HeapList),
}

impl Code {
    /// Returns the code with `d_0` and the digits after the point; trailing zeros are dropped.
    ///
    /// Returns `None` when a digit is above 15, `d_0` is not one of 0, 4, 8, 12, or there are more
    /// than [`MAX_DIGITS`].
    ///
    /// ```
    /// use misere_game::ruleset::Code;
    /// let kayles = Code::new(0, &[7, 7, 0]);
    /// assert_eq!(kayles.map(|code| code.to_string()).as_deref(), Some("0.77"));
    /// // d_0 = 1 would let a move take nothing and leave nothing.
    /// assert_eq!(Code::new(1, &[]), None);
    /// ```
    #[must_use]
    pub fn new(d0: u8, digits: &[u8]) -> Option<Self> {
        let length = digits
            .iter()
            .rposition(|&d| d != 0)
            .map_or(0, |last| last + 1);
        let digits = digits[..length].to_vec();
        let sound =
            d0 <= 15 && d0 & 3 == 0 && length <= MAX_DIGITS && digits.iter().all(|&d| d <= 15);
        sound.then_some(Self(Rules::TakeAndBreak { d0, digits }))
    }

    /// Returns Grundy's game: split a heap into two unequal heaps.
    ///
    /// ```
    /// use misere_game::ruleset::{Code, HeapOption};
    /// let options = Code::grundy().options(5);
    /// assert_eq!(options, [HeapOption([3, 2, 0, 0]), HeapOption([4, 1, 0, 0])]);
    /// ```
    #[must_use]
    pub fn grundy() -> Self {
        Self(Rules::Grundy)
    }

    /// Reports whether the code has finitely many digits from 0 to F and no constraints.
    ///
    /// In that case [`digit`](Self::digit) determines the game.
    #[must_use]
    pub fn is_take_and_break(&self) -> bool {
        matches!(self.0, Rules::TakeAndBreak { .. })
    }

    /// Returns the finite game that the code represents, if it is one.
    ///
    /// Heap `n` represents its follower `n`.
    ///
    /// ```
    /// use misere_game::ruleset::{Code, FiniteGame};
    /// let code: Code = "*2".parse()?;
    /// assert_eq!(code.finite_game(), Some(&FiniteGame::nimber(2)?));
    /// assert_eq!("0.77".parse::<Code>()?.finite_game(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn finite_game(&self) -> Option<&FiniteGame> {
        match &self.0 {
            Rules::Finite(game) => Some(game),
            _ => None,
        }
    }

    /// Returns the digits of a general code, if the game is one.
    ///
    /// ```
    /// use misere_game::ruleset::Code;
    /// let nim: Code = "0.[3]".parse()?;
    /// assert_eq!(nim.general().and_then(|digits| digits.block_length()), Some(1));
    /// assert_eq!("0.3".parse::<Code>()?.general(), None);
    /// # Ok::<(), misere_game::ruleset::CodeError>(())
    /// ```
    #[must_use]
    pub fn general(&self) -> Option<&General> {
        match &self.0 {
            Rules::General(digits) => Some(digits),
            _ => None,
        }
    }

    /// Returns the options heap by heap, if the game is a list of them.
    ///
    /// ```
    /// use misere_game::ruleset::Code;
    /// let code: Code = "heaps(0;1,0)".parse()?;
    /// assert_eq!(code.heap_list().map(|list| list.heaps()), Some(2));
    /// # Ok::<(), misere_game::ruleset::CodeError>(())
    /// ```
    #[must_use]
    pub fn heap_list(&self) -> Option<&HeapList> {
        match &self.0 {
            Rules::Listed(list) => Some(list),
            _ => None,
        }
    }

    /// Returns the digit `d_j` of a take-and-break code (0 beyond the last); 0 for other games.
    ///
    /// ```
    /// use misere_game::ruleset::Code;
    /// let code: Code = "0.123".parse()?;
    /// assert_eq!([0, 1, 2, 3, 4].map(|j| code.digit(j)), [0, 1, 2, 3, 0]);
    /// # Ok::<(), misere_game::ruleset::CodeError>(())
    /// ```
    #[must_use]
    pub fn digit(&self, j: usize) -> u8 {
        match &self.0 {
            Rules::TakeAndBreak { d0, .. } if j == 0 => *d0,
            Rules::TakeAndBreak { digits, .. } => digits.get(j - 1).copied().unwrap_or(0),
            _ => 0,
        }
    }

    /// Returns the number of digits after the point of a take-and-break code.
    ///
    /// Digits count up to the last that is not zero.
    ///
    /// It is the most beans a move can take. 0 for other games.
    ///
    /// ```
    /// use misere_game::ruleset::Code;
    /// assert_eq!("0.77".parse::<Code>()?.length(), 2);
    /// # Ok::<(), misere_game::ruleset::CodeError>(())
    /// ```
    #[must_use]
    pub fn length(&self) -> usize {
        match &self.0 {
            Rules::TakeAndBreak { digits, .. } => digits.len(),
            _ => 0,
        }
    }

    /// Returns the most heaps a move can leave (0 for the game without moves).
    ///
    /// ```
    /// use misere_game::ruleset::Code;
    /// // The digits 3, 7 and 9 let a move leave one heap, two heaps and three heaps.
    /// let parts = |text: &str| text.parse::<Code>().map(|code| code.max_parts());
    /// assert_eq!((parts("0.3")?, parts("0.77")?, parts("0.9")?), (1, 2, 3));
    /// # Ok::<(), misere_game::ruleset::CodeError>(())
    /// ```
    #[must_use]
    pub fn max_parts(&self) -> u32 {
        match &self.0 {
            Rules::TakeAndBreak { d0, digits } => {
                let union = digits.iter().fold(*d0, |bits, &d| bits | d);
                u8::BITS - 1 - (union | 1).leading_zeros()
            }
            Rules::Grundy => 2,
            Rules::Finite(game) => game.heaps().min(1),
            Rules::General(digits) => digits.max_parts(),
            Rules::Listed(list) => list.max_parts(),
        }
    }

    /// Reports whether any heap has an option.
    ///
    /// ```
    /// use misere_game::ruleset::Code;
    /// assert!("0.3".parse::<Code>()?.has_moves());
    /// assert!(!"0.0".parse::<Code>()?.has_moves());
    /// # Ok::<(), misere_game::ruleset::CodeError>(())
    /// ```
    #[must_use]
    pub fn has_moves(&self) -> bool {
        match &self.0 {
            Rules::TakeAndBreak { d0, digits } => *d0 != 0 || !digits.is_empty(),
            // A general code has a digit that is not 0, and a list has an option.
            Rules::Grundy | Rules::General(_) | Rules::Listed(_) => true,
            Rules::Finite(game) => game.heaps() > 0,
        }
    }
}

impl From<FiniteGame> for Code {
    fn from(game: FiniteGame) -> Self {
        Self(Rules::Finite(game))
    }
}

impl From<HeapList> for Code {
    fn from(list: HeapList) -> Self {
        Self(Rules::Listed(list))
    }
}

impl PartialOrd for Code {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Code {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        fn digits(code: &Code) -> Option<(u8, usize, &[u8])> {
            match &code.0 {
                Rules::TakeAndBreak { d0, digits } => Some((*d0, digits.len(), digits)),
                _ => None,
            }
        }
        match (digits(self), digits(other)) {
            (Some(one), Some(two)) => one.cmp(&two),
            (Some(_), None) => std::cmp::Ordering::Less,
            (None, Some(_)) => std::cmp::Ordering::Greater,
            (None, None) => {
                let (one, two) = (self.to_string(), other.to_string());
                (one.len(), one).cmp(&(two.len(), two))
            }
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Rules::TakeAndBreak { d0, digits } => {
                write_digit(f, *d0)?;
                if !digits.is_empty() {
                    f.write_char('.')?;
                }
                digits.iter().try_for_each(|&digit| write_digit(f, digit))
            }
            Rules::Grundy => f.write_str(GRUNDY),
            Rules::Finite(game) => game.fmt(f),
            Rules::General(digits) => digits.fmt(f),
            Rules::Listed(list) => list.fmt(f),
        }
    }
}

/// Writes a digit of a code, without the machinery for numbers of any size.
///
/// A census of small games writes hardly anything but codes.
fn write_digit(f: &mut fmt::Formatter<'_>, digit: u8) -> fmt::Result {
    let letter = char::from_digit(u32::from(digit), 16).ok_or(fmt::Error)?;
    f.write_char(letter.to_ascii_uppercase())
}

impl From<Code> for String {
    fn from(code: Code) -> Self {
        code.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str) -> Code {
        text.parse().unwrap()
    }

    #[test]
    fn notations() {
        assert_eq!(read("0.77"), read(".77"));
        assert_eq!(read("0.770"), read("0.77"));
        assert_eq!(read("4.7").digit(0), 4);
        assert_eq!(read("0.9092").to_string(), "0.9092");
        assert_eq!(read("0.a"), read("0.A"));
        assert_eq!(read("0.(3310)^3").to_string(), "0.33103310331");
        assert_eq!(read("0.1(20)^2").to_string(), "0.1202");
        assert_eq!(read("4").to_string(), "4");
        assert_eq!(read("0.").to_string(), "0");
        assert_eq!(read("0.77").max_parts(), 2);
        assert_eq!(read("0.33").max_parts(), 1);
        assert_eq!(read("0.9").max_parts(), 3);
        assert_eq!(read("0").max_parts(), 0);
    }

    #[test]
    fn faults_point_at_the_character() {
        let at = |text: &str| text.parse::<Code>().unwrap_err().at;
        assert_eq!(at(""), 0);
        assert_eq!(at("."), 1);
        assert_eq!(at("0.7x7"), 3);
        assert_eq!(at("3.7"), 0);
        assert_eq!(at("07"), 1);
        assert_eq!(at("0.(33"), 5);
        assert_eq!(at("0.()^2"), 2);
        assert_eq!(at("0.(3)^"), 6);
        assert_eq!(at("0.(3)^9999999999999999999999"), 6);
        assert_eq!(at("0.7 7"), 3);
        let shown = "0.7x7".parse::<Code>().unwrap_err().to_string();
        assert_eq!(
            shown,
            "bad code `0.7x7` at character 4 (0.7>x<7): `x` is not a digit; the digits are 0-9 and A-V"
        );
    }

    proptest! {
        #[test]
        fn printing_and_reading_agree(d0 in prop::sample::select(vec![0_u8, 4, 8, 12]), digits in prop::collection::vec(0_u8..16, 0..20)) {
            let code = Code::new(d0, &digits).unwrap();
            prop_assert_eq!(code.to_string().parse::<Code>().unwrap(), code);
        }

        #[test]
        fn any_text_is_read_or_refused(text in "\\PC{0,12}") {
            let _ = text.parse::<Code>();
        }
    }
}
