//! `misere outcome`: the outcome of a position, and its winning moves.
//!
//! The position is read in the misère quotient of its heaps: its element decides the outcome, and
//! every option's element decides whether the move wins. Heaps beyond those computed are reduced
//! through the period; where the game is tame relative to a heap, nim-values decide. If the
//! quotient is not known that far, small positions are decided by the rules alone.

mod position;
mod text;

use std::collections::HashMap;

use misere_theory::bipartite::Element;
use misere_theory::control::{Control, Interrupt};
use misere_theory::monoid::word::{Word, lex_least_words};
use misere_theory::normal::NimValues;
use misere_theory::outcome::{Convention, Move, Oracle, Outcome};
use misere_theory::ruleset::{Code, HeapOption};
use misere_theory::solution::{Limit, Solution, Verdict};
use serde::Serialize;

use crate::computation::{Budget, Computed, Strategy, compute};
use crate::exit::{Exit, Failure};
use crate::terminal::{self, Page};
use crate::watch::Guards;
use position::Heap;
use text::describe;

/// The greatest number of options whose moves are listed; a position with more is decided, but its
/// moves are not enumerated.
const MAX_OPTIONS: u64 = 5_000_000;

/// The greatest small parts that a move may leave beside one large part, if not all moves are
/// listed: in beans, where a move leaves two heaps, and three.
const SMALL_PARTS: [u32; 2] = [20_000, 200];

/// The fuel for deciding a position by the rules alone: well under a second, half a million
/// options, and some tens of megabytes of remembered positions at worst.
const ORACLE_FUEL: u64 = 50_000;

/// The arguments of `misere outcome`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere outcome 0.123 1 3 4 8 9 21     N: taking the whole heap of 3 is among the winning moves
  misere outcome 0.77 1000000           a large heap, through the period
  misere outcome 0.77 1 1 --json        the same facts as one JSON document
  misere outcome 0.77                   the empty position: N, the next player has no move and wins
  misere outcome '*2#320' '*2' '*2' '*3'      a sum of followers of a finite game

Exit codes: 0 decided, 1 the game is not known that far, 2 usage, 3 budget exhausted, 4
interrupted, 5 refuted.")]
pub struct OutcomeArgs {
    /// The game: a take-and-break code such as 0.77, .77, 4.7, 0.9092 or 0.(3310)^3; a name:
    /// kayles, grundy; or a finite game: *2, '{*2,0}', '*2#320'
    code: Code,
    /// The heaps of the position, in any order; none for the empty position. Of a finite game: its
    /// followers, each as a game or by its number, as `misere solve` lists them
    #[arg(value_name = "HEAP")]
    heaps: Vec<Heap>,
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
struct Answer {
    schema: u32,
    code: Code,
    convention: &'static str,
    position: Vec<u32>,
    outcome: char,
    method: Method,
    order: Option<usize>,
    element: Option<Element>,
    word: Option<String>,
    /// All winning moves; `None` where there are too many moves to look at.
    winning_moves: Option<Vec<WinningMove>>,
    /// One winning move, where not all are listed and one is easily found.
    winning_move: Option<WinningMove>,
}

/// The method by which a position was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Method {
    /// The element of the position in a verified quotient.
    Quotient,
    /// The nim-value: a heap is so large that the position lies in the kernel, where misère play is
    /// normal play.
    #[serde(rename = "normal-play")]
    NormalPlay,
    /// The definition of outcomes.
    Definition,
}

/// A move to a P-position.
#[derive(Debug, Serialize)]
struct WinningMove {
    heap: u32,
    leaves: Vec<u32>,
    position: Vec<u32>,
    element: Option<Element>,
    word: Option<String>,
}

/// Runs `misere outcome`.
///
/// # Errors
/// A [`Failure`] if the game is not known far enough to decide the position, or the computation
/// fails.
pub fn run(args: &OutcomeArgs) -> Result<Exit, Failure> {
    let position = args.heaps.iter().map(|heap| heap.of(&args.code));
    let mut position = position.collect::<Result<Vec<u32>, Failure>>()?;
    position.sort_unstable();
    let answer = answer(args, position)?;
    if args.json {
        terminal::print_json(&answer)?;
    } else {
        terminal::print(&describe(&answer, Page::of_stdout()))?;
    }
    Ok(Exit::Done)
}

fn answer(args: &OutcomeArgs, position: Vec<u32>) -> Result<Answer, Failure> {
    let largest = position.last().copied().unwrap_or(0);
    let computed = compute(
        &args.code,
        largest,
        args.budget,
        Strategy::Exact,
        args.guards,
        None,
    )?;
    let values = Values::new(&computed.solution);
    if values.of_heap(largest).is_some() {
        return Ok(by_quotient(&args.code, position, &values));
    }
    if let Verdict::TameRelative { heap } = computed.solution.verdict
        && let Some(answer) = by_normal_play(args, &position, heap, &values)
    {
        return Ok(answer);
    }
    if computed.solution.verdict != Verdict::Interrupted
        && let Some(answer) = by_definition(&args.code, &position)
    {
        return Ok(answer);
    }
    Err(unknown(&args.code, largest, &computed))
}

/// The pretending function of a solution, as far as it is known: to the heaps listed, or everywhere
/// if it is periodic.
struct Values<'a> {
    solution: &'a Solution,
    words: Vec<Word>,
}

impl<'a> Values<'a> {
    fn new(solution: &'a Solution) -> Self {
        Self {
            solution,
            words: lex_least_words(&solution.quotient),
        }
    }

    fn of_heap(&self, heap: u32) -> Option<Element> {
        let known = self.solution.heaps();
        let heap = match self.solution.verdict {
            Verdict::Solved { period, .. } if heap > known => {
                // The checker has seen that a full period from the preperiod on is listed, so this
                // stays periodic.
                heap - (heap - known).div_ceil(period) * period
            }
            _ => heap,
        };
        self.solution.phi.get(heap as usize).copied()
    }

    fn of_sum(&self, heaps: impl IntoIterator<Item = u32>) -> Option<Element> {
        heaps.into_iter().try_fold(0, |sum, heap| {
            self.of_heap(heap).map(|value| self.times(sum, value))
        })
    }

    fn times(&self, x: Element, y: Element) -> Element {
        let quotient = &self.solution.quotient;
        let word = &self.words[y as usize].0;
        word.iter().enumerate().fold(x, |x, (g, &count)| {
            (0..count).fold(x, |x, _| quotient.act(x, g))
        })
    }

    fn word(&self, x: Element) -> String {
        self.words[x as usize].to_string()
    }
}

fn by_quotient(code: &Code, position: Vec<u32>, values: &Values<'_>) -> Answer {
    // `largest` is known, so every smaller heap is.
    let element = values.of_sum(position.iter().copied()).unwrap_or(0);
    let quotient = &values.solution.quotient;
    let is_p = quotient.in_p(element);
    // No move from a P-position wins.
    let all = match is_p {
        true => Some(Vec::new()),
        false => winning_moves(code, &position, values),
    };
    let value_of = |heaps: &[u32]| values.of_sum(heaps.iter().copied());
    let one = match &all {
        Some(_) => None,
        None => some_winning_move(code, &position, |heaps| {
            Some(quotient.in_p(value_of(heaps)?))
        }),
    };
    let named = |found: WinningMove| {
        let element = value_of(&found.position);
        WinningMove {
            element,
            word: element.map(|x| values.word(x)),
            ..found
        }
    };
    Answer {
        outcome: if is_p { 'P' } else { 'N' },
        method: Method::Quotient,
        order: Some(quotient.order()),
        element: Some(element),
        word: Some(values.word(element)),
        winning_moves: all,
        winning_move: one.map(named),
        ..Answer::undecided(code, position)
    }
}

fn winning_moves(code: &Code, position: &[u32], values: &Values<'_>) -> Option<Vec<WinningMove>> {
    let mut distinct = position.to_vec();
    distinct.dedup();
    if distinct
        .iter()
        .map(|&heap| code.most_options(heap))
        .sum::<u64>()
        > MAX_OPTIONS
    {
        return None;
    }
    let mut winning = Vec::new();
    for heap in distinct {
        let others = without(position, heap);
        let rest = values.of_sum(others.iter().copied())?;
        for option in code.options(heap) {
            let element = option.parts().try_fold(rest, |sum, part| {
                values.of_heap(part).map(|value| values.times(sum, value))
            })?;
            if values.solution.quotient.in_p(element) {
                let word = Some(values.word(element));
                winning.push(WinningMove {
                    element: Some(element),
                    word,
                    ..WinningMove::new(heap, option, &others)
                });
            }
        }
    }
    Some(winning)
}

/// Decides a position with a heap beyond those listed, of a game that is tame relative to `from`:
/// the position lies in the kernel, so it is a P-position iff its nim-value is 0. `None` if
/// nim-values that far cost more than the fuel there is.
fn by_normal_play(
    args: &OutcomeArgs,
    position: &[u32],
    from: u32,
    values: &Values<'_>,
) -> Option<Answer> {
    let code = &args.code;
    let mut nim_values = NimValues::new(code);
    let mut control = Control::new(args.budget.fuel, Interrupt::default());
    for _ in 0..position.last().copied()? {
        nim_values.next(&mut control).ok()?;
    }
    let nim_value = |heaps: &[u32]| {
        let values = nim_values.values();
        heaps
            .iter()
            .fold(0, |sum, &heap| sum ^ values[heap as usize])
    };
    let is_p = |heaps: &[u32]| {
        if heaps.iter().any(|&heap| heap >= from) {
            Some(nim_value(heaps) == 0)
        } else {
            let element = values.of_sum(heaps.iter().copied())?;
            Some(values.solution.quotient.in_p(element))
        }
    };
    let kernel = kernel_by_nim_value(values.solution, from, nim_values.values());
    // If no nim-value so far asks for a tame extension, the quotient to the largest heap is the one
    // known.
    let largest = nim_values.values().iter().copied().max().unwrap_or(0);
    let known = (largest as usize) < kernel.len();
    let element_of = |heaps: &[u32]| {
        let in_kernel = heaps.iter().any(|&heap| heap >= from);
        match (known, in_kernel) {
            (false, _) => None,
            (true, true) => kernel.get(&nim_value(heaps)).copied(),
            (true, false) => values.of_sum(heaps.iter().copied()),
        }
    };
    let named = |candidate: WinningMove| {
        let element = element_of(&candidate.position);
        WinningMove {
            element,
            word: element.map(|x| values.word(x)),
            ..candidate
        }
    };
    let element = element_of(position);
    let is_p_position = is_p(position)?;
    let moves = match is_p_position {
        true => Some(Vec::new()),
        false => winning_moves_to(code, position, is_p),
    };
    let one = match &moves {
        Some(_) => None,
        None => some_winning_move(code, position, is_p),
    };
    Some(Answer {
        outcome: if is_p_position { 'P' } else { 'N' },
        method: Method::NormalPlay,
        order: element.map(|_| values.solution.quotient.order()),
        element,
        word: element.map(|x| values.word(x)),
        winning_moves: moves.map(|moves| moves.into_iter().map(named).collect()),
        winning_move: one.map(named),
        ..Answer::undecided(code, position.to_vec())
    })
}

/// The elements of the kernel by their nim-values: all elements reached from the values of heaps
/// from `from` on.
fn kernel_by_nim_value(
    solution: &Solution,
    from: u32,
    nim_values: &[u32],
) -> HashMap<u32, Element> {
    let start = from as usize;
    let mut queue: Vec<(u32, Element)> = nim_values[start..]
        .iter()
        .copied()
        .zip(solution.phi[start..].iter().copied())
        .collect();
    let mut kernel = HashMap::new();
    while let Some((nim, x)) = queue.pop() {
        if kernel.insert(nim, x).is_none() {
            let products = solution.generator_heaps.iter().enumerate();
            queue.extend(
                products.map(|(g, &heap)| {
                    (nim ^ nim_values[heap as usize], solution.quotient.act(x, g))
                }),
            );
        }
    }
    kernel
}

/// The moves to positions that `is_p` takes for P-positions.
fn winning_moves_to(
    code: &Code,
    position: &[u32],
    is_p: impl Fn(&[u32]) -> Option<bool>,
) -> Option<Vec<WinningMove>> {
    let mut distinct = position.to_vec();
    distinct.dedup();
    let options = distinct.iter().map(|&heap| code.most_options(heap));
    if options.sum::<u64>() > MAX_OPTIONS {
        return None;
    }
    let mut winning = Vec::new();
    for heap in distinct {
        let others = without(position, heap);
        for option in code.options(heap) {
            let candidate = WinningMove::new(heap, option, &others);
            if is_p(&candidate.position)? {
                winning.push(candidate);
            }
        }
    }
    Some(winning)
}

/// A move to a position that `is_p` takes for a P-position, from among the moves that leave at most
/// one large heap.
fn some_winning_move(
    code: &Code,
    position: &[u32],
    is_p: impl Fn(&[u32]) -> Option<bool>,
) -> Option<WinningMove> {
    let small = SMALL_PARTS[usize::from(code.max_parts() > 2)];
    let mut distinct = position.to_vec();
    distinct.dedup();
    distinct.into_iter().rev().find_map(|heap| {
        let others = without(position, heap);
        let options = code.options_with_small_parts(heap, small);
        // The simplest ones first: those that leave small heaps the smallest.
        let moves = options.into_iter().rev();
        let mut moves = moves.map(|option| WinningMove::new(heap, option, &others));
        moves.find(|candidate| is_p(&candidate.position) == Some(true))
    })
}

/// Decides the position by the rules alone, if that is feasible.
fn by_definition(code: &Code, position: &[u32]) -> Option<Answer> {
    if position
        .iter()
        .map(|&heap| code.most_options(heap))
        .sum::<u64>()
        > MAX_OPTIONS
    {
        return None;
    }
    let mut oracle = Oracle::new(code, Convention::Misere);
    let mut control = Control::new(ORACLE_FUEL, Interrupt::default());
    let outcome = oracle.outcome(position, &mut control).ok()?;
    let moves = oracle.winning_moves(position, &mut control).ok()?;
    let winning =
        |Move { heap, option }: Move| WinningMove::new(heap, option, &without(position, heap));
    Some(Answer {
        outcome: match outcome {
            Outcome::N => 'N',
            Outcome::P => 'P',
        },
        winning_moves: Some(moves.into_iter().map(winning).collect()),
        ..Answer::undecided(code, position.to_vec())
    })
}

impl Answer {
    /// The fields that do not depend on how the position is decided, and those of
    /// [`Method::Definition`].
    fn undecided(code: &Code, position: Vec<u32>) -> Self {
        Self {
            schema: 1,
            code: code.clone(),
            convention: "misere",
            position,
            outcome: '?',
            method: Method::Definition,
            order: None,
            element: None,
            word: None,
            winning_moves: None,
            winning_move: None,
        }
    }
}

impl WinningMove {
    fn new(heap: u32, option: HeapOption, others: &[u32]) -> Self {
        let leaves: Vec<u32> = option.parts().collect();
        let mut position: Vec<u32> = others.iter().chain(&leaves).copied().collect();
        position.sort_unstable();
        Self {
            heap,
            leaves,
            position,
            element: None,
            word: None,
        }
    }
}

/// The position with one heap of the size `heap` taken out.
fn without(position: &[u32], heap: u32) -> Vec<u32> {
    let mut others = position.to_vec();
    if let Some(at) = others.iter().position(|&other| other == heap) {
        others.remove(at);
    }
    others
}

/// The failure of a position that cannot be decided, with advice.
fn unknown(code: &Code, largest: u32, computed: &Computed) -> Failure {
    let known = computed.solution.heaps();
    let undecided = format!(
        "the quotient of {code} is known to heap {known}, the position has a heap of {largest} and \
         is too large to decide by the rules alone"
    );
    match computed.solution.verdict {
        Verdict::Diverges { heap, .. } => Failure::Unknown(format!(
            "{undecided}; the game diverges at heap {heap}: ask for positions with heaps up to \
             {known}"
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
                .map_or_else(String::new, |by| format!(" {by}"));
            Failure::Stopped(format!(
                "{undecided}; the computation was stopped{by}: give it more"
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_of_several_equal_heaps_is_taken_out() {
        assert_eq!(without(&[1, 2, 2, 3], 2), [1, 2, 3]);
        assert_eq!(without(&[1], 2), [1]);
    }
}
