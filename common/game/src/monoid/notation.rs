//! The parser of words and relations.
//!
//! It reads the notation of the papers: generators are a letter, perhaps with an index (`a`,
//! `c_12`); a word is a product of powers, `ab^2c`, and the identity `1`. Superscripts (`b²`) and
//! blanks are understood. A relation is a chain `u = v = …`, a presentation
//! `⟨a,b | a^2 = 1, b^3 = b⟩`, also in ASCII: `<a,b | a^2=1, b^3=b>`. Its P-portion follows it:
//! `P = {a, b^2}`.
//!
//! A presentation may also be typed in other ways. Each line of this table is read as
//! `⟨a,b | a^2 = 1, b^3 = b⟩`:
//!
//! ```text
//! [a,b | a^2=1, b^3=b]   (a,b : a^2=1; b^3=b)     other brackets, `:` or `;` for the bar, `;` for a comma
//! <a,b | a**2=e, b*b*b=b>                         `**` for `^`; `e` is the identity unless it is a generator
//! <a,b | a^2 -> 1, b(b)^2 -> b>                    rules as those of rewriting systems; groups with a power
//! [[a^2,1], [b^3,b]]                               a list of pairs, as GAP prints relations
//! \langle a,b \mid a^{2}=1, b^{3}=b \rangle        LaTeX, also between `$`; Greek letters as `\beta` or `β`
//! ```
//!
//! Brackets and generators may be left out: `a^2=1, b^3=b ; P = {a, b^2}`. Then the generators are
//! the letters in the order in which they occur, relations may have lines of their own, and `e` is
//! the identity unless some relation writes the identity as `1`.
//!
//! A letter followed by digits is a generator with an index, `a1` is `a_1`, if the presentation
//! names it so. The words of a certificate ([`Word::read`]) are read strictly, in this program's
//! own notation.

mod bare;
mod typed;
mod words;

use std::str::FromStr;

use super::finitely_presented::FinitePresentation;
pub use super::notation_error::{MAX_EXPONENT, NotationError, NotationErrorKind};
use super::word::{Word, generator_name};

/// Reports whether a text begins as a presentation does, in any supported notation.
///
/// ```
/// use misere_game::monoid::notation::looks_like_a_presentation;
/// assert!(looks_like_a_presentation("$\\langle a | a^2=1 \\rangle$") && looks_like_a_presentation("(a : a^2=1)"));
/// assert!(looks_like_a_presentation("a^2 = 1, b^3 = b; P = {a, b^2}"));
/// assert!(!looks_like_a_presentation("0.77") && !looks_like_a_presentation("{*2,0}"));
/// ```
#[must_use]
pub fn looks_like_a_presentation(text: &str) -> bool {
    let reader = Reader::of_a_person(text);
    reader.has_bracket() || reader.chars.contains(&'=')
}

impl Word {
    /// Reads a word in `generators` generators.
    ///
    /// Cost: linear in the text and in the generators.
    ///
    /// # Errors
    /// [`NotationError`] if the text is not a word, or names another generator.
    ///
    /// ```
    /// use misere_game::monoid::word::Word;
    /// assert_eq!(Word::read("ab^2", 3)?, Word(vec![1, 2, 0]));
    /// # Ok::<(), misere_game::monoid::notation::NotationError>(())
    /// ```
    pub fn read(text: &str, generators: usize) -> Result<Self, NotationError> {
        let names: Vec<String> = (0..generators).map(generator_name).collect();
        read_word(text, &names)
    }
}

impl FinitePresentation {
    /// Reads a list of generators and a list of relations such as `bc=ab^3` or `x^2=a^2=1`.
    ///
    /// Cost: linear in the texts.
    ///
    /// ```
    /// use misere_game::monoid::finitely_presented::FinitePresentation;
    /// let t2 = FinitePresentation::from_lists(&["a", "b"], &["a^2=1", "b^3=b"])?;
    /// assert_eq!((t2.generators().len(), t2.relations().len()), (2, 2));
    /// assert!(FinitePresentation::from_lists(&["a"], &["ab=1"]).is_err());
    /// # Ok::<(), misere_game::monoid::notation::NotationError>(())
    /// ```
    ///
    /// # Errors
    /// [`NotationError`] for the first text that cannot be read.
    pub fn from_lists<S: AsRef<str>>(
        generators: &[S],
        relations: &[S],
    ) -> Result<Self, NotationError> {
        let mut names: Vec<String> = Vec::with_capacity(generators.len());
        for text in generators {
            let name = read_name(text.as_ref())?;
            if names.contains(&name) {
                let fault = NotationErrorKind::RepeatedGenerator(name);
                return Err(NotationError {
                    text: text.as_ref().to_owned(),
                    at: 0,
                    fault,
                });
            }
            names.push(name);
        }
        let mut pairs = Vec::new();
        for text in relations {
            pairs.extend(read_relation(text.as_ref(), &names)?);
        }
        Ok(Self::new(names, pairs))
    }

    /// Reads a word in the generators.
    ///
    /// Cost: linear in the text.
    ///
    /// ```
    /// use misere_game::monoid::finitely_presented::FinitePresentation;
    /// use misere_game::monoid::word::Word;
    /// let t2: FinitePresentation = "⟨a,b | a²=1, b³=b⟩".parse()?;
    /// assert_eq!(t2.word("ab²")?, Word(vec![1, 2]));
    /// assert!(t2.word("c").is_err());
    /// # Ok::<(), misere_game::monoid::notation::NotationError>(())
    /// ```
    ///
    /// # Errors
    /// [`NotationError`] if the text is not a word, or names another generator.
    pub fn word(&self, text: &str) -> Result<Word, NotationError> {
        read_word(text, self.generators())
    }
}

/// Reads `⟨generators | relations⟩`.
impl FromStr for FinitePresentation {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        Reader::of_a_person(text).finish(Reader::presentation)
    }
}

/// Reads `⟨generators | relations⟩  P = {words}`.
pub(super) fn read_with_p_portion(
    text: &str,
) -> Result<(FinitePresentation, Vec<Word>), NotationError> {
    Reader::of_a_person(text).finish(|reader| {
        let presentation = reader.presentation()?;
        let p_portion = reader.p_portion(presentation.generators())?;
        Ok((presentation, p_portion))
    })
}

/// Reads `⟨generators | relations⟩`, with or without a P-portion.
pub(super) fn read_typed(
    text: &str,
) -> Result<(FinitePresentation, Option<Vec<Word>>), NotationError> {
    Reader::of_a_person(text).finish(|reader| {
        let presentation = reader.presentation()?;
        let start = reader.at;
        reader.skip(SEPARATORS);
        reader.skip(&['.']);
        if reader.peek().is_none() {
            return Ok((presentation, None));
        }
        reader.at = start;
        let p_portion = reader.p_portion(presentation.generators())?;
        Ok((presentation, Some(p_portion)))
    })
}

/// Reads the name of a generator.
fn read_name(text: &str) -> Result<String, NotationError> {
    Reader::strict(text).finish(Reader::name)
}

/// Reads a chain of equal words as pairs of neighbours.
fn read_relation(text: &str, names: &[String]) -> Result<Vec<(Word, Word)>, NotationError> {
    Reader::strict(text).finish(|reader| reader.relation(names))
}

/// Reads a word.
fn read_word(text: &str, names: &[String]) -> Result<Word, NotationError> {
    Reader::strict(text).finish(|reader| reader.word(names))
}

type LocatedError = (usize, NotationErrorKind);

/// Opening and closing characters that belong together.
type Brackets = (&'static [char], &'static [char]);

/// The brackets of a presentation.
const BRACKETS: [Brackets; 3] = [
    (&['⟨', '<', '〈'], &['⟩', '>', '〉']),
    (&['['], &[']']),
    (&['('], &[')']),
];

/// The brackets of a P-portion.
const SETS: [Brackets; 3] = [(&['{'], &['}']), (&['['], &[']']), (&['('], &[')'])];

/// The characters that separate generators from relations.
const BARS: &[char] = &['|', '∣', ':', ';'];

/// The characters that separate relations, and words of the P-portion.
const SEPARATORS: &[char] = &[',', ';'];

/// The letters that name a quotient.
const QUOTIENT: &[char] = &['Q', '𝒬', '𝓠'];

/// The letters that name a P-portion.
const PORTION: &[char] = &['P', '𝒫', '𝓟'];

struct Reader<'a> {
    text: &'a str,
    chars: Vec<char>,
    /// The place of each character in the text, counted in characters.
    places: Vec<usize>,
    at: usize,
    is_strict: bool,
    /// Whether relations have no brackets, so that they end where the P-portion begins.
    is_bare: bool,
}

impl<'a> Reader<'a> {
    /// Returns a reader of this program's own notation, character by character.
    fn strict(text: &'a str) -> Self {
        let chars: Vec<(usize, char)> = text.chars().enumerate().collect();
        Self::new(text, chars, true)
    }

    /// Returns a reader of typed text: LaTeX and the like are understood.
    fn of_a_person(text: &'a str) -> Self {
        Self::new(text, typed::plain(text), false)
    }

    fn new(text: &'a str, chars: Vec<(usize, char)>, is_strict: bool) -> Self {
        let (places, chars) = chars.into_iter().unzip();
        let mut reader = Self {
            text,
            chars,
            places,
            at: 0,
            is_strict,
            is_bare: false,
        };
        reader.skip_blanks();
        reader
    }

    /// Runs `read` and requires that nothing is left.
    fn finish<T>(
        mut self,
        read: impl FnOnce(&mut Self) -> Result<T, LocatedError>,
    ) -> Result<T, NotationError> {
        let result = read(&mut self).and_then(|value| {
            if self.at == self.chars.len() {
                Ok(value)
            } else {
                Err((self.at, NotationErrorKind::Expected("the end")))
            }
        });
        let end = self.text.chars().count();
        result.map_err(|(at, fault)| NotationError {
            text: self.text.to_owned(),
            at: self.places.get(at).copied().unwrap_or(end),
            fault,
        })
    }

    fn p_portion(&mut self, names: &[String]) -> Result<Vec<Word>, LocatedError> {
        self.skip(SEPARATORS);
        if self.skip(PORTION) {
            self.expect(&['=', ':'], "`=`")?;
        }
        let mut p_portion = Vec::new();
        if !self.skip(&['∅']) {
            let closing = self.bracket(&SETS, "the P-portion, such as `P = {a, b^2}`,")?;
            while !self.is_next(closing) {
                p_portion.push(self.word(names)?);
                self.separator(closing)?;
            }
            self.expect(closing, "`}`")?;
        }
        self.skip(&['.']);
        // The end of the last line.
        while self.is_bare && self.skip(SEPARATORS) {}
        Ok(p_portion)
    }

    fn presentation(&mut self) -> Result<FinitePresentation, LocatedError> {
        self.skip_name();
        let is_bare = self.begins_with_a_word() || !self.has_bracket();
        if self.begins_with_a_pair() {
            return bare::pairs(self);
        }
        if is_bare && self.chars.contains(&'=') {
            return bare::presentation(self);
        }
        let closing = self.bracket(&BRACKETS, "`⟨` or `<`")?;
        let ends = [BARS, closing].concat();
        let mut names: Vec<String> = Vec::new();
        while !self.is_next(&ends) {
            let at = self.at;
            let name = self.name()?;
            if names.contains(&name) {
                return Err((at, NotationErrorKind::RepeatedGenerator(name)));
            }
            names.push(name);
            self.comma(&[','], &ends)?;
        }
        let mut relations = Vec::new();
        if self.skip(BARS) {
            while !self.is_next(closing) {
                relations.extend(self.relation(&names)?);
                self.separator(closing)?;
            }
        }
        self.expect(closing, "`⟩` or `>`")?;
        Ok(FinitePresentation::new(names, relations))
    }

    /// Skips the name of the quotient, as in `Q = ⟨a | a^2 = 1⟩`.
    fn skip_name(&mut self) {
        let start = self.at;
        let is_name = self.skip(QUOTIENT) && self.skip(&['=']);
        if self.is_strict || !is_name || !self.is_next(BRACKETS[0].0) {
            self.at = start;
        }
    }

    fn has_bracket(&self) -> bool {
        BRACKETS.iter().any(|(opening, _)| self.is_next(opening))
    }

    /// Reports whether the next bracket groups factors, as in `(ab)^2 = 1`: no bar precedes its end.
    fn begins_with_a_word(&self) -> bool {
        let inside = self.chars[self.at..].iter().take_while(|c| **c != ')');
        self.is_next(&['(']) && !inside.into_iter().any(|c| BARS.contains(c))
    }

    /// Reports whether a list of pairs begins here.
    fn begins_with_a_pair(&self) -> bool {
        let rest = self.chars[self.at..].iter();
        let mut rest = rest.filter(|c| !c.is_whitespace());
        rest.next() == Some(&'[') && rest.next() == Some(&'[')
    }

    /// Reads an opening bracket and returns the characters that close it.
    fn bracket(
        &mut self,
        kinds: &[Brackets],
        description: &'static str,
    ) -> Result<&'static [char], LocatedError> {
        let kind = kinds.iter().find(|(opening, _)| self.is_next(opening));
        let Some(&(_, closing)) = kind else {
            return Err((self.at, NotationErrorKind::Expected(description)));
        };
        self.advance();
        Ok(closing)
    }

    fn relation(&mut self, names: &[String]) -> Result<Vec<(Word, Word)>, LocatedError> {
        if !self.is_strict && self.skip(&['[']) {
            let left = self.word(names)?;
            self.expect(&[','], "`,`")?;
            let right = self.word(names)?;
            self.expect(&[']'], "`]`")?;
            return Ok(vec![(left, right)]);
        }
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

    /// Reports whether a P-portion begins here: `P =`, or a set in braces.
    fn is_before_p_portion(&self) -> bool {
        let mut rest = self.chars[self.at.min(self.chars.len())..]
            .iter()
            .filter(|c| !c.is_whitespace());
        match rest.next() {
            Some('{') => true,
            Some(c) if PORTION.contains(c) => matches!(rest.next(), Some('=' | ':')),
            _ => false,
        }
    }

    fn is_letter(&self, c: char) -> bool {
        match self.is_strict {
            true => c.is_ascii_alphabetic(),
            false => c.is_alphabetic(),
        }
    }

    /// Reads a comma or semicolon, unless one of `ends` follows.
    fn separator(&mut self, ends: &[char]) -> Result<(), LocatedError> {
        self.comma(SEPARATORS, ends)
    }

    /// Reads one of `commas`, unless one of `ends` follows.
    fn comma(&mut self, commas: &[char], ends: &[char]) -> Result<(), LocatedError> {
        if self.is_next(ends) {
            return Ok(());
        }
        self.expect(commas, "`,`")?;
        if self.is_next(ends) {
            Err((self.at, NotationErrorKind::Expected("something after `,`")))
        } else {
            Ok(())
        }
    }

    fn expect(&mut self, wanted: &[char], description: &'static str) -> Result<(), LocatedError> {
        if self.skip(wanted) {
            Ok(())
        } else {
            Err((self.at, NotationErrorKind::Expected(description)))
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
