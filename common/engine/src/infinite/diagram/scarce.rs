//! The search for a diagram of positions in which the great heaps are scarce.

use std::collections::BTreeMap;

use misere_game::control::{Control, Stop};
use misere_game::ruleset::Code;
use misere_game::solution::Reason;
use misere_game::solution::diagram::DiagramFamily;

use super::{DiagramSearchError, with_system};
use crate::ahead::{self, Ahead, Attempts, Fuel};
use crate::infinite::system::System;

/// The rounds of attempts: the fuel of an attempt, and the limit on copies of the last level.
///
/// Few attempts are worth much fuel, and it is not known beforehand which ones are.
const ROUNDS: [(u64, u32); 8] = [
    (100_000, 2),
    (1_000_000, 1),
    (200_000, MAX_COPIES),
    (2_000_000, 2),
    (2_000_000, MAX_COPIES),
    (20_000_000, 2),
    (20_000_000, MAX_COPIES),
    (u64::MAX, MAX_COPIES),
];
/// The greatest number of copies of the last level.
const MAX_COPIES: u32 = 6;
/// The number of choices of the greatest heap that is not scarce, in each round but the last.
///
/// They are counted from the least choice with which a quotient may be infinite.
const CHOICES: usize = 3;

/// Searches for a diagram of positions in which the great heaps are scarce.
///
/// In many games a few copies of the last level, together with any number of smaller heaps, already
/// have an infinite quotient. Then far fewer positions have to be covered. The heaps to some heap
/// may have any number of copies. The heaps above it are **scarce**: together they are at most six
/// copies of the last level, or a position that moves lead to from there. The diagram makes no
/// claim about other positions. `levels` and `words` are as for [`find`](super::find). A heap that
/// may not be played as its word in the presence of scarce heaps becomes a level.
///
/// Cost: as for [`find`](super::find), for each number of copies and each choice of the greatest
/// heap that is not scarce.
///
/// ```
/// use misere_game::control::{Control, Interrupt};
/// use misere_engine::infinite::diagram::find_with_scarce_heaps;
/// use misere_game::ruleset::Code;
/// use misere_check::infinite::diagram::check;
/// // In 0.143 a heap of 21 among heaps of 17 and less is enough.
/// let code: Code = "0.143".parse()?;
/// let levels: Vec<u32> = (0..=21).filter(|&heap| code.is_live(heap)).collect();
/// let word = |heap| if code.is_live(heap) { vec![(heap, 1)] } else { Vec::new() };
/// let words: Vec<Vec<(u32, u32)>> = (0..=21).map(word).collect();
/// let mut control = Control::new(10_000_000, Interrupt::default());
/// let family = find_with_scarce_heaps(&code, &levels, &words, &mut control)?;
/// assert_eq!(check(&code, 21, &family, &mut control), Ok(()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As for [`find`](super::find); the reason is taken from the attempt that came furthest.
pub fn find_with_scarce_heaps(
    code: &Code,
    levels: &[u32],
    words: &[Vec<(u32, u32)>],
    control: &mut Control,
) -> Result<DiagramFamily, DiagramSearchError> {
    let systems = Systems {
        code,
        levels,
        words,
    };
    ahead::search(&systems, control, |ahead, control| {
        let mut search = Search {
            systems: &systems,
            ahead,
            ends: BTreeMap::new(),
            furthest: Reason::Size,
        };
        for (round, (fuel, most_copies)) in (1..).zip(ROUNDS) {
            let choices = if round == ROUNDS.len() {
                usize::MAX
            } else {
                CHOICES
            };
            for copies in 1..=most_copies {
                if let Some(family) = search.with_copies(copies, choices, fuel, control)? {
                    return Ok(family);
                }
            }
        }
        Err(DiagramSearchError::Ended(search.furthest))
    })
}

/// An attempt: the copies of the last level, the greatest heap that is not scarce, and the fuel.
type Attempt = (u32, u32, u64);

/// The systems with scarce heaps of a game.
struct Systems<'a> {
    code: &'a Code,
    levels: &'a [u32],
    words: &'a [Vec<(u32, u32)>],
}

impl Systems<'_> {
    fn system(&self, copies: u32, free: u32) -> System {
        let last = self.levels.last().copied().unwrap_or(0);
        let start = vec![last; copies as usize];
        System::with_scarce_heaps(self.code, self.levels, self.words, (free, &start))
    }
}

impl Attempts for Systems<'_> {
    type Name = Attempt;
    type Made = Result<DiagramFamily, DiagramSearchError>;

    fn make(&self, &(copies, free, _): &Attempt, control: &mut Control) -> Self::Made {
        with_system(self.code, self.system(copies, free), control)
    }

    fn fuel(&self, &(.., fuel): &Attempt) -> Fuel {
        Fuel::AtMost(fuel)
    }

    fn is_last(&self, made: &Self::Made) -> bool {
        made.is_ok()
    }
}

struct Search<'s, 'r, 'a, 'g> {
    systems: &'s Systems<'g>,
    ahead: &'s mut Ahead<'r, 'a, Systems<'g>>,
    /// The ends of the attempts, by the number of copies and the greatest heap that is not scarce.
    ends: BTreeMap<(u32, u32), End>,
    /// The reason of the attempt that came furthest.
    furthest: Reason,
}

/// The end of an attempt that found no diagram.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// All multiples repeat. Then they also do so with fewer heaps that are not scarce.
    Repeats,
    Ended,
    /// The given fuel did not suffice.
    NotWithin(u64),
}

impl End {
    /// Reports whether an attempt with this fuel may end in another way.
    fn may_change_with(self, fuel: u64) -> bool {
        match self {
            Self::Repeats | Self::Ended => false,
            Self::NotWithin(before) => fuel > before,
        }
    }
}

/// The bisection for the least choice with which a quotient may be infinite.
///
/// It lies from `low` to `high`; the choice at `at` comes next.
#[derive(Clone, Copy)]
struct Bisection {
    low: usize,
    high: usize,
    at: usize,
}

impl Bisection {
    fn after(self, end: End) -> Self {
        let (low, high) = match end {
            End::Repeats => (self.at + 1, self.high),
            End::Ended | End::NotWithin(_) => (self.low, self.at),
        };
        let at = usize::midpoint(low, high);
        Self { low, high, at }
    }

    fn goes_on(self) -> bool {
        self.low < self.high
    }
}

impl Search<'_, '_, '_, '_> {
    /// Makes attempts with `copies` copies of the last level, each with `fuel`.
    fn with_copies(
        &mut self,
        copies: u32,
        choices: usize,
        fuel: u64,
        control: &mut Control,
    ) -> Result<Option<DiagramFamily>, DiagramSearchError> {
        let last = self.systems.levels.last().copied().unwrap_or(0);
        let mut of_many = Vec::new();
        for free in (0..last).filter(|&heap| self.systems.code.is_live(heap)) {
            if self
                .systems
                .system(copies, free)
                .has_few_scarce_positions(control)?
            {
                of_many.push(free);
            }
        }
        let (low, high) = (0, of_many.len());
        let greatest = of_many.last().map(|&free| (copies, free));
        // If even the greatest choice ends soon because all multiples repeat, no other is worth
        // trying.
        let at = match greatest.and_then(|choice| self.ends.get(&choice)) {
            None => high.saturating_sub(1),
            Some(End::Repeats) => return Ok(None),
            Some(_) => usize::midpoint(low, high),
        };
        let mut bisection = Bisection { low, high, at };
        while bisection.goes_on() {
            self.suggest(copies, &of_many, (bisection, choices), fuel, control);
            match self.attempt(copies, of_many[bisection.at], fuel, control)? {
                Ok(family) => return Ok(Some(family)),
                Err(end) => bisection = bisection.after(end),
            }
        }
        let chosen = of_many[bisection.low..].iter().take(choices);
        for (index, &free) in chosen.enumerate() {
            let left = (bisection, choices - index);
            self.suggest(copies, &of_many[index..], left, fuel, control);
            if let Ok(family) = self.attempt(copies, free, fuel, control)? {
                return Ok(Some(family));
            }
        }
        Ok(None)
    }

    /// Suggests the attempts after the next one, if those without a known end find nothing.
    fn suggest(
        &mut self,
        copies: u32,
        of_many: &[u32],
        (mut bisection, choices): (Bisection, usize),
        fuel: u64,
        control: &Control,
    ) {
        let mut next = Vec::new();
        while bisection.goes_on() {
            let free = of_many[bisection.at];
            let known = self.ends.get(&(copies, free)).copied();
            next.push(free);
            bisection = bisection.after(known.unwrap_or(End::Ended));
        }
        next.extend(of_many[bisection.low..].iter().take(choices));
        let current = next.first().copied();
        let is_open = |free: &u32| {
            let known = self.ends.get(&(copies, *free));
            known.is_none_or(|end| end.may_change_with(fuel))
        };
        next.retain(|free| Some(*free) == current || is_open(free));
        next.truncate(1 + self.ahead.most());
        self.ahead
            .keep(|&(of, free, with)| (of, with) == (copies, fuel) && next.contains(&free));
        for free in next.into_iter().skip(1) {
            self.ahead.suggest((copies, free, fuel), control);
        }
    }

    /// Makes one attempt, unless its end is known or it was made with as much fuel.
    fn attempt(
        &mut self,
        copies: u32,
        free: u32,
        fuel: u64,
        control: &mut Control,
    ) -> Result<Result<DiagramFamily, End>, DiagramSearchError> {
        let known = self.ends.get(&(copies, free));
        if let Some(known) = known.filter(|known| !known.may_change_with(fuel)) {
            return Ok(Err(*known));
        }
        let known = match self.ahead.take(&(copies, free, fuel), control) {
            Ok(family) => return Ok(Ok(family)),
            Err(DiagramSearchError::Ended(reason)) => {
                self.furthest = self.furthest.further(reason);
                match reason {
                    Reason::Multiples => End::Repeats,
                    _ => End::Ended,
                }
            }
            Err(DiagramSearchError::Stopped(Stop::FuelSpent)) => {
                // The attempt has spent its part, or all fuel is spent.
                control.spend(1)?;
                End::NotWithin(fuel)
            }
            Err(stopped) => return Err(stopped),
        };
        self.ends.insert((copies, free), known);
        Ok(Err(known))
    }
}
