//! Results of a worker: each is claimed and settled under the epoch of its lease.

use misere_census::{Lease, WorkerId};

use misere_census::admission::VerificationError;
use misere_ledger::Report;

use super::{CheckedCertificate, ClaimResult, PendingCertificate, Settling, Source};
use crate::driver::{
    DriverClosedError, DriverHandle, ReportAnswer, Settlement, UnknownWorkerError,
};

/// The source of the results of one worker.
pub(crate) struct WorkerSource {
    driver: DriverHandle,
    worker: WorkerId,
}

/// The reason why a worker gets no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum IntakeError {
    /// The driver has ended.
    #[error(transparent)]
    Gone(#[from] DriverClosedError),
    /// A worker number that is not known here.
    #[error("the worker is not known")]
    UnknownWorker,
}

impl From<UnknownWorkerError> for IntakeError {
    fn from(_: UnknownWorkerError) -> Self {
        Self::UnknownWorker
    }
}

impl WorkerSource {
    /// Returns the source of the results of this worker.
    pub(crate) fn to(worker: WorkerId, driver: DriverHandle) -> Self {
        Self { driver, worker }
    }
}

impl Source for WorkerSource {
    type Right = Lease;
    type Loss = Report;
    type Answer = ReportAnswer;
    type Error = IntakeError;

    const SETTLING: Settling = Settling::AsTheyCome;
    const MAY_BE_SENT: bool = true;

    async fn claim(
        &mut self,
        handed: &[PendingCertificate<Self::Right>],
    ) -> Result<Vec<ClaimResult<ReportAnswer>>, IntakeError> {
        let leases = handed.iter().map(|handed| handed.right);
        let leases = leases.map(|Lease { task, epoch }| (task, epoch)).collect();
        let tasks = self.driver.claim(self.worker, leases).await??;
        let stale = || ClaimResult::Answered(ReportAnswer::Stale);
        let tasks = tasks.into_iter();
        Ok(tasks
            .map(|task| task.map_or_else(stale, ClaimResult::For))
            .collect())
    }

    async fn settle(
        &mut self,
        verified: Vec<CheckedCertificate<Self::Right>>,
    ) -> Result<Vec<ReportAnswer>, IntakeError> {
        let settlements = verified.into_iter().map(|verified| {
            let Lease { task, epoch } = verified.right;
            Settlement {
                task,
                epoch,
                verified: verified.verification,
                certificate: verified.certificate,
                checked_by: verified.checked_by,
            }
        });
        let settled = self.driver.settle(Some(self.worker), settlements.collect());
        Ok(settled.await?)
    }

    async fn give_up(
        &mut self,
        Lease { task, epoch }: Lease,
        loss: Report,
    ) -> Result<ReportAnswer, IntakeError> {
        Ok(self
            .driver
            .give_up(self.worker, task, epoch, loss)
            .await??)
    }

    fn unverified(&self) -> Result<ReportAnswer, IntakeError> {
        Ok(ReportAnswer::Refused(VerificationError::Stopped))
    }
}
