//! The misère quotient of explicitly given games.
//!
//! Each game is given by its options, sums of earlier games. The result is the quotient of all sums
//! of the games, by exact kernels: nothing is guessed, and no transition algebra is used.

use misere_game::bipartite::BipartiteMonoid;
use misere_game::control::{Control, Stop};
use misere_game::monoid::word::Word;

use super::kernel::{KernelBuilder, LevelGame, QuotientError};

/// The reason why explicit games have no quotient here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GamesError {
    /// An option of the game of this index is not a sum of earlier games.
    #[error("an option of game {0} is not a sum of earlier games")]
    NotEarlier(usize),
    /// The game of this index has no options: it is 0, and its copies add nothing to a position.
    #[error("game {0} has no options: it is 0, which needs no name")]
    NoOptions(usize),
    /// The outcomes of copies of one game did not repeat within the allowed copies.
    #[error("the quotient seems infinite: outcomes do not repeat within {0} copies")]
    Diverges(u32),
    /// There are more elements than allowed.
    #[error("the quotient is larger than the {0} elements allowed")]
    TooLarge(usize),
    /// The computation was stopped.
    #[error(transparent)]
    Stopped(#[from] Stop),
}

/// The copies of one game within which outcomes must repeat.
const MAX_COPIES: u32 = 200;

/// The most copies of a game that an option may have.
const MAX_IN_OPTION: u32 = 1_000;

/// Returns the misère quotient of the sums of these games.
///
/// Its `i`-th generator is the value of the `i`-th game.
///
/// Cost: as for the kernels of the engine; some fifty microseconds for quotients of small order.
///
/// ```
/// use misere_game::control::Control;
/// use misere_game::monoid::word::Word;
/// use misere_engine::quotient::quotient_of_games;
/// // * = {0}, *2 = {0, *}.
/// let games = vec![vec![Word(vec![])], vec![Word(vec![]), Word(vec![1])]];
/// let quotient = quotient_of_games(&games, 100, &mut Control::unlimited())?;
/// assert!(quotient.is_tame() && quotient.order() == 6);
/// # Ok::<(), misere_engine::quotient::GamesError>(())
/// ```
///
/// # Errors
/// [`GamesError`] if the games are malformed, or no quotient is found within the limits.
pub fn quotient_of_games(
    games: &[Vec<Word>],
    max_order: usize,
    control: &mut Control,
) -> Result<BipartiteMonoid, GamesError> {
    let mut options = Vec::with_capacity(games.len());
    for (game, of_game) in games.iter().enumerate() {
        if of_game.is_empty() {
            return Err(GamesError::NoOptions(game));
        }
        let mut words = Vec::with_capacity(of_game.len());
        for word in of_game {
            let is_earlier = word.0.iter().skip(game).all(|&copies| copies == 0);
            if !is_earlier || word.0.iter().any(|&copies| copies > MAX_IN_OPTION) {
                return Err(GamesError::NotEarlier(game));
            }
            let heaps = (1..).zip(&word.0);
            words.push(
                heaps
                    .flat_map(|(level, &copies)| std::iter::repeat_n(level, copies as usize))
                    .collect(),
            );
        }
        options.push(words);
    }
    KernelBuilder::new()
        .quotient(&LevelGame { options }, MAX_COPIES, max_order, control)
        .map_err(|none| match none {
            QuotientError::Diverges { copies } => GamesError::Diverges(copies),
            QuotientError::TooLarge => GamesError::TooLarge(max_order),
            QuotientError::Stopped(stop) => GamesError::Stopped(stop),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `{*} = 0` and `{{*}} = *` in misère play; a game without options is not a heap of the
    /// kernels.
    #[test]
    fn small_games() {
        let word = |counts: &[u32]| Word(counts.to_vec());
        let games = vec![vec![word(&[])], vec![word(&[1])], vec![word(&[0, 1])]];
        let control = &mut Control::unlimited();
        let quotient = quotient_of_games(&games, 100, control).unwrap();
        assert_eq!(quotient.order(), 2);
        assert_eq!([0, 1, 2].map(|g| quotient.act(0, g)), [1, 0, 1]);
        let dead = vec![vec![word(&[])], vec![]];
        assert_eq!(
            quotient_of_games(&dead, 100, control),
            Err(GamesError::NoOptions(1))
        );
        let later = vec![vec![word(&[0, 1])]];
        assert_eq!(
            quotient_of_games(&later, 100, control),
            Err(GamesError::NotEarlier(0))
        );
        let two = vec![vec![word(&[])], vec![word(&[]), word(&[1])]];
        assert_eq!(
            quotient_of_games(&two, 5, control),
            Err(GamesError::TooLarge(5))
        );
    }
}
