//! Attempts made ahead of their turn, on threads that are idle.
//!
//! A search makes one attempt after another until one succeeds, and chooses each by how those
//! before it ended. In [`search`] it can suggest the attempts that will probably come next, and
//! idle threads make them meanwhile. When the turn of an attempt comes, its result is taken over
//! and its fuel is paid, if it would be the same now; otherwise the attempt is made now. So the
//! result of the search, and its fuel, do not depend on the number of threads (invariant A-1).

use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use misere_game::control::{Control, Interrupt};
use rayon::{Scope, Yield};

/// The time after which a thread that waits for an attempt looks for other work.
const WAIT: Duration = Duration::from_millis(1);

/// The number of attempts for each thread that are suggested at a time.
const FOR_EACH_THREAD: usize = 2;

/// The attempts that a search can make.
pub(crate) trait Attempts: Sync {
    /// The name of an attempt: all that its result depends on.
    type Name: Clone + Ord + Send + Sync;
    type Made: Send;

    /// Makes an attempt.
    fn make(&self, name: &Self::Name, control: &mut Control) -> Self::Made;

    /// Returns the fuel of an attempt; it has no more than what is left.
    fn fuel(&self, name: &Self::Name) -> Fuel;

    /// Reports whether the search ends with this result, so that no later attempt is needed.
    fn is_last(&self, made: &Self::Made) -> bool;
}

/// The fuel of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fuel {
    /// At most this number of units.
    AtMost(u64),
    /// All that is left. The attempt does not ask how much that is.
    Rest,
}

/// Runs a search that may suggest attempts.
///
/// At its end the attempts that are still being made are interrupted.
pub(crate) fn search<A: Attempts, T: Send>(
    attempts: &A,
    control: &mut Control,
    search: impl FnOnce(&mut Ahead<'_, '_, A>, &mut Control) -> T + Send,
) -> T {
    let threads = match control.takes_idle_threads() {
        true => rayon::current_num_threads(),
        false => 1,
    };
    let mut ahead = Ahead {
        attempts,
        scope: None,
        threads,
        suggested: BTreeMap::new(),
        number: 0,
        begun: Arc::default(),
    };
    if threads == 1 {
        return search(&mut ahead, control);
    }
    rayon::scope(|scope| {
        let mut ahead = Ahead {
            scope: Some(scope),
            ..ahead
        };
        search(&mut ahead, control)
    })
}

/// The attempts that a search has suggested.
pub(crate) struct Ahead<'r, 'a, A: Attempts> {
    attempts: &'a A,
    scope: Option<&'r Scope<'a>>,
    threads: usize,
    suggested: BTreeMap<A::Name, Suggested<A::Made>>,
    number: usize,
    begun: Arc<Interrupts>,
}

impl<'a, A: Attempts> Ahead<'_, 'a, A> {
    /// Returns the number of attempts that are worth suggesting at a time; 0 without idle threads.
    ///
    /// While this thread makes an attempt, another one can make several small ones.
    pub(crate) fn most(&self) -> usize {
        self.scope.map_or(0, |_| FOR_EACH_THREAD * self.threads)
    }

    /// Suggests an attempt to idle threads, unless it was suggested.
    ///
    /// Attempts are suggested in the order of their turns: one that ends the search interrupts those
    /// that were suggested after it.
    pub(crate) fn suggest(&mut self, name: A::Name, control: &Control) {
        let Some(scope) = self.scope else { return };
        let fuel = self.attempts.fuel(&name);
        // An attempt that may spend all that is left depends on what those before it spend.
        let is_bounded = fuel == Fuel::Rest || in_units(fuel) < control.fuel_left();
        if self.suggested.contains_key(&name) || !is_bounded {
            return;
        }
        self.number += 1;
        let interrupt = control.child_interrupt();
        let mut meter = control.ahead(in_units(fuel), interrupt.clone());
        let slot = Arc::new(Slot::default());
        self.begun.add(self.number, interrupt.clone());
        let suggested = Suggested {
            slot: Arc::clone(&slot),
            interrupt,
        };
        let (attempts, number, begun) = (self.attempts, self.number, Arc::clone(&self.begun));
        self.suggested.insert(name.clone(), suggested);
        scope.spawn(move |_| {
            if meter.is_interrupted() || !slot.begin() {
                return;
            }
            let given = meter.ticks_left();
            let made = attempts.make(&name, &mut meter);
            // The result of an interrupted attempt is not used.
            let made = (!meter.is_interrupted()).then_some(made);
            if made.as_ref().is_some_and(|made| attempts.is_last(made)) {
                begun.raise_after(number);
            }
            let spent = meter.ticks_spent();
            slot.end(made.map(|made| Made { made, given, spent }));
        });
    }

    /// Gives up the suggested attempts that are not to be kept.
    pub(crate) fn keep(&mut self, is_kept: impl Fn(&A::Name) -> bool) {
        self.suggested.retain(|name, _| is_kept(name));
    }

    /// Returns the result of an attempt whose turn has come, and pays for it.
    pub(crate) fn take(&mut self, name: &A::Name, control: &mut Control) -> A::Made {
        let fuel = self.attempts.fuel(name);
        let made = self.suggested.remove(name);
        let made = made.and_then(|suggested| suggested.slot.take());
        control.within(in_units(fuel), |part| match made {
            Some(made) if made.counts(fuel, part) => {
                // It had at least this fuel. If a stop was requested, the next attempt reports it.
                let _ = part.spend(made.spent);
                made.made
            }
            _ => self.attempts.make(name, part),
        })
    }
}

fn in_units(fuel: Fuel) -> u64 {
    match fuel {
        Fuel::AtMost(fuel) => fuel,
        Fuel::Rest => u64::MAX,
    }
}

/// A suggested attempt. It is interrupted when its search no longer needs it.
struct Suggested<T> {
    slot: Arc<Slot<T>>,
    interrupt: Interrupt,
}

impl<T> Drop for Suggested<T> {
    fn drop(&mut self) {
        self.interrupt.raise();
    }
}

/// The result of an attempt made ahead of its turn, with the ticks it was given and has spent.
struct Made<T> {
    made: T,
    given: u64,
    spent: u64,
}

impl<T> Made<T> {
    /// Reports whether the attempt would be the same with what `part` has left.
    fn counts(&self, fuel: Fuel, part: &Control) -> bool {
        match fuel {
            Fuel::AtMost(_) => self.given == part.ticks_left(),
            Fuel::Rest => self.spent <= part.ticks_left(),
        }
    }
}

/// The place of the result of a suggested attempt.
struct Slot<T> {
    state: Mutex<State<T>>,
    ended: Condvar,
}

enum State<T> {
    Suggested,
    Begun,
    Ended(Option<Made<T>>),
}

impl<T> Default for Slot<T> {
    fn default() -> Self {
        Self {
            state: Mutex::new(State::Suggested),
            ended: Condvar::new(),
        }
    }
}

impl<T> Slot<T> {
    fn state(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins the attempt, unless its turn has come.
    fn begin(&self) -> bool {
        let mut state = self.state();
        let is_suggested = matches!(*state, State::Suggested);
        if is_suggested {
            *state = State::Begun;
        }
        is_suggested
    }

    fn end(&self, made: Option<Made<T>>) {
        *self.state() = State::Ended(made);
        self.ended.notify_all();
    }

    /// Returns the result, if the attempt was begun and not interrupted; waits for its end.
    ///
    /// While it waits this thread does other work of its pool. That work can be a later attempt
    /// of the same search, which is interrupted if the search ends before.
    fn take(&self) -> Option<Made<T>> {
        loop {
            let mut state = self.state();
            match std::mem::replace(&mut *state, State::Ended(None)) {
                State::Suggested => return None,
                State::Ended(made) => return made,
                State::Begun => *state = State::Begun,
            }
            drop(state);
            if !matches!(rayon::yield_now(), Some(Yield::Executed)) {
                let state = self.state();
                if matches!(*state, State::Begun) {
                    let waited = self.ended.wait_timeout(state, WAIT);
                    drop(waited.unwrap_or_else(PoisonError::into_inner));
                }
            }
        }
    }
}

/// The interrupts of the attempts that were suggested, in their order.
#[derive(Default)]
struct Interrupts(Mutex<Vec<(usize, Interrupt)>>);

impl Interrupts {
    fn add(&self, number: usize, interrupt: Interrupt) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.push((number, interrupt));
    }

    /// Interrupts all attempts that were suggested after this one.
    fn raise_after(&self, number: usize) {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for (_, interrupt) in all.iter().filter(|(of, _)| *of > number) {
            interrupt.raise();
        }
    }
}

#[cfg(test)]
mod tests;
