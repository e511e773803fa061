//! `misere solve`: the misère quotient of a game.

use std::path::PathBuf;

use misere_census::quantity::heap;
use misere_engine::quotient::Limits;
use misere_game::ruleset::Code;
use misere_game::solution::{Document, Verdict};

use crate::computation::{Budget, CheckedSolution, Strategy, compute};
use crate::exit::{Exit, Failure};
use crate::known::DataArgs;
use crate::normal_play;
use crate::result_file::OutArgs;
use crate::solution_text;
use crate::terminal::{self, Page};
use crate::watch::Guards;

/// The arguments of `misere solve`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere solve 0.77                Kayles: order 40, period 12
  misere solve dawsons-chess       0.137, by its name
  misere solve 0.123 --json        the same facts as one JSON document
  misere solve 0.123 --latex > 0123.tex
      quotient, P-portion and Φ, set as in the papers
  misere solve 0.07 --out 07.json  keep the result for `misere verify`
  misere solve '{*3,{*2},*2,0}'    a finite game: the quotient of its followers,
                                   R_8
  misere solve '0.[3]'             Nim: any number of beans may be taken
  misere solve @mygame.txt         a game of your own, its options listed heap
                                   by heap
  misere solve 0.26 --max-heap 60 --fuel 5M --time-limit 1min
  misere solve 4.7 --max-heap 300 --fuel 1G --checkpoint 4.7.state
      hours; run it again to go on
  misere solve 0.56 --normal --max-heap 1000000
      nim-values: period 144 from heap 326640 on
  misere solve 0.354 --normal --max-heap 20M --out 354.json
      to many heaps

The result is checked from scratch by `misere verify`'s checker before it is
printed.

Exit codes: 0 solved, tame relative to a heap, diverging or growing, 1 failed,
2 usage, 3 budget exhausted, 4 interrupted, 5 refuted by the checker.")]
#[allow(
    rustdoc::broken_intra_doc_links,
    reason = "`0.[3]` is a code, and the help prints the text as it stands"
)]
pub struct SolveArgs {
    /// The game: a code (0.77, 0.(3310)^3, '0.[3]'), a name (kayles), a finite game ('*2#320') or
    /// @FILE, a file of rules
    #[arg(value_parser = crate::rules_file::game)]
    code: Code,
    /// How new partial quotients are found
    #[arg(long, value_enum, default_value_t)]
    strategy: Strategy,
    /// Solve normal play instead: nim-values and their period
    #[arg(long, conflicts_with_all = ["strategy", "max_order", "evidence"])]
    normal: bool,
    /// Print all relations, elements and rows, and the whole key
    #[arg(long, conflicts_with_all = ["json", "normal"])]
    full: bool,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
    /// Print quotient, P-portion and pretending function as LaTeX
    #[arg(long, conflicts_with_all = ["json", "normal", "out"])]
    latex: bool,
    #[command(flatten)]
    out: OutArgs,
    /// Keep checkpoints in FILE, at least 10M of fuel apart, and resume from there
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    #[command(flatten)]
    data: DataArgs,
    #[command(flatten)]
    budget: Budget,
    /// The greatest heap to compute, such as 1000, 20M or 2^26
    #[arg(long, value_name = "N", default_value_t = Limits::default().max_heap, value_parser = heap)]
    max_heap: u32,
    #[command(flatten)]
    guards: Guards,
}

/// Runs `misere solve`.
///
/// # Errors
/// A [`Failure`] if the computation cannot be watched, is refuted by the checker, or cannot be
/// written.
pub fn run(args: &SolveArgs) -> Result<Exit, Failure> {
    if args.normal {
        return normal_play::run(&normal_play::Question {
            code: &args.code,
            max_heap: args.max_heap,
            fuel: args.budget.fuel,
            guards: args.guards,
            checkpoint: args.checkpoint.as_deref(),
            out: &args.out,
            json: args.json,
        });
    }
    args.out.check_writable()?;
    let computed = match args.data.solution(&args.code, args.max_heap)? {
        Some(known) => known,
        None => compute(
            &args.code,
            args.max_heap,
            args.budget,
            args.strategy,
            args.guards,
            args.checkpoint.as_deref(),
        )?,
    };
    let document = document(&computed);
    // A result is printed though its file cannot be written, and written though standard output is
    // closed.
    let written = args.out.write(&terminal::json_line(&document)?);
    if args.prints_document() {
        terminal::print_json(&document)?;
    } else {
        terminal::print(&args.text(&computed, &document))?;
    }
    written?;
    Ok(exit(computed.solution.verdict))
}

impl SolveArgs {
    fn prints_document(&self) -> bool {
        self.json || self.out.is_standard_output()
    }

    fn text(&self, computed: &CheckedSolution, document: &Document) -> String {
        if self.latex {
            let status = solution_text::status(computed);
            return misere_report::sheets::solution::latex(&computed.solution, &status);
        }
        solution_text::describe(computed, document, Page::of_stdout(), self.full)
    }
}

/// Returns the exit code for a verdict.
pub fn exit(verdict: Verdict) -> Exit {
    if verdict == Verdict::Interrupted {
        Exit::Interrupted
    } else if verdict.limit().is_some() {
        Exit::Exhausted
    } else {
        Exit::Done
    }
}

/// Returns the document of a result, with the time it took.
pub fn document(computed: &CheckedSolution) -> Document {
    let mut document = Document::new(&computed.solution);
    document.elapsed_s = computed.elapsed.as_secs_f64();
    document.engine = env!("CARGO_PKG_VERSION").to_owned();
    if computed.solution.verdict == Verdict::Interrupted {
        document.limit = computed.stopped_by.map(|by| by.name().to_owned());
    }
    document
}
