//! The parser of the text of a game.
//!
//! ```text
//! game    = code | general | name | heaps | finite                                                       names are those of `names`
//! code    = [digit] "." { digit | "(" digit {digit} ")^" number }  |  digit              hexadecimal digits
//! general = a code with constraints or without end, subtract(…), splittles(…)             see `general_code_parser`
//! heaps   = "heaps(" [sums] { ";" [sums] } ")"     sums = sum {"," sum}     sum = number {"+" number}
//! finite  = ( "*" [number] | "{" [list] "}" | "*[" papers "]" ) sharps  |  "*" digit sharp papers   one game of papers is that game
//! list    = option { "," option }        option = finite | number sharps                 0 and *0 are the game 0, 3 is *3
//! papers  = { item [","] }               item   = ( nimber | "(" papers ")" ) sharps [ "[" subs "]" ]  |  "[" [list] "]"
//! latex   = "$" game "$"  |  "\mathbf{" game "}"                                             and other fonts
//! nimber  = digit | "&" number ";"       subs   = { "#" | nimber }                       each digit a nimber of its own
//! sharps  = { ["_"] ( "#" | "/" ) }      G# = {G}
//! ```
//!
//! `*[2#320]` is the game that Plambeck and Siegel write `*2/320` and Siegel `*2_#320`: its options
//! are `*2# = {*2}`, `*3`, `*2` and `0`. Without brackets `*32` is the nimber 32: their `*32` is
//! `*[32]` here. The brackets can be left out if the text is unambiguous: in a string of at least
//! two games that begins with a digit and a sharp, as `*2#320` does. Space is allowed around a
//! game, and between the parts of a finite game. Brackets are read as CGSuite prints and accepts
//! them: `*[2]` is the nimber 2, `*[[2],0]` has the options `{*2}` and 0, and in `*[2[2]321]` the
//! first option is the simplest form of `*2 + *2`. A finite game is written in one way: nimbers as
//! `*n`, other games in braces, options greatest first.

mod finite;
mod letters;

use std::str::FromStr;

use super::Code;
use super::code::MAX_DIGITS;
use super::code_error::{CodeError, CodeErrorKind, LocatedError};
use super::finite::MAX_TEXT;
use super::general_code_parser;
use super::grundys_game::GRUNDY;
use super::names::{self, Meaning};
pub use letters::digits_for_letters;

impl FromStr for Code {
    type Err = CodeError;

    fn from_str(text: &str) -> Result<Self, CodeError> {
        let mut text = text.trim();
        while let Some(inside) = within_latex(text) {
            text = inside;
        }
        read(text).map_err(|(at, reason)| CodeError {
            text: text.to_owned(),
            at,
            reason,
            meant: meant(text),
        })
    }
}

impl TryFrom<String> for Code {
    type Error = CodeError;
    fn try_from(text: String) -> Result<Self, CodeError> {
        text.parse()
    }
}

/// Returns the text between `$`, or in the braces of a command that changes the font, as papers
/// write codes: `$\mathbf{0.77}$`.
fn within_latex(text: &str) -> Option<&str> {
    const FONTS: [&str; 4] = ["\\mathbf{", "\\textbf{", "\\mathrm{", "\\texttt{"];
    let formula = text.strip_prefix('$').and_then(|it| it.strip_suffix('$'));
    let in_font = || {
        let rest = FONTS.iter().find_map(|font| text.strip_prefix(font))?;
        rest.strip_suffix('}')
    };
    formula.or_else(in_font).map(str::trim)
}

fn read(text: &str) -> Result<Code, LocatedError> {
    let reader = Reader::of(text);
    match reader.peek() {
        None => Err((0, CodeErrorKind::Nothing)),
        // A finite game has no point.
        Some('*' | '{') if text.contains('.') => general_code_parser::read(text),
        Some('*' | '{') => {
            let game = reader.finite_game();
            let game = match (game, in_brackets(text)) {
                (Err((_, CodeErrorKind::AfterTheEnd(_))), Some(list)) => {
                    Reader::of(&list).finite_game()
                }
                (game, _) => game,
            };
            game.map(Code::from)
        }
        Some(_) if is_a_name(text) => named(text),
        Some(_) => match general_code_parser::word(text) {
            Some((word, inside)) => {
                general_code_parser::named(word, inside).map_err(|fault| (0, fault))
            }
            None => match reader.code() {
                Err(_) if general_code_parser::is_general(text) => general_code_parser::read(text),
                read => read,
            },
        },
    }
}

/// Returns in brackets a string of games that the papers write without them.
///
/// Such a string begins with a digit and a sharp.
fn in_brackets(text: &str) -> Option<String> {
    let list = text.strip_prefix('*')?;
    let rest = list.strip_prefix(|c: char| c.is_ascii_digit())?;
    let rest = rest.strip_prefix('_').unwrap_or(rest);
    rest.starts_with(['#', '/']).then(|| format!("*[{list}]"))
}

/// Returns the readable texts that may have been meant by an unreadable one.
///
/// They have a point for a decimal comma, a point more, or the brackets of a string of games.
fn meant(text: &str) -> Vec<String> {
    if text.len() > MAX_TEXT {
        return Vec::new();
    }
    let mut candidates = vec![text.replace(',', ".")];
    if let Some(list) = text.strip_prefix('*') {
        candidates.push(format!("*[{list}]"));
    }
    if text.starts_with(|c: char| c.is_ascii_digit()) {
        let digits = text.strip_prefix('0').filter(|rest| !rest.is_empty());
        candidates.extend(digits.map(|digits| format!("0.{digits}")));
        candidates.push(format!("0.{text}"));
    }
    candidates.retain(|candidate| candidate != text && read(candidate).is_ok());
    candidates
}

/// Reports whether a text is a name: it has at least three letters.
///
/// Shorter ones may be codes that lack their point.
fn is_a_name(text: &str) -> bool {
    let stands_in_names = |c: char| c.is_alphabetic() || matches!(c, ' ' | '-' | '_' | '\'' | '’');
    text.starts_with(char::is_alphabetic)
        && text.chars().count() >= 3
        && text.chars().all(stands_in_names)
}

fn named(text: &str) -> Result<Code, LocatedError> {
    let fault = match names::meaning(text) {
        Meaning::Code(GRUNDY) => return Ok(Code::grundy()),
        Meaning::Code(code) => return read(code),
        Meaning::Several(names) => CodeErrorKind::SeveralNames(names),
        Meaning::Nothing(names) => CodeErrorKind::UnknownName(names),
    };
    Err((0, fault))
}

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

    fn code(mut self) -> Result<Code, LocatedError> {
        let mut d0 = 0;
        match self.peek() {
            Some('.') => {}
            Some(_) => {
                let at = self.at;
                d0 = self.digit()?;
                if d0 & 3 != 0 {
                    return Err((at, CodeErrorKind::IllFounded(self.chars[at])));
                }
            }
            None => return Err((0, CodeErrorKind::Ends)),
        }
        let mut digits = Vec::new();
        match self.peek() {
            None => {}
            Some('.') => {
                self.at += 1;
                if self.peek().is_none() && self.at == 1 {
                    return Err((self.at, CodeErrorKind::Ends));
                }
                while let Some(c) = self.peek() {
                    let at = self.at;
                    if c == '(' {
                        self.group(&mut digits)?;
                    } else {
                        digits.push(self.digit()?);
                    }
                    if digits.len() > MAX_DIGITS {
                        return Err((at, CodeErrorKind::TooLong));
                    }
                }
            }
            Some(c) => return Err((self.at, CodeErrorKind::NoPoint(c))),
        }
        Code::new(d0, &digits).ok_or((0, CodeErrorKind::TooLong))
    }

    fn group(&mut self, digits: &mut Vec<u8>) -> Result<(), LocatedError> {
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
                CodeErrorKind::BadGroup,
            ));
        }
        if count
            .saturating_mul(group.len())
            .saturating_add(digits.len())
            > MAX_DIGITS
        {
            return Err((first, CodeErrorKind::TooLong));
        }
        (0..count).for_each(|_| digits.extend_from_slice(&group));
        Ok(())
    }

    /// Reads a decimal number, 0 if there is none.
    ///
    /// A number that does not fit becomes one that is still too great.
    fn number(&mut self) -> usize {
        let mut number = 0_usize;
        while let Some(value) = self.peek().and_then(|c| c.to_digit(10)) {
            number = number.saturating_mul(10).saturating_add(value as usize);
            self.at += 1;
        }
        number
    }

    fn expect(&mut self, wanted: char) -> Result<(), LocatedError> {
        if self.peek() == Some(wanted) {
            self.at += 1;
            Ok(())
        } else {
            Err((self.at, CodeErrorKind::BadGroup))
        }
    }

    fn digit(&mut self) -> Result<u8, LocatedError> {
        let at = self.at;
        let c = self.peek().ok_or((at, CodeErrorKind::Ends))?;
        let value = c.to_digit(16).ok_or((at, CodeErrorKind::NotADigit(c)))?;
        self.at += 1;
        Ok(value as u8)
    }

    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> String {
        text.parse::<Code>().unwrap().to_string()
    }

    #[test]
    fn codes_are_read_as_papers_write_them() {
        for text in [
            "$0.77$",
            "$\\mathbf{0.77}$",
            "\\textbf{.77}",
            "$ \\mathbf{kayles} $",
        ] {
            assert_eq!(text.parse::<Code>().unwrap().to_string(), "0.77", "{text}");
        }
        for text in ["$", "$$", "$0.77", "\\mathbf{0.77", &"$".repeat(100_000)] {
            assert!(text.parse::<Code>().is_err());
        }
    }

    #[test]
    fn faults_suggest_a_similar_text() {
        let said = |text: &str| text.parse::<Code>().unwrap_err().to_string();
        for (text, meant) in [
            ("77", "0.77"),
            ("1", "0.1"),
            ("07", "0.7` or `0.07"),
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
    fn blanks_around_a_game_are_ignored() {
        for text in ["0.77 ", " 0.77", "\t0.77\n", " kayles "] {
            assert_eq!(written(text), "0.77", "{text:?}");
        }
        let error = " 0.7x ".parse::<Code>().unwrap_err();
        assert_eq!((error.text.as_str(), error.at), ("0.7x", 3));
    }
}
