//! `misere outcome`: the winner of a position, and the moves that win.
//!
//! The game is solved to the largest heap of the position, or a certificate is checked; then
//! [`misere_answers`] decides the position.

mod explanation_text;
pub mod text;

use misere_answers::{Answer, Effort, UndecidedError};
use misere_game::control::{Control, Interrupt};
use misere_game::position::Position;
use misere_game::ruleset::Code;
use misere_game::solution::Verdict;

use crate::computation::{Budget, CheckedSolution};
use crate::exit::{CommandError, Exit, Failure};
use crate::known::KnownArgs;
use crate::position::named;
use crate::terminal::{self, Page};
use crate::watch::{Guards, Watch, stopped};
use text::describe;

/// The default limit of the moves that a text lists, where the page does not set one.
const MAX_SHOWN: usize = 100;

/// The default limit of the moves that an explanation lists in a document.
const MAX_EXPLAINED: usize = 1_000;

/// The arguments of `misere outcome`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere outcome 0.123 1 3 4 8 9 21        N: taking the whole heap of 3 is
                                           among the winning moves
  misere outcome 0.77 1000000              a large heap, through the period
  misere outcome 0.77 3+5+7 --explain      why: the product of the heaps, and
                                           what every move reaches
  misere outcome 0.77 1 1 --json           the same facts as one JSON document
  misere outcome 0.005 18^1000000000 3     a thousand million heaps of 18, by
                                           the proof of infinity
  misere outcome 0.31011 5^99 4 1000001    heaps of any size, past an infinite
                                           quotient
  misere outcome 0.26 1000000 999999       heaps of any size, by the law of a
                                           game that grows
  misere outcome 0.77                      the empty position: N, the next
                                           player has no move and wins
  misere outcome '*2#320' '*2' '*2' '*3'   a sum of followers of a finite game

Exit codes: 0 decided, 1 the game is not known that far, 2 usage, 3 budget
exhausted, 4 interrupted, 5 refuted.")]
pub struct OutcomeArgs {
    /// The game: a code (0.77), a name (kayles), a finite game ('*2#320') or @FILE
    #[arg(value_parser = crate::rules_file::game_of_heaps)]
    code: Code,
    /// The heaps: 5 3, 5+3 or 3^20 (twenty heaps of 3), or none; of a finite game its followers, as
    /// games or by their numbers in `misere solve`
    #[arg(value_name = "HEAP", allow_negative_numbers = true)]
    heaps: Vec<String>,
    #[command(flatten)]
    known: KnownArgs,
    /// Say why: the value of each heap, their product, and the value that each move reaches
    #[arg(long)]
    explain: bool,
    /// List every move that is to be listed, however many there are
    #[arg(long)]
    all: bool,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    budget: Budget,
    #[command(flatten)]
    guards: Guards,
}

impl CommandError for UndecidedError {
    fn exit(&self) -> Exit {
        match self {
            Self::Unknown(_) => Exit::Failed,
            Self::OutOfBudget(_) => Exit::Exhausted,
            Self::Stopped(_) => Exit::Interrupted,
        }
    }
}

/// Runs `misere outcome`.
///
/// # Errors
/// A [`Failure`] if the game is not known far enough to decide the position, or the
/// computation fails.
pub fn run(args: &OutcomeArgs) -> Result<Exit, Failure> {
    let position = named(&args.code, &args.heaps)?;
    let answer = answer(args, &position)?;
    if args.json {
        terminal::print_json(&answer)?;
    } else {
        let page = Page::of_stdout();
        let rows = match args.all {
            true => usize::MAX,
            false => page.rows.unwrap_or(MAX_SHOWN),
        };
        terminal::print(&describe(&answer, page.width, rows))?;
    }
    Ok(Exit::Done)
}

fn answer(args: &OutcomeArgs, position: &Position) -> Result<Answer, Failure> {
    let largest = position.largest();
    let known = &args.known;
    let computed = known.solution(&args.code, largest, args.budget, args.guards)?;
    let explained = args.explain.then_some(match (args.all, args.json) {
        (true, _) => usize::MAX,
        (false, true) => MAX_EXPLAINED,
        (false, false) => MAX_SHOWN,
    });
    let mut answer = decide(position, &computed, args.budget, args.guards, explained)?;
    if known.certificate().is_some() {
        answer.heaps = largest.max(computed.solution.heaps());
    }
    Ok(answer)
}

/// Decides a position from a solution of its game.
///
/// An explanation of at most `explained` moves is added if that is given. The answer may take as
/// much fuel and time again as the game itself.
///
/// # Errors
/// A [`Failure`] that says what to do, if too little is known or a guard stops it.
pub fn decide(
    position: &Position,
    computed: &CheckedSolution,
    budget: Budget,
    guards: Guards,
    explained: Option<usize>,
) -> Result<Answer, Failure> {
    let solution = &computed.solution;
    let effort = if solution.verdict == Verdict::Interrupted {
        // An interrupt is a request to compute no more.
        Effort::NONE
    } else {
        Effort::within(budget.fuel)
    };
    let interrupt = Interrupt::default();
    let watch = Watch::start(format!("deciding {position}"), &interrupt, guards)?;
    let control = &mut Control::new(u64::MAX, interrupt);
    let answer = Answer::new(solution, position, effort, explained, control);
    let by = watch.finish();
    let answer = answer.map_err(|_| stopped(by, "the position was decided"))?;
    answer.ok_or_else(|| {
        let by = computed
            .stopped_by
            .map_or_else(String::new, |by| format!(" {by}{}", by.advice()));
        UndecidedError::new(solution, position.largest(), &by).into()
    })
}
