//! The search for the least period that the last nim-values have.

use misere_game::control::{Control, Stop};

use super::value::Value;

/// The number of last values that are compared first.
const ANCHOR: usize = 8;
/// The number of values compared in one tick.
const VALUES_PER_TICK: u64 = 1;

/// Returns the least period of the last values, with the least heap from which on it holds.
///
/// The last `window` values must equal the values one period to their left.
///
/// The method of Knuth, Morris and Pratt (1977) searches the last values, read backwards, in the
/// sequence read backwards.
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
    if let Some(found) = quickly(values, window) {
        return Ok(found.map(|period| (period, least(values, period))));
    }
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
            return Ok(Some((period, least(values, period))));
        }
    }
    Ok(None)
}

/// Returns the least heap from which on all values have a period.
fn least<V: Value>(values: &[V], period: usize) -> usize {
    let (ones, others) = (&values[..values.len() - period], &values[period..]);
    let differ = ones
        .iter()
        .zip(others)
        .rposition(|(one, other)| one != other);
    differ.map_or(0, |heap| heap + 1)
}

/// Returns the least period of the last values, if few comparisons decide it.
///
/// `Some(None)` means that there is none.
///
/// The last `window` values are compared with others only where the last eight agree.
fn quickly<V: Value>(values: &[V], window: usize) -> Option<Option<usize>> {
    let last: &[V; ANCHOR] = values.last_chunk()?;
    let length = values.len();
    let pattern = values.get(length.checked_sub(window)?..)?;
    if window < ANCHOR {
        return None;
    }
    let mut compared = 0;
    for period in 1..=length - window {
        let end = length - period;
        if values[..end].last_chunk::<ANCHOR>() != Some(last) {
            continue;
        }
        let other = &values[end - window..end];
        let pairs = pattern.iter().zip(other).rev();
        let same = pairs.take_while(|(one, other)| one == other).count();
        if same == window {
            return Some(Some(period));
        }
        compared += same;
        if compared > length {
            return None;
        }
    }
    Some(None)
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
