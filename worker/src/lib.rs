//! A worker of a census: pulls leases from a coordinator, computes them, hands back certificates.
//!
//! | question | module |
//! |---|---|
//! | how is a task computed, and stopped? | [`pool`] |
//! | how is a dangerous task kept from taking the worker with it? | [`child`] |
//! | what does a worker do next? | [`session`] |
//! | what does it hold, and what does it let go? | `held` |
//! | how does it talk to the coordinator? | [`link`] |
//! | from where does a computation go on, and where does it stand? | [`course`] |
//! | how do checkpoints get to the coordinator and back? | `carriage` |
//! | how does a result get there while the coordinator comes and goes? | `delivery` |
//! | when does it try again? | [`backoff`] |
//! | how does somebody outside see that it is alive? | `alive` |
//! | how much may a computation cost this machine? | [`guard`] |
//!
//! A worker is given what solves ([`Solver`]): the engine, or a function ([`Compute`]).
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod alive;
pub mod backoff;
mod carriage;
pub mod child;
pub mod course;
mod delivery;
pub mod guard;
mod held;
pub mod link;
pub mod pool;
pub mod session;

pub use child::{Isolate, Isolation, Limits};
pub use course::Course;
pub use guard::Guards;
pub use link::LinkError;
pub use pool::{Compute, Solver, solve_task};
pub use session::{
    CHECKPOINT_EVERY, GIVE_UP_AFTER, Settings, WorkerError, run, run_over, run_secured,
};
