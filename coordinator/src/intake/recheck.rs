//! The results that rest on the word of a distrusted checker or worker.
//!
//! What a checker alone has checked is checked again; what a worker alone has computed is computed
//! again.

use misere_census::{TaskId, WorkerIdentity};
use misere_store::StoreError;
use tokio::sync::mpsc;

use crate::check_threads::{CertificateVerifier, CheckedAgain, CheckerError, StoppedError};
use crate::driver::{DriverClosedError, DriverHandle, WeakDriver};

/// The number of certificates that are checked again together.
const TOGETHER: usize = 64;

/// The number of results that are taken back in one commit.
const TAKEN_BACK_TOGETHER: usize = 1_024;

/// Distrusts the checkers that err, until the driver ends or no other handle is left.
///
/// Must be called within a tokio runtime.
pub(crate) fn run_distrust(mut errors: mpsc::UnboundedReceiver<CheckerError>, driver: WeakDriver) {
    tokio::spawn(async move {
        while let Some(CheckerError { by, task, then }) = errors.recv().await {
            let Some(driver) = driver.upgrade() else {
                return;
            };
            // The driver is gone only if the coordinator stops.
            if driver.distrust_checker(by, task).await.is_err() {
                return;
            }
            then();
        }
    });
}

/// Checks again what distrusted identities alone have checked, and takes back what they computed.
///
/// It goes on until the driver ends or no other handle is left; the next coordinator does the rest.
/// Must be called within a tokio runtime.
pub(crate) fn run_rechecks(
    mut distrusted: mpsc::UnboundedReceiver<WorkerIdentity>,
    driver: WeakDriver,
    verifier: CertificateVerifier,
) {
    tokio::spawn(async move {
        while let Some(identity) = distrusted.recv().await {
            verifier.expel(identity);
            match withdraw(identity, &driver, &verifier).await {
                Ok(()) => {}
                Err(RecheckError::Stopping) => return,
                // The census does not look finished, and the next start tries again.
                Err(RecheckError::Store(error)) => {
                    tracing::error!(%error, "cannot withdraw the results of a distrusted checker or worker");
                }
            }
        }
    });
}

/// The reason why results are not looked at again now.
enum RecheckError {
    /// The coordinator is stopping.
    Stopping,
    /// The census cannot be read.
    Store(StoreError),
}

impl From<DriverClosedError> for RecheckError {
    fn from(_: DriverClosedError) -> Self {
        Self::Stopping
    }
}

impl From<StoreError> for RecheckError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// Withdraws the results of a distrusted worker, and checks again those that a checker accepted.
async fn withdraw(
    identity: WorkerIdentity,
    driver: &WeakDriver,
    verifier: &CertificateVerifier,
) -> Result<(), RecheckError> {
    let mut from = TaskId([0; 32]);
    loop {
        let driver = driver.upgrade().ok_or(RecheckError::Stopping)?;
        let taken_back = driver
            .take_back(identity, from, TAKEN_BACK_TOGETHER)
            .await??;
        if let Some(&last) = taken_back.last() {
            from = last;
            let results = taken_back.len();
            tracing::info!(results, "results of a distrusted worker withdrawn");
            continue;
        }
        let again = recheck(identity, &driver, verifier).await?;
        if again == 0 {
            return Ok(driver.recheck_done(identity).await??);
        }
        tracing::info!(again, "certificates of a checker checked again");
    }
}

/// Checks some of the certificates of a checker again, and returns how many.
async fn recheck(
    checker: WorkerIdentity,
    driver: &DriverHandle,
    verifier: &CertificateVerifier,
) -> Result<usize, RecheckError> {
    let vouched = driver.vouched(checker, TOGETHER).await??;
    let count = vouched.len();
    let again = verifier.check_again(vouched).await;
    let CheckedAgain { proved, refused } = again.map_err(|StoppedError| RecheckError::Stopping)?;
    driver.rechecked(checker, proved, refused).await?;
    Ok(count)
}
