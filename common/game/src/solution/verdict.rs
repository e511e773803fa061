//! What a computation claims about the heaps beyond those listed.

use serde::{Deserialize, Serialize};

/// The claim about the heaps beyond those listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// `Φ` is periodic: `Φ(n + period) = Φ(n)` for all `n ≥ preperiod`.
    ///
    /// See the misère Guy–Smith theorem (Plambeck 2005, Theorem 3).
    Solved {
        /// The least period.
        period: u32,
        /// The least `r0 ≥ 0` from which on the period holds, heaps counted from 0.
        preperiod: u32,
    },
    /// The game is tame relative to `heap`.
    ///
    /// From there on every `Φ(h_n)` is the element of the kernel that represents the nim-value of
    /// `h_n`, so that misère play is no harder than normal play there (Siegel, *Structure and
    /// classification*, Theorem 3.9).
    TameRelative {
        /// The least heap to which the game is tame relative.
        heap: u32,
    },
    /// The partial quotient to `heap - 1` is finite, and to `heap` it seems infinite.
    ///
    /// This is an observation and not a proof. Smaller heaps that are represented by words were
    /// tested in the company of the new one; see `docs/engine.md`.
    Diverges {
        /// The first heap at which the partial quotient is not finite as far as observed.
        heap: u32,
        /// The number of copies of some heap within which the outcome functions did not repeat.
        copies: u32,
    },
    /// A limit of the plan was reached, and the partial quotients grew in a pattern until then.
    ///
    /// It is a conjecture that they grow in this pattern for ever, so that the quotient is
    /// infinite. See [`Growth`](super::Growth).
    Grows {
        /// The heap from which on the pattern holds.
        start: u32,
        /// The period of the pattern.
        period: u32,
    },
    /// A limit of the plan was reached.
    Exhausted(Limit),
    /// The computation was interrupted: this is not a verdict, and is not part of any census.
    Interrupted,
}

/// A deterministic limit that a plan sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Limit {
    /// The fuel was spent.
    Fuel,
    /// Every heap up to the greatest allowed one was computed.
    MaxHeap,
    /// The next partial quotient has more elements than allowed.
    MaxOrder,
}
