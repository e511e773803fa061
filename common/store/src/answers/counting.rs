//! The choice of the condition with the fewest entries, by counting.

use misere_query::Query;
use misere_query::filter::Condition;

use crate::view::{Cursor, Direction, View};
use crate::{Store, StoreError};

/// The most entries of one condition that are counted, and then gathered, without a limit.
///
/// Beyond that all records are read in their order, and none are gathered.
const MAX_COUNTED: u64 = 1 << 20;

/// The least and the most entries of one condition that are counted with a limit.
const SAMPLE_COUNT_BOUNDS: (u64, u64) = (1 << 10, 1 << 16);

/// The number of keys that are read in the time of one record.
const KEYS_PER_RECORD: u64 = 8;

/// Returns the most entries of one condition that are counted.
///
/// A condition with `c` entries among `n` records costs `c` keys if they are gathered. If they are
/// not, `l` answers are found after about `l·n/c` records. Both cost the same if `c` is the root of
/// `l·n`, in keys.
pub(super) fn most_counted(query: &Query, store: &Store) -> u64 {
    let Some(limit) = query.limit else {
        return MAX_COUNTED;
    };
    let (least, most) = SAMPLE_COUNT_BOUNDS;
    let wanted = limit.saturating_add(query.offset);
    let all = store.counters().records();
    let keys = wanted.saturating_mul(all).saturating_mul(KEYS_PER_RECORD);
    keys.isqrt().clamp(least, most)
}

/// Returns the condition with the fewest entries, and their number.
///
/// Returns `None` if no condition has few enough entries to be counted.
pub(super) fn fewest(
    view: &View<'_>,
    conditions: &[Condition],
    limit: u64,
) -> Result<Option<(usize, u64)>, StoreError> {
    let mut cursors = Vec::new();
    for condition in conditions {
        cursors.push(entries(view, condition, Direction::Ascending)?);
    }
    for counted in 0..limit {
        for (at, cursor) in cursors.iter_mut().enumerate() {
            if cursor.key()?.is_none() {
                return Ok(Some((at, counted)));
            }
            cursor.advance();
        }
        if cursors.is_empty() {
            break;
        }
    }
    Ok(None)
}

/// Returns the entries of the index of a condition with values that fit.
pub(super) fn entries<'v>(
    view: &'v View<'_>,
    condition: &Condition,
    direction: Direction,
) -> Result<Cursor<'v>, StoreError> {
    view.entries(condition.field, &condition.low, &condition.high, direction)
}
