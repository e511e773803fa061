//! What are the nim-values of the heaps, and do they repeat as claimed?
//!
//! The checker's own recurrence; nothing of [`crate::normal`] is used. The nim-value of a heap is looked for from below:
//! a number is passed over when an option has it. Splits of an octal game are sorted by the number of ones of their values
//! under a mask: even or odd. An odd number is the value only of splits into an even and an odd heap, and by the choice
//! of the mask there are few even heaps; all of these splits are gone through. The even numbers below the least odd one
//! not found need splits into two even or two odd heaps. The latter are many, and are gone through only until nothing
//! is left to be found.

use crate::control::{Control, Stop};
use crate::ruleset::Code;

/// Lengths at which the mask is chosen: powers of two from here on.
const FIRST_CHOICE: usize = 128;
/// Masks are chosen by counting, as long as nim-values are smaller than this.
const MOST_MASKS: usize = 1 << 12;
/// Ticks per split looked at.
const SPLIT: u64 = 3;

/// The nim-values of the heaps `0..=heaps`.
///
/// Cost: `SPLIT` ticks per split looked at.
///
/// # Errors
/// [`Stop`] if `control` ends it.
pub(super) fn nim_values(code: &Code, heaps: u32, control: &mut Control) -> Result<Vec<u32>, Stop> {
    let mut game = Sequence {
        values: vec![0],
        mask: 0,
        even: Vec::new(),
        found: Vec::new(),
    };
    for heap in 1..=heaps as usize {
        game.found.iter_mut().for_each(|word| *word = 0);
        let value = game.of_heap(code, heap, control)?;
        game.values.push(value);
        if heap.is_power_of_two() && heap >= FIRST_CHOICE {
            game.choose_mask();
        } else if game.mask == 0 || game.is_even(value) {
            game.even.push(heap);
        }
    }
    Ok(game.values)
}

struct Sequence {
    values: Vec<u32>,
    mask: u32,
    /// The heaps with even values.
    even: Vec<usize>,
    /// A bit for each number found among the options' values.
    found: Vec<u64>,
}

impl Sequence {
    fn of_heap(&mut self, code: &Code, heap: usize, control: &mut Control) -> Result<u32, Stop> {
        control.spend(20 + 4 * code.length() as u64)?;
        let rests = |bit: u8| {
            let moves = 0..=code.length().min(heap);
            moves.filter_map(move |j| (code.digit(j) >> bit & 1 != 0).then_some(heap - j))
        };
        if rests(0).any(|rest| rest == 0) {
            self.find(0);
        }
        for rest in rests(1).filter(|&rest| rest > 0) {
            self.find(self.values[rest]);
        }
        for rest in rests(3) {
            control.spend((rest * rest) as u64 / 6)?;
            for least in 1..=rest / 3 {
                for middle in least..=(rest - least) / 2 {
                    let two = self.values[least] ^ self.values[middle];
                    self.find(two ^ self.values[rest - least - middle]);
                }
            }
        }
        for rest in rests(2) {
            control.spend(SPLIT * self.even.len() as u64)?;
            for at in 0..self.even.len() {
                let one = self.even[at];
                if one < rest {
                    self.find(self.values[one] ^ self.values[rest - one]);
                }
            }
        }
        let ceiling = (0..)
            .find(|&number| !self.is_even(number) && !self.has(number))
            .unwrap_or(u32::MAX);
        let mut candidate = self.least_left(ceiling);
        for rest in rests(2) {
            for one in 1..=rest / 2 {
                if candidate == ceiling {
                    return Ok(ceiling);
                }
                control.spend(SPLIT)?;
                self.find(self.values[one] ^ self.values[rest - one]);
                if self.has(candidate) {
                    candidate = self.least_left(ceiling);
                }
            }
        }
        Ok(candidate)
    }

    /// The least number not found, at most `ceiling`.
    fn least_left(&self, ceiling: u32) -> u32 {
        let word = (0..).zip(&self.found).find(|&(_, &word)| word != u64::MAX);
        let least = word.map_or(64 * self.found.len() as u32, |(at, word)| {
            64 * at + word.trailing_ones()
        });
        least.min(ceiling)
    }

    /// Without a mask all numbers count as odd and all heaps as even: then all splits are gone through.
    fn is_even(&self, number: u32) -> bool {
        self.mask != 0 && (number & self.mask).count_ones().is_multiple_of(2)
    }

    fn find(&mut self, number: u32) {
        let at = number as usize / 64;
        if at >= self.found.len() {
            self.found.resize(at + 1, 0);
        }
        self.found[at] |= 1 << (number % 64);
    }

    fn has(&self, number: u32) -> bool {
        let word = self.found.get(number as usize / 64);
        word.is_some_and(|word| word >> (number % 64) & 1 != 0)
    }

    fn choose_mask(&mut self) {
        let numbers = self.values.iter().copied().max().unwrap_or(0) as usize + 1;
        if numbers > MOST_MASKS {
            let even = (1..self.values.len()).filter(|&heap| self.is_even(self.values[heap]));
            self.even = even.collect();
            return;
        }
        let mut times = vec![0_usize; numbers];
        self.values[1..]
            .iter()
            .for_each(|&value| times[value as usize] += 1);
        let evens = |mask: u32| -> usize {
            let even = (0..numbers).filter(|&n| (n as u32 & mask).count_ones().is_multiple_of(2));
            even.map(|n| times[n]).sum()
        };
        let masks = 1..numbers.next_power_of_two() as u32;
        self.mask = masks.min_by_key(|&mask| evens(mask)).unwrap_or(0);
        let even = (1..self.values.len()).filter(|&heap| self.is_even(self.values[heap]));
        self.even = even.collect();
    }
}

/// The least period that the values prove, if they prove any, and its preperiod: for every period the number of steps for
/// which it holds, counted from the last heap back.
pub(super) fn proved_period(values: &[u32], code: &Code) -> Option<(u32, u32)> {
    let last = values.len().checked_sub(1)?;
    // Morris and Pratt's borders of the sequence read backwards would do for the longest run only, so each period is
    // tried by itself; most fail at the last heap.
    (1..=last / 2).find_map(|period| {
        let preperiod = (0..=last - period)
            .rev()
            .find(|&heap| values[heap] != values[heap + period])
            .map_or(0, |heap| heap + 1);
        let (preperiod, period) = (preperiod as u32, period as u32);
        (code.heaps_to_prove(preperiod, period) <= last as u64).then_some((period, preperiod))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::normal;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        /// The solver's sequence is judged by the definition in its own tests.
        #[test]
        fn the_two_recurrences_agree(d0 in 0_u8..2, digits in prop::collection::vec(0_u8..8, 1..4)) {
            let code = Code::new(4 * d0, &digits).unwrap();
            let mut solver = normal::NimValues::new(&code);
            for _ in 0..700 {
                solver.next(&mut Control::unlimited()).unwrap();
            }
            let own = nim_values(&code, 700, &mut Control::unlimited()).unwrap();
            prop_assert_eq!(&own, solver.values());
            let period = normal::period::proved(&own, &code).map(|nim| (nim.period, nim.preperiod));
            prop_assert_eq!(proved_period(&own, &code), period);
        }

        #[test]
        fn hexadecimal_too(d0 in 0_u8..4, digits in prop::collection::vec(0_u8..16, 1..4)) {
            let code = Code::new(4 * d0, &digits).unwrap();
            let mut solver = normal::NimValues::new(&code);
            for _ in 0..150 {
                solver.next(&mut Control::unlimited()).unwrap();
            }
            let own = nim_values(&code, 150, &mut Control::unlimited()).unwrap();
            prop_assert_eq!(&own, solver.values());
        }
    }
}
