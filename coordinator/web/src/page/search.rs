//! The search box, which finds games, classes and lists.
//!
//! A code leads to its game, a presentation or a name to its class, conditions to a list of games.

use std::time::Duration;

use askama::Template;
use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use misere_game::bipartite::families::by_name;
use misere_game::control::{Control, Interrupt};
use misere_game::monoid::readable::WrittenPresentation;
use misere_game::ruleset::Code;

use super::class::{self, ClassInfo};
use super::error::PageError;
use super::examples::{EXAMPLES, Example, advice};
use super::links::{Link, encoded};
use super::params::QueryParams;
use super::phrase::conditions;
use super::shell::Shell;
use super::site::{Page, Site};
use misere_query::ClassPattern;
use misere_query::naming::{MIN_DIGITS, NamingError, Reading, Readings, readings};
use misere_report::facts::figure1::Kind;
use misere_report::identify::{Exclusion, Identity, identify};
use misere_report::realized::{Realization, RealizedError, realized};
use misere_store::Store;
use tokio::time::timeout;

/// The greatest length of a text that is read, in bytes.
const MAX_QUERY_LENGTH: usize = 4_000;

/// The greatest order of a monoid that a person writes or names.
pub(super) const MAX_ORDER: usize = 2_000;

/// The greatest numbers of generators and relations of a presentation.
///
/// The time of its completion grows steeply with both.
const MAX_WRITTEN: (usize, usize) = (16, 150);

/// The fuel for a canonical form and for the search for games that have it: some seconds.
const FUEL: u64 = 5_000_000;

/// The time that a presentation waits for another one.
const MAX_QUEUE_TIME: Duration = Duration::from_secs(8);

/// The number of classes that are listed where several begin alike.
const MAX_CLASSES: usize = 50;

/// A meaning that a text may have.
struct Meaning {
    text: String,
    /// The entries of this census with this meaning.
    here: String,
    links: Vec<Link>,
}

#[derive(Template)]
#[template(path = "search.html")]
struct SearchPage {
    shell: Shell,
    /// The text, if it may be read in several ways, or fits several classes.
    sought: String,
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

const PRESENTATIONS: &str = "A presentation with its P-portion looks like \
                             `⟨a,b | a^2=1, b^3=b⟩ P={a,b^2}`; `<…>` and LaTeX will do as well. \
                             What the P-portion is has to be said: the same monoid can be the \
                             quotient of other games with another one.";

fn input(message: impl Into<String>, advice: impl Into<String>) -> PageError {
    PageError::Input {
        message: message.into(),
        advice: advice.into(),
    }
}

pub(super) fn read(text: &str) -> Result<Readings, PageError> {
    if text.len() > MAX_QUERY_LENGTH {
        return Err(input("that is too long", advice()));
    }
    let found = readings(text).map_err(|error| match error {
        NamingError::Presentation(_) => input(error.to_string(), PRESENTATIONS),
        NamingError::Quotient(_) => input(
            error.to_string(),
            "Names are those of the papers: T_3, R_8, S_12, S'_12, R_14.",
        ),
        NamingError::Nothing { as_code, .. } => input(
            format!(
                "`{text}` is no code, no name, no class, no presentation and no condition; as a \
                 code: {as_code}"
            ),
            advice(),
        ),
    })?;
    let written = found.exact.iter().find_map(|reading| match reading {
        Reading::Presentation(written) => Some(&written.presentation),
        _ => None,
    });
    if let Some(given) = written {
        let (generators, relations) = MAX_WRITTEN;
        if given.generators().len() > generators || given.relations().len() > relations {
            let message =
                format!("at most {generators} generators and {relations} relations are taken here");
            return Err(input(message, "`misere identify` takes more."));
        }
    }
    Ok(found)
}

/// The identification of a presentation that a person wrote.
pub(crate) struct WrittenClass {
    pub(crate) identity: Identity,
    pub(crate) realized: Realization,
}

/// Returns the class of a presentation that a person wrote, and whether games have it.
pub(crate) async fn class_of(
    site: &Site,
    written: WrittenPresentation,
) -> Result<WrittenClass, PageError> {
    // One at a time: it may cost seconds of a core. A second request waits a moment.
    let thinking = timeout(MAX_QUEUE_TIME, site.thinking().acquire_owned());
    let Ok(Ok(thinking)) = thinking.await else {
        return Err(PageError::Busy);
    };
    site.block(move |site| {
        let control = &mut Control::new(FUEL, Interrupt::default());
        let monoid = written
            .bipartite_monoid_within(MAX_ORDER, control)
            .map_err(|error| input(error.to_string(), PRESENTATIONS))?;
        let control = &mut Control::new(FUEL, Interrupt::default());
        let identity = identify(&monoid, control).map_err(|_| {
            input(
                "its canonical form takes longer than a page may",
                "`misere identify` takes its time.",
            )
        })?;
        let control = &mut Control::new(FUEL, Interrupt::default());
        let store = site.census().store()?;
        let realized = realized(&identity, Some(&store), control).map_err(|error| match error {
            RealizedError::Store(error) => PageError::from(error),
            RealizedError::Stopped(_) => PageError::Busy,
        })?;
        drop(thinking);
        Ok(WrittenClass { identity, realized })
    })
    .await
}

/// Parses the presentation that a person wrote.
pub(crate) fn presentation(text: &str) -> Result<WrittenPresentation, PageError> {
    let no_presentation = || {
        input(
            format!("`{}` is not a presentation", text.trim()),
            PRESENTATIONS,
        )
    };
    let found = read(text.trim()).map_err(|failure| match failure {
        PageError::Input { advice, .. } if advice != PRESENTATIONS => no_presentation(),
        failure => failure,
    })?;
    match found.exact.into_iter().next() {
        Some(Reading::Presentation(written)) => Ok(*written),
        _ => Err(no_presentation()),
    }
}

/// Serves the page of a search, or redirects to the page that the text names.
pub(super) async fn page(
    State(site): State<Site>,
    asked: QueryParams,
) -> Result<Response, PageError> {
    let text = asked.text("q").unwrap_or_default().to_owned();
    if text.is_empty() {
        let page = |store: &Store| {
            Page::set(&SearchPage {
                shell: Shell::of(store, "", "Search"),
                sought: String::new(),
                meanings: Vec::new(),
            })
        };
        return Ok(site.read(page).await?.into_response());
    }
    let found = match read(&text) {
        Ok(found) => found,
        Err(failure) => return described(&text).unwrap_or(Err(failure)),
    };
    if found.the_only_one().is_none() {
        return several(&site, text, found).await;
    }
    match found.exact.into_iter().next() {
        Some(Reading::Game(code)) => Ok(Redirect::to(&Link::to_game(&code).href).into_response()),
        Some(Reading::Pattern(pattern)) => {
            let pattern = encoded(&pattern.to_string());
            Ok(Redirect::to(&format!("/games?code={pattern}")).into_response())
        }
        Some(Reading::Quotient(name)) => {
            Ok(Redirect::to(&format!("/class/{}", encoded(&name))).into_response())
        }
        Some(Reading::Class(pattern)) => of_class(&site, text, pattern).await,
        Some(Reading::Presentation(written)) => of_presentation(&site, *written).await,
        None => Err(PageError::Internal),
    }
}

/// Returns the list of the games that a text describes, if it describes any.
fn described(text: &str) -> Option<Result<Response, PageError>> {
    let conditions = conditions(text)?;
    Some(match conditions {
        Ok(conditions) => {
            let asked: Vec<String> = conditions
                .iter()
                .map(|(name, value)| format!("{name}={}", encoded(value)))
                .collect();
            Ok(Redirect::to(&format!("/games?{}", asked.join("&"))).into_response())
        }
        Err(unknown) => Err(input(
            format!("in `{text}` this is not understood: {unknown}"),
            "Conditions look like `wild solved order 8..20 period 2 |P|=5 R_8 0.4?`; all of them \
             have to hold.",
        )),
    })
}

/// Answers a request for a class by the digits of its key.
///
/// The answer is its page, or a list where several classes begin with them.
async fn of_class(site: &Site, text: String, pattern: ClassPattern) -> Result<Response, PageError> {
    site.read(move |store| {
        let found = classes(store, &pattern)?;
        match found.as_slice() {
            [] => Err(PageError::NotHere {
                message: format!("no class of this census has a key that begins with {text}"),
                advice: advice(),
            }),
            [only] => Ok(Redirect::to(&only.href).into_response()),
            _ => {
                let meaning = class_meaning(&text, found);
                let page = SearchPage {
                    shell: shell(store, &text),
                    sought: text,
                    meanings: vec![meaning],
                };
                Ok(Page::set(&page)?.into_response())
            }
        }
    })
    .await
}

/// Returns the page with all meanings of a text.
async fn several(site: &Site, text: String, found: Readings) -> Result<Response, PageError> {
    site.read(move |store| {
        let mut meanings = Vec::new();
        for reading in found.exact {
            meanings.push(match reading {
                Reading::Game(code) => game_meaning(store, &code, "")?,
                Reading::Class(pattern) => class_meaning(&text, classes(store, &pattern)?),
                // No text has a second reading besides one of these.
                Reading::Pattern(_) | Reading::Quotient(_) | Reading::Presentation(_) => continue,
            });
        }
        for code in &found.without_point {
            meanings.push(game_meaning(
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
            shell: shell(store, &text),
            sought: text,
            meanings,
        };
        Ok(Page::set(&page)?.into_response())
    })
    .await
}

fn shell(store: &Store, sought: &str) -> Shell {
    Shell {
        query: sought.to_owned(),
        ..Shell::of(store, "", "Which is meant?")
    }
}

fn game_meaning(store: &Store, code: &Code, how: &str) -> Result<Meaning, PageError> {
    let record = store.game(code)?.map(|game| game.record);
    let (here, links) = match record {
        Some(record) => (
            Kind::of(record.conclusion(), record.tame)
                .meaning()
                .to_owned(),
            vec![Link::to_game(code)],
        ),
        None => ("not in this census".to_owned(), Vec::new()),
    };
    Ok(Meaning {
        text: format!("the game {code}{how}"),
        here,
        links,
    })
}

/// Returns the classes of this census whose keys begin with a pattern.
///
/// If there are more than are listed, it returns one more.
fn classes(store: &Store, pattern: &ClassPattern) -> Result<Vec<Link>, PageError> {
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

async fn of_presentation(site: &Site, written: WrittenPresentation) -> Result<Response, PageError> {
    let names = written.presentation.generators().to_vec();
    let found = class_of(site, written).await?;
    site.block(move |site| {
        let store = &*site.census().store()?;
        let WrittenClass { identity, realized } = found;
        if identity.was_reduced && store.class(&identity.class)?.is_some() {
            let address = format!("/class/{}", identity.class);
            return Ok(Redirect::to(&address).into_response());
        }
        let mut note = match identity.was_reduced {
            true => format!("What was written; {}", not_here(store, identity.order)),
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
        Ok(class::set(site, store, known)?.into_response())
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

/// Returns the sentences on what the absence of a quotient of this order excludes.
fn not_here(store: &Store, order: usize) -> String {
    let said = Exclusion::of(store, Some(order)).sentences();
    format!("no game of this census has it; {}.", said.join("; "))
}

/// Returns a quotient with a name that no game of this census has.
pub(super) fn by_its_name(store: &Store, name: &str) -> Result<ClassInfo, PageError> {
    let monoid = by_name(name).map_err(|error| {
        input(
            error.to_string(),
            "Names are those of the papers: T_3, R_8, S_12, S'_12, R_14.",
        )
    })?;
    if monoid.order() > MAX_ORDER {
        return Err(input(
            format!(
                "{name} has {} elements, too many for a page",
                monoid.order()
            ),
            format!("`misere identify {name}` takes it."),
        ));
    }
    Ok(ClassInfo {
        class: monoid.class_key(),
        order: monoid.order(),
        p_size: monoid.p_size(),
        as_in: None,
        solution: None,
        note: Some(format!(
            "{name} by its definition; {}",
            not_here(store, monoid.order())
        )),
        realized: Some(Realization::ByName(name.to_owned()).to_string()),
        monoid: Some(monoid),
    })
}
