//! Tasks: the units of work of a census.
//!
//! A task is a game, or a batch of construction schemes, with one budget. Codes that are the same
//! game up to dead heaps ([`misere_game::ruleset::signature`]) make one task: the simplest is the
//! representative, the others are its aliases. Schemes of one order come in batches, since most of
//! them take well under a millisecond.

use std::fmt;

use misere_algebra::classify::batch::{Batch, Scheme};
use misere_game::ruleset::Code;
use serde::{Deserialize, Serialize};

use crate::stable_hasher::StableHasher;
use crate::{Budget, TaskId};

/// A piece of work within a budget.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Task {
    /// A game is to be solved.
    Game(GameTask),
    /// Construction schemes are to be judged and extended.
    Schemes(Box<Schemes>),
}

/// A game to be solved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameTask {
    /// The representative code.
    pub code: Code,
    /// Further codes of the plan that are the same game, in ascending order.
    pub aliases: Vec<Code>,
    /// The budget of the game.
    pub budget: Budget,
}

/// Construction schemes to be judged and extended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Schemes {
    /// The batch of construction schemes.
    pub batch: Batch,
    /// The budget of each scheme.
    pub budget: Budget,
}

impl Task {
    /// Returns the task to solve a game that has these names.
    ///
    /// ```
    /// use misere_census::{Budget, Task};
    /// let task = Task::game("0.4".parse()?, vec!["0.07".parse()?], Budget::default());
    /// assert_eq!(task.to_string(), "0.4");
    /// assert_eq!(task.as_game().map(|game| game.aliases.len()), Some(1));
    /// # Ok::<(), misere_game::ruleset::CodeError>(())
    /// ```
    #[must_use]
    pub fn game(code: Code, aliases: Vec<Code>, budget: Budget) -> Self {
        Self::Game(GameTask {
            code,
            aliases,
            budget,
        })
    }

    /// Returns the task to settle a batch of schemes.
    ///
    /// ```
    /// use misere_census::{Budget, Task};
    /// use misere_algebra::classify::batch::{Batch, Scheme};
    /// let batch = Batch { most: 8, order: 2, schemes: vec![Scheme::first()] };
    /// let task = Task::schemes(batch, Budget::default());
    /// assert!(task.to_string().starts_with("schemes-2-"));
    /// assert!(task.as_game().is_none());
    /// ```
    #[must_use]
    pub fn schemes(batch: Batch, budget: Budget) -> Self {
        Self::Schemes(Box::new(Schemes { batch, budget }))
    }

    /// Returns the game to be solved, if the task is a game.
    #[must_use]
    pub fn as_game(&self) -> Option<&GameTask> {
        match self {
            Self::Game(game) => Some(game),
            Self::Schemes(_) => None,
        }
    }

    /// Returns the schemes to be settled, if the task is a batch.
    #[must_use]
    pub fn as_schemes(&self) -> Option<&Schemes> {
        match self {
            Self::Game(_) => None,
            Self::Schemes(schemes) => Some(schemes),
        }
    }

    /// Returns the budget of the game, or of each scheme.
    #[must_use]
    pub fn budget(&self) -> Budget {
        match self {
            Self::Game(game) => game.budget,
            Self::Schemes(schemes) => schemes.budget,
        }
    }

    /// Returns the name of the task: the hash of its content.
    ///
    /// Cost: linear in the codes or schemes of the task.
    ///
    /// ```
    /// use misere_census::{Budget, Task};
    /// let kayles = |fuel| {
    ///     let budget = Budget { fuel, ..Budget::default() };
    ///     Ok(Task::game("0.77".parse()?, Vec::new(), budget).id())
    /// };
    /// assert_ne!(kayles(1_000)?, kayles(2_000)?);
    /// # Ok::<(), misere_game::ruleset::CodeError>(())
    /// ```
    #[must_use]
    pub fn id(&self) -> TaskId {
        let facts = match self {
            Self::Game(game) => StableHasher::of("misere census task 1")
                .code(&game.code)
                .list(game.aliases.iter(), StableHasher::code),
            Self::Schemes(schemes) => StableHasher::of("misere census schemes 1")
                .number(schemes.batch.most)
                .number(schemes.batch.order)
                .list(schemes.batch.schemes.iter(), |facts, scheme: &Scheme| {
                    facts.bytes(&scheme.code).bytes(&scheme.hint)
                }),
        };
        TaskId(self.budget().hashed(facts).finish())
    }
}

/// The text that identifies a task to people.
///
/// It is the code of a game; for schemes it is their order, and the first digits of the task's
/// name.
impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Game(game) => game.code.fmt(f),
            Self::Schemes(schemes) => {
                let id = self.id().to_string();
                write!(f, "schemes-{}-{}", schemes.batch.order, &id[..8])
            }
        }
    }
}
