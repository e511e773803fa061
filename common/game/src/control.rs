//! The bounds of a long computation: fuel, progress and interruption.
//!
//! Three separate things, because they have different consequences for a result (invariant A-5):
//!
//! - **Fuel** ([`Control::spend`]): deterministic units of work, about one microsecond of one core
//!   each. Running out of fuel is a *verdict* (`exhausted`), the same on every machine.
//! - **Interruption** ([`Interrupt`]): an outside party (Ctrl-C, a time or memory guard) asks for a
//!   stop. The results proved so far are returned, but this is *not a verdict* and is left out of
//!   every digest.
//! - **Progress** ([`Interrupt::progress`]): how far the computation has come, for display only.
//!
//! Fuel is accounted in *ticks*, [`TICKS_PER_FUEL`] to the unit, so that cheap inner steps are
//! counted exactly. Each algorithm documents its prices.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// Ticks in one unit of fuel. One tick is roughly a nanosecond of one core.
pub const TICKS_PER_FUEL: u64 = 1_000;

/// A shared handle to stop a computation and to watch it.
///
/// ```
/// use misere_game::control::Interrupt;
/// let interrupt = Interrupt::default();
/// assert!(!interrupt.is_raised());
/// interrupt.raise();
/// assert!(interrupt.clone().is_raised());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    raised: AtomicBool,
    heap: AtomicU32,
    order: AtomicU32,
    watcher: Option<fn(Progress)>,
    parent: Option<Interrupt>,
}

/// The progress of a computation: the largest heap settled, and the order of its partial quotient.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// The largest heap whose value is known and verified.
    pub heap: u32,
    /// The order of the partial quotient to that heap.
    pub order: u32,
}

impl Interrupt {
    /// Returns a handle that calls `watcher` whenever a computation reports its progress.
    ///
    /// It is for a program with one thread, which could not look at the progress otherwise.
    ///
    /// ```
    /// use misere_game::control::{Control, Interrupt, Progress};
    /// let interrupt = Interrupt::watched_by(|progress| assert_eq!(progress.heap, 7));
    /// Control::new(1, interrupt).report(Progress { heap: 7, order: 12 });
    /// ```
    #[must_use]
    pub fn watched_by(watcher: fn(Progress)) -> Self {
        Self(Arc::new(Shared {
            watcher: Some(watcher),
            ..Shared::default()
        }))
    }

    /// Returns a handle that is raised with this one, and can be raised without it.
    ///
    /// It is for a part of a computation that may become needless. Its progress is its own.
    ///
    /// ```
    /// use misere_game::control::Interrupt;
    /// let (whole, other) = (Interrupt::default(), Interrupt::default());
    /// let part = whole.child();
    /// part.raise();
    /// assert!(part.is_raised() && !whole.is_raised());
    /// let part = other.child();
    /// other.raise();
    /// assert!(part.is_raised());
    /// ```
    #[must_use]
    pub fn child(&self) -> Self {
        Self(Arc::new(Shared {
            parent: Some(self.clone()),
            ..Shared::default()
        }))
    }

    /// Asks the computation to stop at its next opportunity (well under 100 ms away).
    pub fn raise(&self) {
        self.0.raised.store(true, Ordering::Relaxed);
    }

    /// Reports whether a stop has been asked for.
    #[must_use]
    pub fn is_raised(&self) -> bool {
        self.0.raised.load(Ordering::Relaxed) || self.0.parent.as_ref().is_some_and(Self::is_raised)
    }

    /// Returns the progress of the computation.
    ///
    /// ```
    /// use misere_game::control::{Control, Interrupt, Progress};
    /// let interrupt = Interrupt::default();
    /// let control = Control::new(1, interrupt.clone());
    /// control.report(Progress { heap: 7, order: 12 });
    /// assert_eq!(interrupt.progress(), Progress { heap: 7, order: 12 });
    /// ```
    #[must_use]
    pub fn progress(&self) -> Progress {
        Progress {
            heap: self.0.heap.load(Ordering::Relaxed),
            order: self.0.order.load(Ordering::Relaxed),
        }
    }
}

/// The reason why a computation stopped before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Stop {
    /// The fuel ran out: a verdict, the same on every machine.
    #[error("the fuel is spent")]
    FuelSpent,
    /// A stop was requested; this is not a verdict.
    #[error("interrupted")]
    Interrupted,
}

/// The meter of a computation: the fuel left, and a handle to interrupt and watch it.
///
/// ```
/// use misere_game::control::{Control, Interrupt, Stop, TICKS_PER_FUEL};
/// let mut control = Control::new(2, Interrupt::default());
/// assert!(control.spend(2 * TICKS_PER_FUEL).is_ok());
/// assert_eq!(control.spend(1), Err(Stop::FuelSpent));
/// assert_eq!(control.fuel_spent(), 2);
/// ```
#[derive(Debug)]
pub struct Control {
    ticks_left: u64,
    ticks_given: u64,
    interrupt: Interrupt,
    takes_idle_threads: bool,
}

impl Control {
    /// Returns a meter with `fuel` units to spend, listening to `interrupt`.
    #[must_use]
    pub fn new(fuel: u64, interrupt: Interrupt) -> Self {
        let ticks = fuel.saturating_mul(TICKS_PER_FUEL);
        Self {
            ticks_left: ticks,
            ticks_given: ticks,
            interrupt,
            takes_idle_threads: false,
        }
    }

    /// Allows the computation to make attempts ahead of their turn, on threads that are idle.
    ///
    /// It is for one computation that has the machine for itself. The result and the fuel stay the
    /// same; processor time and memory may be spent on attempts that turn out to be needless.
    ///
    /// ```
    /// use misere_game::control::{Control, Interrupt};
    /// let mut control = Control::new(5, Interrupt::default()).with_idle_threads();
    /// assert!(control.within(3, |part| part.takes_idle_threads()));
    /// assert!(!Control::new(5, Interrupt::default()).takes_idle_threads());
    /// ```
    #[must_use]
    pub fn with_idle_threads(self) -> Self {
        Self {
            takes_idle_threads: true,
            ..self
        }
    }

    /// Reports whether the computation may take idle threads.
    #[must_use]
    pub fn takes_idle_threads(&self) -> bool {
        self.takes_idle_threads
    }

    /// Returns a meter for the same work on another thread, which `interrupt` stops.
    ///
    /// It has at most `fuel` units of what is left; this meter does not pay for them.
    ///
    /// ```
    /// use misere_game::control::{Control, Interrupt};
    /// let control = Control::new(5, Interrupt::default());
    /// let ahead = control.ahead(9, control.child_interrupt());
    /// assert_eq!(ahead.ticks_left(), control.ticks_left());
    /// ```
    #[must_use]
    pub fn ahead(&self, fuel: u64, interrupt: Interrupt) -> Self {
        let ticks = fuel.saturating_mul(TICKS_PER_FUEL).min(self.ticks_left);
        Self {
            ticks_left: ticks,
            ticks_given: ticks,
            interrupt,
            takes_idle_threads: self.takes_idle_threads,
        }
    }

    /// Returns a handle that is raised with this computation's, and can be raised without it.
    #[must_use]
    pub fn child_interrupt(&self) -> Interrupt {
        self.interrupt.child()
    }

    /// Returns a meter that never runs out and is never interrupted.
    #[must_use]
    pub fn unlimited() -> Self {
        Self::new(u64::MAX, Interrupt::default())
    }

    /// Runs bounded work with a meter that never runs out and is never interrupted.
    ///
    /// ```
    /// use misere_game::control::Control;
    /// assert_eq!(Control::without_limit(|control| control.spend(1).map(|()| 7)), 7);
    /// ```
    pub fn without_limit<T>(mut work: impl FnMut(&mut Self) -> Result<T, Stop>) -> T {
        loop {
            // 2⁶⁴ ticks are centuries, so the first attempt succeeds.
            if let Ok(done) = work(&mut Self::unlimited()) {
                return done;
            }
        }
    }

    /// Pays for `ticks` of work about to be done.
    ///
    /// ```
    /// use misere_game::control::{Control, Interrupt, Stop};
    /// let interrupt = Interrupt::default();
    /// let mut control = Control::new(1, interrupt.clone());
    /// assert_eq!(control.spend(400), Ok(()));
    /// interrupt.raise();
    /// assert_eq!(control.spend(400), Err(Stop::Interrupted));
    /// assert_eq!(control.spend(400), Err(Stop::FuelSpent));
    /// ```
    ///
    /// # Errors
    /// [`Stop::FuelSpent`] if less is left (the rest is then spent), [`Stop::Interrupted`] if a
    /// stop was asked for.
    #[inline]
    pub fn spend(&mut self, ticks: u64) -> Result<(), Stop> {
        if self.ticks_left < ticks {
            self.ticks_left = 0;
            return Err(Stop::FuelSpent);
        }
        self.ticks_left -= ticks;
        if self.interrupt.is_raised() {
            return Err(Stop::Interrupted);
        }
        Ok(())
    }

    /// Runs `attempt` with at most `fuel` units of what is left, and pays for what it spent.
    ///
    /// ```
    /// use misere_game::control::{Control, Interrupt, Stop, TICKS_PER_FUEL};
    /// let mut control = Control::new(10, Interrupt::default());
    /// let tried = control.within(3, |part| part.spend(4 * TICKS_PER_FUEL));
    /// assert_eq!((tried, control.fuel_spent()), (Err(Stop::FuelSpent), 3));
    /// ```
    pub fn within<T>(&mut self, fuel: u64, attempt: impl FnOnce(&mut Self) -> T) -> T {
        let mut part = self.ahead(fuel, self.interrupt.clone());
        let outcome = attempt(&mut part);
        self.ticks_left -= part.ticks_spent();
        outcome
    }

    /// Returns a meter that never runs out but is interrupted with this one.
    ///
    /// It is for work that finishes a result, or whose price was paid before.
    ///
    /// ```
    /// use misere_game::control::{Control, Interrupt, Stop};
    /// let interrupt = Interrupt::default();
    /// let mut control = Control::new(0, interrupt.clone());
    /// assert_eq!((control.spend(1), control.unmetered().spend(1)), (Err(Stop::FuelSpent), Ok(())));
    /// interrupt.raise();
    /// assert_eq!(control.unmetered().spend(1), Err(Stop::Interrupted));
    /// ```
    #[must_use]
    pub fn unmetered(&self) -> Self {
        Self::new(u64::MAX, self.interrupt.clone())
    }

    /// Reports whether a stop was asked for.
    ///
    /// ```
    /// use misere_game::control::{Control, Interrupt};
    /// let interrupt = Interrupt::default();
    /// let control = Control::new(1, interrupt.clone());
    /// assert!(!control.is_interrupted());
    /// interrupt.raise();
    /// assert!(control.is_interrupted());
    /// ```
    #[must_use]
    pub fn is_interrupted(&self) -> bool {
        self.interrupt.is_raised()
    }

    /// Returns ticks spent so far.
    #[must_use]
    pub fn ticks_spent(&self) -> u64 {
        self.ticks_given - self.ticks_left
    }

    /// Returns ticks left to spend.
    #[must_use]
    pub fn ticks_left(&self) -> u64 {
        self.ticks_left
    }

    /// Returns the whole units of fuel left to spend.
    #[must_use]
    pub fn fuel_left(&self) -> u64 {
        self.ticks_left / TICKS_PER_FUEL
    }

    /// Resets the meter as if nothing had been spent.
    pub fn start_over(&mut self) {
        self.ticks_left = self.ticks_given;
    }

    /// Returns fuel spent so far, in whole units (rounded up).
    ///
    /// ```
    /// use misere_game::control::{Control, Interrupt, TICKS_PER_FUEL};
    /// let mut control = Control::new(9, Interrupt::default());
    /// control.spend(2 * TICKS_PER_FUEL + 1)?;
    /// assert_eq!(control.fuel_spent(), 3);
    /// # Ok::<(), misere_game::control::Stop>(())
    /// ```
    #[must_use]
    pub fn fuel_spent(&self) -> u64 {
        (self.ticks_given - self.ticks_left).div_ceil(TICKS_PER_FUEL)
    }

    /// Reports the progress of the computation to its watchers.
    pub fn report(&self, progress: Progress) {
        self.interrupt
            .0
            .heap
            .store(progress.heap, Ordering::Relaxed);
        self.interrupt
            .0
            .order
            .store(progress.order, Ordering::Relaxed);
        if let Some(watcher) = self.interrupt.0.watcher {
            watcher(progress);
        }
    }
}
