//! The conditions on a record.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use misere_census::{Record, Status};
use misere_game::bipartite::ClassKey;
use misere_game::bipartite::families::{by_name, printed_name};
use misere_game::bipartite::label::Label;
use misere_game::solution::Reason;

use crate::CodePattern;
use crate::field::Field;
use crate::genus::GenusClass;
use crate::index::{NOTHING, value};
use crate::ranges::{Ranges, Span};

/// Conditions that all have to hold; the default has none.
///
/// ```
/// use misere_query::{Field, Filter, Tameness};
/// // The wild games of period 2.
/// let filter = Filter {
///     tame: Some(Tameness::Wild),
///     ranges: [(Field::Period, "2".parse()?)].into_iter().collect(),
///     ..Filter::default()
/// };
/// assert_eq!(filter.ranges.of(Field::Period).unwrap().to_string(), "2");
/// # Ok::<(), misere_query::RangeError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// A pattern that fits the code under which the game is shown, the representative or an alias.
    pub code: Option<CodePattern>,
    /// The statuses with which the computation may have ended; any, if the set is empty.
    pub status: BTreeSet<Status>,
    /// Whether the game is tame, wild, or open.
    pub tame: Option<Tameness>,
    /// The ranges of numbers.
    pub ranges: Ranges,
    /// The class of the quotient.
    pub class: Option<ClassPattern>,
    /// The class of some partial quotient.
    pub any_class: Option<ClassPattern>,
    /// The reasons for which no proof of infinity was found; no condition, if the set is empty.
    pub reason: BTreeSet<Reason>,
    /// The classes of heaps by their genera; some of them must occur.
    ///
    /// There is no condition if the set is empty.
    pub genus: BTreeSet<GenusClass>,
}

/// Whether a game is tame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tameness {
    /// Its quotient is some `T_n`.
    Tame,
    /// Some partial quotient is not some `T_n`.
    Wild,
    /// The tameness is not known.
    Open,
}

impl Tameness {
    /// All variants.
    pub const ALL: [Self; 3] = [Self::Tame, Self::Wild, Self::Open];

    /// Returns the tameness that a record states; a record that does not state it is open.
    ///
    /// ```
    /// # use misere_query::Tameness;
    /// assert_eq!(Tameness::of(Some(false)), Tameness::Wild);
    /// assert_eq!(Tameness::of(None), Tameness::Open);
    /// ```
    #[must_use]
    pub fn of(tame: Option<bool>) -> Self {
        match tame {
            Some(true) => Self::Tame,
            Some(false) => Self::Wild,
            None => Self::Open,
        }
    }

    /// Returns the name in messages, addresses and options.
    ///
    /// ```
    /// # use misere_query::Tameness;
    /// assert_eq!(Tameness::ALL.map(Tameness::name), ["tame", "wild", "open"]);
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Tame => "tame",
            Self::Wild => "wild",
            Self::Open => "open",
        }
    }

    /// Returns the sentence that says which games are meant, for the command line.
    #[must_use]
    pub fn about(self) -> &'static str {
        match self {
            Self::Tame => "Tame games only",
            Self::Wild => "Wild games only",
            Self::Open => "Only games of which it is not known whether they are tame",
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

/// Classes whose keys begin with some hexadecimal digits.
///
/// Written as the digits, as a label, `40.9.2`, or as a name: `T_3`, `R_8`, `S_12`, `S'_12`,
/// `R_14`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassPattern {
    least: ClassKey,
    greatest: ClassKey,
    written: String,
}

/// The error of a text that does not name a class.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a class (give its label, as tables show it, the first digits of its key, or a name such as T_3, R_8, S_12, S'_12)"
)]
pub struct ClassPatternError(String);

impl ClassPattern {
    /// Reports whether the key of a class begins with the digits, or the class has the name.
    ///
    /// ```
    /// # use misere_query::ClassPattern;
    /// let class = misere_game::bipartite::families::tame(2).class_key();
    /// let pattern: ClassPattern = "T_2".parse()?;
    /// assert!(pattern.fits(&class));
    /// # Ok::<(), misere_query::ClassPatternError>(())
    /// ```
    #[must_use]
    pub fn fits(&self, class: &ClassKey) -> bool {
        (self.least..=self.greatest).contains(class)
    }

    /// Returns the least key that fits.
    #[must_use]
    pub fn least(&self) -> &ClassKey {
        &self.least
    }

    /// Returns the greatest key that fits.
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

/// The greatest order of a quotient whose class is found by its name; greater ones take minutes.
const MAX_NAMED: usize = 4_100;

impl FromStr for ClassPattern {
    type Err = ClassPatternError;
    fn from_str(text: &str) -> Result<Self, ClassPatternError> {
        if let Some(monoid) = by_name(text)
            .ok()
            .filter(|monoid| monoid.order() <= MAX_NAMED)
        {
            return Ok(Self {
                written: printed_name(text).unwrap_or_else(|| text.to_owned()),
                ..monoid.class_key().into()
            });
        }
        if let Some(class) = text.parse().ok().and_then(|label: Label| label.class()) {
            return Ok(Self {
                written: text.to_owned(),
                ..class.into()
            });
        }
        let no = || ClassPatternError(text.to_owned());
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

/// A range of values in an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// The field of the index.
    pub field: Field,
    /// The least value, as bytes.
    pub low: Vec<u8>,
    /// The greatest value, as bytes.
    pub high: Vec<u8>,
}

impl Condition {
    fn numbers(field: Field, least: u64, most: u64) -> Self {
        Self {
            field,
            low: value(least).to_vec(),
            high: value(most).to_vec(),
        }
    }

    fn classes(field: Field, pattern: &ClassPattern) -> Self {
        Self {
            field,
            low: pattern.least.0.to_vec(),
            high: pattern.greatest.0.to_vec(),
        }
    }

    /// Reports whether only one value fits: its entries are in the order of codes, each code once.
    #[must_use]
    pub fn is_one_value(&self) -> bool {
        self.low == self.high
    }

    fn fits(&self, value: &[u8]) -> bool {
        (self.low.as_slice()..=self.high.as_slice()).contains(&value)
    }

    /// Returns the first value of a record that fits, as bytes; `None` if none does.
    ///
    /// The value is in the record's own heap numbers.
    ///
    /// Cost: linear in the number of partial quotients.
    #[must_use]
    pub fn first_value(&self, record: &Record) -> Option<Vec<u8>> {
        let values = self.field.values(record);
        values.into_iter().find(|value| self.fits(value))
    }
}

impl Filter {
    /// Returns the conditions on values of fields.
    ///
    /// They leave open how codes look, which of several statuses or reasons that are not adjacent a
    /// record has, and the genera.
    ///
    /// ```
    /// use misere_query::{Field, Filter, Tameness};
    /// let filter = Filter { tame: Some(Tameness::Wild), ..Filter::default() };
    /// let conditions = filter.conditions();
    /// assert_eq!(conditions.len(), 1);
    /// assert_eq!(conditions[0].field, Field::Tame);
    /// assert!(conditions[0].is_one_value());
    /// ```
    #[must_use]
    pub fn conditions(&self) -> Vec<Condition> {
        let mut conditions = Vec::new();
        if let (Some(first), Some(last)) = (self.status.first(), self.status.last()) {
            let (first, last) = (*first as u64, *last as u64);
            conditions.push(Condition::numbers(Field::Status, first, last));
        }
        if let (Some(first), Some(last)) = (self.reason.first(), self.reason.last()) {
            let (first, last) = (*first as u64, *last as u64);
            conditions.push(Condition::numbers(Field::Reason, first, last));
        }
        if let Some(tameness) = self.tame {
            let value = tameness.value();
            conditions.push(Condition::numbers(Field::Tame, value, value));
        }
        for (field, Span { least, most }) in self.ranges.iter() {
            // A record without such a number fits no range.
            conditions.push(Condition::numbers(field, least, most.min(NOTHING - 1)));
        }
        let classes = [
            (Field::Class, &self.class),
            (Field::AnyClass, &self.any_class),
        ];
        for (field, class) in classes {
            conditions.extend(class.as_ref().map(|class| Condition::classes(field, class)));
        }
        conditions
    }

    /// Returns the conditions of the filter, if each is on one value and there are no others.
    ///
    /// Then the records are those that the indexes have under all of these values.
    ///
    /// ```
    /// use misere_query::{Filter, Field, Tameness};
    /// let of_order = |order: &str| {
    ///     let ranges = [(Field::Order, order.parse()?)].into_iter().collect();
    ///     let tame = Some(Tameness::Wild);
    ///     Ok::<_, misere_query::RangeError>(Filter { ranges, tame, ..Filter::default() })
    /// };
    /// assert_eq!(of_order("8")?.only_values().map(|conditions| conditions.len()), Some(2));
    /// assert_eq!(of_order("8..9")?.only_values(), None);
    /// # Ok::<(), misere_query::RangeError>(())
    /// ```
    #[must_use]
    pub fn only_values(&self) -> Option<Vec<Condition>> {
        let conditions = self.conditions();
        let are_all = !self.depends_on_name() && self.genus.is_empty();
        let are_values = conditions.iter().all(Condition::is_one_value);
        (are_all && are_values && !conditions.is_empty()).then_some(conditions)
    }

    /// Returns the condition of the filter, if it is one range of one number and there is no other.
    ///
    /// Then the records are those that the index has under the values of the range.
    ///
    /// ```
    /// use misere_query::{Filter, Field, Tameness};
    /// let ranges = [(Field::Heaps, "0..5".parse()?)].into_iter().collect();
    /// let filter = Filter { ranges, ..Filter::default() };
    /// assert!(filter.only_range().is_some());
    /// let tame = Some(Tameness::Wild);
    /// assert_eq!(Filter { tame, ..filter }.only_range(), None);
    /// # Ok::<(), misere_query::RangeError>(())
    /// ```
    #[must_use]
    pub fn only_range(&self) -> Option<Condition> {
        let asks_for_ranges = Self {
            ranges: self.ranges.clone(),
            ..Self::default()
        };
        let mut conditions = self.conditions();
        match conditions.pop() {
            Some(only) if conditions.is_empty() => (*self == asks_for_ranges).then_some(only),
            _ => None,
        }
    }

    /// Reports whether a game may be shown under a code other than the representative.
    ///
    /// ```
    /// use misere_query::{Field, Filter};
    /// let filter = |field| {
    ///     let ranges = [(field, "3..5".parse()?)].into_iter().collect();
    ///     Ok::<_, misere_query::RangeError>(Filter { ranges, ..Filter::default() })
    /// };
    /// assert!(filter(Field::DivergesAt)?.depends_on_name());
    /// assert!(!filter(Field::Order)?.depends_on_name());
    /// # Ok::<(), misere_query::RangeError>(())
    /// ```
    #[must_use]
    pub fn depends_on_name(&self) -> bool {
        self.code.is_some() || self.ranges.iter().any(|(field, _)| field.depends_on_code())
    }

    /// Returns the record under the least of its codes that fits; `None` if none does.
    ///
    /// ```
    /// use misere_query::{Filter, samples::record};
    /// let filter = Filter { code: Some("0.7?".parse()?), ..Filter::default() };
    /// assert!(filter.named(record("0.77")).is_some());
    /// assert!(filter.named(record("0.07")).is_none());
    /// # Ok::<(), misere_query::PatternError>(())
    /// ```
    ///
    /// Cost: linear in the number of codes, times the number of partial quotients; and the cost of
    /// [`GenusClass::of`], if the filter has a condition on genera.
    #[must_use]
    pub fn named(&self, record: Record) -> Option<Record> {
        let status = record.status()?;
        if !self.status.is_empty() && !self.status.contains(&status) {
            return None;
        }
        let is_for = |reason| self.reason.contains(&reason);
        if !self.reason.is_empty() && !record.reason.is_some_and(is_for) {
            return None;
        }
        let conditions = self.conditions();
        let fits = |named: &Record| {
            let mut conditions = conditions.iter();
            let fits_code = self.code.as_ref().is_none_or(|code| code.fits(&named.code));
            fits_code && conditions.all(|condition| condition.first_value(named).is_some())
        };
        let is_of = |class| self.genus.contains(&class);
        // All codes of a game have the same classes.
        let has_genus =
            |named: &Record| self.genus.is_empty() || GenusClass::of(named).into_iter().any(is_of);
        if fits(&record) {
            return Some(record).filter(has_genus);
        }
        if !self.depends_on_name() {
            return None;
        }
        // The representative is the least code, and aliases are in ascending order. Only the code
        // that fits is worth a copy of all the others.
        let named = record.under_aliases().find(fits)?;
        record.under(&named.code).filter(has_genus)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_read_by_name_or_first_digits() {
        let t2: ClassPattern = "T_2".parse().unwrap();
        let key = misere_game::bipartite::families::tame(2).class_key();
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
