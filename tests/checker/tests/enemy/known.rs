//! Small games whose truth is known.
//!
//! The engine's solutions are the raw material of the lies, and the yardstick of what is finite.
//! Each is judged by [`exact`](super::exact) before it is used.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use misere_algebra::classify::Classifier;
use misere_engine::quotient::{Limits, Strategy, solve};
use misere_game::control::{Control, Interrupt};
use misere_game::ruleset::Code;
use misere_game::solution::{Construction, Solution};

use super::dice::Dice;
use super::exact::MAX_ORDER;

/// The greatest heap to which the games are solved.
const MAX_HEAPS: u32 = 60;
/// The number of games of birthday 4 that are drawn.
const OF_DAY_FOUR: usize = 24;

/// Solves a game to `max_heap`, with quotients that [`exact`](super::exact) can judge.
pub(crate) fn solved_to(code: &Code, max_heap: u32) -> Solution {
    let limits = Limits {
        max_heap,
        max_order: MAX_ORDER as u32,
        max_copies: 40,
        max_evidence: 0,
    };
    solve(
        code,
        &limits,
        Strategy::Exact,
        &mut Control::new(20_000, Interrupt::default()),
    )
}

/// All octal codes of two digits with `d_0` 0 or 4, a few hexadecimal ones, the finite games to
/// birthday 3, some of birthday 4.
pub(crate) static GAMES: LazyLock<Vec<Solution>> = LazyLock::new(|| {
    let mut texts: Vec<String> = Vec::new();
    for d0 in [0, 4] {
        texts.extend((0..64).map(|digits| format!("{d0}.{}{}", digits / 8, digits % 8)));
    }
    texts.extend(["0.333", "0.123", "0.8", "0.9", "0.1A", "8", "C", "grundy"].map(str::to_owned));
    texts.extend(finite_games());
    let mut solutions: BTreeMap<String, Solution> = BTreeMap::new();
    for text in texts {
        let code: Code = text.parse().unwrap();
        solutions
            .entry(code.to_string())
            .or_insert_with(|| solved_to(&code, MAX_HEAPS));
    }
    solutions.into_values().collect()
});

/// The misère quotients of order at most 14, each with its games.
pub(crate) static QUOTIENTS: LazyLock<Vec<Construction>> = LazyLock::new(|| {
    let control = &mut Control::unlimited();
    let mut classifier = Classifier::new(14);
    while classifier.next_order(control).unwrap().is_some() {}
    let levels = classifier.complete().iter();
    levels
        .flat_map(|level| &level.quotients)
        .map(|quotient| quotient.construction(&mut Control::unlimited()).unwrap())
        .collect()
});

/// Returns the texts of the sixteen games of birthday at most 3 but 0, and of some games whose
/// options are among them.
fn finite_games() -> Vec<String> {
    let day_two = ["0", "*", "*2", "{*}"];
    let sets = |games: &[String], which: u64| {
        let chosen = games.iter().enumerate();
        let chosen = chosen.filter(|(at, _)| which >> at & 1 != 0);
        let names: Vec<&str> = chosen.map(|(_, name)| name.as_str()).collect();
        format!("{{{}}}", names.join(","))
    };
    let day_two = day_two.map(str::to_owned);
    let day_three: Vec<String> = (1..16).map(|which| sets(&day_two, which)).collect();
    let dice = &mut Dice(4);
    let mut all = day_three.clone();
    all.extend((0..OF_DAY_FOUR).map(|_| sets(&day_three, 1 + dice.roll() % 0x7fff)));
    all
}
