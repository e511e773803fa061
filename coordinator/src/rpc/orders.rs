//! What has an operator told the coordinator?
//!
//! Orders live in memory: a coordinator that starts again is neither paused nor cancelled.

use std::collections::BTreeSet;
use std::sync::Arc;

use misere_census::WorkerId;
use tokio::sync::watch;

/// The orders of the moment.
#[derive(Clone, Debug, Default)]
struct Standing {
    paused: bool,
    cancelled: bool,
    draining: BTreeSet<WorkerId>,
}

/// What is to be done when a worker asks for tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Lease.
    Lease,
    /// Lease nothing for now.
    Pause,
    /// Lease nothing more to this worker.
    Drain,
    /// Take everything back.
    Cancel,
}

/// Orders given and followed; all copies are the same.
#[derive(Clone, Debug)]
pub struct Orders {
    standing: Arc<watch::Sender<Standing>>,
}

impl Default for Orders {
    fn default() -> Self {
        Self {
            standing: Arc::new(watch::Sender::new(Standing::default())),
        }
    }
}

impl Orders {
    /// What holds for a worker.
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

    /// Whether nothing is leased for now.
    #[must_use]
    pub fn paused(&self) -> bool {
        self.standing.borrow().paused
    }

    /// Leases nothing, or leases again.
    pub fn pause(&self, paused: bool) {
        self.standing
            .send_modify(|standing| standing.paused = paused);
    }

    /// Leases nothing more to a worker.
    pub fn drain(&self, worker: WorkerId) {
        self.standing.send_modify(|standing| {
            standing.draining.insert(worker);
        });
    }

    /// A worker is gone: nothing is to be remembered of it.
    pub fn forget(&self, worker: WorkerId) {
        self.standing
            .send_if_modified(|standing| standing.draining.remove(&worker));
    }

    /// Takes everything back.
    pub fn cancel(&self) {
        self.standing
            .send_modify(|standing| standing.cancelled = true);
    }

    /// Returns when everything is taken back.
    pub async fn cancelled(&self) {
        let mut standing = self.standing.subscribe();
        // The sender is here: it cannot be gone.
        let _ = standing.wait_for(|standing| standing.cancelled).await;
    }
}
