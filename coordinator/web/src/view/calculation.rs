//! What the census decides when a person asks: a position, a product, a comparison of two games.

use misere_algebra::forms::notation::GameText;
use misere_answers::comparison::Comparison;
use misere_answers::product::{Product, ProductError};
use misere_answers::{Answer, Effort, UndecidedError};
use misere_game::bipartite::families::printed_name;
use misere_game::control::{Control, Interrupt};
use misere_game::position::Position;
use misere_store::Store;

use super::class::{ClassInfo, by_its_name, key};
use super::error::RequestError;
use super::game;

/// The greatest length of a text that is read.
const MAX_TEXT: usize = 2_000;

/// The fuel for the moves of a position, or for a comparison: about a second.
const FUEL: u64 = 1_000_000_000;

/// The fuel for the simplest forms of two games: about a second.
const FORMS_FUEL: u64 = 3_000_000;

const TOO_LONG: &str = "that takes longer than a page may";

/// A decided position.
pub(crate) struct Decided {
    pub(crate) answer: Answer,
    /// The heap to which the quotient is known that has the value, unless it is that of all heaps.
    pub(crate) partial_to: Option<u32>,
}

/// Decides a position of a game of the census, as `misere outcome` does.
///
/// # Errors
/// [`RequestError`] if the census lacks the game, the text is not one of its positions, or the
/// position is not decided within a second.
pub(crate) fn outcome(store: &Store, code: &str, position: &str) -> Result<Decided, RequestError> {
    let code = game::code(code)?;
    let known = game::known(store, &code)?;
    let command = format!("`misere outcome '{code}' {position}` takes its time.");
    let position = Position::parse(&code, short(position)?)
        .map_err(|error| RequestError::input(error.to_string(), "A position looks like 3+5+7."))?;
    let solution = game::solution(store, &known)?;
    let control = &mut Control::new(FUEL, Interrupt::default());
    let answer = Answer::new(&solution, &position, Effort::QUICK, None, control);
    let answer = answer.map_err(|_| RequestError::input(TOO_LONG, command.as_str()))?;
    let answer = answer.ok_or_else(|| {
        let undecided = UndecidedError::new(&solution, position.largest(), "");
        let advice = match undecided {
            UndecidedError::OutOfBudget(_) => command,
            UndecidedError::Unknown(_) | UndecidedError::Stopped(_) => String::new(),
        };
        RequestError::input(undecided.to_string(), advice)
    })?;
    let is_whole = known.record.verdict.period().is_some();
    Ok(Decided {
        answer,
        partial_to: (!is_whole).then_some(known.record.heaps),
    })
}

/// Multiplies generators of a quotient of the census, or of one with a name.
///
/// # Errors
/// [`RequestError`] if the census lacks the quotient, or the text is not a word in its generators.
pub(crate) fn product(store: &Store, class: &str, word: &str) -> Result<Product, RequestError> {
    let known = match printed_name(class) {
        Some(name) => by_its_name(store, &name)?,
        None => ClassInfo::in_census(store, key(store, class)?)?,
    };
    let monoid = known.shown().ok_or_else(|| RequestError::NotHere {
        message: format!("the census does not keep the quotients of class {class}"),
        advice: "It does where some game ends with one.".to_owned(),
    })?;
    let control = &mut Control::new(FUEL, Interrupt::default());
    let product = Product::on_readable(monoid, short(word)?, control);
    product.map_err(|error| match error {
        ProductError::Word { .. } => {
            RequestError::input(error.to_string(), "A word looks like a·b^2.")
        }
        ProductError::Stopped(_) => RequestError::input(TOO_LONG, ""),
    })
}

/// Compares two games in misère play, as `misere compare` does.
///
/// # Errors
/// [`RequestError`] if a text is not a game, or the comparison takes longer than a second.
pub(crate) fn comparison(first: &str, second: &str) -> Result<Comparison, RequestError> {
    let read = |text: &str| {
        let game = short(text)?.parse::<GameText>();
        game.map_err(|error| {
            RequestError::input(
                format!("`{text}` is not a game: {error}"),
                "A game looks like 0.123:8, *2, {*2,0} or 2/320, a sum like 0.123:8 + 2/320.",
            )
        })
    };
    let (one, other) = (read(first)?, read(second)?);
    let control = &mut Control::new(FORMS_FUEL, Interrupt::default());
    Comparison::new([&one, &other], control).map_err(|_| {
        let command = format!("`misere compare '{first}' '{second}'` takes its time.");
        RequestError::input(TOO_LONG, command)
    })
}

fn short(text: &str) -> Result<&str, RequestError> {
    match text.len() > MAX_TEXT {
        true => Err(RequestError::input("that is too long for a page", "")),
        false => Ok(text.trim()),
    }
}
