//! The main loop of a worker.
//!
//! The loop carries out the decisions of a session ([`misere_session`]): it makes the calls to the
//! coordinator, has tasks computed, sends results, and passes the outcomes and their times to the
//! session. If the coordinator is away, the computations go on and the loop keeps trying.

use std::collections::BTreeMap;
use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;
use std::time::{Duration, Instant};

use misere_census::{InterruptCause, Lease, MemoryClass, WorkerId};
use misere_proto::{AddressError, RefusalKind, Security, dial};
use misere_session::{
    CHECK_INTERVAL, Config, GrantedLease, Input, Output, Renewal, Session, Timestamp,
};
use tokio::sync::{mpsc, watch};
use tracing::{Instrument, Span};

use crate::backoff::Backoff;
use crate::child::Isolation;
use crate::delivery::{Report, deliver};
use crate::guard::{self, Guards};
use crate::link::{self, LeasedTask, Leases, Link, LinkError, Welcome};
use crate::liveness::SignOfLife;
use crate::pool::{Pool, Solver};
use calls::Answer;
use jobs::{Event, Job};

mod calls;
mod jobs;

/// The time for which the loop collects events while the threads have enough to do.
const BATCH_WINDOW: Duration = Duration::from_millis(1);

/// The time in which the threads of an ended worker, and their children, have to end.
const POOL_CLOSE_TIMEOUT: Duration = Duration::from_secs(1);

/// The settings of a worker.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The coordinator's address, as `http://127.0.0.1:4000`.
    pub coordinator: String,
    /// The worker's name, for people.
    pub name: String,
    /// The number of tasks that the worker computes at once.
    pub slots: usize,
    /// The limits of what computations may use of this machine.
    pub guards: Guards,
    /// The tasks that are computed in a process of their own, and the limits of such a process.
    pub isolation: Isolation,
    /// The time for which running tasks may go on after the worker was asked to stop.
    pub grace: Duration,
    /// The file that is touched while the worker is alive, if any.
    pub sign_of_life: Option<PathBuf>,
    /// The greatest memory class of tasks it takes.
    pub memory_class: MemoryClass,
    /// The least time between two submitted checkpoints of a task.
    ///
    /// The last one is submitted when the task is stopped.
    pub checkpoint_every: Duration,
    /// The time for which the worker waits for a coordinator that is away or refuses it.
    ///
    /// `None` means forever.
    pub give_up_after: Option<Duration>,
}

/// The default of the time for which a worker waits for a coordinator.
pub const GIVE_UP_AFTER: Duration = Duration::from_secs(24 * 60 * 60);

/// The default of the interval at which checkpoints are submitted.
pub const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(30);

/// The reason why a worker ends, other than a request or the end of the census.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// The coordinator's address cannot be used.
    #[error(transparent)]
    Address(#[from] AddressError),
    /// The system refuses the threads.
    #[error("cannot start the computing threads: {0}")]
    Threads(#[source] std::io::Error),
    /// The coordinator does not understand this worker, or vice versa.
    #[error("the coordinator refuses this worker: {0}")]
    Refused(#[from] LinkError),
    /// The coordinator could not be reached within the worker's limit.
    #[error("no coordinator for {}, so this worker ends: {why}", format_duration(.after))]
    Away {
        /// The limit.
        after: Duration,
        /// The reason why the last connection could not be made.
        why: String,
    },
}

/// Returns a time in words, without unhelpful fractions.
pub(crate) fn format_duration(time: &Duration) -> String {
    match time.as_secs() {
        0 => format!("{time:?}"),
        seconds if seconds % 86_400 == 0 => format!("{} d", seconds / 86_400),
        seconds if seconds % 3_600 == 0 => format!("{} h", seconds / 3_600),
        seconds if seconds % 60 == 0 => format!("{} min", seconds / 60),
        seconds => format!("{seconds} s"),
    }
}

/// Works for a coordinator on this machine until `stop` turns true or the census is finished.
///
/// # Errors
/// Like [`run_secured`].
pub async fn run(
    settings: Settings,
    solver: impl Into<Solver>,
    stop: watch::Receiver<bool>,
) -> Result<(), WorkerError> {
    run_secured(settings, &Security::Loopback, solver, stop).await
}

/// Works until `stop` turns true or the census is finished.
///
/// # Errors
/// [`WorkerError`] if the worker cannot start, or if the two sides do not understand each other. It
/// waits for a coordinator that is away, as long as the settings say.
pub async fn run_secured(
    settings: Settings,
    security: &Security,
    solver: impl Into<Solver>,
    stop: watch::Receiver<bool>,
) -> Result<(), WorkerError> {
    let (channel, last_fault) = dial(&settings.coordinator, security)?;
    let link = Link::over(channel).explained_by(last_fault);
    run_over(link, settings, solver, stop).await
}

/// Works over a link until `stop` turns true or the census is finished.
///
/// The coordinator's address in the settings is not used.
///
/// # Errors
/// Like [`run_secured`], except for the address.
pub async fn run_over(
    link: Link,
    settings: Settings,
    solver: impl Into<Solver>,
    stop: watch::Receiver<bool>,
) -> Result<(), WorkerError> {
    let pool =
        Pool::new(settings.slots, solver, &settings.isolation).map_err(WorkerError::Threads)?;
    // Enabled at every log level, until the worker has a number.
    let span = tracing::error_span!("worker", called = settings.name);
    work(settings, link, pool, stop).instrument(span).await
}

/// The call to the coordinator that is in flight.
type CallInFlight = Pin<Box<dyn Future<Output = Result<Answer, LinkError>> + Send>>;

/// The next step after a round of the loop.
enum Next {
    Round,
    /// The worker ends, with its number, if it has one.
    End {
        worker: Option<WorkerId>,
    },
}

struct Worker {
    settings: Settings,
    session: Session,
    /// The instant from which the session counts time.
    origin: Instant,
    pool: Pool,
    link: Link,
    backoff: Backoff,
    call: Option<CallInFlight>,
    /// Everything about the leases that the session holds.
    jobs: BTreeMap<Lease, Job>,
    events: mpsc::UnboundedSender<Event>,
    deliveries: mpsc::UnboundedSender<Report>,
    /// The time at which the memory was last compared with its limit.
    memory_checked: Option<Instant>,
    /// The coordinator's last reason to give it no tasks.
    reserved: String,
    /// The reason why the last call failed.
    fault: String,
    is_draining: bool,
    sign_of_life: Option<SignOfLife>,
    /// The span for log messages.
    span: Span,
}

async fn work(
    settings: Settings,
    link: Link,
    pool: Pool,
    mut stop: watch::Receiver<bool>,
) -> Result<(), WorkerError> {
    let (sender, mut events) = mpsc::unbounded_channel();
    let (deliveries, reports) = mpsc::unbounded_channel();
    let delivered = sender.clone();
    let delivered = move |answers| {
        // Sending fails only if the worker is gone.
        let _ = delivered.send(Event::Delivered(answers));
    };
    let delivery = deliver(link.clone(), settings.slots, reports, delivered);
    tokio::spawn(delivery.instrument(Span::current()));
    let config = Config {
        slots: settings.slots,
        time_limit: settings.guards.time,
        grace: settings.grace,
        checkpoint_every: settings.checkpoint_every,
        give_up_after: settings.give_up_after,
    };
    let mut worker = Worker {
        session: Session::new(config, Timestamp::default()),
        origin: Instant::now(),
        pool,
        link,
        backoff: Backoff::default(),
        call: None,
        jobs: BTreeMap::new(),
        events: sender,
        deliveries,
        memory_checked: None,
        reserved: String::new(),
        fault: String::new(),
        is_draining: false,
        sign_of_life: settings.sign_of_life.clone().map(SignOfLife::new),
        settings,
        span: Span::current(),
    };
    loop {
        let span = worker.span.clone();
        let round = worker.round(&mut stop, &mut events);
        if let Next::End { worker: number } = round.instrument(span.clone()).await? {
            worker.end(number).instrument(span).await;
            return Ok(());
        }
    }
}

impl Worker {
    /// Carries out the session's outputs, and waits for the next event.
    async fn round(
        &mut self,
        stop: &mut watch::Receiver<bool>,
        events: &mut mpsc::UnboundedReceiver<Event>,
    ) -> Result<Next, WorkerError> {
        let now = Instant::now();
        self.sign_of_life.iter_mut().for_each(|sign| sign.give(now));
        if *stop.borrow() {
            self.session.input(Input::Drain, self.timestamp(now));
        }
        self.check_memory(now);
        for output in self.session.step(self.timestamp(now)) {
            if let Next::End { worker } = self.execute(output)? {
                return Ok(Next::End { worker });
            }
        }
        if self.session.is_busy() {
            tokio::time::sleep(BATCH_WINDOW).await;
        }
        let wake = self.session.wake(self.timestamp(now));
        let pause = wake.since(self.timestamp(Instant::now()));
        let call = &mut self.call;
        let answer = async {
            match call {
                Some(call) => call.await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            // A flood of results must not keep the next tasks waiting.
            biased;
            answer = answer => {
                self.call = None;
                self.on_answer(answer)?;
            }
            event = events.recv() => {
                // This worker holds a sender itself, so the channel never closes.
                event.into_iter().for_each(|event| self.on_event(event));
                while let Ok(event) = events.try_recv() {
                    self.on_event(event);
                }
            }
            Ok(()) = stop.changed() => {}
            () = tokio::time::sleep(pause) => {}
        }
        Ok(Next::Round)
    }

    /// Returns the time in the form of the session.
    fn timestamp(&self, at: Instant) -> Timestamp {
        Timestamp(at.saturating_duration_since(self.origin))
    }

    /// Passes an event that has just happened to the session.
    fn input(&mut self, input: Input) {
        let now = self.timestamp(Instant::now());
        self.session.input(input, now);
    }

    /// Handles the answer to the call that was in flight.
    fn on_answer(&mut self, answer: Result<Answer, LinkError>) -> Result<(), WorkerError> {
        let answer = match answer {
            Ok(answer) => answer,
            Err(error) => return self.on_refusal(error),
        };
        self.backoff.reset();
        match answer {
            Answer::Registered(welcome) => {
                self.span = self.span_of(&welcome);
                self.span.in_scope(|| tracing::info!("joined"));
                let Welcome { worker, lease, .. } = welcome;
                self.input(Input::Registered { worker, lease });
            }
            Answer::Leased(worker, leases) => self.on_leases(worker, leases),
            Answer::Renewed(renewed) => self.input(Input::Renewed(translated(renewed))),
        }
        Ok(())
    }

    /// Reacts to a call that was refused, or that did not arrive.
    fn on_refusal(&mut self, error: LinkError) -> Result<(), WorkerError> {
        match error.kind() {
            RefusalKind::GiveUp => return Err(error.into()),
            RefusalKind::Register => {
                tracing::info!("the coordinator does not know this worker; starting over");
                self.input(Input::UnknownWorker);
            }
            // A message that is too large is smaller next time: fewer leases held, or fewer tasks
            // granted.
            RefusalKind::Retry | RefusalKind::Oversize => {
                let pause = self.backoff.next_pause();
                let fault = self.link.last_fault();
                self.input(Input::Unanswered { pause });
                if !self.session.is_ended() {
                    self.backoff.log(&error, fault.as_ref());
                }
                self.fault = fault.map_or_else(|| error.to_string(), |fault| fault.to_string());
            }
        }
        Ok(())
    }

    fn on_leases(&mut self, worker: WorkerId, leases: Leases) {
        let Leases {
            leased,
            renewed,
            finished,
            retry,
            reserved,
        } = leases;
        if leased.is_empty() {
            self.log_reserved(reserved);
        }
        let mut granted = Vec::with_capacity(leased.len());
        for leased in leased {
            let LeasedTask { epoch, resumed, .. } = leased;
            let task = leased.task.id();
            let lease = Lease { task, epoch };
            self.jobs.insert(lease, Job::new(worker, leased));
            granted.push(GrantedLease { lease, resumed });
        }
        self.input(Input::Leased {
            granted,
            renewed: translated(renewed),
            finished,
            retry,
        });
    }

    /// Logs why the worker gets no tasks, once for each reason.
    ///
    /// The text ends with the duration or other figures.
    fn log_reserved(&mut self, reserved: String) {
        let kind = |why: &str| {
            why.chars()
                .filter(|c| !c.is_ascii_digit())
                .collect::<String>()
        };
        if !reserved.is_empty() && kind(&reserved) != kind(&self.reserved) {
            let why = &reserved;
            tracing::warn!(why, "the coordinator gives this worker no games on purpose");
        }
        self.reserved = reserved;
    }

    /// Returns the span for log messages: the worker's number, and its census.
    ///
    /// Each number has a span of its own, so that log lines do not grow with every number that a
    /// worker had.
    fn span_of(&self, welcome: &Welcome) -> Span {
        let (called, census) = (&self.settings.name, &welcome.census);
        tracing::error_span!(parent: None, "worker", called, worker = %welcome.worker, census)
    }

    /// Stops the task with the largest quotient if the memory is scarce.
    fn check_memory(&mut self, now: Instant) {
        let Some(limit) = self.settings.guards.memory else {
            return;
        };
        let checked = self.memory_checked;
        if checked.is_some_and(|last| now < last + CHECK_INTERVAL) {
            return;
        }
        self.memory_checked = Some(now);
        let resident = guard::resident_bytes(&self.pool.living().pids());
        if resident.is_none_or(|resident| resident <= limit) {
            return;
        }
        let order = |lease: &Lease| self.jobs.get(lease).map(|job| job.progress().order);
        let largest = self.session.running().max_by_key(order);
        if let Some(lease) = largest {
            self.input(Input::Guarded(lease, InterruptCause::MemoryGuard));
        }
    }

    /// Carries out an output of the session.
    fn execute(&mut self, output: Output) -> Result<Next, WorkerError> {
        match output {
            Output::Call(call) => self.call = Some(self.call(call)),
            Output::Fetch(lease) => self.fetch(lease),
            Output::Start(lease) => self.start(lease),
            Output::Interrupt(lease, cause) => self.interrupt(lease, cause),
            Output::HandIn(lease) => self.submit(lease),
            Output::Report(lease, cause) => self.report(lease, cause),
            Output::Abandon(lease) => {
                self.jobs.get(&lease).into_iter().for_each(Job::abandon);
            }
            Output::Forget(lease) => {
                self.jobs.remove(&lease);
            }
            Output::Draining { running, queued } => {
                self.is_draining = true;
                let grace = self.settings.grace;
                tracing::info!(running, queue = queued, ?grace, "draining");
            }
            Output::End { worker } => return Ok(Next::End { worker }),
            Output::GiveUp { after } => {
                let why = std::mem::take(&mut self.fault);
                return Err(WorkerError::Away { after, why });
            }
        }
        Ok(Next::Round)
    }

    /// Says goodbye; unfinished tasks are granted to others.
    async fn end(mut self, worker: Option<WorkerId>) {
        if let Some(worker) = worker
            && let Err(error) = self.link.leave(worker).await
        {
            tracing::debug!(%error, "the coordinator is away; it will notice");
        }
        self.jobs.values().for_each(Job::abandon);
        self.pool.close(POOL_CLOSE_TIMEOUT).await;
    }
}

/// Translates the state of leases after a renewal into the session's types.
fn translated(renewed: link::Renewal) -> Renewal {
    let link::Renewal { lost, stop } = renewed;
    Renewal { lost, stop }
}
