//! The strip of boxes that shows a pretending function.
//!
//! There is one box for each heap, coloured by its element. All boxes of an element have the same
//! colour, and every box contains the word, so that colours are never needed. In a solved game the
//! heaps before the period, one period, and a repetition are set apart.

use misere_game::bipartite::Element;
use misere_game::monoid::word::Word;
use misere_game::solution::Solution;
use rustc_hash::FxHashMap;

use super::math::{math, plain};

/// The greatest number of boxes that are drawn.
const MAX_BOXES: usize = 1_500;

/// The number of colours in the style sheet; more elements share them.
const COLOURS: usize = 24;

/// The greatest number of letters of a word in a box; longer words are cut.
const LONG_WORD: usize = 9;

/// The lengths of periods that are set in rows of their length.
const ROWS: std::ops::RangeInclusive<u32> = 3..=12;

/// The strip of a pretending function.
#[derive(Clone, Debug, Default)]
pub(super) struct Strip {
    pub(super) parts: Vec<Part>,
    /// The number of heaps that are known, heap 0 left out.
    pub(super) known: u32,
    /// The number of heaps that are drawn.
    pub(super) drawn: usize,
}

/// Boxes that belong together.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// The caption of the part.
    pub(super) caption: String,
    /// The class of the part for the style sheet.
    pub(super) kind: &'static str,
    /// The length of rows, if it matters.
    pub(super) columns: Option<u32>,
    pub(super) boxes: Vec<HeapBox>,
}

/// The box of one heap.
#[derive(Clone, Debug)]
pub(super) struct HeapBox {
    pub(super) heap: u32,
    /// The word as HTML; cut if it is long.
    pub(super) word: String,
    /// The full description of the box.
    pub(super) text: String,
    pub(super) colour: usize,
    pub(super) in_p: bool,
}

/// Returns the strip of a solution, given the words of its elements.
pub(super) fn strip(solution: &Solution, words: &[Word]) -> Strip {
    let known = solution.heaps();
    let mut colours: FxHashMap<Element, usize> = FxHashMap::default();
    let mut room = MAX_BOXES;
    let mut part = |caption: String, kind, columns, from: u32, to: u32| {
        let heaps = (from..=to.min(known)).take(room);
        let boxes: Vec<HeapBox> = heaps
            .filter_map(|heap| {
                let &element = solution.phi.get(heap as usize)?;
                let fresh = colours.len() % COLOURS;
                let word = words.get(element as usize)?.to_string();
                let in_p = solution.quotient.in_p(element);
                let outcome = if in_p { "P-position" } else { "N-position" };
                Some(HeapBox {
                    heap,
                    text: format!("heap {heap}: {}, {outcome}", plain(&word)),
                    word: shortened(&word),
                    colour: *colours.entry(element).or_insert(fresh),
                    in_p,
                })
            })
            .collect();
        room -= boxes.len();
        Part {
            caption,
            kind,
            columns,
            boxes,
        }
    };
    let is_heap_game = solution.code.finite_game().is_none();
    let period = solution.verdict.period().filter(|_| is_heap_game);
    let mut parts = if let Some((period, preperiod)) = period {
        let first = preperiod.max(1);
        let last = first.saturating_add(period - 1);
        let columns = ROWS.contains(&period).then_some(period);
        let again = last.saturating_add(period);
        vec![
            part(
                "Before the period".to_owned(),
                "before",
                columns,
                1,
                first - 1,
            ),
            part(
                format!("One period: heaps {first} to {last}; it repeats for ever"),
                "period",
                columns,
                first,
                last,
            ),
            part(
                "The same again".to_owned(),
                "again",
                columns,
                last + 1,
                again,
            ),
        ]
    } else {
        vec![part("Heaps known".to_owned(), "known", None, 1, known)]
    };
    parts.retain(|part| !part.boxes.is_empty());
    Strip {
        drawn: parts.iter().map(|part| part.boxes.len()).sum(),
        known,
        parts,
    }
}

fn shortened(word: &str) -> String {
    if word.len() <= LONG_WORD {
        return math(word);
    }
    // A cut must not separate a letter from its exponent.
    let ends = word
        .char_indices()
        .filter(|&(at, c)| c.is_ascii_lowercase() && at < LONG_WORD);
    let end = ends.map(|(at, _)| at).max().unwrap_or(0);
    format!("{}…", math(&word[..end]))
}
