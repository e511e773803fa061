//! The law of a game that grows, for people.

use misere_theory::solution::{HeapLaw, ThresholdLaw};

use crate::terminal::{flow, table};

/// A law as text: a row for each heap, or residue of heaps, and the sentences that explain them.
pub(crate) fn law(law: &ThresholdLaw, width: usize) -> String {
    let mut rows = vec![
        [
            "heap n",
            "unit",
            "weight",
            "threshold",
            "while it is free, P if the others have",
        ]
        .map(str::to_owned)
        .to_vec(),
    ];
    for (heap, facts) in (1_u64..).zip(&law.heaps) {
        let repeats = heap >= law.repeats_from();
        let with_periods = |number: u64, step: u32| match repeats {
            true => format!("{number} + {step}t"),
            false => number.to_string(),
        };
        rows.push(vec![
            with_periods(heap, law.period),
            facts.unit.to_string(),
            with_periods(facts.weight.into(), law.slope),
            match facts.threshold {
                0 => "0".to_owned(),
                threshold => with_periods(threshold.into(), law.slope),
            },
            while_free(law, facts),
        ]);
    }
    let sentences = format!(
        "The unit of a sum is the exclusive or of the units, its weight the sum of the weights. A \
         heap is free if the others weigh less than its threshold; at most one is. If none is free, \
         then a position is a P-position exactly if {}.",
        if_none_is_free(law)
    );
    format!("{}\n{}", flow(sentences.split(' '), 0, width), table(&rows))
}

/// The condition on the unit and the weight of a position without a free heap.
fn if_none_is_free(law: &ThresholdLaw) -> String {
    let first = law.first_totals.len();
    let of_first = (0..)
        .zip(&law.first_totals)
        .map(|(weight, &set)| (format!("its weight is {weight}"), set));
    let of_others = (first..).zip(&law.totals).map(|(weight, &set)| {
        let condition = match law.modulus {
            1 => format!("its weight is at least {first}"),
            modulus => format!(
                "its weight is at least {first} and leaves {} modulo {modulus}",
                weight % modulus as usize
            ),
        };
        (condition, set)
    });
    let conditions: Vec<String> = of_first
        .chain(of_others)
        .filter(|&(_, set)| set != 0)
        .map(|(condition, set)| format!("{condition} and its unit {}", units(set)))
        .collect();
    match conditions.is_empty() {
        true => "never".to_owned(),
        false => conditions.join(", or "),
    }
}

fn while_free(law: &ThresholdLaw, heap: &HeapLaw) -> String {
    let conditions: Vec<String> = (0..)
        .zip(&heap.alone)
        .filter(|&(_, &set)| set != 0)
        .map(|(residue, &set): (u32, _)| match law.modulus {
            1 => format!("unit {}", units(set)),
            2 if residue == 0 => format!("unit {}, an even weight below it", units(set)),
            2 => format!("unit {}, an odd weight below it", units(set)),
            modulus => format!(
                "unit {}, a weight {residue} below it modulo {modulus}",
                units(set)
            ),
        })
        .collect();
    match (conditions.is_empty(), heap.threshold) {
        (_, 0) => String::new(),
        (true, _) => "never".to_owned(),
        (false, _) => conditions.join("; "),
    }
}

/// The units of a set, `0`, or `0 or 3`.
fn units(set: u32) -> String {
    let all: Vec<String> = (0..u32::BITS)
        .filter(|unit| set >> unit & 1 == 1)
        .map(|unit| unit.to_string())
        .collect();
    all.join(" or ")
}
