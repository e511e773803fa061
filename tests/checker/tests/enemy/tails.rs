//! Lies about tameness relative to a heap: the wrong heap, too few heaps, the wrong number of tame
//! extensions, the wrong period of the nim-values.

use misere_engine::normal::{self, Ending};
use misere_game::control::Control;
use misere_game::solution::{NimPeriod, Solution, Stages, Tail, Verdict};

use super::claims::Values;
use super::dice::Dice;
use super::exact::{MAX_ORDER, Products};
use super::known::GAMES;
use super::{Enemy, tells};

/// Returns the claim as it would have to be if the values went on as they seem to.
///
/// One part of it is changed, or none.
fn lie(dice: &mut Dice) -> Option<Solution> {
    let game = dice.pick(&GAMES);
    let values = Values::of(game).to(3 + dice.below(40));
    let mut claim = values.claimed_of(&game.code, true);
    if claim.quotient.order() > MAX_ORDER {
        return None;
    }
    let kernel = Products::of(&claim.quotient).unwrap().kernel();
    let outside = claim.phi.iter().rposition(|x| !kernel.contains(x));
    let mut heap = outside.map_or(0, |heap| heap as u32 + 1);
    // Mostly as many heaps as the theorem asks for.
    let needed = u64::from(2 * heap) + game.code.length() as u64;
    if heap > claim.heaps() || needed > u64::from(claim.heaps()) + 1 && dice.below(4) > 0 {
        return None;
    }
    let further = [0, 0, 10, 40, 120][dice.below(5)];
    let play = normal::solve(
        &game.code,
        claim.heaps() + further,
        &mut Control::unlimited(),
    );
    let mut nim_heaps = play.nim_values.len() as u32 - 1;
    let mut nim_period = match play.ending {
        Ending::Periodic(period) => Some(period),
        _ => None,
    };
    let largest = play.nim_values.iter().copied().max().unwrap_or(0);
    let mut stages = (0..).find(|&j| (kernel.len() as u32) << j > largest)?;
    let step = |dice: &mut Dice, number: u32| match dice.below(2) {
        0 => number.saturating_sub(1),
        _ => number + 1,
    };
    match dice.below(10) {
        0 => heap = step(dice, heap),
        1 => stages = step(dice, stages),
        2 => nim_heaps = step(dice, nim_heaps),
        3 => nim_period = None,
        4 => {
            let (period, preperiod) = (1 + dice.below(9) as u32, dice.below(20) as u32);
            nim_period = Some(NimPeriod { period, preperiod });
        }
        5 => {
            if let Some(nim) = &mut nim_period {
                nim.period *= 2;
            }
        }
        6 => {
            if let Some(nim) = &mut nim_period {
                nim.preperiod = step(dice, nim.preperiod);
            }
        }
        _ => {}
    }
    let is_known = nim_period.is_some() != (dice.below(12) == 0);
    claim.verdict = Verdict::TameRelative { heap };
    claim.tail = Some(Tail {
        nim_heaps,
        nim_period,
        stages: match is_known {
            true => Stages::Known(stages),
            false => Stages::AtLeast(stages),
        },
    });
    Some(claim)
}

pub(crate) fn attack(enemy: &mut Enemy, claims: u64, seed: u64) {
    let end = enemy.told + claims;
    let mut number = seed;
    while enemy.told < end {
        number += 1;
        if let Some(claim) = lie(&mut Dice(number)) {
            enemy.claims(number, &claim);
        }
    }
}

#[test]
fn games_that_become_tame() {
    tells(
        attack,
        900,
        &[
            "Ok",
            "NormalPlay",
            "OutsideKernel",
            "PeriodNotSaid",
            "Stages",
            "TameBefore",
            "TooFewHeaps",
        ],
    );
}
