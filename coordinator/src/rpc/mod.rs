//! The gRPC services of the coordinator.
//!
//! Decode, call, encode: every message is translated to the project's words, handed to the
//! [driver](crate::driver) or the [verifier](crate::verifier), and the answer translated back.

//!
//! | question | module |
//! |---|---|
//! | who calls, and may they? | `access` |
//! | what happens to a worker's call? | `service` |
//! | what happens to a checkpoint? | `checkpoints` |
//! | how much of what is sent is in memory at once? | `room` |
//! | what is told to those who ask? | `query` |
//! | what if somebody does not read an answer? | `answering` |
//! | how do queries and their answers travel? | [`find`] |
//! | what happens to an operator's call? | `control` |
//! | what has an operator told the coordinator? | `orders` |
//! | how are they put behind an address? | `server` |
//! | how is TLS spoken with those who call, and whom does it keep out? | [`tls`] |
//! | do two workers share a certificate? | `identities` |

mod access;
mod answering;
mod checkpoints;
mod control;
pub mod find;
mod identities;
mod orders;
mod query;
mod room;
mod server;
mod service;
pub mod tls;

pub use access::{Caller, Fingerprint, Name, NoName, NoRole, Role};
pub use control::{Command, ControlService, ban, evict, order, pardon, workers};
pub use identities::{Identities, SharedCertificate};
pub use orders::Orders;
pub use query::{QueryService, RemoteCompleteness, RemoteStatus, status};
pub(crate) use server::report_health;
pub use server::{Services, Serving};
pub use service::CensusService;
pub use tls::{Revoked, Tls, TlsFailure};
