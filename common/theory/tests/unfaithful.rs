//! An unfaithful quotient: equal values, different nim-values.
//!
//! A quotient map is faithful if games of equal value have equal nim-values (Siegel, *The structure
//! and classification of misère quotients*, Definition 3.2). Whether one is not was unknown there
//! (section 4). Here are four games whose quotient is not, by three ways that know nothing of each
//! other: exact kernels, the checker of constructions, and the definition of outcomes on many sums.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::HashMap;

use misere_theory::control::Control;
use misere_theory::monoid::word::Word;
use misere_theory::quotient::quotient_of_games;
use misere_theory::solution::Construction;
use misere_theory::verify::construction;

/// Copies of each game.
type Sum = [u32; 4];

/// `a = *`, `b = *2`, `c = {0, *2, *2 + *2}` and `d = {0, *, * + c}`.
const GAMES: [&[Sum]; 4] = [
    &[[0, 0, 0, 0]],
    &[[0, 0, 0, 0], [1, 0, 0, 0]],
    &[[0, 0, 0, 0], [0, 1, 0, 0], [0, 2, 0, 0]],
    &[[0, 0, 0, 0], [1, 0, 0, 0], [1, 0, 1, 0]],
];

/// `d` and `* + *2`.
const PAIR: [Sum; 2] = [[0, 0, 0, 1], [1, 1, 0, 0]];

fn words() -> Vec<Vec<Word>> {
    let words = |(game, options): (usize, &&[Sum])| {
        let word = |sum: &Sum| Word(sum[..game].to_vec());
        options.iter().map(word).collect()
    };
    GAMES.iter().enumerate().map(words).collect()
}

/// The sums that can be moved to.
fn options(sum: Sum) -> Vec<Sum> {
    let mut options = Vec::new();
    for (game, of_game) in GAMES.iter().enumerate().filter(|&(game, _)| sum[game] > 0) {
        for option in *of_game {
            let mut left = sum;
            left[game] -= 1;
            options.push(std::array::from_fn(|other| left[other] + option[other]));
        }
    }
    options
}

/// Whether whoever moves first wins; in misère play whoever has moved last has lost.
fn first_wins(sum: Sum, known: &mut HashMap<Sum, bool>) -> bool {
    if let Some(&wins) = known.get(&sum) {
        return wins;
    }
    let options = options(sum);
    let wins = options.is_empty() || options.into_iter().any(|to| !first_wins(to, known));
    known.insert(sum, wins);
    wins
}

/// The least number that no option has.
fn nim_value(sum: Sum, known: &mut HashMap<Sum, u32>) -> u32 {
    if let Some(&value) = known.get(&sum) {
        return value;
    }
    let options: Vec<u32> = options(sum)
        .into_iter()
        .map(|to| nim_value(to, known))
        .collect();
    let value = (0..).find(|value| !options.contains(value)).unwrap();
    known.insert(sum, value);
    value
}

#[test]
fn equal_values_have_different_nim_values() {
    let quotient = quotient_of_games(&words(), 100, &mut Control::unlimited()).unwrap();
    assert_eq!((quotient.order(), quotient.p_size()), (14, 4));
    assert_eq!(quotient.known_name().as_deref(), Some("R_14"));
    let value = |sum: Sum| quotient.product(sum.into_iter().enumerate());
    let [one, other] = PAIR;
    assert_eq!(value(one), value(other));
    let construction = Construction::new(quotient.clone(), words());
    assert_eq!(
        construction::check(&construction, &mut Control::unlimited()),
        Ok(())
    );
    let mut known = HashMap::new();
    assert_eq!(
        (nim_value(one, &mut known), nim_value(other, &mut known)),
        (2, 3)
    );
}

/// No sum of up to seven copies of each game tells the two apart: 4,096 of them.
#[test]
fn no_small_company_tells_the_two_apart() {
    let mut known = HashMap::new();
    for n in 0..8_u32.pow(4) {
        let company: Sum = [n % 8, n / 8 % 8, n / 64 % 8, n / 512];
        let [one, other] = PAIR.map(|sum| {
            let sum = std::array::from_fn(|game| sum[game] + company[game]);
            first_wins(sum, &mut known)
        });
        assert_eq!(one, other, "{company:?}");
    }
}
