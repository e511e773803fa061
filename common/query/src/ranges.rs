//! Ranges of numbers, and the conditions that a filter makes of them.

use std::fmt;
use std::str::FromStr;

use crate::field::{Field, Kind};
use crate::index::NOTHING;

/// The ranges in which the numbers of a game have to lie, in the order of [`Field::ALL`].
///
/// A field of the kind [`Kind::Number`] has at most one range. An event may have several, and all
/// of them have to hold: a partial quotient can change at a heap up to 5 and at one from 40 on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ranges(Vec<(Field, Span)>);

impl Ranges {
    /// Adds a range for a field, or replaces the range of a [`Kind::Number`].
    ///
    /// Returns whether the field takes ranges; if it takes none, nothing is changed.
    ///
    /// ```
    /// use misere_query::{Field, Ranges};
    /// let mut ranges = Ranges::default();
    /// assert!(ranges.require(Field::Order, "8..40".parse()?));
    /// assert!(!ranges.require(Field::Class, "8..40".parse()?));
    /// assert_eq!(ranges.iter().count(), 1);
    /// # Ok::<(), misere_query::RangeError>(())
    /// ```
    ///
    /// Cost: linear in the number of ranges.
    #[must_use]
    pub fn require(&mut self, field: Field, span: Span) -> bool {
        if !field.takes_range() {
            return false;
        }
        if field.kind() == Kind::Number {
            self.0.retain(|(other, _)| *other != field);
        }
        let place = |field: Field| Field::ALL.iter().position(|other| *other == field);
        let behind = self
            .0
            .partition_point(|(other, _)| place(*other) <= place(field));
        self.0.insert(behind, (field, span));
        true
    }

    /// Returns the first range of a field, if there is one.
    ///
    /// ```
    /// use misere_query::{Field, Ranges};
    /// let ranges: Ranges = [(Field::Period, "2".parse()?)].into_iter().collect();
    /// assert!(ranges.of(Field::Period).is_some_and(|span| span.contains(2)));
    /// assert_eq!(ranges.of(Field::Order), None);
    /// # Ok::<(), misere_query::RangeError>(())
    /// ```
    #[must_use]
    pub fn of(&self, field: Field) -> Option<Span> {
        let mut found = self.iter().filter(|(other, _)| *other == field);
        found.next().map(|(_, span)| span)
    }

    /// Returns all ranges with their fields, in the order of [`Field::ALL`].
    pub fn iter(&self) -> impl Iterator<Item = (Field, Span)> {
        self.0.iter().copied()
    }

    /// Reports whether there is no range.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The ranges of fields that take ranges; those of other fields are left out.
impl FromIterator<(Field, Span)> for Ranges {
    fn from_iter<I: IntoIterator<Item = (Field, Span)>>(pairs: I) -> Self {
        let mut ranges = Self::default();
        for (field, span) in pairs {
            let _ = ranges.require(field, span);
        }
        ranges
    }
}

/// Numbers from `least` to `most`, both included.
///
/// They are written `6..20`, `6..`, `..20`, `6`; `6-20`, `>=6`, `>5`, `<=20` and `<21` are
/// understood too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The least number.
    pub least: u64,
    /// The greatest number.
    pub most: u64,
}

/// The error of a text that is not a range.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a range (write 6..20, 6.., ..20 or 6; both ends are included)")]
pub struct RangeError(String);

impl Span {
    /// All numbers: every record with a number fits.
    pub const ANY: Self = Self {
        least: 0,
        most: NOTHING - 1,
    };

    /// Reports whether a number is in the range, ends included.
    ///
    /// ```
    /// use misere_query::Span;
    /// let span: Span = "6..20".parse()?;
    /// assert!(span.contains(6) && span.contains(20) && !span.contains(21));
    /// # Ok::<(), misere_query::RangeError>(())
    /// ```
    #[must_use]
    pub fn contains(self, number: u64) -> bool {
        (self.least..=self.most).contains(&number)
    }
}

impl FromStr for Span {
    type Err = RangeError;
    fn from_str(text: &str) -> Result<Self, RangeError> {
        let no = || RangeError(text.to_owned());
        // Records without a number have the value `NOTHING`.
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
    fn ranges_have_the_order_of_the_table() {
        let span = |text: &str| text.parse::<Span>().unwrap();
        let ranges: Ranges = [
            (Field::GrowsFrom, span("3")),
            (Field::Order, span("1..9")),
            (Field::ChangesAt, span("2..5")),
            (Field::Class, span("1")),
            (Field::Order, span("4")),
            (Field::ChangesAt, span("40..")),
        ]
        .into_iter()
        .collect();
        let listed: Vec<(Field, Span)> = ranges.iter().collect();
        let expected = [
            (Field::Order, span("4")),
            (Field::ChangesAt, span("2..5")),
            (Field::ChangesAt, span("40..")),
            (Field::GrowsFrom, span("3")),
        ];
        assert_eq!(listed, expected);
    }
}
