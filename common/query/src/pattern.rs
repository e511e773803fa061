//! Patterns of codes, such as `0.[0-3]?*`.
//!
//! A pattern is a code in which `?` represents one digit, `[1-3]` or `[0257]` one of some digits,
//! and `*` any number of digits. A code ends in infinitely many zeros, so `0.7?` fits 0.7 as well
//! as 0.77, `0.???` every code `0.d_1d_2d_3`, and `0.[0-3][0-3][0-3]` every quaternary one of
//! these. If nothing is left open the pattern is that code, for any kind of game.
//!
//! A code without end has brackets, too. Brackets at the end that hold one digit, or digits that do
//! not ascend, belong to such a code: `0.[3]` is Nim. `0.3[03]` is a pattern; the game with that
//! code is also written `0.30[30]`.

use std::fmt;
use std::iter::Peekable;
use std::str::{Chars, FromStr};

use misere_game::ruleset::{Code, CodeError};

/// A set of codes; see the module's documentation.
///
/// ```
/// use misere_query::CodePattern;
/// let pattern: CodePattern = "0.7[1-3]".parse()?;
/// assert!(pattern.fits(&"0.73".parse()?) && !pattern.fits(&"0.74".parse()?));
/// let pattern: CodePattern = "0.7?".parse()?;
/// assert!(pattern.fits(&"0.77".parse()?) && pattern.fits(&"0.7".parse()?));
/// assert!(!pattern.fits(&"4.7".parse()?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CodePattern {
    /// One game.
    Exactly(Code),
    /// Take-and-break codes.
    Like {
        /// The allowed values of `d_0`.
        d0: Digits,
        /// The digits after the point.
        digits: Vec<Piece>,
    },
}

/// A piece of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece {
    /// One of these digits.
    One(Digits),
    /// Any number of digits.
    Many,
}

/// A set of hexadecimal digits, not empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digits(u16);

impl Digits {
    const ANY: Self = Self(u16::MAX);

    fn one(digit: u8) -> Self {
        Self(1 << (digit & 15))
    }

    fn contains(self, digit: u8) -> bool {
        digit < 16 && self.0 >> digit & 1 != 0
    }

    /// Returns the least of them that is greater than a digit.
    fn above(self, digit: u8) -> Option<u8> {
        (digit.saturating_add(1)..16).find(|&other| self.contains(other))
    }

    fn iter(self) -> impl Iterator<Item = u8> {
        (0..16).filter(move |&digit| self.contains(digit))
    }
}

impl fmt::Display for Digits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::ANY {
            return f.write_str("?");
        }
        if self.0.is_power_of_two() {
            return write!(f, "{:X}", self.0.trailing_zeros());
        }
        f.write_str("[")?;
        let mut from = 0;
        while let Some(first) = (from..16).find(|&digit| self.contains(digit)) {
            let after = (first..16).find(|&digit| !self.contains(digit));
            let last = after.unwrap_or(16) - 1;
            match last - first {
                0 => write!(f, "{first:X}")?,
                1 => write!(f, "{first:X}{last:X}")?,
                _ => write!(f, "{first:X}-{last:X}")?,
            }
            from = last + 1;
        }
        f.write_str("]")
    }
}

/// The error of a text that is not a pattern of codes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// A text without `?`, `[` and `*` that is not a code.
    #[error(transparent)]
    Code(#[from] CodeError),
    /// A character other than a digit, `?`, `[` or `*`.
    #[error("bad pattern `{text}`: `{found}` is not a digit 0-9 or A-F, `?`, `*` or `[`")]
    Piece {
        /// The text read.
        text: String,
        /// The character.
        found: char,
    },
    /// Brackets that contain more than digits and ranges of digits.
    #[error(
        "bad pattern `{text}`: in brackets stand digits and ranges of digits, such as `[1-3]` or `[0257]`"
    )]
    Brackets {
        /// The text read.
        text: String,
    },
    /// A pattern longer than any code.
    #[error("the pattern has more than {MAX_PIECES} digits")]
    TooLong,
}

/// The most pieces of a pattern; as many as a code has digits.
const MAX_PIECES: usize = 255;

impl FromStr for CodePattern {
    type Err = PatternError;
    fn from_str(text: &str) -> Result<Self, PatternError> {
        if let Some(code) = without_end(text) {
            return Ok(Self::Exactly(code));
        }
        let is_open = text.contains(['?', '*', '[']);
        let Some((first, rest)) = text.split_once('.').filter(|_| is_open) else {
            return Ok(Self::Exactly(text.parse()?));
        };
        let first = pieces(text, first)?;
        let d0 = match first.as_slice() {
            [] => Digits::one(0),
            [Piece::One(digits)] => *digits,
            [Piece::Many] => Digits::ANY,
            // No code has two digits there; the reader of codes reports it.
            _ => return Ok(Self::Exactly(text.parse()?)),
        };
        let mut digits = pieces(text, rest)?;
        digits.dedup_by(|one, other| *one == Piece::Many && *other == Piece::Many);
        if digits.len() > MAX_PIECES {
            return Err(PatternError::TooLong);
        }
        Ok(Self::Like { d0, digits })
    }
}

/// Returns the code without end of a text whose brackets cannot be a set of digits.
fn without_end(text: &str) -> Option<Code> {
    let (before, within) = text.strip_suffix(']')?.rsplit_once('[')?;
    let is_open = before.contains(['?', '*', '[']);
    let digits: Option<Vec<u8>> = within.chars().map(digit).collect();
    let digits = digits.filter(|_| !is_open)?;
    let is_set = digits.len() > 1 && digits.is_sorted_by(|one, other| one < other);
    match is_set {
        true => None,
        false => text.parse().ok(),
    }
}

/// Returns the pieces of one side of the point.
fn pieces(text: &str, side: &str) -> Result<Vec<Piece>, PatternError> {
    let mut chars = side.chars().peekable();
    let mut pieces = Vec::new();
    while let Some(c) = chars.next() {
        pieces.push(match (c, digit(c)) {
            ('?', _) => Piece::One(Digits::ANY),
            ('*', _) => Piece::Many,
            ('[', _) => match brackets(&mut chars) {
                Some(digits) => Piece::One(digits),
                None => {
                    return Err(PatternError::Brackets {
                        text: text.to_owned(),
                    });
                }
            },
            (_, Some(digit)) => Piece::One(Digits::one(digit)),
            (found, None) => {
                return Err(PatternError::Piece {
                    text: text.to_owned(),
                    found,
                });
            }
        });
    }
    Ok(pieces)
}

fn digit(c: char) -> Option<u8> {
    c.to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

/// Returns the digits in brackets, after the opening one; `None` if they are not a set of digits.
fn brackets(chars: &mut Peekable<Chars<'_>>) -> Option<Digits> {
    let mut set = 0;
    loop {
        let first = match chars.next()? {
            ']' => return (set != 0).then_some(Digits(set)),
            c => digit(c)?,
        };
        let last = match chars.next_if_eq(&'-') {
            Some(_) => digit(chars.next()?)?,
            None => first,
        };
        if first > last {
            return None;
        }
        set = (first..=last).fold(set, |set, digit| set | 1 << digit);
    }
}

impl fmt::Display for CodePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (d0, digits) = match self {
            Self::Exactly(code) => return code.fmt(f),
            Self::Like { d0, digits } => (d0, digits),
        };
        write!(f, "{d0}.")?;
        digits.iter().try_for_each(|piece| match piece {
            Piece::One(digits) => digits.fmt(f),
            Piece::Many => f.write_str("*"),
        })
    }
}

impl CodePattern {
    /// Reports whether a code fits the pattern.
    #[must_use]
    pub fn fits(&self, code: &Code) -> bool {
        let (d0, pieces) = match self {
            Self::Exactly(exactly) => return exactly == code,
            Self::Like { d0, digits } => (d0, digits),
        };
        if !code.is_take_and_break() || !d0.contains(code.digit(0)) {
            return false;
        }
        let mut digits: Vec<u8> = (1..=code.length()).map(|at| code.digit(at)).collect();
        // After the digits there are infinitely many zeros; more of them than pieces are never
        // needed.
        for _ in 0..=pieces.len() {
            if fits(pieces, &digits) {
                return true;
            }
            digits.push(0);
        }
        false
    }

    /// Returns the key from which on the next code may fit; `None` if the code of `key` may fit.
    ///
    /// No code from `key` on fits before the returned key. Keys are as in the store: `d_0`, the
    /// number of digits, the digits. The pattern must not be a single code.
    pub fn next_key(&self, key: &[u8]) -> Option<Vec<u8>> {
        let Self::Like { digits, .. } = self else {
            return None;
        };
        let (&[d0, length], found) = key.split_first_chunk()?;
        let longer = || match length.checked_add(1) {
            Some(longer) => vec![d0, longer],
            None => vec![d0.saturating_add(1)],
        };
        // Up to the first `*` the n-th piece belongs to the n-th digit.
        let fixed: Vec<Digits> = digits
            .iter()
            .map_while(|piece| match piece {
                Piece::One(digits) => Some(*digits),
                Piece::Many => None,
            })
            .collect();
        let length = usize::from(length);
        if length > fixed.len() && fixed.len() == digits.len() {
            // The last digit of a code is not zero.
            return Some(vec![d0.saturating_add(1)]);
        }
        let (here, behind) = fixed.split_at(fixed.len().min(length));
        if !behind.iter().all(|digits| digits.contains(0)) {
            return Some(longer());
        }
        let found = found.get(..here.len())?;
        let wrong = here
            .iter()
            .zip(found)
            .position(|(digits, &digit)| !digits.contains(digit))?;
        // The wrong digit has to grow, or else the last one before it that can.
        let grown = (0..=wrong)
            .rev()
            .find_map(|at| Some((at, here[at].above(found[at])?)));
        Some(match grown {
            Some((at, digit)) => {
                let mut next = key[..2 + at].to_vec();
                next.push(digit);
                next
            }
            None => longer(),
        })
    }

    /// Returns the first bytes of the keys of codes that fit: `d_0`, one or each.
    ///
    /// ```
    /// use misere_query::CodePattern;
    /// assert_eq!("4.*".parse::<CodePattern>()?.heads(), [4]);
    /// # Ok::<(), misere_query::PatternError>(())
    /// ```
    #[must_use]
    pub fn heads(&self) -> Vec<u8> {
        match self {
            Self::Like { d0, .. } => d0.iter().filter(|d0| d0 & 3 == 0).collect(),
            Self::Exactly(_) => vec![0, 4, 8, 12],
        }
    }
}

/// Reports whether pieces fit all of these digits.
///
/// This is the usual comparison that backtracks to the last `*` only.
fn fits(pieces: &[Piece], digits: &[u8]) -> bool {
    let (mut piece, mut digit) = (0, 0);
    let mut last_many: Option<(usize, usize)> = None;
    while digit < digits.len() {
        match pieces.get(piece) {
            Some(Piece::Many) => {
                last_many = Some((piece, digit));
                piece += 1;
                continue;
            }
            Some(Piece::One(wanted)) if wanted.contains(digits[digit]) => {}
            _ => {
                let Some((many, from)) = last_many else {
                    return false;
                };
                last_many = Some((many, from + 1));
                (piece, digit) = (many + 1, from + 1);
                continue;
            }
        }
        piece += 1;
        digit += 1;
    }
    pieces[piece..].iter().all(|piece| *piece == Piece::Many)
}

#[cfg(test)]
mod tests {
    use misere_census::Space;

    use super::*;

    fn fitting(pattern: &str) -> Vec<String> {
        let pattern: CodePattern = pattern.parse().unwrap();
        let codes = Space::Octal { digits: 3 }.codes();
        let fitting = codes.into_iter().filter(|code| pattern.fits(code));
        fitting.map(|code| code.to_string()).collect()
    }

    #[test]
    fn patterns_fit_codes_with_trailing_zeros() {
        assert_eq!(fitting("0.7?").len(), 8);
        assert_eq!(fitting("0.???").len(), 511);
        assert_eq!(fitting("4.??").len(), 64);
        assert_eq!(fitting("?.??").len(), 63 + 64);
        assert_eq!(fitting("*.*").len(), 575);
        assert_eq!(fitting(".*"), fitting("0.???"));
        assert_eq!(fitting(".00?").len(), 7);
        assert_eq!(fitting("0.?0?").len(), 63);
        assert_eq!(
            fitting("0.*77"),
            [
                "0.77", "0.077", "0.177", "0.277", "0.377", "0.477", "0.577", "0.677", "0.777"
            ]
        );
        assert_eq!(fitting("4.7"), ["4.7"]);
        assert_eq!(fitting("4.7*").len(), 8);
        // Quaternary games, and one digit of some.
        assert_eq!(fitting("0.[0-3][0-3][0-3]").len(), 63);
        assert_eq!(fitting("0.[123]"), ["0.1", "0.2", "0.3"]);
        assert_eq!(fitting("0.7[1-3]"), ["0.71", "0.72", "0.73"]);
        assert_eq!(fitting("0.7[0-2]"), ["0.7", "0.71", "0.72"]);
        assert_eq!(fitting("[04].7"), ["0.7", "4.7"]);
    }

    /// A code without end is read as itself, in printed form, unless its brackets are a digit set.
    #[test]
    fn a_code_without_end_is_that_game() {
        for text in [
            "0.[3]",
            "4.[3]",
            "0.300[3]",
            "0.003[30]",
            "0.1[21]",
            "0.[77]",
        ] {
            let pattern: CodePattern = text.parse().unwrap();
            assert_eq!(pattern, CodePattern::Exactly(text.parse().unwrap()));
        }
        assert_eq!("0.30[30]".parse::<Code>(), "0.3[03]".parse());
        for text in [
            "0.3[03]",
            "0.[123]",
            "0.*[3]",
            "0.[1-3][3]",
            "0.[3]7",
            "[04].7",
        ] {
            let pattern: CodePattern = text.parse().unwrap();
            assert!(matches!(pattern, CodePattern::Like { .. }), "{text}");
        }
    }

    /// A pattern with brackets fits the same codes as the patterns with one of the digits instead.
    #[test]
    fn brackets_fit_the_codes_that_their_digits_fit() {
        for (pattern, open, digits) in [
            ("0.[1-3]?", "0.@?", "123"),
            ("0.*[57]", "0.*@", "57"),
            ("0.0[0-3]*7", "0.0@*7", "0123"),
            ("[048C].?[1-24-7]", "[048C].?@", "124567"),
            ("0.[a-C4]*", "0.@*", "ABC4"),
        ] {
            let mut expected: Vec<String> = digits
                .chars()
                .flat_map(|digit| fitting(&open.replace('@', &digit.to_string())))
                .collect();
            expected.sort_unstable();
            expected.dedup();
            let mut found = fitting(pattern);
            found.sort_unstable();
            assert_eq!(found, expected, "{pattern}");
        }
    }

    #[test]
    fn bad_patterns_say_what_is_wrong() {
        let error = "0.7x*".parse::<CodePattern>().unwrap_err();
        assert!(error.to_string().contains("`x`"), "{error}");
        assert!("0.8y".parse::<CodePattern>().is_err());
        assert!("00.?".parse::<CodePattern>().is_err());
        for bad in [
            "0.[", "0.[]", "0.[1", "0.[1-]", "0.[3-1]", "0.[-3]", "0.[x]", "0.[^1]", "[04]?.7",
        ] {
            assert!(bad.parse::<CodePattern>().is_err(), "{bad}");
        }
        let error = "0.[3-1]".parse::<CodePattern>().unwrap_err();
        assert!(error.to_string().contains("`[1-3]`"), "{error}");
        for written in [
            "0.7?",
            "?.*7",
            "4.F?",
            "0.77",
            "{*2,0}",
            "0.[1-3]",
            "[048C].[13-57]*[AB]",
        ] {
            assert_eq!(written.parse::<CodePattern>().unwrap().to_string(), written);
        }
        // A nimber, not a pattern.
        let nimber: CodePattern = "*2".parse().unwrap();
        assert!(matches!(nimber, CodePattern::Exactly(_)));
    }

    /// No fitting code is skipped, and the search ends.
    #[test]
    fn no_fitting_code_is_skipped() {
        use misere_census::frozen::code_key;
        let codes = Space::Octal { digits: 3 }.codes();
        for pattern in [
            "0.7?",
            "0.7*",
            "0.*7",
            "0.07?",
            "0.0*",
            "4.?",
            "?.3*",
            "0.700",
            "0.70?",
            "0.[1-3]",
            "0.[0-3][0-3][0-3]",
            "0.[25][1-3]*",
            "0.[25]?[36]",
            "[04].7[0-2]",
            "0.0[57]",
            "0.[0-3]*[57]",
            "[0-7].[246]?",
            "0.[7]?[0]",
            "[12].7",
        ] {
            let Ok(pattern @ CodePattern::Like { .. }) = pattern.parse() else {
                continue;
            };
            let keys: Vec<_> = codes.iter().map(|code| (code_key(code), code)).collect();
            let fitting: Vec<_> = codes.iter().filter(|code| pattern.fits(code)).collect();
            let mut found = Vec::new();
            for head in pattern.heads() {
                let mut at = keys.partition_point(|(key, _)| *key < vec![head]);
                while let Some((key, code)) = keys.get(at).filter(|(key, _)| key[0] == head) {
                    match pattern.next_key(key) {
                        Some(next) => {
                            assert!(!pattern.fits(code), "{pattern} {code}");
                            assert!(next > *key);
                            at = keys.partition_point(|(key, _)| *key < next);
                        }
                        None => {
                            found.extend(pattern.fits(code).then_some(*code));
                            at += 1;
                        }
                    }
                }
            }
            assert_eq!(found, fitting, "{pattern}");
        }
    }
}
