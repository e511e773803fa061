//! The positions that are played: their notation and their limits.

use misere_theory::ruleset::{Code, HeapOption};

use super::super::failure::Failure;

/// The greatest number of heaps on the board.
pub(super) const MAX_HEAPS: usize = 24;

/// The greatest heap on the board, in beans.
pub(super) const MAX_HEAP: u32 = 100;

/// The greatest number of moves that the board offers in one position.
pub(super) const MAX_MOVES: u64 = 2_000;

/// The longest text of a position that is read.
const LONGEST: usize = 2_000;

/// A position of a game, its heaps in ascending order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Position(Vec<u32>);

impl Position {
    /// Returns the position with these heaps; heaps of 0 beans are left out.
    pub(super) fn new(heaps: impl IntoIterator<Item = u32>) -> Self {
        let mut heaps: Vec<u32> = heaps.into_iter().filter(|&heap| heap > 0).collect();
        heaps.sort_unstable();
        Self(heaps)
    }

    /// Parses the position that a person wrote: `3 5 7`, `3+5+7`, `3^2, 5`.
    ///
    /// Followers of a finite game are separated by blanks, by their numbers or as games.
    ///
    /// # Errors
    /// [`Failure::Input`] if it is not a position of the game, or too large for the board.
    pub(super) fn of_text(code: &Code, text: &str) -> Result<Self, Failure> {
        if text.len() > LONGEST {
            return Err(input("this position is too long for the board".to_owned()));
        }
        let is_between = |c: char| match code.finite_game() {
            Some(_) => c.is_whitespace(),
            None => c.is_whitespace() || "+,;".contains(c),
        };
        let mut heaps = Vec::new();
        for word in text.split(is_between).filter(|word| !word.is_empty()) {
            let (heap, copies) = match word.rsplit_once('^') {
                Some((heap, copies)) => (heap, number(word, copies)?),
                None => (word, 1),
            };
            let heap = one_heap(code, heap)?;
            if copies as usize + heaps.len() > MAX_HEAPS {
                return Err(input(format!("the board has room for {MAX_HEAPS} heaps")));
            }
            heaps.extend(std::iter::repeat_n(heap, copies as usize));
        }
        let position = Self::new(heaps);
        let largest = position.largest();
        if largest > MAX_HEAP {
            return Err(input(format!(
                "the board has room for heaps of {MAX_HEAP} beans, and this heap has {largest}"
            )));
        }
        let moves = position.sizes().map(|heap| code.most_options(heap));
        if moves.fold(0, u64::saturating_add) > MAX_MOVES {
            return Err(input(format!(
                "this position has more than {MAX_MOVES} moves, too many for the board"
            )));
        }
        Ok(position)
    }

    /// Returns the heaps, in ascending order.
    pub(super) fn heaps(&self) -> &[u32] {
        &self.0
    }

    /// Returns the sizes of the heaps, ascending, each once.
    pub(super) fn sizes(&self) -> impl Iterator<Item = u32> {
        let mut sizes = self.0.clone();
        sizes.dedup();
        sizes.into_iter()
    }

    /// Returns the size of the largest heap, 0 if there is none.
    pub(super) fn largest(&self) -> u32 {
        self.0.last().copied().unwrap_or(0)
    }

    /// Returns the position after a move in a heap of this size.
    pub(super) fn after(&self, heap: u32, option: HeapOption) -> Self {
        let mut rest = self.0.clone();
        if let Some(place) = rest.iter().position(|&other| other == heap) {
            rest.remove(place);
        }
        Self::new(rest.into_iter().chain(option.parts()))
    }

    /// Reports whether a move is left.
    pub(super) fn has_moves(&self, code: &Code) -> bool {
        self.0.iter().any(|&heap| code.is_live(heap))
    }

    /// Returns the heaps with blanks between them, as [`Position::of_text`] reads them.
    ///
    /// The empty position is 0, so that the text is never empty.
    pub(super) fn written(&self, code: &Code) -> String {
        if self.0.is_empty() {
            return "0".to_owned();
        }
        let heaps: Vec<String> = self.0.iter().map(|&heap| name(code, heap)).collect();
        heaps.join(" ")
    }

    /// Returns the heaps as a sum, for people.
    pub(super) fn sum(&self, code: &Code) -> String {
        if self.0.is_empty() {
            return "the empty position".to_owned();
        }
        let heaps: Vec<String> = self.0.iter().map(|&heap| name(code, heap)).collect();
        heaps.join(" + ")
    }
}

/// Returns the name of a heap: its beans, or of a finite game the follower.
pub(super) fn name(code: &Code, heap: u32) -> String {
    match code.finite_game() {
        Some(game) if heap <= game.heaps() => game.follower(heap).to_string(),
        _ => heap.to_string(),
    }
}

fn one_heap(code: &Code, text: &str) -> Result<u32, Failure> {
    let Some(game) = code.finite_game() else {
        return number(text, text);
    };
    let most = game.heaps();
    let found = match text.starts_with(['*', '{']) {
        true => {
            let wanted = text.parse::<Code>().ok();
            let wanted = wanted.as_ref().and_then(Code::finite_game);
            (0..=most).find(|&number| Some(&game.follower(number)) == wanted)
        }
        false => text.parse().ok().filter(|&number| number <= most),
    };
    found.ok_or_else(|| {
        input(format!(
            "`{text}` is not a follower of {code}: the followers have the numbers 0 to {most}"
        ))
    })
}

fn number(whole: &str, text: &str) -> Result<u32, Failure> {
    text.parse()
        .map_err(|_| input(format!("`{whole}` is not a heap")))
}

fn input(message: String) -> Failure {
    Failure::Input {
        message,
        advice: format!(
            "Write the heaps with blanks between them, such as `3 5 7`, or `3^4` for four heaps \
             of 3. The board takes at most {MAX_HEAPS} heaps of at most {MAX_HEAP} beans; larger \
             positions are decided by `misere outcome`."
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heaps(code: &str, text: &str) -> Result<Vec<u32>, String> {
        let code: Code = code.parse().unwrap();
        let position = Position::of_text(&code, text);
        position
            .map(|position| position.heaps().to_vec())
            .map_err(|failure| failure.to_string())
    }

    #[test]
    fn positions_are_read_in_many_forms() {
        for text in ["3 5 7", "7+5+3", "5, 3; 7 0", " 3^1 5 7 "] {
            assert_eq!(heaps("0.77", text).unwrap(), [3, 5, 7], "{text}");
        }
        assert!(heaps("0.77", "").unwrap().is_empty());
        assert_eq!(heaps("{*2,0}", "*2 3 {*2,0}").unwrap(), [2, 3, 3]);
    }

    #[test]
    fn written_positions_are_read_back() {
        for (code, heaps) in [("0.77", vec![3, 3, 12]), ("{*2,{*2,0}}", vec![1, 2, 3, 4])] {
            let code: Code = code.parse().unwrap();
            for position in [Position::new(heaps), Position::new([])] {
                let written = position.written(&code);
                assert_eq!(
                    Position::of_text(&code, &written).unwrap(),
                    position,
                    "{written}"
                );
            }
        }
    }

    #[test]
    fn invalid_or_large_positions_are_refused() {
        for (code, text, said) in [
            ("0.77", "3 x", "`x` is not a heap"),
            ("0.77", "-3", "no heap"),
            ("0.77", "3^99999999999", "no heap"),
            ("0.77", "3^25", "room for 24 heaps"),
            ("0.77", "101", "room for heaps of 100 beans"),
            ("0.77", "4294967296", "no heap"),
            ("0.FFFFFFFFFFFF", "100", "more than 2000 moves"),
            ("{*2,0}", "9", "no follower"),
            ("{*2,0}", "*7", "no follower"),
        ] {
            let refused = heaps(code, text).unwrap_err();
            assert!(refused.contains(said), "{code} {text}: {refused}");
        }
        assert!(heaps("0.77", &"1 ".repeat(2_000)).is_err());
    }
}
