//! The evidence that a misère quotient is infinite.
//!
//! [`Evidence`] has two forms: columns, in this module, and a [`DiagramFamily`]. An
//! [`InfiniteFamily`] states outcomes of infinitely many positions by a finite automaton, and names
//! heaps whose multiples are all distinguished by these outcomes. `misere_check` proves it from
//! the rules alone. `docs/infinite.md` lists the conditions to prove and shows why they suffice.

use serde::{Deserialize, Serialize};

use super::diagram::DiagramFamily;
use super::evidence_parts::AllHeaps;
pub use super::evidence_parts::{MAX_STATES, MAX_WORDS, State, Word};
use crate::lists::{at_most, snug};

/// The most columns that are read and checked.
pub const MAX_COLUMNS: usize = 65_536;

/// A proof that a misère quotient is infinite, in one of two forms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// The counts of the ordinary letters are listed as columns.
    Columns(InfiniteFamily),
    /// The counts of the ordinary letters lead through a diagram.
    Diagram(DiagramFamily),
}

impl Evidence {
    /// Returns the heaps whose multiples all have different values.
    ///
    /// ```
    /// use misere_game::solution::Document;
    /// // The quotient of the heaps 0 to 5 of 0.31011 is infinite (Weimerskirch).
    /// let file = std::fs::read_to_string("tests/data/0.31011.json")?;
    /// let solution = serde_json::from_str::<Document>(&file)?.into_solution()?;
    /// let evidence = solution.evidence.ok_or("evidence")?;
    /// assert_eq!(evidence.distinct_multiples(), [4, 5]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn distinct_multiples(&self) -> &[u32] {
        match self {
            Self::Columns(family) => &family.distinct_multiples,
            Self::Diagram(family) => &family.distinct_multiples,
        }
    }

    /// Returns the heaps covered, in ascending order.
    #[must_use]
    pub fn heaps(&self) -> Vec<u32> {
        match self {
            Self::Columns(family) => family.heaps(),
            Self::Diagram(family) => family.heaps(),
        }
    }

    /// Returns the greatest heap `M` of the quotient that the evidence proves infinite.
    ///
    /// `diverges_at` is the heap `n` at which the game diverges. `M` is the greatest letter, and at
    /// least `n`: positions of letters tell the multiples apart, and evidence may have letters
    /// greater than `n`. This function is the only definition of `M`; `M` is not stated anywhere.
    ///
    /// ```
    /// use misere_game::solution::Document;
    /// let file = std::fs::read_to_string("tests/data/0.31011.json")?;
    /// let solution = serde_json::from_str::<Document>(&file)?.into_solution()?;
    /// let evidence = solution.evidence.ok_or("evidence")?;
    /// assert_eq!((evidence.infinite_to(5), evidence.infinite_to(7)), (5, 7));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn infinite_to(&self, diverges_at: u32) -> u32 {
        let greatest = match self {
            Self::Columns(family) => family.letters.iter().map(|letter| letter.heap).max(),
            Self::Diagram(family) => family.letters.iter().copied().max(),
        };
        greatest.map_or(diverges_at, |letter| letter.max(diverges_at))
    }

    /// Returns the evidence, if it is in columns.
    #[must_use]
    pub fn columns(&self) -> Option<&InfiniteFamily> {
        match self {
            Self::Columns(family) => Some(family),
            Self::Diagram(_) => None,
        }
    }

    /// Returns the evidence, if it is a diagram.
    #[must_use]
    pub fn diagram(&self) -> Option<&DiagramFamily> {
        match self {
            Self::Columns(_) => None,
            Self::Diagram(family) => Some(family),
        }
    }
}

/// The binary form of evidence, or of the reason why there is none.
///
/// Their absence has a number, too: 0 for neither, 1 for columns, 2 for a diagram without an order,
/// 3 for a diagram with an order, 4 for columns and 5 for a diagram with the words of all heaps, 6
/// for a reason.
pub(super) mod numbered {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::super::diagram::Unordered;
    use super::{AllHeaps, DiagramFamily, Evidence, InfiniteFamily};
    use crate::solution::Reason;

    #[derive(Serialize)]
    enum EvidenceForm<'a> {
        Nothing,
        Columns(&'a InfiniteFamily),
        Diagram(#[serde(serialize_with = "Unordered::serialize")] &'a DiagramFamily),
        Ordered(&'a DiagramFamily),
        ColumnsOfAllHeaps(&'a InfiniteFamily, &'a AllHeaps),
        DiagramOfAllHeaps(&'a DiagramFamily, &'a AllHeaps),
        Unproved(Reason),
    }

    #[derive(Deserialize)]
    enum EvidenceSource {
        Nothing,
        Columns(InfiniteFamily),
        Diagram(#[serde(deserialize_with = "Unordered::deserialize")] DiagramFamily),
        Ordered(DiagramFamily),
        ColumnsOfAllHeaps(InfiniteFamily, AllHeaps),
        DiagramOfAllHeaps(DiagramFamily, AllHeaps),
        Unproved(Reason),
    }

    pub(in super::super) fn serialize<S: Serializer>(
        &(evidence, reason): &(&Option<Evidence>, Option<Reason>),
        to: S,
    ) -> Result<S::Ok, S::Error> {
        let all = evidence.as_ref().and_then(Evidence::all_heaps);
        let written = match (evidence, all) {
            (None, _) => reason.map_or(EvidenceForm::Nothing, EvidenceForm::Unproved),
            (Some(Evidence::Columns(family)), None) => EvidenceForm::Columns(family),
            (Some(Evidence::Diagram(family)), None) if family.order.is_empty() => {
                EvidenceForm::Diagram(family)
            }
            (Some(Evidence::Diagram(family)), None) => EvidenceForm::Ordered(family),
            (Some(Evidence::Columns(family)), Some(all)) => {
                EvidenceForm::ColumnsOfAllHeaps(family, all)
            }
            (Some(Evidence::Diagram(family)), Some(all)) => {
                EvidenceForm::DiagramOfAllHeaps(family, all)
            }
        };
        written.serialize(to)
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<(Option<Evidence>, Option<Reason>), D::Error> {
        let (evidence, all) = match EvidenceSource::deserialize(from)? {
            EvidenceSource::Nothing => return Ok((None, None)),
            EvidenceSource::Unproved(reason) => return Ok((None, Some(reason))),
            EvidenceSource::Columns(family) => (Evidence::Columns(family), None),
            EvidenceSource::Diagram(family) | EvidenceSource::Ordered(family) => {
                (Evidence::Diagram(family), None)
            }
            EvidenceSource::ColumnsOfAllHeaps(family, all) => {
                (Evidence::Columns(family), Some(all))
            }
            EvidenceSource::DiagramOfAllHeaps(family, all) => {
                (Evidence::Diagram(family), Some(all))
            }
        };
        Ok((Some(evidence.with_all_heaps(all)), None))
    }
}

/// A statement about the positions of some heaps that makes their misère quotient infinite.
///
/// A position is read as a vector of counts, one for each **letter**: the heap of a letter counts
/// as itself, and every other heap as its word. Some letters are **digits**. The counts of the
/// other letters, read through their cycles, name a **column**, and the column names a state of the
/// automaton. From there the automaton reads the counts of the digits in binary, least significant
/// digit first, one digit of each count at a time, and ends in a state with an outcome.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InfiniteFamily {
    /// The heaps `g` whose multiples `0, g, 2g, 3g, …` are claimed to have different values.
    ///
    /// No two of these multiples have equal value. All of the heaps are digits.
    #[serde(deserialize_with = "snug")]
    pub distinct_multiples: Vec<u32>,
    /// The letters in ascending order of their heaps.
    #[serde(deserialize_with = "snug")]
    pub letters: Vec<Letter>,
    /// The words of the other heaps covered, ascending: the letters that represent each of them.
    #[serde(deserialize_with = "at_most::<MAX_WORDS, _, _>")]
    pub words: Vec<Word>,
    /// The columns for which outcomes are claimed.
    #[serde(deserialize_with = "at_most::<MAX_COLUMNS, _, _>")]
    pub columns: Vec<Column>,
    /// The states of the automaton.
    #[serde(deserialize_with = "at_most::<MAX_STATES, _, _>")]
    pub states: Vec<State>,
    /// The words of all heaps, if they are known; they are proved.
    ///
    /// Both forms of a solution write them beside the family and not as a part of it.
    #[serde(skip)]
    pub all_heaps: Option<AllHeaps>,
}

/// A heap whose copies are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Letter {
    /// The heap.
    pub heap: u32,
    /// The way in which the count of the letter is read.
    pub count: Count,
}

/// The way in which a count is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Count {
    /// The automaton reads the exact count, in binary.
    Digits,
    /// The exact count is read below `index + period`.
    ///
    /// From a greater count, `period` is subtracted until it is below. With period 0, nothing is
    /// claimed of counts from `index` on. The index is at least 1.
    Cycle {
        /// The index at which the cycle begins.
        index: u32,
        /// The length of the cycle.
        period: u32,
    },
}

/// The state at which the automaton begins, for some counts of the letters that are not digits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Column {
    /// The counts of the letters that are not digits, in the order of the letters.
    #[serde(deserialize_with = "snug")]
    pub counts: Vec<u32>,
    /// The state at which the automaton begins.
    pub state: u32,
}

impl InfiniteFamily {
    /// Returns the heaps whose counts are read in binary, in ascending order.
    ///
    /// ```
    /// use misere_game::solution::InfiniteFamily;
    /// use misere_game::solution::evidence::{Count, Letter};
    /// let family = InfiniteFamily {
    ///     distinct_multiples: vec![7],
    ///     letters: vec![
    ///         Letter { heap: 3, count: Count::Cycle { index: 1, period: 2 } },
    ///         Letter { heap: 7, count: Count::Digits },
    ///     ],
    ///     words: Vec::new(),
    ///     columns: Vec::new(),
    ///     states: Vec::new(),
    ///     all_heaps: None,
    /// };
    /// assert_eq!(family.digits().collect::<Vec<_>>(), [7]);
    /// assert_eq!(family.heaps(), [3, 7]);
    /// ```
    pub fn digits(&self) -> impl Iterator<Item = u32> {
        let is_digit = |letter: &&Letter| letter.count == Count::Digits;
        self.letters
            .iter()
            .filter(is_digit)
            .map(|letter| letter.heap)
    }

    /// Returns the heaps covered, in ascending order.
    #[must_use]
    pub fn heaps(&self) -> Vec<u32> {
        let letters = self.letters.iter().map(|letter| letter.heap);
        let mut heaps: Vec<u32> = letters
            .chain(self.words.iter().map(|word| word.heap))
            .collect();
        heaps.sort_unstable();
        heaps
    }
}
