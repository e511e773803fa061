//! The census protocol on the wire, and its translation to the project's own types.
//!
//! [`v1`] is generated from `proto/census/v1/*.proto`. Only this crate and the rpc modules of
//! coordinator and worker should use it. Everything that arrives is translated by a `TryFrom` of
//! [`translate`] with a typed [`WireError`]; [`status`] is the one place where domain errors
//! become gRPC statuses and back.
//!
//! | module | contents |
//! |---|---|
//! | [`translate`] | the translation of wire messages into the project's types, and back |
//! | [`report`] | the transfer of reports: results of tasks, with their certificates in chunks |
//! | [`checkpoint`] | the transfer of checkpoints in chunks, in either direction |
//! | [`credentials`] | certificates and private keys in files, and their permissions |
//! | [`dial`](mod@dial) | the connection to a coordinator, and the reasons why it could not be made |
//! | [`connection`] | connections between coordinator and worker, and their protection by TLS |
//! | [`span`] | the span of a lease, within which its stages are recorded |
//! | [`status`] | the gRPC status of each error |
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod checkpoint;
pub mod connection;
pub mod credentials;
pub mod dial;
pub mod report;
pub mod span;
pub mod status;
pub mod translate;

/// Generated messages, clients and servers of protocol version 1.
#[allow(
    missing_docs,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::pedantic,
    rustdoc::all,
    reason = "generated code; its documentation is in the .proto files"
)]
pub mod v1 {
    include!(concat!(env!("OUT_DIR"), "/census.v1.rs"));
}

pub use checkpoint::{CheckpointAssembler, CheckpointHeader, checkpoint_parts};
pub use connection::{AddressError, Credentials, Security, endpoint};
pub use credentials::{CredentialError, CredentialFiles};
pub use dial::{DialError, LastDialError, dial};
pub use report::{ReportAssembler, ReportHeader, report_parts};
pub use status::{CallError, RefusalKind};
pub use translate::{Running, WireError, lease};

/// The version of the protocol; both sides refuse any other.
pub const PROTOCOL: u32 = 4;

/// The most bytes of a message that either side accepts.
///
/// Tasks are small, and certificates travel in chunks of [`CHUNK_BYTES`].
pub const MAX_MESSAGE_BYTES: usize = 1 << 20;

/// The size of a certificate's chunks.
pub const CHUNK_BYTES: usize = 256 << 10;

/// The most entries of a list.
///
/// It bounds the tasks in one lease, the leases that a worker may list, and the outcomes in one
/// report.
pub const MAX_LISTED: usize = 4096;
