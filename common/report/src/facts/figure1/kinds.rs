//! What kinds of box has the chart, how are they told apart without colours, and how many are there
//! of each?

use super::{Chart, Entry, NormalPlay, Published, Standing};

/// A kind of box.
#[derive(Debug, PartialEq, Eq)]
pub struct Kind {
    /// A name for machines; also [`Standing::name`].
    pub name: &'static str,
    /// The sign in the box.
    pub symbol: &'static str,
    /// What it means, for the legend.
    pub meaning: &'static str,
}

/// All kinds of box, from solved to open.
pub static KINDS: [Kind; 8] = [
    kind("tame", "⊕", "tame, known for every heap"),
    kind("wild-solved", "⊖", "wild, solved"),
    kind(
        "tame-relative",
        "◇",
        "tame relative to a heap: normal play from there on",
    ),
    kind("infinite", "∞", "quotient proved infinite"),
    kind(
        "diverges",
        "↑",
        "diverges: a partial quotient not finite as far as seen",
    ),
    kind(
        "grows",
        "≈",
        "partial quotients grow in a pattern (conjecture)",
    ),
    kind("exhausted", "—", "open: the budget ended first"),
    kind("missing", "·", "not in this census"),
];

const fn kind(name: &'static str, symbol: &'static str, meaning: &'static str) -> Kind {
    Kind {
        name,
        symbol,
        meaning,
    }
}

impl Standing {
    /// The kind of its box.
    #[must_use]
    pub fn kind(self) -> &'static Kind {
        &KINDS[match self {
            Self::Tame => 0,
            Self::WildSolved => 1,
            Self::TameRelative { .. } => 2,
            Self::Infinite { .. } => 3,
            Self::Diverges { .. } => 4,
            Self::Grows { .. } => 5,
            Self::Exhausted(_) => 6,
            Self::Missing => 7,
        }]
    }

    /// A name for machines.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.kind().name
    }
}

impl Entry {
    /// Whether normal play is known where misère play is not.
    #[must_use]
    pub fn has_star(&self) -> bool {
        self.normal.is_some_and(NormalPlay::is_known)
    }
}

impl Chart {
    /// The kinds of box there are: how many, how many of those with a star.
    #[must_use]
    pub fn counts(&self) -> Vec<(usize, usize, &'static Kind)> {
        let count = |kind: &'static Kind| {
            let of_kind = || self.entries().filter(|entry| entry.standing.kind() == kind);
            let starred = of_kind().filter(|entry| entry.has_star());
            (of_kind().count(), starred.count(), kind)
        };
        let counts = KINDS.iter().map(count);
        counts.filter(|&(all, ..)| all > 0).collect()
    }

    /// How many boxes of each kind the chart of 2007 has, and how many it would have today; of
    /// those that the census has.
    #[must_use]
    pub fn then_and_now(&self) -> [(Published, usize, usize); 4] {
        use Published::{Open, Tame, WildSolved, WildUnsolved};
        let boxes = || {
            let all = self.entries();
            all.filter(|entry| entry.standing != Standing::Missing)
        };
        [Tame, WildSolved, WildUnsolved, Open].map(|kind| {
            let then = boxes().filter(|entry| entry.published == kind);
            let now = boxes().filter(|&entry| Published::today(entry) == kind);
            (kind, then.count(), now.count())
        })
    }
}
