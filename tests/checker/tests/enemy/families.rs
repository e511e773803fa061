//! Outcomes claimed by evidence of an infinite quotient, compared with the definition.

use misere_game::outcome::Outcome;
use misere_game::solution::InfiniteFamily;
use misere_game::solution::evidence::Count;

use super::rules::Rules;

/// The greatest numbers of heaps and beans in the positions that are compared with the definition.
const MAX_SUMMANDS: usize = 6;
const MAX_BEANS: u32 = 24;

/// Returns the outcome that the evidence claims of a sum of heaps, read as `docs/infinite.md` says.
///
/// Returns `None` if it claims nothing.
pub(crate) fn claimed(family: &InfiniteFamily, position: &[u32]) -> Option<Outcome> {
    let mut counts = vec![0_u32; family.letters.len()];
    let letter = |heap: u32| family.letters.iter().position(|l| l.heap == heap);
    for &heap in position {
        if let Some(at) = letter(heap) {
            counts[at] += 1;
            continue;
        }
        let word = family.words.iter().find(|word| word.heap == heap)?;
        for &(part, count) in &word.word {
            counts[letter(part)?] += count;
        }
    }
    let (mut column, mut digits) = (Vec::new(), Vec::new());
    for (&x, letter) in counts.iter().zip(&family.letters) {
        match letter.count {
            Count::Digits => digits.push(x),
            Count::Cycle { index, period } => {
                let mut read = x;
                while read >= index + period {
                    read = read.checked_sub(period).filter(|_| period > 0)?;
                }
                column.push(read);
            }
        }
    }
    let mut state = family.columns.iter().find(|c| c.counts == column)?.state;
    while digits.iter().any(|&x| x > 0) {
        let bits = digits.iter().enumerate();
        let bits: usize = bits.map(|(d, x)| ((x & 1) as usize) << d).sum();
        state = family.states[state as usize].next[bits];
        digits.iter_mut().for_each(|x| *x /= 2);
    }
    family.states[state as usize].outcome
}

/// Checks that the outcomes claimed of the sums of few heaps are right.
pub(crate) fn outcomes_are_right(rules: &mut Rules, family: &InfiniteFamily) -> Result<(), String> {
    compare(rules, &family.heaps(), |position| claimed(family, position))
}

/// Checks that the outcomes claimed of the sums of few of these heaps are right.
pub(crate) fn compare(
    rules: &mut Rules,
    heaps: &[u32],
    claimed: impl Fn(&[u32]) -> Option<Outcome>,
) -> Result<(), String> {
    let mut open = vec![(Vec::new(), 0_usize)];
    while let Some((position, from)) = open.pop() {
        if let Some(outcome) = claimed(&position)
            && rules.is_p(&position) != (outcome == Outcome::P)
        {
            return Err(format!("{position:?} is said to be {outcome}"));
        }
        let beans: u32 = position.iter().sum();
        if position.len() < MAX_SUMMANDS {
            for (at, &heap) in heaps.iter().enumerate().skip(from) {
                if beans + heap <= MAX_BEANS {
                    let mut longer = position.clone();
                    longer.push(heap);
                    open.push((longer, at));
                }
            }
        }
    }
    Ok(())
}
