//! The games of Figures 2 to 7, as printed.
//!
//! Read from `common/report/data/quotients.json`: presentations with P-portions, and pretending
//! functions over them. Codes that the figures mark with a dot or a bar represent several games;
//! these are listed as separate games with the same solution.

use std::collections::BTreeMap;

use misere_game::bipartite::{BipartiteMonoid, ClassKey};
use misere_game::monoid::finitely_presented::FinitePresentation;
use misere_game::ruleset::Code;
use serde::Deserialize;

use crate::facts::PublishedError;

/// The published quotients.
const DATA: &str = include_str!("../../../data/quotients.json");
/// A bound on the order of every quotient in the figures.
const MAX_ORDER: usize = 1_000;

/// The games of Figures 2 to 7.
#[derive(Clone, Debug)]
pub struct Library {
    games: Vec<Game>,
    /// The classes of the quotients, with the first figure that has a game with each.
    classes: BTreeMap<ClassKey, u8>,
}

/// A game as printed.
#[derive(Clone, Debug)]
pub struct Game {
    /// The game.
    pub code: Code,
    /// The figure that lists it.
    pub figure: u8,
    /// Its quotient, on the generators of the print.
    pub quotient: BipartiteMonoid,
    /// The presentation, for words.
    pub presentation: FinitePresentation,
    /// The pretending function as words: heaps 1, 2, ….
    pub values: Vec<String>,
    /// The period.
    pub period: Option<u32>,
    /// The corrections of our copy of the print.
    pub repairs: Vec<String>,
    /// The index of its quotient among those printed.
    group: usize,
    /// The printed code; for a variant under a dot it differs from the game's own.
    printed: Code,
}

#[derive(Deserialize)]
struct Document {
    finite: Vec<Quotient>,
}

#[derive(Deserialize)]
struct Quotient {
    generators: Vec<String>,
    relations: Vec<String>,
    #[serde(rename = "P")]
    p_portion: Vec<String>,
    #[serde(default)]
    pretending: Vec<Pretending>,
}

#[derive(Deserialize)]
struct Pretending {
    code: Code,
    source: String,
    phi: Vec<String>,
    #[serde(default)]
    period: Option<u32>,
    #[serde(default)]
    repairs: Vec<String>,
    #[serde(default)]
    same_phi_codes: Vec<Same>,
}

#[derive(Deserialize)]
struct Same {
    code: Code,
}

impl Library {
    /// Reads the games, leaving out those that were printed wrongly; a test checks that none is.
    ///
    /// # Errors
    /// [`PublishedError`] if the file of the published quotients is damaged.
    pub fn read() -> Result<Self, PublishedError> {
        let document: Document = PublishedError::parsed("quotients.json", DATA)?;
        let mut games = Vec::new();
        for (group, quotient) in document.finite.iter().enumerate() {
            if quotient
                .pretending
                .iter()
                .all(|printed| figure(&printed.source).is_none())
            {
                continue;
            }
            let Ok(presentation) =
                FinitePresentation::from_lists(&quotient.generators, &quotient.relations)
            else {
                continue;
            };
            let Ok(monoid) = presentation.bipartite_monoid_of(&quotient.p_portion, MAX_ORDER)
            else {
                continue;
            };
            for printed in &quotient.pretending {
                let Some(figure) = figure(&printed.source) else {
                    continue;
                };
                let same = printed.same_phi_codes.iter().map(|same| &same.code);
                games.extend([&printed.code].into_iter().chain(same).map(|code| Game {
                    code: code.clone(),
                    figure,
                    quotient: monoid.clone(),
                    presentation: presentation.clone(),
                    values: printed.phi.clone(),
                    period: printed.period,
                    repairs: printed.repairs.clone(),
                    group,
                    printed: printed.code.clone(),
                }));
            }
        }
        let mut classes = BTreeMap::new();
        games.sort_by_key(|game: &Game| {
            let group = if game.figure == 3 { game.group } else { 0 };
            (
                game.figure,
                group,
                sorting(&game.printed),
                game.code.clone(),
            )
        });
        let mut last = None;
        for game in &games {
            if last != Some(game.group) {
                classes
                    .entry(game.quotient.class_key())
                    .or_insert(game.figure);
            }
            last = Some(game.group);
        }
        Ok(Self { games, classes })
    }

    /// Returns the games that a figure lists, in its order.
    #[must_use]
    pub fn figure(&self, number: u8) -> Vec<&Game> {
        self.games
            .iter()
            .filter(|game| game.figure == number)
            .collect()
    }

    /// Iterates over all codes listed.
    pub fn codes(&self) -> impl Iterator<Item = &Code> {
        self.games.iter().map(|game| &game.code)
    }

    /// Returns the figure that a solved wild game belongs to, by its code and its quotient's class.
    #[must_use]
    pub fn kind(&self, code: &Code, class: &ClassKey) -> u8 {
        match self.classes.get(class) {
            Some(&figure) if figure != 3 && figure != 4 => figure,
            _ if is_long_quaternary(code) => 3,
            _ => 4,
        }
    }
}

/// Returns the figure of the supplement that a source names, if it is one of 2 to 7.
fn figure(source: &str) -> Option<u8> {
    let number = source.strip_prefix("001 Figure ")?;
    let number = number.split(' ').next()?.parse().ok()?;
    (2..=7).contains(&number).then_some(number)
}

/// Reports whether a code has four digits, none of them allowing a split.
fn is_long_quaternary(code: &Code) -> bool {
    code.length() == 4 && code.max_parts() < 2
}

/// Returns the sort key that gives the order of the figures.
///
/// Games of two digits come before those of three, `0.…` before `4.…`.
pub(super) fn sorting(code: &Code) -> (usize, u8, Code) {
    let splits = code.digit(0);
    (
        code.length() + usize::from(splits > 0),
        splits,
        code.clone(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_printed_solution_is_read() {
        let library = Library::read().unwrap();
        let of = |number| -> Vec<String> {
            let games = library.figure(number);
            games.iter().map(|game| game.code.to_string()).collect()
        };
        let two = of(2);
        for code in [
            "0.34", "0.75", "0.512", "0.712", "0.716", "4.56", "4.74", "0.3101", "0.3131",
        ] {
            assert!(two.iter().any(|listed| listed == code), "{code}");
        }
        assert_eq!(two[0], "0.34");
        assert_eq!(of(3).len(), 11);
        assert!(of(4).contains(&"0.241".to_owned()));
        assert_eq!([of(5), of(6), of(7)], [["0.115"], ["0.152"], ["0.77"]]);
        let r8 = library
            .figure(2)
            .iter()
            .find(|game| game.quotient.order() == 8)
            .unwrap()
            .quotient
            .class_key();
        assert_eq!(library.kind(&"0.552".parse().unwrap(), &r8), 2);
        assert_eq!(
            library.kind(&"0.1234".parse().unwrap(), &ClassKey([0; 32])),
            4
        );
        assert_eq!(
            library.kind(&"0.1233".parse().unwrap(), &ClassKey([0; 32])),
            3
        );
    }
}
