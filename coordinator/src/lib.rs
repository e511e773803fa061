//! The coordinator of a census, which leases tasks to workers and checks their certificates.
//!
//! [`misere_ledger`] decides which worker holds which task, [`misere_store`] what is kept, and
//! [`misere_census::admission`] whether a certificate may enter.
//!
//! - [`driver`]: the thread that keeps ledger and store in step
//! - [`check_threads`]: the threads that check certificates
//! - `intake`: the single entry point for results: claim, verify, settle
//! - `computing`: the computation of a task by the coordinator itself
//! - [`merge`]: the entry of results from files
//! - [`rpc`]: the gRPC services
//! - [`seal`]: the seal of a checker on the file of a part
//! - [`connections`]: the bounds of a port
//! - [`authority`]: the certificate authority of a lab
//! - [`observer`]: the state of a running census, its pace, and the time left
//! - [`control`]: the requests of the owner of the directory
//! - [`local`]: the socket of the owner
//! - [`lifecycle`]: the start and the end of a coordinator
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod authority;
pub mod check_threads;
mod computing;
pub mod connections;
pub mod control;
pub mod driver;
mod intake;
pub mod lifecycle;
pub mod local;
pub mod merge;
pub mod observer;
pub mod rpc;
pub mod seal;

pub use lifecycle::{Coordinator, CoordinatorError, Settings};
