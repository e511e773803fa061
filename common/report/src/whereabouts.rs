//! The places where a census has a class.
//!
//! [`whereabouts`] returns the games of a census that have it as quotient or partial quotient, with
//! their heaps, and the first of them.

use std::ops::ControlFlow;

use misere_census::Status;
use misere_game::bipartite::ClassKey;
use misere_game::ruleset::Code;
use serde::{Deserialize, Serialize};

use misere_query::{Filter, Query, RenumberingDocument};
use misere_store::answers::visit;
use misere_store::commit::memberships;
use misere_store::value::Membership;
use misere_store::{Store, StoreError};

/// A game with a partial quotient of the class.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Occurrence {
    /// The code that represents the game; the heaps are numbered as in this code.
    pub code: Code,
    /// Further codes.
    pub aliases: Vec<Code>,
    /// The numbering of the heaps in each of the aliases.
    pub renumberings: Vec<RenumberingDocument>,
    /// The status with which its computation ended.
    pub status: Option<Status>,
    /// The first and the last heap of each range in which its partial quotient has the class.
    pub ranges: Vec<(u32, u32)>,
    /// Whether the last range never ends: the class is that of the whole game's quotient.
    pub forever: bool,
}

/// The places where a census has a class.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassLocations {
    /// The smallest game of the census that generates the class: its least code and least heap.
    pub smallest: Option<(Code, u32)>,
    /// The least heap with which any game has the class, and the least code of these games.
    pub earliest: Option<(Code, u32)>,
    /// Whether the census of misère quotients found a construction of the class.
    pub constructed: bool,
    /// The number of games that have the class.
    pub games: u64,
    /// The number of games whose whole quotient has the class.
    pub whole_games: u64,
    /// The games in the order of their codes, those whose whole quotient has the class first.
    ///
    /// The list is cut to the number requested.
    pub occurrences: Vec<Occurrence>,
}

/// The extent of a census that does not have a quotient: what that excludes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exclusion {
    /// The number of tasks of the plan.
    pub tasks: u64,
    /// The number of tasks that ended.
    pub ended: u64,
    /// The greatest order to which the census has all misère quotients, if it classifies them.
    pub quotients_to: Option<u8>,
    /// Whether the order of the quotient is at most that one, so that no games have the quotient.
    pub is_no_quotient: bool,
}

impl Exclusion {
    /// Returns the exclusion by a census without a quotient of this order.
    ///
    /// The order is `None` if it is not known.
    #[must_use]
    pub fn of(store: &Store, order: Option<usize>) -> Self {
        let counters = store.counters();
        let closed = store.levels().take_while(|level| level.closed).last();
        let quotients_to = closed.map(|level| level.order);
        let is_within = |to: u8| order.is_some_and(|order| order <= usize::from(to));
        Self {
            tasks: counters.tasks,
            ended: counters.done + counters.exhausted,
            quotients_to,
            is_no_quotient: quotients_to.is_some_and(is_within),
        }
    }

    /// Returns the sentences on what is excluded, without full stops.
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        let Self { tasks, ended, .. } = self;
        let of_games = match tasks == ended {
            true => format!(
                "excluded by that: all {tasks} tasks of the census ended, each game as far as its \
                 budget went"
            ),
            false => format!(
                "not excluded: {ended} of the {tasks} tasks of the census ended, so a game may \
                 still have it"
            ),
        };
        let of_quotients = self.quotients_to.map(|order| {
            let then = match self.is_no_quotient {
                true => "this is none of them: no games have it",
                false => "its order is greater",
            };
            format!("the census has all misère quotients to order {order}, and {then}")
        });
        [of_games].into_iter().chain(of_quotients).collect()
    }
}

impl ClassLocations {
    /// Reports whether the census has the class at all.
    #[must_use]
    pub fn is_somewhere(&self) -> bool {
        self.games > 0 || self.constructed
    }
}

/// Finds where a census has a class, listing at most `limit` games.
///
/// Cost: a record for each game that has it.
///
/// # Errors
/// [`StoreError`] if the store cannot be read.
pub fn whereabouts(
    store: &Store,
    class: &ClassKey,
    limit: usize,
) -> Result<ClassLocations, StoreError> {
    let mut whole: Vec<Occurrence> = Vec::new();
    let mut partial: Vec<Occurrence> = Vec::new();
    let (mut games, mut whole_games) = (0, 0);
    let mut earliest: Option<(u32, Code)> = None;
    let query = Query {
        filter: Filter {
            any_class: Some((*class).into()),
            ..Filter::default()
        },
        ..Query::default()
    };
    visit(store, &query, &mut |hit| {
        let record = hit.record;
        let membership = memberships(&record).remove(class);
        let Some(Membership { ranges, forever }) = membership else {
            return ControlFlow::Continue(());
        };
        if let Some(&(first, _)) = ranges.first()
            && earliest.as_ref().is_none_or(|(heap, _)| first < *heap)
        {
            earliest = Some((first, record.code.clone()));
        }
        games += 1;
        whole_games += u64::from(forever);
        let list = if forever { &mut whole } else { &mut partial };
        if list.len() < limit {
            list.push(Occurrence {
                status: record.status(),
                aliases: record.codes().skip(1).cloned().collect(),
                renumberings: RenumberingDocument::of(&record),
                code: record.code,
                ranges,
                forever,
            });
        }
        ControlFlow::Continue(())
    })?;
    whole.append(&mut partial);
    whole.truncate(limit);
    let stored = store.class(class)?;
    let constructed = stored.is_some_and(|it| it.construction.is_some());
    Ok(ClassLocations {
        constructed,
        smallest: smallest(store, class)?,
        earliest: earliest.map(|(heap, code)| (code, heap)),
        games,
        whole_games,
        occurrences: whole,
    })
}

/// Returns the smallest game of a census that has a class: its least code and least heap.
///
/// # Errors
/// [`StoreError`] if the store cannot be read.
pub fn smallest(store: &Store, class: &ClassKey) -> Result<Option<(Code, u32)>, StoreError> {
    let stored = store.class(class)?;
    Ok(stored.and_then(|class| Some((class.witness?, class.heap))))
}
