//! The options of a heap as a list, by the ranks of their live heaps.
//!
//! For example, a heap with a move to heaps 1, 1 and 4 has the option `[3]` if heap 1 is dead and
//! heap 4 has rank 3.

use super::heaps::Heaps;

/// Returns the ranks of each option of a heap, without dead heaps, greatest first.
///
/// The list is sorted and has no duplicates.
///
/// Cost: the number of options, times its logarithm.
pub(super) fn options(heaps: &Heaps, heap: u32) -> Vec<Vec<u32>> {
    let mut options = Vec::new();
    for (rest, parts) in heaps.moves(heap) {
        for_each_partition(rest, parts, rest, &mut Vec::new(), &mut |partition| {
            let ranks = partition.iter().filter_map(|&part| heaps.rank(part));
            options.push(ranks.collect());
        });
    }
    options.sort_unstable();
    options.dedup();
    options
}

/// Calls `found` with every way to make `parts` heaps of `beans` beans, at most `limit` each.
fn for_each_partition(
    beans: u32,
    parts: u32,
    limit: u32,
    chosen: &mut Vec<u32>,
    found: &mut impl FnMut(&[u32]),
) {
    if parts == 0 {
        if beans == 0 {
            found(chosen);
        }
        return;
    }
    // The greatest part has at least its share, and leaves a bean for each of the others.
    let least = beans.div_ceil(parts).max(1);
    let greatest = limit.min(beans.saturating_sub(parts - 1));
    for part in least..=greatest {
        chosen.push(part);
        for_each_partition(beans - part, parts - 1, part, chosen, found);
        chosen.pop();
    }
}
