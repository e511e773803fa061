//! `misere explain`: the certificate of a game as an argument that a person can follow.

use misere_answers::argument::{Argument, argument};
use misere_game::ruleset::Code;
use misere_game::solution::Verdict;
use misere_report::sheet::Format;
use misere_report::sheets::solution::explained;
use serde::Serialize;

use misere_engine::quotient::Limits;

use crate::computation::Budget;
use crate::destination::Destination;
use crate::exit::{Exit, Failure};
use crate::known::KnownArgs;
use crate::terminal;
use crate::watch::{Guards, stopped};

/// The arguments of `misere explain`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere explain 0.77                     why Kayles has period 12
  misere explain 0.26                     a game that grows, decided by a law
  misere explain 0.31011                  an infinite quotient
  misere explain 0.776 --latex -o 776.tex
      the same for a paper
  misere explain 0.07 --certificate 07.json
      from a certificate, without computing it

The theorem, the tables of Q, P and Φ, the finite checks that prove it with
their numbers, why they are enough, and the sources.

Exit codes: 0 explained, 1 failed, 2 usage, 4 interrupted, 5 refuted.")]
pub struct ExplainArgs {
    /// The game: a code (0.77), a name (kayles), a finite game ('*2#320') or @FILE
    #[arg(value_parser = crate::rules_file::game)]
    code: Code,
    #[command(flatten)]
    known: KnownArgs,
    /// Print LaTeX instead of text
    #[arg(long, conflicts_with = "json")]
    latex: bool,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    destination: Destination,
    #[command(flatten)]
    budget: Budget,
    #[command(flatten)]
    guards: Guards,
}

/// The argument as a document.
#[derive(Serialize)]
struct Document<'a> {
    schema: u32,
    code: &'a Code,
    convention: &'static str,
    #[serde(flatten)]
    argument: &'a Argument,
}

/// Runs `misere explain`.
///
/// # Errors
/// A [`Failure`] if the game is not solved in time, its certificate is refuted, or nothing can be
/// written.
pub fn run(args: &ExplainArgs) -> Result<Exit, Failure> {
    args.destination.check_writable()?;
    let limit = Limits::default().max_heap;
    let known = args
        .known
        .solution(&args.code, limit, args.budget, args.guards)?;
    let solution = &known.solution;
    if solution.verdict == Verdict::Interrupted {
        let before = format!("{} was solved", args.code);
        return Err(stopped(known.stopped_by, &before).into());
    }
    let argument = argument(solution);
    let format = if args.latex {
        Format::Latex
    } else {
        Format::Text
    };
    let text = match args.json {
        true => terminal::json_line(&Document {
            schema: 1,
            code: &args.code,
            convention: "misere",
            argument: &argument,
        })?,
        false => explained(solution, &argument, format, args.destination.width()),
    };
    args.destination.write(&text)
}
