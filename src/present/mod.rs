//! `misere present`: the complete description of a quotient that is proved to be infinite.
//!
//! The evidence of infinity, extended by words for heaps that it does not cover, decides every
//! position of its heaps. It gives the relations that present the quotient, the number of elements
//! of each degree, and the P-portion; it also compares two positions. Everything printed was
//! verified by the checker, which uses another method than the search for relations.

mod regions_picture;
mod regions_text;
mod text;

use std::path::PathBuf;

use misere_answers::certificates::presentation::document;
use misere_answers::certificates::{Claim, regions};
use misere_census::output_file::is_standard_output;
use misere_check::infinite::FamilyCheckError;
use misere_check::infinite::whole::{PresentationCheckError, TotalEvidence};
use misere_engine::infinite::extend;
use misere_engine::infinite::presentation::find;
use misere_engine::infinite::semilinear;
use misere_game::control::{Control, Interrupt};
use misere_game::ruleset::Code;
use misere_game::solution::{
    DiagramFamily, PresentedDocument, SemilinearDocument, Solution, Verdict,
};
use serde::Serialize;

use crate::computation::{Budget, Strategy, compute};
use crate::exit::{CommandError, Exit, Failure};
use crate::position::{NoPositionError, position};
use crate::result_file::{self, OutArgs};
use crate::terminal::{self, Page};
use crate::verify;
use crate::watch::{Guards, Watch, stopped};

/// The fuel for words of the heaps that the evidence does not cover.
const WORDS_FUEL: u64 = 20_000_000;

/// The divisor of the fuel that one check whether the relations suffice may spend.
const SHARE: u64 = 4;

/// The arguments of `misere present`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere present 0.31011                      Weimerskirch's game: 17 relations,
                                              proved complete
  misere present 0.3122 --json                the same facts as one JSON
                                              document
  misere present 0.005 --out 5.json           keep the presentation for `misere
                                              verify`
  misere present 0.14 --semilinear            the P-positions by linear
                                              conditions on the heaps
  misere present 0.31011 --semilinear --picture 31011.svg
      the same, and a picture of them
  misere present 0.31011 --compare '4^2 5^10' 5^8
      two positions: equal in the quotient
  misere present 0.31011 --compare '4^2 5^8' 5^6
      two positions: the least one between them

The relations, the P-portion, the conditions and every comparison are proved by
the checker before they are printed.

Exit codes: 0 done, 1 no quotient of the game is proved infinite, or no
conditions were found, 2 usage, 3 budget exhausted, 4 interrupted, 5 refuted.")]
pub struct PresentArgs {
    /// A game whose quotient is infinite, such as 0.31011 or dawsons-kayles
    #[arg(value_parser = crate::rules_file::game)]
    code: Code,
    /// Compare two positions instead, each written as its heaps: '3 5' or '3^20 5'
    #[arg(long, num_args = 2, value_names = ["POSITION", "POSITION"], conflicts_with_all = ["out", "degree", "words"])]
    compare: Option<Vec<String>>,
    /// Say instead which positions are P-positions, by linear conditions on the numbers of heaps
    #[arg(long, conflicts_with_all = ["compare", "degree", "words"])]
    semilinear: bool,
    /// With --semilinear: also draw the P-positions into FILE, as SVG; with `-` print the picture
    /// alone
    #[arg(
        long,
        value_name = "FILE",
        requires = "semilinear",
        conflicts_with = "json"
    )]
    picture: Option<PathBuf>,
    /// The greatest number of letters of the words among which relations are looked for
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    degree: u32,
    /// List the normal words of at most N letters
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(..=1_000))]
    words: u32,
    /// A certificate of an infinite quotient, from `misere solve` or this command, to check and use
    /// instead of solving
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    out: OutArgs,
    #[command(flatten)]
    budget: Budget,
    #[command(flatten)]
    guards: Guards,
}

/// The comparison of two positions.
#[derive(Debug, Serialize)]
struct Comparison {
    schema: u32,
    code: Code,
    convention: &'static str,
    /// The greatest heap of the quotient.
    heaps: u32,
    /// The heaps of the quotient that the evidence covers.
    spoken_of: Vec<u32>,
    /// The positions: sizes of heaps with how many there are.
    positions: [Vec<(u32, u64)>; 2],
    equal: bool,
    /// The least position with which the two have different outcomes, if they are not equal.
    apart: Option<Vec<(u32, u64)>>,
}

/// The reason why a quotient is not presented.
#[derive(Debug, thiserror::Error)]
pub enum PresentError {
    /// Nothing infinite is known of the game, or nothing of the positions.
    #[error("{0}")]
    Unknown(String),
    /// A budget ran out.
    #[error("{0}")]
    OutOfBudget(String),
    /// The computation was stopped before something had happened.
    #[error("{0}")]
    Stopped(String),
    /// A text does not name a position of the game.
    #[error(transparent)]
    Position(#[from] NoPositionError),
    /// Other than two positions are to be compared.
    #[error("give two positions to --compare")]
    NotTwo,
    /// The checker refutes a presentation that was found, which is a bug of the program.
    #[error(
        "the presentation found for {code} is refuted: {flaw}; nothing is printed, please report this"
    )]
    Refuted {
        /// The game.
        code: String,
        /// The first flaw.
        flaw: PresentationCheckError,
    },
}

impl CommandError for PresentError {
    fn exit(&self) -> Exit {
        match self {
            Self::Unknown(_) => Exit::Failed,
            Self::OutOfBudget(_) => Exit::Exhausted,
            Self::Stopped(_) => Exit::Interrupted,
            Self::Position(error) => error.exit(),
            Self::NotTwo => Exit::Usage,
            Self::Refuted { .. } => Exit::Refuted,
        }
    }
}

/// Runs `misere present`.
///
/// # Errors
/// A [`Failure`] if no quotient of the game is proved infinite, a budget does not suffice, or
/// the computation fails.
pub fn run(args: &PresentArgs) -> Result<Exit, Failure> {
    args.out.check_writable()?;
    let picture = args.picture.as_deref();
    picture
        .filter(|file| !is_standard_output(file))
        .map_or(Ok(()), result_file::check_writable)?;
    let claim = claimed(args)?;
    let interrupt = Interrupt::default();
    let watch = Watch::start(
        format!("{}: presentation", args.code),
        &interrupt,
        args.guards,
    )?;
    let answer = decided(&claim, &interrupt)
        .and_then(|(heap, diagram)| answer(args, heap, &diagram, &interrupt));
    let by = watch.finish();
    let answer = answer.map_err(|failure| match failure {
        PresentError::Stopped(before) => stopped(by, &before).into(),
        failure => Failure::from(failure),
    });
    match answer? {
        Answer::Compared(comparison) if args.json => terminal::print_json(&comparison)?,
        Answer::Compared(comparison) => terminal::print(&text::compared(&comparison))?,
        Answer::Presented(document) => write_result(args, &*document, text::presented)?,
        Answer::Described(document) => write_regions(args, &document)?,
    }
    Ok(Exit::Done)
}

/// Writes the P-positions to the files requested, and prints them.
fn write_regions(args: &PresentArgs, document: &SemilinearDocument) -> Result<(), Failure> {
    let Some(file) = &args.picture else {
        return write_result(args, document, regions_text::described);
    };
    result_file::write(file, &regions_picture::picture(document))?;
    match is_standard_output(file) {
        false => write_result(args, document, regions_text::described),
        true => args.out.write(&terminal::json_line(document)?),
    }
}

/// Writes a document to the file requested, and prints it.
fn write_result<D: Serialize>(
    args: &PresentArgs,
    document: &D,
    text: impl Fn(&D, Page) -> String,
) -> Result<(), Failure> {
    let written = args.out.write(&terminal::json_line(document)?);
    if args.json || args.out.is_standard_output() {
        terminal::print_json(document)?;
    } else {
        terminal::print(&text(document, Page::of_stdout()))?;
    }
    written
}

/// Returns the greatest heap of the quotient, and the diagram that decides its positions.
fn decided(claim: &Claim, interrupt: &Interrupt) -> Result<(u32, DiagramFamily), PresentError> {
    let solution = match claim {
        Claim::Quotient { heaps, diagram, .. } => return Ok((*heaps, (**diagram).clone())),
        Claim::Game(solution) => solution,
    };
    let (Some(heap), Some(evidence)) = (solution.infinite_to(), &solution.evidence) else {
        return Err(not_infinite(solution));
    };
    let words = &mut Control::new(WORDS_FUEL, interrupt.clone());
    let extended = extend(&solution.code, evidence, heap, words);
    let evidence = extended.unwrap_or_else(|_| evidence.clone());
    Ok((heap, evidence.as_diagram()))
}

/// Returns the claim about the game, computed or read from a file, and checked.
fn claimed(args: &PresentArgs) -> Result<Claim, Failure> {
    let Some(file) = &args.certificate else {
        let limit = misere_engine::quotient::Limits::default().max_heap;
        let (code, budget) = (&args.code, args.budget);
        let computed = compute(code, limit, budget, Strategy::Exact, args.guards, None)?;
        if computed.solution.verdict == Verdict::Interrupted {
            let before = format!("a quotient of {code} was seen to be infinite");
            return Err(stopped(computed.stopped_by, &before).into());
        }
        return Ok(Claim::Game(Box::new(computed.solution)));
    };
    let claim = verify::checked_claim(file, args.guards)?;
    let code = match &claim {
        Claim::Game(solution) => &solution.code,
        Claim::Quotient { code, .. } => code,
    };
    match *code == args.code {
        true => Ok(claim),
        false => Err(PresentError::Unknown(format!(
            "`{}` is a certificate of {code}; give one of {}",
            file.display(),
            args.code
        ))
        .into()),
    }
}

/// Says why there is nothing to present, and what to do.
fn not_infinite(solution: &Solution) -> PresentError {
    let code = &solution.code;
    if let Some(heap) = solution.verdict.diverges_at() {
        PresentError::Unknown(format!(
            "the quotient of {code} to heap {heap} seems infinite, and no proof of that was found; \
             raise --evidence (and --fuel)"
        ))
    } else if solution.verdict.describes_all_heaps() {
        PresentError::Unknown(format!(
            "the quotients of {code} to each heap are finite; `misere solve '{code}'` shows their \
             presentation"
        ))
    } else if solution.verdict == Verdict::Interrupted {
        PresentError::Unknown(format!(
            "the computation of {code} was stopped before a quotient was seen to be infinite"
        ))
    } else {
        PresentError::OutOfBudget(format!(
            "an infinite quotient is presented, and none of {code} is known: its quotients to heap \
             {} are finite, and the computation ended there; `misere solve '{code}'` shows what is \
             known of them, and --fuel with a greater amount goes on",
            solution.heaps()
        ))
    }
}

enum Answer {
    Compared(Box<Comparison>),
    Presented(Box<PresentedDocument>),
    Described(Box<SemilinearDocument>),
}

fn answer(
    args: &PresentArgs,
    heap: u32,
    diagram: &DiagramFamily,
    interrupt: &Interrupt,
) -> Result<Answer, PresentError> {
    let failure = |flaw| failure(&args.code, flaw);
    let checker = &mut Control::new(u64::MAX, interrupt.clone());
    let whole = TotalEvidence::new(&args.code, heap, diagram, checker).map_err(failure)?;
    if let Some(positions) = &args.compare {
        let comparison = compare(args, heap, &whole, positions, checker)?;
        return Ok(Answer::Compared(Box::new(comparison)));
    }
    let finder = &mut Control::new(args.budget.fuel, interrupt.clone());
    if args.semilinear {
        let found = semilinear::find(&whole, finder);
        let found = found.map_err(|stop| failure(stop.into()))?;
        let regions = found.ok_or_else(|| {
            PresentError::Unknown(format!(
                "no linear conditions were found that say which positions of {} are P-positions; \
                 this does not prove that there are none",
                args.code
            ))
        })?;
        whole.check_regions(&regions, checker).map_err(failure)?;
        let document = regions::document(&args.code, heap, &whole, regions);
        return Ok(Answer::Described(Box::new(document)));
    }
    let found = find(&whole, args.degree, args.budget.fuel / SHARE, finder);
    let found = found.map_err(|stop| failure(stop.into()))?;
    whole.check(&found, checker).map_err(failure)?;
    let document = document(&args.code, heap, &whole, &found, args.words, checker);
    Ok(Answer::Presented(Box::new(document.map_err(failure)?)))
}

fn compare(
    args: &PresentArgs,
    heap: u32,
    whole: &TotalEvidence<'_>,
    positions: &[String],
    control: &mut Control,
) -> Result<Comparison, PresentError> {
    let failure = |flaw| failure(&args.code, flaw);
    let mut named = Vec::new();
    let mut counts = Vec::new();
    for text in positions {
        let position = position(&args.code, text)?;
        let live: Vec<(u32, u64)> = position.live(&args.code).heaps().collect();
        let heaps = whole.heaps();
        if let Some((silent, _)) = live.iter().find(|(heap, _)| !heaps.contains(heap)) {
            return Err(PresentError::Unknown(format!(
                "the proof that the quotient of {} to heap {heap} is infinite says nothing of heap \
                 {silent}; `misere present {}` lists the heaps it speaks of",
                args.code, args.code
            )));
        }
        counts.extend(whole.counts(live).map_err(failure)?);
        named.push(position.heaps().collect());
    }
    let (Ok(positions), [one, other]) = (<[_; 2]>::try_from(named), counts.as_slice()) else {
        return Err(PresentError::NotTwo);
    };
    let apart = whole.difference(one, other, control).map_err(failure)?;
    let letters = whole.letters().iter().copied();
    let sum = |counts: Vec<u64>| {
        letters
            .zip(counts)
            .filter(|&(_, count)| count > 0)
            .collect()
    };
    Ok(Comparison {
        schema: 1,
        code: args.code.clone(),
        convention: "misere",
        heaps: heap,
        spoken_of: whole.heaps(),
        positions,
        equal: apart.is_none(),
        apart: apart.map(sum),
    })
}

/// Converts a flaw reported by the checker to a failure.
fn failure(code: &Code, flaw: PresentationCheckError) -> PresentError {
    match flaw {
        PresentationCheckError::Evidence(FamilyCheckError::Unchecked(stop)) => match stop {
            misere_game::control::Stop::FuelSpent => PresentError::OutOfBudget(format!(
                "the fuel did not suffice to look at the words of one letter of {code}; raise --fuel"
            )),
            // The caller, which watches the computation, knows what stopped it.
            misere_game::control::Stop::Interrupted => {
                PresentError::Stopped(format!("the quotient of {code} was presented"))
            }
        },
        PresentationCheckError::Evidence(FamilyCheckError::TooLarge { .. })
        | PresentationCheckError::Silent { .. } => PresentError::Unknown(format!(
            "the quotient of {code} cannot be presented: {flaw}"
        )),
        _ => PresentError::Refuted {
            code: code.to_string(),
            flaw,
        },
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use misere_answers::certificates::presentation;

    use super::*;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        args: PresentArgs,
    }

    fn answered(words: &[&str]) -> Result<Answer, Failure> {
        let words = std::iter::once("present").chain(words.iter().copied());
        let args = Command::try_parse_from(words).unwrap().args;
        let interrupt = Interrupt::default();
        let (heap, diagram) = decided(&claimed(&args)?, &interrupt)?;
        Ok(answer(&args, heap, &diagram, &interrupt)?)
    }

    fn document(words: &[&str]) -> PresentedDocument {
        match answered(words) {
            Ok(Answer::Presented(document)) => *document,
            _ => panic!("{words:?} presents nothing"),
        }
    }

    /// Tests that a printed document passes the check of `misere verify`.
    ///
    /// A document with a changed relation does not.
    #[test]
    fn a_document_is_proved_again() {
        let right = document(&["0.005", "--words", "2"]);
        assert!(right.complete);
        assert_eq!((right.relations.len(), right.normal_words.len()), (9, 18));
        assert_eq!(right.hilbert, [1, 5, 12, 19, 23, 20, 16]);
        let checked = |document: &PresentedDocument| {
            let control = &mut Control::unlimited();
            presentation::check(document, &document.presentation().unwrap(), control)
        };
        assert_eq!(checked(&right), Ok(right.clone()));
        let mut wrong = right.clone();
        wrong.relations.pop();
        assert!(matches!(
            checked(&wrong),
            Err(PresentationCheckError::Missing { .. })
        ));
        let mut wrong = right.clone();
        wrong.hilbert.pop();
        assert_eq!(checked(&wrong), Ok(right));
    }

    #[test]
    fn words_that_were_not_examined_are_not_claimed() {
        let part = document(&["0.404", "--degree", "2"]);
        assert_eq!((part.complete, part.degree), (false, 2));
        assert_eq!((part.hilbert.len(), part.p_portion), (3, None));
    }

    #[test]
    fn positions_are_compared() {
        let compared =
            |one: &str, other: &str| match answered(&["0.31011", "--compare", one, other]) {
                Ok(Answer::Compared(comparison)) => (comparison.equal, comparison.apart),
                Err(failure) => panic!("{failure}"),
                Ok(_) => panic!("{one}, {other}: not compared"),
            };
        assert_eq!(compared("4^2 5^10", "5^8"), (true, None));
        assert_eq!(compared("4^2+5^8", "5^6").1, Some(vec![(2, 1), (4, 1)]));
        assert!(!compared("5^1000000000", "5^999999998").0);
        assert!(compared("1 1", "").0);
        for wrong in ["5^", "x", "5 = 4"] {
            assert!(answered(&["0.31011", "--compare", wrong, "4"]).is_err());
        }
    }

    #[test]
    fn a_finite_quotient_is_not_presented() {
        let failure = answered(&["0.123"]).err().unwrap();
        assert!(failure.to_string().contains("misere solve"), "{failure}");
    }
}
