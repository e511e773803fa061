//! The ledger of checks: which certificate waits for a check, and who checks it.
//!
//! Checks are the work that limits a coordinator, so checkers of other machines may do it. The
//! authority of the operator vouches for a checker, and its word is taken, within limits:
//!
//! ```text
//!            send                 accepted
//!   Waiting ──────▶ Sent ───────────────────────▶ believed
//!     │  ▲            │  accepted, and sampled
//!     │  │ gone       │  refused, or unable       own verdict
//!     │  └────────────┤                         ┌───────────▶ settled; a checker that
//!     └───────────────┴────────▶ Here ──────────┘             said otherwise is out
//!         too long
//! ```
//!
//! - **A refusal is never believed**: the coordinator checks the certificate itself, so a checker
//!   cannot accuse a worker.
//! - **A share of what it accepts** is checked again, one in `first_one_in` at first, as
//!   [`TrustConfig`] says of workers. A secret key decides which.
//! - **A checker that errs** is out, with all its connections. What it alone had checked is checked
//!   again; the store knows what that is.
//! - **A checker that is slow or gone** delays a certificate for a bounded time, and costs no more
//!   than that: the coordinator checks it itself.
//!
//! As the [`Ledger`](super::Ledger), this is a pure state machine that is given the time.

mod checker;
#[cfg(test)]
mod simulation;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use misere_census::{Epoch, TaskId, WorkerIdentity};

use super::Millis;
use super::trust::{TrustConfig, lot};
use checker::{Checker, Standing};

/// The settings of checks by others.
#[derive(Clone, Copy, Debug)]
pub struct CheckConfig {
    /// The number of certificates that a checker holds for each of its slots.
    pub per_slot: u32,
    /// The number of bytes of certificates at which a checker gets no more.
    pub bytes: usize,
    /// The time in milliseconds for which a certificate waits for a checker to be free.
    pub wait_ms: u64,
    /// The time in milliseconds that a checker has for a certificate.
    pub answer_ms: u64,
    /// The share of the accepted certificates that the coordinator checks again.
    pub trust: TrustConfig,
}

impl CheckConfig {
    /// The usual settings.
    pub const USUAL: Self = Self {
        per_slot: 16,
        bytes: 8 << 20,
        wait_ms: 10_000,
        answer_ms: 120_000,
        trust: TrustConfig {
            first_one_in: 32,
            ..TrustConfig::USUAL
        },
    };
}

impl Default for CheckConfig {
    fn default() -> Self {
        Self::USUAL
    }
}

/// The number of a connection of a checker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CheckerId(pub u64);

/// The number of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CheckId(pub u64);

/// The answer of a checker about a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckVerdict {
    /// The certificate is proved.
    Accepted,
    /// The certificate is false, or what the checker states of it cannot be read.
    Refused,
    /// The checker could not decide.
    Unable,
}

/// The consequence of an answer of a checker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextStep {
    /// The certificate is accepted on the word of this checker.
    Believe(WorkerIdentity),
    /// The coordinator is to check the certificate itself.
    CheckHere,
    /// Nothing: the check is not, or no longer, this checker's.
    Nothing,
}

/// The error of a checker that left certificates unanswered, with the milliseconds until it may
/// come back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it left certificates unanswered; it may come back in {} s", .0.div_ceil(1000))]
pub struct UnansweredError(pub u64);

/// The counts of checks by others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CheckCounts {
    /// The checkers that are connected.
    pub checkers: usize,
    /// The certificates that wait for a checker to be free.
    pub waiting: usize,
    /// The certificates that checkers hold.
    pub sent: usize,
    /// The certificates that were accepted on the word of a checker.
    pub believed: u64,
    /// The certificates that the coordinator checked after a checker, because they were sampled.
    pub sampled: u64,
    /// The certificates that the coordinator checked because a checker did not answer in time.
    pub unanswered: u64,
    /// The verdicts of checkers that differed from the coordinator's.
    pub errors: u64,
}

/// The certificates that are checked by others, and the checkers.
#[derive(Debug)]
pub struct CheckLedger {
    config: CheckConfig,
    key: [u8; 32],
    next_check: u64,
    next_checker: u64,
    checks: BTreeMap<CheckId, Check>,
    /// The checks that wait for a checker, the oldest first.
    waiting: VecDeque<CheckId>,
    checkers: BTreeMap<CheckerId, Checker>,
    standings: BTreeMap<WorkerIdentity, Standing>,
    counts: CheckCounts,
}

#[derive(Debug)]
struct Check {
    task: TaskId,
    bytes: usize,
    /// The time at which the certificate was submitted.
    since: Millis,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Waiting,
    Sent {
        to: CheckerId,
        since: Millis,
    },
    /// The coordinator checks it, after a checker if one has answered.
    Here {
        after: Option<(WorkerIdentity, CheckVerdict)>,
    },
}

impl CheckLedger {
    /// Creates a ledger without checkers; the secret key decides what is checked again.
    #[must_use]
    pub fn new(config: CheckConfig, key: [u8; 32]) -> Self {
        Self {
            config,
            key,
            next_check: 0,
            next_checker: 0,
            checks: BTreeMap::new(),
            waiting: VecDeque::new(),
            checkers: BTreeMap::new(),
            standings: BTreeMap::new(),
            counts: CheckCounts::default(),
        }
    }

    /// Returns the counts of checks by others.
    #[must_use]
    pub fn counts(&self) -> CheckCounts {
        let sent = |check: &&Check| matches!(check.state, State::Sent { .. });
        CheckCounts {
            checkers: self.checkers.len(),
            waiting: self.waiting.len(),
            sent: self.checks.values().filter(sent).count(),
            ..self.counts
        }
    }

    /// Reports whether a checker is connected.
    #[must_use]
    pub fn has_checkers(&self) -> bool {
        !self.checkers.is_empty()
    }

    /// Admits a connection of a checker that checks `slots` certificates at once.
    ///
    /// The caller keeps a list of those that erred, and has found that this one is not on it.
    ///
    /// # Errors
    /// [`UnansweredError`] if the checker is kept away for a time.
    pub fn join(
        &mut self,
        identity: WorkerIdentity,
        slots: u32,
        now: Millis,
    ) -> Result<CheckerId, UnansweredError> {
        let standing = self.standings.entry(identity).or_default();
        if let Some(ms) = standing.is_away(now) {
            return Err(UnansweredError(ms));
        }
        standing.has_erred = false;
        let id = CheckerId(self.next_checker);
        self.next_checker += 1;
        self.checkers.insert(id, Checker::new(identity, slots));
        Ok(id)
    }

    /// Takes back what a connection held.
    pub fn leave(&mut self, checker: CheckerId) {
        if let Some(gone) = self.checkers.remove(&checker) {
            // The oldest is to be the first again.
            for check in gone.held.into_iter().rev() {
                self.wait_again(check);
            }
        }
    }

    /// Sends away all connections of a checker that erred or that an operator refuses.
    ///
    /// Returns the connections.
    pub fn expel(&mut self, identity: WorkerIdentity) -> Vec<CheckerId> {
        self.standings.entry(identity).or_default().has_erred = true;
        self.send_away(identity)
    }

    /// Takes a certificate of a task that is to be checked.
    pub fn submit(&mut self, task: TaskId, bytes: usize, now: Millis) -> CheckId {
        let id = CheckId(self.next_check);
        self.next_check += 1;
        let check = Check {
            task,
            bytes,
            since: now,
            state: State::Waiting,
        };
        self.checks.insert(id, check);
        self.waiting.push_back(id);
        id
    }

    /// Returns the certificates that are to be sent, each with the connection.
    ///
    /// Each goes to the checker with the most room. Cost: a step for each checker and certificate.
    pub fn send(&mut self, now: Millis) -> Vec<(CheckerId, CheckId)> {
        let mut sent = Vec::new();
        while let Some(&check) = self.waiting.front() {
            let room = |(&id, checker): (&CheckerId, &Checker)| {
                let standing = self.standings.get(&checker.identity)?;
                let room = checker.room(standing, &self.config)?;
                Some((room, std::cmp::Reverse(id)))
            };
            let Some((_, std::cmp::Reverse(to))) = self.checkers.iter().filter_map(room).max()
            else {
                break;
            };
            self.waiting.pop_front();
            let (Some(known), Some(checker)) =
                (self.checks.get_mut(&check), self.checkers.get_mut(&to))
            else {
                continue;
            };
            known.state = State::Sent { to, since: now };
            checker.take(check, known.bytes);
            sent.push((to, check));
        }
        sent
    }

    /// Returns the certificates that have waited too long: the coordinator is to check them.
    ///
    /// A checker that leaves certificates unanswered again and again is sent away; the connections
    /// are returned too.
    pub fn overdue(&mut self, now: Millis) -> (Vec<CheckId>, Vec<CheckerId>) {
        let wait = match self.has_checkers() {
            true => self.config.wait_ms,
            false => 0,
        };
        let is_late = |check: &Check| match check.state {
            State::Waiting => check.since.after(wait) <= now,
            State::Sent { since, .. } => since.after(self.config.answer_ms) <= now,
            State::Here { .. } => false,
        };
        let late = self.checks.iter().filter(|(_, check)| is_late(check));
        let late: Vec<CheckId> = late.map(|(&id, _)| id).collect();
        let mut slow = BTreeSet::new();
        for &id in &late {
            if let Some(State::Sent { to, .. }) = self.check_here(id, None) {
                self.counts.unanswered += 1;
                slow.insert(to);
            }
        }
        self.waiting.retain(|id| !late.contains(id));
        let slow = slow.into_iter().filter_map(|to| self.checkers.get(&to));
        let slow: BTreeSet<WorkerIdentity> = slow.map(|checker| checker.identity).collect();
        let mut away = Vec::new();
        for identity in slow {
            let standing = self.standings.entry(identity).or_default();
            if standing.left_unanswered(now, self.config.answer_ms) {
                away.extend(self.send_away(identity));
            }
        }
        (late, away)
    }

    /// Reports whether a connection holds a certificate.
    #[must_use]
    pub fn holds(&self, checker: CheckerId, check: CheckId) -> bool {
        let known = self.checkers.get(&checker);
        known.is_some_and(|checker| checker.held.contains(&check))
    }

    /// Takes the answer of a checker.
    pub fn verdict(
        &mut self,
        checker: CheckerId,
        check: CheckId,
        verdict: CheckVerdict,
    ) -> NextStep {
        let Some(&Check {
            task,
            state: State::Sent { to, .. },
            ..
        }) = self.checks.get(&check)
        else {
            return NextStep::Nothing;
        };
        let Some(by) = self.checkers.get(&to).map(|known| known.identity) else {
            return NextStep::Nothing;
        };
        if to != checker {
            return NextStep::Nothing;
        }
        let standing = self.standings.entry(by).or_default();
        standing.unanswered = 0;
        // Nothing that it says counts any more.
        let verdict = match standing.has_erred {
            true => CheckVerdict::Unable,
            false => verdict,
        };
        let one_in = u64::from(self.config.trust.one_in(standing.agreements));
        let lot = lot(&self.key, b"chck", task, Epoch(check.0));
        let is_sampled = one_in > 0 && lot.is_multiple_of(one_in);
        if verdict == CheckVerdict::Accepted && !is_sampled {
            self.forget(check);
            self.counts.believed += 1;
            return NextStep::Believe(by);
        }
        self.counts.sampled += u64::from(verdict == CheckVerdict::Accepted);
        let after = (verdict != CheckVerdict::Unable).then_some((by, verdict));
        self.check_here(check, after);
        NextStep::CheckHere
    }

    /// Takes the coordinator's own verdict; `None` if it could not decide.
    ///
    /// Returns the checker that is out because it said otherwise.
    pub fn settled(&mut self, check: CheckId, is_proved: Option<bool>) -> Option<WorkerIdentity> {
        let State::Here { after } = self.checks.remove(&check)?.state else {
            return None;
        };
        let ((by, verdict), is_proved) = (after?, is_proved?);
        let standing = self.standings.entry(by).or_default();
        if is_proved == (verdict == CheckVerdict::Accepted) {
            standing.agreements = standing.agreements.saturating_add(1);
            return None;
        }
        self.counts.errors += 1;
        // Further errors are found in what it has said already.
        let is_known = std::mem::replace(&mut standing.has_erred, true);
        (!is_known).then_some(by)
    }

    /// Hands a check to the coordinator, and returns the state that it had.
    fn check_here(
        &mut self,
        id: CheckId,
        after: Option<(WorkerIdentity, CheckVerdict)>,
    ) -> Option<State> {
        let check = self.checks.get_mut(&id)?;
        let before = std::mem::replace(&mut check.state, State::Here { after });
        if let State::Sent { to, .. } = before
            && let Some(checker) = self.checkers.get_mut(&to)
        {
            checker.give_back(id, check.bytes);
        }
        Some(before)
    }

    fn wait_again(&mut self, id: CheckId) {
        if let Some(check) = self.checks.get_mut(&id) {
            check.state = State::Waiting;
            self.waiting.push_front(id);
        }
    }

    fn forget(&mut self, id: CheckId) {
        self.check_here(id, None);
        self.checks.remove(&id);
    }

    fn send_away(&mut self, identity: WorkerIdentity) -> Vec<CheckerId> {
        let its = self.checkers.iter();
        let its = its.filter(|(_, checker)| checker.identity == identity);
        let its: Vec<CheckerId> = its.map(|(&id, _)| id).collect();
        its.iter().for_each(|&checker| self.leave(checker));
        its
    }
}
