//! `misere outcome`: the winner of a position, and the moves that win.
//!
//! The position is read in the misère quotient of its heaps: its element decides the outcome, and
//! every option's element decides whether the move wins. Heaps beyond those computed are reduced
//! through the period; where the game is tame relative to a heap, nim-values decide. If the
//! quotient is infinite and this is proved, the evidence decides. If the game grows by a proved
//! law, the law decides. If the quotient is not known that far, small positions are decided by the
//! rules alone. Last, because it takes longest, evidence is looked for that says more.

mod automaton;
mod explain;
mod explained;
mod infinite;
mod law;
mod moves;
mod normal_play;
pub mod position;
pub mod text;
mod values;

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::time::Instant;

use misere_theory::bipartite::Element;
use misere_theory::control::{Control, Interrupt};
use misere_theory::outcome::{Convention, FUEL_BY_RULES, Move, Oracle, Outcome};
use misere_theory::ruleset::Code;
use misere_theory::solution::{Limit, Verdict};
use serde::Serialize;

use crate::computation::{Budget, Computed, Strategy, compute};
use crate::exit::{Exit, Failure};
use crate::terminal::{self, Page};
use crate::verify;
use crate::watch::Guards;
use explain::{Explanation, Judge};
pub use moves::WinningMove;
use position::{Heaps, Position};
use text::describe;
use values::Values;

/// The most options whose moves are listed; a position with more is decided, but its moves are not
/// enumerated.
const MAX_OPTIONS: u64 = 5_000_000;

/// The most heaps of a position that are listed one by one in a document.
const MAX_LISTED: u64 = 1_000;

/// The most moves that are listed in a text, on a terminal and elsewhere, unless all are asked for.
const MAX_SHOWN: usize = 100;

/// The most moves that an explanation lists in a document, unless all are asked for.
const MAX_EXPLAINED: usize = 1_000;

/// The arguments of `misere outcome`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere outcome 0.123 1 3 4 8 9 21      N: taking the whole heap of 3 is among the winning moves
  misere outcome 0.77 1000000            a large heap, through the period
  misere outcome 0.77 3+5+7 --explain    why: the product of the heaps, and what every move reaches
  misere outcome 0.77 1 1 --json         the same facts as one JSON document
  misere outcome 0.005 18^1000000000 3   a thousand million heaps of 18, by the proof of infinity
  misere outcome 0.31011 5^99 4 1000001  heaps of any size, past an infinite quotient
  misere outcome 0.26 1000000 999999     heaps of any size, by the law of a game that grows
  misere outcome 0.77                    the empty position: N, the next player has no move and wins
  misere outcome '*2#320' '*2' '*2' '*3'      a sum of followers of a finite game

Exit codes: 0 decided, 1 the game is not known that far, 2 usage, 3 budget exhausted, 4 interrupted, 5 refuted.")]
pub struct OutcomeArgs {
    /// The game: a take-and-break code such as 0.77, .77, 4.7, 0.9092 or 0.(3310)^3; a name:
    /// kayles, grundy; or a finite game: *2, '{*2,0}', '*2#320'
    #[arg(value_parser = crate::rules_file::game)]
    code: Code,
    /// The heaps of the position, in any order, as 5 3 or 5+3; none for the empty position; 3^20
    /// for twenty heaps of 3. Of a finite game: its followers, each as a game or by its number, as
    /// `misere solve` lists them
    #[arg(value_name = "HEAP")]
    heaps: Vec<Heaps>,
    /// A certificate of the game, to be checked and used; nothing is computed then
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Say why: the value of each heap, the product step by step, and every move with the value it
    /// reaches
    #[arg(long)]
    explain: bool,
    /// List every move that is to be listed, however many there are
    #[arg(long)]
    all: bool,
    /// Print one JSON document instead of text
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    budget: Budget,
    #[command(flatten)]
    guards: Guards,
}

/// The answer about a position.
#[derive(Debug, Serialize)]
pub struct Answer {
    schema: u32,
    code: Code,
    convention: &'static str,
    /// The heaps one by one; nothing where there are too many.
    position: Option<Vec<u32>>,
    /// Each size of heaps with the number of copies, where the heaps are not listed one by one.
    #[serde(skip_serializing_if = "Option::is_none")]
    copies: Option<Copies>,
    /// `N` or `P`.
    pub outcome: char,
    method: Method,
    order: Option<usize>,
    element: Option<Element>,
    word: Option<String>,
    /// All of them; nothing where there are too many moves to look at, or too little is known of
    /// some.
    pub winning_moves: Option<Vec<WinningMove>>,
    /// One of them, where not all are listed and one is easily found.
    pub winning_move: Option<WinningMove>,
    #[serde(skip_serializing_if = "Option::is_none")]
    explanation: Option<Explanation>,
    #[serde(skip)]
    sum: Position,
    /// The greatest heap of the quotient that decides.
    #[serde(skip)]
    heaps: u32,
}

/// The way in which a position was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Method {
    /// By its element in a verified quotient.
    Quotient,
    /// By its nim-value: a heap is so large that the position lies in the kernel, where misère play
    /// is normal play.
    #[serde(rename = "normal-play")]
    NormalPlay,
    /// By the evidence that the quotient is infinite, which states outcomes and was checked.
    Evidence,
    /// By the law of a game that grows, which is proved for all heaps.
    Law,
    /// By the automaton of a game that grows, which is proved for all heaps.
    Automaton,
    /// By the definition of outcomes.
    Definition,
}

/// Runs `misere outcome`.
///
/// # Errors
/// A [`Failure`] if the game is not known far enough to decide the position, or the computation
/// fails.
pub fn run(args: &OutcomeArgs) -> Result<Exit, Failure> {
    let position = Position::new(&args.code, &args.heaps)?;
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
    let certificate = args.certificate.as_deref();
    let computed = known(&args.code, largest, certificate, args.budget, args.guards)?;
    let patience = Patience::of(args.budget, args.guards);
    let explained = args.explain.then_some(match (args.all, args.json) {
        (true, _) => usize::MAX,
        (false, true) => MAX_EXPLAINED,
        (false, false) => MAX_SHOWN,
    });
    let mut answer = decide_and_explain(position, &computed, patience, explained)?;
    if args.certificate.is_some() {
        answer.heaps = largest.max(computed.solution.heaps());
    }
    Ok(answer)
}

/// The fuel and the time that nim-values of large heaps may cost.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    fuel: u64,
    until: Option<Instant>,
}

impl Patience {
    /// As much again as the game itself may cost, from now on.
    pub fn of(budget: Budget, guards: Guards) -> Self {
        Self {
            fuel: budget.fuel,
            until: guards
                .time_limit
                .and_then(|limit| Instant::now().checked_add(limit)),
        }
    }

    fn is_over(self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until)
    }
}

/// The answer about a position from a solution of its game.
///
/// # Errors
/// A [`Failure`] that says what to do, if too little is known.
pub fn decide(
    position: &Position,
    computed: &Computed,
    patience: Patience,
) -> Result<Answer, Failure> {
    decide_and_explain(position, computed, patience, None)
}

/// The answer about a position, explained with so many moves at most if it is to be explained.
fn decide_and_explain(
    position: &Position,
    computed: &Computed,
    patience: Patience,
    explained: Option<usize>,
) -> Result<Answer, Failure> {
    let largest = position.largest();
    let solution = &computed.solution;
    let code = &solution.code;
    let values = Values::new(solution);
    if values.of_heap(largest).is_some() {
        return Ok(values::decide(code, position, &values, explained));
    }
    if let Verdict::TameRelative { heap } = solution.verdict {
        if let Some(answer) =
            normal_play::decide(code, patience, position, heap, &values, explained)
        {
            return Ok(answer);
        }
        if patience.is_over() {
            return Err(Failure::Stopped(format!(
                "the nim-values to heap {largest} take longer than --time-limit; raise --time-limit"
            )));
        }
    }
    if let Some(evidence) = &solution.evidence
        && let Some(answer) = infinite::decide(code, position, evidence, &values, explained)
    {
        return Ok(answer);
    }
    if let Some(law) = solution.law()
        && let Some(answer) = law::decide(code, position, law, explained)
    {
        return Ok(answer);
    }
    if solution.growth.is_some()
        && let Some(answer) = automaton::decide(solution, position, explained)
    {
        return Ok(answer);
    }
    if solution.verdict != Verdict::Interrupted
        && let Some(answer) = by_definition(code, position, explained)
    {
        return Ok(answer);
    }
    if let Some(evidence) = &solution.evidence
        && let Some(answer) = infinite::decide_by_more(code, position, evidence, &values, explained)
    {
        return Ok(answer);
    }
    Err(unknown(code, largest, computed))
}

/// The solution of a game to a heap: from a certificate, or computed.
///
/// # Errors
/// A [`Failure`] if the certificate is not one of the game, or the computation fails.
pub fn known(
    code: &Code,
    largest: u32,
    certificate: Option<&Path>,
    budget: Budget,
    guards: Guards,
) -> Result<Computed, Failure> {
    let Some(file) = certificate else {
        return compute(code, largest, budget, Strategy::Exact, guards, None);
    };
    let solution = verify::checked_solution(file, guards)?;
    if solution.code != *code {
        return Err(Failure::Unknown(format!(
            "`{}` is a certificate of {}; give one of {code}",
            file.display(),
            solution.code,
        )));
    }
    Ok(Computed {
        solution,
        stopped_by: None,
        elapsed: std::time::Duration::ZERO,
    })
}

/// Decides the position by the rules alone, if that is feasible.
fn by_definition(code: &Code, position: &Position, explained: Option<usize>) -> Option<Answer> {
    let options = position.sizes().map(|heap| code.most_options(heap));
    if options.fold(0, u64::saturating_add) > MAX_OPTIONS {
        return None;
    }
    let heaps = position.one_by_one(MAX_LISTED)?;
    let mut oracle = Oracle::new(code, Convention::Misere);
    let mut control = Control::new(FUEL_BY_RULES, Interrupt::default());
    let outcome = oracle.outcome(&heaps, &mut control).ok()?;
    let moves = oracle.winning_moves(&heaps, &mut control).ok()?;
    let winning =
        |Move { heap, option }: Move| WinningMove::new(heap, option, &position.without(heap));
    let asked = RefCell::new((oracle, control));
    let judge = Judge {
        outcome: &|position| {
            let heaps = position.one_by_one(MAX_LISTED)?;
            let (oracle, control) = &mut *asked.borrow_mut();
            oracle.outcome(&heaps, control).ok()
        },
        factor: &|_| None,
        product: &|_| None,
        value: &|_| None,
    };
    Some(Answer {
        explanation: explained.map(|most| Explanation::new(code, position, &judge, most)),
        outcome: match outcome {
            Outcome::N => 'N',
            Outcome::P => 'P',
        },
        winning_moves: Some(moves.into_iter().map(winning).collect()),
        ..Answer::undecided(code, position)
    })
}

impl Answer {
    /// The fields that do not depend on how the position is decided, and those of
    /// [`Method::Definition`].
    fn undecided(code: &Code, position: &Position) -> Self {
        let (listed, copies) = written(position);
        Self {
            schema: 1,
            code: code.clone(),
            convention: "misere",
            position: listed,
            copies,
            outcome: '?',
            method: Method::Definition,
            order: None,
            element: None,
            word: None,
            winning_moves: None,
            winning_move: None,
            explanation: None,
            sum: position.clone(),
            heaps: position.largest(),
        }
    }
}

/// Sizes of heaps, ascending, with how many there are of each.
type Copies = Vec<(u32, u64)>;

/// The heaps of a position as a document has them: one by one, or, where there are too many, each
/// size with how many there are.
fn written(position: &Position) -> (Option<Vec<u32>>, Option<Copies>) {
    match position.one_by_one(MAX_LISTED) {
        Some(heaps) => (Some(heaps), None),
        None => (None, Some(position.heaps().collect())),
    }
}

/// Why the position cannot be decided, and what to do.
fn unknown(code: &Code, largest: u32, computed: &Computed) -> Failure {
    let known = computed.solution.heaps();
    let undecided = format!(
        "the quotient of {code} is known to heap {known}, the position has a heap of {largest} and is too large to decide by the rules alone"
    );
    match computed.solution.verdict {
        Verdict::Diverges { heap, .. } if computed.solution.evidence.is_some() => {
            Failure::Unknown(format!(
                "{undecided}; the proof that the quotient is infinite at heap {heap} says nothing of this position: ask for positions with heaps up to {known}, or with fewer great heaps"
            ))
        }
        Verdict::Diverges { heap, .. } => Failure::Unknown(format!(
            "{undecided}; the game diverges at heap {heap}: raise --evidence, to 40M for example, since a proof that the quotient is infinite decides more (`misere solve {code} --evidence 40M --certificate FILE` keeps it for --certificate FILE), or ask for positions with heaps up to {known}"
        )),
        Verdict::Exhausted(Limit::MaxOrder) => {
            Failure::OutOfBudget(format!("{undecided}; raise --max-order"))
        }
        Verdict::Exhausted(_) => Failure::OutOfBudget(format!("{undecided}; raise --fuel")),
        Verdict::Grows { .. } => Failure::OutOfBudget(format!(
            "{undecided}; its quotients keep growing: raise --fuel"
        )),
        Verdict::TameRelative { .. } => {
            Failure::OutOfBudget(format!("{undecided}; raise --fuel for more nim-values"))
        }
        Verdict::Interrupted | Verdict::Solved { .. } => {
            let by = computed
                .stopped_by
                .map_or_else(String::new, |by| format!(" {by}{}", by.advice()));
            Failure::Stopped(format!("{undecided}; the computation was stopped{by}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        args: OutcomeArgs,
    }

    fn arguments(words: &str) -> OutcomeArgs {
        let words = words.split_whitespace();
        Command::try_parse_from(std::iter::once("outcome").chain(words))
            .unwrap()
            .args
    }

    /// Positions of at most three heaps to the one at which the quotient becomes infinite are
    /// decided as the definition does, with exactly the winning moves.
    #[test]
    fn proofs_of_infinity_decide_as_the_definition_does() {
        for (code, heap) in [("0.005", 18_u32), ("0.017", 16), ("0.404", 12)] {
            let args = arguments(code);
            let computed = known(&args.code, heap, None, args.budget, args.guards).unwrap();
            let solution = &computed.solution;
            let evidence = solution.evidence.as_ref().unwrap();
            let values = Values::new(solution);
            let mut oracle = Oracle::new(&args.code, Convention::Misere);
            let control = &mut Control::unlimited();
            let mut open = vec![vec![heap]];
            let mut decided = 0;
            while let Some(heaps) = open.pop() {
                if heaps.len() < 3 {
                    let least = if heaps.len() == 1 {
                        0
                    } else {
                        heaps[heaps.len() - 1]
                    };
                    open.extend((least..=heap).map(|more| [heaps.clone(), vec![more]].concat()));
                }
                let named: Vec<Heaps> = heaps
                    .iter()
                    .map(|h| h.to_string().parse().unwrap())
                    .collect();
                let position = Position::new(&args.code, &named).unwrap();
                let Some(answer) = infinite::decide(&args.code, &position, evidence, &values, None)
                else {
                    // Nothing is claimed of some columns.
                    continue;
                };
                let outcome = oracle.outcome(&heaps, control).unwrap();
                assert_eq!(
                    answer.outcome.to_string(),
                    outcome.to_string(),
                    "{code} {heaps:?}"
                );
                let right = oracle.winning_moves(&heaps, control).unwrap();
                let right: BTreeSet<(u32, Vec<u32>)> = right
                    .into_iter()
                    .map(|winning| (winning.heap, winning.option.parts().collect()))
                    .collect();
                // Where nothing is claimed of some option, not all moves are listed.
                if let Some(found) = answer.winning_moves {
                    let found = found.into_iter();
                    let found = found.map(|winning| (winning.heap, winning.leaves));
                    assert_eq!(found.collect::<BTreeSet<_>>(), right, "{code} {heaps:?}");
                    decided += 1;
                }
            }
            assert!(decided > 100, "{code}: {decided}");
        }
    }

    /// A thousand million heaps: the moves listed lead to positions that are decided the other way.
    #[test]
    fn copies_are_not_unrolled() {
        for heaps in [
            "18^1000000000 3",
            "18^999999999 13^4000000000 3^5",
            "7^12345 18^77777",
        ] {
            let args = arguments(&format!("0.005 {heaps}"));
            let position = Position::new(&args.code, &args.heaps).unwrap();
            let answer = answer(&args, &position).unwrap();
            assert_eq!(answer.method, Method::Evidence);
            assert_eq!((answer.position, answer.copies.is_some()), (None, true));
            let computed = known(&args.code, 18, None, args.budget, args.guards).unwrap();
            let evidence = computed.solution.evidence.as_ref().unwrap();
            let values = Values::new(&computed.solution);
            let moves = answer.winning_moves.unwrap();
            assert_eq!(answer.outcome == 'P', moves.is_empty());
            for winning in moves {
                let after = infinite::decide(&args.code, &winning.sum, evidence, &values, None);
                assert_eq!(after.unwrap().outcome, 'P', "{:?}", winning.sum);
            }
        }
    }

    /// Of a finite quotient the powers are read by squaring.
    #[test]
    fn many_copies_in_a_finite_quotient() {
        let outcome = |heaps: &str| {
            let args = arguments(&format!("0.123 {heaps}"));
            let position = Position::new(&args.code, &args.heaps).unwrap();
            let answer = answer(&args, &position).unwrap();
            (answer.outcome, answer.word)
        };
        for copies in 0..12_u32 {
            let one_by_one = "9 ".repeat(copies as usize);
            assert_eq!(
                outcome(&format!("3 9^{copies}")),
                outcome(&format!("3 {one_by_one}"))
            );
        }
        // Multiples of heap 9 repeat with period 2.
        assert_eq!(outcome("3 9^1000000000"), outcome("3 9^10"));
    }
}
