//! The parser of general codes, and of the words that denote codes.
//!
//! ```text
//! code       = digit "." { digits } [ "[" digits { digits } "]" ]  |  digit
//! digits     = digit | "(" digit {digit} ")^" number
//! digit      = ( "0"–"9" | "A"–"V" | "&" number ";" ) [mark]  |  "{" heaps { "," heaps } "}" [mark]
//! heaps      = number [mark]
//! mark       = "!" | "?" | "="
//! subtract   = ( "subtract" | "S" | "splittles" ) "(" ["allbut"] range { "," range } ")"
//! range      = number [ "-" number ]
//! ```
//!
//! `subtract(1,2,5)` is the code with the digit 3 for the numbers 1, 2 and 5, and `splittles` with
//! the digit 7; after `allbut` it is the code without end with this digit for all other numbers.

use super::Code;
use super::code::{MAX_DIGITS, Rules};
use super::code_error::{CodeErrorKind, LocatedError};
use super::finite::MAX_TEXT;
use super::general::{Constraint, DIGITS, Digit, General};
use super::heap_option::MAX_PARTS;
use super::listed::HeapList;

/// Reports whether a text that begins like a code is one of a general code.
///
/// It is if it has a character that no other code has.
pub(super) fn is_general(text: &str) -> bool {
    let is_mark = |c: char| matches!(c, '[' | ']' | '{' | '}' | '!' | '?' | '=' | '&' | '*');
    let beyond_hexadecimal =
        |c: char| DIGITS.contains(c.to_ascii_uppercase()) && !c.is_ascii_hexdigit();
    let is_code = text.contains('.') || text.chars().count() < 3;
    let has_digit = is_code && text.contains(beyond_hexadecimal);
    let digits_only =
        |c: char| DIGITS.contains(c.to_ascii_uppercase()) || is_mark(c) || "().^,; ".contains(c);
    text.contains(is_mark) || has_digit && text.chars().all(digits_only)
}

/// Reads a general code.
pub(super) fn read(text: &str) -> Result<Code, LocatedError> {
    let reader = Reader {
        chars: text.chars().collect(),
        at: 0,
    };
    reader.code()
}

/// Returns the word before a parenthesis and the text inside, for a text such as `subtract(1,2)`.
pub(super) fn word(text: &str) -> Option<(&str, &str)> {
    let (word, rest) = text.split_once('(')?;
    let inside = rest.strip_suffix(')')?;
    let word = word.trim_end();
    matches!(word, "heaps" | "subtract" | "S" | "splittles").then_some((word, inside))
}

/// Reads the code that such a word denotes.
pub(super) fn named(word: &str, inside: &str) -> Result<Code, CodeErrorKind> {
    match word {
        "heaps" => Ok(HeapList::of_text(inside)?.into()),
        "splittles" => subtraction(7, inside),
        _ => subtraction(3, inside),
    }
}

/// Returns the code with a digit for the numbers of a list, or for all others.
fn subtraction(bits: u64, inside: &str) -> Result<Code, CodeErrorKind> {
    let allbut = inside.trim_start().strip_prefix("allbut");
    let mut digits = vec![Digit::default()];
    let fault = |entry: &str| CodeErrorKind::BadSet(entry.chars().take(40).collect());
    for entry in allbut.unwrap_or(inside).split(',').map(str::trim) {
        let number = |text: &str| match text.trim().parse::<usize>() {
            Ok(number) if (1..=MAX_DIGITS).contains(&number) => Ok(number),
            _ => Err(fault(entry)),
        };
        let (first, last) = entry.split_once('-').unwrap_or((entry, entry));
        let (first, last) = (number(first)?, number(last)?);
        if first > last {
            return Err(fault(entry));
        }
        digits.resize(digits.len().max(last + 1), Digit::default());
        let digit = Digit::of_bits(bits, Constraint::None).unwrap_or_default();
        digits[first..=last].fill(digit);
    }
    let mut block = Vec::new();
    if allbut.is_some() {
        let digit = Digit::of_bits(bits, Constraint::None).unwrap_or_default();
        for other in digits.iter_mut().skip(1) {
            *other = if other.is_zero() {
                digit
            } else {
                Digit::default()
            };
        }
        block.push(digit);
    }
    of_digits(digits, block)
}

/// Returns the code with these digits, in its only form.
fn of_digits(digits: Vec<Digit>, block: Vec<Digit>) -> Result<Code, CodeErrorKind> {
    if digits.len() + block.len() > MAX_DIGITS + 1 {
        return Err(CodeErrorKind::TooLong);
    }
    let code = match General::new(digits, block) {
        Ok(game) if game.is_grundy() => Code::grundy(),
        Ok(game) => Code(Rules::General(game)),
        Err(plain) => Code::new(plain.d0, &plain.digits).ok_or(CodeErrorKind::TooLong)?,
    };
    match code.to_string().len() > MAX_TEXT {
        true => Err(CodeErrorKind::TooLong),
        false => Ok(code),
    }
}

struct Reader {
    chars: Vec<char>,
    at: usize,
}

impl Reader {
    fn code(mut self) -> Result<Code, LocatedError> {
        let mut digits = Vec::new();
        if self.peek() == Some('.') {
            digits.push(Digit::default());
        } else {
            let d0 = self.digit()?;
            let moves_nothing = |heaps| d0.constraint(heaps).is_some();
            if moves_nothing(0) || moves_nothing(1) {
                return Err((0, CodeErrorKind::StandsStill));
            }
            digits.push(d0);
        }
        match self.peek() {
            None => {}
            Some('.') => self.at += 1,
            // CGSuite reads more digits here, for moves that add beans.
            Some(_) if self.chars[self.at..].contains(&'.') => {
                return Err((self.at, CodeErrorKind::AddsBeans));
            }
            Some(c) => return Err((self.at, CodeErrorKind::NoPoint(c))),
        }
        self.digits_until(None, &mut digits)?;
        let mut block = Vec::new();
        if self.peek() == Some('[') {
            let start = self.at;
            self.at += 1;
            self.digits_until(Some(']'), &mut block)?;
            if self.peek() != Some(']') || block.is_empty() || self.at + 1 < self.chars.len() {
                let at = if self.peek() == Some(']') {
                    start
                } else {
                    self.at
                };
                return Err((at, CodeErrorKind::BadBlock));
            }
        }
        of_digits(digits, block).map_err(|fault| (0, fault))
    }

    /// Reads digits and repeated groups to a bracket or to the end.
    fn digits_until(
        &mut self,
        end: Option<char>,
        digits: &mut Vec<Digit>,
    ) -> Result<(), LocatedError> {
        while let Some(c) = self.peek() {
            let at = self.at;
            match c {
                _ if Some(c) == end => break,
                '[' if end.is_none() => break,
                '[' => return Err((at, CodeErrorKind::BadBlock)),
                '(' => self.group(digits)?,
                _ => digits.push(self.digit()?),
            }
            if digits.len() > MAX_DIGITS + 1 {
                return Err((at, CodeErrorKind::TooLong));
            }
        }
        Ok(())
    }

    fn group(&mut self, digits: &mut Vec<Digit>) -> Result<(), LocatedError> {
        let start = self.at;
        self.at += 1;
        let mut group = Vec::new();
        while self.peek().is_some_and(|c| c != ')') {
            group.push(self.digit()?);
        }
        for wanted in [')', '^'] {
            if self.peek() != Some(wanted) {
                return Err((self.at, CodeErrorKind::BadGroup));
            }
            self.at += 1;
        }
        let count = self.number().ok_or((self.at, CodeErrorKind::BadGroup))?;
        if group.is_empty() {
            return Err((start, CodeErrorKind::BadGroup));
        }
        if count.saturating_mul(group.len() as u64) > MAX_DIGITS as u64 {
            return Err((start, CodeErrorKind::TooLong));
        }
        (0..count).for_each(|_| digits.extend_from_slice(&group));
        Ok(())
    }

    fn digit(&mut self) -> Result<Digit, LocatedError> {
        let at = self.at;
        let c = self.peek().ok_or((at, CodeErrorKind::Ends))?;
        self.at += 1;
        let bits = match c {
            '{' => return self.numbers_of_heaps(),
            '*' => return Err((at, CodeErrorKind::AnyNumber)),
            '&' => {
                let bits = self.number().ok_or((self.at, CodeErrorKind::BadDigit))?;
                if self.peek() != Some(';') {
                    return Err((self.at, CodeErrorKind::BadDigit));
                }
                self.at += 1;
                bits
            }
            _ => {
                let place = DIGITS.find(c.to_ascii_uppercase());
                place.ok_or((at, CodeErrorKind::NotADigit(c)))? as u64
            }
        };
        let constraint = self.mark().unwrap_or_default();
        Digit::of_bits(bits, constraint).ok_or((at, CodeErrorKind::TooManyHeaps))
    }

    /// Reads a digit in braces: the numbers of heaps, each with a mark or with one mark for all.
    fn numbers_of_heaps(&mut self) -> Result<Digit, LocatedError> {
        let mut allowed: Vec<(usize, Option<Constraint>)> = Vec::new();
        loop {
            let at = self.at;
            let heaps = self.number().ok_or((at, CodeErrorKind::BadDigit))?;
            let heaps = usize::try_from(heaps)
                .ok()
                .filter(|&heaps| heaps <= MAX_PARTS);
            let heaps = heaps.ok_or((at, CodeErrorKind::TooManyHeaps))?;
            if allowed.iter().any(|&(other, _)| other == heaps) {
                return Err((at, CodeErrorKind::BadDigit));
            }
            allowed.push((heaps, self.mark()));
            match self.peek() {
                Some(',') => self.at += 1,
                Some('}') => break,
                Some('+') => return Err((self.at, CodeErrorKind::AnyNumber)),
                _ => return Err((self.at, CodeErrorKind::BadDigit)),
            }
        }
        self.at += 1;
        let at = self.at;
        let all = self.mark();
        if all.is_some() && allowed.iter().any(|(_, own)| own.is_some()) {
            return Err((at, CodeErrorKind::BadDigit));
        }
        let constraint = |own: Option<Constraint>| own.or(all).unwrap_or_default();
        let allowed = allowed
            .into_iter()
            .map(|(heaps, own)| (heaps, constraint(own)));
        let allowed: Vec<(usize, Constraint)> = allowed.collect();
        Digit::new(&allowed).ok_or((at, CodeErrorKind::TooManyHeaps))
    }

    /// Reads a mark of a constraint, if there is one.
    fn mark(&mut self) -> Option<Constraint> {
        let mark = Constraint::of(self.peek()?)?;
        self.at += 1;
        Some(mark)
    }

    /// Reads a decimal number. A number that does not fit becomes one that is still too great.
    fn number(&mut self) -> Option<u64> {
        let mut number = None;
        while let Some(digit) = self.peek().and_then(|c| c.to_digit(10)) {
            let before = number.unwrap_or(0_u64);
            number = Some(before.saturating_mul(10).saturating_add(digit.into()));
            self.at += 1;
        }
        number
    }

    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }
}
