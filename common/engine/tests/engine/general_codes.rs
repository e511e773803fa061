//! Codes with constraints and without end, and games whose options are listed: solved, checked, and
//! compared with the rules.

use misere_check::{CheckError, check};
use misere_engine::normal::{self, Ending, NimValues};
use misere_engine::quotient::{Limits, Strategy, solve};
use misere_game::control::{Control, Interrupt};
use misere_game::outcome::{Convention, Oracle, Outcome};
use misere_game::ruleset::{Code, HeapList};
use misere_game::solution::{NimPeriod, Solution, Verdict};
use proptest::prelude::{ProptestConfig, prop, prop_assert_eq, proptest};
use proptest::strategy::Strategy as _;
use serde::Deserialize;

const PUBLISHED: &str = include_str!("../data/cgsuite.json");

fn solved(code: &str, max_heap: u32, fuel: u64) -> Solution {
    let limits = Limits {
        max_heap,
        max_evidence: 0,
        ..Limits::default()
    };
    let control = &mut Control::new(fuel, Interrupt::default());
    let solution = solve(&code.parse().unwrap(), &limits, Strategy::Exact, control);
    assert_eq!(check(&solution), Ok(()), "{code}");
    solution
}

/// A game of CGSuite's own tests, with what CGSuite says of its heaps 0 to 20.
#[derive(Deserialize)]
struct Published {
    code: String,
    options_of_20: usize,
    nim_values: Vec<u32>,
    misere_nim_values: Vec<u32>,
}

/// CGSuite reads the same games: options, nim-values, and the heaps that are P-positions.
#[test]
fn published_values() {
    let games: Vec<Published> = serde_json::from_str(PUBLISHED).unwrap();
    assert_eq!(games.len(), 7);
    for game in games {
        let code: Code = game.code.parse().unwrap();
        let control = &mut Control::unlimited();
        assert_eq!(code.options(20).len(), game.options_of_20, "{code}");
        let mut values = NimValues::new(&code);
        (0..20).for_each(|_| {
            values.next(control).unwrap();
        });
        assert_eq!(values.values(), game.nim_values, "{code}");
        let mut oracle = Oracle::new(&code, Convention::Misere);
        for (heap, misere) in (0..).zip(game.misere_nim_values) {
            let is_p = oracle.outcome(&[heap], control) == Ok(Outcome::P);
            assert_eq!(is_p, misere == 0, "{code} heap {heap}");
        }
    }
}

/// Bouton's theorem of misère Nim for all heaps: tame relative to heap 2, with the quotient T_2.
#[test]
fn nim() {
    let solution = solved("nim", 300, 10_000_000);
    assert_eq!(solution.verdict, Verdict::TameRelative { heap: 2 });
    assert_eq!(solution.quotient.known_name().as_deref(), Some("T_2"));
    let tail = solution.tail.unwrap();
    assert_eq!(tail.nim_period, None);
    // Each heap has its own nim-value, so the number of stages is as great as seen.
    assert!(tail.nim_heaps >= 300);
}

/// The theorem that docs/spaces.md states of 0.(3310)^∞.
#[test]
fn the_game_without_end_of_the_supplement() {
    let solution = solved("0.[3310]", 100, 10_000_000);
    let (period, preperiod) = (4, 4);
    assert_eq!(solution.verdict, Verdict::Solved { period, preperiod });
    let quotient = &solution.quotient;
    assert_eq!((quotient.order(), quotient.p_size()), (34, 8));
}

#[test]
fn grundys_game() {
    let (one, other) = (
        solved("4!.0", 28, 60_000_000),
        solved("grundy", 28, 60_000_000),
    );
    assert_eq!(one, other);
}

/// A game is what its options are, however it is written: the options of Kayles to heap 6 as a
/// list, and those of a quaternary code as one with constraints that say nothing.
#[test]
fn the_same_game_in_another_form() {
    let kayles: Code = "0.77".parse().unwrap();
    let lines = (1..=6).map(|heap| {
        let options = kayles.options(heap).into_iter().map(|option| {
            let parts: Vec<String> = option.parts().map(|part| part.to_string()).collect();
            match parts.is_empty() {
                true => "0".to_owned(),
                false => parts.join("+"),
            }
        });
        format!("{heap}: {}\n", options.collect::<Vec<_>>().join(", "))
    });
    let list = HeapList::of_file(&lines.collect::<String>()).unwrap();
    let listed = solved(&Code::from(list).to_string(), 100, 1_000_000);
    let (period, preperiod) = (1, 7);
    assert_eq!(listed.verdict, Verdict::Solved { period, preperiod });
    let to_six = solved("0.77", 6, 1_000_000);
    assert_eq!(
        (&listed.quotient, &listed.phi[..7]),
        (&to_six.quotient, &to_six.phi[..])
    );
}

fn verdict(code: &str) -> (Verdict, usize) {
    let solution = solved(code, 100, 200_000);
    (solution.verdict, solution.quotient.order())
}

/// Subtraction games with an end have a period by the theorem of codes, those without by that of
/// codes without end; of those with unbounded nim-values the quotient is a tame extension.
#[test]
fn subtraction_games() {
    let repeats = |period, preperiod| Verdict::Solved { period, preperiod };
    let tame = |heap| Verdict::TameRelative { heap };
    assert_eq!(verdict("subtract(2,3,7)"), (repeats(5, 0), 6));
    assert_eq!(verdict("subtract(1,2,5)"), (repeats(3, 0), 6));
    // Any odd number of beans; any number that is not a multiple of four.
    assert_eq!(verdict("0.[30]"), (repeats(2, 0), 2));
    assert_eq!(verdict("0.[3330]"), (repeats(4, 0), 6));
    assert_eq!(verdict("subtract(allbut 2,3,7)"), (tame(4), 10));
    assert_eq!(verdict("0.[03]"), (tame(4), 6));
}

#[test]
fn other_codes() {
    let repeats = |period, preperiod| Verdict::Solved { period, preperiod };
    let tame = |heap| Verdict::TameRelative { heap };
    // Split a heap into two equal ones; or take one, too.
    assert_eq!(verdict("4=.0"), (repeats(2, 1), 2));
    assert_eq!(verdict("4=.3"), (repeats(2, 3), 6));
    assert_eq!(verdict("0.7="), (repeats(2, 0), 2));
    // Take the whole heap if it is even.
    assert_eq!(verdict("0.[01]"), (repeats(2, 1), 2));
    assert_eq!(verdict("0.3[1]"), (repeats(2, 1), 6));
    assert_eq!(verdict("Lasker's Nim"), (tame(2), 6));
    assert_eq!(verdict("0.[7]"), (tame(2), 6));
}

/// Of all claims that a period holds, only the true one is accepted.
#[test]
fn false_periods_are_refused() {
    for code in [
        "0.[3310]",
        "4=.3",
        "0.3[1]",
        "0.[30]",
        "0.7=",
        "subtract(2,3,7)",
    ] {
        let good = solved(code, 200, 1_000_000);
        let mut accepted = Vec::new();
        for period in 0..=good.heaps().min(12) {
            for preperiod in 0..=good.heaps().min(12) {
                let verdict = Verdict::Solved { period, preperiod };
                let claim = Solution {
                    verdict,
                    ..good.clone()
                };
                accepted.extend(check(&claim).is_ok().then_some(verdict));
            }
        }
        assert_eq!(accepted, [good.verdict], "{code}");
    }
    // Nim has no period, whatever is listed.
    let nim = solved("nim", 30, 10_000_000);
    for (period, preperiod) in [(1, 2), (1, 0), (2, 1)] {
        let verdict = Verdict::Solved { period, preperiod };
        let claim = Solution {
            verdict,
            tail: None,
            ..nim.clone()
        };
        assert!(
            matches!(check(&claim), Err(CheckError::PeriodUnproved { .. })),
            "{period}"
        );
    }
}

/// The last heap that the theorem asks for is needed: the values to the heap before prove nothing.
#[test]
fn periods_are_proved_to_the_last_heap() {
    for code in ["0.[3310]", "4=.3", "0.3[1]", "0.7="] {
        let mut claim = solved(code, 200, 1_000_000);
        claim.phi.pop();
        assert!(
            matches!(check(&claim), Err(CheckError::PeriodUnproved { .. })),
            "{code}"
        );
    }
}

/// The normal play of a code without end has a period by the same theorem.
#[test]
fn normal_play() {
    let control = &mut Control::unlimited();
    let play = normal::solve(&"0.[3310]".parse().unwrap(), 300, control);
    let (period, preperiod) = (4, 0);
    assert_eq!(
        play.ending,
        Ending::Periodic(NimPeriod { period, preperiod })
    );
}

fn a_code() -> impl proptest::strategy::Strategy<Value = Code> {
    let digit = || {
        prop::sample::select(vec![
            "0",
            "0",
            "1",
            "2",
            "3",
            "3",
            "4!",
            "4=",
            "4?",
            "5=",
            "7",
            "7!",
            "8!",
            "9=",
            "C=",
            "G",
            "K!",
            "{1,2!,3=}",
        ])
    };
    let d0 = prop::sample::select(vec!["0", "0", "0", "4!", "4=", "8?", "G?", "{2!,3=}"]);
    let digits = move |most: usize| prop::collection::vec(digit(), 0..most);
    (d0, digits(4), digits(4)).prop_filter_map("general, with moves", |(d0, digits, block)| {
        let block = if block.is_empty() {
            String::new()
        } else {
            format!("[{}]", block.concat())
        };
        let code: Code = format!("{d0}.{}{block}", digits.concat()).parse().ok()?;
        code.general().is_some().then_some(code)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    /// Outcomes by the quotient are those by the definition.
    #[test]
    fn outcomes_are_those_of_the_rules(code in a_code()) {
        let limits = Limits { max_heap: 12, max_evidence: 0, ..Limits::default() };
        let control = &mut Control::new(100_000, Interrupt::default());
        let solution = solve(&code, &limits, Strategy::Exact, control);
        prop_assert_eq!(check(&solution), Ok(()), "{}", &code);
        let mut oracle = Oracle::new(&code, Convention::Misere);
        let heaps = solution.heaps().min(9);
        let value = |heaps: &[u32]| {
            let products = heaps.iter().map(|&heap| solution.phi[heap as usize]);
            let words = misere_game::monoid::word::lex_least_words(&solution.quotient);
            products.fold(0, |x, y| solution.quotient.product_from(x, words[y as usize].0.iter().copied().enumerate()))
        };
        for a in 0..=heaps {
            for b in 0..=a {
                for c in [0, 1, b] {
                    let control = &mut Control::new(1_000_000, Interrupt::default());
                    let Ok(outcome) = oracle.outcome(&[a, b, c], control) else { continue };
                    let is_p = solution.quotient.in_p(value(&[a, b, c]));
                    prop_assert_eq!(outcome == Outcome::P, is_p, "{} {} {} {}", &code, a, b, c);
                }
            }
        }
    }

    /// A certificate of another game is accepted only if it is true of this one.
    #[test]
    fn borrowed_certificates_are_true_or_refused(code in a_code(), other in a_code()) {
        let limits = Limits { max_heap: 9, max_evidence: 0, ..Limits::default() };
        let control = &mut Control::new(100_000, Interrupt::default());
        let claim = Solution { code: other.clone(), ..solve(&code, &limits, Strategy::Exact, control) };
        if check(&claim).is_ok() {
            let mut oracle = Oracle::new(&other, Convention::Misere);
            let mut true_values = Oracle::new(&code, Convention::Misere);
            for a in 0..=claim.heaps().min(9) {
                for b in 0..=a {
                    let control = &mut Control::new(1_000_000, Interrupt::default());
                    let outcomes = (oracle.outcome(&[a, b], control), true_values.outcome(&[a, b], control));
                    if let (Ok(one), Ok(true_one)) = outcomes {
                        prop_assert_eq!(one, true_one, "{} {} {} {}", &code, &other, a, b);
                    }
                }
            }
        }
    }
}
