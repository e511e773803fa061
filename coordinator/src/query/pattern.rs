//! Which codes look like this?
//!
//! A pattern is a code in which `?` stands for one digit and `*` for any number of them. A code ends in zeros without end, so `0.7?` fits
//! 0.7 as well as 0.77, and `0.???` every code `0.d_1d_2d_3`. Where nothing is left open the pattern is that code, whichever kind of game it is.

use std::fmt;
use std::str::FromStr;

use misere_theory::ruleset::{Code, CodeError};

/// A set of codes; see the module's text.
///
/// ```
/// use misere_coordinator::query::CodePattern;
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
        /// `d_0`, unless any will do.
        d0: Option<u8>,
        /// What stands behind the point.
        digits: Vec<Piece>,
    },
}

/// A piece of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece {
    /// This digit.
    Digit(u8),
    /// Any digit.
    Any,
    /// Any number of digits.
    Many,
}

/// Not a pattern.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// Without `?` and `*` behind a point it has to be a code.
    #[error(transparent)]
    Code(#[from] CodeError),
    /// Something else than a digit, `?` or `*`.
    #[error("bad pattern `{text}`: `{found}` is no digit 0-9 or A-F, `?` or `*`")]
    Piece {
        /// The text read.
        text: String,
        /// The character.
        found: char,
    },
    /// Longer than any code.
    #[error("the pattern has more than {MAX_PIECES} digits")]
    TooLong,
}

/// The most pieces of a pattern; as many as digits of a code.
const MAX_PIECES: usize = 255;

impl FromStr for CodePattern {
    type Err = PatternError;
    fn from_str(text: &str) -> Result<Self, PatternError> {
        let is_open = |part: &str| part.contains(['?', '*']);
        let Some((first, rest)) = text.split_once('.').filter(|_| is_open(text)) else {
            return Ok(Self::Exactly(text.parse()?));
        };
        let piece = |c: char| match c {
            '?' => Ok(Piece::Any),
            '*' => Ok(Piece::Many),
            _ => match c.to_digit(16) {
                Some(digit) => Ok(Piece::Digit(digit as u8)),
                None => Err(PatternError::Piece {
                    text: text.to_owned(),
                    found: c,
                }),
            },
        };
        let d0 = match first.chars().next() {
            None => Some(0),
            Some(c) if first.chars().count() == 1 => match piece(c)? {
                Piece::Digit(digit) => Some(digit),
                Piece::Any | Piece::Many => None,
            },
            // No code has two digits there; its own reader says so.
            Some(_) => return Ok(Self::Exactly(text.parse()?)),
        };
        let mut digits: Vec<Piece> = Vec::new();
        for c in rest.chars() {
            let piece = piece(c)?;
            if piece != Piece::Many || digits.last() != Some(&Piece::Many) {
                digits.push(piece);
            }
        }
        if digits.len() > MAX_PIECES {
            return Err(PatternError::TooLong);
        }
        Ok(Self::Like { d0, digits })
    }
}

impl fmt::Display for CodePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (d0, digits) = match self {
            Self::Exactly(code) => return code.fmt(f),
            Self::Like { d0, digits } => (d0, digits),
        };
        match d0 {
            Some(digit) => write!(f, "{digit:X}.")?,
            None => f.write_str("?.")?,
        }
        digits.iter().try_for_each(|piece| match piece {
            Piece::Digit(digit) => write!(f, "{digit:X}"),
            Piece::Any => f.write_str("?"),
            Piece::Many => f.write_str("*"),
        })
    }
}

impl CodePattern {
    /// Whether a code looks like this.
    #[must_use]
    pub fn fits(&self, code: &Code) -> bool {
        let (d0, pieces) = match self {
            Self::Exactly(exactly) => return exactly == code,
            Self::Like { d0, digits } => (d0, digits),
        };
        if !code.is_take_and_break() || d0.is_some_and(|d0| d0 != code.digit(0)) {
            return false;
        }
        let mut digits: Vec<u8> = (1..=code.length()).map(|at| code.digit(at)).collect();
        // Behind the digits there are zeros, as many as one likes; more than pieces are never needed.
        for _ in 0..=pieces.len() {
            if fits(pieces, &digits) {
                return true;
            }
            digits.push(0);
        }
        false
    }

    /// The key from which on the next code may fit, if none can from this one up to it; `None` if this one may. Keys as those of the store:
    /// `d_0`, the number of digits, the digits. For a pattern that is no single code.
    pub(super) fn next_key(&self, key: &[u8]) -> Option<Vec<u8>> {
        let Self::Like { digits, .. } = self else {
            return None;
        };
        let (&[d0, length], found) = key.split_first_chunk()?;
        let literal = digits.iter().map_while(|piece| match piece {
            Piece::Digit(digit) => Some(*digit),
            Piece::Any | Piece::Many => None,
        });
        // Only as far as the code goes: behind it stand zeros.
        let literal: Vec<u8> = literal.take(length.into()).collect();
        let head = found.get(..literal.len())?;
        match head.cmp(&literal) {
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Less => Some([&[d0, length], literal.as_slice()].concat()),
            std::cmp::Ordering::Greater => Some(match length.checked_add(1) {
                Some(longer) => vec![d0, longer],
                None => vec![d0.saturating_add(1)],
            }),
        }
    }

    /// What the keys of codes that fit begin with: `d_0`, one or each.
    pub(super) fn heads(&self) -> Vec<u8> {
        match self {
            Self::Like { d0: Some(d0), .. } => vec![*d0],
            _ => vec![0, 4, 8, 12],
        }
    }
}

/// Whether pieces fit all of these digits: the usual comparison that goes back to the last `*` only.
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
            Some(Piece::Any) => {}
            Some(Piece::Digit(wanted)) if *wanted == digits[digit] => {}
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
    use super::*;
    use misere_census::Space;

    fn fitting(pattern: &str) -> Vec<String> {
        let pattern: CodePattern = pattern.parse().unwrap();
        let codes = Space::Octal { digits: 3 }.codes();
        let fitting = codes.into_iter().filter(|code| pattern.fits(code));
        fitting.map(|code| code.to_string()).collect()
    }

    #[test]
    fn patterns_fit_codes_with_zeros_behind() {
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
    }

    #[test]
    fn bad_patterns_say_what_is_wrong() {
        let error = "0.7x*".parse::<CodePattern>().unwrap_err();
        assert!(error.to_string().contains("`x`"), "{error}");
        assert!("0.8y".parse::<CodePattern>().is_err());
        assert!("00.?".parse::<CodePattern>().is_err());
        for written in ["0.7?", "?.*7", "4.F?", "0.77", "{*2,0}"] {
            assert_eq!(written.parse::<CodePattern>().unwrap().to_string(), written);
        }
        // A nimber, not a pattern.
        let nimber: CodePattern = "*2".parse().unwrap();
        assert!(matches!(nimber, CodePattern::Exactly(_)));
    }

    /// Skipping passes over no code that fits, and ends.
    #[test]
    fn nothing_that_fits_is_skipped() {
        use crate::store::keys::code_key;
        let codes = Space::Octal { digits: 3 }.codes();
        for pattern in [
            "0.7?", "0.7*", "0.*7", "0.07?", "0.0*", "4.?", "?.3*", "0.700", "0.70?",
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
