//! The calculator: who wins a position, products in a quotient, and whether two games are equal.

use askama::Template;
use axum::extract::State;
use misere_answers::comparison::{Comparison, Context};
use misere_census::shown_text::visible;
use misere_game::outcome::Outcome;
use misere_store::Store;

use super::math::{math, with_code};
use super::shell::Shell;
use super::template::Page;
use crate::request::params::QueryParams;
use crate::view::calculation::{Decided, comparison, outcome, product};
use crate::view::error::RequestError;
use crate::view::site::Site;

/// The number of winning moves that are listed.
const MAX_MOVES: usize = 50;

/// The parameters: those of the position, the product and the comparison.
const PARAMETERS: [&str; 6] = ["game", "position", "class", "word", "first", "second"];

/// The result of one calculation, or why there is none, with an advice as HTML.
type Calculated<T> = Option<Result<T, (String, String)>>;

/// The answer about a position.
struct PositionAnswer {
    sum: String,
    /// Who wins.
    wins: &'static str,
    /// The value of the position as HTML, and the order of the quotient.
    value: Option<(String, usize)>,
    /// The heap to which this quotient goes, unless it is that of all heaps.
    partial_to: Option<u32>,
    ground: &'static str,
    /// The winning moves; `None` if they are not all known.
    moves: Option<Vec<String>>,
    more_moves: usize,
}

/// A product in a quotient.
struct ProductAnswer {
    written: String,
    word: String,
    in_p: bool,
}

/// Two games, compared.
struct ComparisonAnswer {
    is_equal: bool,
    /// Each game with its simplest form and its genus.
    games: Vec<String>,
    /// A game that tells the two apart, or links them.
    contexts: Vec<String>,
}

#[derive(Template)]
#[template(path = "calculator.html")]
struct Calculator {
    shell: Shell,
    game: String,
    position: String,
    class: String,
    word: String,
    first: String,
    second: String,
    decided: Calculated<PositionAnswer>,
    multiplied: Calculated<ProductAnswer>,
    compared: Calculated<ComparisonAnswer>,
}

impl Calculator {
    fn of(site: &Site, store: &Store, asked: &QueryParams) -> Result<Self, RequestError> {
        if let Some(name) = asked.names().find(|name| !PARAMETERS.contains(name)) {
            return Err(RequestError::input(
                format!("nothing is called `{name}` in the calculator"),
                format!("The parameters are {}.", PARAMETERS.join(", ")),
            ));
        }
        let both = |one: &str, other: &str| asked.text(one).zip(asked.text(other));
        let position = |(game, position)| Ok(decided(&outcome(store, game, position)?));
        let multiplied = |(class, word): (&str, &str)| {
            let found = product(store, class, word)?;
            Ok(ProductAnswer {
                word: math(&found.word),
                in_p: found.outcome == Outcome::P,
                written: found.product,
            })
        };
        let compared = |(first, second)| Ok(described(&comparison(first, second)?));
        Ok(Self {
            shell: Shell::of(site, store, "/calculator", "Calculator"),
            game: asked.written("game"),
            position: asked.written("position"),
            class: asked.written("class"),
            word: asked.written("word"),
            first: asked.written("first"),
            second: asked.written("second"),
            decided: or_why(both("game", "position").map(position))?,
            multiplied: or_why(both("class", "word").map(multiplied))?,
            compared: or_why(both("first", "second").map(compared))?,
        })
    }
}

/// Keeps what is wrong with an input as a part of the page; other failures fail the page.
fn or_why<T>(result: Option<Result<T, RequestError>>) -> Result<Calculated<T>, RequestError> {
    Ok(match result {
        None => None,
        Some(Ok(found)) => Some(Ok(found)),
        Some(Err(
            RequestError::Input { message, advice } | RequestError::NotHere { message, advice },
        )) => Some(Err((visible(&message), with_code(&visible(&advice))))),
        Some(Err(failure)) => return Err(failure),
    })
}

fn decided(found: &Decided) -> PositionAnswer {
    let answer = &found.answer;
    let words = answer.word.as_deref().map(math).zip(answer.order);
    let moves = answer.winning_moves.as_ref();
    let listed = moves.map(|moves| {
        let shown = moves.iter().take(MAX_MOVES);
        shown
            .map(|winning| winning.in_words(&answer.code))
            .collect()
    });
    PositionAnswer {
        sum: answer.sum.to_string(),
        wins: match (answer.outcome, answer.sum.has_moves(&answer.code)) {
            ('P', _) => "the player who moved last wins: a P-position",
            (_, true) => "the player to move wins: an N-position",
            (_, false) => "the player to move has no move, and wins: an N-position",
        },
        value: words,
        partial_to: found.partial_to,
        ground: answer.method.name(),
        moves: listed,
        more_moves: moves.map_or(0, |moves| moves.len().saturating_sub(MAX_MOVES)),
    }
}

fn described(comparison: &Comparison) -> ComparisonAnswer {
    let games = comparison.games.iter().map(|game| {
        let (genus, class) = (game.genus.genus(), game.genus.class());
        format!("{} = {}, of genus {genus}, {class}", game.text, game.form)
    });
    let context = |how: &str, context: &Context| format!("{how} {}", context.form);
    let apart = comparison.distinguisher.as_ref();
    let link = comparison.link.as_ref();
    let apart = apart.map(|found| context("They have different outcomes beside", found));
    let link = link.map(|found| context("Both are P-positions beside", found));
    ComparisonAnswer {
        is_equal: comparison.equal,
        games: games.collect(),
        contexts: apart.into_iter().chain(link).collect(),
    }
}

/// Serves the calculator.
pub(super) async fn page(
    State(site): State<Site>,
    asked: QueryParams,
) -> Result<Page, RequestError> {
    site.compute(move |site| Page::set(&Calculator::of(site, &*site.census().store()?, &asked)?))
        .await
}
