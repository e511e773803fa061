//! The sets of runners that have to be followed from one level.
//!
//! A statement that asks for an option holds for a set of options if it holds for some of them. So
//! among sets with the same base only the minimal ones are kept. (The same idea decides whether a
//! nondeterministic automaton accepts everything by *antichains*: De Wulf, Doyen, Henzinger and
//! Raskin 2006.)

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;

use misere_game::control::Control;

use super::super::{FamilyCheckError, too_large};
use super::reading::Place;

/// A reader of one position: the place it has reached and the number of the remaining rest.
///
/// Both are in one word, since sorting runners takes most of the time of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Runner(u64);

impl Runner {
    pub(super) fn new(place: Place, rest: u32) -> Self {
        Self(u64::from(place) << 32 | u64::from(rest))
    }

    pub(super) fn place(self) -> Place {
        (self.0 >> 32) as Place
    }

    pub(super) fn rest(self) -> u32 {
        self.0 as u32
    }
}

/// The runners of a position, of its options, and of a position that calls for a winning one.
#[derive(Clone)]
pub(super) struct Runners {
    pub(super) base: Runner,
    pub(super) call: Option<Runner>,
    pub(super) options: Vec<Runner>,
    /// Whether all counts so far are zero, so that the position may be the end.
    pub(super) end: bool,
}

/// The sets of runners at one level.
#[derive(Default)]
pub(super) struct Layer {
    sets: Vec<Set>,
    /// The sets that differ only in their options.
    alike: HashMap<(Runner, Option<Runner>, bool), Vec<u32>, FxBuildHasher>,
    /// The number of options of all sets together.
    kept: usize,
}

struct Set {
    runners: Runners,
    /// A bit for each option; the bits of a set within another are a subset of the other's bits.
    signature: u64,
    way: u32,
    /// Whether another set of the layer lies within this one.
    needless: bool,
}

/// The most options of all sets that are kept in memory (8 bytes each).
const MAX_OPTIONS: usize = 60_000_000;

impl Runners {
    pub(super) fn all(&self) -> impl Iterator<Item = &Runner> {
        std::iter::once(&self.base)
            .chain(&self.call)
            .chain(&self.options)
    }
}

impl Layer {
    pub(super) fn len(&self) -> usize {
        self.sets.len()
    }

    /// Returns a set that has to be followed, with the way to it.
    pub(super) fn set(&self, at: usize) -> Option<(&Runners, u32)> {
        let set = &self.sets[at];
        (!set.needless).then_some((&set.runners, set.way))
    }

    /// Adds a set with ordered options unless a set within it is here; reports whether it did.
    pub(super) fn take_in(
        &mut self,
        runners: &Runners,
        way: u32,
        control: &mut Control,
    ) -> Result<bool, FamilyCheckError> {
        let bit = |option: &Runner| 1_u64 << (option.0.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 58);
        let signature = runners
            .options
            .iter()
            .fold(0, |all, option| all | bit(option));
        let key = (runners.base, runners.call, runners.end);
        let alike = self.alike.entry(key).or_default();
        control.spend(50 + 4 * alike.len() as u64)?;
        for &other in alike.iter() {
            let set = &self.sets[other as usize];
            if set.signature & !signature == 0 {
                control.spend(2 * runners.options.len() as u64)?;
                if is_within(&set.runners.options, &runners.options) {
                    return Ok(false);
                }
            }
        }
        let sets = &mut self.sets;
        let mut freed = 0;
        alike.retain(|&other| {
            let set = &mut sets[other as usize];
            set.needless = signature & !set.signature == 0
                && is_within(&runners.options, &set.runners.options);
            if set.needless {
                freed += set.runners.options.len();
                set.runners.options = Vec::new();
            }
            !set.needless
        });
        self.kept = self.kept - freed + runners.options.len();
        if self.kept > MAX_OPTIONS {
            return Err(too_large("comparisons to be made", self.kept, MAX_OPTIONS));
        }
        alike.push(self.sets.len() as u32);
        self.sets.push(Set {
            runners: runners.clone(),
            signature,
            way,
            needless: false,
        });
        Ok(true)
    }
}

/// Reports whether all members of the first list are in the second; both are in order.
fn is_within(few: &[Runner], many: &[Runner]) -> bool {
    let mut rest = many.iter();
    few.len() <= many.len() && few.iter().all(|one| rest.any(|other| other == one))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_options(places: &[Place]) -> Runners {
        let runner = |&place: &Place| Runner::new(place, 0);
        Runners {
            base: runner(&0),
            call: None,
            options: places.iter().map(runner).collect(),
            end: false,
        }
    }

    /// More sets than there are bits in a signature, none within another.
    #[test]
    fn sets_that_differ_are_all_followed() {
        let (mut layer, control) = (Layer::default(), &mut Control::unlimited());
        for place in 0..200 {
            let taken = layer.take_in(&with_options(&[place, 200 + place]), place, control);
            assert_eq!(taken, Ok(true), "{place}");
        }
        assert!((0..200).all(|at| layer.set(at).is_some()));
    }

    #[test]
    fn only_the_least_sets_are_followed() {
        let (mut layer, control) = (Layer::default(), &mut Control::unlimited());
        let mut take_in = |places: &[Place]| layer.take_in(&with_options(places), 0, control);
        assert_eq!(take_in(&[1, 2]), Ok(true));
        assert_eq!(take_in(&[3]), Ok(true));
        assert_eq!(take_in(&[1]), Ok(true));
        assert_eq!(take_in(&[1, 3]), Ok(false));
        assert_eq!(take_in(&[1]), Ok(false));
        let followed: Vec<bool> = (0..layer.len()).map(|at| layer.set(at).is_some()).collect();
        assert_eq!(followed, [false, true, true]);
        assert_eq!(layer.kept, 2);
    }
}
