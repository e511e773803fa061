//! The misère quotients that occur in a census of games, order by order.
//!
//! Every class that some game has for quotient or partial quotient, with the number of games. The
//! cost is a key of an index for each game and class, and the record of each solved game.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

use misere_game::bipartite::ClassKey;
use misere_game::bipartite::families::name_of_class;
use schemars::JsonSchema;
use serde::Serialize;

use misere_query::{Field, Filter, Query, Span};
use misere_store::view::{Direction, View};
use misere_store::{Counters, Store, StoreError};

use super::error::RequestError;
use super::schema;

/// A class that occurs in the census.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Occurring {
    pub(crate) class: ClassKey,
    pub(crate) order: u32,
    pub(crate) p_size: u32,
    /// The number of games that have the class for quotient or partial quotient.
    pub(crate) games: u64,
    /// The number of solved games that have the class for quotient.
    pub(crate) solved: u64,
}

/// All classes that occur in the census, by order, then by key.
#[derive(Clone, Debug, Default)]
pub(crate) struct Occurrences(pub(crate) BTreeMap<u32, Vec<Occurring>>);

/// The classes that were counted last, and the state of the census at that time.
#[derive(Debug, Default)]
pub(super) struct OccurrenceCache(Mutex<Option<(Counters, Arc<Occurrences>)>>);

impl OccurrenceCache {
    /// Returns the classes of a census, counted again if it has grown.
    pub(super) fn of(&self, store: &Store) -> Result<Arc<Occurrences>, RequestError> {
        let mut counted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let counters = store.counters();
        if let Some((at, found)) = &*counted
            && *at == counters
        {
            return Ok(Arc::clone(found));
        }
        let found = Arc::new(Occurrences::of(store)?);
        *counted = Some((counters, Arc::clone(&found)));
        Ok(found)
    }
}

impl Occurrences {
    pub(crate) fn of(store: &Store) -> Result<Self, StoreError> {
        let view = View::of(store);
        let any = games_by_class(&view)?;
        let solved = solved_by_class(store)?;
        let mut by_order: BTreeMap<u32, Vec<Occurring>> = BTreeMap::new();
        for (class, games) in any {
            let Some(stored) = store.class(&class)? else {
                continue;
            };
            by_order.entry(stored.order).or_default().push(Occurring {
                class,
                order: stored.order,
                p_size: stored.p_size,
                games,
                solved: solved.get(&class).copied().unwrap_or(0),
            });
        }
        Ok(Self(by_order))
    }
}

/// Returns the number of games that have each class for quotient or partial quotient.
fn games_by_class(view: &View<'_>) -> Result<BTreeMap<ClassKey, u64>, StoreError> {
    let index = Field::AnyClass;
    let mut counts = BTreeMap::new();
    let (low, high) = ([0; 32], [u8::MAX; 32]);
    let mut cursor = view.entries(index, &low, &high, Direction::Ascending)?;
    while let Some((value, _)) = cursor.entry(index)? {
        if let Ok(class) = <[u8; 32]>::try_from(value) {
            *counts.entry(ClassKey(class)).or_default() += 1;
        }
        cursor.advance();
    }
    Ok(counts)
}

/// Returns the number of solved games that have each class for quotient.
fn solved_by_class(store: &Store) -> Result<BTreeMap<ClassKey, u64>, StoreError> {
    let mut counts = BTreeMap::new();
    let solved = Query {
        filter: Filter {
            // The solved games with a period are those with a finite quotient.
            ranges: [(Field::Period, Span::ANY)].into_iter().collect(),
            ..Filter::default()
        },
        ..Query::default()
    };
    misere_store::answers::visit(store, &solved, &mut |hit| {
        *counts.entry(hit.record.class).or_default() += 1;
        ControlFlow::Continue(())
    })?;
    Ok(counts)
}

/// The classes that games have for quotient or partial quotient.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct Classes {
    classes: Vec<OccurringView>,
}

/// A class that games have for quotient or partial quotient.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(inline)]
struct OccurringView {
    #[schemars(with = "schema::ClassKey")]
    class: ClassKey,
    /// The label of the class, such as `40.9.2`, if it has one.
    label: Option<String>,
    /// The name of the class in the literature, if it has one.
    name: Option<String>,
    #[schemars(range(min = 1))]
    order: u32,
    p_size: u32,
    /// The number of games that have the class for quotient or partial quotient.
    #[schemars(range(min = 1))]
    games: u64,
    /// The number of solved games that have the class for quotient.
    solved: u64,
}

impl Classes {
    /// Returns the classes of one order or of all.
    pub(crate) fn of(found: &Occurrences, order: Option<u32>) -> Self {
        let classes = found.0.values().flatten();
        let classes = classes.filter(|class| order.is_none_or(|order| class.order == order));
        let classes = classes.map(|occurring| OccurringView {
            class: occurring.class,
            label: occurring.class.label().map(|label| label.to_string()),
            name: name_of_class(
                occurring.order as usize,
                occurring.p_size as usize,
                &occurring.class,
            ),
            order: occurring.order,
            p_size: occurring.p_size,
            games: occurring.games,
            solved: occurring.solved,
        });
        Self {
            classes: classes.collect(),
        }
    }
}
