//! Processes: on this machine, or by ssh on others that share a file system with this one.

use std::collections::{BTreeSet, VecDeque};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use misere_census::input_file;

use super::job::{Array, JobSpec};
use crate::shell::quoted;

/// The number of successive failed jobs after which a host is not used any more.
const MAX_FAILURES: u32 = 3;

/// The age of a worker's file at which the worker counts as ended.
///
/// Workers touch the file every two seconds.
const SIGN_OF_LIFE: Duration = Duration::from_secs(20);

/// The exit code of ssh when the host cannot be reached.
const UNREACHABLE: i32 = 255;

/// The processes that compute parts.
pub(super) struct Processes {
    slots: Vec<Slot>,
    waiting: VecDeque<(u64, u64)>,
    /// The time for which a slot rests after a failed job.
    rest: Duration,
}

/// A place for one process.
struct Slot {
    /// The host; `None` for this machine.
    host: Option<String>,
    running: Option<Running>,
    failures: u32,
    /// The end of the rest after a failed job.
    rests_until: Option<Instant>,
}

/// A running job.
struct Running {
    array: u64,
    part: u64,
    process: Child,
}

impl Processes {
    /// Makes slots for processes on this machine.
    pub(super) fn here(slots: usize, rest: Duration) -> Self {
        Self::on((0..slots.max(1)).map(|_| None), rest)
    }

    /// Makes a slot for one process on each of the hosts; a host may be named more than once.
    pub(super) fn by_ssh(hosts: &[String], rest: Duration) -> Self {
        Self::on(hosts.iter().cloned().map(Some), rest)
    }

    fn on(hosts: impl Iterator<Item = Option<String>>, rest: Duration) -> Self {
        let slot = |host| Slot {
            host,
            running: None,
            failures: 0,
            rests_until: None,
        };
        Self {
            slots: hosts.map(slot).collect(),
            waiting: VecDeque::new(),
            rest,
        }
    }

    /// Queues the parts of an array.
    pub(super) fn submit(&mut self, array: &Array) {
        let parts = array.parts.iter();
        self.waiting.extend(parts.map(|&part| (array.number, part)));
    }

    /// Reports whether a process has ended since the last poll, or a waiting part has a free slot.
    pub(super) fn can_start(&mut self) -> bool {
        let waits = !self.waiting.is_empty();
        self.slots.iter_mut().any(|slot| match &mut slot.running {
            Some(job) => matches!(job.process.try_wait(), Ok(Some(_))),
            None => waits && slot.is_free(),
        })
    }

    /// Starts the parts that can be started; returns the parts that wait or run.
    ///
    /// These include the parts that processes of an earlier run compute.
    pub(super) fn alive(&mut self, means: &JobSpec, arrays: &[Array]) -> BTreeSet<u64> {
        for slot in &mut self.slots {
            if let Some((array, part)) = slot.reap(self.rest)
                && !is_at_work(means, part)
            {
                // The host is at fault, not the part: another host gets it.
                self.waiting.push_front((array, part));
            }
            if slot.is_free()
                && let Some((number, part)) = self.waiting.pop_front()
            {
                let script = means.folder.join(format!("array-{number}.sh"));
                slot.start(means, script, number, part);
            }
        }
        if self
            .slots
            .iter()
            .all(|slot| slot.failures >= MAX_FAILURES && slot.running.is_none())
        {
            // No host is left; the waiting parts are reported as missing.
            self.waiting.clear();
        }
        let mut alive: BTreeSet<u64> = self.waiting.iter().map(|&(_, part)| part).collect();
        let running = self.slots.iter().filter_map(|slot| slot.running.as_ref());
        alive.extend(running.map(|job| job.part));
        let parts = arrays.iter().flat_map(|array| &array.parts);
        alive.extend(parts.filter(|&&part| is_at_work(means, part)));
        alive
    }
}

/// Reports whether a process, here or elsewhere, computes a part or is the worker of this number.
fn is_at_work(means: &JobSpec, part: u64) -> bool {
    match means.coordinator {
        Some(_) => is_alive(means, part),
        None => is_locked(means, part),
    }
}

/// Reports whether a process writes the file of a part.
fn is_locked(means: &JobSpec, part: u64) -> bool {
    let file = input_file::open(&means.part(part));
    file.is_ok_and(|file| matches!(file.try_lock(), Err(std::fs::TryLockError::WouldBlock)))
}

/// Reports whether a worker has touched its file recently.
///
/// The file of a worker that has just ended looks the same, but is soon seen to be old.
fn is_alive(means: &JobSpec, worker: u64) -> bool {
    let touched = std::fs::metadata(means.sign_of_life(worker)).and_then(|data| data.modified());
    touched.is_ok_and(|at| at.elapsed().unwrap_or_default() < SIGN_OF_LIFE)
}

impl Slot {
    /// Reports whether a job can be started here.
    fn is_free(&self) -> bool {
        let rests = self.rests_until.is_some_and(|end| Instant::now() < end);
        self.running.is_none() && self.failures < MAX_FAILURES && !rests
    }

    /// Records a process that has ended.
    ///
    /// Returns the array and the part of a job whose host could not be reached.
    fn reap(&mut self, rest: Duration) -> Option<(u64, u64)> {
        let status = self.running.as_mut()?.process.try_wait().ok()??;
        let job = self.running.take()?;
        self.rests_until = match status.success() {
            true => None,
            false => Instant::now().checked_add(rest),
        };
        match &self.host {
            Some(host) if status.code() == Some(UNREACHABLE) => {
                self.failures += 1;
                if self.failures == MAX_FAILURES {
                    notice!("note: {host} cannot be reached, and gets no more parts");
                }
                Some((job.array, job.part))
            }
            _ => {
                self.failures = 0;
                None
            }
        }
    }

    /// Starts a job in its own process group, so that Ctrl-C for this program does not end it.
    fn start(&mut self, means: &JobSpec, script: PathBuf, array: u64, part: u64) {
        let script = script.display().to_string();
        let log = means.logs().join(format!("array-{array}.{part}.log"));
        let started = input_file::open_or_make(&log).and_then(|log| {
            log.set_len(0)?;
            let errors = log.try_clone()?;
            let mut command = match &self.host {
                None => {
                    let mut command = Command::new("sh");
                    command.args([&script, &part.to_string()]);
                    command
                }
                Some(host) => {
                    let mut command = Command::new("ssh");
                    let remote = format!("exec sh {} {part}", quoted(&script));
                    command.args(&means.directives);
                    command.args(["-o", "BatchMode=yes", "-o", "ServerAliveInterval=15"]);
                    command.args(["--", host, &remote]);
                    command
                }
            };
            command
                .stdin(Stdio::null())
                .stdout(log)
                .stderr(errors)
                .process_group(0)
                .spawn()
        });
        match started {
            Ok(process) => {
                self.running = Some(Running {
                    array,
                    part,
                    process,
                });
            }
            Err(error) => {
                self.failures += 1;
                notice!("note: part {part} cannot be started: {error}");
            }
        }
    }
}
