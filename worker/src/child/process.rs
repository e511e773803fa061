//! The handle of a child process: start, stop and end.
//!
//! A [`ChildProcess`] belongs to one computing thread and has at most one child, in a process group
//! of its own. Whenever it loses the child (the child died, had to be killed, or the handle is
//! dropped), the whole group is killed and the child waited for, so that no process and no zombie
//! is left. The group is killed *before* the wait: until then no other process can have its number.

use std::collections::BTreeSet;
use std::io::{self, BufRead, BufReader, Read};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use misere_census::{Failure, InterruptCause, Task};
use misere_game::control::{Control, Interrupt, Progress};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use super::exit_cause::{ExitCause, is_allocation_failure, killed_for_memory};
use super::message::{self, Answer, MessageError, Order};
use super::{Isolation, Limits};
use crate::checkpoint_io::{CheckpointData, CheckpointIo};
use crate::pool::ComputationResult;

/// The interval at which the interrupt and the clock are checked.
const TICK: Duration = Duration::from_millis(20);

/// The time that a child may take to obey before it is killed.
const GRACE: Duration = Duration::from_millis(200);

/// The age at which the count of processes that the system killed is read again.
///
/// It is a file of a hundred lines, too many for each of many small tasks.
const COUNT_INTERVAL: Duration = Duration::from_secs(1);

/// The longest line of standard error that is kept.
const MAX_LINE_BYTES: u64 = 4096;

/// The children of a worker that are alive now.
#[derive(Clone, Debug, Default)]
pub struct LiveChildren(Arc<Mutex<BTreeSet<u32>>>);

impl LiveChildren {
    /// Returns their process numbers.
    #[must_use]
    pub fn pids(&self) -> Vec<u32> {
        lock(&self.0).iter().copied().collect()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The handle that computes tasks in a child.
#[derive(Debug)]
pub(crate) struct ChildProcess {
    isolation: Isolation,
    living: LiveChildren,
    child: Option<Child>,
}

impl ChildProcess {
    pub(crate) fn new(isolation: Isolation, living: LiveChildren) -> Self {
        Self {
            isolation,
            living,
            child: None,
        }
    }

    /// Computes a task in the child, which is started if necessary.
    pub(crate) fn compute(
        &mut self,
        task: Task,
        interrupt: &Interrupt,
        checkpoints: CheckpointIo,
    ) -> ComputationResult {
        if interrupt.is_raised() {
            return ComputationResult::Stopped;
        }
        // Checked here, where a fault can be logged.
        let checkpoints = match task.as_game().and_then(|game| checkpoints.start(game)) {
            Some(_) => checkpoints,
            None => checkpoints.without_checkpoint(),
        };
        if let Some(mut child) = self.child.take() {
            child.resume(&task, &checkpoints);
            match child.wait_for_answer(interrupt, self.isolation.limits, &checkpoints) {
                // A child that died between two tasks is not a fault of the second, which gets
                // another child.
                WaitOutcome::Died { begun: false, .. } => drop(child),
                outcome => return self.conclude(child, outcome),
            }
            if interrupt.is_raised() {
                return ComputationResult::Stopped;
            }
        }
        match Child::start(&self.isolation, &self.living) {
            Ok(mut child) => {
                child.resume(&task, &checkpoints);
                let outcome = child.wait_for_answer(interrupt, self.isolation.limits, &checkpoints);
                self.conclude(child, outcome)
            }
            Err(error) => {
                let reason = format!("cannot start a process for the computation: {error}");
                ComputationResult::Failed(Failure::computation(&reason))
            }
        }
    }

    /// Keeps a child that answered, and reaps any other.
    fn conclude(&mut self, child: Child, outcome: WaitOutcome) -> ComputationResult {
        match outcome {
            WaitOutcome::Answered(computed) => {
                self.child = Some(child);
                computed
            }
            WaitOutcome::Disobeyed(computed) => computed,
            WaitOutcome::Died { system_ran_out, .. } => {
                let exit_cause = child.reap(system_ran_out);
                tracing::warn!(status = %exit_cause.status, last_words = exit_cause.stderr_tail, "a computing process died");
                ComputationResult::Failed(exit_cause.failure(self.isolation.limits))
            }
        }
    }
}

/// The end of a computation in a child.
enum WaitOutcome {
    /// The child answered and is ready for more.
    Answered(ComputationResult),
    /// The child did not obey and has to be killed.
    Disobeyed(ComputationResult),
    /// The child died.
    Died {
        /// Whether the child had begun the task.
        begun: bool,
        /// Whether the system killed processes for lack of memory meanwhile or just before.
        ///
        /// The count of killed processes may be up to a second old.
        system_ran_out: Option<bool>,
    },
}

/// The messages from the child's standard output.
enum FromChild {
    Begun,
    Progress(Progress),
    Checkpoint(CheckpointData),
    Ended(ComputationResult),
    Nonsense(MessageError),
}

/// A child process and the channels that listen to it.
#[derive(Debug)]
struct Child {
    process: std::process::Child,
    group: Pid,
    /// Closed by dropping it.
    orders: Option<ChildStdin>,
    answers: mpsc::Receiver<FromChild>,
    stderr_tail: mpsc::Receiver<String>,
    living: LiveChildren,
    reaped: Option<ExitStatus>,
    /// The number of processes that the system had killed for lack of memory, and when that was.
    killed_before: (Option<u64>, Instant),
}

impl Child {
    fn start(isolation: &Isolation, living: &LiveChildren) -> io::Result<Self> {
        let program = isolation.program.as_deref().unwrap_or("".as_ref());
        let mut process = Command::new(program)
            .args(&isolation.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            // A Ctrl-C at the terminal is for the worker, which decides the fate of its children.
            .process_group(0)
            .spawn()?;
        let pid = process.id();
        lock(&living.0).insert(pid);
        let (messages, answers) = mpsc::channel();
        let (tail, stderr_tail) = mpsc::channel();
        let (stdout, stderr) = (process.stdout.take(), process.stderr.take());
        let mut child = Self {
            orders: process.stdin.take(),
            group: Pid::from_child(&process),
            process,
            answers,
            stderr_tail,
            living: living.clone(),
            reaped: None,
            killed_before: (killed_for_memory(), Instant::now()),
        };
        thread::Builder::new()
            .name(format!("stdout-{pid}"))
            .spawn(move || stdout.map(|stdout| listen(stdout, &messages)))?;
        thread::Builder::new()
            .name(format!("stderr-{pid}"))
            .spawn(move || stderr.map(|stderr| tail.send(last_line(stderr, pid))))?;
        let Limits { memory, cpu, .. } = isolation.limits;
        child.takes(&Order::Begin {
            parent: std::process::id(),
            memory,
            cpu_seconds: cpu.map(|cpu| cpu.as_secs() + u64::from(cpu.subsec_nanos() > 0)),
        });
        Ok(child)
    }

    /// Sends an order.
    ///
    /// Its arrival shows in the answers: a dead child gives none.
    fn takes(&mut self, order: &Order) {
        if let Some(orders) = &mut self.orders {
            let _ = message::write(orders, order);
        }
    }

    /// Sends a task, and the checkpoint to resume from.
    fn resume(&mut self, task: &Task, checkpoints: &CheckpointIo) {
        let Some(from) = checkpoints.written() else {
            return self.takes(&Order::Compute(task.clone()));
        };
        if let Some(orders) = &mut self.orders {
            // A dead child gives no answer.
            let _ = message::write_with(
                orders,
                &Order::Resume(task.clone(), from.len() as u64),
                from,
            );
        }
    }

    /// Waits for the answer to the current task, and makes sure that there is one.
    fn wait_for_answer(
        &mut self,
        interrupt: &Interrupt,
        limits: Limits,
        checkpoints: &CheckpointIo,
    ) -> WaitOutcome {
        let begun = Instant::now();
        if self.killed_before.1.elapsed() >= COUNT_INTERVAL {
            self.killed_before = (killed_for_memory(), begun);
        }
        let watcher = Control::new(0, interrupt.clone());
        let mut stopping: Option<(Instant, ComputationResult)> = None;
        let mut taken_up = false;
        loop {
            match self.answers.recv_timeout(TICK) {
                Ok(FromChild::Begun) => taken_up = true,
                Ok(FromChild::Progress(progress)) => watcher.report(progress),
                Ok(FromChild::Checkpoint(written)) => checkpoints.keep(written),
                Ok(FromChild::Ended(ComputationResult::Stopped)) => {
                    let nobody = || Failure::computation("the computation stopped by itself");
                    let computed = stopping.map(|(_, computed)| computed);
                    return WaitOutcome::Answered(
                        computed.unwrap_or_else(|| ComputationResult::Failed(nobody())),
                    );
                }
                Ok(FromChild::Ended(computed)) => return WaitOutcome::Answered(computed),
                Ok(FromChild::Nonsense(error)) => {
                    let reason = format!("the computing process wrote nonsense: {error}");
                    return WaitOutcome::Disobeyed(ComputationResult::Failed(
                        Failure::computation(&reason),
                    ));
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    let killed = self.killed_before.0.zip(killed_for_memory());
                    return WaitOutcome::Died {
                        begun: taken_up,
                        system_ran_out: killed.map(|(before, after)| after > before),
                    };
                }
            }
            if stopping.is_none() {
                let out_of_time = limits.wall.is_some_and(|wall| begun.elapsed() >= wall);
                let computed = match (interrupt.is_raised(), out_of_time) {
                    (true, _) => ComputationResult::Stopped,
                    (false, true) => {
                        ComputationResult::Failed(Failure::Guard(InterruptCause::TimeGuard))
                    }
                    (false, false) => continue,
                };
                self.takes(&Order::Stop);
                stopping = Some((Instant::now(), computed));
            }
            if let Some((since, computed)) = &stopping
                && since.elapsed() >= limits.stop_grace.unwrap_or(GRACE)
            {
                return WaitOutcome::Disobeyed(computed.clone());
            }
        }
    }

    /// Reaps a child that died by itself, and returns the cause.
    fn reap(mut self, system_ran_out: Option<bool>) -> ExitCause {
        // Its output has ended, so it is about to exit. Waiting makes sure that its own status is
        // found.
        self.wait(GRACE);
        let status = self.end();
        let stderr_tail = self.stderr_tail.recv_timeout(GRACE).unwrap_or_default();
        ExitCause {
            status,
            stderr_tail,
            system_ran_out,
        }
    }

    /// Ends the child, if it has not ended, and everything it may have started; idempotent.
    fn end(&mut self) -> ExitStatus {
        if let Some(status) = self.reaped {
            return status;
        }
        self.orders = None;
        if !self.has_ended() {
            // The group may be gone already.
            let _ = kill_process_group(self.group, Signal::TERM);
            self.wait(GRACE);
        }
        let _ = kill_process_group(self.group, Signal::KILL);
        // Waiting for one's own child fails only if other code has waited for it.
        let status = self.process.wait().unwrap_or(ExitStatus::from_raw(0));
        lock(&self.living.0).remove(&self.process.id());
        self.reaped = Some(status);
        status
    }

    /// Waits until the child has ended, at most `patience`.
    fn wait(&self, patience: Duration) {
        let begun = Instant::now();
        while !self.has_ended() && begun.elapsed() < patience {
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Reports whether the child has ended.
    ///
    /// The child is not waited for, and so keeps its number.
    fn has_ended(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        self.reaped.is_some() || !matches!(waitid(WaitId::Pid(self.group), options), Ok(None))
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.end();
    }
}

/// Passes on the child's answers, until it ends or writes nonsense.
fn listen(stdout: ChildStdout, messages: &mpsc::Sender<FromChild>) {
    let mut stdout = BufReader::new(stdout);
    loop {
        let message = match message::read(&mut stdout) {
            Ok(Some(Answer::Begun)) => FromChild::Begun,
            Ok(Some(Answer::Progress { heap, order })) => {
                FromChild::Progress(Progress { heap, order })
            }
            Ok(Some(Answer::Certificate(bytes))) => {
                match message::read_incremental(&mut stdout, bytes) {
                    Ok(certificate) => {
                        FromChild::Ended(ComputationResult::Certificate(certificate))
                    }
                    // The child died while writing.
                    Err(MessageError::Read(_)) => return,
                    Err(error) => FromChild::Nonsense(error),
                }
            }
            Ok(Some(Answer::Checkpoint { heap, fuel, bytes })) => {
                match message::read_incremental(&mut stdout, bytes) {
                    Ok(bytes) => FromChild::Checkpoint(CheckpointData { heap, fuel, bytes }),
                    // The child died while writing.
                    Err(MessageError::Read(_)) => return,
                    Err(error) => FromChild::Nonsense(error),
                }
            }
            Ok(Some(Answer::Failed(reason))) => {
                FromChild::Ended(ComputationResult::Failed(Failure::computation(&reason)))
            }
            Ok(Some(Answer::Stopped)) => FromChild::Ended(ComputationResult::Stopped),
            Ok(None) | Err(MessageError::Read(_)) => return,
            Err(error) => FromChild::Nonsense(error),
        };
        let nonsense = matches!(message, FromChild::Nonsense(_));
        if messages.send(message).is_err() || nonsense {
            return;
        }
    }
}

/// Returns the last line that is not empty, or the line that says why the process aborts.
///
/// A backtrace may follow the latter. All lines go to the log.
fn last_line(stderr: ChildStderr, pid: u32) -> String {
    let mut stderr = BufReader::new(stderr);
    let mut last = String::new();
    let mut line = Vec::new();
    loop {
        line.clear();
        match (&mut stderr)
            .take(MAX_LINE_BYTES)
            .read_until(b'\n', &mut line)
        {
            Ok(0) | Err(_) => return last,
            Ok(_) => {
                let line = String::from_utf8_lossy(&line).trim().to_owned();
                tracing::debug!(pid, said = line, "a computing process says");
                if !line.is_empty() && !is_allocation_failure(&last) {
                    last = line;
                }
            }
        }
    }
}
