//! Lies about partial quotients: one too many or too few, in the wrong place or order, of another
//! class.

use std::collections::{BTreeMap, HashMap};

use misere_game::bipartite::{ClassKey, Element};
use misere_game::solution::{Partial, Solution};

use super::claims::Values;
use super::dice::Dice;
use super::exact::{MAX_ORDER, Products};
use super::known::GAMES;
use super::{Enemy, tells};

/// A small bipartite monoid by its whole table.
#[derive(Clone)]
pub(crate) struct Small {
    table: Vec<Vec<Element>>,
    is_p: Vec<bool>,
}

/// Returns each heap at which the quotient of the heaps so far changes, with that quotient.
///
/// The quotients are found by the definition, from what the values of the heaps so far generate,
/// elements being told apart by these elements only.
fn occurring(products: &Products, phi: &[Element]) -> Vec<(u32, Small)> {
    let mut found: Vec<(u32, Small)> = Vec::new();
    for heap in 1..phi.len() {
        if phi[..heap].contains(&phi[heap]) {
            continue;
        }
        let quotient = quotient_of(products, &phi[..=heap]);
        if found.last().map_or(1, |(_, last)| last.order()) != quotient.order() {
            found.push((heap as u32, quotient));
        }
    }
    found
}

fn quotient_of(products: &Products, phi: &[Element]) -> Small {
    let mut elements = vec![0];
    let mut at = 0;
    while at < elements.len() {
        for &value in phi {
            let y = products.times(elements[at], value);
            if !elements.contains(&y) {
                elements.push(y);
            }
        }
        at += 1;
    }
    let profile = |x: Element| -> Vec<bool> {
        let wins = elements
            .iter()
            .map(|&z| products.in_p(products.times(x, z)));
        wins.collect()
    };
    let mut classes: BTreeMap<Vec<bool>, Element> = BTreeMap::new();
    let mut representatives: Vec<Element> = Vec::new();
    for &x in &elements {
        classes.entry(profile(x)).or_insert_with(|| {
            representatives.push(x);
            representatives.len() as Element - 1
        });
    }
    let product = |x: Element, y: Element| classes[&profile(products.times(x, y))];
    let row = |&x: &Element| representatives.iter().map(|&y| product(x, y)).collect();
    Small {
        table: representatives.iter().map(row).collect(),
        is_p: representatives.iter().map(|&x| products.in_p(x)).collect(),
    }
}

impl Small {
    fn order(&self) -> usize {
        self.is_p.len()
    }

    fn p_size(&self) -> usize {
        self.is_p.iter().filter(|&&is_p| is_p).count()
    }

    /// Returns the properties of an element that an isomorphism keeps.
    fn looks(&self, x: usize) -> (bool, usize, usize, usize) {
        let row = &self.table[x];
        let mut multiples = row.clone();
        multiples.sort_unstable();
        multiples.dedup();
        let wins = row.iter().filter(|&&y| self.is_p[y as usize]).count();
        let square = usize::from(row[x] as usize == x);
        (self.is_p[x], multiples.len(), wins, square)
    }

    /// Reports whether some map of generators extends to an isomorphism.
    pub(crate) fn is_isomorphic(&self, other: &Self) -> bool {
        if (self.order(), self.p_size()) != (other.order(), other.p_size()) {
            return false;
        }
        let mut map: Vec<Option<Element>> = vec![None; self.order()];
        map[0] = Some(0);
        self.extends(other, &map)
    }

    fn extends(&self, other: &Self, map: &[Option<Element>]) -> bool {
        let Some(x) = map.iter().position(Option::is_none) else {
            return true;
        };
        (0..other.order()).any(|y| {
            if map.contains(&Some(y as Element)) || self.looks(x) != other.looks(y) {
                return false;
            }
            let mut longer = map.to_vec();
            longer[x] = Some(y as Element);
            self.closed(other, &mut longer) && self.extends(other, &longer)
        })
    }

    /// Carries the map on to all products; returns `false` if that contradicts itself.
    fn closed(&self, other: &Self, map: &mut [Option<Element>]) -> bool {
        loop {
            let mut is_changed = false;
            for x in 0..self.order() {
                for y in 0..=x {
                    let (Some(to_x), Some(to_y)) = (map[x], map[y]) else {
                        continue;
                    };
                    let to = other.table[to_x as usize][to_y as usize];
                    let xy = self.table[x][y] as usize;
                    match map[xy] {
                        Some(known) if known == to => {}
                        Some(_) => return false,
                        None if map.contains(&Some(to))
                            || self.is_p[xy] != other.is_p[to as usize] =>
                        {
                            return false;
                        }
                        None => {
                            map[xy] = Some(to);
                            is_changed = true;
                        }
                    }
                }
            }
            if !is_changed {
                return true;
            }
        }
    }
}

/// Checks that the partial quotients of an accepted claim are those that occur, and that one key
/// always means one class.
pub(crate) fn are_those_that_occur(
    claim: &Solution,
    classes: &mut HashMap<ClassKey, Small>,
) -> Result<(), String> {
    if claim.quotient.order() > MAX_ORDER {
        return Ok(());
    }
    let products = Products::of(&claim.quotient)?;
    let occurring = occurring(&products, &claim.phi);
    let sizes = |(heap, quotient): &(u32, Small)| (*heap, quotient.order(), quotient.p_size());
    let listed = |p: &Partial| (p.heap, p.order as usize, p.p_size as usize);
    let right: Vec<_> = occurring.iter().map(sizes).collect();
    let said: Vec<_> = claim.partials.iter().map(listed).collect();
    if right != said {
        return Err(format!("the partial quotients are {right:?}, not {said:?}"));
    }
    for ((heap, quotient), partial) in occurring.iter().zip(&claim.partials) {
        if let Some(known) = classes.get(&partial.class) {
            if !known.is_isomorphic(quotient) {
                return Err(format!(
                    "the class at heap {heap} belongs to another quotient"
                ));
            }
            continue;
        }
        if classes.values().any(|known| known.is_isomorphic(quotient)) {
            return Err(format!("the class at heap {heap} has another key"));
        }
        classes.insert(partial.class, quotient.clone());
    }
    Ok(())
}

/// Returns one false list of a game whose quotient is right.
fn lie(dice: &mut Dice) -> Solution {
    let game = dice.pick(&GAMES);
    let heaps = 1 + dice.below(game.phi.len().min(16));
    let mut claim = Values::of(game).to(heaps).claimed_of(&game.code, true);
    let other = dice.pick(&GAMES).partials.clone();
    let list = &mut claim.partials;
    let at = dice.below(list.len());
    let step = |dice: &mut Dice| [u32::MAX, 1][dice.below(2)];
    match dice.below(9) {
        0 if !list.is_empty() => drop(list.remove(at)),
        1 if !list.is_empty() => list.insert(at, list[at]),
        2 if !list.is_empty() => list.rotate_left(1),
        3 if !list.is_empty() => list[at].heap = list[at].heap.wrapping_add(step(dice)),
        4 if !list.is_empty() => list[at].order = list[at].order.wrapping_add(step(dice)),
        5 if !list.is_empty() => list[at].p_size = list[at].p_size.wrapping_add(step(dice)),
        6 if !list.is_empty() && !other.is_empty() => list[at].class = dice.pick(&other).class,
        7 => claim.partials = other,
        _ => list.extend(
            other
                .last()
                .copied()
                .filter(|partial| partial.heap as usize <= heaps),
        ),
    }
    claim
}

pub(crate) fn attack(enemy: &mut Enemy, claims: u64, seed: u64) {
    for number in 0..claims {
        let claim = lie(&mut Dice(seed + number));
        enemy.claims(seed + number, &claim);
    }
}

#[test]
fn lists_of_partial_quotients() {
    tells(attack, 900, &["Ok", "Partial"]);
}
