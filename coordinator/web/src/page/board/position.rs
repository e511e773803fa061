//! The positions that the board has room for, as forms have them and as people read them.

use misere_answers::moves::{heap_name, most_options};
use misere_game::position::{Position, PositionError};
use misere_game::ruleset::Code;

use crate::view::error::RequestError;

/// The greatest number of heaps on the board.
pub(super) const MAX_HEAPS: usize = 24;

/// The greatest heap on the board, in beans.
pub(super) const MAX_HEAP: u32 = 100;

/// The greatest number of moves that the board offers in one position.
const MAX_MOVES: u64 = 2_000;

/// The longest text of a position that is read.
const MAX_TEXT: usize = 2_000;

/// Parses a position, and leaves out heaps of 0 beans.
///
/// # Errors
/// [`RequestError::Input`] if the text is not a position of the game, or is too large for the board.
pub(super) fn parsed(code: &Code, text: &str) -> Result<Position, RequestError> {
    if text.len() > MAX_TEXT {
        return Err(input("this position is too long for the board".to_owned()));
    }
    let position = Position::parse(code, text);
    let position = position.map_err(|error: PositionError| input(error.to_string()))?;
    let position: Position = position.heaps().filter(|&(heap, _)| heap > 0).collect();
    if position.one_by_one(MAX_HEAPS as u64).is_none() {
        return Err(input(format!("the board has room for {MAX_HEAPS} heaps")));
    }
    let largest = position.largest();
    if largest > MAX_HEAP {
        return Err(input(format!(
            "the board has room for heaps of {MAX_HEAP} beans, and this heap has {largest}"
        )));
    }
    if most_options(code, &position) > MAX_MOVES {
        return Err(input(format!(
            "this position has more than {MAX_MOVES} moves, too many for the board"
        )));
    }
    Ok(position)
}

/// Returns all heaps, ascending.
pub(super) fn heaps(position: &Position) -> Vec<u32> {
    position.one_by_one(u64::MAX).unwrap_or_default()
}

/// Writes the heaps with blanks between them, as [`parsed`] reads them; the empty position is 0, so
/// that the text is never empty.
pub(super) fn written(code: &Code, position: &Position) -> String {
    joined(code, position, " ").unwrap_or_else(|| "0".to_owned())
}

/// Writes the heaps as a sum, for people.
pub(super) fn sum(code: &Code, position: &Position) -> String {
    joined(code, position, " + ").unwrap_or_else(|| position.to_string())
}

fn joined(code: &Code, position: &Position, between: &str) -> Option<String> {
    let names: Vec<String> = heaps(position)
        .into_iter()
        .filter(|&heap| heap > 0)
        .map(|heap| heap_name(code, heap))
        .collect();
    (!names.is_empty()).then(|| names.join(between))
}

fn input(message: String) -> RequestError {
    RequestError::Input {
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

    fn read(code: &str, text: &str) -> Result<Vec<u32>, String> {
        let position = parsed(&code.parse().unwrap(), text);
        position
            .map(|position| heaps(&position))
            .map_err(|failure| failure.to_string())
    }

    #[test]
    fn heaps_of_no_beans_are_left_out() {
        assert_eq!(read("0.77", "5, 3; 7 0").unwrap(), [3, 5, 7]);
        assert!(read("0.77", "").unwrap().is_empty());
    }

    #[test]
    fn a_written_position_is_read_again() {
        for (code, sizes) in [("0.77", vec![3, 3, 12]), ("{*2,{*2,0}}", vec![1, 2, 3, 4])] {
            let code: Code = code.parse().unwrap();
            for position in [Position::from_iter(sizes), Position::default()] {
                let written = written(&code, &position);
                assert_eq!(parsed(&code, &written).unwrap(), position, "{written}");
            }
        }
    }

    #[test]
    fn a_position_that_is_too_large_is_refused() {
        for (code, text, said) in [
            ("0.77", "3 x", "`x` is not a heap"),
            ("0.77", "3^99999999999", "too large"),
            ("0.77", "3^25", "room for 24 heaps"),
            ("0.77", "101", "room for heaps of 100 beans"),
            ("0.FFFFFFFFFFFF", "100", "more than 2000 moves"),
            ("{*2,0}", "9", "no follower"),
        ] {
            let refused = read(code, text).unwrap_err();
            assert!(refused.contains(said), "{code} {text}: {refused}");
        }
        assert!(read("0.77", &"1 ".repeat(2_000)).is_err());
    }
}
