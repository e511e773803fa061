//! How do results that came as files enter a census?
//!
//! As those of workers do: past the [judge](crate::judge), in groups that become durable as one. What the census has already is passed
//! over, so files may come in any order and any number of times.

use std::collections::BTreeSet;
use std::io::BufRead;

use misere_census::chunk::{ChunkError, Found, Reader};
use misere_census::{Epoch, MAX_CERTIFICATE_BYTES, TaskId};

use crate::judge::{Case, Judge, Refused};
use crate::store::{Commit, Finished, Store, StoreError, TaskState};

/// So many results, or bytes of them, are checked and written together.
const TOGETHER: usize = 1024;
const TOGETHER_BYTES: usize = MAX_CERTIFICATE_BYTES;

/// What came of the results of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// Checked, and now in the census.
    pub new: u64,
    /// In the census before.
    pub known: u64,
    /// Refused, and why.
    pub refused: Vec<(TaskId, String)>,
}

/// Why a file could not be folded in.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// The file.
    #[error(transparent)]
    Chunk(#[from] ChunkError),
    /// The census.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// It belongs to another census.
    #[error("it is part of the census of another plan ({found}; this one is {here})")]
    OtherPlan {
        /// The plan of the file.
        found: String,
        /// The plan of the census.
        here: String,
    },
    /// Its results could be others than those of this program.
    #[error("it was made by `{found}`, here is `{here}`; use the same release everywhere")]
    OtherEngine {
        /// The file's.
        found: String,
        /// This program's.
        here: String,
    },
    /// The checkers are gone.
    #[error("the checks were stopped")]
    Stopped,
}

/// Folds a file into a census. What was folded in before an error stays.
///
/// # Errors
/// [`MergeError`] if the file or the census cannot be read, or do not belong together.
pub async fn merge<R: BufRead>(
    store: &mut Store,
    judge: &Judge,
    file: &mut Reader<R>,
) -> Result<Merged, MergeError> {
    let header = file.header();
    let (found, here) = (header.engine.clone(), misere_census::engine());
    if found != here {
        return Err(MergeError::OtherEngine { found, here });
    }
    if header.plan != *store.plan() {
        return Err(MergeError::OtherPlan {
            found: header.plan.to_string(),
            here: store.plan().to_string(),
        });
    }
    let mut merged = Merged::default();
    loop {
        let next = next_cases(store, file, &mut merged)?;
        let ended = next.ended;
        if !next.cases.is_empty() {
            settle(store, judge, next, &mut merged).await?;
        }
        if ended {
            return Ok(merged);
        }
    }
}

/// What is next in a file.
#[derive(Default)]
struct Next {
    /// Results of tasks that are not finished.
    cases: Vec<Case>,
    /// Those among their tasks that are in quarantine.
    quarantined: BTreeSet<TaskId>,
    /// Whether the file is at its end.
    ended: bool,
}

fn next_cases<R: BufRead>(
    store: &Store,
    file: &mut Reader<R>,
    merged: &mut Merged,
) -> Result<Next, MergeError> {
    let mut next = Next::default();
    let mut bytes = 0;
    while next.cases.len() < TOGETHER && bytes < TOGETHER_BYTES {
        let Some(Found { task, certificate }) = file.next_found()? else {
            next.ended = true;
            break;
        };
        let Some(stored) = store.task(task)? else {
            let reason = "the plan has no such task".to_owned();
            merged.refused.push((task, reason));
            continue;
        };
        match stored.state {
            TaskState::Done | TaskState::Exhausted => merged.known += 1,
            state => {
                if state.is_quarantined() || state == TaskState::Dropped {
                    next.quarantined.insert(task);
                }
                bytes += certificate.len();
                let cases = &mut next.cases;
                cases.push(Case {
                    at: cases.len(),
                    // Nobody has leased it.
                    lease: (task, Epoch(0)),
                    task: stored.task,
                    certificate,
                });
            }
        }
    }
    Ok(next)
}

/// Has results judged, and commits those that may enter.
async fn settle(
    store: &mut Store,
    judge: &Judge,
    next: Next,
    merged: &mut Merged,
) -> Result<(), MergeError> {
    let (mut left, before) = (next.cases.len(), store.counters().records());
    let mut released = BTreeSet::new();
    let mut verdicts = judge.judge(next.cases);
    let mut commit = Commit::default();
    while let Some(group) = verdicts.recv().await {
        left -= group.len();
        for (case, judged) in group {
            let task = case.lease.0;
            match judged {
                Ok(judged) => {
                    released.extend(next.quarantined.get(&task));
                    commit.finished.push(Finished {
                        task,
                        finish: judged.finish,
                        certificate: case.certificate,
                        finding: judged.finding,
                    });
                }
                Err(Refused::Stopped) => return Err(MergeError::Stopped),
                Err(refused) => merged.refused.push((task, refused.to_string())),
            }
        }
    }
    if left > 0 {
        return Err(MergeError::Stopped);
    }
    // What failed too often elsewhere has been done here.
    store.release(&released.into_iter().collect::<Vec<_>>())?;
    store.commit(&commit)?;
    let new = store.counters().records() - before;
    merged.new += new;
    // Twice in one group.
    merged.known += commit.finished.len() as u64 - new;
    Ok(())
}
