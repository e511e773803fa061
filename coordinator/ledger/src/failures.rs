//! The assignment of failures to tasks and to workers.
//!
//! A failure is blamed on the task if several workers fail on it, or one that is otherwise
//! reliable. It is blamed on the worker if others succeed where it fails, or if it fails at every
//! task.
//!
//! - A worker fails at a task: another worker gets the task. The worker that failed gets it again
//!   only if no other worker has time for it.
//! - It fails at the same task again although another worker could have tried: that does not count.
//! - Another worker has an accepted certificate of it: that does not count either, and is held
//!   against the worker that failed (`settling.rs`).
//! - It fails at `broken_after` different tasks that no other worker failed at, and finishes none:
//!   it is held back. Its queued tasks go back, and it gets no tasks for a while, then one at a
//!   time, at ever longer intervals.
//! - More tasks are in quarantine for its failures alone than it has finished: the same.
//! - It lets leases run out, or tasks wait too long, three times, and finishes none: the same, but
//!   without the limit of one task at a time.
//! - It finishes a task: it is in good standing again.
//!
//! Workers that show one certificate, or have one name, are one worker here, with these exceptions:
//!
//! - A task at which one of them fails goes to another of them, if it has time; until then a second
//!   failure of the first does not count.
//! - The failure of a worker that has finished nothing does not count while another one that has
//!   finished something can still try the task.
//! - While they are held back, those that have been there for the time of a lease since they last
//!   failed continue.
//!
//! So a liar among honest workers that returns under new numbers brings no task into quarantine,
//! and keeps no other worker from its work for longer than a lease.
//!
//! Silence says little about a task: machines are switched off, and processes are killed, during
//! any computation. After the first failure a task is computed in a process of its own. A game that
//! kills its process is then reported as a crash or as out of memory, so a worker that falls silent
//! over it was most likely ended from outside. So [`SILENCES_PER_FAILURE`] silences weigh as much
//! as one other failure. They have some weight because a game may take down the whole machine.
//!
//! One worker alone can bring tasks into quarantine, as an honest one must if they fail, but only
//! as many as it finishes others.

use std::collections::BTreeMap;

use misere_census::{Attempts, Claim, Failure, Statement, TaskId, WorkerId, WorkerIdentity};

use super::settling::certificates;
use super::trust::is_lately;
use super::{Effect, Entry, Ledger, Millis, State, Trouble, Worker};

/// The number of silences of workers over a task that weigh as much as one other failure.
const SILENCES_PER_FAILURE: u32 = 4;

/// Reports whether a task has failed often enough to be tried no more.
pub(super) fn are_enough(attempts: Attempts, max_failures: u32) -> bool {
    let other = attempts.failures.saturating_sub(attempts.silences);
    let weighed = Attempts {
        failures: other.saturating_add(attempts.silences / SILENCES_PER_FAILURE),
        ..attempts
    };
    weighed.are_enough(max_failures)
}

impl Ledger {
    /// Records one more failure of a task, held by a worker or computed by the coordinator itself.
    pub(super) fn fail(
        &mut self,
        task: TaskId,
        failure: Failure,
        by: Option<(WorkerId, WorkerIdentity)>,
        now: Millis,
    ) -> Vec<Effect> {
        let entry = self.window.get(task);
        let counts = match (entry, by) {
            (Some(entry), Some(by)) => self.counts_against_task(by, entry, now),
            _ => true,
        };
        if let Some((worker, _)) = by {
            self.note_failure(task, worker, now);
        }
        self.failed(task, failure, by.map(|(_, who)| who), counts, now)
    }

    fn failed(
        &mut self,
        task: TaskId,
        failure: Failure,
        by: Option<WorkerIdentity>,
        counts: bool,
        now: Millis,
    ) -> Vec<Effect> {
        let Some(entry) = self.window.get(task) else {
            return Vec::new();
        };
        let attempts = match counts {
            true => entry.attempts.after(&failure),
            false => entry.attempts,
        };
        let mut failed_by: Vec<WorkerIdentity> = entry.failed_by().collect();
        failed_by.sort_unstable();
        failed_by.dedup();
        let dropped = self.drop_if_suspect(task, &failure);
        let mut effects = Vec::new();
        if are_enough(attempts, self.config.max_failures) {
            self.window.remove(task);
            let mut all = failed_by.clone();
            all.extend(by.filter(|by| !failed_by.contains(by)));
            if let [alone] = all[..] {
                let standing = self.standings.entry(alone).or_default();
                standing.blamed = standing.blamed.saturating_add(1);
            }
            effects.push(Effect::Quarantined {
                task,
                attempts,
                failure: failure.clone(),
                by: all,
            });
        } else {
            let statement = Statement::of(&failure);
            self.window.make_ready(task, |entry| {
                entry.attempts = attempts;
                let claim = by.map(|by| Claim { by, statement });
                entry
                    .claims
                    .extend(claim.filter(|claim| !entry.claims.contains(claim)));
            });
            effects.push(Effect::Retry {
                task,
                attempts,
                failure: failure.clone(),
            });
        }
        effects.extend(dropped);
        if let Some(by) = by {
            effects.extend(self.hold_against(by, failure, &failed_by, now));
        }
        effects
    }

    /// Records that a worker failed at a task.
    fn note_failure(&mut self, task: TaskId, worker: WorkerId, now: Millis) {
        self.window.note_failure(task, worker);
        if let Some(known) = self.workers.get_mut(&worker) {
            known.faultless_since = now;
        }
        self.release_if_kept_out(worker, Some(task), now);
    }

    /// Takes back the queued tasks of a worker that is kept out, except `but`.
    ///
    /// That task is handled elsewhere.
    fn release_if_kept_out(&mut self, worker: WorkerId, but: Option<TaskId>, now: Millis) {
        if self.is_kept_out(worker, now) {
            for waiting in self.waiting_at(|id, _, _| id == worker) {
                if Some(waiting) != but {
                    self.window.make_ready(waiting, |_| ());
                }
            }
        }
    }

    /// Takes back the queued tasks of those workers of an identity that are kept out.
    ///
    /// This follows the departure of another worker with the identity.
    pub(super) fn release_kept_out(&mut self, identity: WorkerIdentity, now: Millis) {
        let workers = self.workers.iter();
        let left: Vec<WorkerId> = workers
            .filter(|(_, known)| known.identity == identity)
            .map(|(&id, _)| id)
            .collect();
        for worker in left {
            self.release_if_kept_out(worker, None, now);
        }
    }

    /// Reports whether a failure says something about the task.
    fn counts_against_task(
        &self,
        (worker, who): (WorkerId, WorkerIdentity),
        entry: &Entry,
        now: Millis,
    ) -> bool {
        let standing = self.standings.get(&who);
        if standing.is_some_and(|standing| standing.is_held_back(now)) {
            // The worker was computing the task when it was found to fail at everything.
            return false;
        }
        if self.peer_does_better(entry, worker) {
            return false;
        }
        let failed_before = entry.failed_by().any(|other| other == who);
        let mut done = certificates(entry);
        match (failed_before, done.next()) {
            (false, first) => first.into_iter().chain(done).all(|(by, _)| by == who),
            (true, None) => {
                !self.others_could_try(entry, who, now) && !self.peer_could_try(entry, worker, now)
            }
            (true, Some(_)) => !self.others_are_around(entry, Some(who), now),
        }
    }

    /// Reports whether another worker has time for a task that this one could not do.
    ///
    /// A worker that fails at everything leaves it even to workers that are held back themselves.
    pub(super) fn others_could_try(&self, entry: &Entry, who: WorkerIdentity, now: Millis) -> bool {
        let config = &self.config.trust;
        let itself = self.standings.get(&who);
        let is_troubled = itself.is_some_and(|itself| itself.trouble(config).is_some());
        self.standings.iter().any(|(&other, standing)| {
            other != who
                && standing.class >= entry.attempts.class
                && standing.has_time(now, config)
                && (is_troubled || !standing.is_held_back(now))
                && entry.claims.iter().all(|claim| claim.by != other)
        })
    }

    /// Reports whether a worker failed at a task that another with the same certificate can try.
    ///
    /// That one did not fail at the task, and has time.
    pub(super) fn peer_could_try(&self, entry: &Entry, worker: WorkerId, now: Millis) -> bool {
        if !entry.tried.contains(&worker) {
            return false;
        }
        let Some(own) = self.workers.get(&worker).map(|known| known.identity) else {
            return false;
        };
        let config = &self.config.trust;
        self.workers.iter().any(|(id, known)| {
            known.identity == own
                && known.class >= entry.attempts.class
                && !entry.tried.contains(id)
                && is_lately(known.asked_at, now, config)
        })
    }

    /// Reports whether a worker has finished nothing while another of its identity can do better.
    ///
    /// That one has finished something, and can still try the task. A liar that comes back with a
    /// new number has finished nothing either.
    fn peer_does_better(&self, entry: &Entry, worker: WorkerId) -> bool {
        let Some(own) = self.workers.get(&worker) else {
            return false;
        };
        let does_better = |(id, known): (&WorkerId, &Worker)| {
            known.has_finished
                && known.identity == own.identity
                && known.class >= entry.attempts.class
                && !entry.tried.contains(id)
        };
        !own.has_finished && self.workers.iter().any(does_better)
    }

    /// Records a failure of a worker; the workers in `before` had failed at the task before.
    fn hold_against(
        &mut self,
        who: WorkerIdentity,
        failure: Failure,
        before: &[WorkerIdentity],
        now: Millis,
    ) -> Vec<Effect> {
        if failure == Failure::Silence {
            // Counted once for all the tasks it left: see `lapse`.
            return Vec::new();
        }
        let is_first = !before.contains(&who);
        for other in before.iter().filter(|_| is_first) {
            // Another worker shares its failure.
            if let Some(standing) = self.standings.get_mut(other) {
                standing.failing = standing.failing.saturating_sub(1);
            }
        }
        let (config, max_batch) = (self.config.trust, self.config.max_batch);
        let standing = self.standings.entry(who).or_default();
        standing.quota.failed(max_batch);
        standing.last_failure = Some(failure);
        if before.is_empty() {
            standing.failing = standing.failing.saturating_add(1);
        }
        let trouble = standing.trouble(&config);
        let trouble = trouble.filter(|_| !standing.is_held_back(now));
        trouble.map_or_else(Vec::new, |why| vec![self.hold_back(who, why, now)])
    }

    /// Records that a worker left tasks unattended.
    fn lapse(&mut self, who: WorkerIdentity, now: Millis) -> Vec<Effect> {
        let (config, max_batch) = (self.config.trust, self.config.max_batch);
        let standing = self.standings.entry(who).or_default();
        standing.quota.failed(max_batch);
        standing.lapses = standing.lapses.saturating_add(1);
        let trouble = standing.lapsing(&config);
        let trouble = trouble.filter(|_| !standing.is_held_back(now));
        trouble.map_or_else(Vec::new, |why| vec![self.hold_back(who, why, now)])
    }

    /// Gives a worker no tasks for a while and takes back its queued ones.
    fn hold_back(&mut self, who: WorkerIdentity, why: Trouble, now: Millis) -> Effect {
        let standing = self.standings.entry(who).or_default();
        let ms = standing.hold_back(now, self.config.duration_ms, why.clone());
        for task in self.waiting_at(|_, identity, _| identity == who) {
            self.window.make_ready(task, |_| ());
        }
        Effect::HeldBack {
            identity: who,
            ms,
            why,
        }
    }

    /// Returns the tasks queued at workers that fit.
    ///
    /// `fits` gets the worker, its identity, and the time since when the task is held.
    fn waiting_at(&self, fits: impl Fn(WorkerId, WorkerIdentity, Millis) -> bool) -> Vec<TaskId> {
        let held = self.window.places.held.iter();
        let held = held.flat_map(|(&worker, tasks)| tasks.iter().map(move |&task| (worker, task)));
        held.filter(|&(worker, task)| {
            let identity = self.workers.get(&worker).map(|known| known.identity);
            match (identity, self.window.get(task).map(|entry| entry.state)) {
                (
                    Some(identity),
                    Some(State::Leased {
                        since,
                        running_since: None,
                        ..
                    }),
                ) => fits(worker, identity, since),
                _ => false,
            }
        })
        .map(|(_, task)| task)
        .collect()
    }

    /// Takes back leases past their deadline.
    pub(super) fn expire(&mut self, now: Millis) -> Vec<Effect> {
        let mut expired: BTreeMap<WorkerId, Vec<(TaskId, bool)>> = BTreeMap::new();
        for (task, entry) in self.window.iter() {
            if let State::Leased {
                worker, deadline, ..
            } = entry.state
                && deadline < now
            {
                let tasks = expired.entry(worker).or_default();
                tasks.push((task, entry.is_running()));
            }
        }
        let most = match self.config.trust.broken_after {
            0 => usize::MAX,
            most => most as usize,
        };
        let mut effects = Vec::new();
        for (worker, tasks) in expired {
            let who = self.workers.get(&worker).map(|known| known.identity);
            let mut running = 0;
            for (task, was_running) in tasks {
                if was_running {
                    // A worker that drops `most` or more tasks at once says little about each of
                    // them.
                    let entry = self.window.get(task).zip(who);
                    let counts = running < most
                        && entry.is_none_or(|(entry, who)| {
                            self.counts_against_task((worker, who), entry, now)
                        });
                    running += 1;
                    self.note_failure(task, worker, now);
                    effects.extend(self.failed(task, Failure::Silence, who, counts, now));
                } else {
                    self.window.make_ready(task, |_| ());
                }
            }
            if let Some(who) = who {
                effects.extend(self.lapse(who, now));
            }
        }
        effects
    }

    /// Takes back tasks that wait too long at one worker while another is idle.
    pub(super) fn reclaim_waiting(&mut self, now: Millis) -> Vec<Effect> {
        let patience = self.config.duration_ms;
        let is_idle = |at: Option<Millis>| at.is_some_and(|at| at.after(patience) >= now);
        let workers = self.workers.iter();
        let idle: Vec<WorkerId> = workers
            .filter(|(_, worker)| is_idle(worker.idle_at))
            .map(|(&id, _)| id)
            .collect();
        if idle.is_empty() {
            return Vec::new();
        }
        let most = self.config.max_queued_ms;
        let others_are_idle = |holder: WorkerId| idle.iter().any(|&worker| worker != holder);
        let tasks =
            self.waiting_at(|holder, _, since| since.after(most) < now && others_are_idle(holder));
        let mut holders: Vec<WorkerIdentity> = Vec::new();
        for task in tasks {
            if let Some(State::Leased { worker, .. }) =
                self.window.get(task).map(|entry| entry.state)
                && let Some(known) = self.workers.get(&worker)
            {
                holders.push(known.identity);
            }
            self.window.make_ready(task, |_| ());
        }
        holders.sort_unstable();
        holders.dedup();
        let lapses = holders.into_iter().map(|who| self.lapse(who, now));
        lapses.flatten().collect()
    }
}
