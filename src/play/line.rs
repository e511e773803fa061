//! The lines that the user types in a game.

use std::io::{self, BufRead, Read};

/// The length of the longest line that is read.
const MAX_LINE_BYTES: u64 = 4_096;

/// The answer to `help`.
pub(super) const HELP: &str = "\
  7        take the whole heap of 7
  7 5      leave 5 of the heap of 7
  7 3 2    leave 3 and 2 of the heap of 7
  hint     who wins, and one move that does
  moves    the moves there are
  undo     take back your last move, and the answer to it
  quit     leave the game
";

/// The meaning of a line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// A move: the heap, and the heaps that it leaves.
    Move(u32, Vec<u32>),
    Hint,
    Moves,
    Undo,
    Help,
    Quit,
    /// A line that is not understood.
    Unclear,
}

impl Line {
    pub(super) fn of(line: &str) -> Self {
        match line.trim().to_lowercase().as_str() {
            "hint" | "h" => return Self::Hint,
            "moves" | "m" => return Self::Moves,
            "undo" | "u" => return Self::Undo,
            "help" | "?" => return Self::Help,
            "quit" | "exit" | "q" => return Self::Quit,
            _ => {}
        }
        let is_between = |c: char| c.is_whitespace() || "+,-:>".contains(c);
        let words = line.split(is_between).filter(|word| !word.is_empty());
        match words.map(str::parse).collect::<Result<Vec<u32>, _>>() {
            Ok(numbers) if !numbers.is_empty() && numbers.len() <= 4 => {
                Self::Move(numbers[0], numbers[1..].to_vec())
            }
            _ => Self::Unclear,
        }
    }
}

/// Reads the next line; `None` at the end of the input.
///
/// # Errors
/// An error if the input cannot be read.
pub(super) fn read(lines: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    lines.take(MAX_LINE_BYTES).read_until(b'\n', &mut bytes)?;
    let is_end = bytes.is_empty();
    Ok((!is_end).then(|| String::from_utf8_lossy(&bytes).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_understood() {
        for (line, meaning) in [
            ("7", Line::Move(7, vec![])),
            (" 7 3 2\n", Line::Move(7, vec![3, 2])),
            ("7 -> 3+2", Line::Move(7, vec![3, 2])),
            ("HINT", Line::Hint),
            ("", Line::Unclear),
            ("7 x", Line::Unclear),
            ("7 1 1 1 1", Line::Unclear),
            ("99999999999", Line::Unclear),
        ] {
            assert_eq!(Line::of(line), meaning, "{line}");
        }
    }

    #[test]
    fn input_of_any_kind_is_read() {
        let long = "1".repeat(10_000) + "\n2\n";
        let mut input = long.as_bytes();
        let mut read_lines = 0;
        while let Some(line) = read(&mut input).unwrap() {
            assert!(line.len() <= 4_096);
            read_lines += 1;
        }
        assert_eq!(read_lines, 4);
        assert_eq!(
            read(&mut [0xff, 0xfe].as_slice()).unwrap().unwrap(),
            "\u{fffd}\u{fffd}"
        );
        assert_eq!(read(&mut [].as_slice()).unwrap(), None);
    }
}
