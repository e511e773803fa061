//! Lies about values: the quotient of one game with the values of heaps of another, every choice of
//! them.

use misere_game::bipartite::{BipartiteMonoid, Element};
use misere_game::ruleset::Code;

use super::claims::Values;
use super::dice::Dice;
use super::known::{GAMES, QUOTIENTS};
use super::{Enemy, tells};

/// Returns a quotient that some games have.
fn some_quotient(dice: &mut Dice) -> BipartiteMonoid {
    match dice.below(3) {
        0 => dice.pick(&QUOTIENTS).quotient.clone(),
        _ => dice.pick(&GAMES).quotient.clone(),
    }
}

/// Builds values heap by heap.
///
/// Every element is claimed of the next heap, and the search goes on from one that is accepted, or
/// was all but accepted. Dead heaps get other values than 1, too.
fn heap_by_heap(enemy: &mut Enemy, code: &Code, monoid: &BipartiteMonoid, seed: u64, budget: u64) {
    let dice = &mut Dice(seed);
    let mut values = Values {
        monoid: monoid.clone(),
        phi: vec![0],
    };
    let end = enemy.told + budget;
    for heap in 1..12 {
        let mut accepted: Vec<Element> = Vec::new();
        for x in 0..monoid.order() as Element {
            values.phi.push(x);
            if enemy.told >= end {
                return;
            }
            if enemy.claims(seed, &values.claimed_of(code, true)) {
                accepted.push(x);
            }
            values.phi.pop();
        }
        // Where nothing is accepted, a later heap may hide what is wrong with this one: the true
        // value is not in this monoid.
        let next = match accepted.is_empty() {
            true if code.is_live(heap) => dice.below(monoid.order()) as Element,
            true => 0,
            false => *dice.pick(&accepted),
        };
        values.phi.push(next);
    }
}

/// Returns true values with some of them changed, everywhere or from some heap on.
fn changed(dice: &mut Dice) -> (Code, Values) {
    let game = dice.pick(&GAMES);
    let mut values = Values::of(game).to(1 + dice.below(14));
    let order = values.monoid.order();
    let other = dice.pick(&values.phi.clone()).to_owned();
    match dice.below(3) {
        // One value is exchanged for another.
        0 => {
            let (from, to) = (*dice.pick(&values.phi), dice.below(order) as Element);
            values
                .phi
                .iter_mut()
                .filter(|x| **x == from)
                .for_each(|x| *x = to);
        }
        // The last heap has a new value.
        1 => *values.phi.last_mut().unwrap() = dice.below(order) as Element,
        // One heap has the value of another one.
        _ => {
            let at = dice.below(values.phi.len());
            values.phi[at] = other;
        }
    }
    (game.code.clone(), values)
}

/// Claims the normal play of a game as its misère play.
///
/// The P-positions are the heaps of nim-value 0, or are chosen in misère fashion.
fn normal_play(enemy: &mut Enemy, dice: &mut Dice) -> (Code, Values) {
    let code = dice.pick(&GAMES).code.clone();
    let heaps = 1 + dice.below(10) as u32;
    let nim = enemy
        .judge
        .rules(&code.to_string())
        .nim_values(heaps)
        .to_vec();
    let bits = 32 - nim.iter().max().unwrap().leading_zeros();
    let order = 1_u32 << bits;
    let rows = (0..bits).map(|bit| (0..order).map(|x| x ^ 1 << bit).collect());
    let p = [0, 1, order - 1][dice.below(3)] % order;
    let monoid = BipartiteMonoid::new(order as usize, rows.collect(), [p]).unwrap();
    (code, Values { monoid, phi: nim })
}

pub(crate) fn attack(enemy: &mut Enemy, claims: u64, seed: u64) {
    let end = enemy.told + claims;
    let mut number = seed;
    while enemy.told < end {
        number += 1;
        let dice = &mut Dice(number);
        let (code, values) = match dice.below(8) {
            0 => {
                let (monoid, code) = (some_quotient(dice), &dice.pick(&GAMES).code);
                heap_by_heap(enemy, code, &monoid, number, (end - enemy.told).min(60));
                continue;
            }
            1 => {
                let game = dice.pick(&GAMES);
                heap_by_heap(
                    enemy,
                    &game.code,
                    &game.quotient,
                    number,
                    (end - enemy.told).min(120),
                );
                continue;
            }
            2 | 3 => normal_play(enemy, dice),
            _ => changed(dice),
        };
        let is_reduced = dice.below(4) > 0;
        enemy.claims(number, &values.claimed_of(&code, is_reduced));
    }
}

#[test]
fn values_of_heaps() {
    tells(
        attack,
        2_600,
        &["Ok", "DeadHeap", "IdentityInP", "NWithoutP", "PToP"],
    );
}
