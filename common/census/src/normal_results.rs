//! The results of normal play of many games, as files of a directory.
//!
//! Every game has a file of its own, named after its code. It holds what `misere verify` checks,
//! and the further codes of the game. A result with a period was checked before it was written. A
//! file that contradicts itself is refused (`form`).

mod validation;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use misere_game::ruleset::{Code, Signature};
use misere_game::solution::{Mark, NormalValuesDocument};
use serde::{Deserialize, Serialize};

use crate::input_file;

pub use validation::NormalResultFormError;

/// The file of the plan in a directory of results.
pub const PLAN_FILE: &str = "plan.json";
/// The status of a game whose nim-values are proved to repeat.
pub const SOLVED: &str = "solved";
/// The status of a game whose nim-values are known to a heap.
pub const BOUNDED: &str = "bounded";
/// The longest text of a code that is used as a file name.
const MAX_FILE_NAME: usize = 100;

/// The plan of a directory of results: which games, and to which heap.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NormalPlan {
    /// The version of the form: 1.
    pub schema: u32,
    /// The number of digits of the octal codes, unless codes are listed.
    pub digits: Option<u8>,
    /// The codes, if they are listed.
    pub codes: Option<Vec<Code>>,
    /// The greatest heap.
    pub heaps: u32,
}

/// The result of one game, as its file states it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NormalResult {
    /// The claim about the nim-values.
    #[serde(flatten)]
    pub values: NormalValuesDocument,
    /// The period, if one is proved.
    pub period: Option<u32>,
    /// The heap from which on it holds.
    pub preperiod: Option<u32>,
    /// Further codes of the same game, which have heap numbers of their own.
    pub aliases: Vec<Code>,
}

/// The reason why results cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum NormalResultsError {
    /// The directory or a file cannot be read.
    #[error("cannot read `{}`: {cause}", .path.display())]
    Read {
        /// The directory or the file.
        path: PathBuf,
        /// The error of the system.
        cause: std::io::Error,
    },
    /// A file is not a result.
    #[error("`{}` is not a result of `misere normal run`: {cause}", .path.display())]
    Form {
        /// The file.
        path: PathBuf,
        /// The fault.
        cause: serde_json::Error,
    },
    /// A file contradicts itself.
    #[error("`{}` is not a result of `misere normal run`: {fault}", .path.display())]
    Fault {
        /// The file.
        path: PathBuf,
        /// The fault.
        fault: NormalResultFormError,
    },
    /// Two files are about one game.
    #[error(
        "`{}` is about the game of {code}, which has another file; remove one of them",
        .path.display()
    )]
    Twice {
        /// The second of the files.
        path: PathBuf,
        /// The code in the first.
        code: Code,
    },
}

impl NormalResult {
    /// Returns the result that a file states; its path is for the error.
    ///
    /// # Errors
    /// [`NormalResultsError`] if the bytes are not a result, or contradict themselves.
    pub fn of_bytes(path: &Path, bytes: &[u8]) -> Result<Self, NormalResultsError> {
        let path = || path.to_owned();
        let result: Self =
            serde_json::from_slice(input_file::without_mark(bytes)).map_err(|cause| {
                NormalResultsError::Form {
                    path: path(),
                    cause,
                }
            })?;
        validation::check(&result).map_err(|fault| NormalResultsError::Fault {
            path: path(),
            fault,
        })?;
        Ok(result)
    }

    /// Returns the code under which the game was computed.
    #[must_use]
    pub fn code(&self) -> &Code {
        &self.values.code
    }

    /// Reports whether a period is proved.
    #[must_use]
    pub fn is_solved(&self) -> bool {
        self.values.status == SOLVED
    }

    /// Returns the facts about all known heaps.
    #[must_use]
    pub fn last_mark(&self) -> Option<&Mark> {
        self.values.marks.last()
    }
}

fn bytes_of(path: &Path) -> Result<Vec<u8>, NormalResultsError> {
    input_file::read(path, input_file::LARGE).map_err(|cause| NormalResultsError::Read {
        path: path.to_owned(),
        cause,
    })
}

/// Returns the name of the file of a game, without its ending.
///
/// ```
/// use misere_census::normal_results::file_stem;
/// assert_eq!(file_stem(&"0.77".parse()?), "0.77");
/// # Ok::<(), misere_game::ruleset::CodeError>(())
/// ```
#[must_use]
pub fn file_stem(code: &Code) -> String {
    let text = code.to_string();
    match text.len() > MAX_FILE_NAME || text.contains('/') {
        false => text,
        true => blake3::hash(text.as_bytes()).to_hex().to_string(),
    }
}

/// The results of a directory, by what distinguishes games.
#[derive(Clone, Debug, Default)]
pub struct NormalResults {
    games: BTreeMap<Signature, NormalResult>,
    digest: String,
}

impl NormalResults {
    /// Returns the results in a directory.
    ///
    /// Cost: all files are read.
    ///
    /// # Errors
    /// [`NormalResultsError`] if a file cannot be read or is not a result, or if two are about one
    /// game.
    pub fn of_directory(directory: &Path) -> Result<Self, NormalResultsError> {
        let read = |path: &Path, cause| NormalResultsError::Read {
            path: path.to_owned(),
            cause,
        };
        let entries = std::fs::read_dir(directory).map_err(|error| read(directory, error))?;
        let mut games = BTreeMap::new();
        let mut files = BTreeMap::new();
        for entry in entries {
            let path = entry.map_err(|error| read(directory, error))?.path();
            let is_result = path.extension().is_some_and(|ending| ending == "json");
            if is_result && path.file_name().is_some_and(|name| name != PLAN_FILE) {
                let bytes = bytes_of(&path)?;
                let found = NormalResult::of_bytes(&path, &bytes)?;
                files.insert(found.code().clone(), bytes);
                if let Some(other) = games.insert(found.code().signature(), found) {
                    let code = other.code().clone();
                    return Err(NormalResultsError::Twice { path, code });
                }
            }
        }
        let mut hasher = blake3::Hasher::new();
        for bytes in files.values() {
            hasher.update(bytes);
        }
        let digest = hasher.finalize().to_hex().to_string();
        Ok(Self { games, digest })
    }

    /// Returns the result in a file.
    ///
    /// # Errors
    /// [`NormalResultsError`] if the file cannot be read or is not a result.
    pub fn read(path: &Path) -> Result<NormalResult, NormalResultsError> {
        NormalResult::of_bytes(path, &bytes_of(path)?)
    }

    /// Returns the digest of the files, which `misere normal run` prints at its end.
    ///
    /// It is empty if no directory was read.
    #[must_use]
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// Returns the result of a game under any of its codes.
    #[must_use]
    pub fn of(&self, code: &Code) -> Option<&NormalResult> {
        self.games.get(&code.signature())
    }

    /// Returns the results in ascending order of their codes.
    #[must_use]
    pub fn in_order(&self) -> Vec<&NormalResult> {
        let mut all: Vec<&NormalResult> = self.games.values().collect();
        all.sort_by_key(|result| result.code());
        all
    }

    /// Reports whether there is no result.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }
}
