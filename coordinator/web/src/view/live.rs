//! A census at work: its progress, the workers with their tasks, the failures.
//!
//! It is read once a second, regardless of the number of viewers.

use std::sync::Arc;
use std::time::{Duration, Instant};

use misere_census::TaskId;
use schemars::JsonSchema;
use serde::Serialize;
use tokio::sync::Mutex;

use misere_coordinator::observer::{CensusState, CensusStatus, Remaining, Worker};
use misere_report::completeness::Completeness;
use misere_store::marks::short;
use misere_store::{Counters, EventKind, Store};

use super::census::Census;
use super::error::RequestError;
use super::schema;

/// The interval at which the census is read.
pub(crate) const REFRESH_INTERVAL: Duration = Duration::from_secs(1);

/// The number of events that are shown.
const EVENTS: usize = 12;

/// The number of games in quarantine that are shown.
const QUARANTINE: usize = 50;

/// The state of a census.
///
/// Only a coordinator at work reports its tasks at hand, its pace and its workers.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub(crate) struct Live {
    #[schemars(with = "schema::State")]
    pub(crate) state: CensusState,
    /// The phrase for what the census lacks, if it lacks something.
    #[serde(skip)]
    pub(crate) lacks: Option<String>,
    pub(crate) counters: Progress,
    /// The number of tasks that no worker has yet.
    pub(crate) ready: Option<u64>,
    /// The number of tasks that workers have.
    pub(crate) leased: Option<u64>,
    /// The number of tasks whose certificates are being checked.
    pub(crate) checking: Option<u64>,
    /// The number of tasks that ended in each second of the last minute.
    pub(crate) per_second: Option<f64>,
    #[schemars(with = "Option<schema::Remaining>")]
    pub(crate) remaining: Option<Remaining>,
    #[schemars(with = "Vec<schema::Worker>")]
    pub(crate) workers: Vec<Worker>,
    /// The tasks that failed too often, only some of them if there are many.
    pub(crate) quarantine: Vec<FailedTask>,
    /// The latest events, the last one first.
    pub(crate) events: Vec<EventRow>,
}

/// The numbers of tasks by state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[schemars(rename = "Counters")]
pub(crate) struct Progress {
    pub(crate) tasks: u64,
    /// The number of codes of the games.
    codes: u64,
    /// The number of tasks that ended without reaching a limit of the plan.
    pub(crate) done: u64,
    /// The number of tasks that ended at a limit of the plan.
    pub(crate) exhausted: u64,
    /// The number of tasks that failed too often.
    pub(crate) quarantined: u64,
    /// The number of tasks that failed too often and were given up.
    pub(crate) dropped: u64,
    /// The number of tasks that are still to be done.
    pub(crate) pending: u64,
    /// The number of tasks with a record.
    #[serde(skip)]
    pub(crate) records: u64,
}

/// A task in quarantine.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[schemars(inline)]
pub(crate) struct FailedTask {
    /// What people call the task: the code of a game, or the order of a batch of construction
    /// schemes.
    pub(crate) task: String,
    pub(crate) attempts: u32,
    /// The failure of the last attempt.
    pub(crate) reason: String,
    /// Whether an operator gave the task up.
    pub(crate) dropped: bool,
}

/// An event.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[schemars(inline)]
pub(crate) struct EventRow {
    /// The time in milliseconds since 1970.
    pub(crate) at_ms: u64,
    pub(crate) says: String,
}

/// A census as a whole.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "Census")]
pub(crate) struct CensusView<'a> {
    /// The version of the API.
    #[schemars(with = "schema::One")]
    version: u32,
    #[schemars(with = "schema::State")]
    state: CensusState,
    counters: Progress,
    #[schemars(with = "schema::Completeness")]
    completeness: &'a Completeness,
}

impl<'a> CensusView<'a> {
    pub(crate) fn new(live: &Live, completeness: &'a Completeness) -> Self {
        Self {
            version: 1,
            state: live.state,
            counters: live.counters,
            completeness,
        }
    }
}

impl From<Counters> for Progress {
    fn from(counters: Counters) -> Self {
        Self {
            tasks: counters.tasks,
            codes: counters.codes,
            done: counters.done,
            exhausted: counters.exhausted,
            quarantined: counters.quarantined,
            dropped: counters.dropped,
            pending: counters.pending(),
            records: counters.records(),
        }
    }
}

/// The state of the census that was read last.
#[derive(Debug, Default)]
pub(super) struct Latest(Mutex<Option<(Instant, Arc<Live>)>>);

impl Latest {
    /// Returns the state of the census, read again if it is older than a second.
    pub(super) async fn or_read(
        &self,
        read: impl Future<Output = Result<Live, RequestError>>,
    ) -> Result<Arc<Live>, RequestError> {
        let mut latest = self.0.lock().await;
        if let Some((at, live)) = &*latest
            && at.elapsed() < REFRESH_INTERVAL.mul_f64(0.9)
        {
            return Ok(Arc::clone(live));
        }
        let live = Arc::new(read.await?);
        *latest = Some((Instant::now(), Arc::clone(&live)));
        Ok(live)
    }
}

impl Live {
    /// Returns the state of a census now. May block.
    pub(super) fn of(census: &Census) -> Result<Self, RequestError> {
        let standing = census.standing();
        let store = census.store()?;
        let status = CensusStatus::of(&store, standing, census.is_in_use());
        let quarantine = match status.counters.quarantined + status.counters.dropped {
            0 => Vec::new(),
            _ => quarantine(&store)?,
        };
        let events = store.latest_events(EVENTS)?;
        let events = events.into_iter().map(|event| EventRow {
            at_ms: event.at_ms,
            says: happening(&store, event.what),
        });
        let lacks = status.lacks();
        let standing = status.live.as_ref();
        Ok(Self {
            state: status.state,
            lacks,
            counters: status.counters.into(),
            ready: standing.map(|live| live.ready),
            leased: standing.map(|live| live.leased),
            checking: standing.map(|live| live.checking),
            per_second: standing.and_then(|live| live.per_second),
            remaining: standing.map(|live| live.remaining),
            quarantine,
            events: events.collect(),
            workers: status.live.map(|live| live.workers).unwrap_or_default(),
        })
    }
}

fn quarantine(store: &Store) -> Result<Vec<FailedTask>, RequestError> {
    let quarantined = store.quarantined()?;
    let failed = quarantined
        .into_iter()
        .take(QUARANTINE)
        .map(|(_, why)| FailedTask {
            task: why.name,
            attempts: why.failures,
            reason: why.failure.to_string(),
            dropped: why.dropped,
        });
    Ok(failed.collect())
}

fn happening(store: &Store, what: EventKind) -> String {
    let game = |task: TaskId| match store.task(task) {
        Ok(Some(stored)) => stored.task.to_string(),
        _ => format!("task {task}"),
    };
    match what {
        EventKind::Opened { generation } => match generation {
            1 => "opened for writing for the first time".to_owned(),
            generation => format!("opened for writing; {generation} times in all"),
        },
        EventKind::WorkerJoined { name, .. } => format!("worker {name} joined"),
        EventKind::WorkerLeft { worker } => format!("worker {worker} left"),
        EventKind::CertificateRefused { task, reason, .. } => {
            format!("a certificate of {} was refused: {reason}", game(task))
        }
        EventKind::AttemptFailed {
            task,
            failures,
            failure,
        } => format!("{} failed ({failures}): {failure}", game(task)),
        EventKind::Quarantined { task } => format!("{} failed too often", game(task)),
        EventKind::Released { task } => format!("{} is to be tried again", game(task)),
        EventKind::Dropped { task } => format!("{} was given up", game(task)),
        EventKind::Migrated { from } => format!("brought up from format {from}"),
        EventKind::WorkerDistrusted { identity, why } => {
            let marked = store.marked().unwrap_or_default();
            let marked = marked.into_iter().find(|mark| mark.identity == identity);
            let name = marked.map_or_else(|| short(identity), |mark| mark.name);
            format!("worker {name} is no longer trusted: {why}")
        }
        EventKind::WorkerHeldBack { name, why, .. } => {
            format!("worker {name} is held back: {why}")
        }
        EventKind::WorkerEvicted { name, .. } => format!("worker {name} was sent away"),
        EventKind::WorkerBanned { name, .. } => format!("worker {name} was banned"),
        EventKind::WorkerPardoned { name, .. } => format!("worker {name} was pardoned"),
        EventKind::Split { task, children } => {
            format!("{} was replaced by {children} tasks", game(task))
        }
    }
}
