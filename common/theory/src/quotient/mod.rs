//! What is the misère quotient of this game?
//!
//! The engine: extends the misère quotient of a heap game heap by heap until it is periodic, diverges, or a limit is met.

use crate::control::Control;
use crate::ruleset::Code;
use crate::solution::Solution;

/// How new partial quotients are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Strategy {
    /// Exact kernels on rho diagrams.
    #[default]
    Exact,
    /// MisereSolver's recalibration (Plambeck–Siegel supplement, Appendix C).
    Classical,
}

/// What a computation may not exceed; with fuel, the deterministic part of a budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Limits {
    /// The greatest heap to compute.
    pub max_heap: u32,
    /// The greatest order of a partial quotient.
    pub max_order: u32,
    /// Copies of one heap after which outcome functions that have not repeated are called divergent.
    pub max_copies: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { max_heap: 3_000, max_order: 10_000, max_copies: 200 }
    }
}

/// Solves a game as far as `limits` and the fuel in `control` allow.
///
/// Never fails: what was proved before a limit or an interruption is handed back with the verdict that says so.
#[must_use]
pub fn solve(code: &Code, limits: &Limits, strategy: Strategy, control: &mut Control) -> Solution {
    let _ = (code, limits, strategy, control);
    todo!("the engine lands in the next commit")
}
