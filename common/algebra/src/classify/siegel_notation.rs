//! The abbreviated notation of games in Siegel's tables.
//!
//! Siegel's tables write a game as a star with its options, without separators, and give letters to
//! games that occur often:
//!
//! ```text
//! game  = "*" digit | "*" { item }                     *2 is the nimber, *2#320 the game with the options {*2}, *3, *2 and 0
//! item  = ( digit | letter | "(" { item } ")" ) { "#" } [ "_" digit ]      space is allowed between items
//! ```
//!
//! `X#` is `{X}`, `X_n` is `X + *n`. Sums stay sums: the games returned are those whose sums give
//! all others, as the kernels expect them.

use std::collections::BTreeMap;

use misere_game::monoid::word::Word;

/// A text that is not a game: the fault and its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("at character {} of `{text}`: {fault}", .at + 1)]
pub struct AbbreviationError {
    /// The text.
    pub text: String,
    /// The offending character, counted from 0.
    pub at: usize,
    /// The fault in the text.
    pub fault: AbbreviationErrorKind,
}

/// The faults that the text of a game can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AbbreviationErrorKind {
    /// The text does not begin with a star.
    #[error("a game begins with *")]
    NoStar,
    /// A character without a meaning here.
    #[error("an option is expected here: a digit, a letter for a game, or (options)")]
    NoItem,
    /// A subscript without a digit.
    #[error("a digit is expected here")]
    NoDigit,
    /// Parentheses that are not closed.
    #[error("`)` is missing")]
    Unclosed,
    /// Nested parentheses, more than [`MAX_DEPTH`] of them.
    #[error("more than {MAX_DEPTH} open parentheses")]
    TooDeep,
}

/// The greatest number of parentheses open at once.
pub const MAX_DEPTH: usize = 32;

/// Returns the game, after those of its followers that are not sums.
///
/// Each game has its options as sums of earlier ones, as
/// [`quotient_of_games`](misere_engine::quotient::quotient_of_games) expects.
///
/// `abbreviations` are letters with their games, and each game may use those before.
///
/// Cost: linear in the texts.
///
/// ```
/// use misere_algebra::classify::siegel_notation::games;
/// use misere_game::control::Control;
/// use misere_engine::quotient::quotient_of_games;
/// let of_g = games("*G2#32", &[('G', "*2#320")])?;
/// let quotient = quotient_of_games(&of_g, 14, &mut Control::unlimited()).expect("a quotient");
/// assert_eq!((quotient.order(), quotient.p_size()), (14, 3));
/// # Ok::<(), misere_algebra::classify::siegel_notation::AbbreviationError>(())
/// ```
///
/// # Errors
/// [`AbbreviationError`].
pub fn games(
    text: &str,
    abbreviations: &[(char, &str)],
) -> Result<Vec<Vec<Word>>, AbbreviationError> {
    let mut shelf = Shelf::default();
    for &(letter, definition) in abbreviations {
        let meaning = shelf.read(definition)?;
        shelf.letters.insert(letter, meaning);
    }
    shelf.read(text)?;
    Ok(shelf.needed())
}

/// A sum of games on the shelf: how often each occurs.
type Sum = BTreeMap<usize, u32>;

/// Games by their options.
#[derive(Default)]
struct Shelf {
    games: Vec<Vec<Sum>>,
    letters: BTreeMap<char, Sum>,
}

impl Shelf {
    /// Returns the game with these options; `0` if there are none.
    fn game(&mut self, mut options: Vec<Sum>) -> Sum {
        if options.is_empty() {
            return Sum::new();
        }
        options.sort_unstable();
        options.dedup();
        let known = self.games.iter().position(|game| *game == options);
        let at = known.unwrap_or_else(|| {
            self.games.push(options);
            self.games.len() - 1
        });
        Sum::from([(at, 1)])
    }

    fn nimber(&mut self, n: u32) -> Sum {
        let options = (0..n).map(|m| self.nimber(m)).collect();
        self.game(options)
    }

    fn read(&mut self, text: &str) -> Result<Sum, AbbreviationError> {
        let chars: Vec<char> = text.chars().collect();
        let mut reader = Reader {
            shelf: self,
            chars: &chars,
            at: 0,
        };
        reader.game().map_err(|fault| AbbreviationError {
            at: reader.at,
            text: text.to_owned(),
            fault,
        })
    }

    /// Returns the last game and the games it is made of, numbered afresh.
    fn needed(&self) -> Vec<Vec<Word>> {
        let mut is_needed = vec![false; self.games.len()];
        if let Some(last) = is_needed.last_mut() {
            *last = true;
        }
        for at in (0..self.games.len()).rev() {
            if is_needed[at] {
                for part in self.games[at].iter().flat_map(BTreeMap::keys) {
                    is_needed[*part] = true;
                }
            }
        }
        let kept: Vec<usize> = (0..self.games.len()).filter(|&at| is_needed[at]).collect();
        let word = |sum: &Sum| {
            Word(
                kept.iter()
                    .map(|at| sum.get(at).copied().unwrap_or(0))
                    .collect(),
            )
        };
        kept.iter()
            .map(|&at| self.games[at].iter().map(word).collect())
            .collect()
    }
}

struct Reader<'a> {
    shelf: &'a mut Shelf,
    chars: &'a [char],
    at: usize,
}

impl Reader<'_> {
    fn game(&mut self) -> Result<Sum, AbbreviationErrorKind> {
        if self.peek() != Some('*') {
            return Err(AbbreviationErrorKind::NoStar);
        }
        self.at += 1;
        if let [digit] = &self.chars[self.at..]
            && let Some(n) = digit.to_digit(10)
        {
            return Ok(self.shelf.nimber(n));
        }
        let options = self.items(0)?;
        match self.peek() {
            None => Ok(self.shelf.game(options)),
            Some(_) => Err(AbbreviationErrorKind::NoItem),
        }
    }

    /// Reads items up to the end or a closing parenthesis.
    fn items(&mut self, depth: usize) -> Result<Vec<Sum>, AbbreviationErrorKind> {
        let mut items = Vec::new();
        loop {
            match self.peek() {
                None | Some(')') => return Ok(items),
                Some(' ') => self.at += 1,
                Some(_) => items.push(self.item(depth)?),
            }
        }
    }

    fn item(&mut self, depth: usize) -> Result<Sum, AbbreviationErrorKind> {
        let begin = self.peek().ok_or(AbbreviationErrorKind::NoItem)?;
        let mut item = if begin == '(' {
            if depth == MAX_DEPTH {
                return Err(AbbreviationErrorKind::TooDeep);
            }
            self.at += 1;
            let options = self.items(depth + 1)?;
            if self.peek() != Some(')') {
                return Err(AbbreviationErrorKind::Unclosed);
            }
            self.shelf.game(options)
        } else if let Some(n) = begin.to_digit(10) {
            self.shelf.nimber(n)
        } else {
            let meaning = self.shelf.letters.get(&begin).cloned();
            meaning.ok_or(AbbreviationErrorKind::NoItem)?
        };
        self.at += 1;
        while self.peek() == Some('#') {
            self.at += 1;
            item = self.shelf.game(vec![item]);
        }
        if self.peek() == Some('_') {
            self.at += 1;
            let digit = self.peek().and_then(|c| c.to_digit(10));
            let added = self
                .shelf
                .nimber(digit.ok_or(AbbreviationErrorKind::NoDigit)?);
            for (part, copies) in added {
                *item.entry(part).or_default() += copies;
            }
            self.at += 1;
        }
        Ok(item)
    }

    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use misere_engine::quotient::quotient_of_games;
    use misere_game::control::Control;
    use misere_game::ruleset::{Code, FiniteGame};
    use proptest::prelude::*;

    fn finite(code: &str) -> FiniteGame {
        code.parse::<Code>()
            .unwrap()
            .finite_game()
            .cloned()
            .unwrap()
    }

    /// A game without sums is the game that the papers' notation means.
    #[test]
    fn followers_agree_with_the_game() {
        for (text, code) in [
            ("*2#320", "*[2#320]"),
            ("*(2#0)##3", "*[(2#0)##3]"),
            ("*4", "*4"),
        ] {
            let read = games(text, &[]).unwrap();
            let game = finite(code);
            assert_eq!(read.len(), game.heaps() as usize, "{text}");
            let mut sizes: Vec<usize> = read.iter().map(Vec::len).collect();
            let mut right: Vec<usize> = (1..=game.heaps())
                .map(|follower| game.options(follower).len())
                .collect();
            sizes.sort_unstable();
            right.sort_unstable();
            assert_eq!(sizes, right, "{text}");
        }
    }

    /// `X_1` is `X + *`, which in this case is a nimber.
    #[test]
    fn subscripts_are_sums() {
        let control = &mut Control::unlimited();
        let one = quotient_of_games(&games("*2_1 2#0", &[]).unwrap(), 40, control).unwrap();
        let other = quotient_of_games(&games("*32#0", &[]).unwrap(), 40, control).unwrap();
        assert_eq!(one.class_key(), other.class_key());
    }

    #[test]
    fn faults_point_at_the_character() {
        let fault = |text: &str| {
            let error = games(text, &[('G', "*2#0")]).unwrap_err();
            (error.at, error.fault)
        };
        assert_eq!(fault("2#0"), (0, AbbreviationErrorKind::NoStar));
        assert_eq!(fault("*G2#H"), (4, AbbreviationErrorKind::NoItem));
        assert_eq!(fault("*(G2#"), (5, AbbreviationErrorKind::Unclosed));
        assert_eq!(fault("*G)"), (2, AbbreviationErrorKind::NoItem));
        assert_eq!(fault("*G_"), (3, AbbreviationErrorKind::NoDigit));
        assert_eq!(
            fault(&format!("*{}", "(".repeat(99))).1,
            AbbreviationErrorKind::TooDeep
        );
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "\\*?[GH0-9()#_ *]{0,20}") {
            if let Ok(games) = games(&text, &[('G', "*2#0")]) {
                for (at, options) in games.iter().enumerate() {
                    prop_assert!(options.iter().all(|word| word.0[at..].iter().all(|&copies| copies == 0)));
                }
            }
        }
    }
}
