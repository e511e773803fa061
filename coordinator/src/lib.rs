//! The coordinator of a census, which leases tasks to workers and checks their certificates.
//!
//! Which worker holds which task is decided by [`misere_ledger`], what is kept by [`misere_store`],
//! and whether a certificate may enter by [`misere_census::admission`].
//!
//! - [`driver`]: the thread that keeps ledger and store in step
//! - [`verifier`]: the threads that check certificates
//! - `intake`: the way in of every result: claim, verify, settle
//! - `computing`: the computation of a task by the coordinator itself
//! - [`merge`]: the entry of results from files
//! - [`rpc`]: the gRPC services
//! - [`connections`]: the bounds of a port
//! - [`certificates`]: the certificate authority of a lab
//! - [`observer`]: the standing of a running census, its pace, and the time left
//! - [`control`]: the questions and orders of the owner of the directory
//! - [`local`]: the socket of the owner
//! - [`service`]: the start and the end of a coordinator
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod certificates;
mod computing;
pub mod connections;
pub mod control;
pub mod driver;
mod intake;
pub mod local;
pub mod merge;
pub mod observer;
pub mod rpc;
pub mod service;
pub mod verifier;

pub use service::{Coordinator, CoordinatorError, Settings};
