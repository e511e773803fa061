//! Normal play: nim-values and their periods.
//!
//! The nim-values `G(h_n)` of a take-and-break code (Sprague–Grundy theory), and the proof that
//! they repeat for ever.
//!
//! - [`far`]: the nim-values in blocks of heaps, of most games and for many millions of heaps
//! - [`nim_values`](mod@nim_values): the nim-values heap by heap, of the other games and beside
//!   misère play
//! - `three_heaps`: the nim-values of moves that leave three heaps
//! - [`arithmetic`]: nim-values that grow by the same amount from period to period
//! - [`period`]: the Guy–Smith theorem on sequences of any length

pub mod arithmetic;
pub mod far;
pub mod nim_values;
pub mod period;
mod three_heaps;

use far::{Far, StopReason};
use misere_game::control::{Control, Progress, Stop};
use misere_game::ruleset::Code;
use misere_game::solution::{ArithmeticPeriod, Limit, NimPeriod};
pub use nim_values::NimValues;

/// The heap at which an arithmetic period is searched for first.
const FIRST_SEARCH: u32 = 16;

/// The normal play of a game, as far as it was computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NormalPlay {
    /// The game.
    pub code: Code,
    /// The nim-values of the heaps from 0 on.
    ///
    /// If a period is proved, they end at the heap to which the theorem on periods of the game asks
    /// for them ([`Code::heaps_to_prove`]), or at the greatest heap requested. If an arithmetic
    /// period is proved, they are continued to the greatest heap requested.
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
    /// The nim-values grow for ever by the same amount from period to period.
    Arithmetic(ArithmeticPeriod),
    /// A limit was reached first.
    Exhausted(Limit),
    /// The computation was interrupted.
    Interrupted,
}

impl Ending {
    /// Returns the ending of a computation in blocks.
    ///
    /// The result is `None` if a nim-value does not fit into two bytes.
    #[must_use]
    pub fn of(ended: &StopReason) -> Option<Self> {
        Some(match ended {
            StopReason::Periodic(claim) => Self::Periodic(NimPeriod {
                period: claim.period,
                preperiod: claim.preperiod,
            }),
            StopReason::MaxHeap => Self::Exhausted(Limit::MaxHeap),
            StopReason::Fuel => Self::Exhausted(Limit::Fuel),
            StopReason::Interrupted => Self::Interrupted,
            StopReason::TooGreat => return None,
        })
    }
}

/// Computes nim-values to the first proved period, or as far as the limits allow.
///
/// The limits are heap `max_heap` and the fuel in `control`.
///
/// [`Far`] computes them where it can. [`NimValues`] serves the other games: codes without end,
/// lists of options, and moves that leave three heaps.
///
/// Cost: see [`Far::run_until`] and [`NimValues::next`]; a period is searched for whenever the
/// sequence is longer by an eighth.
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
    let far = Far::new(code).ok();
    let (mut nim_values, ending) = far
        .and_then(|far| in_blocks(far, max_heap, control))
        .unwrap_or_else(|| {
            let mut nim_values = NimValues::new(code);
            let ending = by_heaps(&mut nim_values, max_heap, control);
            (nim_values.into_values(), ending)
        });
    if let Ending::Periodic(found) = ending {
        let proof = code.heaps_to_prove(found.preperiod, found.period);
        continue_to(&mut nim_values, ending, proof.min(max_heap.into()));
    } else {
        continue_to(&mut nim_values, ending, max_heap.into());
    }
    NormalPlay {
        code: code.clone(),
        nim_values,
        ending,
        fuel: control.fuel_spent(),
    }
}

/// Returns the nim-values of the heaps from 0 to `heaps`.
///
/// After a proved period they are repeated. Cost: that of [`solve`].
///
/// ```
/// use misere_game::control::Control;
/// let values = misere_engine::normal::nim_values(&"0.3".parse()?, 1_000_000, &mut Control::unlimited())?;
/// assert_eq!((values.len(), values[999_999]), (1_000_001, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Stop`] if `control` ends it.
pub fn nim_values(code: &Code, heaps: u32, control: &mut Control) -> Result<Vec<u32>, Stop> {
    let mut play = solve(code, heaps, control);
    match play.ending {
        Ending::Interrupted => return Err(Stop::Interrupted),
        Ending::Exhausted(Limit::Fuel) => return Err(Stop::FuelSpent),
        ending => continue_to(&mut play.nim_values, ending, heaps.into()),
    }
    Ok(play.nim_values)
}

/// Computes nim-values in blocks; `None` if one does not fit into two bytes.
fn in_blocks(mut far: Far, max_heap: u32, control: &mut Control) -> Option<(Vec<u32>, Ending)> {
    let ending = Ending::of(&far.run_until(max_heap, |_, _| {}, control))?;
    Some((far.values().to_vec(), ending))
}

/// Computes nim-values heap by heap to a period, or to an arithmetic period.
///
/// The latter is searched for whenever the number of heaps has doubled, and at the end.
fn by_heaps(nim_values: &mut NimValues<'_>, max_heap: u32, control: &mut Control) -> Ending {
    let mut next_search = FIRST_SEARCH;
    loop {
        let last = nim_values.values().len() as u32 - 1;
        let to = after(last).min(max_heap);
        let ending = to_period(nim_values, to, control);
        if ending != Ending::Exhausted(Limit::MaxHeap) {
            return ending;
        }
        if to >= next_search || to == max_heap {
            next_search = next_search.saturating_mul(2);
            match arithmetic::proved(nim_values.values(), nim_values.code(), control) {
                Ok(Some(found)) => return Ending::Arithmetic(found),
                Ok(None) => {}
                Err(Stop::FuelSpent) => return Ending::Exhausted(Limit::Fuel),
                Err(Stop::Interrupted) => return Ending::Interrupted,
            }
        }
        if to == max_heap {
            return ending;
        }
    }
}

/// Shortens the nim-values to those of the heaps to `last`, or continues them if they are proved.
fn continue_to(nim_values: &mut Vec<u32>, ending: Ending, last: u64) {
    let (period, saltus) = match ending {
        Ending::Periodic(found) => (found.period as usize, 0),
        Ending::Arithmetic(found) => (found.period as usize, found.saltus),
        Ending::Exhausted(_) | Ending::Interrupted => return,
    };
    let length = last as usize + 1;
    nim_values.truncate(length);
    for heap in nim_values.len()..length {
        nim_values.push(nim_values[heap - period].saturating_add(saltus));
    }
}

/// Returns the heap to which nim-values are computed before the next search for a period.
fn after(heap: u32) -> u32 {
    heap.saturating_add(heap / 8 + 16)
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
        for heap in known + 1..=after(known).min(max_heap) {
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
