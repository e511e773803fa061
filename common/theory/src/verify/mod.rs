//! Is the claim true?

use crate::solution::Solution;

/// The first thing found wrong with a solution.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    /// Placeholder while the checker lands.
    #[error("not checked")]
    NotChecked,
}

/// Proves a solution from scratch, or names the first thing wrong with it.
///
/// # Errors
/// The first [`Flaw`].
pub fn check(solution: &Solution) -> Result<(), Flaw> {
    let _ = solution;
    todo!("the checker lands in the next commit")
}
