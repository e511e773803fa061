//! Shared parts of the tests of the command: processes, small censuses, and waiting.
//!
//! A test that wants a census of three codes, the digest of a census, or the address of a
//! coordinator takes it from here and does not write it again.
#![allow(
    dead_code,
    reason = "both integration binaries include this module, and each uses a part of it"
)]

pub(crate) mod census;
pub(crate) mod process;
pub(crate) mod transcript;
pub(crate) mod waiting;
