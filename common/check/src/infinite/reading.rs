//! The reading of evidence: whether it is well formed, and what it says of a position.

use std::collections::HashMap;

use misere_game::control::Control;
use misere_game::outcome::Outcome;
use misere_game::ruleset::Code;
use misere_game::solution::evidence::{
    Count, InfiniteFamily, MAX_COLUMNS, MAX_STATES, MAX_WORDS, State,
};

use super::alphabet::{Alphabet, Counts, MAX_COUNT, Other, check_ascending};
use super::{FamilyCheckError, malformed, too_large};

/// The most digits: the automaton has `2^digits` transitions at each state.
pub(super) const MAX_DIGITS: usize = 4;
const MAX_LETTERS: usize = 64;

/// The counts of digits and their carries must fit in 16 bits, or the proof fails.
///
/// They are sums and differences of the words of a heap and of the at most four heaps that a move
/// leaves.
const _: () = assert!(8 * MAX_COUNT <= i16::MAX as u32);

/// Evidence that is well formed, with the options of all its heaps.
pub(super) struct Reading<'a> {
    pub(super) states: &'a [State],
    pub(super) counts: Vec<Count>,
    /// The letters that are digits.
    pub(super) digits: Vec<usize>,
    /// The options of each letter, as words.
    pub(super) options: Vec<Vec<Counts>>,
    /// The heaps that are not letters.
    pub(super) others: Vec<Other>,
    /// The digits whose multiples are all claimed to differ: heap and place among the digits.
    pub(super) distinct: Vec<(u32, usize)>,
    /// The state at which each column begins, by counts of all letters (0 for digits).
    columns: HashMap<Counts, u32>,
}

impl<'a> Reading<'a> {
    pub(super) fn new(
        code: &Code,
        heaps: u32,
        family: &'a InfiniteFamily,
        control: &mut Control,
    ) -> Result<Self, FamilyCheckError> {
        check_sizes(family)?;
        let letters: Vec<u32> = family.letters.iter().map(|letter| letter.heap).collect();
        let alphabet = Alphabet::new(code, heaps, &letters, &family.words, control)?;
        let counts: Vec<Count> = family.letters.iter().map(|letter| letter.count).collect();
        for (number, count) in counts.iter().enumerate() {
            if let Count::Cycle { index, period } = *count
                && (index == 0 || index > MAX_COUNT || period > MAX_COUNT)
            {
                return Err(malformed("letter", number));
            }
        }
        let digits: Vec<usize> = (0..counts.len())
            .filter(|&l| counts[l] == Count::Digits)
            .collect();
        if digits.len() > MAX_DIGITS {
            return Err(too_large("digits", digits.len(), MAX_DIGITS));
        }
        check_states(&family.states, digits.len(), control)?;
        let digit_heaps: Vec<u32> = digits.iter().map(|&digit| letters[digit]).collect();
        let distinct = distinct_digits(&family.distinct_multiples, &digit_heaps)?;
        let columns = columns(family, &counts)?;
        control.spend(200 * columns.len() as u64)?;
        Ok(Self {
            states: &family.states,
            counts,
            digits,
            options: alphabet.options,
            others: alphabet.others,
            distinct,
            columns,
        })
    }

    /// Returns the columns with their states, in a definite order.
    pub(super) fn columns(&self) -> Vec<(&Counts, u32)> {
        let mut columns: Vec<_> = self
            .columns
            .iter()
            .map(|(counts, &state)| (counts, state))
            .collect();
        columns.sort_unstable();
        columns
    }

    /// Reports whether every vector of counts is read as one of the columns.
    pub(super) fn lists_all_columns(&self) -> bool {
        let all = self
            .counts
            .iter()
            .try_fold(1_u64, |all, count| match *count {
                Count::Digits => Some(all),
                Count::Cycle { period: 0, .. } => None,
                Count::Cycle { index, period } => all.checked_mul(u64::from(index + period)),
            });
        all == Some(self.columns.len() as u64)
    }

    /// Returns the state at which the column of some counts begins, if one is claimed.
    ///
    /// The counts of digits play no part.
    pub(super) fn begin(&self, counts: &[i32]) -> Option<u32> {
        let mut column = Vec::with_capacity(counts.len());
        for (&count, &x) in self.counts.iter().zip(counts) {
            column.push(match count {
                Count::Digits => 0,
                Count::Cycle { index, period } => {
                    let (index, period) = (index as i32, period as i32);
                    if x < index + period {
                        x
                    } else if period == 0 {
                        return None;
                    } else {
                        index + (x - index) % period
                    }
                }
            });
        }
        self.columns.get(&column).copied()
    }

    /// Returns the counts of the digits.
    pub(super) fn digits_of(&self, counts: &[i32]) -> [i16; MAX_DIGITS] {
        let mut of_digits = [0; MAX_DIGITS];
        for (place, &digit) in of_digits.iter_mut().zip(&self.digits) {
            *place = counts[digit] as i16;
        }
        of_digits
    }

    /// Returns the outcome claimed at the end of a state.
    pub(super) fn outcome(&self, state: u32) -> Option<Outcome> {
        self.states[state as usize].outcome
    }

    /// Returns the state after one more binary digit of each count.
    pub(super) fn next(&self, state: u32, bits: usize) -> u32 {
        self.states[state as usize].next[bits]
    }
}

/// Reports for each state whether it can reach a state whose outcome satisfies `wanted`.
pub(super) fn can_reach(
    states: &[State],
    wanted: impl Fn(Option<Outcome>) -> bool,
    control: &mut Control,
) -> Result<Vec<bool>, FamilyCheckError> {
    let mut before: Vec<Vec<u32>> = vec![Vec::new(); states.len()];
    let mut reach: Vec<bool> = states.iter().map(|state| wanted(state.outcome)).collect();
    control.spend(100 * states.len() as u64)?;
    for (from, state) in (0..).zip(states) {
        state
            .next
            .iter()
            .for_each(|&to| before[to as usize].push(from));
    }
    let mut open: Vec<u32> = (0..states.len() as u32)
        .filter(|&s| reach[s as usize])
        .collect();
    while let Some(state) = open.pop() {
        for &from in &before[state as usize] {
            if !std::mem::replace(&mut reach[from as usize], true) {
                open.push(from);
            }
        }
    }
    Ok(reach)
}

/// Reports whether every state that can be reached from these has an outcome.
pub(super) fn have_outcomes(
    states: &[State],
    starts: Vec<u32>,
    control: &mut Control,
) -> Result<bool, FamilyCheckError> {
    let mut reached = vec![false; states.len()];
    let mut open = starts;
    while let Some(state) = open.pop() {
        control.spend(20)?;
        let (at, state) = (state as usize, &states[state as usize]);
        if state.outcome.is_none() {
            return Ok(false);
        }
        if !std::mem::replace(&mut reached[at], true) {
            open.extend(&state.next);
        }
    }
    Ok(true)
}

fn check_sizes(family: &InfiniteFamily) -> Result<(), FamilyCheckError> {
    let sizes = [
        ("letters", family.letters.len(), MAX_LETTERS),
        ("words", family.words.len(), MAX_WORDS),
        ("columns", family.columns.len(), MAX_COLUMNS),
        ("states", family.states.len(), MAX_STATES),
    ];
    for (what, found, most) in sizes {
        if found > most {
            return Err(too_large(what, found, most));
        }
    }
    Ok(())
}

/// Returns the heaps whose multiples are all claimed to differ, and checks H11.
///
/// Each comes with its place among the digits.
///
/// Checks H11: they are digits, ascending, and at least one is given.
pub(super) fn distinct_digits(
    heaps: &[u32],
    digits: &[u32],
) -> Result<Vec<(u32, usize)>, FamilyCheckError> {
    let place = |&heap: &u32| {
        let at = digits.iter().position(|&digit| digit == heap);
        at.map(|at| (heap, at))
            .ok_or(FamilyCheckError::NotADigit { heap })
    };
    if heaps.is_empty() {
        return Err(FamilyCheckError::NoMultiples);
    }
    check_ascending(heaps)?;
    heaps.iter().map(place).collect()
}

/// Checks H5: states have a successor for each choice of bits, and zeros do not change claims.
pub(super) fn check_states(
    states: &[State],
    digits: usize,
    control: &mut Control,
) -> Result<(), FamilyCheckError> {
    for (number, state) in states.iter().enumerate() {
        control.spend(20)?;
        if state.next.len() != 1 << digits
            || state.next.iter().any(|&to| to as usize >= states.len())
        {
            return Err(malformed("state", number));
        }
    }
    match (0..).zip(states).find(|(_, state)| {
        let zero = state.next.first().copied().unwrap_or(0);
        states[zero as usize].outcome != state.outcome
    }) {
        Some((state, _)) => Err(FamilyCheckError::LeadingZero { state }),
        None => Ok(()),
    }
}

/// Returns the columns by their counts and checks H6.
///
/// Each column is listed once, has a count for every letter that has a cycle, and begins at a
/// state.
fn columns(
    family: &InfiniteFamily,
    counts: &[Count],
) -> Result<HashMap<Counts, u32>, FamilyCheckError> {
    let mut columns = HashMap::new();
    for (number, column) in family.columns.iter().enumerate() {
        let mut given = column.counts.iter();
        let mut all = Vec::with_capacity(counts.len());
        for &count in counts {
            all.push(match count {
                Count::Digits => 0,
                Count::Cycle { index, period } => match given.next() {
                    Some(&x) if x < index + period => x as i32,
                    _ => return Err(malformed("column", number)),
                },
            });
        }
        let unknown = column.state as usize >= family.states.len();
        if given.next().is_some() || unknown || columns.insert(all, column.state).is_some() {
            return Err(malformed("column", number));
        }
    }
    Ok(columns)
}

#[cfg(test)]
mod tests {
    use misere_game::solution::evidence::{Column, Letter};

    use super::*;

    /// Counts beyond the cycle are read as if periods were subtracted; without a period they have
    /// no column.
    #[test]
    fn counts_are_read_through_the_cycle() {
        let letter = |heap, count| Letter { heap, count };
        for (index, period) in [(1, 1), (1, 3), (2, 3), (3, 5), (4, 1), (3, 0)] {
            let column = |x| Column {
                counts: vec![x],
                state: x,
            };
            let state = |at| State {
                outcome: None,
                next: vec![at, at],
            };
            let family = InfiniteFamily {
                distinct_multiples: vec![2],
                letters: vec![
                    letter(1, Count::Cycle { index, period }),
                    letter(2, Count::Digits),
                ],
                words: Vec::new(),
                columns: (0..index + period).map(column).collect(),
                states: (0..index + period).map(state).collect(),
                all_heaps: None,
            };
            let code = "0.3".parse().unwrap();
            let reading = Reading::new(&code, 2, &family, &mut Control::unlimited()).unwrap();
            for x in 0..40 {
                let mut left = x;
                while period > 0 && left >= index + period {
                    left -= period;
                }
                let read = (left < index + period).then_some(left);
                assert_eq!(
                    reading.begin(&[x as i32, 7]),
                    read,
                    "{x} by {index}, {period}"
                );
            }
        }
    }
}
