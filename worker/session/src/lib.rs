//! The session of a worker with the coordinator, as a pure state machine.
//!
//! For example, a worker with two threads is given three tasks. The session starts two of them and
//! keeps the third. When the first one ends with a certificate, the session has it reported, starts
//! the third task, and asks the coordinator for more.
//!
//! The session reads no clock, starts no thread and knows no sockets. Every event is an [`Input`]
//! with the time at which it happened; every action is an [`Output`] of [`Session::step`]. A shell
//! around the session carries the outputs out: the shell of a real worker with threads and calls,
//! the shell in the simulation of the ledger with a network that loses messages. A session knows
//! tasks by their leases alone. The shell keeps the tasks, the results and the checkpoints
//! themselves, until [`Output::Forget`].
//!
//! The rules of a session:
//!
//! - At most one call to the coordinator is in flight, apart from reports and checkpoints.
//! - A lease that could not be renewed for its whole duration, by the worker's own clock, is given
//!   up without an order of the coordinator.
//! - The last checkpoint of a task arrives before the report that the task was stopped.
//! - A worker that is asked to stop drains: queued tasks go back at once, running tasks may end
//!   within a grace period, and only then are they interrupted.
//!
//! | module | contents |
//! |---|---|
//! | [`session`] | the state machine: calls, drain, end |
//! | `leases` | the leases that a worker holds, and the phase of each |
//! | [`message`] | the inputs and outputs of a session |
//! | [`clock`] | points in time, which the shell passes to a session |
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod clock;
mod leases;
pub mod message;
pub mod session;

pub use clock::Timestamp;
pub use message::{Call, ComputationEnd, GrantedLease, Holdings, Input, Output, Renewal};
pub use session::{CHECK_INTERVAL, Config, Session};
