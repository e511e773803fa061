//! A position of a game, as the command line names it.

use misere_game::position::{Position, PositionError};
use misere_game::ruleset::Code;

use crate::exit::{CommandError, Exit};

/// A text does not name a position of the game.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct NoPositionError(String);

impl CommandError for NoPositionError {
    fn exit(&self) -> Exit {
        Exit::Usage
    }
}

/// Parses the position that the arguments together name.
///
/// # Errors
/// [`NoPositionError`] if they do not name a position of the game, or one is empty.
pub fn named(code: &Code, arguments: &[String]) -> Result<Position, NoPositionError> {
    // A variable that a shell script left unset is a mistake; the empty position has no argument.
    if arguments.iter().any(|heaps| heaps.trim().is_empty()) {
        let message = "an argument is empty; for the empty position leave it out";
        return Err(NoPositionError(message.to_owned()));
    }
    position(code, &arguments.join(" "))
}

/// Parses a position.
///
/// # Errors
/// [`NoPositionError`] if the text is not a position of the game.
pub fn position(code: &Code, text: &str) -> Result<Position, NoPositionError> {
    let parsed = Position::parse(code, text);
    parsed.map_err(|error: PositionError| NoPositionError(error.to_string()))
}
