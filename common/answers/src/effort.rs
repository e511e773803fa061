//! The work that an answer may cost.

use misere_game::control::{Control, Stop};
use misere_game::outcome::FUEL_BY_RULES;

/// The fuel of a command that solves a game, or finds its genera.
pub const SOLVE_FUEL: u64 = 60_000_000;

/// The greatest heap of a command that finds genera.
pub const GENERA_HEAP: u32 = 30;

/// The fuel for each ground that has to be computed, and how far evidence is extended.
///
/// Two efforts decide a position alike wherever both decide it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Fuel for nim-values up to the largest heap, of a game that is tame relative to a heap.
    pub nim_values: u64,
    /// Fuel for the rules alone, shared by all positions that one decider is asked about.
    pub rules: u64,
    /// Fuel for an automaton that a certificate of an earlier release does not have.
    pub automaton: u64,
    /// Fuel for the words and letters of heaps that the evidence does not cover.
    pub evidence: u64,
    /// The number of heaps beyond those of the solution to which evidence is extended.
    pub further_heaps: u32,
    /// Whether further heaps may become letters of the evidence, which takes seconds.
    pub letters: bool,
}

impl Effort {
    /// No effort: only what the solution itself says.
    pub const NONE: Self = Self {
        nim_values: 0,
        rules: 0,
        automaton: 0,
        evidence: 0,
        further_heaps: 0,
        letters: false,
    };

    /// The effort of a command: seconds at most.
    pub const THOROUGH: Self = Self {
        nim_values: 60_000_000,
        rules: FUEL_BY_RULES,
        automaton: 20_000_000,
        evidence: 30_000_000,
        further_heaps: 100,
        letters: true,
    };

    /// Returns the effort of a command whose budget is `fuel`: no part spends more, and nim-values
    /// may spend all of it, since a reader may ask for many.
    ///
    /// ```
    /// use misere_answers::Effort;
    /// assert_eq!(Effort::within(10).rules, 10);
    /// assert_eq!(Effort::within(u64::MAX).rules, Effort::THOROUGH.rules);
    /// ```
    #[must_use]
    pub fn within(fuel: u64) -> Self {
        let whole = Self::THOROUGH;
        Self {
            nim_values: fuel,
            rules: whole.rules.min(fuel),
            automaton: whole.automaton.min(fuel),
            evidence: whole.evidence.min(fuel),
            ..whole
        }
    }

    /// The effort of a page: within a second.
    pub const QUICK: Self = Self {
        nim_values: FUEL_BY_RULES,
        rules: FUEL_BY_RULES,
        automaton: 0,
        evidence: 500_000,
        further_heaps: 30,
        letters: false,
    };
}

/// Runs `work` with at most `fuel` units of what `control` has left; `None` if that is not enough.
///
/// # Errors
/// [`Stop`] if `control` is interrupted or has nothing left.
pub(crate) fn attempt<T>(
    fuel: u64,
    control: &mut Control,
    work: impl FnOnce(&mut Control) -> Result<T, Stop>,
) -> Result<Option<T>, Stop> {
    match control.within(fuel, work) {
        Ok(done) => Ok(Some(done)),
        Err(Stop::FuelSpent) if control.ticks_left() > 0 => Ok(None),
        Err(stop) => Err(stop),
    }
}

#[cfg(test)]
mod tests {
    use misere_game::control::Interrupt;

    use super::*;

    #[test]
    fn a_spent_part_ends_the_attempt_and_a_spent_whole_ends_the_computation() {
        let mut control = Control::new(10, Interrupt::default());
        let all = |part: &mut Control| part.spend(u64::MAX);
        assert_eq!(attempt(3, &mut control, all), Ok(None));
        assert_eq!(attempt(1_000, &mut control, all), Err(Stop::FuelSpent));
        let interrupt = Interrupt::default();
        interrupt.raise();
        let mut control = Control::new(10, interrupt);
        let some = |part: &mut Control| part.spend(1);
        assert_eq!(attempt(3, &mut control, some), Err(Stop::Interrupted));
    }
}
