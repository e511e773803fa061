//! The name of the engine, which distinguishes two builds with different results. Releases with one
//! engine work together.
//!
//! Results are a function of the plan (A-5) only as long as all workers compute alike, down to the
//! unit of fuel. The name identifies the build; coordinator and workers compare it before they work
//! together.

use crate::certificate::CERTIFICATE_VERSION;
use crate::schemes::{CLASSIFIER, SCHEMES_VERSION};

/// The version of the engine.
///
/// It is raised by one with every change after which some task could end otherwise or cost other
/// fuel.
pub const ENGINE: u32 = 10;

/// Returns the name of everything that determines the results of this build.
///
/// ```
/// assert!(misere_census::engine_fingerprint().starts_with("misere engine "));
/// ```
#[must_use]
pub fn engine_fingerprint() -> String {
    format!(
        "misere engine {ENGINE}, certificates {CERTIFICATE_VERSION}, schemes {SCHEMES_VERSION}, classifier {CLASSIFIER}"
    )
}
