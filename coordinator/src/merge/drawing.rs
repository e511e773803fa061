//! The drawing of unproved results of a file that are computed again.
//!
//! As among workers, the share is halved after a number of confirmed results, and drawn under a key
//! that the maker of the file cannot know.

use misere_census::TaskId;

use crate::driver::{RandomnessError, secret};

/// The number of confirmed results after which the share is halved.
const AGREEMENTS_PER_HALVING: u32 = 50;
/// The least share after the first: one in this many results.
const MIN_ONE_IN: u32 = 256;

/// The share of a file that is computed again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// The first share of the results without proof: one in this many is drawn.
    ///
    /// 1 draws all, always; 0 draws none.
    pub first_one_in: u32,
}

impl Default for Terms {
    fn default() -> Self {
        Self { first_one_in: 4 }
    }
}

/// The share of a file, and the key under which it is drawn.
pub(super) struct Drawing {
    terms: Terms,
    key: [u8; 32],
    agreements: u32,
}

impl Drawing {
    /// Returns the share of a file under these terms, with a fresh key.
    ///
    /// # Errors
    /// [`RandomnessError`] if the system provides no random numbers.
    pub(super) fn new(terms: Terms) -> Result<Self, RandomnessError> {
        Ok(Self {
            terms,
            key: secret()?,
            agreements: 0,
        })
    }

    /// Records that a result was confirmed.
    pub(super) fn agreed(&mut self) {
        self.agreements = self.agreements.saturating_add(1);
    }

    /// Reports whether this task is drawn.
    pub(super) fn draws(&self, task: TaskId) -> bool {
        let one_in = u64::from(self.one_in());
        one_in > 0 && self.lot(task).is_multiple_of(one_in)
    }

    fn one_in(&self) -> u32 {
        let first = self.terms.first_one_in;
        if first <= 1 {
            return first;
        }
        let halvings = (self.agreements / AGREEMENTS_PER_HALVING).min(u32::BITS - 1);
        first
            .saturating_mul(1 << halvings)
            .min(MIN_ONE_IN.max(first))
    }

    fn lot(&self, task: TaskId) -> u64 {
        let hash = blake3::keyed_hash(&self.key, &task.0);
        hash.as_bytes()[..8]
            .iter()
            .fold(0, |lot, &byte| lot << 8 | u64::from(byte))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_falls_with_agreements() {
        let one_in = |first_one_in, agreements| {
            let drawing = Drawing {
                agreements,
                ..Drawing::new(Terms { first_one_in }).unwrap()
            };
            drawing.one_in()
        };
        let shares =
            [0, 49, 50, 100, 299, 300, 10_000, u32::MAX].map(|agreements| one_in(4, agreements));
        assert_eq!(shares, [4, 4, 8, 16, 128, 256, 256, 256]);
        assert_eq!((one_in(1, 10_000), one_in(0, 10_000)), (1, 0));
        assert_eq!(one_in(1_000, 10_000), 1_000);
    }

    #[test]
    fn about_that_share_is_drawn() {
        let drawing = Drawing::new(Terms::default()).unwrap();
        let task = |n: u32| TaskId(*blake3::hash(&n.to_le_bytes()).as_bytes());
        let drawn = (0..4_000).filter(|&n| drawing.draws(task(n))).count();
        assert!((850..1_150).contains(&drawn), "{drawn}");
        let none = Drawing::new(Terms { first_one_in: 0 }).unwrap();
        assert!(!(0..100).any(|n| none.draws(task(n))));
    }
}
