//! The index of all games and classes, for the script of the search.
//!
//! It is a script and not a JSON document, since browsers let a page opened from a disk read
//! another file in no other way. Next to the games it has the words that the search box
//! understands, so that the script itself needs no list of words.

use std::collections::BTreeMap;

use misere_census::{Record, Status};
use misere_engine::normal::nim_values;
use misere_game::bipartite::ClassKey;
use misere_game::control::{Control, Interrupt};
use misere_query::{Field, Tameness};
use misere_store::{ClassNames, Store, StoreError};
use serde::Serialize;
use serde_json::{Value, json};

use super::address::{Places, stem};
use super::each_record;
use crate::page::phrase::{FILLERS, STATUSES};

/// A value of a field of a game: nothing, a number, or several.
#[derive(Serialize)]
#[serde(untagged)]
enum Numbers {
    None,
    One(u64),
    Several(Vec<u64>),
}

impl Numbers {
    fn of(mut numbers: Vec<u64>) -> Self {
        match (numbers.pop(), numbers.is_empty()) {
            (None, _) => Self::None,
            (Some(number), true) => Self::One(number),
            (Some(last), false) => {
                numbers.push(last);
                Self::Several(numbers)
            }
        }
    }
}

/// The classes found so far, with the numbers by which games refer to them.
#[derive(Default)]
struct Classes {
    numbers: BTreeMap<ClassKey, usize>,
    lines: Vec<Value>,
    names: ClassNames,
}

impl Classes {
    fn number(&mut self, store: &Store, class: &ClassKey) -> Result<usize, StoreError> {
        if let Some(&number) = self.numbers.get(class) {
            return Ok(number);
        }
        let name = self.names.of(store, class)?;
        let number = self.lines.len();
        self.lines
            .push(json!([class.to_string(), name, class.lasting_name()]));
        self.numbers.insert(*class, number);
        Ok(number)
    }
}

/// The greatest number of records whose sequences are in the index.
const MAX_WITH_SEQUENCES: u64 = 5_000;

/// The last heap of the sequences in the index.
const LAST_HEAP: u32 = 40;

/// The fuel for the nim-values of one game.
const NIM_VALUES_FUEL: u64 = 1_000_000;

/// Returns the nim-values of the first heaps, and the orders of their partial quotients.
fn sequences(record: &Record) -> Option<(Vec<u32>, Vec<u32>)> {
    let control = &mut Control::new(NIM_VALUES_FUEL, Interrupt::default());
    let nim_values = nim_values(&record.code, LAST_HEAP, control).ok()?;
    let known = match record.verdict.period() {
        Some(_) => LAST_HEAP,
        None => LAST_HEAP.min(record.heaps),
    };
    let orders = (0..=known).map(|heap| {
        let changes = record.partials.iter().rev();
        let mut since = changes.skip_while(|partial| partial.heap > heap);
        since.next().map_or(1, |partial| partial.order)
    });
    Some((nim_values, orders.collect()))
}

/// A reason why there is no index.
#[derive(Debug, thiserror::Error)]
pub(super) enum IndexError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Json(#[from] serde_json::Error),
}

/// Returns the text of the script.
pub(super) fn text(store: &Store, places: &Places) -> Result<String, IndexError> {
    let mut classes = Classes::default();
    for (_, class) in places.classes() {
        classes.number(store, class)?;
    }
    let fields: Vec<Field> = Field::with_ranges().collect();
    let has_sequences = store.counters().records() <= MAX_WITH_SEQUENCES;
    let mut games = Vec::new();
    each_record(store, |game| {
        let record = &game.record;
        let numbers = fields
            .iter()
            .map(|field| Numbers::of(field.numbers(record)));
        let numbers: Vec<Numbers> = numbers.collect();
        let mut partial = Vec::new();
        for one in &record.partials {
            partial.push(classes.number(store, &one.class)?);
        }
        partial.sort_unstable();
        partial.dedup();
        let codes = record.codes().map(|code| {
            let code = code.to_string();
            let file = stem(&code);
            // Without a file name the script takes the code.
            match file == code {
                true => json!(code),
                false => json!([code, file]),
            }
        });
        let codes: Vec<Value> = codes.collect();
        let number = classes.number(store, &record.class)?;
        games.push(json!([
            codes,
            record.status().map_or("", Status::name),
            Tameness::of(record.tame).name(),
            record.conclusion().sentence_with(record.tame),
            number,
            numbers,
            partial,
            has_sequences.then(|| sequences(record)).flatten(),
        ]));
        Ok(())
    })?;
    let known = places.games().filter_map(|code| {
        let name = code.parse::<misere_game::ruleset::Code>().ok()?.name()?;
        Some(json!([name, code]))
    });
    let index = json!({
        "fields": fields.iter().map(|field| {
            let mut words = vec![field.name(), field.option()];
            words.extend(field.words());
            words.dedup();
            json!({ "name": field.name(), "words": words })
        }).collect::<Vec<_>>(),
        "fillers": FILLERS,
        "statuses": Status::ALL.iter().map(|status| (status.name(), status.name()))
            .chain(STATUSES.iter().map(|(word, status)| (*word, status.name())))
            .collect::<BTreeMap<_, _>>(),
        "tame": Tameness::ALL.map(Tameness::name),
        "solves": places.solves(),
        "names": known.collect::<Vec<_>>(),
        "classes": classes.lines,
        "games": games,
    });
    Ok(format!(
        "\"use strict\";\nconst census = {};\n",
        serde_json::to_string(&index)?
    ))
}
