//! The heaps that evidence covers, and their options as words of letters.

use std::collections::HashMap;

use misere_game::control::Control;
use misere_game::ruleset::Code;
use misere_game::solution::evidence::Word;

use super::{FamilyCheckError, too_large};

/// The most options of all heaps together.
const MAX_OPTIONS: usize = 200_000;
/// The greatest count in a word, and the greatest index and period of a cycle.
pub(super) const MAX_COUNT: u32 = 200;

/// A vector with one count for each letter.
pub(super) type Counts = Vec<i32>;

/// The letters and the other heaps, with their options as words.
pub(super) struct Alphabet {
    /// The options of each letter, as words.
    pub(super) options: Vec<Vec<Counts>>,
    /// The heaps that are not letters.
    pub(super) others: Vec<Other>,
}

/// A heap that is not a letter.
pub(super) struct Other {
    pub(super) heap: u32,
    pub(super) word: Counts,
    pub(super) options: Vec<Counts>,
}

impl Alphabet {
    /// Returns the letters and the heaps of `words` with their options, and checks H1 to H3.
    pub(super) fn new(
        code: &Code,
        heaps: u32,
        letters: &[u32],
        words: &[Word],
        control: &mut Control,
    ) -> Result<Self, FamilyCheckError> {
        let all = check_heaps(code, heaps, letters, words)?;
        let options = all
            .into_iter()
            .fold(0_u64, |sum, h| sum.saturating_add(code.most_options(h)));
        if options > MAX_OPTIONS as u64 {
            let found = usize::try_from(options).unwrap_or(usize::MAX);
            return Err(too_large("options", found, MAX_OPTIONS));
        }
        let read = read_words(letters, words)?;
        let options = letters
            .iter()
            .map(|&letter| options_of(code, letter, &read, control))
            .collect::<Result<_, _>>()?;
        let others = words
            .iter()
            .map(|other| {
                Ok(Other {
                    heap: other.heap,
                    word: read[&other.heap].clone(),
                    options: options_of(code, other.heap, &read, control)?,
                })
            })
            .collect::<Result<_, FamilyCheckError>>()?;
        Ok(Self { options, others })
    }
}

/// Checks H1: the heaps are live, at most `heaps`, each in one place, in order.
fn check_heaps(
    code: &Code,
    heaps: u32,
    letters: &[u32],
    words: &[Word],
) -> Result<Vec<u32>, FamilyCheckError> {
    check_ascending(letters)?;
    let others: Vec<u32> = words.iter().map(|word| word.heap).collect();
    check_ascending(&others)?;
    let mut all = [letters, &others].concat();
    all.sort_unstable();
    check_ascending(&all)?;
    match all
        .iter()
        .find(|&&heap| heap > heaps || !code.is_live(heap))
    {
        Some(&heap) => Err(FamilyCheckError::Heap { heap }),
        None => Ok(all),
    }
}

/// Checks that heaps ascend, so that each is listed once.
pub(super) fn check_ascending(heaps: &[u32]) -> Result<(), FamilyCheckError> {
    match heaps.windows(2).find(|pair| pair[0] >= pair[1]) {
        Some(pair) => Err(FamilyCheckError::Heap { heap: pair[1] }),
        None => Ok(()),
    }
}

/// Returns the word of every heap that is covered, and checks H3.
///
/// H3 says that a word consists of letters that are smaller heaps, each listed once. So an option
/// of a letter, a sum of heaps smaller than that letter, is read without that letter: a move removes
/// one copy of it and adds none.
fn read_words(letters: &[u32], words: &[Word]) -> Result<HashMap<u32, Counts>, FamilyCheckError> {
    let mut read = HashMap::new();
    for (at, &letter) in letters.iter().enumerate() {
        let mut counts = vec![0; letters.len()];
        counts[at] = 1;
        read.insert(letter, counts);
    }
    for word in words {
        let mut counts = vec![0; letters.len()];
        let heap = word.heap;
        for &(letter, count) in &word.word {
            if letter >= heap {
                return Err(FamilyCheckError::GreaterLetter { heap, letter });
            }
            let Ok(at) = letters.binary_search(&letter) else {
                return Err(FamilyCheckError::NotALetter { heap, part: letter });
            };
            if count > MAX_COUNT || counts[at] != 0 {
                return Err(FamilyCheckError::LetterCount { heap, letter });
            }
            counts[at] = count as i32;
        }
        read.insert(word.heap, counts);
    }
    Ok(read)
}

/// Returns the options of a heap as words, and checks H2: all heaps in the options are covered.
fn options_of(
    code: &Code,
    heap: u32,
    words: &HashMap<u32, Counts>,
    control: &mut Control,
) -> Result<Vec<Counts>, FamilyCheckError> {
    let letters = words.values().next().map_or(0, Vec::len);
    control.spend((20 + letters as u64) * code.most_options(heap))?;
    let mut read = Vec::new();
    for option in code.options(heap) {
        let mut sum = vec![0; letters];
        for part in option.parts().filter(|&part| code.is_live(part)) {
            let word = words
                .get(&part)
                .ok_or(FamilyCheckError::NotClosed { heap, part })?;
            sum.iter_mut().zip(word).for_each(|(sum, x)| *sum += x);
        }
        read.push(sum);
    }
    read.sort_unstable();
    read.dedup();
    Ok(read)
}
