//! The check of a list of quotients.
//!
//! A list is the JSON document of `misere classify`. The check verifies of each quotient, from
//! scratch: that it is a reduced bipartite monoid; that the transition algebra of its games is
//! valid (by the checker, which knows nothing of the classification); that exact kernels, computed
//! from the games alone, give an isomorphic quotient; and that the redundant fields for readers
//! follow. It verifies of the list: no two quotients have the same class, the counts and the common
//! facts agree with the quotients listed, and the orders counted agree with its status: all even
//! ones to the greatest, or the first of them. That none is missing, and that some have no faithful
//! games, depends on the proof in docs/classification.md and on a search, not on the list.

use std::collections::{BTreeMap, BTreeSet};

use misere_algebra::classify::facts::{Summary, facts};
use misere_algebra::classify::one_stage_extensions;
use misere_algebra::classify::published_tables::TABLE_1;
use misere_check::construction::{self, ConstructionCheckError};
use misere_engine::quotient::GamesError;
use misere_game::control::Control;
use misere_game::solution::Construction;
use misere_game::solution::construction::{
    ClassificationDocument, ConstructionDocument, ConstructionError, SCHEMA,
};
use serde_json::Value;

use super::json_words::{in_words, kind};

/// The contents of a proved list.
#[derive(Clone, Debug)]
pub struct List {
    /// The greatest order of the list.
    pub max_order: usize,
    /// The status of the classification: `complete`, `exhausted` or `interrupted`.
    pub status: String,
    /// The number of quotients of every order that is listed as complete.
    pub counts: BTreeMap<usize, usize>,
    /// The quotients of the list, each with games.
    pub constructions: Vec<Construction>,
}

/// The reason why a list is false. Quotients are counted from 1.
#[derive(Debug, thiserror::Error)]
pub enum QuotientListError {
    /// The text is not the JSON of a list.
    #[error("is not a list of quotients: {}", in_words(.0))]
    Form(#[from] serde_json::Error),
    /// The form of the list has another version.
    #[error("is of schema {0}, which is not known here (this program reads schema {SCHEMA})")]
    Schema(u32),
    /// A quotient is not a JSON object.
    #[error("is not a list of quotients: quotient {0} is {1}, and should be an object")]
    NoObject(usize, &'static str),
    /// A quotient contradicts itself.
    #[error("quotient {0} contradicts itself: {1}")]
    Contradiction(usize, ConstructionError),
    /// The checker refutes the games of a quotient, or was stopped.
    #[error("quotient {0}: {1}")]
    Flaw(usize, ConstructionCheckError),
    /// The games of a quotient have another quotient.
    #[error("quotient {0}: exact kernels find another quotient of its games")]
    Kernels(usize),
    /// The games of a quotient have none, or the check was stopped.
    #[error("quotient {0}: exact kernels find no such quotient of its games: {1}")]
    NoQuotient(usize, GamesError),
    /// A field for readers does not follow from the claim.
    #[error("quotient {0}: `{1}` is not what the rest of it says")]
    Derived(usize, String),
    /// Two quotients are of one class.
    #[error("quotient {0} is of the same class as an earlier one")]
    Repeated(usize),
    /// A quotient is of a greater order than the list.
    #[error("quotient {0} has an order beyond the list's {1}")]
    Order(usize, usize),
    /// The counts are others than those of the quotients.
    #[error("the counts are not those of the quotients listed")]
    Counts,
    /// The common facts are others than those of the quotients.
    #[error("`facts` is not what the quotients listed have in common")]
    Facts,
    /// The counts that are named as published are not those of the table.
    #[error("the published counts are not those of Siegel's Table 1")]
    Published,
    /// The status is not one of a classification.
    #[error("`{0}` is not a status of a classification")]
    Status(String),
    /// An order is missing.
    #[error("the counts name order {0}, and those before it are not the even orders from 2 on")]
    Gap(usize),
    /// A list that is called complete ends early.
    #[error("it is called complete to order {max_order}, and has the orders to {last}")]
    Incomplete {
        /// The greatest order of the list.
        max_order: usize,
        /// The last order that is counted.
        last: usize,
    },
    /// A list that is called incomplete is complete.
    #[error("it is called {0}, and has every order to the one asked for")]
    Complete(String),
    /// A list that is called complete has fewer quotients than are published.
    #[error(
        "it is called complete, and has {count} of the {published} published quotients of order {order}"
    )]
    Fewer {
        /// The order.
        order: usize,
        /// The quotients of the list.
        count: usize,
        /// The quotients that are published.
        published: usize,
    },
}

impl QuotientListError {
    /// Reports whether there is no list that could be checked.
    #[must_use]
    pub fn is_unreadable(&self) -> bool {
        matches!(self, Self::Form(_) | Self::Schema(_) | Self::NoObject(..))
    }

    /// Reports whether the check was stopped before anything was decided.
    #[must_use]
    pub fn is_stop(&self) -> bool {
        matches!(
            self,
            Self::Flaw(_, ConstructionCheckError::Unchecked(_))
                | Self::NoQuotient(_, GamesError::Stopped(_))
        )
    }
}

/// Proves a list, or returns the first fault.
///
/// # Errors
/// [`QuotientListError`].
pub fn check(written: Value, control: &mut Control) -> Result<List, QuotientListError> {
    let raw = written.get("quotients").cloned().unwrap_or_default();
    let common = written.get("facts").cloned();
    let list: ClassificationDocument = serde_json::from_value(written)?;
    if list.schema != SCHEMA {
        return Err(QuotientListError::Schema(list.schema));
    }
    let mut classes = BTreeSet::new();
    let mut constructions = Vec::with_capacity(list.quotients.len());
    let mut counts: BTreeMap<usize, usize> = list.counts.keys().map(|&order| (order, 0)).collect();
    for (number, (document, written)) in (1..).zip(
        list.quotients
            .iter()
            .zip(raw.as_array().into_iter().flatten()),
    ) {
        constructions.push(check_quotient(number, document, written, control)?);
        if document.order > list.max_order {
            return Err(QuotientListError::Order(number, list.max_order));
        }
        if !classes.insert(document.class) {
            return Err(QuotientListError::Repeated(number));
        }
        *counts.entry(document.order).or_default() += 1;
    }
    if counts != list.counts {
        return Err(QuotientListError::Counts);
    }
    let published = BTreeMap::from(TABLE_1);
    let is_published = |(order, count)| published.get(order) == Some(count);
    if !list.published.iter().all(is_published) {
        return Err(QuotientListError::Published);
    }
    check_status(&list)?;
    check_completeness(&list)?;
    if let Some(common) = common {
        let mut right = Summary::default();
        constructions.iter().for_each(|it| right.add(&facts(it)));
        if common != serde_json::to_value(right)? {
            return Err(QuotientListError::Facts);
        }
    }
    Ok(List {
        max_order: list.max_order,
        status: list.status,
        counts,
        constructions,
    })
}

/// Checks that a list has the orders that its status implies.
///
/// A complete list has all even orders to the greatest one requested, any other the first of them.
fn check_status(list: &ClassificationDocument) -> Result<(), QuotientListError> {
    let even = (1..).map(|half| 2 * half);
    if let Some((&order, _)) = list
        .counts
        .keys()
        .zip(even)
        .find(|(has, even)| *has != even)
    {
        return Err(QuotientListError::Gap(order));
    }
    let is_whole = list.counts.len() == list.max_order / 2;
    match list.status.as_str() {
        "complete" if is_whole => Ok(()),
        "complete" => Err(QuotientListError::Incomplete {
            max_order: list.max_order,
            last: 2 * list.counts.len(),
        }),
        "exhausted" | "interrupted" if is_whole => {
            Err(QuotientListError::Complete(list.status.clone()))
        }
        "exhausted" | "interrupted" => Ok(()),
        _ => Err(QuotientListError::Status(list.status.clone())),
    }
}

/// Checks that a complete list has at least as many quotients of each order as are published.
///
/// That no quotient is missing is otherwise not checked: only a search shows it.
fn check_completeness(list: &ClassificationDocument) -> Result<(), QuotientListError> {
    let fewer = |&(order, published): &(usize, usize)| {
        let count = list.counts.get(&order).copied()?;
        (count < published).then_some(QuotientListError::Fewer {
            order,
            count,
            published,
        })
    };
    let found = TABLE_1.iter().find_map(fewer);
    match found.filter(|_| list.status == "complete") {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

fn check_quotient(
    number: usize,
    document: &ConstructionDocument,
    written: &Value,
    control: &mut Control,
) -> Result<Construction, QuotientListError> {
    let construction = document
        .to_construction()
        .map_err(|error| QuotientListError::Contradiction(number, error))?;
    check_construction(number, &construction, control)?;
    let derived = serde_json::to_value(ConstructionDocument::new(&construction))?;
    let Some(fields) = written.as_object() else {
        return Err(QuotientListError::NoObject(number, kind(written)));
    };
    // Unknown fields are not claims; absent ones are ignored.
    for (field, value) in fields {
        if derived.get(field).is_some_and(|right| right != value) {
            return Err(QuotientListError::Derived(number, field.clone()));
        }
    }
    Ok(construction)
}

/// Proves that a quotient has the games of its construction, by the checker and by exact kernels.
///
/// # Errors
/// [`QuotientListError`].
pub fn check_construction(
    number: usize,
    construction: &Construction,
    control: &mut Control,
) -> Result<(), QuotientListError> {
    construction::check(construction, control)
        .map_err(|flaw| QuotientListError::Flaw(number, flaw))?;
    match one_stage_extensions::confirms(construction, control) {
        Ok(true) => Ok(()),
        Ok(false) => Err(QuotientListError::Kernels(number)),
        Err(error) => Err(QuotientListError::NoQuotient(number, error)),
    }
}
