//! The description of the CSV tables as a Tabular Data Package (`datapackage.json`).
//!
//! Programs that know the form (<https://specs.frictionlessdata.io/tabular-data-package/>) read the
//! tables with their types, keys and references, and check them.

use serde_json::{Map, Value, json};

use super::table::{Column, Kind, TABLES, Table};

/// The name of the file.
pub(super) const FILE: &str = "datapackage.json";

/// Returns the description of the tables of a census, named by its plan.
pub(super) fn document(plan: &str) -> Value {
    json!({
        "profile": "tabular-data-package",
        "name": "misere-census",
        "title": format!("Misère quotients of impartial games: {plan}"),
        "resources": TABLES.map(resource),
    })
}

fn resource(table: &Table) -> Value {
    let key = table.columns.iter().take(table.key);
    let mut schema = Map::new();
    schema.insert(
        "fields".to_owned(),
        table.columns.iter().map(field).collect(),
    );
    schema.insert("missingValues".to_owned(), json!([""]));
    schema.insert(
        "primaryKey".to_owned(),
        key.map(|column| column.name).collect(),
    );
    if let Some((column, other, there)) = table.refers {
        let reference = json!({ "resource": other, "fields": there });
        let foreign = json!([{ "fields": column, "reference": reference }]);
        schema.insert("foreignKeys".to_owned(), foreign);
    }
    json!({
        "profile": "tabular-data-resource",
        "name": table.name,
        "path": format!("{}.csv", table.name),
        "description": table.says,
        "format": "csv",
        "mediatype": "text/csv",
        "encoding": "utf-8",
        "dialect": { "lineTerminator": "\r\n" },
        "schema": schema,
    })
}

fn field(column: &Column) -> Value {
    let mut field = json!({ "name": column.name, "description": column.says });
    match column.kind {
        Kind::Integer => field["type"] = json!("integer"),
        Kind::Text => field["type"] = json!("string"),
        Kind::Truth => {
            field["type"] = json!("boolean");
            field["trueValues"] = json!(["1"]);
            field["falseValues"] = json!(["0"]);
        }
    }
    if !column.optional {
        field["constraints"] = json!({ "required": true });
    }
    field
}
