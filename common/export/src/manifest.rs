//! The manifest of an export, and the check of the files against it.
//!
//! The manifest names the census (plan, digest, engine), states its completeness and its certainty,
//! the selection, the counts, and the BLAKE3 hash of every file. A check of it finds damage and
//! changes. It proves nothing about games; certificates and `misere verify` do.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use misere_census::input_file;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use misere_query::Filter;
use misere_report::completeness::Completeness;

use super::{Counts, Format, SCHEMA, selection};

/// The name of the manifest among the files of an export.
pub const FILE: &str = "manifest.json";

/// The greatest length of a manifest.
const MAX_BYTES: u64 = 16 << 20;

/// The manifest of an export.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of the form, [`SCHEMA`].
    pub schema: u32,
    /// The format, as on the command line.
    pub format: String,
    /// The sequence of a b-file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sequence: Option<String>,
    /// The selection of rulesets.
    pub selection: Value,
    /// The name of the plan.
    pub plan: String,
    /// The digest of all records of the census, selected or not.
    pub digest: String,
    /// The build that made the export.
    pub engine: String,
    /// The statement on the completeness of the census, with its budgets and its certainty.
    pub completeness: Value,
    /// The statement in sentences.
    pub statement: Vec<String>,
    /// The number of things of each name that were written.
    pub counts: BTreeMap<String, u64>,
    /// The files, in the order of their names.
    pub files: Vec<FileEntry>,
}

/// A file of an export.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileEntry {
    /// The name of the file.
    pub name: String,
    /// The length of the file in bytes.
    pub bytes: u64,
    /// The BLAKE3 hash of the file, in hexadecimal digits.
    pub blake3: String,
}

impl FileEntry {
    /// Returns the entry of the bytes of `from`.
    ///
    /// # Errors
    /// The error that keeps them from being read.
    pub fn of(name: &str, from: impl Read) -> io::Result<Self> {
        let mut hasher = blake3::Hasher::new();
        hasher.update_reader(from)?;
        Ok(Self {
            name: name.to_owned(),
            bytes: hasher.count(),
            blake3: hasher.finalize().to_string(),
        })
    }
}

/// The reason why an export could not be checked.
#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    /// A file or directory that cannot be read.
    #[error("cannot read `{}`: {cause}", .path.display())]
    Read {
        /// The file or directory.
        path: PathBuf,
        /// The error of the system.
        cause: io::Error,
    },
    /// A file that is not a manifest.
    #[error("`{}` is not a manifest of an export: {cause}", .path.display())]
    NoManifest {
        /// The file.
        path: PathBuf,
        /// The first fault of the file.
        cause: serde_json::Error,
    },
    /// A manifest of an unknown version.
    #[error("the export has schema {0}; this program knows the schemas 1 to {SCHEMA}")]
    Schema(u32),
}

/// A fault of a file of an export.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// A file that the manifest names and that is missing.
    #[error("{0} is missing")]
    Missing(String),
    /// A file that differs from the one that was written.
    #[error("{0} is not what was written")]
    Changed(String),
    /// A file that the manifest does not name.
    #[error("{0} is not in the manifest")]
    Unknown(String),
    /// An entry of the manifest outside of the export.
    #[error("the manifest names `{0}`, which is not a file of this export")]
    Outside(String),
}

impl Manifest {
    pub(super) fn new(
        format: Format,
        filter: &Filter,
        statement: Completeness,
        counts: Counts,
        files: Vec<FileEntry>,
    ) -> Self {
        let sequence = match format {
            Format::BFile { sequence, .. } => Some(sequence.name().to_owned()),
            _ => None,
        };
        let counts = counts.into_iter();
        Self {
            schema: SCHEMA,
            format: format.name().to_owned(),
            sequence,
            selection: selection::document(filter),
            plan: statement.plan.id.clone(),
            digest: statement.digest_text().to_owned(),
            engine: statement.engine.clone(),
            // A statement consists of numbers, words and lists, so it always has a JSON form.
            completeness: serde_json::to_value(&statement).unwrap_or_default(),
            statement: statement.sentences(),
            counts: counts.map(|(name, n)| (name.to_owned(), n)).collect(),
            files,
        }
    }

    /// Returns the manifest as text.
    ///
    /// # Errors
    /// If it has no JSON form.
    pub fn text(&self) -> Result<String, serde_json::Error> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }

    /// Reads the manifest of an export.
    ///
    /// # Errors
    /// [`ManifestError`] if there is none, or its version is unknown.
    pub fn read(dir: &Path) -> Result<Self, ManifestError> {
        let path = dir.join(FILE);
        let text = match input_file::read(&path, MAX_BYTES) {
            Ok(text) => text,
            Err(cause) => return Err(ManifestError::Read { path, cause }),
        };
        let manifest: Self = serde_json::from_slice(&text)
            .map_err(|cause| ManifestError::NoManifest { path, cause })?;
        match manifest.schema {
            // The form of the file entries has not changed since the first version.
            1..=SCHEMA => Ok(manifest),
            other => Err(ManifestError::Schema(other)),
        }
    }

    /// Returns the faults of the files of the export in `dir`; none if they are unchanged.
    ///
    /// # Errors
    /// [`ManifestError`] if a file that is there cannot be read.
    pub fn faults(&self, dir: &Path) -> Result<Vec<FileError>, ManifestError> {
        let mut faults = Vec::new();
        for entry in &self.files {
            let name = entry.name.clone();
            let inside = Path::new(&name)
                .file_name()
                .is_some_and(|last| last == name.as_str());
            if !inside || name == FILE {
                faults.push(FileError::Outside(name));
                continue;
            }
            let path = dir.join(&name);
            match input_file::open(&path).and_then(|file| FileEntry::of(&name, file)) {
                Ok(found) if found == *entry => {}
                Ok(_) => faults.push(FileError::Changed(name)),
                Err(cause) if cause.kind() == io::ErrorKind::NotFound => {
                    faults.push(FileError::Missing(name));
                }
                Err(cause) => return Err(ManifestError::Read { path, cause }),
            }
        }
        let unreadable = |cause| ManifestError::Read {
            path: dir.to_owned(),
            cause,
        };
        let mut others = Vec::new();
        for found in fs::read_dir(dir).map_err(unreadable)? {
            let name = found.map_err(unreadable)?.file_name();
            let name = name.to_string_lossy().into_owned();
            let named = name == FILE || self.files.iter().any(|entry| entry.name == name);
            if !named {
                others.push(FileError::Unknown(name));
            }
        }
        others.sort_by_key(ToString::to_string);
        faults.extend(others);
        Ok(faults)
    }
}
