//! The single entry point for results: claimed, verified and settled here and nowhere else (A-2).
//!
//! ```text
//!   a worker's report ──▶ WorkerSource  ─┐
//!   a file of results ──▶ File     ├─▶ submit: claim ──▶ verify ──▶ settle ──▶ answers
//!   the coordinator   ──▶ Arbiter ─┘
//! ```
//!
//! A [`Source`] decides three things about its results: the task of each, the consequence of the
//! result of its check, and the consequence of a missing certificate. The check itself is always
//! the one of the [verifier](crate::check_threads).
//!
//! - [`WorkerSource`]: the ledger, under the epoch of a worker's lease (`leased.rs`).
//! - [`Arbiter`](arbiter::Arbiter): the ledger, under an epoch issued for the coordinator itself
//!   (`arbiter.rs`).
//! - [`recheck`]: what a checker that erred had accepted, which is checked here again.
//! - [`File`](crate::merge): a store at rest, whose tasks no worker holds (`../merge.rs`).

pub(crate) mod arbiter;
mod leased;
pub(crate) mod recheck;

use std::collections::BTreeMap;

use misere_census::{Task, WorkerIdentity};

use misere_census::admission::{VerificationError, VerifiedResult};

use crate::check_threads::{CertificateVerifier, CheckRequest, Verification};

pub(crate) use leased::{IntakeError, WorkerSource};

/// A submitted result.
pub(crate) struct Submission<S: Source> {
    /// The name of the task, with the right to finish it.
    pub(crate) right: S::Right,
    /// The certificate, or the reason why there is none.
    pub(crate) outcome: Result<Vec<u8>, S::Loss>,
}

/// A certificate that is to be claimed.
pub(crate) struct PendingCertificate<R> {
    /// The name of the task, with the right to finish it.
    pub(crate) right: R,
    /// The certificate.
    pub(crate) certificate: Vec<u8>,
}

/// The outcome of a claim.
pub(crate) enum ClaimResult<A> {
    /// The certificate is to be verified against this task.
    For(Task),
    /// A checker has verified the certificate against this task, and its word is taken.
    Stated {
        /// The task.
        task: Task,
        /// What the checker states.
        verified: Box<VerifiedResult>,
        /// The checker.
        by: WorkerIdentity,
    },
    /// Nothing is to be verified, and this is the answer.
    Answered(A),
}

/// A certificate that was checked, with the result of the check.
pub(crate) struct CheckedCertificate<R> {
    /// The name of the task, with the right to finish it.
    pub(crate) right: R,
    /// The task.
    pub(crate) task: Task,
    /// The certificate.
    pub(crate) certificate: Vec<u8>,
    /// The verdict on whether it may enter the census.
    pub(crate) verification: Result<VerifiedResult, VerificationError>,
    /// The checker on whose word it is accepted; `None` if the coordinator checked it.
    pub(crate) checked_by: Option<WorkerIdentity>,
}

/// The order in which the results of the checks of one submission are settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Settling {
    /// In groups, as they come, so that no certificate waits for the slowest of them.
    AsTheyCome,
    /// All at once, in the order of submission.
    ///
    /// The consequences do not depend on which of them was verified first.
    Together,
}

/// A kind of source of results.
pub(crate) trait Source {
    /// The name of a task, with the right to finish it.
    type Right;
    /// The reason why there is no certificate.
    type Loss;
    /// The answer to each submission.
    type Answer;
    /// The reason why nothing can be answered.
    type Error;

    /// The order in which checked certificates are settled.
    const SETTLING: Settling;
    /// Whether checkers of other machines may check the certificates.
    const MAY_BE_SENT: bool;

    /// Returns the task of each certificate, or the answer where there is nothing to verify.
    ///
    /// What is claimed is settled later.
    async fn claim(
        &mut self,
        handed: &[PendingCertificate<Self::Right>],
    ) -> Result<Vec<ClaimResult<Self::Answer>>, Self::Error>;

    /// Applies the results of the checks; one answer for each.
    async fn settle(
        &mut self,
        verified: Vec<CheckedCertificate<Self::Right>>,
    ) -> Result<Vec<Self::Answer>, Self::Error>;

    /// Records that there is no certificate.
    async fn give_up(
        &mut self,
        right: Self::Right,
        loss: Self::Loss,
    ) -> Result<Self::Answer, Self::Error>;

    /// Returns the answer for a claimed certificate that was not verified.
    ///
    /// That happens where the checkers were stopped.
    fn unverified(&self) -> Result<Self::Answer, Self::Error>;
}

/// Submits results; one answer for each, in their order.
///
/// # Errors
/// The source's error, if nothing can be answered. What was settled before stays settled.
pub(crate) async fn submit<S: Source>(
    source: &mut S,
    verifier: &CertificateVerifier,
    submissions: Vec<Submission<S>>,
) -> Result<Vec<S::Answer>, S::Error> {
    let mut answers: Vec<Option<S::Answer>> = Vec::with_capacity(submissions.len());
    let (mut places, mut handed) = (Vec::new(), Vec::new());
    for (at, Submission { right, outcome }) in submissions.into_iter().enumerate() {
        answers.push(match outcome {
            Ok(certificate) => {
                places.push(at);
                handed.push(PendingCertificate { right, certificate });
                None
            }
            Err(loss) => Some(source.give_up(right, loss).await?),
        });
    }
    let mut rights = BTreeMap::new();
    let mut requests = Vec::with_capacity(handed.len());
    let mut together = BTreeMap::new();
    if !handed.is_empty() {
        let claimed = source.claim(&handed).await?;
        for ((at, handed), claimed) in places.into_iter().zip(handed).zip(claimed) {
            let PendingCertificate { right, certificate } = handed;
            match claimed {
                ClaimResult::For(task) => {
                    rights.insert(at, right);
                    requests.push(CheckRequest {
                        at,
                        task,
                        certificate,
                    });
                }
                ClaimResult::Stated { task, verified, by } => {
                    let checked = CheckedCertificate {
                        right,
                        task,
                        certificate,
                        verification: Ok(*verified),
                        checked_by: Some(by),
                    };
                    together.insert(at, checked);
                }
                ClaimResult::Answered(answer) => answers[at] = Some(answer),
            }
        }
    }
    if S::SETTLING == Settling::AsTheyCome {
        settle(source, std::mem::take(&mut together), &mut answers).await?;
    }
    let mut verifications = match S::MAY_BE_SENT {
        true => verifier.verify(requests),
        false => verifier.verify_here(requests),
    };
    while let Some(mut group) = verifications.recv().await {
        while let Ok(more) = verifications.try_recv() {
            group.extend(more);
        }
        let verified = group.into_iter().filter_map(|verification| {
            let Verification {
                request,
                verified,
                checked_by,
            } = verification;
            let CheckRequest {
                at,
                task,
                certificate,
            } = request;
            let right = rights.remove(&at)?;
            let verified = CheckedCertificate {
                right,
                task,
                certificate,
                verification: verified,
                checked_by,
            };
            Some((at, verified))
        });
        match S::SETTLING {
            Settling::AsTheyCome => settle(source, verified, &mut answers).await?,
            Settling::Together => together.extend(verified),
        }
    }
    if S::SETTLING == Settling::Together && !together.is_empty() {
        // Such a group is settled as a whole or not at all.
        if !rights.is_empty() {
            source.unverified()?;
        }
        settle(source, together, &mut answers).await?;
    }
    let answers = answers.into_iter();
    answers
        .map(|answer| answer.map_or_else(|| source.unverified(), Ok))
        .collect()
}

/// Settles a group, and writes the answers in their places.
async fn settle<S: Source>(
    source: &mut S,
    verified: impl IntoIterator<Item = (usize, CheckedCertificate<S::Right>)>,
    answers: &mut [Option<S::Answer>],
) -> Result<(), S::Error> {
    let (places, verified): (Vec<usize>, Vec<_>) = verified.into_iter().unzip();
    for (at, answer) in places.into_iter().zip(source.settle(verified).await?) {
        answers[at] = Some(answer);
    }
    Ok(())
}

#[cfg(test)]
mod tests;
