//! The consequences of a certificate, and which workers are trusted.
//!
//! The checker has the first word. A task whose certificate it accepts is finished, unless
//! the task is sampled. Then the claim is recorded, the task goes back to the queue for *another*
//! worker, and is finished when two agree. Two that differ are decided by the coordinator, which
//! computes the task itself: workers of one owner may tell the same lie, so none is outvoted. The
//! coordinator also recomputes a small share of the claims that cannot be proved, so a lone worker
//! is audited too; a worker whose claim is refuted is distrusted. A finished task comes with its
//! *backers*, the workers on whose word the result rests. The store keeps them, and takes the results
//! of a distrusted worker back.

use misere_census::{
    Backer, CertificateDigest, Claim, Epoch, Failure, Finish, InterruptCause, MemoryClass,
    Misconduct, Statement, TaskId, WorkerId, WorkerIdentity,
};

use super::trust::{WorkerTrust, is_spot_check};
use super::{Effect, Entry, Ledger, Millis, Report, SettleResult, StaleLeaseError, State};

/// The number of tasks waiting for another worker at which no more are sampled.
const MAX_AWAITING_CONFIRMATION: usize = 256;

/// The most tasks that the coordinator computes, or has yet to compute, to test claims about them.
const MAX_SPOT_CHECKS: usize = 16;

impl Ledger {
    /// Starts the verification of a certificate.
    pub(super) fn check(
        &mut self,
        worker: WorkerId,
        task: TaskId,
        epoch: Epoch,
        now: Millis,
    ) -> Result<(), StaleLeaseError> {
        let Some(&Entry {
            state: State::Leased { since, .. },
            ..
        }) = self
            .window
            .get(task)
            .filter(|_| self.is_held(worker, task, epoch))
        else {
            return Err(StaleLeaseError);
        };
        let holder = self.workers.get_mut(&worker).map(|known| {
            known.pace.ended(since, known.slots, now);
            (worker, known.identity)
        });
        self.window.check(task, epoch, holder);
        Ok(())
    }

    /// Applies a verdict of the checker.
    pub(super) fn follow_verdict(
        &mut self,
        task: TaskId,
        epoch: Epoch,
        report: Report,
        now: Millis,
    ) -> Result<(SettleResult, Vec<Effect>), StaleLeaseError> {
        let holder = match self.window.get(task).map(|entry| entry.state) {
            Some(State::Checking {
                epoch: live,
                holder,
            }) if live == epoch => holder,
            _ => return Err(StaleLeaseError),
        };
        let by = holder;
        let holder = holder.map(|(_, identity)| identity);
        self.spot_checks.remove(&task);
        let is_accepted = matches!(report, Report::Finished(..) | Report::Unproved(..));
        let worker = by.and_then(|(worker, _)| self.workers.get_mut(&worker));
        if let Some(worker) = worker.filter(|_| is_accepted) {
            worker.has_finished = true;
        }
        let open = |effects| (SettleResult::Open, effects);
        Ok(match (report, holder) {
            (Report::Finished(finish, digest), Some(identity)) => {
                self.take(task, epoch, (finish, digest, None), identity, now)
            }
            (Report::Unproved(finish, digest, fuel), Some(identity)) => {
                self.take(task, epoch, (finish, digest, Some(fuel)), identity, now)
            }
            (Report::Finished(finish, digest) | Report::Unproved(finish, digest, _), None) => {
                let effects = self.finish_with(task, (finish, digest, None), Vec::new());
                (SettleResult::Finished, effects)
            }
            (Report::Contradicted, None) => open(self.contradict(task)),
            (Report::Interrupted(InterruptCause::Shutdown) | Report::Contradicted, _) => {
                self.window.make_ready(task, |_| ());
                open(Vec::new())
            }
            (Report::Interrupted(cause), _) => {
                open(self.fail(task, Failure::Guard(cause), by, now))
            }
            (Report::Failed(failure), _) => open(self.fail(task, failure, by, now)),
        })
    }

    /// Applies a computation of the coordinator that contradicts the claims about a task.
    ///
    /// The true result is not known yet.
    fn contradict(&mut self, task: TaskId) -> Vec<Effect> {
        self.window.make_ready(task, |_| ());
        let liars: Vec<WorkerIdentity> = self
            .window
            .get(task)
            .map(|entry| certificates(entry).map(|(by, _)| by).collect())
            .unwrap_or_default();
        let misdeed = Misconduct::OtherCertificate(task);
        let caught = liars
            .into_iter()
            .map(|liar| self.revoke_trust(liar, misdeed));
        caught.flatten().collect()
    }

    /// Takes a certificate that the checker accepts.
    ///
    /// If its claim cannot be proved, the certificate comes with the fuel that it states.
    fn take(
        &mut self,
        task: TaskId,
        epoch: Epoch,
        (finish, digest, unproved): (Finish, CertificateDigest, Option<u64>),
        by: WorkerIdentity,
        now: Millis,
    ) -> (SettleResult, Vec<Effect>) {
        let is_of_others = self.is_held_back(by, now) && self.is_shared(by);
        let standing = self.standings.entry(by).or_default();
        match is_of_others {
            // Most likely this worker is not the one that fails.
            true => standing.finished = standing.finished.saturating_add(1),
            false => standing.succeeded(self.config.max_batch),
        }
        let known: Vec<(WorkerIdentity, CertificateDigest)> = self
            .window
            .get(task)
            .map(|entry| certificates(entry).collect())
            .unwrap_or_default();
        let contributors: Vec<WorkerIdentity> = self
            .window
            .get(task)
            .map(|entry| entry.contributors.clone())
            .unwrap_or_default()
            .into_iter()
            .filter(|&contributor| contributor != by)
            .collect();
        if contributors
            .iter()
            .any(|&contributor| self.is_distrusted(contributor))
        {
            // The contributor was caught while this was being computed from its checkpoint, so the
            // task is done again from the start.
            let dropped = self.drop_checkpoint(task);
            self.window.make_ready(task, |_| ());
            let claims = self.window.get(task).map(|entry| entry.claims.clone());
            let claims = claims.unwrap_or_default();
            let changed = std::iter::once(Effect::ClaimsChanged { task, claims });
            return (SettleResult::Open, changed.chain(dropped).collect());
        }
        // Where claims differ, one more that agrees decides nothing: the coordinator does.
        let agreed = !known.is_empty() && known.iter().all(|&(_, other)| other == digest);
        // Two equal certificates say nothing if one of them was computed from a checkpoint of the
        // other.
        let by_checkpoint = |claim: &Claim| match claim.statement {
            Statement::Resumed(other) | Statement::Helped(other) => other == digest,
            Statement::Certificate(_)
            | Statement::Refused
            | Statement::Failed
            | Statement::Unable => false,
        };
        let claims = self.window.get(task).map(|entry| &entry.claims[..]);
        let entangled = agreed
            && claims.unwrap_or_default().iter().any(by_checkpoint)
            && !self.is_independent(task, digest, by, &contributors);
        if entangled {
            return (SettleResult::Open, self.arbitrate(task, None));
        }
        let is_sampled = !agreed && known.is_empty() && self.is_sampled(task, epoch, by, now);
        let tested = unproved.filter(|&fuel| {
            !agreed
                && known.is_empty()
                && !is_sampled
                && contributors.is_empty()
                && self.is_tested(task, epoch, fuel)
        });
        if agreed || (known.is_empty() && !is_sampled && tested.is_none()) {
            let confirmed = agreed && self.is_independent(task, digest, by, &contributors);
            let before = match confirmed {
                true => self.supporters(task, digest),
                false => Vec::new(),
            };
            let confirmed_by = before.first().copied();
            let these = contributors.into_iter().chain([by]);
            let these = these.map(|worker| Backer {
                worker,
                confirmed_by,
            });
            let those = before.iter().map(|&worker| Backer {
                worker,
                confirmed_by: Some(by),
            });
            let backers = these.chain(those).collect();
            let effects = self.finish_with(task, (finish, digest, Some(by)), backers);
            return (SettleResult::Finished, effects);
        }
        let statement = match contributors.is_empty() {
            true => Statement::Certificate(digest),
            false => Statement::Resumed(digest),
        };
        let helped = |by| Claim {
            by,
            statement: Statement::Helped(digest),
        };
        let dropped = self.drop_checkpoint(task);
        self.window.make_ready(task, |entry| {
            entry.claims.push(Claim { by, statement });
            entry.claims.extend(contributors.into_iter().map(helped));
        });
        let claims = self.window.get(task).map(|entry| entry.claims.clone());
        let mut effects = vec![Effect::ClaimsChanged {
            task,
            claims: claims.unwrap_or_default(),
        }];
        effects.extend(dropped);
        if !known.is_empty() {
            effects.extend(self.arbitrate(task, None));
        } else if tested.is_some() {
            effects.extend(self.arbitrate(task, tested));
        }
        (SettleResult::Open, effects)
    }

    /// Returns the workers that claimed this certificate of a task, or contributed to such a claim.
    fn supporters(&self, task: TaskId, digest: CertificateDigest) -> Vec<WorkerIdentity> {
        let claims = self.window.get(task).map(|entry| &entry.claims[..]);
        let same = claims.unwrap_or_default().iter().filter(|claim| {
            let (Statement::Certificate(other)
            | Statement::Resumed(other)
            | Statement::Helped(other)) = claim.statement
            else {
                return false;
            };
            other == digest
        });
        same.map(|claim| claim.by).collect()
    }

    /// Reports whether the contributors to this certificate are distinct from those to equal ones.
    fn is_independent(
        &self,
        task: TaskId,
        digest: CertificateDigest,
        by: WorkerIdentity,
        contributors: &[WorkerIdentity],
    ) -> bool {
        let mut before = self.supporters(task, digest).into_iter();
        !before.any(|who| who == by || contributors.contains(&who))
    }

    /// Finishes a task with the trusted certificate, and judges all claims about the task by it.
    ///
    /// `by` is the worker that submitted it last; `None` is the coordinator.
    fn finish_with(
        &mut self,
        task: TaskId,
        (finish, digest, by): (Finish, CertificateDigest, Option<WorkerIdentity>),
        backers: Vec<Backer>,
    ) -> Vec<Effect> {
        let claims = self.window.get(task).map(|entry| entry.claims.clone());
        let claims = claims.unwrap_or_default();
        self.window.remove(task);
        let mut effects = vec![Effect::Finished {
            task,
            finish,
            backers,
        }];
        let mut agreed = false;
        let finished: Vec<WorkerIdentity> = claims
            .iter()
            .filter(|claim| match claim.statement {
                Statement::Certificate(other) | Statement::Resumed(other) => other == digest,
                _ => false,
            })
            .map(|claim| claim.by)
            .chain(by)
            .collect();
        for Claim { by: who, statement } in claims {
            let itself = by == Some(who);
            // Among workers that share an identity one may finish what another could not.
            let could = finished.contains(&who);
            let standing = self.standings.entry(who).or_default();
            match statement {
                Statement::Certificate(other) | Statement::Resumed(other) if other == digest => {
                    if !itself {
                        standing.agreements = standing.agreements.saturating_add(1);
                        agreed = true;
                    }
                }
                Statement::Certificate(_) => {
                    effects.extend(self.revoke_trust(who, Misconduct::OtherCertificate(task)));
                }
                Statement::Helped(other) if other == digest => {}
                Statement::Failed if !could => {
                    standing.faults = standing.faults.saturating_add(1);
                    if standing.fails_too_often(&self.config.trust) {
                        effects.extend(self.revoke_trust(who, Misconduct::FailedTooOften));
                    }
                }
                Statement::Failed | Statement::Unable => {}
                Statement::Refused | Statement::Resumed(_) | Statement::Helped(_) if !could => {
                    standing.refusals = standing.refusals.saturating_add(1);
                    if standing.refusals >= self.config.trust.max_refusals {
                        effects.extend(self.revoke_trust(who, Misconduct::RefusedTooOften));
                    }
                }
                Statement::Refused | Statement::Resumed(_) | Statement::Helped(_) => {}
            }
        }
        if let Some(by) = by.filter(|_| agreed) {
            let standing = self.standings.entry(by).or_default();
            standing.agreements = standing.agreements.saturating_add(1);
        }
        effects
    }

    /// Reports whether a worker may take a task that already has claims.
    ///
    /// It may if it made none of them, or if no other worker is around. A worker that failed at the
    /// task leaves it to one that can do it, also among workers that show one certificate.
    pub(super) fn may_do(
        &self,
        (worker, identity): (WorkerId, WorkerIdentity),
        entry: &Entry,
        now: Millis,
    ) -> bool {
        if self.peer_could_try(entry, worker, now) {
            return false;
        }
        if entry.claims.iter().all(|claim| claim.by != identity) {
            return true;
        }
        if certificates(entry).next().is_none() {
            return !self.others_could_try(entry, identity, now);
        }
        if is_disputed(entry) || self.others_are_around(entry, None, now) {
            return false;
        }
        let is_around = |who: &WorkerIdentity| {
            let standing = self.standings.get(who);
            standing.is_some_and(|standing| standing.is_around(now, &self.config.trust))
        };
        let mut could = certificates(entry).filter(|(by, _)| *by != identity);
        let failed = entry.failed_by().any(|who| who == identity);
        !failed || !could.any(|(by, _)| is_around(&by))
    }

    /// Lets the coordinator decide disputed tasks when no further worker is around.
    ///
    /// It decides in any case where certificates differ, as it did not before a restart.
    pub(super) fn arbitrate_stuck(&mut self, now: Millis) -> Vec<Effect> {
        let stuck = |task: &&TaskId| {
            self.window.get(**task).is_some_and(|entry| {
                differ(entry) || is_disputed(entry) && !self.others_are_around(entry, None, now)
            })
        };
        let stuck: Vec<TaskId> = self
            .window
            .places
            .awaiting_confirmation
            .iter()
            .filter(stuck)
            .copied()
            .collect();
        let decided = stuck.into_iter().map(|task| self.arbitrate(task, None));
        decided.flatten().collect()
    }

    /// Has the coordinator compute a task, limited to `within` fuel if a claim is tested.
    fn arbitrate(&mut self, task: TaskId, within: Option<u64>) -> Vec<Effect> {
        let Some(epoch) = self.issue_epoch() else {
            // The coordinator decides later, when a new generation has begun.
            self.window.make_ready(task, |_| ());
            return Vec::new();
        };
        self.window.check(task, epoch, None);
        if within.is_some() {
            self.spot_checks.insert(task);
        }
        vec![Effect::Arbitrate {
            task,
            epoch,
            within,
        }]
    }

    /// Reports whether the coordinator tests a claim that cannot be proved.
    ///
    /// Tasks that need much memory are for workers only.
    fn is_tested(&self, task: TaskId, epoch: Epoch, fuel: u64) -> bool {
        let entry = self.window.get(task);
        self.spot_checks.len() < MAX_SPOT_CHECKS
            && entry.is_some_and(|entry| entry.attempts.class == MemoryClass::FIRST)
            && is_spot_check(&self.key, task, epoch, fuel, &self.config.trust)
    }

    fn is_sampled(&self, task: TaskId, epoch: Epoch, by: WorkerIdentity, now: Millis) -> bool {
        let (Some(entry), Some(standing)) = (self.window.get(task), self.standings.get(&by)) else {
            return false;
        };
        let samples = |who: &WorkerTrust| who.samples(&self.key, task, epoch, &self.config.trust);
        let contributors = entry
            .contributors
            .iter()
            .filter(|&&contributor| contributor != by);
        let mut contributors =
            contributors.filter_map(|contributor| self.standings.get(contributor));
        // Contributors can check a result that another worker reached from their checkpoint, from
        // the start.
        self.window.places.awaiting_confirmation.len() < MAX_AWAITING_CONFIRMATION
            && (contributors.any(samples)
                || samples(standing)
                    && (self.others_are_around(entry, Some(by), now)
                        || self.others_failed(entry, by, now)))
    }

    /// Reports whether a worker is around that failed at this task and may have been right.
    ///
    /// With the certificate of another worker the task is disputed, and the coordinator decides.
    fn others_failed(&self, entry: &Entry, by: WorkerIdentity, now: Millis) -> bool {
        entry.claims.iter().any(|claim| {
            let standing = self.standings.get(&claim.by);
            claim.by != by
                && matches!(claim.statement, Statement::Refused | Statement::Failed)
                && standing.is_some_and(|known| known.is_around(now, &self.config.trust))
        })
    }

    /// Reports whether a worker is around that could do this task and has made no claim about it.
    pub(super) fn others_are_around(
        &self,
        entry: &Entry,
        by: Option<WorkerIdentity>,
        now: Millis,
    ) -> bool {
        self.standings.iter().any(|(&who, standing)| {
            Some(who) != by
                && standing.class >= entry.attempts.class
                && standing.is_around(now, &self.config.trust)
                && !entry.contributors.contains(&who)
                && entry.claims.iter().all(|claim| claim.by != who)
        })
    }
}

pub(super) fn certificates(
    entry: &Entry,
) -> impl Iterator<Item = (WorkerIdentity, CertificateDigest)> {
    entry
        .claims
        .iter()
        .filter_map(|claim| match claim.statement {
            Statement::Certificate(digest) | Statement::Resumed(digest) => Some((claim.by, digest)),
            Statement::Refused | Statement::Helped(_) | Statement::Failed | Statement::Unable => {
                None
            }
        })
}

/// Reports whether workers disagree about a task.
///
/// Either certificates differ, or one worker's was accepted and another has none or one that was
/// refused. With no other worker around one of them would otherwise get it again: the second would
/// be refused again, until a good task is put into quarantine.
fn is_disputed(entry: &Entry) -> bool {
    let Some((by, _)) = certificates(entry).next() else {
        return false;
    };
    differ(entry)
        || entry.claims.iter().any(|claim| {
            matches!(claim.statement, Statement::Refused | Statement::Failed) && claim.by != by
        })
}

/// Reports whether the certificates of a task differ.
fn differ(entry: &Entry) -> bool {
    let mut digests = certificates(entry).map(|(_, digest)| digest);
    let first = digests.next();
    digests.any(|other| Some(other) != first)
}
