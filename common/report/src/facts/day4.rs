//! The quotients of the games born by day 4, beside those that the papers print.
//!
//! Figures 10 and 11 of the supplement of Plambeck and Siegel (2007) from a census: every game with
//! the class of its quotient, compared with the print up to isomorphism. What the census does not
//! hold is left open.

use std::collections::{BTreeMap, BTreeSet};

use misere_census::Record;
use misere_game::bipartite::{BipartiteMonoid, ClassKey};
use misere_game::monoid::finitely_presented::FinitePresentation;
use misere_game::ruleset::{Code, Signature};
use serde::Deserialize;

use misere_query::KnownGame;
use misere_store::{Store, StoreError};

use super::{PublishedError, ReportError};
use crate::solved_game::SolvedGame;

/// The greatest order of a quotient of Figure 10.
const MAX_ORDER: usize = 100;

/// The part of the published tables that these reports read.
#[derive(Deserialize)]
struct Tables {
    figure10: Figure10,
    figure11: Figure11,
}

#[derive(Deserialize)]
struct Figure10 {
    rows: Vec<Quotient>,
}

#[derive(Deserialize)]
struct Quotient {
    name: String,
    order: u32,
    generators: Vec<String>,
    relations: Vec<String>,
    #[serde(rename = "P")]
    p_portion: Vec<String>,
}

#[derive(Deserialize)]
struct Figure11 {
    games: Vec<Game>,
}

#[derive(Deserialize)]
struct Game {
    game: String,
    quotient: String,
    birthday: u32,
}

/// A game born by day 4.
#[derive(Clone, Debug)]
pub struct BornGame {
    /// As printed, with `#` for the sharp.
    pub printed: String,
    /// The game.
    pub code: Code,
    /// The day on which it is born.
    pub birthday: u32,
    /// The name of its quotient in print.
    pub printed_name: String,
    /// Our solution; `None` if the census does not hold it.
    pub solved: Option<SolvedGame>,
    /// Whether ours is the printed quotient, up to isomorphism; `None` if ours is missing.
    pub agrees: Option<bool>,
}

/// A quotient of Figure 10.
#[derive(Clone, Debug)]
pub struct BornQuotient {
    /// Its name in print; `None` for a quotient that the census has and the print has not.
    pub name: Option<String>,
    /// The order printed.
    pub printed_order: Option<u32>,
    /// The presentation printed.
    pub printed: Option<String>,
    /// The games of this census that have it, as printed in Figure 11.
    pub games: Vec<String>,
    /// Our solution of the first of them.
    pub solved: Option<SolvedGame>,
}

/// The games born by day 4 and their quotients.
#[derive(Clone, Debug)]
pub struct BornByDayFour {
    /// The 22 games, in the order of the print.
    pub games: Vec<BornGame>,
    /// Their quotients.
    pub quotients: Vec<BornQuotient>,
}

impl BornByDayFour {
    /// Reads both figures from a census.
    ///
    /// Cost: reads every record, and the certificates of the 22 games.
    ///
    /// # Errors
    /// [`ReportError`] if the store or the published data cannot be read.
    pub fn of(store: &Store) -> Result<Self, ReportError> {
        let tables: Tables = PublishedError::tables()?;
        let printed: Vec<(Quotient, Option<ClassKey>)> = tables
            .figure10
            .rows
            .into_iter()
            .map(|quotient| {
                let class = monoid(&quotient).map(|monoid| monoid.class_key());
                (quotient, class)
            })
            .collect();
        let class_of: BTreeMap<&str, ClassKey> = printed
            .iter()
            .filter_map(|(quotient, class)| Some((quotient.name.as_str(), (*class)?)))
            .collect();
        let mut records = finite_games(store)?;
        let mut games = Vec::new();
        for game in tables.figure11.games {
            let Ok(code) = notation(&game.game).parse::<Code>() else {
                continue;
            };
            let solved = match records.remove(&code.signature()) {
                Some(record) => {
                    let solution = store.solution(&KnownGame::as_stored(record))?;
                    Some(SolvedGame::of(&solution))
                }
                // A game without moves needs no computation and is in no census: its quotient is
                // T_0.
                None if !code.has_moves() => Some(trivial()),
                None => None,
            };
            let agrees = solved
                .as_ref()
                .map(|solved| class_of.get(game.quotient.as_str()) == Some(&solved.class));
            games.push(BornGame {
                printed: game.game.replace('/', "#"),
                code,
                birthday: game.birthday,
                printed_name: game.quotient,
                solved,
                agrees,
            });
        }
        let quotients = quotients(&printed, &games);
        Ok(Self { games, quotients })
    }

    /// Iterates over the games that the census does not have.
    pub fn missing(&self) -> impl Iterator<Item = &BornGame> {
        self.games.iter().filter(|game| game.solved.is_none())
    }
}

/// Returns the quotients printed, then those of our games that are not among them.
fn quotients(printed: &[(Quotient, Option<ClassKey>)], games: &[BornGame]) -> Vec<BornQuotient> {
    let having = |class: ClassKey| {
        let having = games.iter().filter(move |game| {
            let solved = game.solved.as_ref();
            solved.is_some_and(|solved| solved.class == class)
        });
        having.collect::<Vec<_>>()
    };
    let of = |class: ClassKey| {
        let having = having(class);
        let names = having.iter().map(|game| game.printed.clone()).collect();
        let first = having.first().and_then(|game| game.solved.clone());
        (names, first)
    };
    let mut quotients = Vec::new();
    let mut met = BTreeSet::new();
    for (quotient, class) in printed {
        let (names, solved) = class.map_or((Vec::new(), None), of);
        met.extend(*class);
        quotients.push(BornQuotient {
            name: Some(quotient.name.clone()),
            printed_order: Some(quotient.order),
            printed: Some(format!(
                "⟨{} | {}⟩, P = {{{}}}",
                quotient.generators.join(", "),
                quotient.relations.join(", "),
                quotient.p_portion.join(", ")
            )),
            games: names,
            solved,
        });
    }
    let classes = games
        .iter()
        .filter_map(|game| Some(game.solved.as_ref()?.class));
    for class in classes.collect::<BTreeSet<_>>() {
        if met.insert(class) {
            let (games, solved) = of(class);
            quotients.push(BornQuotient {
                name: None,
                printed_order: None,
                printed: None,
                games,
                solved,
            });
        }
    }
    quotients
}

fn monoid(quotient: &Quotient) -> Option<BipartiteMonoid> {
    let presentation =
        FinitePresentation::from_lists(&quotient.generators, &quotient.relations).ok()?;
    presentation
        .bipartite_monoid_of(&quotient.p_portion, MAX_ORDER)
        .ok()
}

/// Returns the solution of the game without moves.
fn trivial() -> SolvedGame {
    let monoid = BipartiteMonoid::trivial();
    SolvedGame {
        order: 1,
        p_size: 0,
        generators: Vec::new(),
        relations: Vec::new(),
        p_portion: Vec::new(),
        values: Vec::new(),
        period: Some(1),
        preperiod: 0,
        note: None,
        class: monoid.class_key(),
        name: monoid.known_name(),
    }
}

/// Collects the finite games of a census by signature.
fn finite_games(store: &Store) -> Result<BTreeMap<Signature, Record>, StoreError> {
    let mut games = BTreeMap::new();
    for record in store.records()? {
        let record = record?;
        if record.codes().any(|code| code.finite_game().is_some()) {
            games.insert(record.code.signature(), record);
        }
    }
    Ok(games)
}

/// Converts a game of Figure 11 to our notation.
///
/// The figure writes one option, or a nimber, as `*2/`, and several as `*2/320`.
fn notation(printed: &str) -> String {
    let sharp = printed.replace('/', "#");
    let Some(inside) = sharp.strip_prefix('*') else {
        return sharp;
    };
    match inside.trim_end_matches('#').len() {
        0 | 1 => sharp,
        _ => format!("*[{inside}]"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_printed_tables_are_read() {
        let tables: Tables = PublishedError::tables().unwrap();
        assert_eq!(tables.figure10.rows.len(), 8);
        for quotient in &tables.figure10.rows {
            let monoid = monoid(quotient).unwrap();
            assert_eq!(monoid.order() as u32, quotient.order, "{}", quotient.name);
            assert_eq!(monoid.known_name().as_ref(), Some(&quotient.name));
        }
        let of = |codes: Vec<Code>| -> BTreeSet<Signature> {
            let with_moves = codes.into_iter().filter(Code::has_moves);
            with_moves.map(|code| code.signature()).collect()
        };
        let games = tables.figure11.games.iter();
        let games = games.map(|game| notation(&game.game).parse().unwrap());
        let born = misere_game::ruleset::games_born_by(4);
        let games = of(games.collect());
        assert_eq!(games.len(), 21);
        assert_eq!(games, of(born.into_iter().map(Code::from).collect()));
    }

    #[test]
    fn printed_games_are_rewritten() {
        assert_eq!(
            ["0", "*", "*3", "*2//", "*2/320", "*32"].map(notation),
            ["0", "*", "*3", "*2##", "*[2#320]", "*[32]"]
        );
    }
}
