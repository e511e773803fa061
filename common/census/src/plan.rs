//! Which rulesets does a census cover, and what may each of them spend?
//!
//! The census is a function of its plan (A-5); everything else about a run (workers, machines, guards, faults) must not
//! show in its digest.

use std::fmt;

use misere_theory::ruleset::Code;
use serde::{Deserialize, Serialize};

use crate::facts::Facts;
use crate::{Budget, PlanId};

/// The most digits after the point that an octal space may have: 8^6 + 8^5 codes are planned within seconds.
pub const MAX_OCTAL_DIGITS: u8 = 6;

/// A set of games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Space {
    /// Every octal code `0.d_1…d_n` and `4.d_1…d_(n-1)` but the game without moves.
    Octal {
        /// The number `n` of digits.
        digits: u8,
    },
    /// The codes listed, in ascending order.
    Codes(Vec<Code>),
}

/// A space and the budget of each of its tasks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    space: Space,
    budget: Budget,
}

/// Why there is no such plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// An octal space has at least one digit and not too many.
    #[error("--digits {0} is out of range (1 to {MAX_OCTAL_DIGITS})")]
    Digits(u8),
    /// A list without codes.
    #[error("the list of codes is empty")]
    NoCodes,
    /// A game without moves has nothing to solve.
    #[error("code {0} allows no move at all")]
    NoMoves(Code),
}

impl Plan {
    /// The plan to solve every code of a space within a budget. Listed codes are sorted; repetitions are dropped.
    ///
    /// # Errors
    /// [`PlanError`] if the space is empty, out of range, or holds the game without moves.
    pub fn new(space: Space, budget: Budget) -> Result<Self, PlanError> {
        let space = match space {
            Space::Octal { digits } if !(1..=MAX_OCTAL_DIGITS).contains(&digits) => {
                return Err(PlanError::Digits(digits));
            }
            Space::Octal { digits } => Space::Octal { digits },
            Space::Codes(codes) if codes.is_empty() => return Err(PlanError::NoCodes),
            Space::Codes(mut codes) => {
                if let Some(idle) = codes.iter().find(|code| !code.has_moves()) {
                    return Err(PlanError::NoMoves(idle.clone()));
                }
                codes.sort();
                codes.dedup();
                Space::Codes(codes)
            }
        };
        Ok(Self { space, budget })
    }

    /// The codes covered.
    #[must_use]
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// What each task may spend.
    #[must_use]
    pub fn budget(&self) -> Budget {
        self.budget
    }

    /// The name of the plan: the hash of its content.
    #[must_use]
    pub fn id(&self) -> PlanId {
        let facts = Facts::of("misere census plan 1");
        let facts = match &self.space {
            Space::Octal { digits } => facts.number(0_u64).number(*digits),
            Space::Codes(codes) => facts.number(1_u64).list(codes.iter(), Facts::code),
        };
        PlanId(self.budget.hashed(facts).finish())
    }
}

impl Space {
    /// All codes of the space in ascending order.
    ///
    /// For `n` digits these are `8^n + 8^(n-1) - 1` codes: 575 for the three digits of Figure 1 of Plambeck and Siegel's
    /// supplement.
    ///
    /// ```
    /// assert_eq!(misere_census::Space::Octal { digits: 3 }.codes().len(), 575);
    /// ```
    #[must_use]
    pub fn codes(&self) -> Vec<Code> {
        match self {
            Self::Octal { digits } => {
                let mut codes: Vec<Code> = octal_codes(0, u32::from(*digits))
                    .chain(octal_codes(4, u32::from(digits.saturating_sub(1))))
                    .filter(Code::has_moves)
                    .collect();
                codes.sort();
                codes
            }
            Self::Codes(codes) => codes.clone(),
        }
    }
}

/// Every code with the given `d_0` and at most `length` octal digits after the point.
fn octal_codes(d0: u8, length: u32) -> impl Iterator<Item = Code> {
    (0..8_u32.pow(length)).filter_map(move |number| {
        let digits: Vec<u8> = (0..length)
            .rev()
            .map(|at| (number >> (3 * at) & 7) as u8)
            .collect();
        Code::new(d0, &digits)
    })
}

impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Octal { digits: 1 } => write!(f, "octal codes 0.d and 4"),
            Self::Octal { digits } => write!(f, "octal codes of at most {digits} digits"),
            Self::Codes(codes) => {
                const SHOWN: usize = 8;
                let shown: Vec<String> =
                    codes.iter().take(SHOWN).map(ToString::to_string).collect();
                write!(f, "codes {}", shown.join(" "))?;
                if codes.len() > SHOWN {
                    write!(f, " … ({} in all)", codes.len())?;
                }
                Ok(())
            }
        }
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.space, self.budget)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn octal_spaces_are_complete() {
        for (digits, count) in [(1, 8), (2, 71), (3, 575), (4, 4607)] {
            let codes = Space::Octal { digits }.codes();
            assert_eq!(codes.len(), count);
            assert!(codes.windows(2).all(|pair| pair[0] < pair[1]));
        }
        let one: Vec<String> = Space::Octal { digits: 1 }
            .codes()
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(one, ["0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "4"]);
    }

    #[test]
    fn plans_are_named_by_content() {
        let codes =
            |texts: &[&str]| Space::Codes(texts.iter().map(|text| text.parse().unwrap()).collect());
        let plan = |space| Plan::new(space, Budget::default());
        assert_eq!(
            plan(codes(&["0.7", "0.3", "0.7"])).unwrap().id(),
            plan(codes(&["0.3", "0.7"])).unwrap().id()
        );
        assert_ne!(
            plan(codes(&["0.3"])).unwrap().id(),
            plan(codes(&["0.7"])).unwrap().id()
        );
        let dearer = Budget {
            fuel: DEFAULT + 1,
            ..Budget::default()
        };
        assert_ne!(
            plan(codes(&["0.3"])).unwrap().id(),
            Plan::new(codes(&["0.3"]), dearer).unwrap().id()
        );
        assert_eq!(plan(codes(&[])), Err(PlanError::NoCodes));
        assert!(matches!(plan(codes(&["0"])), Err(PlanError::NoMoves(_))));
        assert_eq!(plan(Space::Octal { digits: 0 }), Err(PlanError::Digits(0)));
    }

    const DEFAULT: u64 = crate::DEFAULT_FUEL;
}
