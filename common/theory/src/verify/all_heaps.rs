//! The check of words that are claimed for all heaps.
//!
//! The independent checker of [`AllHeaps`]. The outcomes that the evidence claims of its own heaps
//! have been, or will be, proved. The hypotheses B1 to B7 are those of `docs/beyond.md`, where it
//! is proved that they are enough.

use std::collections::HashMap;

use super::infinite::{self, FamilyFlaw, diagram};
use super::{Flaw, check_repetition};
use crate::control::Control;
use crate::ruleset::Code;
use crate::solution::evidence::{MAX_WORDS, Word};
use crate::solution::{AllHeaps, Evidence};

/// Proves that outcomes, claimed rightly of some heaps, are right for all heaps with these words,
/// and that they are claimed of every position.
///
/// Cost: that of judging each word, and of comparing the words.
pub(super) fn check(
    code: &Code,
    evidence: &Evidence,
    all: &AllHeaps,
    control: &mut Control,
) -> Result<(), Flaw> {
    // B1
    if !code.is_take_and_break() {
        return Err(Flaw::NotACode);
    }
    let bad = |pair: &&[Word]| pair[0].heap >= pair[1].heap;
    if let Some(pair) = all.words.windows(2).find(bad) {
        return Err(flaw(FamilyFlaw::Heap { heap: pair[1].heap }));
    }
    let extended = evidence.with_listed_words();
    let listed = listed(code, &extended, control)?;
    // B4 to B6: the period is proved by the heaps listed, and it is the least.
    check_repetition(code, &listed, all.period, all.preperiod, control)?;
    let heaps = listed.len().saturating_sub(1) as u32;
    // B3, for the heaps of which the evidence itself says nothing.
    let asked = |heap: u32| {
        let place = all.words.binary_search_by_key(&heap, |word| word.heap);
        place.is_ok()
    };
    let judged = match extended.as_ref() {
        Evidence::Columns(family) => {
            infinite::check_these_words(code, heaps, family, asked, control)
        }
        Evidence::Diagram(family) => {
            diagram::check_these_words(code, heaps, family, asked, control)
        }
    };
    judged.map_err(flaw)?;
    // B7
    let says_all = match evidence {
        Evidence::Columns(family) => infinite::says_all(code, heaps, family, control),
        Evidence::Diagram(family) => diagram::says_all(code, heaps, family, control),
    };
    match says_all.map_err(flaw)? {
        true => Ok(()),
        false => Err(flaw(FamilyFlaw::Silent)),
    }
}

/// The words of the heaps from 0 to the greatest one with a word, as numbers that are equal for
/// equal words. B2: every live heap has one.
fn listed(code: &Code, evidence: &Evidence, control: &mut Control) -> Result<Vec<u32>, Flaw> {
    let mut word_of: HashMap<u32, Vec<(u32, u32)>> = HashMap::new();
    for letter in evidence.letters() {
        word_of.insert(letter, vec![(letter, 1)]);
    }
    for Word { heap, word } in evidence.words() {
        let mut word = word.clone();
        word.retain(|&(_, count)| count > 0);
        word.sort_unstable();
        word_of.insert(*heap, word);
    }
    let greatest = word_of.keys().copied().max().unwrap_or(0);
    // A live heap without a word ends this soon, and few heaps are dead before the last live one.
    let mut numbers = HashMap::from([(Vec::new(), 0)]);
    let mut listed = vec![0];
    for heap in 1..=greatest {
        control.spend(100 + code.length() as u64)?;
        let word = match word_of.remove(&heap) {
            Some(word) => word,
            None if code.is_live(heap) => return Err(flaw(FamilyFlaw::NoWord { heap })),
            None => Vec::new(),
        };
        if listed.len() > 2 * MAX_WORDS {
            return Err(flaw(FamilyFlaw::NoWord { heap }));
        }
        let next = numbers.len() as u32;
        listed.push(*numbers.entry(word).or_insert(next));
    }
    Ok(listed)
}

fn flaw(flaw: FamilyFlaw) -> Flaw {
    match flaw {
        FamilyFlaw::Unchecked(stop) => Flaw::Unchecked(stop),
        flaw => Flaw::Evidence(flaw),
    }
}
