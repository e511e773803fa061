//! The share of a worker's tasks that others confirm, and the point at which it is distrusted.
//!
//! Of the tasks that a worker finishes, one in `first_one_in` is sampled at first. The share is
//! halved with every `agreements_per_halving` tasks on which another worker agreed, down to one in
//! `least_one_in`. A hash of task and epoch under a key that no worker knows decides which tasks
//! are sampled, so no worker can restrict its lies to tasks that are not checked.

use std::collections::BTreeSet;

use misere_census::{
    CertificateDigest, Claim, Epoch, Failure, MemoryClass, Misconduct, Statement, TaskId, WorkerId,
    WorkerIdentity,
};

use super::pace::Quota;
use super::{Effect, Entry, Ledger, Millis, State, Trouble};

/// The settings of trust.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrustConfig {
    /// For a worker without record, one in this many tasks is sampled; 0: none of any worker.
    pub first_one_in: u32,
    /// The number of agreements after which the share is halved.
    pub agreements_per_halving: u32,
    /// The lowest share, as one in this many.
    pub least_one_in: u32,
    /// The number of refusals after which a worker is no longer trusted.
    ///
    /// A refusal is a refused certificate of a task that another worker could finish. The same
    /// number of failures at such tasks has the same effect, with one more allowed for every 32
    /// tasks that the worker finished.
    pub max_refusals: u32,
    /// The time in milliseconds since its last message for which another worker is waited for.
    pub wait_for_others_ms: u64,
    /// The number of different failed tasks, with none finished, after which a worker is held back.
    ///
    /// 0: no worker ever is.
    pub broken_after: u32,
    /// The coordinator itself recomputes one in this many claims that cannot be proved; 0: none.
    pub spot_check_one_in: u32,
}

impl TrustConfig {
    /// The usual settings.
    pub const USUAL: Self = Self {
        first_one_in: 4,
        agreements_per_halving: 50,
        least_one_in: 256,
        max_refusals: 3,
        wait_for_others_ms: 30_000,
        broken_after: 8,
        spot_check_one_in: 32,
    };
}

impl TrustConfig {
    /// Returns `n` if one in `n` results is sampled after a number of agreements.
    pub(super) fn one_in(&self, agreements: u32) -> u32 {
        let halvings = agreements / self.agreements_per_halving.max(1);
        let one_in = self.first_one_in.checked_shl(halvings);
        let one_in = one_in.filter(|one_in| one_in >> halvings == self.first_one_in);
        one_in
            .unwrap_or(self.least_one_in)
            .min(self.least_one_in.max(self.first_one_in))
    }
}

impl Default for TrustConfig {
    fn default() -> Self {
        Self::USUAL
    }
}

/// The most times that the hold of a worker is doubled.
const MAX_DOUBLINGS: u32 = 6;

/// The fuel up to which a claim is spot-checked at the configured rate.
///
/// Claims that took more fuel are checked proportionally less often.
const SPOT_FUEL: u64 = 10_000_000;

/// The number of finished tasks that excuse one more failure at a task that others can do.
const FINISHED_PER_FAULT: u64 = 32;

/// The times in a row that a worker may leave tasks unattended before it is held back.
const MAX_LAPSES: u32 = 3;

/// The standing of a worker, over all its connections to this coordinator.
#[derive(Clone, Debug, Default)]
pub(super) struct WorkerTrust {
    /// The tasks on which another worker agreed with it.
    pub(super) agreements: u32,
    /// The tasks that others could finish but for which its certificate was refused.
    pub(super) refusals: u32,
    /// The tasks that others could finish and it could not.
    pub(super) faults: u32,
    /// The misconduct for which the worker is distrusted, if it is.
    pub(super) misconduct: Option<Misconduct>,
    /// The tasks for which the checker accepted its certificate.
    pub(super) finished: u64,
    /// The different tasks at which it failed, and no other worker did, since it last finished one.
    pub(super) failing: u32,
    /// The tasks put into quarantine for its failures alone.
    pub(super) blamed: u32,
    /// The times that it left tasks unattended since it last finished one.
    pub(super) lapses: u32,
    /// The times that it was held back since it last finished a task.
    pub(super) holds: u32,
    /// The time until which it is held back, and the reason.
    pub(super) held_back: Option<(Millis, Trouble)>,
    /// Its last failure.
    pub(super) last_failure: Option<Failure>,
    /// The number of tasks that each of its workers may hold.
    pub(super) quota: Quota,
    /// The time at which it last asked for a task to start at once.
    pub(super) last_asked: Option<Millis>,
    /// The time at which it last took part: joined, asked, submitted, or computed something.
    ///
    /// A worker that only holds tasks does not take part.
    pub(super) last_active: Option<Millis>,
    /// The time of its last message, unless it announced that it leaves.
    pub(super) last_heard: Option<Millis>,
    /// The greatest memory class it offered.
    pub(super) class: MemoryClass,
}

impl WorkerTrust {
    /// Reports whether the worker is trusted, not held back, recently seen, and active.
    pub(super) fn is_around(&self, now: Millis, config: &TrustConfig) -> bool {
        let is_able = self.misconduct.is_none() && !self.is_held_back(now);
        let is_there = is_lately(self.last_heard, now, config);
        is_able && is_there && is_lately(self.last_active, now, config)
    }

    /// Reports whether the worker is idle enough to retry a task another worker failed.
    pub(super) fn has_time(&self, now: Millis, config: &TrustConfig) -> bool {
        self.misconduct.is_none()
            && self.last_heard.is_some()
            && is_lately(self.last_asked, now, config)
    }

    pub(super) fn is_held_back(&self, now: Millis) -> bool {
        let held_back = self.held_back.as_ref();
        held_back.is_some_and(|&(until, _)| now < until)
    }

    /// Returns the reason why it gets at most one task at a time, if there is one.
    pub(super) fn trouble(&self, config: &TrustConfig) -> Option<Trouble> {
        let most = config.broken_after;
        match () {
            () if most == 0 => None,
            () if self.failing >= most => Some(Trouble::Failing {
                tasks: self.failing,
                last: self.last_failure.clone().unwrap_or(Failure::Silence),
            }),
            () if u64::from(self.blamed) > self.finished.saturating_add(most.into()) => {
                Some(Trouble::Blaming {
                    tasks: self.blamed,
                    finished: self.finished,
                })
            }
            () => None,
        }
    }

    /// Reports whether it leaves tasks unattended too often.
    pub(super) fn lapsing(&self, config: &TrustConfig) -> Option<Trouble> {
        let times = self.lapses;
        (config.broken_after > 0 && times >= MAX_LAPSES).then_some(Trouble::Lapsing { times })
    }

    /// Reports whether it failed at too many tasks that others could do.
    pub(super) fn fails_too_often(&self, config: &TrustConfig) -> bool {
        let most = u64::from(config.max_refusals) + self.finished / FINISHED_PER_FAULT;
        u64::from(self.faults) >= most
    }

    /// Records a certificate that the checker accepted: despite earlier failures the worker works.
    pub(super) fn succeeded(&mut self, max_batch: u32) {
        self.finished = self.finished.saturating_add(1);
        (self.failing, self.lapses, self.holds, self.held_back) = (0, 0, 0, None);
        self.quota.succeeded(max_batch);
    }

    /// Holds the worker back, twice as long as the last time, and returns for how long.
    pub(super) fn hold_back(&mut self, now: Millis, first_ms: u64, why: Trouble) -> u64 {
        let doublings = self.holds.min(MAX_DOUBLINGS);
        self.holds = self.holds.saturating_add(1);
        let ms = first_ms.saturating_mul(1 << doublings);
        self.held_back = Some((now.after(ms), why));
        ms
    }

    /// Forgets everything that was found against the worker.
    pub(super) fn pardon(&mut self) {
        (self.misconduct, self.held_back) = (None, None);
        (self.refusals, self.faults, self.failing) = (0, 0, 0);
        (self.blamed, self.lapses, self.holds) = (0, 0, 0);
        self.quota = Quota::default();
    }

    /// Returns `n` if one in `n` of its tasks is sampled.
    pub(super) fn one_in(&self, config: &TrustConfig) -> u32 {
        config.one_in(self.agreements)
    }

    /// Reports whether this task is sampled.
    pub(super) fn samples(
        &self,
        key: &[u8; 32],
        task: TaskId,
        epoch: Epoch,
        config: &TrustConfig,
    ) -> bool {
        let one_in = u64::from(self.one_in(config));
        one_in > 0 && lot(key, b"draw", task, epoch).is_multiple_of(one_in)
    }
}

/// Reports whether the coordinator itself is to recompute a task that was claimed to take `fuel`.
///
/// On average a claim costs at most `SPOT_FUEL / spot_check_one_in`, and no worker that computes
/// for long is safe from a check.
pub(super) fn is_spot_check(
    key: &[u8; 32],
    task: TaskId,
    epoch: Epoch,
    fuel: u64,
    config: &TrustConfig,
) -> bool {
    let rarer = fuel.div_ceil(SPOT_FUEL).max(1);
    let one_in = u64::from(config.spot_check_one_in).saturating_mul(rarer);
    one_in > 0 && lot(key, b"spot", task, epoch).is_multiple_of(one_in)
}

pub(super) fn is_lately(then: Option<Millis>, now: Millis, config: &TrustConfig) -> bool {
    then.is_some_and(|then| then.after(config.wait_for_others_ms) >= now)
}

pub(super) fn lot(key: &[u8; 32], purpose: &[u8; 4], task: TaskId, epoch: Epoch) -> u64 {
    let mut hasher = blake3::Hasher::new_keyed(key);
    hasher.update(purpose);
    hasher.update(&task.0);
    hasher.update(&epoch.0.to_be_bytes());
    let mut bytes = [0; 8];
    hasher.finalize_xof().fill(&mut bytes);
    u64::from_be_bytes(bytes)
}

impl Ledger {
    /// Distrusts a worker: its leases and claims become void.
    ///
    /// The finished tasks that rest on its word are the store's to take back.
    pub(super) fn revoke_trust(
        &mut self,
        identity: WorkerIdentity,
        why: Misconduct,
    ) -> Vec<Effect> {
        let standing = self.standings.entry(identity).or_default();
        if standing.misconduct.is_some() {
            return Vec::new();
        }
        standing.misconduct = Some(why);
        let mut effects = vec![Effect::Distrusted { identity, why }];
        effects.extend(self.drop_checkpoints_of(identity));
        let is_its = |entry: &Entry| match entry.state {
            State::Ready => false,
            State::Leased { worker, .. } => self
                .workers
                .get(&worker)
                .is_some_and(|worker| worker.identity == identity),
            State::Checking { holder, .. } => holder.is_some_and(|(_, who)| who == identity),
        };
        // Results that others computed from its checkpoints are not trusted either.
        let helped: BTreeSet<CertificateDigest> = self
            .window
            .iter()
            .flat_map(|(_, entry)| &entry.claims)
            .filter(|claim| claim.by == identity)
            .filter_map(|claim| match claim.statement {
                Statement::Helped(digest) => Some(digest),
                _ => None,
            })
            .collect();
        let stated_it = |claim: &Claim| match claim.statement {
            Statement::Refused
            | Statement::Certificate(_)
            | Statement::Failed
            | Statement::Unable => claim.by == identity,
            Statement::Resumed(digest) | Statement::Helped(digest) => {
                claim.by == identity || helped.contains(&digest)
            }
        };
        let touched: Vec<(TaskId, bool, bool, bool)> = self
            .window
            .iter()
            .map(|(task, entry)| {
                let failed = entry.failed_by().any(|who| who == identity);
                let statement = entry.claims.iter().any(stated_it);
                (task, is_its(entry), statement, failed)
            })
            .filter(|&(_, its, statement, _)| its || statement)
            .collect();
        for (task, its, statement, failed) in touched {
            let ready = self
                .window
                .get(task)
                .is_some_and(|entry| entry.state == State::Ready);
            if its || ready {
                self.window
                    .make_ready(task, |entry| entry.claims.retain(|claim| !stated_it(claim)));
            } else {
                self.window.retain_claims(task, |claim| !stated_it(claim));
            }
            if statement && let Some(entry) = self.window.get(task) {
                let (attempts, claims) = (entry.attempts, entry.claims.clone());
                let left = match failed {
                    true => attempts.of(entry.failed_by()),
                    false => attempts,
                };
                if left == attempts {
                    effects.push(Effect::ClaimsChanged { task, claims });
                } else {
                    self.window.undo(task, left);
                    effects.push(Effect::Undone {
                        task,
                        attempts: left,
                        claims,
                    });
                }
            }
        }
        effects
    }

    /// Reports whether a worker or checker is distrusted.
    #[must_use]
    pub fn is_distrusted(&self, identity: WorkerIdentity) -> bool {
        self.standings
            .get(&identity)
            .is_some_and(|standing| standing.misconduct.is_some())
    }

    pub(super) fn is_held_back(&self, identity: WorkerIdentity, now: Millis) -> bool {
        let standing = self.standings.get(&identity);
        standing.is_some_and(|standing| standing.is_held_back(now))
    }

    /// Reports whether several workers show one certificate, or have one name.
    ///
    /// Cost: linear in the workers, and small if many share the identity.
    pub(super) fn is_shared(&self, identity: WorkerIdentity) -> bool {
        let mut workers = self.workers.values();
        let mut is_there = || workers.any(|known| known.identity == identity);
        is_there() && is_there()
    }

    /// Reports whether a worker gets no tasks because its identity is held back.
    ///
    /// An identity is a certificate or a name. Of the workers that share one with a liar, those
    /// that have been there for the time of a lease since they last failed continue. In this way an
    /// honest worker that was silent once comes back; a liar fails at one task in that time, and
    /// this counts against no task.
    pub(super) fn is_kept_out(&self, worker: WorkerId, now: Millis) -> bool {
        self.workers.get(&worker).is_some_and(|known| {
            let is_faultless = known.faultless_since.after(self.config.duration_ms) <= now;
            self.is_held_back(known.identity, now)
                && !(is_faultless && self.is_shared(known.identity))
        })
    }

    /// Forgets everything that was found against a worker.
    pub fn pardon(&mut self, identity: WorkerIdentity) {
        self.standings.entry(identity).or_default().pardon();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_falls_with_agreements() {
        let config = TrustConfig::default();
        let one_in = |agreements| {
            WorkerTrust {
                agreements,
                ..WorkerTrust::default()
            }
            .one_in(&config)
        };
        let shares: Vec<u32> = [0, 49, 50, 100, 299, 300, 10_000, u32::MAX]
            .map(one_in)
            .into();
        assert_eq!(shares, [4, 4, 8, 16, 128, 256, 256, 256]);
        let none = TrustConfig {
            first_one_in: 0,
            spot_check_one_in: 0,
            ..config
        };
        assert!(!is_spot_check(
            &[0; 32],
            TaskId([1; 32]),
            Epoch(1),
            0,
            &none
        ));
        assert!(!WorkerTrust::default().samples(&[0; 32], TaskId([1; 32]), Epoch(1), &none));
    }

    #[test]
    fn about_the_configured_share_is_sampled_and_the_key_decides_which() {
        let config = TrustConfig::default();
        let sampled = |key: u8| -> Vec<bool> {
            (0..4_000)
                .map(|n| {
                    WorkerTrust::default().samples(&[key; 32], TaskId([7; 32]), Epoch(n), &config)
                })
                .collect()
        };
        let count = sampled(1).iter().filter(|&&sampled| sampled).count();
        assert!((850..1_150).contains(&count), "{count}");
        assert_ne!(sampled(1), sampled(2));
        assert_eq!(sampled(1), sampled(1));
    }

    #[test]
    fn expensive_claims_are_spot_checked_less_often() {
        let config = TrustConfig::default();
        let sampled = |fuel| {
            let epochs = (0..64_000).map(Epoch);
            epochs
                .filter(|&epoch| is_spot_check(&[1; 32], TaskId([7; 32]), epoch, fuel, &config))
                .count()
        };
        assert!((1_700..2_300).contains(&sampled(0)), "{}", sampled(0));
        assert_eq!(sampled(0), sampled(SPOT_FUEL));
        let dear = sampled(10 * SPOT_FUEL);
        assert!((140..260).contains(&dear), "{dear}");
    }

    #[test]
    fn a_worker_that_fails_at_everything_is_held_back_ever_longer() {
        let config = TrustConfig::default();
        let mut standing = WorkerTrust {
            failing: 8,
            last_failure: Some(Failure::Silence),
            ..WorkerTrust::default()
        };
        let trouble = standing.trouble(&config).unwrap();
        let times: Vec<u64> = (0..9)
            .map(|_| standing.hold_back(Millis(0), 15, trouble.clone()))
            .collect();
        assert_eq!(times, [15, 30, 60, 120, 240, 480, 960, 960, 960]);
        assert!(standing.is_held_back(Millis(959)) && !standing.is_held_back(Millis(960)));
        standing.succeeded(4_096);
        assert_eq!(standing.trouble(&config), None);
        assert!(!standing.is_held_back(Millis(0)));
        standing.faults = 3;
        assert!(standing.fails_too_often(&config));
        standing.finished = 32;
        assert!(!standing.fails_too_often(&config));
    }
}
