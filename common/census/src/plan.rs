//! Plans: which rulesets and which quotients a census covers, and with which budget.
//!
//! The census is a function of its plan (A-5); everything else about a run (workers, machines,
//! guards, faults) must not show in its digest.

mod listing;
mod survey;
mod tasks;

use std::fmt;

use misere_algebra::classify::MAX_ORDER;
use misere_game::ruleset::Code;
use misere_game::ruleset::day_five::MAX_LATE;
use serde::{Deserialize, Serialize};

use crate::stable_hasher::StableHasher;
use crate::{Budget, PlanId};
use survey::Survey;

pub use listing::Listing;
pub use tasks::{Tasks, tasks};

/// The most digits after the point that an octal space may have.
///
/// Its 8^8 + 8^7 codes are distinguished within half a GiB of memory.
pub const MAX_OCTAL_DIGITS: u8 = 8;

/// The most digits that a hexadecimal space may have: 16^5 + 3·16^4 codes.
pub const MAX_HEXADECIMAL_DIGITS: u8 = 5;

/// The most beans of a space of subtraction games: 2^24 − 1 games, each with its own code.
pub const MAX_SUBTRACTION: u8 = 24;

/// The most digits that a quaternary space may have: 4^12 − 1 codes.
pub const MAX_QUATERNARY_DIGITS: u8 = 12;

/// The games or quotients that a census covers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Space {
    /// Every octal code `0.d_1…d_n` and `4.d_1…d_(n-1)` except the game without moves.
    Octal {
        /// The number `n` of digits.
        digits: u8,
    },
    /// The codes listed, in ascending order.
    Codes(Vec<Code>),
    /// The misère quotients up to an order, computed by construction schemes.
    Quotients {
        /// The greatest order, even.
        order: u8,
    },
    /// Games, and all misère quotients up to an order; they share their classes.
    GamesAndQuotients {
        /// The games.
        games: Games,
        /// The greatest order, even.
        order: u8,
    },
    /// Every hexadecimal code `0.d_1…d_n` and `d_0.d_1…d_(n-1)` with `d_0` 4, 8 or C.
    ///
    /// The game without moves is left out.
    Hexadecimal {
        /// The number `n` of digits.
        digits: u8,
    },
    /// Every subtraction game whose moves take at most `most` beans, except the game without moves.
    ///
    /// These are the codes of at most `most` digits, 0 or 3.
    Subtraction {
        /// The most beans.
        most: u8,
    },
    /// Every quaternary code `0.d_1…d_n`, with digits from 0 to 3, except the game without moves.
    ///
    /// No move splits a heap.
    Quaternary {
        /// The number `n` of digits.
        digits: u8,
    },
    /// The games of a survey of the games born by day 5.
    ///
    /// See [survey](misere_game::ruleset::day_five::DayFive::survey).
    BornByFive {
        /// The most options born on day 4.
        late: u8,
    },
}

/// A set of games beside the misère quotients.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Games {
    /// Like [`Space::Octal`].
    Octal {
        /// The number of digits.
        digits: u8,
    },
    /// Like [`Space::Codes`].
    Codes(Vec<Code>),
    /// Like [`Space::Hexadecimal`].
    Hexadecimal {
        /// The number of digits.
        digits: u8,
    },
    /// Like [`Space::Subtraction`].
    Subtraction {
        /// The most beans.
        most: u8,
    },
    /// Like [`Space::Quaternary`].
    Quaternary {
        /// The number of digits.
        digits: u8,
    },
    /// Like [`Space::BornByFive`].
    BornByFive {
        /// The most options born on day 4.
        late: u8,
    },
}

/// A space and the budget of each of its tasks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    space: Space,
    budget: Budget,
}

/// The reason why a plan is not possible.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// An octal space has at least one digit and not too many.
    #[error("--digits {0} is out of range (1 to {MAX_OCTAL_DIGITS})")]
    Digits(u8),
    /// A hexadecimal space has at least one digit and not too many.
    #[error("--digits {0} is out of range (1 to {MAX_HEXADECIMAL_DIGITS} for hexadecimal codes)")]
    HexadecimalDigits(u8),
    /// A space of subtraction games has at least one bean and not too many.
    #[error("--digits {0} is out of range (1 to {MAX_SUBTRACTION} for subtraction games)")]
    Subtraction(u8),
    /// A quaternary space has at least one digit and not too many.
    #[error("--digits {0} is out of range (1 to {MAX_QUATERNARY_DIGITS} for quaternary codes)")]
    QuaternaryDigits(u8),
    /// A survey of day 5 has no more options born on day 4 than the games that are not decided.
    #[error("--late {0} is out of range (0 to {MAX_LATE})")]
    Late(u8),
    /// The list has no codes.
    #[error("the list of codes is empty")]
    NoCodes,
    /// A game without moves has nothing to solve.
    #[error("code {0} allows no move at all")]
    NoMoves(Code),
    /// Quotients are classified to an order between 2 and a greatest one.
    #[error("--order {0} is out of range (2 to {MAX_ORDER})")]
    Order(u8),
    /// The space has quotients already.
    #[error("the quotients are there already")]
    Twice,
}

impl Plan {
    /// Creates the plan to solve every code of a space within a budget.
    ///
    /// Listed codes are sorted; repetitions are dropped. An odd order means the even one below,
    /// since all quotients but the trivial one have even order.
    ///
    /// Cost: listed codes are sorted; the cost does not grow with the number of codes of an octal
    /// space.
    ///
    /// ```
    /// use misere_census::{Budget, Plan, PlanError, Space};
    /// let plan = |space| Plan::new(space, Budget::default());
    /// assert!(plan(Space::Octal { digits: 3 }).is_ok());
    /// assert_eq!(plan(Space::Octal { digits: 9 }), Err(PlanError::Digits(9)));
    /// assert_eq!(plan(Space::Codes(Vec::new())), Err(PlanError::NoCodes));
    /// ```
    ///
    /// # Errors
    /// [`PlanError`] if the space is empty, out of range, or holds the game without moves.
    pub fn new(space: Space, budget: Budget) -> Result<Self, PlanError> {
        let space = match space {
            Space::Octal { digits } => Games::Octal { digits }.checked()?.into(),
            Space::Codes(codes) => Games::Codes(codes).checked()?.into(),
            Space::Hexadecimal { digits } => Games::Hexadecimal { digits }.checked()?.into(),
            Space::Subtraction { most } => Games::Subtraction { most }.checked()?.into(),
            Space::Quaternary { digits } => Games::Quaternary { digits }.checked()?.into(),
            Space::BornByFive { late } => Games::BornByFive { late }.checked()?.into(),
            Space::Quotients { order } => Space::Quotients {
                order: even(order)?,
            },
            Space::GamesAndQuotients { games, order } => Space::GamesAndQuotients {
                games: games.checked()?,
                order: even(order)?,
            },
        };
        Ok(Self { space, budget })
    }

    /// Returns the codes covered.
    #[must_use]
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// Returns the budget of each task.
    #[must_use]
    pub fn budget(&self) -> Budget {
        self.budget
    }

    /// Returns the name of the plan: the hash of its content.
    ///
    /// Cost: linear in the listed codes.
    ///
    /// ```
    /// use misere_census::{Budget, Plan, Space};
    /// let plan = |fuel| Plan::new(Space::Octal { digits: 2 }, Budget { fuel, ..Budget::default() });
    /// assert_eq!(plan(1_000)?.id(), plan(1_000)?.id());
    /// assert_ne!(plan(1_000)?.id(), plan(2_000)?.id());
    /// # Ok::<(), misere_census::PlanError>(())
    /// ```
    #[must_use]
    pub fn id(&self) -> PlanId {
        let facts = StableHasher::of("misere census plan 1");
        let octal = |facts: StableHasher, digits: u8| facts.number(0_u64).number(digits);
        let listed = |facts: StableHasher, codes: &[Code]| {
            facts.number(1_u64).list(codes.iter(), StableHasher::code)
        };
        let hexadecimal = |facts: StableHasher, digits: u8| facts.number(4_u64).number(digits);
        let subtraction = |facts: StableHasher, most: u8| facts.number(5_u64).number(most);
        let quaternary = |facts: StableHasher, digits: u8| facts.number(6_u64).number(digits);
        let born_by_five = |facts: StableHasher, late: u8| facts.number(7_u64).number(late);
        let facts = match &self.space {
            Space::BornByFive { late } => born_by_five(facts, *late),
            Space::Quaternary { digits } => quaternary(facts, *digits),
            Space::Hexadecimal { digits } => hexadecimal(facts, *digits),
            Space::Subtraction { most } => subtraction(facts, *most),
            Space::Octal { digits } => octal(facts, *digits),
            Space::Codes(codes) => listed(facts, codes),
            Space::Quotients { order } => facts.number(2_u64).number(*order),
            Space::GamesAndQuotients { games, order } => {
                let facts = facts.number(3_u64).number(*order);
                match games {
                    Games::Octal { digits } => octal(facts, *digits),
                    Games::Codes(codes) => listed(facts, codes),
                    Games::Hexadecimal { digits } => hexadecimal(facts, *digits),
                    Games::Subtraction { most } => subtraction(facts, *most),
                    Games::Quaternary { digits } => quaternary(facts, *digits),
                    Games::BornByFive { late } => born_by_five(facts, *late),
                }
            }
        };
        PlanId(self.budget.hashed(facts).finish())
    }
}

impl Games {
    fn checked(self) -> Result<Self, PlanError> {
        match self {
            Self::Octal { digits } if !(1..=MAX_OCTAL_DIGITS).contains(&digits) => {
                Err(PlanError::Digits(digits))
            }
            Self::Hexadecimal { digits } if !(1..=MAX_HEXADECIMAL_DIGITS).contains(&digits) => {
                Err(PlanError::HexadecimalDigits(digits))
            }
            Self::Subtraction { most } if !(1..=MAX_SUBTRACTION).contains(&most) => {
                Err(PlanError::Subtraction(most))
            }
            Self::Quaternary { digits } if !(1..=MAX_QUATERNARY_DIGITS).contains(&digits) => {
                Err(PlanError::QuaternaryDigits(digits))
            }
            Self::BornByFive { late } if u32::from(late) > MAX_LATE => Err(PlanError::Late(late)),
            Self::Octal { .. }
            | Self::Hexadecimal { .. }
            | Self::Subtraction { .. }
            | Self::Quaternary { .. }
            | Self::BornByFive { .. } => Ok(self),
            Self::Codes(codes) if codes.is_empty() => Err(PlanError::NoCodes),
            Self::Codes(mut codes) => {
                if let Some(idle) = codes.iter().find(|code| !code.has_moves()) {
                    return Err(PlanError::NoMoves(idle.clone()));
                }
                codes.sort();
                codes.dedup();
                Ok(Self::Codes(codes))
            }
        }
    }
}

impl From<Games> for Space {
    fn from(games: Games) -> Self {
        match games {
            Games::Octal { digits } => Self::Octal { digits },
            Games::Codes(codes) => Self::Codes(codes),
            Games::Hexadecimal { digits } => Self::Hexadecimal { digits },
            Games::Subtraction { most } => Self::Subtraction { most },
            Games::Quaternary { digits } => Self::Quaternary { digits },
            Games::BornByFive { late } => Self::BornByFive { late },
        }
    }
}

fn even(order: u8) -> Result<u8, PlanError> {
    if !(2..=MAX_ORDER).contains(&usize::from(order)) {
        return Err(PlanError::Order(order));
    }
    Ok(order & !1)
}

impl Space {
    /// Returns the space with its games and all misère quotients up to an order.
    ///
    /// ```
    /// use misere_census::{PlanError, Space};
    /// let both = Space::Octal { digits: 2 }.with_quotients(14)?;
    /// assert!(both.has_games());
    /// assert_eq!(both.with_quotients(14), Err(PlanError::Twice));
    /// # Ok::<(), PlanError>(())
    /// ```
    ///
    /// # Errors
    /// [`PlanError::Twice`] if it has quotients already.
    pub fn with_quotients(self, order: u8) -> Result<Self, PlanError> {
        let games = match self {
            Self::Octal { digits } => Games::Octal { digits },
            Self::Codes(codes) => Games::Codes(codes),
            Self::Hexadecimal { digits } => Games::Hexadecimal { digits },
            Self::Subtraction { most } => Games::Subtraction { most },
            Self::Quaternary { digits } => Games::Quaternary { digits },
            Self::BornByFive { late } => Games::BornByFive { late },
            Self::Quotients { .. } | Self::GamesAndQuotients { .. } => {
                return Err(PlanError::Twice);
            }
        };
        Ok(Self::GamesAndQuotients { games, order })
    }

    /// Returns the greatest order of the classified quotients, if there are any.
    #[must_use]
    pub fn max_quotient_order(&self) -> Option<u8> {
        match self {
            Self::Octal { .. }
            | Self::Codes(_)
            | Self::Hexadecimal { .. }
            | Self::Subtraction { .. }
            | Self::Quaternary { .. }
            | Self::BornByFive { .. } => None,
            Self::Quotients { order } | Self::GamesAndQuotients { order, .. } => Some(*order),
        }
    }

    /// Reports whether the space has games.
    ///
    /// ```
    /// use misere_census::Space;
    /// assert!(Space::Octal { digits: 1 }.has_games());
    /// assert!(!Space::Quotients { order: 14 }.has_games());
    /// ```
    #[must_use]
    pub fn has_games(&self) -> bool {
        !matches!(self, Self::Quotients { .. })
    }

    /// Returns the codes of the space without holding them in memory.
    #[must_use]
    pub fn listing(&self) -> Listing<'_> {
        match self {
            Self::Octal { digits }
            | Self::GamesAndQuotients {
                games: Games::Octal { digits },
                ..
            } => Listing::Octal { digits: *digits },
            Self::Codes(codes)
            | Self::GamesAndQuotients {
                games: Games::Codes(codes),
                ..
            } => Listing::Codes(codes),
            Self::Hexadecimal { digits }
            | Self::GamesAndQuotients {
                games: Games::Hexadecimal { digits },
                ..
            } => Listing::Hexadecimal { digits: *digits },
            Self::Subtraction { most }
            | Self::GamesAndQuotients {
                games: Games::Subtraction { most },
                ..
            } => Listing::Subtraction { most: *most },
            Self::Quaternary { digits }
            | Self::GamesAndQuotients {
                games: Games::Quaternary { digits },
                ..
            } => Listing::Quaternary { digits: *digits },
            Self::BornByFive { late }
            | Self::GamesAndQuotients {
                games: Games::BornByFive { late },
                ..
            } => Listing::BornByFive(Survey::of(*late)),
            Self::Quotients { .. } => Listing::Codes(&[]),
        }
    }

    /// Returns the codes of the space, in ascending order.
    ///
    /// For `n` digits these are `8^n + 8^(n-1) - 1` codes: 575 for the three digits of Figure 1 of
    /// Plambeck and Siegel's supplement.
    ///
    /// ```
    /// assert_eq!(misere_census::Space::Octal { digits: 3 }.codes().len(), 575);
    /// ```
    #[must_use]
    pub fn codes(&self) -> Vec<Code> {
        let listing = self.listing();
        (0..listing.count())
            .filter_map(|place| listing.code(place))
            .collect()
    }
}

impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quotients = |f: &mut fmt::Formatter<'_>, order: &u8| {
            write!(f, "misère quotients of order at most {order}")
        };
        match self {
            Self::Octal { digits } => write_octal(f, *digits),
            Self::Codes(codes) => write_codes(f, codes),
            Self::Hexadecimal { digits } => write_hexadecimal(f, *digits),
            Self::Subtraction { most } => write_subtraction(f, *most),
            Self::Quaternary { digits } => write_quaternary(f, *digits),
            Self::BornByFive { late } => write_born_by_five(f, *late),
            Self::Quotients { order } => quotients(f, order),
            Self::GamesAndQuotients { games, order } => {
                match games {
                    Games::Octal { digits } => write_octal(f, *digits)?,
                    Games::Codes(codes) => write_codes(f, codes)?,
                    Games::Hexadecimal { digits } => write_hexadecimal(f, *digits)?,
                    Games::Subtraction { most } => write_subtraction(f, *most)?,
                    Games::Quaternary { digits } => write_quaternary(f, *digits)?,
                    Games::BornByFive { late } => write_born_by_five(f, *late)?,
                }
                f.write_str(" and ")?;
                quotients(f, order)
            }
        }
    }
}

fn write_octal(f: &mut fmt::Formatter<'_>, digits: u8) -> fmt::Result {
    match digits {
        1 => write!(f, "octal codes 0.d and 4"),
        digits => write!(f, "octal codes of at most {digits} digits"),
    }
}

fn write_hexadecimal(f: &mut fmt::Formatter<'_>, digits: u8) -> fmt::Result {
    match digits {
        1 => write!(f, "hexadecimal codes 0.d, 4, 8 and C"),
        digits => write!(f, "hexadecimal codes of at most {digits} digits"),
    }
}

fn write_subtraction(f: &mut fmt::Formatter<'_>, most: u8) -> fmt::Result {
    match most {
        1 => write!(f, "the subtraction game of one bean at a time"),
        most => write!(f, "subtraction games of at most {most} beans at a time"),
    }
}

fn write_quaternary(f: &mut fmt::Formatter<'_>, digits: u8) -> fmt::Result {
    match digits {
        1 => write!(f, "quaternary codes 0.d"),
        digits => write!(f, "quaternary codes of at most {digits} digits"),
    }
}

fn write_born_by_five(f: &mut fmt::Formatter<'_>, late: u8) -> fmt::Result {
    write!(
        f,
        "games born by day 5 with at most {late} options born on day 4"
    )
}

fn write_codes(f: &mut fmt::Formatter<'_>, codes: &[Code]) -> fmt::Result {
    const SHOWN: usize = 8;
    let shown: Vec<String> = codes.iter().take(SHOWN).map(ToString::to_string).collect();
    write!(f, "codes {}", shown.join(" "))?;
    if codes.len() > SHOWN {
        write!(f, " … ({} in all)", codes.len())?;
    }
    Ok(())
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.space, self.budget)
    }
}

#[cfg(test)]
mod tests;
