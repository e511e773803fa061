//! Which moves does a take-and-break code allow?
//!
//! A code `d_0.d_1d_2d_3…` (Guy and Smith) gives, for every number `j` of beans taken from one heap, the set of numbers
//! of heaps that may be left: bit `k` of the digit `d_j` allows exactly `k` (non-empty) heaps to be left. Octal digits
//! leave at most two heaps, hexadecimal digits three. `d_0` moves take nothing and must therefore split, so only the bits
//! for two and three heaps are well-founded there.
//!
//! - [`code`]: the code, its notation and its errors
//! - [`options`]: the options of a heap
//! - [`repetition`]: how far values must repeat before they repeat for ever
//! - [`canonical`]: when two codes are the same game but for dead heaps

pub mod canonical;
pub mod code;
pub mod options;
pub mod repetition;

pub use canonical::{Signature, relabelling};
pub use code::{Code, CodeError};
pub use options::HeapOption;
