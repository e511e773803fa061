//! The JSON form of a presentation of an infinite quotient.
//!
//! The field names and their meaning are the project's contract with other programs (schema 1).
//! The claim is the game, the heap, the diagram, the relations, and their reach. The other fields
//! are written for readers, and the checker of the document computes them again.

use serde::{Deserialize, Serialize};

use super::diagram::DiagramFamily;
use super::document::SCHEMA;
use super::presentation::{Presentation, Reach, Relation};
use crate::lists::at_most;
use crate::monoid::notation::NotationError;
use crate::monoid::word::Word;
use crate::ruleset::Code;

/// The most relations and words that are read.
const MAX_LINES: usize = 200_000;

/// A presentation of an infinite quotient as a JSON document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(
    missing_docs,
    reason = "the field names are the contract; their meaning is in docs/reference"
)]
pub struct PresentedDocument {
    pub schema: u32,
    pub code: Code,
    pub convention: String,
    pub status: String,
    pub heaps: u32,
    pub silent_heaps: Vec<u32>,
    #[serde(deserialize_with = "at_most::<MAX_LINES, _, _>")]
    pub generators: Vec<GeneratorHeap>,
    pub complete: bool,
    pub degree: u32,
    #[serde(deserialize_with = "at_most::<MAX_LINES, _, _>")]
    pub relations: Vec<String>,
    pub hilbert: Vec<u64>,
    pub dimension: Option<u32>,
    pub polynomial_from: Option<u32>,
    pub normal_degree: u32,
    #[serde(deserialize_with = "at_most::<MAX_LINES, _, _>")]
    pub normal_words: Vec<String>,
    pub p_portion: Option<PortionDocument>,
    pub diagram: DiagramFamily,
}

/// A generator with its heap.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(
    missing_docs,
    reason = "the field names are the contract; their meaning is in docs/reference"
)]
pub struct GeneratorHeap {
    pub name: String,
    pub heap: u32,
}

/// The P-portion as words and progressions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(
    missing_docs,
    reason = "the field names are the contract; their meaning is in docs/reference"
)]
pub struct PortionDocument {
    #[serde(deserialize_with = "at_most::<MAX_LINES, _, _>")]
    pub words: Vec<String>,
    #[serde(deserialize_with = "at_most::<MAX_LINES, _, _>")]
    pub progressions: Vec<ProgressionDocument>,
}

/// The words `first`, `first·step`, `first·step·step`, and so on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(
    missing_docs,
    reason = "the field names are the contract; their meaning is in docs/reference"
)]
pub struct ProgressionDocument {
    pub first: String,
    pub step: String,
}

/// The reason why a document does not state a presentation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PresentedError {
    /// The version of the form is unknown.
    #[error("is not a certificate: its schema is {0}, and this program reads {SCHEMA}")]
    Schema(u32),
    /// The convention of play is not misère play.
    #[error("is not a certificate: its convention is `{0}`, and a presentation is of misère play")]
    Convention(String),
    /// A relation is not an equation of two words in the generators.
    #[error("relation number {number} (counted from 0) is no equation of two words")]
    NoEquation {
        /// The place of the relation in the list.
        number: usize,
    },
}

impl PresentedDocument {
    /// Returns the presentation that the document states, which is not checked yet.
    ///
    /// Cost: linear in the relations.
    ///
    /// # Errors
    /// [`PresentedError`] for the first part of the document that is not a presentation.
    pub fn presentation(&self) -> Result<Presentation, PresentedError> {
        if self.schema != SCHEMA {
            return Err(PresentedError::Schema(self.schema));
        }
        if self.convention != "misere" {
            return Err(PresentedError::Convention(self.convention.clone()));
        }
        let letters = self.diagram.letters.len();
        let read = |(number, text): (usize, &String)| {
            let sides = text.split_once(" = ");
            let (left, right) = sides.ok_or(PresentedError::NoEquation { number })?;
            let word = |side| {
                Word::read(side, letters)
                    .map_err(|_: NotationError| PresentedError::NoEquation { number })
            };
            Ok(Relation {
                left: word(left)?,
                right: word(right)?,
            })
        };
        let relations = self.relations.iter().enumerate().map(read);
        Ok(Presentation {
            relations: relations.collect::<Result<_, _>>()?,
            reach: match self.complete {
                true => Reach::All,
                false => Reach::Degree(self.degree),
            },
        })
    }
}
