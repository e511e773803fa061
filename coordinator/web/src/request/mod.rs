//! Requests and answers over HTTP, the same for pages and the API.
//!
//! - `connections`: the connections, their limit, and the probes
//! - `params`: the reading and writing of addresses
//! - `answer`: the form of answers, and of failures for programs
//! - `events`: the stream of the states of a census
//! - `certificate`: the certificate of a game as a file

pub(crate) mod answer;
pub(crate) mod certificate;
pub(crate) mod connections;
pub(crate) mod events;
pub(crate) mod params;
