//! What is one unit of work?
//!
//! One game with one budget. Codes that are the same game up to dead heaps
//! ([`misere_theory::ruleset::canonical`]) make one task: the simplest stands for all, the others are its aliases.

use misere_theory::ruleset::Code;
use serde::{Deserialize, Serialize};

use crate::facts::Facts;
use crate::{Budget, TaskId};

/// A game to be solved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// The code that stands for all.
    pub code: Code,
    /// Further codes of the plan that are the same game, in ascending order.
    pub aliases: Vec<Code>,
    /// What may be spent.
    pub budget: Budget,
}

impl Task {
    /// The name of the task: the hash of its content.
    #[must_use]
    pub fn id(&self) -> TaskId {
        let facts = Facts::of("misere census task 1")
            .code(&self.code)
            .list(self.aliases.iter(), Facts::code);
        TaskId(self.budget.hashed(facts).finish())
    }
}
