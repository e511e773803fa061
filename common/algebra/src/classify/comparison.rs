//! The comparison of a list of quotients with a published table.
//!
//! Nothing is compared by its text. The quotient of a published game is computed by exact kernels
//! from the game, a printed presentation is multiplied out, and both are matched with the list up
//! to isomorphism; the isomorphism is reported, so that it can be checked by hand.

use std::collections::BTreeMap;

use misere_engine::quotient::{GamesError, quotient_of_games};
use misere_game::bipartite::{BipartiteMonoid, ClassKey};
use misere_game::control::{Control, Stop};
use misere_game::monoid::finitely_presented::{FinitePresentation, PresentationError};
use misere_game::monoid::word::lex_least_words;
use misere_game::solution::Construction;

use super::published_tables::{PublishedQuotient, PublishedRow, PublishedTable};
use super::siegel_notation::{AbbreviationError, games};

/// Fuel for the quotient of a published game; the games of the tables take less than a hundredth.
const GAME_FUEL: u64 = 10_000_000;
/// The greatest quotient of a published game that is computed.
///
/// It matters only if the quotient is not the one that is claimed.
const MAX_OF_GAME: usize = 1_000;

/// A published table compared with a list.
#[derive(Debug)]
pub struct Comparison {
    /// The rows of the table in their order.
    pub rows: Vec<ComparedRow>,
    /// Quotients of the list that have the order of the table and match no row, by their places.
    pub unpublished: Vec<usize>,
}

/// A published row compared with a list.
#[derive(Debug)]
pub struct ComparedRow {
    /// The row.
    pub published: &'static PublishedRow,
    /// The quotient of the game; `None` if the game cannot be read.
    pub of_game: Option<Result<BipartiteMonoid, GamesError>>,
    /// The quotient that is printed, with the names of its generators.
    pub printed: Option<PrintedQuotient>,
    /// The quotient of the list that is isomorphic to the published one.
    ///
    /// The published quotient is the printed one or, if none is printed, the quotient of the game.
    pub ours: Option<QuotientMatch>,
}

/// A printed quotient, multiplied out.
#[derive(Debug)]
pub struct PrintedQuotient {
    /// The quotient.
    pub quotient: BipartiteMonoid,
    /// The names of its generators in print.
    pub generators: Vec<String>,
}

/// A quotient of the list that matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuotientMatch {
    /// The place of the quotient in the list.
    pub place: usize,
    /// For each generator of the published quotient its image, as a word of the list's quotient.
    pub images: Vec<String>,
}

/// The reason why a table cannot be compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ComparisonError {
    /// A game cannot be read.
    #[error("table {table}, row {row}: {cause}")]
    Game {
        /// The table.
        table: usize,
        /// The row, counted from 1.
        row: usize,
        /// The fault in the text of the game.
        cause: AbbreviationError,
    },
    /// A presentation cannot be multiplied out.
    #[error("table {table}, row {row}: {cause}")]
    Presentation {
        /// The table.
        table: usize,
        /// The row, counted from 1.
        row: usize,
        /// The fault in the presentation.
        cause: PresentationError,
    },
    /// The comparison was stopped.
    #[error(transparent)]
    Stopped(#[from] Stop),
}

impl ComparedRow {
    /// Reports whether the quotient of the game is the one printed, if both are known.
    #[must_use]
    pub fn game_has_the_quotient(&self) -> Option<bool> {
        let printed = self.printed.as_ref()?;
        match self.of_game.as_ref()? {
            Ok(of_game) => Some(of_game.class_key() == printed.quotient.class_key()),
            Err(GamesError::Stopped(_)) => None,
            Err(_) => Some(false),
        }
    }

    /// Returns the published quotient: the one printed, otherwise the quotient of the game.
    #[must_use]
    pub fn quotient(&self) -> Option<&BipartiteMonoid> {
        match (&self.printed, &self.of_game) {
            (Some(printed), _) => Some(&printed.quotient),
            (None, Some(Ok(of_game))) => Some(of_game),
            _ => None,
        }
    }
}

impl Comparison {
    /// Compares a list with a table.
    ///
    /// Cost: exact kernels for every row, and canonical forms.
    ///
    /// ```
    /// use misere_algebra::classify::comparison::Comparison;
    /// use misere_algebra::classify::published_tables::TABLE_3;
    /// use misere_game::control::Control;
    /// // An empty list contains no row of a table.
    /// let comparison = Comparison::of(&[], &TABLE_3, &mut Control::unlimited())?;
    /// assert_eq!(comparison.rows.len(), TABLE_3.rows.len());
    /// assert!(!comparison.is_contained());
    /// # Ok::<(), misere_algebra::classify::comparison::ComparisonError>(())
    /// ```
    ///
    /// # Errors
    /// [`ComparisonError`] if the table cannot be read, or `control` ends it.
    pub fn of(
        list: &[Construction],
        table: &'static PublishedTable,
        control: &mut Control,
    ) -> Result<Self, ComparisonError> {
        let place: BTreeMap<ClassKey, usize> = (0..)
            .zip(list)
            .filter(|(_, construction)| construction.quotient.order() == table.order)
            .map(|(at, construction)| (construction.quotient.class_key(), at))
            .collect();
        let mut rows = Vec::with_capacity(table.rows.len());
        for (number, row) in (1..).zip(table.rows) {
            rows.push(compared(list, &place, table, number, row, control)?);
        }
        let is_matched = |at: &usize| {
            rows.iter()
                .any(|row| row.ours.as_ref().is_some_and(|ours| ours.place == *at))
        };
        let mut unpublished: Vec<usize> = place
            .values()
            .copied()
            .filter(|at| !is_matched(at))
            .collect();
        unpublished.sort_unstable();
        Ok(Self { rows, unpublished })
    }

    /// Reports whether the list contains every legible row.
    #[must_use]
    pub fn is_contained(&self) -> bool {
        self.rows
            .iter()
            .all(|row| row.ours.is_some() || row.published.game.is_none())
    }

    /// Returns the number of rows that cannot be read.
    #[must_use]
    pub fn illegible(&self) -> usize {
        let rows = self.rows.iter();
        rows.filter(|row| row.published.game.is_none()).count()
    }
}

fn compared(
    list: &[Construction],
    place: &BTreeMap<ClassKey, usize>,
    table: &'static PublishedTable,
    row_number: usize,
    row: &'static PublishedRow,
    control: &mut Control,
) -> Result<ComparedRow, ComparisonError> {
    let of_game = match row.game {
        None => None,
        Some(text) => {
            let games =
                games(text, table.abbreviations).map_err(|cause| ComparisonError::Game {
                    table: table.number,
                    row: row_number,
                    cause,
                })?;
            let found = control.within(GAME_FUEL, |part| {
                quotient_of_games(&games, MAX_OF_GAME, part)
            });
            if let Err(GamesError::Stopped(Stop::Interrupted)) = found {
                return Err(Stop::Interrupted.into());
            }
            Some(found)
        }
    };
    let printed = row.quotient.as_ref().map(printed).transpose();
    let printed = printed.map_err(|cause| ComparisonError::Presentation {
        table: table.number,
        row: row_number,
        cause,
    })?;
    let mut compared = ComparedRow {
        published: row,
        of_game,
        printed,
        ours: None,
    };
    compared.ours = compared.quotient().and_then(|published| {
        let &at = place.get(&published.class_key())?;
        let ours = &list[at].quotient;
        let words = lex_least_words(ours);
        let image = published.isomorphism(ours)?;
        let images = (0..published.generators()).map(|g| {
            let x = image[published.act(0, g) as usize];
            words[x as usize].to_string()
        });
        Some(QuotientMatch {
            place: at,
            images: images.collect(),
        })
    });
    Ok(compared)
}

fn printed(printed: &PublishedQuotient) -> Result<PrintedQuotient, PresentationError> {
    let presentation: FinitePresentation = printed.presentation.parse()?;
    Ok(PrintedQuotient {
        quotient: presentation.bipartite_monoid_of(printed.p_portion, MAX_OF_GAME)?,
        generators: presentation.generators().to_vec(),
    })
}
