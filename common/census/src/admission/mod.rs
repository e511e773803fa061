//! The decision whether a certificate may enter the census.
//!
//! A worker may lie (A-2). A certificate is taken only if it reads, answers the task that was
//! leased, states what an honest worker could state within the task's budget (`plausible`), and is
//! proved by the independent checker.
//!
//! No certificate costs more than its size and its task allow: reading takes time proportional to
//! the bytes and six bytes of memory for each of them; everything else is metered
//! ([`check_fuel_of`]). A certificate that exceeds what its check may cost is refused like a false
//! one.

mod plausible;
#[cfg(test)]
mod tests;
mod verified;

use std::time::Duration;

use misere_algebra::classify::batch::SchemeError;
use misere_check::CheckError;
use misere_check::construction::ConstructionCheckError;
use misere_game::control::{Control, Interrupt, Stop};
use misere_game::ruleset::Code;
use misere_game::solution::Verdict;

use crate::schemes::{self, Outcome};
use crate::{AliasError, CertificateError, Finish, GameTask, Record, Schemes, Task, certificate};
pub use verified::{Finding, SchemesFinding, StatementError, VerifiedResult};

use plausible::{batch_replays_prefix, check_budget, is_unproved, replays_prefix};

/// The fuel for the check of one certificate, per unit of fuel of its task.
///
/// Checking is cheaper than solving, and a checker must not be kept busy for ever.
const CHECK_FUEL_PER_FUEL: u64 = 20;
const MIN_CHECK_FUEL: u64 = 50_000_000;

/// A reason why a certificate may not enter the census.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VerificationError {
    /// The certificate cannot be read.
    #[error(transparent)]
    Unreadable(#[from] CertificateError),
    /// The certificate is about another game.
    #[error("it is about {found}, but the task is {wanted}")]
    OtherCode {
        /// The code of the certificate.
        found: Code,
        /// The code of the task.
        wanted: Code,
    },
    /// The certificate has no verdict.
    #[error("it carries no verdict")]
    NoVerdict,
    /// The certificate does not keep to the task's budget.
    #[error("it does not keep to the budget: {0}")]
    Budget(&'static str),
    /// Its check took too long.
    #[error("its check took longer than the {} seconds allowed", .0.as_secs())]
    TooLong(Duration),
    /// The certificate is false.
    #[error(transparent)]
    False(CheckError),
    /// The task names an alias that is not the same game.
    #[error(transparent)]
    Alias(#[from] AliasError),
    /// The certificate is not a valid result for these schemes.
    #[error("it is not a valid result for its schemes: {0}")]
    Schemes(#[from] SchemeError),
    /// A game stated for one of its quotients does not have that quotient.
    #[error("the games of quotient {place} do not have it: {flaw}")]
    Construction {
        /// Its place in the batch.
        place: u32,
        /// The fault.
        flaw: ConstructionCheckError,
    },
    /// Its class differs from the class of its quotient.
    #[error("its class is not that of its quotient")]
    Class,
    /// The checker failed on it.
    #[error("the checker failed on it")]
    CheckerFailed,
    /// The coordinator computed the game itself, and it takes more fuel than the certificate says.
    #[error("the game takes more fuel than the certificate says")]
    Contradicted,
    /// The coordinator is stopping; the certificate is not judged.
    #[error("the check was stopped")]
    Stopped,
}

/// Checks a certificate, and returns the finding for the census.
///
/// Cost: the cost of [`misere_check::check_within`] and of one canonical form.
///
/// # Errors
/// [`VerificationError`] if it may not enter the census.
pub fn verify(
    task: &Task,
    certificate: &[u8],
    stop: Interrupt,
) -> Result<VerifiedResult, VerificationError> {
    match task {
        Task::Game(game) => verify_game(game, certificate, stop),
        Task::Schemes(schemes) => verify_schemes(schemes, certificate, stop),
    }
}

/// Returns the fuel for the check of a result that `fuel` units were enough to compute.
fn check_fuel(fuel: u64) -> u64 {
    fuel.saturating_mul(CHECK_FUEL_PER_FUEL).max(MIN_CHECK_FUEL)
}

/// Checks the result of a batch of schemes.
///
/// The quotients are proved by their games, and the candidates reached are seen to be made of the
/// batch. Only the worker's word says that nothing was left out, or that the budget does not
/// suffice, as with every claim of exhaustion: a second worker computes a share of the batches.
fn verify_schemes(
    task: &Schemes,
    certificate: &[u8],
    stop: Interrupt,
) -> Result<VerifiedResult, VerificationError> {
    let settled = match schemes::decode_canonical(certificate)? {
        Outcome::Settled(settled) => settled,
        Outcome::Exhausted => {
            batch_replays_prefix(task, None, &stop)?;
            return Ok(VerifiedResult {
                finish: Finish::Exhausted,
                unproved: true,
                finding: Finding::Schemes(SchemesFinding::default()),
            });
        }
    };
    let fuel = fuel_of_batch(task);
    if settled.fuel > fuel {
        return Err(VerificationError::Budget(
            "more fuel was spent than there is",
        ));
    }
    batch_replays_prefix(task, Some(&settled), &stop)?;
    let constructions = settled.constructions(&task.batch)?;
    let mut control = Control::new(check_fuel(fuel), stop);
    let mut quotients = Vec::with_capacity(constructions.len());
    for (found, construction) in settled.quotients.iter().zip(constructions) {
        let place = found.place;
        match misere_check::construction::check(&construction, &mut control) {
            Ok(()) => {}
            Err(ConstructionCheckError::Unchecked(Stop::Interrupted)) => {
                return Err(VerificationError::Stopped);
            }
            Err(flaw) => return Err(VerificationError::Construction { place, flaw }),
        }
        let form = within(construction.quotient.canonical_form_within(&mut control))?;
        quotients.push((form.key, form.monoid));
    }
    Ok(VerifiedResult {
        finish: Finish::Done,
        unproved: true,
        finding: Finding::Schemes(SchemesFinding {
            settled: Some(settled),
            quotients,
        }),
    })
}

/// Returns the fuel that the check of a certificate of this task may take.
///
/// ```
/// use misere_census::admission::check_fuel_of;
/// use misere_census::{Budget, Task};
/// // Twenty times the fuel of the task.
/// let task = Task::game("0.77".parse()?, Vec::new(), Budget::default());
/// assert_eq!(check_fuel_of(&task), 200_000_000);
/// # Ok::<(), misere_game::ruleset::CodeError>(())
/// ```
#[must_use]
pub fn check_fuel_of(task: &Task) -> u64 {
    match task {
        Task::Game(game) => check_fuel(game.budget.fuel),
        Task::Schemes(schemes) => check_fuel(fuel_of_batch(schemes)),
    }
}

/// Returns the fuel for all schemes of a batch.
fn fuel_of_batch(task: &Schemes) -> u64 {
    let schemes = task.batch.schemes.len() as u64;
    task.budget.fuel.saturating_mul(schemes)
}

/// Returns the result of a check, or the reason why it could not be made.
fn within<T>(computed: Result<T, Stop>) -> Result<T, VerificationError> {
    computed.map_err(|stop| match stop {
        Stop::Interrupted => VerificationError::Stopped,
        Stop::FuelSpent => VerificationError::False(CheckError::Unchecked(stop)),
    })
}

fn verify_game(
    task: &GameTask,
    certificate: &[u8],
    stop: Interrupt,
) -> Result<VerifiedResult, VerificationError> {
    let solution = certificate::decode_canonical(certificate)?;
    if solution.code != task.code {
        return Err(VerificationError::OtherCode {
            found: solution.code,
            wanted: task.code.clone(),
        });
    }
    check_budget(task, &solution)?;
    replays_prefix(task, &solution, &stop)?;
    let mut control = Control::new(check_fuel(task.budget.fuel), stop);
    match misere_check::check_within(&solution, &mut control) {
        Ok(()) => {}
        Err(CheckError::Unchecked(Stop::Interrupted)) => return Err(VerificationError::Stopped),
        Err(flaw) => return Err(VerificationError::False(flaw)),
    }
    let form = within(solution.quotient.canonical_form_within(&mut control))?;
    if form.key != solution.class() {
        return Err(VerificationError::Class);
    }
    if solution.verdict == Verdict::Interrupted {
        return Err(VerificationError::NoVerdict);
    }
    let finish = if solution.verdict.limit().is_some() {
        Finish::Exhausted
    } else {
        Finish::Done
    };
    Ok(VerifiedResult {
        finish,
        unproved: is_unproved(&solution),
        finding: Finding::Game {
            record: Box::new(Record::new(task, &solution)?),
            quotient: form.monoid,
        },
    })
}
