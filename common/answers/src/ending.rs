//! The kinds of ending of a computation, and how sure they are.

use std::fmt;

use misere_game::solution::Limit;
use serde::Serialize;

use crate::status::Status;

/// The degrees of certainty of a statement of the census.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Knowledge {
    /// Proved by a certificate, checked from scratch before it entered the census.
    Proved,
    /// Seen within the budget, without proof.
    Suspected,
    /// A budget of the plan ended first: nothing is claimed.
    Open,
}

impl fmt::Display for Knowledge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Proved => "proved",
            Self::Suspected => "suspected",
            Self::Open => "open",
        })
    }
}

/// The kind of ending of the computation of a ruleset: a [`Conclusion`](crate::Conclusion) without
/// its numbers.
///
/// These are the contract's statuses. `solved` is divided by what decides the game, `tame-relative`
/// by whether a period is proved, and `exhausted` by the limit that ended it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Solved for all heaps, by a finite quotient and a period.
    Solved,
    /// Solved for all heaps, by a law; the partial quotients grow.
    Law,
    /// Solved for all heaps, by an automaton; the partial quotients grow.
    Automaton,
    /// Solved for all heaps past an infinite quotient, by words that repeat.
    PastInfinite,
    /// Tame relative to a heap, and the period of normal play is proved: known for all heaps.
    TameRelativePeriodic,
    /// Tame relative to a heap; no period of normal play is proved.
    TameRelative,
    /// A partial quotient is proved infinite.
    Infinite,
    /// A partial quotient is not finite as far as seen.
    Diverges,
    /// Partial quotients grow in a pattern.
    Grows,
    /// A limit of the plan was reached.
    Exhausted(Limit),
}

impl Ending {
    /// All variants, in display order.
    pub const ALL: [Self; 12] = [
        Self::Solved,
        Self::Law,
        Self::Automaton,
        Self::PastInfinite,
        Self::TameRelativePeriodic,
        Self::TameRelative,
        Self::Infinite,
        Self::Diverges,
        Self::Grows,
        Self::Exhausted(Limit::Fuel),
        Self::Exhausted(Limit::MaxHeap),
        Self::Exhausted(Limit::MaxOrder),
    ];

    /// Returns the contract's status.
    ///
    /// ```
    /// use misere_answers::{Ending, Status};
    /// assert_eq!(Ending::TameRelativePeriodic.status(), Status::TameRelative);
    /// ```
    #[must_use]
    pub fn status(self) -> Status {
        match self {
            Self::Solved | Self::Law | Self::Automaton | Self::PastInfinite => Status::Solved,
            Self::TameRelativePeriodic | Self::TameRelative => Status::TameRelative,
            Self::Infinite => Status::Infinite,
            Self::Diverges => Status::Diverges,
            Self::Grows => Status::Grows,
            Self::Exhausted(_) => Status::Exhausted,
        }
    }

    /// Returns the limit that ended the computation, if one did.
    ///
    /// ```
    /// use misere_answers::Ending;
    /// use misere_game::solution::Limit;
    /// assert_eq!(Ending::Exhausted(Limit::MaxHeap).limit(), Some("max-heap"));
    /// assert_eq!(Ending::Solved.limit(), None);
    /// ```
    #[must_use]
    pub fn limit(self) -> Option<&'static str> {
        match self {
            Self::Exhausted(Limit::Fuel) => Some("fuel"),
            Self::Exhausted(Limit::MaxHeap) => Some("max-heap"),
            Self::Exhausted(Limit::MaxOrder) => Some("max-order"),
            Self::Solved
            | Self::Law
            | Self::Automaton
            | Self::PastInfinite
            | Self::TameRelativePeriodic
            | Self::TameRelative
            | Self::Infinite
            | Self::Diverges
            | Self::Grows => None,
        }
    }

    /// Returns the certainty of the ending.
    ///
    /// ```
    /// use misere_answers::{Ending, Knowledge};
    /// assert_eq!(Ending::Infinite.knowledge(), Knowledge::Proved);
    /// assert_eq!(Ending::Diverges.knowledge(), Knowledge::Suspected);
    /// ```
    #[must_use]
    pub fn knowledge(self) -> Knowledge {
        match self {
            Self::Solved
            | Self::Law
            | Self::Automaton
            | Self::PastInfinite
            | Self::TameRelativePeriodic
            | Self::TameRelative
            | Self::Infinite => Knowledge::Proved,
            Self::Diverges | Self::Grows => Knowledge::Suspected,
            Self::Exhausted(_) => Knowledge::Open,
        }
    }

    /// Reports whether misère play is known for every heap.
    ///
    /// ```
    /// use misere_answers::Ending;
    /// // An infinite quotient says nothing about later heaps.
    /// assert!(Ending::PastInfinite.is_whole() && !Ending::Infinite.is_whole());
    /// let whole = Ending::ALL.into_iter().filter(|ending| ending.is_whole());
    /// assert_eq!(whole.count(), 5);
    /// ```
    #[must_use]
    pub fn is_whole(self) -> bool {
        matches!(
            self,
            Self::Solved
                | Self::Law
                | Self::Automaton
                | Self::PastInfinite
                | Self::TameRelativePeriodic
        )
    }

    /// Returns the name of the proof that solves a game without a finite quotient.
    ///
    /// The proof decides every position.
    ///
    /// ```
    /// use misere_answers::Ending;
    /// assert_eq!(Ending::Law.solved_by(), Some("law"));
    /// assert_eq!(Ending::Solved.solved_by(), None);
    /// ```
    #[must_use]
    pub fn solved_by(self) -> Option<&'static str> {
        match self {
            Self::Law => Some("law"),
            Self::Automaton => Some("automaton"),
            Self::PastInfinite => Some("past-infinite"),
            _ => None,
        }
    }

    /// Returns the rule that decides every position of a game whose partial quotients grow.
    ///
    /// ```
    /// use misere_answers::Ending;
    /// assert_eq!(Ending::Automaton.rule(), Some("an automaton"));
    /// assert_eq!(Ending::Grows.rule(), None);
    /// ```
    #[must_use]
    pub fn rule(self) -> Option<&'static str> {
        match self {
            Self::Law => Some("a law"),
            Self::Automaton => Some("an automaton"),
            _ => None,
        }
    }

    /// Returns one clause that says what is known of a game with this ending.
    ///
    /// ```
    /// use misere_answers::Ending;
    /// assert!(Ending::Grows.means().contains("a conjecture"));
    /// ```
    #[must_use]
    pub fn means(self) -> &'static str {
        match self {
            Self::Solved => "quotient, pretending function and period are those of the whole game",
            Self::Law => {
                "a law decides every position of all heaps; the quotient is known to the last heap computed, and there is no period"
            }
            Self::Automaton => {
                "an automaton decides every position of all heaps; the quotient is known to the last heap computed, and there is no period"
            }
            Self::PastInfinite => {
                "the quotient is infinite at the heap named; words of letters, which repeat with the period named, decide every position of all heaps"
            }
            Self::TameRelativePeriodic => {
                "normal play from a heap on, with its period proved: known for every heap"
            }
            Self::TameRelative => {
                "normal play from a heap on; no period of normal play is proved, so the number of tame extensions is open"
            }
            Self::Infinite => {
                "the partial quotient to the heap named, and every later one, is infinite; before the divergence all is proved"
            }
            Self::Diverges => {
                "no finite partial quotient was seen at the heap named, and no proof that it is infinite was found; before that heap all is proved"
            }
            Self::Grows => {
                "partial quotients grow in a pattern; that it goes on is a conjecture; to the last heap computed all is proved"
            }
            Self::Exhausted(Limit::Fuel) => {
                "the fuel was spent; to the last heap computed all is proved, of later ones nothing is claimed"
            }
            Self::Exhausted(Limit::MaxHeap) => {
                "the greatest heap of the plan was reached; to it all is proved, of later ones nothing is claimed"
            }
            Self::Exhausted(Limit::MaxOrder) => {
                "the next partial quotient has more elements than the plan allows; until then all is proved, of later heaps nothing is claimed"
            }
        }
    }

    /// Returns the name of the ending in a sentence that lists several.
    ///
    /// ```
    /// use misere_answers::Ending;
    /// assert_eq!(Ending::Diverges.label(), "diverging");
    /// ```
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Solved => "solved",
            Self::Law => "solved by a law",
            Self::Automaton => "solved by an automaton",
            Self::PastInfinite => "solved, with an infinite quotient",
            Self::TameRelativePeriodic => "tame relative to a heap with the period proved",
            Self::TameRelative => "tame relative to a heap without a period",
            Self::Infinite => "infinite",
            Self::Diverges => "diverging",
            Self::Grows => "growing",
            Self::Exhausted(Limit::Fuel) => "out of fuel",
            Self::Exhausted(Limit::MaxHeap) => "at the greatest heap",
            Self::Exhausted(Limit::MaxOrder) => "at the greatest order",
        }
    }
}
