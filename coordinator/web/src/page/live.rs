//! The page of a census at work: its progress, the workers with their tasks, the failures.
//!
//! Changes are sent as server-sent events; without scripts the browser reloads the page by itself.

use std::time::{SystemTime, UNIX_EPOCH};

use askama::Template;
use axum::extract::State;
use axum::response::IntoResponse;
use axum::response::sse::Event;

use misere_coordinator::observer::Remaining;

use super::links::Link;
use super::shell::Shell;
use super::template::Page;
use crate::request::events::stream;
use crate::view::error::RequestError;
use crate::view::live::{EventRow, Live};
use crate::view::site::Site;

#[derive(Template)]
#[template(path = "live_now.html")]
struct Now<'a> {
    live: &'a Live,
}

impl Now<'_> {
    /// Returns the phrase for the state of the census.
    fn state(&self) -> String {
        let state = self.live.state;
        match &self.live.lacks {
            Some(lacks) => format!("{state}: {lacks}"),
            None => state.to_string(),
        }
    }

    fn percent(&self) -> String {
        let counters = self.live.counters;
        match counters.tasks {
            0 => "0".to_owned(),
            // Rounded down, so that 100 % means all.
            tasks => {
                let permille = counters.records.saturating_mul(1_000) / tasks;
                format!("{}.{}", permille / 10, permille % 10)
            }
        }
    }

    /// Returns the tasks by state: a name for people, a class for the style sheet, the number.
    fn states(&self) -> Vec<(&'static str, &'static str, u64)> {
        let live = self.live;
        let counters = live.counters;
        let mut states = vec![
            ("settled", "done", counters.done),
            ("at a limit of the plan", "exhausted", counters.exhausted),
        ];
        match (live.checking, live.leased, live.ready) {
            (Some(checking), Some(leased), Some(ready)) => states.extend([
                ("being checked", "checking", checking),
                ("with workers", "leased", leased),
                ("to do", "ready", ready),
            ]),
            _ => states.push(("to do", "ready", counters.pending)),
        }
        states.extend([
            ("in quarantine", "quarantined", counters.quarantined),
            ("given up", "dropped", counters.dropped),
        ]);
        states
    }

    fn pace(&self) -> Option<String> {
        let pace = self.live.per_second?;
        Some(format!("{pace:.1} games per second"))
    }

    fn remaining(&self) -> String {
        match self.live.remaining {
            None if self.live.counters.pending == 0 => "nothing".to_owned(),
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
        let rows = self.live.workers.iter().map(|worker| WorkerRow {
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

    /// Returns the time since an event.
    fn ago(&self, event: &EventRow) -> String {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let now = u64::try_from(now.unwrap_or_default().as_millis()).unwrap_or(u64::MAX);
        format!(
            "{} ago",
            span(now.saturating_sub(event.at_ms) as f64 / 1000.0)
        )
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

#[derive(Template)]
#[template(path = "live.html")]
struct LivePage {
    shell: Shell,
    now: String,
}

/// Serves the page.
pub(super) async fn page(State(site): State<Site>) -> Result<Page, RequestError> {
    let live = site.live().await?;
    site.block(move |site| {
        let store = site.census().store()?;
        Page::set(&LivePage {
            shell: Shell::of(site, &store, "/live", "Live"),
            now: Now { live: &live }.render()?,
        })
    })
    .await
}

/// Serves the contents of the page as server-sent events.
pub(super) async fn events(State(site): State<Site>) -> Result<impl IntoResponse, RequestError> {
    stream(site, |live| {
        let html = Now { live }.render()?;
        Ok(Event::default().event("now").data(html))
    })
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
