//! The quotients that a file holds: a presentation, a game, a list, a certificate, or tables.

use std::path::Path;

use misere_census::input_file;
use misere_check::{CheckError, check_within};
use misere_game::bipartite::{BipartiteMonoid, Element};
use misere_game::control::{Control, Interrupt};
use misere_game::monoid::notation::looks_like_a_presentation;
use misere_game::monoid::readable::{PresentationInput, WrittenPresentation};
use misere_game::ruleset::Code;
use misere_game::solution::construction::ClassificationDocument;
use misere_game::solution::{Document, Solution};
use serde::Deserialize;
use serde_json::Value;

use super::{Origin, QuotientSource, QuotientSourceError, Source};
use crate::exit::{Exit, Failure};
use crate::read_error::ReadError;
use crate::verify::CertificateError;
use crate::watch::Watch;

/// A quotient given by its tables alone.
#[derive(Deserialize)]
struct Tables {
    order: usize,
    action: Vec<Vec<Element>>,
    p_portion: Vec<Element>,
}

impl Source<'_> {
    /// Returns the quotients that the text of a file describes.
    pub(super) fn of_text(&self, file: &str, text: &str) -> Result<Vec<QuotientSource>, Failure> {
        let bad = |why: String| QuotientSourceError::NotAQuotient(format!("`{file}` {why}"));
        let is_json = text.starts_with(['{', '[']) && serde_json::from_str::<Value>(text).is_ok();
        if !is_json && looks_like_a_presentation(text) {
            let written: WrittenPresentation = text.parse().map_err(|error| match text
                .parse::<PresentationInput>(
            ) {
                Ok(PresentationInput {
                    p_portion: None, ..
                }) => self.no_p_portion(text, &error),
                _ => bad(format!("holds no presentation: {error}")).into(),
            })?;
            return Ok(vec![self.presented(file, &written)?]);
        }
        if !is_json {
            // The file holds a game.
            return match text.parse::<Code>() {
                Ok(code) => Ok(vec![self.of_code(&code)?]),
                Err(error) => Err(bad(format!(
                    "is neither JSON nor a presentation ⟨… | …⟩ P = {{…}}; and as a code: {error}"
                ))
                .into()),
            };
        }
        let value: Value = serde_json::from_str(text)?;
        if value.get("quotients").is_some() {
            self.without_heap(&format!("`{file}`"))?;
            let list: ClassificationDocument = serde_json::from_value(value)
                .map_err(|error| bad(format!("is not a list of quotients: {error}")))?;
            let items = list.quotients.into_iter().zip(1_usize..);
            return items
                .map(|(item, number)| {
                    let title = format!("{file}, quotient {number}");
                    let construction = item
                        .to_construction()
                        .map_err(|error| bad(format!("lists no quotient at {number}: {error}")))?;
                    Ok(QuotientSource::of(
                        title,
                        construction.quotient,
                        Origin::Given,
                    ))
                })
                .collect();
        }
        if value.get("phi").is_some() {
            let document: Document = serde_json::from_value(value)
                .map_err(|error| bad(format!("is not a certificate: {error}")))?;
            let solution = document
                .into_solution()
                .map_err(|error| bad(format!("is not a certificate: {error}")))?;
            if self.checks {
                self.check(file, &solution)?;
            }
            return Ok(vec![self.of_solution(&solution, Origin::Given)?]);
        }
        self.without_heap(&format!("`{file}`"))?;
        let tables = value.get("quotient").unwrap_or(&value);
        let tables: Tables = Tables::deserialize(tables).map_err(|error| {
            bad(format!(
                "is not a quotient (order, action, p_portion): {error}"
            ))
        })?;
        let monoid = BipartiteMonoid::new(tables.order, tables.action, tables.p_portion)
            .map_err(|error| bad(format!("is not a bipartite monoid: {error}")))?;
        Ok(vec![QuotientSource::of(file, monoid, Origin::Given)])
    }

    /// Checks the claim of a certificate.
    fn check(&self, file: &str, solution: &Solution) -> Result<(), Failure> {
        let interrupt = Interrupt::default();
        let watch = Watch::start(format!("checking {file}"), &interrupt, self.guards)?;
        let checked = check_within(solution, &mut Control::new(u64::MAX, interrupt));
        watch.finish();
        checked.map_err(|flaw| CertificateError {
            file: file.to_owned(),
            exit: match flaw {
                CheckError::Unchecked(_) => Exit::Interrupted,
                _ => Exit::Refuted,
            },
            reason: format!("is refuted: {flaw}"),
        })?;
        Ok(())
    }
}

/// Returns the text of a file; `-` is standard input.
pub(super) fn read(file: &str) -> Result<String, ReadError> {
    let read = if file == "-" {
        input_file::text_of(std::io::stdin().lock(), input_file::LARGE)
    } else {
        input_file::read_text(Path::new(file), input_file::LARGE)
    };
    read.map_err(|cause| ReadError::new(file, cause))
}
