//! The budget of a task.
//!
//! A budget bounds only what is counted the same on every machine: fuel, heaps, elements, copies
//! (A-5). Clocks and memory limits are guards of workers and do not appear here.

use std::fmt;

use misere_engine::quotient::{Limits, Strategy};
use serde::{Deserialize, Serialize};

use crate::stable_hasher::StableHasher;

/// The fuel of a task unless the plan says otherwise: about ten seconds of one core.
pub const DEFAULT_FUEL: u64 = 10_000_000;

/// The deterministic bounds of one task, and the strategy for solving it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Budget {
    /// The fuel in units of work (see [`misere_game::control`]).
    pub fuel: u64,
    /// The bounds on heaps, elements and copies.
    pub limits: Limits,
    /// The strategy by which new partial quotients are found.
    pub strategy: Strategy,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            fuel: DEFAULT_FUEL,
            limits: Limits::default(),
            strategy: Strategy::default(),
        }
    }
}

impl Budget {
    /// Adds the budget to a hash.
    ///
    /// ```
    /// use misere_census::Budget;
    /// use misere_census::stable_hasher::StableHasher;
    /// let hash = |budget: Budget| budget.hashed(StableHasher::of("example")).finish();
    /// let more = Budget { fuel: 1, ..Budget::default() };
    /// assert_ne!(hash(Budget::default()), hash(more));
    /// ```
    #[must_use]
    pub fn hashed(&self, facts: StableHasher) -> StableHasher {
        let strategy: u64 = match self.strategy {
            Strategy::Exact => 0,
            Strategy::Classical => 1,
        };
        facts
            .number(self.fuel)
            .number(self.limits.max_heap)
            .number(self.limits.max_order)
            .number(self.limits.max_copies)
            .number(self.limits.max_evidence)
            .number(strategy)
    }

    /// Returns the strategy's name on the command line.
    ///
    /// ```
    /// use misere_census::Budget;
    /// assert_eq!(Budget::default().strategy_name(), "exact");
    /// ```
    #[must_use]
    pub fn strategy_name(&self) -> &'static str {
        match self.strategy {
            Strategy::Exact => "exact",
            Strategy::Classical => "classical",
        }
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Limits {
            max_heap,
            max_order,
            max_copies,
            max_evidence,
        } = self.limits;
        write!(
            f,
            "fuel {}, max-heap {max_heap}, max-order {max_order}, max-copies {max_copies}, evidence {max_evidence}, strategy {}",
            self.fuel,
            self.strategy_name()
        )
    }
}
