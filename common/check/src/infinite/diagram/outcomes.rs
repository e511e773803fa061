//! The check that the outcomes a diagram claims follow from one another.

use misere_game::control::Control;
use misere_game::outcome::Outcome;

use super::super::FamilyCheckError;
use super::super::alphabet::{Counts, Other};
use super::product::{DisplacedPositions, Search, Statement};
use super::reading::Reading;

/// Checks H16 and H17: the outcomes claimed of the end and of positions of letters are consistent.
///
/// The end is claimed N. If a position of letters is claimed P, all its options are claimed N; if
/// one is claimed N, it is the end or some option is claimed P.
pub(super) fn check_letters(
    reading: &Reading<'_>,
    control: &mut Control,
) -> Result<(), FamilyCheckError> {
    let nothing = vec![0; reading.letters.len()];
    if claimed(reading, &nothing) != Some(Outcome::N) {
        return Err(FamilyCheckError::End);
    }
    // A move in a letter removes one copy of it and adds none (H3). Without a copy the count after
    // the move is negative, and the search leaves the move out.
    let mut options = Vec::new();
    for (letter, of_letter) in reading.options.iter().enumerate() {
        options.extend(of_letter.iter().map(|option| less_one(option, letter)));
    }
    options.sort_unstable();
    options.dedup();
    let losing: Vec<DisplacedPositions> = options
        .iter()
        .map(|option| one_option(&nothing, option))
        .collect();
    let winning = DisplacedPositions {
        base: nothing,
        call: None,
        options,
    };
    for (statement, lists) in [
        (Statement::Losing, losing),
        (Statement::Winning, vec![winning]),
    ] {
        let mut search = Search::new(reading, statement, control)?;
        if let Some(counts) = search.counterexample(&lists, control)? {
            let position = position(reading, counts);
            return Err(FamilyCheckError::Position { position });
        }
    }
    Ok(())
}

/// Checks H18 and H19: a heap that is not a letter may be played as its word.
///
/// For any context `z` of letters: (S) if `z` with the word is claimed P, `z` with any option is
/// claimed N; (C) if `z` with the word is claimed N and some move inside the word leads to a
/// position claimed P, some option with `z` is claimed P; (E) if the word is empty, some option
/// alone is claimed P. Only the heaps that are `asked` for are examined.
pub(super) fn check_words(
    reading: &Reading<'_>,
    asked: impl Fn(u32) -> bool,
    control: &mut Control,
) -> Result<(), FamilyCheckError> {
    for other in reading.others.iter().filter(|other| asked(other.heap)) {
        let empty = other.word.iter().all(|&x| x == 0);
        let wins = |option: &Counts| claimed(reading, option) == Some(Outcome::P);
        if empty && !other.options.iter().any(wins) {
            return Err(FamilyCheckError::Word { heap: other.heap });
        }
        let losing: Vec<DisplacedPositions> = other
            .options
            .iter()
            .map(|option| one_option(&other.word, option))
            .collect();
        for (statement, lists) in [
            (Statement::Losing, losing),
            (Statement::Winning, calls(reading, other)),
        ] {
            let mut search = Search::new(reading, statement, control)?;
            if let Some(counts) = search.counterexample(&lists, control)? {
                return Err(refused(other.heap, position(reading, counts)));
            }
        }
    }
    Ok(())
}

fn refused(heap: u32, context: Vec<(u32, u64)>) -> FamilyCheckError {
    match context.is_empty() {
        true => FamilyCheckError::Word { heap },
        false => FamilyCheckError::Context { heap, context },
    }
}

/// Returns the letters with a positive count, with their counts.
fn position(reading: &Reading<'_>, counts: Vec<u64>) -> Vec<(u32, u64)> {
    let heaps = reading.letters.iter().copied().zip(counts);
    heaps.filter(|&(_, count)| count > 0).collect()
}

fn one_option(base: &Counts, option: &Counts) -> DisplacedPositions {
    DisplacedPositions {
        base: base.clone(),
        call: None,
        options: vec![option.clone()],
    }
}

/// Returns a heap in a context, as its word, with its options, for each move inside the word.
fn calls(reading: &Reading<'_>, other: &Other) -> Vec<DisplacedPositions> {
    let mut calls = Vec::new();
    for (letter, options) in reading.options.iter().enumerate() {
        if other.word[letter] > 0 {
            let answers = answers(reading, other, letter);
            for option in options {
                calls.push(DisplacedPositions {
                    base: other.word.clone(),
                    call: Some(after(&other.word, letter, option)),
                    options: answers.clone(),
                });
            }
        }
    }
    calls
}

/// Returns the positions that answer a winning move in a letter of a word.
///
/// The answer is a move in the heap, or in a letter that comes earlier in the order. Without a copy
/// of that letter its count after the move is negative, and the search leaves the move out.
fn answers(reading: &Reading<'_>, other: &Other, letter: usize) -> Vec<Counts> {
    let mut answers = other.options.clone();
    for (earlier, options) in reading.options.iter().enumerate() {
        if reading.rank[earlier] < reading.rank[letter] {
            answers.extend(
                options
                    .iter()
                    .map(|option| after(&other.word, earlier, option)),
            );
        }
    }
    answers.sort_unstable();
    answers.dedup();
    answers
}

/// Returns the counts after a move in a letter.
fn after(counts: &Counts, letter: usize, option: &Counts) -> Counts {
    let rest = less_one(counts, letter);
    rest.iter().zip(option).map(|(x, y)| x + y).collect()
}

fn less_one(counts: &Counts, letter: usize) -> Counts {
    let mut less = counts.clone();
    less[letter] -= 1;
    less
}

/// Returns the outcome claimed of one position of letters.
fn claimed(reading: &Reading<'_>, counts: &[i32]) -> Option<Outcome> {
    let mut place = reading.root;
    for (level, &letter) in reading.levels.iter().enumerate() {
        place = reading.child(place, level, counts[letter].unsigned_abs().into());
    }
    let mut rest: Vec<i32> = reading.digits.iter().map(|&digit| counts[digit]).collect();
    while rest.iter().any(|&x| x > 0) {
        let bits = rest.iter().enumerate();
        let bits: usize = bits.map(|(digit, x)| ((x & 1) as usize) << digit).sum();
        place = reading.states[place as usize].next[bits];
        rest.iter_mut().for_each(|x| *x /= 2);
    }
    reading.states[place as usize].outcome
}
