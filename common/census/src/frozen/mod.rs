//! The values that a census directory keeps for ever.
//!
//! **A byte representation, once given to a value, must never be changed.** The directories of
//! every earlier release hold these values as postcard: a variant by its place, the fields in their
//! order and without names. A new variant is therefore added after the others, a retired variant
//! keeps its place, and a changed field is a new variant. The tests of this module fix the bytes of
//! every variant.
//! of every variant.

mod attempts;
mod claim;
mod code_key;
mod misconduct;
#[cfg(test)]
mod tests;

pub use attempts::{Attempts, MAX_TOP_FAILURES};
pub use claim::{Backer, Claim, Finish, Statement};
pub use code_key::{code_key, code_of};
pub use misconduct::Misconduct;
