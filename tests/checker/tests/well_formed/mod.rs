//! Well-formed certificates with any claims, each of which the checker answers.
//!
//! A certificate can be read and still claim anything: codes of 1 to 255 digits, octal and
//! hexadecimal, with every `d_0`; heaps up to the greatest number there is; periods of 0; all
//! verdicts. The answer to each has to be `Ok` or a typed error, for little fuel. What is true of
//! the rest of the suite holds here, too: nothing that passes is taken on trust, see
//! `hostile_input.rs`.
//!
//! - [`games`]: codes and numbers
//! - [`edits`]: true certificates of small games with other codes and numbers in them
//! - [`scratch`]: certificates made of nothing, so that they come far
//! - [`families`]: evidence that a quotient is infinite
//! - [`constructions`]: quotients with games

mod constructions;
mod edits;
mod families;
mod games;
mod scratch;

use std::cell::RefCell;
use std::collections::BTreeMap;

use misere_check::{check_within, construction, infinite};
use misere_game::control::{Control, Interrupt};
use misere_game::solution::{Document, Solution};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// Fuel for one check: some twenty milliseconds.
const FUEL: u64 = 20_000;

/// Answers by their kind, with how often each was given.
type Answers = BTreeMap<String, usize>;

fn meter() -> Control {
    Control::new(FUEL, Interrupt::default())
}

/// Returns the first word of an answer: the name of the variant.
fn kind(answer: &impl std::fmt::Debug) -> String {
    let text = format!("{answer:?}");
    let end = text.find([' ', '{']).unwrap_or(text.len());
    text[..end].to_owned()
}

/// Passes `cases` cases to the checker.
///
/// By default the cases are always the same; with `anew` they differ every time.
fn answers<S: Strategy>(
    cases: u32,
    anew: bool,
    strategy: &S,
    answer: impl Fn(S::Value) -> String,
) -> Answers {
    let config = Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    };
    let mut runner = if anew {
        TestRunner::new(config)
    } else {
        TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
    };
    let given = RefCell::new(Answers::new());
    let result = runner.run(strategy, |case| {
        let kind = answer(case);
        *given.borrow_mut().entry(kind).or_default() += 1;
        Ok(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
    given.into_inner()
}

/// Reads a document and checks what it claims, as `misere verify` does.
fn of_document(document: Document) -> String {
    match document.into_solution() {
        Ok(claim) => of_claim(&claim),
        Err(error) => format!("document: {}", kind(&error)),
    }
}

fn of_claim(claim: &Solution) -> String {
    let answer = check_within(claim, &mut meter());
    // A person reads the reason, so it has to have words.
    if let Err(flaw) = &answer {
        assert!(!flaw.to_string().is_empty());
    }
    match answer {
        Ok(()) => "Ok".to_owned(),
        Err(flaw) => kind(&flaw),
    }
}

fn of_family((code, heaps, family): families::Case) -> String {
    match infinite::check(&code, heaps, &family, &mut meter()) {
        Ok(()) => "Ok".to_owned(),
        Err(flaw) => {
            assert!(!flaw.to_string().is_empty());
            kind(&flaw)
        }
    }
}

fn edited(cases: u32, anew: bool) -> Answers {
    answers(cases, anew, &edits::documents(), of_document)
}

fn from_scratch(cases: u32, anew: bool) -> Answers {
    answers(cases, anew, &scratch::claims(), |claim| of_claim(&claim))
}

fn of_families(cases: u32, anew: bool) -> Answers {
    answers(cases, anew, &families::families(), of_family)
}

fn of_constructions(cases: u32, anew: bool) -> Answers {
    answers(
        cases,
        anew,
        &constructions::constructions(),
        |claim| match construction::check(&claim, &mut meter()) {
            Ok(()) => "Ok".to_owned(),
            Err(flaw) => {
                assert!(!flaw.to_string().is_empty());
                kind(&flaw)
            }
        },
    )
}

/// Fails unless each of these answers was given.
///
/// Cases that all end at the first step would show nothing.
fn came_to(answers: &Answers, kinds: &[&str]) {
    println!("{answers:#?}");
    for kind in kinds {
        assert!(answers.contains_key(*kind), "no `{kind}` in {answers:?}");
    }
}

#[test]
fn true_certificates_with_other_codes_and_numbers() {
    let answers = edited(2_000, false);
    came_to(
        &answers,
        &[
            "Ok",
            "document: PhiLength",
            "Evidence(Heap",
            "Generator",
            "NoPattern",
            "NotLeast",
            "OtherClaim",
            "OutsideKernel",
            "PToP",
            "Partial",
            "PeriodUnproved",
            "TooFewHeaps",
        ],
    );
}

#[test]
fn certificates_made_of_nothing() {
    let answers = from_scratch(2_000, false);
    came_to(
        &answers,
        &[
            "Ok",
            "Evidence(GreaterLetter",
            "Evidence(Outcome",
            "NWithoutP",
            "NormalPlay(NotPeriodic",
            "PToP",
            "PeriodNotSaid",
            "Stages",
        ],
    );
}

#[test]
fn evidence_of_all_kinds() {
    let answers = of_families(3_000, false);
    came_to(
        &answers,
        &[
            "End",
            "GreaterLetter",
            "Multiples",
            "NotClosed",
            "Outcome",
            "Word",
        ],
    );
}

#[test]
fn constructions_of_all_kinds() {
    let answers = of_constructions(2_000, false);
    came_to(&answers, &["NotEarlier", "Parity", "TooManyCopies"]);
}

#[test]
#[ignore = "slow: a hundred thousand cases of each kind, other ones every time"]
fn many_more() {
    const CASES: u32 = 100_000;
    println!("{:#?}", edited(CASES, true));
    println!("{:#?}", from_scratch(CASES, true));
    println!("{:#?}", of_families(CASES, true));
    println!("{:#?}", of_constructions(CASES, true));
}
