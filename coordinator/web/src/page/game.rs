//! The page of a game: the claims about it, with their grounds.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use misere_answers::rules;
use misere_census::Record;
use misere_game::monoid::word::{Word, lex_least_words};
use misere_game::ruleset::Code;
use misere_game::solution::all_heaps::WordLine;
use misere_game::solution::automaton_words::HOW_IT_READS;
use misere_game::solution::{Document, LawLine, Partial, Solution, StateLine};
use misere_pictures::GrowthPlot;

use misere_query::{Field, Filter, KnownGame, Query, Span};
use misere_report::citation::{CitedGame, Reference};
use misere_report::facts::figure1::Kind;
use misere_store::Store;

use super::claims::{Claim, claims, normal_play};
use super::links::Link;
use super::math::math;
use super::nim::NimView;
use super::p_positions;
use super::pages::Pages;
use super::pattern::{PatternLine, pattern};
use super::related::Related;
use super::shell::{Shell, thousands};
use super::strip::{Strip, strip};
use super::template::Page;
use crate::request::answer::answer;
use crate::request::params::{PathParam, encoded};
use crate::view::error::RequestError;
use crate::view::game::{certificate, code, known, solution};
use crate::view::site::Site;

/// The number of relations, elements and games that are shown; the documents have all.
const SHOWN: usize = 120;

/// The number of partial quotients that are shown, the last ones.
const PARTIALS_SHOWN: usize = 60;

struct Generator {
    name: String,
    heap: u32,
}

struct Change {
    partial: Partial,
    class: Link,
}

/// A list that may be shown only in part.
struct Cut<T> {
    shown: Vec<T>,
    more: usize,
}

impl<T> Cut<T> {
    fn of(all: impl Iterator<Item = T>, limit: usize) -> Self {
        let mut all = all.fuse();
        let shown = all.by_ref().take(limit).collect();
        Self {
            shown,
            more: all.count(),
        }
    }
}

#[derive(Template)]
#[template(path = "game.html")]
struct GamePage {
    shell: Shell,
    /// Whether the site has the solver for browsers.
    solves: bool,
    /// The code under which the game was requested.
    code: String,
    address: String,
    /// The sentence with the game that has the record, if the request uses another code.
    same_as: Option<(Link, String)>,
    /// The other codes of the game, each with the sentence that says how its heaps are numbered.
    aliases: Vec<(Link, String)>,
    look: Kind,
    stands: String,
    claims: Vec<Claim>,
    record: Record,
    period: Option<(u32, u32)>,
    class: Link,
    /// The name of the class or the beginning of its key, as HTML.
    class_set: String,
    class_name: Option<String>,
    generators: Vec<Generator>,
    relations: Cut<String>,
    p_portion: Cut<String>,
    strip: Strip,
    changes: Vec<Change>,
    earlier_changes: usize,
    neighbours: Cut<Link>,
    related: Related,
    fuel: String,
    certificate_bytes: String,
    reference: Option<Reference>,
    /// The name of the game in the literature.
    game_name: Option<&'static str>,
    /// The rules in words.
    rules: String,
    pattern: Vec<PatternLine>,
    law: Option<LawTable>,
    automaton: Option<StateTable>,
    all_heaps: Option<WordTable>,
    /// The heaps that are counted in the picture of the P-positions of an infinite quotient.
    counted: Option<String>,
    /// The genera and the normal play.
    nim: Arc<NimView>,
}

/// A law, for people.
struct LawTable {
    lines: Vec<LawLine>,
    if_none_is_free: String,
}

/// An automaton, for people.
struct StateTable {
    how_it_reads: &'static str,
    states: usize,
    p_states: usize,
    period: u32,
    lines: Cut<StateLine>,
}

/// The words of all heaps past an infinite quotient, for people.
struct WordTable {
    letters: String,
    lines: Cut<WordLine>,
    period: u32,
    preperiod: u32,
}

/// Returns the title of the window: the code, and the name of the game, if it has one.
fn title(code: &Code) -> String {
    match code.name() {
        Some(name) => format!("{code} {name}"),
        None => code.to_string(),
    }
}

impl WordTable {
    fn of(solution: &Solution) -> Option<Self> {
        let evidence = solution.evidence.as_ref()?;
        let all = evidence.all_heaps()?;
        let letters = evidence.letters();
        Some(Self {
            letters: in_a_sentence(&letters),
            lines: Cut::of(evidence.word_lines().into_iter(), SHOWN),
            period: all.period,
            preperiod: all.preperiod,
        })
    }
}

/// Returns heaps as a list in a sentence.
fn in_a_sentence(heaps: &[u32]) -> String {
    let all: Vec<String> = heaps.iter().map(u32::to_string).collect();
    match all.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => all.concat(),
    }
}

impl GamePage {
    fn of(pages: &Pages, code: &Code) -> Result<Self, RequestError> {
        let site = &pages.site;
        let store = &*site.census().store()?;
        let game = known(store, code)?;
        let bytes = certificate(store, &game)?.len();
        let reference = reference(site, store, &game, code)?;
        let solution = solution(store, &game)?;
        let same_as = game.sentence();
        let same_as = same_as.map(|sentence| (Link::to_game(&game.representative), sentence));
        let record = game.record;
        let words = lex_least_words(&solution.quotient);
        let document = Document::new(&solution);
        let conclusion = record.conclusion();
        let kind = Kind::of(conclusion, record.tame);
        let mut claims = claims(&solution);
        if !kind.is_solved() {
            let normal = site.charts().normal_play_of(code)?;
            claims.extend(normal.map(normal_play));
        }
        let class_name = solution.quotient.known_name();
        let aliases = record.aliases.iter().map(|alias| {
            let sentence = alias.renumbering.sentence(code, &alias.code);
            (Link::to_game(&alias.code), sentence)
        });
        let aliases = aliases.collect();
        let hidden = record.partials.len().saturating_sub(PARTIALS_SHOWN);
        let changes = record.partials[hidden..].iter().map(|&partial| Change {
            class: Link::to_class_of(&partial.class, partial.order, partial.p_size),
            partial,
        });
        let generators = document
            .quotient
            .generators
            .iter()
            .map(|generator| Generator {
                name: math(&generator.name),
                heap: generator.heap,
            });
        let neighbours = neighbours(store, &record)?;
        Ok(Self {
            shell: Shell::of(site, store, "/games", title(code)),
            solves: site.browser_solver().is_some(),
            code: code.to_string(),
            address: format!("/game/{}", encoded(&code.to_string())),
            same_as,
            aliases,
            look: kind,
            stands: conclusion.sentence_with(record.tame),
            claims,
            period: solution.verdict.period(),
            class: Link::to_class(&record.class, class_name.as_deref()),
            class_set: class_name
                .as_deref()
                .map_or_else(|| record.class.brief(), math),
            class_name,
            generators: generators.collect(),
            relations: Cut::of(
                document.quotient.presentation.iter().map(|text| math(text)),
                SHOWN,
            ),
            p_portion: Cut::of(p_words(&solution, &words).map(|word| math(&word)), SHOWN),
            strip: strip(&solution, &words),
            changes: changes.collect(),
            earlier_changes: hidden,
            neighbours,
            related: Related::of(store, &record)?,
            fuel: thousands(record.fuel),
            certificate_bytes: thousands(bytes as u64),
            reference,
            game_name: code.name(),
            rules: rules::in_words(code),
            pattern: pattern(&solution),
            nim: pages.nim_views.or_made(&code.to_string(), || {
                NimView::at(code).with_result(code, site.charts().results().of(code))
            }),
            law: solution.law().map(|law| LawTable {
                lines: law.lines(),
                if_none_is_free: law.if_none_is_free(),
            }),
            automaton: solution.automaton().map(|automaton| StateTable {
                how_it_reads: HOW_IT_READS,
                states: automaton.heap.len(),
                p_states: automaton.p_states.len(),
                period: automaton.rhythm().map_or(1, |(_, period)| period),
                lines: Cut::of(automaton.lines().into_iter(), SHOWN),
            }),
            all_heaps: WordTable::of(&solution),
            counted: solution
                .evidence
                .as_ref()
                .and_then(p_positions::digits)
                .map(|digits| in_a_sentence(&digits)),
            record,
        })
    }
}

/// Returns the reference to the game with its certificate in the census.
///
/// Returns `None` while a growing census has no digest at hand.
fn reference(
    site: &Site,
    store: &Store,
    game: &KnownGame,
    code: &Code,
) -> Result<Option<Reference>, RequestError> {
    let (Some(digest), Some(certificate)) =
        (site.digest(store), store.certificate(&game.representative)?)
    else {
        return Ok(None);
    };
    let cited = CitedGame {
        code,
        known: &game.record.conclusion().sentence_with(game.record.tame),
        kept_as: &game.representative,
        certificate: &certificate,
    };
    Ok(Some(Reference::game(cited, &digest)))
}

/// Returns the words of the P-portion, in lex order.
fn p_words<'a>(solution: &Solution, words: &'a [Word]) -> impl Iterator<Item = String> + use<'a> {
    let elements = solution.quotient.p_portion().iter();
    let mut elements: Vec<&Word> = elements.filter_map(|x| words.get(x as usize)).collect();
    elements.sort_by(|x, y| x.0.iter().rev().cmp(y.0.iter().rev()));
    elements.into_iter().map(ToString::to_string)
}

/// Returns the other games that end with this quotient.
fn neighbours(store: &Store, record: &Record) -> Result<Cut<Link>, RequestError> {
    let query = Query {
        filter: Filter {
            class: Some(record.class.into()),
            // The solved games with a period are those with a finite quotient.
            ranges: [(Field::Period, Span::ANY)].into_iter().collect(),
            ..Filter::default()
        },
        limit: Some(SHOWN as u64),
        ..Query::default()
    };
    let (hits, _) = misere_store::answers::collect(store, &query)?;
    let others = hits.into_iter().map(|game| game.record);
    let others = others.filter(|other| other.codes().all(|code| *code != record.code));
    Ok(Cut::of(
        others.map(|other| Link::to_game(&other.code)),
        SHOWN / 4,
    ))
}

/// Serves the page of a game.
///
/// A game that the census lacks is solved in the browser, where the site has the solver.
pub(super) async fn page(
    State(pages): State<Pages>,
    PathParam(text): PathParam,
) -> Result<Response, RequestError> {
    let code = code(&text)?;
    pages
        .block(move |pages| {
            let site = &pages.site;
            if site.browser_solver().is_some() && site.census().store()?.game(&code)?.is_none() {
                let address = format!("/solve#{}", encoded(&code.to_string()));
                return Ok(Redirect::to(&address).into_response());
            }
            Ok(Page::set(&GamePage::of(pages, &code)?)?.into_response())
        })
        .await
}

/// Serves the picture of the growth of the partial quotients.
pub(super) async fn growth(
    State(site): State<Site>,
    PathParam(text): PathParam,
) -> Result<Response, RequestError> {
    let code = code(&text)?;
    let svg = site.read(move |store| {
        let record = known(store, &code)?.record;
        Ok(misere_pictures::growth(&GrowthPlot {
            code: &code.to_string(),
            partials: &record.partials,
            heaps: record.heaps,
            verdict: record.verdict,
            infinite_to: record.infinite_to(),
            rule: record.conclusion().ending().rule(),
            all_heaps: record.all_heaps.map(|all| (all.preperiod, all.period)),
        }))
    });
    Ok(answer("image/svg+xml", svg.await?))
}

/// Serves the picture of the P-positions of an infinite quotient.
pub(super) async fn p_positions(
    State(site): State<Site>,
    PathParam(text): PathParam,
) -> Result<Response, RequestError> {
    let code = code(&text)?;
    let svg = site.read(move |store| {
        let solution = solution(store, &known(store, &code)?)?;
        let evidence = solution.evidence.as_ref();
        let picture = evidence.and_then(|evidence| p_positions::picture(&code, evidence));
        picture.ok_or_else(|| RequestError::NotHere {
            message: format!("there is no picture of the P-positions of {code}"),
            advice: "The games whose quotients are proved infinite have one.".to_owned(),
        })
    });
    Ok(answer("image/svg+xml", svg.await?))
}
