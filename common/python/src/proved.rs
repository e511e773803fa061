//! Solutions that the checker has accepted.

use misere_check::{CheckError, check_within};
use misere_game::control::Control;
use misere_game::solution::Solution;
use pyo3::prelude::*;

use crate::errors::PackageError;
use crate::watched::{self, Bounds};

/// A solution that the checker has accepted; its methods for Python are in `claim`.
#[pyclass(frozen, module = "misere._misere")]
#[derive(Debug)]
pub(crate) struct Claim {
    solution: Solution,
}

/// The origin of a solution, which says whose error a false one is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Origin {
    /// A certificate, which anyone may have written.
    Certificate,
    /// The engine of this package.
    Engine,
}

impl Claim {
    /// Returns a solution that the checker accepts.
    ///
    /// # Errors
    /// `Refuted` if the checker refutes it; `Exhausted` or `Stopped` if the checker did not come
    /// to its end.
    pub(crate) fn check(
        py: Python<'_>,
        solution: Solution,
        origin: Origin,
        bounds: Bounds,
    ) -> PyResult<Self> {
        let check = |control: &mut Control| check_within(&solution, control);
        let (checked, stopped_by) = watched::run(py, bounds, check)?;
        match (checked, origin) {
            (Ok(()), _) => Ok(Self { solution }),
            (Err(CheckError::Unchecked(stop)), _) => Err(watched::fault(stop, bounds, stopped_by)),
            (Err(flaw), Origin::Certificate) => {
                Err(PackageError::Refuted.says(format!("{}: {flaw}", solution.code)))
            }
            (Err(flaw), Origin::Engine) => Err(PackageError::Refuted.says(format!(
                "{}: the checker refutes the result, which is an error in misere itself: {flaw}",
                solution.code
            ))),
        }
    }

    /// Returns the solution.
    pub(crate) fn solution(&self) -> &Solution {
        &self.solution
    }
}
