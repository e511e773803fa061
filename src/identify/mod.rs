//! `misere identify`: the class of a quotient, and where else it occurs.
//!
//! The argument is a bipartite monoid from any [source](crate::quotient_source); a census is needed
//! only to find where its class occurs.

mod census_lookup;
mod print;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use misere_algebra::classify::smallest::{in_papers_notation, smallest_games};
use misere_answers::identity::{Identity, identify};
use misere_answers::realized::{Realization, realized};
use misere_census::atlas::Atlas;
use misere_game::bipartite::{BipartiteMonoid, ClassKey};
use misere_game::control::{Control, Interrupt, Stop};

use crate::computation::Budget;
use crate::exit::{Exit, Failure};
use crate::known::{DataArgs, Store};
use crate::quotient_source::{Origin, QuotientSource, QuotientSourceError, Source};
use crate::terminal;
use crate::watch::{Guards, Watch, stopped};
use census_lookup::CensusLookup;
#[cfg(feature = "census")]
pub use census_lookup::occurrences;

/// The arguments of `misere identify`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere identify 0.241 --data census       its quotient: the class, and all
                                            games of the census that have it
  misere identify 0.241                     without a census: the game is solved
                                            first
  misere identify 0.77 --heap 9             the partial quotient to heap 9
  misere identify kayles.json               the certificate of `misere solve`;
                                            or a list of `misere classify`
  misere identify '<a,b,c | a^2=1, b^3=b, bc=ab, c^2=b^2>  P = {a, b^2}'
  misere identify '\\langle a \\mid a^{2}=1 \\rangle P=\\{a\\}'
      LaTeX as well; docs/query.md lists what is understood
  misere identify R_8 --data census         by name
  misere identify R_12 --atlas atlas.json   the least games of some censuses
                                            that have it, or that none has
  misere identify 1f00a3b2 --data census    by the first digits of a class's key
  echo '⟨a | a² = 1⟩ P = {a}' | misere identify -

If the bipartite monoid given is not reduced, that is said, and its reduction is
named. Whether it is the misère quotient of any games is said where that is
known: met by the census, known by name, or decided by a search (orders to 32).

Exit codes: 0 done, 1 failed, 2 usage, 3 budget exhausted, 4 interrupted.")]
pub struct IdentifyArgs {
    /// A code, a file (JSON or presentation; `-`: standard input), a presentation with P-portion,
    /// or a class's name, label or key
    #[arg(value_name = "FILE|CODE|PRESENTATION|CLASS")]
    what: String,
    #[command(flatten)]
    data: DataArgs,
    /// An atlas (`misere report atlas --json`): also name the least games with the quotient
    #[arg(long, value_name = "FILE")]
    atlas: Option<PathBuf>,
    /// Of a code or certificate: the partial quotient to this heap instead of the whole
    #[arg(long, value_name = "N")]
    heap: Option<u32>,
    /// List at most N games
    #[arg(short = 'n', long, value_name = "N", default_value_t = 50)]
    limit: usize,
    /// Also look for a small finite game with this quotient (orders to 32; seconds)
    #[arg(long)]
    finite: bool,
    /// Print the whole key
    #[arg(long, conflicts_with = "json")]
    full: bool,
    /// Print JSON; for a list one document a line
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    budget: Budget,
    #[command(flatten)]
    guards: Guards,
}

/// The findings about one quotient.
struct Answer {
    given: QuotientSource,
    identity: Option<Identity>,
    realized: Option<Realization>,
    class: ClassKey,
    census: Option<CensusLookup>,
    smallest_finite: Finite,
    /// The atlas that was searched.
    atlas: Option<Arc<Atlas>>,
}

impl Answer {
    /// Returns the order, if it is known.
    fn order(&self) -> Option<usize> {
        self.identity.as_ref().map(|identity| identity.order)
    }
}

/// The result of the search for a small finite game with the quotient.
enum Finite {
    /// The search was not requested.
    NotAsked,
    /// The smallest found, in the papers' notation.
    Found(String),
    /// None of the games tried has it.
    NoneFound,
    /// No search was made: the order is too large.
    TooLarge(usize),
    /// No search was made: the census has only the class of the quotient.
    NoTables,
}

/// The greatest order for which finite games are searched.
const MAX_FOR_FINITE: usize = 32;

/// Runs `misere identify`.
///
/// # Errors
/// A [`Failure`] if nothing can be identified, or the census cannot be read.
pub fn run(args: &IdentifyArgs) -> Result<Exit, Failure> {
    let atlas = args.atlas.as_deref().map(Atlas::read).transpose()?;
    let store = args.data.store()?;
    answer(&Question {
        what: &args.what,
        heap: args.heap,
        store: store.as_ref(),
        atlas: atlas.map(Arc::new),
        finite: args.finite,
        limit: args.limit,
        full: args.full,
        json: args.json,
        budget: args.budget,
        guards: args.guards,
    })
}

/// A question about a quotient.
#[derive(Default)]
pub struct Question<'a> {
    /// The text that names the quotient.
    pub what: &'a str,
    /// The heap of the partial quotient, if that is wanted.
    pub heap: Option<u32>,
    /// The census in which the class is looked up.
    pub store: Option<&'a Store>,
    /// The atlas in which the class is looked up.
    pub atlas: Option<Arc<Atlas>>,
    /// Whether a small finite game with the quotient is looked for.
    pub finite: bool,
    /// The greatest number of games listed.
    pub limit: usize,
    /// Whether the whole key of the class is printed.
    pub full: bool,
    /// Whether the answer is printed as JSON.
    pub json: bool,
    /// The budget for solving a game.
    pub budget: Budget,
    /// The guards that protect the machine.
    pub guards: Guards,
}

/// Prints the answer to a question.
///
/// # Errors
/// As [`run`].
pub fn answer(asked: &Question<'_>) -> Result<Exit, Failure> {
    let source = Source {
        heap: asked.heap,
        budget: asked.budget,
        guards: asked.guards,
        store: asked.store,
        atlas: asked.atlas.as_deref(),
        solves: true,
        checks: false,
    };
    let started = Instant::now();
    let given = source.read(asked.what)?;
    let interrupt = Interrupt::default();
    let what = "naming the class".to_owned();
    let watch = Watch::since(started, what, &interrupt, asked.guards)?;
    let mut control = Control::new(asked.budget.fuel, interrupt);
    let mut stop = None;
    for given in given {
        match name(asked, given, &mut control)? {
            Ok(answer) if asked.json => terminal::print_json(&print::document(&answer))?,
            Ok(answer) => terminal::print(&print::text(&answer, asked.full))?,
            Err(by) => {
                stop = Some(by);
                break;
            }
        }
    }
    let by = watch.finish();
    match stop {
        None => Ok(Exit::Done),
        Some(Stop::Interrupted) => Err(stopped(by, "the class was known").into()),
        Some(Stop::FuelSpent) => Err(QuotientSourceError::OutOfFuel("class").into()),
    }
}

fn name(
    asked: &Question<'_>,
    given: QuotientSource,
    control: &mut Control,
) -> Result<Result<Answer, Stop>, Failure> {
    let store = asked.store;
    let identity = given
        .monoid
        .as_ref()
        .map(|monoid| identify(monoid, control));
    let identity = match identity.transpose() {
        Ok(identity) => identity,
        Err(stop) => return Ok(Err(stop)),
    };
    let class = match (&identity, given.class) {
        (Some(identity), _) => identity.class,
        (None, Some(class)) => class,
        (None, None) => {
            return Err(QuotientSourceError::Unknown("there is nothing to name".to_owned()).into());
        }
    };
    let order = identity.as_ref().map(|identity| identity.order);
    let census = store.map(|store| CensusLookup::new(store, &class, order, asked.limit));
    let census = census.transpose()?;
    let of_games = match &given.origin {
        // The quotient of a game that was solved, or that is in the census, needs no proof that
        // games have it.
        Origin::Computed(_) | Origin::Census => None,
        Origin::Given | Origin::Named(_) => identity.as_ref(),
    };
    let known = census.as_ref().and_then(CensusLookup::smallest);
    let realized = of_games.map(|identity| realized(identity, known, control));
    let realized = match realized.transpose() {
        Ok(realized) => realized,
        Err(stop) => return Ok(Err(stop)),
    };
    let smallest_finite = match &identity {
        _ if !asked.finite => Ok(Finite::NotAsked),
        Some(identity) => smallest_finite(identity, control),
        None => Ok(Finite::NoTables),
    };
    let smallest_finite = match smallest_finite {
        Ok(finite) => finite,
        Err(stop) => return Ok(Err(stop)),
    };
    Ok(Ok(Answer {
        given,
        identity,
        realized,
        class,
        census,
        smallest_finite,
        atlas: asked.atlas.clone(),
    }))
}

fn smallest_finite(identity: &Identity, control: &mut Control) -> Result<Finite, Stop> {
    if let Some(nimber) = nimber(&identity.reduced) {
        return Ok(Finite::Found(nimber));
    }
    if identity.order > MAX_FOR_FINITE {
        return Ok(Finite::TooLarge(identity.order));
    }
    let games = smallest_games(identity.order, control)?;
    let found = games.get(&identity.class).map(in_papers_notation);
    Ok(found.map_or(Finite::NoneFound, Finite::Found))
}

/// Returns the nimber whose quotient is the given tame one.
///
/// It is `*2^(n-1)` for `T_n`, as its followers are the smaller nimbers.
fn nimber(monoid: &BipartiteMonoid) -> Option<String> {
    let name = monoid.known_name()?;
    let n: u32 = name.strip_prefix("T_")?.parse().ok()?;
    Some(match n {
        0 => "0".to_owned(),
        1 => "*".to_owned(),
        n => format!("*{}", 1_u64 << (n - 1)),
    })
}
