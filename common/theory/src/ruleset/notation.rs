//! The parser of the text of a game.
//!
//! ```text
//! game    = code | general | name | heaps | finite                                                       names are those of `names`
//! code    = [digit] "." { digit | "(" digit {digit} ")^" number }  |  digit              hexadecimal digits
//! general = a code with constraints or without end, subtract(…), splittles(…)             see `general_notation`
//! heaps   = "heaps(" [sums] { ";" [sums] } ")"     sums = sum {"," sum}     sum = number {"+" number}
//! finite  = ( "*" [number] | "{" [list] "}" | "*[" papers "]" ) sharps  |  "*" digit sharp papers
//! list    = option { "," option }        option = finite | number sharps                 0 and *0 are the game 0, 3 is *3
//! papers  = { item [","] }               item   = ( digit | "(" papers ")" ) sharps      each digit a nimber of its own
//! sharps  = { ["_"] ( "#" | "/" ) }      G# = {G}
//! ```
//!
//! `*[2#320]` is the game that Plambeck and Siegel write `*2/320` and Siegel `*2_#320`: its options
//! are `*2# = {*2}`, `*3`, `*2` and `0`. Without brackets `*32` is the nimber 32: their `*32` is
//! `*[32]` here. The brackets can be left out where nothing else can be meant: in a string of at
//! least two games that begins with a digit and a sharp, as `*2#320` does. Space is allowed around
//! a game, and between the parts of a finite game. A finite game is written in one way: nimbers as
//! `*n`, other games in braces, options greatest first.

use std::fmt;
use std::str::FromStr;

use super::Code;
use super::code::MAX_DIGITS;
use super::finite::{FiniteGame, MAX_FOLLOWERS, MAX_TEXT, TooGreat};
use super::general_notation;
use super::grundy::GRUNDY;
use super::listed::ListFault;
use super::names::{self, Meaning};
use super::options::MAX_PARTS;

/// The reason why a text is not a code: the fault and its character (counted from 0).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct CodeError {
    /// The text that was read.
    pub text: String,
    /// The offending character, counted in characters from 0 (the length of the text: something is
    /// missing at its end).
    pub at: usize,
    /// The fault at that place.
    pub reason: CodeFault,
    /// A similar text that can be read and may have been meant, if one is easily found.
    pub meant: Option<String>,
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
            CodeFault::Nothing => return write!(f, "{reason}"),
            CodeFault::SeveralNames(_)
            | CodeFault::UnknownName(_)
            | CodeFault::BadSet(_)
            | CodeFault::List(_) => {
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
        match meant {
            Some(meant) => write!(f, "; did you mean `{meant}`?"),
            None => Ok(()),
        }
    }
}

/// The faults that a code can have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CodeFault {
    /// The text is empty.
    #[error(
        "no game is given; write a code (0.77), a name (kayles) or a finite game (*2, {{*2,0}})"
    )]
    Nothing,
    /// The text ends where a digit or a point must stand.
    #[error("unexpected end")]
    Ends,
    /// A character that is no hexadecimal digit, point or group.
    #[error("`{0}` is not a digit 0-9 or A-F")]
    NotADigit(char),
    /// The point after `d_0` is missing.
    #[error("`{0}` stands where the point is expected (write 0.77, .77 or 4.7)")]
    NoPoint(char),
    /// `d_0` allows a move that changes nothing.
    #[error(
        "d_0 = {0} allows a move that takes nothing and does not split the heap; only 0, 4, 8 and C are well-founded"
    )]
    IllFounded(char),
    /// A group without digits, end or repetition count.
    #[error("a repeated group is written (digits)^count")]
    BadGroup,
    /// A word that names no game, with the list of names.
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
    #[error("digits that repeat for ever stand in brackets at the end of the code: 0.1[23]")]
    BadBlock,
    /// A set of numbers of beans that cannot be read.
    #[error("`{0}` is no number of beans from 1 to {MAX_DIGITS}, and no range such as 2-5")]
    BadSet(String),
    /// A list of options that is not accepted.
    #[error("{0}")]
    List(#[from] ListFault),
    /// Something else than a nimber, a game in braces or a list in brackets.
    #[error("`{0}` is no game: a finite game is *, *n, 0, {{options}} or *[options]")]
    NotAGame(char),
    /// Braces, brackets or parentheses that are not closed, or closed by another kind.
    #[error("`{0}` is expected")]
    Unclosed(char),
    /// Text after the end of a finite game.
    #[error("`{0}` stands after the end of the game")]
    AfterTheEnd(char),
    /// A finite game that is too great.
    #[error("the finite game is too great: {0}")]
    TooGreat(#[from] TooGreat),
    /// There are more than [`MAX_DIGITS`] digits.
    #[error("more than {MAX_DIGITS} digits")]
    TooLong,
}

/// The text with the character at `at` between `>` and `<`, so that one line can point at it.
fn pointed(text: &str, at: usize) -> String {
    let before: String = text.chars().take(at).collect();
    let here: String = text.chars().skip(at).take(1).collect();
    let after: String = text.chars().skip(at + 1).collect();
    format!("{before}>{here}<{after}")
}

impl FromStr for Code {
    type Err = CodeError;

    fn from_str(text: &str) -> Result<Self, CodeError> {
        let text = text.trim();
        read(text).map_err(|(at, reason)| CodeError {
            text: text.to_owned(),
            at,
            reason,
            meant: meant(text),
        })
    }
}

fn read(text: &str) -> Result<Code, Fault> {
    let reader = Reader::of(text);
    match reader.peek() {
        None => Err((0, CodeFault::Nothing)),
        // A finite game has no point.
        Some('*' | '{') if text.contains('.') => general_notation::read(text),
        Some('*' | '{') => {
            let game = reader.finite_game();
            let game = match (game, in_brackets(text)) {
                (Err((_, CodeFault::AfterTheEnd(_))), Some(list)) => {
                    Reader::of(&list).finite_game()
                }
                (game, _) => game,
            };
            game.map(Code::from)
        }
        Some(_) if is_a_name(text) => named(text),
        Some(_) => match general_notation::word(text) {
            Some((word, inside)) => {
                general_notation::named(word, inside).map_err(|fault| (0, fault))
            }
            None => match reader.code() {
                Err(_) if general_notation::is_general(text) => general_notation::read(text),
                read => read,
            },
        },
    }
}

/// The string of games that the papers write without brackets, in brackets: it begins with a digit
/// and a sharp.
fn in_brackets(text: &str) -> Option<String> {
    let list = text.strip_prefix('*')?;
    let rest = list.strip_prefix(|c: char| c.is_ascii_digit())?;
    let rest = rest.strip_prefix('_').unwrap_or(rest);
    rest.starts_with(['#', '/']).then(|| format!("*[{list}]"))
}

/// A text that may have been meant by one that cannot be read: with a decimal comma, without a
/// point, or a string of games without its brackets.
fn meant(text: &str) -> Option<String> {
    if text.len() > MAX_TEXT {
        return None;
    }
    let mut candidates = vec![text.replace(',', ".")];
    if let Some(list) = text.strip_prefix('*') {
        candidates.push(format!("*[{list}]"));
    }
    if text.starts_with(|c: char| c.is_ascii_digit()) {
        let digits = text.strip_prefix('0').unwrap_or(text);
        candidates.push(format!("0.{digits}"));
    }
    let can_be_read = |candidate: &String| candidate != text && read(candidate).is_ok();
    candidates.into_iter().find(can_be_read)
}

/// Texts of three letters or more name games; shorter ones may be codes that lack their point.
fn is_a_name(text: &str) -> bool {
    let stands_in_names = |c: char| c.is_alphabetic() || matches!(c, ' ' | '-' | '_' | '\'' | '’');
    text.starts_with(char::is_alphabetic)
        && text.chars().count() >= 3
        && text.chars().all(stands_in_names)
}

fn named(text: &str) -> Result<Code, Fault> {
    let fault = match names::meaning(text) {
        Meaning::Code(GRUNDY) => return Ok(Code::grundy()),
        Meaning::Code(code) => return read(code),
        Meaning::Several(names) => CodeFault::SeveralNames(names),
        Meaning::Nothing(names) => CodeFault::UnknownName(names),
    };
    Err((0, fault))
}

pub(super) type Fault = (usize, CodeFault);

struct Reader {
    chars: Vec<char>,
    at: usize,
}

impl Reader {
    fn of(text: &str) -> Self {
        Self {
            chars: text.chars().collect(),
            at: 0,
        }
    }

    fn code(mut self) -> Result<Code, Fault> {
        let mut d0 = 0;
        match self.peek() {
            Some('.') => {}
            Some(_) => {
                let at = self.at;
                d0 = self.digit()?;
                if d0 & 3 != 0 {
                    return Err((at, CodeFault::IllFounded(self.chars[at])));
                }
            }
            None => return Err((0, CodeFault::Ends)),
        }
        let mut digits = Vec::new();
        match self.peek() {
            None => {}
            Some('.') => {
                self.at += 1;
                if self.peek().is_none() && self.at == 1 {
                    return Err((self.at, CodeFault::Ends));
                }
                while let Some(c) = self.peek() {
                    let at = self.at;
                    if c == '(' {
                        self.group(&mut digits)?;
                    } else {
                        digits.push(self.digit()?);
                    }
                    if digits.len() > MAX_DIGITS {
                        return Err((at, CodeFault::TooLong));
                    }
                }
            }
            Some(c) => return Err((self.at, CodeFault::NoPoint(c))),
        }
        Code::new(d0, &digits).ok_or((0, CodeFault::TooLong))
    }

    fn group(&mut self, digits: &mut Vec<u8>) -> Result<(), Fault> {
        let start = self.at;
        self.at += 1;
        let mut group = Vec::new();
        while self.peek().is_some_and(|c| c != ')') {
            group.push(self.digit()?);
        }
        self.expect(')')?;
        self.expect('^')?;
        let first = self.at;
        let count = self.number();
        if group.is_empty() || self.at == first {
            return Err((
                if group.is_empty() { start } else { first },
                CodeFault::BadGroup,
            ));
        }
        if count
            .saturating_mul(group.len())
            .saturating_add(digits.len())
            > MAX_DIGITS
        {
            return Err((first, CodeFault::TooLong));
        }
        (0..count).for_each(|_| digits.extend_from_slice(&group));
        Ok(())
    }

    /// A decimal number, 0 where there is none; so great a one that it does not fit is still too
    /// great.
    fn number(&mut self) -> usize {
        let mut number = 0_usize;
        while let Some(value) = self.peek().and_then(|c| c.to_digit(10)) {
            number = number.saturating_mul(10).saturating_add(value as usize);
            self.at += 1;
        }
        number
    }

    fn expect(&mut self, wanted: char) -> Result<(), Fault> {
        if self.peek() == Some(wanted) {
            self.at += 1;
            Ok(())
        } else {
            Err((self.at, CodeFault::BadGroup))
        }
    }

    fn digit(&mut self) -> Result<u8, Fault> {
        let at = self.at;
        let c = self.peek().ok_or((at, CodeFault::Ends))?;
        let value = c.to_digit(16).ok_or((at, CodeFault::NotADigit(c)))?;
        self.at += 1;
        Ok(value as u8)
    }

    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }
}

/// The end of a list of options.
#[derive(Clone, Copy)]
enum Until {
    /// A list as the papers write it, ended by this character.
    Papers(char),
    /// A list with commas, ended by a brace.
    Brace,
}

/// Finite games; `depth` counts open braces, so that no text can exhaust the stack.
impl Reader {
    fn finite_game(mut self) -> Result<FiniteGame, Fault> {
        if self.chars.len() > MAX_TEXT {
            return Err((MAX_TEXT, TooGreat::Text.into()));
        }
        let game = self.finite(0)?;
        self.skip_space();
        match self.peek() {
            None => Ok(game),
            Some(c) => Err((self.at, CodeFault::AfterTheEnd(c))),
        }
    }

    fn finite(&mut self, depth: usize) -> Result<FiniteGame, Fault> {
        let start = self.at;
        let game = match self.peek() {
            Some('{') => {
                self.at += 1;
                self.options(Until::Brace, start, depth)?
            }
            Some('*') => {
                self.at += 1;
                match self.peek() {
                    Some('[') => {
                        self.at += 1;
                        self.options(Until::Papers(']'), start, depth)?
                    }
                    Some('0'..='9') => self.nimber()?,
                    _ => FiniteGame::nimber(1).map_err(|e| (start, e.into()))?,
                }
            }
            Some('0'..='9') => self.nimber()?,
            Some(c) => return Err((start, CodeFault::NotAGame(c))),
            None => return Err((start, CodeFault::Ends)),
        };
        self.sharps(game)
    }

    fn nimber(&mut self) -> Result<FiniteGame, Fault> {
        let start = self.at;
        let n = self.number();
        FiniteGame::nimber(n).map_err(|error| (start, error.into()))
    }

    fn options(&mut self, until: Until, start: usize, depth: usize) -> Result<FiniteGame, Fault> {
        if depth >= MAX_FOLLOWERS {
            return Err((start, TooGreat::Followers.into()));
        }
        let end = match until {
            Until::Papers(end) => end,
            Until::Brace => '}',
        };
        let mut options = Vec::new();
        loop {
            self.skip_space();
            if self.peek() == Some(end) {
                break;
            }
            options.push(match until {
                Until::Papers(_) => self.item(depth + 1)?,
                Until::Brace => self.finite(depth + 1)?,
            });
            self.skip_space();
            match (self.peek(), until) {
                (Some(','), _) => self.at += 1,
                (Some(c), _) if c == end => {}
                (Some(_), Until::Papers(_)) => {}
                (Some(_) | None, _) => return Err((self.at, CodeFault::Unclosed(end))),
            }
        }
        self.at += 1;
        FiniteGame::from_options(&options).map_err(|error| (start, error.into()))
    }

    fn item(&mut self, depth: usize) -> Result<FiniteGame, Fault> {
        let start = self.at;
        let game = match self.peek() {
            Some('(') => {
                self.at += 1;
                self.options(Until::Papers(')'), start, depth)?
            }
            Some(c) => {
                let n = c.to_digit(10).ok_or((start, CodeFault::NotAGame(c)))?;
                self.at += 1;
                FiniteGame::nimber(n as usize).map_err(|error| (start, error.into()))?
            }
            None => return Err((start, CodeFault::Ends)),
        };
        self.sharps(game)
    }

    fn sharps(&mut self, mut game: FiniteGame) -> Result<FiniteGame, Fault> {
        loop {
            let start = self.at;
            if self.peek() == Some('_') {
                self.at += 1;
            }
            match self.peek() {
                Some('#' | '/') => self.at += 1,
                _ if self.at == start => return Ok(game),
                Some(c) => return Err((self.at, CodeFault::NotAGame(c))),
                None => return Err((self.at, CodeFault::Ends)),
            }
            game = FiniteGame::from_options(&[game]).map_err(|error| (start, error.into()))?;
        }
    }

    fn skip_space(&mut self) {
        while self.peek() == Some(' ') {
            self.at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn written(text: &str) -> String {
        text.parse::<Code>().unwrap().to_string()
    }

    #[test]
    fn finite_games() {
        for (text, same) in [
            ("*", "*"),
            ("*0", "{}"),
            ("*12", "*12"),
            ("{0,*}", "*2"),
            ("{ *2 , 0 }", "{*2,0}"),
            ("{2,0,2}", "{*2,0}"),
            ("*2#", "{*2}"),
            ("*2_#", "{*2}"),
            ("*[2]", "{*2}"),
            ("*2//", "{{*2}}"),
            ("*[32]", "{*3,*2}"),
            ("*[2/320]", "{*3,{*2},*2,0}"),
            ("*[2#,3,2,0]", "{*3,{*2},*2,0}"),
            ("*[(2#0)(2)#]", "{{{*2},0},{{*2}}}"),
            ("{}#", "*"),
            // The papers' strings, without brackets where nothing else can be meant.
            ("*2#320", "{*3,{*2},*2,0}"),
            ("*2/320", "{*3,{*2},*2,0}"),
            ("*2_#320", "{*3,{*2},*2,0}"),
            ("*2#2", "{{*2},*2}"),
            ("*2##", "{{*2}}"),
            ("*2##0", "{{{*2}},0}"),
            (" *2 ", "*2"),
            ("GRUNDY", "grundy"),
        ] {
            assert_eq!(written(text), same, "{text}");
            assert_eq!(written(same), same);
        }
    }

    #[test]
    fn faults_of_finite_games_point_at_the_character() {
        let fault = |text: &str| {
            let error = text.parse::<Code>().unwrap_err();
            (error.at, error.reason)
        };
        assert_eq!(fault("{*2"), (3, CodeFault::Unclosed('}')));
        assert_eq!(fault("{*2,"), (4, CodeFault::Ends));
        assert_eq!(fault("*[2"), (3, CodeFault::Unclosed(']')));
        assert_eq!(fault("*[2}"), (3, CodeFault::NotAGame('}')));
        assert_eq!(fault("{*2]"), (3, CodeFault::Unclosed('}')));
        assert_eq!(fault("*2x"), (2, CodeFault::AfterTheEnd('x')));
        assert_eq!(fault("{x}"), (1, CodeFault::NotAGame('x')));
        assert_eq!(fault("*2_"), (3, CodeFault::Ends));
        assert_eq!(fault("*256"), (1, TooGreat::Followers.into()));
        assert_eq!(
            fault("*99999999999999999999999"),
            (1, TooGreat::Followers.into())
        );
        assert_eq!(fault("*32#0"), (4, CodeFault::AfterTheEnd('0')));
        assert_eq!(fault(&"{".repeat(4_000)).1, TooGreat::Followers.into());
        assert_eq!(fault(&"{".repeat(5_000)).1, TooGreat::Text.into());
        assert_eq!(
            fault(&format!("*{}", "#".repeat(300))).1,
            TooGreat::Followers.into()
        );
    }

    #[test]
    fn faults_say_what_may_have_been_meant() {
        let said = |text: &str| text.parse::<Code>().unwrap_err().to_string();
        for (text, meant) in [
            ("77", "0.77"),
            ("1", "0.1"),
            ("07", "0.7"),
            ("0,77", "0.77"),
            ("47", "0.47"),
            ("*32#0", "*[32#0]"),
        ] {
            let said = said(text);
            assert!(
                said.ends_with(&format!("; did you mean `{meant}`?")),
                "{said}"
            );
        }
        assert!(!said("7.7").contains("did you mean"));
        for text in ["", " "] {
            assert!(said(text).starts_with("no game is given; write a code (0.77)"));
        }
        assert!(said("kayels").contains("one of the names Kayles (0.77), Dawson's Kayles (0.07)"));
        assert_eq!(
            said("dawson"),
            "bad code `dawson`: this is the beginning of a name: write Dawson's Kayles (0.07), Dawson's Chess (0.137)"
        );
    }

    #[test]
    fn blanks_around_a_game_are_no_part_of_it() {
        for text in ["0.77 ", " 0.77", "\t0.77\n", " kayles "] {
            assert_eq!(written(text), "0.77", "{text:?}");
        }
        let error = " 0.7x ".parse::<Code>().unwrap_err();
        assert_eq!((error.text.as_str(), error.at), ("0.7x", 3));
    }

    proptest! {
        #[test]
        fn any_finite_text_is_read_or_refused(text in "[*{}\\[\\]()0-9,#/_ ]{0,24}") {
            if let Ok(code) = format!("{{{text}").parse::<Code>() {
                prop_assert_eq!(code.to_string().parse::<Code>().unwrap(), code);
            }
        }
    }
}
