//! The handle of a child process: start, stop and end.
//!
//! A [`Keeper`] belongs to one computing thread and has at most one child, in a process group of
//! its own. However it loses it (the child died, had to be killed, or the keeper goes), the whole
//! group is killed and the child waited for, so that no process and no zombie is left. The group is
//! killed *before* the wait: until then nobody else can have its number.

use std::collections::BTreeSet;
use std::io::{self, BufRead, BufReader, Read};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use misere_census::{Failure, InterruptCause, Task};
use misere_theory::control::{Control, Interrupt, Progress};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use super::death::{Death, is_allocation_failure, killed_for_memory};
use super::message::{self, Answer, MessageError, Order};
use super::{Isolation, Limits};
use crate::checkpoint_io::{CheckpointIo, Written};
use crate::pool::Computed;

/// The interval at which the interrupt and the clock are checked.
const TICK: Duration = Duration::from_millis(20);

/// The time that a child may take to obey before it is killed.
const GRACE: Duration = Duration::from_millis(200);

/// The longest line of standard error that is kept.
const MAX_LINE_BYTES: u64 = 4096;

/// The children of a worker that are alive now.
#[derive(Clone, Debug, Default)]
pub struct Living(Arc<Mutex<BTreeSet<u32>>>);

impl Living {
    /// Their process numbers.
    #[must_use]
    pub fn pids(&self) -> Vec<u32> {
        lock(&self.0).iter().copied().collect()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Computes tasks in a child.
#[derive(Debug)]
pub(crate) struct Keeper {
    isolation: Isolation,
    living: Living,
    child: Option<Child>,
}

impl Keeper {
    pub(crate) fn new(isolation: Isolation, living: Living) -> Self {
        Self {
            isolation,
            living,
            child: None,
        }
    }

    /// Computes a task in the child, which is started if there is none.
    pub(crate) fn compute(
        &mut self,
        task: Task,
        interrupt: &Interrupt,
        checkpoints: CheckpointIo,
    ) -> Computed {
        if interrupt.is_raised() {
            return Computed::Stopped;
        }
        // Looked at here, where something can be said about it.
        let checkpoints = match task.as_game().and_then(|game| checkpoints.start(game)) {
            Some(_) => checkpoints,
            None => checkpoints.anew(),
        };
        if let Some(mut child) = self.child.take() {
            child.takes_up(&task, &checkpoints);
            match child.attend(interrupt, self.isolation.limits, &checkpoints) {
                // A child that died between two tasks is no fault of the second: another one gets
                // it.
                Attended::Died { begun: false, .. } => drop(child),
                attended => return self.conclude(child, attended),
            }
            if interrupt.is_raised() {
                return Computed::Stopped;
            }
        }
        match Child::start(&self.isolation, &self.living) {
            Ok(mut child) => {
                child.takes_up(&task, &checkpoints);
                let attended = child.attend(interrupt, self.isolation.limits, &checkpoints);
                self.conclude(child, attended)
            }
            Err(error) => {
                let reason = format!("cannot start a process for the computation: {error}");
                Computed::Failed(Failure::computation(&reason))
            }
        }
    }

    /// Keeps a child that answered, and buries every other.
    fn conclude(&mut self, child: Child, attended: Attended) -> Computed {
        match attended {
            Attended::Answered(computed) => {
                self.child = Some(child);
                computed
            }
            Attended::Disobeyed(computed) => computed,
            Attended::Died { system_ran_out, .. } => {
                let death = child.bury(system_ran_out);
                tracing::warn!(status = %death.status, last_words = death.last_words, "a computing process died");
                Computed::Failed(death.failure(self.isolation.limits))
            }
        }
    }
}

/// The way in which a computation in a child ended.
enum Attended {
    /// The child answered and is ready for more.
    Answered(Computed),
    /// The child did not obey and has to be killed.
    Disobeyed(Computed),
    /// The child died.
    Died {
        /// Whether the child had taken up the task.
        begun: bool,
        /// Whether the system killed processes for want of memory meanwhile.
        system_ran_out: Option<bool>,
    },
}

/// The messages from the child's standard output.
enum Heard {
    Begun,
    Progress(Progress),
    Checkpoint(Written),
    Ended(Computed),
    Nonsense(MessageError),
}

/// A child process and what listens to it.
#[derive(Debug)]
struct Child {
    process: std::process::Child,
    group: Pid,
    /// Closed by dropping it.
    orders: Option<ChildStdin>,
    answers: mpsc::Receiver<Heard>,
    last_words: mpsc::Receiver<String>,
    living: Living,
    buried: Option<ExitStatus>,
}

impl Child {
    fn start(isolation: &Isolation, living: &Living) -> io::Result<Self> {
        let program = isolation.program.as_deref().unwrap_or("".as_ref());
        let mut process = Command::new(program)
            .args(&isolation.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            // A Ctrl-C at the terminal is for the worker, who decides what becomes of its children.
            .process_group(0)
            .spawn()?;
        let pid = process.id();
        lock(&living.0).insert(pid);
        let (hears, answers) = mpsc::channel();
        let (says, last_words) = mpsc::channel();
        let (stdout, stderr) = (process.stdout.take(), process.stderr.take());
        let mut child = Self {
            orders: process.stdin.take(),
            group: Pid::from_child(&process),
            process,
            answers,
            last_words,
            living: living.clone(),
            buried: None,
        };
        thread::Builder::new()
            .name(format!("hears-{pid}"))
            .spawn(move || stdout.map(|stdout| hear(stdout, &hears)))?;
        thread::Builder::new()
            .name(format!("stderr-{pid}"))
            .spawn(move || stderr.map(|stderr| says.send(last_line(stderr, pid))))?;
        let Limits { memory, cpu, .. } = isolation.limits;
        child.takes(&Order::Begin {
            parent: std::process::id(),
            memory,
            cpu_seconds: cpu.map(|cpu| cpu.as_secs() + u64::from(cpu.subsec_nanos() > 0)),
        });
        Ok(child)
    }

    /// Gives an order. Whether it arrives is heard from the answers: a dead child gives none.
    fn takes(&mut self, order: &Order) {
        if let Some(orders) = &mut self.orders {
            let _ = message::write(orders, order);
        }
    }

    /// Gives a task, and what it goes on from.
    fn takes_up(&mut self, task: &Task, checkpoints: &CheckpointIo) {
        let Some(from) = checkpoints.written() else {
            return self.takes(&Order::Compute(task.clone()));
        };
        if let Some(orders) = &mut self.orders {
            // As above.
            let _ = message::write_with(
                orders,
                &Order::Resume(task.clone(), from.len() as u64),
                from,
            );
        }
    }

    /// Waits for the answer to the task given, and sees to it that there is one.
    fn attend(
        &mut self,
        interrupt: &Interrupt,
        limits: Limits,
        checkpoints: &CheckpointIo,
    ) -> Attended {
        let begun = Instant::now();
        let killed_before = killed_for_memory();
        let watcher = Control::new(0, interrupt.clone());
        let mut stopping: Option<(Instant, Computed)> = None;
        let mut taken_up = false;
        loop {
            match self.answers.recv_timeout(TICK) {
                Ok(Heard::Begun) => taken_up = true,
                Ok(Heard::Progress(progress)) => watcher.report(progress),
                Ok(Heard::Checkpoint(written)) => checkpoints.keep(written),
                Ok(Heard::Ended(Computed::Stopped)) => {
                    let nobody = || Failure::computation("the computation stopped by itself");
                    let computed = stopping.map(|(_, computed)| computed);
                    return Attended::Answered(
                        computed.unwrap_or_else(|| Computed::Failed(nobody())),
                    );
                }
                Ok(Heard::Ended(computed)) => return Attended::Answered(computed),
                Ok(Heard::Nonsense(error)) => {
                    let reason = format!("the computing process wrote nonsense: {error}");
                    return Attended::Disobeyed(Computed::Failed(Failure::computation(&reason)));
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    let killed = killed_before.zip(killed_for_memory());
                    return Attended::Died {
                        begun: taken_up,
                        system_ran_out: killed.map(|(before, after)| after > before),
                    };
                }
            }
            if stopping.is_none() {
                let out_of_time = limits.wall.is_some_and(|wall| begun.elapsed() >= wall);
                let computed = match (interrupt.is_raised(), out_of_time) {
                    (true, _) => Computed::Stopped,
                    (false, true) => Computed::Failed(Failure::Guard(InterruptCause::TimeGuard)),
                    (false, false) => continue,
                };
                self.takes(&Order::Stop);
                stopping = Some((Instant::now(), computed));
            }
            if let Some((since, computed)) = &stopping
                && since.elapsed() >= GRACE
            {
                return Attended::Disobeyed(computed.clone());
            }
        }
    }

    /// Buries a child that died by itself; what it died of.
    fn bury(mut self, system_ran_out: Option<bool>) -> Death {
        // Its output has ended, so it is about to: let it, so that its own status is the one found.
        self.wait(GRACE);
        let status = self.end();
        let last_words = self.last_words.recv_timeout(GRACE).unwrap_or_default();
        Death {
            status,
            last_words,
            system_ran_out,
        }
    }

    /// Ends the child, if it has not ended, and everything it may have started; idempotent.
    fn end(&mut self) -> ExitStatus {
        if let Some(status) = self.buried {
            return status;
        }
        self.orders = None;
        if !self.has_ended() {
            // Nobody is in a group that is gone.
            let _ = kill_process_group(self.group, Signal::TERM);
            self.wait(GRACE);
        }
        let _ = kill_process_group(self.group, Signal::KILL);
        // Waiting for one's own child fails only if somebody else has waited for it.
        let status = self.process.wait().unwrap_or(ExitStatus::from_raw(0));
        lock(&self.living.0).remove(&self.process.id());
        self.buried = Some(status);
        status
    }

    /// Waits until the child has ended, at most so long.
    fn wait(&self, patience: Duration) {
        let begun = Instant::now();
        while !self.has_ended() && begun.elapsed() < patience {
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Whether the child has ended; it is not waited for, and so keeps its number.
    fn has_ended(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        self.buried.is_some() || !matches!(waitid(WaitId::Pid(self.group), options), Ok(None))
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.end();
    }
}

/// Passes on what the child answers, until it ends or writes nonsense.
fn hear(stdout: ChildStdout, hears: &mpsc::Sender<Heard>) {
    let mut stdout = BufReader::new(stdout);
    loop {
        let heard = match message::read(&mut stdout) {
            Ok(Some(Answer::Begun)) => Heard::Begun,
            Ok(Some(Answer::Progress { heap, order })) => Heard::Progress(Progress { heap, order }),
            Ok(Some(Answer::Certificate(bytes))) => {
                match message::read_announced(&mut stdout, bytes) {
                    Ok(certificate) => Heard::Ended(Computed::Certificate(certificate)),
                    // It died while writing.
                    Err(MessageError::Read(_)) => return,
                    Err(error) => Heard::Nonsense(error),
                }
            }
            Ok(Some(Answer::Checkpoint { heap, fuel, bytes })) => {
                match message::read_announced(&mut stdout, bytes) {
                    Ok(bytes) => Heard::Checkpoint(Written { heap, fuel, bytes }),
                    // As above.
                    Err(MessageError::Read(_)) => return,
                    Err(error) => Heard::Nonsense(error),
                }
            }
            Ok(Some(Answer::Failed(reason))) => {
                Heard::Ended(Computed::Failed(Failure::computation(&reason)))
            }
            Ok(Some(Answer::Stopped)) => Heard::Ended(Computed::Stopped),
            Ok(None) | Err(MessageError::Read(_)) => return,
            Err(error) => Heard::Nonsense(error),
        };
        let nonsense = matches!(heard, Heard::Nonsense(_));
        if hears.send(heard).is_err() || nonsense {
            return;
        }
    }
}

/// The last line that says anything, or the one that says why the process aborts, after which a
/// backtrace may come. All of them go to the log.
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
                let said = String::from_utf8_lossy(&line).trim().to_owned();
                tracing::debug!(pid, said, "a computing process says");
                if !said.is_empty() && !is_allocation_failure(&last) {
                    last = said;
                }
            }
        }
    }
}
