//! The atlas as a file: for each misère quotient of small order the least games that have it.
//!
//! `misere report atlas --json` writes the file, from a list of quotients and some censuses. The
//! file is read without either, by `misere identify` and by the pages. A file that contradicts
//! itself is refused ([`AtlasFormError`]). `docs/atlas.md` says what an answer means.

mod bounds;
mod validation;

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use misere_game::bipartite::ClassKey;
use misere_game::ruleset::Code;
use serde::{Deserialize, Serialize, Serializer};

use crate::input_file;

pub use bounds::Bounds;
pub use validation::AtlasFormError;

/// The kind of report that is an atlas.
pub const REPORT: &str = "atlas";

/// The answer of a census to the question which of its games have a quotient.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "kebab-case")]
pub enum Answer {
    /// The least game whose quotient it is, as a whole game.
    Whole {
        /// The game.
        code: Code,
    },
    /// The least game that has it as a partial quotient.
    ///
    /// It is not known to be the quotient of a whole game.
    Partial {
        /// The game.
        code: Code,
        /// The least heap to which the game has this partial quotient.
        heap: u32,
    },
    /// A proof that no game of the plan has it, not even as a partial quotient.
    None,
    /// No game of the plan is known to have it, and some are not excluded.
    Open {
        /// The number of games that may have it.
        open: u64,
    },
}

impl Answer {
    /// Returns the game that is named, if one is.
    #[must_use]
    pub fn code(&self) -> Option<&Code> {
        match self {
            Self::Whole { code } | Self::Partial { code, .. } => Some(code),
            Self::None | Self::Open { .. } => None,
        }
    }

    /// Returns the number of games that may have the quotient, if no game is known to.
    #[must_use]
    pub fn open(&self) -> Option<u64> {
        match self {
            Self::Whole { .. } | Self::Partial { .. } => None,
            Self::None => Some(0),
            Self::Open { open } => Some(*open),
        }
    }
}

impl fmt::Display for Answer {
    /// Writes the answer in the form of tables: `0.75`, `0.26 to heap 11`, `none` or `open: 3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole { code } => write!(f, "{code}"),
            Self::Partial { code, heap } => write!(f, "{code} to heap {heap}"),
            Self::None => write!(f, "none"),
            Self::Open { open } => write!(f, "open: {open}"),
        }
    }
}

/// The extent of a census: how many of its games have a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extent {
    /// The number of games of the plan.
    pub tasks: u64,
    /// The number of those that have a record.
    pub records: u64,
    /// The digest of the records.
    pub digest: String,
}

/// A census in which the quotients were looked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchedCensus {
    /// The name of its directory.
    pub directory: String,
    /// The games of its plan.
    pub bounds: Bounds,
    /// Its extent, in its completeness statement.
    pub completeness: Extent,
}

impl SearchedCensus {
    /// Returns the answer of this census in words.
    #[must_use]
    pub fn sentence(&self, answer: &Answer) -> String {
        match answer {
            Answer::Whole { .. } => answer.to_string(),
            Answer::Partial { .. } => format!("{answer}, and no whole game is known"),
            Answer::None => "none within these bounds".to_owned(),
            Answer::Open { open } => {
                let tasks = self.completeness.tasks;
                format!("open, since {open} of {tasks} games may have it")
            }
        }
    }
}

/// A quotient with the answer of each census.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Its order.
    pub order: u32,
    /// The number of elements of its P-portion.
    pub p_size: u32,
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Its class.
    pub class: ClassKey,
    /// The answers, in the order of the censuses.
    pub answers: Vec<Answer>,
}

impl Entry {
    /// Reports whether some census knows a game with it.
    #[must_use]
    pub fn is_met(&self) -> bool {
        self.answers.iter().any(|answer| answer.code().is_some())
    }
}

/// The fields of the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Document {
    schema: u32,
    report: String,
    /// The digest of the classes.
    digest: String,
    /// The number of quotients of each complete order.
    complete_orders: BTreeMap<u32, u64>,
    censuses: Vec<SearchedCensus>,
    entries: Vec<Entry>,
}

/// The reason why a file is not an atlas.
#[derive(Debug, thiserror::Error)]
pub enum AtlasError {
    /// The file cannot be read.
    #[error("cannot read `{}`: {cause}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        cause: std::io::Error,
    },
    /// The file has another form.
    #[error("`{}` is not an atlas, which `misere report atlas --json` writes: {cause}", .path.display())]
    Form {
        /// The file.
        path: PathBuf,
        /// The fault.
        cause: serde_json::Error,
    },
    /// The file contradicts itself.
    #[error("`{}` is not an atlas, which `misere report atlas --json` writes: {fault}", .path.display())]
    Fault {
        /// The file.
        path: PathBuf,
        /// The fault.
        fault: AtlasFormError,
    },
}

/// The place of a quotient in an atlas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtlasPlace<'a> {
    /// The quotient is in the list.
    Entry(&'a Entry),
    /// The quotient is trivial: every game has it to heap 0.
    Trivial,
    /// All quotients of its order are in the list, and it is not among them: no games have it.
    NoQuotient,
    /// The list does not cover it.
    Beyond,
}

impl AtlasPlace<'_> {
    /// Returns the word for this in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Entry(_) => "listed",
            Self::Trivial => "trivial",
            Self::NoQuotient => "no-quotient",
            Self::Beyond => "beyond",
        }
    }
}

/// The answer of a census, with the bounds and the digest of the census.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CitedAnswer<'a> {
    /// The games of the census.
    pub bounds: &'a Bounds,
    /// The digest of the census.
    pub digest: &'a str,
    /// The answer itself.
    #[serde(flatten)]
    pub answer: &'a Answer,
}

/// The statement of an atlas on a class, for programs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ClassDocument<'a> {
    /// The hash of the file.
    pub hash: &'a str,
    /// Whether the class is in the list, or why it is not ([`AtlasPlace::name`]).
    pub list: &'static str,
    /// The answers of the censuses; none if the class is not in the list.
    pub answers: Vec<CitedAnswer<'a>>,
}

/// An atlas that was read and does not contradict itself.
#[derive(Clone, Debug)]
pub struct Atlas {
    document: Document,
    /// The place of each class in the list.
    places: BTreeMap<ClassKey, usize>,
    /// The hash of the file.
    hash: String,
}

impl Serialize for Atlas {
    /// Writes the fields that are read.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.document.serialize(serializer)
    }
}

impl Atlas {
    /// Returns the atlas in a file.
    ///
    /// # Errors
    /// [`AtlasError`] if the file cannot be read, is not an atlas, or contradicts itself.
    pub fn read(path: &Path) -> Result<Self, AtlasError> {
        let bytes =
            input_file::read(path, input_file::LARGE).map_err(|cause| AtlasError::Read {
                path: path.to_owned(),
                cause,
            })?;
        Self::of_bytes(path, &bytes)
    }

    /// Returns the atlas that a file states; its path is for the error.
    ///
    /// Cost: linear in the length of the file, except for a few canonical forms of named quotients.
    ///
    /// # Errors
    /// [`AtlasError`] if the bytes are not an atlas, or contradict themselves.
    pub fn of_bytes(path: &Path, bytes: &[u8]) -> Result<Self, AtlasError> {
        let path = || path.to_owned();
        let document: Document =
            serde_json::from_slice(input_file::without_mark(bytes)).map_err(|cause| {
                AtlasError::Form {
                    path: path(),
                    cause,
                }
            })?;
        validation::check(&document).map_err(|fault| AtlasError::Fault {
            path: path(),
            fault,
        })?;
        let places = document.entries.iter().map(|entry| entry.class).zip(0..);
        Ok(Self {
            places: places.collect(),
            hash: blake3::hash(bytes).to_hex().to_string(),
            document,
        })
    }

    /// Returns the censuses in which the quotients were looked for.
    #[must_use]
    pub fn censuses(&self) -> &[SearchedCensus] {
        &self.document.censuses
    }

    /// Returns the quotients, by ascending order.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.document.entries
    }

    /// Returns the quotients of one order.
    #[must_use]
    pub fn of_order(&self, order: u32) -> &[Entry] {
        let all = self.entries();
        let from = all.partition_point(|entry| entry.order < order);
        let to = all.partition_point(|entry| entry.order <= order);
        &all[from..to]
    }

    /// Returns the orders of the list that are complete, each with the number of its quotients.
    #[must_use]
    pub fn complete_orders(&self) -> &BTreeMap<u32, u64> {
        &self.document.complete_orders
    }

    /// Returns the place of a class in the atlas.
    ///
    /// `order` is the order of its quotients, if it is known.
    #[must_use]
    pub fn look_up(&self, class: &ClassKey, order: Option<usize>) -> AtlasPlace<'_> {
        let entry = self.places.get(class);
        if let Some(entry) = entry.and_then(|&place| self.entries().get(place)) {
            return AtlasPlace::Entry(entry);
        }
        let Some(order) = order.and_then(|order| u32::try_from(order).ok()) else {
            return AtlasPlace::Beyond;
        };
        match self.complete_orders().contains_key(&order) {
            _ if order == 1 => AtlasPlace::Trivial,
            true => AtlasPlace::NoQuotient,
            false => AtlasPlace::Beyond,
        }
    }

    /// Returns the digest of the classes in the list.
    #[must_use]
    pub fn list_digest(&self) -> &str {
        &self.document.digest
    }

    /// Returns the hash of the file.
    #[must_use]
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// Returns the extent of the list in words, such as `10 misère quotients of order 2 to 12`.
    #[must_use]
    pub fn extent(&self) -> String {
        let number = self.entries().len();
        let quotients = match number {
            1 => "misère quotient",
            _ => "misère quotients",
        };
        match (self.entries().first(), self.entries().last()) {
            (Some(least), Some(greatest)) if least.order < greatest.order => {
                let (least, greatest) = (least.order, greatest.order);
                format!("{number} {quotients} of order {least} to {greatest}")
            }
            (Some(only), _) => format!("{number} {quotients} of order {}", only.order),
            (None, _) => "no misère quotients".to_owned(),
        }
    }

    /// Returns the statement of the atlas on a class, for programs.
    ///
    /// `order` has the same meaning as in [`Self::look_up`].
    #[must_use]
    pub fn document(&self, class: &ClassKey, order: Option<usize>) -> ClassDocument<'_> {
        let listed = self.look_up(class, order);
        let answers = match listed {
            AtlasPlace::Entry(entry) => entry.answers.as_slice(),
            AtlasPlace::Trivial | AtlasPlace::NoQuotient | AtlasPlace::Beyond => &[],
        };
        let answers = self.censuses().iter().zip(answers);
        let cited = answers.map(|(census, answer)| CitedAnswer {
            bounds: &census.bounds,
            digest: &census.completeness.digest,
            answer,
        });
        ClassDocument {
            hash: self.hash(),
            list: listed.name(),
            answers: cited.collect(),
        }
    }

    /// Returns the sentences on a quotient, without full stops.
    ///
    /// There is one sentence for each census if the quotient is in the list.
    #[must_use]
    pub fn sentences(&self, listed: AtlasPlace<'_>) -> Vec<String> {
        match listed {
            AtlasPlace::Entry(entry) => {
                let answers = self.censuses().iter().zip(&entry.answers);
                let say = |(census, answer): (&SearchedCensus, &Answer)| {
                    format!("{}: {}", census.bounds, census.sentence(answer))
                };
                answers.map(say).collect()
            }
            AtlasPlace::Trivial => vec!["every game has the trivial quotient to heap 0".to_owned()],
            AtlasPlace::NoQuotient => vec![
                "all misère quotients of this order are listed, and this is none of them: no games \
                 have it"
                    .to_owned(),
            ],
            AtlasPlace::Beyond => vec!["the quotient is not listed".to_owned()],
        }
    }
}

#[cfg(test)]
mod tests;
