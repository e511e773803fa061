//! Where a text may lead that names nothing in this census.

use misere_game::bipartite::{BipartiteMonoid, ClassKey};
use misere_game::control::{Control, Interrupt};
use misere_game::monoid::finitely_presented::FinitePresentation;
use misere_game::monoid::notation::looks_like_a_presentation;
use misere_game::position::Position;
use misere_game::ruleset::{Code, names};
use misere_store::Store;

use super::board::fits_on_board;
use super::links::Link;
use super::search::{Meaning, game_meaning};
use crate::request::params::encoded;
use crate::view::error::RequestError;
use crate::view::game::same_game;
use crate::view::site::Site;

/// The games on whose boards a position is offered, if the census has them.
const BOARDS: [&str; 4] = ["0.[3]", "0.77", "0.07", "0.26"];

/// The least similarity of a name, by the measure of Jaro and Winkler, at which it is suggested.
const SIMILAR: f64 = 0.85;

/// The greatest order of a monoid that is compared with those of the census.
const MAX_COMPARED_ORDER: usize = 64;

/// The fuel for the elements of a monoid, and for the comparison with each of the census.
const FUEL: u64 = 500_000;

/// Returns what a text may mean that names nothing here.
pub(super) fn suggestions(
    site: &Site,
    store: &Store,
    text: &str,
) -> Result<Vec<Meaning>, RequestError> {
    let text = text.trim();
    if let Some((code, _)) = text.split_once(':')
        && let Ok(code) = code.parse::<Code>()
    {
        return Ok(vec![game_meaning(site, store, &code, "")?]);
    }
    if let Ok(code) = text.parse::<Code>() {
        return of_game(site, store, &code);
    }
    if looks_like_a_presentation(text) {
        return Ok(of_monoid(site, store, text)?.into_iter().collect());
    }
    if let Some(meaning) = of_sum(store, text)? {
        return Ok(vec![meaning]);
    }
    let mut found = Vec::new();
    for code in names::similar(text, |name, given| {
        name.contains(given) || strsim::jaro_winkler(name, given) >= SIMILAR
    }) {
        found.push(game_meaning(site, store, &code, "")?);
    }
    Ok(found)
}

/// Returns the places where a game can be found that is not in the census.
fn of_game(site: &Site, store: &Store, code: &Code) -> Result<Vec<Meaning>, RequestError> {
    let mut found = Vec::new();
    if let Some(same) = same_game(store, code)? {
        found.push(game_meaning(
            site,
            store,
            &same,
            &format!(", the same game as {code} with other heap numbers"),
        )?);
    }
    if site.browser_solver().is_some() {
        found.push(game_meaning(site, store, code, "")?);
    }
    Ok(found)
}

/// Reads a sum of heaps without a game, and returns the boards on which it may be meant.
fn of_sum(store: &Store, text: &str) -> Result<Option<Meaning>, RequestError> {
    let begins_with_a_heap = text.starts_with(|c: char| c.is_ascii_digit());
    let codes = BOARDS.iter().filter_map(|code| code.parse::<Code>().ok());
    let mut links = Vec::new();
    for code in codes {
        if begins_with_a_heap
            && Position::parse(&code, text).is_ok()
            && store.game(&code)?.is_some()
        {
            links.push(Link {
                text: code.name().map_or_else(|| code.to_string(), str::to_owned),
                ..board(&code, text)
            });
        }
    }
    Ok((!links.is_empty()).then(|| Meaning {
        text: format!("the position {text} of a game"),
        here: format!("any game: write it as `0.77:{text}`"),
        links,
    }))
}

/// Returns the game and the heaps of a text such as `0.77:3+5+7`.
pub(super) fn position(text: &str) -> Option<(Code, &str)> {
    let (code, heaps) = text.trim().split_once(':')?;
    let code: Code = code.parse().ok()?;
    Position::parse(&code, heaps)
        .is_ok()
        .then_some((code, heaps))
}

/// Returns the board of a game with a position on it, or the calculator if it is too large for that.
pub(super) fn board(code: &Code, position: &str) -> Link {
    if !fits_on_board(code, position) {
        let (game, heaps) = (encoded(&code.to_string()), encoded(position.trim()));
        return Link {
            href: format!("/calculator?game={game}&position={heaps}"),
            text: format!("{code}: {}", position.trim()),
        };
    }
    let game = Link::to_game(code);
    Link {
        href: format!(
            "{}/play?position={}&hints=on",
            game.href,
            encoded(position.trim())
        ),
        text: format!("{}: {}", game.text, position.trim()),
    }
}

/// Finds the classes of this census whose monoids have a presentation without a P-portion.
fn of_monoid(site: &Site, store: &Store, text: &str) -> Result<Option<Meaning>, RequestError> {
    let Ok(presentation) = text.parse::<FinitePresentation>() else {
        return Ok(None);
    };
    let control = &mut Control::new(FUEL, Interrupt::default());
    let monoid = presentation.bipartite_monoid_within(&[], MAX_COMPARED_ORDER, control);
    let Ok(monoid) = monoid else {
        return Ok(None);
    };
    let order = monoid.order();
    let Some(without) = without_p_portion(&monoid) else {
        return Ok(None);
    };
    let (mut links, mut are_all_compared) = (Vec::new(), true);
    let occurring = site.occurrences()?;
    let of_order = u32::try_from(order)
        .ok()
        .and_then(|order| occurring.0.get(&order));
    for one in of_order.into_iter().flatten() {
        let Some(quotient) = store.class(&one.class)?.and_then(|class| class.quotient) else {
            continue;
        };
        let other = without_p_portion(&quotient);
        are_all_compared &= other.is_some();
        if other == Some(without) {
            links.push(Link::to_class_of(&one.class, one.order, one.p_size));
        }
    }
    let here = match (links.is_empty(), are_all_compared) {
        (false, _) => "with a P-portion, it is the quotient of games here",
        (true, true) => "no solved game of this census has it with any P-portion",
        (true, false) => "it could not be compared with all quotients of this census",
    };
    Ok(Some(Meaning {
        text: format!("a monoid of order {order}"),
        here: here.to_owned(),
        links,
    }))
}

/// Returns what identifies the monoid up to isomorphism, whatever its P-portion is.
///
/// Returns `None` if that takes longer than a page may.
fn without_p_portion(monoid: &BipartiteMonoid) -> Option<ClassKey> {
    let bare = BipartiteMonoid::new(monoid.order(), monoid.action().to_vec(), []).ok()?;
    let control = &mut Control::new(FUEL, Interrupt::default());
    bare.class_key_within(control).ok()
}
