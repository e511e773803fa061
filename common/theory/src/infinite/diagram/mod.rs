//! Which diagram tells the outcomes of an infinite family of positions?
//!
//! A finder of [`DiagramFamily`]s, for games with too many letters for columns. All of it is
//! guessing, and the checker is asked about every guess:
//!
//! - [`outcomes`]: outcomes of few copies, from sequences that are closed by force
//! - [`digits`]: which counts have to be read exactly
//! - [`learn`]: an automaton for the digits, and a diagram that leads to its states
//! - [`write`]: all that as evidence

mod digits;
mod learn;
mod outcomes;
mod write;

use super::system::System;
use crate::control::{Control, Stop};
use crate::ruleset::Code;
use crate::solution::diagram::DiagramFamily;
use crate::verify::infinite::FamilyFlaw;
use crate::verify::infinite::diagram::{check_letters, check_multiples, check_words};
use learn::{Learner, NotLearnt};
use outcomes::Outcomes;

/// The most heaps that become letters because they may not be played as their words.
const MAX_PROMOTIONS: usize = 12;
/// How many copies are tried before sequences are closed by force.
const CAPS: [u32; 5] = [64, 120, 240, 480, 960];
/// How often a guess is made with the same outcomes.
const MAX_ROUNDS: usize = 60;

/// Looks for a diagram that proves that the quotient of the heaps to `n` is infinite; `None` if
/// none was found. `levels` and `words` are as for [`super::find`].
///
/// # Errors
/// [`Stop`] if fuel or patience run out before anything was found.
pub fn find(
    code: &Code,
    levels: &[u32],
    words: &[Vec<(u32, u32)>],
    control: &mut Control,
) -> Result<Option<DiagramFamily>, Stop> {
    let mut system = System::new(code, levels, words, &[]);
    let mut caps = &CAPS[..];
    for _ in 0..=MAX_PROMOTIONS {
        match with_letters(code, &system, &mut caps, control)? {
            Attempt::Found(family) => return Ok(Some(family)),
            Attempt::NotFound => return Ok(None),
            Attempt::NotItsWord(heap) => system.promote(code, heap),
        }
    }
    Ok(None)
}

enum Attempt {
    Found(DiagramFamily),
    /// This heap may not be played as its word.
    NotItsWord(u32),
    NotFound,
}

/// With these letters, and more and more copies of them; caps that were too small are left out.
fn with_letters(
    code: &Code,
    system: &System,
    caps: &mut &[u32],
    control: &mut Control,
) -> Result<Attempt, Stop> {
    while let Some(&cap) = caps.first() {
        let Some(mut outcomes) = Outcomes::new(system, cap, control)? else {
            return Ok(Attempt::NotFound);
        };
        let chosen = digits::choose(&mut outcomes, control)?;
        let guessed = match chosen {
            true => guess(code, system, outcomes, control)?,
            false => Guessed::Hopeless,
        };
        match guessed {
            Guessed::Follows(family) => return judge(code, family, control),
            Guessed::NotItsWord(heap) => return Ok(Attempt::NotItsWord(heap)),
            Guessed::Hopeless => return Ok(Attempt::NotFound),
            Guessed::OutOfReach => {}
        }
        *caps = &caps[1..];
    }
    Ok(Attempt::NotFound)
}

/// What came of learning.
enum Guessed {
    /// A family whose outcomes follow from one another.
    Follows(DiagramFamily),
    /// Outcomes of more copies are needed.
    OutOfReach,
    /// The word of this heap has a letter that is not smaller.
    NotItsWord(u32),
    /// The check is too much.
    Hopeless,
}

/// What the checker says of the words and the multiples of a family.
fn judge(code: &Code, mut family: DiagramFamily, control: &mut Control) -> Result<Attempt, Stop> {
    let heaps = family.heaps().last().copied().unwrap_or(0);
    match check_words(code, heaps, &family, control) {
        Ok(()) => {}
        Err(FamilyFlaw::Unchecked(stop)) => return Err(stop),
        Err(FamilyFlaw::Word { heap } | FamilyFlaw::GreaterLetter { heap, .. }) => {
            return Ok(Attempt::NotItsWord(heap));
        }
        Err(_) => return Ok(Attempt::NotFound),
    }
    Ok(match tell_apart(code, heaps, &mut family, control)? {
        true => Attempt::Found(family),
        false => Attempt::NotFound,
    })
}

/// A family whose outcomes follow from one another, if one is learnt from these outcomes.
fn guess(
    code: &Code,
    system: &System,
    outcomes: Outcomes,
    control: &mut Control,
) -> Result<Guessed, Stop> {
    let mut learner = Learner::new(outcomes);
    for _ in 0..MAX_ROUNDS {
        let guess = match learner.learn(control) {
            Ok(guess) => guess,
            Err(NotLearnt::Stopped(stop)) => return Err(stop),
            Err(NotLearnt::OutOfReach) => return Ok(Guessed::OutOfReach),
        };
        let family = write::family(system, &learner.outcomes, &guess);
        let heaps = family.heaps().last().copied().unwrap_or(0);
        match check_letters(code, heaps, &family, control) {
            Ok(()) => return Ok(Guessed::Follows(family)),
            Err(FamilyFlaw::Unchecked(stop)) => return Err(stop),
            Err(FamilyFlaw::Position { position }) => {
                let counts = system.levels.iter().map(|heap| {
                    let found = position.iter().find(|(other, _)| other == heap);
                    found.map_or(0, |&(_, count)| i32::try_from(count).unwrap_or(i32::MAX))
                });
                if !learner.refute(&guess, system, &counts.collect::<Vec<_>>(), control)? {
                    return Ok(Guessed::OutOfReach);
                }
            }
            Err(FamilyFlaw::GreaterLetter { heap, .. }) => return Ok(Guessed::NotItsWord(heap)),
            Err(_) => return Ok(Guessed::Hopeless),
        }
    }
    Ok(Guessed::OutOfReach)
}

/// Leaves those digits of which the outcomes tell all multiples apart; whether there are some.
fn tell_apart(
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
            Err(FamilyFlaw::Unchecked(stop)) if distinct.is_empty() => return Err(stop),
            Err(_) => {}
        }
    }
    family.distinct_multiples = distinct;
    Ok(!family.distinct_multiples.is_empty())
}
