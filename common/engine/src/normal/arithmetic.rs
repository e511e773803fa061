//! The search for nim-values that grow for ever by the same amount from period to period.
//!
//! [`misere_check::arithmetic_period`] has the theorem and proves what is proposed here.

use misere_check::arithmetic_period::{ArithmeticPeriodCheckError, check, heaps_needed};
use misere_game::control::{Control, Stop};
use misere_game::ruleset::Code;
use misere_game::solution::ArithmeticPeriod;

/// The multiples of the least step with which a proof is tried.
const MULTIPLES: [u32; 4] = [1, 2, 4, 8];
/// The number of steps by which more heaps than needed are tried: nim-values have to have grown.
const STEPS_FARTHER: u64 = 3;
/// The fuel for one proof.
const PROOF_FUEL: u64 = 200_000;

/// Returns an arithmetic period of the nim-values that the known ones prove, if one is found.
///
/// Cost: linear in the length, in most cases; and that of the proof, at most 200,000 units of fuel
/// for each step and number of heaps that is tried.
///
/// ```
/// use misere_engine::normal::arithmetic::proved;
/// use misere_game::control::Control;
/// let values: Vec<u32> = (0..40).collect();
/// let found = proved(&values, &"0.[3]".parse()?, &mut Control::unlimited())?;
/// assert!(found.is_some_and(|found| (found.period, found.saltus) == (1, 1)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Stop`] if `control` ends it.
pub fn proved(
    values: &[u32],
    code: &Code,
    control: &mut Control,
) -> Result<Option<ArithmeticPeriod>, Stop> {
    let last = values.len() - 1;
    for period in 1..=last / 3 {
        let Some(proposal) = proposed(values, period) else {
            continue;
        };
        control.spend((last - proposal.preperiod as usize) as u64)?;
        let block = code.general().and_then(|general| general.block_length());
        let least = 2 * least_common_multiple(period as u64, block.unwrap_or(1).into());
        let mut fits = false;
        for multiple in MULTIPLES {
            let Some(step) = u32::try_from(least)
                .ok()
                .and_then(|it| it.checked_mul(multiple))
            else {
                break;
            };
            let claim = ArithmeticPeriod { step, ..proposal };
            let Some(needed) = heaps_needed(code, &claim) else {
                return Ok(None);
            };
            if needed > last as u64 {
                break;
            }
            fits = true;
            let farther = (0..=STEPS_FARTHER).map(|steps| needed + steps * u64::from(step));
            for heaps in farther.take_while(|&heaps| heaps <= last as u64) {
                let claim = ArithmeticPeriod {
                    heaps: heaps as u32,
                    ..claim
                };
                let checked = control.within(PROOF_FUEL, |part| check(code, &claim, part));
                match checked {
                    Ok(()) => return Ok(Some(claim)),
                    Err(
                        ArithmeticPeriodCheckError::NotMet { .. }
                        | ArithmeticPeriodCheckError::TooSmall { .. },
                    ) => {}
                    Err(ArithmeticPeriodCheckError::Unchecked(Stop::Interrupted)) => {
                        return Err(Stop::Interrupted);
                    }
                    // More heaps do not change this.
                    Err(_) => break,
                }
            }
        }
        if fits {
            // The further periods are multiples of this one.
            return Ok(None);
        }
    }
    Ok(None)
}

/// Returns the claim that the last values grow with a period, if they grow.
fn proposed(values: &[u32], period: usize) -> Option<ArithmeticPeriod> {
    let last = values.len() - 1;
    let saltus = values[last].checked_sub(values[last - period])?;
    let grows = |heap: &usize| values[heap + period] == values[*heap].wrapping_add(saltus);
    let same = (0..=last - period).rev().take_while(grows).count();
    (saltus > 0).then_some(ArithmeticPeriod {
        period: period as u32,
        saltus,
        preperiod: (last - period + 1 - same) as u32,
        step: 0,
        heaps: 0,
    })
}

fn least_common_multiple(one: u64, other: u64) -> u64 {
    let (mut greater, mut lesser) = (one, other);
    while lesser > 0 {
        (greater, lesser) = (lesser, greater % lesser);
    }
    one / greater * other
}
