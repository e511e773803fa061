//! A law in words: a line for each heap or residue of heaps, and the condition if no heap is free.

use crate::solution::{HeapLaw, ThresholdLaw};

/// The line of a heap, or of all heaps of one residue, in the table of a law.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LawLine {
    /// The heaps, as `13 + 4t`.
    pub heaps: String,
    /// The unit.
    pub unit: String,
    /// The weight, as `4 + 2t`.
    pub weight: String,
    /// The threshold.
    pub threshold: String,
    /// The condition on the others for a P-position while the heap is free.
    ///
    /// It is empty if the heap is never free.
    pub while_free: String,
}

impl ThresholdLaw {
    /// Returns the lines of the table of the law, for t = 0, 1, 2, …
    ///
    /// ```
    /// use misere_game::solution::{HeapLaw, ThresholdLaw};
    /// let one = HeapLaw { unit: 1, weight: 3, threshold: 2, alone: vec![0b10] };
    /// let law = ThresholdLaw {
    ///     bits: 1, modulus: 1, first_totals: vec![], totals: vec![0b10],
    ///     heaps: vec![one], period: 1, slope: 2,
    /// };
    /// let line = &law.lines()[0];
    /// assert_eq!((line.heaps.as_str(), line.weight.as_str()), ("1 + 1t", "3 + 2t"));
    /// assert_eq!(line.while_free, "unit 1");
    /// ```
    #[must_use]
    pub fn lines(&self) -> Vec<LawLine> {
        let lines = (1_u64..).zip(&self.heaps).map(|(heap, facts)| {
            let repeats = heap >= self.repeats_from();
            let with_periods = |number: u64, step: u32| match repeats {
                true => format!("{number} + {step}t"),
                false => number.to_string(),
            };
            LawLine {
                heaps: with_periods(heap, self.period),
                unit: facts.unit.to_string(),
                weight: with_periods(facts.weight.into(), self.slope),
                threshold: match facts.threshold {
                    0 => "0".to_owned(),
                    threshold => with_periods(threshold.into(), self.slope),
                },
                while_free: self.while_free(facts),
            }
        });
        lines.collect()
    }

    /// Returns the condition on unit and weight for a P-position without a free heap.
    ///
    /// An example is "its weight is 0 and its unit 1".
    #[must_use]
    pub fn if_none_is_free(&self) -> String {
        let first = self.first_totals.len();
        let of_first = (0..)
            .zip(&self.first_totals)
            .map(|(weight, &set)| (format!("its weight is {weight}"), set));
        let of_others = (first..).zip(&self.totals).map(|(weight, &set)| {
            let condition = match self.modulus {
                0 | 1 => format!("its weight is at least {first}"),
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

    fn while_free(&self, heap: &HeapLaw) -> String {
        let conditions: Vec<String> = (0..)
            .zip(&heap.alone)
            .filter(|&(_, &set)| set != 0)
            .map(|(residue, &set): (u32, _)| match self.modulus {
                0 | 1 => format!("unit {}", units(set)),
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
}

/// Returns the units of a set as text, `0` or `0 or 3`.
fn units(set: u32) -> String {
    let all: Vec<String> = (0..u32::BITS)
        .filter(|unit| set >> unit & 1 == 1)
        .map(|unit| unit.to_string())
        .collect();
    all.join(" or ")
}
