//! `misere analyze`: the structure of a quotient.
//!
//! The command answers the first questions of semigroup theory about a quotient, as Plambeck's
//! paper of 2005 does for 0.123 and Kayles: idempotents, kernel, maximal subgroups, the principal
//! series with its Rees factors, the islands that are normal play. [`structure`] computes the
//! facts; [`sums`] examines the positions behind one or two elements.

mod normal_play;
mod pictures;
mod quotient;
mod structure;
mod sums;
mod text;

use std::path::PathBuf;
use std::time::Instant;

use misere_answers::identity::{Identity, identify};
use misere_game::bipartite::ClassKey;
use misere_game::control::{Control, Interrupt, Stop};
use serde::Serialize;

use crate::computation::Budget;
use crate::exit::{Exit, Failure};
use crate::known::DataArgs;
use crate::quotient_source::{QuotientSource, QuotientSourceError, Source};
use crate::terminal;
use crate::watch::{Guards, Watch, stopped};
use quotient::Quotient;
use structure::Structure;
use sums::{Distinction, ElementExplanation, Sums};

/// The greatest order of a quotient that is analysed.
const MAX_ORDER: usize = 10_000;

/// The greatest size of a class whose products are shown as a table.
const MAX_TABLE_ORDER: usize = 16;

/// The arguments of `misere analyze`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere analyze 0.123                           idempotents, kernel, principal
                                                 series, automorphisms
  misere analyze 0.77 --heap 9                   the partial quotient to heap 9
  misere analyze 0.123 --elements --tables       every element with its index,
                                                 period and products; the Rees
                                                 factors as tables
  misere analyze 0.123 --tell 3+3 h6             the least context that tells
                                                 two positions apart
  misere analyze 0.123 --why ad                  why the element ad is in P, by
                                                 the moves of a position with
                                                 this value
  misere analyze R_8 --tell 1 ac                 by name, and by words in its
                                                 generators
  misere analyze 'a^2=1, b^3=b ; P = {a, b^2}'   a presentation typed by hand;
                                                 docs/structure.md lists the
                                                 notations
  misere analyze kayles.json --json              the certificate of `misere
                                                 solve`
  misere analyze 1f00a3b2 --data census          a class of a census
  misere analyze 0.123 --svg pictures            the pictures as well: classes,
                                                 idempotents, Cayley graph,
                                                 pretending function

If the bipartite monoid given is not reduced, that is said, and its reduction is
analysed. Searches that may take long have a budget of their own; what they
leave open is said.

Exit codes: 0 done, 1 failed, 2 usage, 3 budget exhausted, 4 interrupted, 5 the
certificate is wrong.")]
pub struct AnalyzeArgs {
    /// A code, a file (JSON or presentation; `-`: standard input), a presentation with P-portion,
    /// or a class's name, label or key
    #[arg(value_name = "FILE|CODE|PRESENTATION|CLASS")]
    what: String,
    #[command(flatten)]
    data: DataArgs,
    /// Of a code or certificate: the partial quotient to this heap instead of the whole
    #[arg(long, value_name = "N")]
    heap: Option<u32>,
    /// Tell two elements apart by the least context: words (ab^2) or positions (3+3, h6)
    #[arg(long, num_args = 2, value_names = ["X", "Y"])]
    tell: Vec<String>,
    /// Say why an element is in P or not: a word (ab^2) or a position (3+3)
    #[arg(long, value_name = "X")]
    why: Option<String>,
    /// List every element too, with its outcome, index, period and products
    #[arg(long)]
    elements: bool,
    /// Print the Rees factors with at most 16 elements as tables too
    #[arg(long)]
    tables: bool,
    /// Write the pictures to this directory too, which is made if it is not there
    #[arg(long, value_name = "DIR")]
    svg: Option<PathBuf>,
    /// Print JSON; for a list one document a line
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    budget: Budget,
    #[command(flatten)]
    guards: Guards,
}

/// The analysis of a quotient.
#[derive(Debug, Serialize)]
struct Analysis {
    schema: u32,
    given: String,
    class: ClassKey,
    name: Option<String>,
    order: usize,
    p_size: usize,
    given_order: usize,
    reduced: bool,
    presentation: Presentation,
    pretending_function: Option<PretendingFunction>,
    #[serde(flatten)]
    structure: Structure,
    tell: Option<Distinction>,
    why: Option<ElementExplanation>,
}

/// A presentation on the generators as they were given.
#[derive(Debug, Serialize)]
struct Presentation {
    text: String,
    generators: Vec<String>,
    relations: Vec<String>,
    p_portion: Vec<String>,
}

/// The pretending function of a game, with values as words.
#[derive(Debug, Serialize)]
struct PretendingFunction {
    /// The value of each heap from 0 on.
    values: Vec<String>,
    period: Option<u32>,
    preperiod: Option<u32>,
}

/// Runs `misere analyze`.
///
/// # Errors
/// A [`Failure`] if nothing can be analysed, or the census cannot be read.
pub fn run(args: &AnalyzeArgs) -> Result<Exit, Failure> {
    let store = args.data.store()?;
    let source = Source {
        heap: args.heap,
        budget: args.budget,
        guards: args.guards,
        store: store.as_ref(),
        atlas: None,
        solves: true,
        // Statements about normal play and positions rest on the whole certificate.
        checks: true,
    };
    let started = Instant::now();
    let given = source.read(&args.what)?;
    if args.svg.is_some() && given.len() != 1 {
        return Err(QuotientSourceError::NotAQuotient(format!(
            "`{}` holds several quotients, and the pictures of one are written",
            args.what
        ))
        .into());
    }
    let interrupt = Interrupt::default();
    let what = "the structure".to_owned();
    let watch = Watch::since(started, what, &interrupt, args.guards)?;
    let mut control = Control::new(args.budget.fuel, interrupt);
    let mut is_interrupted = false;
    for given in &given {
        match one(args, given, &mut control) {
            Ok(()) => {}
            Err(AnalysisError::Failed(failure)) => return Err(failure),
            Err(AnalysisError::Stopped(Stop::FuelSpent)) => {
                return Err(QuotientSourceError::OutOfFuel("structure").into());
            }
            Err(AnalysisError::Stopped(Stop::Interrupted)) => {
                is_interrupted = true;
                break;
            }
        }
    }
    let by = watch.finish();
    match is_interrupted {
        true => Err(stopped(by, "the structure was known").into()),
        false => Ok(Exit::Done),
    }
}

/// The reason why an analysis has no result.
pub(crate) enum AnalysisError {
    /// The analysis failed.
    Failed(Failure),
    /// The computation was stopped.
    Stopped(Stop),
}

impl<E: Into<Failure>> From<E> for AnalysisError {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

impl From<Stop> for AnalysisError {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

/// Analyses one quotient, prints the result, and writes its pictures.
fn one(
    args: &AnalyzeArgs,
    given: &QuotientSource,
    control: &mut Control,
) -> Result<(), AnalysisError> {
    let monoid = given.monoid.as_ref().ok_or_else(|| {
        QuotientSourceError::Unknown(format!(
            "the census keeps no tables of {}; give a code that has it",
            given.title
        ))
    })?;
    let reduction = monoid.reduce_within(control)?;
    let order = reduction.monoid.order();
    if order > MAX_ORDER {
        return Err(QuotientSourceError::Unknown(format!(
            "{} has order {order}, and quotients to order {MAX_ORDER} are analysed; give a partial quotient with --heap",
            given.title
        ))
        .into());
    }
    let quotient = Quotient::new(given, &reduction, control)?;
    let identity = identify(monoid, control)?;
    let structure = structure::structure(&quotient, control)?;
    let (tell, why) = asked(args, &quotient, control)?;
    let analysis = analysis(given, &identity, &quotient, structure, tell, why);
    if args.json {
        terminal::print_json(&analysis)?;
    } else {
        terminal::print(&text::describe(&analysis, args))?;
    }
    if let Some(dir) = &args.svg {
        pictures::write(dir, &given.title, &quotient)?;
    }
    Ok(())
}

/// Answers the questions about two elements and about one.
fn asked(
    args: &AnalyzeArgs,
    quotient: &Quotient,
    control: &mut Control,
) -> Result<(Option<Distinction>, Option<ElementExplanation>), AnalysisError> {
    let tell = match args.tell.as_slice() {
        [one, other] => {
            let (one, other) = (quotient.named(one)?, quotient.named(other)?);
            // The context consists of heaps, or is a word if there is no game.
            Some(Sums::new(quotient, false, control)?.tell(&one, &other))
        }
        _ => None,
    };
    let why = match &args.why {
        Some(text) => {
            let named = quotient.named(text)?;
            Some(Sums::new(quotient, true, control)?.why(&named))
        }
        None => None,
    };
    Ok((tell, why))
}

fn analysis(
    given: &QuotientSource,
    identity: &Identity,
    quotient: &Quotient,
    structure: Structure,
    tell: Option<Distinction>,
    why: Option<ElementExplanation>,
) -> Analysis {
    Analysis {
        schema: 1,
        given: given.title.clone(),
        class: identity.class,
        name: identity.name.clone(),
        order: identity.order,
        p_size: identity.p_size,
        given_order: identity.given_order,
        reduced: identity.was_reduced,
        presentation: Presentation {
            text: quotient.presentation(),
            generators: quotient.names.clone(),
            relations: quotient.relations(),
            p_portion: quotient.p_portion(),
        },
        pretending_function: quotient.game.as_ref().map(|game| PretendingFunction {
            values: quotient.words_of(&game.values),
            period: game.repeats.map(|it| it.period),
            preperiod: game.repeats.map(|it| it.preperiod),
        }),
        structure,
        tell,
        why,
    }
}
