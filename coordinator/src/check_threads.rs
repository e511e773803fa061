//! The threads that check certificates, and the time that a check may take.
//!
//! [`misere_census::admission`] decides about a certificate. Checks run on a pool of their own;
//! nothing here waits on a socket. A check that takes too long is ended in any case (`deadline`),
//! and certificates of more than `LARGE_BYTES` are checked one at a time. While checkers of other
//! machines are connected, they check the certificates that fit into a message (`delegation`).

mod backlog;
mod deadline;
mod delegation;
mod lane;
#[cfg(test)]
mod tests;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use misere_census::admission::{VerificationError, VerifiedResult, check_fuel_of, verify};
use misere_census::{Task, TaskId, WorkerIdentity};
use misere_ledger::{CheckConfig, CheckCounts, CheckId, CheckerId, UnansweredError};
use misere_store::VouchedTask;
use tokio::sync::mpsc;

use crate::computing::{ComputationResult, compute};
pub use backlog::CheckBacklog;
use deadline::Deadlines;
pub(crate) use delegation::{CheckOrder, CheckerAnswer, CheckerError};
use delegation::{Delegation, PendingCheck};
use lane::Lane;

/// The greatest number of certificates that are checked as one piece of work.
///
/// Without groups, passing on a tiny certificate would cost more than checking it.
const MAX_TOGETHER: usize = 64;

/// The size in bytes from which certificates are checked one at a time, since they take memory.
const LARGE_BYTES: usize = 8 << 20;

/// The least time that a check may take.
///
/// A check has three times the time of its fuel on a usual machine, and this minute more.
const MIN_CHECK_TIME: Duration = Duration::from_secs(60);
const TIME_PER_FUEL: Duration = Duration::from_micros(3);

/// A certificate on its way into the census.
#[derive(Debug)]
pub(crate) struct CheckRequest {
    /// The place of the certificate among those submitted together.
    pub(crate) at: usize,
    /// The task that the certificate is for.
    pub(crate) task: Task,
    /// The certificate.
    pub(crate) certificate: Vec<u8>,
}

/// A certificate that was checked.
#[derive(Debug)]
pub(crate) struct Verification {
    /// The certificate, with its task and place.
    pub(crate) request: CheckRequest,
    /// The result of the check.
    pub(crate) verified: Result<VerifiedResult, VerificationError>,
    /// The checker on whose word it is accepted; `None` if the coordinator checked it.
    pub(crate) checked_by: Option<WorkerIdentity>,
}

/// Certificates that were checked.
pub(crate) type Verifications = Vec<Verification>;

/// What a checker alone had checked, checked here.
#[derive(Debug, Default)]
pub(crate) struct CheckedAgain {
    /// The tasks whose certificates are proved.
    pub(crate) proved: Vec<TaskId>,
    /// The tasks that are to be done again: their certificates are refused or gone.
    pub(crate) refused: Vec<TaskId>,
}

/// The checks were stopped.
#[derive(Debug, thiserror::Error)]
#[error("the checks were stopped")]
pub(crate) struct StoppedError;

/// The checker threads of a coordinator.
#[derive(Clone, Debug)]
pub struct CertificateVerifier {
    pool: Arc<rayon::ThreadPool>,
    /// The lane in which large certificates wait for one another.
    lane: Arc<Lane>,
    deadlines: Arc<Deadlines>,
    backlog: CheckBacklog,
    delegation: Delegation,
}

/// The error of starting the checker threads.
#[derive(Debug, thiserror::Error)]
#[error("cannot start the threads that check certificates: {0}")]
pub struct VerifierThreadsError(#[source] Box<dyn std::error::Error + Send + Sync>);

impl CertificateVerifier {
    /// Creates a verifier with a number of threads.
    ///
    /// # Errors
    /// [`VerifierThreadsError`] if the system refuses them.
    pub fn new(threads: usize) -> Result<Self, VerifierThreadsError> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .thread_name(|n| format!("check-{n}"))
            .build()
            .map_err(|error| VerifierThreadsError(error.into()))?;
        let pool = Arc::new(pool);
        let deadlines = Deadlines::new().map_err(|error| VerifierThreadsError(error.into()))?;
        Ok(Self {
            lane: Arc::new(Lane::new(Arc::clone(&pool))),
            pool,
            deadlines,
            backlog: CheckBacklog::default(),
            delegation: Delegation::new(CheckConfig::USUAL, [0; 32]).0,
        })
    }

    /// Returns a verifier that checkers of other machines may help, and the channel of their errors.
    ///
    /// The secret key decides which of their verdicts are checked again.
    #[must_use]
    pub(crate) fn with_checkers(
        self,
        config: CheckConfig,
        key: [u8; 32],
    ) -> (Self, mpsc::UnboundedReceiver<CheckerError>) {
        let (delegation, errors) = Delegation::new(config, key);
        (Self { delegation, ..self }, errors)
    }

    /// Returns the certificates that wait, and the time that checks have taken.
    #[must_use]
    pub fn backlog(&self) -> &CheckBacklog {
        &self.backlog
    }

    /// Stops all checks; their certificates stay undecided.
    pub fn stop(&self) {
        self.deadlines.stop();
        self.delegation.stop();
    }

    /// Returns the counts of checks by others.
    #[must_use]
    pub fn check_counts(&self) -> CheckCounts {
        self.delegation.counts()
    }

    /// Has certificates checked, and returns them in groups, each with its result.
    ///
    /// A certificate that is not returned was not checked: the coordinator is stopping.
    #[must_use]
    pub(crate) fn verify(
        &self,
        requests: Vec<CheckRequest>,
    ) -> mpsc::UnboundedReceiver<Verifications> {
        let (reply, verifications) = mpsc::unbounded_channel();
        let here = self.delegation.take(requests, &reply, &self.backlog);
        self.verify_on_pool(here, &reply);
        verifications
    }

    /// Checks certificates on the pool, as [`verify`](Self::verify) does without checkers.
    #[must_use]
    pub(crate) fn verify_here(
        &self,
        requests: Vec<CheckRequest>,
    ) -> mpsc::UnboundedReceiver<Verifications> {
        let (reply, verifications) = mpsc::unbounded_channel();
        self.verify_on_pool(requests, &reply);
        verifications
    }

    /// Checks on the pool what a checker alone has checked.
    ///
    /// # Errors
    /// [`StoppedError`] if the checks are stopped before the last one.
    pub(crate) async fn check_again(
        &self,
        vouched: Vec<VouchedTask>,
    ) -> Result<CheckedAgain, StoppedError> {
        let mut again = CheckedAgain::default();
        let mut requests = Vec::new();
        for (at, VouchedTask { id, certified }) in vouched.into_iter().enumerate() {
            match certified {
                Some((task, certificate)) => requests.push(CheckRequest {
                    at,
                    task,
                    certificate,
                }),
                None => again.refused.push(id),
            }
        }
        let mut left = requests.len();
        let mut verifications = self.verify_here(requests);
        while let Some(group) = verifications.recv().await {
            for verification in group {
                left -= 1;
                let id = verification.request.task.id();
                match verification.verified {
                    Ok(_) => again.proved.push(id),
                    Err(VerificationError::Stopped) => return Err(StoppedError),
                    Err(_) => again.refused.push(id),
                }
            }
        }
        match left {
            0 => Ok(again),
            _ => Err(StoppedError),
        }
    }

    /// Admits a connection of a checker, and returns its number and the certificates for it.
    ///
    /// # Errors
    /// [`UnansweredError`] if the checker is kept away for a time.
    pub(crate) fn join(
        &self,
        identity: WorkerIdentity,
        slots: u32,
    ) -> Result<(CheckerId, mpsc::UnboundedReceiver<CheckOrder>), UnansweredError> {
        self.delegation.join(identity, slots)
    }

    /// Takes back what a connection of a checker held.
    pub(crate) fn leave(&self, checker: CheckerId) {
        self.delegation.leave(checker);
    }

    /// Sends away all connections of a checker.
    pub(crate) fn expel(&self, identity: WorkerIdentity) {
        self.delegation.expel(identity);
    }

    /// Takes the answer of a checker about a certificate.
    pub(crate) fn answer(&self, checker: CheckerId, check: CheckId, answer: CheckerAnswer) {
        if let Some(pending) = self.delegation.answer(checker, check, answer) {
            self.check_pending(check, pending);
        }
    }

    /// Checks the certificates that have waited too long for a checker.
    pub(crate) fn take_overdue(&self) {
        for (check, pending) in self.delegation.overdue() {
            self.check_pending(check, pending);
        }
    }

    fn check_pending(&self, check: CheckId, pending: PendingCheck) {
        let (deadlines, backlog) = (Arc::clone(&self.deadlines), self.backlog.clone());
        let delegation = self.delegation.clone();
        self.pool.spawn(move || {
            let began = Instant::now();
            let verified = verify_in_time(&pending.request, &deadlines);
            backlog.record(began.elapsed());
            delegation.settle(check, pending, verified);
        });
    }

    fn verify_on_pool(
        &self,
        requests: Vec<CheckRequest>,
        reply: &mpsc::UnboundedSender<Verifications>,
    ) {
        let is_large = |request: &CheckRequest| request.certificate.len() > LARGE_BYTES;
        let (large, mut requests): (Vec<CheckRequest>, Vec<CheckRequest>) =
            requests.into_iter().partition(is_large);
        let each = requests.len().div_ceil(self.pool.current_num_threads());
        let each = each.clamp(1, MAX_TOGETHER);
        while !requests.is_empty() {
            let group = requests.split_off(requests.len().saturating_sub(each));
            self.pool.spawn(self.work(group, reply.clone()));
        }
        for request in large {
            let work = self.work(vec![request], reply.clone());
            self.lane.submit(Box::new(work));
        }
    }

    /// Computes tasks on the pool, and returns each with its certificate.
    ///
    /// The certificate is `None` where the task could not be computed. A task that is not returned
    /// was not computed: the coordinator is stopping.
    #[must_use]
    pub fn compute(&self, tasks: Vec<Task>) -> mpsc::UnboundedReceiver<(Task, Option<Vec<u8>>)> {
        let (reply, computed) = mpsc::unbounded_channel();
        for task in tasks {
            let reply = reply.clone();
            let watched = self.deadlines.watch(Duration::MAX);
            self.pool.spawn(move || {
                let stop = watched.interrupt();
                let computed = catch_unwind(AssertUnwindSafe(|| compute(&task, None, &stop)));
                let certificate = match computed.unwrap_or(ComputationResult::CannotBeWritten) {
                    ComputationResult::Certificate(bytes) => Some(bytes),
                    ComputationResult::TakesMore | ComputationResult::CannotBeWritten => None,
                    ComputationResult::Stopped => return,
                };
                // The receiver is gone only if the coordinator is stopping.
                let _ = reply.send((task, certificate));
            });
        }
        computed
    }

    /// Returns the work of checking a group of certificates.
    fn work(
        &self,
        group: Vec<CheckRequest>,
        reply: mpsc::UnboundedSender<Verifications>,
    ) -> impl FnOnce() + Send + 'static {
        let deadlines = Arc::clone(&self.deadlines);
        let backlog = self.backlog.clone();
        let ticket = backlog.enter();
        move || {
            drop(ticket);
            let verified = group.into_iter().map(|request| {
                let began = Instant::now();
                let verified = verify_in_time(&request, &deadlines);
                backlog.record(began.elapsed());
                Verification {
                    request,
                    verified,
                    checked_by: None,
                }
            });
            // The receiver is gone only if the coordinator is stopping.
            let _ = reply.send(verified.collect());
        }
    }
}

fn verify_in_time(
    request: &CheckRequest,
    deadlines: &Arc<Deadlines>,
) -> Result<VerifiedResult, VerificationError> {
    let time = deadline(&request.task);
    let watched = deadlines.watch(time);
    let stop = watched.interrupt();
    let verified = || verify(&request.task, &request.certificate, stop.clone());
    let verified = catch_unwind(AssertUnwindSafe(verified));
    match verified.unwrap_or(Err(VerificationError::CheckerFailed)) {
        Err(VerificationError::Stopped) if watched.is_overdue() => {
            Err(VerificationError::TooLong(time))
        }
        verified => verified,
    }
}

/// Returns the time that the check of a certificate of a task may take.
fn deadline(task: &Task) -> Duration {
    let fuel = u32::try_from(check_fuel_of(task)).unwrap_or(u32::MAX);
    MIN_CHECK_TIME + TIME_PER_FUEL * fuel
}
