//! The methods that proved solutions have in Python, and certificates that are read.

use misere_answers::argument::argument;
use misere_answers::{Conclusion, Decider, Decision, Effort, WinningMoves, decided};
use misere_census::certificate;
use misere_check::automaton::shows_infinite;
use misere_check::law_shows_infinite;
use misere_engine::quotient::renumbered;
use misere_game::control::{Control, Stop};
use misere_game::position::Position;
use misere_game::solution::{Document, Solution, SolvedBy};
use misere_report::sheet::Format;
use misere_report::sheets::solution::explained;
use pyo3::prelude::*;

use crate::errors::PackageError;
use crate::monoid::Monoid;
use crate::proved::{Claim, Origin};
use crate::rules::{Rules, WinningMove};
use crate::watched::{self, Bounds};

/// Reads a JSON document as `misere solve --json` writes it, and proves it.
#[pyfunction]
#[pyo3(signature = (text, fuel, seconds))]
pub(crate) fn read_claim(
    py: Python<'_>,
    text: &str,
    fuel: u64,
    seconds: Option<f64>,
) -> PyResult<Claim> {
    let document: Document =
        serde_json::from_str(text).map_err(|error| PackageError::BadCertificate.says(error))?;
    let solution = document
        .into_solution()
        .map_err(|error| PackageError::BadCertificate.says(error))?;
    proved(py, solution, fuel, seconds)
}

/// Reads a certificate in its binary form, and proves it.
#[pyfunction]
#[pyo3(signature = (bytes, fuel, seconds))]
pub(crate) fn read_certificate(
    py: Python<'_>,
    bytes: &[u8],
    fuel: u64,
    seconds: Option<f64>,
) -> PyResult<Claim> {
    let solution =
        certificate::decode(bytes).map_err(|error| PackageError::BadCertificate.says(error))?;
    proved(py, solution, fuel, seconds)
}

fn proved(py: Python<'_>, solution: Solution, fuel: u64, seconds: Option<f64>) -> PyResult<Claim> {
    let bounds = Bounds {
        seconds,
        ..Bounds::fuel(fuel)
    };
    Claim::check(py, solution, Origin::Certificate, bounds)
}

impl Claim {
    /// Returns the position of heaps that are given with the number of copies of each.
    ///
    /// # Errors
    /// `BadHeap` if the game has no such heap.
    fn position(&self, heaps: &[(u32, u64)]) -> PyResult<Position> {
        let rules = Rules {
            code: self.solution().code.clone(),
        };
        let named = heaps.iter().filter(|&&(_, copies)| copies > 0);
        named.clone().try_for_each(|&(heap, _)| rules.check(heap))?;
        Ok(named.copied().collect())
    }

    /// Decides a position and continues with the decision; `None` if the solution does not decide
    /// it with the fuel there is.
    fn decided<T: Send>(
        &self,
        py: Python<'_>,
        heaps: &[(u32, u64)],
        bounds: Bounds,
        then: impl FnOnce(&mut Decider<'_>, &Position, Decision, &mut Control) -> Result<T, Stop> + Send,
    ) -> PyResult<Option<T>> {
        let position = self.position(heaps)?;
        watched::finish(py, bounds, |control| {
            let then = |decider: &mut Decider<'_>, decision, control: &mut Control| {
                then(decider, &position, decision, control)
            };
            match decided(self.solution(), &position, Effort::THOROUGH, control, then) {
                Err(Stop::FuelSpent) => Ok(None),
                other => other,
            }
        })
    }
}

#[pymethods]
impl Claim {
    fn rules(&self) -> Rules {
        Rules {
            code: self.solution().code.clone(),
        }
    }

    /// Returns the status in the words of the command line, and the limit that ended it.
    fn status(&self) -> (&'static str, Option<&'static str>) {
        let conclusion = Conclusion::of(self.solution());
        match conclusion.status() {
            Some(status) => (status.name(), conclusion.ending().limit()),
            None => ("interrupted", None),
        }
    }

    /// Returns how the game ended, in one sentence.
    fn sentence(&self) -> String {
        Conclusion::of(self.solution()).sentence()
    }

    /// Returns the proof of what is known, to be read, as `misere explain` prints it.
    fn explained(&self, py: Python<'_>, latex: bool, width: usize) -> String {
        let format = if latex { Format::Latex } else { Format::Text };
        py.detach(|| {
            let solution = self.solution();
            explained(solution, &argument(solution), format, width)
        })
    }

    /// Reports whether the quotient is proved to be infinite.
    fn is_infinite(&self) -> bool {
        let shown = match self.solution().solved_by() {
            Some(SolvedBy::Law(law)) => law_shows_infinite(law),
            Some(SolvedBy::Automaton(automaton)) => {
                shows_infinite(&self.solution().code, automaton)
            }
            None => false,
        };
        shown || self.solution().evidence.is_some()
    }

    /// Returns the JSON document of `misere solve --json`.
    fn document(&self, py: Python<'_>) -> PyResult<String> {
        let written = py.detach(|| {
            let mut document = Document::new(self.solution());
            document.engine = env!("CARGO_PKG_VERSION").to_owned();
            serde_json::to_string(&document)
        });
        written.map_err(|error| PackageError::BadCertificate.says(error))
    }

    /// Returns the certificate in its binary form.
    fn certificate(&self) -> PyResult<Vec<u8>> {
        certificate::encode(self.solution())
            .map_err(|error| PackageError::BadCertificate.says(error))
    }

    /// Returns the solution of another code of the same game, proved again.
    ///
    /// Returns nothing if the codes are not recognized as one game.
    fn renumbered(&self, py: Python<'_>, rules: &Rules) -> PyResult<Option<Self>> {
        let solution = py.detach(|| renumbered(self.solution(), &rules.code));
        solution
            .map(|solution| proved(py, solution, u64::MAX, None))
            .transpose()
    }

    fn quotient(&self) -> Monoid {
        Monoid::new_checked(self.solution().quotient.clone())
    }

    fn generator_heaps(&self) -> Vec<u32> {
        self.solution().generator_heaps.clone()
    }

    fn phi(&self) -> Vec<u32> {
        self.solution().phi.clone()
    }

    fn fuel(&self) -> u64 {
        self.solution().fuel
    }

    /// Returns the outcome of a position, and the method that decided it.
    ///
    /// Returns nothing if the solution does not decide it.
    #[pyo3(signature = (heaps, fuel, seconds))]
    fn outcome(
        &self,
        py: Python<'_>,
        heaps: Vec<(u32, u64)>,
        fuel: u64,
        seconds: Option<f64>,
    ) -> PyResult<Option<(String, &'static str)>> {
        let bounds = Bounds {
            seconds,
            ..Bounds::fuel(fuel)
        };
        self.decided(py, &heaps, bounds, |_, _, decision, _| {
            Ok((decision.outcome.to_string(), decision.ground.name()))
        })
    }

    /// Returns all winning moves of a position.
    ///
    /// Returns nothing if the solution does not decide all of them.
    #[pyo3(signature = (heaps, fuel, seconds))]
    fn winning_moves(
        &self,
        py: Python<'_>,
        heaps: Vec<(u32, u64)>,
        fuel: u64,
        seconds: Option<f64>,
    ) -> PyResult<Option<Vec<WinningMove>>> {
        let bounds = Bounds {
            seconds,
            ..Bounds::fuel(fuel)
        };
        let moves = self.decided(
            py,
            &heaps,
            bounds,
            |decider, position, decision, control| {
                decider.winning_moves(position, decision.outcome, decision.ground, control)
            },
        )?;
        Ok(match moves {
            Some(WinningMoves::All(all)) => {
                let moves = all.into_iter();
                Some(moves.map(|found| (found.heap, found.leaves)).collect())
            }
            Some(WinningMoves::One(_)) | None => None,
        })
    }

    /// Returns the element of a position, where Φ of its heaps is known.
    fn element(&self, heaps: Vec<(u32, u64)>) -> PyResult<Option<u32>> {
        let position = self.position(&heaps)?;
        let decider = Decider::new(self.solution(), None, Effort::NONE);
        Ok(decider.element(&position))
    }
}
