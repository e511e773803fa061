//! Evidence of infinity as a diagram: its claims, columns converted to a diagram, and lies.
//!
//! Every claim in columns can be stated as a diagram. The two forms have searches of their own,
//! which have to agree about every claim.

use misere_game::outcome::Outcome;
use misere_game::ruleset::Code;
use misere_game::solution::diagram::{DiagramFamily, Node};
use misere_game::solution::evidence::{Count, InfiniteFamily, State};

use super::borrowed;
use super::dice::Dice;
use super::families::compare;
use super::infinite::SAYINGS;
use super::rules::Rules;

/// Returns the outcome that a diagram claims of a sum of heaps, read as `docs/infinite.md` says.
pub(crate) fn claimed(family: &DiagramFamily, position: &[u32]) -> Option<Outcome> {
    let mut counts = vec![0_u32; family.letters.len()];
    let letter = |heap: u32| family.letters.iter().position(|&letter| letter == heap);
    for &heap in position {
        if let Some(at) = letter(heap) {
            counts[at] += 1;
            continue;
        }
        let word = family.words.iter().find(|word| word.heap == heap)?;
        for &(part, count) in &word.word {
            counts[letter(part)?] += count;
        }
    }
    let mut place = family.root as usize;
    while let Some(node) = place.checked_sub(family.states.len()) {
        let Node {
            letter: heap,
            index,
            children,
        } = &family.nodes[node];
        let mut count = counts[letter(*heap)?] as usize;
        while count >= children.len() {
            count -= children.len() - *index as usize;
        }
        place = children[count] as usize;
    }
    let mut digits: Vec<u32> = Vec::new();
    for &digit in &family.digits {
        digits.push(counts[letter(digit)?]);
    }
    while digits.iter().any(|&x| x > 0) {
        let bits = digits.iter().enumerate();
        let bits: usize = bits.map(|(d, x)| ((x & 1) as usize) << d).sum();
        place = family.states[place].next[bits] as usize;
        digits.iter_mut().for_each(|x| *x /= 2);
    }
    family.states[place].outcome
}

pub(crate) fn outcomes_are_right(rules: &mut Rules, family: &DiagramFamily) -> Result<(), String> {
    compare(rules, &family.heaps(), |position| claimed(family, position))
}

/// Converts the claim to a diagram.
pub(crate) fn told_anew(family: &InfiniteFamily) -> DiagramFamily {
    let digits: Vec<u32> = family.digits().collect();
    let mut told = DiagramFamily {
        distinct_multiples: family.distinct_multiples.clone(),
        letters: family.letters.iter().map(|letter| letter.heap).collect(),
        digits: digits.clone(),
        words: family.words.clone(),
        states: family.states.clone(),
        nodes: Vec::new(),
        root: 0,
        order: Vec::new(),
        all_heaps: None,
    };
    let silent = told.states.len() as u32;
    told.states.push(State {
        outcome: None,
        next: vec![silent; 1 << digits.len()],
    });
    let cycles: Vec<(u32, u32, u32)> = family
        .letters
        .iter()
        .filter_map(|letter| match letter.count {
            Count::Digits => None,
            Count::Cycle { index, period } => Some((letter.heap, index, period)),
        })
        .collect();
    let mut counts = vec![0; cycles.len()];
    told.root = place(
        family,
        &cycles,
        cycles.len(),
        &mut counts,
        silent,
        &mut told,
    );
    told
}

/// Returns the place reached by the counts from a letter on, once the lower ones are read.
fn place(
    family: &InfiniteFamily,
    cycles: &[(u32, u32, u32)],
    letters: usize,
    counts: &mut Vec<u32>,
    silent: u32,
    told: &mut DiagramFamily,
) -> u32 {
    let Some(lower) = letters.checked_sub(1) else {
        let column = family
            .columns
            .iter()
            .find(|column| column.counts == *counts);
        return column.map_or(silent, |column| column.state);
    };
    let (letter, index, period) = cycles[lower];
    let mut children = Vec::new();
    for count in 0..index + period {
        counts[lower] = count;
        children.push(place(family, cycles, lower, counts, silent, told));
    }
    counts[lower] = 0;
    if period == 0 {
        children.push(silent);
    }
    let node = Node {
        letter,
        index,
        children,
    };
    let known = told.nodes.iter().position(|other| *other == node);
    let at = known.unwrap_or_else(|| {
        told.nodes.push(node);
        told.nodes.len() - 1
    });
    (told.states.len() + at) as u32
}

/// Returns the evidence of a game, or a lie in columns, as a diagram, with a change.
pub(crate) fn lie(dice: &mut Dice) -> (Code, u32, DiagramFamily) {
    let (code, heap, family) = borrowed::lie(dice);
    let mut told = told_anew(&family);
    let places = told.states.len() + told.nodes.len();
    for _ in 0..dice.below(3) {
        let node = dice.below(told.nodes.len().max(1));
        let state = dice.below(told.states.len());
        match (dice.below(7), told.nodes.get_mut(node)) {
            (0, Some(node)) => node.index = dice.below(node.children.len() + 1) as u32,
            (1, Some(node)) if !node.children.is_empty() => {
                let child = dice.below(node.children.len());
                node.children[child] = dice.below(places) as u32;
            }
            (2, Some(node)) => {
                node.children.pop();
            }
            (3, _) => told.root = dice.below(places) as u32,
            (4, _) => told.states[state].outcome = *dice.pick(&SAYINGS),
            (5, _) => told.order = some_order(&told.letters, dice),
            _ => {
                let bits = dice.below(told.states[state].next.len());
                told.states[state].next[bits] = dice.below(told.states.len()) as u32;
            }
        }
    }
    (code, heap, told)
}

/// Returns some of the letters, in any order.
fn some_order(letters: &[u32], dice: &mut Dice) -> Vec<u32> {
    let mut left = letters.to_vec();
    let mut order = Vec::new();
    while !left.is_empty() && dice.below(4) > 0 {
        order.push(left.swap_remove(dice.below(left.len())));
    }
    order
}
