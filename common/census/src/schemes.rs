//! The result of a batch of construction schemes, and its binary form.
//!
//! A [`BatchResult`] behind a version byte, or the statement that some scheme of the batch takes
//! more than its budget. Reading checks the form; [`misere_check::construction`] checks
//! the quotients. Only computing it again shows that nothing was left out: as with every claim of
//! exhaustion, a second worker computes a share of the batches, and the bytes are compared.

use misere_algebra::classify::batch::BatchResult;
use misere_game::control::{Control, Stop};
use serde::{Deserialize, Serialize};

use crate::encoding;
use crate::{CertificateError, MAX_CERTIFICATE_BYTES, Schemes};

/// The version of the form.
///
/// It is part of [`crate::engine_fingerprint()`], since workers of different versions do not work
/// together.
pub const SCHEMES_VERSION: u8 = 1;

/// The version of the classification.
///
/// It is raised by one with every change after which some batch could have another result or cost
/// other fuel.
pub const CLASSIFIER: u32 = 1;

/// The result of a batch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// Every scheme of the batch was judged and extended.
    Settled(BatchResult),
    /// Some scheme takes more fuel than the budget has.
    Exhausted,
}

/// Settles a batch, with the task's budget for each of its schemes.
///
/// Cost: at most the fuel of the budget for each scheme of the batch.
///
/// ```
/// use misere_census::schemes::{Outcome, settle};
/// use misere_census::{Budget, Task};
/// use misere_algebra::classify::batch::{Batch, Scheme};
/// use misere_game::control::Control;
/// let batch = Batch { most: 8, order: 2, schemes: vec![Scheme::first()] };
/// let fuel = |fuel| Task::schemes(batch.clone(), Budget { fuel, ..Budget::default() });
/// let settled = |task: Task| task.as_schemes().map(|task| settle(task, &mut Control::unlimited()));
/// assert_eq!(settled(fuel(0)), Some(Ok(Outcome::Exhausted)));
/// assert!(matches!(settled(fuel(1_000_000)), Some(Ok(Outcome::Settled(_)))));
/// ```
///
/// # Errors
/// [`Stop::Interrupted`] if `control` is interrupted.
pub fn settle(task: &Schemes, control: &mut Control) -> Result<Outcome, Stop> {
    match task
        .batch
        .settle(task.budget.fuel, &mut control.unmetered())
    {
        Ok(settled) => Ok(Outcome::Settled(settled)),
        Err(Stop::FuelSpent) => Ok(Outcome::Exhausted),
        Err(Stop::Interrupted) => Err(Stop::Interrupted),
    }
}

/// Returns the certificate of the result of a batch.
///
/// Cost: time and memory proportional to the bytes.
///
/// ```
/// use misere_census::schemes::{Outcome, decode_canonical, encode};
/// let certificate = encode(&Outcome::Exhausted)?;
/// assert_eq!(decode_canonical(&certificate)?, Outcome::Exhausted);
/// # Ok::<(), misere_census::CertificateError>(())
/// ```
///
/// # Errors
/// [`CertificateError`] if it would be too long.
pub fn encode(outcome: &Outcome) -> Result<Vec<u8>, CertificateError> {
    let bytes = encoding::encode(SCHEMES_VERSION, outcome)?;
    if bytes.len() > MAX_CERTIFICATE_BYTES {
        return Err(CertificateError::TooLong(bytes.len()));
    }
    Ok(bytes)
}

/// Reads the result of a batch from a certificate, without checking the result.
///
/// Cost: time proportional to the bytes.
///
/// # Errors
/// [`CertificateError`] if it does not state one.
pub fn decode(bytes: &[u8]) -> Result<Outcome, CertificateError> {
    if bytes.len() > MAX_CERTIFICATE_BYTES {
        return Err(CertificateError::TooLong(bytes.len()));
    }
    Ok(encoding::decode(SCHEMES_VERSION, bytes)?)
}

/// Reads the result of a batch from a certificate that is written as [`encode`] writes it.
///
/// The result is not checked.
///
/// Cost: the cost of [`decode`].
///
/// # Errors
/// [`CertificateError`] if it does not state one, or spells it otherwise.
pub fn decode_canonical(bytes: &[u8]) -> Result<Outcome, CertificateError> {
    let outcome = decode(bytes)?;
    match encoding::is_canonical(SCHEMES_VERSION, &outcome, bytes) {
        true => Ok(outcome),
        false => Err(CertificateError::Spelling),
    }
}
