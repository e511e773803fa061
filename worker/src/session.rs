//! The main loop of a worker.
//!
//! One loop owns everything the worker holds. It asks for tasks while threads are idle, keeps a
//! queue behind them, renews its leases, and sends every result on its way as soon as it is there.
//! If the coordinator is away the computations go on and the loop keeps trying; a lease that could
//! not be renewed for its whole duration, by this worker's own monotonic clock, is given up without
//! being told.
//!
//! Told to stop, it drains: what is queued goes back at once, what is running may end within the
//! grace it was given, and only then is it interrupted.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use misere_census::{InterruptCause, Lease, MemoryClass, Task};
use misere_proto::{AddressError, RefusalKind, Security, dial};
use tokio::sync::{mpsc, watch};
use tracing::{Instrument, Span};

use crate::alive::SignOfLife;
use crate::backoff::Backoff;
use crate::child::Isolation;
use crate::delivery::{Delivered, Report, deliver};
use crate::guard::{self, Guards};
use crate::held::{Held, Job, Queued};
use crate::link::{Introduction, Leased, Leases, Link, LinkError, Renewed, Welcome};
use crate::pool::{Computed, Place, Pool, Solver};

mod tasks;

/// The interval at which guards are checked; the loop goes round at least that often.
const TICK: Duration = Duration::from_millis(200);

/// While threads have enough to do, the loop lets so much come together before it looks at it.
const BATCH_WINDOW: Duration = Duration::from_millis(1);

/// The time for which a worker that is to stop waits for its computations to notice.
const LAST_WORDS: Duration = Duration::from_secs(3);

/// The additional time if their last checkpoints are being sent.
const LAST_CHECKPOINTS: Duration = Duration::from_secs(7);

/// The time that its threads and their children may then take to end.
const CLOSING: Duration = Duration::from_secs(1);

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
    /// The time for which running tasks may go on after the worker was told to stop.
    pub grace: Duration,
    /// The file that is touched while it is alive, if any.
    pub sign_of_life: Option<PathBuf>,
    /// The greatest memory class of tasks it takes.
    pub memory_class: MemoryClass,
    /// Checkpoints of a long task are not handed in more often; the last one is, when the task is
    /// stopped.
    pub checkpoint_every: Duration,
    /// The time for which the worker waits for a coordinator that is away, or that refuses it; for
    /// ever if none.
    pub give_up_after: Option<Duration>,
}

/// The default of the time for which a worker waits for a coordinator.
pub const GIVE_UP_AFTER: Duration = Duration::from_secs(24 * 60 * 60);

/// The default of the interval at which checkpoints are handed in.
pub const CHECKPOINT_EVERY: Duration = Duration::from_secs(30);

/// Why a worker ends other than by being told to or by the end of the census.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// There is no way to the coordinator.
    #[error(transparent)]
    Address(#[from] AddressError),
    /// The system refuses the threads.
    #[error("cannot start the computing threads: {0}")]
    Threads(#[source] std::io::Error),
    /// The coordinator does not understand this worker, or the other way round.
    #[error("the coordinator refuses this worker: {0}")]
    Refused(#[from] LinkError),
    /// The coordinator could not be reached for as long as the worker was told to wait.
    #[error("no coordinator for {}, so this worker ends: {why}", humane(.after))]
    Away {
        /// The time that the worker was told to wait.
        after: Duration,
        /// The reason why the last connection could not be made.
        why: String,
    },
}

/// A time in words, without fractions that nobody wants to read.
fn humane(time: &Duration) -> String {
    match time.as_secs() {
        0 => format!("{time:?}"),
        seconds if seconds % 86_400 == 0 => format!("{} d", seconds / 86_400),
        seconds if seconds % 3_600 == 0 => format!("{} h", seconds / 3_600),
        seconds if seconds % 60 == 0 => format!("{} min", seconds / 60),
        seconds => format!("{seconds} s"),
    }
}

/// The messages of computations and reports to the main loop.
enum TaskMessage {
    /// With the time that it took, if it was begun.
    Ended(Lease, Computed, Option<Duration>),
    Delivered(Delivered),
    /// The checkpoint from which a task goes on has come, if it is to be had.
    Fetched(Lease, Box<Task>, Place, Option<Vec<u8>>),
    /// A checkpoint of so much fuel was handed in, or is not wanted.
    HandedIn(Lease, u64),
}

struct Worker {
    settings: Settings,
    pool: Pool,
    link: Link,
    /// The last answer to the introduction of this worker: its number, the length of a lease.
    welcome: Welcome,
    /// The time at which the coordinator answered last, or at which the worker began to look for
    /// it.
    answered: Instant,
    held: Held,
    messages: mpsc::UnboundedSender<TaskMessage>,
    deliveries: mpsc::UnboundedSender<Report>,
    /// The time at which leases and guards were last checked.
    watched: Option<Instant>,
    finished: bool,
    /// Something arrived at the coordinator since it was last asked for tasks, so that it may have
    /// more.
    asks_again: bool,
    /// The number of tasks that were waiting after the last answer.
    waiting_at_most: usize,
    /// Why the coordinator gives it no tasks, as it said last.
    reserved: String,
    /// Told to stop: when the grace of running tasks ends.
    draining: Option<Instant>,
    sign_of_life: Option<SignOfLife>,
}

/// Works for a coordinator on this machine until `stop` turns true or the census is finished.
///
/// # Errors
/// As [`run_secured`].
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
/// [`WorkerError`] if the worker cannot start, or if the two sides do not understand each other. A
/// coordinator that is away is waited for, as long as the settings say.
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

/// Works over a link until `stop` turns true or the census is finished; the coordinator's address
/// in the settings plays no part.
///
/// # Errors
/// As [`run_secured`], but for the address.
pub async fn run_over(
    link: Link,
    settings: Settings,
    solver: impl Into<Solver>,
    stop: watch::Receiver<bool>,
) -> Result<(), WorkerError> {
    let pool =
        Pool::new(settings.slots, solver, &settings.isolation).map_err(WorkerError::Threads)?;
    // Always there, whatever is logged within it, until the worker has a number.
    let span = tracing::error_span!("worker", called = settings.name);
    work(settings, link, pool, stop).instrument(span).await
}

async fn work(
    settings: Settings,
    mut link: Link,
    pool: Pool,
    mut stop: watch::Receiver<bool>,
) -> Result<(), WorkerError> {
    let (messages, mut inbox) = mpsc::unbounded_channel();
    let (deliveries, delivered) = mpsc::unbounded_channel();
    let sender = messages.clone();
    let sender = move |delivered| {
        // Nobody hears it only if the worker is gone.
        let _ = sender.send(TaskMessage::Delivered(delivered));
    };
    let delivery = deliver(link.clone(), settings.slots, delivered, sender);
    tokio::spawn(delivery.instrument(Span::current()));
    let mut sign_of_life = settings.sign_of_life.clone().map(SignOfLife::new);
    let mut door = Door {
        settings: &settings,
        link: &mut link,
        answered: Instant::now(),
        sign_of_life: &mut sign_of_life,
    };
    let Some(welcome) = door.enter(&mut stop).await? else {
        return Ok(());
    };
    let mut worker = Worker {
        sign_of_life,
        settings,
        pool,
        link,
        welcome,
        answered: Instant::now(),
        held: Held::default(),
        messages,
        deliveries,
        watched: None,
        asks_again: false,
        finished: false,
        waiting_at_most: 0,
        reserved: String::new(),
        draining: None,
    };
    loop {
        let span = worker.span();
        let served = worker.serve(&mut stop, &mut inbox).instrument(span).await?;
        if served == Served::Through || !worker.register(&mut stop).await? {
            break;
        }
    }
    let span = worker.span();
    worker.go(&mut inbox).instrument(span).await;
    Ok(())
}

/// A worker that has no number yet.
struct Door<'a> {
    settings: &'a Settings,
    link: &'a mut Link,
    /// The time at which the coordinator answered last, or at which the worker began to look for
    /// it.
    answered: Instant,
    sign_of_life: &'a mut Option<SignOfLife>,
}

impl Door<'_> {
    /// Introduces the worker, however long it takes; nothing if it is told to stop meanwhile.
    async fn enter(
        &mut self,
        stop: &mut watch::Receiver<bool>,
    ) -> Result<Option<Welcome>, WorkerError> {
        let mut backoff = Backoff::default();
        let slots = u32::try_from(self.settings.slots).unwrap_or(u32::MAX);
        while !*stop.borrow() {
            let now = Instant::now();
            self.sign_of_life.iter_mut().for_each(|sign| sign.give(now));
            let introduction = Introduction {
                name: &self.settings.name,
                slots,
                class: self.settings.memory_class,
            };
            match self.link.introduce(introduction).await {
                Ok(welcome) => return Ok(Some(welcome)),
                Err(error) if error.kind() == RefusalKind::GiveUp => return Err(error.into()),
                Err(error) => {
                    let pause = pause(
                        (self.settings, &*self.link, self.answered),
                        &mut backoff,
                        &error,
                    )?;
                    tokio::select! {
                        _ = stop.changed() => {}
                        () = tokio::time::sleep(pause) => {}
                    }
                }
            }
        }
        Ok(None)
    }
}

/// The pause after a failed call, or an error if the worker has waited long enough.
fn pause(
    (settings, link, answered): (&Settings, &Link, Instant),
    backoff: &mut Backoff,
    error: &LinkError,
) -> Result<Duration, WorkerError> {
    let fault = link.last_fault();
    let pause = backoff.next_pause();
    let Some(after) = settings.give_up_after else {
        backoff.log_failure(error, fault.as_ref());
        return Ok(pause);
    };
    let left = after.saturating_sub(answered.elapsed());
    if left.is_zero() {
        let why = fault.map_or_else(|| error.to_string(), |fault| fault.to_string());
        return Err(WorkerError::Away { after, why });
    }
    backoff.log_failure(error, fault.as_ref());
    Ok(pause.min(left))
}

/// Why a worker works no longer under its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Served {
    /// There is nothing left to do, or no time left to do it in.
    Through,
    /// The coordinator does not know it any more, and it holds nothing.
    Unknown,
}

/// The times at which the next calls are due.
struct Due {
    lease: Instant,
    heartbeat: Instant,
}

impl Worker {
    fn give_sign_of_life(&mut self, now: Instant) {
        self.sign_of_life.iter_mut().for_each(|sign| sign.give(now));
    }

    /// The span for log messages: the worker by its number, and the census it works for. Another
    /// number has another span, so that log lines do not grow with every number that a worker had.
    fn span(&self) -> Span {
        let (called, census) = (&self.settings.name, &self.welcome.census);
        tracing::error_span!(parent: None, "worker", called, worker = %self.welcome.worker, census)
    }

    /// Works under the number it has.
    async fn serve(
        &mut self,
        stop: &mut watch::Receiver<bool>,
        inbox: &mut mpsc::UnboundedReceiver<TaskMessage>,
    ) -> Result<Served, WorkerError> {
        tracing::info!("joined");
        let mut backoff = Backoff::default();
        let mut due = Due {
            lease: Instant::now(),
            heartbeat: Instant::now() + self.welcome.lease / 3,
        };
        loop {
            let now = Instant::now();
            self.give_sign_of_life(now);
            if *stop.borrow() {
                self.drain(now);
            }
            if self.is_through(now) {
                return Ok(Served::Through);
            }
            self.watch_over(now);
            match self.call(&mut due).await {
                Ok(()) => backoff.reset(),
                Err(error) => match error.kind() {
                    RefusalKind::GiveUp => return Err(error.into()),
                    RefusalKind::Register => {
                        tracing::info!("the coordinator does not know this worker; starting over");
                        self.held.drop_everything();
                        return Ok(Served::Unknown);
                    }
                    // What is too large is smaller next time: fewer leases held, or fewer tasks
                    // granted.
                    RefusalKind::Retry | RefusalKind::Oversize => {
                        let pause = pause(
                            (&self.settings, &self.link, self.answered),
                            &mut backoff,
                            &error,
                        )?;
                        due = Due {
                            lease: Instant::now() + pause,
                            heartbeat: Instant::now() + pause,
                        };
                    }
                },
            }
            self.start_queued();
            self.hand_in_due();
            let next = if self.wants_more() {
                due.lease
            } else {
                due.heartbeat
            };
            let pause = next.saturating_duration_since(Instant::now()).min(TICK);
            if self.held.is_busy(self.settings.slots) {
                tokio::time::sleep(BATCH_WINDOW).await;
            }
            tokio::select! {
                biased;
                message = inbox.recv() => {
                    // This worker holds a sender itself, so there is always something to come.
                    message.into_iter().for_each(|message| self.on_message(message));
                    while let Ok(message) = inbox.try_recv() {
                        self.on_message(message);
                    }
                }
                Ok(()) = stop.changed() => {}
                () = tokio::time::sleep(pause) => {}
            }
        }
    }

    /// Whether there is nothing left to do, or no time left to do it in.
    fn is_through(&self, now: Instant) -> bool {
        match self.draining {
            None => self.finished && self.held.jobs.is_empty(),
            Some(until) => self.held.jobs.is_empty() || now >= until,
        }
    }

    /// Takes no more tasks, and hands back what waits: others need not wait for this worker's
    /// grace.
    fn drain(&mut self, now: Instant) {
        if self.draining.is_some() {
            return;
        }
        self.draining = Some(now + self.settings.grace);
        let queued = std::mem::take(&mut self.held.queue);
        let (running, queue) = (self.held.jobs.len(), queued.len());
        tracing::info!(running, queue, grace = ?self.settings.grace, "draining");
        self.give_back(queued);
    }

    /// Gives back what waited and is not to be begun.
    fn give_back(&mut self, queued: impl IntoIterator<Item = Queued>) {
        for Queued { lease, renewed, .. } in queued {
            let job = Job::given_back(renewed);
            let abandoned = Arc::clone(&job.abandoned);
            self.held.begin(lease, job);
            self.report(
                lease,
                Computed::Stopped,
                InterruptCause::Shutdown,
                abandoned,
            );
        }
        // What waits at a thread is not begun any more, and comes back by itself.
        let jobs = self.held.jobs.values_mut();
        let unbegun = jobs.filter(|job| !job.reporting && job.begun.get().is_none());
        unbegun.for_each(|job| job.interrupt_by(InterruptCause::Shutdown));
    }

    /// Takes note of what became of the leases held.
    fn renewed(&mut self, at: Instant, renewed: &Renewed) {
        self.held.renewed(at);
        self.held.lose(&renewed.lost);
        let given_back = self.held.stop(&renewed.stop);
        self.give_back(given_back);
    }

    /// Introduces itself again; `false` if told to stop meanwhile.
    async fn register(&mut self, stop: &mut watch::Receiver<bool>) -> Result<bool, WorkerError> {
        let mut door = Door {
            settings: &self.settings,
            link: &mut self.link,
            answered: self.answered,
            sign_of_life: &mut self.sign_of_life,
        };
        let Some(welcome) = door.enter(stop).await? else {
            return Ok(false);
        };
        self.welcome = welcome;
        self.answered = Instant::now();
        Ok(true)
    }

    /// Makes the call that is due, if any.
    async fn call(&mut self, due: &mut Due) -> Result<(), LinkError> {
        let now = Instant::now();
        if std::mem::take(&mut self.asks_again) {
            due.lease = due.lease.min(now);
        }
        if now >= due.lease && self.wants_more() {
            let pause = self.ask(now).await?;
            self.answered = now;
            *due = Due {
                lease: Instant::now() + pause,
                heartbeat: now + self.welcome.lease / 3,
            };
        } else if now >= due.heartbeat {
            let holdings = self.held.holdings();
            let renewed = self.link.heartbeat(self.welcome.worker, holdings).await?;
            self.answered = now;
            self.renewed(now, &renewed);
            due.heartbeat = now + self.welcome.lease / 3;
        }
        Ok(())
    }

    /// Asks for tasks; returns when to ask again.
    async fn ask(&mut self, now: Instant) -> Result<Duration, LinkError> {
        let (idle, room) = self.held.wants(self.settings.slots);
        let Leases {
            leased,
            renewed,
            finished,
            retry,
            reserved,
        } = self
            .link
            .lease(self.welcome.worker, self.held.holdings(), idle, room)
            .await?;
        self.renewed(now, &renewed);
        self.finished = finished;
        if leased.is_empty() {
            self.tell_reserved(reserved);
        }
        let pause = if leased.is_empty() {
            retry
        } else {
            Duration::ZERO
        };
        for Leased {
            task,
            epoch,
            failures,
            resumed,
        } in leased
        {
            self.held.queue.push_back(Queued {
                lease: Lease {
                    task: task.id(),
                    epoch,
                },
                task,
                failures,
                resumed,
                renewed: now,
            });
        }
        self.waiting_at_most = self.held.waiting(self.settings.slots);
        Ok(pause)
    }

    /// Tells why it gets no tasks, once for each reason. The words end with how long that will be,
    /// or other figures.
    fn tell_reserved(&mut self, reserved: String) {
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

    /// Whether to ask for tasks.
    fn wants_more(&self) -> bool {
        let slots = self.settings.slots;
        !self.finished
            && self.draining.is_none()
            && self.held.wants_more(slots, self.waiting_at_most)
    }

    /// Lets go what could not be renewed, and stops what costs too much.
    fn watch_over(&mut self, now: Instant) {
        if self.watched.is_some_and(|last| now < last + TICK) {
            return;
        }
        self.watched = Some(now);
        self.held.let_go(now, self.welcome.lease);
        let Guards { time, memory } = self.settings.guards;
        if let Some(limit) = time {
            self.held.stop_overdue(now, limit);
        }
        let resident = || guard::resident_bytes(&self.pool.living().pids());
        if memory.is_some_and(|limit| resident().is_some_and(|resident| resident > limit)) {
            self.held.stop_largest();
        }
    }

    /// Stops everything, lets reports under way arrive, and says goodbye. Tasks not ended are
    /// handed out to others.
    async fn go(mut self, inbox: &mut mpsc::UnboundedReceiver<TaskMessage>) {
        self.held.queue.clear();
        for job in self.held.jobs.values_mut().filter(|job| !job.reporting) {
            job.interrupt_by(InterruptCause::Shutdown);
        }
        for patience in [LAST_WORDS, LAST_CHECKPOINTS] {
            let last_words = tokio::time::sleep(patience);
            tokio::pin!(last_words);
            while !self.held.jobs.is_empty() {
                tokio::select! {
                    message = inbox.recv() => message.into_iter().for_each(|message| self.on_message(message)),
                    () = &mut last_words => break,
                }
            }
            if !self.held.hands_in_last() {
                break;
            }
        }
        if let Err(error) = self.link.leave(self.welcome.worker).await {
            tracing::debug!(%error, "the coordinator is away; it will notice");
        }
        self.held.drop_everything();
        self.pool.close(CLOSING).await;
    }
}
