//! The conduct of each worker, for operators.

use misere_census::{Misconduct, WorkerId, WorkerIdentity};

use super::{Ledger, State, Trouble};

/// A reason why a worker gets no tasks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reservation {
    /// The worker is distrusted.
    Distrusted(Misconduct),
    /// The worker is held back for some time.
    HeldBack {
        /// The remaining time in milliseconds.
        ms: u64,
        /// The reason.
        why: Trouble,
    },
}

/// The conduct of a worker since the coordinator was started.
///
/// The tasks it holds and the time of its last message are its own. All else covers all workers
/// with its identity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conduct {
    /// The identity of the worker over all its connections.
    pub identity: WorkerIdentity,
    /// The number of tasks that it computes at once, up to the most that is assumed.
    pub slots: u32,
    /// The tasks it holds.
    pub held: u64,
    /// The held tasks that it computes.
    pub running: u64,
    /// The milliseconds since its last message.
    pub silent_ms: u64,
    /// The tasks for which the checker accepted its certificate.
    pub finished: u64,
    /// The tasks on which another worker agreed with it.
    pub agreements: u32,
    /// The tasks that others could finish but for which its certificate was refused.
    pub refusals: u32,
    /// The tasks that others could finish and it could not.
    pub faults: u32,
    /// The different tasks at which it failed, and no other worker did, since it last finished one.
    pub failing: u32,
    /// The share of its tasks that others confirm, as one in this many; 0: none.
    pub confirmed_one_in: u32,
    /// The reason why it gets no tasks, if it gets none.
    pub reservation: Option<Reservation>,
}

impl Ledger {
    /// Returns the conduct of a worker.
    #[must_use]
    pub fn conduct(&self, worker: WorkerId) -> Option<Conduct> {
        let known = self.workers.get(&worker)?;
        let standing = self.standings.get(&known.identity)?;
        let held = self.window.held_by(worker);
        let running = |task| {
            let state = self.window.get(task).map(|entry| entry.state);
            matches!(
                state,
                Some(State::Leased {
                    running_since: Some(_),
                    ..
                })
            )
        };
        Some(Conduct {
            identity: known.identity,
            slots: known.slots,
            held: self.window.held_count(worker).into(),
            running: held.filter(|&task| running(task)).count() as u64,
            silent_ms: self.now.since(known.last_heard),
            finished: standing.finished,
            agreements: standing.agreements,
            refusals: standing.refusals,
            faults: standing.faults,
            failing: standing.failing,
            confirmed_one_in: standing.one_in(&self.config.trust),
            reservation: self.reservation(known.identity).filter(|_| {
                self.is_distrusted(known.identity) || self.is_kept_out(worker, self.now)
            }),
        })
    }

    /// Returns the reason why a worker gets no tasks, if it gets none.
    #[must_use]
    pub fn reservation(&self, identity: WorkerIdentity) -> Option<Reservation> {
        let standing = self.standings.get(&identity)?;
        if let Some(why) = standing.misconduct {
            return Some(Reservation::Distrusted(why));
        }
        let (until, why) = standing.held_back.as_ref()?;
        let ms = until.since(self.now);
        (ms > 0).then(|| Reservation::HeldBack {
            ms,
            why: why.clone(),
        })
    }

    /// Returns the identity behind a worker's number.
    #[must_use]
    pub fn identity(&self, worker: WorkerId) -> Option<WorkerIdentity> {
        Some(self.workers.get(&worker)?.identity)
    }
}
