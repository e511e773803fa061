//! The misère quotients of small order.

use misere_algebra::classify::Classifier;
use misere_check::construction::{ConstructionCheckError, check};
use misere_game::control::{Control, Stop};
use misere_game::solution::construction::ConstructionDocument;
use pyo3::prelude::*;

use crate::errors::PackageError;
use crate::watched::{self, Bounds};

/// Returns all misère quotients to an order, each as the JSON of its checked construction.
#[pyfunction]
#[pyo3(signature = (max_order, fuel, seconds, memory))]
pub(crate) fn classify(
    py: Python<'_>,
    max_order: usize,
    fuel: u64,
    seconds: Option<f64>,
    memory: Option<u64>,
) -> PyResult<Vec<String>> {
    let bounds = Bounds {
        fuel,
        seconds,
        memory,
    };
    let constructions = watched::finish(py, bounds, |control| {
        let mut classifier = Classifier::new(max_order);
        let mut constructions = Vec::new();
        while let Some(level) = classifier.next_order(control)? {
            for quotient in &level.quotients {
                constructions.push(quotient.construction(control)?);
            }
        }
        Ok::<_, Stop>(constructions)
    })?;
    let judge = |control: &mut Control| {
        constructions
            .iter()
            .try_for_each(|construction| check(construction, control))
    };
    let (judged, stopped_by) = watched::run(
        py,
        Bounds {
            fuel: u64::MAX,
            ..bounds
        },
        judge,
    )?;
    match judged {
        Ok(()) => {}
        Err(ConstructionCheckError::Unchecked(stop)) => {
            return Err(watched::fault(stop, bounds, stopped_by));
        }
        Err(flaw) => return Err(PackageError::Refuted.says(flaw)),
    }
    let written = constructions.iter();
    let written =
        written.map(|construction| serde_json::to_string(&ConstructionDocument::new(construction)));
    let written: Result<Vec<String>, _> = written.collect();
    written.map_err(|error| PackageError::BadQuotient.says(error))
}

/// Proves that a bipartite monoid is the misère quotient of the games of its construction.
#[pyfunction]
#[pyo3(signature = (text, fuel, seconds))]
pub(crate) fn verify_construction(
    py: Python<'_>,
    text: &str,
    fuel: u64,
    seconds: Option<f64>,
) -> PyResult<()> {
    let document: ConstructionDocument =
        serde_json::from_str(text).map_err(|error| PackageError::BadCertificate.says(error))?;
    let construction = document
        .to_construction()
        .map_err(|error| PackageError::BadCertificate.says(error))?;
    let bounds = Bounds {
        seconds,
        ..Bounds::fuel(fuel)
    };
    let judge = |control: &mut Control| check(&construction, control);
    let (judged, stopped_by) = watched::run(py, bounds, judge)?;
    match judged {
        Ok(()) => Ok(()),
        Err(ConstructionCheckError::Unchecked(stop)) => {
            Err(watched::fault(stop, bounds, stopped_by))
        }
        Err(flaw) => Err(PackageError::Refuted.says(flaw)),
    }
}
