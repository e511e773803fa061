//! The entry of results from files into a census.
//!
//! These results enter as results of workers do: by the intake, past the
//! [verifier](crate::check_threads), in groups that become durable as one. Files may come in any order
//! and any number of times.
//!
//! A file is trusted no more than a worker is:
//!
//! - **Proved results** enter. In a file that a checker has [sealed](crate::seal) what it states is
//!   believed, but for a share that is checked here again (`statements.rs`).
//! - **The maker's word** (that no more was found within the budget) is drawn for confirmation: one
//!   in [`Terms::first_one_in`] at first, and half as many after every 50 confirmed ones, down to
//!   one in 256, as among workers ([`misere_ledger`]). The drawn tasks are computed here. They are
//!   drawn under a key made for this file, so the maker cannot know which claims will be checked.
//! - **Results that the census already has** are compared, byte for byte: equal work gives equal
//!   certificates. Where they differ, the task is computed here, and the false one goes: the
//!   file's, or the census's, which is then taken back and replaced by the file's if that is right.
//!   Every disagreement is reported.
//! - **A file that is caught** with a false certificate is no longer trusted: its further unproved
//!   claims are refused, and its unconfirmed ones that have entered are taken out again.
//!
//! The results of another census enter in the same way ([`merge_census`]).

mod census;
mod drawing;
mod statements;

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::fmt;
use std::io::BufRead;

use misere_census::admission::{VerificationError, VerifiedResult};
use misere_census::chunk::{ChunkError, Reader, TaskResult};
use misere_census::{CertificateDigest, MAX_CERTIFICATE_BYTES, Task, TaskId, WorkerIdentity};

use crate::check_threads::CertificateVerifier;
use crate::driver::RandomnessError;
use crate::intake::{
    CheckedCertificate, ClaimResult, PendingCertificate, Settling, Source, Submission, submit,
};
use crate::seal::Sealer;
pub use census::merge_census;
use drawing::Drawing;
pub use drawing::Terms;
use misere_store::{Commit, Finished, Store, StoreError, StoredTask, TaskState};
use statements::Statements;

/// The number of results, and of their bytes, that are checked and written together.
///
/// The census may have another certificate of the same size for each of them.
const TOGETHER: usize = 1024;
const TOGETHER_BYTES: usize = MAX_CERTIFICATE_BYTES / 2;

/// The counts of the results of a file, by their fate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MergeCounts {
    /// The number of results that were checked and entered the census.
    pub new: u64,
    /// The number of results that the census already had.
    pub known: u64,
    /// The number of results that were computed again with the same outcome.
    pub confirmed: u64,
    /// The refused results, with the reasons.
    pub refused: Vec<(TaskId, String)>,
    /// Certificates that differ from others of the same task.
    pub disagreements: Vec<Disagreement>,
    /// The number of tasks whose record was taken out of the census, so that they are done again.
    pub reopened: u64,
    /// The number of damaged places of the file.
    pub damaged: u64,
    /// The number of results of another census that belong to no task of this one.
    pub left_out: u64,
    /// The certificates that were accepted on the word of the checker that sealed the file.
    pub believed: u64,
    /// The task at which that checker erred, if it did.
    pub erred: Option<TaskId>,
}

impl MergeCounts {
    /// Reports whether nothing was refused, damaged or in dispute.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.refused.is_empty()
            && self.disagreements.is_empty()
            && self.damaged == 0
            && self.erred.is_none()
    }
}

/// A task with two different certificates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// The task.
    pub task: TaskId,
    /// The certificate that was right.
    pub right: Right,
}

/// The certificate that was right, as a new computation of the task showed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Right {
    /// The certificate of the census was right, and the file's was left out.
    Census,
    /// The certificate of the file was right, and replaces the census's.
    File,
    /// Neither certificate was right, so the task is to be done again.
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

/// The reason why a file could not be merged.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// The error of reading the file.
    #[error(transparent)]
    Chunk(#[from] ChunkError),
    /// The error of reading or writing the census.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file that belongs to another census.
    #[error("the file is part of the census of another plan ({found}; this census has {here})")]
    OtherPlan {
        /// The plan of the file.
        found: String,
        /// The plan of the census.
        here: String,
    },
    /// A file made by another engine, whose results may differ.
    #[error(
        "the file was made by `{found}`, and this program is `{here}`; use releases with \
         one engine"
    )]
    OtherEngine {
        /// The engine of the file.
        found: String,
        /// The engine of this program.
        here: String,
    },
    /// Levels of quotients in one of the censuses.
    #[error(
        "censuses with levels of quotients cannot be merged, since the tasks of a level depend on \
         the whole level before"
    )]
    Levels,
    /// Another budget in the other census, so that its results may differ.
    #[error(
        "the census was computed with another budget ({found}); this one has {here}; results \
         depend on the budget"
    )]
    OtherBudget {
        /// The plan of the other census.
        found: String,
        /// The plan of this census.
        here: String,
    },
    /// The lack of random numbers for drawing the results to compute again.
    #[error(transparent)]
    NoRandomness(#[from] RandomnessError),
    /// The end of the checks before the merge was done.
    #[error("the checks were stopped")]
    Stopped,
}

/// Merges the results of a file into a census; results merged before an error stay.
///
/// The word of the checker that sealed the file is taken, if there is one. The caller has
/// [compared](crate::seal::sealer) the seal with the file.
///
/// # Errors
/// [`MergeError`] if the file or the census cannot be read, or do not belong together.
pub async fn merge<R: BufRead>(
    store: &mut Store,
    verifier: &CertificateVerifier,
    file: &mut Reader<R>,
    terms: Terms,
    sealer: Option<Sealer>,
) -> Result<MergeCounts, MergeError> {
    let header = file.header();
    let (found, here) = (header.engine.clone(), misere_census::engine_fingerprint());
    if found != here {
        return Err(MergeError::OtherEngine { found, here });
    }
    if header.plan != *store.plan() {
        return Err(MergeError::OtherPlan {
            found: header.plan.to_string(),
            here: store.plan().to_string(),
        });
    }
    let mut source = File::new(store, verifier, terms)?;
    source.statements = sealer.map(Statements::of).transpose()?;
    loop {
        let (next, ended) = source.next_results(file)?;
        submit(&mut source, verifier, next).await?;
        if ended {
            source.merged.damaged = file.damaged();
            return Ok(source.merged);
        }
    }
}

/// A file whose results enter a census; no worker holds the tasks, so no lease is needed.
struct File<'a> {
    store: &'a mut Store,
    verifier: &'a CertificateVerifier,
    drawing: Drawing,
    /// The tasks of the current group that are in quarantine.
    quarantined: BTreeSet<TaskId>,
    /// The finished tasks of the current group whose certificate in the census differs.
    disputed: BTreeMap<TaskId, Vec<u8>>,
    /// The task at which the file was caught with a false certificate.
    caught_at: Option<TaskId>,
    /// The tasks that entered on the word of the file alone.
    unconfirmed: Vec<TaskId>,
    merged: MergeCounts,
    /// What the checker that sealed the file states.
    statements: Option<Statements>,
}

impl Source for File<'_> {
    type Right = TaskId;
    /// The reason of a missing certificate; a file contains only certificates.
    type Loss = Infallible;
    /// The answer to a submission; the results are counted in [`MergeCounts`] instead.
    type Answer = ();
    type Error = MergeError;

    const SETTLING: Settling = Settling::Together;
    const MAY_BE_SENT: bool = false;

    async fn claim(
        &mut self,
        handed: &[PendingCertificate<TaskId>],
    ) -> Result<Vec<ClaimResult<()>>, MergeError> {
        self.quarantined.clear();
        self.disputed.clear();
        let stored = self.store.tasks(handed.iter().map(|handed| handed.right))?;
        let claimed = handed
            .iter()
            .map(|handed| self.claim_one(handed, stored.get(&handed.right)));
        claimed.collect()
    }

    async fn settle(
        &mut self,
        verified: Vec<CheckedCertificate<TaskId>>,
    ) -> Result<Vec<()>, MergeError> {
        let answers = vec![(); verified.len()];
        let mut accepted = Vec::with_capacity(verified.len());
        for CheckedCertificate {
            right: task,
            task: work,
            certificate,
            verification,
            checked_by,
        } in verified
        {
            if checked_by.is_none()
                && let Some(statements) = &mut self.statements
            {
                let digest = CertificateDigest::of(&certificate);
                statements.compare(task, digest, &verification);
            }
            match verification {
                Ok(verified) => accepted.push(Accepted {
                    task,
                    work,
                    certificate,
                    verified,
                    checked_by,
                }),
                Err(VerificationError::Stopped) => return Err(MergeError::Stopped),
                Err(refused) => self.refuse(task, refused.to_string()),
            }
        }
        self.weigh(accepted).await?;
        self.take_back().await?;
        Ok(answers)
    }

    async fn give_up(&mut self, _: TaskId, loss: Infallible) -> Result<(), MergeError> {
        match loss {}
    }

    fn unverified(&self) -> Result<(), MergeError> {
        Err(MergeError::Stopped)
    }
}

/// A result that the checker accepts.
struct Accepted {
    task: TaskId,
    work: Task,
    certificate: Vec<u8>,
    verified: VerifiedResult,
    checked_by: Option<WorkerIdentity>,
}

impl<'a> File<'a> {
    /// Returns a file about which nothing is known yet.
    fn new(
        store: &'a mut Store,
        verifier: &'a CertificateVerifier,
        terms: Terms,
    ) -> Result<Self, RandomnessError> {
        Ok(Self {
            store,
            verifier,
            drawing: Drawing::new(terms)?,
            quarantined: BTreeSet::new(),
            disputed: BTreeMap::new(),
            caught_at: None,
            unconfirmed: Vec::new(),
            merged: MergeCounts::default(),
            statements: None,
        })
    }

    /// Returns the next results of a file, and whether the file ends with them.
    fn next_results<R: BufRead>(
        &mut self,
        file: &mut Reader<R>,
    ) -> Result<(Vec<Submission<Self>>, bool), ChunkError> {
        let mut next = Vec::new();
        let mut bytes = 0;
        while next.len() < TOGETHER && bytes < TOGETHER_BYTES {
            let Some(found) = file.next_found()? else {
                return Ok((next, true));
            };
            bytes += found.certificate.len() + found.stated.as_ref().map_or(0, Vec::len);
            let TaskResult {
                task,
                certificate,
                stated,
            } = found;
            if let (Some(statements), Some(stated)) = (&mut self.statements, stated) {
                statements.take(task, CertificateDigest::of(&certificate), stated);
            }
            next.push(Submission {
                right: task,
                outcome: Ok(certificate),
            });
        }
        Ok((next, false))
    }

    /// Returns the task of a result, unless the census has the same certificate already.
    fn claim_one(
        &mut self,
        handed: &PendingCertificate<TaskId>,
        stored: Option<&StoredTask>,
    ) -> Result<ClaimResult<()>, MergeError> {
        let task = handed.right;
        let Some(stored) = stored else {
            self.refuse(task, "the plan has no such task");
            return Ok(ClaimResult::Answered(()));
        };
        match &stored.state {
            TaskState::Done | TaskState::Exhausted => match self.certificate_of(&stored.task)? {
                Some(known) if known != handed.certificate => {
                    self.disputed.insert(task, known);
                }
                _ => {
                    self.merged.known += 1;
                    return Ok(ClaimResult::Answered(()));
                }
            },
            state if state.is_quarantined() || *state == TaskState::Dropped => {
                self.quarantined.insert(task);
            }
            _ => {}
        }
        let work = stored.task.clone();
        let Some(statements) = &mut self.statements else {
            return Ok(ClaimResult::For(work));
        };
        let digest = CertificateDigest::of(&handed.certificate);
        Ok(match statements.believed(&work, task, digest) {
            None => ClaimResult::For(work),
            Some((verified, by)) => {
                self.merged.believed += 1;
                ClaimResult::Stated {
                    task: work,
                    verified: Box::new(verified),
                    by,
                }
            }
        })
    }

    /// Returns the certificate that the census has of a task.
    ///
    /// Returns `None` for schemes, whose result alone is kept.
    fn certificate_of(&self, task: &Task) -> Result<Option<Vec<u8>>, StoreError> {
        match task {
            Task::Game(game) => self.store.certificate(&game.code),
            Task::Schemes(_) => Ok(None),
        }
    }

    fn refuse(&mut self, task: TaskId, reason: impl Into<String>) {
        self.merged.refused.push((task, reason.into()));
    }

    /// Computes the disputed and the drawn results again, and commits those that may enter.
    async fn weigh(&mut self, accepted: Vec<Accepted>) -> Result<(), MergeError> {
        let mut said: BTreeMap<TaskId, CertificateDigest> = BTreeMap::new();
        let mut contradicted = BTreeSet::new();
        let (mut drawn, mut entering) = (Vec::new(), Vec::new());
        for result in accepted {
            let task = result.task;
            let digest = CertificateDigest::of(&result.certificate);
            match said.insert(task, digest) {
                Some(before) if before == digest => {
                    self.merged.known += 1;
                    continue;
                }
                Some(_) => contradicted.insert(task),
                None => false,
            };
            let in_dispute = self.disputed.contains_key(&task);
            match in_dispute || result.verified.unproved && self.drawing.draws(task) {
                true => drawn.push(result),
                false => entering.push(result),
            }
        }
        // A file may contradict itself about a task.
        let twice = |result: &mut Accepted| contradicted.contains(&result.task);
        drawn.extend(entering.extract_if(.., twice));
        let again: BTreeMap<TaskId, Task> = drawn
            .iter()
            .map(|result| (result.task, result.work.clone()))
            .collect();
        let again = again.into_values().collect();
        let right = self.computed(again).await?;
        let mut reopened = BTreeSet::new();
        let mut confirmed = BTreeSet::new();
        for result in drawn {
            let task = result.task;
            let is_right = right
                .get(&task)
                .is_some_and(|right| *right == result.certificate);
            let known = self.disputed.get(&task);
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
                entering.push(result);
            } else {
                self.caught_at.get_or_insert(task);
            }
        }
        if let Some(at) = self.caught_at {
            // Its unproved claims are worthless, new and old.
            reopened.extend(self.unconfirmed.drain(..));
            let said = |result: &mut Accepted| {
                result.verified.unproved && !confirmed.contains(&result.task)
            };
            let refused: Vec<Accepted> = entering.extract_if(.., said).collect();
            for result in refused {
                let reason = format!("nothing proves it, and the file was caught at task {at}");
                self.refuse(result.task, reason);
            }
        }
        self.enter(entering, &reopened, &confirmed)
    }

    /// Computes tasks in this process, and returns their certificates.
    async fn computed(&self, tasks: Vec<Task>) -> Result<BTreeMap<TaskId, Vec<u8>>, MergeError> {
        let mut left = tasks.len();
        let mut right = BTreeMap::new();
        let mut computed = self.verifier.compute(tasks);
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
        entering: Vec<Accepted>,
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
        for result in entering {
            let Accepted {
                task,
                certificate,
                verified,
                checked_by,
                ..
            } = result;
            released.extend(self.quarantined.get(&task));
            if verified.unproved && !confirmed.contains(&task) {
                self.unconfirmed.push(task);
            }
            commit.finished.push(Finished {
                task,
                finish: verified.finish,
                certificate,
                finding: verified.finding,
                checked_by,
            });
        }
        // Tasks that failed too often elsewhere have been done here.
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
