//! Quotients with games that may have them or not.

use misere_game::bipartite::families::{restive, tame};
use misere_game::monoid::word::Word;
use misere_game::solution::Construction;
use proptest::prelude::*;

use super::games::number;

/// Generates games whose options are any words, mostly sums of earlier games.
///
/// The ranks are right, or any.
pub(crate) fn constructions() -> impl Strategy<Value = Construction> {
    let monoid = prop_oneof![
        (0_u32..6).prop_map(tame),
        (3_u32..6).prop_filter_map("no such restive monoid", restive),
    ];
    let count = prop_oneof![20 => 0_u32..2, 1 => 2_u32..5, 1 => number()];
    let word = prop::collection::vec(count, 0..7);
    let options = prop::collection::vec(prop::collection::vec(word, 0..5), 0..7);
    let ranks = prop::option::weighted(0.2, prop::collection::vec(number(), 0..40));
    (monoid, options, ranks, prop::bool::weighted(0.9)).prop_map(
        |(monoid, mut options, ranks, is_earlier)| {
            if is_earlier {
                options.resize(monoid.generators(), vec![Vec::new()]);
                for (game, words) in options.iter_mut().enumerate() {
                    words.iter_mut().for_each(|word| word.truncate(game));
                }
            }
            let options = options
                .into_iter()
                .map(|words| words.into_iter().map(Word).collect())
                .collect();
            let mut construction = Construction::new(monoid, options);
            if let Some(rank) = ranks {
                construction.rank = rank;
            }
            construction
        },
    )
}
