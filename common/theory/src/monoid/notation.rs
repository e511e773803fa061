//! How are words and relations read?
//!
//! As the papers write them: generators are a letter, perhaps with an index (`a`, `c_12`); a word is a product of powers,
//! `ab^2c`, and the identity `1`. Superscripts (`b²`) and blanks are understood. A relation is a chain `u = v = …`, a
//! presentation `⟨a,b | a^2 = 1, b^3 = b⟩`, also in ASCII: `<a,b | a^2=1, b^3=b>`. Its P-portion stands behind it: `P = {a, b^2}`.

use super::finitely_presented::FinitePresentation;
use super::word::Word;

/// The greatest exponent that is read.
pub const MAX_EXPONENT: u32 = 1 << 20;

/// A text that is no word, relation or presentation: what is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("at character {} of `{text}`: {fault}", .at + 1)]
pub struct NotationError {
    /// The text.
    pub text: String,
    /// The offending character, counted from 0; the length of the text if something is missing at its end.
    pub at: usize,
    /// What is wrong.
    pub fault: NotationFault,
}

/// What is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotationFault {
    /// Something else should stand here.
    #[error("{0} is expected here")]
    Expected(&'static str),
    /// A generator that the presentation does not name.
    #[error("`{0}` is no generator")]
    UnknownGenerator(String),
    /// A generator named twice.
    #[error("generator `{0}` is named twice")]
    RepeatedGenerator(String),
    /// An exponent above [`MAX_EXPONENT`].
    #[error("an exponent is at most {MAX_EXPONENT}")]
    Exponent,
}

/// Reads `⟨generators | relations⟩`.
pub(super) fn read_presentation(text: &str) -> Result<FinitePresentation, NotationError> {
    Reader::new(text).finish(Reader::presentation)
}

/// Reads `⟨generators | relations⟩  P = {words}`.
pub(super) fn read_with_p_portion(
    text: &str,
) -> Result<(FinitePresentation, Vec<Word>), NotationError> {
    Reader::new(text).finish(|reader| {
        let presentation = reader.presentation()?;
        reader.skip(&[',', ';']);
        if reader.skip(&['P', '𝒫', '𝓟']) {
            reader.expect(&['='], "`=`")?;
        }
        reader.expect(&['{'], "the P-portion, such as `P = {a, b^2}`,")?;
        let mut p_portion = Vec::new();
        while !reader.is_next(&['}']) {
            p_portion.push(reader.word(presentation.generators())?);
            reader.separator(&['}'])?;
        }
        reader.expect(&['}'], "`}`")?;
        reader.skip(&['.']);
        Ok((presentation, p_portion))
    })
}

/// Reads the name of a generator.
pub(super) fn read_name(text: &str) -> Result<String, NotationError> {
    Reader::new(text).finish(Reader::name)
}

/// Reads a chain of equal words as pairs of neighbours.
pub(super) fn read_relation(
    text: &str,
    names: &[String],
) -> Result<Vec<(Word, Word)>, NotationError> {
    Reader::new(text).finish(|reader| reader.relation(names))
}

/// Reads a word.
pub(super) fn read_word(text: &str, names: &[String]) -> Result<Word, NotationError> {
    Reader::new(text).finish(|reader| reader.word(names))
}

type Fault = (usize, NotationFault);

struct Reader<'a> {
    text: &'a str,
    chars: Vec<char>,
    at: usize,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Self {
        let mut reader = Self {
            text,
            chars: text.chars().collect(),
            at: 0,
        };
        reader.skip_blanks();
        reader
    }

    /// Runs `read` and asks that nothing is left.
    fn finish<T>(
        mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Fault>,
    ) -> Result<T, NotationError> {
        let result = read(&mut self).and_then(|value| {
            if self.at == self.chars.len() {
                Ok(value)
            } else {
                Err((self.at, NotationFault::Expected("the end")))
            }
        });
        result.map_err(|(at, fault)| NotationError {
            text: self.text.to_owned(),
            at,
            fault,
        })
    }

    fn presentation(&mut self) -> Result<FinitePresentation, Fault> {
        self.expect(&['⟨', '<', '〈'], "`⟨` or `<`")?;
        let mut names: Vec<String> = Vec::new();
        while !self.is_next(&['|', '∣', '>', '⟩', '〉']) {
            let at = self.at;
            let name = self.name()?;
            if names.contains(&name) {
                return Err((at, NotationFault::RepeatedGenerator(name)));
            }
            names.push(name);
            self.separator(&['|', '∣', '>', '⟩', '〉'])?;
        }
        let mut relations = Vec::new();
        if self.skip(&['|', '∣']) {
            while !self.is_next(&['>', '⟩', '〉']) {
                relations.extend(self.relation(&names)?);
                self.separator(&['>', '⟩', '〉'])?;
            }
        }
        self.expect(&['>', '⟩', '〉'], "`⟩` or `>`")?;
        Ok(FinitePresentation::new(names, relations))
    }

    fn relation(&mut self, names: &[String]) -> Result<Vec<(Word, Word)>, Fault> {
        let mut words = vec![self.word(names)?];
        self.expect(&['='], "`=`")?;
        words.push(self.word(names)?);
        while self.skip(&['=']) {
            words.push(self.word(names)?);
        }
        Ok(words
            .windows(2)
            .map(|pair| (pair[0].clone(), pair[1].clone()))
            .collect())
    }

    fn word(&mut self, names: &[String]) -> Result<Word, Fault> {
        let mut exponents = vec![0_u32; names.len()];
        let start = self.at;
        loop {
            let at = self.at;
            match self.peek() {
                Some('1') => self.advance(),
                Some('*' | '·') if at > start => {
                    self.advance();
                    continue;
                }
                Some(c) if c.is_ascii_alphabetic() => {
                    let name = self.name()?;
                    let g = names.iter().position(|known| *known == name);
                    let g = g
                        .ok_or(at)
                        .map_err(|at| (at, NotationFault::UnknownGenerator(name)))?;
                    let exponent = self.exponent()?;
                    exponents[g] += exponent;
                    if exponents[g] > MAX_EXPONENT {
                        return Err((at, NotationFault::Exponent));
                    }
                }
                _ if at > start => return Ok(Word(exponents)),
                _ => return Err((at, NotationFault::Expected("a word"))),
            }
        }
    }

    /// A letter, perhaps with `_` and a number.
    fn name(&mut self) -> Result<String, Fault> {
        let letter = self.peek().filter(char::is_ascii_alphabetic);
        let letter = letter.ok_or((self.at, NotationFault::Expected("a generator")))?;
        let mut name = letter.to_string();
        self.at += 1;
        if self.peek() == Some('_') {
            name.push('_');
            self.at += 1;
            let first = self.at;
            while let Some(digit) = self.peek().filter(char::is_ascii_digit) {
                name.push(digit);
                self.at += 1;
            }
            if self.at == first {
                return Err((first, NotationFault::Expected("the generator's index")));
            }
        }
        self.skip_blanks();
        Ok(name)
    }

    /// `^` and a number, or superscript digits; 1 if there is neither.
    fn exponent(&mut self) -> Result<u32, Fault> {
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
                Err((start, NotationFault::Expected("an exponent")))
            } else {
                Ok(1)
            };
        }
        self.skip_blanks();
        if value > MAX_EXPONENT {
            Err((start, NotationFault::Exponent))
        } else {
            Ok(value)
        }
    }

    /// A comma, unless one of `ends` follows.
    fn separator(&mut self, ends: &[char]) -> Result<(), Fault> {
        if self.is_next(ends) {
            return Ok(());
        }
        self.expect(&[','], "`,`")?;
        if self.is_next(ends) {
            Err((self.at, NotationFault::Expected("something after `,`")))
        } else {
            Ok(())
        }
    }

    fn expect(&mut self, wanted: &[char], description: &'static str) -> Result<(), Fault> {
        if self.skip(wanted) {
            Ok(())
        } else {
            Err((self.at, NotationFault::Expected(description)))
        }
    }

    fn skip(&mut self, wanted: &[char]) -> bool {
        let is_there = self.is_next(wanted);
        if is_there {
            self.advance();
        }
        is_there
    }

    fn is_next(&self, wanted: &[char]) -> bool {
        self.peek().is_some_and(|c| wanted.contains(&c))
    }

    fn advance(&mut self) {
        self.at += 1;
        self.skip_blanks();
    }

    fn skip_blanks(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }
}
