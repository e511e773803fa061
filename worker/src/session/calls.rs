//! The calls that a session makes.

use misere_census::WorkerId;
use misere_proto::Running;
use misere_session::{Call, Holdings};

use super::{CallInFlight, Worker};
use crate::link::{self, Introduction, Leases, Welcome};

/// The answer of the coordinator to a call.
pub(super) enum Answer {
    Registered(Welcome),
    /// The answer for the worker with this number.
    Leased(WorkerId, Leases),
    Renewed(link::Renewal),
}

impl Worker {
    /// Begins a call to the coordinator.
    pub(super) fn call(&self, call: Call) -> CallInFlight {
        let mut link = self.link.clone();
        match call {
            Call::Register => {
                let name = self.settings.name.clone();
                let slots = u32::try_from(self.settings.slots).unwrap_or(u32::MAX);
                let class = self.settings.memory_class;
                Box::pin(async move {
                    let name = &name;
                    let introduction = Introduction { name, slots, class };
                    link.introduce(introduction).await.map(Answer::Registered)
                })
            }
            Call::Lease {
                worker,
                holdings,
                idle,
                room,
            } => {
                let holdings = self.with_progress(holdings);
                Box::pin(async move {
                    let leases = link.lease(worker, holdings, idle, room).await;
                    leases.map(|leases| Answer::Leased(worker, leases))
                })
            }
            Call::Heartbeat { worker, holdings } => {
                let holdings = self.with_progress(holdings);
                Box::pin(async move {
                    let renewed = link.heartbeat(worker, holdings).await;
                    renewed.map(Answer::Renewed)
                })
            }
        }
    }

    /// Returns the leases held, with the progress of the running ones.
    fn with_progress(&self, holdings: Holdings) -> link::Holdings {
        let Holdings { running, queued } = holdings;
        let running = running.into_iter().map(|lease| Running {
            lease,
            progress: self
                .jobs
                .get(&lease)
                .map_or_else(Default::default, |job| job.progress()),
        });
        link::Holdings {
            running: running.collect(),
            queued,
        }
    }
}
