//! Normal play of the game whose quotient is analysed.
//!
//! Checks whether the quotient is faithful, and whether its kernel is normal play.

use misere_answers::NormalComparison;
use misere_game::bipartite::Element;
use serde::Serialize;

use super::quotient::{Quotient, sum};

/// The normal play of a game beside its misère quotient.
#[derive(Debug, Serialize)]
pub(super) struct NormalPlay {
    /// Whether positions of equal value have equal nim-values, for the heaps that were compared.
    pub(super) faithful: bool,
    pub(super) faithfully_normal: bool,
    /// The greatest heap that was compared; `null` if the comparison holds for all heaps.
    pub(super) heaps: Option<u32>,
    /// The value of two positions with different nim-values, if the quotient is not faithful.
    pub(super) clash_value: Option<String>,
    /// The heaps of these positions.
    pub(super) clash_positions: Option<[Vec<u32>; 2]>,
    /// The nim-values of these positions.
    pub(super) clash_nim_values: Option<[u32; 2]>,
    /// The order of the normal-play quotient of the heaps compared.
    pub(super) order: u64,
    /// If the kernel is the normal-play quotient: its elements, each with the nim-value.
    pub(super) kernel: Option<Vec<(u32, String)>>,
    /// The nim-value of each element.
    #[serde(skip)]
    pub(super) of_elements: Option<Vec<u32>>,
}

impl NormalPlay {
    /// Describes two positions of equal value with different nim-values, in words.
    pub(super) fn clash(&self) -> Option<String> {
        let [one, other] = self.clash_positions.as_ref()?;
        let [value, other_value] = self.clash_nim_values?;
        Some(format!(
            "{} and {} have the value {} and the nim-values {value} and {other_value}",
            sum(one),
            sum(other),
            self.clash_value.as_deref()?,
        ))
    }

    /// Describes a comparison of a quotient with normal play, with values as words.
    pub(super) fn of(quotient: &Quotient, found: &NormalComparison) -> Self {
        let clash = found.clash.as_ref();
        let in_words = |&(nim_value, x): &(u32, Element)| (nim_value, quotient.word(x));
        let kernel = found.kernel.as_ref();
        Self {
            faithful: clash.is_none(),
            faithfully_normal: found.is_faithfully_normal,
            heaps: found.heaps,
            clash_value: clash.map(|it| quotient.word(it.element)),
            clash_positions: clash.map(|it| {
                let heaps = |places: &Vec<usize>| places.iter().map(|&at| at as u32).collect();
                [heaps(&it.heaps[0]), heaps(&it.heaps[1])]
            }),
            clash_nim_values: clash.map(|it| it.nim_values),
            order: found.order,
            kernel: kernel.map(|kernel| kernel.iter().map(in_words).collect()),
            of_elements: found.of_elements.clone(),
        }
    }
}
