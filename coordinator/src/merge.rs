//! How do results that came as files enter a census?
//!
//! As those of workers do: past the [judge](crate::judge), in groups that become durable as one.
//! Files may come in any order and any number of times.
//!
//! A file is trusted no more than a worker is:
//!
//! - **What is proved** enters.
//! - **What is the maker's word** (that no more was found within the budget) is drawn for
//!   confirmation: one in [`Terms::first_one_in`] at first, and half as many after every 50 that
//!   were confirmed, down to one in 256, as among workers ([`misere_ledger`]). What is drawn is
//!   computed here. Which tasks are drawn is decided under a key made for this file, so nobody can
//!   lie only where nobody looks.
//! - **What the census has already** is compared, byte for byte: equal work gives equal
//!   certificates. Where they differ, the task is computed here, and what is false goes: the
//!   file's, or the census's, which is then taken back and replaced by the file's if that is right.
//!   Every disagreement is told.
//! - **A file that is caught** at a false certificate is believed no more: its further unproved
//!   claims are refused, and those that have entered and that nobody confirmed are taken out again.

mod drawing;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io::BufRead;

use misere_census::admission::{Judged, Refused};
use misere_census::chunk::{ChunkError, Found, Reader};
use misere_census::{CertificateDigest, Epoch, Lease, MAX_CERTIFICATE_BYTES, Task, TaskId};

use crate::judge::{Case, Judge};
use drawing::Drawing;
pub use drawing::Terms;
use misere_store::{Commit, Finished, Store, StoreError, TaskState};

/// So many results, or bytes of them, are checked and written together.
const TOGETHER: usize = 1024;
const TOGETHER_BYTES: usize = MAX_CERTIFICATE_BYTES;

/// What came of the results of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// Checked, and now in the census.
    pub new: u64,
    /// In the census before, the same.
    pub known: u64,
    /// Computed here, with the same result.
    pub confirmed: u64,
    /// Refused, and why.
    pub refused: Vec<(TaskId, String)>,
    /// Certificates that differ from others of the same task.
    pub disagreements: Vec<Disagreement>,
    /// Tasks whose record was taken out of the census, and that are to be done again.
    pub reopened: u64,
    /// Places at which the file is not as it was written.
    pub damaged: u64,
}

impl Merged {
    /// Whether all went well: nothing was refused, damaged or in dispute.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.refused.is_empty() && self.disagreements.is_empty() && self.damaged == 0
    }
}

/// Certificates of one task that differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// The task.
    pub task: TaskId,
    /// Whose was right.
    pub right: Right,
}

/// Whose certificate was right, as was found by computing the task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Right {
    /// That of the census: the file's was left out.
    Census,
    /// That of the file: it replaces the census's.
    File,
    /// Neither of those that were there: the task is to be done again.
    Neither,
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { task, right } = self;
        let end = match right {
            Right::Census => "the file is wrong, and the census keeps its record",
            Right::File => "the census was wrong, and has the file's record now",
            Right::Neither => "what was said is wrong, and the task is to be done again",
        };
        write!(f, "task {task}: certificates differ; computed here, {end}")
    }
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
    terms: Terms,
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
    let mut merging = Merging {
        store,
        judge,
        drawing: Drawing::new(terms),
        caught_at: None,
        unconfirmed: Vec::new(),
        merged: Merged::default(),
    };
    loop {
        let next = merging.next_cases(file)?;
        let ended = next.ended;
        if !next.cases.is_empty() {
            merging.settle(next).await?;
        }
        if ended {
            merging.merged.damaged = file.damaged();
            return Ok(merging.merged);
        }
    }
}

/// What is next in a file.
#[derive(Default)]
struct Next {
    /// Results of tasks that are not finished, or are with another certificate.
    cases: Vec<Case>,
    /// Those among their tasks that are in quarantine.
    quarantined: BTreeSet<TaskId>,
    /// Those among their tasks that are finished, with the census's certificate.
    disputed: BTreeMap<TaskId, Vec<u8>>,
    /// Whether the file is at its end.
    ended: bool,
}

/// A file on its way into a census.
struct Merging<'a> {
    store: &'a mut Store,
    judge: &'a Judge,
    drawing: Drawing,
    /// The task at which the file was caught with a false certificate.
    caught_at: Option<TaskId>,
    /// What entered on the file's word.
    unconfirmed: Vec<TaskId>,
    merged: Merged,
}

impl Merging<'_> {
    fn next_cases<R: BufRead>(&mut self, file: &mut Reader<R>) -> Result<Next, MergeError> {
        let mut next = Next::default();
        let mut bytes = 0;
        while next.cases.len() < TOGETHER && bytes < TOGETHER_BYTES {
            let Some(Found { task, certificate }) = file.next_found()? else {
                next.ended = true;
                break;
            };
            let Some(stored) = self.store.task(task)? else {
                self.refuse(task, "the plan has no such task");
                continue;
            };
            match stored.state {
                TaskState::Done | TaskState::Exhausted => {
                    match self.certificate_of(&stored.task)? {
                        Some(known) if known != certificate => {
                            bytes += known.len();
                            next.disputed.insert(task, known);
                        }
                        _ => {
                            self.merged.known += 1;
                            continue;
                        }
                    }
                }
                state if state.is_quarantined() || state == TaskState::Dropped => {
                    next.quarantined.insert(task);
                }
                _ => {}
            }
            bytes += certificate.len();
            let cases = &mut next.cases;
            cases.push(Case {
                at: cases.len(),
                // Nobody has leased it.
                lease: Lease {
                    task,
                    epoch: Epoch(0),
                },
                task: stored.task,
                certificate,
            });
        }
        Ok(next)
    }

    /// The certificate that the census has of a task; none of schemes, of which it keeps what came
    /// out.
    fn certificate_of(&self, task: &Task) -> Result<Option<Vec<u8>>, StoreError> {
        match task {
            Task::Game(game) => self.store.certificate(&game.code),
            Task::Schemes(_) => Ok(None),
        }
    }

    fn refuse(&mut self, task: TaskId, reason: impl Into<String>) {
        self.merged.refused.push((task, reason.into()));
    }

    /// Has results judged, computes again what is in dispute or drawn, and commits what may enter.
    async fn settle(&mut self, next: Next) -> Result<(), MergeError> {
        let accepted = self.judged(next.cases).await?;
        let mut said: BTreeMap<TaskId, CertificateDigest> = BTreeMap::new();
        let mut contradicted = BTreeSet::new();
        let (mut drawn, mut entering) = (Vec::new(), Vec::new());
        for (case, judged) in accepted {
            let task = case.lease.task;
            let digest = CertificateDigest::of(&case.certificate);
            match said.insert(task, digest) {
                Some(before) if before == digest => {
                    self.merged.known += 1;
                    continue;
                }
                Some(_) => contradicted.insert(task),
                None => false,
            };
            let in_dispute = next.disputed.contains_key(&task);
            match in_dispute || judged.unproved && self.drawing.draws(task) {
                true => drawn.push((case, judged)),
                false => entering.push((case, judged)),
            }
        }
        // A file that says two things of one task.
        let twice = |(case, _): &mut (Case, Judged)| contradicted.contains(&case.lease.task);
        drawn.extend(entering.extract_if(.., twice));
        let again: BTreeMap<TaskId, Task> = drawn
            .iter()
            .map(|(case, _)| (case.lease.task, case.task.clone()))
            .collect();
        let again = again.into_values().collect();
        let right = self.computed(again).await?;
        let mut reopened = BTreeSet::new();
        let mut confirmed = BTreeSet::new();
        for (case, judged) in drawn {
            let task = case.lease.task;
            let is_right = right
                .get(&task)
                .is_some_and(|right| *right == case.certificate);
            let known = next.disputed.get(&task);
            let known_is_right = known.is_some() && known == right.get(&task);
            let disagreement = match (is_right, known) {
                (true, None) => None,
                (true, Some(_)) => Some(Right::File),
                (false, _) if known_is_right => Some(Right::Census),
                (false, _) => Some(Right::Neither),
            };
            if let Some(right) = disagreement {
                self.merged.disagreements.push(Disagreement { task, right });
            }
            if known.is_some() && !known_is_right {
                reopened.insert(task);
            }
            if is_right {
                self.drawing.agreed();
                self.merged.confirmed += 1;
                confirmed.insert(task);
                entering.push((case, judged));
            } else {
                self.caught_at.get_or_insert(task);
            }
        }
        if let Some(at) = self.caught_at {
            // What it said without proof is worth nothing, now and before.
            reopened.extend(self.unconfirmed.drain(..));
            let said = |(case, judged): &(Case, Judged)| {
                judged.unproved && !confirmed.contains(&case.lease.task)
            };
            let (refused, rest) = entering.into_iter().partition(said);
            entering = rest;
            let refused: Vec<(Case, Judged)> = refused;
            for (case, _) in refused {
                let reason = format!("nothing proves it, and the file was caught at task {at}");
                self.refuse(case.lease.task, reason);
            }
        }
        self.enter(entering, &next.quarantined, &reopened, &confirmed)
    }

    async fn judged(&mut self, cases: Vec<Case>) -> Result<Vec<(Case, Judged)>, MergeError> {
        let mut left = cases.len();
        let mut accepted = Vec::with_capacity(left);
        let mut verdicts = self.judge.judge(cases);
        while let Some(group) = verdicts.recv().await {
            left -= group.len();
            for (case, judged) in group {
                match judged {
                    Ok(judged) => accepted.push((case, judged)),
                    Err(Refused::Stopped) => return Err(MergeError::Stopped),
                    Err(refused) => self.refuse(case.lease.task, refused.to_string()),
                }
            }
        }
        if left > 0 {
            return Err(MergeError::Stopped);
        }
        // Which of them are drawn does not hang on which were judged first.
        accepted.sort_by_key(|(case, _)| case.at);
        Ok(accepted)
    }

    /// The certificates of tasks as they are computed here.
    async fn computed(&self, tasks: Vec<Task>) -> Result<BTreeMap<TaskId, Vec<u8>>, MergeError> {
        let mut left = tasks.len();
        let mut right = BTreeMap::new();
        let mut computed = self.judge.compute(tasks);
        while let Some((task, certificate)) = computed.recv().await {
            left -= 1;
            right.extend(certificate.map(|certificate| (task.id(), certificate)));
        }
        match left {
            0 => Ok(right),
            _ => Err(MergeError::Stopped),
        }
    }

    /// Takes records out of the census, and commits results.
    fn enter(
        &mut self,
        entering: Vec<(Case, Judged)>,
        quarantined: &BTreeSet<TaskId>,
        reopened: &BTreeSet<TaskId>,
        confirmed: &BTreeSet<TaskId>,
    ) -> Result<(), MergeError> {
        if !reopened.is_empty() {
            self.store.commit(&Commit {
                reopened: reopened.iter().copied().collect(),
                ..Commit::default()
            })?;
        }
        let before = self.store.counters().records();
        let mut commit = Commit::default();
        let mut released = Vec::new();
        for (case, judged) in entering {
            let task = case.lease.task;
            released.extend(quarantined.get(&task));
            if judged.unproved && !confirmed.contains(&task) {
                self.unconfirmed.push(task);
            }
            commit.finished.push(Finished {
                task,
                finish: judged.finish,
                certificate: case.certificate,
                finding: judged.finding,
            });
        }
        // What failed too often elsewhere has been done here.
        self.store.release(&released)?;
        self.store.commit(&commit)?;
        let new = self.store.counters().records().saturating_sub(before);
        let replaced = commit
            .finished
            .iter()
            .filter(|done| reopened.contains(&done.task));
        self.merged.reopened += (reopened.len() - replaced.count()) as u64;
        self.merged.new += new;
        Ok(())
    }
}
