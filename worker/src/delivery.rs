//! How does a result get there while the coordinator comes and goes?

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use misere_census::{Failure, InterruptCause, WorkerId};
use misere_proto::{LeaseKey, RefusalKind};

use crate::backoff::Backoff;
use crate::link::{Link, LinkError, Reported};
use crate::pool::Computed;

/// A result on its way.
pub(crate) struct Report {
    pub(crate) link: Link,
    pub(crate) worker: WorkerId,
    pub(crate) lease: LeaseKey,
    pub(crate) computed: Computed,
    pub(crate) cause: InterruptCause,
    pub(crate) abandoned: Arc<AtomicBool>,
}

impl Report {
    /// Delivers it, however often the coordinator is away, unless the lease is lost meanwhile.
    ///
    /// What the coordinator said; none if the lease was lost before it could say anything.
    pub(crate) async fn deliver(mut self) -> Option<Result<Reported, LinkError>> {
        let mut backoff = Backoff::default();
        loop {
            if self.abandoned.load(Ordering::Relaxed) {
                return None;
            }
            match self
                .link
                .report(self.worker, self.lease, &self.computed, self.cause)
                .await
            {
                Err(error) if error.kind() == RefusalKind::Retry => {
                    tracing::debug!(%error, "the coordinator is away");
                    tokio::time::sleep(backoff.next_pause()).await;
                }
                // A result that is not taken is a failure of its task, and that can always be said.
                Err(error)
                    if matches!(self.computed, Computed::Certificate(_)) && error.is_final() =>
                {
                    tracing::error!(task = %self.lease.task, %error, "our certificate is not taken");
                    let reason = format!("its certificate is not taken: {error}");
                    self.computed = Computed::Failed(Failure::computation(&reason));
                }
                reported => return Some(reported),
            }
        }
    }
}
