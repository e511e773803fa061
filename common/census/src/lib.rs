//! The shared domain types of the coordinator and the workers of a census.
//!
//! | module | contents |
//! |---|---|
//! | [`id`] | identifiers of tasks, workers, leases and plans |
//! | [`stable_hasher`] | a hash of values that is the same on every machine |
//! | [`budget`] | the budget of a task |
//! | [`plan`] | plans: which rulesets and which quotients a census covers, and with which budget |
//! | [`task`] | tasks: the units of work of a census |
//! | [`failure`] | the results that a worker can return |
//! | [`certificate`], [`encoding`] | the binary form of a certificate, and the encoding of values |
//! | [`checkpoint`] | the binary form of a checkpoint |
//! | [`record`] | the record of a ruleset: what the census stores of it beside its certificate |
//! | [`admission`] | the checks by which a certificate enters a census |
//! | [`frozen`] | the values that a directory keeps, with bytes that never change |
//! | [`alias`] | another code of the same game, with its own heap numbers |
//! | [`atlas`] | the atlas as a file: for each misère quotient of small order the least games that have it |
//! | [`schemes`] | the result of a batch of construction schemes, and its binary form |
//! | [`chunk`] | the file of a part of a census |
//! | [`normal_results`] | the results of normal play of many games, as files of a directory |
//! | [`input_file`] | the files that are read whole |
//! | [`output_file`] | output files that appear whole or not at all |
//! | [`quantity`] | amounts of fuel, memory and time as text |
//! | [`resident_memory`] | the memory that a process holds |
//! | [`running_text`] | running text, set in lines |
//! | [`shown_text`] | text of others in an error or a note |
//! | [`mod@engine`] | the name of the engine, which distinguishes two builds with different results
//! |
//! | [`worker_name`] | the ways in which an operator names workers |
//! | [`digest`] | the digest of a census |
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod admission;
pub mod alias;
pub mod atlas;
pub mod budget;
pub mod certificate;
pub mod checkpoint;
pub mod chunk;
pub mod digest;
pub mod encoding;
pub mod engine;
pub mod failure;
pub mod frozen;
pub mod id;
pub mod input_file;
pub mod memory_class;
pub mod normal_results;
pub mod output_file;
pub mod plan;
pub mod quantity;
pub mod record;
pub mod resident_memory;
pub mod running_text;
pub mod schemes;
pub mod shown_text;
pub mod stable_hasher;
pub mod task;
pub mod worker_name;

pub use admission::{Finding, SchemesFinding};
pub use alias::{Alias, AliasError};
pub use budget::{Budget, DEFAULT_FUEL};
pub use certificate::{CertificateError, MAX_CERTIFICATE_BYTES};
pub use checkpoint::MAX_CHECKPOINT_BYTES;
pub use digest::{CensusDigest, CertificatesDigest};
pub use encoding::EncodingError;
pub use engine::engine_fingerprint;
pub use failure::{Failure, InterruptCause, MAX_REASON_CHARS, printable};
pub use frozen::{Attempts, Backer, Claim, Finish, MAX_TOP_FAILURES, Misconduct, Statement};
pub use id::{
    CertificateDigest, Epoch, HashError, Lease, PlanId, TaskId, WorkerId, WorkerIdentity,
};
pub use memory_class::MemoryClass;
pub use misere_answers::{Conclusion, Ending, InfiniteHeap, Knowledge, Status, StatusError};
pub use plan::{Games, Listing, Plan, PlanError, Space};
pub use record::{AllHeapsFacts, AutomatonFacts, LawFacts, Record};
pub use task::{GameTask, Schemes, Task};
