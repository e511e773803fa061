//! How is the driver asked?

use std::time::{Instant, SystemTime, UNIX_EPOCH};

use misere_census::{Epoch, Task, TaskId, WorkerId};
use tokio::sync::{mpsc, oneshot};
use tracing::Span;

use super::request::answer;
use super::{
    Answer, Ban, Evicted, Held, Introduction, LeaseAnswer, NoSuchWorker, Pardoned, ReportAnswer,
    UnknownWorker, Unwelcome,
};
use crate::judge::{Judged, Refused};
use crate::ledger::{Moment, Report};
use crate::store::{Store, StoreError};

/// The one place of the coordinator where clocks are read.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    start: Instant,
}

/// A time by both clocks: the monotonic one decides, the other is shown to people.
#[derive(Clone, Copy, Debug)]
pub struct Stamp {
    /// By the monotonic clock.
    pub now: Moment,
    /// Milliseconds of Unix time.
    pub unix_ms: u64,
}

impl Default for Clock {
    fn default() -> Self {
        Self {
            start: Instant::now(),
        }
    }
}

impl Clock {
    /// The time now.
    #[must_use]
    pub fn stamp(&self) -> Stamp {
        let ms =
            |duration: std::time::Duration| u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
        let unix = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        Stamp {
            now: Moment(ms(self.start.elapsed())),
            unix_ms: ms(unix),
        }
    }
}

/// The driver is no longer there: the coordinator is stopping or its store failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the coordinator is stopping")]
pub struct Gone;

pub(super) struct Message {
    pub(super) stamp: Stamp,
    pub(super) request: Request,
}

/// What came of a certificate handed in.
#[derive(Debug)]
pub(crate) struct Settlement {
    /// The task.
    pub(crate) task: TaskId,
    /// The epoch it was claimed under.
    pub(crate) epoch: Epoch,
    /// The judgement.
    pub(crate) judged: Result<Judged, Refused>,
    /// The certificate.
    pub(crate) certificate: Vec<u8>,
}

/// A checkpoint that was found to belong to its task.
#[derive(Debug)]
pub struct KeptCheckpoint {
    /// The greatest heap known.
    pub heap: u32,
    /// The fuel spent until then.
    pub fuel: u64,
    /// The checkpoint itself.
    pub checkpoint: Vec<u8>,
}

type Reply<T> = oneshot::Sender<T>;

pub(super) enum Request {
    Tick,
    Register {
        introduction: Introduction,
        reply: Reply<Result<WorkerId, Unwelcome>>,
    },
    Evict {
        who: String,
        reply: Reply<Result<Evicted, NoSuchWorker>>,
    },
    Ban {
        who: String,
        reply: Reply<Ban>,
    },
    Pardon {
        who: String,
        reply: Reply<Result<Pardoned, NoSuchWorker>>,
    },
    StopTask {
        task: TaskId,
        reply: Reply<bool>,
    },
    Held {
        worker: WorkerId,
        task: TaskId,
        epoch: Epoch,
        reply: Reply<Option<Task>>,
    },
    Keep {
        worker: WorkerId,
        task: TaskId,
        epoch: Epoch,
        kept: KeptCheckpoint,
        reply: Reply<Result<bool, UnknownWorker>>,
    },
    Fetch {
        worker: WorkerId,
        task: TaskId,
        epoch: Epoch,
        reply: Reply<Result<Option<Vec<u8>>, StoreError>>,
    },
    Lease {
        worker: WorkerId,
        held: Vec<Held>,
        idle: u32,
        room: u32,
        reply: Reply<Result<LeaseAnswer, UnknownWorker>>,
    },
    Renew {
        worker: WorkerId,
        held: Vec<Held>,
        reply: Reply<Result<LeaseAnswer, UnknownWorker>>,
    },
    Claim {
        worker: WorkerId,
        leases: Vec<(TaskId, Epoch)>,
        reply: Reply<Result<Vec<Option<Task>>, UnknownWorker>>,
    },
    Settle {
        /// The worker that handed them in; none if the coordinator computed them.
        by: Option<WorkerId>,
        settlements: Vec<Settlement>,
        reply: Reply<Vec<ReportAnswer>>,
    },
    GiveUp {
        worker: WorkerId,
        task: TaskId,
        epoch: Epoch,
        report: Report,
        reply: Reply<Result<ReportAnswer, UnknownWorker>>,
    },
    Leave {
        worker: WorkerId,
        reply: Reply<()>,
    },
    /// Something to be done with the store between two commits.
    Store(Box<dyn FnOnce(&mut Store) -> Answer + Send>),
    Stop {
        reply: Reply<()>,
    },
}

impl Request {
    /// What is logged while it is handled stands in it.
    pub(super) fn span(&self) -> Span {
        match self {
            Self::Tick
            | Self::Store(_)
            | Self::Stop { .. }
            | Self::Register { .. }
            | Self::Evict { .. }
            | Self::Ban { .. }
            | Self::Pardon { .. } => Span::none(),
            Self::StopTask { task, .. } => tracing::error_span!("stop", %task),
            Self::Lease { worker, .. } => tracing::error_span!("lease", %worker),
            Self::Renew { worker, .. } => tracing::error_span!("renew", %worker),
            Self::Leave { worker, .. } => tracing::error_span!("leave", %worker),
            Self::Held {
                worker,
                task,
                epoch,
                ..
            }
            | Self::Keep {
                worker,
                task,
                epoch,
                ..
            }
            | Self::Fetch {
                worker,
                task,
                epoch,
                ..
            } => tracing::error_span!("checkpoint", %worker, %task, %epoch),
            // Of many tasks, each of which has its own when something is said of it.
            Self::Claim { worker, .. }
            | Self::Settle {
                by: Some(worker), ..
            } => tracing::error_span!("report", %worker),
            Self::Settle { by: None, .. } => tracing::error_span!("arbitration"),
            Self::GiveUp {
                worker,
                task,
                epoch,
                ..
            } => tracing::error_span!("report", %worker, %task, %epoch),
        }
    }
}

/// Asks the driver. Every answer is given after what it says has become durable.
#[derive(Clone, Debug)]
pub struct DriverHandle {
    sender: mpsc::Sender<Message>,
    clock: Clock,
}

/// Asks the driver as long as somebody else can: it ends when only such handles are left.
#[derive(Clone, Debug)]
pub(crate) struct WeakDriver {
    sender: mpsc::WeakSender<Message>,
    clock: Clock,
}

impl WeakDriver {
    /// The handle, if the driver is still there.
    pub(crate) fn upgrade(&self) -> Option<DriverHandle> {
        let sender = self.sender.upgrade()?;
        Some(DriverHandle::new(sender, self.clock))
    }
}

impl std::fmt::Debug for Message {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Message")
            .field("stamp", &self.stamp)
            .finish_non_exhaustive()
    }
}

/// All requests fail with [`Gone`] when the driver has ended.
#[allow(clippy::missing_errors_doc, reason = "said once for all methods above")]
impl DriverHandle {
    pub(super) fn new(sender: mpsc::Sender<Message>, clock: Clock) -> Self {
        Self { sender, clock }
    }

    /// A handle that does not keep the driver at work.
    pub(crate) fn downgrade(&self) -> WeakDriver {
        WeakDriver {
            sender: self.sender.downgrade(),
            clock: self.clock,
        }
    }

    async fn ask<T>(&self, request: impl FnOnce(Reply<T>) -> Request) -> Result<T, Gone> {
        let (reply, answer) = oneshot::channel();
        self.send(request(reply)).await?;
        answer.await.map_err(|_| Gone)
    }

    async fn send(&self, request: Request) -> Result<(), Gone> {
        let message = Message {
            stamp: self.clock.stamp(),
            request,
        };
        self.sender.send(message).await.map_err(|_| Gone)
    }

    /// Lets the driver see that time passes.
    pub async fn tick(&self) -> Result<(), Gone> {
        self.send(Request::Tick).await
    }

    /// Introduces a worker.
    pub async fn introduce(
        &self,
        introduction: Introduction,
    ) -> Result<Result<WorkerId, Unwelcome>, Gone> {
        self.ask(|reply| Request::Register {
            introduction,
            reply,
        })
        .await
    }

    /// Takes back what the workers of this number or name hold, and forgets them; they may come
    /// back.
    pub async fn evict(&self, who: String) -> Result<Result<Evicted, NoSuchWorker>, Gone> {
        self.ask(|reply| Request::Evict { who, reply }).await
    }

    /// Refuses whoever has this name, or a certificate with this fingerprint, and believes nothing
    /// that nobody confirmed.
    pub async fn ban(&self, who: String) -> Result<Ban, Gone> {
        self.ask(|reply| Request::Ban { who, reply }).await
    }

    /// Believes the workers of this name or fingerprint again, and lets them in.
    pub async fn pardon(&self, who: String) -> Result<Result<Pardoned, NoSuchWorker>, Gone> {
        self.ask(|reply| Request::Pardon { who, reply }).await
    }

    /// Asks that whoever computes a task stop it; `false` if nobody does.
    pub async fn stop_task(&self, task: TaskId) -> Result<bool, Gone> {
        self.ask(|reply| Request::StopTask { task, reply }).await
    }

    /// The task of a lease, if it is live.
    pub async fn held(
        &self,
        worker: WorkerId,
        task: TaskId,
        epoch: Epoch,
    ) -> Result<Option<Task>, Gone> {
        self.ask(|reply| Request::Held {
            worker,
            task,
            epoch,
            reply,
        })
        .await
    }

    /// Which of these leases are live. All are asked for at once, so that one group of requests
    /// answers them.
    pub async fn live(
        &self,
        worker: WorkerId,
        leases: &[(TaskId, Epoch)],
    ) -> Result<Vec<bool>, Gone> {
        let mut answers = Vec::with_capacity(leases.len());
        for &(task, epoch) in leases {
            let (reply, answer) = oneshot::channel();
            self.send(Request::Held {
                worker,
                task,
                epoch,
                reply,
            })
            .await?;
            answers.push(answer);
        }
        let mut live = Vec::with_capacity(leases.len());
        for answer in answers {
            live.push(answer.await.map_err(|_| Gone)?.is_some());
        }
        Ok(live)
    }

    /// Keeps a checkpoint of a task; `false` if the lease is not live or a later one is there.
    pub async fn keep(
        &self,
        worker: WorkerId,
        task: TaskId,
        epoch: Epoch,
        kept: KeptCheckpoint,
    ) -> Result<Result<bool, UnknownWorker>, Gone> {
        self.ask(|reply| Request::Keep {
            worker,
            task,
            epoch,
            kept,
            reply,
        })
        .await
    }

    /// The checkpoint of a task, for whoever holds it.
    pub async fn fetch(
        &self,
        worker: WorkerId,
        task: TaskId,
        epoch: Epoch,
    ) -> Result<Result<Option<Vec<u8>>, StoreError>, Gone> {
        self.ask(|reply| Request::Fetch {
            worker,
            task,
            epoch,
            reply,
        })
        .await
    }

    /// Asks for tasks: `idle` to start at once, `room` to wait behind them. Renews the leases held.
    pub async fn lease(
        &self,
        worker: WorkerId,
        held: Vec<Held>,
        idle: u32,
        room: u32,
    ) -> Result<Result<LeaseAnswer, UnknownWorker>, Gone> {
        self.ask(|reply| Request::Lease {
            worker,
            held,
            idle,
            room,
            reply,
        })
        .await
    }

    /// Renews the leases held.
    pub async fn renew(
        &self,
        worker: WorkerId,
        held: Vec<Held>,
    ) -> Result<Result<LeaseAnswer, UnknownWorker>, Gone> {
        self.ask(|reply| Request::Renew {
            worker,
            held,
            reply,
        })
        .await
    }

    /// Hands in certificates: for each the task it is for, if the lease is live. It must then be
    /// settled.
    pub(crate) async fn claim(
        &self,
        worker: WorkerId,
        leases: Vec<(TaskId, Epoch)>,
    ) -> Result<Result<Vec<Option<Task>>, UnknownWorker>, Gone> {
        self.ask(|reply| Request::Claim {
            worker,
            leases,
            reply,
        })
        .await
    }

    /// Says what came of certificates that were claimed by a worker, or computed by the coordinator.
    pub(crate) async fn settle(
        &self,
        by: Option<WorkerId>,
        settlements: Vec<Settlement>,
    ) -> Result<Vec<ReportAnswer>, Gone> {
        self.ask(|reply| Request::Settle {
            by,
            settlements,
            reply,
        })
        .await
    }

    /// Reports that there is no certificate.
    pub async fn give_up(
        &self,
        worker: WorkerId,
        task: TaskId,
        epoch: Epoch,
        report: Report,
    ) -> Result<Result<ReportAnswer, UnknownWorker>, Gone> {
        self.ask(|reply| Request::GiveUp {
            worker,
            task,
            epoch,
            report,
            reply,
        })
        .await
    }

    /// A worker goes away.
    pub async fn leave(&self, worker: WorkerId) -> Result<(), Gone> {
        self.ask(|reply| Request::Leave { worker, reply }).await
    }

    /// Does something with the store between two commits. Tasks it takes out of quarantine are
    /// handed out again.
    pub async fn with_store<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Store) -> T + Send + 'static,
    ) -> Result<T, Gone> {
        self.ask(|reply| Request::Store(Box::new(move |store| answer(reply, work(store)))))
            .await
    }

    /// Ends the driver once all requests before this one are answered.
    pub async fn stop(&self) -> Result<(), Gone> {
        self.ask(|reply| Request::Stop { reply }).await
    }
}
