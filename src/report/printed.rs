//! The options that say how a report is printed.

use misere_report::ReportSheet;
use misere_report::sheet::{Format, PictureFormat};

use crate::destination::Destination;
use crate::exit::{Exit, Failure};

/// The formats of a report of tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum TableFormat {
    /// For a terminal
    Text,
    /// A page
    Html,
    /// Tables for a paper; they need amssymb, array, booktabs and longtable
    Latex,
    /// One line for each item
    Csv,
    /// One document
    Json,
}

/// The options that say how a report of tables is printed.
#[derive(Clone, Debug, clap::Args)]
pub struct PrintOptions {
    /// The output format
    #[arg(long, value_enum, default_value = "text", help_heading = "Output")]
    format: TableFormat,
    /// Short for --format json
    #[arg(long, conflicts_with = "format", help_heading = "Output")]
    json: bool,
    #[command(flatten)]
    destination: Destination,
}

impl PrintOptions {
    fn format(&self) -> Format {
        match self.format {
            _ if self.json => Format::Json,
            TableFormat::Text => Format::Text,
            TableFormat::Html => Format::Html,
            TableFormat::Latex => Format::Latex,
            TableFormat::Csv => Format::Csv,
            TableFormat::Json => Format::Json,
        }
    }

    /// Checks that the report can be written, before it is made.
    ///
    /// # Errors
    /// An [`OutputError`](misere_census::output_file::OutputError) if it could not be written.
    pub fn check_writable(&self) -> Result<(), Failure> {
        self.destination.check_writable()
    }

    /// Prints a report as these options say.
    ///
    /// # Errors
    /// A [`Failure`] if nothing can be printed.
    pub fn print(&self, report: &ReportSheet) -> Result<Exit, Failure> {
        let text = report.set(self.format(), self.destination.width())?;
        self.destination.write(&text)
    }
}

/// The formats of a report with a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum DrawnFormat {
    /// The picture
    Svg,
    /// Words and numbers, for a terminal
    Text,
    /// A page with the picture
    Html,
    /// Tables for a paper; they need amssymb, array, booktabs and longtable
    Latex,
    /// One line for each item
    Csv,
    /// One document
    Json,
}

impl From<DrawnFormat> for PictureFormat {
    fn from(format: DrawnFormat) -> Self {
        match format {
            DrawnFormat::Svg => Self::Svg,
            DrawnFormat::Text => Self::Text,
            DrawnFormat::Html => Self::Html,
            DrawnFormat::Latex => Self::Latex,
            DrawnFormat::Csv => Self::Csv,
            DrawnFormat::Json => Self::Json,
        }
    }
}
