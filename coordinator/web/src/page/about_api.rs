//! The page about the API, made from the OpenAPI description.

use askama::Template;
use axum::extract::State;
use serde::Deserialize;
use std::collections::BTreeMap;

use super::math::with_code;
use super::shell::Shell;
use super::template::Page;
use crate::request::params::encoded;
use crate::view::error::RequestError;
use crate::view::site::Site;

/// The parts of the description that the page shows.
#[derive(Debug, Deserialize)]
struct Description {
    paths: BTreeMap<String, Methods>,
}

#[derive(Debug, Deserialize)]
struct Methods {
    get: Operation,
}

#[derive(Debug, Deserialize)]
struct Operation {
    summary: String,
    #[serde(default)]
    parameters: Vec<Parameter>,
}

#[derive(Debug, Deserialize)]
struct Parameter {
    name: String,
    #[serde(rename = "in")]
    place: String,
    description: String,
    #[serde(default)]
    required: bool,
    #[serde(default)]
    example: serde_json::Value,
}

impl Parameter {
    /// Returns the description of the API, as HTML.
    fn description(&self) -> String {
        with_code(&self.description)
    }

    fn example(&self) -> String {
        match &self.example {
            serde_json::Value::String(text) => text.clone(),
            serde_json::Value::Null => String::new(),
            other => other.to_string(),
        }
    }
}

impl Operation {
    /// Returns the summary of an operation, as HTML.
    fn summary(&self) -> String {
        with_code(&self.summary)
    }

    /// Returns the example address of a path.
    fn example(&self, path: &str) -> String {
        let mut address = path.to_owned();
        for parameter in &self.parameters {
            let hole = format!("{{{}}}", parameter.name);
            address = address.replace(&hole, &encoded(&parameter.example()));
        }
        let required = self.asked().filter(|parameter| parameter.required);
        for (at, parameter) in required.enumerate() {
            let before = if at == 0 { '?' } else { '&' };
            let example = encoded(&parameter.example());
            address.push_str(&format!("{before}{}={example}", parameter.name));
        }
        address
    }

    fn asked(&self) -> impl Iterator<Item = &Parameter> {
        self.parameters
            .iter()
            .filter(|parameter| parameter.place == "query")
    }
}

#[derive(Template)]
#[template(path = "about_api.html")]
struct AboutApi {
    shell: Shell,
    description: Description,
}

/// Serves the page about the API.
pub(super) async fn page(State(site): State<Site>) -> Result<Page, RequestError> {
    site.block(|site| {
        let store = site.census().store()?;
        let description =
            serde_json::from_str(&crate::view::description::DESCRIPTION).map_err(|error| {
                tracing::error!(%error, "the description of the API is damaged");
                RequestError::Internal
            })?;
        Page::set(&AboutApi {
            shell: Shell::of(site, &store, "/api", "API"),
            description,
        })
    })
    .await
}
