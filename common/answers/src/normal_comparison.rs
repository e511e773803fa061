//! The normal play of a game beside its misère quotient: is the quotient faithful, and is its kernel
//! normal play (Siegel, *Structure and classification*, section 3)?

use misere_engine::normal::{self, Ending};
use misere_game::bipartite::{BipartiteMonoid, Element};
use misere_game::control::{Control, Stop};
use misere_game::ruleset::Code;
use misere_game::solution::{NimPeriod, Solution, repeated_heap};
use misere_game::structure::kernel::Kernel;
use misere_game::structure::normal_play::{
    Clash, NimValuesOfElements, kernel_by_nim_value, nim_values_of_elements, normal_order,
};

/// The number of heaps to which a common period of values and nim-values is looked for.
const MAX_HEAP: u32 = 20_000;

/// The values of the heaps of a game in a quotient.
#[derive(Clone, Debug)]
pub struct HeapValues<'a> {
    /// The game.
    pub code: &'a Code,
    /// The value of each heap from 0 on.
    pub listed: &'a [Element],
    /// The period of the values, where those of all heaps are known.
    pub repeats: Option<NimPeriod>,
}

impl<'a> HeapValues<'a> {
    /// Returns the values that a solution states.
    #[must_use]
    pub fn of(solution: &'a Solution) -> Self {
        Self {
            code: &solution.code,
            listed: &solution.phi,
            repeats: (solution.verdict.period())
                .map(|(period, preperiod)| NimPeriod { period, preperiod }),
        }
    }

    /// Returns the value of a heap, if it is known.
    #[must_use]
    pub fn value(&self, heap: u32) -> Option<Element> {
        let place = match self.repeats {
            Some(NimPeriod { period, .. }) => {
                repeated_heap(heap.into(), self.last().into(), period.into())?.0
            }
            None => heap.into(),
        };
        self.listed.get(usize::try_from(place).ok()?).copied()
    }

    /// The last heap listed.
    fn last(&self) -> u32 {
        self.listed.len().saturating_sub(1) as u32
    }
}

/// The normal play of a game beside its misère quotient.
#[derive(Clone, Debug)]
pub struct NormalComparison {
    /// The greatest heap that was compared; `None` if the comparison holds for all heaps.
    pub heaps: Option<u32>,
    /// The order of the normal-play quotient of the heaps compared.
    pub order: u64,
    /// Two positions of equal value with different nim-values, if the quotient is not faithful.
    pub clash: Option<Box<Clash>>,
    /// The nim-value of each element, if the quotient is faithful.
    pub of_elements: Option<Vec<u32>>,
    /// The elements of the kernel by their nim-values, if the kernel is the normal-play quotient.
    pub kernel: Option<Vec<(u32, Element)>>,
    /// Whether the quotient is faithful, and its kernel normal.
    pub is_faithfully_normal: bool,
}

impl NormalComparison {
    /// Compares the values of heaps with their nim-values, for which at most `fuel` is spent.
    ///
    /// `None` if there is no nim-value to compare with.
    ///
    /// # Errors
    /// [`Stop`] if `control` ends it.
    pub fn new(
        monoid: &BipartiteMonoid,
        kernel: &Kernel,
        values: &HeapValues<'_>,
        fuel: u64,
        control: &mut Control,
    ) -> Result<Option<Self>, Stop> {
        let Some((nim_values, is_for_all)) = nim_values(values, fuel, control)? else {
            return Ok(None);
        };
        let heaps: Vec<(Element, u32)> = (0..)
            .zip(&nim_values)
            .map_while(|(heap, &nim_value)| Some((values.value(heap)?, nim_value)))
            .collect();
        let (of_elements, clash) = match nim_values_of_elements(monoid, &heaps, control)? {
            NimValuesOfElements::Faithful(values) => (Some(values), None),
            NimValuesOfElements::Unfaithful(clash) => (None, Some(clash)),
        };
        let by_value = of_elements
            .as_ref()
            .map(|values| kernel_by_nim_value(&kernel.elements, values));
        Ok(Some(Self {
            heaps: (!is_for_all).then(|| heaps.len().saturating_sub(1) as u32),
            order: normal_order(nim_values.iter().copied()),
            is_faithfully_normal: clash.is_none() && kernel.is_normal(),
            kernel: by_value.filter(|by_value| {
                let mut values: Vec<u32> = by_value.iter().map(|&(value, _)| value).collect();
                values.dedup();
                values.len() == by_value.len()
            }),
            of_elements,
            clash,
        }))
    }
}

/// Returns the nim-values of the heaps from 0 on, and whether they and the values of these heaps
/// determine those of all heaps.
fn nim_values(
    heaps: &HeapValues<'_>,
    fuel: u64,
    control: &mut Control,
) -> Result<Option<(Vec<u32>, bool)>, Stop> {
    let (code, known) = (heaps.code, heaps.last());
    let to = match (code.finite_game(), heaps.repeats) {
        (Some(finite), _) => finite.heaps().min(known),
        (None, Some(_)) => known.max(MAX_HEAP),
        (None, None) => known,
    };
    let found = control.within(fuel, |control| normal::solve(code, to, control));
    let mut values = found.nim_values;
    match (found.ending, heaps.repeats) {
        (Ending::Interrupted, _) => Err(Stop::Interrupted),
        (Ending::Periodic(nim), Some(of_values)) if code.finite_game().is_none() => {
            // Both repeat from the later preperiod on, with the common period, so that later pairs
            // of a value and a nim-value have all occurred before.
            let end = end_of_common_period(nim, of_values);
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

/// Returns the last heap of the first common period of two sequences.
fn end_of_common_period(one: NimPeriod, other: NimPeriod) -> Option<u32> {
    let (mut x, mut y) = (one.period, other.period);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    let common = (one.period / x.max(1)).checked_mul(other.period)?;
    one.preperiod.max(other.preperiod).checked_add(common)
}

#[cfg(test)]
mod tests {
    use misere_engine::quotient::{Limits, Strategy, solve};
    use misere_game::bipartite::idempotents::Idempotents;

    use super::*;

    fn comparison(code: &str) -> NormalComparison {
        let control = &mut Control::unlimited();
        let code = code.parse().unwrap();
        let solution = solve(&code, &Limits::default(), Strategy::Exact, control);
        let monoid = &solution.quotient;
        let kernel = Kernel::new(monoid, &Idempotents::new(monoid));
        let values = HeapValues::of(&solution);
        NormalComparison::new(monoid, &kernel, &values, 3_000_000, control)
            .unwrap()
            .unwrap()
    }

    #[test]
    fn kayles_is_faithfully_normal_for_all_heaps() {
        let kayles = comparison("0.77");
        assert!(kayles.is_faithfully_normal && kayles.clash.is_none());
        // Its nim-values have period 12 from heap 71 on, and are below 16.
        assert_eq!((kayles.heaps, kayles.order), (None, 16));
        assert_eq!(kayles.kernel.map(|kernel| kernel.len()), Some(16));
    }

    #[test]
    fn a_common_period_begins_at_the_later_preperiod() {
        let of = |period, preperiod| NimPeriod { period, preperiod };
        assert_eq!(end_of_common_period(of(4, 10), of(6, 3)), Some(22));
        assert_eq!(end_of_common_period(of(u32::MAX, 0), of(2, 0)), None);
    }
}
