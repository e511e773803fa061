//! Which monoids go into GAP and Sage source?
//!
//! One for each class with which a ruleset selected ends, as the least code has it: with generators in the order of heaps, so that words read
//! as in the papers, and with Φ. A code that is known for every heap goes before one that is not.

use std::collections::BTreeMap;

use misere_census::Record;
use misere_theory::bipartite::{BipartiteMonoid, ClassKey};
use misere_theory::monoid::presentation::{Relation, presentation};
use misere_theory::monoid::word::{generator_name, lex_least_words};
use misere_theory::ruleset::Code;
use misere_theory::solution::Solution;

use super::staging::Output;
use super::{Counts, ExportError, Source};
use crate::completeness::{Completeness, Finding};

/// A class, and the code that shows it.
struct Shown {
    /// Whether the code is known for every heap.
    is_whole: bool,
    record: Record,
    /// All codes selected that end with it.
    codes: Vec<Code>,
}

/// A monoid to be written.
pub(super) struct Entry {
    pub(super) record: Record,
    pub(super) finding: Finding,
    pub(super) solution: Solution,
    pub(super) codes: Vec<Code>,
    pub(super) name: Option<String>,
    pub(super) relations: Vec<Relation>,
}

impl Entry {
    pub(super) fn quotient(&self) -> &BipartiteMonoid {
        &self.solution.quotient
    }

    pub(super) fn generator_names(&self) -> Vec<String> {
        (0..self.quotient().generators())
            .map(generator_name)
            .collect()
    }
}

/// Visits the monoids in ascending order of the codes that show them; tells how many there are.
fn for_each(
    source: &Source<'_>,
    mut visit: impl FnMut(&Entry) -> Result<(), ExportError>,
) -> Result<u64, ExportError> {
    let mut classes: BTreeMap<ClassKey, Shown> = BTreeMap::new();
    source.for_each(|record| {
        let is_whole = Finding::of(record).is_whole();
        let shown = classes.entry(record.class).or_insert_with(|| Shown {
            is_whole,
            record: record.clone(),
            codes: Vec::new(),
        });
        if is_whole && !shown.is_whole {
            shown.is_whole = true;
            shown.record = record.clone();
        }
        shown.codes.push(record.code.clone());
        Ok(())
    })?;
    let mut all: Vec<Shown> = classes.into_values().collect();
    all.sort_by(|one, other| one.record.code.cmp(&other.record.code));
    let count = all.len() as u64;
    for Shown { record, codes, .. } in all {
        source.listen()?;
        let solution = source.solution(&record)?;
        let words = lex_least_words(&solution.quotient);
        visit(&Entry {
            finding: Finding::of(&record),
            name: solution.quotient.known_name(),
            relations: presentation(&solution.quotient, &words),
            record,
            solution,
            codes,
        })?;
    }
    Ok(count)
}

/// Writes a source file: what it is for, the functions, then each monoid as `record` sets it.
pub(super) fn write_source(
    source: &Source<'_>,
    statement: &Completeness,
    mut file: Output,
    (what, library): (&str, &str),
    record: impl Fn(&Entry) -> String,
) -> Result<Counts, ExportError> {
    file.text(&head(statement, what))?;
    file.text(library)?;
    let monoids = for_each(source, |entry| file.text(&record(entry)))?;
    file.close()?;
    Ok(Counts::from([("monoids", monoids)]))
}

/// The head of a source file, each line behind a sign of comment.
fn head(statement: &Completeness, what: &str) -> String {
    let mut lines = vec![what.to_owned(), String::new()];
    lines.extend(statement.sentences());
    let mut head = String::new();
    for line in lines {
        head.push_str(format!("# {line}").trim_end());
        head.push('\n');
    }
    head
}

/// Numbers separated by commas, in lines of about a hundred characters.
pub(super) fn list(numbers: impl IntoIterator<Item = u32>) -> String {
    let mut text = "[".to_owned();
    let mut column = 0;
    for (at, number) in numbers.into_iter().enumerate() {
        let number = number.to_string();
        if at > 0 {
            text.push(',');
            column += 1;
            if column + number.len() > 100 {
                text.push_str("\n    ");
                column = 0;
            }
        }
        column += number.len();
        text.push_str(&number);
    }
    text.push(']');
    text
}

/// Texts in quotation marks, separated by commas. No code, word or name has a quotation mark or a backslash.
pub(super) fn quoted(texts: impl IntoIterator<Item = String>) -> String {
    let texts = texts.into_iter().map(|text| format!("\"{text}\""));
    format!("[{}]", texts.collect::<Vec<_>>().join(", "))
}
