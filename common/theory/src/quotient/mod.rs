//! What is the misère quotient of this game?
//!
//! The engine extends the misère quotient of a heap game heap by heap until its pretending function is proved periodic,
//! the next partial quotient seems infinite, or a limit is met.
//!
//! - [`rho`]: sets of positions, exactly, as rho diagrams
//! - [`kernel`]: the exact outcome function of finitely many heaps and its quotient
//! - [`products`], [`deficit`], [`candidate`]: verification with deficit sets, mex interpolation
//! - [`extension`]: from `n - 1` heaps to `n` with representative heaps
//! - [`classical`]: the same by MisereSolver's recalibration
//! - [`evidence`]: what proves that a quotient is infinite, within a share of the fuel
//! - [`generators`]: which heaps name the generators
//! - [`period`]: the misère Guy–Smith theorem
//!
//! Nothing here has to be believed: [`crate::verify`] proves the outcome again and shares no code with this module.

mod candidate;
mod classical;
mod deficit;
mod evidence;
mod extension;
mod generators;
mod kernel;
#[cfg(feature = "layers")]
pub mod layers;
mod period;
mod products;
mod rho;

use crate::bipartite::BipartiteMonoid;
use crate::control::{Control, Progress, Stop};
use crate::ruleset::Code;
use crate::solution::{Limit, Partial, Solution, Verdict};
use candidate::Candidate;
use classical::Recalibration;
use evidence::Known;
use extension::Extension;
use generators::without_redundant;
use kernel::NoQuotient;
use period::PeriodSearch;
use products::MOST_ELEMENTS;

/// How new partial quotients are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Strategy {
    /// Exact kernels on rho diagrams.
    #[default]
    Exact,
    /// MisereSolver's recalibration (Plambeck–Siegel supplement, Appendix C).
    Classical,
}

/// What a computation may not exceed; with fuel, the deterministic part of a budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Limits {
    /// The greatest heap to compute.
    pub max_heap: u32,
    /// The greatest order of a partial quotient (at most 65,536).
    pub max_order: u32,
    /// The most copies of one heap that are tried before outcome functions that have not repeated are called divergent.
    /// Where sequences have been short so far fewer are tried.
    pub max_copies: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_heap: 3_000,
            max_order: MOST_ELEMENTS as u32,
            max_copies: 200,
        }
    }
}

/// Solves a game as far as `limits` and the fuel in `control` allow.
///
/// Never fails: what was proved before a limit or an interruption is handed back with the verdict that says so.
///
/// ```
/// use misere_theory::control::Control;
/// use misere_theory::quotient::{Limits, Strategy, solve};
/// use misere_theory::solution::Verdict;
/// let solution = solve(&"0.123".parse()?, &Limits::default(), Strategy::Exact, &mut Control::unlimited());
/// assert_eq!(solution.verdict, Verdict::Solved { period: 5, preperiod: 5 });
/// assert_eq!((solution.quotient.order(), solution.quotient.p_size()), (20, 5));
/// # Ok::<(), misere_theory::ruleset::CodeError>(())
/// ```
#[must_use]
pub fn solve(code: &Code, limits: &Limits, strategy: Strategy, control: &mut Control) -> Solution {
    let limits = Limits {
        max_order: limits.max_order.min(MOST_ELEMENTS as u32),
        ..*limits
    };
    let mut method = match strategy {
        Strategy::Exact => Method::Exact(Box::new(Extension::new(code, &limits))),
        Strategy::Classical => Method::Classical(Box::new(Recalibration::new(code, &limits))),
    };
    let mut periods = PeriodSearch::default();
    let mut partials = Vec::new();
    let verdict = loop {
        let heap = method.candidate().values.len() as u32;
        if heap > limits.max_heap {
            break Verdict::Exhausted(Limit::MaxHeap);
        }
        match method.next_heap(control) {
            Ok(changed) => {
                let candidate = method.candidate();
                if changed {
                    partials.push(partial(heap, &candidate.monoid));
                }
                // If that was the last of the fuel, the next heap will say so.
                let _ = control.spend(20 + u64::from(heap));
                control.report(Progress {
                    heap,
                    order: candidate.monoid.order() as u32,
                });
                if let Some((period, preperiod)) = periods.next(&candidate.values, code) {
                    break Verdict::Solved { period, preperiod };
                }
            }
            Err(NoQuotient::Diverges { copies }) => break Verdict::Diverges { heap, copies },
            Err(NoQuotient::TooLarge) => break Verdict::Exhausted(Limit::MaxOrder),
            Err(NoQuotient::Stopped(Stop::FuelSpent)) => break Verdict::Exhausted(Limit::Fuel),
            Err(NoQuotient::Stopped(Stop::Interrupted)) => break Verdict::Interrupted,
        }
    };
    let candidate = method.candidate();
    let (quotient, generator_heaps, phi) = without_redundant(
        &candidate.monoid,
        method.generator_heaps(),
        &candidate.values,
    );
    let evidence = match (&method, verdict) {
        (Method::Exact(extension), Verdict::Diverges { .. }) => {
            let known = Known {
                quotient: &quotient,
                phi: &phi,
            };
            evidence::search(code, &known, extension.divergent(), control)
        }
        _ => None,
    };
    Solution {
        code: code.clone(),
        verdict,
        quotient,
        generator_heaps,
        phi,
        partials,
        evidence,
        fuel: control.fuel_spent(),
    }
}

/// The two ways from `n - 1` heaps to `n`.
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

    fn next_heap(&mut self, control: &mut Control) -> Result<bool, NoQuotient> {
        match self {
            Self::Exact(extension) => extension.next_heap(control),
            Self::Classical(recalibration) => recalibration.next_heap(control),
        }
    }
}

fn partial(heap: u32, monoid: &BipartiteMonoid) -> Partial {
    let (order, p_size) = (monoid.order() as u32, monoid.p_size() as u32);
    Partial {
        heap,
        order,
        p_size,
        class: monoid.class_key(),
    }
}
