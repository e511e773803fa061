//! The coordinator of a census: plan, ledger, store and service.
//!
//! | question | module |
//! |---|---|
//! | who holds which task, and what happens next? | [`misere_ledger`] |
//! | may this certificate enter the census? | [`judge`] |
//! | how do ledger and store move together? | [`driver`] |
//! | what comes of a task when the coordinator computes it itself? | `computing` |
//! | how do results that came as files enter? | [`merge`] |
//! | how do workers and others reach them? | [`rpc`] |
//! | which connections are taken, and for how long? | [`connections`] |
//! | how does a lab get certificates for its census? | [`certificates`] |
//! | how does a running census stand, and how long will it take? | [`observer`] |
//! | what may the owner of the directory ask of it while it runs? | [`control`] |
//! | how does the owner of the directory reach it? | [`local`] |
//! | how is a coordinator started and stopped? | [`service`] |
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod certificates;
mod computing;
pub mod connections;
pub mod control;
pub mod driver;
pub mod judge;
pub mod local;
pub mod merge;
pub mod observer;
pub mod rpc;
pub mod service;

pub use service::{Coordinator, CoordinatorError, Settings};
