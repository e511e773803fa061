//! The watch over a long computation: guards, signals and progress.
//!
//! Ctrl-C and SIGTERM, the time guard and the memory guard all raise the same [`Interrupt`]; the
//! computation then returns what it has. One thread handles all of them and shows the progress. A
//! second Ctrl-C ends the process at once, and so does the first if nothing is being computed: then
//! a result is being written, perhaps to a FIFO without a reader. A stop by a guard is not a
//! verdict: it is reported as interrupted (invariant A-5).

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use misere_census::quantity::{bytes, duration, write_bytes};
use misere_census::resident_memory;
use misere_game::control::Interrupt;

use crate::exit::{CommandError, Exit};
use crate::threads::ThreadsError;
use crate::{signals, threads};

/// The interval at which the guards are checked.
const TICK: Duration = Duration::from_millis(20);

/// The time before the first progress line.
const SHOWN_AFTER: Duration = Duration::from_millis(300);

/// The guards of a computation, which is reported as interrupted if they stop it.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
#[command(
    next_help_heading = "Guards (what they stop is reported as interrupted, without a verdict)"
)]
pub struct Guards {
    /// Stop after this much time, with what is known by then: 500ms, 10s, 5min, 1h
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub time_limit: Option<Duration>,
    /// Stop when the process uses more memory than this: 512MiB, 2GiB, 2GB
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub memory_limit: Option<u64>,
}

impl Guards {
    /// Returns the guards for the check of a result that was found within the time limit.
    ///
    /// The time limit is not among them: otherwise more time would give less, a result that is
    /// found and not printed.
    pub fn of_the_check(self) -> Self {
        Self {
            time_limit: None,
            ..self
        }
    }
}

/// The cause of a stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoppedBy {
    /// A signal: Ctrl-C, SIGTERM or SIGHUP.
    Signal,
    /// The time guard.
    Time(Duration),
    /// The memory guard.
    Memory(u64),
}

impl StoppedBy {
    /// Returns the advice that lets the computation run longer, after a semicolon.
    pub fn advice(self) -> &'static str {
        match self {
            Self::Signal => "",
            Self::Time(_) => "; raise --time-limit",
            Self::Memory(_) => "; raise --memory-limit",
        }
    }

    /// Returns the name of the cause in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Signal => "signal",
            Self::Time(_) => "time-limit",
            Self::Memory(_) => "memory-limit",
        }
    }
}

/// The reason why a computation cannot be watched.
#[derive(Debug, thiserror::Error)]
pub enum WatchError {
    /// The memory guard cannot read how much memory is in use.
    #[error(
        "--memory-limit needs /proc/self/statm, which this system lacks; limit the memory with \
         `ulimit -v` instead"
    )]
    NoMemoryGuard,
    /// The system refuses threads to this process.
    #[error(transparent)]
    Threads(#[from] ThreadsError),
    /// A signal handler could not be set up.
    #[error("cannot watch the computation: {0}")]
    Signals(std::io::Error),
}

impl CommandError for WatchError {}

/// A computation was stopped, by a guard or a signal, before it had a result.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct StoppedError(pub String);

impl CommandError for StoppedError {
    fn exit(&self) -> Exit {
        Exit::Interrupted
    }
}

/// Returns the failure of a computation that was stopped before something had happened.
pub fn stopped(by: Option<StoppedBy>, before: &str) -> StoppedError {
    let how = by.map_or_else(String::new, |by| format!(" {by}"));
    let advice = by.map_or("", StoppedBy::advice);
    StoppedError(format!("stopped{how} before {before}{advice}"))
}

impl std::fmt::Display for StoppedBy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Signal => write!(f, "by a signal"),
            Self::Time(limit) => write!(f, "after the time limit of {limit:?}"),
            Self::Memory(limit) => write!(f, "at the memory limit of {}", write_bytes(*limit)),
        }
    }
}

/// A watch over one computation, from [`start`](Self::start) to [`finish`](Self::finish).
pub struct Watch {
    stop: mpsc::Sender<()>,
    thread: JoinHandle<Option<StoppedBy>>,
    _counted: WatchGuard,
}

/// The number of watched computations, which end by themselves after a signal.
static WATCHED: AtomicUsize = AtomicUsize::new(0);

/// A watched computation, counted as long as this value lives.
pub struct WatchGuard(());

impl WatchGuard {
    /// Counts a computation that ends by itself after a signal.
    pub fn one() -> Self {
        WATCHED.fetch_add(1, Ordering::SeqCst);
        Self(())
    }

    /// Counts an extra computation for the rest of the process, after a signal.
    ///
    /// Each listener to signals has its own thread, and the one in this module may run only after
    /// the stopped command has ended.
    #[cfg(feature = "census")]
    pub fn for_good() {
        std::mem::forget(Self::one());
    }
}

impl Drop for WatchGuard {
    fn drop(&mut self) {
        WATCHED.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Watch {
    /// Starts watching the computation that listens to `interrupt`.
    ///
    /// `what` names the computation in the progress line.
    ///
    /// # Errors
    /// [`WatchError::NoMemoryGuard`] if a memory limit is requested but memory use cannot be
    /// read; [`WatchError::Signals`] if the signal handler or the thread cannot be set up.
    pub fn start(what: String, interrupt: &Interrupt, guards: Guards) -> Result<Self, WatchError> {
        Self::since(Instant::now(), what, interrupt, guards)
    }

    /// Starts watching a later part of work that began at `started`.
    ///
    /// The time limit counts from there.
    ///
    /// # Errors
    /// See [`start`](Self::start).
    pub fn since(
        started: Instant,
        what: String,
        interrupt: &Interrupt,
        guards: Guards,
    ) -> Result<Self, WatchError> {
        if guards.memory_limit.is_some() && memory_in_use().is_none() {
            return Err(WatchError::NoMemoryGuard);
        }
        threads::start()?;
        let counted = WatchGuard::one();
        let signalled = signalled()?;
        let (stop, stopped) = mpsc::channel();
        let interrupt = interrupt.clone();
        let thread = std::thread::Builder::new()
            .name("watch".to_owned())
            .spawn(move || watch(started, &what, &interrupt, guards, &signalled, &stopped))
            .map_err(|cause| ThreadsError::of(&cause))?;
        Ok(Self {
            stop,
            thread,
            _counted: counted,
        })
    }

    /// Ends the watch and the progress line.
    ///
    /// Returns the cause of the stop, if the computation was stopped.
    pub fn finish(self) -> Option<StoppedBy> {
        // The thread ends at this message or when the sender is gone; a watch that died stopped
        // nothing.
        let _ = self.stop.send(());
        let by = self.thread.join().ok().flatten();
        if by.is_some() {
            *LAST_STOP.lock().unwrap_or_else(PoisonError::into_inner) = by;
        }
        by
    }
}

/// The cause of the last stop of a computation of this process.
static LAST_STOP: Mutex<Option<StoppedBy>> = Mutex::new(None);

/// Returns the cause of the last stop of a computation, if one was stopped.
pub fn last_stop() -> Option<StoppedBy> {
    *LAST_STOP.lock().unwrap_or_else(PoisonError::into_inner)
}

fn watch(
    started: Instant,
    what: &str,
    interrupt: &Interrupt,
    guards: Guards,
    signalled: &AtomicBool,
    stopped: &mpsc::Receiver<()>,
) -> Option<StoppedBy> {
    let mut line = None;
    let mut by = None;
    while let Err(RecvTimeoutError::Timeout) = stopped.recv_timeout(TICK) {
        if by.is_none() {
            by = tripped_guard(guards, started.elapsed(), signalled);
            if by.is_some() {
                interrupt.raise();
            }
        }
        if line.is_none() && started.elapsed() >= SHOWN_AFTER && crate::terminal::shows_progress() {
            line = Some(progress_line());
        }
        if let Some(line) = &line {
            line.set_message(format!("{what}{}", so_far(interrupt)));
            line.tick();
        }
    }
    if let Some(line) = line {
        line.finish_and_clear();
    }
    by
}

fn tripped_guard(guards: Guards, elapsed: Duration, signalled: &AtomicBool) -> Option<StoppedBy> {
    if signalled.load(Ordering::Relaxed) {
        return Some(StoppedBy::Signal);
    }
    if let Some(limit) = guards.time_limit.filter(|&limit| elapsed >= limit) {
        return Some(StoppedBy::Time(limit));
    }
    let limit = guards.memory_limit?;
    memory_in_use()
        .filter(|&bytes| bytes > limit)
        .map(|_| StoppedBy::Memory(limit))
}

/// Describes the progress that the computation reports, and the memory in use.
fn so_far(interrupt: &Interrupt) -> String {
    let progress = interrupt.progress();
    let memory = memory_in_use()
        .map(|bytes| format!(", {}", write_bytes(bytes)))
        .unwrap_or_default();
    match progress.heap {
        0 => memory,
        heap => format!(
            ": heap {heap}, quotient of order {}{memory}",
            progress.order
        ),
    }
}

fn progress_line() -> ProgressBar {
    let line = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {msg}") {
        line.set_style(style);
    }
    line
}

/// Makes signals remove temporary files before they end the process.
///
/// # Errors
/// [`WatchError::Signals`] if the signal handler cannot be set up.
pub fn leave_nothing_when_stopped() -> Result<(), WatchError> {
    signalled().map(drop)
}

/// Returns the flag that is set when a signal arrives; the handler is set up once per process.
fn signalled() -> Result<Arc<AtomicBool>, WatchError> {
    static SIGNALLED: OnceLock<Arc<AtomicBool>> = OnceLock::new();
    if let Some(signalled) = SIGNALLED.get() {
        return Ok(Arc::clone(signalled));
    }
    let signalled = Arc::clone(SIGNALLED.get_or_init(Arc::default));
    let handler = Arc::clone(&signalled);
    signals::listen(move || {
        // Read first: the watched computation may have ended, because of this signal, by the next
        // line.
        let unwatched = WATCHED.load(Ordering::SeqCst) == 0;
        let again = handler.swap(true, Ordering::SeqCst);
        if again || unwatched {
            signals::end_at_once();
        }
    })
    .map_err(WatchError::Signals)?;
    Ok(signalled)
}

/// Returns the resident memory of this process in bytes, if the system provides it (Linux).
fn memory_in_use() -> Option<u64> {
    resident_memory::resident_bytes("self")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_guard_raises_the_interrupt() {
        let interrupt = Interrupt::default();
        let limit = Duration::from_millis(1);
        let guards = Guards {
            time_limit: Some(limit),
            memory_limit: None,
        };
        let watch = Watch::start("test".to_owned(), &interrupt, guards).unwrap();
        while !interrupt.is_raised() {
            std::thread::yield_now();
        }
        assert_eq!(watch.finish(), Some(StoppedBy::Time(limit)));
    }

    #[test]
    fn an_unguarded_computation_is_not_stopped() {
        let interrupt = Interrupt::default();
        let watch = Watch::start("test".to_owned(), &interrupt, Guards::default()).unwrap();
        assert_eq!(watch.finish(), None);
        assert!(!interrupt.is_raised());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_memory_guard_sees_the_memory() {
        assert!(memory_in_use().unwrap() > 100_000);
        let guards = Guards {
            time_limit: None,
            memory_limit: Some(1),
        };
        assert_eq!(
            tripped_guard(guards, Duration::ZERO, &AtomicBool::new(false)),
            Some(StoppedBy::Memory(1))
        );
    }
}
