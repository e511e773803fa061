//! Short labels of isomorphism classes, such as `40.9.1`.
//!
//! The label of a class is its order, the size of its P-portion, and a number, which distinguishes
//! classes with both in common. `labels.txt` beside this file has the labels in use, with their
//! keys: those of all partial quotients of the octal games with at most three digits. A release
//! may append classes, and none changes a label (docs/howto/release.md).

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use super::ClassKey;

/// The label of an isomorphism class of bipartite monoids.
///
/// ```
/// use misere_game::bipartite::label::Label;
/// let label: Label = "8.2.1".parse()?;
/// assert_eq!(label.class().map(|class| class.label()), Some(Some(label)));
/// assert_eq!(label.to_string(), "8.2.1");
/// # Ok::<(), misere_game::bipartite::label::LabelError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Label {
    /// The order of the monoids.
    pub order: u32,
    /// The size of their P-portions.
    pub p_size: u32,
    /// The number among the classes of this order and size, from 1.
    pub number: u32,
}

/// A text that does not have the form of a label.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a label of a class; a label looks like 40.9.1: order, |P|, number")]
pub struct LabelError(String);

impl Label {
    /// Returns the key of the class with this label, if a class has it.
    #[must_use]
    pub fn class(&self) -> Option<ClassKey> {
        LABELS.classes.get(self).copied()
    }
}

impl ClassKey {
    /// Returns the label of the class, if it has one.
    ///
    /// ```
    /// use misere_game::bipartite::families::tame;
    /// let label = tame(2).class_key().label();
    /// assert_eq!(label.map(|label| label.to_string()).as_deref(), Some("6.2.1"));
    /// ```
    #[must_use]
    pub fn label(&self) -> Option<Label> {
        LABELS.labels.get(self).copied()
    }

    /// Returns the label of the class or, if it has none, the first digits of its key.
    ///
    /// ```
    /// use misere_game::bipartite::ClassKey;
    /// use misere_game::bipartite::families::restive;
    /// assert_eq!(restive(2).map(|r8| r8.class_key().brief()).as_deref(), Some("8.2.1"));
    /// assert_eq!(ClassKey([7; 32]).brief(), "07070707");
    /// ```
    #[must_use]
    pub fn brief(&self) -> String {
        self.label()
            .map_or_else(|| self.short(), |label| label.to_string())
    }

    /// Returns the label of the class or, if it has none, its whole key.
    ///
    /// Either names the class in every census, for ever, so addresses and citations use it.
    #[must_use]
    pub fn lasting_name(&self) -> String {
        self.label()
            .map_or_else(|| self.to_string(), |label| label.to_string())
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            order,
            p_size,
            number,
        } = self;
        write!(f, "{order}.{p_size}.{number}")
    }
}

impl FromStr for Label {
    type Err = LabelError;
    fn from_str(text: &str) -> Result<Self, LabelError> {
        let number = |part: &str| {
            let is_canonical = part.bytes().all(|c| c.is_ascii_digit()) && !part.starts_with('0');
            is_canonical.then(|| part.parse().ok()).flatten()
        };
        let mut parts = text.split('.').map(|part| match part {
            // The trivial quotient has no P-position.
            "0" => Some(0),
            part => number(part),
        });
        match (parts.next(), parts.next(), parts.next(), parts.next()) {
            (Some(Some(order)), Some(Some(p_size)), Some(Some(number)), None) => Ok(Self {
                order,
                p_size,
                number,
            }),
            _ => Err(LabelError(text.to_owned())),
        }
    }
}

/// The labels in use, in both directions.
struct Labels {
    labels: HashMap<ClassKey, Label>,
    classes: BTreeMap<Label, ClassKey>,
}

static LABELS: LazyLock<Labels> = LazyLock::new(|| {
    // Each line is read; the tests compare the number of lines with that of labels.
    let classes: BTreeMap<Label, ClassKey> = lines(TABLE).collect();
    let labels = classes.iter().map(|(label, class)| (*class, *label));
    Labels {
        labels: labels.collect(),
        classes,
    }
});

const TABLE: &str = include_str!("labels.txt");

fn lines(table: &str) -> impl Iterator<Item = (Label, ClassKey)> {
    table.lines().filter_map(|line| {
        let (label, class) = line.split_once(' ')?;
        Some((label.parse().ok()?, class.parse().ok()?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a table with labels for further classes, each behind those that have one.
    fn extended(table: &str, new: impl IntoIterator<Item = (u32, u32, ClassKey)>) -> String {
        let mut labels: BTreeMap<Label, ClassKey> = lines(table).collect();
        let mut new: Vec<_> = new.into_iter().collect();
        new.sort();
        for (order, p_size, class) in new {
            if labels.values().any(|labelled| *labelled == class) {
                continue;
            }
            let label = |number| Label {
                order,
                p_size,
                number,
            };
            let there = labels.range(label(0)..=label(u32::MAX)).count();
            labels.insert(label(there as u32 + 1), class);
        }
        let lines = labels
            .iter()
            .map(|(label, class)| format!("{label} {class}\n"));
        lines.collect()
    }

    /// Checks the table, and extends it by the classes of an export if one is named.
    ///
    /// `MISERE_REFRESH_LABELS` is the path of a table `classes.csv` of `misere export`.
    #[test]
    fn the_table_has_each_class_and_each_number_once() {
        let path =
            std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/bipartite/labels.txt");
        let mut table = std::fs::read_to_string(&path).unwrap();
        if let Some(export) = std::env::var_os("MISERE_REFRESH_LABELS") {
            let export = std::fs::read_to_string(export).unwrap();
            table = extended(&table, classes_of_export(&export));
            std::fs::write(path, &table).unwrap();
        }
        let labels: BTreeMap<Label, ClassKey> = lines(&table).collect();
        let classes: std::collections::BTreeSet<_> = labels.values().collect();
        assert_eq!(labels.len(), table.lines().count());
        assert_eq!(classes.len(), labels.len());
        for label in labels.keys().filter(|label| label.number > 1) {
            let before = Label {
                number: label.number - 1,
                ..*label
            };
            assert!(labels.contains_key(&before), "{label}");
        }
    }

    fn classes_of_export(export: &str) -> Vec<(u32, u32, ClassKey)> {
        let lines = export.lines().skip(1).map(|line| {
            let mut cells = line.split(',');
            let mut next = || cells.next().unwrap();
            let class = next().parse().unwrap();
            (next().parse().unwrap(), next().parse().unwrap(), class)
        });
        lines.collect()
    }

    #[test]
    fn further_classes_come_behind_those_that_have_labels() {
        let key = |byte| ClassKey([byte; 32]);
        let first = extended("", [(8, 2, key(9)), (8, 2, key(5)), (6, 2, key(7))]);
        let second = extended(&first, [(8, 2, key(1)), (8, 2, key(5)), (8, 3, key(2))]);
        let labels: Vec<String> = lines(&second)
            .map(|(label, class)| format!("{label}={}", class.0[0]))
            .collect();
        assert_eq!(
            labels,
            ["6.2.1=7", "8.2.1=5", "8.2.2=9", "8.2.3=1", "8.3.1=2"]
        );
    }

    #[test]
    fn named_quotients_have_labels_of_their_order() {
        for name in ["T_1", "T_2", "T_3", "R_8", "S_12", "R_14"] {
            let monoid = crate::bipartite::families::by_name(name).unwrap();
            let label = monoid.class_key().label().unwrap();
            assert_eq!(label.order as usize, monoid.order(), "{name}");
            assert_eq!(label.p_size as usize, monoid.p_size(), "{name}");
        }
    }

    #[test]
    fn only_three_numbers_are_a_label() {
        for text in [
            "40.9",
            "40.9.1.1",
            "40.9.",
            "040.9.1",
            "+4.9.1",
            "40.9.x",
            "",
            "4294967296.1.1",
        ] {
            assert!(text.parse::<Label>().is_err(), "{text}");
        }
        for text in ["40.9.1", "1.0.1"] {
            assert_eq!(text.parse::<Label>().unwrap().to_string(), text);
        }
    }
}
