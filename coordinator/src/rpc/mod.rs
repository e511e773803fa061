//! How do workers and others reach the coordinator?
//!
//! Decode, call, encode: every message is translated to the project's words, handed to the [driver](crate::driver) or the
//! [judge](crate::judge), and the answer translated back.

mod query;
mod service;

pub use query::{QueryService, StatusView, TaskView, WorkerView, ask};
pub use service::CensusService;
