//! How much of a worker's work is done again by another, and when is it believed no more?
//!
//! Of the tasks that a worker finishes, one in `first_one_in` is drawn at first; the share is halved with every
//! `agreements_per_halving` tasks on which another worker agreed, down to one in `least_one_in`. What is drawn is
//! decided by a hash of task and epoch under a key that no worker knows, so that nobody can lie only where nobody looks.

use std::collections::{BTreeSet, VecDeque};

use misere_census::{Epoch, MemoryClass, TaskId};

use super::Moment;

/// The terms of trust.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrustTerms {
    /// Of a worker without record, one in so many tasks is drawn; 0: none of anybody.
    pub first_one_in: u32,
    /// The share is halved with every so many agreements.
    pub agreements_per_halving: u32,
    /// The share never falls below one in so many.
    pub least_one_in: u32,
    /// So many refused certificates of tasks that others could finish, and a worker is believed no more.
    pub max_refusals: u32,
    /// Another worker that was heard of within so many milliseconds is waited for.
    pub wait_for_others_ms: u64,
}

impl Default for TrustTerms {
    fn default() -> Self {
        Self {
            first_one_in: 4,
            agreements_per_halving: 50,
            least_one_in: 256,
            max_refusals: 3,
            wait_for_others_ms: 30_000,
        }
    }
}

/// Finished tasks remembered for each worker, to be done again if it is caught.
const REMEMBERED: usize = 4_096;

/// What is known of a worker, over all its connections to this coordinator.
#[derive(Clone, Debug, Default)]
pub(super) struct Standing {
    /// Tasks on which another agreed with it.
    pub(super) agreements: u32,
    /// Tasks that others could finish but of which its certificate was refused.
    pub(super) refusals: u32,
    /// Whether it was caught.
    pub(super) distrusted: bool,
    /// When it was last heard of, unless it said that it goes.
    pub(super) last_heard: Option<Moment>,
    /// The greatest memory class it offered.
    pub(super) class: MemoryClass,
    /// The last tasks it finished that nobody did again.
    unconfirmed: VecDeque<TaskId>,
}

impl Standing {
    /// Whether it may yet contribute: believed, and heard of lately.
    pub(super) fn is_around(&self, now: Moment, terms: &TrustTerms) -> bool {
        let lately = |heard: Moment| heard.after(terms.wait_for_others_ms) >= now;
        !self.distrusted && self.last_heard.is_some_and(lately)
    }

    /// Of how many of its tasks one is drawn.
    pub(super) fn one_in(&self, terms: &TrustTerms) -> u32 {
        let halvings = self.agreements / terms.agreements_per_halving.max(1);
        let one_in = terms.first_one_in.checked_shl(halvings);
        let one_in = one_in.filter(|one_in| one_in >> halvings == terms.first_one_in);
        one_in
            .unwrap_or(terms.least_one_in)
            .min(terms.least_one_in.max(terms.first_one_in))
    }

    /// Whether this task is drawn.
    pub(super) fn draws(
        &self,
        key: &[u8; 32],
        task: TaskId,
        epoch: Epoch,
        terms: &TrustTerms,
    ) -> bool {
        let one_in = u64::from(self.one_in(terms));
        one_in > 0 && lot(key, task, epoch).is_multiple_of(one_in)
    }

    pub(super) fn remember(&mut self, task: TaskId) {
        if self.unconfirmed.len() == REMEMBERED {
            self.unconfirmed.pop_front();
        }
        self.unconfirmed.push_back(task);
    }

    /// These tasks are to be done again, whoever had a part in them.
    pub(super) fn forget(&mut self, tasks: &BTreeSet<TaskId>) {
        self.unconfirmed.retain(|task| !tasks.contains(task));
    }

    pub(super) fn forget_unconfirmed(&mut self) -> VecDeque<TaskId> {
        std::mem::take(&mut self.unconfirmed)
    }
}

fn lot(key: &[u8; 32], task: TaskId, epoch: Epoch) -> u64 {
    let mut hasher = blake3::Hasher::new_keyed(key);
    hasher.update(&task.0);
    hasher.update(&epoch.0.to_be_bytes());
    let mut bytes = [0; 8];
    hasher.finalize_xof().fill(&mut bytes);
    u64::from_be_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_falls_with_agreements() {
        let terms = TrustTerms::default();
        let one_in = |agreements| {
            Standing {
                agreements,
                ..Standing::default()
            }
            .one_in(&terms)
        };
        let shares: Vec<u32> = [0, 49, 50, 100, 299, 300, 10_000, u32::MAX]
            .map(one_in)
            .into();
        assert_eq!(shares, [4, 4, 8, 16, 128, 256, 256, 256]);
        let none = TrustTerms {
            first_one_in: 0,
            ..terms
        };
        assert!(!Standing::default().draws(&[0; 32], TaskId([1; 32]), Epoch(1), &none));
    }

    #[test]
    fn about_that_share_is_drawn_and_a_secret_says_which() {
        let terms = TrustTerms::default();
        let drawn = |key: u8| -> Vec<bool> {
            (0..4_000)
                .map(|n| Standing::default().draws(&[key; 32], TaskId([7; 32]), Epoch(n), &terms))
                .collect()
        };
        let count = drawn(1).iter().filter(|&&drawn| drawn).count();
        assert!((850..1_150).contains(&count), "{count}");
        assert_ne!(drawn(1), drawn(2));
        assert_eq!(drawn(1), drawn(1));
    }
}
