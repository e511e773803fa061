//! Unfaithful quotients: equal values, different nim-values.
//!
//! A quotient map is faithful if games of equal value have equal nim-values (Siegel, *The structure
//! and classification of misère quotients*, Definition 3.2). Whether an unfaithful one exists was
//! unknown there (section 4). Here are four games, and a game born on day 5 with its followers,
//! whose quotients are unfaithful.

use std::collections::HashMap;

use misere_game::bipartite::BipartiteMonoid;

use super::games::{Games, Sum, nim_value, none, one, quotient, told_apart, value};

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
    &[none()],
    &[none(), one(0)],
    &[one(1)],
    &[none(), one(0), one(1)],
    &[one(2), one(0)],
    &[one(3), one(1)],
    &[one(5), one(4), none()],
];

/// The game with `{*3,*2}`, and `*3` with `{*3,*2}`.
const OF_DAY_FIVE: [Sum<7>; 2] = [[0, 0, 0, 0, 0, 1, 1], [0, 0, 0, 1, 0, 1, 0]];

/// Returns the quotient of the games, in which two sums have equal values, and their nim-values.
fn quotient_and_nim_values<const N: usize>(
    games: &Games<N>,
    pair: [Sum<N>; 2],
) -> (BipartiteMonoid, [u32; 2]) {
    let quotient = quotient(games);
    let [left, right] = pair.map(|sum| value(&quotient, sum));
    assert_eq!(left, right);
    let mut known = HashMap::new();
    (quotient, pair.map(|sum| nim_value(games, sum, &mut known)))
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
fn no_small_context_tells_the_two_apart() {
    assert_eq!(told_apart(&FOUR, OF_FOUR, 8), None);
}

#[test]
fn a_game_born_on_day_5_is_not_faithful() {
    let (quotient, nim_values) = quotient_and_nim_values(&DAY_FIVE, OF_DAY_FIVE);
    assert_eq!((quotient.order(), quotient.p_size()), (44, 10));
    assert_eq!(nim_values, [1, 3]);
}

/// No sum of up to two copies of each follower tells the two apart: 2,187 of them.
#[test]
fn no_small_context_tells_the_two_of_day_5_apart() {
    assert_eq!(told_apart(&DAY_FIVE, OF_DAY_FIVE, 3), None);
}
