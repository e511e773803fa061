//! The faults of a text that is not a game, and their messages.

use std::fmt;

use super::code::MAX_DIGITS;
use super::finite::FiniteGameError;
use super::heap_option::MAX_PARTS;
use super::listed::OptionListError;

/// The reason why a text is not a code: the fault and its character (counted from 0).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct CodeError {
    /// The text that was read.
    pub text: String,
    /// The position of the offending character, counted in characters from 0.
    ///
    /// It is the length of the text if something is missing at its end.
    pub at: usize,
    /// The fault at that place.
    pub reason: CodeErrorKind,
    /// Similar texts that can be read and may have been meant, as far as they are easily found.
    pub meant: Vec<String>,
}

impl fmt::Display for CodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            text,
            at,
            reason,
            meant,
        } = self;
        match reason {
            CodeErrorKind::Nothing => return write!(f, "{reason}"),
            CodeErrorKind::SeveralNames(_)
            | CodeErrorKind::UnknownName(_)
            | CodeErrorKind::BadSet(_)
            | CodeErrorKind::List(_) => {
                write!(f, "bad code `{text}`: {reason}")?;
            }
            _ => {
                let place = pointed(text, *at);
                write!(
                    f,
                    "bad code `{text}` at character {} ({place}): {reason}",
                    at + 1
                )?;
            }
        }
        match meant.is_empty() {
            true => Ok(()),
            false => write!(f, "; did you mean `{}`?", meant.join("` or `")),
        }
    }
}

/// The faults that a code can have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CodeErrorKind {
    /// The text is empty.
    #[error(
        "no game is given; write a code (0.77), a name (kayles) or a finite game (*2, {{*2,0}})"
    )]
    Nothing,
    /// The text ends where a digit or a point must follow.
    #[error("unexpected end")]
    Ends,
    /// A character that is not a digit, point or group.
    #[error("`{0}` is not a digit; the digits are 0-9 and A-V")]
    NotADigit(char),
    /// The point after `d_0` is missing.
    #[error("found `{0}` where the point is expected (write 0.77, .77 or 4.7)")]
    NoPoint(char),
    /// `d_0` allows a move that changes nothing.
    #[error(
        "d_0 = {0} allows a move that takes nothing and does not split the heap; only 0, 4, 8 and C are well-founded"
    )]
    IllFounded(char),
    /// A group without digits, end or repetition count.
    #[error("a repeated group is written (digits)^count")]
    BadGroup,
    /// A word that is not the name of a game, with the list of names.
    #[error(
        "no game has this name; write a code (0.77), a finite game (*2, {{*2,0}}) or one of the names {0}"
    )]
    UnknownName(String),
    /// A word with which several names begin, and these names.
    #[error("this is the beginning of a name: write {0}")]
    SeveralNames(String),
    /// A `d_0` with a constraint that allows a move which changes nothing.
    #[error(
        "d_0 allows a move that takes nothing and does not split the heap; it may allow two heaps and more only"
    )]
    StandsStill,
    /// More than one digit before the point, which would add beans.
    #[error("more than one digit before the point: moves that add beans are not read here")]
    AddsBeans,
    /// A digit in braces, or after `&`, that cannot be read.
    #[error(
        "a digit is one character, {{0,1,2}} with the numbers of heaps, or &7; with a number; it may have a mark !, ? or ="
    )]
    BadDigit,
    /// A digit that allows more heaps than a move may leave here.
    #[error("a move may leave at most {MAX_PARTS} heaps")]
    TooManyHeaps,
    /// A digit that allows any number of heaps.
    #[error(
        "a move that may leave any number of heaps is not read here; list the numbers: {{0,1,2}}"
    )]
    AnyNumber,
    /// A block that repeats for ever and is not one list of digits at the end.
    #[error("digits that repeat for ever go in brackets at the end of the code: 0.1[23]")]
    BadBlock,
    /// A set of numbers of beans that cannot be read.
    #[error("`{0}` is not a number of beans from 1 to {MAX_DIGITS} or a range such as 2-5")]
    BadSet(String),
    /// A list of options that is not accepted.
    #[error("{0}")]
    List(#[from] OptionListError),
    /// Something other than a nimber, a game in braces or a list in brackets.
    #[error("`{0}` is not a game: a finite game is *, *n, 0, {{options}} or *[options]")]
    NotAGame(char),
    /// Consecutive digits in a list with commas.
    #[error(
        "in a list with commas this could be a number or two games: put a comma between all games, \
         or write a number of more digits as {{*12}} or [12]"
    )]
    NumberOrGames,
    /// A subscript of CGSuite that subtracts.
    #[error(
        "the subscript -n, by which CGSuite writes a game that with *n makes another, is not read: \
         write the game by its options"
    )]
    Difference,
    /// Something other than subscripts in brackets after a game.
    #[error("a subscript is # or a number, and the brackets around them end with `]`: 2[2]")]
    NoSubscript,
    /// Braces, brackets or parentheses that are not closed, or closed by another kind.
    #[error("`{0}` is expected")]
    Unclosed(char),
    /// Text after the end of a finite game.
    #[error("`{0}` follows the end of the game")]
    AfterTheEnd(char),
    /// A finite game that is too great.
    #[error("the finite game is too great: {0}")]
    TooGreat(#[from] FiniteGameError),
    /// There are more than [`MAX_DIGITS`] digits.
    #[error("more than {MAX_DIGITS} digits")]
    TooLong,
}

/// A fault and its character, counted from 0.
pub(super) type LocatedError = (usize, CodeErrorKind);

/// Returns the text with the character at `at` between `>` and `<`.
///
/// One line can then point at it.
fn pointed(text: &str, at: usize) -> String {
    let before: String = text.chars().take(at).collect();
    let here: String = text.chars().skip(at).take(1).collect();
    let after: String = text.chars().skip(at + 1).collect();
    format!("{before}>{here}<{after}")
}
