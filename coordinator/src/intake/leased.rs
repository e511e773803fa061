//! Results of a worker: each is claimed and settled under the epoch of its lease.

use misere_census::{Lease, WorkerId};

use super::{Checked, Claimed, Handed, Settling, Source};
use crate::driver::{DriverHandle, Gone, ReportAnswer, Settlement, UnknownWorker};
use misere_census::admission::Rejection;
use misere_ledger::Report;

/// The source of the results of one worker.
pub(crate) struct Leased {
    driver: DriverHandle,
    worker: WorkerId,
}

/// The reason why a worker gets no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NotTaken {
    /// The driver has ended.
    #[error(transparent)]
    Gone(#[from] Gone),
    /// A worker number that is not known here.
    #[error("the worker is not known")]
    UnknownWorker,
}

impl From<UnknownWorker> for NotTaken {
    fn from(_: UnknownWorker) -> Self {
        Self::UnknownWorker
    }
}

impl Leased {
    /// Returns the source of the results of this worker.
    pub(crate) fn to(worker: WorkerId, driver: DriverHandle) -> Self {
        Self { driver, worker }
    }
}

impl Source for Leased {
    type Right = Lease;
    type Loss = Report;
    type Answer = ReportAnswer;
    type Error = NotTaken;

    const SETTLING: Settling = Settling::AsTheyCome;

    async fn claim(
        &mut self,
        handed: &[Handed<Self::Right>],
    ) -> Result<Vec<Claimed<ReportAnswer>>, NotTaken> {
        let leases = handed.iter().map(|handed| handed.right);
        let leases = leases.map(|Lease { task, epoch }| (task, epoch)).collect();
        let tasks = self.driver.claim(self.worker, leases).await??;
        let stale = || Claimed::Answered(ReportAnswer::Stale);
        let tasks = tasks.into_iter();
        Ok(tasks
            .map(|task| task.map_or_else(stale, Claimed::For))
            .collect())
    }

    async fn settle(
        &mut self,
        verified: Vec<Checked<Self::Right>>,
    ) -> Result<Vec<ReportAnswer>, NotTaken> {
        let settlements = verified.into_iter().map(|verified| {
            let Lease { task, epoch } = verified.right;
            Settlement {
                task,
                epoch,
                verified: verified.verification,
                certificate: verified.certificate,
            }
        });
        let settled = self.driver.settle(Some(self.worker), settlements.collect());
        Ok(settled.await?)
    }

    async fn give_up(
        &mut self,
        Lease { task, epoch }: Lease,
        loss: Report,
    ) -> Result<ReportAnswer, NotTaken> {
        Ok(self
            .driver
            .give_up(self.worker, task, epoch, loss)
            .await??)
    }

    fn unverified(&self) -> Result<ReportAnswer, NotTaken> {
        Ok(ReportAnswer::Refused(Rejection::Stopped))
    }
}
