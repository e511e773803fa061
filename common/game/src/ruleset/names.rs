//! The games that have a name.
//!
//! The names are those of the literature:
//!
//! - H. E. Dudeney, *The Canterbury Puzzles*, 1908: Kayles.
//! - C. L. Bouton, *Nim, a game with a complete mathematical theory*, Annals of Mathematics 3
//!   (1901).
//! - T. R. Dawson, *Caissa's Wild Roses*, 1935: Dawson's Chess.
//! - R. K. Guy and C. A. B. Smith, *The G-values of various games*, Proc. Cambridge Philos. Soc. 52
//!   (1956): the codes, among them those of Kayles and of Dawson's Chess.
//! - E. R. Berlekamp, J. H. Conway and R. K. Guy, *Winning Ways*, 1982, chapter 4: the other
//!   names.
//!
//! Names are compared by their letters alone: `Dawson's Kayles`, `dawsons-kayles` and
//! `DAWSONSKAYLES` are the same name.

use super::Code;
use super::grundys_game::GRUNDY;

/// A game that has a name, and the code by which it is played here.
struct NamedGame {
    name: &'static str,
    code: &'static str,
}

const NAMES: [NamedGame; 12] = [
    NamedGame {
        name: "Kayles",
        code: "0.77",
    },
    NamedGame {
        name: "Dawson's Kayles",
        code: "0.07",
    },
    NamedGame {
        name: "Dawson's Chess",
        code: "0.137",
    },
    NamedGame {
        name: "Treblecross",
        code: "0.007",
    },
    NamedGame {
        name: "Officers",
        code: "0.6",
    },
    // The first name of a code is the one by which it is shown. Heaps of couples have one bean more.
    NamedGame {
        name: "Couples-Are-Forever",
        code: "0.6",
    },
    NamedGame {
        name: "Stalking",
        code: "0.31",
    },
    NamedGame {
        name: "Daisies",
        code: "4.7",
    },
    NamedGame {
        name: "Guiles",
        code: "0.15",
    },
    NamedGame {
        name: "Grundy's Game",
        code: GRUNDY,
    },
    NamedGame {
        name: "Nim",
        code: "0.[3]",
    },
    NamedGame {
        name: "Lasker's Nim",
        code: "4.[3]",
    },
];

/// The meaning of a name.
pub(super) enum Meaning {
    /// The game with this code.
    Code(&'static str),
    /// The beginning of several names.
    Several(String),
    /// A text that is not a name; with the list of all names.
    Nothing(String),
}

/// Returns the meaning of a text of letters, apostrophes, blanks and hyphens.
pub(super) fn meaning(text: &str) -> Meaning {
    let given = letters(text);
    let is_meant = |name: &str| {
        let name = letters(name);
        // Grundy's game is also called Grundy.
        name == given || (name.starts_with("grundy") && given == GRUNDY)
    };
    if let Some(named) = NAMES.iter().find(|named| is_meant(named.name)) {
        return Meaning::Code(named.code);
    }
    let begun = NAMES
        .iter()
        .filter(|named| letters(named.name).starts_with(&given));
    let begun: Vec<&NamedGame> = begun.collect();
    match begun.is_empty() {
        true => Meaning::Nothing(listed(NAMES.iter())),
        false => Meaning::Several(listed(begun)),
    }
}

fn listed<'a>(names: impl IntoIterator<Item = &'a NamedGame>) -> String {
    let names = names.into_iter();
    let names = names.map(|named| match named.code {
        GRUNDY => named.name.to_owned(),
        code => format!("{} ({code})", named.name),
    });
    names.collect::<Vec<_>>().join(", ")
}

/// Returns the letters of a name in lower case.
fn letters(name: &str) -> String {
    let letters = name.chars().filter(|c| c.is_alphabetic());
    letters.flat_map(char::to_lowercase).collect()
}

/// Returns the letters of each name, in lower case, with the code of its game.
///
/// ```
/// use misere_game::ruleset::names;
/// assert!(names::all().any(|named| named == ("dawsonskayles".to_owned(), "0.07")));
/// ```
pub fn all() -> impl Iterator<Item = (String, &'static str)> {
    let names = NAMES.iter();
    names.map(|named| (letters(named.name), named.code))
}

/// Returns the games whose names resemble a text.
///
/// `resembles` compares the letters of a name, in lower case, with those of the text. A text with
/// fewer than three letters resembles nothing.
///
/// ```
/// use misere_game::ruleset::names::similar;
/// let found = similar("Dawson", |name, given| name.contains(given));
/// assert_eq!(found.iter().filter_map(|code| code.name()).count(), 2);
/// ```
#[must_use]
pub fn similar(text: &str, resembles: impl Fn(&str, &str) -> bool) -> Vec<Code> {
    let given = letters(text);
    if given.chars().count() < 3 {
        return Vec::new();
    }
    let named = NAMES.iter();
    let named = named.filter(|named| resembles(&letters(named.name), &given));
    let mut codes: Vec<Code> = named.filter_map(|named| named.code.parse().ok()).collect();
    codes.dedup();
    codes
}

impl Code {
    /// Returns the name by which the literature knows the game, if it has one.
    ///
    /// ```
    /// use misere_game::ruleset::Code;
    /// let code: Code = "dawsons-kayles".parse()?;
    /// assert_eq!((code.to_string().as_str(), code.name()), ("0.07", Some("Dawson's Kayles")));
    /// # Ok::<(), misere_game::ruleset::CodeError>(())
    /// ```
    #[must_use]
    pub fn name(&self) -> Option<&'static str> {
        let code = self.to_string();
        let named = NAMES.iter().find(|named| named.code == code);
        named.map(|named| named.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_that_of_its_code() {
        for NamedGame { name, code } in NAMES {
            let game: Code = name.parse().unwrap();
            let first = NAMES.iter().find(|named| named.code == code).unwrap();
            assert_eq!(
                (game.to_string().as_str(), game.name()),
                (code, Some(first.name))
            );
            let shouted: Code = name
                .to_uppercase()
                .replace([' ', '\''], "-")
                .parse()
                .unwrap();
            assert_eq!(shouted, game, "{name}");
        }
        assert_eq!("grundy".parse::<Code>().unwrap(), Code::grundy());
        assert_eq!("0.3".parse::<Code>().unwrap().name(), None);
    }

    /// Guy and Smith 1956; the first nim-values of these games are theirs.
    #[test]
    fn the_codes_allow_the_moves_of_the_games() {
        let options = |name: &str, heap| {
            let game: Code = name.parse().unwrap();
            let options = game.options(heap);
            options
                .iter()
                .map(|option| option.parts().collect::<Vec<_>>())
                .collect::<Vec<_>>()
        };
        // Kayles: one pin or two neighbours fall.
        assert_eq!(options("Kayles", 3), [vec![1], vec![1, 1], vec![2]]);
        // Dawson's Kayles: two neighbours fall.
        assert_eq!(options("Dawson's Kayles", 4), [vec![1, 1], vec![2]]);
        // Dawson's Chess on three files: the middle pawn ends it, an outer one leaves a file.
        assert_eq!(options("Dawson's Chess", 3), [vec![], vec![1]]);
        // Treblecross: a cross takes away two squares on either side, five in the midst of a row,
        // three at its end.
        assert_eq!(options("Treblecross", 5), [vec![1, 1], vec![2]]);
        // Officers: one is taken, unless no one is left to be led.
        assert_eq!(options("Officers", 1), Vec::<Vec<u32>>::new());
        assert_eq!(options("Officers", 3), [vec![1, 1], vec![2]]);
        // Guiles: a heap of one or of two is taken, or two from a heap that is split.
        assert_eq!(options("Guiles", 1), [vec![0_u32; 0]]);
        assert_eq!(options("Guiles", 4), [vec![1, 1]]);
    }
}
