//! The bipartite monoid named on the command line.
//!
//! [`misere_query::naming`] parses the text, for all commands alike; this module fetches the
//! quotient itself: from a census, from a file, by solving a game, or by completing a presentation.

mod class;
mod file;
mod p_portion;

use std::path::Path;

use misere_answers::identity::{MAX_PRESENTED, PRESENTED};
use misere_census::atlas::{Atlas, AtlasError};
use misere_engine::quotient::Limits;
use misere_game::bipartite::families::by_name;
use misere_game::bipartite::{BipartiteMonoid, ClassKey, Element};
use misere_game::control::{Control, Interrupt, Stop};
use misere_game::monoid::finitely_presented::PresentationError;
use misere_game::monoid::readable::WrittenPresentation;
use misere_game::ruleset::Code;
use misere_game::solution::{NimPeriod, Solution, Verdict};
use misere_query::ClassPattern;
use misere_query::naming::{NamingError, Reading, readings};

use crate::computation::{Budget, CheckedSolution, Strategy, compute};
use crate::exit::{CommandError, Exit, Failure};
use crate::known::{Store, in_census};
use crate::read_error::ReadError;
use crate::rules_file;
use crate::watch::{Guards, StoppedError, Watch, stopped};

/// The reason why a quotient is not found or not analysed.
#[derive(Debug, thiserror::Error)]
pub enum QuotientSourceError {
    /// The text given does not describe or name a bipartite monoid.
    #[error("{0}")]
    NotAQuotient(String),
    /// The quotient is outside the known part of the game or of the census.
    #[error("{0}")]
    Unknown(String),
    /// The fuel was spent before something was known.
    #[error("the fuel was spent before the {0} was known; give more with --fuel")]
    OutOfFuel(&'static str),
}

impl CommandError for QuotientSourceError {
    fn exit(&self) -> Exit {
        match self {
            Self::NotAQuotient(_) | Self::Unknown(_) => Exit::Failed,
            Self::OutOfFuel(_) => Exit::Exhausted,
        }
    }
}

impl CommandError for AtlasError {}

/// A quotient to be identified.
#[derive(Debug)]
pub struct QuotientSource {
    /// The name of the quotient in words.
    pub title: String,
    /// The bipartite monoid, if it is available.
    pub monoid: Option<BipartiteMonoid>,
    /// Its class, if only the class is known.
    pub class: Option<ClassKey>,
    /// The heap whose value each generator is, if it is the quotient of a game.
    pub heaps: Vec<u32>,
    /// The game whose quotient it is, if it is the quotient of a game.
    pub of: Option<OfGame>,
    /// The name of each generator in the text that the user wrote.
    pub names: Vec<String>,
    /// The origin of the quotient.
    pub origin: Origin,
}

/// The game whose quotient, or partial quotient, a monoid is.
#[derive(Debug)]
pub struct OfGame {
    /// The game.
    pub code: Code,
    /// The greatest of the game's heaps.
    pub heaps: u32,
    /// Whether it is the quotient of the whole game.
    pub is_whole: bool,
    /// The value of each heap from 0 on, as far as they are listed.
    pub values: Vec<Element>,
    /// The period of the values, and the heap from which on they repeat.
    ///
    /// It is `None` unless the values of all heaps are known.
    pub repeats: Option<NimPeriod>,
}

/// The origin of a quotient.
#[derive(Debug)]
pub enum Origin {
    /// From the census.
    Census,
    /// From a game that was solved.
    Computed(Box<CheckedSolution>),
    /// From a file, or from typed text: nothing vouches for it.
    Given,
    /// From the literature, by its name.
    Named(String),
}

impl QuotientSource {
    fn of_class(pattern: &ClassPattern, class: ClassKey, monoid: Option<BipartiteMonoid>) -> Self {
        Self {
            title: format!("the class {pattern}"),
            monoid,
            class: Some(class),
            heaps: Vec::new(),
            of: None,
            names: Vec::new(),
            origin: Origin::Census,
        }
    }

    fn of(title: impl Into<String>, monoid: BipartiteMonoid, origin: Origin) -> Self {
        Self {
            title: title.into(),
            monoid: Some(monoid),
            class: None,
            heaps: Vec::new(),
            of: None,
            names: Vec::new(),
            origin,
        }
    }
}

/// The sources in which quotients are searched for.
pub struct Source<'a> {
    /// The heap of the partial quotient, if that is wanted.
    pub heap: Option<u32>,
    /// The budget for solving a game.
    pub budget: Budget,
    /// The guards that protect the machine while a game is solved.
    pub guards: Guards,
    /// A census that may have the quotient.
    pub store: Option<&'a Store>,
    /// An atlas, for the key of a class that is in no census given.
    pub atlas: Option<&'a Atlas>,
    /// Whether a game that the census does not have is solved.
    pub solves: bool,
    /// Whether a certificate is checked.
    ///
    /// The check is needed for statements on its game, and not for statements on its tables alone.
    pub checks: bool,
}

/// Checks the syntax of a text that names something, for `clap`.
///
/// Whether the thing exists is found out later.
///
/// # Errors
/// A description of what is wrong with it.
pub fn nameable(text: &str) -> Result<String, String> {
    if text != "-" && !text.starts_with('@') && !Path::new(text).is_file() {
        readings(text).map_err(|error| error.to_string())?;
    }
    Ok(text.to_owned())
}

impl Source<'_> {
    /// Returns the quotients that a text, or the file of that name, denotes.
    ///
    /// # Errors
    /// A [`Failure`] that says what is wrong with it.
    pub fn read(&self, what: &str) -> Result<Vec<QuotientSource>, Failure> {
        if what.starts_with('@') {
            let code = rules_file::game(what).map_err(QuotientSourceError::NotAQuotient)?;
            return Ok(vec![self.of_code(&code)?]);
        }
        if what == "-" || Path::new(what).is_file() {
            let text = file::read(what)?;
            return self.of_text(what, text.trim());
        }
        let found = match readings(what) {
            Ok(found) => found,
            Err(NamingError::Nothing { .. })
                if what.contains(['/', '\\']) || what.ends_with(".json") =>
            {
                let none = std::io::ErrorKind::NotFound;
                let cause = std::io::Error::new(none, "there is no such file");
                return Err(ReadError::new(what, cause).into());
            }
            Err(NamingError::Presentation(error)) => return Err(self.no_p_portion(what, &error)),
            Err(error) => return Err(QuotientSourceError::NotAQuotient(error.to_string()).into()),
        };
        let others = found.others(what);
        let Some(first) = found.exact.into_iter().next() else {
            let others = others.unwrap_or_default();
            return Err(QuotientSourceError::NotAQuotient(format!(
                "`{what}` can be read as {others}; write which is meant"
            ))
            .into());
        };
        if let Some(others) = others {
            let taken = match &first {
                Reading::Game(code) => format!("the game {code}"),
                _ => format!("a class whose key begins with {what}"),
            };
            notice!("note: `{what}` is taken for {taken}; it could also be {others}");
        }
        match first {
            Reading::Game(code) => Ok(vec![self.of_code(&code)?]),
            Reading::Quotient(name) => {
                self.without_heap(&name)?;
                let monoid = by_name(&name)
                    .map_err(|error| QuotientSourceError::NotAQuotient(error.to_string()))?;
                let origin = Origin::Named(name.clone());
                Ok(vec![QuotientSource::of(name, monoid, origin)])
            }
            Reading::Class(pattern) => {
                self.without_heap(&format!("the class {pattern}"))?;
                Ok(vec![class::look_up(&pattern, (self.store, self.atlas))?])
            }
            Reading::Presentation(written) => {
                Ok(vec![self.presented(PRESENTED, &written)?])
            }
            Reading::Pattern(pattern) => match what.parse::<Code>() {
                // A code that repeats for ever, as 0.[3], looks like a class of digits.
                Ok(code) => Ok(vec![self.of_code(&code)?]),
                Err(_) => Err(QuotientSourceError::NotAQuotient(format!(
                    "`{pattern}` stands for several games; `misere query --code '{pattern}'` lists those of a census"
                )).into()),
            },
        }
    }

    /// Refuses `--heap` for anything without heaps.
    fn without_heap(&self, what: &str) -> Result<(), QuotientSourceError> {
        match self.heap {
            None => Ok(()),
            Some(_) => Err(QuotientSourceError::NotAQuotient(format!(
                "--heap asks for a partial quotient of a game, and {what} is not a game; leave it out"
            ))),
        }
    }

    fn presented(
        &self,
        title: &str,
        written: &WrittenPresentation,
    ) -> Result<QuotientSource, Failure> {
        self.without_heap(title)?;
        let monoid = self.watched(PRESENTED, |control| {
            written.bipartite_monoid_within(MAX_PRESENTED, control)
        })?;
        let monoid = match monoid {
            Ok(monoid) => monoid,
            Err(PresentationError::Stopped(_)) => return Err(self.out_of_fuel()),
            Err(error) => return Err(QuotientSourceError::NotAQuotient(error.to_string()).into()),
        };
        Ok(QuotientSource {
            names: written.presentation.generators().to_vec(),
            ..QuotientSource::of(title, monoid, Origin::Given)
        })
    }

    /// Returns the result of work that stops when a guard or a signal asks for it.
    fn watched<T>(&self, what: &str, work: impl FnOnce(&mut Control) -> T) -> Result<T, Failure> {
        let interrupt = Interrupt::default();
        let watch = Watch::start(what.to_owned(), &interrupt, self.guards)?;
        let done = work(&mut Control::new(self.budget.fuel, interrupt));
        match watch.finish() {
            None => Ok(done),
            by => Err(stopped(by, &format!("{what} was known")).into()),
        }
    }

    /// Returns the failure of work that ran out of fuel.
    fn out_of_fuel(&self) -> Failure {
        QuotientSourceError::OutOfFuel("quotient").into()
    }

    /// Returns the quotient of a game: by its certificate in the census, or else by solving it.
    fn of_code(&self, code: &Code) -> Result<QuotientSource, Failure> {
        if let Some(store) = self.store
            && let Some(solution) = in_census(store, code)?
            && self
                .heap
                .is_none_or(|heap| heap <= solution.heaps() || solution.verdict.is_periodic())
        {
            return self.of_solution(&solution, Origin::Census);
        }
        if !self.solves {
            return Err(QuotientSourceError::Unknown(format!(
                "the census holds no result for {code}; leave out --data to have it solved"
            ))
            .into());
        }
        let max_heap = self.heap.unwrap_or(Limits::default().max_heap);
        let computed = compute(
            code,
            max_heap,
            self.budget,
            Strategy::default(),
            self.guards,
            None,
        )?;
        let solution = &computed.solution;
        let known = solution.heaps();
        if solution.verdict == Verdict::Interrupted {
            return Err(StoppedError(format!(
                "stopped while {code} was being solved, at heap {known}"
            ))
            .into());
        }
        let beyond = self.heap.filter(|&heap| heap > known);
        if let Some(heap) = beyond.filter(|_| !solution.verdict.is_periodic()) {
            let why = if let Some(heap) = solution.verdict.tame_from() {
                format!(
                    ": the game is tame relative to heap {heap}, so that misère play is normal \
                     play from there on, and only the partial quotients to heap {known} are \
                     computed; ask for --heap {known}"
                )
            } else if let Some(heap) = solution.verdict.diverges_at() {
                format!(": the game diverges at heap {heap}; ask for --heap {known}")
            } else {
                format!("; that to heap {known} is. Raise --fuel, or ask for --heap {known}")
            };
            return Err(QuotientSourceError::Unknown(format!(
                "the partial quotient of {code} to heap {heap} is not known{why}"
            ))
            .into());
        }
        let solution = computed.solution.clone();
        self.of_solution(&solution, Origin::Computed(Box::new(computed)))
    }

    fn of_solution(&self, solution: &Solution, origin: Origin) -> Result<QuotientSource, Failure> {
        let code = &solution.code;
        let is_whole = solution.verdict.is_periodic();
        let whole = if is_whole {
            format!("the quotient of {code}")
        } else {
            format!(
                "the partial quotient of {code} to heap {}",
                solution.heaps()
            )
        };
        let whole = match self.heap {
            // Beyond the computed heaps a solved game has no new values.
            Some(heap) if heap > solution.heaps() => {
                format!("the partial quotient of {code} to heap {heap}, which is {whole}")
            }
            _ => whole,
        };
        let Some(heap) = self.heap.filter(|&heap| heap < solution.heaps()) else {
            return Ok(QuotientSource {
                heaps: solution.generator_heaps.clone(),
                of: Some(OfGame {
                    code: code.clone(),
                    heaps: solution.heaps(),
                    is_whole,
                    values: solution.phi.clone(),
                    repeats: (solution.verdict.period())
                        .map(|(period, preperiod)| NimPeriod { period, preperiod }),
                }),
                ..QuotientSource::of(whole, solution.quotient.clone(), origin)
            });
        };
        let part = self.watched("the partial quotient", |control| {
            partial_quotient(solution, heap, control)
        })?;
        let (monoid, heaps, values) = part.map_err(|_| self.out_of_fuel())?;
        Ok(QuotientSource {
            heaps,
            of: Some(OfGame {
                code: code.clone(),
                heaps: heap,
                is_whole: false,
                values,
                repeats: None,
            }),
            ..QuotientSource::of(
                format!("the partial quotient of {code} to heap {heap}"),
                monoid,
                origin,
            )
        })
    }
}

/// Returns the partial quotient to `heap` of a game that is known further.
///
/// It is the submonoid that the values of the heaps generate, reduced. The result has the heap of
/// each generator, and the value of each heap.
///
/// # Errors
/// [`Stop`] if `control` ends it.
fn partial_quotient(
    solution: &Solution,
    heap: u32,
    control: &mut Control,
) -> Result<(BipartiteMonoid, Vec<u32>, Vec<Element>), Stop> {
    let end = solution.phi.len().min(heap as usize + 1);
    let part = solution.quotient.generated_by(&solution.phi[..end]);
    // Entry n of the pretending function belongs to heap n.
    let heaps = part.generators.iter().map(|&heap| heap as u32).collect();
    let reduction = part.monoid.reduce_within(control)?;
    let mut value = vec![0; solution.quotient.order()];
    for (&x, &y) in part.embedding.iter().zip(&reduction.map) {
        value[x as usize] = y;
    }
    let values = solution.phi[..end].iter().map(|&x| value[x as usize]);
    Ok((reduction.monoid, heaps, values.collect()))
}
