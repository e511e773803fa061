//! The conversion of a guessed diagram to evidence.

use misere_game::outcome::Outcome;
use misere_game::solution::diagram::{DiagramFamily, Node};
use misere_game::solution::evidence::{State, Word};

use super::super::system::System;
use super::learn::Guess;
use super::outcomes::Outcomes;

/// Returns the guess as evidence for the levels and for all heaps that moves in them leave.
///
/// It claims that all multiples of each digit are distinct.
pub(super) fn family(system: &System, outcomes: &Outcomes, guess: &Guess) -> DiagramFamily {
    let digits: Vec<u32> = outcomes
        .digits
        .iter()
        .map(|&level| system.levels[level])
        .collect();
    let words = system.others.iter().map(|other| Word {
        heap: other.heap,
        word: system.word(other.heap),
    });
    let states = guess
        .is_p
        .iter()
        .zip(&guess.next)
        .map(|(&is_p, next)| State {
            outcome: is_p.map(|is_p| if is_p { Outcome::P } else { Outcome::N }),
            next: next.clone(),
        });
    let nodes = guess.nodes.iter().map(|(level, index, children)| Node {
        letter: system.levels[*level],
        index: *index as u32,
        children: children.clone(),
    });
    DiagramFamily {
        distinct_multiples: digits.clone(),
        letters: system.levels.clone(),
        digits,
        words: words.collect(),
        states: states.collect(),
        nodes: nodes.collect(),
        root: guess.root,
        order: Vec::new(),
        all_heaps: None,
    }
}
