//! The main loop of a child process.
//!
//! Before it reads a task it makes sure that it dies with its parent and cannot take more than its
//! limits. Then it computes one task after another. A thread of its own listens meanwhile: on an
//! order to stop it raises the computation's [`Interrupt`], and when the worker is gone (the stream
//! ends) it ends the process, regardless of the computation.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use misere_census::Task;
use misere_game::control::{Interrupt, Progress};
use rustix::process::{Resource, Rlimit, Signal, getrlimit, setrlimit};
use rustix::time::{ClockId, clock_gettime};

use super::message::{self, Answer, MessageError, Order};
use crate::checkpoint_io::{CheckpointData, CheckpointIo};
use crate::pool::{ComputationResult, Solver, computed};

/// The interval at which progress is reported.
const PROGRESS: Duration = Duration::from_millis(200);

/// The time that a computation may take to notice that its worker is gone.
const LAST_WORDS: Duration = Duration::from_millis(100);

/// The reason why a child cannot serve.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The process was not started by a worker.
    #[error("this command is started by `misere worker`, not by hand: {0}")]
    Orders(String),
    /// The system refuses the limits.
    #[error("cannot limit this process: {0}")]
    Limits(#[source] io::Error),
    /// The worker does not listen.
    #[error("cannot answer the worker: {0}")]
    Answer(#[from] io::Error),
}

/// Serves a worker over standard input and output until it closes them.
///
/// # Errors
/// [`ServeError`]; the worker takes the end of this process for a failure of the task.
pub fn serve(solver: &Solver) -> Result<(), ServeError> {
    die_with_parent().map_err(ServeError::Limits)?;
    let mut stdin = io::stdin().lock();
    let begin = message::read(&mut stdin).map_err(not_a_worker)?;
    let Some(Order::Begin {
        parent,
        memory,
        cpu_seconds,
    }) = begin
    else {
        return Err(ServeError::Orders("no limits were given".to_owned()));
    };
    drop(stdin);
    if std::os::unix::process::parent_id() != parent {
        // The worker died before it was registered as the parent to die with.
        return Ok(());
    }
    limit(Resource::Core, 0).map_err(ServeError::Limits)?;
    if let Some(bytes) = memory {
        limit(Resource::Data, bytes).map_err(ServeError::Limits)?;
    }
    offer_to_be_killed_first();

    let desk = Desk {
        current: Arc::default(),
        answers: Arc::new(Mutex::new(File::from(
            io::stdout().as_fd().try_clone_to_owned()?,
        ))),
    };
    let (tasks, waiting) = mpsc::channel();
    let listener = desk.clone();
    thread::Builder::new()
        .name("orders".to_owned())
        .spawn(move || listener.listen(&tasks))?;
    let sender = desk.clone();
    thread::Builder::new()
        .name("progress".to_owned())
        .spawn(move || sender.send_progress())?;
    while let Ok(Work {
        task,
        from,
        interrupt,
    }) = waiting.recv()
    {
        if let Some(seconds) = cpu_seconds {
            limit_cpu(seconds).map_err(ServeError::Limits)?;
        }
        let sender = desk.clone();
        let keep = move |written| {
            // A worker that does not listen is gone, which the listener will notice.
            let _ = sender.send_checkpoint(&written);
        };
        let checkpoints = CheckpointIo::new(from, Arc::new(keep));
        let computed = computed(&task, interrupt, &checkpoints, solver);
        *lock(&desk.current) = None;
        desk.answer(computed)?;
    }
    Ok(())
}

fn not_a_worker(error: MessageError) -> ServeError {
    ServeError::Orders(error.to_string())
}

/// A task, its checkpoint, and its interrupt.
struct Work {
    task: Task,
    from: Option<Vec<u8>>,
    interrupt: Interrupt,
}

/// The state that the threads of a child share.
#[derive(Clone)]
struct Desk {
    /// The current computation.
    current: Arc<Mutex<Option<Interrupt>>>,
    /// Standard output without a buffer.
    ///
    /// A buffer would divide an answer at bytes that look like line ends.
    answers: Arc<Mutex<File>>,
}

impl Desk {
    /// Takes orders until the worker is gone; then ends the process.
    fn listen(&self, tasks: &mpsc::Sender<Work>) {
        let mut stdin = io::stdin().lock();
        let status = loop {
            match message::read(&mut stdin) {
                Ok(Some(Order::Compute(task))) => {
                    if !self.resume(task, None, tasks) {
                        break 1;
                    }
                }
                Ok(Some(Order::Resume(task, bytes))) => {
                    let from = message::read_incremental(&mut stdin, bytes);
                    let taken_up = from.map(|from| self.resume(task, Some(from), tasks));
                    if !taken_up.unwrap_or(false) {
                        break 1;
                    }
                }
                Ok(Some(Order::Stop)) => {
                    self.stop();
                }
                Ok(Some(Order::Begin { .. })) => break 1,
                Ok(None) => break 0,
                Err(error) => {
                    // A child without standard error ends in the same way.
                    let _ = writeln!(io::stderr(), "error: unreadable orders: {error}");
                    break 1;
                }
            }
        };
        if self.stop() {
            thread::sleep(LAST_WORDS);
        }
        std::process::exit(status);
    }

    /// Has a task computed; `false` if the computing thread or the worker is gone.
    fn resume(&self, task: Task, from: Option<Vec<u8>>, tasks: &mpsc::Sender<Work>) -> bool {
        let interrupt = Interrupt::default();
        *lock(&self.current) = Some(interrupt.clone());
        let work = Work {
            task,
            from,
            interrupt,
        };
        self.write(&Answer::Begun).is_ok() && tasks.send(work).is_ok()
    }

    /// Stops the computation; `false` if there is none.
    fn stop(&self) -> bool {
        let current = lock(&self.current);
        current.iter().for_each(Interrupt::raise);
        current.is_some()
    }

    fn send_progress(&self) {
        let mut sent = Progress::default();
        loop {
            thread::sleep(PROGRESS);
            let Some(progress) = lock(&self.current).as_ref().map(Interrupt::progress) else {
                sent = Progress::default();
                continue;
            };
            if progress == sent {
                continue;
            }
            sent = progress;
            let Progress { heap, order } = progress;
            if self.write(&Answer::Progress { heap, order }).is_err() {
                return;
            }
        }
    }

    fn answer(&self, computed: ComputationResult) -> io::Result<()> {
        match computed {
            ComputationResult::Certificate(bytes) => {
                let announcement = Answer::Certificate(bytes.len() as u64);
                message::write_with(&mut *lock(&self.answers), &announcement, &bytes)
            }
            ComputationResult::Failed(failure) => {
                let reason = match failure {
                    misere_census::Failure::Computation(reason) => reason,
                    other => other.to_string(),
                };
                self.write(&Answer::Failed(reason))
            }
            ComputationResult::Stopped => self.write(&Answer::Stopped),
        }
    }

    fn send_checkpoint(&self, written: &CheckpointData) -> io::Result<()> {
        let announcement = Answer::Checkpoint {
            heap: written.heap,
            fuel: written.fuel,
            bytes: written.bytes.len() as u64,
        };
        message::write_with(&mut *lock(&self.answers), &announcement, &written.bytes)
    }

    fn write(&self, answer: &Answer) -> io::Result<()> {
        message::write(&mut *lock(&self.answers), answer)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Asks the kernel for SIGKILL when the thread that started this process ends.
///
/// On systems other than Linux, the end of the stream has to suffice.
fn die_with_parent() -> io::Result<()> {
    #[cfg(target_os = "linux")]
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
    Ok(())
}

/// Sets a limit for good, or keeps a stricter one.
fn limit(resource: Resource, bytes: u64) -> io::Result<()> {
    let there = getrlimit(resource);
    let bytes = there.maximum.map_or(bytes, |maximum| maximum.min(bytes));
    let new = Rlimit {
        current: Some(bytes),
        maximum: Some(bytes),
    };
    Ok(setrlimit(resource, new)?)
}

/// Allows this many more seconds of processor time than were used for the tasks before.
fn limit_cpu(seconds: u64) -> io::Result<()> {
    let used = clock_gettime(ClockId::ProcessCPUTime).tv_sec;
    let used = u64::try_from(used).unwrap_or(0);
    let maximum = getrlimit(Resource::Cpu).maximum;
    let wanted = used.saturating_add(seconds.max(1));
    let current = Some(maximum.map_or(wanted, |maximum| maximum.min(wanted)));
    Ok(setrlimit(Resource::Cpu, Rlimit { current, maximum })?)
}

/// Makes this process the first one to be killed if the machine runs out of memory.
///
/// Its worker holds more than one task.
fn offer_to_be_killed_first() {
    // A courtesy: if the system refuses it, nothing is lost.
    let _ = std::fs::write("/proc/self/oom_score_adj", "900");
}
