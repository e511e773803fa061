//! How do workers and others reach the coordinator?
//!
//! Decode, call, encode: every message is translated to the project's words, handed to the [driver](crate::driver) or the
//! [judge](crate::judge), and the answer translated back.

//!
//! | question | module |
//! |---|---|
//! | who calls, and may they? | `access` |
//! | what happens to a worker's call? | `service` |
//! | what happens to a checkpoint? | `checkpoints` |
//! | what is told to those who ask? | `query` |
//! | how do queries and their answers travel? | [`find`] |
//! | what happens to an operator's call? | `control` |
//! | what has an operator told the coordinator? | `orders` |
//! | how are they put behind an address? | `server` |

mod access;
mod checkpoints;
mod control;
pub mod find;
mod orders;
mod query;
mod server;
mod service;

pub use access::{Caller, Fingerprint, Name, NoName, NoRole, Role};
pub use control::{Command, ControlService, ban, evict, order, pardon, workers};
pub use orders::Orders;
pub use query::{QueryService, StatusView, TaskView, WorkerView, ask, ask_at};
pub(crate) use server::report_health;
pub use server::{Services, Serving};
pub use service::CensusService;
