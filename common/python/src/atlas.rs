//! The atlas as a file: the least games of each misère quotient of small order.

use std::path::PathBuf;

use misere_census::atlas::{Atlas, AtlasError};
use misere_game::bipartite::ClassKey;
use pyo3::prelude::*;

use crate::errors::PackageError;

/// An atlas that was read and is consistent.
#[pyclass(frozen)]
pub(crate) struct AtlasFile(Atlas);

#[pymethods]
impl AtlasFile {
    #[staticmethod]
    fn read(path: PathBuf) -> PyResult<Self> {
        match Atlas::read(&path) {
            Ok(atlas) => Ok(Self(atlas)),
            Err(AtlasError::Read { cause, .. }) => Err(cause.into()),
            Err(error) => Err(PackageError::BadAtlas.says(error)),
        }
    }

    /// Returns the extent of the list in words.
    fn extent(&self) -> String {
        self.0.extent()
    }

    /// Returns the hash of the file.
    fn hash(&self) -> &str {
        self.0.hash()
    }

    fn __len__(&self) -> usize {
        self.0.entries().len()
    }

    /// Returns the games of each census in words.
    fn games(&self) -> Vec<String> {
        let censuses = self.0.censuses().iter();
        censuses.map(|census| census.bounds.to_string()).collect()
    }

    /// Returns the statement on a class as JSON; `order` is the order of its quotients, if known.
    fn about(&self, class_key: &str, order: Option<usize>) -> PyResult<String> {
        let document = self.0.document(&key(class_key)?, order);
        serde_json::to_string(&document).map_err(|error| PackageError::BadAtlas.says(error))
    }

    /// Returns the sentences on a class, without full stops.
    fn sentences(&self, class_key: &str, order: Option<usize>) -> PyResult<Vec<String>> {
        let listed = self.0.look_up(&key(class_key)?, order);
        Ok(self.0.sentences(listed))
    }
}

fn key(class: &str) -> PyResult<ClassKey> {
    let key = class.parse();
    key.map_err(|_| PackageError::BadQuotient.says(format!("`{class}` is not a key of a class")))
}
