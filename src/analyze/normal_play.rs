//! Normal play of the game whose quotient is analysed.
//!
//! Is the quotient faithful, and is its kernel normal play?

use misere_theory::bipartite::Element;
use misere_theory::control::{Control, Stop};
use misere_theory::normal::{self, Ending};
use misere_theory::ruleset::Code;
use misere_theory::solution::NimPeriod;
use misere_theory::structure::kernel::Kernel;
use misere_theory::structure::normal_play::{
    NimValuesOfElements, kernel_by_nim_value, nim_values_of_elements, normal_order,
};
use serde::Serialize;

use super::quotient::{Game, Quotient, sum};

/// Fuel for nim-values and their period.
const FUEL: u64 = 3_000_000;

/// The number of heaps to which a period of the nim-values is looked for.
const MAX_HEAP: u32 = 20_000;

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
    /// Two positions of equal value with different nim-values, in words.
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
}

/// The normal play of the game of a quotient; nothing if it is the quotient of no game, or the
/// nim-values took too long.
pub(super) fn of(
    quotient: &Quotient,
    kernel: &Kernel,
    control: &mut Control,
) -> Result<Option<NormalPlay>, Stop> {
    let Some(game) = &quotient.game else {
        return Ok(None);
    };
    let Some((nim_values, is_for_all)) = nim_values(game, control)? else {
        return Ok(None);
    };
    let heaps: Vec<(Element, u32)> = (0..)
        .zip(&nim_values)
        .map_while(|(heap, &nim_value)| Some((game.value(heap)?, nim_value)))
        .collect();
    let order = normal_order(nim_values.iter().copied());
    let compared = (!is_for_all).then(|| heaps.len().saturating_sub(1) as u32);
    let found = nim_values_of_elements(&quotient.monoid, &heaps, control)?;
    let (of_elements, clash) = match found {
        NimValuesOfElements::Faithful(values) => (Some(values), None),
        NimValuesOfElements::Unfaithful(clash) => (None, Some(clash)),
    };
    let kernel_values = of_elements.as_ref().map(|values| {
        let by_value = kernel_by_nim_value(&kernel.elements, values);
        let mut values: Vec<u32> = by_value.iter().map(|&(value, _)| value).collect();
        values.dedup();
        (values.len() == by_value.len(), by_value)
    });
    let kernel_values = kernel_values.and_then(|(is_one_to_one, by_value)| {
        let words = by_value.into_iter().map(|(v, x)| (v, quotient.word(x)));
        is_one_to_one.then(|| words.collect())
    });
    Ok(Some(NormalPlay {
        faithful: clash.is_none(),
        faithfully_normal: clash.is_none() && kernel.is_normal(),
        heaps: compared,
        clash_value: clash.as_ref().map(|it| quotient.word(it.element)),
        clash_positions: clash.as_ref().map(|it| {
            let heaps = |places: &Vec<usize>| places.iter().map(|&place| place as u32).collect();
            [heaps(&it.heaps[0]), heaps(&it.heaps[1])]
        }),
        clash_nim_values: clash.as_ref().map(|it| it.nim_values),
        order,
        kernel: kernel_values,
        of_elements,
    }))
}

/// Nim-values of the heaps from 0 on, and whether they and the values of these heaps tell those of
/// all heaps.
fn nim_values(game: &Game, control: &mut Control) -> Result<Option<(Vec<u32>, bool)>, Stop> {
    let known = game.values.len().saturating_sub(1) as u32;
    let code: &Code = &game.code;
    let to = match (code.finite_game(), game.repeats) {
        (Some(finite), _) => finite.heaps().min(known),
        (None, Some(_)) => known.max(MAX_HEAP),
        (None, None) => known,
    };
    let found = control.within(FUEL, |control| normal::solve(code, to, control));
    let mut values = found.nim_values;
    match (found.ending, game.repeats) {
        (Ending::Interrupted, _) => Err(Stop::Interrupted),
        (Ending::Periodic(nim), Some(of_values)) if code.finite_game().is_none() => {
            // Both repeat from the later preperiod on, with the common period: pairs of a value
            // and a nim-value that are met later are met before.
            let end = last_of_both(nim, of_values);
            let Some(end) = end.filter(|&end| end <= MAX_HEAP) else {
                values.truncate(known as usize + 1);
                return Ok(Some((values, false)));
            };
            while values.len() <= end as usize {
                values.push(values[values.len() - nim.period as usize]);
            }
            Ok(Some((values, true)))
        }
        _ => {
            values.truncate(known as usize + 1);
            let is_finite = code
                .finite_game()
                .is_some_and(|finite| (finite.heaps() as usize) < values.len());
            Ok((!values.is_empty()).then_some((values, is_finite)))
        }
    }
}

/// The last heap of the first common period of two sequences.
fn last_of_both(one: NimPeriod, other: NimPeriod) -> Option<u32> {
    let (mut x, mut y) = (one.period, other.period);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    let common = (one.period / x.max(1)).checked_mul(other.period)?;
    one.preperiod.max(other.preperiod).checked_add(common)
}
