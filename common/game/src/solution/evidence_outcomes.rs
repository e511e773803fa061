//! The outcomes that evidence claims, read for one position at a time.
//!
//! [`EvidenceOutcomes`] is the function `V(Φ(X))` of `docs/infinite.md`. It proves nothing: the
//! outcomes that it returns are right if `misere_check` has accepted the evidence. Numbers of
//! copies are not unrolled, so that a position may have a thousand million equal heaps.

use rustc_hash::FxHashMap;

use super::diagram::DiagramFamily;
use super::evidence::{Count, Evidence, InfiniteFamily};
use super::evidence_parts::{AllHeaps, State, Word};
use crate::outcome::Outcome;

/// A reader of the outcomes that some evidence claims.
///
/// ```
/// use misere_game::outcome::Outcome;
/// use misere_game::solution::{Document, EvidenceOutcomes};
/// let file = std::fs::read_to_string("tests/data/0.31011.json")?;
/// let solution = serde_json::from_str::<Document>(&file)?.into_solution()?;
/// let evidence = solution.evidence.ok_or("no evidence")?;
/// let outcomes = EvidenceOutcomes::new(&evidence);
/// // A heap of 1, which the player to move must take; then many heaps of 5 beside it.
/// assert_eq!(outcomes.outcome([(1, 1)]), Some(Outcome::P));
/// assert!(outcomes.outcome([(5, 1_000_000_000), (1, 1)]).is_some());
/// // Words of all heaps are claimed, too: a heap of 6 is decided by the heaps to 5.
/// assert_eq!(outcomes.outcome([(6, 1)]), Some(Outcome::N));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct EvidenceOutcomes<'a> {
    form: Form<'a>,
    states: &'a [State],
    letters: usize,
    /// The numbers of the letters.
    numbers: FxHashMap<u32, usize>,
    /// The letters that are read in binary, by their numbers.
    digits: Vec<usize>,
    /// The letters that represent each heap covered, by their numbers, with their counts.
    words: FxHashMap<u32, Vec<(usize, u32)>>,
    /// The words of all heaps, and the greatest heap whose word is listed.
    all: Option<(&'a AllHeaps, u32)>,
}

#[derive(Debug)]
enum Form<'a> {
    Columns {
        counts: Vec<Count>,
        states: FxHashMap<&'a [u32], u32>,
    },
    Diagram {
        family: &'a DiagramFamily,
        /// The number of the letter of each node.
        letters: Vec<usize>,
    },
}

impl<'a> EvidenceOutcomes<'a> {
    /// Creates a reader of this evidence.
    #[must_use]
    pub fn new(evidence: &'a Evidence) -> Self {
        let outcomes = match evidence {
            Evidence::Columns(family) => Self::columns(family),
            Evidence::Diagram(family) => Self::diagram(family),
        };
        outcomes.of_all(evidence.all_heaps())
    }

    fn columns(family: &'a InfiniteFamily) -> Self {
        let heaps: Vec<u32> = family.letters.iter().map(|letter| letter.heap).collect();
        let digits: Vec<u32> = family.digits().collect();
        let form = Form::Columns {
            counts: family.letters.iter().map(|letter| letter.count).collect(),
            states: family
                .columns
                .iter()
                .map(|column| (column.counts.as_slice(), column.state))
                .collect(),
        };
        Self::with(form, &family.states, &heaps, &digits, &family.words)
    }

    fn diagram(family: &'a DiagramFamily) -> Self {
        let number = |heap| family.letters.iter().position(|&letter| letter == heap);
        let letters = family.nodes.iter().map(|node| number(node.letter));
        let form = Form::Diagram {
            family,
            letters: letters.map(|at| at.unwrap_or(usize::MAX)).collect(),
        };
        let (letters, digits) = (&family.letters, &family.digits);
        Self::with(form, &family.states, letters, digits, &family.words)
    }

    fn with(
        form: Form<'a>,
        states: &'a [State],
        letters: &[u32],
        digits: &[u32],
        others: &[Word],
    ) -> Self {
        let number: FxHashMap<u32, usize> = letters.iter().copied().zip(0..).collect();
        let words = number
            .iter()
            .map(|(&heap, &letter)| (heap, vec![(letter, 1)]))
            .collect();
        Self {
            form,
            states,
            letters: letters.len(),
            digits: digits
                .iter()
                .filter_map(|heap| number.get(heap).copied())
                .collect(),
            numbers: number,
            words,
            all: None,
        }
        .and_words(others)
    }

    /// Returns a reader that reads these heaps, too.
    fn and_words(mut self, others: &[Word]) -> Self {
        for other in others {
            let word = other.word.iter();
            let word = word.filter_map(|(heap, count)| Some((*self.numbers.get(heap)?, *count)));
            self.words.insert(other.heap, word.collect());
        }
        self
    }

    /// Returns a reader of all heaps, if words of all heaps are claimed.
    fn of_all(self, all: Option<&'a AllHeaps>) -> Self {
        let Some(all) = all else {
            return self;
        };
        let outcomes = self.and_words(&all.words);
        let listed = outcomes.words.keys().copied().max().unwrap_or(0);
        Self {
            all: Some((all, listed)),
            ..outcomes
        }
    }

    /// Returns the word of a heap, if it has one.
    fn word(&self, heap: u32) -> Option<&[(usize, u32)]> {
        let like = self.all.map(|(all, listed)| all.listed_like(listed, heap));
        self.words.get(&like.unwrap_or(heap)).map(Vec::as_slice)
    }

    /// Reports whether the evidence covers a heap.
    #[must_use]
    pub fn covers(&self, heap: u32) -> bool {
        self.word(heap).is_some()
    }

    /// Returns the letters that represent a position, with their counts, in ascending order.
    ///
    /// Returns `None` if one of its heaps is not covered. Dead heaps must be left out, as in
    /// [`EvidenceOutcomes::outcome`].
    #[must_use]
    pub fn letters_of(
        &self,
        position: impl IntoIterator<Item = (u32, u64)>,
    ) -> Option<Vec<(u32, u128)>> {
        let counts = self.counts(position)?;
        let numbers = self.numbers.iter();
        let counted = numbers.map(|(&heap, &letter)| (heap, counts[letter]));
        let mut letters: Vec<_> = counted.filter(|&(_, count)| count > 0).collect();
        letters.sort_unstable();
        Some(letters)
    }

    /// Returns the outcome claimed of a position; `None` if nothing is claimed.
    ///
    /// The position is given by its heaps with their numbers of copies. Dead heaps, which the
    /// evidence does not cover, must be left out.
    pub fn outcome(&self, position: impl IntoIterator<Item = (u32, u64)>) -> Option<Outcome> {
        let counts = self.counts(position)?;
        let state = self.begin(&counts)?;
        self.read_digits(state, &counts)
    }

    /// Returns the number of copies of each letter in a position, by the numbers of the letters.
    fn counts(&self, position: impl IntoIterator<Item = (u32, u64)>) -> Option<Vec<u128>> {
        let mut counts = vec![0_u128; self.letters];
        for (heap, copies) in position {
            for &(letter, count) in self.word(heap)? {
                let more = u128::from(count) * u128::from(copies);
                counts[letter] = counts[letter].checked_add(more)?;
            }
        }
        Some(counts)
    }

    /// Returns the state at which the automaton begins.
    fn begin(&self, all: &[u128]) -> Option<u32> {
        match &self.form {
            Form::Columns { counts, states } => {
                let mut column = Vec::with_capacity(counts.len());
                for (&count, &x) in counts.iter().zip(all) {
                    if let Count::Cycle { index, period } = count {
                        column.push(read(x, index, index.checked_add(period)?)?);
                    }
                }
                states.get(column.as_slice()).copied()
            }
            Form::Diagram { family, letters } => {
                let mut place = family.root;
                // Every child is an earlier place, so this ends.
                while let Some(at) = (place as usize).checked_sub(self.states.len()) {
                    let node = family.nodes.get(at)?;
                    let children = u32::try_from(node.children.len()).ok()?;
                    let count = read(*all.get(letters[at])?, node.index, children)?;
                    let child = *node.children.get(count as usize)?;
                    if child >= place {
                        return None;
                    }
                    place = child;
                }
                Some(place)
            }
        }
    }

    fn read_digits(&self, mut state: u32, counts: &[u128]) -> Option<Outcome> {
        let mut rest: Vec<u128> = self.digits.iter().map(|&digit| counts[digit]).collect();
        while rest.iter().any(|&x| x > 0) {
            let bits = rest.iter().enumerate();
            let bits: usize = bits.map(|(digit, x)| ((x & 1) as usize) << digit).sum();
            state = *self.states.get(state as usize)?.next.get(bits)?;
            rest.iter_mut().for_each(|x| *x >>= 1);
        }
        self.states.get(state as usize)?.outcome
    }
}

/// Returns a count as it is read: below `end` exactly, otherwise reduced by the period.
///
/// The counts from `index` to `end` repeat. Returns `None` if there are none to repeat, and the
/// count is not below `end`.
fn read(count: u128, index: u32, end: u32) -> Option<u32> {
    let (from, to) = (u128::from(index), u128::from(end));
    let read = match to.checked_sub(from) {
        _ if count < to => count,
        None | Some(0) => return None,
        Some(period) => from + (count - from) % period,
    };
    u32::try_from(read).ok()
}
