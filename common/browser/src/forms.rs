//! Single games: their simplest forms, and whether two are equal.

use misere_algebra::forms::notation::GameText;
use misere_answers::comparison::Comparison;
use misere_answers::effort::SOLVE_FUEL;
use misere_answers::simplest_form::FormFacts;
use misere_game::control::Control;
use serde::Serialize;

use crate::checked::{MAX_NAME, bounded};
use crate::{BrowserError, Budget, progress};

/// Returns the document of `misere form --json`.
///
/// ```
/// use misere_browser::simplest_form;
/// assert!(simplest_form("0.123:8", "")?.contains("\"form\":\"{{*2},*}\""));
/// # Ok::<(), misere_browser::BrowserError>(())
/// ```
///
/// Cost: the fuel of the budget.
///
/// # Errors
/// [`BrowserError`] if the text is not a game, or the fuel is spent.
pub fn simplest_form(game: &str, budget: &str) -> Result<String, BrowserError> {
    let (game, fuel) = (read(game)?, fuel(budget)?);
    written(&FormFacts::new(
        &game,
        fuel,
        &mut Control::new(fuel, progress::handle()),
    )?)
}

/// Returns the document of `misere compare --json`.
///
/// ```
/// use misere_browser::compared;
/// assert!(compared("0.123:3", "*2", "")?.contains("\"equal\":true"));
/// # Ok::<(), misere_browser::BrowserError>(())
/// ```
///
/// Cost: the fuel of the budget.
///
/// # Errors
/// [`BrowserError`] if a text is not a game, or the fuel is spent.
pub fn compared(game: &str, other: &str, budget: &str) -> Result<String, BrowserError> {
    let (game, other) = (read(game)?, read(other)?);
    let mut control = Control::new(fuel(budget)?, progress::handle());
    written(&Comparison::new([&game, &other], &mut control)?)
}

fn read(game: &str) -> Result<GameText, BrowserError> {
    bounded("a game", game, MAX_NAME)?;
    Ok(game.parse()?)
}

fn fuel(budget: &str) -> Result<u64, BrowserError> {
    Ok(Budget::parse(budget)?.fuel.unwrap_or(SOLVE_FUEL))
}

fn written(document: &impl Serialize) -> Result<String, BrowserError> {
    Ok(serde_json::to_string(document)?)
}
