//! A report before it is set: what it says, and where that comes from.

use serde_json::Value;

use crate::sheet::{Format, Grid, Part, PictureFormat, Sheet};
use crate::sheets::provenance::Provenance;

/// A report before it is set in a format.
#[derive(Debug)]
pub struct Report {
    /// Its name in its document: `figure2`.
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) parts: Vec<Part>,
    /// What CSV says: one table, a line for each item.
    pub(crate) data: Grid,
    /// What its document says, besides where the report comes from.
    pub(crate) says: Value,
    pub(crate) provenance: Provenance,
}

impl Report {
    /// The report in a format, for lines of `width` columns where the format has lines.
    ///
    /// # Errors
    /// [`serde_json::Error`] if the document has no JSON form.
    pub fn set(self, format: Format, width: usize) -> Result<String, serde_json::Error> {
        let (sheet, document) = self.finished();
        match sheet.set(format, width) {
            Some(text) => Ok(text),
            None => line(&document),
        }
    }

    /// The report in a format, the picture alone among them.
    ///
    /// # Errors
    /// [`serde_json::Error`] if the document has no JSON form.
    pub fn set_or_drawn(
        self,
        format: PictureFormat,
        width: usize,
    ) -> Result<String, serde_json::Error> {
        let (sheet, document) = self.finished();
        match sheet.set_or_drawn(format, width) {
            Some(text) => Ok(text),
            None => line(&document),
        }
    }

    fn finished(self) -> (Sheet, Value) {
        let provenance = self.provenance;
        let document = provenance.document(&self.name, &self.title, &self.says);
        let sheet = Sheet {
            title: self.title,
            parts: self.parts,
            data: provenance.closing(self.data),
            provenance: provenance.sentences().to_vec(),
        };
        (sheet, document)
    }
}

/// A document in one line, with its line end.
pub(crate) fn line(document: &Value) -> Result<String, serde_json::Error> {
    Ok(serde_json::to_string(document)? + "\n")
}
