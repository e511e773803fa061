//! The list of the misère quotients of small order that a census has found.
//!
//! `quotients.json` is a document of the form that `misere classify --json` prints. So
//! `misere verify` checks it from scratch: every quotient by its games, and the counts.

use std::collections::BTreeMap;

use misere_algebra::classify::published_tables::TABLE_1;
use misere_game::solution::construction::{ConstructionDocument, SCHEMA};
use serde_json::json;

use super::staging::Staging;
use super::{ExportError, Source};

/// The file of the quotients.
pub const QUOTIENTS: &str = "quotients.json";

/// Writes the quotients of all closed levels of the census, one on a line.
///
/// Returns their number.
///
/// An unfinished census has the status `interrupted`, and its open level is left out, as in the
/// list of a classification that was stopped.
///
/// Cost: words, presentation and canonical form of each quotient; one level in memory.
pub(super) fn write(source: &Source<'_>, staging: &mut Staging) -> Result<u64, ExportError> {
    let store = source.store;
    let mut file = staging.create(QUOTIENTS)?;
    let mut counts = BTreeMap::new();
    let mut written = 0;
    file.text("{\"quotients\":[")?;
    for level in store.levels().filter(|level| level.closed) {
        let quotients = store.quotients(level.order)?;
        counts.insert(usize::from(level.order), quotients.len());
        for quotient in quotients {
            source.listen()?;
            let document = ConstructionDocument::new(&quotient.construction);
            let line = serde_json::to_string(&document)?;
            let separator = if written == 0 { "\n" } else { ",\n" };
            file.text(&format!("{separator}{line}"))?;
            written += 1;
        }
    }
    let status = match store.open_level() {
        None => "complete",
        Some(_) => "interrupted",
    };
    let mut after = json!({
        "schema": SCHEMA,
        "max_order": store.plan().space().max_quotient_order(),
        "status": status,
        "counts": counts,
        "published": BTreeMap::from(TABLE_1),
    })
    .to_string();
    // The opening brace belongs to the whole document.
    after.remove(0);
    file.text(&format!("\n],{after}\n"))?;
    file.close()?;
    Ok(written)
}
