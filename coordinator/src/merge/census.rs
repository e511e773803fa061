//! The entry of the results of another census into a census.
//!
//! Both have the same budget, and each game of one is a game of the other. Nothing in the other
//! census is trusted: each certificate is checked again, like a certificate of a file. Classes,
//! memberships and indexes follow from the records, and so does the digest.

use misere_census::{Record, Task, plan};
use misere_store::{Store, StoreError};

use super::{File, MergeCounts, MergeError, TOGETHER, TOGETHER_BYTES, Terms};
use crate::check_threads::CertificateVerifier;
use crate::intake::{Submission, submit};

/// Merges the results of another census into a census.
///
/// Results merged before an error, or before the end of the process, stay; merged again, they are
/// compared. After each group `seen` receives the number of results of the other census seen so
/// far.
///
/// Cost: a seek, the check and a share of a durable write for each result. If the plans differ,
/// also the memory of the tasks of the plan ([`plan::tasks`]), and a seek for each of these.
///
/// # Errors
/// [`MergeError`] if one of the censuses cannot be read or written, or if they do not belong
/// together.
pub async fn merge_census(
    store: &mut Store,
    verifier: &CertificateVerifier,
    other: &Store,
    terms: Terms,
    mut seen: impl FnMut(u64),
) -> Result<MergeCounts, MergeError> {
    let plan = store.plan().clone();
    let has_levels = |store: &Store| store.plan().space().max_quotient_order().is_some();
    if has_levels(store) || has_levels(other) {
        return Err(MergeError::Levels);
    }
    if other.plan().budget() != plan.budget() {
        return Err(MergeError::OtherBudget {
            found: other.plan().to_string(),
            here: plan.to_string(),
        });
    }
    let tasks: Tasks<'_> = match *other.plan() == plan {
        true => Box::new(tasks_with_records(other)?),
        false => Box::new(plan::tasks(&plan).map(Ok)),
    };
    let mut source = File::new(store, verifier, terms)?;
    let mut found = 0;
    let (mut next, mut bytes) = (Vec::new(), 0);
    for task in tasks {
        let task = task?;
        let Some(certificate) = certificate_of(other, &task)? else {
            continue;
        };
        found += 1;
        bytes += certificate.len();
        next.push(Submission {
            right: task.id(),
            outcome: Ok(certificate),
        });
        if next.len() >= TOGETHER || bytes >= TOGETHER_BYTES {
            submit(&mut source, verifier, std::mem::take(&mut next)).await?;
            bytes = 0;
            seen(found);
        }
    }
    submit(&mut source, verifier, next).await?;
    seen(found);
    source.merged.left_out = other.counters().records().saturating_sub(found);
    Ok(source.merged)
}

/// The tasks in the order in which they are found.
type Tasks<'a> = Box<dyn Iterator<Item = Result<Task, StoreError>> + 'a>;

/// Returns the tasks of the games with a record in a census, derived from the records.
///
/// No plan is made for them, and they come in the order of the certificates on disk.
fn tasks_with_records(
    census: &Store,
) -> Result<impl Iterator<Item = Result<Task, StoreError>>, StoreError> {
    let budget = census.plan().budget();
    let tasks = census.records()?.map(move |record| {
        let Record { code, aliases, .. } = record?;
        let aliases = aliases.into_iter().map(|alias| alias.code);
        Ok(Task::game(code, aliases.collect(), budget))
    });
    Ok(tasks)
}

/// Returns the certificate that a census has of a task.
///
/// The other census may know the game by fewer codes; its certificate is useful if it is about the
/// representative code.
fn certificate_of(other: &Store, task: &Task) -> Result<Option<Vec<u8>>, StoreError> {
    match task.as_game() {
        Some(game) => other.certificate(&game.code),
        None => Ok(None),
    }
}
