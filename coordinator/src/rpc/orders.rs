//! The orders of operators that are in force.
//!
//! A pause is recorded in the store, too, and a coordinator that starts again follows it. The other
//! orders live in memory.

use std::collections::BTreeSet;
use std::sync::Arc;

use misere_census::WorkerId;
use tokio::sync::watch;

/// The orders that are in force.
#[derive(Clone, Debug, Default)]
struct ActiveOrders {
    paused: bool,
    cancelled: bool,
    draining: BTreeSet<WorkerId>,
}

/// The order for a worker that requests tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Tasks may be leased.
    Lease,
    /// No task may be leased for now.
    Pause,
    /// No task may be leased to this worker any more.
    Drain,
    /// All tasks are taken back.
    Cancel,
}

/// The orders given and followed; all copies share one state.
#[derive(Clone, Debug)]
pub struct Orders {
    standing: Arc<watch::Sender<ActiveOrders>>,
}

impl Default for Orders {
    fn default() -> Self {
        Self {
            standing: Arc::new(watch::Sender::new(ActiveOrders::default())),
        }
    }
}

impl Orders {
    /// Returns the order that holds for a worker.
    #[must_use]
    pub fn for_worker(&self, worker: WorkerId) -> Order {
        let standing = self.standing.borrow();
        match () {
            () if standing.cancelled => Order::Cancel,
            () if standing.draining.contains(&worker) => Order::Drain,
            () if standing.paused => Order::Pause,
            () => Order::Lease,
        }
    }

    /// Reports whether the census is paused.
    #[must_use]
    pub fn paused(&self) -> bool {
        self.standing.borrow().paused
    }

    /// Pauses the census, or resumes it.
    pub fn pause(&self, paused: bool) {
        self.standing
            .send_modify(|standing| standing.paused = paused);
    }

    /// Reports whether a worker is drained.
    #[must_use]
    pub fn is_draining(&self, worker: WorkerId) -> bool {
        self.standing.borrow().draining.contains(&worker)
    }

    /// Drains a worker: no task is leased to it any more.
    pub fn drain(&self, worker: WorkerId) {
        self.standing.send_modify(|standing| {
            standing.draining.insert(worker);
        });
    }

    /// Forgets the orders for a worker that is gone.
    pub fn forget(&self, worker: WorkerId) {
        self.standing
            .send_if_modified(|standing| standing.draining.remove(&worker));
    }

    /// Cancels the run: all tasks are taken back.
    pub fn cancel(&self) {
        self.standing
            .send_modify(|standing| standing.cancelled = true);
    }

    /// Waits until the run is cancelled.
    pub async fn cancelled(&self) {
        let mut standing = self.standing.subscribe();
        // The sender is a field of `self`, so it cannot be gone.
        let _ = standing.wait_for(|standing| standing.cancelled).await;
    }
}
