//! The share of the fuel that is spent on proving that a quotient is infinite.

use rustc_hash::FxHashMap;

use super::Limits;
use super::extension::Divergent;
use crate::bipartite::{BipartiteMonoid, Element};
use crate::control::{Control, Stop};
use crate::infinite::{self, Cycle};
use crate::monoid::word::{Word, lex_least_words};
use crate::ruleset::Code;
use crate::solution::InfiniteFamily;

/// The search may cost so many times what the game has cost so far, and [`Limits::max_evidence`]
/// more.
const EVIDENCE_SHARE: u64 = 1;

/// The quotient of the heaps before.
pub(super) struct Known<'a> {
    pub(super) quotient: &'a BipartiteMonoid,
    pub(super) phi: &'a [Element],
}

/// Searches for evidence that the next partial quotient is infinite, within its share of the fuel.
///
/// Fails silently: without evidence the verdict stands as it is.
pub(super) fn search(
    code: &Code,
    known: &Known<'_>,
    divergent: &[Divergent],
    limits: &Limits,
    control: &mut Control,
) -> Option<InfiniteFamily> {
    if limits.max_evidence == 0 {
        return None;
    }
    let words = lex_least_words(known.quotient);
    let cycle = |heap: &u32| {
        let value = known.phi.get(*heap as usize)?;
        Some(cycle(known.quotient, &words[*value as usize]))
    };
    let share = EVIDENCE_SHARE * control.fuel_spent() + limits.max_evidence;
    let found = control.within(share, |part| {
        for Divergent { levels, words } in divergent {
            let cycles: Vec<Cycle> = levels.iter().map_while(cycle).collect();
            if let Some(family) = infinite::find(code, levels, words, &cycles, part)? {
                return Ok(Some(family));
            }
        }
        Ok::<_, Stop>(None)
    });
    found.ok().flatten()
}

/// The index and the period of the powers of the element that `word` is.
fn cycle(monoid: &BipartiteMonoid, word: &Word) -> Cycle {
    let mut exponents = FxHashMap::default();
    let mut power: Element = 0;
    let mut exponent = 0;
    loop {
        if let Some(index) = exponents.insert(power, exponent) {
            let period = exponent - index;
            return Cycle { index, period };
        }
        for (generator, &count) in word.0.iter().enumerate() {
            power = (0..count).fold(power, |x, _| monoid.act(x, generator));
        }
        exponent += 1;
    }
}
