//! The parser of words: products of powers of generators.

use super::{LocatedError, MAX_EXPONENT, NotationErrorKind, Reader};
use crate::monoid::word::Word;

/// The most groups that may be open at once.
const MAX_GROUPS: usize = 8;

impl Reader<'_> {
    /// Reads a product of powers. Typed text may group factors: `(ab)^2c`.
    pub(super) fn word(&mut self, names: &[String]) -> Result<Word, LocatedError> {
        let mut exponents = vec![0_u32; names.len()];
        // The groups that are open: where each began, and the product before it.
        let mut groups: Vec<(usize, Vec<u32>)> = Vec::new();
        let start = self.at;
        loop {
            let at = self.at;
            let is_between = groups.is_empty() && at > start;
            if self.is_bare && is_between && self.is_before_p_portion() {
                return Ok(Word(exponents));
            }
            match self.peek() {
                Some('1') => self.advance(),
                Some('*' | '·') if at > start => self.advance(),
                Some('(') if !self.is_strict && groups.len() < MAX_GROUPS => {
                    self.advance();
                    groups.push((at, std::mem::replace(&mut exponents, vec![0; names.len()])));
                }
                Some(')') if !groups.is_empty() => {
                    self.advance();
                    let power = self.exponent()?;
                    let (opened, before) = groups.pop().unwrap_or_default();
                    for (exponent, before) in exponents.iter_mut().zip(before) {
                        *exponent = exponent.saturating_mul(power).saturating_add(before);
                        in_bounds(*exponent, opened)?;
                    }
                }
                Some(c) if self.is_letter(c) => {
                    let Some(g) = self.factor(names)? else {
                        continue;
                    };
                    exponents[g] += self.exponent()?;
                    in_bounds(exponents[g], at)?;
                }
                _ if is_between => return Ok(Word(exponents)),
                _ if at > start => return Err((at, NotationErrorKind::Expected("`)`"))),
                _ => return Err((at, NotationErrorKind::Expected("a word"))),
            }
        }
    }

    /// Reads a generator of a word, or the identity if it is written `e`.
    fn factor(&mut self, names: &[String]) -> Result<Option<usize>, LocatedError> {
        let at = self.at;
        let known = |name: &String| names.iter().position(|known| known == name);
        let name = self.name()?;
        if let Some(g) = known(&name) {
            return Ok(Some(g));
        }
        if self.is_strict {
            return Err((at, NotationErrorKind::UnknownGenerator(name)));
        }
        // `a1` without a generator of that name is `a` and the identity.
        if let Some((letter, "1")) = name.split_once('_')
            && self.chars.get(at + 1) == Some(&'1')
            && let Some(g) = known(&letter.to_owned())
        {
            return Ok(Some(g));
        }
        match name.as_str() {
            "e" => {
                self.exponent()?;
                Ok(None)
            }
            _ => Err((at, NotationErrorKind::UnknownGenerator(name))),
        }
    }

    /// Reads a letter, perhaps with `_` and a number; typed text may omit the `_`.
    pub(super) fn name(&mut self) -> Result<String, LocatedError> {
        let letter = self.peek().filter(|&c| self.is_letter(c));
        let letter = letter.ok_or((self.at, NotationErrorKind::Expected("a generator")))?;
        let mut name = letter.to_string();
        self.at += 1;
        let has_line = self.peek() == Some('_');
        self.at += usize::from(has_line);
        let first = self.at;
        if has_line || !self.is_strict {
            while let Some(digit) = self.peek().filter(char::is_ascii_digit) {
                if self.at == first {
                    name.push('_');
                }
                name.push(digit);
                self.at += 1;
            }
        }
        if has_line && self.at == first {
            return Err((first, NotationErrorKind::Expected("the generator's index")));
        }
        self.skip_blanks();
        Ok(name)
    }

    /// Reads `^` and a number, or superscript digits; returns 1 if there is neither.
    fn exponent(&mut self) -> Result<u32, LocatedError> {
        const SUPERSCRIPTS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
        let superscript = |c: char| {
            SUPERSCRIPTS
                .iter()
                .position(|&digit| digit == c)
                .map(|value| value as u32)
        };
        let is_plain = self.skip(&['^']);
        let (start, mut value) = (self.at, 0_u32);
        while let Some(digit) = self.peek().and_then(|c| {
            if is_plain {
                c.to_digit(10)
            } else {
                superscript(c)
            }
        }) {
            value = value.saturating_mul(10).saturating_add(digit);
            self.at += 1;
        }
        if self.at == start {
            return if is_plain {
                Err((start, NotationErrorKind::Expected("an exponent")))
            } else {
                Ok(1)
            };
        }
        self.skip_blanks();
        in_bounds(value, start)?;
        Ok(value)
    }
}

/// Refuses an exponent that is too large; `at` is where it comes from.
fn in_bounds(exponent: u32, at: usize) -> Result<(), LocatedError> {
    match exponent > MAX_EXPONENT {
        true => Err((at, NotationErrorKind::Exponent)),
        false => Ok(()),
    }
}
