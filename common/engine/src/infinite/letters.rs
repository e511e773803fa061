//! New letters: evidence that continues where a heap has no word.
//!
//! A heap that may not be played as a sum of letters has to become a letter. Then the outcomes are
//! learnt again for all letters together, and the checker proves them again; the previous evidence
//! gives the letters and words to begin with.

use misere_game::control::{Control, Stop};
use misere_game::ruleset::Code;
use misere_game::solution::{Evidence, EvidenceOutcomes};

use super::diagram::DiagramSearchError;
use super::{diagram, find, words};

/// The greatest fuel for columns, and for a diagram, each time that a heap becomes a letter.
const LETTER_FUEL: u64 = 8_000_000;

/// The greatest number of letters of evidence that is made in this way.
const MAX_LETTERS: usize = 24;

/// Returns evidence of the heaps `0..=to`, or of as many of them as it is found for.
///
/// Further heaps get words. A heap without a word becomes a letter of new evidence.
///
/// The outcomes that the result claims are right if the outcomes that the evidence claims are
/// right: the checker has checked every word and everything that was learnt again. The result's
/// claim of distinct multiples is proved for its own heaps, which may be greater than the one at
/// which the quotient becomes infinite.
///
/// Cost: the search for each word and for each letter, spent from `control`.
///
/// # Errors
/// [`Stop::Interrupted`]. If the fuel runs out, the result is the evidence found before.
pub fn extend_by_letters(
    code: &Code,
    evidence: &Evidence,
    to: u32,
    control: &mut Control,
) -> Result<Evidence, Stop> {
    let mut extended = evidence.clone();
    let last = evidence.heaps().last().copied().unwrap_or(0);
    for heap in 0..=to {
        if !code.is_live(heap) || EvidenceOutcomes::new(&extended).covers(heap) {
            continue;
        }
        let more = match words::find(code, &extended, heap, control) {
            Ok(Some(word)) => Ok(Some(words::with_word(&extended, heap, word))),
            // The heaps of the evidence do not need this one.
            Ok(None) if heap <= last => continue,
            Ok(None) => with_letter_and_words(code, &extended, heap, control),
            Err(stop) => Err(stop),
        };
        match more {
            Ok(Some(more)) => extended = more,
            Ok(None) | Err(Stop::FuelSpent) => break,
            Err(Stop::Interrupted) => return Err(Stop::Interrupted),
        }
    }
    Ok(extended)
}

/// Returns the evidence of [`with_letter`], with words for the smaller heaps that it omits.
fn with_letter_and_words(
    code: &Code,
    evidence: &Evidence,
    heap: u32,
    control: &mut Control,
) -> Result<Option<Evidence>, Stop> {
    let Some(more) = with_letter(code, evidence, heap, control)? else {
        return Ok(None);
    };
    match words::extend(code, &more, heap, control) {
        Ok(with_words) => Ok(Some(with_words)),
        Err(Stop::FuelSpent) => Ok(Some(more)),
        Err(Stop::Interrupted) => Err(Stop::Interrupted),
    }
}

/// Returns evidence of the heaps `0..=heap` in which the last one is a letter, if it is found.
fn with_letter(
    code: &Code,
    evidence: &Evidence,
    heap: u32,
    control: &mut Control,
) -> Result<Option<Evidence>, Stop> {
    let mut letters = evidence.letters();
    letters.push(heap);
    letters.sort_unstable();
    if letters.len() > MAX_LETTERS {
        return Ok(None);
    }
    let word = |of: u32| match of == heap {
        true => vec![(heap, 1)],
        false => evidence.word_of(of).unwrap_or_default(),
    };
    let words: Vec<Vec<(u32, u32)>> = (0..=heap).map(word).collect();
    let columns = control.within(LETTER_FUEL, |part| find(code, &letters, &words, &[], part));
    match columns {
        Ok(Some(family)) => return Ok(Some(Evidence::Columns(family))),
        Ok(None) | Err(Stop::FuelSpent) => {}
        Err(Stop::Interrupted) => return Err(Stop::Interrupted),
    }
    let diagram = control.within(LETTER_FUEL, |part| {
        diagram::find(code, &letters, &words, part)
    });
    match diagram {
        Ok(family) => Ok(Some(Evidence::Diagram(family))),
        Err(DiagramSearchError::Ended(_) | DiagramSearchError::Stopped(Stop::FuelSpent)) => {
            Ok(None)
        }
        Err(DiagramSearchError::Stopped(Stop::Interrupted)) => Err(Stop::Interrupted),
    }
}
