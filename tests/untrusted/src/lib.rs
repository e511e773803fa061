//! Readers of untrusted input, each as one function of bytes that panics where a promise is broken.
//!
//! For example, [`certificates::binary`] reads a certificate as a worker sends it, writes it
//! again, and compares. The same functions are run in three ways:
//!
//! - by `cargo test -p misere-untrusted`, on every file of `tests/fuzz/regressions` and on changes
//!   of these files that a fixed seed makes;
//! - by the targets of `tests/fuzz`, on bytes that libFuzzer invents;
//! - by hand, on one file.
//!
//! For any bytes a reader returns a value or a typed error within little time and memory. The value
//! can be written, and the written form is read as the same value. Where a form has one spelling
//! only, the bytes are the same, too.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a promise that is broken is a panic, which is what the tests look for"
)]

pub mod atlas;
pub mod certificates;
pub mod checked;
pub mod checkpoints;
pub mod chunks;
pub mod constructions;
pub mod normal;
pub mod text;
pub mod wire;

/// A reader of untrusted bytes.
///
/// # Panics
/// If a promise about the reader is broken.
pub type Target = fn(&[u8]);

/// All readers under the names of their directories in `tests/fuzz/regressions`.
pub const TARGETS: [(&str, Target); 17] = [
    ("certificate_binary", certificates::binary),
    ("certificate_json", certificates::json),
    ("checked_result", checked::result),
    ("evidence", certificates::evidence),
    ("presented", certificates::presented),
    ("semilinear", certificates::semilinear),
    ("automaton", certificates::automaton),
    ("presentation", text::presentation),
    ("code", text::code),
    ("checkpoint", checkpoints::checkpoint),
    ("normal_checkpoint", checkpoints::normal),
    ("normal_result", normal::result),
    ("atlas", atlas::atlas),
    ("wire_message", wire::message),
    ("chunk_file", chunks::chunk_file),
    ("schemes", constructions::schemes),
    ("classification", constructions::classification),
];
