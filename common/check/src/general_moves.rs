//! The options of a general code, read from its digits by the definition.
//!
//! The module goes through every way to write the beans that are left as a sum of the allowed
//! number of heaps, greatest heap first, and keeps those that satisfy the constraint. The engine
//! makes only these, in another way (`ruleset/general.rs`). A heap of 2,000 has tens of millions of
//! sums where a move may leave four heaps, so the loop also checks for a stop.

use misere_game::control::{Control, Stop};
use misere_game::ruleset::{Constraint, General};

/// The number of sums between two checks for a stop.
const AT_ONCE: u32 = 1 << 12;

/// Calls `visit` with the heaps that each move of at least `from` beans leaves of a heap.
///
/// The caller has paid the cost of these moves.
///
/// # Errors
/// [`Stop`] if `control` ends it.
pub(super) fn for_each(
    digits: &General,
    heap: u32,
    from: u32,
    control: &mut Control,
    visit: &mut impl FnMut(&[u32]),
) -> Result<(), Stop> {
    let mut left = AT_ONCE;
    each_sum(digits, heap, from, &mut |constraint, heaps| {
        left -= 1;
        if left == 0 {
            left = AT_ONCE;
            control.spend(0)?;
        }
        if holds(constraint, heaps) {
            visit(heaps);
        }
        Ok(())
    })
}

/// Calls `found` with every way to make the heaps that each move may leave.
///
/// The constraint need not hold. Ends when `found` returns an error.
fn each_sum<E>(
    digits: &General,
    heap: u32,
    from: u32,
    found: &mut impl FnMut(Constraint, &[u32]) -> Result<(), E>,
) -> Result<(), E> {
    let last = match digits.block_length() {
        Some(_) => heap,
        None => heap.min(digits.last_before_block()),
    };
    for taken in from..=last {
        let rest = heap - taken;
        for (heaps, constraint) in digits.digit(taken).allowed() {
            // A move that takes nothing must split, and a move that leaves nothing takes all.
            if taken == 0 && heaps < 2 || heaps == 0 && rest > 0 {
                continue;
            }
            if matches!(constraint, Constraint::Equal) && heaps > 0 {
                // There is at most one such sum; a search among all sums would be wasteful.
                if rest.is_multiple_of(heaps) && rest > 0 {
                    found(constraint, &vec![rest / heaps; heaps as usize])?;
                }
                continue;
            }
            for_each_sum(rest, heaps, rest, &mut Vec::new(), &mut |left| {
                found(constraint, left)
            })?;
        }
    }
    Ok(())
}

/// Reports whether a heap has a move. Stops at the first one.
///
/// # Errors
/// [`Stop`] if `control` ends it.
pub(super) fn is_live(digits: &General, heap: u32, control: &mut Control) -> Result<bool, Stop> {
    /// The end of a search.
    enum SearchEnd {
        Found,
        Stopped(Stop),
    }
    let sums = each_sum(digits, heap, 0, &mut |constraint, left| {
        control.spend(1).map_err(SearchEnd::Stopped)?;
        match holds(constraint, left) {
            true => Err(SearchEnd::Found),
            false => Ok(()),
        }
    });
    match sums {
        Ok(()) => Ok(false),
        Err(SearchEnd::Found) => Ok(true),
        Err(SearchEnd::Stopped(stop)) => Err(stop),
    }
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

/// Calls `found` with every way to make `heaps` heaps of `beans`, none greater than `limit`.
///
/// The heaps of each sum are in descending order. Ends when `found` returns an error.
fn for_each_sum<E>(
    beans: u32,
    heaps: u32,
    limit: u32,
    chosen: &mut Vec<u32>,
    found: &mut impl FnMut(&[u32]) -> Result<(), E>,
) -> Result<(), E> {
    if heaps == 0 {
        return match beans {
            0 => found(chosen),
            _ => Ok(()),
        };
    }
    // The greatest heap has at least its share, and leaves a bean for each of the others.
    let least = beans.div_ceil(heaps).max(1);
    for part in least..=limit.min(beans.saturating_sub(heaps - 1)) {
        chosen.push(part);
        for_each_sum(beans - part, heaps - 1, part, chosen, found)?;
        chosen.pop();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use misere_game::control::Interrupt;
    use misere_game::ruleset::Code;

    use super::*;

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
            let control = &mut Control::unlimited();
            for heap in 0..30 {
                let mut read: Vec<Vec<u32>> = Vec::new();
                let visited = for_each(digits, heap, 0, control, &mut |left| {
                    read.push(left.to_vec());
                });
                assert_eq!(visited, Ok(()));
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
                    is_live(digits, heap, control),
                    Ok(code.is_live(heap)),
                    "{text} heap {heap}"
                );
            }
        }
    }

    /// One move is enough, though there are tens of millions.
    ///
    /// That a heap has none is found without going through all sums.
    #[test]
    fn a_move_is_found_without_all_others() {
        for (text, heap, live) in [
            ("0.G", 2_001, true),
            ("G=.0", 2_001, false),
            ("0.G!", 2_001, true),
        ] {
            let code: Code = text.parse().unwrap();
            let digits = code.general().unwrap();
            let control = &mut Control::new(1, Interrupt::default());
            assert_eq!(is_live(digits, heap, control), Ok(live), "{text}");
        }
    }

    /// A stop is noticed among the moves of one heap.
    #[test]
    fn a_stop_is_noticed_among_the_moves() {
        let code: Code = "0.G".parse().unwrap();
        let interrupt = Interrupt::default();
        let control = &mut Control::new(1, interrupt.clone());
        let mut visited = 0_u32;
        let stopped = for_each(code.general().unwrap(), 2_001, 0, control, &mut |_| {
            visited += 1;
            if visited == 10 {
                interrupt.raise();
            }
        });
        assert_eq!(stopped, Err(Stop::Interrupted));
        assert!(visited <= AT_ONCE, "{visited}");
    }
}
