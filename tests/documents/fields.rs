//! The fields of JSON documents: those that pages promise, and those that documents have.
//!
//! A table of fields has a comment before it that names the document, `<!-- json: outcome -->`, and
//! in its first two columns paths and types:
//!
//! | field | type | |
//! |---|---|---|
//! | `quotient.generators[].name`, `.heap` | string or integer | fields of the same object are written short |
//! | `plan` | [plan](#the-json-of-a-plan) or null | the table named `plan` tells the fields below |
//! | `counts.N` | integer | a segment in capitals represents any key |
//! | `names` | object by order | nothing is said of the fields below |
//!
//! `<!-- json: figure1 + report -->` says that the document has the fields of the table named
//! `report` as well.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::documents::markdown::{Page, Table};

/// The tables of fields, by the names of their documents.
pub(crate) struct Promises(BTreeMap<String, Promised>);

/// A table of fields.
struct Promised {
    fields: Vec<Promise>,
    /// The documents whose fields this one has too.
    bases: Vec<String>,
}

/// A row of a table of fields.
#[derive(Clone, Debug)]
struct Promise {
    place: String,
    path: String,
    types: String,
    /// The document whose fields are below the path.
    below: Option<String>,
}

/// The paths seen in a document, each with the types that occurred.
#[derive(Debug, Default)]
pub(crate) struct DocumentPaths(BTreeMap<String, BTreeSet<&'static str>>);

/// The rows that have been found in some document, each by its place and path.
pub(crate) type MatchedRows = BTreeSet<(String, String)>;

impl Promises {
    pub(crate) fn of(pages: &[Page]) -> Self {
        let mut all = BTreeMap::new();
        for page in pages {
            let tables = page.tables();
            for marker in page
                .comments()
                .filter_map(|comment| comment.strip_prefix("json: "))
            {
                let mut documents = marker.split(" + ").map(str::to_owned);
                let document = documents.next().unwrap_or_default();
                let is_its =
                    |table: &&Table| table.marker.as_deref() == Some(&format!("json: {marker}"));
                let rows = tables
                    .iter()
                    .find(is_its)
                    .map_or(&[][..], |table| &table.rows);
                let place = |line| format!("{}:{line}", page.name);
                let fields = rows
                    .iter()
                    .flat_map(|(line, cells)| promises(&place(line), cells));
                let promised = Promised {
                    fields: fields.collect(),
                    bases: documents.collect(),
                };
                let before = all.insert(document, promised);
                assert!(
                    before.is_none(),
                    "{}: two tables of fields for {marker}",
                    page.name
                );
            }
        }
        Self(all)
    }

    /// Checks that each of these documents has a table, and every document that a table refers to.
    pub(crate) fn must_have(&self, documents: impl IntoIterator<Item = &'static str>) {
        for document in documents {
            self.all(document);
        }
    }

    /// Returns the fields of a document with those below them.
    ///
    /// Each has its whole path, and the row that promises it.
    fn all(&self, document: &str) -> Vec<(String, &Promise)> {
        let promised = self
            .0
            .get(document)
            .unwrap_or_else(|| panic!("no page has a table `<!-- json: {document} -->`"));
        let bases = promised.bases.iter().flat_map(|base| self.all(base));
        let mut all: Vec<(String, &Promise)> = bases.collect();
        for promise in &promised.fields {
            all.push((promise.path.clone(), promise));
            let many = if promise.types.contains("array") {
                "[]"
            } else {
                ""
            };
            for (path, below) in promise.below.iter().flat_map(|below| self.all(below)) {
                all.push((format!("{}{many}.{path}", promise.path), below));
            }
        }
        all
    }

    /// Returns the fields of a document that no page promises, and notes which promises are kept.
    pub(crate) fn faults(
        &self,
        document: &str,
        seen: &DocumentPaths,
        met: &mut MatchedRows,
    ) -> Vec<String> {
        let promises = self.all(document);
        let mut faults = Vec::new();
        for (path, types) in &seen.0 {
            let found = promises
                .iter()
                .filter(|(promised, _)| agree(promised, path));
            let mut is_promised = false;
            for (_, promise) in found {
                is_promised = true;
                met.insert((promise.place.clone(), promise.path.clone()));
                let wrong = types.iter().filter(|name| !promise.types.contains(**name));
                faults.extend(wrong.map(|name| {
                    let Promise { place, types, .. } = promise;
                    format!(
                        "{place}: `{path}` of `{document}` is {types}, and was seen to be {name}"
                    )
                }));
            }
            let is_above = promises
                .iter()
                .any(|(promised, _)| stands_above(path, promised));
            let has_parts = types.iter().all(|name| matches!(*name, "array" | "object"));
            let any_below = |(promised, promise): &(String, &Promise)| {
                promise.types.contains("object by ") && stands_above(promised, path)
            };
            let is_any = promises.iter().any(any_below);
            if !(is_promised || is_any || is_above && has_parts) {
                faults.push(format!(
                    "`{document}` has a field `{path}` that no page names"
                ));
            }
        }
        faults
    }

    /// Returns the promises that no document was seen to keep.
    pub(crate) fn unmet(&self, met: &MatchedRows) -> Vec<String> {
        let mut unmet = Vec::new();
        for (document, promised) in &self.0 {
            for Promise { place, path, .. } in &promised.fields {
                if !met.contains(&(place.clone(), path.clone())) {
                    unmet.push(format!(
                        "{place}: no `{document}` was seen to have a field `{path}`"
                    ));
                }
            }
        }
        unmet
    }
}

/// Returns the fields that a row names.
fn promises(place: &str, cells: &[String]) -> Vec<Promise> {
    let mut promises: Vec<Promise> = Vec::new();
    let (fields, types) = (&cells[0], cells.get(1).map_or("", String::as_str));
    let link = types
        .split_once('[')
        .and_then(|(_, link)| link.split_once("]("));
    for field in fields.split('`').skip(1).step_by(2) {
        let path = match (field.strip_prefix('.'), promises.last()) {
            (Some(name), Some(before)) => {
                let parent = before
                    .path
                    .rsplit_once('.')
                    .map_or("", |(parent, _)| parent);
                format!("{parent}.{name}")
            }
            _ => field.to_owned(),
        };
        promises.push(Promise {
            place: place.to_owned(),
            path,
            types: match link {
                Some((name, _)) => types.replace(name, "object"),
                None => types.to_owned(),
            },
            below: link.map(|(name, _)| name.to_owned()),
        });
    }
    promises
}

/// Reports whether a path leads to an object or array to which another field belongs.
fn stands_above(path: &str, below: &str) -> bool {
    let mut parents = below
        .match_indices(['.', '['])
        .map(|(end, _)| &below[..end]);
    parents.any(|parent| agree(parent, path) || agree(path, parent))
}

/// Reports whether a path is the promised one; a segment in capitals represents any key.
fn agree(promised: &str, seen: &str) -> bool {
    let (mut promised, mut seen) = (promised.split('.'), seen.split('.'));
    loop {
        match (promised.next(), seen.next()) {
            (None, None) => return true,
            (Some(promised), Some(seen)) if promised == seen => {}
            (Some(any), Some(_)) if any.chars().all(|c| c.is_ascii_uppercase()) => {}
            _ => return false,
        }
    }
}

impl DocumentPaths {
    pub(crate) fn see(&mut self, document: &Value) {
        self.see_below("", document);
    }

    fn see_below(&mut self, path: &str, value: &Value) {
        match value {
            Value::Object(fields) => {
                for (name, value) in fields {
                    let path = format!("{path}.{name}");
                    let path = path.trim_start_matches('.');
                    self.0
                        .entry(path.to_owned())
                        .or_default()
                        .insert(type_of(value));
                    self.see_below(path, value);
                }
            }
            Value::Array(elements) => {
                let path = format!("{path}[]");
                for element in elements {
                    self.see_below(&path, element);
                }
            }
            _ => {}
        }
    }
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const PAGE: &str = "<!-- json: game + head -->\n| field | type | |\n|---|---|---|\n| `code` | string | |\n\
        | `heaps[].size`, `.word` | integer or string | |\n| `plan` | [plan](#plan) or null | |\n\
        | `counts.N` | integer | |\n\n<!-- json: plan -->\n| field | type | |\n|---|---|---|\n| `fuel` | integer | |\n\n\
        <!-- json: head -->\n| field | type | |\n|---|---|---|\n| `schema` | integer | |\n";

    fn faults(document: &Value) -> Vec<String> {
        let mut seen = DocumentPaths::default();
        seen.see(document);
        let promises = Promises::of(&[Page::new("page.md", PAGE)]);
        let mut met = MatchedRows::new();
        let mut faults = promises.faults("game", &seen, &mut met);
        faults.extend(promises.unmet(&met));
        faults
    }

    #[test]
    fn promised_fields_are_seen() {
        let heaps = json!([{ "size": 1, "word": "a" }]);
        let counts = json!({ "2": 1, "4": 0 });
        let document = json!({
            "schema": 1, "code": "0.3", "heaps": heaps, "plan": { "fuel": 1 }, "counts": counts,
        });
        assert_eq!(faults(&document), [""; 0]);
    }

    #[test]
    fn differences_are_found() {
        let heaps = json!([{ "size": 1.5, "word": "a", "name": "b" }]);
        let document = json!({ "schema": 1, "heaps": heaps, "plan": null, "counts": { "2": 1 } });
        let expected = [
            "`game` has a field `heaps[].name` that no page names",
            "page.md:5: `heaps[].size` of `game` is integer or string, and was seen to be number",
            "page.md:4: no `game` was seen to have a field `code`",
            "page.md:12: no `plan` was seen to have a field `fuel`",
        ];
        assert_eq!(faults(&document), expected);
    }
}
