//! The extension module `misere._misere`: engine, checker and structure of quotients for Python.
//!
//! The module returns plain data, such as lists of numbers and JSON. The classes for users (`Game`,
//! `Solution`, `Quotient`, `Census`) are written in Python, in `package/misere`; they import this
//! module.
//!
//! - `amounts`: amounts of fuel and memory
//! - `atlas`: the atlas of the quotients of small order
//! - `command`: the command `misere`, which the package installs
//! - `errors`: the exceptions of `misere.errors`, raised from here
//! - `watched`: long computations without the interpreter lock, which Ctrl-C ends
//! - `proved`: solutions that the checker has accepted
//! - `rules`: games
//! - `simplest`: games in simplest form
//! - `claim`: the methods of solutions, and their certificates
//! - `monoid`: bipartite monoids
//! - `orders`: the misère quotients of small order

mod amounts;
mod atlas;
mod claim;
mod command;
mod errors;
mod monoid;
mod orders;
mod proved;
mod rules;
mod simplest;
mod watched;

use pyo3::prelude::*;

/// Fills the extension module.
#[pymodule]
fn _misere(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<atlas::AtlasFile>()?;
    module.add_class::<rules::Rules>()?;
    module.add_class::<simplest::SimplestForm>()?;
    module.add_class::<proved::Claim>()?;
    module.add_class::<monoid::Monoid>()?;
    module.add_function(wrap_pyfunction!(amounts::read_fuel, module)?)?;
    module.add_function(wrap_pyfunction!(amounts::read_memory, module)?)?;
    module.add_function(wrap_pyfunction!(command::run_command, module)?)?;
    module.add_function(wrap_pyfunction!(claim::read_claim, module)?)?;
    module.add_function(wrap_pyfunction!(claim::read_certificate, module)?)?;
    module.add_function(wrap_pyfunction!(orders::classify, module)?)?;
    module.add_function(wrap_pyfunction!(orders::verify_construction, module)?)?;
    Ok(())
}
