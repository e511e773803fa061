//! Deadlines of checks.
//!
//! Fuel limits a check as long as all its work is metered; a deadline also limits work between two
//! readings of the meter. Time is counted in beats of one thread. A process that was stopped for an
//! hour, or a machine that slept, has made one beat meanwhile, so honest certificates are not
//! refused for that.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use misere_game::control::Interrupt;

/// The interval at which overdue checks are looked for.
const CHECK_INTERVAL: Duration = Duration::from_millis(250);

/// The running checks, each with the rest of its time.
#[derive(Debug, Default)]
pub(super) struct Deadlines {
    watched: Mutex<Vec<Arc<Running>>>,
    stopped: AtomicBool,
}

#[derive(Debug)]
struct Running {
    interrupt: Interrupt,
    beats_left: Mutex<u64>,
    is_overdue: AtomicBool,
}

/// A check whose time is watched as long as this value lives.
#[derive(Debug)]
pub(super) struct CheckGuard {
    running: Arc<Running>,
    deadlines: Arc<Deadlines>,
}

impl Deadlines {
    /// Creates an empty list of checks, and the thread that watches them while the list lives.
    pub(super) fn new() -> io::Result<Arc<Self>> {
        let deadlines = Arc::new(Self::default());
        let weak = Arc::downgrade(&deadlines);
        std::thread::Builder::new()
            .name("check-deadline".to_owned())
            .spawn(move || {
                while let Some(deadlines) = weak.upgrade() {
                    deadlines.beat();
                    drop(deadlines);
                    std::thread::sleep(CHECK_INTERVAL);
                }
            })?;
        Ok(deadlines)
    }

    /// Stops all checks, and the checks that begin later at once.
    pub(super) fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
        for running in self.all().iter() {
            running.interrupt.raise();
        }
    }

    /// Watches a check that begins now.
    pub(super) fn watch(self: &Arc<Self>, time: Duration) -> CheckGuard {
        let beats = time.as_millis().div_ceil(CHECK_INTERVAL.as_millis());
        let running = Arc::new(Running {
            interrupt: Interrupt::default(),
            beats_left: Mutex::new(u64::try_from(beats).unwrap_or(u64::MAX)),
            is_overdue: AtomicBool::new(false),
        });
        self.all().push(Arc::clone(&running));
        // Read after the check is listed: `stop` either finds the check in the list or is seen
        // here.
        if self.stopped.load(Ordering::Relaxed) {
            running.interrupt.raise();
        }
        CheckGuard {
            running,
            deadlines: Arc::clone(self),
        }
    }

    fn beat(&self) {
        for running in self.all().iter() {
            let mut left = running
                .beats_left
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            match left.checked_sub(1) {
                Some(less) => *left = less,
                None => {
                    running.is_overdue.store(true, Ordering::Relaxed);
                    running.interrupt.raise();
                }
            }
        }
    }

    fn all(&self) -> MutexGuard<'_, Vec<Arc<Running>>> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CheckGuard {
    /// Returns the interrupt that ends the check.
    pub(super) fn interrupt(&self) -> Interrupt {
        self.running.interrupt.clone()
    }

    /// Reports whether the check was ended because its time was over.
    pub(super) fn is_overdue(&self) -> bool {
        self.running.is_overdue.load(Ordering::Relaxed)
    }
}

impl Drop for CheckGuard {
    fn drop(&mut self) {
        let mut all = self.deadlines.all();
        all.retain(|running| !Arc::ptr_eq(running, &self.running));
    }
}
