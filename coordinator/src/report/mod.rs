//! What came out?
//!
//! Facts read from a store, ready to be printed; how they are laid out is the command line's
//! affair.

pub mod born;
pub mod figure1;
pub mod solutions;
pub mod summary;

pub use summary::Summary;
