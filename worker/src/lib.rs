//! A worker of a census: leases tasks from a coordinator, computes them, submits certificates.
//!
//! | module | contents |
//! |---|---|
//! | [`pool`] | the threads on which a worker computes tasks, and how a task is stopped |
//! | [`checking`] | a worker that checks the certificates of others instead of solving |
//! | [`child`] | child processes, in which a worker computes dangerous tasks |
//! | [`session`] | the main loop of a worker, which carries out the decisions of [`misere_session`]
//! |
//! | [`link`] | the calls of a worker to the coordinator |
//! | [`checkpoint_io`] | the checkpoint from which a computation starts, and the checkpoints that it writes |
//! | `checkpoint_transfer` | the transfer of checkpoints between worker and coordinator |
//! | `delivery` | the delivery of results while the coordinator comes and goes |
//! | [`backoff`] | the pauses before a worker tries to connect again |
//! | `alive` | the sign of life of a worker: a file that is touched while its loop runs |
//! | [`guard`] | the guards of a worker: limits on the time and memory of its computations |
//!
//! A worker gets its solver ([`Solver`]): the engine, or a function ([`Compute`]).
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod backoff;
pub mod checking;
pub mod checkpoint_io;
mod checkpoint_transfer;
pub mod child;
mod delivery;
pub mod guard;
pub mod link;
mod liveness;
pub mod pool;
pub mod session;

pub use checking::{CheckerSettings, check_secured};
pub use checkpoint_io::CheckpointIo;
pub use child::{Isolate, Isolation, Limits};
pub use guard::Guards;
pub use link::LinkError;
pub use pool::{Compute, Solver, solve_task};
pub use session::{
    CHECKPOINT_INTERVAL, GIVE_UP_AFTER, Settings, WorkerError, run, run_over, run_secured,
};
