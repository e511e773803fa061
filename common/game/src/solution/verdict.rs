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
    /// tested in the context of the new one; see `docs/engine.md`.
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

impl Verdict {
    /// Returns period and preperiod of `Φ`, if it is periodic.
    ///
    /// ```
    /// use misere_game::solution::Verdict;
    /// assert_eq!(Verdict::Solved { period: 12, preperiod: 71 }.period(), Some((12, 71)));
    /// assert_eq!(Verdict::TameRelative { heap: 5 }.period(), None);
    /// ```
    #[must_use]
    pub fn period(self) -> Option<(u32, u32)> {
        match self {
            Self::Solved { period, preperiod } => Some((period, preperiod)),
            _ => None,
        }
    }

    /// Reports whether `Φ` is periodic.
    ///
    /// A game can be solved without a period, by a proof beside the verdict.
    ///
    /// ```
    /// use misere_game::solution::Verdict;
    /// assert!(Verdict::Solved { period: 12, preperiod: 71 }.is_periodic());
    /// assert!(!Verdict::Grows { start: 11, period: 4 }.is_periodic());
    /// ```
    #[must_use]
    pub fn is_periodic(self) -> bool {
        self.period().is_some()
    }

    /// Returns the heap to which the game is tame relative, if there is one.
    ///
    /// Misère play is normal play from there on.
    ///
    /// ```
    /// use misere_game::solution::Verdict;
    /// assert_eq!(Verdict::TameRelative { heap: 5 }.tame_from(), Some(5));
    /// assert_eq!(Verdict::Interrupted.tame_from(), None);
    /// ```
    #[must_use]
    pub fn tame_from(self) -> Option<u32> {
        match self {
            Self::TameRelative { heap } => Some(heap),
            _ => None,
        }
    }

    /// Returns the heap at which the game diverges, if it does.
    ///
    /// ```
    /// use misere_game::solution::Verdict;
    /// assert_eq!(Verdict::Diverges { heap: 5, copies: 200 }.diverges_at(), Some(5));
    /// assert_eq!(Verdict::Grows { start: 11, period: 4 }.diverges_at(), None);
    /// ```
    #[must_use]
    pub fn diverges_at(self) -> Option<u32> {
        match self {
            Self::Diverges { heap, .. } => Some(heap),
            _ => None,
        }
    }

    /// Returns the number of copies that were tried without a repetition, if the game diverges.
    ///
    /// ```
    /// use misere_game::solution::Verdict;
    /// assert_eq!(Verdict::Diverges { heap: 5, copies: 200 }.copies(), Some(200));
    /// assert_eq!(Verdict::TameRelative { heap: 5 }.copies(), None);
    /// ```
    #[must_use]
    pub fn copies(self) -> Option<u32> {
        match self {
            Self::Diverges { copies, .. } => Some(copies),
            _ => None,
        }
    }

    /// Returns start and period of the pattern in which partial quotients grow, if they do.
    ///
    /// ```
    /// use misere_game::solution::Verdict;
    /// assert_eq!(Verdict::Grows { start: 11, period: 4 }.growth(), Some((11, 4)));
    /// assert_eq!(Verdict::Solved { period: 12, preperiod: 71 }.growth(), None);
    /// ```
    #[must_use]
    pub fn growth(self) -> Option<(u32, u32)> {
        match self {
            Self::Grows { start, period } => Some((start, period)),
            _ => None,
        }
    }

    /// Returns the limit that ended the computation, if nothing else is claimed.
    ///
    /// ```
    /// use misere_game::solution::{Limit, Verdict};
    /// assert_eq!(Verdict::Exhausted(Limit::Fuel).limit(), Some(Limit::Fuel));
    /// // A game that grows has reached a limit, too. Of it a pattern is claimed.
    /// assert_eq!(Verdict::Grows { start: 11, period: 4 }.limit(), None);
    /// ```
    #[must_use]
    pub fn limit(self) -> Option<Limit> {
        match self {
            Self::Exhausted(limit) => Some(limit),
            _ => None,
        }
    }

    /// Reports whether the verdict is a proved claim about `Φ` of all heaps.
    ///
    /// Then the quotient is that of the whole game up to tame extensions, which settles whether the
    /// game is tame.
    ///
    /// ```
    /// use misere_game::solution::Verdict;
    /// assert!(Verdict::TameRelative { heap: 5 }.describes_all_heaps());
    /// assert!(!Verdict::Diverges { heap: 5, copies: 200 }.describes_all_heaps());
    /// ```
    #[must_use]
    pub fn describes_all_heaps(self) -> bool {
        match self {
            Self::Solved { .. } | Self::TameRelative { .. } => true,
            Self::Diverges { .. } | Self::Grows { .. } | Self::Exhausted(_) | Self::Interrupted => {
                false
            }
        }
    }
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
