//! The search for an infinite family of positions with different values.
//!
//! A heuristic search for [`InfiniteFamily`]s. Everything is a guess: [`misere_check::infinite`]
//! checks every guess, and only proved ones are returned. `docs/infinite.md` describes the method
//! with its reasons:
//!
//! - `system`: the levels and words of the exact engine at the divergence, taken as letters and
//!   words
//! - `reading`: the reading of the counts of levels
//! - `table`: the exact outcomes of a box of positions
//! - `cycles`: the choice of the counts that cycle, and from which place on; the others are digits
//! - `learn`: an automaton that reads the digits as the table does
//! - `family`: the guess as evidence
//! - [`semilinear`]: linear conditions that describe the P-positions
//! - `words`: letters that represent one more heap
//! - `letters`: heaps without a word as new letters
//! - `all_heaps`: words of all heaps, which repeat

mod all_heaps;
mod cycles;
pub mod diagram;
mod family;
mod learn;
mod letters;
pub mod presentation;
mod reading;
pub mod semilinear;
mod system;
mod table;
mod words;

use cycles::Choice;
use learn::LearnError;
use misere_check::infinite::{FamilyCheckError, check_multiples, check_outcomes};
use misere_game::control::{Control, Stop};
use misere_game::ruleset::Code;
use misere_game::solution::evidence::InfiniteFamily;
use reading::Reading;
use system::System;
use table::Table;

pub(crate) use all_heaps::Repetition;
pub use all_heaps::for_all_heaps;
pub use letters::extend_by_letters;
pub use system::Cycle;
pub use words::extend;

/// The greatest number of heaps that become letters because they may not be played as their words.
const MAX_PROMOTIONS: usize = 8;

/// Sizes of tables to learn from, by the number of digits.
///
/// A size is the greatest count of the greatest digit.
const SIZES: [&[i32]; 5] = [
    &[],
    &[64, 128],
    &[32, 64, 128, 256],
    &[32, 64, 96, 128],
    &[16, 24, 32, 48],
];

/// The greatest number of cells of a table, a byte each.
const MAX_CELLS: usize = 100_000_000;

/// Searches for evidence that the quotient of the heaps `0..=n` of a game is infinite.
///
/// The result is `None` if none was found.
///
/// `levels` are heaps that generate, `words` has for each heap `0..=n` the word that represents it
/// (heaps that are levels, with counts), and `cycles` describes how the multiples of each level
/// repeat without the greatest level, as far as known. All three may be wrong.
///
/// Cost: cells of tables times moves, and the checks of the guesses; all of it is spent from
/// `control`.
///
/// ```
/// use misere_game::control::{Control, Interrupt};
/// use misere_engine::infinite::find;
/// use misere_game::ruleset::Code;
/// use misere_check::infinite::check;
/// // The quotient of the heaps 0 to 5 of 0.31011 is infinite (Weimerskirch).
/// let code: Code = "0.31011".parse()?;
/// let levels: Vec<u32> = (0..=5).filter(|&heap| code.is_live(heap)).collect();
/// let word = |heap| if code.is_live(heap) { vec![(heap, 1)] } else { Vec::new() };
/// let words: Vec<Vec<(u32, u32)>> = (0..=5).map(word).collect();
/// let mut control = Control::new(1_000_000, Interrupt::default());
/// let family = find(&code, &levels, &words, &[], &mut control)?.ok_or("evidence")?;
/// assert_eq!(check(&code, 5, &family, &mut control), Ok(()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Stop`] if `control` ends it before anything was found.
pub fn find(
    code: &Code,
    levels: &[u32],
    words: &[Vec<(u32, u32)>],
    cycles: &[Cycle],
    control: &mut Control,
) -> Result<Option<InfiniteFamily>, Stop> {
    let mut system = System::new(code, levels, words, cycles);
    for _ in 0..=MAX_PROMOTIONS {
        match attempt(code, &system, control)? {
            Attempt::Found(family) => return Ok(Some(family)),
            Attempt::NotFound => return Ok(None),
            Attempt::NotItsWord(heap) => system.promote(code, heap),
        }
    }
    Ok(None)
}

enum Attempt {
    Found(InfiniteFamily),
    /// A heap that may not be played as its word.
    NotItsWord(u32),
    NotFound,
}

fn attempt(code: &Code, system: &System, control: &mut Control) -> Result<Attempt, Stop> {
    let mut readings = match cycles::choose(system, control)? {
        Choice::Readings(readings) => readings,
        Choice::NotItsWord(heap) => return Ok(Attempt::NotItsWord(heap)),
        Choice::TooManyDigits => return Ok(Attempt::NotFound),
    };
    let digits = readings.iter().filter(|&&r| r == Reading::Digits).count();
    let mut sizes = SIZES.get(digits).copied().unwrap_or_default().iter();
    let mut next_size = sizes.next();
    while let Some(&size) = next_size {
        let sides = system.sides(&readings, size);
        let Some(table) = Table::new(system, &readings, sides, MAX_CELLS, control)? else {
            break;
        };
        let automaton = match learn::learn(&table, control) {
            Ok(automaton) => automaton,
            Err(LearnError::TableTooSmall) => {
                next_size = sizes.next();
                continue;
            }
            Err(LearnError::TooManyStates) => break,
            Err(LearnError::Stopped(stop)) => return Err(stop),
        };
        let mut family = family::write(system, &table, &automaton);
        match prove(code, &mut family, control) {
            Ok(()) => return Ok(Attempt::Found(family)),
            Err(FamilyCheckError::Unchecked(stop)) => return Err(stop),
            Err(FamilyCheckError::Word { heap } | FamilyCheckError::GreaterLetter { heap, .. }) => {
                return Ok(Attempt::NotItsWord(heap));
            }
            // Greater counts may show that cycles do not hold.
            Err(FamilyCheckError::Outcome { .. }) => {
                let broken = table.broken_cycles(system, control)?;
                if broken.is_empty() {
                    next_size = sizes.next();
                } else if !cycles::begin_later(&mut readings, &broken).is_empty() {
                    break;
                }
            }
            Err(_) => break,
        }
    }
    Ok(Attempt::NotFound)
}

/// Proves the family, for as many of the digits as it separates the multiples of.
fn prove(
    code: &Code,
    family: &mut InfiniteFamily,
    control: &mut Control,
) -> Result<(), FamilyCheckError> {
    let heaps = family.heaps().last().copied().unwrap_or(0);
    check_outcomes(code, heaps, family, control)?;
    let all = std::mem::take(&mut family.distinct_multiples);
    let mut flaw = None;
    for heap in all {
        let mut of_heap = family.clone();
        of_heap.distinct_multiples = vec![heap];
        match check_multiples(code, heaps, &of_heap, control) {
            Ok(()) => family.distinct_multiples.push(heap),
            Err(FamilyCheckError::Unchecked(stop)) if family.distinct_multiples.is_empty() => {
                return Err(stop.into());
            }
            Err(found) => flaw = Some(found),
        }
    }
    match flaw {
        Some(flaw) if family.distinct_multiples.is_empty() => Err(flaw),
        _ => Ok(()),
    }
}
