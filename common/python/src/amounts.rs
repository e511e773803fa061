//! Amounts as people write them: fuel such as `10M`, memory such as `2GiB`.

use misere_census::quantity::{QuantityError, bytes, fuel};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Returns the number of units of an amount of fuel.
#[pyfunction]
pub(crate) fn read_fuel(text: &str) -> PyResult<u64> {
    fuel(text).map_err(|error| refused(&error))
}

/// Returns the number of bytes of an amount of memory.
#[pyfunction]
pub(crate) fn read_memory(text: &str) -> PyResult<u64> {
    bytes(text).map_err(|error| refused(&error))
}

fn refused(error: &QuantityError) -> PyErr {
    PyValueError::new_err(error.to_string())
}
