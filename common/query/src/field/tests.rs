//! The table of the fields: names, bytes and documents.

use std::collections::BTreeSet;

use serde_json::Value;

use super::*;
use crate::samples::synthetic;
use crate::{KnownGame, RecordDocument};

/// The bytes of every release; a field with an index adds its byte here.
const ON_DISKS: [(&str, u8); 19] = [
    ("any-class", 0),
    ("status", 1),
    ("tame", 2),
    ("order", 3),
    ("p-size", 4),
    ("period", 5),
    ("preperiod", 6),
    ("heaps", 7),
    ("fuel", 8),
    ("class", 9),
    ("changes-at", 10),
    ("wild-from", 11),
    ("diverges-at", 12),
    ("tame-relative-from", 13),
    ("grows-from", 14),
    ("reason", 15),
    ("law", 16),
    ("past-infinite", 17),
    ("automaton", 22),
];

#[test]
fn the_bytes_equal_those_on_disks() {
    for (name, byte) in ON_DISKS {
        let field = Field::named(name).unwrap();
        assert_eq!(field as u8, byte, "{name}");
    }
}

#[test]
fn every_field_is_named_once_on_every_surface() {
    for of in [Field::name, Field::option, Field::document] {
        let names: BTreeSet<&str> = Field::ALL.into_iter().map(of).collect();
        assert_eq!(names.len(), Field::ALL.len(), "{names:?}");
    }
    for field in Field::ALL {
        let about = field.about();
        assert!(about.starts_with(char::is_uppercase), "{about}");
        assert!(!field.name().contains('_'), "{field:?}");
    }
}

/// Returns the values at a place of a document.
fn at<'d>(document: &'d Value, place: &str) -> Vec<&'d Value> {
    let (first, rest) = place.split_once('.').unwrap_or((place, ""));
    let found = match first.strip_suffix("[]") {
        Some(name) => document[name].as_array().unwrap().iter().collect(),
        None => vec![&document[first]],
    };
    if rest.is_empty() {
        return found;
    }
    found
        .into_iter()
        .flat_map(|value| at(value, rest))
        .collect()
}

#[test]
fn the_json_of_a_record_says_every_number() {
    let mut told = BTreeSet::new();
    // All heaps up to 20 of the codes of the samples are tame.
    let famous = ["0.77", "0.123"].map(crate::samples::record);
    for record in (0..300).map(synthetic).chain(famous) {
        let document = RecordDocument::new(KnownGame::as_stored(record.clone()), None);
        let document = serde_json::to_value(document).unwrap();
        for field in Field::with_ranges() {
            // A relative game of the samples has no tail, and so its document lacks one.
            if field == Field::TameRelativeFrom {
                continue;
            }
            let said: Vec<u64> = at(&document, field.document())
                .into_iter()
                .filter_map(Value::as_u64)
                .collect();
            let numbers = field.numbers(&record);
            assert_eq!(said, numbers, "{field:?} of {}", record.code);
            if !numbers.is_empty() {
                told.insert(field);
            }
        }
    }
    assert_eq!(told.len() + 1, Field::with_ranges().count(), "{told:?}");
}
