//! The search for the least period that the last nim-values have.

use super::value::Value;
use crate::control::{Control, Stop};

/// Values compared in one tick.
const VALUES_PER_TICK: u64 = 1;

/// The least period of the last `window` values that goes on to the left for so many values, with
/// the least heap from which on all values known have it.
///
/// The last values, read backwards, are looked for in the sequence read backwards by the method of
/// Knuth, Morris and Pratt (1977).
///
/// # Errors
/// [`Stop`] if `control` ends it.
pub(super) fn latest<V: Value>(
    values: &[V],
    window: usize,
    control: &mut Control,
) -> Result<Option<(usize, usize)>, Stop> {
    let length = values.len();
    if window == 0 || window >= length {
        return Ok(None);
    }
    control.spend((length + window) as u64 / VALUES_PER_TICK)?;
    let at = |index: usize| values[length - 1 - index];
    let mut border = vec![0_u32; window];
    let mut matched = 0;
    for index in 1..window {
        while matched > 0 && at(index) != at(matched) {
            matched = border[matched - 1] as usize;
        }
        matched += usize::from(at(index) == at(matched));
        border[index] = matched as u32;
    }
    matched = 0;
    for index in 1..length {
        while matched > 0 && at(index) != at(matched) {
            matched = border[matched - 1] as usize;
        }
        matched += usize::from(at(index) == at(matched));
        if matched == window {
            let period = index + 1 - window;
            let start = (0..length - period).rev();
            let mut start = start.take_while(|&heap| values[heap] == values[heap + period]);
            let least = start.by_ref().last().unwrap_or(length - period);
            return Ok(Some((period, least)));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn by_the_definition(start in prop::collection::vec(0_u8..3, 0..20), again in prop::collection::vec(0_u8..3, 1..8), times in 1_usize..6, window in 0_usize..30) {
            let values = [start, again.repeat(times)].concat();
            let last = values.len();
            let holds = |p: usize| (0..last - p).rev().take_while(|&n| values[n] == values[n + p]).count();
            let expected = (1..last).find(|&p| window > 0 && holds(p) >= window).map(|p| (p, last - p - holds(p)));
            let found = latest(&values, window, &mut Control::unlimited()).unwrap();
            prop_assert_eq!(found, expected);
        }
    }
}
