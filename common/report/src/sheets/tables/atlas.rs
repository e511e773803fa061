//! The atlas: for every misère quotient of small order the least games that have it.

use misere_census::atlas::{Answer, Entry};
use misere_game::control::Control;
use misere_store::StoreError;
use serde_json::{Value, json};

use super::content;
use super::source::Source;
use crate::ReportError;
use crate::facts::atlas::{Atlas, SurveyedCensus, Tally};
use crate::report::{Census, Content, Input, Report};
use crate::sheet::{Cell, Grid, Part};
use crate::sheets::provenance::Provenance;

/// The input of the atlas: quotients that were checked, and the censuses to search for them.
#[derive(Debug)]
pub struct AtlasInput {
    /// The quotients.
    pub source: Source,
    /// The censuses.
    pub censuses: Vec<Census>,
}

impl Input for AtlasInput {
    fn provenance(&self) -> Result<Provenance, StoreError> {
        self.source.provenance()
    }
}

/// The report with the least games of every quotient.
pub(crate) struct AtlasReport;

impl Report for AtlasReport {
    type Input = AtlasInput;
    type Facts = Atlas;
    const NAME: &'static str = "atlas";
    const ABOUT: &'static str =
        "The least games that have each misère quotient of small order, in some censuses";
    const HELP: &'static str = "\
Examples:
  misere classify --order 14 --json > 14.json
  misere census run --digits 2 --data two
  misere census run --born-by 4 --data day-4
  misere report atlas --list 14.json --data two --data day-4
  misere report atlas --list 14.json --data two --format csv > atlas.csv
      a line for each quotient and census
  misere report atlas --list 14.json --data two --json > atlas.json
      the file of `misere identify WHAT --atlas FILE` and of pages

A code alone is the least game whose quotient this is. `0.123 to heap 8` is a
game of which only a partial quotient, that of the heaps to 8, is this one.
`none` says that no game of the census has the quotient, not even as a partial
quotient; that is proved. `open: 3` says that none is known, and that three
games of the plan may still have it. docs/atlas.md has the theorem.

Every quotient of the list is checked first, as `misere verify` does.

Exit codes: 0 done, 1 failed, 2 usage, 4 interrupted, 5 a quotient is refuted.";

    fn facts(input: &AtlasInput, control: &mut Control) -> Result<Atlas, ReportError> {
        Atlas::of(&input.source.list, &input.censuses, control)
    }

    fn content(input: &AtlasInput, atlas: &Atlas) -> Content {
        let mut parts = vec![Part::Grid(counts(atlas))];
        parts.push(Part::Grid(least_games(atlas)));
        let document = json!({
            "complete_orders": input.source.counts,
            "censuses": atlas.censuses.iter().map(census_document).collect::<Vec<_>>(),
            "entries": atlas.entries,
        });
        let title = format!(
            "The least games of the {} misère quotients of order {} to {}",
            atlas.entries.len(),
            input.source.counts.keys().min().unwrap_or(&2),
            input.source.counts.keys().max().unwrap_or(&2),
        );
        Content {
            notes: notes(atlas),
            ..content(&input.source, title, parts, data(atlas), document)
        }
    }
}

/// Counts for each order and census the quotients that games have.
fn counts(atlas: &Atlas) -> Grid {
    let head = [
        "census",
        "order",
        "quotients",
        "of whole games",
        "partial only",
        "none",
        "open",
    ];
    let mut grid = Grid::new("Quotients by order and by what a census knows", &head);
    let by_order = atlas.by_order();
    for (at, census) in atlas.censuses.iter().enumerate() {
        let mut all = (0, Tally::default());
        for (order, (quotients, tallies)) in &by_order {
            let tally = tallies[at];
            grid.rows
                .push(counted(census, order.to_string(), *quotients, tally));
            all.0 += quotients;
            all.1.whole += tally.whole;
            all.1.partial += tally.partial;
            all.1.none += tally.none;
            all.1.open += tally.open;
        }
        grid.rows
            .push(counted(census, "all".to_owned(), all.0, all.1));
    }
    grid
}

fn counted(census: &SurveyedCensus, order: String, quotients: u64, tally: Tally) -> Vec<Cell> {
    let mut row = vec![Cell::text(&census.directory), Cell::Number(order)];
    let numbers = [
        quotients,
        tally.whole,
        tally.partial,
        tally.none,
        tally.open,
    ];
    row.extend(numbers.map(Cell::number));
    row
}

/// Returns the least game of each quotient in each census.
fn least_games(atlas: &Atlas) -> Grid {
    let mut head: Vec<String> = ["order", "|P|", "name", "class"].map(str::to_owned).into();
    head.extend(atlas.censuses.iter().map(|one| one.directory.clone()));
    let rows = atlas.entries.iter().map(|entry| {
        let mut row = named(entry);
        row.extend(
            entry
                .answers
                .iter()
                .map(|answer| Cell::text(answer.to_string())),
        );
        row
    });
    Grid {
        title: "The least game of each quotient in each census".to_owned(),
        head,
        rows: rows.collect(),
    }
}

fn named(entry: &Entry) -> Vec<Cell> {
    vec![
        Cell::number(entry.order),
        Cell::number(entry.p_size),
        Cell::Formula(entry.name.clone().unwrap_or_default()),
        Cell::Key(entry.class.to_string()),
    ]
}

/// Returns the kind of an answer in one word.
fn kind(answer: &Answer) -> &'static str {
    match answer {
        Answer::Whole { .. } => "whole",
        Answer::Partial { .. } => "partial",
        Answer::None => "none",
        Answer::Open { .. } => "open",
    }
}

/// Returns one line for each quotient and census.
fn data(atlas: &Atlas) -> Grid {
    let head = [
        "order", "p_size", "name", "class", "census", "digest", "answer", "code", "heap", "open",
    ];
    let mut grid = Grid::new("", &head);
    for entry in &atlas.entries {
        for (census, answer) in atlas.censuses.iter().zip(&entry.answers) {
            let mut row = named(entry);
            row.push(Cell::text(&census.directory));
            row.push(Cell::Key(census.completeness.digest_text().to_owned()));
            row.push(Cell::text(kind(answer)));
            row.extend(match answer {
                Answer::Whole { code } => [Cell::text(code.to_string()), Cell::None, Cell::None],
                Answer::Partial { code, heap } => {
                    [Cell::text(code.to_string()), Cell::number(heap), Cell::None]
                }
                Answer::None => [Cell::None, Cell::None, Cell::None],
                Answer::Open { open } => [Cell::None, Cell::None, Cell::number(open)],
            });
            grid.rows.push(row);
        }
    }
    grid
}

/// Returns the fields of a census that [`misere_census::atlas`] reads, with the whole statement.
fn census_document(census: &SurveyedCensus) -> Value {
    json!({
        "directory": census.directory,
        "bounds": census.bounds,
        "completeness": census.completeness,
    })
}

/// Returns the sentences on the content of each census, and on the meaning of its answers.
fn notes(atlas: &Atlas) -> Vec<String> {
    let mut notes: Vec<String> = atlas
        .censuses
        .iter()
        .map(|one| {
            let known = &one.completeness;
            format!(
                "Census {}: {}; {} of {} games have a record; digest {}.",
                one.directory,
                one.bounds,
                known.records,
                known.tasks,
                known.digest_text()
            )
        })
        .collect();
    notes.push(
        "A game that is named has the quotient; a certificate of the census proves that. The least game is the first in the order of codes: \
         by the digit before the point, then shorter codes before longer ones."
            .to_owned(),
    );
    notes.push(
        "That no game of a census has a quotient rests on the theorem that partial quotients never shrink, in docs/atlas.md, and on the \
         certificates of all its games."
            .to_owned(),
    );
    notes
}
