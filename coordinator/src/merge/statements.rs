//! What the checker that sealed a file states of its certificates, and how far it is believed.
//!
//! One in [`ONE_IN`] certificates is checked here as well, drawn under a key made for this merge. A
//! checker that erred is distrusted in the census: nothing more that it states is believed, and what
//! it alone has checked is checked again.

use std::collections::BTreeMap;

use misere_census::admission::{VerificationError, VerifiedResult};
use misere_census::{CertificateDigest, Misconduct, Task, TaskId, WorkerIdentity};
use misere_store::{Commit, Marked};

use super::{File, MergeError};
use crate::check_threads::{CheckedAgain, StoppedError};
use crate::driver::{Clock, RandomnessError, secret};
use crate::seal::Sealer;

/// One in this many certificates that the checker accepted is checked here again.
const ONE_IN: u64 = 32;

/// The number of certificates that are checked again together.
const TOGETHER: usize = 64;

/// The statements about the certificates of the current group.
pub(super) struct Statements {
    sealer: Sealer,
    key: [u8; 32],
    stated: BTreeMap<(TaskId, CertificateDigest), Vec<u8>>,
    /// The statements that are compared; `None` if one cannot be read.
    compared: BTreeMap<(TaskId, CertificateDigest), Option<VerifiedResult>>,
    /// The task at which the checker erred.
    erred_at: Option<TaskId>,
    /// Whether the census knows that it erred.
    is_known: bool,
}

impl Statements {
    /// Returns the empty statements of a checker.
    pub(super) fn of(sealer: Sealer) -> Result<Self, RandomnessError> {
        Ok(Self {
            sealer,
            key: secret()?,
            stated: BTreeMap::new(),
            compared: BTreeMap::new(),
            erred_at: None,
            is_known: false,
        })
    }

    /// Takes what is stated of a certificate.
    pub(super) fn take(&mut self, task: TaskId, digest: CertificateDigest, stated: Vec<u8>) {
        if self.erred_at.is_none() {
            self.stated.insert((task, digest), stated);
        }
    }

    /// Returns what is believed of a certificate, if it need not be checked here.
    pub(super) fn believed(
        &mut self,
        work: &Task,
        task: TaskId,
        digest: CertificateDigest,
    ) -> Option<(VerifiedResult, WorkerIdentity)> {
        let stated = self.stated.remove(&(task, digest))?;
        let stated = VerifiedResult::stated(work, &stated).ok();
        match stated {
            Some(stated) if self.erred_at.is_none() && !self.is_drawn(digest) => {
                Some((stated, self.sealer.identity))
            }
            stated => {
                self.compared.insert((task, digest), stated);
                None
            }
        }
    }

    /// Compares what is stated of a certificate with the check here.
    pub(super) fn compare(
        &mut self,
        task: TaskId,
        digest: CertificateDigest,
        verification: &Result<VerifiedResult, VerificationError>,
    ) {
        let Some(stated) = self.compared.remove(&(task, digest)) else {
            return;
        };
        let is_undecided = matches!(
            verification,
            Err(VerificationError::TooLong(_)
                | VerificationError::CheckerFailed
                | VerificationError::Stopped)
        );
        if !is_undecided && verification.as_ref().ok() != stated.as_ref() {
            self.erred_at.get_or_insert(task);
        }
    }

    /// Returns the checker and the task at which it erred, once.
    fn newly_erred(&mut self) -> Option<(Sealer, TaskId)> {
        let task = self.erred_at.filter(|_| !self.is_known)?;
        self.is_known = true;
        self.stated.clear();
        Some((self.sealer.clone(), task))
    }

    fn is_drawn(&self, digest: CertificateDigest) -> bool {
        let mut hasher = blake3::Hasher::new_keyed(&self.key);
        hasher.update(&digest.0);
        let mut lot = [0; 8];
        hasher.finalize_xof().fill(&mut lot);
        u64::from_be_bytes(lot).is_multiple_of(ONE_IN)
    }
}

impl File<'_> {
    /// Distrusts the checker if it was found to err, and checks again what it alone has checked.
    pub(super) async fn take_back(&mut self) -> Result<(), MergeError> {
        let newly = self.statements.as_mut().and_then(Statements::newly_erred);
        let Some((Sealer { name, identity }, task)) = newly else {
            return Ok(());
        };
        self.merged.erred = Some(task);
        let mark = Marked {
            name: name.to_string(),
            why: Misconduct::OtherVerdict(task),
            at_ms: Clock::default().stamp().unix_ms,
            ..Marked::unnamed(identity)
        };
        self.store.commit(&Commit {
            distrusted: vec![identity],
            marked: vec![mark],
            ..Commit::default()
        })?;
        while self.check_again(identity).await? {}
        Ok(())
    }

    /// Checks some of the certificates again; `false` if there are none.
    async fn check_again(&mut self, checker: WorkerIdentity) -> Result<bool, MergeError> {
        let vouched = self.store.vouched_tasks(checker, TOGETHER)?;
        let confirmed = vouched.iter().map(|vouched| (checker, vouched.id));
        let commit = Commit {
            confirmed: confirmed.collect(),
            ..Commit::default()
        };
        let again = self.verifier.check_again(vouched).await;
        let CheckedAgain { refused, .. } = again.map_err(|StoppedError| MergeError::Stopped)?;
        self.merged.reopened += refused.len() as u64;
        let is_some = !commit.confirmed.is_empty();
        self.store.commit(&Commit {
            reopened: refused,
            ..commit
        })?;
        Ok(is_some)
    }
}
