//! The parser of finite games.

use super::super::finite::{FiniteGame, MAX_FOLLOWERS, MAX_TEXT, TooGreat};
use super::{CodeFault, Fault, Reader};

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
    pub(super) fn finite_game(mut self) -> Result<FiniteGame, Fault> {
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

    proptest! {
        #[test]
        fn any_finite_text_is_read_or_refused(text in "[*{}\\[\\]()0-9,#/_ ]{0,24}") {
            if let Ok(code) = format!("{{{text}").parse::<Code>() {
                prop_assert_eq!(code.to_string().parse::<Code>().unwrap(), code);
            }
        }
    }
}
