//! The classes of Conway that the heaps of a game have, and the first heap of each class.
//!
//! In 0.123 the heap of 8 is the first that is not tame. It is restless, and the heap of 9 is
//! restive. No heap to 24 is wild.
//!
//! **Theorem.** Let no move of a game leave two heaps, let the genera of its heaps have a period
//! that is proved, and let all heaps to the end of the first period be tame. Then all heaps are
//! tame.
//!
//! *Proof.* By induction all options of a heap are tame. Either the heap equals a smaller heap,
//! which is tame, or its form has all these options, since only a replacement by another game can
//! simplify a form. In the second case the heap is not wild, and its genus alone tells whether it
//! is tame, restive or restless ([`crate::genus::class`]). A tame heap has the same genus.

use misere_game::control::Control;
use misere_game::ruleset::Code;

use super::Forms;
use super::heaps::HeapForms;
use super::sequence::genera;
use crate::genus::Class;

/// The classes of the heaps of a game, as far as they were computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct HeapClasses {
    /// Whether all heaps are proved to be tame.
    pub all_tame: bool,
    /// The first restive heap.
    pub first_restive: Option<u32>,
    /// The first restless heap.
    pub first_restless: Option<u32>,
    /// The first wild heap.
    pub first_wild: Option<u32>,
    /// Whether the first heap that is not tame is half-tame.
    ///
    /// `None` if every heap computed is tame, or the fuel did not suffice.
    pub half_tame: Option<bool>,
}

impl HeapClasses {
    /// Returns the classes of the heaps 0 to `max_heap`, or as far as the fuel in `control` goes.
    ///
    /// Cost: as [`genera`], and the sum of two heaps.
    ///
    /// ```
    /// use misere_game::control::Control;
    /// use misere_algebra::forms::classes::HeapClasses;
    /// let found = HeapClasses::of(&"0.123".parse()?, 24, &mut Control::unlimited());
    /// assert_eq!((found.first_restless, found.first_restive), (Some(8), Some(9)));
    /// assert_eq!((found.first_not_tame(), found.first_wild), (Some(8), None));
    /// let nim = HeapClasses::of(&"0.33".parse()?, 24, &mut Control::unlimited());
    /// assert!(nim.all_tame);
    /// # Ok::<(), misere_game::ruleset::CodeError>(())
    /// ```
    #[must_use]
    pub fn of(code: &Code, max_heap: u32, control: &mut Control) -> Self {
        let sequence = genera(code, max_heap, control);
        let first = |class: Class| sequence.first(|heap| heap.class == class);
        let first_not_tame = sequence.first(|heap| !heap.class.is_tame());
        // Beyond its followers a finite game has dead heaps only.
        let is_whole = sequence.stopped.is_none()
            && (code.finite_game()).is_some_and(|game| max_heap >= game.heaps());
        let half_tame = first_not_tame.and_then(|heap| {
            let mut forms = Forms::new();
            let form = HeapForms::new(code).heap(heap, &mut forms, control).ok()?;
            forms.is_half_tame(form, control).ok()
        });
        Self {
            all_tame: first_not_tame.is_none() && (is_whole || sequence.period.is_some()),
            first_restive: first(Class::Restive),
            first_restless: first(Class::Restless),
            first_wild: first(Class::Wild),
            half_tame,
        }
    }

    /// Returns the first heap that is not tame.
    ///
    /// It is restive or restless, since its options are tame.
    #[must_use]
    pub fn first_not_tame(&self) -> Option<u32> {
        let firsts = [self.first_restive, self.first_restless, self.first_wild];
        firsts.into_iter().flatten().min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classes(code: &str) -> HeapClasses {
        HeapClasses::of(&code.parse().unwrap(), 20, &mut Control::unlimited())
    }

    /// The first heap that is not tame agrees with the table of the genera alone.
    #[test]
    fn first_heaps_agree_with_the_sequence() {
        for digits in 0..64_u32 {
            let code: Code = format!("0.{}{}", digits / 8, digits % 8).parse().unwrap();
            let found = HeapClasses::of(&code, 14, &mut Control::unlimited());
            let sequence = genera(&code, 14, &mut Control::unlimited());
            let not_tame = sequence.first(|heap| !heap.class.is_tame());
            assert_eq!(found.first_not_tame(), not_tame, "{code}");
            let wild = found.first_wild;
            assert!(
                wild.is_none_or(|wild| not_tame.is_some_and(|first| first < wild)),
                "{code}"
            );
            assert!(!found.all_tame || not_tame.is_none(), "{code}");
        }
    }

    /// In Siegel's list of games born by day 4 restive games are half-tame, restless ones are not.
    #[test]
    fn half_tame_games() {
        let restive = classes("{*3,{*2},*2,0}");
        assert_eq!(restive.half_tame, Some(true));
        let restless = classes("{{*2},*}");
        assert_eq!(restless.half_tame, Some(false));
        assert!(classes("{*3,{*2}}").all_tame);
    }

    #[test]
    fn without_fuel_nothing_is_reported() {
        let mut control = Control::new(0, Default::default());
        let found = HeapClasses::of(&"0.77".parse().unwrap(), 20, &mut control);
        assert_eq!(found, HeapClasses::default());
    }
}
