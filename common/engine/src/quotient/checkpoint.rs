//! Checkpoints, from which a computation by the exact strategy is resumed.
//!
//! A long computation pauses whenever it has spent [`CHECKPOINT_TICKS`] more: it writes what it has
//! proved (a [`Checkpoint`]), forgets everything else, and starts again from what it wrote. A later
//! run from the same checkpoint, on another machine, therefore does exactly the same from there on
//! and spends the same fuel: results do not depend on where a computation was interrupted
//! (invariant A-5).
//!
//! When a computation has found that it diverges, it writes that, too ([`Divergence`]), before it
//! searches for evidence of infinity. A run resumed from there begins with the search.
//!
//! A checkpoint is not trusted. Its quotient is verified over all its heaps before the computation
//! continues. This has to be done in any case, since the maximal deficits are not part of it; and
//! the final result is checked like any other solution. That the next quotient diverges is an
//! observation in any case; a checkpoint that says so reports the observation of the run that made
//! it.

use serde::{Deserialize, Serialize};

use misere_game::bipartite::BipartiteMonoid;
use misere_game::control::Stop;
use misere_game::lists::{at_most, snug};
use misere_game::ruleset::Code;
use misere_game::solution::Partial;

use super::Limits;
use super::divergent::{Divergent, HeapWord, words};

/// The ticks between two checkpoints of a computation.
///
/// [`misere_game::control::TICKS_PER_FUEL`] ticks are a unit of fuel. If `SPACING` times the cost of
/// resuming from the last checkpoint is more, that applies instead.
pub const CHECKPOINT_TICKS: u64 = 10_000_000_000;
/// The least ratio of the work between two checkpoints to the cost of resuming from one.
///
/// It keeps this cost a small part of the whole.
pub(super) const SPACING: u64 = 10;
/// The state of a computation by the exact strategy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// The ticks spent so far.
    pub(super) ticks: u64,
    /// The heaps whose values generate.
    #[serde(deserialize_with = "snug")]
    pub(super) levels: Vec<u32>,
    /// The words that represent heaps; the first is the empty one.
    #[serde(deserialize_with = "words")]
    pub(super) words: Vec<HeapWord>,
    /// The word that represents each heap from 0 on.
    #[serde(deserialize_with = "snug")]
    pub(super) stand_in: Vec<u32>,
    /// The quotient to the last heap.
    pub(super) quotient: BipartiteMonoid,
    /// The longest sequence of outcome functions so far.
    pub(super) longest: u32,
    /// The partial quotients so far.
    #[serde(deserialize_with = "snug")]
    pub(super) partials: Vec<Partial>,
    /// The heap at which growth is examined next.
    pub(super) next_look: u32,
    /// The observation at the next heap, if the computation diverges there.
    ///
    /// It is written beside the other fields, which have the form of earlier releases.
    #[serde(skip)]
    pub(super) diverged: Option<Divergence>,
}

/// The end of a computation that diverges, before the search for evidence of infinity.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Divergence {
    /// The number of copies of some heap that were tried.
    pub(super) copies: u32,
    /// The levels and words with which the next heap's quotient did not seem finite.
    #[serde(deserialize_with = "at_most::<MAX_DIVERGENT, _, _>")]
    pub(super) attempts: Vec<Divergent>,
}

/// The most attempts that did not seem finite.
const MAX_DIVERGENT: usize = 2;

/// The reason why a computation cannot be resumed from a checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ResumeError {
    /// The parts of the checkpoint do not fit together, or not within the limits.
    #[error("the checkpoint is inconsistent: {0}")]
    Inconsistent(&'static str),
    /// The quotient of the checkpoint predicts wrong outcomes.
    #[error("the checkpoint's quotient predicts wrong outcomes")]
    Wrong,
}

/// The reason why a computation was not resumed from a checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RestoreError {
    Stopped(Stop),
    Bad(ResumeError),
}

impl From<Stop> for RestoreError {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

impl Checkpoint {
    /// Returns the greatest heap whose value is known.
    #[must_use]
    pub fn heap(&self) -> u32 {
        self.stand_in.len() as u32 - u32::from(!self.stand_in.is_empty())
    }

    /// Returns the fuel spent so far, in whole units (rounded up).
    #[must_use]
    pub fn fuel(&self) -> u64 {
        self.ticks.div_ceil(misere_game::control::TICKS_PER_FUEL)
    }

    /// Returns the end of the computation, if it diverges at the next heap.
    #[must_use]
    pub fn diverged(&self) -> Option<&Divergence> {
        self.diverged.as_ref()
    }

    /// Returns the checkpoint with the end of its computation.
    #[must_use]
    pub fn with_diverged(self, diverged: Divergence) -> Self {
        Self {
            diverged: Some(diverged),
            ..self
        }
    }

    /// Checks that the parts fit together, and within the limits.
    ///
    /// The quotient is not verified.
    pub(super) fn check(&self, code: &Code, limits: &Limits) -> Result<(), &'static str> {
        let heaps = self.stand_in.len();
        let is_level = |heap: u32| self.levels.binary_search(&heap).is_ok();
        let ascending = |heaps: &[u32]| heaps.windows(2).all(|pair| pair[0] < pair[1]);
        if heaps < 2 || heaps > limits.max_heap as usize + 1 {
            return Err("the number of heaps");
        }
        let live = |&heap: &u32| heap > 0 && (heap as usize) < heaps && code.is_live(heap);
        if self.levels.is_empty() || !ascending(&self.levels) || !self.levels.iter().all(live) {
            return Err("the heaps that generate");
        }
        let order = self.quotient.order();
        if self.quotient.generators() != self.levels.len() || order > limits.max_order as usize {
            return Err("the quotient");
        }
        // An exponent of a least word is less than the order.
        let letter = |&(heap, count): &(u32, u32)| is_level(heap) && count as usize <= order;
        if self.words.first().is_none_or(|word| !word.is_empty())
            || !self.words.iter().flatten().all(letter)
            || self.words.iter().map(Vec::len).max().unwrap_or(0) > self.levels.len()
            || self.words.len() > heaps + self.levels.len() * heaps
        {
            return Err("the words");
        }
        let known = |&word: &u32| (word as usize) < self.words.len();
        if self.stand_in[0] != 0 || !self.stand_in.iter().all(known) {
            return Err("the words that stand for heaps");
        }
        let (order, p_size) = (order as u32, self.quotient.p_size() as u32);
        let partial_heaps: Vec<u32> = self.partials.iter().map(|partial| partial.heap).collect();
        let last = self.partials.last();
        if !ascending(&partial_heaps)
            || partial_heaps
                .iter()
                .any(|&heap| heap == 0 || heap as usize >= heaps)
            || last.is_none_or(|last| (last.order, last.p_size) != (order, p_size))
        {
            return Err("the partial quotients");
        }
        if self.longest > limits.max_copies.max(1) {
            return Err("the number of copies");
        }
        match &self.diverged {
            Some(diverged) => diverged.check(heaps as u32, order, code, limits),
            None => Ok(()),
        }
    }
}

impl Divergence {
    /// Reports whether the words are words over levels, and all is within the limits.
    fn check(
        &self,
        heap: u32,
        order: u32,
        code: &Code,
        limits: &Limits,
    ) -> Result<(), &'static str> {
        if self.copies > limits.max_copies.max(1) || limits.max_evidence == 0 {
            return Err("the number of copies");
        }
        let fits = |Divergent { levels, words }: &Divergent| {
            let ascends = levels.windows(2).all(|pair| pair[0] < pair[1]);
            let live = |&level: &u32| level > 0 && level <= heap && code.is_live(level);
            let letter = |&(letter, count): &(u32, u32)| {
                levels.binary_search(&letter).is_ok() && count <= order
            };
            let short = |word: &HeapWord| word.len() <= levels.len();
            ascends
                && !levels.is_empty()
                && levels.iter().all(live)
                && words.len() == heap as usize + 1
                && words.iter().all(short)
                && words.iter().flatten().all(letter)
        };
        if self.attempts.is_empty() || !self.attempts.iter().all(fits) {
            return Err("the words at the heap where it diverges");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use misere_game::control::{Control, Interrupt};
    use misere_game::solution::{Solution, Verdict};

    use super::super::{Strategy, solve, solve_spaced};
    use super::*;

    const CHECKPOINT_FUEL: u64 = 2_000_000;
    const FUEL: u64 = 400_000;

    fn from(code: &str, max_heap: u32, at: Option<&Checkpoint>) -> (Solution, Vec<Checkpoint>) {
        let limits = Limits {
            max_heap,
            max_evidence: 0,
            ..Limits::default()
        };
        let mut kept = Vec::new();
        let control = &mut Control::new(FUEL, Interrupt::default());
        let mut keep = |at: &Checkpoint| kept.push(at.clone());
        let code = code.parse().unwrap();
        let solution = solve_spaced(
            &code,
            &limits,
            Strategy::Exact,
            at,
            &mut keep,
            CHECKPOINT_FUEL,
            control,
        );
        (solution, kept)
    }

    /// A computation that is resumed from a checkpoint finds the same, spends the same, and writes
    /// the same checkpoints.
    #[test]
    fn resuming_changes_nothing() {
        for (code, max_heap) in [("0.07", 100), ("0.26", 60), ("0.142", 30), ("4.7", 40)] {
            let (whole, kept) = from(code, max_heap, None);
            assert!(!kept.is_empty(), "{code}");
            for (index, at) in kept.iter().enumerate() {
                let bytes = reread(at);
                let (rest, later) = from(code, max_heap, Some(&bytes));
                assert_eq!(rest, whole, "{code} from heap {}", at.heap());
                assert_eq!(later, kept[index + 1..], "{code} from heap {}", at.heap());
            }
        }
    }

    /// Returns the checkpoint written and read again.
    fn reread(at: &Checkpoint) -> Checkpoint {
        serde_json::from_str(&serde_json::to_string(at).unwrap()).unwrap()
    }

    /// Checkpoints cost fuel and change nothing else.
    #[test]
    fn checkpoints_find_the_same() {
        for (code, max_heap) in [("0.07", 100), ("0.26", 60), ("4.7", 40)] {
            let (mut whole, _) = from(code, max_heap, None);
            let limits = Limits {
                max_heap,
                max_evidence: 0,
                ..Limits::default()
            };
            let control = &mut Control::new(FUEL, Interrupt::default());
            let plain = solve(&code.parse().unwrap(), &limits, Strategy::Exact, control);
            if let (Verdict::Diverges { copies, .. }, Verdict::Diverges { copies: other, .. }) =
                (&mut whole.verdict, plain.verdict)
            {
                *copies = other;
            }
            whole.fuel = plain.fuel;
            assert_eq!(whole, plain, "{code}");
        }
    }

    /// An interruption during the search for evidence leaves no verdict: the whole search might
    /// have proved the quotient infinite.
    #[test]
    fn an_interrupted_search_leaves_no_verdict() {
        let code = "0.14".parse().unwrap();
        let interrupt = Interrupt::default();
        let control = &mut Control::new(60_000_000, interrupt.clone());
        let mut at_the_end = None;
        let mut keep = |at: &Checkpoint| {
            if at.diverged().is_some() {
                at_the_end = Some(at.clone());
                interrupt.raise();
            }
        };
        let limits = Limits::default();
        let exact = Strategy::Exact;
        let broken_off = solve_spaced(&code, &limits, exact, None, &mut keep, 100, control);
        assert_eq!(broken_off.verdict, Verdict::Interrupted);
        assert_eq!((broken_off.evidence, broken_off.reason), (None, None));
        let at = at_the_end.unwrap();
        let spoil = |spoiled: &mut dyn FnMut(&mut Divergence)| {
            let mut bad = at.clone();
            spoiled(bad.diverged.as_mut().unwrap());
            assert!(bad.check(&code, &limits).is_err(), "{bad:?}");
        };
        assert!(at.check(&code, &limits).is_ok());
        spoil(&mut |diverged| diverged.copies = u32::MAX);
        spoil(&mut |diverged| diverged.attempts.clear());
        spoil(&mut |diverged| diverged.attempts[0].levels.clear());
        spoil(&mut |diverged| diverged.attempts[0].levels.push(u32::MAX));
        spoil(&mut |diverged| diverged.attempts[0].levels.reverse());
        spoil(&mut |diverged| diverged.attempts[0].words.truncate(3));
        spoil(&mut |diverged| diverged.attempts[0].words[1] = vec![(u32::MAX, 1)]);
        spoil(&mut |diverged| {
            let level = diverged.attempts[0].levels[0];
            diverged.attempts[0].words[1] = vec![(level, u32::MAX)];
        });
        spoil(&mut |diverged| {
            let level = diverged.attempts[0].levels[0];
            diverged.attempts[0].words[1] = vec![(level, 1); 100];
        });
    }

    #[test]
    fn a_bad_checkpoint_is_ignored() {
        let (whole, kept) = from("0.26", 60, None);
        let good = kept.last().unwrap();
        let spoil = |spoiled: &mut dyn FnMut(&mut Checkpoint)| {
            let mut bad = good.clone();
            spoiled(&mut bad);
            assert_ne!(bad, *good);
            assert_eq!(from("0.26", 60, Some(&bad)).0, whole);
        };
        spoil(&mut |at| at.stand_in.clear());
        spoil(&mut |at| at.stand_in[5] = u32::MAX);
        spoil(&mut |at| at.words[0].push((1, 1)));
        spoil(&mut |at| at.words[2].push((u32::MAX, 1)));
        spoil(&mut |at| at.levels.clear());
        spoil(&mut |at| at.levels[0] = 2_000);
        spoil(&mut |at| at.partials.clear());
        spoil(&mut |at| at.longest = u32::MAX);
        spoil(&mut |at| at.ticks = u64::MAX);
        spoil(&mut |at| at.quotient = BipartiteMonoid::trivial());
        // A checkpoint of another game.
        let (_, others) = from("0.142", 30, None);
        assert_eq!(from("0.26", 60, others.last()).0, whole);
        // Consistent, but wrong: a heap has the word of another value.
        spoil(&mut |at| {
            let last = at.stand_in.len() - 1;
            at.stand_in[last] = at.stand_in[last - 1];
        });
    }
}
