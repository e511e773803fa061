//! The description of the API in the form of OpenAPI.
//!
//! `openapi.json` has all of it except the parameters derived from the table of query fields; these
//! are filled in here.

use std::sync::LazyLock;

use misere_query::{Field, Kind, Sort, Tameness};
use serde::Serialize;

/// The description without the parameters of the query fields.
const WITHOUT_FIELDS: &str = include_str!("openapi.json");

/// The line of the file that is replaced by the parameters.
const PLACE: &str = "     \"the query fields\",\n";

/// The description with all parameters.
pub(crate) static DESCRIPTION: LazyLock<String> =
    LazyLock::new(|| WITHOUT_FIELDS.replacen(PLACE, &parameters(), 1));

/// A parameter of an address.
#[derive(Serialize)]
struct Parameter {
    name: &'static str,
    r#in: &'static str,
    description: String,
    schema: Schema,
    example: &'static str,
}

/// The form of the text of a parameter.
#[derive(Serialize)]
struct Schema {
    r#type: &'static str,
    #[serde(rename = "enum", skip_serializing_if = "Vec::is_empty")]
    values: Vec<&'static str>,
}

impl Parameter {
    fn new(
        name: &'static str,
        description: String,
        values: Vec<&'static str>,
        example: &'static str,
    ) -> Self {
        Self {
            name,
            r#in: "query",
            description,
            schema: Schema {
                r#type: "string",
                values,
            },
            example,
        }
    }

    fn of(field: Field) -> Self {
        let mut description = format!("{}.", field.about());
        if field.takes_range() {
            let written = " Written 8..40, 8.., ..40 or 8; both ends are included.";
            description.push_str(written);
        }
        if field.name() != field.document() && field.name().replace('-', "_") == field.document() {
            let also = format!(
                " May be written `{}` too, as in the records.",
                field.document()
            );
            description.push_str(&also);
        }
        let values = match field.kind() {
            Kind::Tameness => Tameness::ALL.into_iter().map(Tameness::name).collect(),
            _ => Vec::new(),
        };
        Self::new(field.name(), description, values, field.example())
    }

    fn sort() -> Self {
        let description = "The property by which the answers are sorted.".to_owned();
        let names = Sort::all().map(Sort::name).collect();
        Self::new("sort", description, names, Field::Order.name())
    }
}

/// Returns the parameters of the query fields and of the order, as lines of the file.
fn parameters() -> String {
    let fields = Field::ALL.into_iter().map(Parameter::of);
    let mut lines = String::new();
    for parameter in fields.chain([Parameter::sort()]) {
        let mut bytes = Vec::new();
        let indent = serde_json::ser::PrettyFormatter::with_indent(b" ");
        let mut writer = serde_json::Serializer::with_formatter(&mut bytes, indent);
        if let Err(error) = parameter.serialize(&mut writer) {
            tracing::error!(%error, "cannot describe a parameter");
            continue;
        }
        for line in String::from_utf8_lossy(&bytes).lines() {
            lines.push_str(&format!("     {line}\n"));
        }
        lines.truncate(lines.trim_end().len());
        lines.push_str(",\n");
    }
    lines
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use misere_coordinator::observer::CensusState;
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn the_description_has_a_parameter_for_every_field() {
        let description: Value = serde_json::from_str(&DESCRIPTION).unwrap();
        let parameters = &description["paths"]["/api/v1/games"]["get"]["parameters"];
        let parameters = parameters.as_array().unwrap();
        let names: Vec<&str> = parameters
            .iter()
            .map(|parameter| parameter["name"].as_str().unwrap())
            .collect();
        for field in Field::ALL {
            assert!(names.contains(&field.name()), "{field:?}");
        }
        let others = ["code", "sort", "descending", "offset", "limit"];
        assert_eq!(names.len(), Field::ALL.len() + others.len());
        let once: BTreeSet<&&str> = names.iter().collect();
        assert_eq!(once.len(), names.len());
    }

    #[test]
    fn the_description_lists_every_state_of_a_census() {
        let description: Value = serde_json::from_str(&DESCRIPTION).unwrap();
        let listed = &description["components"]["schemas"]["CensusState"]["enum"];
        assert_eq!(*listed, json!(CensusState::ALL));
    }
}
