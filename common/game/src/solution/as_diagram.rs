//! Evidence in columns, written as a diagram.
//!
//! A column is a choice of a count for every letter that is not a digit. So the columns are the
//! paths through a diagram in which every node of a letter has the cycle of that letter. The
//! diagram claims of every position what the columns claim of it. This is not trusted: the checker
//! checks the diagram as evidence of its own.

use rustc_hash::FxHashMap;

use super::diagram::{DiagramFamily, Node};
use super::evidence::{Count, Evidence, InfiniteFamily, State};

/// The most digits for which the transitions of a state are written; the checker takes fewer.
const MAX_BITS: usize = 10;
/// The most counts of a letter that are distinguished; the checker takes fewer.
///
/// The diagram of evidence with more counts claims nothing.
const MAX_COUNTS: usize = 1_000;

impl Evidence {
    /// Returns the evidence as a diagram.
    ///
    /// The counts of the letters that are not digits are read one after the other, the greatest
    /// letter first.
    ///
    /// Cost: linear in the columns. Columns that cannot be read are left out.
    ///
    /// ```
    /// use misere_game::solution::Document;
    /// let file = std::fs::read_to_string("tests/data/0.31011.json")?;
    /// let solution = serde_json::from_str::<Document>(&file)?.into_solution()?;
    /// let diagram = solution.evidence.ok_or("no evidence")?.as_diagram();
    /// assert_eq!((diagram.digits, diagram.letters), (vec![4, 5], vec![1, 2, 3, 4, 5]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn as_diagram(&self) -> DiagramFamily {
        match self {
            Self::Columns(family) => through_nodes(family),
            Self::Diagram(family) => family.clone(),
        }
    }
}

/// Returns the diagram whose paths are the columns.
fn through_nodes(family: &InfiniteFamily) -> DiagramFamily {
    let digits: Vec<u32> = family.digits().collect();
    let mut states = family.states.clone();
    let nothing = states.len() as u32;
    // The counts that are still to be read, the smallest letter first, and the place to which they
    // lead. Letters are removed from the front, so the smallest one is read last.
    let columns = family.columns.iter();
    let mut ends: FxHashMap<&[u32], u32> = columns
        .map(|column| (column.counts.as_slice(), column.state))
        .collect();
    let cycles = family
        .letters
        .iter()
        .filter_map(|letter| match letter.count {
            Count::Digits => None,
            Count::Cycle { index, period } => Some((letter.heap, index, period)),
        });
    let (mut nodes, mut numbers) = (Vec::new(), FxHashMap::default());
    let mut silent = false;
    for (letter, index, period) in cycles {
        // With period 0 nothing is claimed of counts from the index on.
        let listed = index.saturating_add(period) as usize;
        let all = listed.saturating_add(usize::from(period == 0));
        if all > MAX_COUNTS {
            ends = FxHashMap::default();
            break;
        }
        let mut children: FxHashMap<&[u32], Vec<u32>> = FxHashMap::default();
        for (counts, place) in ends {
            let Some((&count, rest)) = counts.split_first() else {
                continue;
            };
            let of_rest = children.entry(rest).or_insert_with(|| vec![nothing; all]);
            if let Some(child) = of_rest.get_mut(count as usize) {
                *child = place;
            }
        }
        ends = FxHashMap::default();
        let mut sorted: Vec<_> = children.into_iter().collect();
        sorted.sort_unstable();
        for (rest, children) in sorted {
            silent |= children.contains(&nothing);
            let node = Node {
                letter,
                index,
                children,
            };
            let number = *numbers.entry(node.clone()).or_insert_with(|| {
                nodes.push(node);
                nodes.len() as u32 - 1
            });
            // The numbers of the nodes follow those of the states; the last state claims nothing.
            ends.insert(rest, nothing + 1 + number);
        }
    }
    let root = ends.get([].as_slice()).copied();
    silent |= root.is_none();
    let mut root = root.unwrap_or(nothing);
    if silent {
        states.push(State {
            outcome: None,
            next: vec![nothing; 1 << digits.len().min(MAX_BITS)],
        });
    } else {
        // All nodes were numbered as if there were a state that claims nothing.
        let down = |place: &mut u32| *place -= u32::from(*place > nothing);
        nodes
            .iter_mut()
            .flat_map(|node: &mut Node| &mut node.children)
            .for_each(down);
        down(&mut root);
    }
    DiagramFamily {
        distinct_multiples: family.distinct_multiples.clone(),
        letters: family.letters.iter().map(|letter| letter.heap).collect(),
        digits,
        words: family.words.clone(),
        states,
        nodes,
        root,
        order: Vec::new(),
        all_heaps: None,
    }
}
