//! The search for a diagram of the outcomes of an infinite family of positions.
//!
//! A heuristic search for [`DiagramFamily`]s, for games with too many letters for columns.
//! Everything is a guess, and the checker checks every guess:
//!
//! - `outcomes`: outcomes of few copies, from sequences that are closed by force
//! - `digits`: the choice of the counts that have to be read exactly
//! - `learn`: an automaton for the digits, and a diagram that leads to its states
//! - `scarce`: the same for positions with few copies of the great heaps
//! - `greater`: the same with one scarce heap that is greater than the heap of the divergence
//! - [`write`]: the guess as evidence

mod digits;
mod greater;
mod learn;
mod outcomes;
mod scarce;
mod write;

use super::system::System;
use super::words;
pub use greater::find_with_greater_scarce_heap;
use learn::{LearnError, Learner};
use misere_check::infinite::FamilyCheckError;
use misere_check::infinite::diagram::{check_letters, check_multiples, check_word};
use misere_game::control::{Control, Stop};
use misere_game::ruleset::Code;
use misere_game::solution::diagram::DiagramFamily;
use misere_game::solution::{Evidence, Reason};
use outcomes::Outcomes;
pub use scarce::find_with_scarce_heaps;

/// The greatest number of heaps that become letters because they may not be played as their words.
const MAX_PROMOTIONS: usize = 12;
/// The greatest number of times that some heaps are given other words.
const MAX_REWORDED: usize = 30;
/// The numbers of copies of every letter that are tried first, and the greatest number of nodes.
///
/// They are tried in turn until there are few enough nodes, to find out which letters are digits.
const FIRST_CAPS: [u32; 3] = [32, 20, 14];
const FIRST_NODES: usize = 6 << 20;
/// The numbers of copies of the digits that are tried then, and the greatest number of nodes.
const CAPS: [u32; 6] = [64, 120, 240, 480, 960, 1_920];
const MAX_NODES: usize = 24 << 20;
/// The greatest number of guesses that are made with the same outcomes.
const MAX_ROUNDS: usize = 60;

/// The end of a search for a diagram that found none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DiagramSearchError {
    /// The search ended without a diagram.
    #[error("no diagram was found: {}", .0.words())]
    Ended(Reason),
    /// The fuel ran out or a stop was requested.
    #[error(transparent)]
    Stopped(#[from] Stop),
}

/// Searches for a diagram that proves that the quotient of the heaps to `n` is infinite.
///
/// `levels` and `words` are as for [`super::find`].
///
/// Cost: states and nodes times tests, and the checks of the guesses; all of it is spent from
/// `control`.
///
/// ```
/// use misere_game::control::{Control, Interrupt};
/// use misere_engine::infinite::diagram::find;
/// use misere_game::ruleset::Code;
/// use misere_check::infinite::diagram::check;
/// // The quotient of the heaps 0 to 5 of 0.31011 is infinite (Weimerskirch).
/// let code: Code = "0.31011".parse()?;
/// let levels: Vec<u32> = (0..=5).filter(|&heap| code.is_live(heap)).collect();
/// let word = |heap| if code.is_live(heap) { vec![(heap, 1)] } else { Vec::new() };
/// let words: Vec<Vec<(u32, u32)>> = (0..=5).map(word).collect();
/// let mut control = Control::new(1_000_000, Interrupt::default());
/// let family = find(&code, &levels, &words, &mut control)?;
/// assert_eq!(check(&code, 5, &family, &mut control), Ok(()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`DiagramSearchError`] with the reason why none was found, or if `control` ended the search.
pub fn find(
    code: &Code,
    levels: &[u32],
    words: &[Vec<(u32, u32)>],
    control: &mut Control,
) -> Result<DiagramFamily, DiagramSearchError> {
    with_system(code, System::new(code, levels, words, &[]), control)
}

/// Searches for a diagram with the letters and words of a system.
///
/// It tries others where a heap may not be played as its word.
fn with_system(
    code: &Code,
    mut system: System,
    control: &mut Control,
) -> Result<DiagramFamily, DiagramSearchError> {
    let mut known = SearchCache::default();
    let (mut promoted, mut reworded) = (0, 0);
    while promoted <= MAX_PROMOTIONS && reworded <= MAX_REWORDED {
        match with_letters(code, &system, &mut known, control)? {
            Attempt::Found(family) => return Ok(family),
            // Before heaps became letters the size sufficed, so there are too many letters.
            Attempt::NotFound(Reason::Size) if promoted > 0 => {
                return Err(DiagramSearchError::Ended(Reason::Letters));
            }
            Attempt::NotFound(reason) => return Err(DiagramSearchError::Ended(reason)),
            Attempt::NotItsWord(heap) => {
                system.promote(code, heap);
                promoted += 1;
            }
            Attempt::OtherWords(words) => {
                for (heap, word) in words {
                    system.reword(code, heap, word);
                }
                reworded += 1;
            }
        }
    }
    Err(DiagramSearchError::Ended(match promoted > MAX_PROMOTIONS {
        true => Reason::Letters,
        false => Reason::Words,
    }))
}

enum Attempt {
    Found(DiagramFamily),
    /// This heap may not be played as its word, and no other word was found.
    NotItsWord(u32),
    /// The heaps that may not be played as their words, with other words to try.
    OtherWords(Vec<(u32, Vec<(u32, u32)>)>),
    NotFound(Reason),
}

/// The knowledge gained with other words or with fewer letters.
#[derive(Default)]
struct SearchCache {
    /// The heaps that seem to be digits.
    digits: Vec<u32>,
    /// The number of caps that were too small.
    caps: usize,
    /// The tests that separated residuals, for digits at some levels.
    tests: (Vec<usize>, Vec<Vec<i32>>),
}

/// Returns the number of copies of a letter that is not a digit.
///
/// Its sequences repeat soon where the outcomes are right, and few copies keep the others short.
fn cap_of_others(cap: u32) -> u32 {
    20 + cap / 32
}

/// Tries these letters with more and more copies of the digits.
fn with_letters(
    code: &Code,
    system: &System,
    known: &mut SearchCache,
    control: &mut Control,
) -> Result<Attempt, Stop> {
    let mut reason = Reason::Size;
    if known.digits.is_empty() {
        let Some(first) = first_outcomes(system, control)? else {
            return Ok(Attempt::NotFound(reason));
        };
        let Some(outcomes) = first else {
            return Ok(Attempt::NotFound(Reason::Digits));
        };
        if outcomes.is_exact() || outcomes.digits.is_empty() {
            return with_repeating_multiples(code, system, outcomes, known, control);
        }
        known.take_in(&outcomes, system);
        match guess(code, system, outcomes, known, control)? {
            GuessResult::Follows(family) => return judge(code, *family, control),
            GuessResult::NotItsWord(heap) => return Ok(Attempt::NotItsWord(heap)),
            GuessResult::Hopeless(of_these) | GuessResult::OutOfReach(of_these) => {
                reason = of_these
            }
        }
    }
    while let Some(&cap) = CAPS.get(known.caps) {
        let of_level = |heap: &u32| match known.digits.contains(heap) {
            true => cap,
            false => cap_of_others(cap),
        };
        let caps: Vec<u32> = system.levels.iter().map(of_level).collect();
        let Some(mut outcomes) = Outcomes::new(system, &caps, MAX_NODES, control)? else {
            return Ok(Attempt::NotFound(reason));
        };
        if !digits::choose(&mut outcomes, control)? {
            return Ok(Attempt::NotFound(Reason::Digits));
        }
        if known.take_in(&outcomes, system) {
            continue;
        }
        match guess(code, system, outcomes, known, control)? {
            GuessResult::Follows(family) => return judge(code, *family, control),
            GuessResult::NotItsWord(heap) => return Ok(Attempt::NotItsWord(heap)),
            GuessResult::Hopeless(reason) => return Ok(Attempt::NotFound(reason)),
            GuessResult::OutOfReach(of_these) => reason = of_these,
        }
        known.caps += 1;
    }
    Ok(Attempt::NotFound(reason))
}

/// Tries letters whose multiples all repeat.
///
/// Some other heap may not be played as its word; if none is found, nothing is infinite here.
fn with_repeating_multiples(
    code: &Code,
    system: &System,
    mut outcomes: Outcomes,
    known: &mut SearchCache,
    control: &mut Control,
) -> Result<Attempt, Stop> {
    let nothing = Ok(Attempt::NotFound(Reason::Multiples));
    // A diagram has at least one digit. Any letter that may have many copies will do.
    let Some(digit) = system.greatest_of_many() else {
        return nothing;
    };
    if system.others.is_empty() {
        return nothing;
    }
    outcomes.digits = vec![digit];
    match guess(code, system, outcomes, known, control)? {
        GuessResult::Follows(family) => judge(code, *family, control),
        GuessResult::NotItsWord(heap) => Ok(Attempt::NotItsWord(heap)),
        GuessResult::Hopeless(reason) | GuessResult::OutOfReach(reason) => {
            Ok(Attempt::NotFound(reason))
        }
    }
}

/// Returns the outcomes by which the first digits are found, with these digits.
///
/// The result is `None` if there are too many nodes, and `Some(None)` if there are too many digits.
fn first_outcomes(
    system: &System,
    control: &mut Control,
) -> Result<Option<Option<Outcomes>>, Stop> {
    for cap in FIRST_CAPS {
        let caps = vec![cap; system.levels.len()];
        if let Some(mut outcomes) = Outcomes::new(system, &caps, FIRST_NODES, control)? {
            let few_enough = digits::choose(&mut outcomes, control)?;
            return Ok(Some(few_enough.then_some(outcomes)));
        }
    }
    Ok(None)
}

impl SearchCache {
    /// Adds the digits that were chosen and returns whether there are new ones.
    fn take_in(&mut self, outcomes: &Outcomes, system: &System) -> bool {
        let chosen = outcomes.digits.iter().map(|&digit| system.levels[digit]);
        let before = self.digits.len();
        for heap in chosen {
            if !self.digits.contains(&heap) {
                self.digits.push(heap);
            }
        }
        self.digits.len() > before
    }
}

/// The result of guessing from some outcomes.
enum GuessResult {
    /// A family whose outcomes follow from one another.
    Follows(Box<DiagramFamily>),
    /// The outcomes of more copies may be needed.
    OutOfReach(Reason),
    /// A heap whose word has a letter that is not smaller than the heap.
    NotItsWord(u32),
    /// The letters give no family that the checker accepts, and more copies would not help.
    Hopeless(Reason),
}

/// Returns the checker's judgement of the words and the multiples of a family.
///
/// Where a heap may not be played as its word, the outcomes of the family are searched for a word
/// that it may be played as. The letters that can be moved to this heap then have other options, so
/// the outcomes are learnt again.
fn judge(code: &Code, family: DiagramFamily, control: &mut Control) -> Result<Attempt, Stop> {
    let heaps = family.heaps().last().copied().unwrap_or(0);
    let mut evidence = Evidence::Diagram(family);
    let mut others = Vec::new();
    for heap in evidence.heaps() {
        match may_be_played(code, heaps, &mut evidence, heap, control) {
            Ok(()) => {}
            Err(FamilyCheckError::Unchecked(stop)) => return Err(stop),
            Err(
                FamilyCheckError::Word { heap }
                | FamilyCheckError::Context { heap, .. }
                | FamilyCheckError::GreaterLetter { heap, .. },
            ) => match words::find(code, &evidence, heap, control)? {
                Some(word) => {
                    evidence = words::with_word(&evidence, heap, word.clone());
                    others.push((heap, word));
                }
                None => return Ok(Attempt::NotItsWord(heap)),
            },
            Err(_) => return Ok(Attempt::NotFound(Reason::Words)),
        }
    }
    if !others.is_empty() {
        return Ok(Attempt::OtherWords(others));
    }
    let Evidence::Diagram(mut family) = evidence else {
        return Ok(Attempt::NotFound(Reason::Words));
    };
    Ok(
        match are_distinguished(code, heaps, &mut family, control)? {
            true => Attempt::Found(family),
            false => Attempt::NotFound(Reason::Multiples),
        },
    )
}

/// Returns the checker's judgement of one word, with an order of the letters if it needs one.
fn may_be_played(
    code: &Code,
    heaps: u32,
    evidence: &mut Evidence,
    heap: u32,
    control: &mut Control,
) -> Result<(), FamilyCheckError> {
    let Evidence::Diagram(family) = evidence else {
        return Err(FamilyCheckError::Word { heap });
    };
    let answer = check_word(code, heaps, family, heap, control);
    let refused = matches!(
        answer,
        Err(FamilyCheckError::Word { .. } | FamilyCheckError::Context { .. })
    );
    if !refused || !family.order.is_empty() {
        return answer;
    }
    family.order = order(family);
    let answer = check_word(code, heaps, family, heap, control);
    if answer.is_err() {
        family.order.clear();
    }
    answer
}

/// Returns the letters, starting with those that occur in few words.
///
/// A letter that occurs in no word represents only itself in every position, so a winning move in
/// it answers all others.
fn order(family: &DiagramFamily) -> Vec<u32> {
    let uses = |letter: u32| {
        let words = family.words.iter();
        let with_it = words.filter(|other| other.word.iter().any(|&(heap, _)| heap == letter));
        with_it.count()
    };
    let mut order = family.letters.clone();
    order.sort_by_key(|&letter| (uses(letter), std::cmp::Reverse(letter)));
    order
}

/// Returns a family whose outcomes follow from one another, if one is learnt from these outcomes.
fn guess(
    code: &Code,
    system: &System,
    outcomes: Outcomes,
    known: &mut SearchCache,
    control: &mut Control,
) -> Result<GuessResult, Stop> {
    let (digits, tests) = std::mem::take(&mut known.tests);
    let tests = match digits == outcomes.digits {
        true => tests,
        false => Vec::new(),
    };
    let digits = outcomes.digits.clone();
    let mut learner = Learner::new(outcomes, tests);
    let guessed = rounds(code, system, &mut learner, control);
    known.tests = (digits, learner.tests);
    guessed
}

/// Guesses until a family follows, or nothing more can be learnt from the outcomes.
fn rounds(
    code: &Code,
    system: &System,
    learner: &mut Learner,
    control: &mut Control,
) -> Result<GuessResult, Stop> {
    for _ in 0..MAX_ROUNDS {
        let guess = match learner.learn(control) {
            Ok(guess) => guess,
            Err(LearnError::Stopped(stop)) => return Err(stop),
            Err(LearnError::OutOfReach) => return Ok(GuessResult::OutOfReach(Reason::Copies)),
            Err(LearnError::TooLarge) => return Ok(GuessResult::OutOfReach(Reason::States)),
        };
        let family = write::family(system, &learner.outcomes, &guess);
        let heaps = family.heaps().last().copied().unwrap_or(0);
        match check_letters(code, heaps, &family, control) {
            Ok(()) => return Ok(GuessResult::Follows(Box::new(family))),
            Err(FamilyCheckError::Unchecked(stop)) => return Err(stop),
            Err(FamilyCheckError::Position { position }) => {
                let counts = system.levels.iter().map(|heap| {
                    let found = position.iter().find(|(other, _)| other == heap);
                    found.map_or(0, |&(_, count)| i32::try_from(count).unwrap_or(i32::MAX))
                });
                if !learner.refute(&guess, system, &counts.collect::<Vec<_>>(), control)? {
                    return Ok(GuessResult::OutOfReach(Reason::Copies));
                }
            }
            Err(FamilyCheckError::GreaterLetter { heap, .. }) => {
                return Ok(GuessResult::NotItsWord(heap));
            }
            Err(_) => return Ok(GuessResult::Hopeless(Reason::Outcomes)),
        }
    }
    Ok(GuessResult::OutOfReach(Reason::Copies))
}

/// Keeps the digits whose multiples the outcomes separate, and returns whether there are any.
fn are_distinguished(
    code: &Code,
    heaps: u32,
    family: &mut DiagramFamily,
    control: &mut Control,
) -> Result<bool, Stop> {
    let mut distinct = Vec::new();
    for heap in family.digits.clone() {
        family.distinct_multiples = vec![heap];
        match check_multiples(code, heaps, family, control) {
            Ok(()) => distinct.push(heap),
            Err(FamilyCheckError::Unchecked(stop)) if distinct.is_empty() => return Err(stop),
            Err(_) => {}
        }
    }
    family.distinct_multiples = distinct;
    Ok(!family.distinct_multiples.is_empty())
}
