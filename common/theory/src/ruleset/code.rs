//! What is a take-and-break code, and how is it written?
//!
//! Notations read: `0.77`, `.77`, `4.7`, `0.9092` and `0.A` (hexadecimal digits), `0.(3310)^3` (a repeated group). One
//! notation is written: the digits without trailing zeros, `0.77`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The most digits after the point that are accepted; bounds what a typed code can cost.
pub const MAX_DIGITS: usize = 255;

/// A take-and-break code: `d_0` and the digits after the point, without trailing zeros.
///
/// Codes order by `d_0`, then by the number of digits after the point, then by digits, so that the code by which a game is
/// known comes before its aliases: Kayles is `0.77` rather than `4.4`.
///
/// ```
/// use misere_theory::ruleset::Code;
/// let kayles: Code = ".770".parse()?;
/// assert_eq!(kayles.to_string(), "0.77");
/// assert_eq!("0.(3310)^2".parse::<Code>()?.to_string(), "0.3310331");
/// # Ok::<(), misere_theory::ruleset::CodeError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Code {
    d0: u8,
    digits: Vec<u8>,
}

/// Why a text is not a code: what is wrong and at which character (counted from 0).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("bad code `{text}` at character {} ({}): {reason}", .at + 1, pointed(.text, *.at))]
pub struct CodeError {
    /// The text that was read.
    pub text: String,
    /// The offending character, counted in characters from 0 (the length of the text: something is missing at its end).
    pub at: usize,
    /// What is wrong there.
    pub reason: CodeFault,
}

/// What can be wrong with a code.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CodeFault {
    /// Nothing where a digit or a point must stand.
    #[error("unexpected end")]
    Ends,
    /// A character that is no hexadecimal digit, point or group.
    #[error("`{0}` is not a digit 0-9 or A-F")]
    NotADigit(char),
    /// No point after `d_0`.
    #[error("`{0}` stands where the point is expected (write 0.77, .77 or 4.7)")]
    NoPoint(char),
    /// `d_0` allows a move that changes nothing.
    #[error(
        "d_0 = {0} allows a move that takes nothing and does not split the heap; only 0, 4, 8 and C are well-founded"
    )]
    IllFounded(char),
    /// A group without digits, end or repetition count.
    #[error("a repeated group is written (digits)^count")]
    BadGroup,
    /// More than [`MAX_DIGITS`] digits.
    #[error("more than {MAX_DIGITS} digits")]
    TooLong,
}

impl Code {
    /// The code with `d_0` and the digits after the point; trailing zeros are dropped.
    ///
    /// Returns `None` when a digit is above 15, `d_0` is not one of 0, 4, 8, 12, or there are more than [`MAX_DIGITS`].
    #[must_use]
    pub fn new(d0: u8, digits: &[u8]) -> Option<Self> {
        let length = digits
            .iter()
            .rposition(|&d| d != 0)
            .map_or(0, |last| last + 1);
        let digits = &digits[..length];
        let sound =
            d0 <= 15 && d0 & 3 == 0 && length <= MAX_DIGITS && digits.iter().all(|&d| d <= 15);
        sound.then(|| Self {
            d0,
            digits: digits.to_vec(),
        })
    }

    /// The digit `d_j` (0 beyond the last).
    #[must_use]
    pub fn digit(&self, j: usize) -> u8 {
        if j == 0 {
            self.d0
        } else {
            self.digits.get(j - 1).copied().unwrap_or(0)
        }
    }

    /// The number of digits after the point, up to the last that is not zero: the most beans a move can take.
    #[must_use]
    pub fn length(&self) -> usize {
        self.digits.len()
    }

    /// The most heaps a move can leave (0 for the game without moves).
    #[must_use]
    pub fn max_parts(&self) -> u32 {
        let union = self.digits.iter().fold(self.d0, |bits, &d| bits | d);
        u8::BITS - 1 - (union | 1).leading_zeros()
    }
}

/// The text with the character at `at` between `>` and `<`, so that one line can point at it.
fn pointed(text: &str, at: usize) -> String {
    let before: String = text.chars().take(at).collect();
    let here: String = text.chars().skip(at).take(1).collect();
    let after: String = text.chars().skip(at + 1).collect();
    format!("{before}>{here}<{after}")
}

impl PartialOrd for Code {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Code {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.d0, self.digits.len(), &self.digits).cmp(&(
            other.d0,
            other.digits.len(),
            &other.digits,
        ))
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:X}", self.d0)?;
        if !self.digits.is_empty() {
            write!(f, ".")?;
        }
        self.digits.iter().try_for_each(|d| write!(f, "{d:X}"))
    }
}

impl From<Code> for String {
    fn from(code: Code) -> Self {
        code.to_string()
    }
}

impl TryFrom<String> for Code {
    type Error = CodeError;
    fn try_from(text: String) -> Result<Self, CodeError> {
        text.parse()
    }
}

impl FromStr for Code {
    type Err = CodeError;

    fn from_str(text: &str) -> Result<Self, CodeError> {
        Reader {
            chars: text.chars().collect(),
            at: 0,
        }
        .code()
        .map_err(|(at, reason)| CodeError {
            text: text.to_owned(),
            at,
            reason,
        })
    }
}

type Fault = (usize, CodeFault);

struct Reader {
    chars: Vec<char>,
    at: usize,
}

impl Reader {
    fn code(mut self) -> Result<Code, Fault> {
        let mut d0 = 0;
        match self.peek() {
            Some('.') => {}
            Some(_) => {
                let at = self.at;
                d0 = self.digit()?;
                if d0 & 3 != 0 {
                    return Err((at, CodeFault::IllFounded(self.chars[at])));
                }
            }
            None => return Err((0, CodeFault::Ends)),
        }
        let mut digits = Vec::new();
        match self.peek() {
            None => {}
            Some('.') => {
                self.at += 1;
                if self.peek().is_none() && self.at == 1 {
                    return Err((self.at, CodeFault::Ends));
                }
                while let Some(c) = self.peek() {
                    let at = self.at;
                    if c == '(' {
                        self.group(&mut digits)?;
                    } else {
                        digits.push(self.digit()?);
                    }
                    if digits.len() > MAX_DIGITS {
                        return Err((at, CodeFault::TooLong));
                    }
                }
            }
            Some(c) => return Err((self.at, CodeFault::NoPoint(c))),
        }
        Code::new(d0, &digits).ok_or((0, CodeFault::TooLong))
    }

    fn group(&mut self, digits: &mut Vec<u8>) -> Result<(), Fault> {
        let start = self.at;
        self.at += 1;
        let mut group = Vec::new();
        while self.peek().is_some_and(|c| c != ')') {
            group.push(self.digit()?);
        }
        self.expect(')')?;
        self.expect('^')?;
        let first = self.at;
        let mut count = 0_usize;
        while let Some(value) = self.peek().and_then(|c| c.to_digit(10)) {
            count = count.saturating_mul(10).saturating_add(value as usize);
            self.at += 1;
        }
        if group.is_empty() || self.at == first {
            return Err((
                if group.is_empty() { start } else { first },
                CodeFault::BadGroup,
            ));
        }
        if count
            .saturating_mul(group.len())
            .saturating_add(digits.len())
            > MAX_DIGITS
        {
            return Err((first, CodeFault::TooLong));
        }
        (0..count).for_each(|_| digits.extend_from_slice(&group));
        Ok(())
    }

    fn expect(&mut self, wanted: char) -> Result<(), Fault> {
        if self.peek() == Some(wanted) {
            self.at += 1;
            Ok(())
        } else {
            Err((self.at, CodeFault::BadGroup))
        }
    }

    fn digit(&mut self) -> Result<u8, Fault> {
        let at = self.at;
        let c = self.peek().ok_or((at, CodeFault::Ends))?;
        let value = c.to_digit(16).ok_or((at, CodeFault::NotADigit(c)))?;
        self.at += 1;
        Ok(value as u8)
    }

    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
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
            "bad code `0.7x7` at character 4 (0.7>x<7): `x` is not a digit 0-9 or A-F"
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
