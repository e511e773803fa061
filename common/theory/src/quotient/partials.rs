//! Which partial quotients has a game gone through?
//!
//! Each is named by the key of its isomorphism class. Where quotients are large their keys take longer than finding the
//! next heap, and nothing waits for them: they are computed beside the search, on whichever core is free. What comes out is the same
//! for any number of threads.

use std::sync::{Arc, OnceLock};

use crate::bipartite::{BipartiteMonoid, ClassKey};
use crate::solution::Partial;

/// Quotients of smaller order get their keys at once.
const WORTH_A_TASK: usize = 256;
/// Keys that may be owed at one time; each keeps its quotient in memory.
const MOST_OWED: usize = 16;

/// The partial quotients so far, in the order of their heaps.
#[derive(Default)]
pub(super) struct Partials {
    known: Vec<Partial>,
    owed: Vec<Arc<Owed>>,
}

/// A quotient whose key is owed.
struct Owed {
    heap: u32,
    monoid: BipartiteMonoid,
    key: OnceLock<ClassKey>,
}

impl Owed {
    /// The partial quotient; computes the key unless that has been done, and waits for it if it is being done.
    fn partial(&self) -> Partial {
        Partial {
            heap: self.heap,
            order: self.monoid.order() as u32,
            p_size: self.monoid.p_size() as u32,
            class: *self.key.get_or_init(|| self.monoid.class_key()),
        }
    }
}

impl Partials {
    /// Takes note that `heap` changed the quotient to `monoid`.
    pub(super) fn push(&mut self, heap: u32, monoid: &BipartiteMonoid) {
        let owed = Arc::new(Owed {
            heap,
            monoid: monoid.clone(),
            key: OnceLock::new(),
        });
        if monoid.order() >= WORTH_A_TASK && self.owed.len() < MOST_OWED {
            let task = Arc::clone(&owed);
            rayon::spawn(move || {
                task.partial();
            });
        }
        self.owed.push(owed);
        let done =
            |owed: &&Arc<Owed>| owed.key.get().is_some() || owed.monoid.order() < WORTH_A_TASK;
        let done = match self.owed.len() > MOST_OWED {
            true => self.owed.len(),
            false => self.owed.iter().take_while(done).count(),
        };
        self.known
            .extend(self.owed.drain(..done).map(|owed| owed.partial()));
    }

    /// All of them.
    pub(super) fn all(&self) -> Vec<Partial> {
        let owed = self.owed.iter().map(|owed| owed.partial());
        self.known.iter().copied().chain(owed).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bipartite::families::tame;

    #[test]
    fn partial_quotients_keep_their_order() {
        let mut partials = Partials::default();
        let monoids: Vec<BipartiteMonoid> = (0..40).map(|n| tame(n % 10)).collect();
        for (heap, monoid) in (1..).zip(&monoids) {
            partials.push(heap, monoid);
        }
        let all = partials.all();
        assert_eq!(all.len(), monoids.len());
        for ((heap, monoid), partial) in (1..).zip(&monoids).zip(all) {
            assert_eq!(
                (partial.heap, partial.order, partial.class),
                (heap, monoid.order() as u32, monoid.class_key())
            );
        }
    }
}
