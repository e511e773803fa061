//! The check that the nim-values of a game grow for ever by the same amount.
//!
//! The theorem, its hypotheses L1 to L11 and its proof are in `docs/normal-play.md`. Nothing of the
//! claim is trusted: the nim-values are computed here.

use misere_game::control::{Control, Stop};
use misere_game::ruleset::{Code, Constraint};
use misere_game::solution::ArithmeticPeriod;

pub use super::arithmetic_period_error::ArithmeticPeriodCheckError;
use super::nim_values::nim_values;
use super::prime_factors::prime_factors;

/// The most heaps that a move may leave.
const MOST_LEFT: usize = 3;
/// The greatest heap to which claims are checked.
const MAX_HEAPS: u32 = 1 << 20;
/// The last option with a number lasts: each heap one step larger has an option with it, too.
const LASTS: u8 = 1;
/// An option with a number moves: the heap one step larger has one with the number that is greater
/// by the saltus of a step.
const MOVES: u8 = 2;
/// One option with the number does both.
const DOES_BOTH: u8 = 4;

/// Proves the claim from the code alone, or names the first thing wrong with it.
///
/// Cost: that of [`nim_values`], and a tick for each option of the heaps of the last step, and for
/// each option with heaps less than the preperiod and a step.
///
/// ```
/// use misere_check::arithmetic_period::check;
/// use misere_game::control::Control;
/// use misere_game::solution::ArithmeticPeriod;
/// let nim = "0.[3]".parse()?;
/// let claim = ArithmeticPeriod { period: 1, saltus: 1, preperiod: 0, step: 2, heaps: 6 };
/// assert_eq!(check(&nim, &claim, &mut Control::unlimited()), Ok(()));
/// # Ok::<(), misere_game::ruleset::CodeError>(())
/// ```
///
/// # Errors
/// [`ArithmeticPeriodCheckError`], the first thing wrong.
pub fn check(
    code: &Code,
    claim: &ArithmeticPeriod,
    control: &mut Control,
) -> Result<(), ArithmeticPeriodCheckError> {
    let moves = Moves::of(code).ok_or(ArithmeticPeriodCheckError::NotCovered)?;
    check_form(claim, &moves)?;
    let needed = moves.heaps_needed(claim);
    if u64::from(claim.heaps) < needed {
        return Err(ArithmeticPeriodCheckError::TooFewHeaps {
            found: claim.heaps,
            needed,
        });
    }
    let proof = Proof {
        claim,
        start: claim.preperiod.max(1) as usize,
        step: claim.step as usize,
        step_saltus: u64::from(claim.saltus) * u64::from(claim.step / claim.period),
        values: nim_values(code, claim.heaps, control)?,
        moves,
    };
    proof.check_period()?;
    proof.check_no_option_has_the_value(control)?;
    for heap in claim.heaps - claim.step + 1..=claim.heaps {
        proof.check_smaller_numbers_are_met(heap as usize, control)?;
    }
    proof.check_least()
}

/// Returns the heap to which a claim needs nim-values; `None` if the theorem does not cover the game.
///
/// ```
/// use misere_check::arithmetic_period::heaps_needed;
/// use misere_game::solution::ArithmeticPeriod;
/// let claim = ArithmeticPeriod { period: 3, saltus: 1, preperiod: 1, step: 6, heaps: 0 };
/// assert_eq!(heaps_needed(&"0.8".parse()?, &claim), Some(19));
/// # Ok::<(), misere_game::ruleset::CodeError>(())
/// ```
#[must_use]
pub fn heaps_needed(code: &Code, claim: &ArithmeticPeriod) -> Option<u64> {
    Some(Moves::of(code)?.heaps_needed(claim))
}

/// Checks L1.
fn check_form(claim: &ArithmeticPeriod, moves: &Moves) -> Result<(), ArithmeticPeriodCheckError> {
    let form = |holds: bool, flaw| match holds {
        true => Ok(()),
        false => Err(ArithmeticPeriodCheckError::Form(flaw)),
    };
    form(claim.period > 0, "the period is 0")?;
    form(claim.saltus > 0, "the saltus is 0")?;
    form(claim.heaps <= MAX_HEAPS, "there are too many heaps")?;
    let half = u64::from(claim.step / 2);
    form(
        claim.step.is_multiple_of(2) && half > 0 && half.is_multiple_of(claim.period.into()),
        "half of the step is not a multiple of the period",
    )?;
    form(
        u64::from(claim.step).is_multiple_of(moves.block as u64),
        "the step is not a multiple of the block of the code",
    )
}

/// The moves of a code, by the beans that they take: the bits of a digit are the numbers of heaps
/// that may be left.
struct Moves {
    /// The digits to the last one before the block, and then the block once.
    digits: Vec<u8>,
    /// The digits before the block, `d0` among them.
    before: usize,
    /// The length of the block; of a code with an end it is `0`, with length 1.
    block: usize,
}

impl Moves {
    fn of(code: &Code) -> Option<Self> {
        let Some(general) = code.general() else {
            let is_plain = code.is_take_and_break();
            let digits = (0..=code.length()).map(|taken| code.digit(taken));
            return is_plain.then(|| Self::with_block(digits.collect(), 0));
        };
        let block = general.block_length().unwrap_or(0);
        let bits = |taken| {
            let plain = |(heaps, constraint)| {
                let is_plain = constraint == Constraint::None && heaps as usize <= MOST_LEFT;
                is_plain.then_some(1_u8 << heaps)
            };
            general.digit(taken).allowed().map(plain).sum()
        };
        let digits: Option<Vec<u8>> = (0..=general.last_before_block() + block)
            .map(bits)
            .collect();
        Some(Self::with_block(digits?, block as usize))
    }

    fn with_block(mut digits: Vec<u8>, block: usize) -> Self {
        if block == 0 {
            digits.push(0);
        }
        let block = block.max(1);
        Self {
            before: digits.len() - block,
            block,
            digits,
        }
    }

    /// Reports whether a move that takes `taken` beans may leave `heaps` heaps.
    fn may_leave(&self, taken: usize, heaps: usize) -> bool {
        let at = match taken.checked_sub(self.before) {
            None => taken,
            Some(beyond) => self.before + beyond % self.block,
        };
        self.digits[at] >> heaps & 1 == 1
    }

    /// Reports whether digits without end allow moves.
    fn has_no_end(&self) -> bool {
        self.digits[self.before..].iter().any(|&digit| digit > 0)
    }

    /// Returns the most beans that a move takes in a heap, or 0 if none takes any.
    fn most_taken(&self, heap: usize) -> usize {
        match self.has_no_end() {
            true => heap,
            false => heap.min(self.before - 1),
        }
    }

    /// Returns the heap to which L4 asks for nim-values.
    fn heaps_needed(&self, claim: &ArithmeticPeriod) -> u64 {
        let end = u64::from(claim.preperiod.max(1)) + u64::from(claim.step);
        let all_left = self.digits.iter().fold(0, |all, digit| all | digit);
        let most_left = u64::from(u8::BITS - all_left.leading_zeros()).saturating_sub(1);
        let largest_option = most_left * (end - 1) + self.most_compared(end as usize) as u64;
        largest_option.max(end + u64::from(claim.period) - 1)
    }

    /// Returns the most beans taken by the moves that L5 is about; `end` is the preperiod and a
    /// step.
    fn most_compared(&self, end: usize) -> usize {
        match self.has_no_end() {
            true => self.before - 1 + end,
            false => self.before - 1,
        }
    }
}

struct Proof<'a> {
    claim: &'a ArithmeticPeriod,
    moves: Moves,
    /// The nim-values, which are those of L2.
    values: Vec<u32>,
    /// The preperiod, but at least 1.
    start: usize,
    step: usize,
    /// The amount by which the nim-values grow in a step.
    step_saltus: u64,
}

impl Proof<'_> {
    /// Checks L3.
    fn check_period(&self) -> Result<(), ArithmeticPeriodCheckError> {
        let (period, preperiod) = (self.claim.period as usize, self.claim.preperiod as usize);
        for heap in preperiod..=self.claim.heaps as usize - period {
            if !self.grows(heap, period, self.claim.saltus) {
                return Err(ArithmeticPeriodCheckError::NotPeriodic {
                    heap: heap as u32,
                    period: self.claim.period,
                    one: self.values[heap],
                    other: self.values[heap + period],
                });
            }
        }
        Ok(())
    }

    fn grows(&self, heap: usize, period: usize, saltus: u32) -> bool {
        self.values[heap].checked_add(saltus) == Some(self.values[heap + period])
    }

    /// Checks L5: no option has the nim-value of its heap, however much larger both are.
    fn check_no_option_has_the_value(
        &self,
        control: &mut Control,
    ) -> Result<(), ArithmeticPeriodCheckError> {
        let end = self.start + self.step;
        for taken in 0..=self.moves.most_compared(end) {
            for first in 1..end {
                if taken > 0 && self.moves.may_leave(taken, 1) {
                    self.compare(taken, &[first])?;
                }
                for second in 1..=first {
                    if self.moves.may_leave(taken, 2) {
                        self.compare(taken, &[first, second])?;
                    }
                    if self.moves.may_leave(taken, 3) {
                        control.spend(second as u64)?;
                        for third in 1..=second {
                            self.compare(taken, &[first, second, third])?;
                        }
                    }
                }
                control.spend(first as u64)?;
            }
        }
        Ok(())
    }

    /// Checks L5 for one option.
    fn compare(&self, taken: usize, left: &[usize]) -> Result<(), ArithmeticPeriodCheckError> {
        let heap = taken + left.iter().sum::<usize>();
        let value = self.values[heap];
        let values = left.iter().map(|&heap| self.values[heap]);
        let sum: u64 = values.clone().map(u64::from).sum();
        let nim_sum = values.fold(0, |sum, value| sum ^ value);
        // The sums of larger heaps have the same last bits.
        let last_bits = self.step_saltus & self.step_saltus.wrapping_neg();
        let bits_differ = !u64::from(nim_sum ^ value).is_multiple_of(last_bits);
        let stays_greater =
            left.len() == 1 && !sum.abs_diff(value.into()).is_multiple_of(self.step_saltus);
        let differs = heap < self.start || sum < value.into() || bits_differ || stays_greater;
        match differs {
            true => Ok(()),
            false => Err(ArithmeticPeriodCheckError::Option {
                heap: heap as u32,
                taken: taken as u32,
                left: left.iter().map(|&heap| heap as u32).collect(),
            }),
        }
    }

    /// Checks L6 to L9 for a heap.
    fn check_smaller_numbers_are_met(
        &self,
        heap: usize,
        control: &mut Control,
    ) -> Result<(), ArithmeticPeriodCheckError> {
        let value = self.values[heap];
        let least = 2 * self.step_saltus;
        if u64::from(value) < least {
            return Err(ArithmeticPeriodCheckError::TooSmall {
                heap: heap as u32,
                value,
                least,
            });
        }
        let met = self.kinds_of_options(heap, control)?;
        for number in 0..value {
            let (kind, needed) = match u64::from(value - number) {
                below if below > least => ("lasting", LASTS),
                below if below > self.step_saltus => ("lasting and moving", DOES_BOTH),
                _ => ("moving", MOVES),
            };
            if met[number as usize] & needed == 0 {
                return Err(ArithmeticPeriodCheckError::NotMet {
                    heap: heap as u32,
                    number,
                    kind,
                });
            }
        }
        Ok(())
    }

    /// Returns for each number less than the nim-value of a heap the kinds of options that have it.
    fn kinds_of_options(&self, heap: usize, control: &mut Control) -> Result<Vec<u8>, Stop> {
        let mut met = vec![0; self.values[heap] as usize];
        for taken in 0..=self.moves.most_taken(heap) {
            let total = heap - taken;
            if total == 0 && self.moves.may_leave(taken, 0) {
                self.meet(&mut met, taken, &[]);
            }
            if taken > 0 && total > 0 && self.moves.may_leave(taken, 1) {
                self.meet(&mut met, taken, &[total]);
            }
            for first in 1..total {
                let rest = total - first;
                if first <= rest && self.moves.may_leave(taken, 2) {
                    self.meet(&mut met, taken, &[first, rest]);
                }
                if self.moves.may_leave(taken, 3) {
                    control.spend(rest as u64)?;
                    for second in first..=rest / 2 {
                        self.meet(&mut met, taken, &[first, second, rest - second]);
                    }
                }
            }
            control.spend(heap as u64)?;
        }
        Ok(met)
    }

    /// Enters an option.
    fn meet(&self, met: &mut [u8], taken: usize, left: &[usize]) {
        let nim_sum = left.iter().fold(0, |sum, &heap| sum ^ self.values[heap]);
        let Some(kinds) = met.get_mut(nim_sum as usize) else {
            return;
        };
        let same_move = taken >= self.moves.before;
        let is_pair = |one: usize, other: usize| {
            let both_grow = one >= self.start && other >= self.start;
            one == other || both_grow && self.is_small(self.values[one] ^ self.values[other])
        };
        let lasts = |left: &[usize]| match *left {
            [one, other] => is_pair(one, other),
            [one, two, three] => is_pair(one, two) || is_pair(one, three) || is_pair(two, three),
            _ => false,
        };
        if same_move || lasts(left) {
            *kinds |= LASTS;
        }
        for (at, &heap) in left.iter().enumerate() {
            if heap >= self.start && self.is_small(nim_sum ^ self.values[heap]) {
                *kinds |= MOVES;
                let others: Vec<usize> = [&left[..at], &left[at + 1..]].concat();
                if same_move || lasts(&others) {
                    *kinds |= DOES_BOTH;
                }
            }
        }
    }

    /// Reports whether a number is less than the greatest power of two that divides the growth in
    /// half a step.
    fn is_small(&self, number: u32) -> bool {
        let half = self.step_saltus / 2;
        u64::from(number) < half & half.wrapping_neg()
    }

    /// Checks L10 and L11.
    fn check_least(&self) -> Result<(), ArithmeticPeriodCheckError> {
        let (period, saltus) = (self.claim.period, self.claim.saltus);
        let preperiod = self.claim.preperiod as usize;
        for prime in prime_factors(period) {
            let part = period / prime;
            let mut heaps = preperiod..preperiod + (period - part) as usize;
            let is_part = saltus.is_multiple_of(prime)
                && heaps.all(|heap| self.grows(heap, part as usize, saltus / prime));
            if is_part {
                return Err(ArithmeticPeriodCheckError::SmallerPeriod(part));
            }
        }
        if preperiod > 0 && self.grows(preperiod - 1, period as usize, saltus) {
            return Err(ArithmeticPeriodCheckError::SmallerPreperiod(
                self.claim.preperiod - 1,
            ));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns what L6 to L9 say of heap 9 of a code, if every heap had as nim-value its number.
    fn of_heap_9(code: &str) -> Result<(), ArithmeticPeriodCheckError> {
        let proof = Proof {
            claim: &ArithmeticPeriod {
                period: 1,
                saltus: 1,
                preperiod: 0,
                step: 2,
                heaps: 9,
            },
            moves: Moves::of(&code.parse().unwrap()).unwrap(),
            values: (0..=9).collect(),
            start: 1,
            step: 2,
            step_saltus: 2,
        };
        proof.check_smaller_numbers_are_met(9, &mut Control::unlimited())
    }

    fn not_met(number: u32, kind: &'static str) -> Result<(), ArithmeticPeriodCheckError> {
        Err(ArithmeticPeriodCheckError::NotMet {
            heap: 9,
            number,
            kind,
        })
    }

    /// L7 and L9. No claim about a game of two digits violates them before L8.
    #[test]
    fn each_smaller_number_needs_an_option() {
        assert_eq!(of_heap_9("0.[3]"), Ok(()));
        // Moves that take one to five beans reach no 0.
        assert_eq!(of_heap_9("0.33333"), not_met(0, "lasting"));
        // The last moves are those that take one bean or two.
        assert_eq!(of_heap_9("0.0[3]"), not_met(8, "moving"));
    }

    /// L7 to L9: the option with the number has to be of the kind.
    #[test]
    fn an_option_of_another_kind_does_not_count() {
        // 4 + 4 has the value 0 and lasts; 1 is that of one heap alone, which moves.
        assert_eq!(of_heap_9("0.733333333"), not_met(1, "lasting"));
        // 5 is the value of one heap alone, after a move that is not of the block: it moves.
        assert_eq!(
            of_heap_9("0.3333[333334]"),
            not_met(5, "lasting and moving")
        );
        // 7 is the value of 1 + 6 alone, after a move of the block, which lasts.
        assert_eq!(of_heap_9("0.3[43333333]"), not_met(7, "moving"));
    }
}
