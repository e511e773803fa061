//! The tameness of the partial quotients of a record.

use misere_census::Record;
use misere_game::solution::Partial;

/// Returns the first heap at which the partial quotient of a record is wild, if one is.
///
/// Cost: linear in the number of partial quotients.
///
/// Tame quotients are `T_0`, `T_1` and, for `n ≥ 2`, `T_n` of order `2^n + 2` with two elements in
/// P; and a misère quotient with two elements in P is one of these or some `R_(2^n+4)` (Siegel,
/// *The structure and classification of misère quotients*). No number is `2^n + 2` and `2^m + 4`
/// with `n, m ≥ 2`, so the order and the size of P decide.
pub(crate) fn wild_from(record: &Record) -> Option<u32> {
    let is_tame = |partial: &&Partial| match partial.order {
        0..=2 => true,
        order => partial.p_size == 2 && order >= 6 && (order - 2).is_power_of_two(),
    };
    let wild = record.partials.iter().find(|partial| !is_tame(partial));
    wild.map(|partial| partial.heap)
}

#[cfg(test)]
mod tests {
    use misere_game::bipartite::ClassKey;
    use misere_game::bipartite::families::{restive, tame};

    use super::*;

    /// Tame and restive quotients never share both the order and the size of P.
    #[test]
    fn order_and_size_of_p_distinguish_tame_from_wild() {
        let partial = |heap, monoid: &misere_game::bipartite::BipartiteMonoid| Partial {
            heap,
            order: monoid.order() as u32,
            p_size: monoid.p_size() as u32,
            class: ClassKey([0; 32]),
        };
        let mut record = crate::samples::record("0.77");
        for n in 0..9 {
            record.partials = vec![partial(1, &tame(n))];
            assert_eq!(wild_from(&record), None, "T_{n}");
            let Some(restive) = restive(n) else { continue };
            record.partials.push(partial(2, &restive));
            assert_eq!(wild_from(&record), Some(2), "R of {n}");
        }
    }
}
