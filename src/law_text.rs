//! The law of a growing game, for people.

use misere_game::solution::ThresholdLaw;

use crate::terminal::{flow, table};

/// Formats a law: a row for each heap, or residue of heaps, and sentences that explain them.
pub(crate) fn law(law: &ThresholdLaw, width: usize) -> String {
    let head = [
        "heap n",
        "unit",
        "weight",
        "threshold",
        "while it is free, P if the others have",
    ];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for line in law.lines() {
        rows.push(vec![
            line.heaps,
            line.unit,
            line.weight,
            line.threshold,
            line.while_free,
        ]);
    }
    let sentences = format!(
        "The unit of a sum is the exclusive or of the units, its weight the sum of the weights. A \
         heap is free if the others weigh less than its threshold; at most one is. If none is free, \
         then a position is a P-position exactly if {}.",
        law.if_none_is_free()
    );
    format!("{}\n{}", flow(sentences.split(' '), 0, width), table(&rows))
}
