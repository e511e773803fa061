//! The chart of all octal games with at most three digits, beside the chart of 2007.

mod data;
mod html;
mod latex;
mod style;
mod svg;
mod text;

use misere_census::normal_results::NormalResults;
use misere_game::control::Interrupt;
use misere_store::Store;

use super::provenance::Provenance;
use crate::ReportError;
use crate::facts::figure1::Chart;
use crate::report::line;

/// The name of the chart on the command line.
pub(crate) const NAME: &str = "figure1";

/// The sentence that describes the chart in a list.
pub(crate) const ABOUT: &str =
    "The chart of all octal games with at most three digits, beside that of 2007";

/// The format in which the chart is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Text for people at a terminal.
    Text,
    /// A self-contained page: the chart, what differs from 2007 and why.
    Html,
    /// A picture.
    Svg,
    /// A table to include.
    Latex,
    /// One line for each game.
    Csv,
    /// One JSON document.
    Json,
}

/// The chart of a census, before it is formatted.
#[derive(Debug)]
pub struct Figure1 {
    chart: Chart,
    provenance: Provenance,
}

impl Figure1 {
    /// Builds the chart of a census; `None` if interrupted.
    ///
    /// Normal play is computed to `normal_heaps` where a game is not solved, unless `results` know
    /// more.
    ///
    /// # Errors
    /// [`ReportError`] if the census or the published data cannot be read.
    pub fn of(
        store: &Store,
        normal_heaps: u32,
        results: &NormalResults,
        interrupt: &Interrupt,
    ) -> Result<Option<Self>, ReportError> {
        let Some(chart) = Chart::of(store, normal_heaps, results, interrupt)? else {
            return Ok(None);
        };
        let mut provenance = Provenance::of_census(store)?;
        for line in style::normal_play(&chart) {
            provenance.also(line);
        }
        Ok(Some(Self { chart, provenance }))
    }

    /// Formats the chart, for lines of `width` columns where the format has lines.
    ///
    /// # Errors
    /// [`serde_json::Error`] if the document has no JSON form.
    pub fn set(&self, format: Format, width: usize) -> Result<String, serde_json::Error> {
        let Self { chart, provenance } = self;
        let lines = provenance.sentences();
        Ok(match format {
            Format::Text => text::text(chart, lines, width),
            Format::Html => html::page(chart, lines),
            Format::Svg => svg::picture(chart),
            Format::Latex => latex::table(chart, lines),
            Format::Csv => data::csv(chart, provenance),
            Format::Json => line(&data::document(chart, provenance))?,
        })
    }
}
