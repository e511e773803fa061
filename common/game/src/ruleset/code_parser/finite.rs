//! The parser of finite games.
//!
//! In brackets a text is read as CGSuite prints and accepts it, and as the papers write options:
//! one game alone is that game, several are options. So `*[2]` is the nimber 2, not the game whose
//! one option it is, which is `*[2#]`.

use super::super::code_error::{CodeErrorKind, LocatedError};
use super::super::finite::{FiniteGame, FiniteGameError, MAX_FOLLOWERS, MAX_TEXT};
use super::Reader;

/// The end of a list of options.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ListEnd {
    /// A list as the papers write it, in brackets; a single game is that game itself.
    Brackets,
    /// A list as the papers write it, in parentheses.
    Parentheses,
    /// A list with commas, ended by this character: whole numbers are nimbers.
    Commas(char),
}

impl ListEnd {
    fn end(self) -> char {
        match self {
            Self::Brackets => ']',
            Self::Parentheses => ')',
            Self::Commas(end) => end,
        }
    }
}

/// Finite games; `depth` counts open braces, so that no text can exhaust the stack.
impl Reader {
    pub(super) fn finite_game(mut self) -> Result<FiniteGame, LocatedError> {
        if self.chars.len() > MAX_TEXT {
            return Err((MAX_TEXT, FiniteGameError::Text.into()));
        }
        let game = self.finite(0)?;
        self.skip_space();
        match self.peek() {
            None => Ok(game),
            Some(c) => Err((self.at, CodeErrorKind::AfterTheEnd(c))),
        }
    }

    fn finite(&mut self, depth: usize) -> Result<FiniteGame, LocatedError> {
        let start = self.at;
        let game = match self.peek() {
            Some('{') => {
                self.at += 1;
                self.options(ListEnd::Commas('}'), start, depth)?
            }
            Some('*') => {
                self.at += 1;
                match self.peek() {
                    Some('[') => {
                        self.at += 1;
                        self.options(ListEnd::Brackets, start, depth)?
                    }
                    Some('0'..='9') => self.nimber()?,
                    _ => FiniteGame::nimber(1).map_err(|e| (start, e.into()))?,
                }
            }
            Some('0'..='9') => self.nimber()?,
            Some(c) => return Err((start, CodeErrorKind::NotAGame(c))),
            None => return Err((start, CodeErrorKind::Ends)),
        };
        self.sharps(game)
    }

    fn nimber(&mut self) -> Result<FiniteGame, LocatedError> {
        let start = self.at;
        let n = self.number();
        FiniteGame::nimber(n).map_err(|error| (start, error.into()))
    }

    fn options(
        &mut self,
        until: ListEnd,
        start: usize,
        depth: usize,
    ) -> Result<FiniteGame, LocatedError> {
        if depth >= MAX_FOLLOWERS {
            return Err((start, FiniteGameError::Followers.into()));
        }
        let end = until.end();
        let mut options = Vec::new();
        // Two consecutive digits are two games in a string, and a number in a list.
        let (mut has_comma, mut number) = (false, None);
        let mut digit_before = false;
        loop {
            self.skip_space();
            if self.peek() == Some(end) {
                break;
            }
            let (at, is_digit) = (self.at, self.peek().is_some_and(|c| c.is_ascii_digit()));
            if is_digit && digit_before {
                number = number.or(Some(at));
            }
            options.push(match (until, self.peek()) {
                (ListEnd::Commas(']'), Some('[')) => self.list(depth + 1)?,
                (ListEnd::Commas(_), _) => self.finite(depth + 1)?,
                (ListEnd::Brackets, Some('[')) if options.is_empty() || self.is_after_comma() => {
                    has_comma = true;
                    self.list(depth + 1)?
                }
                _ => self.item(depth + 1)?,
            });
            digit_before = is_digit && self.at == at + 1;
            self.skip_space();
            match (self.peek(), until) {
                (Some(','), _) => {
                    (has_comma, digit_before) = (true, false);
                    self.at += 1;
                }
                (Some(c), _) if c == end => {}
                (Some(_), ListEnd::Brackets | ListEnd::Parentheses) => {}
                (Some(_) | None, _) => return Err((self.at, CodeErrorKind::Unclosed(end))),
            }
        }
        self.at += 1;
        if let (true, Some(at)) = (has_comma, number) {
            return Err((at, CodeErrorKind::NumberOrGames));
        }
        if let (ListEnd::Brackets, [_]) = (until, options.as_slice()) {
            return Ok(options.swap_remove(0));
        }
        FiniteGame::from_options(&options).map_err(|error| (start, error.into()))
    }

    /// Reads a list in a list, as CGSuite accepts it: the game with these options.
    fn list(&mut self, depth: usize) -> Result<FiniteGame, LocatedError> {
        let start = self.at;
        self.at += 1;
        self.options(ListEnd::Commas(']'), start, depth)
    }

    /// Reports whether the last character before this one, except spaces, is a comma.
    fn is_after_comma(&self) -> bool {
        let before = self.chars[..self.at].iter().rev();
        before.copied().find(|&c| c != ' ') == Some(',')
    }

    fn item(&mut self, depth: usize) -> Result<FiniteGame, LocatedError> {
        let start = self.at;
        let game = match self.peek() {
            Some('(') => {
                self.at += 1;
                self.options(ListEnd::Parentheses, start, depth)?
            }
            Some(_) => self.printed_nimber()?,
            None => return Err((start, CodeErrorKind::Ends)),
        };
        let game = self.sharps(game)?;
        // CGSuite prints sharps and sums after a game in brackets: 2[2] is 2 + 2.
        match self.peek() {
            Some('[') => self.subscripts(game, start),
            _ => Ok(game),
        }
    }

    /// Reads a nimber as CGSuite prints it among others: a digit, or `&10;`.
    fn printed_nimber(&mut self) -> Result<FiniteGame, LocatedError> {
        let start = self.at;
        match self.peek() {
            Some('&') => {
                self.at += 1;
                let game = self.nimber()?;
                match self.peek() {
                    Some(';') => self.at += 1,
                    _ => return Err((self.at, CodeErrorKind::Unclosed(';'))),
                }
                Ok(game)
            }
            Some(c) => {
                let n = c.to_digit(10).ok_or((start, CodeErrorKind::NotAGame(c)))?;
                self.at += 1;
                FiniteGame::nimber(n as usize).map_err(|error| (start, error.into()))
            }
            None => Err((start, CodeErrorKind::Ends)),
        }
    }

    /// Reads the subscripts in brackets after a game and returns the resulting game.
    ///
    /// `#` is the game whose only option it is. A number is the sum with this nimber, in simplest
    /// form as in CGSuite.
    fn subscripts(
        &mut self,
        mut game: FiniteGame,
        start: usize,
    ) -> Result<FiniteGame, LocatedError> {
        self.at += 1;
        let first = self.at;
        loop {
            game = match self.peek() {
                Some(']') if self.at > first => {
                    self.at += 1;
                    return Ok(game);
                }
                Some('#') => self.sharps(game)?,
                Some('-') => return Err((self.at, CodeErrorKind::Difference)),
                Some('0'..='9' | '&') => {
                    let nimber = self.printed_nimber()?;
                    let sum = game.plus(&nimber).map_err(|error| (start, error.into()))?;
                    sum.simplest_form()
                }
                _ => return Err((self.at, CodeErrorKind::NoSubscript)),
            };
        }
    }

    fn sharps(&mut self, mut game: FiniteGame) -> Result<FiniteGame, LocatedError> {
        loop {
            let start = self.at;
            if self.peek() == Some('_') {
                self.at += 1;
            }
            match self.peek() {
                Some('#' | '/') => self.at += 1,
                _ if self.at == start => return Ok(game),
                Some(c) => return Err((self.at, CodeErrorKind::NotAGame(c))),
                None => return Err((self.at, CodeErrorKind::Ends)),
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
    use crate::ruleset::Code;
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
            // One game alone is that game, as CGSuite prints and accepts it.
            ("*[2]", "*2"),
            ("*[0]", "{}"),
            ("*[1]", "*"),
            ("*[ 3 ]", "*3"),
            ("*[]", "{}"),
            ("*[&12;]", "*12"),
            ("*[2#]", "{*2}"),
            ("*[2##]", "{{*2}}"),
            ("*[(2#0)#]", "{{{*2},0}}"),
            ("*[[2]]", "{*2}"),
            ("*[[2],0]", "{{*2},0}"),
            ("*[0, [2]]", "{{*2},0}"),
            ("*[[[2],0],3]", "{{{*2},0},*3}"),
            ("*[[12]]", "{*12}"),
            ("*[[]]", "{}"),
            // Subscripts: 2 + 2 among the options, and the sharp of a sum.
            ("*[2[1]]", "*3"),
            ("*[2[2]321]", "{{*3,*2},*3,*2,*}"),
            ("*[2[2]]", "{*3,*2}"),
            ("*[2[#1]]", "{*3,{*2}}"),
            ("*[2[2#]0]", "{{{*3,*2}},0}"),
            ("*2//", "{{*2}}"),
            ("*[32]", "{*3,*2}"),
            ("*[2/320]", "{*3,{*2},*2,0}"),
            ("*[2#,3,2,0]", "{*3,{*2},*2,0}"),
            ("*[(2#0)(2)#]", "{{{*2},0},{{*2}}}"),
            ("{}#", "*"),
            // The papers' strings, without brackets if they are unambiguous.
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
        assert_eq!(fault("{*2"), (3, CodeErrorKind::Unclosed('}')));
        assert_eq!(fault("{*2,"), (4, CodeErrorKind::Ends));
        assert_eq!(fault("*[2,30]"), (5, CodeErrorKind::NumberOrGames));
        assert_eq!(fault("*[12,3]"), (3, CodeErrorKind::NumberOrGames));
        assert_eq!(fault("*[32,[2]]"), (3, CodeErrorKind::NumberOrGames));
        assert_eq!(fault("*[2[-2]]"), (4, CodeErrorKind::Difference));
        assert_eq!(fault("*[2[]]"), (4, CodeErrorKind::NoSubscript));
        assert_eq!(fault("*[2[2"), (5, CodeErrorKind::NoSubscript));
        assert_eq!(fault("*[0 [2]]"), (4, CodeErrorKind::NotAGame('[')));
        assert_eq!(fault("*[&12]"), (5, CodeErrorKind::Unclosed(';')));
        assert_eq!(fault("*[[2"), (4, CodeErrorKind::Unclosed(']')));
        assert_eq!(fault("*[2"), (3, CodeErrorKind::Unclosed(']')));
        assert_eq!(fault("*[2}"), (3, CodeErrorKind::NotAGame('}')));
        assert_eq!(fault("{*2]"), (3, CodeErrorKind::Unclosed('}')));
        assert_eq!(fault("*2x"), (2, CodeErrorKind::AfterTheEnd('x')));
        assert_eq!(fault("{x}"), (1, CodeErrorKind::NotAGame('x')));
        assert_eq!(fault("*2_"), (3, CodeErrorKind::Ends));
        assert_eq!(fault("*256"), (1, FiniteGameError::Followers.into()));
        assert_eq!(
            fault("*99999999999999999999999"),
            (1, FiniteGameError::Followers.into())
        );
        assert_eq!(fault("*32#0"), (4, CodeErrorKind::AfterTheEnd('0')));
        assert_eq!(
            fault(&"{".repeat(4_000)).1,
            FiniteGameError::Followers.into()
        );
        assert_eq!(fault(&"{".repeat(5_000)).1, FiniteGameError::Text.into());
        assert_eq!(
            fault(&format!("*{}", "#".repeat(300))).1,
            FiniteGameError::Followers.into()
        );
    }

    proptest! {
        #[test]
        fn any_finite_text_is_read_or_refused(text in "[*{}\\[\\]()0-9,#/_ &;-]{0,24}") {
            if let Ok(code) = format!("{{{text}").parse::<Code>() {
                prop_assert_eq!(code.to_string().parse::<Code>().unwrap(), code);
            }
        }
    }
}
