//! Lists of games.

use schemars::JsonSchema;
use serde::Serialize;

use misere_query::{KnownGame, Query, RecordDocument};
use misere_store::answers::{RecordCount, collect, count_within};
use misere_store::{ClassNames, Store};

use super::error::RequestError;
use super::schema;

/// The limit to which games are counted, and of the records read for it.
///
/// Beyond it, the answer says that there are more.
const MAX_COUNTED: u64 = 20_000;
const MAX_READ: u64 = 5_000;

/// The games that a query finds, each with the name of its class if it has one.
pub(crate) struct FoundGames {
    pub(crate) games: Vec<(KnownGame, Option<String>)>,
    /// The number of all games, counted up to `MAX_COUNTED`.
    pub(crate) total: RecordCount,
}

impl FoundGames {
    pub(crate) fn of(store: &Store, query: &Query) -> Result<Self, RequestError> {
        Ok(Self {
            games: found(store, query)?,
            total: count_within(store, &query.filter, MAX_COUNTED, MAX_READ)?,
        })
    }
}

/// Returns the games that a query finds, each with the name of its class if it has one.
pub(crate) fn found(
    store: &Store,
    query: &Query,
) -> Result<Vec<(KnownGame, Option<String>)>, RequestError> {
    let (hits, _) = collect(store, query)?;
    let mut names = ClassNames::default();
    let named = hits.into_iter().map(|game| {
        let name = names.of(store, &game.record.class)?;
        Ok((game, name))
    });
    named.collect()
}

/// A list of games.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct Games {
    #[schemars(with = "Vec<schema::Record>")]
    games: Vec<RecordDocument>,
    /// The address of the next games.
    next: Option<String>,
    /// How many there are in all, codes of one game counted once.
    ///
    /// Null if there are more than 20,000, or if the indexes do not tell the number and more than
    /// 5,000 records would have to be read for it.
    total: Option<u64>,
}

impl Games {
    /// Returns the games that a query finds; `next` is the address of those from an offset on.
    pub(crate) fn of(
        store: &Store,
        query: &Query,
        next: impl FnOnce(u64) -> String,
    ) -> Result<Self, RequestError> {
        let FoundGames { games, total } = FoundGames::of(store, query)?;
        let number = games.len() as u64;
        let is_full = query.limit == Some(number) && number > 0;
        let games = games.into_iter();
        Ok(Self {
            games: games
                .map(|(game, name)| RecordDocument::new(game, name))
                .collect(),
            next: is_full.then(|| next(query.offset.saturating_add(number))),
            total: match total {
                RecordCount::All(total) => Some(total),
                RecordCount::AtLeast(_) => None,
            },
        })
    }
}
