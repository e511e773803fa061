//! The reading and writing of addresses.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::str::FromStr;

use axum::extract::{FromRequestParts, Path, Query as Parameters};
use axum::http::request::Parts;

use misere_game::solution::Reason;
use misere_query::{Field, Filter, GenusClass, Query, Ranges, Tameness};

use crate::view::error::RequestError;

/// The number of answers on one page, unless the request has a smaller limit.
pub(crate) const LIMIT: u64 = 100;
/// The greatest number of answers on one page.
pub(crate) const MAX_LIMIT: u64 = 1_000;

/// A name given by a part of the address.
pub(crate) struct PathParam(pub(crate) String);

impl<S: Send + Sync> FromRequestParts<S> for PathParam {
    type Rejection = RequestError;
    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, RequestError> {
        let named = Path::<String>::from_request_parts(parts, state).await;
        named
            .map(|Path(text)| Self(text))
            .map_err(|_| RequestError::Input {
                message: "the address is not text".to_owned(),
                advice: "Addresses are UTF-8, percent-encoded.".to_owned(),
            })
    }
}

/// The parameters behind the question mark of the address.
#[derive(Clone, Debug, Default)]
pub(crate) struct QueryParams(BTreeMap<String, String>);

impl<S: Send + Sync> FromRequestParts<S> for QueryParams {
    type Rejection = RequestError;
    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, RequestError> {
        let asked = Parameters::<Vec<(String, String)>>::from_request_parts(parts, state).await;
        let Parameters(asked) = asked.map_err(|_| RequestError::Input {
            message: "the text behind the question mark is not understood".to_owned(),
            advice: "Write name=value, percent-encoded, with & between.".to_owned(),
        })?;
        // Fields of records are written with an underscore, parameters with a hyphen; both are
        // accepted.
        let asked = asked.into_iter().map(|(name, value)| {
            let name = name.replace('_', "-");
            // The name of the command-line option is accepted too, where it differs.
            let field = Field::ALL.into_iter().find(|field| field.option() == name);
            (field.map_or(name, |field| field.name().to_owned()), value)
        });
        Ok(Self(asked.collect()))
    }
}

impl QueryParams {
    /// Returns the value of a parameter; forms send empty fields too, which count as absent.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        let text = self.0.get(name)?.trim();
        (!text.is_empty()).then_some(text)
    }

    /// Returns the names of the parameters that have a value.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        let names = self.0.keys().map(String::as_str);
        names.filter(|name| self.text(name).is_some())
    }

    /// Returns the value of a parameter, as it was written; empty if it is absent.
    pub(crate) fn written(&self, name: &str) -> String {
        self.text(name).unwrap_or_default().to_owned()
    }

    fn value<T: FromStr<Err: Display>>(&self, name: &str) -> Result<Option<T>, RequestError> {
        let Some(text) = self.text(name) else {
            return Ok(None);
        };
        let value = text.parse().map(Some);
        value.map_err(|error| RequestError::Input {
            message: format!("`{name}` cannot be `{text}`: {error}"),
            advice: ADVICE.to_owned(),
        })
    }

    /// Returns the query that the parameters describe.
    pub(crate) fn query(&self) -> Result<Query, RequestError> {
        let input = |message: String| RequestError::Input {
            message,
            advice: ADVICE.to_owned(),
        };
        let is_known = |name: &str| OTHERS.contains(&name) || Field::named(name).is_some();
        if let Some(name) = self.0.keys().find(|name| !is_known(name)) {
            return Err(input(format!("nothing is called `{name}` here")));
        }
        let statuses = self.text("status").unwrap_or_default().split([',', ' ']);
        let statuses = statuses.filter(|status| !status.is_empty()).map(|status| {
            let status = status.parse();
            status.map_err(|error: misere_census::StatusError| input(error.to_string()))
        });
        let tame = match self.text("tame") {
            None => None,
            Some(text) => {
                let found = Tameness::ALL.into_iter().find(|tame| tame.name() == text);
                let no = || input(format!("`{text}` is neither tame nor wild nor open"));
                Some(found.ok_or_else(no)?)
            }
        };
        let reasons = self.text("reason").unwrap_or_default().split([',', ' ']);
        let reasons = reasons.filter(|name| !name.is_empty()).map(|name| {
            Reason::named(name).ok_or_else(|| input(format!("`{name}` is not a reason")))
        });
        let genera = self.text("genus").unwrap_or_default().split([',', ' ']);
        let genera = genera.filter(|name| !name.is_empty()).map(|name| {
            GenusClass::named(name).ok_or_else(|| {
                let names = GenusClass::names();
                input(format!(
                    "`{name}` is not a class of heaps; the classes are {names}"
                ))
            })
        });
        let mut ranges = Ranges::default();
        for field in Field::with_ranges() {
            if let Some(span) = self.value(field.name())? {
                let _ = ranges.require(field, span);
            }
        }
        let limit = self.value("limit")?.unwrap_or(LIMIT);
        if limit > MAX_LIMIT {
            return Err(input(format!("at most {MAX_LIMIT} are given at once")));
        }
        Ok(Query {
            filter: Filter {
                code: self.value("code")?,
                status: statuses.collect::<Result<_, _>>()?,
                tame,
                ranges,
                class: self.value("class")?,
                any_class: self.value("any-class")?,
                reason: reasons.collect::<Result<_, _>>()?,
                genus: genera.collect::<Result<_, _>>()?,
            },
            sort: self.value("sort")?.unwrap_or_default(),
            descending: matches!(self.text("descending"), Some("1" | "true" | "on")),
            offset: self.value("offset")?.unwrap_or(0),
            limit: Some(limit),
        })
    }

    /// Returns the address of this query from another offset on.
    pub(crate) fn at(&self, path: &str, offset: u64) -> String {
        self.with(path, &[("offset", &offset.to_string())])
    }

    /// Returns the address of this query with other values; an empty value removes a parameter.
    pub(crate) fn with(&self, path: &str, values: &[(&str, &str)]) -> String {
        let mut asked = self.0.clone();
        for (name, value) in values {
            asked.insert((*name).to_owned(), (*value).to_owned());
        }
        let given = asked.iter().filter(|(_, value)| !value.trim().is_empty());
        let given = given.map(|(name, value)| {
            let value = encoded(value.trim());
            format!("{}={value}", encoded(name))
        });
        match given.collect::<Vec<_>>().join("&") {
            given if given.is_empty() => path.to_owned(),
            given => format!("{path}?{given}"),
        }
    }
}

/// The parameters of a list of games that are not fields of the table.
const OTHERS: [&str; 5] = ["code", "sort", "descending", "offset", "limit"];

const ADVICE: &str = "For example code=0.4?, status=solved, tame=wild, order=8..40, period=2, \
                      class=R_8, sort=order.";

/// Encodes a text as a part of an address (RFC 3986).
pub(crate) fn encoded(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                encoded.push(char::from(byte));
            }
            _ => encoded.push_str(&format!("%{byte:02X}")),
        }
    }
    encoded
}

/// Returns a number parameter of a list of the atlas.
pub(crate) fn number(
    asked: &BTreeMap<String, String>,
    name: &str,
) -> Result<Option<usize>, RequestError> {
    let number = asked.get(name).map(|text| text.trim().parse());
    number.transpose().map_err(|_| RequestError::Input {
        message: format!("`{name}` is a number"),
        advice: "For example offset=500.".to_owned(),
    })
}

/// Rejects parameters of other names.
pub(crate) fn only(asked: &BTreeMap<String, String>, names: &[&str]) -> Result<(), RequestError> {
    match asked.keys().find(|name| !names.contains(&name.as_str())) {
        None => Ok(()),
        Some(name) => Err(RequestError::Input {
            message: format!("nothing is called `{name}` here"),
            advice: match names {
                [only] => format!("The only parameter is {only}."),
                _ => format!("The parameters are {}.", names.join(", ")),
            },
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_of_all_kinds_have_an_address() {
        assert_eq!(encoded("0.123"), "0.123");
        assert_eq!(encoded("{{*2,0},*2}"), "%7B%7B%2A2%2C0%7D%2C%2A2%7D");
        assert_eq!(encoded("a/b?c#ü"), "a%2Fb%3Fc%23%C3%BC");
    }
}
