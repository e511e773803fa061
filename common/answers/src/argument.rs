//! The argument that a certificate makes, for a reader: the theorem, the finite checks that prove
//! it with their numbers, and why they are enough.
//!
//! The hypotheses named (Q1, G2, …) are those of `docs/mathematics.md` and of the pages named in the
//! sources. The checker tests each of them from the code of the game alone.

use misere_game::monoid::word::generator_name;
use misere_game::ruleset::Code;
use misere_game::solution::{Evidence, Solution, Stages, Tail, ThresholdLaw};
use serde::Serialize;

use crate::conclusion::{Conclusion, InfiniteHeap};

/// A theorem about a game, and the argument for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Argument {
    /// The theorem.
    pub theorem: String,
    /// The steps of the proof.
    pub steps: Vec<ArgumentStep>,
    /// The theorems that are used, with their sources.
    pub sources: Vec<&'static str>,
}

/// A step of a proof.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ArgumentStep {
    /// The thing that is shown.
    pub title: &'static str,
    /// The check, and why it is enough.
    pub text: String,
}

/// The definition of the quotient, and the lemma that makes it a finite check.
const QUOTIENT: &str = "Plambeck, Taming the wild in impartial combinatorial games, INTEGERS 5 (2005); \
    Plambeck and Siegel, Misère quotients for impartial games, JCTA 115 (2008)";
const PERIOD: &str = "the theorem of Guy and Smith (1956) in misère play: Plambeck 2005, Theorem 3; \
    for other moves docs/mathematics.md#periods and docs/rules.md#periods";
const TAME: &str = "Siegel, The structure and classification of misère quotients, Lemmas 3.4 and 3.6 \
    and Theorem 3.9; docs/mathematics.md#tame-relative-to-a-heap";
const LAW: &str = "the theorem on laws, hypotheses A1 to A6, and A7 for infinity: docs/laws.md";
const AUTOMATON: &str =
    "the theorem on automata, hypotheses D1 to D5, and D6 for infinity: docs/automata.md";
const INFINITE: &str = "the theorems T1 to T4 on evidence of infinity: docs/infinite.md";
const WORDS: &str = "the theorem T9 on words of all heaps: docs/beyond.md";

/// The most generators that are listed.
const MAX_LISTED: usize = 12;

/// Returns the argument for what a solution claims.
///
/// It is the argument of a solution that the checker accepted; nothing is checked here.
///
/// ```
/// use misere_answers::argument::argument;
/// use misere_engine::quotient::{Limits, Strategy, solve};
/// use misere_game::control::Control;
/// let (code, control) = ("0.77".parse()?, &mut Control::unlimited());
/// let solution = solve(&code, &Limits::default(), Strategy::Exact, control);
/// let kayles = argument(&solution);
/// assert!(kayles.theorem.contains("period 12 from heap 71 on"));
/// assert!(kayles.steps.iter().any(|step| step.text.contains("71 ≤ n ≤ 155")));
/// # Ok::<(), misere_game::ruleset::CodeError>(())
/// ```
#[must_use]
pub fn argument(solution: &Solution) -> Argument {
    let conclusion = Conclusion::of(solution);
    let mut steps = quotient_steps(solution);
    let mut sources = vec![QUOTIENT];
    match conclusion {
        Conclusion::FiniteGame { .. } => {}
        Conclusion::Periodic { period, preperiod } => {
            steps.push(periodic(solution, period, preperiod));
            sources.push(PERIOD);
        }
        Conclusion::TameRelative { heap, .. } => {
            steps.extend(tame_relative(solution, heap));
            sources.push(TAME);
            if conclusion.ending() == crate::Ending::TameRelativePeriodic {
                sources.push(PERIOD);
            }
        }
        Conclusion::Law { infinite, .. } => {
            steps.extend(solution.law().map(|law| by_law(law, infinite)));
            sources.push(LAW);
        }
        Conclusion::Automaton { states, infinite } => {
            steps.push(by_automaton(states, infinite));
            sources.push(AUTOMATON);
        }
        Conclusion::PastInfinite { .. } | Conclusion::Infinite { .. } => {
            if let Some(evidence) = &solution.evidence {
                steps.extend(infinite(evidence));
                sources.push(INFINITE);
                if evidence.all_heaps().is_some() {
                    sources.push(WORDS);
                }
            }
        }
        Conclusion::Diverges { .. }
        | Conclusion::Grows { .. }
        | Conclusion::Exhausted(_)
        | Conclusion::Interrupted => steps.push(not_proved(conclusion)),
    }
    Argument {
        theorem: theorem(solution, conclusion),
        steps,
        sources,
    }
}

/// Returns the statement that is proved.
fn theorem(solution: &Solution, conclusion: Conclusion) -> String {
    let (code, order) = (&solution.code, solution.quotient.order());
    let size = format!(
        "{order} elements, {} of them in P",
        solution.quotient.p_size()
    );
    let heaps = solution.heaps();
    let partial = format!("The misère quotient of the heaps of {code} to {heaps} has {size}.");
    match conclusion {
        Conclusion::FiniteGame { .. } => {
            format!("The misère quotient of the game {code} with its followers has {size}.")
        }
        Conclusion::Periodic { period, preperiod } => format!(
            "The misère quotient of {code} has {size}, and the pretending function Φ has period \
             {period} from heap {preperiod} on."
        ),
        Conclusion::TameRelative { heap, .. } => format!(
            "{partial} From heap {heap} on the value of a heap is the element of the kernel with \
             its nim-value, so that misère play is normal play from there on."
        ),
        Conclusion::Law { infinite: true, .. } => format!(
            "{partial} A law decides every position of all heaps, and the quotient of the \
             whole game is infinite."
        ),
        Conclusion::Law { .. } => {
            format!("{partial} A law decides every position of all heaps.")
        }
        Conclusion::Automaton { infinite: true, .. } => format!(
            "{partial} An automaton decides every position of all heaps, and the quotient of the \
             whole game is infinite."
        ),
        Conclusion::Automaton { .. } => {
            format!("{partial} An automaton decides every position of all heaps.")
        }
        Conclusion::PastInfinite { heap, .. } => format!(
            "{partial} That of the heaps to {} is infinite, and every position of all heaps is \
             decided.",
            heap.proved
        ),
        Conclusion::Infinite { heap } => format!(
            "{partial} That of the heaps to {} is infinite, and so is that of every greater number \
             of heaps.{}",
            heap.proved,
            between(heap)
        ),
        Conclusion::Diverges { .. }
        | Conclusion::Grows { .. }
        | Conclusion::Exhausted(_)
        | Conclusion::Interrupted => partial,
    }
}

/// Returns what is open about the partial quotients before the one that is proved infinite.
fn between(heap: InfiniteHeap) -> String {
    match heap.is_at_divergence() {
        true => String::new(),
        false => format!(
            " It seems infinite already to heap {}, which is not proved.",
            heap.diverges_at
        ),
    }
}

/// Returns the steps that prove the quotient of the heaps listed.
fn quotient_steps(solution: &Solution) -> Vec<ArgumentStep> {
    let (quotient, heaps) = (&solution.quotient, solution.heaps());
    let (order, generators) = (quotient.order(), solution.generator_heaps.len());
    let values = solution.generator_heaps.iter().enumerate().map(named);
    let values: Vec<String> = values.take(MAX_LISTED).collect();
    let values = values.join(", ");
    let generated = match generators {
        0 => "It is trivial.".to_owned(),
        1..=MAX_LISTED => format!("It is generated by {values}."),
        _ => format!("It is generated by {values}, … ({generators} elements)."),
    };
    let commute = match generators * generators.saturating_sub(1) / 2 {
        0 => String::new(),
        1 => ", and the two rows commute".to_owned(),
        pairs => format!(", and the {pairs} pairs of rows commute"),
    };
    vec![
        ArgumentStep {
            title: "The tables are those of a commutative monoid",
            text: format!(
                "For each generator a row lists the {order} products with it. Every element is \
                 reached from 1 along the rows{commute} (Q1 to Q3). \
                 {generated} Each generator is the value of a heap (Q4, Q5)."
            ),
        },
        ArgumentStep {
            title: "The values predict the outcomes",
            text: format!(
                "Claim: a position of the heaps 0 to {heaps} is a P-position exactly if the product \
                 of the values Φ of its heaps is in P. The options of each heap are computed from \
                 the rules. The empty position and heaps without moves have the value 1, which is \
                 not in P, as the player who cannot move wins (Q6, Q7). No position with a value in \
                 P has an option with a value in P: for each heap, each of its options and each of \
                 the {order} values of the rest, not both products are in P (Q8). Every other \
                 position with a move has an option with a value in P (Q9): a position that had \
                 none would consist of heaps each of which fails beside the others, and a search \
                 through the values, which are finitely many, finds no such sum. The claim follows \
                 by induction on the length of play."
            ),
        },
        ArgumentStep {
            title: "No two elements are one",
            text: format!(
                "For any two of the {order} elements x and y there is a z such that exactly one of \
                 xz and yz is in P (Q10). So positions with different values are told apart by a \
                 position, and those with equal values by none: the monoid is the misère quotient of \
                 the heaps 0 to {heaps}. The partial quotients listed are computed again from it \
                 (Q11)."
            ),
        },
    ]
}

/// Returns `a = Φ(1)`.
fn named((index, heap): (usize, &u32)) -> String {
    format!("{} = Φ({heap})", generator_name(index))
}

fn periodic(solution: &Solution, period: u32, preperiod: u32) -> ArgumentStep {
    let known = solution.heaps();
    let needed = solution.code.heaps_to_prove(preperiod, period);
    let last = needed.saturating_sub(u64::from(period));
    ArgumentStep {
        title: "The values repeat for ever",
        text: format!(
            "Values are listed to heap {known}, and Φ(n + {period}) = Φ(n) holds for {preperiod} ≤ n \
             ≤ {last}, that is, to heap {needed} (G1 to G3). {} So the options of heap n + {period} \
             have the values of the options of heap n, and by induction the equation holds for every \
             n ≥ {preperiod}. No smaller period or preperiod does (G4, G5).",
            reach(&solution.code, preperiod, period)
        ),
    }
}

/// Says why the values to some heap are enough.
fn reach(code: &Code, preperiod: u32, period: u32) -> String {
    if !code.is_take_and_break() {
        return "That is as far as the theorem on periods for these rules asks.".to_owned();
    }
    let parts = match code.max_parts() {
        0 | 1 => "one heap, which".to_owned(),
        most => format!("at most {most} heaps, the greatest of which"),
    };
    let least = u64::from(preperiod.max(1)) + u64::from(period);
    format!(
        "That is as far as the theorem on periods asks: a move in a greater heap leaves {parts} has \
         at least {least} beans, and the heap smaller by {period} has the same value."
    )
}

fn tame_relative(solution: &Solution, heap: u32) -> Vec<ArgumentStep> {
    let known = solution.heaps();
    let mut steps = vec![ArgumentStep {
        title: "Great heaps stay in the kernel",
        text: format!(
            "The kernel, which is the least ideal, is a group whose identity alone is in P (K5), and \
             equal values have equal nim-values (K6). The values of the heaps {heap} to {known} are \
             in the kernel (K2, K3), that of heap {} is not (K4). A move in a greater heap leaves \
             some heap of at least {heap} beans, so that the value of every option is in the kernel, \
             too; then the value of the heap is the element of the kernel with the mex of the \
             nim-values of its options, if there is such an element, and the first tame extension \
             of the quotient has one otherwise.",
            heap.saturating_sub(1)
        ),
    }];
    steps.extend(solution.tail.as_ref().map(normal_play));
    steps
}

fn normal_play(tail: &Tail) -> ArgumentStep {
    let play = match tail.nim_period {
        Some(found) => format!(
            "They repeat with period {} from heap {} on, to a heap as great as the theorem of Guy \
             and Smith asks (K8).",
            found.period, found.preperiod
        ),
        None => "No period of them is proved.".to_owned(),
    };
    let stages = match tail.stages {
        Stages::Known(0) => {
            "The quotient of the whole game is that of the heaps listed.".to_owned()
        }
        Stages::Known(k) => {
            format!("The quotient of the whole game is the tame extension T^{k}(Q, P).")
        }
        Stages::AtLeast(k) => {
            format!("The quotient of the whole game is a tame extension T^k(Q, P) with k ≥ {k}.")
        }
    };
    ArgumentStep {
        title: "Normal play",
        text: format!(
            "The nim-values are computed to heap {}. {play} {stages}",
            tail.nim_heaps
        ),
    }
}

fn by_law(law: &ThresholdLaw, infinite: bool) -> ArgumentStep {
    let infinite = match infinite {
        true => {
            " The law also tells infinitely many heaps apart (A7), so the quotient is infinite."
        }
        false => "",
    };
    ArgumentStep {
        title: "A law decides every position",
        text: format!(
            "The law gives each heap a unit below {}, a weight and a threshold; {} heaps are \
             listed, and from there on they repeat with period {} while weights grow by {} (A1 to \
             A3). The law does not say P of the empty position (A4), no position that it calls P has \
             an option that it calls P (A5), and every other position with a move has one (A6). At \
             most one heap is free, so A5 and A6 depend on units and weights only, which are \
             finitely many up to the repetition.{infinite}",
            1_u32 << law.bits.min(31),
            law.heaps.len(),
            law.period,
            law.slope
        ),
    }
}

fn by_automaton(states: u32, infinite: bool) -> ArgumentStep {
    let infinite = match infinite {
        true => " States tell infinitely many heaps apart (D6), so the quotient is infinite.",
        false => "",
    };
    ArgumentStep {
        title: "An automaton decides every position",
        text: format!(
            "An automaton of {states} states reads a position from the smallest heap to the \
             greatest (D1, D2). It does not say P of a position without a move (D3), no position \
             that it calls P has an option that it calls P (D4), and every other position with a \
             move has one (D5). These are statements about pairs of states that a move joins, \
             and all such pairs are searched.{infinite}"
        ),
    }
}

fn infinite(evidence: &Evidence) -> Vec<ArgumentStep> {
    let letters = listed(&evidence.heaps());
    let multiples: Vec<String> = evidence
        .distinct_multiples()
        .iter()
        .map(u32::to_string)
        .collect();
    let multiples = multiples.join(", and for heap ");
    let form = match (evidence.columns(), evidence.diagram()) {
        (Some(family), _) => format!(
            "an automaton of {} states that reads binary digits of the numbers of heaps",
            family.states.len()
        ),
        (None, Some(diagram)) => format!(
            "a decision diagram of {} nodes and {} states",
            diagram.nodes.len(),
            diagram.states.len()
        ),
        (None, None) => "a table".to_owned(),
    };
    let mut steps = vec![
        ArgumentStep {
            title: "Outcomes of sums with any number of copies",
            text: format!(
                "The certificate has {form}. It says P, N or nothing of each sum of the heaps \
                 {letters}, with any number of copies. It says N of the empty sum. If it says P of a \
                 sum it says N of all its options, and if it says N of a sum with a move it says P \
                 of some option (T1; T3 for heaps that count as a sum of smaller ones). What it says \
                 depends on states, which are finitely many, and all that can be reached are \
                 searched. By induction on the length of play what it says is true."
            ),
        },
        ArgumentStep {
            title: "Infinitely many elements",
            text: format!(
                "For heap {multiples} and each two numbers of copies of it there is a sum beside \
                 which the two have different outcomes, both of them proved (T4). So the multiples are \
                 different elements, and the quotient is infinite."
            ),
        },
    ];
    if let Some(all) = evidence.all_heaps() {
        steps.push(ArgumentStep {
            title: "Words of all heaps",
            text: format!(
                "Every other heap is equal to a sum of these, its word, and the words repeat with \
                 period {} from heap {} on (B1 to B5). A heap and its word have options that answer \
                 one another, so that no context tells them apart, and every position of all heaps \
                 has the outcome of a sum that is decided.",
                all.period, all.preperiod
            ),
        });
    }
    steps
}

fn not_proved(conclusion: Conclusion) -> ArgumentStep {
    ArgumentStep {
        title: "Nothing is proved of greater heaps",
        text: format!(
            "The computation ended: {}. That is a report of the computation, and no theorem.",
            conclusion.sentence()
        ),
    }
}

/// Lists heaps: `1, 2 and 5`.
fn listed(heaps: &[u32]) -> String {
    let heaps: Vec<String> = heaps.iter().map(u32::to_string).collect();
    match heaps.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => heaps.concat(),
    }
}

#[cfg(test)]
mod tests {
    use misere_engine::quotient::{Limits, Strategy, solve};
    use misere_game::control::Control;

    use super::*;

    fn of(code: &str, max_heap: u32, fuel: u64) -> Argument {
        let limits = Limits {
            max_heap,
            ..Limits::default()
        };
        let code: Code = code.parse().unwrap();
        let control = &mut Control::new(fuel, misere_game::control::Interrupt::default());
        argument(&solve(&code, &limits, Strategy::Exact, control))
    }

    /// 0.005 diverges at heap 18; here it is said to diverge at heap 9, with the same evidence.
    #[test]
    fn a_later_infinite_quotient_has_both_heaps() {
        let solved = |max_heap| {
            let limits = Limits {
                max_heap,
                ..Limits::default()
            };
            let control = &mut Control::unlimited();
            solve(&"0.005".parse().unwrap(), &limits, Strategy::Exact, control)
        };
        let early = Solution {
            verdict: misere_game::solution::Verdict::Diverges {
                heap: 9,
                copies: 20,
            },
            evidence: solved(10_000).evidence,
            ..solved(8)
        };
        assert_eq!(misere_check::check(&early), Ok(()));
        let conclusion = Conclusion::of(&early);
        let sentence = "proved infinite to heap 18, diverging at heap 9";
        assert_eq!(conclusion.sentence(), sentence);
        let theorem = argument(&early).theorem;
        assert!(
            theorem.contains("That of the heaps to 18 is infinite"),
            "{theorem}"
        );
        assert!(
            theorem.ends_with("already to heap 9, which is not proved."),
            "{theorem}"
        );
    }

    /// Tests that each conclusion has its theorem, its step and its source.
    #[test]
    fn every_conclusion_has_its_argument() {
        for (code, max_heap, theorem, step, source) in [
            (
                "0.123",
                10_000,
                "period 5 from heap 5 on",
                "Φ(n + 5) = Φ(n)",
                PERIOD,
            ),
            (
                "*2#320",
                10_000,
                "has 8 elements, 2 of them in P",
                "Q10",
                QUOTIENT,
            ),
            ("0.776", 10_000, "From heap 11 on", "kernel", TAME),
            (
                "0.26",
                60,
                "A law decides every position",
                "weights grow by",
                LAW,
            ),
            (
                "0.54",
                10_000,
                "An automaton decides",
                "An automaton of 253 states",
                AUTOMATON,
            ),
            (
                "0.31011",
                10_000,
                "That of the heaps to 5 is infinite",
                "any number of copies",
                WORDS,
            ),
            (
                "0.07",
                20,
                "heaps of 0.07 to 20 has 24 elements",
                "no theorem",
                QUOTIENT,
            ),
        ] {
            let found = of(code, max_heap, 60_000_000);
            assert!(found.theorem.contains(theorem), "{code}: {}", found.theorem);
            let mut steps = found.steps.iter();
            assert!(
                steps.any(|found| found.text.contains(step)),
                "{code}: {step}"
            );
            assert!(found.sources.contains(&source), "{code}: {source}");
        }
    }
}
