//! The page of a class: one misère quotient up to isomorphism, and where it occurs.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use misere_game::bipartite::families::{name_of_class, printed_name};
use misere_game::bipartite::multiplication::Multiplication;
use misere_game::bipartite::{BipartiteMonoid, Element};
use misere_game::monoid::readable::Readable;
use misere_game::monoid::word::lex_least_words;
use misere_game::solution::Solution;
use misere_pictures::{cayley_graph, class_diagram, idempotent_order};

use misere_report::citation::Reference;
use misere_report::whereabouts::{ClassLocations, Occurrence, whereabouts};
use misere_store::Store;

use super::atlas::OfClass;
use super::copied::{gap, sage};
use super::links::{Link, address_of};
use super::math::{latex, math};
use super::pages::Pages;
use super::shell::Shell;
use super::structure::{self, StructureTexts};
use super::template::Page;
use crate::request::answer::answer;
use crate::request::params::{PathParam, encoded};
use crate::view::class::{ClassInfo, by_its_name, key};
use crate::view::error::RequestError;
use crate::view::site::Site;

/// The number of games that are listed.
const LISTED: usize = 200;

/// The greatest order of a quotient whose table of products is shown.
const MAX_TABLE_ORDER: usize = 24;

/// The greatest length of a presentation in the address of the solver for browsers.
const MAX_FRAGMENT: usize = 4_000;

/// The number of relations and elements that are shown.
const SHOWN: usize = 120;

struct Table {
    words: Vec<String>,
    rows: Vec<(String, Vec<(String, bool)>)>,
}

struct PresentationView {
    /// The presentation as plain text, which the program can read back.
    plain: String,
    /// The presentation for GAP and for Sage, if it has generators.
    for_programs: Option<(String, String)>,
    names: Vec<String>,
    relations: Vec<String>,
    more_relations: usize,
    p_portion: Vec<String>,
    more_in_p: usize,
}

struct Place {
    game: Link,
    /// The other codes, each with the mark of its renumbering.
    aliases: Vec<(Link, String)>,
    status: &'static str,
    heaps: String,
    whole: bool,
}

#[derive(Template)]
#[template(path = "class.html")]
struct ClassPage {
    shell: Shell,
    known: ClassInfo,
    /// The address of the page.
    address: String,
    /// The heading, as HTML.
    heading: String,
    presented: Option<PresentationView>,
    canonical: Option<PresentationView>,
    idempotents: Vec<String>,
    table: Option<Table>,
    /// The structure of the quotient, or the reason why it is not shown.
    structure: Option<Result<Arc<StructureTexts>, String>>,
    pictures: bool,
    /// Whether the site has the solver for browsers.
    in_browser: bool,
    least: Option<(Link, u32)>,
    earliest: Option<(Link, u32)>,
    places: Vec<Place>,
    games: u64,
    whole_games: u64,
    all: String,
    /// The line of the atlas, if it lists the class.
    atlas: Option<OfClass>,
}

impl ClassPage {
    fn of(pages: &Pages, store: &Store, known: ClassInfo) -> Result<Self, RequestError> {
        let ClassLocations {
            smallest,
            earliest,
            games,
            whole_games,
            occurrences,
            ..
        } = whereabouts(store, &known.class, LISTED)?;
        let monoid = known.shown().map(WrittenMonoid::of);
        let monoid = monoid.as_ref();
        let name = name_of_class(known.order, known.p_size, &known.class);
        let name = name.or_else(|| known.shown().and_then(BipartiteMonoid::known_name));
        let title = name
            .clone()
            .unwrap_or_else(|| format!("Class {}", known.class.brief()));
        Ok(Self {
            shell: Shell::of(&pages.site, store, "/games", title.as_str()),
            presented: monoid.map(|monoid| presented(&monoid.readable)),
            canonical: known
                .as_in
                .as_ref()
                .and(known.monoid.as_ref())
                .map(|monoid| presented(&Readable::of_class(monoid))),
            idempotents: monoid.map(idempotents).unwrap_or_default(),
            table: monoid
                .filter(|monoid| monoid.monoid.order() <= MAX_TABLE_ORDER)
                .map(table),
            structure: monoid.map(|monoid| structure_of(pages, monoid, known.solution.as_ref())),
            // A presentation that a person wrote has no address for its pictures.
            pictures: known.note.is_none() && monoid.is_some(),
            in_browser: pages.site.browser_solver().is_some(),
            earliest: earliest
                .filter(|(code, _)| smallest.as_ref().is_none_or(|(least, _)| least != code))
                .map(|(code, heap)| (Link::to_game(&code), heap)),
            least: smallest.map(|(code, heap)| (Link::to_game(&code), heap)),
            places: occurrences.iter().map(place).collect(),
            games,
            whole_games,
            all: format!("/games?any-class={}", known.class.lasting_name()),
            atlas: OfClass::of(pages.site.atlas(), store, &known.class)?,
            heading: name.as_deref().map_or(title, math),
            address: address_of(&known.class),
            known,
        })
    }
}

impl ClassPage {
    /// Returns the reference to the class.
    fn reference(&self) -> Reference {
        let name = name_of_class(self.known.order, self.known.p_size, &self.known.class);
        let order = Some(self.known.order as u64);
        Reference::class(&self.known.class, name.as_deref(), order)
    }

    /// Returns the address of a page that multiplies generators: in the browser, if it can.
    fn calculator(&self) -> String {
        let presented = self.presented.as_ref().filter(|_| self.in_browser);
        let presented = presented.map(|presented| encoded(&presented.plain));
        match presented.filter(|text| text.len() <= MAX_FRAGMENT) {
            Some(text) => format!("/solve#quotient={text}"),
            None => format!("/calculator?class={}", self.known.class.lasting_name()),
        }
    }

    /// Returns the presentation that is shown, as LaTeX.
    fn latex(&self) -> String {
        let plain = self.presented.as_ref();
        plain.map_or(String::new(), |presented| latex(&presented.plain))
    }
}

fn presented(readable: &Readable) -> PresentationView {
    let set = |text: String| math(&text);
    let relations = readable.relations.iter().map(ToString::to_string);
    let p_portion = readable.p_portion.iter().map(ToString::to_string);
    PresentationView {
        plain: readable.to_string(),
        for_programs: (!readable.generators.is_empty()).then(|| (gap(readable), sage(readable))),
        names: readable.names().into_iter().map(set).collect(),
        more_relations: readable.relations.len().saturating_sub(SHOWN),
        more_in_p: readable.p_portion.len().saturating_sub(SHOWN),
        relations: relations.take(SHOWN).map(set).collect(),
        p_portion: p_portion.take(SHOWN).map(set).collect(),
    }
}

/// A bipartite monoid on the generators that its presentation names.
struct WrittenMonoid {
    readable: Readable,
    monoid: BipartiteMonoid,
    /// The lex-least words of the elements.
    words: Vec<String>,
}

impl WrittenMonoid {
    fn of(monoid: &BipartiteMonoid) -> Self {
        let readable = Readable::of(monoid);
        let monoid = readable.on_its_generators(monoid);
        let words = lex_least_words(&monoid);
        Self {
            words: words.iter().map(ToString::to_string).collect(),
            readable,
            monoid,
        }
    }
}

fn idempotents(written: &WrittenMonoid) -> Vec<String> {
    let squares = Multiplication::new(&written.monoid).powers(2);
    let elements = (0..written.monoid.order()).filter(|&x| squares[x] as usize == x);
    let words = elements.map(|x| math(&written.words[x]));
    words.take(SHOWN).collect()
}

fn table(written: &WrittenMonoid) -> Table {
    let monoid = &written.monoid;
    let multiplication = Multiplication::new(monoid);
    let words: Vec<String> = written.words.iter().map(|word| math(word)).collect();
    let rows = (0..monoid.order() as Element).map(|x| {
        let products = multiplication.row(x).into_iter();
        let products = products.map(|y| (words[y as usize].clone(), monoid.in_p(y)));
        (words[x as usize].clone(), products.collect())
    });
    Table {
        rows: rows.collect(),
        words,
    }
}

fn place(occurrence: &Occurrence) -> Place {
    let ranges = occurrence.ranges.iter();
    let last = occurrence.ranges.len().saturating_sub(1);
    let heaps =
        ranges.enumerate().map(
            |(at, &(first, end))| match at == last && occurrence.forever {
                true => format!("{first} on"),
                false if first == end => first.to_string(),
                false => format!("{first}–{end}"),
            },
        );
    Place {
        game: Link::to_game(&occurrence.code),
        aliases: (occurrence.renumberings.iter().take(12))
            .map(|other| {
                let mark = other.mark.as_ref().map(|mark| format!(" ({mark})"));
                (Link::to_game(&other.code), mark.unwrap_or_default())
            })
            .collect(),
        status: occurrence.status.map_or("", |status| status.name()),
        heaps: heaps.collect::<Vec<_>>().join(", "),
        whole: occurrence.forever,
    }
}

/// Returns the page of a class.
pub(super) fn set(pages: &Pages, store: &Store, known: ClassInfo) -> Result<Page, RequestError> {
    Page::set(&ClassPage::of(pages, store, known)?)
}

/// Returns the cached structure of a quotient, or the reason why it is not shown.
fn structure_of(
    pages: &Pages,
    written: &WrittenMonoid,
    game: Option<&Solution>,
) -> Result<Arc<StructureTexts>, String> {
    let order = written.monoid.order();
    if order > structure::MAX_ORDER {
        return Err(format!(
            "The quotient has {order} elements. This page shows the structure of quotients with \
             at most {} elements; `misere analyze` takes larger ones.",
            structure::MAX_ORDER
        ));
    }
    let code = game.map(|game| game.code.to_string()).unwrap_or_default();
    let key = format!("{code} {}", written.readable);
    let made = pages.structures.or_made(&key, || {
        structure::structure(&written.monoid, &written.words, game)
            .ok()
            .map(Arc::new)
    });
    made.as_ref().clone().ok_or_else(|| {
        "The structure was not found within the budget of a page; `misere analyze` takes more \
         time."
            .to_owned()
    })
}

/// Serves the page of a class.
pub(super) async fn page(
    State(pages): State<Pages>,
    PathParam(text): PathParam,
) -> Result<Response, RequestError> {
    pages
        .compute(move |pages| {
            let store = &*pages.site.census().store()?;
            if let Some(name) = printed_name(&text) {
                let known = by_its_name(store, &name)?;
                return Ok(match store.class(&known.class)? {
                    Some(_) => Redirect::to(&address_of(&known.class)).into_response(),
                    None => set(pages, store, known)?.into_response(),
                });
            }
            let key = key(store, &text)?;
            if text != key.lasting_name() {
                return Ok(Redirect::to(&address_of(&key)).into_response());
            }
            Ok(set(pages, store, ClassInfo::in_census(store, key)?)?.into_response())
        })
        .await
}

/// Serves the Cayley graph of a class.
pub(super) async fn cayley(
    State(site): State<Site>,
    PathParam(text): PathParam,
) -> Result<Response, RequestError> {
    picture(site, text, cayley_graph).await
}

/// Serves the picture of the classes of mutual divisibility of a quotient.
pub(super) async fn egg_boxes(
    State(site): State<Site>,
    PathParam(text): PathParam,
) -> Result<Response, RequestError> {
    picture(site, text, class_diagram).await
}

/// Serves the picture of the order of the idempotents of a class.
pub(super) async fn order_of_idempotents(
    State(site): State<Site>,
    PathParam(text): PathParam,
) -> Result<Response, RequestError> {
    picture(site, text, idempotent_order).await
}

async fn picture(
    site: Site,
    text: String,
    draw: fn(&str, &BipartiteMonoid, &[String]) -> String,
) -> Result<Response, RequestError> {
    let svg = site.compute(move |site| {
        let store = &*site.census().store()?;
        let known = ClassInfo::in_census(store, key(store, &text)?)?;
        let monoid = known.shown().ok_or_else(|| RequestError::NotHere {
            message: format!("the census does not keep the quotients of class {text}"),
            advice: "It does where some game ends with one.".to_owned(),
        })?;
        let of = match (monoid.known_name(), &known.as_in) {
            (Some(name), _) => name,
            (None, Some((code, _))) => code.to_string(),
            (None, None) => format!("class {}", known.class.brief()),
        };
        let WrittenMonoid { monoid, words, .. } = WrittenMonoid::of(monoid);
        Ok(draw(&of, &monoid, &words))
    });
    Ok(answer("image/svg+xml", svg.await?))
}
