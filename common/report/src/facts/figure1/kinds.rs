//! The kinds of box of the chart, their signs, which need no colours, and their numbers.

use misere_census::{Conclusion, Ending};

use super::{Chart, Entry, NormalPlay, Published};

/// A kind of box: the result of a game, as far as a chart distinguishes results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Tame, and known for every heap.
    Tame,
    /// Wild, and solved.
    WildSolved,
    /// Solved by a law, with partial quotients that grow.
    Law,
    /// Solved by an automaton, with partial quotients that grow.
    Automaton,
    /// Solved past an infinite quotient.
    PastInfinite,
    /// Normal play from a heap on, without a period known.
    TameRelative,
    /// With a quotient that is proved infinite.
    Infinite,
    /// With a partial quotient that is not finite as far as seen.
    Diverges,
    /// With partial quotients that grow in a pattern.
    Grows,
    /// At a limit of the plan.
    Exhausted,
    /// Not in this census.
    Missing,
}

impl Kind {
    /// Returns the kind of the box of a game with this conclusion.
    #[must_use]
    pub fn of(conclusion: Conclusion, tame: Option<bool>) -> Self {
        match (conclusion.ending(), tame) {
            (Ending::Solved | Ending::TameRelativePeriodic, Some(true)) => Self::Tame,
            (Ending::Solved, _) | (Ending::TameRelativePeriodic, Some(false)) => Self::WildSolved,
            (Ending::Law, _) => Self::Law,
            (Ending::Automaton, _) => Self::Automaton,
            (Ending::PastInfinite, _) => Self::PastInfinite,
            (Ending::TameRelativePeriodic | Ending::TameRelative, _) => Self::TameRelative,
            (Ending::Infinite, _) => Self::Infinite,
            (Ending::Diverges, _) => Self::Diverges,
            (Ending::Grows, _) => Self::Grows,
            (Ending::Exhausted(_), _) => Self::Exhausted,
        }
    }

    /// All kinds of box, from solved to open.
    pub const ALL: [Self; 11] = [
        Self::Tame,
        Self::WildSolved,
        Self::Law,
        Self::Automaton,
        Self::PastInfinite,
        Self::TameRelative,
        Self::Infinite,
        Self::Diverges,
        Self::Grows,
        Self::Exhausted,
        Self::Missing,
    ];

    /// Reports whether every position of such a game is decided.
    #[must_use]
    pub fn is_solved(self) -> bool {
        matches!(
            self,
            Self::Tame | Self::WildSolved | Self::Law | Self::Automaton | Self::PastInfinite
        )
    }

    /// Returns a name for machines.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Tame => "tame",
            Self::WildSolved => "wild-solved",
            Self::Law => "law",
            Self::Automaton => "automaton",
            Self::PastInfinite => "past-infinite",
            Self::TameRelative => "tame-relative",
            Self::Infinite => "infinite",
            Self::Diverges => "diverges",
            Self::Grows => "grows",
            Self::Exhausted => "exhausted",
            Self::Missing => "missing",
        }
    }

    /// Returns the sign in the box.
    #[must_use]
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Tame => "⊕",
            Self::WildSolved => "⊖",
            Self::Law => "⊗",
            Self::Automaton => "⊠",
            Self::PastInfinite => "⊛",
            Self::TameRelative => "◇",
            Self::Infinite => "∞",
            Self::Diverges => "↑",
            Self::Grows => "≈",
            Self::Exhausted => "—",
            Self::Missing => "·",
        }
    }

    /// Returns the meaning of the kind of box, for the legend.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Tame => "tame, known for every heap",
            Self::WildSolved => "wild, solved",
            Self::Law => "solved by a law; the quotient grows",
            Self::Automaton => "solved by an automaton; the quotient grows",
            Self::PastInfinite => "solved, with an infinite quotient",
            Self::TameRelative => "tame relative to a heap: normal play from there on",
            Self::Infinite => "quotient proved infinite",
            Self::Diverges => "diverges: a partial quotient not finite as far as seen",
            Self::Grows => "partial quotients grow in a pattern (conjecture)",
            Self::Exhausted => "open: the budget ended first",
            Self::Missing => "not in this census",
        }
    }
}

impl Entry {
    /// Reports whether normal play is known and misère play is not.
    #[must_use]
    pub fn has_star(&self) -> bool {
        self.normal.is_some_and(NormalPlay::is_known)
    }
}

impl Chart {
    /// Counts the boxes of each kind that occurs: all, and those with a star.
    #[must_use]
    pub fn counts(&self) -> Vec<(usize, usize, Kind)> {
        let count = |kind: Kind| {
            let of_kind = || self.entries().filter(|entry| entry.kind() == kind);
            let starred = of_kind().filter(|entry| entry.has_star());
            (of_kind().count(), starred.count(), kind)
        };
        let counts = Kind::ALL.into_iter().map(count);
        counts.filter(|&(all, ..)| all > 0).collect()
    }

    /// Counts the boxes of each kind in the chart of 2007 and in the same chart made today.
    ///
    /// Only the boxes that the census has are counted.
    #[must_use]
    pub fn then_and_now(&self) -> [(Published, usize, usize); 4] {
        use Published::{Open, Tame, WildSolved, WildUnsolved};
        let boxes = || {
            let all = self.entries();
            all.filter(|entry| entry.conclusion.is_some())
        };
        [Tame, WildSolved, WildUnsolved, Open].map(|kind| {
            let then = boxes().filter(|entry| entry.published == kind);
            let now = boxes().filter(|&entry| Published::today(entry) == kind);
            (kind, then.count(), now.count())
        })
    }
}
