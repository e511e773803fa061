//! The files that the pages show beside a census: results computed earlier or elsewhere, and the
//! solver for browsers.

use misere_census::atlas::Atlas;
use misere_census::normal_results::NormalResults;

use super::browser_solver::BrowserSolver;

/// The files that the pages show beside a census, as they were read.
#[derive(Clone, Debug, Default)]
pub struct ExtraData {
    /// The normal play that was computed beforehand.
    pub normal: NormalResults,
    /// The least games of the misère quotients of small order.
    pub atlas: Option<Atlas>,
    /// The solver for browsers.
    pub browser_solver: Option<BrowserSolver>,
}
