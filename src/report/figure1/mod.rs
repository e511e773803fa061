//! `misere report figure1`: the chart of all octal games with at most three digits.

mod data;
mod html;
mod latex;
mod look;
mod svg;
mod text;

use std::path::PathBuf;

use misere_coordinator::report::figure1::Chart;
use misere_store::Store;
use misere_theory::control::Interrupt;

use super::provenance::Provenance;
use crate::census::CensusFailure;
use crate::exit::{Exit, Failure};
use crate::terminal;
use crate::watch::{Guards, Watch};

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// For people at a terminal
    Text,
    /// A page by itself: the chart, what differs from 2007 and why
    Html,
    /// A picture
    Svg,
    /// A table to include
    Latex,
    /// One line for each game
    Csv,
    /// One JSON document
    Json,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere report figure1 --data census
  misere report figure1 --data census --format svg > figure1.svg
  misere report figure1 --data census --format html > figure1.html

Where a game is not solved, its nim-values are computed to --normal-heaps, to see whether normal play is known; later
periods are cited, each with its source. That takes about a minute of one core, shared by all cores.

Exit codes: 0 done, 1 failed, 2 usage, 4 interrupted.")]
pub struct Figure1Args {
    /// The directory of a census of octal games with three digits or more
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    /// How to print it
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// How far normal play is computed
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    normal_heaps: u32,
}

/// Runs `misere report figure1`.
///
/// # Errors
/// A [`Failure`] if the census cannot be read.
pub fn run(args: &Figure1Args) -> Result<Exit, Failure> {
    let store = Store::open_read_only(&args.data).map_err(CensusFailure::from)?;
    let interrupt = Interrupt::default();
    let name = "normal play of the games not solved".to_owned();
    let watch = Watch::start(name, &interrupt, Guards::default())?;
    let chart = Chart::of(&store, args.normal_heaps, &interrupt);
    watch.finish();
    let Some(chart) = chart.map_err(CensusFailure::from)? else {
        return Ok(Exit::Interrupted);
    };
    let mut provenance = Provenance::of_census(&store).map_err(CensusFailure::from)?;
    for line in look::normal_play(&chart) {
        provenance.also(line);
    }
    let lines = provenance.sentences();
    match args.format {
        _ if args.json => terminal::print_json(&data::document(&chart, &provenance))?,
        Format::Json => terminal::print_json(&data::document(&chart, &provenance))?,
        Format::Text => terminal::print(&text::text(&chart, lines))?,
        Format::Html => terminal::print(&html::page(&chart, lines))?,
        Format::Svg => terminal::print(&svg::picture(&chart))?,
        Format::Latex => terminal::print(&latex::table(&chart, lines))?,
        Format::Csv => terminal::print(&data::csv(&chart, &provenance))?,
    }
    Ok(Exit::Done)
}
