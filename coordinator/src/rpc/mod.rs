//! The gRPC services of the coordinator.
//!
//! Decode, call, encode: every message is translated to the project's types and passed to the
//! [driver](crate::driver) or the [verifier](crate::check_threads), and the answer is translated back.
//!
//! | module | contents |
//! |---|---|
//! | `access` | access to the services, by the roles of the callers |
//! | `caller` | the callers and their roles |
//! | [`call_statistics`] | the number, the durations and the failures of calls |
//! | `service` | the service of workers |
//! | `checker` | the service of checkers |
//! | `checkpoints` | checkpoints that workers submit and fetch |
//! | `message_budget` | the limit on the memory of messages in transit |
//! | `query` | the service of readers, and its client |
//! | `answering` | long answers to readers that may be slow or gone |
//! | [`find`] | the transfer of queries and their answers |
//! | `foreign` | answers of another coordinator, sanitized for a terminal |
//! | `control` | the service of operators, and its client |
//! | `orders` | the orders of operators that are in force |
//! | `revoked` | the certificates that are refused, and the list of them |
//! | `server` | the services behind an address |
//! | [`tls`] | TLS with callers, and the callers that it refuses |
//! | `identities` | the certificates of workers, and those that several workers share |

mod access;
mod answering;
pub mod call_statistics;
mod caller;
mod checker;
mod checkpoints;
mod control;
pub mod find;
mod foreign;
mod identities;
mod message_budget;
mod orders;
mod query;
mod revoked;
mod server;
mod service;
pub mod tls;

use std::time::Duration;

pub use caller::{Caller, Fingerprint, Name, NameError, Role, RoleError};
pub use checker::CheckerService;
pub use control::{Command, ControlService, ban, drain, evict, order, pardon, workers};
pub use identities::{Identities, SharedCertificate};
pub use orders::Orders;
pub use query::{QueryService, RemoteCompleteness, RemoteStatus, status};
pub use revoked::{RevocationList, RevocationListError};
pub(crate) use server::report_health;
pub use server::{ServerHandle, Services};
pub use service::CensusService;
pub use tls::{Tls, TlsError};

/// The time for which a client waits for a coordinator that may be gone.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(2);
