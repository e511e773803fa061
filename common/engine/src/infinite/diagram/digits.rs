//! The choice of the letters whose counts have to be read exactly.
//!
//! At first only the greatest level is a digit. Where the digits have some counts, the other levels
//! should repeat soon. The one that repeats latest becomes a digit too, if it is late. In the end
//! the greatest level is a digit only if it repeats late itself.

use rustc_hash::FxHashSet;

use misere_game::control::{Control, Stop};

use super::outcomes::Outcomes;

/// The greatest index at which a level that is not a digit may begin to repeat.
const LATEST: usize = 10;
/// The greatest number of digits of a diagram.
const MAX_DIGITS: usize = 6;
/// Counts of digits that are examined, by the number of digits.
const SAMPLES: [&[i32]; MAX_DIGITS + 1] = [
    &[],
    &[0, 1, 2, 3, 5, 8, 13, 24, 40],
    &[0, 1, 2, 5, 11, 20, 42],
    &[0, 1, 5, 14, 42],
    &[0, 3, 42],
    &[0, 2, 42],
    &[0, 42],
];

/// Chooses the digits and returns whether there are few enough of them.
pub(super) fn choose(outcomes: &mut Outcomes, control: &mut Control) -> Result<bool, Stop> {
    loop {
        let latest = latest(outcomes, control)?;
        let late = (0..outcomes.levels).max_by_key(|&level| latest[level]);
        let Some(late) = late.filter(|&level| latest[level] > LATEST) else {
            break;
        };
        if outcomes.digits.len() == MAX_DIGITS {
            return Ok(false);
        }
        outcomes.digits.push(late);
        outcomes.digits.sort_unstable();
    }
    if outcomes.digits.len() > 1
        && let Some(greatest) = outcomes.digits.pop()
        && latest(outcomes, control)?
            .into_iter()
            .any(|index| index > LATEST)
    {
        outcomes.digits.push(greatest);
    }
    Ok(true)
}

/// Returns for each level that is not a digit the index from which on it repeats.
///
/// The digits have sample counts.
fn latest(outcomes: &mut Outcomes, control: &mut Control) -> Result<Vec<usize>, Stop> {
    let reach = outcomes.reach();
    let of_digits = SAMPLES[outcomes.digits.len()].iter().copied();
    let counts: Vec<i32> = of_digits.filter(|&count| count <= reach).collect();
    let samples = vectors(outcomes.digits.len(), &counts);
    let mut latest = vec![0; outcomes.levels];
    let mut seen = FxHashSet::default();
    for sample in samples {
        let mut open = vec![outcomes.with_digits(&sample, control)?];
        while let Some(part) = open.pop() {
            if !seen.insert(part) {
                continue;
            }
            if let Some((level, (entries, start))) = outcomes.entries(part, control)? {
                latest[level] = latest[level].max(*start);
                open.extend(entries);
            }
        }
    }
    Ok(latest)
}

/// Returns all vectors with these entries, vectors of smaller greatest entry first.
pub(super) fn vectors(length: usize, entries: &[i32]) -> Vec<Vec<i32>> {
    let mut vectors = vec![Vec::new()];
    for _ in 0..length {
        vectors = vectors
            .iter()
            .flat_map(|v: &Vec<i32>| {
                entries
                    .iter()
                    .map(|&x| v.iter().copied().chain([x]).collect::<Vec<i32>>())
            })
            .collect();
    }
    vectors.sort_by_key(|v| v.iter().copied().max());
    vectors
}
