//! The reader of tables from untrusted input.
//!
//! Memory is proportional to the input, and nothing is allocated because it is announced: the order
//! is bounded, the number of rows is bounded by the order, every row is as long as the order, and
//! every entry is an element. An entry of at least one byte takes four bytes of memory. The
//! remaining checks, in [`BipartiteMonoid::new`], take time proportional to the table.

use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::{BipartiteMonoid, Element, ElementSet, MonoidError};

/// The greatest order that is read, which is also the engine's limit.
const MAX_ORDER: usize = 1 << 16;
/// The number of rows that are read beyond the order.
///
/// More generators than elements are never needed, since the value of a generator determines its
/// row. They are read all the same, since a checkpoint may have levels of equal values.
const REDUNDANT_ROWS: usize = 1 << 12;

const FIELDS: &[&str] = &["order", "action", "p_portion"];

impl<'de> Deserialize<'de> for BipartiteMonoid {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_struct("RawMonoid", FIELDS, Tables)
    }
}

/// The fields, in this order.
struct Tables;

impl<'de> Visitor<'de> for Tables {
    type Value = BipartiteMonoid;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a bipartite monoid: order, action, p_portion")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Self::Value, A::Error> {
        let missing = |field| A::Error::missing_field(field);
        let order = from.next_element()?.ok_or_else(|| missing(FIELDS[0]))?;
        let order = read_order(order)?;
        let action = from.next_element_seed(Rows { order })?;
        let action = action.ok_or_else(|| missing(FIELDS[1]))?;
        let p_portion = from.next_element_seed(Portion { order })?;
        let p_portion = p_portion.ok_or_else(|| missing(FIELDS[2]))?;
        BipartiteMonoid::of_rows(action, p_portion).map_err(A::Error::custom)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Self::Value, A::Error> {
        let next = |wanted: &'static str, from: &mut A| match from.next_key::<String>()? {
            Some(key) if key == wanted => Ok(()),
            _ => Err(A::Error::missing_field(wanted)),
        };
        next(FIELDS[0], &mut from)?;
        let order = read_order(from.next_value()?)?;
        next(FIELDS[1], &mut from)?;
        let action = from.next_value_seed(Rows { order })?;
        next(FIELDS[2], &mut from)?;
        let p_portion = from.next_value_seed(Portion { order })?;
        match from.next_key::<String>()? {
            None => BipartiteMonoid::of_rows(action, p_portion).map_err(A::Error::custom),
            Some(_) => Err(A::Error::custom("a bipartite monoid has no further fields")),
        }
    }
}

fn read_order<E: Error>(order: usize) -> Result<usize, E> {
    match order {
        0 => Err(E::custom(MonoidError::Empty)),
        1..=MAX_ORDER => Ok(order),
        _ => Err(E::custom(format_args!(
            "an order of {order} is more than the {MAX_ORDER} that are read"
        ))),
    }
}

/// The rows of a monoid of this order.
struct Rows {
    order: usize,
}

impl<'de> DeserializeSeed<'de> for Rows {
    type Value = Vec<Vec<Element>>;
    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
        from.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Rows {
    type Value = Vec<Vec<Element>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rows of {} elements", self.order)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Self::Value, A::Error> {
        let Self { order } = self;
        let most = order.max(REDUNDANT_ROWS);
        let too_many = |rows: usize| {
            A::Error::custom(format_args!(
                "{rows} generators are more than an order of {order} has"
            ))
        };
        if let Some(rows) = from.size_hint().filter(|&rows| rows > most) {
            return Err(too_many(rows));
        }
        let mut rows = Vec::new();
        while let Some(row) = from.next_element_seed(Row {
            order,
            generator: rows.len(),
        })? {
            if rows.len() == most {
                return Err(too_many(most + 1));
            }
            rows.push(row);
        }
        Ok(rows)
    }
}

/// A row of a table.
struct Row {
    order: usize,
    generator: usize,
}

impl<'de> DeserializeSeed<'de> for Row {
    type Value = Vec<Element>;
    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
        from.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Row {
    type Value = Vec<Element>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} elements", self.order)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Self::Value, A::Error> {
        let Self { order, generator } = self;
        let of_length = |found: usize| {
            A::Error::custom(MonoidError::RowLength {
                generator,
                found,
                order,
            })
        };
        if let Some(found) = from.size_hint().filter(|&found| found != order) {
            return Err(of_length(found));
        }
        // A row takes at most 256 KiB, and must arrive completely before the next row is allocated.
        let mut row = Vec::with_capacity(order);
        while let Some(element) = from.next_element::<Element>()? {
            if row.len() == order {
                return Err(of_length(order + 1));
            }
            if element as usize >= order {
                return Err(A::Error::custom(MonoidError::NotAnElement {
                    element,
                    order,
                }));
            }
            row.push(element);
        }
        match row.len() {
            found if found == order => Ok(row),
            found => Err(of_length(found)),
        }
    }
}

/// The P-portion of a monoid of this order.
struct Portion {
    order: usize,
}

impl<'de> DeserializeSeed<'de> for Portion {
    type Value = ElementSet;
    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
        from.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Portion {
    type Value = ElementSet;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a set of elements of a monoid of order {}", self.order)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Self::Value, A::Error> {
        let Self { order } = self;
        let mut portion = ElementSet::empty(order);
        while let Some(element) = from.next_element::<Element>()? {
            if element as usize >= order {
                return Err(A::Error::custom(MonoidError::NotAnElement {
                    element,
                    order,
                }));
            }
            if !portion.insert(element) {
                return Err(A::Error::custom(MonoidError::Repeated { element }));
            }
        }
        Ok(portion)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bipartite::families::tame;

    fn read(bytes: &str) -> Result<BipartiteMonoid, String> {
        serde_json::from_str(bytes).map_err(|error| error.to_string())
    }

    #[test]
    fn a_written_monoid_is_read_back() {
        for n in 0..6 {
            let monoid = tame(n);
            let text = serde_json::to_string(&monoid).unwrap();
            assert_eq!(read(&text), Ok(monoid));
        }
    }

    #[test]
    fn invalid_tables_are_refused() {
        let refused = |text: &str, reason: &str| {
            let error = read(text).unwrap_err();
            assert!(error.contains(reason), "{text}: {error}");
        };
        refused(r#"{"order":0,"action":[],"p_portion":[]}"#, "at least one");
        refused(r#"{"order":65537,"action":[],"p_portion":[]}"#, "65537");
        refused(
            r#"{"order":2,"action":[[1]],"p_portion":[]}"#,
            "has 1 entries",
        );
        refused(
            r#"{"order":2,"action":[[1,0,0]],"p_portion":[]}"#,
            "has 3 entries",
        );
        refused(
            r#"{"order":2,"action":[[1,2]],"p_portion":[]}"#,
            "2 is not an element",
        );
        refused(
            r#"{"order":2,"action":[[0,1]],"p_portion":[]}"#,
            "not a product",
        );
        refused(
            r#"{"order":2,"action":[[1,0]],"p_portion":[2]}"#,
            "2 is not an element",
        );
        refused(
            r#"{"order":2,"action":[[1,0]],"p_portion":[1,1]}"#,
            "listed twice",
        );
        refused(
            r#"{"order":2,"action":[[1,0],[1,1]],"p_portion":[1]}"#,
            "do not commute",
        );
        refused(r#"{"order":2,"p_portion":[1]}"#, "action");
        let many = vec!["[0]"; REDUNDANT_ROWS + 1].join(",");
        refused(
            &format!(r#"{{"order":1,"action":[{many}],"p_portion":[]}}"#),
            "more than an order of 1 has",
        );
    }
}
