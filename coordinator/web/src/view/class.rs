//! A class: one misère quotient up to isomorphism, and where it occurs.

use misere_census::atlas::{Atlas, ClassDocument};
use misere_game::bipartite::families::{by_name, name_of_class};
use misere_game::bipartite::{BipartiteMonoid, ClassKey};
use misere_game::monoid::readable::Readable;
use misere_game::ruleset::Code;
use misere_game::solution::Solution;
use schemars::JsonSchema;
use serde::Serialize;

use misere_answers::realized::Realization;
use misere_query::{ClassPattern, Filter, Query};
use misere_report::whereabouts::{Exclusion, Occurrence, whereabouts};
use misere_store::Store;

use super::error::RequestError;
use super::game;
use super::schema;

/// The greatest order of a monoid that a person writes or names.
pub(crate) const MAX_ORDER: usize = 2_000;

/// Returns the class that a person gives by its key, the first digits of the key, or a name.
pub(crate) fn key(store: &Store, text: &str) -> Result<ClassKey, RequestError> {
    if let Ok(key) = text.parse() {
        return Ok(key);
    }
    let pattern: ClassPattern = text.parse().map_err(
        |error: misere_query::ClassPatternError| RequestError::Input {
            message: error.to_string(),
            advice: "A class looks like R_8, or like the first digits of its key.".to_owned(),
        },
    )?;
    if pattern.least() == pattern.greatest() {
        return Ok(*pattern.least());
    }
    let mut classes = store.classes(pattern.least(), pattern.greatest(), 2)?;
    match (classes.pop(), classes.is_empty()) {
        (None, _) => Err(not_here(text)),
        (Some((class, _)), true) => Ok(class),
        (Some(_), false) => Err(RequestError::Input {
            message: format!("several classes of this census have keys that begin with {text}"),
            advice: format!("Give more digits; a search for `{text}` lists them."),
        }),
    }
}

fn not_here(class: &str) -> RequestError {
    RequestError::NotHere {
        message: format!("no game of this census has the class {class}"),
        advice: "Search for its presentation to see what it is.".to_owned(),
    }
}

/// The facts about a class, from the census or from a presentation that a person wrote.
pub(crate) struct ClassInfo {
    pub(crate) class: ClassKey,
    pub(crate) order: usize,
    pub(crate) p_size: usize,
    /// The canonical form, if the census has it.
    pub(crate) monoid: Option<BipartiteMonoid>,
    /// The quotient of the least game with this class, its generators in the order of their heaps.
    pub(crate) as_in: Option<(Code, BipartiteMonoid)>,
    /// The remark above the page, if a person wrote a presentation or a name.
    pub(crate) note: Option<String>,
    /// The statement whether the monoid is a misère quotient, if it is not one of this census.
    pub(crate) realized: Option<String>,
    /// The solution of the least game with this class.
    pub(crate) solution: Option<Solution>,
}

impl ClassInfo {
    /// Returns the facts about a class of the census.
    pub(crate) fn in_census(store: &Store, class: ClassKey) -> Result<Self, RequestError> {
        let stored = store
            .class(&class)?
            .ok_or_else(|| not_here(&class.to_string()))?;
        let query = Query {
            filter: Filter {
                class: Some(class.into()),
                ..Filter::default()
            },
            limit: Some(1),
            ..Query::default()
        };
        let (mut hits, _) = misere_store::answers::collect(store, &query)?;
        let solution = match hits.pop() {
            Some(game) => Some(game::solution(store, &game)?),
            None => None,
        };
        let as_in = solution.as_ref();
        let as_in = as_in.map(|solution| (solution.code.clone(), solution.quotient.clone()));
        Ok(Self {
            as_in,
            solution,
            class,
            order: stored.order as usize,
            p_size: stored.p_size as usize,
            monoid: stored.quotient.map(|quotient| *quotient),
            note: None,
            realized: None,
        })
    }

    /// Returns the monoid that is shown.
    ///
    /// It is the one of the least game, as in papers; else the canonical form.
    pub(crate) fn shown(&self) -> Option<&BipartiteMonoid> {
        let as_in = self.as_in.as_ref().map(|(_, monoid)| monoid);
        as_in.or(self.monoid.as_ref())
    }
}

/// Returns a quotient with a name that no game of this census has.
pub(crate) fn by_its_name(store: &Store, name: &str) -> Result<ClassInfo, RequestError> {
    let monoid = by_name(name).map_err(|error| {
        RequestError::input(
            error.to_string(),
            "Names are those of the papers: T_3, R_8, S_12, S'_12, R_14.",
        )
    })?;
    if monoid.order() > MAX_ORDER {
        return Err(RequestError::input(
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
            excluded(store, monoid.order())
        )),
        realized: Some(Realization::ByName(name.to_owned()).to_string()),
        monoid: Some(monoid),
    })
}

/// Returns the sentences on what the absence of a quotient of this order excludes.
pub(crate) fn excluded(store: &Store, order: usize) -> String {
    let said = Exclusion::of(store, Some(order)).sentences();
    format!("no game of this census has it; {}.", said.join("; "))
}

/// A quotient in its canonical form, with the presentation of its class.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "Quotient")]
pub(crate) struct QuotientView<'a> {
    /// The presentation with its P-portion, which the program can read back.
    written: String,
    generators: Vec<String>,
    relations: Vec<String>,
    p_portion: Vec<String>,
    #[schemars(with = "schema::Monoid")]
    canonical_form: &'a BipartiteMonoid,
}

impl<'a> QuotientView<'a> {
    pub(crate) fn of(monoid: &'a BipartiteMonoid) -> Self {
        let readable = Readable::of_class(monoid);
        Self {
            written: readable.to_string(),
            generators: readable.names(),
            relations: readable.relations.iter().map(ToString::to_string).collect(),
            p_portion: readable.p_portion.iter().map(ToString::to_string).collect(),
            canonical_form: monoid,
        }
    }
}

/// A class, with its first games.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "Class")]
pub(crate) struct ClassView<'a> {
    #[schemars(with = "schema::ClassKey")]
    class: ClassKey,
    /// The label of the class, such as `40.9.2`, if it has one.
    label: Option<String>,
    /// The quotient as the least game with it has it, its generators in the order of their heaps.
    as_in: Option<QuotientOfGame<'a>>,
    /// The name of the class in the literature, if it has one.
    name: Option<String>,
    order: usize,
    p_size: usize,
    /// The quotient, if the census has it.
    quotient: Option<QuotientView<'a>>,
    /// The least code of a game with the class, and the least heap with which the game has it.
    smallest: Option<LeastGame>,
    /// The number of games with the class for quotient or partial quotient.
    games: u64,
    /// The number of games with the class for quotient.
    whole_games: u64,
    /// The games, at most 1,000 of them.
    #[schemars(with = "Vec<schema::Occurrence>")]
    occurrences: Vec<Occurrence>,
    #[schemars(with = "Option<schema::AtlasOfClass>")]
    atlas: Option<ClassDocument<'a>>,
}

/// The quotient of a game.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(inline)]
struct QuotientOfGame<'a> {
    #[schemars(with = "schema::Code")]
    code: &'a Code,
    written: String,
}

/// A game, and the heap with which it has a class.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(inline)]
struct LeastGame {
    #[schemars(with = "schema::Code")]
    code: Code,
    heap: u32,
}

impl<'a> ClassView<'a> {
    /// Returns a class of this census, with its first games and its entry in an atlas.
    pub(crate) fn of(
        store: &Store,
        atlas: Option<&'a Atlas>,
        known: &'a ClassInfo,
        limit: usize,
    ) -> Result<Self, RequestError> {
        let places = whereabouts(store, &known.class, limit)?;
        Ok(Self {
            class: known.class,
            label: known.class.label().map(|label| label.to_string()),
            as_in: known.as_in.as_ref().map(|(code, monoid)| QuotientOfGame {
                code,
                written: Readable::of(monoid).to_string(),
            }),
            name: name_of_class(known.order, known.p_size, &known.class),
            order: known.order,
            p_size: known.p_size,
            quotient: known.monoid.as_ref().map(QuotientView::of),
            smallest: places.smallest.map(|(code, heap)| LeastGame { code, heap }),
            games: places.games,
            whole_games: places.whole_games,
            occurrences: places.occurrences,
            atlas: atlas.map(|atlas| atlas.document(&known.class, Some(known.order))),
        })
    }
}
