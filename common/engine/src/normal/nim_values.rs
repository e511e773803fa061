//! The computation of the nim-values of heaps.
//!
//! `G(h_n)` is the least number that is not the nim-value of an option (Sprague 1935, Grundy 1939);
//! the nim-value of a sum is the exclusive or. A move that leaves two heaps has `n/2` ways to do
//! so, which makes long sequences expensive. The game's **sparse space** makes them cheaper
//! (Berlekamp, Conway, Guy, *Winning Ways*, chapter 4; Gangolli and Plambeck 1989 for 0.56): let a
//! number be *rare* if it has an even number of ones under a mask. Rare + rare is rare, rare +
//! common is common, common + common is rare. In most games there is a mask under which few heaps
//! have rare values. Then splits with a rare heap give all common values of options, and with them
//! a bound, the least common number left out. Splits into two common heaps are examined only until
//! all rare numbers below the bound are met, that is, are values of options. A number that is never
//! met is the nim-value. Only the cost depends on the mask; it is chosen again whenever the
//! sequence has doubled.

use misere_game::control::{Control, Stop};
use misere_game::ruleset::Code;

use super::three_heaps::ThreeHeaps;

/// The length below which choosing a mask is not worthwhile.
const MIN_HEAPS_FOR_MASK: usize = 64;

/// The price of one split: values of long sequences come from memory.
const SPLIT_TICKS: u64 = 3;

/// The nim-values of a game, computed heap by heap.
#[derive(Clone, Debug)]
pub struct NimValues<'a> {
    code: &'a Code,
    values: Vec<u32>,
    /// The mask that distinguishes rare numbers, which have an even number of ones under it.
    ///
    /// Under mask 0 all numbers are rare.
    mask: u32,
    /// The heaps from 1 on with a rare value, ascending.
    rare: Vec<u32>,
    /// The heap at which the mask is chosen again.
    next_choice: usize,
    met: ValueSet,
    three_heaps: ThreeHeaps,
}

impl<'a> NimValues<'a> {
    /// Returns the sequence with heap 0 only.
    #[must_use]
    pub fn new(code: &'a Code) -> Self {
        Self {
            code,
            values: vec![0],
            mask: 0,
            rare: Vec::new(),
            next_choice: MIN_HEAPS_FOR_MASK,
            met: ValueSet::default(),
            three_heaps: ThreeHeaps::new(code.length() + 1),
        }
    }

    /// Returns the game.
    #[must_use]
    pub fn code(&self) -> &'a Code {
        self.code
    }

    /// Returns the nim-values of the heaps from 0 on.
    #[must_use]
    pub fn values(&self) -> &[u32] {
        &self.values
    }

    /// Returns the nim-values of the heaps from 0 on.
    #[must_use]
    pub fn into_values(self) -> Vec<u32> {
        self.values
    }

    /// Computes the nim-value of the next heap.
    ///
    /// Cost: for each digit that lets a heap be split three ticks per heap with a rare value, and
    /// three for each of the splits into common heaps that are needed. If moves leave three heaps,
    /// `n` ticks more and 1152 for each 64 nim-values. Each number that is searched for among three
    /// heaps, and that three heaps with a small one do not have, takes three more per heap up to a
    /// third of the beans.
    ///
    /// ```
    /// use misere_game::control::Control;
    /// use misere_engine::normal::nim_values::NimValues;
    /// // Dawson's Kayles.
    /// let code = "0.07".parse()?;
    /// let mut values = NimValues::new(&code);
    /// for _ in 1..=10 {
    ///     values.next(&mut Control::unlimited())?;
    /// }
    /// assert_eq!(values.values(), [0, 0, 1, 1, 2, 0, 3, 1, 1, 0, 3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Stop`] if `control` ends it; the sequence is then unchanged.
    pub fn next(&mut self, control: &mut Control) -> Result<u32, Stop> {
        let heap = self.values.len();
        self.met.clear();
        if !self.code.is_take_and_break() {
            return self.next_by_options(control);
        }
        let mut work = 20 + 4 * self.code.length() as u64;
        for taken in 0..=self.code.length().min(heap) {
            let (digit, rest) = (self.code.digit(taken), heap - taken);
            if digit & 1 != 0 && rest == 0 && taken > 0 {
                self.met.insert(0);
            }
            if digit & 2 != 0 && rest >= 1 {
                self.met.insert(self.values[rest]);
            }
            if digit & 8 != 0 {
                self.three_heaps.prepare(rest, &self.values, control)?;
            }
            if digit & 4 != 0 {
                work += SPLIT_TICKS * self.rare.len() as u64;
                self.splits_with_a_rare_heap(rest);
            }
        }
        control.spend(work)?;
        let value = self.least_not_met(heap, control)?;
        self.append(value);
        Ok(value)
    }

    /// Computes the next nim-value of a game without digits, from the list of its options.
    fn next_by_options(&mut self, control: &mut Control) -> Result<u32, Stop> {
        let heap = self.values.len() as u32;
        control.spend(20 + SPLIT_TICKS * self.code.most_options(heap))?;
        let (values, met) = (&self.values, &mut self.met);
        self.code.for_each_option(heap, |option| {
            met.insert(
                option
                    .parts()
                    .fold(0, |sum, part| sum ^ values[part as usize]),
            );
        });
        // A move that takes nothing allows a nim-value greater than the heap.
        let value = (0..).find(|&value| !met.contains(value)).unwrap_or(0);
        self.append(value);
        Ok(value)
    }

    /// Splits `rest` into two heaps, one of them rare.
    fn splits_with_a_rare_heap(&mut self, rest: usize) {
        let values = &self.values;
        for &one in self.rare.iter().take_while(|&&one| (one as usize) < rest) {
            let other = rest - one as usize;
            self.met.insert(values[one as usize] ^ values[other]);
        }
    }

    /// Returns the least number that is not met.
    ///
    /// It examines splits into common heaps until all rare numbers below the least common one not
    /// met are met.
    fn least_not_met(&mut self, heap: usize, control: &mut Control) -> Result<u32, Stop> {
        let mask = self.mask;
        let mut bound = 0;
        while is_rare(bound, mask) && mask != 0 || self.is_met(bound, heap, control)? {
            bound += 1;
        }
        if mask == 0 {
            return Ok(bound);
        }
        let mut missing = 0;
        for value in (0..bound).filter(|&value| is_rare(value, mask)) {
            missing += u32::from(!self.is_met(value, heap, control)?);
        }
        for taken in 0..=self.code.length().min(heap) {
            if self.code.digit(taken) & 4 == 0 {
                continue;
            }
            let rest = heap - taken;
            let mut looked_at = 0;
            for one in 1..=rest / 2 {
                if missing == 0 {
                    break;
                }
                looked_at += 1;
                let value = self.values[one] ^ self.values[rest - one];
                if value < bound && !self.met.contains(value) {
                    // Splits with a rare heap have met all common numbers, so this number is rare.
                    self.met.insert(value);
                    missing -= 1;
                }
            }
            control.spend(SPLIT_TICKS * looked_at)?;
        }
        let mut value = 0;
        while self.met.contains(value) {
            value += 1;
        }
        Ok(value)
    }

    /// Reports whether the value has been met, or whether three heaps meet it now.
    fn is_met(&mut self, value: u32, heap: usize, control: &mut Control) -> Result<bool, Stop> {
        if self.met.contains(value) {
            return Ok(true);
        }
        if self.code.max_parts() < 3 {
            return Ok(false);
        }
        for taken in 0..=self.code.length().min(heap) {
            let total = heap - taken;
            if self.code.digit(taken) & 8 != 0
                && self.three_heaps.have(total, value, &self.values, control)?
            {
                self.met.insert(value);
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn append(&mut self, value: u32) {
        let heap = self.values.len();
        self.values.push(value);
        if is_rare(value, self.mask) {
            self.rare.push(heap as u32);
        }
        if self.values.len() >= self.next_choice {
            self.next_choice = 2 * self.values.len();
            self.choose_mask();
        }
    }

    /// Chooses the mask that leaves the fewest heaps rare.
    ///
    /// It applies the Walsh–Hadamard transform to the frequency of each number.
    fn choose_mask(&mut self) {
        let largest = self.values.iter().copied().max().unwrap_or(0);
        let size = (largest as usize + 1).next_power_of_two();
        let mut excess = vec![0_i64; size];
        self.values[1..]
            .iter()
            .for_each(|&value| excess[value as usize] += 1);
        let mut half = 1;
        while half < size {
            for block in (0..size).step_by(2 * half) {
                for at in block..block + half {
                    let (x, y) = (excess[at], excess[at + half]);
                    (excess[at], excess[at + half]) = (x + y, x - y);
                }
            }
            half *= 2;
        }
        let best = (0..size).min_by_key(|&mask| excess[mask]).unwrap_or(0);
        self.mask = best as u32;
        let mask = self.mask;
        self.rare = (1..self.values.len() as u32)
            .filter(|&heap| is_rare(self.values[heap as usize], mask))
            .collect();
    }
}

fn is_rare(value: u32, mask: u32) -> bool {
    (value & mask).count_ones().is_multiple_of(2)
}

/// A set of numbers that is emptied in one step.
#[derive(Clone, Debug, Default)]
struct ValueSet {
    round: u32,
    last_met: Vec<u32>,
}

impl ValueSet {
    fn clear(&mut self) {
        if self.round == u32::MAX {
            self.last_met.clear();
            self.round = 0;
        }
        self.round += 1;
    }

    #[inline]
    fn insert(&mut self, value: u32) {
        let value = value as usize;
        if value >= self.last_met.len() {
            self.last_met.resize((value + 1).next_power_of_two(), 0);
        }
        self.last_met[value] = self.round;
    }

    #[inline]
    fn contains(&self, value: u32) -> bool {
        self.last_met.get(value as usize) == Some(&self.round)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn by_definition(code: &Code, heaps: u32) -> Vec<u32> {
        let mut values: Vec<u32> = vec![0];
        for heap in 1..=heaps {
            let options: Vec<u32> = code
                .options(heap)
                .into_iter()
                .map(|option| {
                    option
                        .parts()
                        .fold(0, |sum, part| sum ^ values[part as usize])
                })
                .collect();
            let mex = (0..).find(|value| !options.contains(value));
            values.push(mex.unwrap());
        }
        values
    }

    fn computed(code: &Code, heaps: u32) -> Vec<u32> {
        let mut values = NimValues::new(code);
        let mut control = Control::unlimited();
        (0..heaps).for_each(|_| {
            values.next(&mut control).unwrap();
        });
        values.into_values()
    }

    #[test]
    fn games_without_digits() {
        for text in ["grundy", "{*3,{*2},0}", "*12", "4.[3]", "4!.[7]", "C=.3"] {
            let code = text.parse().unwrap();
            assert_eq!(computed(&code, 200), by_definition(&code, 200), "{text}");
        }
        let grundy = computed(&Code::grundy(), 20);
        // Winning Ways, chapter 4.
        let known = [
            0, 0, 0, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 3, 2, 1, 3, 2, 4, 3, 0,
        ];
        assert_eq!(grundy, known);
    }

    #[test]
    fn a_heap_without_fuel_changes_nothing() {
        let code = "0.77".parse().unwrap();
        let mut values = NimValues::new(&code);
        let mut control = Control::new(0, misere_game::control::Interrupt::default());
        assert_eq!(values.next(&mut control), Err(Stop::FuelSpent));
        assert_eq!(values.values(), [0]);
        assert_eq!(values.next(&mut Control::unlimited()), Ok(1));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        /// The sequences are long enough for the mask to be chosen two or three times.
        #[test]
        fn octal_games_by_the_definition(d0 in 0_u8..2, digits in prop::collection::vec(0_u8..8, 1..4)) {
            let code = Code::new(4 * d0, &digits).unwrap();
            prop_assert_eq!(computed(&code, 300), by_definition(&code, 300));
        }

        #[test]
        fn hexadecimal_games_by_the_definition(d0 in 0_u8..4, digits in prop::collection::vec(0_u8..16, 1..4)) {
            let code = Code::new(4 * d0, &digits).unwrap();
            prop_assert_eq!(computed(&code, 90), by_definition(&code, 90));
        }
    }
}
