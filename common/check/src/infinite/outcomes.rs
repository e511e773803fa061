//! The check that the outcomes columns claim follow from one another.

use std::collections::HashSet;

use misere_game::control::Control;
use misere_game::outcome::Outcome;
use misere_game::solution::evidence::Count;

use super::FamilyCheckError;
use super::alphabet::{Counts, Other};
use super::product::{Comparison, Configuration, Role, Search};
use super::reading::Reading;

/// The most kinds of context of a word that are kept in memory.
const MAX_CONTEXTS: usize = 500_000;

/// Checks T2 for positions of letters.
///
/// If one is claimed P, all its options are claimed N; if one is claimed N, it is the end or some
/// option is claimed P.
///
/// A count at the index of a cycle also represents the positions with one period more, and removing
/// one copy then leaves another count. Both are checked: all options of both have to be N, and one
/// letter has to have a P option in both.
pub(super) fn check_letters(
    reading: &Reading<'_>,
    control: &mut Control,
) -> Result<(), FamilyCheckError> {
    let nothing = vec![0; reading.counts.len()];
    let end = reading.begin(&nothing);
    if end.and_then(|state| reading.outcome(state)) != Some(Outcome::N) {
        return Err(FamilyCheckError::End);
    }
    let mut search = Search::new(reading, control)?;
    for (column, state) in reading.columns() {
        let mut compared = Vec::new();
        for letter in 0..column.len() {
            options_in(reading, column, letter, &mut compared, control)?;
        }
        let configuration = Configuration {
            state,
            end: *column == nothing,
            called: true,
            compared,
        };
        if !search.holds(configuration, control)? {
            let others = reading.counts.iter().zip(column);
            return Err(FamilyCheckError::Outcome {
                column: others
                    .filter(|(count, _)| **count != Count::Digits)
                    .map(|(_, &x)| x as u32)
                    .collect(),
            });
        }
    }
    Ok(())
}

/// Adds the moves in one letter to `compared`.
///
/// A move in a letter that is a digit needs a copy of it (H3). No option contains the letter
/// itself, so the displacement of its count is exactly −1. Without a copy the count after the move
/// is negative, and the search leaves the move out. If a word could contain a greater letter, the
/// displacement might be 0 or more, and the search would allow a move in a heap that is not there.
fn options_in(
    reading: &Reading<'_>,
    column: &Counts,
    letter: usize,
    compared: &mut Vec<Comparison>,
    control: &mut Control,
) -> Result<(), FamilyCheckError> {
    let mut move_from = |count: i32, role: Role| {
        for option in &reading.options[letter] {
            let mut after: Counts = column.iter().zip(option).map(|(x, y)| x + y).collect();
            after[letter] += count - 1 - column[letter];
            compared.push(compare(reading, &after, role));
        }
        control.spend(100 * reading.options[letter].len() as u64)
    };
    let count = column[letter];
    let narrow = u16::try_from(letter).unwrap_or(u16::MAX);
    match reading.counts[letter] {
        Count::Digits => move_from(0, Role::Option)?,
        Count::Cycle { .. } if count == 0 => {}
        Count::Cycle { index, period } if period > 0 && count == index as i32 => {
            for later in [false, true] {
                let role = Role::Either {
                    letter: narrow,
                    later,
                };
                move_from(count + i32::from(later) * period as i32, role)?;
            }
        }
        Count::Cycle { .. } => move_from(count, Role::Option)?,
    }
    Ok(())
}

/// Checks T3: a heap that is not a letter may be played as its word.
///
/// For any context `z` of letters: (S) if `z` with the word is claimed P, `z` with any option is
/// claimed N; (C) if `z` with the word is claimed N and some move inside the word leads to a
/// position claimed P, some option with `z` is claimed P; (E) if the word is empty, some option
/// alone is claimed P.
pub(super) fn check_words(
    reading: &Reading<'_>,
    asked: impl Fn(u32) -> bool,
    control: &mut Control,
) -> Result<(), FamilyCheckError> {
    let mut search = Search::new(reading, control)?;
    for other in reading.others.iter().filter(|other| asked(other.heap)) {
        let flaw = FamilyCheckError::Word { heap: other.heap };
        if other.word.iter().all(|&x| x == 0) && !some_option_is_p(reading, other) {
            return Err(flaw);
        }
        for (context, state) in contexts(reading, &other.word, control)? {
            let configuration = in_context(reading, other, &context, state, control)?;
            if !search.holds(configuration, control)? {
                return Err(flaw);
            }
        }
    }
    Ok(())
}

/// Reports whether a heap has an option that, alone, is claimed P.
fn some_option_is_p(reading: &Reading<'_>, other: &Other) -> bool {
    other.options.iter().any(|option| {
        let mut state = reading.begin(option);
        let mut rest = reading.digits_of(option);
        while rest.iter().any(|&x| x > 0) {
            let bits = (0..reading.digits.len()).map(|digit| (rest[digit] as usize & 1) << digit);
            let bits = bits.sum();
            state = state.map(|state| reading.next(state, bits));
            rest.iter_mut().for_each(|x| *x /= 2);
        }
        state.and_then(|state| reading.outcome(state)) == Some(Outcome::P)
    })
}

/// Returns all context in which something is claimed of a word, up to equal reading.
///
/// Each comes with the state at which it begins.
fn contexts(
    reading: &Reading<'_>,
    word: &Counts,
    control: &mut Control,
) -> Result<Vec<(Counts, u32)>, FamilyCheckError> {
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    for (column, _) in reading.columns() {
        // Counts that are read as those of the column when the word is added. A letter that is not
        // in the word keeps its count.
        let mut contexts = vec![column.clone()];
        for (letter, count) in reading.counts.iter().enumerate() {
            let Count::Cycle { index, period } = *count else {
                continue;
            };
            if word[letter] == 0 {
                continue;
            }
            // Counted before they are built: each of 64 letters may have 400 counts.
            let ways = contexts.len().saturating_mul((index + period) as usize);
            if ways > MAX_CONTEXTS {
                return Err(too_many(ways));
            }
            let mut more = Vec::with_capacity(ways);
            for context in contexts {
                control.spend(50 * u64::from(index + period))?;
                more.extend((0..(index + period) as i32).map(|x| {
                    let mut context = context.clone();
                    context[letter] = x;
                    context
                }));
            }
            contexts = more;
        }
        for context in contexts {
            control.spend(100)?;
            if seen.contains(&context) {
                continue;
            }
            let together: Counts = context.iter().zip(word).map(|(x, y)| x + y).collect();
            if let Some(state) = reading.begin(&together) {
                found.push((context.clone(), state));
            }
            seen.insert(context);
            if seen.len() > MAX_CONTEXTS {
                return Err(too_many(seen.len()));
            }
        }
    }
    Ok(found)
}

/// Returns a heap in some context, as its word; `m` is the digit counts of both together.
fn in_context(
    reading: &Reading<'_>,
    other: &Other,
    context: &Counts,
    state: u32,
    control: &mut Control,
) -> Result<Configuration, FamilyCheckError> {
    let less_word: Counts = context
        .iter()
        .zip(&other.word)
        .zip(&reading.counts)
        .map(|((x, y), count)| if *count == Count::Digits { x - y } else { *x })
        .collect();
    let plus = |x: &[i32], y: &[i32]| -> Counts { x.iter().zip(y).map(|(x, y)| x + y).collect() };
    let mut compared = vec![Comparison {
        role: Role::Proviso,
        state: None,
        carry: reading.digits_of(&less_word),
    }];
    for option in &other.options {
        compared.push(compare(reading, &plus(&less_word, option), Role::Option));
    }
    for (letter, &count) in other.word.iter().enumerate() {
        if count == 0 {
            continue;
        }
        for option in &reading.options[letter] {
            let mut after = plus(&plus(&less_word, &other.word), option);
            after[letter] -= 1;
            compared.push(compare(reading, &after, Role::Call));
        }
    }
    control.spend(100 * compared.len() as u64)?;
    Ok(Configuration {
        state,
        end: false,
        called: false,
        compared,
    })
}

/// Returns a comparison with the position that has these counts.
///
/// The counts of digits are relative to the position in question.
fn compare(reading: &Reading<'_>, counts: &[i32], role: Role) -> Comparison {
    Comparison {
        role,
        state: reading.begin(counts),
        carry: reading.digits_of(counts),
    }
}

fn too_many(found: usize) -> FamilyCheckError {
    FamilyCheckError::TooLarge {
        what: "kinds of context",
        found,
        most: MAX_CONTEXTS,
    }
}
