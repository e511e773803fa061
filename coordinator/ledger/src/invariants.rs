//! The invariants of the ledger.
//!
//! - only `Checking` leads to `Finished`, so `Claim` and `Settle` are the one way; tested by
//!   the simulation.
//! - live epochs are distinct, issued by this generation, and each lease has one known holder.
//! - effects are values: the consequences of a command are one list, which the driver commits
//!   as one.
//! - no clock, no randomness, no hash order: the state is a function of the commands.
//! - every task of the window is in exactly one queue, held set or check, and nothing else is
//!   stored per task.
//! - after a restart nothing is needed from here but what effects have written to the store.

use std::collections::BTreeSet;

use misere_census::{Epoch, MemoryClass, TaskId};

use super::failures::are_enough;
use super::{Ledger, MAX_SLOTS, State};

/// The violation of an invariant: a fault in this program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the ledger is broken ({invariant}): {what}")]
pub struct InvariantError {
    /// The id of the invariant.
    pub invariant: &'static str,
    /// The description of the fault.
    pub what: String,
}

fn holds(
    invariant: &'static str,
    condition: bool,
    what: impl FnOnce() -> String,
) -> Result<(), InvariantError> {
    if condition {
        Ok(())
    } else {
        Err(InvariantError {
            invariant,
            what: what(),
        })
    }
}

impl Ledger {
    /// Checks all invariants.
    ///
    /// Cost: linear in the window. Tests call it after every command.
    ///
    /// # Errors
    /// [`InvariantError`] names the first invariant that does not hold.
    pub fn check_invariants(&self) -> Result<(), InvariantError> {
        self.check_epochs()?;
        self.check_places()?;
        self.check_attempts()?;
        self.check_conduct()
    }

    /// Checks A-3.
    fn check_epochs(&self) -> Result<(), InvariantError> {
        let mut seen = BTreeSet::new();
        let next = Epoch::issued(self.generation, self.next_epoch);
        let first = Epoch::issued(self.first_generation, 0);
        for (task, entry) in self.window.iter() {
            let Some(epoch) = entry.epoch() else {
                continue;
            };
            holds("A-3", seen.insert(epoch), || {
                format!("epoch {epoch} is live twice")
            })?;
            holds("A-3", (first..next).contains(&epoch), || {
                format!("epoch {epoch} of task {task} was not issued here")
            })?;
            if let State::Leased { worker, .. } = entry.state {
                let known = self.workers.get(&worker);
                holds("A-3", known.is_some(), || {
                    format!("task {task} is leased to {worker}, which is not known")
                })?;
                let distrusted = known.is_some_and(|known| self.is_distrusted(known.identity));
                holds("trust", !distrusted, || {
                    format!("task {task} is leased to {worker}, which is distrusted")
                })?;
            }
        }
        Ok(())
    }

    /// Checks A-8: each task is in the place that its state names, and nowhere else.
    fn check_places(&self) -> Result<(), InvariantError> {
        let window = &self.window;
        let mut queued: Vec<(TaskId, Option<MemoryClass>)> = Vec::new();
        for class in MemoryClass::ALL {
            let queue = &window.places.queues[usize::from(class.number())];
            queued.extend(queue.iter().map(|&task| (task, Some(class))));
        }
        queued.extend(
            window
                .places
                .awaiting_confirmation
                .iter()
                .map(|&task| (task, None)),
        );
        let mut in_queue = BTreeSet::new();
        for (task, class) in queued {
            let entry = window.get(task);
            let fits = entry.is_some_and(|entry| {
                let place = (!entry.awaits_confirmation()).then_some(entry.attempts.class);
                entry.state == State::Ready && place == class
            });
            holds("A-8", fits && in_queue.insert(task), || {
                format!("task {task} stands in a queue where it does not belong: {entry:?}")
            })?;
        }
        let mut held = 0;
        for (worker, tasks) in &window.places.held {
            for &task in tasks {
                held += 1;
                let state = window.get(task).map(|entry| entry.state);
                let its = matches!(state, Some(State::Leased { worker: holder, .. }) if holder == *worker);
                holds("A-8", its, || {
                    format!("task {task} is said to be held by {worker}: {state:?}")
                })?;
            }
        }
        let count = |fits: fn(&State) -> bool| {
            window
                .iter()
                .filter(|(_, entry)| fits(&entry.state))
                .count() as u64
        };
        let ready = count(|state| matches!(state, State::Ready));
        let leased = count(|state| matches!(state, State::Leased { .. }));
        let checking = count(|state| matches!(state, State::Checking { .. }));
        let counts = window.places.counts;
        let same = (counts.ready, counts.leased, counts.checking) == (ready, leased, checking);
        holds("A-8", same, || {
            format!("{counts:?}, but {ready} are ready, {leased} leased, {checking} being checked")
        })?;
        holds("A-8", ready == in_queue.len() as u64, || {
            format!("{ready} tasks are ready, {} queued", in_queue.len())
        })?;
        holds("A-8", leased == held, || {
            format!("{leased} tasks are leased, {held} held")
        })
    }

    /// Checks that no task is tried for ever.
    fn check_attempts(&self) -> Result<(), InvariantError> {
        for (task, entry) in self.window.iter() {
            let left = !are_enough(entry.attempts, self.config.max_failures);
            holds("attempts", left, || {
                format!("task {task} has failed too often: {:?}", entry.attempts)
            })?;
            let counted = entry.attempts.failures >= entry.attempts.silences;
            holds("attempts", counted, || {
                format!(
                    "task {task} was left more often than it failed: {:?}",
                    entry.attempts
                )
            })?;
        }
        Ok(())
    }

    /// Checks the treatment of workers that are held back or distrusted, and of spot checks.
    ///
    /// No task waits at such a worker, none of its claims is held against a task, and no worker
    /// holds a task that the coordinator spot-checks.
    fn check_conduct(&self) -> Result<(), InvariantError> {
        for (task, entry) in self.window.iter() {
            if let State::Leased {
                worker,
                running_since: None,
                ..
            } = entry.state
            {
                let held = self.is_kept_out(worker, self.now);
                holds("conduct", !held, || {
                    format!("task {task} waits at {worker}, which is held back")
                })?;
            }
            let caught = entry.failed_by().find(|&who| self.is_distrusted(who));
            holds("conduct", caught.is_none(), || {
                format!("task {task} failed by one who was caught: {caught:?}")
            })?;
        }
        for &task in &self.spot_checks {
            let state = self.window.get(task).map(|entry| entry.state);
            let its = matches!(state, Some(State::Checking { holder: None, .. }));
            holds("trust", its, || {
                format!("task {task} is said to be put to the test: {state:?}")
            })?;
        }
        let slots = self
            .workers
            .values()
            .all(|worker| (1..=MAX_SLOTS).contains(&worker.slots));
        holds("A-8", slots, || {
            "a worker has more slots than there are".to_owned()
        })
    }
}
