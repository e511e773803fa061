//! The reader of texts that name a game, a quotient or a class.
//!
//! The search box, `misere identify` and `misere report` read a text as a game, a quotient or a
//! class; this is the one reader for all of them. If a text can be read in several ways all of them
//! are returned, so that no reading is chosen silently.

use misere_game::bipartite::families::{QuotientNameError, by_name, printed_name};
use misere_game::bipartite::label::Label;
use misere_game::monoid::notation::{NotationError, looks_like_a_presentation};
use misere_game::monoid::readable::WrittenPresentation;
use misere_game::ruleset::{Code, CodeError};

use crate::{ClassPattern, CodePattern};

/// The fewest digits of a key that name a class. Fewer digits are a code as likely as not.
pub const MIN_DIGITS: usize = 4;

/// The number of digits of a key that tables print.
///
/// A text of this many digits is not a code without its point.
const PRINTED_DIGITS: usize = 8;

/// A way to read a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reading {
    /// A game, by its code or its name.
    Game(Code),
    /// The codes of a pattern.
    Pattern(CodePattern),
    /// A quotient with a name, in the form in which the name is printed: `R_8`.
    Quotient(String),
    /// A class by its label, its key, or the first digits of its key.
    Class(ClassPattern),
    /// A presentation with its P-portion.
    Presentation(Box<WrittenPresentation>),
}

/// All ways to read a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Readings {
    /// The meaning of the text as written; one reading, or two.
    pub exact: Vec<Reading>,
    /// The codes that the text may be if a point was left out.
    pub without_point: Vec<Code>,
    /// Whether keys of classes may begin with the text, but it has too few digits to name one.
    pub is_short_key: bool,
}

/// The reason why a text names nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NamingError {
    /// A presentation that cannot be read.
    #[error(transparent)]
    Presentation(#[from] NotationError),
    /// The name of no known quotient, or of one that is too large.
    #[error(transparent)]
    Quotient(#[from] QuotientNameError),
    /// A text that nothing known has as its name.
    #[error(
        "`{text}` is not a game, a name of a quotient, a class or a presentation; as a game: {as_code}"
    )]
    Nothing {
        /// The text.
        text: String,
        /// The reason why the text is not a game.
        as_code: Box<CodeError>,
    },
}

/// Returns all ways to read a text.
///
/// ```
/// use misere_query::naming::{Reading, readings};
/// assert!(matches!(readings("r8")?.exact.as_slice(), [Reading::Quotient(name)] if name == "R_8"));
/// assert!(matches!(readings("0.77")?.exact.as_slice(), [Reading::Game(_)]));
/// assert_eq!(readings("077")?.without_point.len(), 2);
/// # Ok::<(), misere_query::naming::NamingError>(())
/// ```
///
/// # Errors
/// [`NamingError`] if there is none.
pub fn readings(text: &str) -> Result<Readings, NamingError> {
    let text = text.trim();
    if let Some(pattern) = pattern(text) {
        return Ok(Readings::only(Reading::Pattern(pattern)));
    }
    // A code may have an equals sign, too: `4=.3`.
    if looks_like_a_presentation(text) && text.parse::<Code>().is_err() {
        let written: WrittenPresentation = text.parse()?;
        return Ok(Readings::only(Reading::Presentation(Box::new(written))));
    }
    if let Some(name) = printed_name(text) {
        by_name(&name)?;
        return Ok(Readings::only(Reading::Quotient(name)));
    }
    let code = text.parse::<Code>();
    let class = class(text);
    let game = code.as_ref().ok().cloned().map(Reading::Game);
    let found = Readings {
        exact: game.into_iter().chain(class).collect(),
        without_point: without_point(text),
        is_short_key: (1..MIN_DIGITS).contains(&text.len()) && is_hexadecimal(text),
    };
    match code {
        Err(error) if found == Readings::default() => Err(NamingError::Nothing {
            text: text.to_owned(),
            as_code: Box::new(error),
        }),
        _ => Ok(found),
    }
}

impl Readings {
    fn only(reading: Reading) -> Self {
        Self {
            exact: vec![reading],
            ..Self::default()
        }
    }

    /// Returns the only reading, if there is no other.
    ///
    /// ```
    /// use misere_query::naming::readings;
    /// assert!(readings("0.77")?.the_only_one().is_some());
    /// // The beginning of a key, or the code 0.1234 without its point.
    /// assert!(readings("1234")?.the_only_one().is_none());
    /// # Ok::<(), misere_query::naming::NamingError>(())
    /// ```
    #[must_use]
    pub fn the_only_one(&self) -> Option<&Reading> {
        match self.exact.as_slice() {
            [one] if self.without_point.is_empty() && !self.is_short_key => Some(one),
            _ => None,
        }
    }

    /// Returns the other meanings of the text in words, without the first exact reading.
    ///
    /// Returns `None` if there are no others.
    #[must_use]
    pub fn others(&self, text: &str) -> Option<String> {
        let mut others = Vec::new();
        if let Some(Reading::Class(_)) = self.exact.get(1) {
            others.push(format!("a class whose key begins with {text}"));
        }
        for code in &self.without_point {
            others.push(format!("the game {code}, which is written with a point"));
        }
        if self.is_short_key {
            others.push(format!(
                "a class whose key begins with {text}, of which at least {MIN_DIGITS} digits have to be given"
            ));
        }
        (!others.is_empty()).then(|| others.join("; or "))
    }
}

/// Returns a pattern that is not a single code.
fn pattern(text: &str) -> Option<CodePattern> {
    let pattern = text.parse().ok()?;
    matches!(pattern, CodePattern::Like { .. }).then_some(pattern)
}

fn is_hexadecimal(text: &str) -> bool {
    text.bytes().all(|c| c.is_ascii_hexdigit())
}

fn class(text: &str) -> Option<Reading> {
    let is_key = text.len() >= MIN_DIGITS && is_hexadecimal(text);
    let names_one = is_key || text.parse::<Label>().is_ok();
    let pattern = names_one.then(|| text.parse::<ClassPattern>());
    pattern?.ok().map(Reading::Class)
}

/// Returns the codes of a text of digits, with a point before all digits or after the first.
fn without_point(text: &str) -> Vec<Code> {
    let is_number = !text.is_empty() && text.bytes().all(|c| c.is_ascii_digit());
    if !is_number || text.len() >= PRINTED_DIGITS {
        return Vec::new();
    }
    let (first, rest) = text.split_at(1);
    let mut candidates = vec![format!(".{text}")];
    if !rest.is_empty() {
        candidates.push(format!("{first}.{rest}"));
    }
    let codes = candidates.iter().filter_map(|code| code.parse().ok());
    let mut codes: Vec<Code> = codes.filter(Code::has_moves).collect();
    codes.dedup();
    codes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Readings {
        readings(text).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn a_text_with_one_reading_has_that_one() {
        for (text, is) in [
            ("0.77", "game"),
            (" 4.4 ", "game"),
            ("{*2,0}", "game"),
            ("*2", "game"),
            ("grundy", "game"),
            ("0.4?", "pattern"),
            ("0.[0-3]*", "pattern"),
            ("[04].7", "pattern"),
            ("T_3", "quotient"),
            ("r8", "quotient"),
            ("S'_12", "quotient"),
            ("c3984c70", "class"),
            ("12345670", "class"),
            ("beef", "class"),
            ("8.2.1", "class"),
            (&"0".repeat(64), "class"),
            ("<a | a^2=1> P={a}", "presentation"),
            ("[a | a^2=1] P={a}", "presentation"),
            (r"\langle a \mid a^2=1 \rangle P=\{a\}", "presentation"),
        ] {
            let readings = read(text);
            let found = match readings.the_only_one() {
                Some(Reading::Game(_)) => "game",
                Some(Reading::Pattern(_)) => "pattern",
                Some(Reading::Quotient(_)) => "quotient",
                Some(Reading::Class(_)) => "class",
                Some(Reading::Presentation(_)) => "presentation",
                None => panic!("{text}: {readings:?}"),
            };
            assert_eq!(found, is, "{text}");
            assert_eq!(readings.others(text), None);
        }
    }

    #[test]
    fn a_text_with_several_readings_has_all_of_them() {
        for (text, exact, without_point, is_short_key) in [
            ("077", 0, &["0.077", "0.77"][..], true),
            ("20", 0, &["0.2"], true),
            ("44", 0, &["0.44", "4.4"], true),
            ("c", 1, &[], true),
            ("4", 1, &["0.4"], true),
            ("ab", 0, &[], true),
            ("1234", 1, &["0.1234"], false),
            ("0123", 1, &["0.0123", "0.123"], false),
        ] {
            let readings = read(text);
            let codes: Vec<String> = readings.without_point.iter().map(Code::to_string).collect();
            assert_eq!(codes, without_point, "{text}");
            assert_eq!(
                (readings.exact.len(), readings.is_short_key),
                (exact, is_short_key),
                "{text}"
            );
            assert_eq!(readings.the_only_one(), None, "{text}");
            let others = readings.others(text).unwrap();
            assert!(
                without_point.iter().all(|code| others.contains(code)),
                "{others}"
            );
        }
    }

    #[test]
    fn an_unreadable_text_is_refused_with_a_reason() {
        for (text, said) in [
            ("", "as a game"),
            ("what", "as a game: bad code"),
            ("0.7x", "as a game: bad code `0.7x` at character 4"),
            ("0.[3-1]", "as a game"),
            ("T_40", "T_40 has more than 2^16"),
            ("R_9", "no misère quotient is called R_9"),
            ("<a | a^2=b> P={a}", "`b` is not a generator"),
            ("(a | a^2=1)", "the P-portion, such as"),
            (&"0".repeat(65), "as a game"),
        ] {
            let error = readings(text).unwrap_err().to_string();
            assert!(error.contains(said), "{text}: {error}");
        }
    }
}
