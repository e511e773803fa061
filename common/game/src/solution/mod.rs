//! Claims about games, and the verdicts.
//!
//! A [`Solution`] is the result of the engine and the input of the checker: a quotient, the
//! pretending function to some heap, and a verdict. It is plain data; nothing in it is trusted
//! before `misere_check` has proved it.
//!
//! - [`all_heaps`]: the words of all heaps of a game whose quotient is infinite
//! - [`beyond`]: claims about the heaps beyond those listed
//! - [`construction`]: claims about a quotient for which games were found
//! - [`diagram`]: evidence of infinity as a diagram, where many letters matter
//! - [`document`]: the JSON form of a solution, which is also the certificate file
//! - [`evidence`], `evidence_parts`: the evidence that a quotient is infinite
//! - `reason`: the reason why infinity is not proved
//! - [`automaton`], [`automaton_words`]: automata that decide all positions, and their form for
//!   readers
//! - [`law`], [`law_words`]: laws that decide all positions, and their form for readers
//! - [`presentation`]: claims about the whole of an infinite quotient
//! - [`presented`]: the JSON form of a presentation
//! - [`normal_period`]: the claim that nim-values repeat for ever
//! - [`normal_values`]: the claim about the nim-values to a heap
//! - [`semilinear`]: the P-positions of an infinite quotient as linear conditions
//! - [`evidence_outcomes`]: the outcomes that evidence claims, read for one position at a time
//! - [`verdict`]: the claim about the heaps beyond those listed
//! - `written`: the binary form of a solution

pub mod all_heaps;
pub mod arithmetic_period;
mod as_diagram;
pub mod automaton;
pub mod automaton_words;
pub mod beyond;
pub mod construction;
pub mod diagram;
pub mod document;
pub mod evidence;
pub mod evidence_outcomes;
mod evidence_parts;
pub mod law;
pub mod law_words;
pub mod normal_period;
pub mod normal_values;
pub mod presentation;
pub mod presented;
mod reason;
pub mod semilinear;
pub mod verdict;
mod written;

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::bipartite::{BipartiteMonoid, ClassKey, Element};
use crate::ruleset::Code;

pub use arithmetic_period::ArithmeticPeriod;
pub use automaton::{AutomatonDocument, AutomatonDocumentError, PositionAutomaton};
pub use automaton_words::StateLine;
pub use beyond::{GrowingWord, Growth, NimPeriod, Polynomial, SolvedBy, Stages, Tail};
pub use construction::Construction;
pub use diagram::DiagramFamily;
pub use document::{Document, DocumentError};
pub use evidence::{Evidence, InfiniteFamily};
pub use evidence_outcomes::EvidenceOutcomes;
pub use evidence_parts::AllHeaps;
pub use law::{HeapLaw, ThresholdLaw};
pub use law_words::LawLine;
pub use normal_period::{NormalDocument, NormalPeriod};
pub use normal_values::{ListedValuesDocument, Mark, NormalValues, NormalValuesDocument};
pub use presentation::Presentation;
pub use presented::PresentedDocument;
pub use reason::Reason;
pub use semilinear::SemilinearDocument;
pub use verdict::{Limit, Verdict};

/// A claim about the misère play of a heap game.
///
/// It consists of `Φ` to heap [`heaps`](Self::heaps) and a [`Verdict`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The game.
    pub code: Code,
    /// The claim about the heaps beyond those listed.
    pub verdict: Verdict,
    /// The misère quotient of the heaps `0..=heaps`, reduced.
    pub quotient: BipartiteMonoid,
    /// A heap with the value of each generator of the quotient, in ascending order.
    pub generator_heaps: Vec<u32>,
    /// The pretending function: `phi[n] = Φ(heap n)` for `n = 0..=heaps`. Entry 0 is the identity.
    pub phi: Vec<Element>,
    /// Each heap at which the partial quotient changed, in ascending order.
    pub partials: Vec<Partial>,
    /// The tail of normal play, with the verdict "tame relative" and only with it.
    pub tail: Option<Tail>,
    /// The pattern of growth, with the verdict "grows" and only with it.
    pub growth: Option<Growth>,
    /// The evidence that a later partial quotient is infinite, if evidence was found.
    ///
    /// Only a game that diverges has evidence. It proves the quotient infinite to the heap
    /// [`infinite_to`](Self::infinite_to), which is the heap of the divergence or a greater one.
    pub evidence: Option<Evidence>,
    /// The reason why no evidence was found, if the next partial quotient diverges without any.
    ///
    /// It is not part of the claim, and is not checked.
    pub reason: Option<Reason>,
    /// The fuel that the engine spent, which is not part of the claim.
    pub fuel: u64,
}

/// A heap at which the partial quotient changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Partial {
    /// The heap.
    pub heap: u32,
    /// The order of the partial quotient to this heap.
    pub order: u32,
    /// The number of elements in its P-portion.
    pub p_size: u32,
    /// The isomorphism class of the partial quotient.
    pub class: ClassKey,
}

/// The class of a game whose heaps are all worth nothing.
///
/// In a census of many small games it is requested more often than any other class.
static TRIVIAL_CLASS: LazyLock<ClassKey> = LazyLock::new(|| BipartiteMonoid::trivial().class_key());

impl Solution {
    /// Returns the heap to which the quotient is infinite by the evidence, if there is evidence.
    ///
    /// It is [`Evidence::infinite_to`]: at least the heap at which the game diverges.
    #[must_use]
    pub fn infinite_to(&self) -> Option<u32> {
        let heap = self.verdict.diverges_at()?;
        Some(self.evidence.as_ref()?.infinite_to(heap))
    }

    /// Returns the rule that decides every position of a game that grows, if one is proved.
    #[must_use]
    pub fn solved_by(&self) -> Option<&SolvedBy> {
        self.growth.as_ref()?.solved_by.as_ref()
    }

    /// Returns the law that decides every position of all heaps, if one is proved.
    #[must_use]
    pub fn law(&self) -> Option<&ThresholdLaw> {
        match self.solved_by()? {
            SolvedBy::Law(law) => Some(law),
            SolvedBy::Automaton(_) => None,
        }
    }

    /// Returns the automaton that decides every position of all heaps, if one is proved.
    #[must_use]
    pub fn automaton(&self) -> Option<&PositionAutomaton> {
        match self.solved_by()? {
            SolvedBy::Law(_) => None,
            SolvedBy::Automaton(automaton) => Some(automaton),
        }
    }

    /// Returns the greatest heap to which `Φ` is claimed.
    ///
    /// ```
    /// use misere_game::solution::Document;
    /// let file = std::fs::read_to_string("tests/data/0.123.json")?;
    /// let solution = serde_json::from_str::<Document>(&file)?.into_solution()?;
    /// assert_eq!((solution.heaps(), solution.phi.len()), (22, 23));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn heaps(&self) -> u32 {
        self.phi.len().saturating_sub(1) as u32
    }

    /// Returns `Φ` of a heap: listed, or by the period of a solved game.
    ///
    /// Returns `None` if the heap is beyond those listed and no period is claimed. That the period
    /// holds there follows once a full period from the preperiod on is listed (misère Guy–Smith
    /// theorem, Plambeck 2005, Theorem 3), which the checker has proved of an accepted solution.
    ///
    /// ```
    /// use misere_game::solution::Document;
    /// // The period of 0.123 is 5 from heap 5 on.
    /// let file = std::fs::read_to_string("tests/data/0.123.json")?;
    /// let solution = serde_json::from_str::<Document>(&file)?.into_solution()?;
    /// assert_eq!(solution.value(1_000_006), Some(solution.phi[6]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn value(&self, heap: u32) -> Option<Element> {
        let place = if let Some((period, _)) = self.verdict.period() {
            repeated_heap(heap.into(), self.heaps().into(), period.into())?.0
        } else {
            heap.into()
        };
        self.phi.get(usize::try_from(place).ok()?).copied()
    }

    /// Returns the isomorphism class of the quotient.
    ///
    /// It is the class of the last change, or of the trivial monoid if there was none.
    ///
    /// ```
    /// use misere_game::bipartite::families::tame;
    /// use misere_game::solution::Document;
    /// // 0.3: the heaps are 0, *, 0, *, …, so the quotient is T_1.
    /// let file = std::fs::read_to_string("tests/data/0.3.json")?;
    /// let solution = serde_json::from_str::<Document>(&file)?.into_solution()?;
    /// assert_eq!(solution.class(), tame(1).class_key());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn class(&self) -> ClassKey {
        let trivial = || *TRIVIAL_CLASS;
        self.partials
            .last()
            .map_or_else(trivial, |partial| partial.class)
    }

    /// Reports whether the game is tame; `None` if this is open.
    ///
    /// A game is tame if its quotient is some `T_n` (Siegel, *Structure and classification*,
    /// section 1). It is open if the quotient so far is tame, and the game is neither solved nor
    /// tame relative to a heap (tame extensions of a `T_n` are some `T_m` or `T_∞`). A wild partial
    /// quotient makes a game wild for good.
    ///
    /// Cost: linear in the order of the quotient.
    ///
    /// ```
    /// use misere_game::solution::Document;
    /// for (game, tame) in [("0.3", true), ("0.123", false)] {
    ///     let file = std::fs::read_to_string(format!("tests/data/{game}.json"))?;
    ///     let solution = serde_json::from_str::<Document>(&file)?.into_solution()?;
    ///     assert_eq!(solution.tame(), Some(tame));
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn tame(&self) -> Option<bool> {
        let tame_so_far = self.quotient.is_tame();
        (self.verdict.describes_all_heaps() || !tame_so_far).then_some(tame_so_far)
    }
}

/// Returns the listed heap that `heap` repeats, and the number of periods between the two.
///
/// They are `heap` itself and 0 if it is at most `listed`. Returns `None` if the list is shorter
/// than a period.
///
/// ```
/// use misere_game::solution::repeated_heap;
/// assert_eq!(repeated_heap(9, 10, 4), Some((9, 0)));
/// assert_eq!(repeated_heap(15, 10, 4), Some((7, 2)));
/// ```
#[must_use]
pub fn repeated_heap(heap: u64, listed: u64, period: u64) -> Option<(u64, u64)> {
    let periods = heap.saturating_sub(listed).div_ceil(period.max(1));
    Some((heap.checked_sub(periods.checked_mul(period)?)?, periods))
}
