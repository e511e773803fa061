//! The page of a census at work: its progress, the workers with their tasks, the failures.
//!
//! Changes are sent as server-sent events; without scripts the browser reloads the page by itself.
//! The census is read once a second, regardless of the number of viewers.

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use askama::Template;
use axum::extract::State;
use axum::response::IntoResponse;
use axum::response::sse::{Event, KeepAlive, Sse};
use misere_census::TaskId;
use tokio::sync::{Mutex, mpsc};
use tokio_stream::wrappers::ReceiverStream;

use misere_coordinator::observer::{CensusStatus, LiveStatus, Remaining};
use misere_store::marks::short;
use misere_store::{Counters, EventKind, Store};

use super::error::PageError;
use super::links::Link;
use super::shell::Shell;
use super::site::{Page, Site};

/// The interval at which the census is read.
const REFRESH_INTERVAL: Duration = Duration::from_secs(1);

/// The number of events that are shown.
const EVENTS: usize = 12;

/// The number of games in quarantine that are shown.
const QUARANTINE: usize = 50;

/// The state of a census at work.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Live {
    pub(crate) status: CensusStatus,
    pub(crate) quarantine: Vec<FailedTask>,
    pub(crate) events: Vec<EventRow>,
}

/// A game in quarantine.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FailedTask {
    pub(crate) task: String,
    pub(crate) failures: u32,
    pub(crate) reason: String,
    pub(crate) dropped: bool,
}

/// A row of the list of events.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct EventRow {
    pub(crate) at_ms: u64,
    pub(crate) what: String,
}

/// The state of the census that was read last.
#[derive(Debug, Default)]
pub(crate) struct Latest(Mutex<Option<(Instant, Arc<Live>)>>);

/// Returns the state of the census, as read within the last second.
pub(crate) async fn live(site: &Site) -> Result<Arc<Live>, PageError> {
    let mut latest = site.latest().0.lock().await;
    if let Some((at, live)) = &*latest
        && at.elapsed() < REFRESH_INTERVAL.mul_f64(0.9)
    {
        return Ok(Arc::clone(live));
    }
    let live = Arc::new(site.block(read_live).await?);
    *latest = Some((Instant::now(), Arc::clone(&live)));
    Ok(live)
}

fn read_live(site: &Site) -> Result<Live, PageError> {
    let census = site.census();
    let standing = census.standing();
    let store = census.store()?;
    let status = CensusStatus::of(&store, standing, census.is_in_use());
    let quarantine = match status.counters.quarantined + status.counters.dropped {
        0 => Vec::new(),
        _ => quarantine(&store)?,
    };
    let events = store.latest_events(EVENTS)?;
    Ok(Live {
        quarantine,
        events: events
            .into_iter()
            .map(|event| EventRow {
                at_ms: event.at_ms,
                what: happening(&store, event.what),
            })
            .collect(),
        status,
    })
}

fn quarantine(store: &Store) -> Result<Vec<FailedTask>, PageError> {
    let quarantined = store.quarantined()?;
    let failed = quarantined
        .into_iter()
        .take(QUARANTINE)
        .map(|(_, why)| FailedTask {
            task: why.name,
            failures: why.failures,
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

impl Live {
    /// Returns the phrase for the state of the census.
    fn state(&self) -> String {
        let state = self.status.state;
        match self.status.lacks() {
            Some(lacks) => format!("{state}: {lacks}"),
            None => state.to_string(),
        }
    }

    /// Returns the numbers of tasks by state.
    pub(crate) fn counters(&self) -> Counters {
        self.status.counters
    }

    /// Returns the state that the coordinator reports, if one is at work.
    pub(crate) fn standing(&self) -> Option<&LiveStatus> {
        self.status.live.as_ref()
    }

    /// Returns the number of rulesets with a record; those in quarantine or dropped have none.
    fn recorded(&self) -> u64 {
        self.counters().records()
    }

    fn percent(&self) -> String {
        match self.counters().tasks {
            0 => "0".to_owned(),
            // Rounded down, so that 100 % means all.
            tasks => {
                let permille = self.recorded().saturating_mul(1_000) / tasks;
                format!("{}.{}", permille / 10, permille % 10)
            }
        }
    }

    /// Returns the tasks by state: a name for people, a class for the style sheet, the number.
    fn states(&self) -> Vec<(&'static str, &'static str, u64)> {
        let mut states = vec![
            ("settled", "done", self.counters().done),
            (
                "at a limit of the plan",
                "exhausted",
                self.counters().exhausted,
            ),
        ];
        match self.standing() {
            Some(live) => states.extend([
                ("being checked", "checking", live.checking),
                ("with workers", "leased", live.leased),
                ("to do", "ready", live.ready),
            ]),
            None => states.push(("to do", "ready", self.counters().pending())),
        }
        states.extend([
            ("in quarantine", "quarantined", self.counters().quarantined),
            ("given up", "dropped", self.counters().dropped),
        ]);
        states
    }

    fn pace(&self) -> Option<String> {
        let pace = self.standing()?.per_second?;
        Some(format!("{pace:.1} games per second"))
    }

    fn remaining(&self) -> String {
        match self.standing().map(|live| live.remaining) {
            None if self.counters().pending() == 0 => "nothing".to_owned(),
            None | Some(Remaining::Unknown) => "unknown".to_owned(),
            Some(Remaining::Nothing) => "nothing".to_owned(),
            Some(Remaining::Between {
                at_least,
                likely,
                at_most,
            }) => {
                let most = at_most.map_or("no bound known".to_owned(), span);
                format!("about {} ({} to {most})", span(likely), span(at_least))
            }
        }
    }

    fn workers(&self) -> Vec<WorkerRow> {
        let Some(standing) = self.standing() else {
            return Vec::new();
        };
        let rows = standing.workers.iter().map(|worker| WorkerRow {
            name: worker.name.clone(),
            number: worker.worker.clone(),
            threads: worker.threads,
            running: worker
                .running
                .iter()
                .map(|task| Running {
                    link: task.code.parse().ok().map(|code| Link::to_game(&code)),
                    code: task.code.clone(),
                    heap: task.heap,
                    order: task.order,
                    lasting: span(task.running_ms as f64 / 1000.0),
                })
                .collect(),
        });
        rows.collect()
    }
}

struct WorkerRow {
    name: String,
    number: String,
    threads: u32,
    running: Vec<Running>,
}

struct Running {
    link: Option<Link>,
    code: String,
    heap: u32,
    order: u32,
    lasting: String,
}

/// Returns a time given in seconds, in its two greatest units.
fn span(seconds: f64) -> String {
    let seconds = seconds.max(0.0).round() as u64;
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3_600 => format!("{} min {} s", seconds / 60, seconds % 60),
        3_600..86_400 => format!("{} h {} min", seconds / 3_600, seconds / 60 % 60),
        _ => format!("{} d {} h", seconds / 86_400, seconds / 3_600 % 24),
    }
}

impl EventRow {
    /// Returns the time since the event.
    fn ago(&self) -> String {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let now = u64::try_from(now.unwrap_or_default().as_millis()).unwrap_or(u64::MAX);
        format!(
            "{} ago",
            span(now.saturating_sub(self.at_ms) as f64 / 1000.0)
        )
    }
}

#[derive(Template)]
#[template(path = "live_now.html")]
struct Now<'a> {
    live: &'a Live,
}

#[derive(Template)]
#[template(path = "live.html")]
struct LivePage {
    shell: Shell,
    now: String,
}

/// Serves the page.
pub(super) async fn page(State(site): State<Site>) -> Result<Page, PageError> {
    let live = live(&site).await?;
    site.read(move |store| {
        Page::set(&LivePage {
            shell: Shell::of(store, "/live", "Live"),
            now: Now { live: &live }.render()?,
        })
    })
    .await
}

/// Serves the contents of the page as server-sent events.
pub(super) async fn events(State(site): State<Site>) -> Result<impl IntoResponse, PageError> {
    stream(site, |live| {
        let html = Now { live }.render()?;
        Ok(Event::default().event("now").data(html))
    })
}

/// Returns the stream of the states of the census, one for each change.
///
/// It ends when the viewer is gone.
pub(crate) fn stream(
    site: Site,
    event: impl Fn(&Live) -> Result<Event, PageError> + Send + Sync + 'static,
) -> Result<impl IntoResponse, PageError> {
    let seat = site.viewers().try_acquire_owned();
    let seat = seat.map_err(|_| PageError::Busy)?;
    let (sender, receiver) = mpsc::channel(2);
    tokio::spawn(async move {
        let mut shown: Option<Arc<Live>> = None;
        let mut beat = tokio::time::interval(REFRESH_INTERVAL);
        loop {
            beat.tick().await;
            if sender.is_closed() {
                break;
            }
            // A census that cannot be read now may be readable in a second.
            let Ok(live) = live(&site).await else {
                continue;
            };
            if shown.as_ref() == Some(&live) {
                continue;
            }
            let Ok(event) = event(&live) else { break };
            if sender
                .send(Ok::<_, std::convert::Infallible>(event))
                .await
                .is_err()
            {
                break;
            }
            shown = Some(live);
        }
        drop(seat);
    });
    let events = Sse::new(ReceiverStream::new(receiver));
    Ok(events.keep_alive(KeepAlive::default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_two_units() {
        let spans = [0.4, 59.0, 61.0, 3_700.0, 90_000.0].map(span);
        assert_eq!(spans, ["0 s", "59 s", "1 min 1 s", "1 h 1 min", "1 d 1 h"]);
    }
}
