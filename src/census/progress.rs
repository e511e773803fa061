//! The display of progress for a person who waits for a census.
//!
//! On a terminal it is a bar with rate, time left and the running games; elsewhere it is a plain
//! line at intervals, so that a log shows activity.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use misere_coordinator::driver::Snapshot;

/// The interval of the lines of progress where there is no terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(30);

/// The greatest number of running games that are named.
const NAMED: usize = 4;

/// The display of snapshots as they arrive.
pub struct Progress {
    started: Instant,
    /// The number of tasks finished before this run, which do not count towards its pace.
    before: u64,
    bar: Option<ProgressBar>,
    last_line: Instant,
}

impl Progress {
    /// Begins the display of a run that starts from a snapshot.
    pub fn start(snapshot: &Snapshot) -> Self {
        let before = snapshot.finished();
        let bar = crate::terminal::shows_progress().then(|| bar(snapshot.counters.tasks, before));
        let now = Instant::now();
        let progress = Self {
            started: now,
            before,
            bar,
            last_line: now,
        };
        if progress.bar.is_none() && !crate::terminal::is_quiet() {
            notice!("{}", progress.line(snapshot));
        }
        progress
    }

    /// Shows a snapshot of the census.
    pub fn show(&mut self, snapshot: &Snapshot) {
        match &self.bar {
            Some(bar) => {
                bar.set_length(snapshot.counters.tasks);
                bar.set_position(snapshot.finished());
                let rate = self
                    .rate(snapshot)
                    .map_or(String::new(), |rate| format!("{rate:.1}/s"));
                let left = self
                    .left(snapshot)
                    .map_or(String::new(), |left| format!(", {left} left"));
                let level = level(snapshot);
                bar.set_message(format!("{rate}{left}{level}{}", at_hand(snapshot)));
                bar.tick();
            }
            None if crate::terminal::is_quiet() => {}
            None if self.last_line.elapsed() >= LINE_INTERVAL => {
                self.last_line = Instant::now();
                notice!("{}", self.line(snapshot));
            }
            None => {}
        }
    }

    /// Removes the progress bar.
    pub fn finish(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }

    fn line(&self, snapshot: &Snapshot) -> String {
        let left = self
            .left(snapshot)
            .map_or(String::new(), |left| format!(", {left} left"));
        let (finished, tasks) = (snapshot.finished(), snapshot.counters.tasks);
        let tasks_are = match snapshot.level {
            None => "rulesets",
            Some(_) => "tasks",
        };
        format!(
            "census: {finished} of {tasks} {tasks_are} done{left}{}{}",
            level(snapshot),
            at_hand(snapshot)
        )
    }

    /// Returns the number of tasks per second of this run.
    fn rate(&self, snapshot: &Snapshot) -> Option<f64> {
        let done = snapshot.finished() - self.before;
        let seconds = self.started.elapsed().as_secs_f64();
        (done > 0 && seconds > 0.5).then(|| done as f64 / seconds)
    }

    fn left(&self, snapshot: &Snapshot) -> Option<String> {
        let seconds = snapshot.counters.pending() as f64 / self.rate(snapshot)?;
        let seconds = seconds.round() as u64;
        Some(match seconds {
            0..=90 => format!("about {seconds} s"),
            91..=5400 => format!("about {} min", seconds.div_ceil(60)),
            _ => format!("about {} h", seconds.div_ceil(3600)),
        })
    }
}

fn bar(tasks: u64, done: u64) -> ProgressBar {
    let bar = ProgressBar::new(tasks).with_position(done);
    if let Ok(style) =
        ProgressStyle::with_template("{elapsed_precise} {bar:30} {pos}/{len} {wide_msg}")
    {
        bar.set_style(style);
    }
    bar
}

/// Describes the current level of the quotients.
///
/// The work of later levels is unknown until they exist.
fn level(snapshot: &Snapshot) -> String {
    snapshot.level.map_or(String::new(), |(level, most)| {
        format!(
            "; quotients of order {} of {most}: {} of {} batches, {} found",
            level.order, level.settled, level.tasks, level.constructions
        )
    })
}

/// Describes the games that have been computed longest, with their progress.
fn at_hand(snapshot: &Snapshot) -> String {
    let mut running: Vec<_> = snapshot
        .workers
        .iter()
        .flat_map(|worker| &worker.running)
        .collect();
    running.sort_by_key(|task| std::cmp::Reverse(task.running_ms));
    let named: Vec<String> = running
        .iter()
        .take(NAMED)
        .map(|task| {
            format!(
                "{} (heap {}, order {})",
                task.name, task.progress.heap, task.progress.order
            )
        })
        .collect();
    let more = running.len().saturating_sub(NAMED);
    match (named.is_empty(), more) {
        (true, _) => String::new(),
        (false, 0) => format!("; now {}", named.join(", ")),
        (false, more) => format!("; now {} and {more} more", named.join(", ")),
    }
}
