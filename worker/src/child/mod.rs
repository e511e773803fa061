//! Child processes, in which a worker computes dangerous tasks.
//!
//! Such a task is computed in a child process, which limits its own memory and processor time
//! ([`Limits`]) before it reads the first task, and which dies with the worker. One child serves
//! many tasks, one after another; it is replaced only when it has died or had to be killed. Its
//! misbehaviour becomes a typed [`Failure`](misere_census::Failure) of the task, never a verdict
//! (A-5).
//!
//! | module | contents |
//! |---|---|
//! | `message` | the messages between a worker and its child process |
//! | [`serve()`] | the main loop of a child process, which first sets the limits |
//! | `process` | the handle of a child process: start, stop and end |
//! | `exit_cause` | the cause of the exit of a child process |

mod exit_cause;
mod message;
mod process;
mod serve;

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

pub(crate) use process::ChildProcess;
pub use process::LiveChildren;
pub use serve::{ServeError, serve};

/// The argument that makes the command `misere` a child.
pub const CHILD_COMMAND: &str = "worker-child";

/// The tasks that are computed in a process of their own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Isolate {
    /// No task.
    Never,
    /// Tasks with an earlier failed attempt, on this worker or another one.
    #[default]
    AfterFailure,
    /// Every task.
    Always,
}

impl Isolate {
    /// Reports whether a task with this many failed attempts is computed in a process of its own.
    ///
    /// ```
    /// use misere_worker::Isolate;
    /// assert!(!Isolate::AfterFailure.applies(0) && Isolate::AfterFailure.applies(1));
    /// assert!(!Isolate::Never.applies(9) && Isolate::Always.applies(0));
    /// ```
    #[must_use]
    pub fn applies(self, failures: u32) -> bool {
        match self {
            Self::Never => false,
            Self::AfterFailure => failures > 0,
            Self::Always => true,
        }
    }
}

/// The limits of one task in a child.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The limit of memory for data, in bytes.
    ///
    /// It is `RLIMIT_DATA`: reserved memory that was never made writable does not count.
    pub memory: Option<u64>,
    /// The limit of processor time of all its threads together; whole seconds, rounded up.
    pub cpu: Option<Duration>,
    /// The limit of time by the worker's clock.
    pub wall: Option<Duration>,
    /// The time that a child may take to obey a stop before it is killed; a fifth of a second
    /// unless it is given.
    pub stop_grace: Option<Duration>,
}

/// The settings for the use of children.
#[derive(Clone, Debug, Default)]
pub struct Isolation {
    /// The tasks that are computed in children.
    pub when: Isolate,
    /// The program that calls [`serve()`]; without one there are no children.
    pub program: Option<PathBuf>,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// The limits of a task.
    pub limits: Limits,
}

impl Isolation {
    /// Returns settings whose children are this very program, called as `misere worker-child`.
    ///
    /// # Errors
    /// If the system cannot tell the path of this program.
    pub fn of_this_program(when: Isolate, limits: Limits) -> std::io::Result<Self> {
        // This is the running program itself, even if an upgrade has replaced its file meanwhile.
        let program = match cfg!(target_os = "linux") {
            true => PathBuf::from("/proc/self/exe"),
            false => std::env::current_exe()?,
        };
        Ok(Self {
            when,
            program: Some(program),
            arguments: vec![CHILD_COMMAND.into()],
            limits,
        })
    }

    /// Reports whether a task with this many failed attempts is computed in a child.
    #[must_use]
    pub fn applies(&self, failures: u32) -> bool {
        self.program.is_some() && self.when.applies(failures)
    }
}
