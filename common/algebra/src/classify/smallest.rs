//! The search for small finite games with given quotients.
//!
//! The games of a construction are those that an algorithm finds; a mathematician wants one game,
//! as small as possible. The search therefore tries many small games, by exact kernels: sets of at
//! most three games born by day 4, and sets of at most two of them with any nimbers up to `*5`. Of
//! the games that have a quotient of the list, the one with the fewest followers is kept, and among
//! those the one with the shortest text. Smaller ones may exist among games that were not tried.

use std::borrow::Borrow;
use std::collections::BTreeMap;

use rayon::prelude::*;

use misere_engine::quotient::{GamesError, quotient_of_games};
use misere_game::bipartite::ClassKey;
use misere_game::control::{Control, Stop};
use misere_game::monoid::word::Word;
use misere_game::ruleset::{FiniteGame, games_born_by};
use misere_game::solution::Construction;

/// The greatest nimber that is added to others.
const MAX_NIMBER: usize = 5;
/// The greatest number of options of games born by day 4.
const MAX_OPTIONS: usize = 3;
/// The greatest number of sums of followers that are computed for one sum of games.
const MAX_SUMS: u32 = 2_500;
/// Fuel for the quotient of one of many games.
const GAME_FUEL: u64 = 300;
/// Fuel for the quotient of a game that is expected to have one of small order.
const LAST_GAME_FUEL: u64 = 50_000;

/// Returns a game in the papers' notation, with the brackets that this program reads: `*[2#320]`.
///
/// Options that are not nimbers come first, `G#` is `{G}`, and `(…)` the game with these options.
///
/// ```
/// use misere_algebra::classify::smallest::in_papers_notation;
/// use misere_game::ruleset::{Code, FiniteGame};
/// let code: Code = "{*3,{*2},*2,0}".parse()?;
/// let game = code.finite_game().cloned().unwrap_or_else(FiniteGame::zero);
/// assert_eq!(in_papers_notation(&game), "*[2#320]");
/// assert_eq!("*[2#320]".parse::<Code>()?, code);
/// # Ok::<(), misere_game::ruleset::CodeError>(())
/// ```
#[must_use]
pub fn in_papers_notation(game: &FiniteGame) -> String {
    let item = match nimber(game) {
        Some(0) => return "0".to_owned(),
        Some(1) => return "*".to_owned(),
        _ => item(game),
    };
    let list = item.trim_end_matches('#');
    let sharps = &item[list.len()..];
    match list
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'))
    {
        Some(options) => format!("*[{options}]{sharps}"),
        None => format!("*{item}"),
    }
}

/// Returns the text of a game among the options of another.
fn item(game: &FiniteGame) -> String {
    // Each digit is a nimber, so those from *10 on are written as sets.
    if let Some(n @ 0..10) = nimber(game) {
        return n.to_string();
    }
    let options = game.options(game.heaps());
    if let [single] = options
        && game.heaps() > 1
    {
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

/// Returns the number of a nimber; `None` for other games.
fn nimber(game: &FiniteGame) -> Option<usize> {
    let heaps = game.heaps() as usize;
    (FiniteGame::nimber(heaps).as_ref() == Ok(game)).then_some(heaps)
}

/// Returns the key by which games are compared: followers, length of the text, the text.
///
/// ```
/// use misere_algebra::classify::smallest::size;
/// use misere_game::ruleset::FiniteGame;
/// // *2 has the followers *, itself and 0.
/// assert_eq!(size(&FiniteGame::nimber(2)?), (2, 2, "*2".to_owned()));
/// # Ok::<(), misere_game::ruleset::FiniteGameError>(())
/// ```
#[must_use]
pub fn size(game: &FiniteGame) -> (u32, usize, String) {
    let text = in_papers_notation(game);
    (game.heaps(), text.len(), text)
}

/// Returns the smallest game tried for every class found among small quotients.
///
/// Only quotients of at most `max_order` elements count.
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
    for (class, game) in met.into_iter().flatten() {
        keep_smaller(&mut smallest, class, game);
    }
    Ok(smallest)
}

/// Returns the smallest finite game found for each quotient of a list, where one was found.
///
/// The candidates are the games tried, and the last games of the constructions.
///
/// Cost: as [`smallest_games`], and as [`as_one_game`] for each construction.
///
/// # Errors
/// [`Stop`] if `control` ends it.
pub fn games_of_list<C: Borrow<Construction>>(
    list: &[C],
    control: &mut Control,
) -> Result<BTreeMap<ClassKey, FiniteGame>, Stop> {
    let list = list.iter().map(Borrow::borrow);
    let orders = list
        .clone()
        .map(|construction| construction.quotient.order());
    let Some(max_order) = orders.max() else {
        return Ok(BTreeMap::new());
    };
    let mut smallest = smallest_games(max_order, control)?;
    for construction in list {
        if let Some(game) = as_one_game(construction, control)? {
            keep_smaller(&mut smallest, construction.quotient.class_key(), game);
        }
    }
    Ok(smallest)
}

fn keep_smaller(smallest: &mut BTreeMap<ClassKey, FiniteGame>, class: ClassKey, game: FiniteGame) {
    match smallest.get(&class) {
        Some(kept) if size(kept) <= size(&game) => {}
        _ => {
            smallest.insert(class, game);
        }
    }
}

/// Returns a finite game whose followers have the quotient of a construction, if one is found.
///
/// The candidates are the last game of the construction in simplest form, and games whose options
/// are some of the last ones, perhaps with nimbers.
///
/// `None` if none of these has it.
///
/// Cost: exact kernels of a few games, each within a fixed amount of fuel.
///
/// ```
/// use misere_game::bipartite::families::tame;
/// use misere_algebra::classify::smallest::as_one_game;
/// use misere_game::control::Control;
/// use misere_game::monoid::word::Word;
/// use misere_game::ruleset::FiniteGame;
/// use misere_game::solution::Construction;
/// let t1 = Construction::new(tame(1), vec![vec![Word(vec![0])]]);
/// let game = as_one_game(&t1, &mut Control::unlimited())?;
/// assert_eq!(game, Some(FiniteGame::nimber(1)?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Stop`] if `control` ends it.
pub fn as_one_game(
    construction: &Construction,
    control: &mut Control,
) -> Result<Option<FiniteGame>, Stop> {
    let quotient = &construction.quotient;
    let class = quotient.class_key();
    for game in single_games(construction) {
        let found = control.unmetered().within(LAST_GAME_FUEL, |part| {
            quotient_of_games(&followers(&game), quotient.order(), part)
        });
        match found {
            Ok(found) if found.class_key() == class => return Ok(Some(game)),
            Err(GamesError::Stopped(Stop::Interrupted)) => return Err(Stop::Interrupted),
            _ => {}
        }
    }
    Ok(None)
}

/// Returns games that may represent a whole construction, the most likely first.
///
/// Not every game of the construction need be a follower of the last one. Then a game with both as
/// options may do, if its value exists in the quotient.
fn single_games(construction: &Construction) -> Vec<FiniteGame> {
    let games = realize_games(construction);
    let Some((last, before)) = games.split_last() else {
        return Vec::new();
    };
    let mut single = vec![last.clone()];
    if games.len() < construction.options.len() {
        return single;
    }
    for other in before.iter().skip(2).rev() {
        for nimbers in 0..1_usize << 4 {
            let mut options = vec![last.clone(), other.clone()];
            let chosen = (0..4).filter(|n| nimbers >> n & 1 != 0);
            options.extend(chosen.filter_map(|n| FiniteGame::nimber(n).ok()));
            single.extend(FiniteGame::from_options(&options).map(|game| game.simplest_form()));
        }
    }
    single
}

/// Returns the games of a construction, up to the first with too many followers.
fn realize_games(construction: &Construction) -> Vec<FiniteGame> {
    let mut games: Vec<FiniteGame> = Vec::new();
    for options in &construction.options {
        match game_of(options, &games) {
            Some(game) => games.push(game),
            None => break,
        }
    }
    games
}

/// Returns the game with these options, which are sums of earlier games.
fn game_of(options: &[Word], games: &[FiniteGame]) -> Option<FiniteGame> {
    let mut realize_games = Vec::with_capacity(options.len());
    for word in options {
        let mut whole = FiniteGame::zero();
        for (game, &copies) in games.iter().zip(&word.0) {
            for _ in 0..copies {
                whole = sum(&whole, game)?.simplest_form();
            }
        }
        realize_games.push(whole);
    }
    Some(
        FiniteGame::from_options(&realize_games)
            .ok()?
            .simplest_form(),
    )
}

/// Returns the sum of two games, as the set of its options.
fn sum(one: &FiniteGame, other: &FiniteGame) -> Option<FiniteGame> {
    if one.heaps() == 0 || other.heaps() == 0 {
        let whole = if one.heaps() == 0 { other } else { one };
        return Some(whole.clone());
    }
    if one.heaps() * other.heaps() > MAX_SUMS {
        return None;
    }
    let mut sums: Vec<Vec<FiniteGame>> = Vec::new();
    for x in 0..=one.heaps() {
        let mut row: Vec<FiniteGame> = Vec::new();
        for y in 0..=other.heaps() {
            let in_one = one
                .options(x)
                .iter()
                .map(|&x| &sums[usize::from(x)][y as usize]);
            let in_other = other.options(y).iter().map(|&y| &row[usize::from(y)]);
            let options: Vec<FiniteGame> = in_one.chain(in_other).cloned().collect();
            row.push(FiniteGame::from_options(&options).ok()?.simplest_form());
        }
        sums.push(row);
    }
    sums.pop()?.pop()
}

/// Returns the followers other than 0, as games given by options among earlier ones.
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
    let nimbers: Vec<FiniteGame> = (0..=MAX_NIMBER)
        .filter_map(|n| FiniteGame::nimber(n).ok())
        .collect();
    let others: Vec<&FiniteGame> = early.iter().filter(|game| nimber(game).is_none()).collect();
    let mut sets: Vec<Vec<&FiniteGame>> = Vec::new();
    subsets(
        &early.iter().collect::<Vec<_>>(),
        MAX_OPTIONS,
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

/// Returns the subsets with at most `limit` elements.
fn subsets<'a>(
    from: &[&'a FiniteGame],
    limit: usize,
    chosen: &mut Vec<&'a FiniteGame>,
    into: &mut Vec<Vec<&'a FiniteGame>>,
) {
    into.push(chosen.clone());
    if limit == 0 {
        return;
    }
    for (at, &game) in from.iter().enumerate() {
        chosen.push(game);
        subsets(&from[at + 1..], limit - 1, chosen, into);
        chosen.pop();
    }
}
