//! The coordinator of a census: plan, ledger, store and service.
//!
//! | question | module |
//! |---|---|
//! | which tasks make up a plan? | [`plan`] |
//! | who holds which task, and what happens next? | [`ledger`] |
//! | what is on disk? | [`store`] |
//! | may this certificate enter the census? | [`judge`] |
//! | how does a result come in, whoever has it? | `intake` |
//! | how do ledger and store move together? | [`driver`] |
//! | what comes of a task when the coordinator computes it itself? | `computing` |
//! | how do results that came as files enter? | [`merge`] |
//! | how do workers and others reach them? | [`rpc`] |
//! | which connections are taken, and for how long? | [`connections`] |
//! | how many files may be open, and whose? | [`descriptors`] |
//! | how does a lab get certificates for its census? | [`certificates`] |
//! | which games satisfy given conditions? | [`query`] |
//! | what may a text name? | [`naming`] |
//! | which class is this quotient's, and where does a census have it? | [`identify`] |
//! | do games have this quotient at all? | [`realized`] |
//! | what came out? | [`report`] |
//! | what is complete about it, and how sure? | [`completeness`] |
//! | how does a census leave the house? | [`export`] |
//! | how does a running census stand, and how long will it take? | [`observer`] |
//! | what may the owner of the directory ask of it while it runs? | [`control`] |
//! | how does the owner of the directory reach it? | [`local`] |
//! | what do monitoring systems see? | [`http`] |
//! | what does a person see of a census? | [`page`] |
//! | what do programs see of it? | `api` |
//! | how is a coordinator started and stopped? | [`service`] |
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod api;
pub mod certificates;
pub mod completeness;
mod computing;
pub mod connections;
pub mod control;
pub mod descriptors;
pub mod driver;
pub mod export;
pub mod http;
pub mod identify;
mod intake;
pub mod judge;
pub mod ledger;
pub mod local;
pub mod merge;
pub mod naming;
pub mod observer;
pub mod page;
pub mod plan;
pub mod query;
pub mod realized;
pub mod report;
pub mod rpc;
pub mod service;
pub mod store;

pub use service::{Coordinator, CoordinatorError, Settings};
