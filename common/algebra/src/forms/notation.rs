//! The notation of single games: heaps of codes, finite games, the strings of the papers' tables.
//!
//! ```text
//! games  = game { plus game }
//! plus   = " + "                                     between any games
//!        | "+"                                       behind a finite game; before one, behind a heap
//! game   = code ":" position                         0.123:8, kayles:3+5, 0.77:3,20·5: see `position`
//!        | finite                                    *2, {*2,0}, *[2#320]: see `ruleset::code_parser`
//!        | string                                    2/320, 2_+1, (2_2)+4: a string of the tables
//! string = item { item }                             one item is that game, several are its options
//! item   = ( digit | "(" string ")" ) { suffix }     a digit is a nimber
//! suffix = sharp | "_" sharp | "_" digit | "_{" { sharp | number } "}"
//! sharp  = "#" | "/" | "+"                           G/ = {G};  G_n = G + *n
//! ```
//!
//! `2/320` is `{{*2},*3,*2,0}`, the string that Plambeck and Siegel write after a star and Conway
//! as `2₊320`. In a string a plus without blanks is the sharp of *Winning Ways*; a plus between
//! blanks adds. Blanks between items are allowed.

use std::fmt;
use std::str::FromStr;

use misere_game::control::{Control, Stop};
use misere_game::position::{Position, PositionError};
use misere_game::ruleset::finite::MAX_TEXT;
use misere_game::ruleset::{Code, CodeError, FiniteGame};

use super::heaps::HeapForms;
use super::{Form, Forms};

/// The greatest number of parentheses open at once.
pub const MAX_DEPTH: usize = 32;

/// The greatest nimber in a string of the tables.
pub const MAX_NIMBER: u32 = 255;

/// The greatest number of heaps in a position of a code.
pub const MAX_HEAPS: u64 = 1_000;

/// A text that is not a game: the fault and its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// The code before the colon, or the finite game, cannot be read.
    #[error(transparent)]
    Code(#[from] CodeError),
    /// The position behind the colon cannot be read.
    #[error("bad position `{text}`: {fault}")]
    Position {
        /// The text of the code and the position.
        text: String,
        /// The fault of the position.
        fault: PositionError,
    },
    /// A position of a code has more than [`MAX_HEAPS`] heaps.
    #[error("bad position `{0}`: it has more than {MAX_HEAPS} heaps, whose sum has no form here")]
    TooManyHeaps(String),
    /// A number is added to a position of a code: it may be a heap or a nimber.
    #[error(
        "`{position} + {number}` may mean a heap or a nimber: write {position}+{number} or \
         {position} + *{number}"
    )]
    HeapOrNimber {
        /// The position of a code.
        position: String,
        /// The number added to it.
        number: String,
    },
    /// A string of the tables cannot be read.
    #[error("bad game `{text}` at character {}: {fault}", .at + 1)]
    String {
        /// The text of the game.
        text: String,
        /// The offending character, counted from 0.
        at: usize,
        /// The fault at that place.
        fault: StringError,
    },
}

/// The faults that a string of the tables can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StringError {
    /// A character other than a digit or a parenthesis.
    #[error(
        "a game is expected: 0.123:8 (a heap of a code), *2, {{*2,0}} or a string as 2/320 (each digit a nimber)"
    )]
    NoItem,
    /// A subscript without a sharp or a number.
    #[error("a subscript is a number, #, / or +, several of them in braces: 2_{{/1}}")]
    NoSubscript,
    /// Parentheses that are not closed, or closed too often.
    #[error("the parentheses do not match")]
    Unclosed,
    /// More than [`MAX_DEPTH`] open parentheses.
    #[error("more than {MAX_DEPTH} open parentheses")]
    TooDeep,
    /// A nimber beyond [`MAX_NIMBER`].
    #[error("a nimber beyond {MAX_NIMBER}")]
    TooGreat,
    /// More than [`MAX_TEXT`] characters.
    #[error("more than {MAX_TEXT} characters")]
    TooLong,
}

/// A game as it was written.
///
/// ```
/// use misere_game::control::Control;
/// use misere_algebra::forms::Forms;
/// use misere_algebra::forms::notation::GameText;
/// let (mut forms, control) = (Forms::new(), &mut Control::unlimited());
/// let mut form = |text: &str| -> Result<_, Box<dyn std::error::Error>> {
///     Ok(text.parse::<GameText>()?.form(&mut forms, control)?)
/// };
/// assert_eq!(form("0.123:8")?, form("2/1")?);
/// assert_eq!(form("0.77:1+4")?, form("0")?);
/// assert_eq!(form("2 + 2")?, form("{*3,*2}")?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameText {
    text: String,
    summands: Vec<Summand>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Summand {
    Position { code: Code, heaps: Vec<u32> },
    Finite(FiniteGame),
    String(Vec<Item>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Item {
    base: Base,
    suffixes: Vec<Suffix>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Base {
    Nimber(u32),
    String(Vec<Item>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Suffix {
    Sharp,
    Plus(u32),
}

/// The game as it was written.
impl fmt::Display for GameText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for GameText {
    type Err = GameError;

    fn from_str(text: &str) -> Result<Self, GameError> {
        let text = text.trim();
        let summands = summands(text);
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let ambiguous = summands
            .windows(2)
            .find(|pair| pair[0].contains(':') && is_number(pair[1]));
        if let Some(&[position, number]) = ambiguous {
            return Err(GameError::HeapOrNimber {
                position: position.to_owned(),
                number: number.to_owned(),
            });
        }
        Ok(Self {
            text: text.to_owned(),
            summands: summands.into_iter().map(read).collect::<Result<_, _>>()?,
        })
    }
}

/// Splits a sum at each plus that adds.
///
/// A plus without blanks adds where it cannot be a sharp, and cannot be read as part of a position.
fn summands(text: &str) -> Vec<&str> {
    let (mut found, mut start, mut depth) = (Vec::new(), 0, 0_usize);
    for (at, letter) in text.char_indices() {
        match letter {
            '{' | '[' => depth += 1,
            '}' | ']' => depth = depth.saturating_sub(1),
            '+' if at >= start => {
                let (before, behind) = (&text[start..at], &text[at + 1..]);
                let is_finite = |text: &str| text.trim_start().starts_with(['*', '{']);
                let adds = (before.ends_with(' ') && behind.starts_with(' '))
                    || (depth == 0 && is_finite(before))
                    || (before.contains(':') && is_finite(behind));
                if adds {
                    found.push(before.trim());
                    start = at + 1;
                }
            }
            _ => {}
        }
    }
    found.push(text[start..].trim());
    found
}

fn read(text: &str) -> Result<Summand, GameError> {
    if let Some((code, heaps)) = text.split_once(':') {
        return position(text, code.parse()?, heaps);
    }
    if text.starts_with(['*', '{']) {
        let code: Code = text.parse()?;
        let game = code.finite_game().cloned();
        return Ok(Summand::Finite(game.unwrap_or_else(FiniteGame::zero)));
    }
    let mut reader = Reader {
        chars: text.chars().collect(),
        at: 0,
    };
    let read = match reader.chars.len() > MAX_TEXT {
        true => Err(StringError::TooLong),
        false => reader.whole(),
    };
    read.map(Summand::String)
        .map_err(|fault| GameError::String {
            text: text.to_owned(),
            at: reader.at,
            fault,
        })
}

fn position(text: &str, code: Code, heaps: &str) -> Result<Summand, GameError> {
    let bad = |fault| GameError::Position {
        text: text.to_owned(),
        fault,
    };
    if heaps.trim().is_empty() {
        return Err(bad(PositionError::NotAHeap(String::new())));
    }
    let position = Position::parse(&code, heaps).map_err(bad)?;
    let heaps = position.one_by_one(MAX_HEAPS);
    let heaps = heaps.ok_or_else(|| GameError::TooManyHeaps(text.to_owned()))?;
    Ok(Summand::Position { code, heaps })
}

struct Reader {
    chars: Vec<char>,
    at: usize,
}

impl Reader {
    fn whole(&mut self) -> Result<Vec<Item>, StringError> {
        let items = self.string(0)?;
        match self.peek() {
            None => Ok(items),
            Some(_) => Err(StringError::Unclosed),
        }
    }

    /// Reads items up to the end or a closing parenthesis, at least one.
    fn string(&mut self, depth: usize) -> Result<Vec<Item>, StringError> {
        let mut items = Vec::new();
        loop {
            match self.peek() {
                Some(' ') => self.at += 1,
                None | Some(')') if !items.is_empty() => return Ok(items),
                Some(_) => items.push(self.item(depth)?),
                None => return Err(StringError::NoItem),
            }
        }
    }

    fn item(&mut self, depth: usize) -> Result<Item, StringError> {
        let base = match self.peek() {
            Some('(') if depth == MAX_DEPTH => return Err(StringError::TooDeep),
            Some('(') => {
                self.at += 1;
                let items = self.string(depth + 1)?;
                if self.peek() != Some(')') {
                    return Err(StringError::Unclosed);
                }
                self.at += 1;
                Base::String(items)
            }
            Some(c) => {
                let digit = c.to_digit(10).ok_or(StringError::NoItem)?;
                self.at += 1;
                Base::Nimber(digit)
            }
            None => return Err(StringError::NoItem),
        };
        let mut suffixes = Vec::new();
        loop {
            match self.peek() {
                Some('#' | '/' | '+') => {
                    self.at += 1;
                    suffixes.push(Suffix::Sharp);
                }
                Some('_') => {
                    self.at += 1;
                    self.subscript(&mut suffixes)?;
                }
                _ => return Ok(Item { base, suffixes }),
            }
        }
    }

    fn subscript(&mut self, suffixes: &mut Vec<Suffix>) -> Result<(), StringError> {
        let in_braces = self.peek() == Some('{');
        if in_braces {
            self.at += 1;
        }
        loop {
            match self.peek() {
                Some('#' | '/' | '+') => {
                    self.at += 1;
                    suffixes.push(Suffix::Sharp);
                }
                Some(c) if c.is_ascii_digit() => {
                    let mut number = 0;
                    while let Some(digit) = self.peek().and_then(|c| c.to_digit(10)) {
                        number = number * 10 + digit;
                        if number > MAX_NIMBER {
                            return Err(StringError::TooGreat);
                        }
                        self.at += 1;
                        if !in_braces {
                            break;
                        }
                    }
                    suffixes.push(Suffix::Plus(number));
                }
                _ => return Err(StringError::NoSubscript),
            }
            if !in_braces {
                return Ok(());
            }
            if self.peek() == Some('}') {
                self.at += 1;
                return Ok(());
            }
        }
    }

    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }
}

impl GameText {
    /// Returns the simplest form of the game.
    ///
    /// Cost: the positions that can be reached, and the pairs of followers of summands.
    ///
    /// # Errors
    /// [`Stop`] if `control` ends it.
    pub fn form(&self, forms: &mut Forms, control: &mut Control) -> Result<Form, Stop> {
        let mut sum = Form::ZERO;
        for summand in &self.summands {
            let form = match summand {
                Summand::Position { code, heaps } => {
                    HeapForms::new(code).position(heaps, forms, control)?
                }
                Summand::Finite(game) => forms.of_game(game, control)?,
                Summand::String(items) => string_form(items, forms, control)?,
            };
            sum = forms.sum(sum, form, control)?;
        }
        Ok(sum)
    }
}

/// Returns the game that the items mean.
///
/// A single item is that game; several are the options of a game.
fn string_form(items: &[Item], forms: &mut Forms, control: &mut Control) -> Result<Form, Stop> {
    if let [item] = items {
        return item_form(item, forms, control);
    }
    let mut options = Vec::new();
    for item in items {
        options.push(item_form(item, forms, control)?);
    }
    forms.with_options(&options, control)
}

fn item_form(item: &Item, forms: &mut Forms, control: &mut Control) -> Result<Form, Stop> {
    let mut form = match &item.base {
        Base::Nimber(n) => forms.nimber(*n, control)?,
        Base::String(items) => string_form(items, forms, control)?,
    };
    for suffix in &item.suffixes {
        form = match suffix {
            Suffix::Sharp => forms.with_options(&[form], control)?,
            Suffix::Plus(n) => {
                let nimber = forms.nimber(*n, control)?;
                forms.sum(form, nimber, control)?
            }
        };
    }
    Ok(form)
}

/// Returns a finite game as a string of the tables: `2/320` for `{{*2},*3,*2,0}`.
///
/// Options that are not nimbers come first. The result is `None` if nimbers greater than 9 occur.
///
/// ```
/// use misere_algebra::forms::notation::table_string;
/// use misere_game::ruleset::Code;
/// let written = |text: &str| -> Result<_, misere_game::ruleset::CodeError> {
///     let code: Code = text.parse()?;
///     Ok(code.finite_game().and_then(table_string))
/// };
/// assert_eq!(written("{*3,{*2},*2,0}")?.as_deref(), Some("2/320"));
/// assert_eq!(written("{{{*2},0}}")?.as_deref(), Some("(2/0)/"));
/// assert_eq!(written("*3")?.as_deref(), Some("3"));
/// assert_eq!(written("*12")?, None);
/// # Ok::<(), misere_game::ruleset::CodeError>(())
/// ```
#[must_use]
pub fn table_string(game: &FiniteGame) -> Option<String> {
    // Each follower as a whole text and as an item of others, with its value if it is a nimber.
    let mut written: Vec<Option<(String, String)>> = Vec::new();
    let mut values: Vec<Option<usize>> = Vec::new();
    for follower in 0..=game.heaps() {
        let options = game.options(follower);
        let mut below = options
            .iter()
            .map(|&option| values[option as usize])
            .enumerate();
        let is_nimber = below.all(|(n, value)| value == Some(n));
        let item = |option: &u16| {
            written[*option as usize]
                .as_ref()
                .map(|(_, item)| item.as_str())
        };
        let text = match options {
            _ if is_nimber => (options.len() <= 9)
                .then(|| options.len().to_string())
                .map(twice),
            [only] => item(only).map(|item| format!("{item}/")).map(twice),
            _ => {
                let (nimbers, others): (Vec<u16>, Vec<u16>) = options
                    .iter()
                    .rev()
                    .partition(|&&option| values[option as usize].is_some());
                let items: Option<Vec<&str>> = others.iter().chain(&nimbers).map(item).collect();
                items.map(|items| (items.concat(), format!("({})", items.concat())))
            }
        };
        let text = text.filter(|(whole, _)| whole.len() <= MAX_TEXT);
        written.push(text);
        values.push(is_nimber.then_some(options.len()));
    }
    written.pop().flatten().map(|(whole, _)| whole)
}

fn twice(text: String) -> (String, String) {
    (text.clone(), text)
}
