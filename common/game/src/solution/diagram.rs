//! Evidence that a quotient is infinite, as a diagram, where too many letters matter for columns.
//!
//! A [`DiagramFamily`] makes the same kind of statement as an
//! [`InfiniteFamily`](super::InfiniteFamily): it states outcomes of infinitely many positions, and
//! names heaps whose multiples are all distinguished by these outcomes. But the counts of the
//! ordinary letters are not listed as columns. They lead through a diagram, in which equal parts
//! are shared.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::evidence_parts::{AllHeaps, MAX_STATES, MAX_WORDS, State, Word};
use crate::lists::{at_most, snug};

/// The most nodes that are read and checked.
pub const MAX_NODES: usize = 1 << 20;

/// A statement about the positions of some heaps that makes their misère quotient infinite.
///
/// A position is read as a vector of counts, one for each **letter**. The counts of the letters
/// that are not **digits** lead from the root through the nodes to a state of the automaton, the
/// greatest letter first. From there the automaton reads the counts of the digits in binary, as in
/// an [`InfiniteFamily`](super::InfiniteFamily).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiagramFamily {
    /// The heaps `g` whose multiples `0, g, 2g, 3g, …` are claimed to have different values.
    ///
    /// No two of these multiples have equal value.
    /// All of them are digits.
    #[serde(deserialize_with = "snug")]
    pub distinct_multiples: Vec<u32>,
    /// The heaps that are letters, ascending.
    #[serde(deserialize_with = "snug")]
    pub letters: Vec<u32>,
    /// The letters whose counts are read in binary, ascending.
    #[serde(deserialize_with = "snug")]
    pub digits: Vec<u32>,
    /// All other heaps covered, ascending, with the letters that represent them.
    #[serde(deserialize_with = "at_most::<MAX_WORDS, _, _>")]
    pub words: Vec<Word>,
    /// The states of the automaton.
    #[serde(deserialize_with = "at_most::<MAX_STATES, _, _>")]
    pub states: Vec<State>,
    /// The nodes of the diagram, each after its children.
    #[serde(deserialize_with = "at_most::<MAX_NODES, _, _>")]
    pub nodes: Vec<Node>,
    /// The place where reading begins.
    ///
    /// With `n` states, a number less than `n` is a state, and `n + i` is node `i`.
    pub root: u32,
    /// Some letters, in the order in which winning moves in them answer for one another.
    ///
    /// A winning move in a letter of a word may be answered by one in a letter that comes before
    /// it.
    #[serde(default, deserialize_with = "snug")]
    pub order: Vec<u32>,
    /// The words of all heaps, if they are known; they are proved.
    ///
    /// Both forms of a solution write them beside the family and not as a part of it.
    #[serde(skip)]
    pub all_heaps: Option<AllHeaps>,
}

/// A place of the diagram where the count of one letter is read.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Node {
    /// The letter, a heap.
    ///
    /// The letters between it and the letter of a child are ignored.
    pub letter: u32,
    /// The first of the children that repeat.
    pub index: u32,
    /// The place where reading continues after each count, numbered as [`DiagramFamily::root`].
    ///
    /// From a greater count, the number of children from `index` on is subtracted until the count
    /// is the number of a child.
    #[serde(deserialize_with = "snug")]
    pub children: Vec<u32>,
}

/// The form of a diagram with an empty order, as it was written before diagrams had orders.
#[derive(Serialize, Deserialize)]
#[serde(remote = "DiagramFamily")]
pub(super) struct Unordered {
    #[serde(deserialize_with = "snug")]
    distinct_multiples: Vec<u32>,
    #[serde(deserialize_with = "snug")]
    letters: Vec<u32>,
    #[serde(deserialize_with = "snug")]
    digits: Vec<u32>,
    #[serde(deserialize_with = "at_most::<MAX_WORDS, _, _>")]
    words: Vec<Word>,
    #[serde(deserialize_with = "at_most::<MAX_STATES, _, _>")]
    states: Vec<State>,
    #[serde(deserialize_with = "at_most::<MAX_NODES, _, _>")]
    nodes: Vec<Node>,
    root: u32,
    #[serde(skip)]
    order: Vec<u32>,
    #[serde(skip)]
    all_heaps: Option<AllHeaps>,
}

impl DiagramFamily {
    /// Returns all heaps covered, in ascending order.
    ///
    /// Cost: the cost of sorting them.
    #[must_use]
    pub fn heaps(&self) -> Vec<u32> {
        let words = self.words.iter().map(|word| word.heap);
        let mut heaps: Vec<u32> = self.letters.iter().copied().chain(words).collect();
        heaps.sort_unstable();
        heaps
    }

    /// Returns, for each state that begins the reading of digits, a least context that leads there.
    ///
    /// The context consists of the letters that are not digits, as few as possible, in ascending
    /// order, with their counts.
    ///
    /// Cost: the number of nodes times their children.
    ///
    /// ```
    /// use misere_game::solution::DiagramFamily;
    /// let diagram: DiagramFamily = serde_json::from_value(serde_json::json!({
    ///     "distinct_multiples": [], "letters": [3, 5], "digits": [5], "words": [],
    ///     "states": [{"outcome": "N", "next": [0, 0]}, {"outcome": "P", "next": [1, 0]}],
    ///     "nodes": [{"letter": 3, "index": 1, "children": [0, 1, 0]}], "root": 2,
    /// }))?;
    /// let contexts = diagram.least_contexts();
    /// assert_eq!(contexts[&0], []);
    /// assert_eq!(contexts[&1], [(3, 1)]);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    #[must_use]
    pub fn least_contexts(&self) -> BTreeMap<u32, Vec<(u32, u64)>> {
        let mut contexts = BTreeMap::from([(self.root, Vec::new())]);
        let letters = |context: &[(u32, u64)]| context.iter().map(|(_, count)| count).sum::<u64>();
        // A node comes after its children.
        for (number, node) in self.nodes.iter().enumerate().rev() {
            let place = (self.states.len() + number) as u32;
            let Some(before) = contexts.remove(&place) else {
                continue;
            };
            for (count, &child) in node.children.iter().enumerate() {
                let mut with: Vec<(u32, u64)> = before.clone();
                if count > 0 {
                    with.insert(0, (node.letter, count as u64));
                }
                let fewer = |known: &Vec<(u32, u64)>| letters(&with) < letters(known);
                if contexts.get(&child).is_none_or(fewer) {
                    contexts.insert(child, with);
                }
            }
        }
        contexts
    }
}
