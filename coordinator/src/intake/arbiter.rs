//! Results that the coordinator computes itself, submitted like the results of workers.
//!
//! A dispute arises where two certificates of one task that both pass the checker differ and no
//! third worker is present. That is rare, and each is computed on a thread of its own. For a small
//! share of the tasks the coordinator also computes again what cannot be proved, one task after the
//! other, and with no more fuel than was claimed to be enough. An honest computation takes exactly
//! as much, so one that takes more is not honest.

use std::sync::Arc;

use misere_census::{Epoch, Task};
use misere_game::control::Interrupt;
use tokio::sync::{Semaphore, mpsc, oneshot};

use misere_census::admission::VerificationError;

use super::{
    CheckedCertificate, ClaimResult, PendingCertificate, Settling, Source, Submission, submit,
};
use crate::check_threads::CertificateVerifier;
use crate::computing::{ComputationResult, compute};
use crate::driver::{
    Dispute, DriverClosedError, DriverHandle, ReportAnswer, Settlement, WeakDriver,
};

/// The source of the results that the coordinator computes itself.
pub(crate) struct Arbiter {
    driver: DriverHandle,
}

impl Source for Arbiter {
    /// The ledger issued the epoch for the coordinator: the task is claimed already.
    type Right = (Task, Epoch);
    type Loss = VerificationError;
    type Answer = ReportAnswer;
    type Error = DriverClosedError;

    const SETTLING: Settling = Settling::AsTheyCome;
    const MAY_BE_SENT: bool = false;

    async fn claim(
        &mut self,
        handed: &[PendingCertificate<Self::Right>],
    ) -> Result<Vec<ClaimResult<ReportAnswer>>, DriverClosedError> {
        let tasks = handed.iter().map(|handed| handed.right.0.clone());
        Ok(tasks.map(ClaimResult::For).collect())
    }

    async fn settle(
        &mut self,
        verified: Vec<CheckedCertificate<Self::Right>>,
    ) -> Result<Vec<ReportAnswer>, DriverClosedError> {
        let settlements = verified.into_iter().map(|verified| Settlement {
            task: verified.task.id(),
            epoch: verified.right.1,
            verified: verified.verification,
            certificate: verified.certificate,
            checked_by: verified.checked_by,
        });
        self.driver.settle(None, settlements.collect()).await
    }

    async fn give_up(
        &mut self,
        (task, epoch): Self::Right,
        why: VerificationError,
    ) -> Result<ReportAnswer, DriverClosedError> {
        let settlement = Settlement {
            task: task.id(),
            epoch,
            verified: Err(why.clone()),
            certificate: Vec::new(),
            checked_by: None,
        };
        let settled = self.driver.settle(None, vec![settlement]).await?;
        let mut settled = settled.into_iter();
        Ok(settled.next().unwrap_or(ReportAnswer::Refused(why)))
    }

    fn unverified(&self) -> Result<ReportAnswer, DriverClosedError> {
        Ok(ReportAnswer::Refused(VerificationError::Stopped))
    }
}

/// A guard that raises an interrupt when it is dropped.
struct InterruptGuard(Interrupt);

impl Drop for InterruptGuard {
    fn drop(&mut self) {
        self.0.raise();
    }
}

/// Decides the disputes of a driver until it ends or no other handle is left.
///
/// Must be called within a tokio runtime.
pub(crate) fn run_arbiter(
    mut disputes: mpsc::UnboundedReceiver<Dispute>,
    driver: WeakDriver,
    verifier: CertificateVerifier,
) {
    tokio::spawn(async move {
        let stop = InterruptGuard(Interrupt::default());
        // Claims under test wait for one another, and so do disputes: many liars come at once.
        let (tests, decisions) = (Arc::new(Semaphore::new(1)), Arc::new(Semaphore::new(1)));
        while let Some(dispute) = disputes.recv().await {
            let (driver, verifier) = (driver.clone(), verifier.clone());
            let line = match dispute.within {
                Some(_) => Arc::clone(&tests),
                None => Arc::clone(&decisions),
            };
            let stop = stop.0.clone();
            tokio::spawn(async move {
                let turn = line.acquire_owned().await.ok();
                let submission = decided(dispute, stop).await;
                drop(turn);
                if let Some(driver) = driver.upgrade() {
                    let mut arbiter = Arbiter { driver };
                    // The driver is gone only if the coordinator stops.
                    let _ = submit(&mut arbiter, &verifier, vec![submission]).await;
                }
            });
        }
    });
}

/// Computes a task, on a thread of its own.
async fn decided(dispute: Dispute, stop: Interrupt) -> Submission<Arbiter> {
    let Dispute {
        task,
        epoch,
        within,
    } = dispute;
    let (done, computed) = oneshot::channel();
    let computing = task.clone();
    std::thread::spawn(move || {
        // The receiver is gone only if the coordinator has stopped.
        let _ = done.send(compute(&computing, within, &stop));
    });
    let outcome = match computed.await {
        Ok(ComputationResult::Certificate(bytes)) => Ok(bytes),
        Ok(ComputationResult::TakesMore) => Err(VerificationError::Contradicted),
        Ok(ComputationResult::Stopped) => Err(VerificationError::Stopped),
        // No result means that the engine panicked.
        Ok(ComputationResult::CannotBeWritten) | Err(_) => Err(VerificationError::CheckerFailed),
    };
    Submission {
        right: (task, epoch),
        outcome,
    }
}
