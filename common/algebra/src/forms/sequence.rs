//! The genera of the heaps of a code, heap by heap.

use rustc_hash::FxHashMap;

use misere_engine::normal::period::proved;
use misere_game::control::{Control, Progress, Stop};
use misere_game::ruleset::Code;
use misere_game::solution::NimPeriod;

use super::Forms;
use super::heaps::HeapForms;
use crate::genus::{Class, Genus};

/// The genus and the class of a heap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeapGenus {
    /// The genus of the heap.
    pub genus: Genus,
    /// The class of the heap.
    pub class: Class,
}

/// The genera of the heaps of a game, as far as they were computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GenusSequence {
    /// The genera of the heaps from 0 on.
    pub heaps: Vec<HeapGenus>,
    /// The proved period of the genera, if there is one.
    pub period: Option<NimPeriod>,
    /// The cause of an early end.
    pub stopped: Option<Stop>,
}

impl GenusSequence {
    /// Returns the first heap that satisfies the condition.
    ///
    /// ```
    /// use misere_game::control::Control;
    /// use misere_algebra::forms::sequence::genera;
    /// let kayles = genera(&"0.77".parse()?, 8, &mut Control::unlimited());
    /// assert_eq!(kayles.first(|heap| !heap.class.is_tame()), Some(5));
    /// # Ok::<(), misere_game::ruleset::CodeError>(())
    /// ```
    #[must_use]
    pub fn first(&self, condition: impl Fn(&HeapGenus) -> bool) -> Option<u32> {
        let found = self.heaps.iter().position(condition);
        found.map(|heap| heap as u32)
    }
}

/// Returns the genera of the heaps 0 to `max_heap`, or as far as the fuel in `control` goes.
///
/// For a finite game it returns at most the genera of its followers.
///
/// If no move leaves two heaps, the genus of a heap is a function of the genera of as many heaps
/// before it as the code has digits. Then a repetition proves a period, as in the theorem of Guy
/// and Smith, and the computation ends there. For other games no period is searched for, since the
/// genus of a sum is not a function of the genera of its summands.
///
/// Cost: the positions that can be reached, see [`HeapForms::heap`].
///
/// ```
/// use misere_game::control::Control;
/// use misere_algebra::forms::sequence::genera;
/// use misere_game::solution::NimPeriod;
/// let found = genera(&"0.123".parse()?, 100, &mut Control::unlimited());
/// let written: Vec<String> = found.heaps.iter().map(|heap| heap.genus.to_string()).collect();
/// assert_eq!(written[5..10], ["1^031", "0^02", "0^120", "2^1420", "1^20"]);
/// assert_eq!(found.period, Some(NimPeriod { period: 5, preperiod: 5 }));
/// # Ok::<(), misere_game::ruleset::CodeError>(())
/// ```
#[must_use]
pub fn genera(code: &Code, max_heap: u32, control: &mut Control) -> GenusSequence {
    // Beyond the followers of a finite game all heaps are dead.
    let max_heap = match code.finite_game() {
        Some(game) => max_heap.min(game.heaps()),
        None => max_heap,
    };
    let mut forms = Forms::new();
    let mut heap_forms = HeapForms::new(code);
    let mut found = GenusSequence {
        heaps: Vec::new(),
        period: None,
        stopped: None,
    };
    // Genera as numbers, for the search for a period.
    let mut numbers: FxHashMap<Genus, u32> = FxHashMap::default();
    let mut numbered: Vec<u32> = Vec::new();
    let is_linear = code.is_take_and_break() && code.max_parts() <= 1;
    let mut next_look = 16;
    for heap in 0..=max_heap {
        let form = match heap_forms.heap(heap, &mut forms, control) {
            Ok(form) => form,
            Err(stop) => {
                found.stopped = Some(stop);
                break;
            }
        };
        let genus = forms.genus(form).clone();
        let class = forms.class(form);
        if is_linear {
            let fresh = numbers.len() as u32;
            numbered.push(*numbers.entry(genus.clone()).or_insert(fresh));
        }
        found.heaps.push(HeapGenus { genus, class });
        control.report(Progress { heap, order: 0 });
        if is_linear && (heap == next_look || heap == max_heap) {
            next_look += next_look / 2;
            found.period = proved(&numbered, code);
            if found.period.is_some() {
                break;
            }
        }
    }
    if let Some(NimPeriod { period, preperiod }) = found.period {
        let shown = code.heaps_to_prove(preperiod, period) as usize;
        found.heaps.truncate(shown + 1);
    }
    found
}
