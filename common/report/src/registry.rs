//! The list of all kinds of reports.
//!
//! `misere report` has a subcommand for each; the reports of the papers are the last. To add a
//! report, implement the trait `Report` in a module of [`sheets`](crate::sheets) and add a line
//! here.

use misere_game::control::Control;

use crate::ReportError;
use crate::report::{Census, Censuses, Input, Report, ReportSheet};
use crate::sheets::day4::{Figure10, Figure11};
use crate::sheets::day5::DayFiveReport;
use crate::sheets::figure1;
use crate::sheets::figures::WildFigure;
use crate::sheets::genera::GenusReport;
use crate::sheets::infinite::{InfiniteInput, InfiniteReport};
use crate::sheets::laws::Laws;
use crate::sheets::pictures::{Cayley, DrawnQuotient, Game, Growth, Idempotents};
use crate::sheets::powers_3310::Table3310;
use crate::sheets::summary::SummaryReport;
use crate::sheets::tables::atlas::{AtlasInput, AtlasReport};
use crate::sheets::tables::{CommonFacts, Source, Table1, Table2, Table3};

/// A kind of report about inputs of the type `I`.
#[derive(Debug)]
pub struct Entry<I> {
    /// The name on the command line and in the document.
    pub name: &'static str,
    /// The sentence that describes the report in a list.
    pub about: &'static str,
    /// The text that ends the help of the report; empty if the input's options have their own.
    pub help: &'static str,
    make: fn(&I, &mut Control) -> Result<ReportSheet, ReportError>,
}

impl<I: Input> Entry<I> {
    const fn of<R: Report<Input = I>>() -> Self {
        Self {
            name: R::NAME,
            about: R::ABOUT,
            help: R::HELP,
            make: ReportSheet::of::<R>,
        }
    }

    /// Makes the report about an input.
    ///
    /// # Errors
    /// [`ReportError`] if the input or the published data cannot be read, or `control` stops the
    /// work.
    pub fn make(&self, input: &I, control: &mut Control) -> Result<ReportSheet, ReportError> {
        (self.make)(input, control)
    }
}

/// A kind of report with the type of its input.
#[derive(Debug)]
pub enum Kind {
    /// A report on a census.
    OfCensus(Entry<Census>),
    /// A report on one census or several together.
    OfCensuses(Entry<Censuses>),
    /// A report on the infinite quotients of a census.
    OfInfinite(Entry<InfiniteInput>),
    /// The chart of a census, [`figure1::Figure1`], which is a picture in every format.
    Chart {
        /// The name on the command line and in the document.
        name: &'static str,
        /// The sentence that describes the chart in a list.
        about: &'static str,
    },
    /// A report on quotients that were checked.
    OfQuotients(Entry<Source>),
    /// A report on quotients that were checked, and on the games of some censuses.
    OfQuotientsAndCensuses(Entry<AtlasInput>),
    /// A report with a picture of a quotient.
    OfQuotient(Entry<DrawnQuotient>),
    /// A report with a picture of a game.
    OfGame(Entry<Game>),
}

impl Kind {
    /// Returns the name on the command line and in the document.
    ///
    /// ```
    /// use misere_report::registry::REPORTS;
    /// assert_eq!(REPORTS[0].name(), "summary");
    /// ```
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::OfCensus(entry) => entry.name,
            Self::OfCensuses(entry) => entry.name,
            Self::OfInfinite(entry) => entry.name,
            Self::Chart { name, .. } => name,
            Self::OfQuotients(entry) => entry.name,
            Self::OfQuotientsAndCensuses(entry) => entry.name,
            Self::OfQuotient(entry) => entry.name,
            Self::OfGame(entry) => entry.name,
        }
    }

    /// Returns the sentence that describes the report in a list, without a full stop.
    #[must_use]
    pub fn about(&self) -> &'static str {
        match self {
            Self::OfCensus(entry) => entry.about,
            Self::OfCensuses(entry) => entry.about,
            Self::OfInfinite(entry) => entry.about,
            Self::Chart { about, .. } => about,
            Self::OfQuotients(entry) => entry.about,
            Self::OfQuotientsAndCensuses(entry) => entry.about,
            Self::OfQuotient(entry) => entry.about,
            Self::OfGame(entry) => entry.about,
        }
    }
}

/// All kinds of reports, in the order in which they are listed.
pub static REPORTS: [Kind; 23] = [
    Kind::OfCensus(Entry::of::<SummaryReport>()),
    Kind::Chart {
        name: figure1::NAME,
        about: figure1::ABOUT,
    },
    Kind::OfCensus(Entry::of::<WildFigure<2>>()),
    Kind::OfCensus(Entry::of::<WildFigure<3>>()),
    Kind::OfCensus(Entry::of::<WildFigure<4>>()),
    Kind::OfCensus(Entry::of::<WildFigure<5>>()),
    Kind::OfCensus(Entry::of::<WildFigure<6>>()),
    Kind::OfCensus(Entry::of::<WildFigure<7>>()),
    Kind::OfCensus(Entry::of::<Figure10>()),
    Kind::OfCensus(Entry::of::<Figure11>()),
    Kind::OfCensus(Entry::of::<Table3310>()),
    Kind::OfCensuses(Entry::of::<DayFiveReport>()),
    Kind::OfInfinite(Entry::of::<InfiniteReport>()),
    Kind::OfCensus(Entry::of::<Laws>()),
    Kind::OfCensus(Entry::of::<GenusReport>()),
    Kind::OfQuotient(Entry::of::<Cayley>()),
    Kind::OfQuotient(Entry::of::<Idempotents>()),
    Kind::OfGame(Entry::of::<Growth>()),
    Kind::OfQuotients(Entry::of::<Table1>()),
    Kind::OfQuotients(Entry::of::<Table2>()),
    Kind::OfQuotients(Entry::of::<Table3>()),
    Kind::OfQuotients(Entry::of::<CommonFacts>()),
    Kind::OfQuotientsAndCensuses(Entry::of::<AtlasReport>()),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_report_has_a_name_of_its_own_and_a_help() {
        let names: BTreeSet<&str> = REPORTS.iter().map(Kind::name).collect();
        assert_eq!(names.len(), REPORTS.len());
        for kind in &REPORTS {
            assert!(!kind.about().is_empty() && !kind.about().ends_with('.'));
            if let Kind::OfCensus(entry) = kind {
                let own = format!("misere report {} ", entry.name);
                let shared = ["figure", "table"].map(|kind| format!("misere report {kind}"));
                let is_named = |example: &String| entry.help.contains(example);
                assert!(is_named(&own) || shared.iter().any(is_named), "{own}");
                assert!(entry.help.contains("Exit codes:"), "{own}");
            }
        }
    }
}
