//! The classes of Conway that the heaps of a game have by their genera.
//!
//! In 0.123 the heap of 8 is restless and the heap of 9 restive: the game is listed under both
//! classes, and its first heap that is not tame is 8. A record does not hold these facts; they are
//! computed from the code on demand, and so have no index.
//!
//! The least code of a game is used, so that every code of the game gives the same classes.

use std::cell::RefCell;
use std::collections::BTreeMap;

use misere_algebra::forms::classes::HeapClasses;
use misere_census::Record;
use misere_game::control::{Control, Interrupt};
use misere_game::ruleset::Code;

/// The greatest heap whose class is computed.
pub const HEAPS: u32 = 20;

/// The fuel for the classes of one game.
pub const FUEL: u64 = 20_000;

/// The number of games whose classes a thread remembers.
const REMEMBERED: usize = 4_096;

/// A class of games by the genera of their heaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GenusClass {
    /// All heaps are proved to be tame.
    Tame,
    /// Some heap is restive.
    Restive,
    /// Some heap is restless.
    Restless,
    /// The first heap that is not tame is half-tame.
    HalfTame,
    /// Some heap is wild.
    Wild,
    /// The heaps computed are tame, and nothing is proved about the others.
    Open,
}

impl GenusClass {
    /// All variants.
    pub const ALL: [Self; 6] = [
        Self::Tame,
        Self::Restive,
        Self::Restless,
        Self::HalfTame,
        Self::Wild,
        Self::Open,
    ];

    /// Returns the name in messages, addresses, options and documents.
    ///
    /// ```
    /// # use misere_query::GenusClass;
    /// assert_eq!(GenusClass::HalfTame.name(), "half-tame");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Tame => "tame",
            Self::Restive => "restive",
            Self::Restless => "restless",
            Self::HalfTame => "half-tame",
            Self::Wild => "wild",
            Self::Open => "open",
        }
    }

    /// Returns the class with a name, if one has it.
    ///
    /// ```
    /// # use misere_query::GenusClass;
    /// assert_eq!(GenusClass::named("wild"), Some(GenusClass::Wild));
    /// assert_eq!(GenusClass::named("mild"), None);
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|class| class.name() == name)
    }

    /// Returns the names of all classes, with commas between them.
    #[must_use]
    pub fn names() -> String {
        Self::ALL.map(Self::name).join(", ")
    }

    /// Returns the classes of the game of a record, ascending; at least one.
    ///
    /// ```
    /// # use misere_query::{GenusClass, samples::record};
    /// let classes = GenusClass::of(&record("0.123"));
    /// assert_eq!(classes, [GenusClass::Restive, GenusClass::Restless]);
    /// ```
    ///
    /// Cost: the cost of [`HeapClasses::of`] to [`HEAPS`], unless the game was queried recently.
    #[must_use]
    pub fn of(record: &Record) -> Vec<Self> {
        let found = heap_classes(record).1;
        let holds = |class: &Self| match class {
            Self::Tame => found.all_tame,
            Self::Restive => found.first_restive.is_some(),
            Self::Restless => found.first_restless.is_some(),
            Self::HalfTame => found.half_tame == Some(true),
            Self::Wild => found.first_wild.is_some(),
            Self::Open => !found.all_tame && found.first_not_tame().is_none(),
        };
        Self::ALL.into_iter().filter(holds).collect()
    }
}

/// Returns the first heap of a record's game that is not tame; `None` if all computed ones are.
///
/// The heap is in the heap numbers of the record.
///
/// Cost: as for [`GenusClass::of`].
#[must_use]
pub fn first_not_tame(record: &Record) -> Option<u32> {
    let (code, found) = heap_classes(record);
    renumbered(record, code, found.first_not_tame()?)
}

/// Returns the first wild heap of a record's game; `None` if none was found.
///
/// The heap is in the heap numbers of the record.
///
/// Cost: as for [`GenusClass::of`].
#[must_use]
pub fn first_wild(record: &Record) -> Option<u32> {
    let (code, found) = heap_classes(record);
    renumbered(record, code, found.first_wild?)
}

/// Returns a heap of another code of the record's game, in the heap numbers of the record.
fn renumbered(record: &Record, code: &Code, heap: u32) -> Option<u32> {
    if *code == record.code {
        return Some(heap);
    }
    let alias = record.aliases.iter().find(|alias| alias.code == *code)?;
    alias.renumbering.inverse().heap(heap)
}

/// Returns the least code of the record's game, and the classes of its heaps.
fn heap_classes(record: &Record) -> (&Code, HeapClasses) {
    thread_local! {
        static RECENT: RefCell<BTreeMap<Code, HeapClasses>> = const { RefCell::new(BTreeMap::new()) };
    }
    let code = record.codes().min().unwrap_or(&record.code);
    let found = RECENT.with_borrow_mut(|lately| {
        if let Some(found) = lately.get(code) {
            return *found;
        }
        if lately.len() >= REMEMBERED {
            lately.clear();
        }
        let mut control = Control::new(FUEL, Interrupt::default());
        let found = HeapClasses::of(code, HEAPS, &mut control);
        lately.insert(code.clone(), found);
        found
    });
    (code, found)
}

#[cfg(test)]
mod tests {
    use misere_census::Alias;
    use misere_game::ruleset::Renumbering;

    use super::*;
    use crate::samples::record;

    /// 0.07 is 0.4 with every heap one smaller; it has its own heap numbers.
    #[test]
    fn another_code_of_the_game_has_heaps_of_its_own() {
        let (code, other): (Code, Code) = ("0.4".parse().unwrap(), "0.07".parse().unwrap());
        let mut kept = record("0.4");
        kept.aliases = vec![Alias {
            code: other.clone(),
            renumbering: Renumbering::between(&code, &other).unwrap(),
            verdict: kept.verdict,
            heaps: kept.heaps,
            tail: None,
            automaton: None,
            all_heaps: None,
        }];
        let told = kept.under(&other).unwrap();
        for (record, code) in [(&kept, code), (&told, other)] {
            let found = HeapClasses::of(&code, HEAPS, &mut Control::unlimited());
            assert!(found.first_not_tame().is_some() && found.first_wild.is_some());
            assert_eq!(first_not_tame(record), found.first_not_tame(), "{code}");
            assert_eq!(first_wild(record), found.first_wild, "{code}");
        }
        assert_eq!(GenusClass::of(&kept), GenusClass::of(&told));
    }

    #[test]
    fn every_game_is_tame_or_open_or_neither() {
        for digits in 0..64_u32 {
            let code = format!("0.{}{}", digits / 8, digits % 8);
            let classes = GenusClass::of(&record(&code));
            let alone = classes.contains(&GenusClass::Tame) || classes.contains(&GenusClass::Open);
            assert!(
                !classes.is_empty() && alone == (classes.len() == 1 && alone),
                "{code}"
            );
            assert_eq!(alone, first_not_tame(&record(&code)).is_none(), "{code}");
        }
    }
}
