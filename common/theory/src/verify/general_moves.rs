//! The options of a general code, read off its digits by the definition.
//!
//! Every way to write the beans that are left as a sum of so many heaps is gone through, greatest
//! heap first, and those are kept of which the constraint holds. The engine makes only these, in
//! another way (`ruleset/general.rs`).

use crate::ruleset::{Constraint, General};

/// Calls `visit` with the heaps that each move leaves of a heap, of the moves that take at least
/// `from` beans.
pub(super) fn for_each(digits: &General, heap: u32, from: u32, visit: &mut impl FnMut(&[u32])) {
    let last = match digits.block_length() {
        Some(_) => heap,
        None => heap.min(digits.last_before_block()),
    };
    for taken in from..=last {
        let rest = heap - taken;
        for (heaps, constraint) in digits.digit(taken).allowed() {
            // What takes nothing must split; what leaves nothing takes all.
            if taken == 0 && heaps < 2 || heaps == 0 && rest > 0 {
                continue;
            }
            for_each_sum(rest, heaps, rest, &mut Vec::new(), &mut |left| {
                if holds(constraint, left) {
                    visit(left);
                }
            });
        }
    }
}

/// Whether a heap has a move.
pub(super) fn is_live(digits: &General, heap: u32) -> bool {
    let mut has_move = false;
    for_each(digits, heap, 0, &mut |_| has_move = true);
    has_move
}

fn holds(constraint: Constraint, left: &[u32]) -> bool {
    let mut pairs = left.windows(2).map(|pair| pair[0] == pair[1]);
    match constraint {
        _ if left.len() < 2 => true,
        Constraint::None => true,
        Constraint::Unequal => pairs.all(|equal| !equal),
        Constraint::NotAllEqual => pairs.any(|equal| !equal),
        Constraint::Equal => pairs.all(|equal| equal),
    }
}

/// Calls `found` with every way to make so many heaps of `beans`, none greater than `most`,
/// descending.
fn for_each_sum(
    beans: u32,
    heaps: u32,
    most: u32,
    chosen: &mut Vec<u32>,
    found: &mut impl FnMut(&[u32]),
) {
    if heaps == 0 {
        if beans == 0 {
            found(chosen);
        }
        return;
    }
    // The greatest of the heaps has its share at least, and leaves a bean for each of the others.
    let least = beans.div_ceil(heaps).max(1);
    for part in least..=most.min(beans.saturating_sub(heaps - 1)) {
        chosen.push(part);
        for_each_sum(beans - part, heaps - 1, part, chosen, found);
        chosen.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ruleset::Code;

    #[test]
    fn two_ways_to_read_a_code_agree() {
        for text in [
            "0.[3]",
            "4.[3]",
            "0.00[3]",
            "4=.0",
            "4?.0",
            "8!.0",
            "8=.3",
            "C?.[7]",
            "0.7=[03!]",
            "0.{1,2!,3=}F?[8]",
            "{2!,3=}.0[1]",
            "G.V",
            "0.G!V?",
            "0.[G=]",
            "{2!,4?}.0",
        ] {
            let code: Code = text.parse().unwrap();
            let digits = code.general().unwrap();
            for heap in 0..30 {
                let mut read: Vec<Vec<u32>> = Vec::new();
                for_each(digits, heap, 0, &mut |left| read.push(left.to_vec()));
                read.sort();
                read.dedup();
                let mut options: Vec<Vec<u32>> = code
                    .options(heap)
                    .iter()
                    .map(|option| option.parts().collect())
                    .collect();
                options.sort();
                assert_eq!(read, options, "{text} heap {heap}");
                assert_eq!(
                    is_live(digits, heap),
                    code.is_live(heap),
                    "{text} heap {heap}"
                );
            }
        }
    }
}
