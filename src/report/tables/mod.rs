//! `misere report table1|table2|table3|facts`: the misère quotients of small order.
//!
//! They are shown beside the published ones.

pub mod source;

use misere_game::control::{Control, Interrupt};
use misere_report::sheets::tables::Source;
use misere_report::{ReportSheet, registry};

use self::source::SourceArgs;
use super::printed::PrintOptions;
use crate::exit::{Exit, Failure};
use crate::watch::{Guards, Watch};

/// A kind of report on quotients that were checked.
pub type Entry = registry::Entry<Source>;

/// The arguments of a report on quotients.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere classify --order 14 --json > 14.json
  misere report table1 --list 14.json
  misere report table1 --data quotients
  misere report table3 --list 14.json --format html > table3.html
  misere classify --order 18 --json | misere report facts --list -

Every quotient is checked first, as `misere verify` does. Published games are
solved again by exact kernels, and quotients are matched up to isomorphism,
never by their text. An order that is not complete is said to be missing.

Exit codes: 0 done, 1 failed, 2 usage, 4 interrupted, 5 a quotient is refuted.")]
pub struct TablesArgs {
    #[command(flatten)]
    source: SourceArgs,
    #[command(flatten)]
    printed: PrintOptions,
}

/// Runs a report on quotients.
///
/// # Errors
/// A [`Failure`] if the list cannot be read or is false, or nothing can be printed.
pub fn run(entry: &Entry, args: &TablesArgs) -> Result<Exit, Failure> {
    args.printed.check_writable()?;
    let interrupt = Interrupt::default();
    let name = "checking the list and what was published".to_owned();
    let watch = Watch::start(name, &interrupt, Guards::default())?;
    let report = made(entry, &args.source, &interrupt);
    watch.finish();
    args.printed.print(&report?)
}

fn made(entry: &Entry, source: &SourceArgs, interrupt: &Interrupt) -> Result<ReportSheet, Failure> {
    let source = source::read(source, interrupt)?;
    let mut control = Control::new(u64::MAX, interrupt.clone());
    Ok(entry.make(&source, &mut control)?)
}
