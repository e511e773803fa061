//! Lies about periods: values that repeat for a while, multiples and divisors, a preperiod one too
//! small, too few heaps.

use misere_game::solution::{Solution, Verdict};

use super::claims::Values;
use super::dice::Dice;
use super::exact::MAX_ORDER;
use super::known::GAMES;
use super::{Enemy, tells};

/// A bound on the heaps of the claims.
const MAX_HEAPS: usize = 70;

/// Returns the values of a game to a heap, continued where a period is known.
fn values_to(game: &Solution, heap: usize) -> Values {
    let mut values = Values::of(game);
    if let Verdict::Solved { period, .. } = game.verdict {
        while values.phi.len() <= heap {
            values
                .phi
                .push(values.phi[values.phi.len() - period as usize]);
        }
    }
    values.to(heap)
}

/// Returns the least heap from which on the values listed repeat.
fn repeats_from(phi: &[u32], period: usize) -> usize {
    let differs = |&at: &usize| phi[at] != phi[at + period];
    let last = (0..phi.len().saturating_sub(period)).rev().find(differs);
    last.map_or(0, |at| at + 1)
}

/// Returns right values with a period that they seem to have.
fn seeming(dice: &mut Dice) -> Option<Solution> {
    let game = dice.pick(&GAMES);
    let values = values_to(game, 2 + dice.below(MAX_HEAPS));
    let most = values.phi.len() - 1;
    let period = 1 + dice.below(most.min(13));
    let preperiod = repeats_from(&values.phi, period);
    // Values that do not repeat deceive no one.
    if preperiod + period > most {
        return None;
    }
    let mut claim = values.claimed_of(&game.code, true);
    claim.verdict = Verdict::Solved {
        period: period as u32,
        preperiod: preperiod as u32,
    };
    Some(claim)
}

/// Returns a claim that differs a little from a true period.
fn nearly(dice: &mut Dice) -> Option<Solution> {
    let game = dice.pick(&GAMES);
    let Verdict::Solved { period, preperiod } = game.verdict else {
        return None;
    };
    let needed = game.code.heaps_to_prove(preperiod, period) as usize;
    let factor = 1 + dice.below(3) as u32;
    let period = match dice.below(4) {
        0 => (2..=period)
            .find(|&d| period % d == 0)
            .map_or(0, |d| period / d),
        1 => period * factor,
        2 => period + 1,
        _ => period,
    };
    let preperiod = match dice.below(4) {
        0 => preperiod.saturating_sub(1),
        1 => preperiod + 1,
        _ => preperiod,
    };
    let other = game.code.heaps_to_prove(preperiod, period) as usize;
    let heaps = [
        needed,
        needed.max(1) - 1,
        other,
        other.max(1) - 1,
        needed * 2,
    ][dice.below(5)];
    if heaps > 4 * MAX_HEAPS {
        return None;
    }
    let mut claim = values_to(game, heaps.max(1)).claimed_of(&game.code, true);
    claim.verdict = Verdict::Solved { period, preperiod };
    Some(claim)
}

pub(crate) fn attack(enemy: &mut Enemy, claims: u64, seed: u64) {
    let end = enemy.told + claims;
    let mut number = seed;
    while enemy.told < end {
        number += 1;
        let dice = &mut Dice(number);
        let lie = match dice.below(2) {
            0 => seeming(dice),
            _ => nearly(dice),
        };
        if let Some(claim) = lie.filter(|claim| claim.quotient.order() <= MAX_ORDER) {
            enemy.claims(number, &claim);
        }
    }
}

#[test]
fn periods_of_values() {
    tells(
        attack,
        1_300,
        &[
            "Ok",
            "NoPeriod",
            "NotLeast",
            "NotPeriodic",
            "PeriodUnproved",
        ],
    );
}
