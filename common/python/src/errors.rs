//! The exceptions of the Python package, raised from the extension module.
//!
//! They are defined in `misere/errors.py`, where people read them.

use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// The exceptions that the extension module raises.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PackageError {
    /// A file that is not an atlas, or contradicts itself.
    BadAtlas,
    /// A text that is not a game.
    BadCode,
    /// A heap that a game does not have.
    BadHeap,
    /// Tables or a text that are not a bipartite monoid.
    BadQuotient,
    /// A file or text that is not a certificate.
    BadCertificate,
    /// A computation that reached the limit of its fuel.
    Exhausted,
    /// A computation that was stopped at a limit of time or memory.
    Stopped,
    /// A claim that the checker refutes.
    Refuted,
    /// A query beyond the listed data.
    TooLarge,
}

impl PackageError {
    fn name(self) -> &'static str {
        match self {
            Self::BadAtlas => "BadAtlas",
            Self::BadCode => "BadCode",
            Self::BadHeap => "BadHeap",
            Self::BadQuotient => "BadQuotient",
            Self::BadCertificate => "BadCertificate",
            Self::Exhausted => "Exhausted",
            Self::Stopped => "Stopped",
            Self::Refuted => "Refuted",
            Self::TooLarge => "TooLarge",
        }
    }

    /// Returns the exception with this text.
    pub(crate) fn says(self, text: impl ToString) -> PyErr {
        Python::attach(|py| {
            let raised = py
                .import("misere.errors")
                .and_then(|errors| errors.getattr(self.name()))
                .and_then(|class| class.call1(PyTuple::new(py, [text.to_string()])?));
            match raised {
                Ok(exception) => PyErr::from_value(exception),
                Err(error) => error,
            }
        })
    }
}
