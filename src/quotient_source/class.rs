//! The quotient whose class is given by the first digits of its key.

use misere_census::atlas::Atlas;
use misere_game::bipartite::ClassKey;
use misere_game::bipartite::families::by_name;
#[cfg(feature = "census")]
use misere_game::control::Control;
use misere_query::ClassPattern;

use super::{QuotientSource, QuotientSourceError};
#[cfg(feature = "census")]
use crate::census_error::CensusError;
use crate::exit::Failure;
use crate::known::Store;

/// Finds the class of a pattern in a census, or else in an atlas.
///
/// # Errors
/// A [`Failure`] if several classes match the pattern, or none, or neither a census nor an
/// atlas is given.
pub(super) fn look_up(
    pattern: &ClassPattern,
    (store, atlas): (Option<&Store>, Option<&Atlas>),
) -> Result<QuotientSource, Failure> {
    let stored = store.map(|store| class_in_census(store, pattern));
    if let Some(given) = stored.transpose()?.flatten() {
        return Ok(given);
    }
    let listed = atlas.map(|atlas| class_in_atlas(atlas, pattern));
    if let Some(given) = listed.transpose()?.flatten() {
        return Ok(given);
    }
    Err(match (store, atlas) {
        (None, None) => QuotientSourceError::NotAQuotient(format!(
            "to look up the class {pattern} a census or an atlas is needed: the whole program \
             takes a census with --data, and `misere identify` an atlas with --atlas"
        ))
        .into(),
        (None, Some(_)) => {
            QuotientSourceError::Unknown(format!("the atlas does not list the class {pattern}"))
                .into()
        }
        (Some(_), atlas) => QuotientSourceError::Unknown(format!(
            "no game of the census has a partial quotient of the class {pattern}, and the \
             census has no construction of it{}",
            atlas.map_or("", |_| "; the atlas does not list it")
        ))
        .into(),
    })
}

/// Cannot be called, since [`Store`] has no values.
#[cfg(not(feature = "census"))]
fn class_in_census(store: &Store, _: &ClassPattern) -> Result<Option<QuotientSource>, Failure> {
    match *store {}
}

/// Finds the class of a pattern in a census; `None` if the census has none.
#[cfg(feature = "census")]
fn class_in_census(
    store: &Store,
    pattern: &ClassPattern,
) -> Result<Option<QuotientSource>, Failure> {
    let classes = store.classes(pattern.least(), pattern.greatest(), 2);
    let classes = classes.map_err(CensusError::from)?;
    let Some((class, stored)) = only(classes, pattern)? else {
        return Ok(None);
    };
    // A class that only partial quotients have is stored by its witness.
    let monoid = match (stored.quotient, &stored.witness) {
        (Some(quotient), _) => Some(*quotient),
        (None, Some(witness)) => {
            let solution = crate::known::in_census(store, witness)?;
            // The census holds quotients that were computed within their budgets, so no limit is
            // needed.
            solution.map(|solution| {
                Control::without_limit(|it| super::partial_quotient(&solution, stored.heap, it)).0
            })
        }
        (None, None) => None,
    };
    Ok(Some(QuotientSource::of_class(pattern, class, monoid)))
}

/// Finds the class of a pattern in the list of an atlas; `None` if none is listed.
fn class_in_atlas(
    atlas: &Atlas,
    pattern: &ClassPattern,
) -> Result<Option<QuotientSource>, Failure> {
    let fits = |class: &ClassKey| pattern.least() <= class && class <= pattern.greatest();
    let entries = atlas.entries().iter();
    let entry = only(
        entries.filter(|entry| fits(&entry.class)).collect(),
        pattern,
    )?;
    Ok(entry.map(|entry| {
        let monoid = entry.name.as_deref().and_then(|name| by_name(name).ok());
        QuotientSource::of_class(pattern, entry.class, monoid)
    }))
}

/// Returns the only one of the classes that match a pattern, if there is any.
fn only<T>(mut classes: Vec<T>, pattern: &ClassPattern) -> Result<Option<T>, Failure> {
    match classes.len() {
        0 | 1 => Ok(classes.pop()),
        _ => Err(QuotientSourceError::Unknown(format!(
            "several classes begin with {pattern}; give more digits"
        ))
        .into()),
    }
}
