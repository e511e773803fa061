//! The census protocol on the wire, and its translation to the project's own words.
//!
//! [`v1`] is generated from `proto/census/v1/*.proto`; nothing outside this crate and the rpc rooms
//! of coordinator and worker should touch it. Everything that arrives is translated by a `TryFrom`
//! of [`translate`] with a typed [`WireError`]; [`status`] is the one place where domain
//! errors become gRPC statuses and back.
//!
//! | question | module |
//! |---|---|
//! | what do wire messages mean? | [`translate`] |
//! | how do outcomes travel, in chunks and together? | [`report`] |
//! | how does a checkpoint travel in chunks? | [`checkpoint`] |
//! | where do certificates and keys stand, and who may read them? | [`credentials`] |
//! | how is a connection made, and why could it not be? | [`dial`](mod@dial) |
//! | how does one side reach the other, and what keeps others out? | [`connection`] |
//! | which gRPC status stands for which error? | [`status`] |
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod checkpoint;
pub mod connection;
pub mod credentials;
pub mod dial;
pub mod report;
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
    reason = "generated code; its documentation stands in the .proto files"
)]
pub mod v1 {
    include!(concat!(env!("OUT_DIR"), "/census.v1.rs"));
}

pub use checkpoint::{CheckpointAssembler, CheckpointHeader, checkpoint_parts};
pub use connection::{AddressError, Credentials, Security, endpoint};
pub use credentials::{CredentialError, CredentialFiles};
pub use dial::{Fault, LastFault, dial};
pub use report::{ReportAssembler, ReportHeader, report_parts};
pub use status::{Refusal, RefusalKind};
pub use translate::{Running, WireError, lease};

/// The version of the protocol; both sides refuse any other.
pub const PROTOCOL: u32 = 3;

/// The greatest message either side takes. Tasks are small, and certificates travel in chunks of
/// [`CHUNK_BYTES`].
pub const MAX_MESSAGE_BYTES: usize = 1 << 20;

/// The size of a certificate's chunks.
pub const CHUNK_BYTES: usize = 256 << 10;

/// The most tasks in one lease, the most leases a worker may list, and the most outcomes in one
/// report.
pub const MAX_LISTED: usize = 4096;
