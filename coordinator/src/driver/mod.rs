//! The driver, which moves ledger and store together.
//!
//! One thread owns both. Requests come through a channel, each stamped with the time. All that have
//! come while the last batch was being synced are handled as a group and become durable as one
//! commit. Only then are the answers sent: what a worker is told is already on disk.
//!
//! | module | contents |
//! |---|---|
//! | `handle` | the handle for requests to the driver |
//! | `answer` | the answers of the driver |
//! | `checkers` | the checkers of other machines, and the withdrawal of results |
//! | `request` | the work that is done for each request |
//! | `effect` | the consequences of the effects of the ledger |
//! | `window` | the tasks of the store that are in memory |
//! | `snapshot` | the snapshot of a running census for operators |
//! | `traces` | the traces of leases |
//! | `workers` | the workers that join, are evicted, banned or pardoned |

mod answer;
mod checkers;
mod effect;
mod handle;
mod request;
mod snapshot;
mod traces;
mod window;
mod workers;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use misere_census::{Epoch, Task, TaskId, WorkerIdentity};
use misere_game::control::Progress;
use tokio::sync::{mpsc, watch};

use misere_ledger::{Ledger, Millis};
use misere_store::{CheckpointHead, Commit, EventKind, Store, StoreError};

pub use answer::{
    Ban, BanError, Eviction, GrantedTask, LeaseAnswer, Pardon, RegistrationError, ReportAnswer,
    ReportedLease, WorkerNameError,
};
use handle::Message;
pub use handle::{Clock, DriverClosedError, DriverHandle, Stamp, VerifiedCheckpoint};
pub(crate) use handle::{Settlement, WeakDriver};
pub use misere_ledger::UnknownWorkerError;
pub use snapshot::{RunningTask, Snapshot, Waiting, WorkerSnapshot};
use traces::LeaseTraces;
pub use workers::Introduction;
use workers::Workers;

/// The greatest number of requests that wait for the driver, and of requests in one group.
const QUEUE: usize = 1024;

/// The number of finished tasks at which a group is committed.
///
/// A larger group would not be faster, but its answers would come later.
const FINISHED_TOGETHER: usize = 4096;

/// Starts the driver on a thread of its own.
///
/// The thread ends after [`DriverHandle::stop`], when no handle is left, or with the error that
/// made it impossible to go on.
///
/// # Errors
/// [`StartError`] if the first tasks cannot be read, or the system provides no random numbers.
pub fn start(store: Store, ledger: Ledger, clock: Clock) -> Result<RunningDriver, StartError> {
    let (sender, requests) = mpsc::channel(QUEUE);
    let (disputes, undecided) = mpsc::unbounded_channel();
    let (recheck, to_recheck) = mpsc::unbounded_channel();
    let mut ledger = ledger.with_key(secret()?);
    let marked = store.marked()?;
    for mark in &marked {
        ledger.distrust(mark.identity, mark.why, Millis::default());
    }
    // These effects are already persisted.
    drop(ledger.take_effects());
    let rechecks = marked.iter().map(|mark| mark.identity).collect();
    let mut driver = Driver {
        disputes,
        recheck,
        rechecks,
        rechecking: BTreeSet::new(),
        published: None,
        store,
        ledger,
        tasks: HashMap::new(),
        checkpoints: BTreeMap::new(),
        progress: HashMap::new(),
        workers: Workers::new(marked),
        cursor: 0,
        commit: Commit::default(),
        traces: LeaseTraces::default(),
        snapshots: watch::Sender::default(),
        is_stopping: false,
    };
    let generation = driver.store.generation();
    let census = tracing::error_span!("census", plan = %driver.store.plan().id(), generation);
    census.in_scope(|| driver.begin(clock.stamp()))?;
    let snapshots = driver.snapshots.subscribe();
    let thread = std::thread::spawn(move || census.in_scope(|| driver.run(requests)));
    Ok(RunningDriver {
        driver: DriverHandle::new(sender, clock),
        snapshots,
        disputes: undecided,
        rechecks: to_recheck,
        thread,
    })
}

/// The reason why a driver could not be started.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The first tasks cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The lack of a key by which tasks are drawn.
    #[error(transparent)]
    NoRandomness(#[from] RandomnessError),
}

/// The error of a system that provides no random numbers.
#[derive(Debug, thiserror::Error)]
#[error("the system provides no random numbers: {0}")]
pub struct RandomnessError(#[source] getrandom::Error);

/// Returns a random secret key, which decides the results that are computed again.
///
/// # Errors
/// [`RandomnessError`] if the system provides no random numbers.
pub(crate) fn secret() -> Result<[u8; 32], RandomnessError> {
    let mut key = [0; 32];
    getrandom::fill(&mut key).map_err(RandomnessError)?;
    Ok(key)
}

/// The driver's thread.
pub type Thread = std::thread::JoinHandle<Result<(), StoreError>>;

/// A driver at work.
#[derive(Debug)]
pub struct RunningDriver {
    /// The handle for requests to the driver.
    pub driver: DriverHandle,
    /// The state of the census.
    pub snapshots: watch::Receiver<Snapshot>,
    /// The tasks that the coordinator is to compute itself.
    pub disputes: mpsc::UnboundedReceiver<Dispute>,
    /// The distrusted identities: what rests on the word of each is to be looked at again.
    pub rechecks: mpsc::UnboundedReceiver<WorkerIdentity>,
    /// The driver's thread.
    pub thread: Thread,
}

/// A task that the coordinator is to compute itself.
#[derive(Clone, Debug)]
pub struct Dispute {
    /// The task.
    pub task: Task,
    /// The epoch to settle it under.
    pub epoch: Epoch,
    /// The fuel that was claimed to be enough, if that is tested.
    pub within: Option<u64>,
}

struct Driver {
    disputes: mpsc::UnboundedSender<Dispute>,
    recheck: mpsc::UnboundedSender<WorkerIdentity>,
    /// The identities to be sent on `recheck` once the group is durable.
    rechecks: Vec<WorkerIdentity>,
    /// The identities on whose word results rest that are to be looked at again.
    rechecking: BTreeSet<WorkerIdentity>,
    /// The time at which the snapshot for operators was last made.
    published: Option<Millis>,
    store: Store,
    ledger: Ledger,
    /// The tasks of the ledger's window.
    tasks: HashMap<TaskId, Task>,
    /// The heads of all checkpoints in the store: checkpoints of unfinished long tasks.
    checkpoints: BTreeMap<TaskId, CheckpointHead>,
    progress: HashMap<TaskId, Progress>,
    workers: Workers,
    /// The position in the plan from which tasks are not yet admitted.
    cursor: u64,
    /// The changes of the current group.
    commit: Commit,
    traces: LeaseTraces,
    snapshots: watch::Sender<Snapshot>,
    /// Whether the driver ends with the current group.
    is_stopping: bool,
}

/// An answer, sent once the group is durable.
type Answer = Box<dyn FnOnce() + Send>;

impl Driver {
    fn begin(&mut self, stamp: Stamp) -> Result<(), StoreError> {
        let generation = self.store.generation();
        self.note(stamp, EventKind::Opened { generation });
        self.recall_checkpoints()?;
        self.advance(stamp)?;
        self.store.commit(&std::mem::take(&mut self.commit))?;
        self.store.release_blamed()?;
        self.refill(stamp)?;
        self.send_rechecks()?;
        self.publish(stamp.now, true);
        Ok(())
    }

    fn run(mut self, mut requests: mpsc::Receiver<Message>) -> Result<(), StoreError> {
        while !self.is_stopping {
            let Some(first) = requests.blocking_recv() else {
                break;
            };
            let stamp = first.stamp;
            let mut answers = Vec::new();
            let mut next = Some(first);
            while let Some(Message { stamp, work }) = next {
                answers.push(work(&mut self, stamp));
                let goes_on =
                    answers.len() < QUEUE && self.commit.finished.len() < FINISHED_TOGETHER;
                next = goes_on.then(|| requests.try_recv().ok()).flatten();
            }
            let commit = std::mem::take(&mut self.commit);
            self.store.commit(&commit)?;
            self.traces.committed();
            for &task in &commit.reopened {
                self.look_again_at(task)?;
            }
            if !commit.distrusted.is_empty() {
                let released = self.store.release_blamed()?;
                if released > 0 {
                    tracing::warn!(
                        released,
                        "tasks were in quarantine on the word of a distrusted worker; they are tried again"
                    );
                }
            }
            self.look_at_released();
            if self.ledger.is_nearly_spent() {
                let generation = self.store.begin_generation()?;
                tracing::warn!(
                    generation,
                    "the numbers of leases were used up; a new generation begins"
                );
                self.ledger.begin(generation);
            }
            self.advance(stamp)?;
            self.refill(stamp)?;
            self.send_rechecks()?;
            self.publish(stamp.now, self.is_stopping);
            for answer in answers {
                answer();
            }
        }
        if let Err(error) = self.store.write_tables() {
            tracing::warn!(%error, "the log stays as it is: everything in it is read from there");
        }
        Ok(())
    }
}
