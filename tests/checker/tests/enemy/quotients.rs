//! Lies about the quotient: too small, too large, with elements that no position has, or with
//! another P-portion.

use misere_game::bipartite::{BipartiteMonoid, Element};
use misere_game::solution::Solution;

use super::claims::Values;
use super::dice::Dice;
use super::known::{GAMES, QUOTIENTS};
use super::{Enemy, tells};

/// Monoids of one generator, by its row.
const CYCLIC: [&[Element]; 5] = [&[1, 0], &[1, 1], &[1, 2, 1], &[1, 2, 0], &[1, 2, 2]];

/// Merges two elements, with what follows from that.
///
/// A class is in P if its first element is, or if any is.
fn merged(values: &Values, dice: &mut Dice) -> Option<Values> {
    let monoid = &values.monoid;
    let order = monoid.order();
    let mut class: Vec<usize> = (0..order).collect();
    let mut open = vec![(dice.below(order), dice.below(order))];
    while let Some((x, y)) = open.pop() {
        let (one, other) = (class[x], class[y]);
        if one == other {
            continue;
        }
        class
            .iter_mut()
            .filter(|c| **c == other)
            .for_each(|c| *c = one);
        let rows = monoid.action();
        open.extend(rows.iter().map(|row| (row[x] as usize, row[y] as usize)));
    }
    let mut first: Vec<usize> = class.clone();
    first.sort_unstable();
    first.dedup();
    // The class of 1 comes first.
    first.retain(|&c| c != class[0]);
    first.insert(0, class[0]);
    let number = |x: usize| first.iter().position(|&c| c == class[x]).unwrap() as Element;
    let any = dice.below(2) == 0;
    let is_p = |c: &usize| {
        let mut members = (0..order).filter(|&x| class[x] == *c);
        match any {
            true => members.any(|x| monoid.in_p(x as Element)),
            false => members.next().is_some_and(|x| monoid.in_p(x as Element)),
        }
    };
    let rows = monoid.action().iter();
    let rows = rows.map(|row| first.iter().map(|&c| number(row[c] as usize)).collect());
    let p = first.iter().enumerate().filter(|(_, c)| is_p(c));
    let p: Vec<Element> = p.map(|(at, _)| at as Element).collect();
    Some(Values {
        monoid: BipartiteMonoid::new(first.len(), rows.collect(), p).ok()?,
        phi: values.phi.iter().map(|&x| number(x as usize)).collect(),
    })
}

/// Returns the product with a small monoid of one generator, in which each heap has any value.
///
/// P is as before, or as before above some of the elements.
fn product(values: &Values, dice: &mut Dice) -> Option<Values> {
    let monoid = &values.monoid;
    let cyclic: &[Element] = CYCLIC[dice.below(CYCLIC.len())];
    let (order, times) = (monoid.order(), cyclic.len());
    let pair = |x: usize, y: usize| (x * times + y) as Element;
    let all = || (0..order * times).map(|z| (z / times, z % times));
    let mut rows: Vec<Vec<Element>> = Vec::new();
    for g in 0..monoid.generators() {
        let act = |x: usize| monoid.act(x as Element, g) as usize;
        rows.push(all().map(|(x, y)| pair(act(x), y)).collect());
    }
    rows.push(all().map(|(x, y)| pair(x, cyclic[y] as usize)).collect());
    let is_split = dice.below(3) == 0;
    let removed = dice.below(order * times);
    let p = all()
        .enumerate()
        .filter(|&(at, (x, _))| monoid.in_p(x as Element) && !(is_split && at == removed));
    let p: Vec<Element> = p.map(|(at, _)| at as Element).collect();
    let is_homomorphic = dice.below(2) == 0;
    // The second value is a function of the first, or any; heap 0 has the value 1.
    let of_value: Vec<usize> = (0..order).map(|_| dice.below(times)).collect();
    let phi = values.phi.iter().enumerate().map(|(heap, &x)| {
        let second = match is_homomorphic {
            true => of_value[x as usize],
            false => dice.below(times),
        };
        pair(x as usize, if heap == 0 || x == 0 { 0 } else { second })
    });
    let phi = phi.collect();
    let monoid = BipartiteMonoid::new(order * times, rows, p).ok()?;
    Some(Values { monoid, phi })
}

/// Claims the quotient of more heaps than are listed.
///
/// Generators that are not values of listed heaps are claimed to be the values of some.
fn of_more_heaps(dice: &mut Dice) -> Solution {
    let game = dice.pick(&GAMES);
    let mut claim = game.clone();
    claim.phi.truncate(1 + dice.below(claim.phi.len()));
    let heaps = claim.heaps();
    claim.partials.retain(|partial| partial.heap <= heaps);
    claim.verdict = misere_game::solution::Verdict::Interrupted;
    (claim.tail, claim.growth) = (None, None);
    match dice.below(4) {
        0 => claim.generator_heaps.retain(|&heap| heap <= heaps),
        1 => claim
            .generator_heaps
            .iter_mut()
            .for_each(|heap| *heap = (*heap).min(heaps)),
        2 => {
            let generators = claim.generator_heaps.len() as u32;
            claim.generator_heaps = (1..=generators).collect();
        }
        _ => {}
    }
    claim
}

/// Adds a generator, in a monoid that has the true quotient as a part.
fn with_a_generator(dice: &mut Dice) -> Option<Solution> {
    let game = dice.pick(&GAMES);
    let values = Values::of(game).to(1 + dice.below(12));
    let larger = product(&values, dice)?;
    let mut claim = values.claimed_of(&game.code, true);
    if claim.quotient.order() != values.monoid.order() {
        return None;
    }
    // Heaps have the values (x, 1); the second generator is the value of no heap.
    let times = larger.monoid.order() / values.monoid.order();
    claim.quotient = larger.monoid;
    claim.phi = values.phi.iter().map(|&x| x * times as Element).collect();
    claim.generator_heaps = game.generator_heaps.clone();
    if dice.below(2) == 0 {
        claim.generator_heaps.push(claim.heaps());
    }
    Some(claim)
}

/// Returns the values with one element put into P or out of it.
fn flipped(values: &Values, dice: &mut Dice) -> Option<Values> {
    let monoid = &values.monoid;
    let at = dice.below(monoid.order()) as Element;
    let p = (0..monoid.order() as Element).filter(|&x| monoid.in_p(x) != (x == at));
    let monoid = BipartiteMonoid::new(monoid.order(), monoid.action().to_vec(), p).ok()?;
    Some(Values {
        monoid,
        phi: values.phi.clone(),
    })
}

/// Reads the values of a game in another quotient, which may map onto the quotient of the game.
fn in_another(values: &Values, dice: &mut Dice) -> Values {
    let monoid = dice.pick(&QUOTIENTS).quotient.clone();
    let map: Vec<Element> = (0..values.monoid.order())
        .map(|x| {
            if x == 0 {
                0
            } else {
                dice.below(monoid.order()) as Element
            }
        })
        .collect();
    let phi = values.phi.iter().map(|&x| map[x as usize]).collect();
    Values { monoid, phi }
}

pub(crate) fn attack(enemy: &mut Enemy, claims: u64, seed: u64) {
    let end = enemy.told + claims;
    let mut number = seed;
    while enemy.told < end {
        number += 1;
        let dice = &mut Dice(number);
        let game = dice.pick(&GAMES);
        let values = Values::of(game).to(1 + dice.below(12));
        let lie = match dice.below(7) {
            0 => merged(&values, dice),
            1 | 2 => product(&values, dice),
            3 => flipped(&values, dice),
            4 => Some(in_another(&values, dice)),
            5 => {
                enemy.claims(number, &of_more_heaps(dice));
                continue;
            }
            _ => {
                if let Some(claim) = with_a_generator(dice) {
                    enemy.claims(number, &claim);
                }
                continue;
            }
        };
        let is_reduced = dice.below(3) == 0;
        if let Some(values) = lie {
            enemy.claims(number, &values.claimed_of(&game.code, is_reduced));
        }
    }
}

#[test]
fn quotients_too_small_and_too_large() {
    tells(
        attack,
        1_800,
        &[
            "Ok",
            "Generator",
            "GeneratorCount",
            "IdentityInP",
            "NWithoutP",
            "NotReduced",
            "PToP",
        ],
    );
}
