//! How is a task computed, and stopped?
//!
//! On threads of its own, never on those that talk to the coordinator, or in a child process of such a thread
//! ([`crate::child`]). A computation is stopped through its [`Interrupt`]; a panic in it is a failure of the task, not of the
//! worker.
//!
//! They are plain threads, not rayon's: a computation that has its own parts done on all cores waits for them, and a thread of
//! rayon's that waits takes up other work, here another whole task, before it returns.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use misere_census::{Failure, InterruptCause, Task, certificate};
use misere_theory::control::{Control, Interrupt};
use misere_theory::quotient::{self, Checkpoint};
use misere_theory::solution::{Solution, Verdict};

use crate::child::{Isolation, Keeper, Living};
use crate::course::Course;

/// The function that solves tasks.
pub type Compute = Arc<dyn Fn(&Task, Interrupt) -> Solution + Send + Sync>;

/// Solves a task with the engine, within its budget, from the start.
#[must_use]
pub fn solve_task(task: &Task, interrupt: Interrupt) -> Solution {
    solve_on(task, interrupt, &Course::default())
}

/// The same from where the course begins, with every checkpoint told to it.
fn solve_on(task: &Task, interrupt: Interrupt, course: &Course) -> Solution {
    let budget = task.budget;
    let mut control = Control::new(budget.fuel, interrupt);
    let from = course.start(task);
    let mut keep = |at: &Checkpoint| {
        if let Some(from) = from.as_ref().filter(|from| at.fuel() <= from.fuel()) {
            let (heap, fuel) = (from.heap(), from.fuel());
            tracing::warn!(code = %task.code, heap, fuel, "the checkpoint was no good; the task is computed from the start");
        }
        course.reached(task, at);
    };
    quotient::solve_on(
        &task.code,
        &budget.limits,
        budget.strategy,
        from.as_ref(),
        &mut keep,
        &mut control,
    )
}

/// What solves the tasks of a worker.
#[derive(Clone, Default)]
pub enum Solver {
    /// The engine, which goes on from checkpoints.
    #[default]
    Engine,
    /// A function that always begins at the start.
    Given(Compute),
}

impl<F: Fn(&Task, Interrupt) -> Solution + Send + Sync + 'static> From<Arc<F>> for Solver {
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
    fn solve(&self, task: &Task, interrupt: Interrupt, course: &Course) -> Solution {
        match self {
            Self::Engine => solve_on(task, interrupt, course),
            Self::Given(compute) => compute(task, interrupt),
        }
    }
}

/// What came of a computation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Computed {
    /// A certificate.
    Certificate(Vec<u8>),
    /// The computation failed.
    Failed(Failure),
    /// It was stopped; the worker knows by whom.
    Stopped,
}

/// Where a task is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// On a thread of this process.
    Here,
    /// In a process of its own ([`crate::child`]).
    Child,
}

type Job = Box<dyn FnOnce(&mut Keeper) + Send>;

/// The threads that compute. They end with this handle, and their children with them.
pub struct Pool {
    jobs: mpsc::Sender<Job>,
    solver: Solver,
    living: Living,
    /// Ends when the last thread has.
    threads: tokio::sync::mpsc::Receiver<()>,
}

impl std::fmt::Debug for Pool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pool").finish_non_exhaustive()
    }
}

impl Pool {
    /// A pool that computes so many tasks at once, in children as `isolation` says.
    ///
    /// # Errors
    /// If the system refuses the threads.
    pub fn new(slots: usize, solver: impl Into<Solver>, isolation: &Isolation) -> io::Result<Self> {
        let (jobs, queue) = mpsc::channel::<Job>();
        let queue = Arc::new(Mutex::new(queue));
        let (alive, threads) = tokio::sync::mpsc::channel(1);
        let living = Living::default();
        for n in 0..slots {
            let queue = Arc::clone(&queue);
            let alive = alive.clone();
            // A child dies with the thread that started it, so each thread has its own.
            let mut keeper = Keeper::new(isolation.clone(), living.clone());
            thread::Builder::new()
                .name(format!("compute-{n}"))
                .spawn(move || {
                    while let Some(job) = next(&queue) {
                        job(&mut keeper)
                    }
                    drop((keeper, alive));
                })?;
        }
        Ok(Self {
            jobs,
            solver: solver.into(),
            living,
            threads,
        })
    }

    /// Computes a task from the start, and tells what came of it.
    pub fn spawn(
        &self,
        task: Task,
        place: Place,
        interrupt: Interrupt,
        tell: impl FnOnce(Computed) + Send + 'static,
    ) {
        self.spawn_on(task, place, interrupt, Course::default(), tell);
    }

    /// Computes a task from where its course begins, and tells what came of it. What is logged meanwhile stands in the span of
    /// whoever asked.
    pub fn spawn_on(
        &self,
        task: Task,
        place: Place,
        interrupt: Interrupt,
        course: Course,
        tell: impl FnOnce(Computed) + Send + 'static,
    ) {
        let solver = self.solver.clone();
        let span = tracing::Span::current();
        let job = move |keeper: &mut Keeper| {
            let computed = span.in_scope(|| match place {
                Place::Here => computed(&task, interrupt, &course, &solver),
                Place::Child => keeper.compute(task, &interrupt, course),
            });
            tell(computed)
        };
        // The threads wait for jobs as long as there is a pool to give them.
        let _ = self.jobs.send(Box::new(job));
    }

    /// The children that are alive now.
    #[must_use]
    pub fn living(&self) -> &Living {
        &self.living
    }

    /// Ends the threads and their children as soon as they have nothing to compute; waits at most so long.
    pub async fn close(self, patience: Duration) {
        let Self {
            jobs, mut threads, ..
        } = self;
        drop(jobs);
        // A thread that computes on after its interrupt ends with the process, and its child with it.
        let _ = tokio::time::timeout(patience, threads.recv()).await;
    }
}

/// The next job; none when there will be no more.
fn next(queue: &Mutex<mpsc::Receiver<Job>>) -> Option<Job> {
    let queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
    queue.recv().ok()
}

/// Computes a task on this thread.
pub(crate) fn computed(
    task: &Task,
    interrupt: Interrupt,
    course: &Course,
    solver: &Solver,
) -> Computed {
    let solve = AssertUnwindSafe(|| solver.solve(task, interrupt, course));
    let solution = match catch_unwind(solve) {
        Ok(solution) => solution,
        Err(panic) => return Computed::Failed(Failure::computation(&panic_text(panic.as_ref()))),
    };
    if solution.verdict == Verdict::Interrupted {
        return Computed::Stopped;
    }
    match certificate::encode(&solution) {
        Ok(bytes) => Computed::Certificate(bytes),
        Err(error) => Computed::Failed(Failure::computation(&error.to_string())),
    }
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|&text| text.to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    format!("panic: {}", text.unwrap_or_default())
}

/// Why a computation was stopped, once it is known to have been.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StopReason {
    /// It was not.
    #[default]
    None,
    /// The lease is gone: nobody wants to hear of it.
    LeaseLost,
    /// It is to be told to the coordinator.
    Told(InterruptCause),
}

#[cfg(test)]
mod tests {
    use super::*;
    use misere_census::Budget;
    use std::sync::mpsc;

    fn task() -> Task {
        Task {
            code: "0.123".parse().unwrap(),
            aliases: vec![],
            budget: Budget::default(),
        }
    }

    fn compute(compute: Compute, interrupt: Interrupt) -> Computed {
        let (sender, receiver) = mpsc::channel();
        let pool = Pool::new(1, compute, &Isolation::default()).unwrap();
        pool.spawn(task(), Place::Here, interrupt, move |computed| {
            sender.send(computed).unwrap()
        });
        receiver.recv().unwrap()
    }

    #[test]
    fn tasks_are_solved_stopped_and_survive_panics() {
        let Computed::Certificate(bytes) = compute(Arc::new(solve_task), Interrupt::default())
        else {
            panic!()
        };
        assert_eq!(certificate::decode(&bytes).unwrap().quotient.order(), 20);
        let raised = Interrupt::default();
        raised.raise();
        assert_eq!(compute(Arc::new(solve_task), raised), Computed::Stopped);
        let panicking: Compute = Arc::new(|_, _| panic!("no"));
        let failed = Computed::Failed(Failure::computation("panic: no"));
        assert_eq!(compute(panicking, Interrupt::default()), failed);
    }
}
