//! The certificates that checkers of other machines check, and their connections.
//!
//! [`misere_ledger::CheckLedger`] decides who checks what, and what is believed. Here are the
//! certificates themselves, the channels to the checkers, and the answers that wait.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use misere_census::admission::{VerificationError, VerifiedResult};
use misere_census::{Task, TaskId, WorkerIdentity};
use misere_ledger::{
    CheckConfig, CheckCounts, CheckId, CheckLedger, CheckVerdict, CheckerId, NextStep,
    UnansweredError,
};
use tokio::sync::mpsc;

use super::backlog::{CheckBacklog, Ticket};
use super::{CheckRequest, LARGE_BYTES, Verification, Verifications};
use crate::driver::Clock;

/// A certificate for a checker.
#[derive(Debug)]
pub(crate) struct CheckOrder {
    pub(crate) check: CheckId,
    pub(crate) task: Task,
    pub(crate) certificate: Vec<u8>,
}

/// The answer of a checker about a certificate.
#[derive(Debug)]
pub(crate) enum CheckerAnswer {
    /// The certificate is proved; the bytes [state](VerifiedResult::stated) what it says.
    Accepted(Vec<u8>),
    /// The certificate is false, for this reason.
    Refused(String),
    /// The checker could not decide, for this reason.
    Unable(String),
}

/// The error of a checker at a task.
pub(crate) struct CheckerError {
    pub(crate) by: WorkerIdentity,
    pub(crate) task: TaskId,
    /// What is to be done once the checker is distrusted: the certificate is settled.
    pub(crate) then: Box<dyn FnOnce() + Send>,
}

/// The checks by others; all copies share one state.
#[derive(Clone, Debug)]
pub(super) struct Delegation(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    clock: Clock,
    state: Mutex<State>,
    /// The channel on which it is reported that a checker erred.
    erred: mpsc::UnboundedSender<CheckerError>,
}

#[derive(Debug)]
struct State {
    ledger: CheckLedger,
    /// The certificates that wait for a checker or are with one.
    pending: BTreeMap<CheckId, PendingCheck>,
    connections: BTreeMap<CheckerId, mpsc::UnboundedSender<CheckOrder>>,
}

/// A certificate that is to be checked, and the channel for the result.
#[derive(Debug)]
pub(super) struct PendingCheck {
    pub(super) request: CheckRequest,
    reply: mpsc::UnboundedSender<Verifications>,
    _ticket: Ticket,
}

impl Delegation {
    /// Returns the checks by others without a checker, and the channel of those that err.
    pub(super) fn new(
        config: CheckConfig,
        key: [u8; 32],
    ) -> (Self, mpsc::UnboundedReceiver<CheckerError>) {
        let (erred, errors) = mpsc::unbounded_channel();
        let state = State {
            ledger: CheckLedger::new(config, key),
            pending: BTreeMap::new(),
            connections: BTreeMap::new(),
        };
        let inner = Inner {
            clock: Clock::default(),
            state: Mutex::new(state),
            erred,
        };
        (Self(Arc::new(inner)), errors)
    }

    pub(super) fn counts(&self) -> CheckCounts {
        self.lock().ledger.counts()
    }

    /// Takes the certificates that checkers can check, and returns the others.
    pub(super) fn take(
        &self,
        requests: Vec<CheckRequest>,
        reply: &mpsc::UnboundedSender<Verifications>,
        backlog: &CheckBacklog,
    ) -> Vec<CheckRequest> {
        let now = self.0.clock.stamp().now;
        let mut state = self.lock();
        if !state.ledger.has_checkers() {
            return requests;
        }
        let is_small = |request: &CheckRequest| request.certificate.len() <= LARGE_BYTES;
        let (small, large): (Vec<_>, Vec<_>) = requests.into_iter().partition(is_small);
        for request in small {
            let (task, bytes) = (request.task.id(), request.certificate.len());
            let check = state.ledger.submit(task, bytes, now);
            let pending = PendingCheck {
                request,
                reply: reply.clone(),
                _ticket: backlog.enter(),
            };
            state.pending.insert(check, pending);
        }
        state.send(self.0.clock);
        large
    }

    /// Admits a connection of a checker, and returns its number and the certificates for it.
    pub(super) fn join(
        &self,
        identity: WorkerIdentity,
        slots: u32,
    ) -> Result<(CheckerId, mpsc::UnboundedReceiver<CheckOrder>), UnansweredError> {
        let now = self.0.clock.stamp().now;
        let mut state = self.lock();
        let checker = state.ledger.join(identity, slots, now)?;
        let (sender, orders) = mpsc::unbounded_channel();
        state.connections.insert(checker, sender);
        state.send(self.0.clock);
        Ok((checker, orders))
    }

    /// Takes back what a connection held, and closes it.
    pub(super) fn leave(&self, checker: CheckerId) {
        let mut state = self.lock();
        state.ledger.leave(checker);
        state.connections.remove(&checker);
        state.send(self.0.clock);
    }

    /// Sends away all connections of a checker.
    pub(super) fn expel(&self, identity: WorkerIdentity) {
        let mut state = self.lock();
        for checker in state.ledger.expel(identity) {
            state.connections.remove(&checker);
        }
        state.send(self.0.clock);
    }

    /// Sends away all checkers, and leaves undecided what waits for them.
    pub(super) fn stop(&self) {
        let mut state = self.lock();
        state.connections.clear();
        state.pending.clear();
    }

    /// Returns the certificates that have waited too long for a checker.
    pub(super) fn overdue(&self) -> Vec<(CheckId, PendingCheck)> {
        let now = self.0.clock.stamp().now;
        let mut state = self.lock();
        let (late, away) = state.ledger.overdue(now);
        for checker in away {
            tracing::warn!(
                checker = checker.0,
                "a checker leaves certificates unanswered"
            );
            state.connections.remove(&checker);
        }
        let late = late.into_iter();
        late.filter_map(|check| Some((check, state.pending.remove(&check)?)))
            .collect()
    }

    /// Takes the answer of a checker; returns the certificate if it is to be checked here.
    pub(super) fn answer(
        &self,
        checker: CheckerId,
        check: CheckId,
        answer: CheckerAnswer,
    ) -> Option<PendingCheck> {
        let task = {
            let state = self.lock();
            // Nothing is read of an answer that was not asked for.
            let is_its = state.ledger.holds(checker, check);
            let pending = state.pending.get(&check).filter(|_| is_its)?;
            pending.request.task.clone()
        };
        let stated = match answer {
            CheckerAnswer::Accepted(bytes) => VerifiedResult::stated(&task, &bytes)
                .map_err(|error| (CheckVerdict::Refused, error.to_string())),
            CheckerAnswer::Refused(reason) => Err((CheckVerdict::Refused, reason)),
            CheckerAnswer::Unable(reason) => Err((CheckVerdict::Unable, reason)),
        };
        let verdict = match &stated {
            Ok(_) => CheckVerdict::Accepted,
            Err((verdict, reason)) => {
                tracing::info!(checker = checker.0, %task, reason, "a checker does not accept a certificate");
                *verdict
            }
        };
        let mut state = self.lock();
        let next = state.ledger.verdict(checker, check, verdict);
        state.send(self.0.clock);
        let pending = match next {
            NextStep::Nothing => return None,
            NextStep::CheckHere | NextStep::Believe(_) => state.pending.remove(&check)?,
        };
        drop(state);
        match (next, stated) {
            (NextStep::Believe(by), Ok(verified)) => {
                pending.finish(Ok(verified), Some(by));
                None
            }
            _ => Some(pending),
        }
    }

    /// Takes the coordinator's own verdict on a certificate.
    pub(super) fn settle(
        &self,
        check: CheckId,
        pending: PendingCheck,
        verified: Result<VerifiedResult, VerificationError>,
    ) {
        let is_proved = match &verified {
            Ok(_) => Some(true),
            Err(
                VerificationError::TooLong(_)
                | VerificationError::CheckerFailed
                | VerificationError::Stopped,
            ) => None,
            Err(_) => Some(false),
        };
        let erred = self.lock().ledger.settled(check, is_proved);
        let Some(by) = erred else {
            return pending.finish(verified, None);
        };
        self.expel(by);
        let task = pending.request.task.id();
        // A census that is finished by this certificate is not to look finished before what the
        // checker has accepted is in doubt.
        let then = Box::new(move || pending.finish(verified, None));
        // The receiver is gone only if the coordinator is stopping.
        let _ = self.0.erred.send(CheckerError { by, task, then });
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Sends certificates to the checkers that have room for them.
    fn send(&mut self, clock: Clock) {
        for (to, check) in self.ledger.send(clock.stamp().now) {
            let (Some(connection), Some(pending)) =
                (self.connections.get(&to), self.pending.get(&check))
            else {
                continue;
            };
            // If the connection has just been lost, it leaves and gives this back.
            let _ = connection.send(CheckOrder {
                check,
                task: pending.request.task.clone(),
                certificate: pending.request.certificate.clone(),
            });
        }
    }
}

impl PendingCheck {
    fn finish(
        self,
        verified: Result<VerifiedResult, VerificationError>,
        checked_by: Option<WorkerIdentity>,
    ) {
        let verification = Verification {
            request: self.request,
            verified,
            checked_by,
        };
        // The receiver is gone only if the coordinator is stopping.
        let _ = self.reply.send(vec![verification]);
    }
}
