//! Which records are asked for?

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use misere_census::{Record, Status};
use misere_theory::bipartite::ClassKey;
use misere_theory::bipartite::families::{by_name, printed_name};

use crate::CodePattern;
use crate::index::{Index, NOTHING, value};

/// Conditions, all of which have to hold; the default has none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// The code under which the game is told fits: the one that stands for all, or an alias.
    pub code: Option<CodePattern>,
    /// The computation ended in one of these ways; in any, if there are none.
    pub status: BTreeSet<Status>,
    /// Whether the game is tame or wild, or that is open.
    pub tame: Option<Tameness>,
    /// The order of the quotient.
    pub order: Option<Span>,
    /// The size of its P-portion.
    pub p_size: Option<Span>,
    /// The period; only of games that are solved.
    pub period: Option<Span>,
    /// The preperiod; only of games that are solved.
    pub preperiod: Option<Span>,
    /// The greatest heap proved.
    pub heaps: Option<Span>,
    /// Fuel spent.
    pub fuel: Option<Span>,
    /// The class of the quotient.
    pub class: Option<ClassPattern>,
    /// The class of some partial quotient.
    pub any_class: Option<ClassPattern>,
    /// Something happens at a heap.
    pub happens: Vec<(Happening, Span)>,
}

/// Whether a game is tame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tameness {
    /// Its quotient is some `T_n`.
    Tame,
    /// Some partial quotient is not.
    Wild,
    /// Not known.
    Open,
}

impl Tameness {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Tame, Self::Wild, Self::Open];

    /// Of a record.
    #[must_use]
    pub fn of(tame: Option<bool>) -> Self {
        match tame {
            Some(true) => Self::Tame,
            Some(false) => Self::Wild,
            None => Self::Open,
        }
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Tame => "tame",
            Self::Wild => "wild",
            Self::Open => "open",
        }
    }

    fn value(self) -> u64 {
        match self {
            Self::Wild => 0,
            Self::Tame => 1,
            Self::Open => NOTHING,
        }
    }
}

/// What can happen at a heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Happening {
    /// The partial quotient changes.
    Changes,
    /// The partial quotient is wild from there on.
    WildFrom,
    /// The partial quotient diverges, proved infinite or not.
    Diverges,
    /// Misère play is normal play from there on.
    TameRelativeFrom,
    /// Partial quotients grow in a pattern from there on.
    GrowsFrom,
}

impl Happening {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Changes,
        Self::WildFrom,
        Self::Diverges,
        Self::TameRelativeFrom,
        Self::GrowsFrom,
    ];

    /// The index in which heaps stand.
    #[must_use]
    pub fn index(self) -> Index {
        match self {
            Self::Changes => Index::Change,
            Self::WildFrom => Index::WildFrom,
            Self::Diverges => Index::DivergesAt,
            Self::TameRelativeFrom => Index::TameRelativeFrom,
            Self::GrowsFrom => Index::GrowsFrom,
        }
    }
}

/// Numbers from `least` to `most`, both included. Written `6..20`, `6..`, `..20`, `6`; `6-20`,
/// `>=6`, `>5`, `<=20` and `<21` are understood too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The least.
    pub least: u64,
    /// The greatest.
    pub most: u64,
}

/// Not a span.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no range (write 6..20, 6.., ..20 or 6; both ends are included)")]
pub struct NoSpan(String);

impl Span {
    /// Whether a number lies within.
    #[must_use]
    pub fn contains(self, number: u64) -> bool {
        (self.least..=self.most).contains(&number)
    }
}

impl FromStr for Span {
    type Err = NoSpan;
    fn from_str(text: &str) -> Result<Self, NoSpan> {
        let no = || NoSpan(text.to_owned());
        // What does not say a number stands there.
        let greatest = NOTHING - 1;
        let number = |text: &str, otherwise: u64| match text.trim() {
            "" => Ok(otherwise),
            digits => digits.parse::<u64>().map_err(|_| no()),
        };
        let bound = |text: &str| text.trim().parse::<u64>().map_err(|_| no());
        let plain = text.trim().replace('≤', "<=").replace('≥', ">=");
        let (least, most) = if let Some(least) = plain.strip_prefix(">=") {
            (bound(least)?, greatest)
        } else if let Some(most) = plain.strip_prefix("<=") {
            (0, bound(most)?)
        } else if let Some(below) = plain.strip_prefix('>') {
            (bound(below)?.checked_add(1).ok_or_else(no)?, greatest)
        } else if let Some(above) = plain.strip_prefix('<') {
            (0, bound(above)?.checked_sub(1).ok_or_else(no)?)
        } else if let Some((least, most)) = plain.split_once("..") {
            let most = most.strip_prefix('=').unwrap_or(most);
            if least.trim().is_empty() && most.trim().is_empty() {
                return Err(no());
            }
            (number(least, 0)?, number(most, greatest)?)
        } else if let Some((least, most)) = plain.split_once(['-', '–']) {
            (bound(least)?, bound(most)?)
        } else {
            (bound(&plain)?, bound(&plain)?)
        };
        if least > most || most > greatest {
            return Err(no());
        }
        Ok(Self { least, most })
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.least, self.most) {
            (least, most) if least == most => write!(f, "{least}"),
            (least, most) if most == NOTHING - 1 => write!(f, "{least}.."),
            (0, most) => write!(f, "..{most}"),
            (least, most) => write!(f, "{least}..{most}"),
        }
    }
}

/// Classes whose keys begin with some hexadecimal digits. Written so, or as a name: `T_3`, `R_8`,
/// `S_12`, `S'_12`, `R_14`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassPattern {
    least: ClassKey,
    greatest: ClassKey,
    written: String,
}

/// Not a class.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is no class (give the first digits of its key, as tables show them, or a name such as T_3, R_8, S_12, S'_12)"
)]
pub struct NoClass(String);

impl ClassPattern {
    /// Whether a class is one of these.
    #[must_use]
    pub fn fits(&self, class: &ClassKey) -> bool {
        (self.least..=self.greatest).contains(class)
    }

    /// The least key.
    #[must_use]
    pub fn least(&self) -> &ClassKey {
        &self.least
    }

    /// The greatest key.
    #[must_use]
    pub fn greatest(&self) -> &ClassKey {
        &self.greatest
    }
}

impl From<ClassKey> for ClassPattern {
    fn from(class: ClassKey) -> Self {
        Self {
            least: class,
            greatest: class,
            written: class.to_string(),
        }
    }
}

/// The greatest order of a quotient whose class is found by its name: beyond, that takes minutes.
const MAX_NAMED: usize = 4_100;

impl FromStr for ClassPattern {
    type Err = NoClass;
    fn from_str(text: &str) -> Result<Self, NoClass> {
        if let Some(monoid) = by_name(text)
            .ok()
            .filter(|monoid| monoid.order() <= MAX_NAMED)
        {
            return Ok(Self {
                written: printed_name(text).unwrap_or_else(|| text.to_owned()),
                ..monoid.class_key().into()
            });
        }
        let no = || NoClass(text.to_owned());
        if text.is_empty() || text.len() > 64 || !text.bytes().all(|c| c.is_ascii_hexdigit()) {
            return Err(no());
        }
        let filled = |with: char| {
            let digits: String = text
                .chars()
                .chain(std::iter::repeat(with))
                .take(64)
                .collect();
            digits.parse::<ClassKey>().map_err(|_| no())
        };
        Ok(Self {
            least: filled('0')?,
            greatest: filled('f')?,
            written: text.to_owned(),
        })
    }
}

impl fmt::Display for ClassPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written)
    }
}

/// Records with a value of an index between two others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// The index that tells.
    pub index: Index,
    /// The least value, as bytes.
    pub low: Vec<u8>,
    /// The greatest value, as bytes.
    pub high: Vec<u8>,
}

impl Condition {
    fn numbers(index: Index, least: u64, most: u64) -> Self {
        Self {
            index,
            low: value(least).to_vec(),
            high: value(most).to_vec(),
        }
    }

    fn classes(index: Index, pattern: &ClassPattern) -> Self {
        Self {
            index,
            low: pattern.least.0.to_vec(),
            high: pattern.greatest.0.to_vec(),
        }
    }

    /// Whether only one value fits: its entries are in the order of codes, each code once.
    pub fn is_one_value(&self) -> bool {
        self.low == self.high
    }

    fn fits(&self, value: &[u8]) -> bool {
        (self.low.as_slice()..=self.high.as_slice()).contains(&value)
    }

    /// The first value that a record says in its own heap numbers and that fits.
    pub fn first_value(&self, record: &Record) -> Option<Vec<u8>> {
        let values = self.index.values(record);
        values.into_iter().find(|value| self.fits(value))
    }
}

impl Filter {
    /// The conditions that indexes can tell. What they leave open is that several statuses are
    /// asked for that do not stand side by side, and how codes look.
    pub fn conditions(&self) -> Vec<Condition> {
        let mut conditions = Vec::new();
        if let (Some(first), Some(last)) = (self.status.first(), self.status.last()) {
            let (first, last) = (*first as u64, *last as u64);
            conditions.push(Condition::numbers(Index::Status, first, last));
        }
        if let Some(tameness) = self.tame {
            let value = tameness.value();
            conditions.push(Condition::numbers(Index::Tame, value, value));
        }
        let spans = [
            (Index::Order, self.order),
            (Index::PSize, self.p_size),
            (Index::Period, self.period),
            (Index::Preperiod, self.preperiod),
            (Index::Heaps, self.heaps),
            (Index::Fuel, self.fuel),
        ];
        let happens = self.happens.iter();
        let happens = happens.map(|&(what, span)| (what.index(), Some(span)));
        for (index, span) in spans.into_iter().chain(happens) {
            if let Some(Span { least, most }) = span {
                // What does not say a number fits no span.
                conditions.push(Condition::numbers(index, least, most.min(NOTHING - 1)));
            }
        }
        let classes = [
            (Index::Class, &self.class),
            (Index::AnyClass, &self.any_class),
        ];
        for (index, class) in classes {
            conditions.extend(class.as_ref().map(|class| Condition::classes(index, class)));
        }
        conditions
    }

    /// Whether the code under which a game is told may be another than the one that stands for all.
    pub fn depends_on_name(&self) -> bool {
        let numbers = [self.preperiod, self.heaps];
        self.code.is_some() || !self.happens.is_empty() || numbers.iter().any(Option::is_some)
    }

    /// The record under the least of its codes that is asked for; `None` if none is.
    #[must_use]
    pub fn named(&self, record: Record) -> Option<Record> {
        let status = record.status()?;
        if !self.status.is_empty() && !self.status.contains(&status) {
            return None;
        }
        let conditions = self.conditions();
        let fits = |named: &Record| {
            let mut conditions = conditions.iter();
            let fits_code = self.code.as_ref().is_none_or(|code| code.fits(&named.code));
            fits_code && conditions.all(|condition| condition.first_value(named).is_some())
        };
        if fits(&record) {
            return Some(record);
        }
        if !self.depends_on_name() {
            return None;
        }
        // The code that stands for all is the least, and aliases are in ascending order.
        let names = record.aliases.iter();
        let mut named = names.filter_map(|alias| record.under(&alias.code));
        named.find(fits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_read_as_they_are_written() {
        for written in ["6..20", "6..", "..20", "6", "0.."] {
            let span: Span = written.parse().unwrap();
            assert_eq!(span.to_string(), written);
        }
        let span: Span = "6..20".parse().unwrap();
        assert!(span.contains(6) && span.contains(20) && !span.contains(21));
        for (written, printed) in [
            ("6-20", "6..20"),
            ("6 – 20", "6..20"),
            (">=6", "6.."),
            ("≥ 6", "6.."),
            (">5", "6.."),
            ("<=20", "..20"),
            ("≤20", "..20"),
            ("<21", "..20"),
            (" 6 ", "6"),
        ] {
            assert_eq!(written.parse::<Span>().unwrap().to_string(), printed);
        }
        for bad in [
            "",
            "..",
            "20..6",
            "a",
            "1..b",
            "-1",
            "18446744073709551615",
            "20-6",
            "<0",
            ">",
            "6-",
            ">=x",
            ">18446744073709551615",
        ] {
            assert!(bad.parse::<Span>().is_err(), "{bad}");
        }
    }

    #[test]
    fn classes_are_named_or_begin_so() {
        let t2: ClassPattern = "T_2".parse().unwrap();
        let key = misere_theory::bipartite::families::tame(2).class_key();
        assert!(t2.fits(&key));
        let text = key.to_string();
        for digits in [1, 2, 7, 64] {
            let pattern: ClassPattern = text[..digits].parse().unwrap();
            assert!(pattern.fits(&key));
            assert!(!pattern.fits(&ClassKey(key.0.map(|byte| !byte))));
        }
        for bad in ["", "xyz", "T_", "T_-1", "R_9", &"0".repeat(65)] {
            assert!(bad.parse::<ClassPattern>().is_err(), "{bad}");
        }
    }
}
