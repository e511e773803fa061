//! Which small finite games have these quotients?
//!
//! Games of a construction are those that an algorithm finds; a mathematician wants one game, as small as can be. So many small games are tried, by
//! exact kernels: sets of at most three games born by day 4, and sets of at most two of them with any nimbers up to `*5`. Of the games that have a quotient of the list
//! the one with fewest followers is kept, then the one that is written most shortly. Smaller ones may exist among games that were not tried.

use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::bipartite::ClassKey;
use crate::control::{Control, Stop};
use crate::monoid::word::Word;
use crate::quotient::{GamesError, quotient_of_games};
use crate::ruleset::{FiniteGame, games_born_by};

/// The greatest nimber that is added to others.
const MOST_NIMBER: usize = 5;
/// The most options of games born by day 4.
const MOST_OPTIONS: usize = 3;
/// Fuel for the quotient of one game.
const GAME_FUEL: u64 = 300;

/// A game in the papers' notation, with the brackets that this program reads: `*[2#320]`. Options that are no nimbers come first, `G#` is `{G}`, and `(…)` the game with
/// these options.
///
/// ```
/// use misere_theory::classify::smallest::in_papers_notation;
/// use misere_theory::ruleset::{Code, FiniteGame};
/// let code: Code = "{*3,{*2},*2,0}".parse()?;
/// let game = code.finite_game().cloned().unwrap_or_else(FiniteGame::zero);
/// assert_eq!(in_papers_notation(&game), "*[2#320]");
/// assert_eq!("*[2#320]".parse::<Code>()?, code);
/// # Ok::<(), misere_theory::ruleset::CodeError>(())
/// ```
#[must_use]
pub fn in_papers_notation(game: &FiniteGame) -> String {
    let item = item(game);
    match item
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'))
    {
        Some(options) if nimber(game).is_none() => format!("*[{options}]"),
        _ => format!("*{item}"),
    }
}

/// A game as it is written among the options of another.
fn item(game: &FiniteGame) -> String {
    if let Some(n) = nimber(game) {
        return match u32::try_from(n).ok().and_then(|n| char::from_digit(n, 36)) {
            Some(digit) => digit.to_ascii_uppercase().to_string(),
            None => format!("({n})"),
        };
    }
    let options = game.options(game.heaps());
    if let [single] = options {
        return format!("{}#", item(&game.follower(u32::from(*single))));
    }
    let (mut others, mut nimbers) = (Vec::new(), Vec::new());
    for &option in options.iter().rev() {
        let option = game.follower(u32::from(option));
        let items = if nimber(&option).is_some() {
            &mut nimbers
        } else {
            &mut others
        };
        items.push(item(&option));
    }
    format!("({}{})", others.concat(), nimbers.concat())
}

/// The number of a nimber.
fn nimber(game: &FiniteGame) -> Option<usize> {
    let heaps = game.heaps() as usize;
    (FiniteGame::nimber(heaps).as_ref() == Ok(game)).then_some(heaps)
}

/// For every class met among the quotients of at most so many elements the smallest of the games tried.
///
/// Cost: exact kernels of some seven thousand games, at most two seconds of one core.
///
/// # Errors
/// [`Stop`] if `control` ends it.
pub fn smallest_games(
    max_order: usize,
    control: &mut Control,
) -> Result<BTreeMap<ClassKey, FiniteGame>, Stop> {
    let meter = control.unmetered();
    let met = tried_games()
        .into_par_iter()
        .map(|game| {
            let quotient = meter.unmetered().within(GAME_FUEL, |part| {
                quotient_of_games(&followers(&game), max_order, part)
            });
            match quotient {
                Ok(quotient) => Ok(Some((quotient.class_key(), game))),
                Err(GamesError::Stopped(Stop::Interrupted)) => Err(Stop::Interrupted),
                Err(_) => Ok(None),
            }
        })
        .collect::<Result<Vec<_>, Stop>>()?;
    let mut smallest: BTreeMap<ClassKey, FiniteGame> = BTreeMap::new();
    let size = |game: &FiniteGame| {
        let text = in_papers_notation(game);
        (game.heaps(), text.len(), text)
    };
    for (class, game) in met.into_iter().flatten() {
        match smallest.get(&class) {
            Some(kept) if size(kept) <= size(&game) => {}
            _ => {
                smallest.insert(class, game);
            }
        }
    }
    Ok(smallest)
}

/// The followers but 0, as games given by options among earlier ones.
fn followers(game: &FiniteGame) -> Vec<Vec<Word>> {
    let option = |&option: &u16| {
        let mut word = vec![0; usize::from(option)];
        if let Some(last) = word.last_mut() {
            *last = 1;
        }
        Word(word)
    };
    (1..=game.heaps())
        .map(|follower| game.options(follower).iter().map(option).collect())
        .collect()
}

fn tried_games() -> Vec<FiniteGame> {
    let early = games_born_by(4);
    let nimbers: Vec<FiniteGame> = (0..=MOST_NIMBER)
        .filter_map(|n| FiniteGame::nimber(n).ok())
        .collect();
    let others: Vec<&FiniteGame> = early.iter().filter(|game| nimber(game).is_none()).collect();
    let mut sets: Vec<Vec<&FiniteGame>> = Vec::new();
    subsets(
        &early.iter().collect::<Vec<_>>(),
        MOST_OPTIONS,
        &mut Vec::new(),
        &mut sets,
    );
    let mut few = Vec::new();
    subsets(&others, 2, &mut Vec::new(), &mut few);
    for some in few {
        for chosen in 0..1_u32 << nimbers.len() {
            let mut set = some.clone();
            set.extend(
                nimbers
                    .iter()
                    .enumerate()
                    .filter(|(n, _)| chosen >> n & 1 != 0)
                    .map(|(_, game)| game),
            );
            sets.push(set);
        }
    }
    sets.into_iter()
        .filter(|set| !set.is_empty())
        .filter_map(|set| {
            let options: Vec<FiniteGame> = set.into_iter().cloned().collect();
            FiniteGame::from_options(&options).ok()
        })
        .collect()
}

/// All subsets with at most so many elements.
fn subsets<'a>(
    from: &[&'a FiniteGame],
    most: usize,
    chosen: &mut Vec<&'a FiniteGame>,
    into: &mut Vec<Vec<&'a FiniteGame>>,
) {
    into.push(chosen.clone());
    if most == 0 {
        return;
    }
    for (at, &game) in from.iter().enumerate() {
        chosen.push(game);
        subsets(&from[at + 1..], most - 1, chosen, into);
        chosen.pop();
    }
}
