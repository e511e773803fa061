//! The board: a game against the computer, which knows the solution.
//!
//! A position is drawn with all its moves. Each of them is a button of a form, which requests the
//! page of the position after it; that page makes the computer's move first. So the board works
//! without scripts, and the server keeps nothing. Moves are forms and not links, so that programs
//! that follow links do not play.
//!
//! - `position`: the positions that are played, and their bounds
//! - `moves`: the moves and their words, and the answer of the computer
//! - `deal`: the positions that the board deals

mod deal;
mod moves;
mod position;

use askama::Template;
use axum::extract::State;
use misere_answers::decider::extended_evidence;
use misere_answers::rules;
use misere_answers::{Decider, Decision, Effort, Ground};
use misere_game::control::Control;
use misere_game::outcome::Outcome;
use misere_game::position::Position;
use misere_game::ruleset::Code;

use super::math::math;
use super::shell::Shell;
use super::template::Page;
use crate::request::params::encoded;
use crate::request::params::{PathParam, QueryParams};
use crate::view::error::RequestError;
use crate::view::game;
use crate::view::site::Site;
use moves::{HeapOnBoard, answer, heaps_on_board};
use position::{MAX_HEAP, MAX_HEAPS, parsed, sum, written};

/// The number of moves up to which the moves of all heaps are shown at once.
const FEW_MOVES: usize = 40;

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// The person has won.
    Won,
    /// The person has lost.
    Lost,
}

#[derive(Template)]
#[template(path = "board.html")]
struct BoardPage {
    shell: Shell,
    code: String,
    address: String,
    game_name: Option<&'static str>,
    /// The rules in words.
    rules: String,
    /// The sentence about the move of the computer.
    news: Option<String>,
    end: Option<End>,
    /// The position in which the person moves, as a sum.
    sum: String,
    /// The position in the notation of the form.
    written: String,
    heaps: Vec<HeapOnBoard>,
    /// Whether the moves of all heaps are shown at once.
    all_open: bool,
    hints: bool,
    /// The sentences about the position, as HTML; empty without hints.
    judged: String,
    /// The numbers of the positions that are dealt: this one, and the next one.
    deal: u64,
    next_deal: u64,
    /// The position in which the person moved last, to take the move back.
    before: Option<String>,
    can_be_dealt: bool,
    max_heaps: usize,
    max_heap: u32,
    examples: &'static str,
}

/// The choices of a person.
struct Wishes {
    /// The position, if one was given.
    position: Option<Position>,
    /// Whether the computer moves first.
    computer_moves: bool,
    hints: bool,
    deal: u64,
    /// The position before the last move of the person.
    before: Option<Position>,
}

/// Reports whether a text is a position that the board has room for.
pub(super) fn fits_on_board(code: &Code, position: &str) -> bool {
    parsed(code, position.trim()).is_ok()
}

impl Wishes {
    fn of(code: &Code, asked: &QueryParams) -> Result<Self, RequestError> {
        let known = ["position", "turn", "hints", "deal", "before"];
        if let Some(name) = asked.names().find(|name| !known.contains(name)) {
            return Err(refused(format!("nothing is called `{name}` on the board")));
        }
        let one_of = |name: &str, values: [&str; 2]| match asked.text(name) {
            None => Ok(false),
            Some(text) if text == values[0] => Ok(false),
            Some(text) if text == values[1] => Ok(true),
            Some(text) => Err(refused(format!(
                "`{name}` is `{}` or `{}`, not `{text}`",
                values[0], values[1]
            ))),
        };
        let position = |name: &str| {
            let text = asked.text(name);
            text.map(|text| parsed(code, text)).transpose()
        };
        let deal = asked.text("deal").unwrap_or("0");
        Ok(Self {
            position: position("position")?,
            computer_moves: one_of("turn", ["you", "computer"])?,
            hints: one_of("hints", ["off", "on"])?,
            deal: deal
                .parse::<u32>()
                .map_err(|_| refused(format!("`{deal}` is not a number of a position")))?
                .into(),
            before: position("before")?,
        })
    }
}

fn refused(message: String) -> RequestError {
    RequestError::Input {
        message,
        advice: "For example position=3+5+7, turn=you or turn=computer, hints=on, deal=2."
            .to_owned(),
    }
}

impl BoardPage {
    fn of(site: &Site, code: &Code, asked: &QueryParams) -> Result<Self, RequestError> {
        let wishes = Wishes::of(code, asked)?;
        let store = &*site.census().store()?;
        let known = game::known(store, code)?;
        let solution = game::solution(store, &known)?;
        let to_deal = deal::heaps_to_deal(code);
        // Nothing interrupts a page, and its effort is bounded.
        let control = &mut Control::unlimited();
        let effort = Effort::QUICK;
        let mut decider = Decider::new(&solution, solution.evidence.as_ref(), effort);
        // Evidence is extended last, because that takes longest.
        let extended = match &wishes.position {
            Some(position) if matches!(decider.decide(position, control), Ok(None)) => {
                let largest = position.largest();
                extended_evidence(&solution, largest, effort, control).unwrap_or(None)
            }
            _ => None,
        };
        if let Some(evidence) = &extended {
            decider = Decider::new(&solution, Some(evidence), effort);
        }
        let start = match wishes.position {
            Some(position) => position,
            None => deal::dealt(code, wishes.deal, &to_deal, &mut decider),
        };
        let (position, news, end) = match wishes.computer_moves {
            true => after_the_answer(code, start, &mut decider),
            false => {
                // The player of the last move loses; here the person finds no move.
                let end = (!start.has_moves(code)).then_some(End::Won);
                (start, None, end)
            }
        };
        let decision = match wishes.hints && end.is_none() {
            true => Some(decider.decide(&position, control).unwrap_or(None)),
            false => None,
        };
        let judged = decision.map(|decision| in_words(decision, &decider));
        let hinting = wishes.hints.then_some(&mut decider);
        let heaps = heaps_on_board(code, &position, hinting);
        let moves: usize = heaps.iter().map(|heap| heap.moves).sum();
        Ok(Self {
            shell: Shell::of(site, store, "/games", format!("Play {code}")),
            code: code.to_string(),
            address: format!("/game/{}", encoded(&code.to_string())),
            game_name: code.name(),
            rules: rules::in_words(code),
            news,
            end,
            sum: sum(code, &position),
            written: written(code, &position),
            all_open: moves <= FEW_MOVES,
            heaps,
            hints: wishes.hints,
            judged: judged.unwrap_or_default(),
            deal: wishes.deal,
            next_deal: (wishes.deal + 1) % u64::from(u32::MAX),
            before: wishes.before.map(|before| written(code, &before)),
            can_be_dealt: !to_deal.is_empty(),
            max_heaps: MAX_HEAPS,
            max_heap: MAX_HEAP,
            examples: match code.finite_game() {
                Some(_) => "followers, such as * *2",
                None => "heaps, such as 3 5 7",
            },
        })
    }
}

/// Returns the position after the computer's answer, its news, and whether the game has ended.
fn after_the_answer(
    code: &Code,
    position: Position,
    decider: &mut Decider<'_>,
) -> (Position, Option<String>, Option<End>) {
    let Some(made) = answer(code, &position, decider) else {
        return (
            position,
            Some("The computer has no move left.".to_owned()),
            Some(End::Lost),
        );
    };
    let comment = match made.wins {
        None => " Which moves win here is not known.",
        Some(_) => "",
    };
    let news = format!(
        "The position was {}. The computer’s move: {}.{comment}",
        sum(code, &position),
        made.says
    );
    let end = (!made.after.has_moves(code)).then_some(End::Won);
    (made.after, Some(news), end)
}

/// The sentences about a position, as HTML.
fn in_words(decision: Option<Decision>, decider: &Decider<'_>) -> String {
    let Some(decision) = decision else {
        return "The outcome of this position is not known here: the quotient is not known that \
                far, and the position is too large to be decided by the rules alone."
            .to_owned();
    };
    let winner = match decision.outcome {
        Outcome::N => "You can win: the moves with a star do.",
        Outcome::P => "No move wins against the best play.",
    };
    let why = match decision.ground {
        Ground::Quotient => {
            let place = match decision.outcome {
                Outcome::N => "which is not in P",
                Outcome::P => "which is in P",
            };
            format!(
                "The value of the position is <span class=\"math\">{}</span>, {place}.",
                math(&decider.word(decision.element.unwrap_or(0)))
            )
        }
        Ground::NormalPlay => format!(
            "The position is so large that misère play is normal play; its nim-value is {}.",
            decision.nim_value.unwrap_or(0)
        ),
        Ground::Evidence => "The proof that the quotient is infinite says so.".to_owned(),
        Ground::Law => "The law of the game says so.".to_owned(),
        Ground::Automaton => "The automaton of the game says so.".to_owned(),
        Ground::Definition => "All ways to go on were tried.".to_owned(),
    };
    format!("{winner} {why}")
}

/// Serves the board of a game.
pub(super) async fn page(
    State(site): State<Site>,
    PathParam(text): PathParam,
    asked: QueryParams,
) -> Result<Page, RequestError> {
    let code = game::code(&text)?;
    site.block(move |site| Page::set(&BoardPage::of(site, &code, &asked)?))
        .await
}
