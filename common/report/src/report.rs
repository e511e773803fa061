//! Reports: the facts they read, what they say about them, and their formats.
//!
//! A kind of report implements [`Report`]. [`REPORTS`](crate::registry::REPORTS) lists all kinds;
//! the command line, its help and the tests follow the list.

use misere_game::control::Control;
use misere_store::{Store, StoreError};
use serde_json::Value;

use crate::ReportError;
use crate::completeness::Completeness;
use crate::sheet::{Format, Grid, Part, PictureFormat, Sheet};
use crate::sheets::provenance::Provenance;

/// A kind of report.
///
/// The facts are read first, and everything the report says follows from them and the input. A
/// report does not write text, HTML, LaTeX, CSV or JSON itself; [`ReportSheet`] does.
pub(crate) trait Report {
    /// The thing that the report is about, such as a census.
    type Input: Input;
    /// The facts that the report states.
    type Facts;
    /// The name on the command line and in the document: `figure2`.
    const NAME: &'static str;
    /// The sentence that describes the report in a list, without a full stop.
    const ABOUT: &'static str;
    /// The examples, the explanation and the exit codes that end the help.
    ///
    /// Kinds whose inputs are given by the same options may share the help of these options
    /// instead.
    const HELP: &'static str = "";

    /// Reads the facts about the input.
    ///
    /// # Errors
    /// [`ReportError`] if the input or the published data cannot be read, or `control` stops the
    /// work.
    fn facts(input: &Self::Input, control: &mut Control) -> Result<Self::Facts, ReportError>;

    /// Returns everything the report says.
    fn content(input: &Self::Input, facts: &Self::Facts) -> Content;
}

/// The thing that a report is about.
pub trait Input {
    /// Returns the origin of the input, and how sure its content is.
    ///
    /// # Errors
    /// [`StoreError`] if a census cannot be read.
    fn provenance(&self) -> Result<Provenance, StoreError>;
}

/// A census in a directory.
#[derive(Debug)]
pub struct Census {
    /// The census.
    pub store: Store,
    /// The name of the directory, for commands that the report suggests.
    pub directory: String,
}

impl Input for Census {
    fn provenance(&self) -> Result<Provenance, StoreError> {
        Provenance::of_census(&self.store)
    }
}

/// Censuses that are read together.
#[derive(Debug)]
pub struct Censuses {
    /// The census that the report is about.
    pub first: Census,
    /// The censuses that prove more of the same games.
    pub others: Vec<Census>,
}

impl Input for Censuses {
    fn provenance(&self) -> Result<Provenance, StoreError> {
        let mut provenance = self.first.provenance()?;
        for other in &self.others {
            let known = Completeness::of(&other.store)?;
            provenance.also(format!(
                "Beside it a census of {}, each with fuel {} and {} for proofs of infinity: {} of {} rulesets have a record; digest {}.",
                known.plan.space,
                known.plan.fuel,
                known.plan.max_evidence,
                known.records,
                known.tasks,
                known.digest_text()
            ));
        }
        Ok(provenance)
    }
}

/// Everything a report says, except for its provenance.
#[derive(Debug)]
pub(crate) struct Content {
    pub(crate) title: String,
    /// The sentences and tables for people.
    pub(crate) parts: Vec<Part>,
    /// The table for the CSV format: a line for each item.
    pub(crate) data: Grid,
    /// The fields of the JSON document.
    pub(crate) document: Value,
    /// Sentences for the provenance: what the input lacks, and what is compared with what.
    pub(crate) notes: Vec<String>,
}

/// A report about an input, before it is formatted.
#[derive(Debug)]
pub struct ReportSheet {
    name: &'static str,
    sheet: Sheet,
    document: Value,
}

impl ReportSheet {
    /// Makes the report of a kind about an input.
    pub(crate) fn of<R: Report>(
        input: &R::Input,
        control: &mut Control,
    ) -> Result<Self, ReportError> {
        let facts = R::facts(input, control)?;
        let content = R::content(input, &facts);
        let mut provenance = input.provenance()?;
        content.notes.iter().for_each(|note| provenance.also(note));
        Ok(Self {
            name: R::NAME,
            document: provenance.document(R::NAME, &content.title, &content.document),
            sheet: Sheet {
                title: content.title,
                parts: content.parts,
                data: provenance.closing(content.data),
                provenance: provenance.sentences().to_vec(),
            },
        })
    }

    /// Returns the name of the kind of report.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Formats the report, for lines of `width` columns where the format has lines.
    ///
    /// # Errors
    /// [`serde_json::Error`] if the document has no JSON form.
    pub fn set(&self, format: Format, width: usize) -> Result<String, serde_json::Error> {
        match self.sheet.set(format, width) {
            Some(text) => Ok(text),
            None => line(&self.document),
        }
    }

    /// Formats the report; the formats include the picture alone.
    ///
    /// # Errors
    /// [`serde_json::Error`] if the document has no JSON form.
    pub fn set_or_drawn(
        &self,
        format: PictureFormat,
        width: usize,
    ) -> Result<String, serde_json::Error> {
        match self.sheet.set_or_drawn(format, width) {
            Some(text) => Ok(text),
            None => line(&self.document),
        }
    }
}

/// Writes a document as one line, with its line end.
pub(crate) fn line(document: &Value) -> Result<String, serde_json::Error> {
    Ok(serde_json::to_string(document)? + "\n")
}
