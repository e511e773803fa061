//! The description of the API in the form of OpenAPI.
//!
//! It is made from the types of the documents ([`crate::view`] and [`schema`]), from the table of
//! query fields, and from the paths below. `coordinator/web/openapi.json` has a copy to be read;
//! `make documents` writes it again.

use std::sync::LazyLock;

use misere_query::{Field, Kind, Sort, Tameness};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};

use super::atlas::AtlasView;
use super::chart::Boxes;
use super::class::ClassView;
use super::error::ErrorView;
use super::games::Games;
use super::identity::IdentityView;
use super::live::{CensusView, Live};
use super::occurring::Classes;
use super::schema;

/// The description as JSON.
pub(crate) static DESCRIPTION: LazyLock<String> = LazyLock::new(|| format!("{:#}\n", describe()));

fn describe() -> Value {
    let mut schemas = SchemaSettings::draft2020_12()
        .for_serialize()
        .with(|settings| settings.definitions_path = "/components/schemas".into())
        .into_generator();
    let paths = paths(&mut schemas);
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "A census of misère quotients",
            "version": "1.0.0",
            "summary": "Read-only. What is proved, observed and open, game by game.",
            "license": { "name": "MIT OR Apache-2.0" },
        },
        "servers": [{ "url": "/" }],
        "paths": paths,
        "components": { "schemas": schemas.take_definitions(true) },
    })
}

/// The number of games, or of quotients, at most in one answer.
const MAX_ENTRIES: u64 = 1_000;

fn paths(schemas: &mut SchemaGenerator) -> Map<String, Value> {
    let code_of_a_game = document::<schema::Code>(schemas);
    let code = || Parameter {
        name: "code",
        place: "path",
        description: "The code of a game, any of its codes.".to_owned(),
        schema: code_of_a_game.clone(),
        example: json!("0.77"),
    };
    let game = |name: &'static str, example: &str| Parameter {
        name,
        place: "query",
        description: "A game: 0.123:8, *2, {*2,0}, 2/320, or a sum.".to_owned(),
        schema: json!({ "type": "string" }),
        example: json!(example),
    };
    let class = || Parameter {
        name: "class",
        place: "path",
        description: "The label of the class, its key, the first digits of it, or a name."
            .to_owned(),
        schema: json!({ "type": "string" }),
        example: json!("R_8"),
    };
    let all = [
        Path::new("openapi.json", "description", "This description").answer(
            "OpenAPI 3.1",
            json!({ "type": "object", "required": ["openapi", "paths"] }),
        ),
        Path::new(
            "census",
            "census",
            "Which census this is, and how far it is",
        )
        .answer("The census", document::<CensusView<'_>>(schemas))
        .fails(&[503]),
        Path::new(
            "chart",
            "chart",
            "The chart of all octal games with at most three digits",
        )
        .answer("The chart", document::<Boxes<'_>>(schemas))
        .fails(&[503]),
        Path::new("games", "games", "Games with some properties")
            .with(fields())
            .answer(
                "The games, and where the next ones are",
                document::<Games>(schemas),
            )
            .fails(&[400, 503]),
        Path::new("games/{code}", "game", "What the census keeps of a game")
            .with([code()])
            .answer("The record", document::<schema::Record>(schemas))
            .fails(&[400, 404, 503]),
        Path::new(
            "games/{code}/solution",
            "solution",
            "The solution of a game: quotient, pretending function, partial quotients",
        )
        .with([code()])
        .answer("The document", document::<schema::Solution>(schemas))
        .fails(&[400, 404, 503]),
        Path::new(
            "games/{code}/certificate",
            "certificate",
            "The certificate of a game, as it was checked; docs/certificate.md",
        )
        .with([code()])
        .answer(
            "The certificate",
            json!({ "type": "string", "format": "binary" }),
        )
        .of_kind("application/octet-stream")
        .fails(&[400, 404, 503]),
        Path::new(
            "games/{code}/outcome",
            "outcome",
            "Who wins a position, and the moves that win, as `misere outcome --json` prints it",
        )
        .with([
            code(),
            Parameter {
                name: "position",
                place: "query",
                description: "The heaps, such as 3+5+7; none for the empty position.".to_owned(),
                schema: json!({ "type": "string" }),
                example: json!("3+5+7"),
            },
        ])
        .answer(
            "The answer",
            json!({ "type": "object", "required": ["code", "outcome", "method", "winning_moves"] }),
        )
        .fails(&[400, 404, 503]),
        Path::new(
            "classes/{class}/product",
            "product",
            "A product of generators of a quotient",
        )
        .with([
            class(),
            Parameter {
                name: "word",
                place: "query",
                description: "A product of the generators that the page of the class names."
                    .to_owned(),
                schema: json!({ "type": "string" }),
                example: json!("b·c^2"),
            },
        ])
        .answer(
            "The product",
            json!({ "type": "object", "required": ["product", "word", "outcome"] }),
        )
        .fails(&[400, 404, 503]),
        Path::new(
            "compare",
            "compare",
            "Whether two games are equal in misère play, as `misere compare --json` prints it",
        )
        .with([game("first", "0.123:3"), game("second", "0.123:4")])
        .answer(
            "The comparison",
            json!({ "type": "object", "required": ["games", "equal", "linked"] }),
        )
        .fails(&[400, 503]),
        Path::new(
            "classes/{class}",
            "class",
            "A quotient up to isomorphism, and where it occurs",
        )
        .with([class()])
        .answer("The class", document::<ClassView<'_>>(schemas))
        .fails(&[400, 404, 503]),
        Path::new(
            "identify",
            "identify",
            "The class of a presentation with its P-portion",
        )
        .with([Parameter {
            name: "q",
            place: "query",
            description: "The presentation.".to_owned(),
            schema: json!({ "type": "string" }),
            example: json!("<a,b | a^2=1, b^3=b> P={a,b^2}"),
        }])
        .answer("Its class", document::<IdentityView<'_>>(schemas))
        .fails(&[400, 503]),
        Path::new("live", "live", "How the census stands now")
            .answer("Progress, workers, failures", document::<Live>(schemas))
            .fails(&[503]),
        Path::new(
            "live/events",
            "events",
            "The same whenever it has changed, as server-sent events called `now`",
        )
        .answer("Events whose data is a Live", json!({ "type": "string" }))
        .of_kind("text/event-stream")
        .fails(&[503]),
        Path::new(
            "classes",
            "classes",
            "The classes that games of the census have for quotient or partial quotient, of one \
             order or of all, with the number of games",
        )
        .with([number("order", "Only this order.", 1, None, 8)])
        .answer(
            "The classes, by order, then by key",
            document::<Classes>(schemas),
        )
        .fails(&[400, 503]),
        Path::new(
            "atlas",
            "atlas",
            "The least games of some censuses that have each misère quotient of small order, \
             where an atlas is shown (the option `--atlas`)",
        )
        .with([
            number(
                "order",
                "All quotients of this order; without it, the quotients that some game has.",
                1,
                None,
                8,
            ),
            number(
                "offset",
                "The number of quotients to leave out first.",
                0,
                None,
                1,
            ),
            number(
                "limit",
                "The greatest number of quotients.",
                0,
                Some(MAX_ENTRIES),
                2,
            ),
        ])
        .answer(
            "The quotients, by ascending order",
            document::<AtlasView<'_>>(schemas),
        )
        .fails(&[400, 404, 503]),
    ];
    let error = document::<ErrorView<'_>>(schemas);
    let described = all.into_iter().map(|path| path.describe(&error));
    described.collect()
}

/// Returns the reference to the schema of a document.
fn document<T: JsonSchema>(schemas: &mut SchemaGenerator) -> Value {
    schemas.subschema_for::<T>().to_value()
}

/// A path of the API.
struct Path {
    path: &'static str,
    operation: &'static str,
    summary: &'static str,
    parameters: Vec<Parameter>,
    /// The description of the answer, with its schema.
    answer: (&'static str, Value),
    kind: &'static str,
    fails: &'static [u16],
}

impl Path {
    fn new(path: &'static str, operation: &'static str, summary: &'static str) -> Self {
        Self {
            path,
            operation,
            summary,
            parameters: Vec::new(),
            answer: ("", Value::Null),
            kind: "application/json",
            fails: &[],
        }
    }

    fn with(mut self, parameters: impl IntoIterator<Item = Parameter>) -> Self {
        self.parameters.extend(parameters);
        self
    }

    fn answer(mut self, description: &'static str, schema: Value) -> Self {
        self.answer = (description, schema);
        self
    }

    fn of_kind(mut self, kind: &'static str) -> Self {
        self.kind = kind;
        self
    }

    fn fails(mut self, statuses: &'static [u16]) -> Self {
        self.fails = statuses;
        self
    }

    fn describe(self, error: &Value) -> (String, Value) {
        let response = |description: &str, kind: &str, schema: &Value| json!({ "description": description, "content": { kind: { "schema": schema } } });
        let (description, schema) = &self.answer;
        let mut responses = Map::new();
        responses.insert("200".to_owned(), response(description, self.kind, schema));
        for status in self.fails {
            let description = match (status, self.path) {
                (400, _) => "What was asked is not understood.",
                (404, "atlas") => "No atlas is shown.",
                (404, _) => "It is not in this census.",
                _ => "Too much is asked just now.",
            };
            let failure = response(description, "application/json", error);
            responses.insert(status.to_string(), failure);
        }
        let mut get = json!({
            "operationId": self.operation,
            "summary": self.summary,
            "responses": responses,
        });
        if !self.parameters.is_empty() {
            let parameters = self.parameters.into_iter().map(Parameter::describe);
            get["parameters"] = parameters.collect();
        }
        (format!("/api/v1/{}", self.path), json!({ "get": get }))
    }
}

/// A parameter of an address.
struct Parameter {
    name: &'static str,
    /// The place of the parameter: `path` or `query`.
    place: &'static str,
    description: String,
    schema: Value,
    example: Value,
}

impl Parameter {
    fn describe(self) -> Value {
        let mut described = json!({
            "name": self.name,
            "in": self.place,
            "description": self.description,
            "schema": self.schema,
            "example": self.example,
        });
        if self.place == "path" || ["q", "first", "second", "word"].contains(&self.name) {
            described["required"] = json!(true);
        }
        described
    }

    /// Returns a parameter that is one of some words, or any text if there are none.
    fn text(
        name: &'static str,
        description: impl Into<String>,
        words: &[&str],
        example: &str,
    ) -> Self {
        let mut schema = json!({ "type": "string" });
        if !words.is_empty() {
            schema["enum"] = json!(words);
        }
        Self {
            name,
            place: "query",
            description: description.into(),
            schema,
            example: json!(example),
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
        let words = match field.kind() {
            Kind::Tameness => &Tameness::ALL.map(Tameness::name)[..],
            _ => &[],
        };
        Self::text(field.name(), description, words, field.example())
    }
}

fn number(
    name: &'static str,
    description: &str,
    minimum: u64,
    maximum: Option<u64>,
    example: u64,
) -> Parameter {
    let mut schema = json!({ "type": "integer", "minimum": minimum });
    if let Some(maximum) = maximum {
        schema["maximum"] = json!(maximum);
    }
    Parameter {
        name,
        place: "query",
        description: description.to_owned(),
        schema,
        example: json!(example),
    }
}

/// Returns the parameters of a list of games.
fn fields() -> Vec<Parameter> {
    let pattern = "A pattern for codes: `?` is one digit, `[1-3]` one of these, `*` any number of \
                   digits.";
    let sorts: Vec<&str> = Sort::all().map(Sort::name).collect();
    let sort = "The property by which the answers are sorted.";
    let limit = "The greatest number of answers, 100 by default.";
    let mut parameters = vec![Parameter::text("code", pattern, &[], "0.[0-4]?")];
    parameters.extend(Field::ALL.into_iter().map(Parameter::of));
    parameters.extend([
        Parameter::text("sort", sort, &sorts, Field::Order.name()),
        Parameter::text(
            "descending",
            "The greatest first.",
            &["1", "true", "on"],
            "1",
        ),
        number("offset", "So many are passed over.", 0, None, 0),
        number("limit", limit, 0, Some(MAX_ENTRIES), 10),
    ]);
    parameters
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use misere_coordinator::observer::CensusState;

    use super::*;

    /// A variable set by `make documents`: the description is written into its file.
    const REFRESH: &str = "MISERE_REFRESH_DOCUMENTS";

    #[test]
    fn the_file_of_the_description_is_up_to_date() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/openapi.json");
        if std::env::var_os(REFRESH).is_some() {
            std::fs::write(file, &*DESCRIPTION).unwrap();
        }
        let written = std::fs::read_to_string(file).unwrap();
        assert!(
            written == *DESCRIPTION,
            "{file} is not what the types say; run `make documents` and read the difference"
        );
    }

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
    fn every_reference_leads_to_a_schema() {
        let description: Value = serde_json::from_str(&DESCRIPTION).unwrap();
        let schemas = description["components"]["schemas"].as_object().unwrap();
        let references = DESCRIPTION.split("\"#/components/schemas/").skip(1);
        for reference in references {
            let name = reference.split('"').next().unwrap();
            assert!(schemas.contains_key(name), "{name}");
        }
        let listed = &schemas["CensusState"]["enum"];
        assert_eq!(*listed, serde_json::json!(CensusState::ALL));
    }
}
