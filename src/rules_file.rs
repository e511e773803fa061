//! Files of rules: a game whose options somebody has listed, in place of a code.

use std::fs::File;
use std::io::Read;

use misere_theory::ruleset::listed::MAX_FILE;
use misere_theory::ruleset::{Code, CodeError, HeapList};

/// The game that a person names: by a code, a name, a finite game, or `@` and a file of rules.
///
/// # Errors
/// A sentence that says why there is no such game, or why the file cannot be read.
pub fn game(text: &str) -> Result<Code, String> {
    let Some(file) = text.strip_prefix('@') else {
        return text.parse().map_err(|error: CodeError| error.to_string());
    };
    let mut rules = String::new();
    let most = MAX_FILE as u64 + 1;
    File::open(file)
        .and_then(|file| file.take(most).read_to_string(&mut rules))
        .map_err(|error| format!("the file of rules {file} cannot be read: {error}"))?;
    let list = HeapList::of_file(&rules).map_err(|fault| format!("{file}: {fault}"))?;
    Ok(list.into())
}

#[cfg(test)]
mod tests {
    use super::*;

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
