//! The coordinator of a census, which leases tasks to workers and checks their certificates.
//!
//! Which worker holds which task is decided by [`misere_ledger`], what is kept by [`misere_store`],
//! and whether a certificate may enter by [`misere_census::admission`].
//!
//! - [`driver`]: ledger and store, moved together
//! - [`verifier`]: the threads that check certificates
//! - `intake`: the way in of every result: claim, verify, settle
//! - `computing`: what comes of a task when the coordinator computes it itself
//! - [`merge`]: how results that came as files enter
//! - [`rpc`]: how workers and others reach the coordinator
//! - [`connections`]: which connections are taken, and for how long
//! - [`certificates`]: how a lab gets certificates for its census
//! - [`observer`]: how a census at work stands, and how long it will take
//! - [`control`]: what the owner of the directory may ask of the coordinator at work
//! - [`local`]: how the owner of the directory reaches it
//! - [`service`]: how a coordinator is started and stopped
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
