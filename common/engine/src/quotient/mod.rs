//! The engine: finds the misère quotient of a game.
//!
//! The engine extends the misère quotient of a heap game heap by heap until its pretending function
//! is proved periodic, the next partial quotient seems infinite, or a limit is reached.
//!
//! - `rho`: rho diagrams, which represent sets of positions exactly
//! - `kernel`: the exact outcome function of finitely many heaps and its quotient
//! - `products`, `deficit`, `candidate`: verification with deficit sets, mex interpolation
//! - `extension`: the step from the heaps below `n` to the heaps to `n`
//! - `capped`: outcome functions whose sequences are closed by force
//! - `checkpoint`: checkpoints, from which a computation is resumed
//! - `classical`: the classical strategy, MisereSolver's recalibration
//! - `evidence`: the share of the fuel for the search for evidence of infinity
//! - `law`: the search for a law that decides all positions of a game that grows
//! - `divergent`: attempts that found no finite quotient
//! - `layers`: measurements of what each layer costs
//! - `games`: the quotient of explicit games
//! - `generators`: the heaps that name the generators
//! - `partials`: the partial quotients and the keys of their classes
//! - `period`: the misère Guy–Smith theorem
//! - `automaton`: the search for an automaton that decides all positions of a game that grows
//! - `growth`: partial quotients that grow in a pattern
//! - `renumbered`: a solution of one code as a solution of another code of the same game
//! - `tame`: games that are tame relative to a heap
//!
//! Nothing here has to be trusted: [`misere_check`] proves the result, and imports nothing of this
//! module.

mod automaton;
mod candidate;
pub(crate) mod capped;
mod checkpoint;
mod classical;
mod deficit;
mod divergent;
mod evidence;
mod extension;
mod games;
mod generators;
mod growth;
mod kernel;
mod law;
#[cfg(feature = "layers")]
pub mod layers;
mod partials;
mod period;
mod products;
mod renumbered;
mod rho;
mod tame;

pub use automaton::{AutomatonSearchError, position_automaton};
use candidate::Candidate;
pub use checkpoint::{CHECKPOINT_TICKS, Checkpoint, Divergence, ResumeError};
use checkpoint::{RestoreError, SPACING};
use classical::Recalibration;
use evidence::{Interrupted, PreviousQuotient};
use extension::Extension;
pub use extension::tries_copies;
pub use games::{GamesError, quotient_of_games};
use generators::without_redundant;
pub use kernel::LISTING_TICKS;
use kernel::QuotientError;
use law::SearchError;
pub use law::{LawSearchError, why_no_law};
use misere_game::bipartite::{BipartiteMonoid, Element};
use misere_game::control::{Control, Progress, Stop};
use misere_game::ruleset::Code;
use misere_game::solution::{Growth, Limit, Partial, Solution, SolvedBy, Verdict};
use partials::Partials;
use period::PeriodSearch;
use products::MAX_ELEMENTS;
pub use renumbered::{renumbered, renumbered_by, renumbered_period};
use tame::{Continuation, ExtendedQuotient, TameSearch};
pub use tame::{NIM_FUEL, NIM_HEAPS_PER_HEAP, last_nim_heap};

/// The heap at which growth is first examined; afterwards at intervals of an eighth of the heaps.
const FIRST_GROWTH_HEAP: u32 = 100;

/// The most fuel for finding and proving an automaton of a game that grows without a law.
///
/// It is at most some five seconds. 0.145, which needs the most of the known games, needs a fifth
/// of it. It is not part of the fuel of the game.
const AUTOMATON_FUEL: u64 = 2_000_000;

/// The strategy by which new partial quotients are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Strategy {
    /// Exact kernels on rho diagrams.
    #[default]
    Exact,
    /// MisereSolver's recalibration (Plambeck–Siegel supplement, Appendix C).
    Classical,
}

/// The limits of a computation; with the fuel, the deterministic part of a budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Limits {
    /// The greatest heap to compute.
    pub max_heap: u32,
    /// The greatest order of a partial quotient (at most 65,536).
    pub max_order: u32,
    /// The most copies of one heap that are tried before outcome functions are called divergent.
    ///
    /// Fewer are tried if sequences have been short so far.
    pub max_copies: u32,
    /// The most fuel for proving that a quotient which seems infinite is infinite.
    ///
    /// It comes on top of as much again as the verdict cost, and is part of the fuel of the whole.
    /// 0: no proof is attempted.
    pub max_evidence: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_heap: 10_000,
            max_order: MAX_ELEMENTS as u32,
            max_copies: 200,
            max_evidence: 3_000_000,
        }
    }
}

impl Limits {
    /// Returns the greatest order of a partial quotient.
    ///
    /// It is the plan's limit, or the most elements that the engine keeps.
    ///
    /// ```
    /// use misere_engine::quotient::Limits;
    /// let limits = Limits { max_order: 100_000, ..Limits::default() };
    /// assert_eq!(limits.greatest_order(), 65_536);
    /// ```
    #[must_use]
    pub fn greatest_order(&self) -> u32 {
        self.max_order.min(MAX_ELEMENTS as u32)
    }
}

/// Solves a game as far as `limits` and the fuel in `control` allow.
///
/// Never fails: results proved before a limit or an interruption are returned with the verdict that
/// says so.
///
/// Cost: at most the fuel of `control`; a unit is about a microsecond of one core.
///
/// ```
/// use misere_game::control::Control;
/// use misere_engine::quotient::{Limits, Strategy, solve};
/// use misere_game::solution::Verdict;
/// let solution = solve(
///     &"0.123".parse()?,
///     &Limits::default(),
///     Strategy::Exact,
///     &mut Control::unlimited(),
/// );
/// assert_eq!(solution.verdict, Verdict::Solved { period: 5, preperiod: 5 });
/// assert_eq!((solution.quotient.order(), solution.quotient.p_size()), (20, 5));
/// # Ok::<(), misere_game::ruleset::CodeError>(())
/// ```
#[must_use]
pub fn solve(code: &Code, limits: &Limits, strategy: Strategy, control: &mut Control) -> Solution {
    solve_resumable(code, limits, strategy, None, &mut |_| (), control)
}

/// Solves a game like [`solve`], but resumes from a checkpoint of the same computation.
///
/// Calls `keep` with every further checkpoint.
///
/// The result is the same from any checkpoint, fuel included; `control` must have the fuel of the
/// whole computation. An invalid checkpoint is ignored. Only the exact strategy has checkpoints.
///
/// Cost of resuming from one: a verification of its quotient.
///
/// ```
/// use misere_game::control::Control;
/// use misere_engine::quotient::{Limits, Strategy, solve, solve_resumable};
/// let (code, limits) = ("0.142".parse()?, Limits { max_heap: 85, ..Limits::default() });
/// let meter = || Control::new(12_000_000, Default::default());
/// let mut checkpoints = Vec::new();
/// # let limits = Limits { max_heap: 20, ..limits };
/// let whole = solve_resumable(
///     &code,
///     &limits,
///     Strategy::Exact,
///     None,
///     &mut |at| checkpoints.push(at.clone()),
///     &mut meter(),
/// );
/// for at in &checkpoints {
///     assert_eq!(solve_resumable(&code, &limits, Strategy::Exact, Some(at), &mut |_| (), &mut meter()), whole);
/// }
/// # Ok::<(), misere_game::ruleset::CodeError>(())
/// ```
#[must_use]
pub fn solve_resumable(
    code: &Code,
    limits: &Limits,
    strategy: Strategy,
    from: Option<&Checkpoint>,
    keep: &mut dyn FnMut(&Checkpoint),
    control: &mut Control,
) -> Solution {
    solve_spaced(
        code,
        limits,
        strategy,
        from,
        keep,
        CHECKPOINT_TICKS,
        control,
    )
}

/// Solves a game like [`solve_resumable`], with a checkpoint after every `every` ticks.
///
/// Only for tests, since results depend on the spacing.
#[doc(hidden)]
#[must_use]
pub fn solve_spaced(
    code: &Code,
    limits: &Limits,
    strategy: Strategy,
    from: Option<&Checkpoint>,
    keep: &mut dyn FnMut(&Checkpoint),
    every: u64,
    control: &mut Control,
) -> Solution {
    let limits = Limits {
        max_order: limits.greatest_order(),
        ..*limits
    };
    let mut method = match strategy {
        Strategy::Exact => Method::Exact(Box::new(Extension::new(code, &limits))),
        Strategy::Classical => Method::Classical(Box::new(Recalibration::new(code, &limits))),
    };
    let mut periods = PeriodSearch::default();
    let mut tame_search = TameSearch::default();
    let mut partials = Partials::default();
    let (mut tail, mut growth) = (None, None);
    let mut next_look = FIRST_GROWTH_HEAP;
    let mut next_checkpoint = every;
    let mut last_checkpoint = 0;
    // The checkpoint to resume from at the next turn of the loop.
    let mut resume: Option<Checkpoint> = match strategy {
        Strategy::Exact => from.cloned(),
        Strategy::Classical => None,
    };
    if let Some(checkpoint) = &resume
        && control.spend(checkpoint.ticks).is_err()
    {
        control.start_over();
        resume = None;
    }
    let verdict = loop {
        if let Some(checkpoint) = resume.take() {
            let (taken_up, then) = match checkpoint.diverged {
                // A computation that is not interrupted here continues without resuming, so this is
                // not charged.
                Some(_) => resume_from(&checkpoint, code, &limits, &mut control.unmetered()),
                None => resume_from(&checkpoint, code, &limits, control),
            };
            if let Some((extension, known)) = taken_up {
                method = Method::Exact(Box::new(extension));
                partials = known;
                next_look = checkpoint.next_look;
                tame_search = TameSearch::default();
            }
            match then {
                Ok(after) => {
                    periods = after;
                    if let Some(diverged) = &checkpoint.diverged {
                        break Verdict::Diverges {
                            heap: checkpoint.heap() + 1,
                            copies: diverged.copies,
                        };
                    }
                }
                Err(RestoreError::Stopped(Stop::FuelSpent)) => {
                    break Verdict::Exhausted(Limit::Fuel);
                }
                Err(RestoreError::Stopped(Stop::Interrupted)) => break Verdict::Interrupted,
                Err(RestoreError::Bad(_)) => {
                    control.start_over();
                    method = Method::Exact(Box::new(Extension::new(code, &limits)));
                    partials = Partials::default();
                    next_look = FIRST_GROWTH_HEAP;
                }
            }
            let taking_up = control.ticks_spent().saturating_sub(checkpoint.ticks);
            last_checkpoint = control.ticks_spent();
            next_checkpoint = last_checkpoint + every.max(SPACING * taking_up);
        }
        let heap = method.candidate().values.len() as u32;
        if heap > limits.max_heap {
            break Verdict::Exhausted(Limit::MaxHeap);
        }
        match method.next_heap(control) {
            Ok(changed) => {
                let candidate = method.candidate();
                // If that was the last of the fuel, or an interruption, the next heap reports it.
                let _ = control.spend(20 + u64::from(heap));
                if changed {
                    let (monoid, values) = (&candidate.monoid, &candidate.values);
                    let _ = partials.push(monoid, values, method.generator_heaps(), control);
                }
                control.report(Progress {
                    heap,
                    order: candidate.monoid.order() as u32,
                });
                if changed && heap >= next_look {
                    next_look = heap + heap / 8;
                    let Ok(known) = partials.all(control) else {
                        break Verdict::Interrupted;
                    };
                    // As above.
                    let look = growth_of(&method.extended(known), control);
                    if let Ok(Some(pattern)) = look
                        && pattern.is_worth_ending_for(heap, limits.max_heap)
                    {
                        break grows(pattern, &mut growth);
                    }
                }
                if let Some((period, preperiod)) = periods.next(&candidate.values, code) {
                    break Verdict::Solved { period, preperiod };
                }
                let found = tame_search.next(
                    code,
                    &candidate.monoid,
                    &candidate.values,
                    method.generator_heaps(),
                    changed,
                    control,
                );
                // As above: if that was the last of the fuel, the next heap reports it.
                if let Ok(Some(tame)) = found {
                    let heap = tame.heap;
                    let Ok(known) = partials.all(control) else {
                        break Verdict::Interrupted;
                    };
                    let so_far = method.extended(known);
                    match tame.continued(so_far, std::mem::take(&mut periods), &limits, control) {
                        Ok(Continuation::Solved {
                            period,
                            preperiod,
                            whole,
                        }) => {
                            let verdict = Verdict::Solved { period, preperiod };
                            return solution(code, verdict, &whole, control);
                        }
                        Ok(Continuation::Relative(found)) => {
                            tail = Some(found);
                            break Verdict::TameRelative { heap };
                        }
                        Err(_) => break Verdict::Interrupted,
                    }
                }
                if let Method::Exact(extension) = &method
                    && control.ticks_spent() >= next_checkpoint
                {
                    let Ok(known) = partials.all(control) else {
                        break Verdict::Interrupted;
                    };
                    let at = extension.checkpoint(control.ticks_spent(), known, next_look);
                    keep(&at);
                    resume = Some(at);
                }
            }
            Err(QuotientError::Diverges { copies }) => {
                let since = control.ticks_spent().saturating_sub(last_checkpoint);
                if let Method::Exact(extension) = &method
                    && limits.max_evidence > 0
                    && since >= every / SPACING
                    && let Ok(known) = partials.all(control)
                {
                    let at = extension.checkpoint(control.ticks_spent(), known, next_look);
                    keep(&at.with_diverged(Divergence {
                        copies,
                        attempts: extension.divergent().to_vec(),
                    }));
                }
                break Verdict::Diverges { heap, copies };
            }
            Err(QuotientError::TooLarge) => break Verdict::Exhausted(Limit::MaxOrder),
            Err(QuotientError::Stopped(Stop::FuelSpent)) => break Verdict::Exhausted(Limit::Fuel),
            Err(QuotientError::Stopped(Stop::Interrupted)) => break Verdict::Interrupted,
        }
    };
    let (found, verdict) = match partials.all(control) {
        Ok(known) => (method.extended(known), verdict),
        Err(_) => (partials.so_far(), Verdict::Interrupted),
    };
    let verdict = match verdict {
        // A computation at the greatest order could continue with a greater one, as for heaps and
        // fuel. But the result does not show that it reached this limit, so the pattern must be
        // worth it.
        Verdict::Exhausted(limit) => match growth_of(&found, &mut control.unmetered()) {
            Err(_) => Verdict::Interrupted,
            Ok(Some(pattern))
                if limit != Limit::MaxOrder
                    || pattern
                        .is_worth_ending_for(found.values.len() as u32 - 1, limits.max_heap) =>
            {
                grows(pattern, &mut growth)
            }
            _ => verdict,
        },
        _ => verdict,
    };
    let solution = solution(code, verdict, &found, control);
    let mut solution = solution;
    if let (Method::Exact(extension), Verdict::Diverges { .. }) = (&method, verdict) {
        let known = PreviousQuotient {
            quotient: &solution.quotient,
            phi: &solution.phi,
            generator_heaps: &solution.generator_heaps,
        };
        match evidence::search(code, &known, extension.divergent(), &limits, control) {
            Ok(Ok(evidence)) => solution.evidence = Some(evidence),
            Ok(Err(reason)) => solution.reason = Some(reason),
            // The whole search might have given another verdict.
            Err(Interrupted) => solution.verdict = Verdict::Interrupted,
        }
    }
    if let Some(pattern) = &mut growth {
        let (quotient, phi) = (&solution.quotient, &solution.phi);
        match solved_by(code, quotient, phi, pattern.period, control) {
            Ok(found) => pattern.solved_by = found,
            // The whole search might have solved the game.
            Err(Interrupted) => {
                growth = None;
                solution.verdict = Verdict::Interrupted;
            }
        }
    }
    Solution {
        tail,
        growth,
        fuel: control.fuel_spent(),
        ..solution
    }
}

/// Returns the rule that decides every position of a game that grows, if one is found.
///
/// The rule is a law, or else an automaton.
///
/// Neither search depends on the remaining fuel, so a greater budget never finds less.
fn solved_by(
    code: &Code,
    quotient: &BipartiteMonoid,
    phi: &[Element],
    period: u32,
    control: &Control,
) -> Result<Option<SolvedBy>, Interrupted> {
    match law::found(code, quotient, phi, &mut control.unmetered()) {
        Ok(law) => return Ok(Some(SolvedBy::Law(law))),
        Err(SearchError::Stopped(Stop::Interrupted)) => return Err(Interrupted),
        Err(_) => {}
    }
    let mut share = control.unmetered();
    let found = share.within(AUTOMATON_FUEL, |share| {
        automaton::found(code, quotient, phi, period, share)
    });
    match found {
        Ok(automaton) => Ok(Some(SolvedBy::Automaton(automaton))),
        Err(AutomatonSearchError::Stopped(Stop::Interrupted)) => Err(Interrupted),
        Err(_) => Ok(None),
    }
}

/// Resumes from a checkpoint: returns its state, and the search for periods once verified.
fn resume_from<'a>(
    checkpoint: &Checkpoint,
    code: &'a Code,
    limits: &Limits,
    control: &mut Control,
) -> (
    Option<(Extension<'a>, Partials)>,
    Result<PeriodSearch, RestoreError>,
) {
    if let Err(part) = checkpoint.check(code, limits) {
        let bad = ResumeError::Inconsistent(part);
        return (None, Err(RestoreError::Bad(bad)));
    }
    let mut extension = Extension::restored(code, limits, checkpoint);
    let Candidate { monoid, values, .. } = extension.candidate();
    let partials = Partials::restored(&checkpoint.partials, monoid, values, &checkpoint.levels);
    let verified = extension.verify_restored(control);
    let periods = match verified {
        Ok(true) => PeriodSearch::after(&extension.candidate().values, code, control)
            .map_err(RestoreError::from),
        Ok(false) => Err(RestoreError::Bad(ResumeError::Wrong)),
        Err(stop) => Err(stop.into()),
    };
    (Some((extension, partials)), periods)
}

fn growth_of(found: &ExtendedQuotient, control: &mut Control) -> Result<Option<Growth>, Stop> {
    control.spend(ticks_for_generators(&found.monoid))?;
    let (quotient, generator_heaps, phi) =
        without_redundant(&found.monoid, &found.generator_heaps, &found.values);
    growth::pattern(&quotient, &generator_heaps, &phi, &found.partials, control)
}

/// Returns the price of [`without_redundant`].
fn ticks_for_generators(monoid: &BipartiteMonoid) -> u64 {
    50 + 20 * (monoid.order() * (monoid.generators() + 1)) as u64
}

fn grows(pattern: Growth, growth: &mut Option<Growth>) -> Verdict {
    let (start, period) = (pattern.start, pattern.period);
    *growth = Some(pattern);
    Verdict::Grows { start, period }
}

fn solution(
    code: &Code,
    verdict: Verdict,
    found: &ExtendedQuotient,
    control: &Control,
) -> Solution {
    let (quotient, generator_heaps, phi) =
        without_redundant(&found.monoid, &found.generator_heaps, &found.values);
    Solution {
        code: code.clone(),
        verdict,
        quotient,
        generator_heaps,
        phi,
        partials: found.partials.clone(),
        tail: None,
        growth: None,
        evidence: None,
        reason: None,
        fuel: control.fuel_spent(),
    }
}

/// The two methods of extending from `n - 1` heaps to `n`.
enum Method<'a> {
    Exact(Box<Extension<'a>>),
    Classical(Box<Recalibration<'a>>),
}

impl Method<'_> {
    fn candidate(&self) -> &Candidate {
        match self {
            Self::Exact(extension) => extension.candidate(),
            Self::Classical(recalibration) => recalibration.candidate(),
        }
    }

    fn generator_heaps(&self) -> &[u32] {
        match self {
            Self::Exact(extension) => extension.levels(),
            Self::Classical(recalibration) => recalibration.generator_heaps(),
        }
    }

    /// Returns the result so far, with the list of partial quotients.
    fn extended(&self, partials: Vec<Partial>) -> ExtendedQuotient {
        let candidate = self.candidate();
        ExtendedQuotient {
            monoid: candidate.monoid.clone(),
            values: candidate.values.clone(),
            generator_heaps: self.generator_heaps().to_vec(),
            partials,
        }
    }

    fn next_heap(&mut self, control: &mut Control) -> Result<bool, QuotientError> {
        match self {
            Self::Exact(extension) => extension.next_heap(control),
            Self::Classical(recalibration) => recalibration.next_heap(control),
        }
    }
}

fn partial(heap: u32, monoid: &BipartiteMonoid, control: &mut Control) -> Result<Partial, Stop> {
    let (order, p_size) = (monoid.order() as u32, monoid.p_size() as u32);
    Ok(Partial {
        heap,
        order,
        p_size,
        class: monoid.class_key_within(control)?,
    })
}
