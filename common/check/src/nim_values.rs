//! The computation of nim-values, and the check of their claimed period.
//!
//! This is the checker's own recurrence; it uses nothing of the solver's. The nim-values that
//! two (or three) heaps with a given total can have do not depend on the move that leaves them. So
//! they are computed once for every total (`Sums`), for all heaps from which a move leaves that
//! total.
//!
//! The nim-value of a heap is searched for from below: a number is skipped if an option has it. The
//! values of two heaps are classified by the number of their ones under a mask: even or odd. An odd
//! number is the value only of an even and an odd heap, and the mask is chosen so that there are
//! few even heaps; all of these pairs are examined. The even numbers below the least odd one not
//! found need two even or two odd heaps. There are many of the latter, and they are examined only
//! until nothing is left to be found.

use std::collections::BTreeSet;

use misere_game::control::{Control, Stop};
use misere_game::ruleset::{Code, General};

use super::general_moves;
use super::three_heaps::ThreeHeaps;

/// Lengths at which the mask is chosen: powers of two from here on.
pub const FIRST_CHOICE: usize = 128;
/// Masks are chosen by counting, as long as nim-values are smaller than this.
const MAX_MASKS: usize = 1 << 12;
/// Ticks per pair of heaps examined.
const PAIR: u64 = 1;
/// The number of nim-values that are found, or tested, in one tick.
const NUMBERS_PER_TICK: usize = 8;

/// Returns the nim-values of the heaps `0..=heaps`.
///
/// Cost: a tick per pair of heaps examined; for moves that leave three heaps see `ThreeHeaps`.
///
/// ```
/// use misere_check::nim_values::nim_values;
/// use misere_game::control::Control;
/// let kayles = nim_values(&"0.77".parse()?, 9, &mut Control::unlimited())?;
/// assert_eq!(kayles, [0, 1, 2, 3, 1, 4, 3, 2, 1, 4]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Stop`] if `control` ends it.
pub fn nim_values(code: &Code, heaps: u32, control: &mut Control) -> Result<Vec<u32>, Stop> {
    if let Some(digits) = code.general() {
        return by_moves(code, digits, heaps, control);
    }
    if !code.is_take_and_break() {
        return by_options(code, heaps, control);
    }
    let mut game = Sequence {
        values: vec![0],
        numbers: 1,
        mask: 0,
        splits: (0..=code.length()).any(|taken| code.digit(taken) >> 2 & 1 != 0),
        even: Vec::new(),
        of_two: vec![Sums::default(); code.length() + 1],
        of_three: ThreeHeaps::new(code.length() + 1),
        found: Vec::new(),
    };
    for heap in 1..=heaps as usize {
        let value = game.of_heap(code, heap, control)?;
        game.append(value);
    }
    Ok(game.values)
}

/// Returns the nim-value of a sum of heaps, by the nim-values of all heaps.
pub(crate) fn nim_sum(heaps: impl IntoIterator<Item = u32>, values: &[u32]) -> u32 {
    let each = heaps.into_iter().map(|heap| values[heap as usize]);
    each.fold(0, |sum, value| sum ^ value)
}

/// Returns the nim-values of a game without digits, by the definition.
fn by_options(code: &Code, heaps: u32, control: &mut Control) -> Result<Vec<u32>, Stop> {
    let mut values: Vec<u32> = vec![0];
    for heap in 1..=heaps {
        control.spend(20 + 5 * code.most_options(heap))?;
        let mut met = BTreeSet::new();
        code.for_each_option(heap, |option| {
            met.insert(nim_sum(option.parts(), &values));
        });
        let mex = (0..).zip(&met).find(|&(least, &nim)| least != nim);
        values.push(mex.map_or(met.len() as u32, |(least, _)| least));
    }
    Ok(values)
}

/// Returns the nim-values of a general code, by the definition.
fn by_moves(
    code: &Code,
    digits: &General,
    heaps: u32,
    control: &mut Control,
) -> Result<Vec<u32>, Stop> {
    let mut values: Vec<u32> = vec![0];
    // The last heap with an option that has each number.
    let mut found: Vec<u32> = Vec::new();
    for heap in 1..=heaps {
        control.spend(20 + 5 * code.most_options(heap))?;
        general_moves::for_each(digits, heap, 0, control, &mut |left| {
            let nim = nim_sum(left.iter().copied(), &values) as usize;
            if nim >= found.len() {
                found.resize(nim + 1, 0);
            }
            found[nim] = heap;
        })?;
        let mex = found.iter().position(|&last| last != heap);
        values.push(mex.unwrap_or(found.len()) as u32);
    }
    Ok(values)
}

struct Sequence {
    values: Vec<u32>,
    /// A power of two greater than all nim-values, and so greater than those of sums.
    numbers: usize,
    mask: u32,
    /// Whether a move can leave two heaps; otherwise no sums of two are computed.
    splits: bool,
    /// The heaps with even values, and these values.
    even: Vec<(usize, u32)>,
    /// The nim-values of two heaps, for each total that a move in one of the next heaps can leave.
    ///
    /// The index is the total modulo the number of entries.
    of_two: Vec<Sums>,
    of_three: ThreeHeaps,
    /// For each number whether an option is known to have it.
    found: Vec<bool>,
}

/// The nim-values of two heaps with a given total.
#[derive(Clone, Default)]
struct Sums {
    /// The total, once there is one.
    total: Option<usize>,
    /// For each number whether two heaps are known to have it.
    ///
    /// This is complete for odd numbers, and for pairs with a heap before `next`.
    found: Vec<bool>,
    next: usize,
}

impl Sequence {
    fn of_heap(&mut self, code: &Code, heap: usize, control: &mut Control) -> Result<u32, Stop> {
        control.spend(20 + 4 * code.length() as u64)?;
        // The rests of the moves that leave `parts` heaps, none of them empty.
        let rests = |parts: usize| {
            let moves = 0..=code.length().min(heap);
            let allowed = moves.filter(move |&j| code.digit(j) >> parts & 1 != 0);
            let rests = allowed.map(move |j| heap - j);
            rests.filter(move |&rest| if parts == 0 { rest == 0 } else { rest >= parts })
        };
        self.found.clear();
        self.found.resize(self.numbers, false);
        if rests(0).next().is_some() {
            self.found[0] = true;
        }
        for rest in rests(1) {
            self.found[self.values[rest] as usize] = true;
        }
        for rest in rests(2) {
            control.spend((self.numbers / NUMBERS_PER_TICK) as u64)?;
            self.start(rest, control)?;
            let sums = &self.of_two[rest % self.of_two.len()];
            for (found, &too) in self.found.iter_mut().zip(&sums.found) {
                *found |= too;
            }
        }
        let three: Vec<usize> = rests(3).collect();
        for &rest in &three {
            self.of_three
                .enter(rest, &self.values, self.numbers, control)?;
        }
        let mut ceiling = 0;
        while self.is_even(ceiling) || !self.is_left(ceiling, &three, control)? {
            ceiling += 1;
        }
        let mut candidate = self.least_left(0, ceiling, &three, control)?;
        for rest in rests(2) {
            while candidate < ceiling && self.go_on_to(candidate, rest, control)? {
                candidate = self.least_left(candidate + 1, ceiling, &three, control)?;
            }
        }
        Ok(candidate)
    }

    /// Reports whether no option is known to have the number.
    ///
    /// Tests sums of three heaps with these totals, too.
    fn is_left(
        &mut self,
        number: u32,
        three: &[usize],
        control: &mut Control,
    ) -> Result<bool, Stop> {
        match self.found.get(number as usize) {
            Some(true) => return Ok(false),
            Some(false) if !three.is_empty() => {}
            _ => return Ok(true),
        }
        for &total in three {
            if self.of_three.have(total, number, &self.values, control)? {
                self.found[number as usize] = true;
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns the least number left from `number` on, at most `ceiling`.
    fn least_left(
        &mut self,
        mut number: u32,
        ceiling: u32,
        three: &[usize],
        control: &mut Control,
    ) -> Result<u32, Stop> {
        while number < ceiling && !self.is_left(number, three, control)? {
            number += 1;
        }
        Ok(number)
    }

    /// Goes through all pairs with `total` beans in which one heap is even, unless done before.
    fn start(&mut self, total: usize, control: &mut Control) -> Result<(), Stop> {
        let at = total % self.of_two.len();
        let sums = &mut self.of_two[at];
        if sums.total == Some(total) {
            return Ok(());
        }
        let even = &self.even[..self.even.partition_point(|&(one, _)| one < total)];
        control.spend(PAIR * even.len() as u64)?;
        sums.total = Some(total);
        sums.next = 1;
        sums.found.clear();
        sums.found.resize(self.numbers, false);
        for &(one, value) in even {
            sums.found[(value ^ self.values[total - one]) as usize] = true;
        }
        Ok(())
    }

    /// Continues through the pairs with `total` beans until one has the number.
    ///
    /// Reports whether one does.
    fn go_on_to(&mut self, number: u32, total: usize, control: &mut Control) -> Result<bool, Stop> {
        let at = total % self.of_two.len();
        let sums = &mut self.of_two[at];
        let first = sums.next;
        let mut is_found = false;
        while !is_found && sums.next <= total / 2 {
            let value = self.values[sums.next] ^ self.values[total - sums.next];
            sums.found[value as usize] = true;
            self.found[value as usize] = true;
            sums.next += 1;
            is_found = value == number;
        }
        control.spend(PAIR * (sums.next - first) as u64)?;
        Ok(is_found)
    }

    /// Reports whether a number is even under the mask.
    ///
    /// Without a mask all numbers count as odd and all heaps as even, so all pairs are examined.
    fn is_even(&self, number: u32) -> bool {
        self.mask != 0 && (number & self.mask).count_ones().is_multiple_of(2)
    }

    fn append(&mut self, value: u32) {
        let heap = self.values.len();
        self.values.push(value);
        if value as usize >= self.numbers {
            self.numbers = (value as usize + 1).next_power_of_two();
            let numbers = self.numbers;
            let sums = self.of_two.iter_mut();
            sums.for_each(|sums| sums.found.resize(numbers, false));
        }
        if !self.splits {
            return;
        }
        if heap.is_power_of_two() && heap >= FIRST_CHOICE {
            self.choose_mask();
        } else if self.mask == 0 || self.is_even(value) {
            self.even.push((heap, value));
        }
    }

    fn choose_mask(&mut self) {
        if self.numbers <= MAX_MASKS {
            let mut times = vec![0_usize; self.numbers];
            self.values[1..]
                .iter()
                .for_each(|&value| times[value as usize] += 1);
            let evens = |mask: u32| -> usize {
                let numbers = (0..).zip(&times);
                let even =
                    numbers.filter(|&(n, _): &(u32, _)| (n & mask).count_ones().is_multiple_of(2));
                even.map(|(_, times)| times).sum()
            };
            let masks = 1..self.numbers as u32;
            self.mask = masks.min_by_key(|&mask| evens(mask)).unwrap_or(0);
        }
        let heaps = self.values.iter().copied().enumerate().skip(1);
        self.even = heaps
            .filter(|&(_, value)| self.mask == 0 || self.is_even(value))
            .collect();
        // Their odd numbers belong to the mask before.
        self.of_two.fill(Sums::default());
    }
}

/// Returns the least period that the values prove, if any, and its preperiod.
///
/// For every period it counts the steps for which the period holds, from the last heap back.
///
/// Cost: two ticks per period and per step.
///
/// ```
/// use misere_check::nim_values::proved_period;
/// use misere_game::control::Control;
/// // Heaps of 0.3 have the nim-values 0, 1, 0, 1, …
/// let values: Vec<u32> = (0..20).map(|heap| heap % 2).collect();
/// let found = proved_period(&values, &"0.3".parse()?, &mut Control::unlimited())?;
/// assert_eq!(found, Some((2, 0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Stop`] if `control` ends it.
pub fn proved_period(
    values: &[u32],
    code: &Code,
    control: &mut Control,
) -> Result<Option<(u32, u32)>, Stop> {
    let last = values.len().saturating_sub(1);
    // Morris and Pratt's borders of the reversed sequence would find only the longest run, so each
    // period is tried separately; most fail at the last heap.
    for period in 1..=last / 2 {
        let preperiod = (0..=last - period)
            .rev()
            .find(|&heap| values[heap] != values[heap + period])
            .map_or(0, |heap| heap + 1);
        control.spend(2 * (last + 2 - period - preperiod) as u64)?;
        let (preperiod, period) = (preperiod as u32, period as u32);
        if code.heaps_to_prove(preperiod, period) <= last as u64 {
            return Ok(Some((period, preperiod)));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nim_sums_are_digit_by_digit() {
        let values: Vec<u32> = (0..16).collect();
        for [one, two, three] in [[1, 1, 0], [5, 3, 6], [7, 7, 7], [12, 10, 9], [8, 4, 3]] {
            let by_digits = |digit: u32| (one >> digit) + (two >> digit) + (three >> digit);
            let right: u32 = (0..4).map(|digit| (by_digits(digit) % 2) << digit).sum();
            assert_eq!(nim_sum([one, two, three], &values), right);
        }
    }

    /// Any two of the heaps have different values: only two heaps of 128 beans have 256 beans and
    /// the nim-value 0. The mask is chosen at such a heap.
    #[test]
    fn equal_heaps_where_the_mask_is_chosen() {
        let mut game = Sequence {
            values: vec![0],
            numbers: 1,
            mask: 0,
            splits: true,
            even: Vec::new(),
            of_two: vec![Sums::default(); 2],
            of_three: ThreeHeaps::new(2),
            found: Vec::new(),
        };
        (1..=256).for_each(|value| game.append(value));
        let options: Vec<u32> = (1..256).map(|one| one ^ (256 - one)).collect();
        let mex = (0..).find(|value| !options.contains(value)).unwrap();
        let control = &mut Control::unlimited();
        let found = game.of_heap(&"0.4".parse().unwrap(), 257, control);
        assert_eq!((found, mex > 0), (Ok(mex), true));
    }
}
