//! The binary form of a certificate.
//!
//! A certificate is a [`Solution`] behind a version byte. Reading one only ensures that it is a
//! well-formed solution (the quotient is a commutative monoid, and so on).
//! [`misere_check`] decides whether it is *true*.

use misere_game::solution::Solution;

use crate::encoding::{self, EncodingError};

/// The version of the form.
pub const CERTIFICATE_VERSION: u8 = 2;

/// The greatest length of a certificate that is received, in bytes.
///
/// An order of 10,000 with 100 generators needs a few megabytes.
pub const MAX_CERTIFICATE_BYTES: usize = 128 << 20;

/// The reason why bytes are not a certificate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CertificateError {
    /// The bytes do not state a solution.
    #[error("unreadable certificate: {0}")]
    Encoding(#[from] EncodingError),
    /// The certificate has more than [`MAX_CERTIFICATE_BYTES`].
    #[error("a certificate of {0} bytes is more than the {MAX_CERTIFICATE_BYTES} allowed")]
    TooLong(usize),
    /// A certificate that states a solution, but not in the bytes that this program writes.
    #[error("the certificate is not written as this program writes it; send it as it was made")]
    Spelling,
}

/// Returns the certificate of a solution.
///
/// Cost: time and memory proportional to the bytes.
///
/// ```
/// use misere_census::certificate::{CERTIFICATE_VERSION, decode, encode};
/// use misere_game::control::Control;
/// use misere_engine::quotient::{Limits, Strategy, solve};
/// let control = &mut Control::unlimited();
/// let solution = solve(&"0.123".parse()?, &Limits::default(), Strategy::Exact, control);
/// let certificate = encode(&solution)?;
/// assert_eq!(certificate[0], CERTIFICATE_VERSION);
/// assert_eq!(decode(&certificate)?, solution);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`CertificateError`] if it would be too long.
pub fn encode(solution: &Solution) -> Result<Vec<u8>, CertificateError> {
    let bytes = encoding::encode(CERTIFICATE_VERSION, solution)?;
    if bytes.len() > MAX_CERTIFICATE_BYTES {
        return Err(CertificateError::TooLong(bytes.len()));
    }
    Ok(bytes)
}

/// Returns the solution that a certificate states, if it is written as [`encode`] writes it.
///
/// One solution has one certificate.
///
/// Cost: the cost of [`decode`].
///
/// ```
/// use misere_census::certificate::{decode_canonical, encode};
/// use misere_game::control::Control;
/// use misere_engine::quotient::{Limits, Strategy, solve};
/// let control = &mut Control::unlimited();
/// let solution = solve(&"0.123".parse()?, &Limits::default(), Strategy::Exact, control);
/// assert_eq!(decode_canonical(&encode(&solution)?)?, solution);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`CertificateError`] if it states no solution, or spells one otherwise (a class key in capitals,
/// elements out of order, numbers with needless bytes).
pub fn decode_canonical(bytes: &[u8]) -> Result<Solution, CertificateError> {
    let solution = decode(bytes)?;
    match encoding::is_canonical(CERTIFICATE_VERSION, &solution, bytes) {
        true => Ok(solution),
        false => Err(CertificateError::Spelling),
    }
}

/// Returns the solution that a certificate states, in any spelling.
///
/// Cost: time proportional to the bytes, and at most six bytes of memory for each of them beside a
/// few megabytes.
///
/// ```
/// use misere_census::CertificateError;
/// use misere_census::certificate::decode;
/// assert!(matches!(decode(&[]), Err(CertificateError::Encoding(_))));
/// ```
///
/// # Errors
/// [`CertificateError`] if it states no solution.
pub fn decode(bytes: &[u8]) -> Result<Solution, CertificateError> {
    if bytes.len() > MAX_CERTIFICATE_BYTES {
        return Err(CertificateError::TooLong(bytes.len()));
    }
    Ok(encoding::decode(CERTIFICATE_VERSION, bytes)?)
}
