//! The bipartite monoid named on the command line.
//!
//! [`misere_query::naming`] parses the text, for all commands alike; this module fetches the
//! quotient itself: from a census, from a file, by solving a game, or by completing a presentation.

use std::path::Path;

use misere_algebra::classify::p_portions::{PPortions, p_portions};
use misere_answers::identity::{MAX_PRESENTED, PRESENTED};
use misere_census::atlas::Atlas;
use misere_census::input_file;
use misere_check::{CheckError, check_within};
use misere_game::bipartite::families::by_name;
use misere_game::bipartite::{BipartiteMonoid, ClassKey, Element};
use misere_game::control::{Control, Interrupt, Stop};
use misere_game::monoid::finitely_presented::{FinitePresentation, PresentationError};
use misere_game::monoid::notation::{NotationError, looks_like_a_presentation};
use misere_game::monoid::readable::{PresentationInput, WrittenPresentation};
use misere_game::monoid::word::lex_least_words;
use misere_game::ruleset::Code;
use misere_game::solution::construction::ClassificationDocument;
use misere_game::solution::{Document, NimPeriod, Solution, Verdict};
use misere_query::ClassPattern;
use misere_query::naming::{NamingError, Reading, readings};
use misere_store::Store;
use serde::Deserialize;
use serde_json::Value;

use misere_engine::quotient::Limits;

use super::{IdentifyError, class};
use crate::computation::{Budget, CheckedSolution, Strategy, compute};
use crate::exit::{Exit, Failure};
use crate::known::in_census;
use crate::read_error::ReadError;
use crate::rules_file;
use crate::verify::CertificateError;
use crate::watch::{Guards, StoppedError, Watch, stopped};

/// The fuel for trying the subsets of a monoid that is given without a P-portion.
const P_PORTIONS_FUEL: u64 = 10_000_000;

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
    pub(super) fn of_class(
        pattern: &ClassPattern,
        class: ClassKey,
        monoid: Option<BipartiteMonoid>,
    ) -> Self {
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

/// A quotient given by its tables alone.
#[derive(Deserialize)]
struct Tables {
    order: usize,
    action: Vec<Vec<Element>>,
    p_portion: Vec<Element>,
}

impl Source<'_> {
    /// Returns the quotients that a text, or the file of that name, denotes.
    ///
    /// # Errors
    /// A [`Failure`] that says what is wrong with it.
    pub fn read(&self, what: &str) -> Result<Vec<QuotientSource>, Failure> {
        if what.starts_with('@') {
            let code = rules_file::game(what).map_err(IdentifyError::NotAQuotient)?;
            return Ok(vec![self.of_code(&code)?]);
        }
        if what == "-" || Path::new(what).is_file() {
            let text = read_file(what)?;
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
            Err(error) => return Err(IdentifyError::NotAQuotient(error.to_string()).into()),
        };
        let others = found.others(what);
        let Some(first) = found.exact.into_iter().next() else {
            let others = others.unwrap_or_default();
            return Err(IdentifyError::NotAQuotient(format!(
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
                    .map_err(|error| IdentifyError::NotAQuotient(error.to_string()))?;
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
                Err(_) => Err(IdentifyError::NotAQuotient(format!(
                    "`{pattern}` stands for several games; `misere query --code '{pattern}'` lists those of a census"
                )).into()),
            },
        }
    }

    /// Refuses `--heap` for anything without heaps.
    fn without_heap(&self, what: &str) -> Result<(), IdentifyError> {
        match self.heap {
            None => Ok(()),
            Some(_) => Err(IdentifyError::NotAQuotient(format!(
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
            Err(error) => return Err(IdentifyError::NotAQuotient(error.to_string()).into()),
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
        IdentifyError::OutOfFuel("quotient").into()
    }

    fn of_text(&self, file: &str, text: &str) -> Result<Vec<QuotientSource>, Failure> {
        let bad = |why: String| IdentifyError::NotAQuotient(format!("`{file}` {why}"));
        let is_json = text.starts_with(['{', '[']) && serde_json::from_str::<Value>(text).is_ok();
        if !is_json && looks_like_a_presentation(text) {
            let written: WrittenPresentation = text.parse().map_err(|error| match text
                .parse::<PresentationInput>(
            ) {
                Ok(PresentationInput {
                    p_portion: None, ..
                }) => self.no_p_portion(text, &error),
                _ => bad(format!("holds no presentation: {error}")).into(),
            })?;
            return Ok(vec![self.presented(file, &written)?]);
        }
        if !is_json {
            // The file holds a game.
            return match text.parse::<Code>() {
                Ok(code) => Ok(vec![self.of_code(&code)?]),
                Err(error) => Err(bad(format!(
                    "is neither JSON nor a presentation ⟨… | …⟩ P = {{…}}; and as a code: {error}"
                ))
                .into()),
            };
        }
        let value: Value = serde_json::from_str(text)?;
        if value.get("quotients").is_some() {
            self.without_heap(&format!("`{file}`"))?;
            let list: ClassificationDocument = serde_json::from_value(value)
                .map_err(|error| bad(format!("is not a list of quotients: {error}")))?;
            let items = list.quotients.into_iter().zip(1_usize..);
            return items
                .map(|(item, number)| {
                    let title = format!("{file}, quotient {number}");
                    let construction = item
                        .to_construction()
                        .map_err(|error| bad(format!("lists no quotient at {number}: {error}")))?;
                    Ok(QuotientSource::of(
                        title,
                        construction.quotient,
                        Origin::Given,
                    ))
                })
                .collect();
        }
        if value.get("phi").is_some() {
            let document: Document = serde_json::from_value(value)
                .map_err(|error| bad(format!("is not a certificate: {error}")))?;
            let solution = document
                .into_solution()
                .map_err(|error| bad(format!("is not a certificate: {error}")))?;
            if self.checks {
                self.check(file, &solution)?;
            }
            return Ok(vec![self.of_solution(&solution, Origin::Given)?]);
        }
        self.without_heap(&format!("`{file}`"))?;
        let tables = value.get("quotient").unwrap_or(&value);
        let tables: Tables = Tables::deserialize(tables).map_err(|error| {
            bad(format!(
                "is not a quotient (order, action, p_portion): {error}"
            ))
        })?;
        let monoid = BipartiteMonoid::new(tables.order, tables.action, tables.p_portion)
            .map_err(|error| bad(format!("is not a bipartite monoid: {error}")))?;
        Ok(vec![QuotientSource::of(file, monoid, Origin::Given)])
    }

    /// Checks the claim of a certificate.
    fn check(&self, file: &str, solution: &Solution) -> Result<(), Failure> {
        let interrupt = Interrupt::default();
        let watch = Watch::start(format!("checking {file}"), &interrupt, self.guards)?;
        let checked = check_within(solution, &mut Control::new(u64::MAX, interrupt));
        watch.finish();
        checked.map_err(|flaw| CertificateError {
            file: file.to_owned(),
            exit: match flaw {
                CheckError::Unchecked(_) => Exit::Interrupted,
                _ => Exit::Refuted,
            },
            reason: format!("is refuted: {flaw}"),
        })?;
        Ok(())
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
            return Err(IdentifyError::Unknown(format!(
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
            return Err(IdentifyError::Unknown(format!(
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

impl Source<'_> {
    /// Returns the failure for an unusable presentation.
    ///
    /// If only the P-portion is missing, it lists the P-portions that would do; otherwise it has
    /// `error`.
    fn no_p_portion(&self, text: &str, error: &NotationError) -> Failure {
        let what = "the monoid presented";
        let why = self.watched(what, |control| no_p_portion(text, error, control));
        match why {
            Ok(Ok(why)) => IdentifyError::NotAQuotient(why).into(),
            Ok(Err(_)) => self.out_of_fuel(),
            Err(failure) => failure,
        }
    }
}

/// Describes the fault of a presentation without a P-portion.
///
/// If only the P-portion is missing, it lists those that would do; otherwise it has `error`.
///
/// # Errors
/// [`Stop`] if `control` ends it.
fn no_p_portion(text: &str, error: &NotationError, control: &mut Control) -> Result<String, Stop> {
    let typed: PresentationInput = match text.parse() {
        Ok(PresentationInput {
            presentation,
            p_portion: None,
        }) => PresentationInput {
            presentation,
            p_portion: None,
        },
        _ => return Ok(error.to_string()),
    };
    let presentation = typed.presentation;
    let monoid = match presentation.bipartite_monoid_within(&[], MAX_PRESENTED, control) {
        Ok(monoid) => monoid,
        Err(PresentationError::Stopped(stop)) => return Err(stop),
        Err(error) => return Ok(format!("{error}; besides, the P-portion is missing")),
    };
    let order = monoid.order();
    let found = control.within(P_PORTIONS_FUEL, |part| p_portions(&monoid, part));
    let choice = match found {
        Ok(Some(found)) => p_portions_in_words(&monoid, &presentation, &found),
        Ok(None) => format!("the monoid has {order} elements, too many to try all subsets"),
        Err(_) => format!("the monoid has {order} elements, and not all subsets could be tried"),
    };
    Ok(format!(
        "the P-portion is missing; write behind the presentation which elements are in P, as `P = {{a, b^2}}`: {choice}"
    ))
}

fn p_portions_in_words(
    monoid: &BipartiteMonoid,
    presentation: &FinitePresentation,
    found: &PPortions,
) -> String {
    /// The limit on the P-portions listed.
    const LISTED: usize = 6;
    let words = lex_least_words(monoid);
    let sets = found.quotients.iter().take(LISTED).map(|p_portion| {
        let words = p_portion
            .iter()
            .map(|&x| words[x as usize].with_names(presentation.generators()));
        format!("P = {{{}}}", words.collect::<Vec<_>>().join(", "))
    });
    let sets: Vec<String> = sets.collect();
    let of_them = match found.quotients.len() {
        0 => "and none of these is a misère quotient".to_owned(),
        1 => format!("and one of these is a misère quotient: {}", sets.join("")),
        number => format!(
            "and {number} of these, no two isomorphic, are misère quotients: {}{}",
            sets.join("; "),
            if number > LISTED { "; …" } else { "" }
        ),
    };
    format!(
        "the monoid has {} elements, {} of its subsets make it a reduced bipartite monoid, {of_them}",
        monoid.order(),
        found.reduced
    )
}

/// Returns the partial quotient to `heap` of a game that is known further.
///
/// It is the submonoid that the values of the heaps generate, reduced. The result has the heap of
/// each generator, and the value of each heap.
///
/// # Errors
/// [`Stop`] if `control` ends it.
pub(super) fn partial_quotient(
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

fn read_file(file: &str) -> Result<String, ReadError> {
    let read = if file == "-" {
        input_file::text_of(std::io::stdin().lock(), input_file::LARGE)
    } else {
        input_file::read_text(Path::new(file), input_file::LARGE)
    };
    read.map_err(|cause| ReadError::new(file, cause))
}
