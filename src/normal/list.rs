//! `misere normal list`: the knowledge on the nim-values of the games of a directory.

use std::path::PathBuf;

use misere_census::normal_results::{NormalResult, NormalResults};
use serde_json::json;

use crate::exit::{Exit, Failure};
use crate::normal_play::NormalPlayError;
use crate::terminal::{self, table};

/// The arguments of `misere normal list`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere normal list --data normal          period or last heap, mask, rare
                                            heaps, greatest nim-value
  misere normal list --data normal --open   only games without a period
  misere normal list --data normal --json   the files as one JSON document

Exit codes: 0 done, 1 failed, 2 usage.")]
pub struct ListArgs {
    /// The directory that `misere normal run` was given
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    /// List only games without a proved period
    #[arg(long)]
    open: bool,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
}

/// Runs `misere normal list`.
///
/// # Errors
/// A [`Failure`] if a file cannot be read or is not a result.
pub fn run(args: &ListArgs) -> Result<Exit, Failure> {
    let results = NormalResults::of_directory(&args.data)
        .map_err(|error| NormalPlayError::Refused(error.to_string()))?;
    if results.is_empty() {
        return Err(NormalPlayError::Refused(format!(
            "`{}` holds no results of normal play; `misere normal run --data {0}` makes them",
            args.data.display()
        ))
        .into());
    }
    let mut games = results.in_order();
    games.retain(|result| !args.open || !result.is_solved());
    if args.json {
        terminal::print_json(&json!({ "schema": 1, "games": games }))?;
        return Ok(Exit::Done);
    }
    let header = [
        "game",
        "period",
        "from heap",
        "heaps",
        "mask",
        "rare",
        "last rare",
        "largest",
        "of heap",
    ];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    rows.extend(games.iter().map(|result| row(result).to_vec()));
    terminal::print(&table(&rows))?;
    Ok(Exit::Done)
}

fn row(result: &NormalResult) -> [String; 9] {
    let or_dash = |number: Option<u32>| number.map_or_else(|| "-".to_owned(), |n| n.to_string());
    let last = result.last_mark();
    let parity = if result.values.parity { "+n" } else { "" };
    [
        result.code().to_string(),
        or_dash(result.period),
        or_dash(result.preperiod),
        result.values.heaps.to_string(),
        format!("{:b}{parity}", result.values.mask),
        or_dash(last.map(|mark| mark.rare)),
        or_dash(last.map(|mark| mark.last_rare).filter(|&heap| heap > 0)),
        or_dash(last.map(|mark| mark.max_nim_value)),
        or_dash(last.map(|mark| mark.max_nim_value_heap)),
    ]
}

/// Formats the line printed for a game as soon as it is computed.
pub(super) fn line_of(result: &NormalResult) -> String {
    let [
        code,
        period,
        preperiod,
        heaps,
        mask,
        rare,
        last_rare,
        largest,
        at,
    ] = row(result);
    let known = match result.is_solved() {
        true => format!("period {period} from heap {preperiod} on, by the heaps to {heaps}"),
        false => format!("no period to heap {heaps}"),
    };
    format!(
        "{code}: {known}; mask {mask}, {rare} rare, the last {last_rare}; largest nim-value \
         {largest}, of heap {at}\n"
    )
}
