//! The wild games that are solved, with their solutions, beside those printed in the papers.
//!
//! Figures 2 to 7 of the supplement of Plambeck and Siegel (2007) list solutions of wild games with
//! two to four digits. A [`Figure`] is one of them from a census: the games it lists, each with our
//! solution and a [`Comparison`], then the games of its kind that the census solved and the figure
//! does not list.
//!
//! | topic | module |
//! |---|---|
//! | the solutions printed in the figures | [`published_figures`] |
//! | the comparison of ours with them | [`comparison`] |

pub mod comparison;
pub mod published_figures;

use std::collections::BTreeSet;

use misere_census::{Alias, Conclusion, Ending, Record};
use misere_game::ruleset::{Code, Signature};

pub use comparison::Comparison;
pub use published_figures::{Game as PublishedGame, Library};

use misere_query::KnownGame;
use misere_store::{Store, StoreError};

use crate::facts::ReportError;
use crate::solved_game::SolvedGame;

/// One of the figures, from a census.
#[derive(Clone, Debug)]
pub struct Figure {
    /// The number of the figure, 2 to 7.
    pub number: u8,
    /// The games it lists, then further ones that the census solved. Codes of one game share a row.
    pub rows: Vec<Row>,
    /// The number of codes that the figure lists.
    pub listed: usize,
}

/// A game in a figure.
#[derive(Clone, Debug)]
pub struct Row {
    /// The game, as the figure lists it.
    pub code: Code,
    /// Further codes that are the same game, in this census, each with its own heap numbers.
    pub aliases: Vec<Alias>,
    /// Whether the figure lists it.
    pub is_listed: bool,
    /// The corrections of our copy of the print.
    pub repairs: Vec<String>,
    /// The solution of the census, or the reason why it has none.
    pub ours: GameKnowledge,
    /// The comparison with the print, if both exist.
    pub comparison: Option<Comparison>,
}

/// The knowledge of a census on a game.
#[derive(Clone, Debug)]
pub enum GameKnowledge {
    /// Its solution, by a certificate.
    Solved(Box<SolvedGame>),
    /// A record without a solution, in words.
    NotSolved(String),
    /// Nothing.
    Missing,
}

impl Figure {
    /// Reads a figure from a census.
    ///
    /// Cost: one pass over all records, and the certificates of the games shown.
    ///
    /// # Errors
    /// [`ReportError`] if the store or the published data cannot be read.
    pub fn of(store: &Store, number: u8) -> Result<Self, ReportError> {
        let library = Library::read()?;
        let listed: Vec<&PublishedGame> = library.figure(number);
        let mut rows: Vec<Row> = Vec::new();
        for game in &listed {
            // A code under a dot that is the same game as the printed code shares its row.
            let stands = |row: &Row| row.aliases.iter().any(|alias| alias.code == game.code);
            if !rows.iter().any(stands) {
                rows.push(listed_row(store, game)?);
            }
        }
        for record in beyond(store, &library, number)? {
            rows.push(Row {
                code: record.code.clone(),
                aliases: record.aliases.clone(),
                is_listed: false,
                repairs: Vec::new(),
                ours: holding(store, Some(KnownGame::as_stored(record)))?,
                comparison: None,
            });
        }
        let listed = listed.len();
        Ok(Self {
            number,
            rows,
            listed,
        })
    }

    /// Returns the codes that the figure lists and the census does not have.
    #[must_use]
    pub fn missing(&self) -> Vec<&Code> {
        let rows = self.rows.iter();
        rows.filter(|row| matches!(row.ours, GameKnowledge::Missing))
            .map(|row| &row.code)
            .collect()
    }
}

fn listed_row(store: &Store, game: &PublishedGame) -> Result<Row, StoreError> {
    let known = store.game(&game.code)?;
    let aliases = known.as_ref().map(|known| known.record.aliases.clone());
    let comparison = match &known {
        Some(known) => Some(Comparison::of(game, &store.solution(known)?)),
        None => None,
    };
    Ok(Row {
        code: game.code.clone(),
        aliases: aliases.unwrap_or_default(),
        is_listed: true,
        repairs: game.repairs.clone(),
        ours: holding(store, known)?,
        comparison,
    })
}

/// Returns the solved wild games of a figure's kind that no figure lists, in ascending order.
///
/// Games with a quotient of Figure 2 belong to that figure, quaternary games of four digits to
/// Figure 3, games with a quotient of one of Figures 5 to 7 to that figure; all others to Figure 4.
fn beyond(store: &Store, library: &Library, number: u8) -> Result<Vec<Record>, StoreError> {
    let known: BTreeSet<Signature> = library.codes().map(Code::signature).collect();
    let mut found = Vec::new();
    for record in store.records()? {
        let record = record?;
        let is_whole = matches!(
            record.conclusion().ending(),
            Ending::Solved | Ending::TameRelativePeriodic
        );
        let is_octal = record.code.is_take_and_break();
        if !is_whole || !is_octal || record.tame != Some(false) {
            continue;
        }
        if library.kind(&record.code, &record.class) == number
            && !known.contains(&record.code.signature())
        {
            found.push(record);
        }
    }
    found.sort_by_key(|record| published_figures::sorting(&record.code));
    Ok(found)
}

fn holding(store: &Store, known: Option<KnownGame>) -> Result<GameKnowledge, StoreError> {
    let Some(known) = known else {
        return Ok(GameKnowledge::Missing);
    };
    let solution = store.solution(&known)?;
    let record = known.record;
    let known = format!("order {} to heap {}", record.order, record.heaps);
    Ok(match record.conclusion() {
        Conclusion::FiniteGame { .. }
        | Conclusion::Periodic { .. }
        | Conclusion::TameRelative { .. } => {
            GameKnowledge::Solved(Box::new(SolvedGame::of(&solution)))
        }
        Conclusion::PastInfinite { heap, .. } => GameKnowledge::NotSolved(format!(
            "no finite quotient: infinite {heap}; words of all heaps decide every \
             position; {known}"
        )),
        Conclusion::Infinite { heap } => {
            GameKnowledge::NotSolved(format!("the quotient is proved infinite {heap}; {known}"))
        }
        Conclusion::Diverges { heap, .. } => {
            GameKnowledge::NotSolved(format!("diverges at heap {heap}, not proved; {known}"))
        }
        Conclusion::Law { period, .. } => GameKnowledge::NotSolved(format!(
            "no finite quotient is known; a law of period {period} decides every position; {known}"
        )),
        Conclusion::Automaton { .. } => GameKnowledge::NotSolved(format!(
            "no finite quotient is known; an automaton decides every position; {known}"
        )),
        Conclusion::Grows { start, period } => GameKnowledge::NotSolved(format!(
            "grows with period {period} from heap {start} on, a conjecture; {known}"
        )),
        Conclusion::Exhausted(_) => {
            GameKnowledge::NotSolved(format!("the budget ended first; {known}"))
        }
        // No such record is ever committed.
        Conclusion::Interrupted => GameKnowledge::NotSolved(format!("it was interrupted; {known}")),
    })
}
