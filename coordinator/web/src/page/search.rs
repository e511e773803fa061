//! The search box, which finds games, classes and lists.
//!
//! A code leads to its game, a presentation or a name to its class, conditions to a list of games.

use askama::Template;
use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use misere_answers::search::Beginnings;
use misere_census::shown_text::visible;
use misere_game::monoid::readable::WrittenPresentation;
use misere_game::ruleset::Code;

use misere_answers::identity::Identity;
use misere_query::ClassPattern;
use misere_query::naming::{MIN_DIGITS, Reading, Readings};
use misere_report::facts::figure1::Kind;
use misere_store::Store;

use super::beginnings::{Beginning, beginnings};
use super::class;
use super::links::{Link, address_of};
use super::math::with_code;
use super::pages::Pages;
use super::phrase::conditions;
use super::shell::{Shell, thousands};
use super::suggestions::{board, position, suggestions};
use super::template::Page;
use crate::request::params::{QueryParams, encoded};
use crate::view::class::{ClassInfo, excluded};
use crate::view::error::RequestError;
use crate::view::examples::{EXAMPLES, Example, advice};
use crate::view::game::known;
use crate::view::identity::{WrittenClass, class_of, read};
use crate::view::site::Site;

/// The number of classes that are listed where several begin alike.
const MAX_CLASSES: usize = 50;

/// The number of games that are listed where several sequences begin alike.
const MAX_GAMES: usize = 100;

/// A meaning that a text may have.
pub(super) struct Meaning {
    pub(super) text: String,
    /// The entries of this census with this meaning.
    pub(super) here: String,
    pub(super) links: Vec<Link>,
}

#[derive(Template)]
#[template(path = "search.html")]
struct SearchPage {
    shell: Shell,
    /// The text, if it does not lead to one page.
    sought: String,
    /// The reason why nothing is found, and an advice.
    nothing: Option<(String, String)>,
    /// The meanings of the text or, if nothing is found, what may be meant.
    meanings: Vec<Meaning>,
}

impl SearchPage {
    fn examples(&self) -> &'static [Example] {
        &EXAMPLES
    }

    fn address(&self, text: &str) -> String {
        encoded(text)
    }
}

/// Serves the page of a search, or redirects to the page that the text names.
pub(super) async fn page(
    State(pages): State<Pages>,
    asked: QueryParams,
) -> Result<Response, RequestError> {
    let site = &pages.site;
    let text = asked.text("q").unwrap_or_default().to_owned();
    if text.is_empty() {
        let page = |site: &Site| {
            Page::set(&SearchPage {
                shell: Shell::of(site, &*site.census().store()?, "", "Search"),
                sought: String::new(),
                nothing: None,
                meanings: Vec::new(),
            })
        };
        return Ok(site.block(page).await?.into_response());
    }
    match found(&pages, text.clone()).await {
        Err(
            RequestError::Input { message, advice } | RequestError::NotHere { message, advice },
        ) => nothing_found(site, text, message, advice).await,
        answer => answer,
    }
}

/// Answers a text that leads nowhere, with what may be meant.
async fn nothing_found(
    site: &Site,
    text: String,
    message: String,
    advice: String,
) -> Result<Response, RequestError> {
    site.block(move |site| {
        let store = &*site.census().store()?;
        let meanings = suggestions(site, store, &text)?;
        let title = match meanings.is_empty() {
            true => "Nothing is found",
            false => "Perhaps you mean",
        };
        let page = SearchPage {
            shell: Shell {
                query: visible(&text),
                ..Shell::of(site, store, "", title)
            },
            sought: visible(&text),
            nothing: Some((visible(&message), with_code(&visible(&advice)))),
            meanings,
        };
        Ok(Page::set(&page)?.into_response())
    })
    .await
}

/// Returns the page that a text names, or a list of its meanings.
async fn found(pages: &Pages, text: String) -> Result<Response, RequestError> {
    let site = &pages.site;
    let sequences = beginnings(&text);
    if !sequences.is_empty() {
        return of_sequences(site, text, sequences).await;
    }
    if let Some((code, heaps)) = position(&text) {
        let board = board(&code, heaps);
        return of_game(site, code, board).await;
    }
    let found = match read(&text) {
        Ok(found) => found,
        Err(failure) => return described(&text).unwrap_or(Err(failure)),
    };
    if found.the_only_one().is_none() {
        return several(site, text, found).await;
    }
    match found.exact.into_iter().next() {
        Some(Reading::Game(code)) => {
            let page = Link::to_game(&code);
            of_game(site, code, page).await
        }
        Some(Reading::Pattern(pattern)) => {
            let pattern = encoded(&pattern.to_string());
            Ok(Redirect::to(&format!("/games?code={pattern}")).into_response())
        }
        Some(Reading::Quotient(name)) => {
            Ok(Redirect::to(&format!("/class/{}", encoded(&name))).into_response())
        }
        Some(Reading::Class(pattern)) => of_class(site, text, pattern).await,
        Some(Reading::Presentation(written)) => of_presentation(pages, *written).await,
        None => Err(RequestError::Internal),
    }
}

/// Answers a request for a game with one of its pages.
async fn of_game(site: &Site, code: Code, page: Link) -> Result<Response, RequestError> {
    site.block(move |site| {
        known(&*site.census().store()?, &code)?;
        Ok(Redirect::to(&page.href).into_response())
    })
    .await
}

/// Answers a request for the games whose sequences begin as given.
async fn of_sequences(
    site: &Site,
    text: String,
    sequences: Vec<(String, Beginnings)>,
) -> Result<Response, RequestError> {
    site.compute(move |site| {
        let store = &*site.census().store()?;
        let meanings = sequences.iter().map(|(what, asked)| {
            let found = Beginning::of(store, what, asked)?;
            Ok(sequence_meaning(found))
        });
        let page = SearchPage {
            shell: shell(site, store, &text),
            sought: text,
            nothing: None,
            meanings: meanings.collect::<Result<_, RequestError>>()?,
        };
        Ok(Page::set(&page)?.into_response())
    })
    .await
}

fn sequence_meaning(found: Beginning) -> Meaning {
    let compared = thousands(found.compared);
    let mut here = match found.codes.len() {
        0 => format!("no code of {compared} compared begins so"),
        1 => format!("one code of {compared} compared begins so"),
        codes => format!("{codes} codes of {compared} compared begin so"),
    };
    if found.is_cut {
        here.push_str("; `misere search` compares more");
    }
    if found.codes.len() > MAX_GAMES {
        here.push_str(&format!(", the first {MAX_GAMES}"));
    }
    Meaning {
        text: found.what,
        here,
        links: found
            .codes
            .iter()
            .take(MAX_GAMES)
            .map(Link::to_game)
            .collect(),
    }
}

/// Returns the list of the games that a text describes, if it describes any.
fn described(text: &str) -> Option<Result<Response, RequestError>> {
    let conditions = conditions(text)?;
    Some(match conditions {
        Ok(conditions) => {
            let asked: Vec<String> = conditions
                .iter()
                .map(|(name, value)| format!("{name}={}", encoded(value)))
                .collect();
            Ok(Redirect::to(&format!("/games?{}", asked.join("&"))).into_response())
        }
        Err(unknown) => Err(RequestError::input(
            format!("in `{text}` this is not understood: {unknown}"),
            "Conditions look like `wild solved order 8..20 period 2 |P|=5 R_8 0.4?`; all of them \
             have to hold.",
        )),
    })
}

/// Answers a request for a class by the digits of its key.
///
/// The answer is its page, or a list where several classes begin with them.
async fn of_class(
    site: &Site,
    text: String,
    pattern: ClassPattern,
) -> Result<Response, RequestError> {
    site.block(move |site| {
        let store = &*site.census().store()?;
        let found = classes(store, &pattern)?;
        match found.as_slice() {
            [] => Err(RequestError::NotHere {
                message: format!("no class of this census has a key that begins with {text}"),
                advice: advice(),
            }),
            [only] => Ok(Redirect::to(&only.href).into_response()),
            _ => {
                let meaning = class_meaning(&text, found);
                let page = SearchPage {
                    shell: shell(site, store, &text),
                    sought: text,
                    nothing: None,
                    meanings: vec![meaning],
                };
                Ok(Page::set(&page)?.into_response())
            }
        }
    })
    .await
}

/// Returns the page with all meanings of a text.
async fn several(site: &Site, text: String, found: Readings) -> Result<Response, RequestError> {
    site.block(move |site| {
        let store = &*site.census().store()?;
        let mut meanings = Vec::new();
        for reading in found.exact {
            meanings.push(match reading {
                Reading::Game(code) => game_meaning(site, store, &code, "")?,
                Reading::Class(pattern) => class_meaning(&text, classes(store, &pattern)?),
                // No text has a second reading besides one of these.
                Reading::Pattern(_) | Reading::Quotient(_) | Reading::Presentation(_) => continue,
            });
        }
        for code in &found.without_point {
            meanings.push(game_meaning(
                site,
                store,
                code,
                ", which is written with a point",
            )?);
        }
        if found.is_short_key {
            meanings.push(Meaning {
                text: format!("a class whose key begins with {text}"),
                here: format!("give at least {MIN_DIGITS} digits of the key"),
                links: Vec::new(),
            });
        }
        let page = SearchPage {
            shell: shell(site, store, &text),
            sought: text,
            nothing: None,
            meanings,
        };
        Ok(Page::set(&page)?.into_response())
    })
    .await
}

fn shell(site: &Site, store: &Store, sought: &str) -> Shell {
    Shell {
        query: sought.to_owned(),
        ..Shell::of(site, store, "", "Which is meant?")
    }
}

/// Returns a game as a meaning; `how` says in which way the text is read as its code.
pub(super) fn game_meaning(
    site: &Site,
    store: &Store,
    code: &Code,
    how: &str,
) -> Result<Meaning, RequestError> {
    let record = store.game(code)?.map(|game| game.record);
    let (here, links) = match record {
        Some(record) => (
            Kind::of(record.conclusion(), record.tame)
                .meaning()
                .to_owned(),
            vec![Link::to_game(code)],
        ),
        None if site.browser_solver().is_some() => (
            "not in this census; it is solved in your browser".to_owned(),
            vec![Link {
                href: format!("/solve#{}", encoded(&code.to_string())),
                text: code.to_string(),
            }],
        ),
        None => ("not in this census".to_owned(), Vec::new()),
    };
    let name = code.name().map(|name| format!(" ({name})"));
    let name = name.unwrap_or_default();
    Ok(Meaning {
        text: format!("the game {code}{name}{how}"),
        here,
        links,
    })
}

/// Returns the classes of this census whose keys begin with a pattern.
///
/// If there are more than are listed, it returns one more.
fn classes(store: &Store, pattern: &ClassPattern) -> Result<Vec<Link>, RequestError> {
    let classes = store.classes(pattern.least(), pattern.greatest(), MAX_CLASSES + 1)?;
    let links = classes
        .iter()
        .map(|(class, stored)| Link::to_class_of(class, stored.order, stored.p_size));
    Ok(links.collect())
}

fn class_meaning(text: &str, mut links: Vec<Link>) -> Meaning {
    let here = match links.len() {
        0 => "none in this census".to_owned(),
        1 => "one in this census".to_owned(),
        found if found > MAX_CLASSES => {
            links.truncate(MAX_CLASSES);
            format!("more than {MAX_CLASSES} in this census; the first of them")
        }
        found => format!("{found} in this census"),
    };
    Meaning {
        text: format!("a class whose key begins with {text}"),
        here,
        links,
    }
}

async fn of_presentation(
    pages: &Pages,
    written: WrittenPresentation,
) -> Result<Response, RequestError> {
    let names = written.presentation.generators().to_vec();
    let found = class_of(&pages.site, written).await?;
    pages
        .compute(move |pages| {
            let store = &*pages.site.census().store()?;
            let WrittenClass { identity, realized } = found;
            if identity.was_reduced && store.class(&identity.class)?.is_some() {
                let address = address_of(&identity.class);
                return Ok(Redirect::to(&address).into_response());
            }
            let mut note = match identity.was_reduced {
                true => format!("What was written; {}", excluded(store, identity.order)),
                false => format!(
                    "What was written has order {} and is not reduced; this is its reduction.",
                    identity.given_order
                ),
            };
            let renamed = renamed(&names, &identity);
            if !renamed.is_empty() {
                note.push_str(&format!(" Generators are renamed: {}.", renamed.join(", ")));
            }
            let known = ClassInfo {
                class: identity.class,
                order: identity.order,
                p_size: identity.p_size,
                monoid: Some(identity.reduced),
                as_in: None,
                solution: None,
                note: Some(note),
                realized: Some(realized.to_string()),
            };
            Ok(class::set(pages, store, known)?.into_response())
        })
        .await
}

/// Returns a person's names of the generators that are shown, where they differ.
fn renamed(names: &[String], identity: &Identity) -> Vec<String> {
    let shown = identity.as_given.names().into_iter();
    let shown = shown.zip(&identity.as_given.generators);
    let renamed = shown.filter_map(|(shown, &g)| {
        let given = names.get(g)?;
        (*given != shown).then(|| format!("{given} is {shown}"))
    });
    renamed.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::examples::{BETWEEN, placeholder};

    /// Checks that every printed example is understood, and in one way only.
    #[test]
    fn every_example_is_understood() {
        for example in &EXAMPLES {
            for text in example.written {
                let is_one = read(text).is_ok_and(|found| found.the_only_one().is_some());
                let describes = conditions(text).is_some_and(|conditions| conditions.is_ok());
                let is_sequence = !beginnings(text).is_empty();
                let is_position = position(text).is_some();
                assert!(is_one || describes || is_sequence || is_position, "{text}");
            }
        }
        for text in placeholder().split(BETWEEN) {
            assert!(
                EXAMPLES
                    .iter()
                    .any(|example| example.written.contains(&text))
            );
        }
    }
}
