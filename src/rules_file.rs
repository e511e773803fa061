//! Files of rules: games whose options are listed, instead of a code.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use misere_algebra::forms::notation::{GameError, GameText};
use misere_census::input_file;
use misere_game::ruleset::listed::MAX_FILE;
use misere_game::ruleset::{Code, CodeError, HeapList, digits_for_letters};

/// Parses a game: a code, a name, a finite game, or `@` and a file of rules.
///
/// # Errors
/// A sentence on why there is no such game, or why the file cannot be read.
pub fn game(text: &str) -> Result<Code, String> {
    let Some(file) = text.strip_prefix('@') else {
        let code = text.parse().map_err(|error: CodeError| error.to_string())?;
        remark_on_letters(text);
        return Ok(code);
    };
    let most = 4 * MAX_FILE as u64;
    let rules = input_file::read_text(Path::new(file), most)
        .map_err(|error| format!("the file of rules {file} cannot be read: {error}"))?;
    let list = HeapList::of_file(&rules).map_err(|fault| format!("{file}: {fault}"))?;
    Ok(list.into())
}

/// Parses the game that stands before the heaps of a position.
///
/// # Errors
/// As [`game`]; a number where the game should be is taken for a heap, and the sentence says so.
pub fn game_of_heaps(text: &str) -> Result<Code, String> {
    let is_number = text
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'+');
    match text.parse::<Code>() {
        Err(error) if is_number && !text.is_empty() => {
            let code = match error.meant.as_slice() {
                [] => String::new(),
                meant => format!("; if it is a game, write `{}`", meant.join("` or `")),
            };
            Err(format!(
                "`{text}` is not a game; if it is a heap, write the game before it, as in `0.77 {text}`{code}"
            ))
        }
        _ => game(text),
    }
}

/// Remarks on standard error, once for each text, that a letter in a code is a digit.
///
/// The letters O, I and l are easily typed, or read from a scan, instead of 0 and 1.
fn remark_on_letters(text: &str) {
    static WARNED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let Some((letter, meant)) = digits_for_letters(text) else {
        return;
    };
    let mut said = WARNED.lock().unwrap_or_else(PoisonError::into_inner);
    if said.insert(text.to_owned()) {
        let value = letter.to_digit(36).unwrap_or_default();
        notice!(
            "note: the letter {letter} of `{text}` is the digit {value}; with the digits 0 and 1 the code is `{meant}`"
        );
    }
}

/// Parses a single game, whose positions may be of games in files: `@FILE:8`.
///
/// # Errors
/// A sentence on why there is no such game, or why a file cannot be read.
pub fn single_game(text: &str) -> Result<GameText, String> {
    let summands = text.split(" + ").map(|summand| {
        let file = summand.trim().strip_prefix('@');
        let Some(file) = file else {
            remark_on_letters(summand.split(':').next().unwrap_or_default().trim());
            return Ok(summand.to_owned());
        };
        let (file, heaps) = file.rsplit_once(':').ok_or_else(|| {
            format!("`{summand}` names no position; write a heap of the file, as @{file}:8")
        })?;
        Ok(format!("{}:{heaps}", game(&format!("@{file}"))?))
    });
    let text = summands.collect::<Result<Vec<_>, String>>()?.join(" + ");
    text.parse().map_err(|error: GameError| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heap_where_the_game_is_missing_is_explained() {
        let said = game_of_heaps("3").unwrap_err();
        assert!(
            said.contains("as in `0.77 3`; if it is a game, write `0.3`"),
            "{said}"
        );
        assert!(game_of_heaps("3+5").unwrap_err().contains("`0.77 3+5`"));
        assert_eq!(game_of_heaps("0.77"), game("0.77"));
        assert_eq!(game_of_heaps("").unwrap_err(), game("").unwrap_err());
    }

    #[test]
    fn a_position_may_be_of_a_file() {
        let file = std::env::temp_dir().join(format!("misere-rules-{}", std::process::id()));
        std::fs::write(&file, "1: 0\n2: 1, 0\n").unwrap();
        let name = file.display();
        let named = single_game(&format!("@{name}:2 + *1"));
        let without = single_game(&format!("@{name}"));
        std::fs::remove_file(&file).unwrap();
        assert_eq!(named.unwrap().to_string(), "heaps(0;1,0):2 + *1");
        assert!(without.unwrap_err().contains(":8"));
        assert_eq!(single_game("0.77:3").unwrap().to_string(), "0.77:3");
    }

    #[test]
    fn a_game_is_a_text_or_a_file() {
        assert_eq!(game("kayles").unwrap().to_string(), "0.77");
        let said = game("0.7x").unwrap_err();
        assert_eq!(said, "0.7x".parse::<Code>().unwrap_err().to_string());
        let said = game("@no/such/file").unwrap_err();
        assert!(
            said.starts_with("the file of rules no/such/file cannot be read: "),
            "{said}"
        );
        let said = game("@").unwrap_err();
        assert!(
            said.starts_with("the file of rules  cannot be read: "),
            "{said}"
        );
    }
}
