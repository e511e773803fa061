//! Predictions of the engine, compared with the rules.
//!
//! The definitional oracle plays out positions of random games; the engine's quotient must predict
//! every outcome, both strategies must give the same quotient, and the checker must agree. The
//! games are the same in every run.

use misere_check::check;
use misere_engine::quotient::{Limits, Strategy, solve};
use misere_game::control::{Control, Interrupt};
use misere_game::monoid::word::{Word, lex_least_words};
use misere_game::outcome::{Convention, Oracle, Outcome};
use misere_game::ruleset::Code;
use misere_game::solution::{Solution, Verdict};

/// Fuel of one attempt at one code: some milliseconds.
const FUEL: u64 = 4_000;

fn solved(code: &Code, max_heap: u32, way: Strategy) -> Solution {
    let limits = Limits {
        max_heap,
        max_order: 400,
        max_copies: 40,
        max_evidence: 0,
    };
    solve(
        code,
        &limits,
        way,
        &mut Control::new(FUEL, Interrupt::default()),
    )
}

/// The outcomes that a solution predicts for positions of the heaps it knows.
struct Prediction<'a> {
    solution: &'a Solution,
    words: Vec<Word>,
}

impl<'a> Prediction<'a> {
    fn new(solution: &'a Solution) -> Self {
        let words = lex_least_words(&solution.quotient);
        Self { solution, words }
    }

    /// Decides by the action of generators alone.
    fn is_p(&self, heaps: &[u32]) -> bool {
        let quotient = &self.solution.quotient;
        let value = heaps.iter().fold(0, |x, &heap| {
            let word = &self.words[self.solution.phi[heap as usize] as usize];
            quotient.product_from(x, word.0.iter().copied().enumerate())
        });
        quotient.in_p(value)
    }
}

fn agrees_with_the_rules(solution: &Solution, positions: &[Vec<u32>]) {
    let mut oracle = Oracle::new(&solution.code, Convention::Misere);
    let prediction = Prediction::new(solution);
    let mut control = Control::new(20_000_000, Interrupt::default());
    for position in positions {
        let heaps: Vec<u32> = position
            .iter()
            .map(|&heap| heap % (solution.heaps() + 1))
            .collect();
        let outcome = oracle.outcome(&heaps, &mut control).unwrap();
        assert_eq!(
            prediction.is_p(&heaps),
            outcome == Outcome::P,
            "{} {heaps:?}",
            solution.code
        );
    }
}

/// Checks that both strategies have the same partial quotients, as far as both get.
///
/// Their values and verdicts have to be the same, too.
fn agree(exact: &Solution, classical: &Solution) {
    let code = &exact.code;
    let heaps = exact.heaps().min(classical.heaps());
    let to_there = |solution: &Solution| -> Vec<_> {
        let partials = solution.partials.iter().copied();
        partials.filter(|partial| partial.heap <= heaps).collect()
    };
    assert_eq!(to_there(exact), to_there(classical), "{code}");
    if let (Verdict::Solved { .. }, Verdict::Solved { .. }) = (exact.verdict, classical.verdict) {
        assert_eq!(exact.verdict, classical.verdict, "{code}");
    }
    if exact.class() == classical.class() {
        let pairs = exact.phi.iter().copied().zip(classical.phi.iter().copied());
        let isomorphism = exact
            .quotient
            .isomorphism_extending(&classical.quotient, pairs);
        assert!(isomorphism.is_some(), "{code}: other values");
    }
}

/// A sequence of numbers that is the same in every run (SplitMix64).
struct Sequence(u64);

impl Sequence {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % u64::from(bound)) as u32
    }

    /// Returns a code of one to five digits: octal and hexadecimal in turn.
    fn code(&mut self, hexadecimal: bool) -> Code {
        let base = if hexadecimal { 16 } else { 8 };
        let d0 = 4 * self.below(base / 4) as u8;
        let length = 1 + self.below(5);
        let digits: Vec<u8> = (0..length).map(|_| self.below(base) as u8).collect();
        Code::new(d0, &digits).unwrap()
    }

    fn positions(&mut self, count: usize) -> Vec<Vec<u32>> {
        let mut position = || {
            let heaps = self.below(5);
            (0..heaps).map(|_| self.below(11)).collect()
        };
        (0..count).map(|_| position()).collect()
    }
}

/// Solves random codes and compares both strategies with each other and with the rules.
///
/// The checker accepts the claims of both strategies, the strategies agree, and the rules decide as
/// predicted. Returns how many codes both have solved, and how many heaps both know on average.
fn compare(count: u32, seed: u64) -> (u32, u32) {
    let mut sequence = Sequence(seed);
    let (mut both_solved, mut heaps) = (0, 0);
    for number in 0..count {
        let code = sequence.code(number % 2 == 1);
        let exact = solved(&code, 40, Strategy::Exact);
        let classical = solved(&code, 40, Strategy::Classical);
        assert_eq!(check(&exact), Ok(()), "{code} exact");
        assert_eq!(check(&classical), Ok(()), "{code} classical");
        agree(&exact, &classical);
        agrees_with_the_rules(&exact, &sequence.positions(40));
        let is_solved = |solution: &Solution| matches!(solution.verdict, Verdict::Solved { .. });
        both_solved += u32::from(is_solved(&exact) && is_solved(&classical));
        heaps += exact.heaps().min(classical.heaps());
    }
    (both_solved, heaps / count)
}

/// Fails unless the strategies got this far: the comparison is empty where one gets nowhere.
fn compared_enough((both_solved, heaps): (u32, u32), count: u32) {
    assert!(
        10 * both_solved >= count,
        "only {both_solved} of {count} solved"
    );
    assert!(heaps >= 10, "only {heaps} heaps on average");
}

#[test]
fn two_hundred_codes() {
    compared_enough(compare(200, 1), 200);
}

#[test]
#[ignore = "slow: exact, classical and the rules on 10,000 octal and hexadecimal codes of up to five digits"]
fn ten_thousand_codes() {
    compared_enough(compare(10_000, 2), 10_000);
}

#[test]
fn grundys_game() {
    let solution = solved(&Code::grundy(), 28, Strategy::Exact);
    assert_eq!(check(&solution), Ok(()));
    agree(&solution, &solved(&Code::grundy(), 28, Strategy::Classical));
    let mut positions = Sequence(3).positions(200);
    positions.extend((0..=28).map(|heap| vec![heap]));
    agrees_with_the_rules(&solution, &positions);
}

#[test]
fn codes_that_are_the_same_game_have_the_same_solution() {
    // Equal signatures must mean equal partial quotients in the same order. Leading dead heaps
    // shift them.
    let mut sequence = Sequence(4);
    let mut same = 0;
    for _ in 0..300 {
        let code = sequence.code(false);
        let zeros = 1 + sequence.below(2) as usize;
        let mut digits = vec![0; zeros];
        digits.extend((0..=code.length()).map(|j| code.digit(j)));
        let shifted = Code::new(0, &digits).unwrap();
        if code.signature() == shifted.signature() {
            let classes = |code: &Code| -> Vec<_> {
                let solution = solved(code, 25, Strategy::Exact);
                solution
                    .partials
                    .iter()
                    .map(|partial| partial.class)
                    .collect()
            };
            let (one, other) = (classes(&code), classes(&shifted));
            let common = one.len().min(other.len());
            assert_eq!(one[..common], other[..common], "{code} {shifted}");
            same += 1;
        }
    }
    assert!(same > 0);
}

#[test]
#[ignore = "slow: every octal game with at most two digits, all positions of at most four heaps to 12"]
fn all_short_octal_games() {
    for n in 0..128_u8 {
        let code = Code::new(n >> 6 << 2, &[n >> 3 & 7, n & 7]).unwrap();
        let solution = solved(&code, 12, Strategy::Exact);
        let mut positions = Vec::new();
        for a in 0..=12 {
            for b in a..=12 {
                for c in b..=12 {
                    positions.extend((c..=12).map(|d| vec![a, b, c, d]));
                }
            }
        }
        agrees_with_the_rules(&solution, &positions);
    }
}

#[test]
#[ignore = "slow: every octal code of Figure 1 by both strategies"]
fn figure_1_by_both_strategies() {
    let limits = Limits::default();
    let fuel = || Control::new(20_000, Interrupt::default());
    let octal = |d0: u8, number: u16| {
        let digit = |at: u16| (number >> (3 * at) & 7) as u8;
        Code::new(d0, &[digit(2), digit(1), digit(0)]).unwrap()
    };
    let codes = (0..512)
        .map(|n| octal(0, n))
        .chain((0..64).map(|n| octal(4, 8 * n)));
    let mut both_solved = 0;
    for code in codes.filter(Code::has_moves) {
        let exact = solve(&code, &limits, Strategy::Exact, &mut fuel());
        let classical = solve(&code, &limits, Strategy::Classical, &mut fuel());
        agree(&exact, &classical);
        let verdicts = (exact.verdict, classical.verdict);
        both_solved += u32::from(matches!(
            verdicts,
            (Verdict::Solved { .. }, Verdict::Solved { .. })
        ));
    }
    // All that are solved within a period's proof below heap 3000.
    assert!(both_solved >= 219, "{both_solved}");
}

#[test]
fn fuel_and_interruption_keep_what_was_proved() {
    let code: Code = "0.07".parse().unwrap();
    let whole = solve(
        &code,
        &Limits::default(),
        Strategy::Exact,
        &mut Control::new(2_000, Interrupt::default()),
    );
    assert!(matches!(whole.verdict, Verdict::Exhausted(_)));
    assert_eq!(check(&whole), Ok(()));
    let again = solve(
        &code,
        &Limits::default(),
        Strategy::Exact,
        &mut Control::new(2_000, Interrupt::default()),
    );
    assert_eq!(whole, again);
    let interrupt = Interrupt::default();
    interrupt.raise();
    let stopped = solve(
        &code,
        &Limits::default(),
        Strategy::Exact,
        &mut Control::new(2_000, interrupt),
    );
    assert_eq!(
        (stopped.verdict, stopped.heaps()),
        (Verdict::Interrupted, 0)
    );
}
