//! The other codes of a game in the JSON documents of reports.

use misere_census::Alias;
use misere_game::ruleset::Code;
use misere_query::RenumberingDocument;
use serde_json::{Value, json};

/// Adds two fields to a JSON object: `aliases` and `renumberings`.
///
/// They are the other codes of a game, and how heaps are numbered in each of them.
pub(crate) fn with_same_game(mut document: Value, code: &Code, aliases: &[Alias]) -> Value {
    if let Value::Object(object) = &mut document {
        let codes: Vec<&Code> = aliases.iter().map(|alias| &alias.code).collect();
        let renumberings = aliases
            .iter()
            .map(|alias| RenumberingDocument::new(code, alias));
        let renumberings: Vec<RenumberingDocument> = renumberings.collect();
        object.insert("aliases".to_owned(), json!(codes));
        object.insert("renumberings".to_owned(), json!(renumberings));
    }
    document
}
