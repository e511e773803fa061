//! The search for words of all heaps.
//!
//! If every heap beyond the heaps of some evidence may be played as a word, and the words repeat
//! for long enough, they repeat for ever (`docs/beyond.md`). Words are guessed as for single heaps,
//! one heap after the other, and the checker checks each.

use rustc_hash::FxHashMap;

use misere_check::infinite::{self, FamilyCheckError, diagram};
use misere_game::control::{Control, Stop};
use misere_game::ruleset::Code;
use misere_game::solution::evidence::Word;
use misere_game::solution::{AllHeaps, Evidence, EvidenceOutcomes, NimPeriod};

use super::words;
use crate::normal::period;

/// The greatest heap for which a word is searched.
const MAX_HEAP: u32 = 600;

/// Searches for words of all heaps with which the outcomes that the evidence claims continue.
///
/// The result is `None` if some heap has no word, or the words do not repeat.
///
/// Cost: the search for each word, spent from `control`.
///
/// ```
/// use misere_game::control::Control;
/// use misere_engine::infinite::for_all_heaps;
/// use misere_engine::quotient::{Limits, Strategy, solve};
/// // The quotient of the heaps 0 to 5 of 0.31011 is infinite; heap 6 is irrelevant.
/// let (code, control) = ("0.31011".parse()?, &mut Control::unlimited());
/// let solution = solve(&code, &Limits::default(), Strategy::Exact, control);
/// let evidence = solution.evidence.ok_or("evidence")?.with_all_heaps(None);
/// let all = for_all_heaps(&code, &evidence, control)?.ok_or("words")?;
/// assert_eq!((all.preperiod, all.period), (6, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Stop`] if `control` ends it.
pub fn for_all_heaps(
    code: &Code,
    evidence: &Evidence,
    control: &mut Control,
) -> Result<Option<AllHeaps>, Stop> {
    if !code.is_take_and_break() || !is_total(code, evidence, control)? {
        return Ok(None);
    }
    let mut extended = evidence.clone();
    let mut more = Vec::new();
    let mut repetition = Repetition::default();
    let last = evidence.heaps().last().copied().unwrap_or(0);
    for heap in 1..=MAX_HEAP {
        if code.is_live(heap) && !EvidenceOutcomes::new(&extended).covers(heap) {
            let Some(word) = words::find(code, &extended, heap, control)? else {
                return Ok(None);
            };
            extended = words::with_word(&extended, heap, word.clone());
            more.push(Word { heap, word });
        }
        control.spend(u64::from(heap) * 20)?;
        let proved = repetition.next(extended.word_of(heap), code);
        if let (true, Some(NimPeriod { period, preperiod })) = (heap >= last, proved) {
            return Ok(Some(AllHeaps {
                preperiod,
                period,
                words: more,
            }));
        }
    }
    Ok(None)
}

/// Reports whether the evidence claims an outcome of every position of its heaps.
fn is_total(code: &Code, evidence: &Evidence, control: &mut Control) -> Result<bool, Stop> {
    let heaps = evidence.heaps().last().copied().unwrap_or(0);
    let is_total = match evidence {
        Evidence::Columns(family) => infinite::is_total(code, heaps, family, control),
        Evidence::Diagram(family) => diagram::is_total(code, heaps, family, control),
    };
    match is_total {
        Ok(is_total) => Ok(is_total),
        Err(FamilyCheckError::Unchecked(stop)) => Err(stop),
        Err(_) => Ok(false),
    }
}

/// The words of the heaps from 0 on, watched for a period that they prove.
pub(crate) struct Repetition {
    /// The words as numbers that are equal for equal words.
    listed: Vec<u32>,
    numbers: FxHashMap<Vec<(u32, u32)>, u32>,
}

impl Default for Repetition {
    fn default() -> Self {
        Self {
            listed: vec![0],
            numbers: [(Vec::new(), 0)].into_iter().collect(),
        }
    }
}

impl Repetition {
    /// Records the word of the next heap and returns the least period that is proved now.
    ///
    /// Cost: linear in the number of heaps.
    pub(crate) fn next(&mut self, word: Option<Vec<(u32, u32)>>, code: &Code) -> Option<NimPeriod> {
        let next = self.numbers.len() as u32;
        let word = word.unwrap_or_default();
        self.listed.push(*self.numbers.entry(word).or_insert(next));
        period::proved(&self.listed, code)
    }
}
