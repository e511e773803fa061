//! A result of the engine that the checker refutes.

use misere_check::CheckError;

/// The independent checker refutes the result of the engine.
///
/// This is a bug of the program, and nothing is printed instead.
#[derive(Debug, thiserror::Error)]
#[error(
    "the independent checker refutes the engine's result for {code}: {flaw}; nothing is printed, \
     please report this"
)]
pub struct RefutedError {
    /// The game.
    pub code: String,
    /// The first thing wrong.
    pub flaw: CheckError,
}
