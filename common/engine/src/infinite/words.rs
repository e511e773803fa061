//! The search for letters that represent one more heap.
//!
//! Where outcomes are proved for some heaps, a further heap often behaves as a sum of letters. Its
//! true outcomes in the context of a few letters follow from the outcomes known, since all its
//! options are known. A sum of letters that agrees with them is a guess; the checker decides
//! whether the heap may be played as that word.

use rustc_hash::FxHashMap;

use misere_check::infinite::diagram;
use misere_check::infinite::{FamilyCheckError, check_word};
use misere_game::control::{Control, Stop};
use misere_game::outcome::Outcome;
use misere_game::ruleset::Code;
use misere_game::solution::EvidenceOutcomes;
use misere_game::solution::evidence::{Evidence, Word};

/// The greatest number of letters in a context of a heap, and of contexts.
const MAX_COMPANY: usize = 3;
const MAX_CONTEXTS: usize = 3_000;
/// The greatest number of letters in a word that is searched for.
const MAX_WORD_LENGTH: usize = 5;
/// The greatest number of words that are compared, and of words that the checker checks.
const MAX_WORDS: usize = 60_000;
const MAX_ASKED: usize = 60;
/// The greatest number of letters in a context that the checker names and that is used, too.
const MAX_NAMED: u64 = 12;

/// A sum of letters: heaps, ascending, with their counts.
type Sum = Vec<(u32, u32)>;

/// Extends the evidence to more of the heaps `0..=to`.
///
/// A heap is added if a word is found for it and the checker agrees.
///
/// The previous claims of the evidence are not changed.
///
/// If the outcomes that the evidence claimed are right, the outcomes of the extended evidence are
/// right too.
///
/// # Errors
/// [`Stop`] if `control` ends it.
pub fn extend(
    code: &Code,
    evidence: &Evidence,
    to: u32,
    control: &mut Control,
) -> Result<Evidence, Stop> {
    let mut extended = evidence.clone();
    for heap in 0..=to {
        if !code.is_live(heap) || EvidenceOutcomes::new(&extended).covers(heap) {
            continue;
        }
        if let Some(word) = find(code, &extended, heap, control)? {
            extended = with_word(&extended, heap, word);
        }
    }
    Ok(extended)
}

/// Returns a word for a heap that the checker accepts, if one is found.
///
/// The evidence must cover all heaps that a move leaves.
///
/// The claims of the evidence about the heap itself are ignored.
///
/// # Errors
/// [`Stop`] if `control` ends it.
pub(super) fn find(
    code: &Code,
    evidence: &Evidence,
    heap: u32,
    control: &mut Control,
) -> Result<Option<Sum>, Stop> {
    let told = EvidenceOutcomes::new(evidence);
    let Some(mut sample) = Sample::new(code, &told, evidence, heap, control)? else {
        return Ok(None);
    };
    let mut seen = sample.take(&letters(evidence), control)?;
    let smaller: Vec<u32> = letters(evidence)
        .into_iter()
        .filter(|&l| l < heap)
        .collect();
    let mut asked = 0;
    for (number, word) in candidates(evidence, &smaller).enumerate() {
        if number == MAX_WORDS || asked == MAX_ASKED {
            break;
        }
        let mut agrees = true;
        for (context, outcome) in &seen {
            control.spend(300)?;
            if told.outcome(joined(context, &word)) != Some(*outcome) {
                agrees = false;
                break;
            }
        }
        if agrees {
            asked += 1;
            let guess = with_word(evidence, heap, word.clone());
            let heaps = heap.max(evidence.heaps().last().copied().unwrap_or(0));
            let answer = match &guess {
                Evidence::Columns(family) => check_word(code, heaps, family, heap, control),
                Evidence::Diagram(family) => {
                    diagram::check_word(code, heaps, family, heap, control)
                }
            };
            match answer {
                Ok(()) => return Ok(Some(word)),
                Err(FamilyCheckError::Unchecked(stop)) => return Err(stop),
                // The context refutes other words, too.
                Err(FamilyCheckError::Context { context, .. }) => {
                    if let Some(context) = few(&context)
                        && let Some(outcome) = sample.outcome(&context, control)?
                    {
                        seen.insert(0, (context, outcome));
                    }
                }
                Err(_) => {}
            }
        }
    }
    Ok(None)
}

/// Returns a context as a sum, if it has few letters.
fn few(context: &[(u32, u64)]) -> Option<Sum> {
    let all = context
        .iter()
        .fold(0_u64, |sum, &(_, count)| sum.saturating_add(count));
    (all <= MAX_NAMED).then(|| {
        context
            .iter()
            .map(|&(heap, count)| (heap, count as u32))
            .collect()
    })
}

/// Returns the evidence with this word for a heap.
pub(super) fn with_word(evidence: &Evidence, heap: u32, word: Sum) -> Evidence {
    let mut evidence = evidence.clone();
    let words = match &mut evidence {
        Evidence::Columns(family) => &mut family.words,
        Evidence::Diagram(family) => &mut family.words,
    };
    match words.binary_search_by_key(&heap, |other| other.heap) {
        Ok(at) => words[at].word = word,
        Err(at) => words.insert(at, Word { heap, word }),
    }
    evidence
}

fn letters(evidence: &Evidence) -> Vec<u32> {
    match evidence {
        Evidence::Columns(family) => family.letters.iter().map(|letter| letter.heap).collect(),
        Evidence::Diagram(family) => family.letters.clone(),
    }
}

fn words(evidence: &Evidence) -> &[Word] {
    match evidence {
        Evidence::Columns(family) => &family.words,
        Evidence::Diagram(family) => &family.words,
    }
}

/// Returns words to try: first those of smaller heaps, then all with few letters.
fn candidates(evidence: &Evidence, smaller: &[u32]) -> impl Iterator<Item = Sum> + use<> {
    let in_use: Vec<Sum> = words(evidence)
        .iter()
        .map(|other| other.word.clone())
        .filter(|word| word.iter().all(|(letter, _)| smaller.contains(letter)))
        .collect();
    let letters = smaller.to_vec();
    let short = (0..=MAX_WORD_LENGTH).flat_map(move |length| sums(&letters, length));
    in_use.into_iter().chain(short)
}

/// Returns all sums of `length` of these letters.
fn sums(letters: &[u32], length: usize) -> Vec<Sum> {
    let mut sums: Vec<(Sum, usize)> = vec![(Vec::new(), 0)];
    for _ in 0..length {
        let mut longer = Vec::new();
        for (sum, from) in &sums {
            for (at, &letter) in letters.iter().enumerate().skip(*from) {
                let mut sum = sum.clone();
                match sum.last_mut() {
                    Some((last, count)) if *last == letter => *count += 1,
                    _ => sum.push((letter, 1)),
                }
                longer.push((sum, at));
            }
            if longer.len() > MAX_WORDS {
                break;
            }
        }
        sums = longer;
    }
    sums.into_iter().map(|(sum, _)| sum).collect()
}

fn joined<'a>(x: &'a [(u32, u32)], y: &'a [(u32, u32)]) -> impl Iterator<Item = (u32, u64)> + 'a {
    let both = x.iter().chain(y);
    both.map(|&(heap, count)| (heap, u64::from(count)))
}

/// The outcomes of a heap in the context of letters, by the rules and the outcomes known.
struct Sample<'a> {
    told: &'a EvidenceOutcomes<'a>,
    /// The options of the heap, as sums of letters.
    options: Vec<Sum>,
    /// For each letter its options, as sums of letters.
    moves: FxHashMap<u32, Vec<Sum>>,
    known: FxHashMap<Sum, Option<Outcome>>,
}

impl<'a> Sample<'a> {
    /// Returns `None` if a move in the heap leaves a heap without a claim.
    fn new(
        code: &Code,
        told: &'a EvidenceOutcomes<'a>,
        evidence: &Evidence,
        heap: u32,
        control: &mut Control,
    ) -> Result<Option<Self>, Stop> {
        let letters = letters(evidence);
        let mut words: FxHashMap<u32, Sum> = words(evidence)
            .iter()
            .map(|other| (other.heap, other.word.clone()))
            .collect();
        words.extend(letters.iter().map(|&letter| (letter, vec![(letter, 1)])));
        control.spend(200 * code.most_options(heap))?;
        let Some(own) = options(code, heap, &words) else {
            return Ok(None);
        };
        let mut moves = FxHashMap::default();
        for letter in letters {
            control.spend(200 * code.most_options(letter))?;
            moves.insert(letter, options(code, letter, &words).unwrap_or_default());
        }
        Ok(Some(Self {
            told,
            options: own,
            moves,
            known: FxHashMap::default(),
        }))
    }

    /// Returns contexts with the outcomes of the heap in them.
    fn take(
        &mut self,
        letters: &[u32],
        control: &mut Control,
    ) -> Result<Vec<(Sum, Outcome)>, Stop> {
        let all = (0..=MAX_COMPANY).flat_map(|size| sums(letters, size));
        let mut seen = Vec::new();
        for context in all.take(MAX_CONTEXTS) {
            if let Some(outcome) = self.outcome(&context, control)? {
                seen.push((context, outcome));
            }
        }
        Ok(seen)
    }

    /// Returns the outcome of the heap in some context; `None` if too little is known.
    fn outcome(&mut self, context: &Sum, control: &mut Control) -> Result<Option<Outcome>, Stop> {
        if let Some(&known) = self.known.get(context) {
            return Ok(known);
        }
        let mut all_known = true;
        let mut outcome = None;
        for option in &self.options {
            control.spend(300)?;
            match self.told.outcome(joined(context, option)) {
                Some(Outcome::P) => {
                    outcome = Some(Outcome::N);
                    break;
                }
                Some(Outcome::N) => {}
                None => all_known = false,
            }
        }
        if outcome.is_none() {
            'moves: for at in 0..context.len() {
                let moves = self.moves.get(&context[at].0).cloned();
                for option in moves.unwrap_or_default() {
                    match self.outcome(&after(context, at, &option), control)? {
                        Some(Outcome::P) => {
                            outcome = Some(Outcome::N);
                            break 'moves;
                        }
                        Some(Outcome::N) => {}
                        None => all_known = false,
                    }
                }
            }
        }
        if outcome.is_none() && all_known {
            outcome = Some(Outcome::P);
        }
        self.known.insert(context.clone(), outcome);
        Ok(outcome)
    }
}

/// Returns a sum after a move in one of its heaps.
fn after(sum: &Sum, at: usize, option: &Sum) -> Sum {
    let mut left: FxHashMap<u32, u32> = sum.iter().copied().collect();
    if let Some(count) = left.get_mut(&sum[at].0) {
        *count -= 1;
    }
    for &(part, count) in option {
        *left.entry(part).or_default() += count;
    }
    let mut left: Sum = left.into_iter().filter(|&(_, count)| count > 0).collect();
    left.sort_unstable();
    left
}

/// Returns the options of a heap as sums of letters; `None` if a part of one has no word.
fn options(code: &Code, heap: u32, words: &FxHashMap<u32, Sum>) -> Option<Vec<Sum>> {
    let mut options = Vec::new();
    let mut all_read = true;
    code.for_each_option(heap, |option| {
        let mut sum: FxHashMap<u32, u32> = FxHashMap::default();
        for part in option.parts().filter(|&part| code.is_live(part)) {
            let Some(word) = words.get(&part) else {
                all_read = false;
                continue;
            };
            for &(letter, count) in word {
                *sum.entry(letter).or_default() += count;
            }
        }
        let mut sum: Sum = sum.into_iter().collect();
        sum.sort_unstable();
        options.push(sum);
    });
    options.sort_unstable();
    options.dedup();
    all_read.then_some(options)
}
