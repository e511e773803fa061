//! The form of an atlas: the faults that are found without computing a quotient.
//!
//! An atlas in form may still be false. Its answers rest on the certificates of the censuses, which
//! `misere report atlas` reads again. This file is about files that were cut off, damaged or made
//! up so that pages would show nonsense.

use std::collections::BTreeMap;

use misere_algebra::classify::MAX_ORDER;
use misere_algebra::classify::digest::ListDigest;
use misere_game::bipartite::ClassKey;
use misere_game::bipartite::families::name_of_class;
use misere_game::ruleset::Code;

use super::{Answer, Document, Entry, REPORT, SearchedCensus};

/// An atlas that contradicts itself.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AtlasFormError {
    /// The document is of another version.
    #[error("it has version {0}, and this program reads version 1")]
    Schema(u32),
    /// The document is another report.
    #[error("it is a report `{0}`")]
    Report(String),
    /// No census was searched.
    #[error("it names no census")]
    NoCensus,
    /// More games have a record than there are, or the digest is not one.
    #[error("what it says of the extent of census {0} contradicts itself")]
    Extent(String),
    /// No quotient has this order and P-portion.
    #[error("class {0} has no order and size of P that a quotient of games can have")]
    Size(ClassKey),
    /// The list does not ascend.
    #[error("its quotients do not ascend by order, at class {0}")]
    Ascent(ClassKey),
    /// A class is listed twice.
    #[error("class {0} is listed twice")]
    Twice(ClassKey),
    /// The name is not the name of the class.
    #[error("class {0} has another name than the one stated, or none")]
    Name(ClassKey),
    /// An order has another number of quotients than stated.
    #[error("it states {stated} quotients of order {order} and lists {listed}")]
    Count {
        /// The order.
        order: u32,
        /// The number stated.
        stated: u64,
        /// The number listed.
        listed: u64,
    },
    /// The digest belongs to another list.
    #[error("its digest is that of another list of quotients")]
    Digest,
    /// A class does not have exactly one answer of each census.
    #[error("class {0} does not have one answer of each census")]
    Answers(ClassKey),
    /// A game is named that the census does not cover.
    #[error("{code} is none of the {bounds}")]
    Outside {
        /// The game.
        code: Code,
        /// The games of the census in words.
        bounds: String,
    },
    /// A game has two quotients, or partial quotients that shrink.
    #[error("the quotients of {0} contradict each other: partial quotients never shrink")]
    Shrinks(Code),
    /// The numbers of open games contradict each other.
    #[error("the numbers of open games of census {census} contradict each other at order {order}")]
    Open {
        /// The directory of the census.
        census: String,
        /// The order.
        order: u32,
    },
}

/// Reports whether an atlas is in form.
///
/// # Errors
/// The first [`AtlasFormError`].
pub(super) fn check(atlas: &Document) -> Result<(), AtlasFormError> {
    if atlas.schema != 1 {
        return Err(AtlasFormError::Schema(atlas.schema));
    }
    if atlas.report != REPORT {
        return Err(AtlasFormError::Report(atlas.report.clone()));
    }
    if atlas.censuses.is_empty() {
        return Err(AtlasFormError::NoCensus);
    }
    if let Some(census) = atlas.censuses.iter().find(|census| !is_possible(census)) {
        return Err(AtlasFormError::Extent(census.directory.clone()));
    }
    check_list(atlas)?;
    for (at, census) in atlas.censuses.iter().enumerate() {
        let answers = atlas
            .entries
            .iter()
            .map(|entry| (entry, &entry.answers[at]));
        let answers: Vec<(&Entry, &Answer)> = answers.collect();
        check_games(census, &answers)?;
        check_open(census, &answers)?;
    }
    Ok(())
}

fn is_possible(census: &SearchedCensus) -> bool {
    let extent = &census.completeness;
    let is_digest = |text: &str| text.parse::<ClassKey>().is_ok();
    extent.records <= extent.tasks && is_digest(&extent.digest)
}

fn check_list(atlas: &Document) -> Result<(), AtlasFormError> {
    let mut before: Option<&Entry> = None;
    let mut seen: BTreeMap<ClassKey, &Entry> = BTreeMap::new();
    let mut listed: BTreeMap<u32, u64> = BTreeMap::new();
    for entry in &atlas.entries {
        let class = entry.class;
        // Every quotient of games but the trivial one has even order.
        let is_size = (2..=MAX_ORDER as u32).contains(&entry.order)
            && entry.order.is_multiple_of(2)
            && (1..entry.order).contains(&entry.p_size);
        if !is_size {
            return Err(AtlasFormError::Size(class));
        }
        if before.is_some_and(|before| before.order > entry.order) {
            return Err(AtlasFormError::Ascent(class));
        }
        if seen.insert(class, entry).is_some() {
            return Err(AtlasFormError::Twice(class));
        }
        let name = name_of_class(entry.order as usize, entry.p_size as usize, &class);
        if entry.name != name {
            return Err(AtlasFormError::Name(class));
        }
        if entry.answers.len() != atlas.censuses.len() {
            return Err(AtlasFormError::Answers(class));
        }
        *listed.entry(entry.order).or_default() += 1;
        before = Some(entry);
    }
    for (&order, &stated) in &atlas.complete_orders {
        let listed = listed.get(&order).copied().unwrap_or(0);
        if stated != listed {
            return Err(AtlasFormError::Count {
                order,
                stated,
                listed,
            });
        }
    }
    let classes = atlas.entries.iter();
    let classes = classes.map(|entry| (entry.order as usize, entry.class));
    match ListDigest::of_classes(classes).to_string() == atlas.digest {
        true => Ok(()),
        false => Err(AtlasFormError::Digest),
    }
}

/// Checks that the games named can have these quotients.
///
/// The quotients of one game grow from heap to heap, and the quotient of the whole game comes last.
fn check_games(
    census: &SearchedCensus,
    answers: &[(&Entry, &Answer)],
) -> Result<(), AtlasFormError> {
    let mut games: BTreeMap<&Code, Vec<(u64, u32)>> = BTreeMap::new();
    for (entry, answer) in answers {
        let (code, heap) = match answer {
            Answer::Whole { code } => (code, u64::MAX),
            Answer::Partial { code, heap } => (code, u64::from(*heap)),
            Answer::None | Answer::Open { .. } => continue,
        };
        if !census.bounds.has(code) {
            return Err(AtlasFormError::Outside {
                code: code.clone(),
                bounds: census.bounds.to_string(),
            });
        }
        games.entry(code).or_default().push((heap, entry.order));
    }
    for (code, mut of_game) in games {
        of_game.sort_unstable();
        // Partial quotients of equal order are isomorphic, and no class is listed twice.
        let grows = |pair: &[(u64, u32)]| pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1;
        if !of_game.windows(2).all(grows) {
            return Err(AtlasFormError::Shrinks(code.clone()));
        }
    }
    Ok(())
}

/// Checks that the numbers of open games agree: equal at one order, no fewer at a greater one.
fn check_open(
    census: &SearchedCensus,
    answers: &[(&Entry, &Answer)],
) -> Result<(), AtlasFormError> {
    let extent = &census.completeness;
    let absent = extent.tasks - extent.records;
    let mut before: Option<(u32, u64)> = None;
    for (entry, answer) in answers {
        let Some(open) = answer.open() else {
            continue;
        };
        let is_none = matches!(answer, Answer::None);
        let agrees = before.is_none_or(|(order, before)| match order == entry.order {
            true => before == open,
            false => before <= open,
        });
        let is_number = (absent..=extent.tasks).contains(&open) && is_none == (open == 0);
        if !agrees || !is_number {
            return Err(AtlasFormError::Open {
                census: census.directory.clone(),
                order: entry.order,
            });
        }
        before = Some((entry.order, open));
    }
    Ok(())
}
