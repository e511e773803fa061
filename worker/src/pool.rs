//! The threads on which a worker computes tasks, and how a task is stopped.
//!
//! A task is computed on a thread of the pool, never on those that talk to the coordinator, or in a
//! child process of such a thread ([`crate::child`]). A computation is stopped through its
//! [`Interrupt`]; a panic in it is a failure of the task, not of the worker.
//!
//! They are plain threads, not rayon's: a computation that distributes its parts to all cores waits
//! for them, and a rayon thread that waits starts other work, here another whole task, before it
//! returns.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use misere_census::{CertificateError, Failure, GameTask, Schemes, Task, certificate, schemes};
use misere_engine::quotient::{self, Checkpoint};
use misere_game::control::{Control, Interrupt, Stop};
use misere_game::solution::{Solution, Verdict};

use crate::checkpoint_io::CheckpointIo;
use crate::child::{ChildProcess, Isolation, LiveChildren};

/// The function that solves games.
pub type Compute = Arc<dyn Fn(&GameTask, Interrupt) -> Solution + Send + Sync>;

/// Solves a game with the engine, within its budget, from the start.
#[must_use]
pub fn solve_task(task: &GameTask, interrupt: Interrupt) -> Solution {
    solve_resumable(task, interrupt, &CheckpointIo::default())
}

/// Solves a game like [`solve_task`], but resumes from the checkpoint in `checkpoints`.
///
/// It also passes every further checkpoint to `checkpoints`.
fn solve_resumable(task: &GameTask, interrupt: Interrupt, checkpoints: &CheckpointIo) -> Solution {
    let budget = task.budget;
    let mut control = Control::new(budget.fuel, interrupt);
    let from = checkpoints.start(task);
    let mut keep = |at: &Checkpoint| {
        if let Some(from) = from.as_ref().filter(|from| at.fuel() <= from.fuel()) {
            let (heap, fuel) = (from.heap(), from.fuel());
            tracing::warn!(code = %task.code, heap, fuel, "the checkpoint was no good; the task is computed from the start");
        }
        checkpoints.offer(task, at);
    };
    quotient::solve_resumable(
        &task.code,
        &budget.limits,
        budget.strategy,
        from.as_ref(),
        &mut keep,
        &mut control,
    )
}

/// The solver of a worker's games. Construction schemes are settled by the classifier.
#[derive(Clone, Default)]
pub enum Solver {
    /// The engine, which resumes from checkpoints.
    #[default]
    Engine,
    /// A function that always begins at the start.
    Given(Compute),
}

impl<F: Fn(&GameTask, Interrupt) -> Solution + Send + Sync + 'static> From<Arc<F>> for Solver {
    fn from(compute: Arc<F>) -> Self {
        Self::Given(compute)
    }
}

impl From<Compute> for Solver {
    fn from(compute: Compute) -> Self {
        Self::Given(compute)
    }
}

impl Solver {
    fn solve(&self, task: &GameTask, interrupt: Interrupt, checkpoints: &CheckpointIo) -> Solution {
        match self {
            Self::Engine => solve_resumable(task, interrupt, checkpoints),
            Self::Given(compute) => compute(task, interrupt),
        }
    }
}

/// The result of a computation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ComputationResult {
    /// A certificate.
    Certificate(Vec<u8>),
    /// The computation failed.
    Failed(Failure),
    /// The task was stopped; the worker knows the cause.
    Stopped,
}

impl ComputationResult {
    /// Returns the length of the certificate, if there is one.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Certificate(bytes) => bytes.len(),
            Self::Failed(_) | Self::Stopped => 0,
        }
    }
}

/// The place where a task is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// On a thread of this process.
    Here,
    /// A process of its own ([`crate::child`]).
    Child,
}

type Job = Box<dyn FnOnce(&mut ChildProcess) + Send>;

/// The threads that compute; they end with this handle, and their children with them.
pub struct Pool {
    jobs: mpsc::Sender<Job>,
    solver: Solver,
    living: LiveChildren,
    /// A channel that closes when the last thread has ended.
    threads: tokio::sync::mpsc::Receiver<()>,
}

impl std::fmt::Debug for Pool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pool").finish_non_exhaustive()
    }
}

impl Pool {
    /// Creates a pool that computes `slots` tasks at once, in children as `isolation` says.
    ///
    /// # Errors
    /// If the system refuses the threads.
    pub fn new(slots: usize, solver: impl Into<Solver>, isolation: &Isolation) -> io::Result<Self> {
        let (jobs, queue) = mpsc::channel::<Job>();
        let queue = Arc::new(Mutex::new(queue));
        let (alive, threads) = tokio::sync::mpsc::channel(1);
        let living = LiveChildren::default();
        for n in 0..slots {
            let queue = Arc::clone(&queue);
            let alive = alive.clone();
            // A child dies with the thread that started it, so each thread has its own.
            let mut child = ChildProcess::new(isolation.clone(), living.clone());
            thread::Builder::new()
                .name(format!("compute-{n}"))
                .spawn(move || {
                    while let Some(job) = next(&queue) {
                        job(&mut child)
                    }
                    drop((child, alive));
                })?;
        }
        Ok(Self {
            jobs,
            solver: solver.into(),
            living,
            threads,
        })
    }

    /// Computes a task from the start as soon as a thread is free.
    ///
    /// The result is passed to `ended`. A task that is interrupted before is not begun.
    pub fn spawn(
        &self,
        task: Task,
        place: Place,
        interrupt: Interrupt,
        ended: impl FnOnce(ComputationResult) + Send + 'static,
    ) {
        self.spawn_resumable(
            task,
            place,
            interrupt,
            || (),
            CheckpointIo::default(),
            ended,
        );
    }

    /// Computes a task like [`spawn`](Self::spawn), but resumes from a checkpoint.
    ///
    /// It is the one in `checkpoints`, if there is one. `begun` is called when a thread begins the
    /// task. Log messages of the computation belong to the span of the caller.
    pub fn spawn_resumable(
        &self,
        task: Task,
        place: Place,
        interrupt: Interrupt,
        begun: impl FnOnce() + Send + 'static,
        checkpoints: CheckpointIo,
        ended: impl FnOnce(ComputationResult) + Send + 'static,
    ) {
        let solver = self.solver.clone();
        let span = tracing::Span::current();
        let job = move |child: &mut ChildProcess| {
            if interrupt.is_raised() {
                return ended(ComputationResult::Stopped);
            }
            begun();
            let computed = span.in_scope(|| match place {
                Place::Here => computed(&task, interrupt, &checkpoints, &solver),
                Place::Child => child.compute(task, &interrupt, checkpoints),
            });
            ended(computed)
        };
        // The threads wait for jobs as long as the pool exists.
        let _ = self.jobs.send(Box::new(job));
    }

    /// Returns the children that are alive now.
    #[must_use]
    pub fn living(&self) -> &LiveChildren {
        &self.living
    }

    /// Ends the threads and their children as soon as they have nothing to compute.
    ///
    /// It waits at most `patience`.
    pub async fn close(self, patience: Duration) {
        let Self {
            jobs, mut threads, ..
        } = self;
        drop(jobs);
        // A thread that computes on after its interrupt ends with the process, and its child with
        // it.
        let _ = tokio::time::timeout(patience, threads.recv()).await;
    }
}

/// Returns the next job; `None` when there will be no more.
fn next(queue: &Mutex<mpsc::Receiver<Job>>) -> Option<Job> {
    let queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
    queue.recv().ok()
}

/// Computes a task on this thread.
pub(crate) fn computed(
    task: &Task,
    interrupt: Interrupt,
    checkpoints: &CheckpointIo,
    solver: &Solver,
) -> ComputationResult {
    let compute = || match task {
        Task::Game(game) => solved(solver.solve(game, interrupt, checkpoints)),
        Task::Schemes(schemes) => settled(schemes, interrupt),
    };
    match catch_unwind(AssertUnwindSafe(compute)) {
        Ok(Ok(Some(bytes))) => ComputationResult::Certificate(bytes),
        Ok(Ok(None)) => ComputationResult::Stopped,
        Ok(Err(error)) => ComputationResult::Failed(Failure::computation(&error.to_string())),
        Err(panic) => ComputationResult::Failed(Failure::computation(&panic_text(panic.as_ref()))),
    }
}

/// Returns the certificate of a solution; `None` if it was interrupted.
fn solved(solution: Solution) -> Result<Option<Vec<u8>>, CertificateError> {
    if solution.verdict == Verdict::Interrupted {
        return Ok(None);
    }
    certificate::encode(&solution).map(Some)
}

/// Returns the certificate of a batch of schemes; `None` if it was interrupted.
fn settled(task: &Schemes, interrupt: Interrupt) -> Result<Option<Vec<u8>>, CertificateError> {
    let mut control = Control::new(0, interrupt);
    match schemes::settle(task, &mut control) {
        Ok(outcome) => schemes::encode(&outcome).map(Some),
        Err(Stop::Interrupted | Stop::FuelSpent) => Ok(None),
    }
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|&text| text.to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    format!("panic: {}", text.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use misere_algebra::classify::batch::{Batch, Scheme};
    use misere_census::Budget;
    use std::sync::mpsc;

    fn task() -> Task {
        Task::game("0.123".parse().unwrap(), vec![], Budget::default())
    }

    fn compute(compute: Compute, interrupt: Interrupt) -> ComputationResult {
        computed_by(task(), compute, interrupt)
    }

    fn computed_by(
        task: Task,
        solver: impl Into<Solver>,
        interrupt: Interrupt,
    ) -> ComputationResult {
        let (sender, receiver) = mpsc::channel();
        let pool = Pool::new(1, solver, &Isolation::default()).unwrap();
        let ended = move |computed| sender.send(computed).unwrap();
        pool.spawn(task, Place::Here, interrupt, ended);
        receiver.recv().unwrap()
    }

    #[test]
    fn tasks_are_solved_stopped_and_survive_panics() {
        let ComputationResult::Certificate(bytes) =
            compute(Arc::new(solve_task), Interrupt::default())
        else {
            panic!()
        };
        assert_eq!(certificate::decode(&bytes).unwrap().quotient.order(), 20);
        let raised = Interrupt::default();
        raised.raise();
        assert_eq!(
            compute(Arc::new(solve_task), raised),
            ComputationResult::Stopped
        );
        let panicking: Compute = Arc::new(|_, _| panic!("no"));
        let failed = ComputationResult::Failed(Failure::computation("panic: no"));
        assert_eq!(compute(panicking, Interrupt::default()), failed);
    }

    #[test]
    fn schemes_are_settled_and_stopped() {
        let batch = Batch {
            most: 10,
            order: 2,
            schemes: vec![Scheme::first()],
        };
        let task = Task::schemes(batch, Budget::default());
        let settle = |interrupt| computed_by(task.clone(), Solver::Engine, interrupt);
        let ComputationResult::Certificate(bytes) = settle(Interrupt::default()) else {
            panic!()
        };
        let schemes::Outcome::Settled(settled) = schemes::decode(&bytes).unwrap() else {
            panic!()
        };
        assert_eq!(settled.quotients.len(), 1);
        let raised = Interrupt::default();
        raised.raise();
        assert_eq!(settle(raised), ComputationResult::Stopped);
    }
}
