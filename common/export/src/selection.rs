//! The selection of the rulesets of an export, in the form of its manifest.

use std::fmt::Display;

use misere_game::ruleset::Code;
use serde_json::{Map, Value};

use misere_query::{CodePattern, Field, Filter};

/// Returns a filter in the form of manifests.
///
/// It contains the conditions as they are written on the command line, and nothing else.
///
/// ```
/// use misere_export::selection::document;
/// use misere_query::{Field, Filter};
/// let filter = Filter {
///     code: Some("0.7?".parse()?),
///     ranges: [(Field::Order, "6..20".parse()?)].into_iter().collect(),
///     ..Filter::default()
/// };
/// assert_eq!(document(&filter).to_string(), r#"{"code":"0.7?","order":"6..20"}"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn document(filter: &Filter) -> Value {
    let Filter {
        code,
        status,
        tame,
        ranges,
        class,
        any_class,
        reason,
        genus,
    } = filter;
    let mut document = Map::new();
    let mut say = |name: &str, what: Option<&dyn Display>| {
        if let Some(what) = what {
            document.insert(name.to_owned(), Value::from(what.to_string()));
        }
    };
    say("code", as_text(code));
    let statuses: Vec<&str> = status.iter().map(|status| status.name()).collect();
    let statuses = (!statuses.is_empty()).then(|| statuses.join(","));
    say("status", as_text(&statuses));
    say("tameness", as_text(&tame.map(|tame| tame.name())));
    say("class", as_text(class));
    say("any-class", as_text(any_class));
    let reasons: Vec<&str> = reason.iter().map(|reason| reason.name()).collect();
    let reasons = (!reasons.is_empty()).then(|| reasons.join(","));
    say(Field::Reason.name(), as_text(&reasons));
    let genera: Vec<&str> = genus.iter().map(|class| class.name()).collect();
    let genera = (!genera.is_empty()).then(|| genera.join(","));
    say(Field::Genus.name(), as_text(&genera));
    for (field, span) in ranges.iter() {
        say(field.name(), Some(&span));
    }
    Value::Object(document)
}

fn as_text<T: Display>(what: &Option<T>) -> Option<&dyn Display> {
    what.as_ref().map(|what| what as &dyn Display)
}

/// Returns the code if the filter consists of one code and no other condition.
#[must_use]
pub fn one_code(filter: &Filter) -> Option<&Code> {
    let alone = Filter {
        code: filter.code.clone(),
        ..Filter::default()
    };
    match &filter.code {
        Some(CodePattern::Exactly(code)) if alone == *filter => Some(code),
        _ => None,
    }
}
