//! Every answer of the API agrees with its description.

use jsonschema::Validator;
use serde_json::{Value, json};

use crate::page::served::small;

fn description() -> Value {
    let answer = small().get("/api/v1/openapi.json");
    assert_eq!(answer.status, 200);
    answer.json()
}

/// Returns a validator of answers for a schema of the description.
fn validator(description: &Value, schema: &Value) -> Validator {
    let mut whole = schema.clone();
    whole["components"] = description["components"].clone();
    jsonschema::validator_for(&whole).unwrap()
}

fn assert_valid(description: &Value, schema: &Value, answer: &Value, address: &str) {
    let validator = validator(description, schema);
    let faults: Vec<String> = validator
        .iter_errors(answer)
        .map(|fault| format!("{} at {}", fault, fault.instance_path()))
        .collect();
    assert!(faults.is_empty(), "{address}: {faults:#?}\n{answer:#}");
}

/// Encodes a value as part of an address.
fn encoded(value: &Value) -> String {
    let text = value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned);
    let bytes = text.bytes().map(|byte| format!("%{byte:02X}"));
    bytes.collect()
}

/// Returns the addresses to try for a path: as it is, and with each optional parameter.
fn addresses(path: &str, get: &Value) -> Vec<String> {
    let none = Vec::new();
    let parameters = get["parameters"].as_array().unwrap_or(&none);
    let mut base = path.to_owned();
    let mut separator = '?';
    let mut optional = Vec::new();
    for parameter in parameters {
        let name = parameter["name"].as_str().unwrap();
        let example = encoded(&parameter["example"]);
        match (parameter["in"].as_str().unwrap(), &parameter["required"]) {
            ("path", _) => base = base.replace(&format!("{{{name}}}"), &example),
            (_, Value::Bool(true)) => {
                base.push_str(&format!("{separator}{name}={example}"));
                separator = '&';
            }
            _ => optional.push(format!("{name}={example}")),
        }
    }
    let with = optional
        .iter()
        .map(|asked| format!("{base}{separator}{asked}"));
    let with: Vec<String> = with.collect();
    [vec![base.clone()], with].concat()
}

#[test]
fn every_answer_is_as_described() {
    let description = description();
    assert_eq!(description["openapi"], "3.1.0");
    let mut tried = 0;
    for (path, methods) in description["paths"].as_object().unwrap() {
        if path.ends_with("/events") {
            continue;
        }
        let get = &methods["get"];
        for address in addresses(path, get) {
            let answer = small().get(&address);
            let described = &get["responses"][answer.status.to_string()]["content"];
            let (kind, content) = described.as_object().unwrap().iter().next().unwrap();
            assert_eq!(answer.status, 200, "{address}: {}", answer.text());
            assert_eq!(
                answer.header("content-type"),
                Some(kind.as_str()),
                "{address}"
            );
            if kind == "application/json" {
                assert_valid(&description, &content["schema"], &answer.json(), &address);
            }
            tried += 1;
        }
    }
    assert!(tried >= 25, "{tried}");
}

/// Adds to a description that objects have no other fields than those described.
fn without_other_fields(schema: &mut Value, is_part: bool) {
    let Some(object) = schema.as_object_mut() else {
        return;
    };
    let has_fields = object.contains_key("properties");
    for (key, value) in &mut *object {
        // A choice beside fields adds fields to them.
        let is_part = matches!(key.as_str(), "oneOf" | "anyOf") && has_fields;
        match value {
            Value::Array(parts) => {
                for part in parts {
                    without_other_fields(part, is_part);
                }
            }
            Value::Object(parts) if key == "properties" => {
                for (_, part) in parts {
                    without_other_fields(part, false);
                }
            }
            part => without_other_fields(part, is_part),
        }
    }
    if has_fields && !is_part {
        object.insert("unevaluatedProperties".to_owned(), json!(false));
    }
}

/// The description names every field of every answer.
#[test]
fn no_answer_has_a_field_that_is_not_described() {
    let mut description = description();
    for (_, schema) in description["components"]["schemas"]
        .as_object_mut()
        .unwrap()
    {
        without_other_fields(schema, false);
    }
    let mut strict = 0;
    for (path, methods) in description["paths"].as_object().unwrap() {
        let get = &methods["get"];
        let described = &get["responses"]["200"]["content"]["application/json"]["schema"];
        if described["$ref"].is_null() {
            continue;
        }
        for address in addresses(path, get) {
            assert_valid(
                &description,
                described,
                &small().get(&address).json(),
                &address,
            );
            strict += 1;
        }
    }
    assert!(strict >= 20, "{strict}");
}

/// The description is strict: it says of every object which fields it must have, and answers that
/// lack one are found.
#[test]
fn an_answer_that_lacks_something_is_found() {
    let description = description();
    let schema = json!({ "$ref": "#/components/schemas/Record" });
    let record = small().get("/api/v1/games/0.77").json();
    assert_valid(&description, &schema, &record, "0.77");
    for field in record.as_object().unwrap().keys() {
        let mut less = record.clone();
        less.as_object_mut().unwrap().remove(field);
        assert!(!validator(&description, &schema).is_valid(&less), "{field}");
        let mut other = record.clone();
        other[field] = json!({ "unexpected": true });
        assert!(
            !validator(&description, &schema).is_valid(&other),
            "{field}"
        );
    }
}

#[test]
fn failures_are_as_described() {
    let description = description();
    let schema = json!({ "$ref": "#/components/schemas/Error" });
    for (address, status, error) in [
        ("/api/v1/games/0.6", 404, "not-here"),
        ("/api/v1/games/x", 400, "input"),
        ("/api/v1/games?order=a", 400, "input"),
        ("/api/v1/games?unknown=a", 400, "input"),
        ("/api/v1/games/%ff", 400, "input"),
        ("/api/v1/classes/R_9", 400, "input"),
        (
            "/api/v1/classes/0000000000000000000000000000000000000000000000000000000000000000",
            404,
            "not-here",
        ),
        ("/api/v1/identify", 400, "input"),
        ("/api/v1/identify?q=%3Ca%7Ca%5E4%3D1%3E", 400, "input"),
        ("/api/v1/nowhere", 404, "no-page"),
        ("/api/v2/games", 404, "no-page"),
    ] {
        let answer = small().get(address);
        assert_eq!(answer.status, status, "{address}: {}", answer.text());
        let document = answer.json();
        assert_valid(&description, &schema, &document, address);
        assert_eq!(document["error"], error, "{address}");
    }
    assert_eq!(small().ask("DELETE", "/api/v1/games", "").status, 405);
}

/// The API agrees with the command.
#[test]
fn games_are_those_that_the_command_lists() {
    let all = small().get("/api/v1/games").json();
    let codes = |list: &Value| {
        let games = list["games"].as_array().unwrap().iter();
        games
            .map(|game| game["code"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(all["next"], Value::Null);
    // In pieces of two, as `next` leads on.
    let mut pieces = Vec::new();
    let mut next = Some("/api/v1/games?limit=2".to_owned());
    while let Some(address) = next {
        let piece = small().get(&address).json();
        pieces.extend(codes(&piece));
        next = piece["next"].as_str().map(str::to_owned);
    }
    assert_eq!(pieces, codes(&all));
    let kayles = small().get("/api/v1/games/4.4").json();
    assert_eq!(
        (&kayles["code"], &kayles["representative"]),
        (&json!("4.4"), &json!("0.77"))
    );
    // In 4.4 every heap is one larger.
    assert_eq!(kayles["preperiod"], 72);
    assert_eq!(kayles["renumberings"][0]["shift"], -1);
    assert_eq!(
        (&kayles["period"], &kayles["order"]),
        (&json!(12), &json!(40))
    );
    let solution = small().get("/api/v1/games/0.77/solution").json();
    assert_eq!(solution["quotient"]["class"], kayles["class"]);
    let class = small()
        .get(&format!(
            "/api/v1/classes/{}",
            kayles["class"].as_str().unwrap()
        ))
        .json();
    assert_eq!(class["as_in"]["code"], "0.77");
    assert_eq!(class["occurrences"][0]["forever"], true);
    let written = class["as_in"]["written"].as_str().unwrap();
    let identity = small()
        .get(&format!("/api/v1/identify?q={}", encoded(&json!(written))))
        .json();
    assert_eq!(
        (&identity["class"], &identity["in_census"]),
        (&kayles["class"], &json!(true))
    );
    assert_eq!(identity["excluded"], json!(null));
    // For a quotient that no game here has, the answer says what that excludes.
    let foreign = crate::support::process::document(&["identify", "T_9", "--json"]);
    let address = format!(
        "/api/v1/identify?q={}",
        encoded(&foreign["canonical"]["text"])
    );
    let identity = small().get(&address).json();
    assert_eq!(
        (&identity["name"], &identity["in_census"]),
        (&json!("T_9"), &json!(false))
    );
    let excluded = json!({
        "tasks": 9, "ended": 9, "quotients_to": null, "is_no_quotient": false
    });
    assert_eq!(identity["excluded"], excluded);
}
