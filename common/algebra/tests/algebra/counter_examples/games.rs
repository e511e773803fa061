//! Games by their options, and the definitions of outcomes, nim-values and quotients.

use std::collections::HashMap;

use misere_check::construction;
use misere_engine::quotient::quotient_of_games;
use misere_game::bipartite::{BipartiteMonoid, Element};
use misere_game::control::Control;
use misere_game::monoid::word::Word;
use misere_game::solution::Construction;

/// Copies of each of `N` games.
pub(crate) type Sum<const N: usize> = [u32; N];

/// The options of each of `N` games, which are sums of smaller ones.
pub(crate) type Games<const N: usize> = [&'static [Sum<N>]; N];

/// Returns the sum of no games.
pub(crate) const fn none<const N: usize>() -> Sum<N> {
    [0; N]
}

/// Returns the sum of one game.
pub(crate) const fn one<const N: usize>(game: usize) -> Sum<N> {
    let mut sum = none();
    sum[game] = 1;
    sum
}

fn words<const N: usize>(games: &Games<N>) -> Vec<Vec<Word>> {
    let words = |(game, options): (usize, &&[Sum<N>])| {
        let word = |sum: &Sum<N>| Word(sum[..game].to_vec());
        options.iter().map(word).collect()
    };
    games.iter().enumerate().map(words).collect()
}

/// Returns the sums that a move leads to.
fn options<const N: usize>(games: &Games<N>, sum: Sum<N>) -> Vec<Sum<N>> {
    let mut options = Vec::new();
    for (game, of_game) in games.iter().enumerate().filter(|&(game, _)| sum[game] > 0) {
        for option in *of_game {
            let mut left = sum;
            left[game] -= 1;
            options.push(std::array::from_fn(|other| left[other] + option[other]));
        }
    }
    options
}

/// Reports whether the first player wins; in misère play the player who moves last loses.
pub(crate) fn first_wins<const N: usize>(
    games: &Games<N>,
    sum: Sum<N>,
    known: &mut HashMap<Sum<N>, bool>,
) -> bool {
    if let Some(&wins) = known.get(&sum) {
        return wins;
    }
    let options = options(games, sum);
    let wins = options.is_empty() || options.into_iter().any(|to| !first_wins(games, to, known));
    known.insert(sum, wins);
    wins
}

/// Returns the least number that is not the nim-value of an option.
pub(crate) fn nim_value<const N: usize>(
    games: &Games<N>,
    sum: Sum<N>,
    known: &mut HashMap<Sum<N>, u32>,
) -> u32 {
    if let Some(&value) = known.get(&sum) {
        return value;
    }
    let options: Vec<u32> = options(games, sum)
        .into_iter()
        .map(|to| nim_value(games, to, known))
        .collect();
    let value = (0..).find(|value| !options.contains(value)).unwrap();
    known.insert(sum, value);
    value
}

/// Returns the quotient of the games, proved by its certificate.
pub(crate) fn quotient<const N: usize>(games: &Games<N>) -> BipartiteMonoid {
    let quotient = quotient_of_games(&words(games), 100, &mut Control::unlimited()).unwrap();
    let construction = Construction::new(quotient.clone(), words(games));
    assert_eq!(
        construction::check(&construction, &mut Control::unlimited()),
        Ok(())
    );
    quotient
}

/// Returns the value of a sum.
pub(crate) fn value<const N: usize>(quotient: &BipartiteMonoid, sum: Sum<N>) -> Element {
    quotient.product(sum.into_iter().enumerate())
}

/// Returns a context in which the outcomes of two sums differ.
///
/// The context has fewer than `copies` copies of each game.
pub(crate) fn told_apart<const N: usize>(
    games: &Games<N>,
    pair: [Sum<N>; 2],
    copies: u32,
) -> Option<Sum<N>> {
    let mut known = HashMap::new();
    let copies_of = |number: u32, game: usize| number / copies.pow(game as u32) % copies;
    let contexts = (0..copies.pow(N as u32))
        .map(|number| -> Sum<N> { std::array::from_fn(|game| copies_of(number, game)) });
    contexts.into_iter().find(|context| {
        let [one, other] = pair.map(|sum| {
            let sum = std::array::from_fn(|game| sum[game] + context[game]);
            first_wins(games, sum, &mut known)
        });
        one != other
    })
}
