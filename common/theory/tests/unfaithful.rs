//! Unfaithful quotients: equal values, different nim-values.
//!
//! A quotient map is faithful if games of equal value have equal nim-values (Siegel, *The structure
//! and classification of misère quotients*, Definition 3.2). Whether one is not was unknown there
//! (section 4). Here are four games, and a game born on day 5 with its followers, whose quotients are
//! not. Three ways that know nothing of each other show it: exact kernels, the checker of
//! constructions, and the definition of outcomes on many sums.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::HashMap;

use misere_theory::bipartite::BipartiteMonoid;
use misere_theory::control::Control;
use misere_theory::monoid::word::Word;
use misere_theory::quotient::quotient_of_games;
use misere_theory::solution::Construction;
use misere_theory::verify::construction;

/// Copies of each of `N` games.
type Sum<const N: usize> = [u32; N];

/// The options of each of `N` games, which are sums of smaller ones.
type Games<const N: usize> = [&'static [Sum<N>]; N];

/// `a = *`, `b = *2`, `c = {0, *2, *2 + *2}` and `d = {0, *, * + c}`.
const FOUR: Games<4> = [
    &[[0, 0, 0, 0]],
    &[[0, 0, 0, 0], [1, 0, 0, 0]],
    &[[0, 0, 0, 0], [0, 1, 0, 0], [0, 2, 0, 0]],
    &[[0, 0, 0, 0], [1, 0, 0, 0], [1, 0, 1, 0]],
];

/// `d` and `* + *2`.
const OF_FOUR: [Sum<4>; 2] = [[0, 0, 0, 1], [1, 1, 0, 0]];

/// `{{*3,*2},{{*2},*},0}` and its followers: `*`, `*2`, `{*2}`, `*3`, `{{*2},*}`, `{*3,*2}`.
const DAY_FIVE: Games<7> = [
    &[NONE],
    &[NONE, one(0)],
    &[one(1)],
    &[NONE, one(0), one(1)],
    &[one(2), one(0)],
    &[one(3), one(1)],
    &[one(5), one(4), NONE],
];

/// The game with `{*3,*2}`, and `*3` with `{*3,*2}`.
const OF_DAY_FIVE: [Sum<7>; 2] = [[0, 0, 0, 0, 0, 1, 1], [0, 0, 0, 1, 0, 1, 0]];

const NONE: Sum<7> = [0; 7];

const fn one(game: usize) -> Sum<7> {
    let mut sum = NONE;
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

/// The sums that can be moved to.
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

/// Whether whoever moves first wins; in misère play whoever has moved last has lost.
fn first_wins<const N: usize>(
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

/// The least number that no option has.
fn nim_value<const N: usize>(
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

/// The quotient of the games, proved by its certificate, in which two sums have equal values; and
/// the nim-values of the two.
fn quotient_and_nim_values<const N: usize>(
    games: &Games<N>,
    pair: [Sum<N>; 2],
) -> (BipartiteMonoid, [u32; 2]) {
    let quotient = quotient_of_games(&words(games), 100, &mut Control::unlimited()).unwrap();
    let [one, other] = pair.map(|sum| quotient.product(sum.into_iter().enumerate()));
    assert_eq!(one, other);
    let construction = Construction::new(quotient.clone(), words(games));
    assert_eq!(
        construction::check(&construction, &mut Control::unlimited()),
        Ok(())
    );
    let mut known = HashMap::new();
    (quotient, pair.map(|sum| nim_value(games, sum, &mut known)))
}

/// Compares the outcomes of two sums, each beside fewer than `copies` copies of each game.
fn same_outcomes<const N: usize>(games: &Games<N>, pair: [Sum<N>; 2], copies: u32) {
    let mut known = HashMap::new();
    for number in 0..copies.pow(u32::try_from(N).unwrap()) {
        let company: Sum<N> =
            std::array::from_fn(|game| number / copies.pow(u32::try_from(game).unwrap()) % copies);
        let [one, other] = pair.map(|sum| {
            let sum = std::array::from_fn(|game| sum[game] + company[game]);
            first_wins(games, sum, &mut known)
        });
        assert_eq!(one, other, "{company:?}");
    }
}

#[test]
fn equal_values_have_different_nim_values() {
    let (quotient, nim_values) = quotient_and_nim_values(&FOUR, OF_FOUR);
    assert_eq!((quotient.order(), quotient.p_size()), (14, 4));
    assert_eq!(quotient.known_name().as_deref(), Some("R_14"));
    assert_eq!(nim_values, [2, 3]);
}

/// No sum of up to seven copies of each game tells the two apart: 4,096 of them.
#[test]
fn no_small_company_tells_the_two_apart() {
    same_outcomes(&FOUR, OF_FOUR, 8);
}

#[test]
fn a_game_born_on_day_5_is_not_faithful() {
    let (quotient, nim_values) = quotient_and_nim_values(&DAY_FIVE, OF_DAY_FIVE);
    assert_eq!((quotient.order(), quotient.p_size()), (44, 10));
    assert_eq!(nim_values, [1, 3]);
}

/// No sum of up to two copies of each follower tells the two apart: 2,187 of them.
#[test]
fn no_small_company_tells_the_two_of_day_5_apart() {
    same_outcomes(&DAY_FIVE, OF_DAY_FIVE, 3);
}
