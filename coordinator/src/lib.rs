//! The coordinator of a census: plan, ledger, store and service.
//!
//! | question | module |
//! |---|---|
//! | which tasks make up a plan? | [`plan`] |
//! | who holds which task, and what happens next? | [`ledger`] |
//! | what is on disk? | [`store`] |
//! | may this certificate enter the census? | [`judge`] |
//! | how do ledger and store move together? | [`driver`] |
//! | how do workers and others reach them? | [`rpc`] |
//! | what came out? | [`report`] |
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod ledger;
pub mod plan;
pub mod store;
