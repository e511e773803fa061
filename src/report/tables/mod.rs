//! `misere report table1|table2|table3|facts`: the misère quotients of small order, beside what was
//! published.

mod source;

use misere_report::Report;
use misere_report::sheets::tables;
pub use misere_report::sheets::tables::Which;
use misere_theory::control::{Control, Interrupt};

use self::source::SourceArgs;
use super::printed::Printed;
use crate::exit::{Exit, Failure};
use crate::watch::{Guards, Watch};

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
    args.printed.print(report?)
}

fn made(which: Which, source: &SourceArgs, interrupt: &Interrupt) -> Result<Report, Failure> {
    let source = source::read(source, interrupt)?;
    let mut control = Control::new(u64::MAX, interrupt.clone());
    Ok(tables::report(which, source, &mut control)?)
}
