//! The reading of a diagram: whether the diagram is well formed, and what it says of a position.

use misere_game::control::Control;
use misere_game::outcome::Outcome;
use misere_game::ruleset::Code;
use misere_game::solution::diagram::{DiagramFamily, MAX_NODES, Node};
use misere_game::solution::evidence::{MAX_STATES, MAX_WORDS, State};

use super::super::alphabet::{Alphabet, Counts, Other};
use super::super::reading::{can_reach, check_states, distinct_digits};
use super::super::{FamilyCheckError, malformed, too_large};

/// The most digits: the automaton has `2^digits` transitions at each state.
const MAX_DIGITS: usize = 6;
const MAX_LETTERS: usize = 200;
/// The most children of all nodes together.
const MAX_CHILDREN: usize = 1 << 22;

/// A place of the diagram: a state, or a node counted on from the states.
pub(in super::super) type Place = u32;

/// A diagram that is well formed, with the options of all its heaps.
pub(in super::super) struct Reading<'a> {
    pub(in super::super) states: &'a [State],
    nodes: &'a [Node],
    pub(in super::super) root: Place,
    /// The levels of the diagram: the numbers of the letters that are not digits, greatest first.
    pub(in super::super) levels: Vec<usize>,
    /// The letters that are digits, by their numbers among the letters.
    pub(in super::super) digits: Vec<usize>,
    /// The heaps of all letters.
    pub(in super::super) letters: &'a [u32],
    /// The options of each letter, as words.
    pub(in super::super) options: Vec<Vec<Counts>>,
    /// The place of each letter in the order; a letter that is not in it comes after all others.
    pub(super) rank: Vec<usize>,
    /// The heaps that are not letters.
    pub(in super::super) others: Vec<Other>,
    /// The digits whose multiples are all claimed to differ: heap and place among the digits.
    pub(in super::super) distinct: Vec<(u32, usize)>,
    /// The level of each place: that of a node's letter, or one after all others for a state.
    level: Vec<usize>,
}

impl<'a> Reading<'a> {
    pub(in super::super) fn new(
        code: &Code,
        heaps: u32,
        family: &'a DiagramFamily,
        control: &mut Control,
    ) -> Result<Self, FamilyCheckError> {
        let children = family.nodes.iter().map(|node| node.children.len()).sum();
        let sizes = [
            ("letters", family.letters.len(), MAX_LETTERS),
            ("digits", family.digits.len(), MAX_DIGITS),
            ("words", family.words.len(), MAX_WORDS),
            ("states", family.states.len(), MAX_STATES),
            ("nodes", family.nodes.len(), MAX_NODES),
            ("children", children, MAX_CHILDREN),
        ];
        for (what, found, most) in sizes {
            if found > most {
                return Err(too_large(what, found, most));
            }
        }
        let alphabet = Alphabet::new(code, heaps, &family.letters, &family.words, control)?;
        let digits = digits(family)?;
        let rank = ranks(family)?;
        check_states(&family.states, digits.len(), control)?;
        let distinct = distinct_digits(&family.distinct_multiples, &family.digits)?;
        let is_level = |letter: &usize| !digits.contains(letter);
        let levels: Vec<usize> = (0..family.letters.len()).rev().filter(is_level).collect();
        control.spend(20 * children as u64)?;
        let level = levels_of_places(family, &levels)?;
        Ok(Self {
            states: &family.states,
            nodes: &family.nodes,
            root: family.root,
            levels,
            digits,
            letters: &family.letters,
            options: alphabet.options,
            rank,
            others: alphabet.others,
            distinct,
            level,
        })
    }

    /// Returns the node at a place, if it reads the letter of the level.
    pub(in super::super) fn node(&self, place: Place, level: usize) -> Option<&Node> {
        let node = self
            .nodes
            .get((place as usize).checked_sub(self.states.len())?)?;
        (self.level[place as usize] == level).then_some(node)
    }

    /// Returns the level of a node; for a state the number of levels.
    pub(in super::super) fn level(&self, place: Place) -> usize {
        self.level[place as usize]
    }

    /// Returns the place at which reading continues after a count of the letter of a level.
    pub(in super::super) fn child(&self, place: Place, level: usize, count: u64) -> Place {
        let Some(node) = self.node(place, level) else {
            return place;
        };
        let (index, all) = (u64::from(node.index), node.children.len() as u64);
        let read = if count < all {
            count
        } else {
            index + (count - index) % (all - index)
        };
        node.children[read as usize]
    }

    /// Returns index and period of a cycle that the counts of a level have at every node.
    ///
    /// Counts from the index on are read alike if they differ by the period.
    pub(in super::super) fn cycle_of(&self, level: usize) -> (u64, u64) {
        let mut cycle = (0, 1);
        for (node, &of_node) in self.nodes.iter().zip(&self.level[self.states.len()..]) {
            if of_node == level {
                let index = u64::from(node.index);
                let period = node.children.len() as u64 - index;
                cycle = (index.max(cycle.0), common_multiple(period, cycle.1));
            }
        }
        cycle
    }

    /// Reports for each place whether it can reach an outcome that satisfies `wanted`.
    pub(in super::super) fn places_that_reach(
        &self,
        wanted: impl Fn(Option<Outcome>) -> bool,
        control: &mut Control,
    ) -> Result<Vec<bool>, FamilyCheckError> {
        let mut reach = can_reach(self.states, wanted, control)?;
        for node in self.nodes {
            control.spend(5 * node.children.len() as u64)?;
            let some = node.children.iter().any(|&child| reach[child as usize]);
            reach.push(some);
        }
        Ok(reach)
    }

    /// Returns the states at which the automaton may begin: those the root leads to.
    pub(in super::super) fn starts(&self) -> Vec<Place> {
        let mut reached = vec![false; self.level.len()];
        reached[self.root as usize] = true;
        for (number, node) in self.nodes.iter().enumerate().rev() {
            if reached[self.states.len() + number] {
                node.children
                    .iter()
                    .for_each(|&child| reached[child as usize] = true);
            }
        }
        let states = 0..self.states.len() as u32;
        states.filter(|&state| reached[state as usize]).collect()
    }
}

/// Returns the least common multiple of two numbers, saturating.
pub(in super::super) fn common_multiple(x: u64, y: u64) -> u64 {
    let (mut a, mut b) = (x, y);
    while b > 0 {
        (a, b) = (b, a % b);
    }
    (x / a.max(1)).saturating_mul(y)
}

/// Returns the digits and checks H14: they are letters, in order.
fn digits(family: &DiagramFamily) -> Result<Vec<usize>, FamilyCheckError> {
    let number = |(at, heap): (usize, &u32)| {
        let letter = family.letters.binary_search(heap).ok();
        letter.ok_or(malformed("digit", at))
    };
    let digits: Vec<usize> = family
        .digits
        .iter()
        .enumerate()
        .map(number)
        .collect::<Result<_, _>>()?;
    match digits.windows(2).position(|pair| pair[0] >= pair[1]) {
        Some(at) => Err(malformed("digit", at + 1)),
        None => Ok(digits),
    }
}

/// Returns the place of each letter in the order, and checks H20.
///
/// H20 says that the order names letters, each at most once.
fn ranks(family: &DiagramFamily) -> Result<Vec<usize>, FamilyCheckError> {
    let mut rank = vec![family.order.len(); family.letters.len()];
    for (place, heap) in family.order.iter().enumerate() {
        match family.letters.binary_search(heap) {
            Ok(letter) if rank[letter] == family.order.len() => rank[letter] = place,
            _ => return Err(malformed("order", place)),
        }
    }
    Ok(rank)
}

/// Returns the level of each place and checks H15.
///
/// Every node reads a letter that is not a digit, has a child for each count, and its children are
/// states or earlier nodes of smaller letters; the root is a place.
fn levels_of_places(
    family: &DiagramFamily,
    levels: &[usize],
) -> Result<Vec<usize>, FamilyCheckError> {
    let mut level = vec![levels.len(); family.states.len()];
    for (number, node) in family.nodes.iter().enumerate() {
        let read = levels
            .iter()
            .position(|&letter| family.letters[letter] == node.letter)
            .ok_or(malformed("node", number))?;
        let later = |&child: &u32| level.get(child as usize).is_some_and(|&level| level > read);
        if node.index as usize >= node.children.len() || !node.children.iter().all(later) {
            return Err(malformed("node", number));
        }
        level.push(read);
    }
    if family.root as usize >= level.len() {
        return Err(malformed("root", 0));
    }
    Ok(level)
}
