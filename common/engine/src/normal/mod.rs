//! Normal play: nim-values and their periods.
//!
//! The nim-values `G(h_n)` of a take-and-break code (Sprague–Grundy theory), and the proof that
//! they repeat for ever.
//!
//! - [`nim_values`]: the nim-values heap by heap, in the sparse space of the game
//! - [`far`]: the nim-values of many millions of heaps
//! - `three_heaps`: the nim-values of moves that leave three heaps
//! - [`period`]: the Guy–Smith theorem on sequences of any length

pub mod far;
pub mod nim_values;
pub mod period;
mod three_heaps;

use misere_game::control::{Control, Progress, Stop};
use misere_game::ruleset::Code;
use misere_game::solution::{Limit, NimPeriod};
pub use nim_values::NimValues;

/// The normal play of a game, as far as it was computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NormalPlay {
    /// The game.
    pub code: Code,
    /// The nim-values of the heaps from 0 on.
    ///
    /// They end at the heap that proves the period, if there is one.
    pub nim_values: Vec<u32>,
    /// The reason why the computation ended.
    pub ending: Ending,
    /// The fuel spent.
    pub fuel: u64,
}

/// The reasons why a computation of nim-values can end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The nim-values repeat for ever.
    Periodic(NimPeriod),
    /// A limit was reached first.
    Exhausted(Limit),
    /// The computation was interrupted.
    Interrupted,
}

/// Computes nim-values to the first proved period, or as far as the limits allow.
///
/// The limits are heap `max_heap` and the fuel in `control`.
///
/// Cost: see [`NimValues::next`]; a period is searched for whenever the sequence is longer by an
/// eighth.
///
/// ```
/// use misere_game::control::Control;
/// use misere_engine::normal::{Ending, solve};
/// use misere_game::solution::NimPeriod;
/// let kayles = solve(&"0.77".parse()?, 10_000, &mut Control::unlimited());
/// assert_eq!(kayles.nim_values[..6], [0, 1, 2, 3, 1, 4]);
/// assert_eq!(kayles.ending, Ending::Periodic(NimPeriod { period: 12, preperiod: 71 }));
/// # Ok::<(), misere_game::ruleset::CodeError>(())
/// ```
#[must_use]
pub fn solve(code: &Code, max_heap: u32, control: &mut Control) -> NormalPlay {
    let mut nim_values = NimValues::new(code);
    let ending = to_period(&mut nim_values, max_heap, control);
    let mut nim_values = nim_values.into_values();
    if let Ending::Periodic(NimPeriod { period, preperiod }) = ending {
        nim_values.truncate(code.heaps_to_prove(preperiod, period) as usize + 1);
    }
    NormalPlay {
        code: code.clone(),
        nim_values,
        ending,
        fuel: control.fuel_spent(),
    }
}

/// Continues a sequence to a proved period.
pub fn to_period(nim_values: &mut NimValues<'_>, max_heap: u32, control: &mut Control) -> Ending {
    loop {
        let known = nim_values.values().len() as u32 - 1;
        if let Some(found) = period::proved(nim_values.values(), nim_values.code()) {
            return Ending::Periodic(found);
        }
        if known >= max_heap {
            return Ending::Exhausted(Limit::MaxHeap);
        }
        for heap in known + 1..=(known + known / 8 + 16).min(max_heap) {
            match nim_values.next(control) {
                Ok(_) => {}
                // The known values may already be enough.
                Err(Stop::FuelSpent) => {
                    return period::proved(nim_values.values(), nim_values.code())
                        .map_or(Ending::Exhausted(Limit::Fuel), Ending::Periodic);
                }
                Err(Stop::Interrupted) => return Ending::Interrupted,
            }
            if heap.is_multiple_of(256) {
                control.report(Progress { heap, order: 0 });
            }
        }
    }
}
