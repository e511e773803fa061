//! The list of the partial quotients that a game has gone through.
//!
//! Each is named by the key of its isomorphism class. For large quotients the keys take longer than
//! finding the next heap, and nothing waits for them: they are computed beside the search, on any
//! free core. The result is the same for any number of threads.
//!
//! Their price is paid when a quotient is recorded, as far as its size determines it, since it is
//! unknown when a key will be ready. An interruption ends the computation of keys too. The result
//! is then the last state all of whose partial quotients have their keys: a solution like any
//! other, which the checker can prove.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use misere_game::bipartite::{BipartiteMonoid, ClassKey, Element};
use misere_game::control::{Control, Stop};
use misere_game::solution::Partial;

use super::tame::ExtendedQuotient;

/// The order from which on keys are computed in a task of their own.
const WORTH_A_TASK: usize = 256;
/// The most keys that may be pending at one time; each keeps its quotient in memory.
const MAX_PENDING_KEYS: usize = 16;
/// Ticks per entry of the Cayley graph for the key of a quotient.
///
/// They suffice if colours distinguish all elements.
const TICKS_PER_ENTRY: u64 = 20;

/// The partial quotients so far, in the order of their heaps.
#[derive(Default)]
pub(super) struct Partials {
    known: Vec<Partial>,
    /// The last of the pending or finished keys.
    last_known: Option<Arc<PendingKey>>,
    pending: Vec<Arc<PendingKey>>,
}

/// A quotient whose key is still to be found.
///
/// It comes with the values of the heaps up to the one that changed it.
struct PendingKey {
    heap: u32,
    monoid: BipartiteMonoid,
    values: Vec<Element>,
    generator_heaps: Vec<u32>,
    key: OnceLock<ClassKey>,
    /// The lock that a thread holds while it computes the key.
    at_work: Mutex<()>,
}

impl PendingKey {
    /// Returns the partial quotient, after computing its key or waiting for another thread to do
    /// so.
    fn partial(&self, control: &mut Control) -> Result<Partial, Stop> {
        let _at_work = self.at_work.lock().unwrap_or_else(PoisonError::into_inner);
        let class = match self.key.get() {
            Some(known) => *known,
            None => {
                let key = self.monoid.class_key_within(control)?;
                *self.key.get_or_init(|| key)
            }
        };
        Ok(Partial {
            heap: self.heap,
            order: self.monoid.order() as u32,
            p_size: self.monoid.p_size() as u32,
            class,
        })
    }
}

impl Partials {
    /// Returns partial quotients with their keys.
    ///
    /// `monoid` is the last of them, `values` are the values of all heaps in it.
    pub(super) fn restored(
        known: &[Partial],
        monoid: &BipartiteMonoid,
        values: &[Element],
        generator_heaps: &[u32],
    ) -> Self {
        let last_known = known.last().map(|last| {
            let to_heap = values.len().min(last.heap as usize + 1);
            Arc::new(PendingKey {
                heap: last.heap,
                monoid: monoid.clone(),
                values: values[..to_heap].to_vec(),
                generator_heaps: generator_heaps.to_vec(),
                key: OnceLock::from(last.class),
                at_work: Mutex::new(()),
            })
        });
        Self {
            known: known.to_vec(),
            last_known,
            pending: Vec::new(),
        }
    }

    /// Records that the newest heap changed the quotient to `monoid`.
    ///
    /// `values` are the values of all heaps in it.
    ///
    /// # Errors
    /// [`Stop::Interrupted`] if interrupted while waiting for keys, [`Stop::FuelSpent`] if the
    /// price of the key was the last of the fuel. The quotient is recorded in either case.
    pub(super) fn push(
        &mut self,
        monoid: &BipartiteMonoid,
        values: &[Element],
        generator_heaps: &[u32],
        control: &mut Control,
    ) -> Result<(), Stop> {
        let pending = Arc::new(PendingKey {
            heap: values.len() as u32 - 1,
            monoid: monoid.clone(),
            values: values.to_vec(),
            generator_heaps: generator_heaps.to_vec(),
            key: OnceLock::new(),
            at_work: Mutex::new(()),
        });
        let mut unmetered = control.unmetered();
        // Where there is one thread, as in a browser, a task would wait until the key is needed.
        if monoid.order() >= WORTH_A_TASK
            && self.pending.len() < MAX_PENDING_KEYS
            && rayon::current_num_threads() > 1
        {
            let task = Arc::clone(&pending);
            let mut control = control.unmetered();
            rayon::spawn(move || {
                // If interrupted, the key stays pending.
                let _ = task.partial(&mut control);
            });
        }
        self.pending.push(pending);
        let done = |pending: &&Arc<PendingKey>| {
            pending.key.get().is_some() || pending.monoid.order() < WORTH_A_TASK
        };
        let done = match self.pending.len() > MAX_PENDING_KEYS {
            true => self.pending.len(),
            false => self.pending.iter().take_while(done).count(),
        };
        for _ in 0..done {
            self.settle_first(&mut unmetered)?;
        }
        control.spend(TICKS_PER_ENTRY * (monoid.order() * (monoid.generators() + 1)) as u64)
    }

    /// Returns the list of all partial quotients.
    ///
    /// Computes the keys that are still pending; their fuel is paid already.
    ///
    /// # Errors
    /// [`Stop::Interrupted`]; [`so_far`](Self::so_far) then returns what is known.
    pub(super) fn all(&mut self, control: &Control) -> Result<Vec<Partial>, Stop> {
        let mut unmetered = control.unmetered();
        while !self.pending.is_empty() {
            self.settle_first(&mut unmetered)?;
        }
        Ok(self.known.clone())
    }

    /// Returns the last state all of whose partial quotients have their keys.
    pub(super) fn so_far(mut self) -> ExtendedQuotient {
        while let Some(pending) = self.pending.first()
            && pending.key.get().is_some()
            // The key is known and is not computed again.
            && self.settle_first(&mut Control::unlimited()).is_ok()
        {}
        let (monoid, values, generator_heaps) = match &self.last_known {
            Some(last) => (
                last.monoid.clone(),
                last.values.clone(),
                last.generator_heaps.clone(),
            ),
            None => (BipartiteMonoid::trivial(), vec![0], Vec::new()),
        };
        ExtendedQuotient {
            monoid,
            values,
            generator_heaps,
            partials: self.known,
        }
    }

    fn settle_first(&mut self, control: &mut Control) -> Result<(), Stop> {
        if let Some(pending) = self.pending.first() {
            self.known.push(pending.partial(control)?);
            self.last_known = Some(self.pending.remove(0));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use misere_game::bipartite::families::tame;
    use misere_game::control::Interrupt;

    use super::*;

    /// Records tame quotients, one for each heap.
    fn note(orders: impl Iterator<Item = u32>, control: &mut Control) -> (Partials, Vec<Stop>) {
        let mut partials = Partials::default();
        let noted = (1..).zip(orders).map(|(heap, n)| {
            let values = vec![0; heap + 1];
            partials.push(&tame(n), &values, &[], control)
        });
        let stops = noted.filter_map(Result::err).collect();
        (partials, stops)
    }

    #[test]
    fn partial_quotients_keep_their_order() {
        let control = &mut Control::unlimited();
        let (mut partials, stops) = note((0..40).map(|n| n % 10), control);
        assert_eq!(stops, []);
        let all = partials.all(control).unwrap();
        assert_eq!(all.len(), 40);
        for (index, partial) in (0..).zip(all) {
            let monoid = tame(index % 10);
            assert_eq!(
                (partial.heap, partial.order, partial.class),
                (index + 1, monoid.order() as u32, monoid.class_key())
            );
        }
    }

    /// After an interruption the result has the partial quotients with keys, and the values in the
    /// last of them.
    #[test]
    fn keys_are_not_waited_for_after_an_interruption() {
        let interrupt = Interrupt::default();
        let control = &mut Control::new(u64::MAX, interrupt.clone());
        let (mut partials, _) = note(1..4, control);
        partials.all(control).unwrap();
        interrupt.raise();
        let values = vec![0; 5];
        let pushed = partials.push(&tame(9), &values, &[], control);
        assert_eq!(pushed, Err(Stop::Interrupted));
        assert_eq!(partials.all(control), Err(Stop::Interrupted));
        let so_far = partials.so_far();
        assert_eq!((so_far.partials.len(), so_far.values.len()), (3, 4));
        assert_eq!(so_far.monoid, tame(3));
        assert_eq!(Partials::default().so_far().values, [0]);
    }

    /// Keys cost fuel, the same on any thread; a quotient is recorded even if it cost the last of
    /// it.
    #[test]
    fn keys_cost_fuel() {
        let monoid = tame(9);
        let ticks = 20 * monoid.order() as u64 * (monoid.generators() as u64 + 1);
        let control = &mut Control::unlimited();
        note([9].into_iter(), control);
        assert_eq!(control.fuel_spent(), ticks.div_ceil(1_000));
        let control = &mut Control::new(1, Interrupt::default());
        let (mut partials, stops) = note([9].into_iter(), control);
        assert_eq!(stops, [Stop::FuelSpent]);
        assert_eq!(partials.all(control).unwrap().len(), 1);
    }
}
