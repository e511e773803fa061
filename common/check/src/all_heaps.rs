//! The check of words that are claimed for all heaps.
//!
//! The independent checker of [`AllHeaps`]. The outcomes that the evidence claims for its own heaps
//! are proved elsewhere, before or after this check. `docs/beyond.md` states the hypotheses B1 to
//! B7 and proves that they suffice.

use std::collections::HashMap;

use misere_game::control::Control;
use misere_game::ruleset::Code;
use misere_game::solution::evidence::{MAX_WORDS, Word};
use misere_game::solution::{AllHeaps, Evidence};

use super::infinite::{self, FamilyCheckError, diagram};
use super::{CheckError, check_repetition};

/// Proves the words claimed for all heaps.
///
/// If the outcomes of some heaps are correct, they are correct for all heaps with these words, and
/// every position has one.
///
/// Cost: judging each word, and comparing the words.
pub(super) fn check(
    code: &Code,
    evidence: &Evidence,
    all: &AllHeaps,
    control: &mut Control,
) -> Result<(), CheckError> {
    // B1
    if !code.is_take_and_break() {
        return Err(CheckError::NotACode);
    }
    let bad = |pair: &&[Word]| pair[0].heap >= pair[1].heap;
    if let Some(pair) = all.words.windows(2).find(bad) {
        return Err(flaw(FamilyCheckError::Heap { heap: pair[1].heap }));
    }
    let extended = evidence.with_listed_words();
    let listed = listed(code, &extended, control)?;
    // B4 to B6: the period is proved by the heaps listed, and it is the least.
    check_repetition(code, &listed, all.period, all.preperiod, control)?;
    let heaps = listed.len().saturating_sub(1) as u32;
    // B7
    let is_total = match evidence {
        Evidence::Columns(family) => infinite::is_total(code, heaps, family, control),
        Evidence::Diagram(family) => diagram::is_total(code, heaps, family, control),
    };
    if !is_total.map_err(flaw)? {
        return Err(flaw(FamilyCheckError::Silent));
    }
    // B3, for the heaps that the evidence itself does not cover.
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
    judged.map_err(flaw)
}

/// Checks B2, that every live heap has a word, and returns the words as numbers.
///
/// The list covers the heaps from 0 to the greatest one with a word. Equal words have equal
/// numbers.
fn listed(code: &Code, evidence: &Evidence, control: &mut Control) -> Result<Vec<u32>, CheckError> {
    let mut word_of: HashMap<u32, Vec<(u32, u32)>> = HashMap::new();
    for letter in evidence.letters() {
        word_of.insert(letter, vec![(letter, 1)]);
    }
    for Word { heap, word } in evidence.words() {
        let mut word = word.clone();
        word.retain(|&(_, count)| count > 0);
        word.sort_unstable();
        if word_of.insert(*heap, word).is_some() {
            return Err(flaw(FamilyCheckError::Heap { heap: *heap }));
        }
    }
    let greatest = word_of.keys().copied().max().unwrap_or(0);
    // A live heap without a word ends this soon, and few heaps are dead before the last live one.
    let mut numbers = HashMap::from([(Vec::new(), 0)]);
    let mut listed = vec![0];
    for heap in 1..=greatest {
        control.spend(100 + code.length() as u64)?;
        let word = match word_of.remove(&heap) {
            Some(word) => word,
            None if code.is_live(heap) => return Err(flaw(FamilyCheckError::NoWord { heap })),
            None => Vec::new(),
        };
        if listed.len() > 2 * MAX_WORDS {
            return Err(flaw(FamilyCheckError::NoWord { heap }));
        }
        let next = numbers.len() as u32;
        listed.push(*numbers.entry(word).or_insert(next));
    }
    Ok(listed)
}

fn flaw(flaw: FamilyCheckError) -> CheckError {
    match flaw {
        FamilyCheckError::Unchecked(stop) => CheckError::Unchecked(stop),
        flaw => CheckError::Evidence(flaw),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use misere_game::outcome::{Convention, Oracle, Outcome};
    use misere_game::solution::EvidenceOutcomes;
    use misere_game::solution::evidence::{Column, Count, InfiniteFamily, Letter, State};

    use super::*;
    use crate::nim_values::proved_period;

    /// Returns outcomes that are correct for any code in which a heap of 1 can be taken.
    ///
    /// Copies of heap 1 are read by their parity. (The multiples of heap 1 are not distinct;
    /// another check judges that.)
    fn parity() -> InfiniteFamily {
        let state = |outcome, next: [u32; 2]| State {
            outcome: Some(outcome),
            next: next.to_vec(),
        };
        InfiniteFamily {
            distinct_multiples: vec![1],
            letters: vec![Letter {
                heap: 1,
                count: Count::Digits,
            }],
            words: Vec::new(),
            columns: vec![Column {
                counts: Vec::new(),
                state: 0,
            }],
            states: vec![
                state(Outcome::N, [2, 1]),
                state(Outcome::P, [1, 1]),
                state(Outcome::N, [2, 2]),
            ],
            all_heaps: None,
        }
    }

    fn odd(heap: u32, odd: bool) -> Word {
        let word = match odd {
            true => vec![(1, 1)],
            false => Vec::new(),
        };
        Word { heap, word }
    }

    /// Returns the words of 0.3: odd heaps equal one heap of 1, and even heaps equal nothing.
    fn of_0_3() -> AllHeaps {
        AllHeaps {
            preperiod: 0,
            period: 2,
            words: (2..=6).map(|heap| odd(heap, heap % 2 == 1)).collect(),
        }
    }

    fn judged(code: &str, family: InfiniteFamily, all: &AllHeaps) -> Result<(), CheckError> {
        let evidence = Evidence::Columns(family).with_all_heaps(Some(all.clone()));
        let code = code.parse().unwrap();
        check(&code, &evidence, all, &mut Control::unlimited())
    }

    #[test]
    fn b1_the_game_is_a_code() {
        assert_eq!(judged("0.3", parity(), &of_0_3()), Ok(()));
        let grundy = judged("grundy", parity(), &of_0_3());
        assert_eq!(grundy, Err(CheckError::NotACode));
    }

    #[test]
    fn b7_an_outcome_is_claimed_of_every_position() {
        let silent = Err(CheckError::Evidence(FamilyCheckError::Silent));
        let mut no_outcome = parity();
        no_outcome.states[1] = State {
            outcome: None,
            next: vec![1, 1],
        };
        assert_eq!(judged("0.3", no_outcome, &of_0_3()), silent);
        // A state that is not reached may lack an outcome. Heap 2 as a further letter: all three
        // counts of its cycle have to be listed, and repeat.
        let mut letter = parity();
        letter.states.push(State {
            outcome: None,
            next: vec![3, 3],
        });
        let count = Count::Cycle {
            index: 1,
            period: 2,
        };
        letter.letters.push(Letter { heap: 2, count });
        letter.columns = (0..3)
            .map(|x| Column {
                counts: vec![x],
                state: 0,
            })
            .collect();
        let all = AllHeaps {
            preperiod: 3,
            words: (3..=10).map(|heap| odd(heap, heap % 2 == 1)).collect(),
            ..of_0_3()
        };
        assert_eq!(judged("0.3", letter.clone(), &all), Ok(()));
        let mut few = letter.clone();
        few.columns.pop();
        assert_eq!(judged("0.3", few, &all), silent);
        let mut no_cycle = letter;
        no_cycle.letters[1].count = Count::Cycle {
            index: 3,
            period: 0,
        };
        assert_eq!(judged("0.3", no_cycle, &all), silent);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]
        /// Generates claims that are nearly right: words for all heaps close to the parities of
        /// nim-values, with any period. Claims that pass agree with the definition, also beyond the
        /// heaps listed.
        #[test]
        fn words_that_pass_are_right(
            digits in prop::collection::vec(0_u8..8, 0..3),
            change in 0_u32..40,
            changes in any::<bool>(),
            (preperiod, period) in (0_u32..4, 1_u32..5),
        ) {
            let code = Code::new(0, &[&[3], &digits[..]].concat()).unwrap();
            let heaps = code.heaps_to_prove(preperiod, period) as u32;
            let mut parities = vec![false, true];
            for heap in 2..=heaps {
                let mut some_even = false;
                code.for_each_option(heap, |option| {
                    let odd = option.parts().filter(|&part| parities[part as usize]).count() % 2;
                    some_even |= odd == 0;
                });
                parities.push(some_even != (changes && heap == change));
            }
            let numbers: Vec<u32> = parities.iter().map(|&odd| u32::from(odd)).collect();
            let proved = proved_period(&numbers, &code, &mut Control::unlimited()).unwrap();
            let (period, preperiod) = proved.unwrap_or((period, preperiod));
            let words = (2..=heaps).map(|heap| odd(heap, parities[heap as usize])).collect();
            let all = AllHeaps { preperiod, period, words };
            let evidence = Evidence::Columns(parity()).with_all_heaps(Some(all.clone()));
            if check(&code, &evidence, &all, &mut Control::unlimited()).is_ok() {
                let told = EvidenceOutcomes::new(&evidence);
                let mut oracle = Oracle::new(&code, Convention::Misere);
                let control = &mut Control::unlimited();
                for x in 1..=heaps + 7 {
                    for y in 0..=4 {
                        for z in 0..=y {
                            let position: Vec<u32> =
                                [x, y, z].into_iter().filter(|&heap| code.is_live(heap)).collect();
                            let copies = position.iter().map(|&heap| (heap, 1));
                            let right = oracle.outcome(&position, control).unwrap();
                            prop_assert_eq!(told.outcome(copies), Some(right), "{} {:?}", code, position);
                        }
                    }
                }
            }
        }
    }
}
