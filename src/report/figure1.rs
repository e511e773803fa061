//! `misere report figure1`: the chart of all octal games with at most three digits.

use std::path::PathBuf;

use misere_game::control::Interrupt;
use misere_report::sheets::figure1::{Figure1, Format};
use misere_store::Store;

use crate::census_error::CensusError;
use crate::destination::Destination;
use crate::exit::{Exit, Failure};
use crate::watch::{Guards, Watch};

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum ChartFormat {
    /// For a terminal
    Text,
    /// A page: the chart, what differs from 2007 and why
    Html,
    /// A picture
    Svg,
    /// A table for a paper
    Latex,
    /// One line for each game
    Csv,
    /// One document
    Json,
}

/// The arguments of the chart.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere report figure1 --data census
  misere report figure1 --data census --format svg --out figure1.svg
  misere report figure1 --data census --format html --out figure1.html
  misere report figure1 --data census --normal normal-3
      with the results of `misere normal run`

Where a game is not solved, its nim-values are computed to --normal-heaps, to
see whether normal play is known; later periods are cited, each with its source.
That takes about a minute of one core, shared by all cores.

Exit codes: 0 done, 1 failed, 2 usage, 4 interrupted.")]
pub struct Figure1Args {
    /// A census of octal games with three digits or more
    #[arg(short, long, value_name = "DIR", env = "MISERE_DATA")]
    data: PathBuf,
    /// The output format
    #[arg(long, value_enum, default_value = "text")]
    format: ChartFormat,
    /// Short for --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// The greatest heap to which normal play is computed
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    normal_heaps: u32,
    /// Show the results in this directory of `misere normal run` instead of computing them
    #[arg(long, value_name = "DIR")]
    normal: Option<PathBuf>,
    #[command(flatten)]
    destination: Destination,
}

impl Figure1Args {
    fn format(&self) -> Format {
        match self.format {
            _ if self.json => Format::Json,
            ChartFormat::Text => Format::Text,
            ChartFormat::Html => Format::Html,
            ChartFormat::Svg => Format::Svg,
            ChartFormat::Latex => Format::Latex,
            ChartFormat::Csv => Format::Csv,
            ChartFormat::Json => Format::Json,
        }
    }
}

/// Runs `misere report figure1`.
///
/// # Errors
/// A [`Failure`] if the census cannot be read.
pub fn run(args: &Figure1Args) -> Result<Exit, Failure> {
    args.destination.check_writable()?;
    let store = Store::open_read_only(&args.data).map_err(CensusError::from)?;
    let results = crate::normal::results(args.normal.as_deref())?;
    let interrupt = Interrupt::default();
    let name = "normal play of the games not solved".to_owned();
    let watch = Watch::start(name, &interrupt, Guards::default())?;
    let chart = Figure1::of(&store, args.normal_heaps, &results, &interrupt);
    watch.finish();
    let Some(chart) = chart? else {
        return Ok(Exit::Interrupted);
    };
    args.destination
        .write(&chart.set(args.format(), args.destination.width())?)
}
