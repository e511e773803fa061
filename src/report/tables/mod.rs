//! `misere report table1|table2|table3|facts`: the misère quotients of small order, beside what was
//! published.

mod counts;
mod facts;
mod order;
mod source;

use misere_theory::classify::published::{TABLE_2, TABLE_3};
use misere_theory::control::{Control, Interrupt};
use serde_json::Value;

use self::source::{Source, SourceArgs};
use super::provenance::Provenance;
use super::sheet::{Printed, Sheet};
use crate::exit::{Exit, Failure};
use crate::terminal;
use crate::watch::{Guards, Watch};

/// Which report is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// Counts by order (Table 1).
    Counts,
    /// The quotients of order 12 (Table 2).
    Order12,
    /// The quotients of order 14 (Table 3).
    Order14,
    /// What all have in common.
    Facts,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere classify --order 14 --json > 14.json
  misere report table1 --list 14.json
  misere census run --space quotients --order 18 --data quotients && misere report table1 --data quotients
  misere report table3 --list 14.json --format html > table3.html
  misere classify --order 18 --json | misere report facts --list - --format latex

Every quotient is checked first, as `misere verify` does. Published games are solved again by exact kernels, and
quotients are matched up to isomorphism, never by their text. An order that is not complete is said to be missing.

Exit codes: 0 done, 1 failed, 2 usage, 4 interrupted, 5 a quotient is refuted.")]
pub struct TablesArgs {
    #[command(flatten)]
    source: SourceArgs,
    #[command(flatten)]
    printed: Printed,
}

/// Runs one of the reports.
///
/// # Errors
/// A [`Failure`] if the list cannot be read or is not true, or nothing can be printed.
pub fn run(which: Which, args: &TablesArgs) -> Result<Exit, Failure> {
    let interrupt = Interrupt::default();
    let name = "checking the list and what was published".to_owned();
    let watch = Watch::start(name, &interrupt, Guards::default())?;
    let report = made(which, &args.source, &interrupt);
    watch.finish();
    let Report {
        name,
        mut sheet,
        says,
        provenance,
    } = report?;
    let document = provenance.document(name, &sheet.title, &says);
    sheet.data = provenance.closing(sheet.data);
    let format = args.printed.format();
    match sheet.set(format) {
        Some(text) => terminal::print(&text)?,
        None => terminal::print_json(&document)?,
    }
    Ok(Exit::Done)
}

/// One of the reports.
struct Report {
    name: &'static str,
    sheet: Sheet,
    /// What its document says, besides where it comes from.
    says: Value,
    provenance: Provenance,
}

fn made(which: Which, source: &SourceArgs, interrupt: &Interrupt) -> Result<Report, Failure> {
    let source = Source::read(source, interrupt)?;
    let mut control = Control::new(u64::MAX, interrupt.clone());
    let (name, (sheet, mut says)) = match which {
        Which::Counts => ("table1", counts::report(&source, &mut control)?),
        Which::Order12 => ("table2", order::report(&source, &TABLE_2, &mut control)?),
        Which::Order14 => ("table3", order::report(&source, &TABLE_3, &mut control)?),
        Which::Facts => ("facts", facts::report(&source)),
    };
    if let Value::Object(says) = &mut says {
        says.insert("quotients".to_owned(), source.list.len().into());
        says.insert("digest".to_owned(), source.digest.to_string().into());
    }
    Ok(Report {
        name,
        sheet,
        says,
        provenance: source.provenance,
    })
}
