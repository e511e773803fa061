//! The search box: a code leads to its game, a presentation or a name to its class.

use askama::Template;
use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use misere_theory::control::{Control, Interrupt};
use misere_theory::monoid::readable::Written;
use misere_theory::ruleset::Code;

use super::asked::Asked;
use super::class::{self, Known};
use super::failure::Failure;
use super::links::{Link, encoded};
use super::shell::Shell;
use super::site::{Page, Site};
use crate::identify::{Identity, identify};

/// The longest text that is looked at, in bytes.
const LONGEST: usize = 4_000;

/// The greatest order of a monoid that somebody writes.
const LARGEST: usize = 2_000;

/// The most generators and relations of one: how long their completion takes grows steeply with both.
const MOST_WRITTEN: (usize, usize) = (16, 150);

/// What its canonical form may spend: some seconds.
const FUEL: u64 = 5_000_000;

#[derive(Template)]
#[template(path = "search.html")]
struct SearchPage {
    shell: Shell,
}

/// What is searched for.
enum Sought {
    Nothing,
    Game(Code),
    Pattern(String),
    Class(String),
    Presentation(Box<Written>),
}

fn sought(text: &str) -> Result<Sought, Failure> {
    let input = |said: String, advice: &str| Failure::Input {
        said,
        advice: advice.to_owned(),
    };
    let text = text.trim();
    if text.len() > LONGEST {
        return Err(input("that is too long".to_owned(), EXAMPLES));
    }
    if text.is_empty() {
        return Ok(Sought::Nothing);
    }
    if text.starts_with(['⟨', '<', '〈']) {
        let written: Written =
            text.parse()
                .map_err(|error: misere_theory::monoid::notation::NotationError| {
                    input(error.to_string(), PRESENTATIONS)
                })?;
        let (generators, relations) = MOST_WRITTEN;
        let given = &written.presentation;
        if given.generators().len() > generators || given.relations().len() > relations {
            let said =
                format!("at most {generators} generators and {relations} relations are taken here");
            return Err(input(said, "`misere identify` takes more."));
        }
        return Ok(Sought::Presentation(Box::new(written)));
    }
    if let Ok(code) = text.parse() {
        return Ok(Sought::Game(code));
    }
    if text.parse::<crate::query::ClassPattern>().is_ok() {
        return Ok(Sought::Class(text.to_owned()));
    }
    if text.contains(['*', '?', '[']) && text.parse::<crate::query::CodePattern>().is_ok() {
        return Ok(Sought::Pattern(text.to_owned()));
    }
    Err(input(
        format!("`{text}` is no code, class or presentation"),
        EXAMPLES,
    ))
}

const EXAMPLES: &str = "Try a code such as 0.77, a pattern such as 0.4?, a class such as R_8, or a presentation such as ⟨a,b | a^2=1, b^3=b⟩ P={a,b^2}.";
const PRESENTATIONS: &str = "A presentation with its P-portion looks like ⟨a,b | a^2=1, b^3=b⟩ P={a,b^2}; <…> will do as well.";

/// The class of a presentation that somebody wrote.
pub(crate) async fn class_of(site: &Site, written: Written) -> Result<Identity, Failure> {
    // One at a time: it may cost seconds of a core.
    let thinking = site
        .thinking()
        .try_acquire_owned()
        .map_err(|_| Failure::Busy)?;
    site.block(move |_| {
        let monoid = written
            .bipartite_monoid(LARGEST)
            .map_err(|error| Failure::Input {
                said: error.to_string(),
                advice: PRESENTATIONS.to_owned(),
            })?;
        let control = &mut Control::new(FUEL, Interrupt::default());
        let identity = identify(&monoid, control).map_err(|_| Failure::Input {
            said: "its canonical form takes longer than a page may".to_owned(),
            advice: "`misere identify` takes its time.".to_owned(),
        });
        drop(thinking);
        identity
    })
    .await
}

/// What a person wrote, read as a presentation.
pub(crate) fn presentation(text: &str) -> Result<Written, Failure> {
    match sought(text)? {
        Sought::Presentation(written) => Ok(*written),
        _ => Err(Failure::Input {
            said: format!("`{}` is no presentation", text.trim()),
            advice: PRESENTATIONS.to_owned(),
        }),
    }
}

/// The page, or where what was sought stands.
pub(super) async fn page(State(site): State<Site>, asked: Asked) -> Result<Response, Failure> {
    let text = asked.text("q").unwrap_or_default().to_owned();
    match sought(&text)? {
        Sought::Nothing => {
            let page = |store: &_| {
                Page::set(&SearchPage {
                    shell: Shell::of(store, "", "Search"),
                })
            };
            Ok(site.read(page).await?.into_response())
        }
        Sought::Game(code) => Ok(Redirect::to(&Link::to_game(&code).href).into_response()),
        Sought::Class(class) => {
            Ok(Redirect::to(&format!("/class/{}", encoded(&class))).into_response())
        }
        Sought::Pattern(pattern) => {
            Ok(Redirect::to(&format!("/games?code={}", encoded(&pattern))).into_response())
        }
        Sought::Presentation(written) => {
            let identity = class_of(&site, *written).await?;
            site.read(move |store| {
                if identity.was_reduced && store.class(&identity.class)?.is_some() {
                    let address = format!("/class/{}", identity.class);
                    return Ok(Redirect::to(&address).into_response());
                }
                let note = match identity.was_reduced {
                    true => "What was written; no game of this census has it.".to_owned(),
                    false => format!(
                        "What was written has order {} and is not reduced; this is its reduction.",
                        identity.given_order
                    ),
                };
                let known = Known {
                    class: identity.class,
                    order: identity.order,
                    p_size: identity.p_size,
                    monoid: Some(identity.reduced),
                    as_in: None,
                    note: Some(note),
                };
                Ok(class::set(store, known)?.into_response())
            })
            .await
        }
    }
}
