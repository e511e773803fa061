//! The reason why a solution does not decide a position.

use misere_game::solution::{Limit, Solution, Verdict};

/// The reason why a position is not decided.
#[derive(Debug, thiserror::Error)]
pub enum UndecidedError {
    /// The position is outside the known part of the game.
    #[error("{0}")]
    Unknown(String),
    /// A budget ran out before the position was decided.
    #[error("{0}")]
    OutOfBudget(String),
    /// The computation was stopped before the position was decided.
    #[error("{0}")]
    Stopped(String),
}

impl UndecidedError {
    /// Returns the reason why `solution` does not decide a position with heaps to `largest`.
    ///
    /// `stopped_by` is the cause of an interruption with what to do, where there was one.
    #[must_use]
    pub fn new(solution: &Solution, largest: u32, stopped_by: &str) -> Self {
        let (code, known) = (&solution.code, solution.heaps());
        let undecided = format!(
            "the quotient of {code} is known to heap {known}, the position has a heap of {largest} and is too large to decide by the rules alone"
        );
        match solution.verdict {
            Verdict::Diverges { heap, .. } if solution.evidence.is_some() => {
                let heap = solution.infinite_to().unwrap_or(heap);
                Self::Unknown(format!(
                    "{undecided}; the proof that the quotient is infinite at heap {heap} says nothing of this position: ask for positions with heaps up to {known}, or with fewer great heaps"
                ))
            }
            Verdict::Diverges { heap, .. } => Self::Unknown(format!(
                "{undecided}; the game diverges at heap {heap}: raise --evidence, to 40M for example, since a proof that the quotient is infinite decides more (`misere solve {code} --evidence 40M --out FILE` keeps it for --certificate FILE), or ask for positions with heaps up to {known}"
            )),
            Verdict::Exhausted(Limit::MaxOrder) => {
                Self::OutOfBudget(format!("{undecided}; raise --max-order"))
            }
            Verdict::Exhausted(_) => Self::OutOfBudget(format!("{undecided}; raise --fuel")),
            Verdict::Grows { .. } => Self::OutOfBudget(format!(
                "{undecided}; its quotients keep growing: raise --fuel, or ask for positions with heaps up to {known}"
            )),
            Verdict::TameRelative { .. } => {
                Self::OutOfBudget(format!("{undecided}; raise --fuel for more nim-values"))
            }
            Verdict::Interrupted | Verdict::Solved { .. } => Self::Stopped(format!(
                "{undecided}; the computation was stopped{stopped_by}"
            )),
        }
    }
}
