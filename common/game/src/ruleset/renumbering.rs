//! The renumbering of heaps between two codes of the same game.
//!
//! Dawson's Kayles `0.07` is `0.4` with every heap one smaller: the heap of 3 in `0.07` has the
//! options that the heap of 4 has in `0.4`. Two codes are the same game if their live heaps, in
//! order of size, have the same options ([`signature`](super::signature)). So the live heap of rank
//! `r` of one code is the live heap of rank `r` of the other, and every fact about a heap of one
//! code is a fact about the heap of the same rank of the other. Dead heaps are the empty position.

use serde::{Deserialize, Serialize};

use super::Code;
use super::code::Rules;
use super::general::General;

/// The live heaps of a code, given by the dead ones or, if there are few live ones, by themselves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LiveHeaps {
    /// Every heap from 1 on except these, ascending: some move leaves a heap.
    AllBut(Vec<u32>),
    /// Exactly these heaps, ascending: no move leaves a heap, or the game is finite.
    Only(Vec<u32>),
    /// A finite beginning, and then a period: the heaps of `live` up to `from`, ascending.
    ///
    /// Those of them from `from − period` on are repeated for ever. This happens if moves leave
    /// equal heaps only, or take whole heaps of infinitely many sizes.
    Repeating {
        /// The live heaps to `from − 1`.
        live: Vec<u32>,
        /// The heap from which on a heap is live if the one smaller by the period is.
        from: u32,
        /// The period, at most `from − 1`.
        period: u32,
    },
}

impl LiveHeaps {
    /// Returns the live heaps of a code.
    ///
    /// Let `d` be the number of the code's digits. If some move takes `t ≤ d` beans and leaves 1 to
    /// 3 heaps, all heaps of more than `d + 2` beans are live. If no move leaves a heap, no heap of
    /// more than `d` beans is live.
    ///
    /// ```
    /// use misere_game::ruleset::{Code, LiveHeaps};
    /// assert_eq!(LiveHeaps::of(&"0.07".parse()?), LiveHeaps::AllBut(vec![1]));
    /// assert_eq!(LiveHeaps::of(&"0.101".parse()?), LiveHeaps::Only(vec![1, 3]));
    /// # Ok::<(), misere_game::ruleset::CodeError>(())
    /// ```
    #[must_use]
    pub fn of(code: &Code) -> Self {
        let last = code.length() as u32 + 2;
        match &code.0 {
            Rules::Finite(game) => Self::Only((1..=game.heaps()).collect()),
            Rules::TakeAndBreak { .. } if code.max_parts() == 0 => {
                Self::Only((1..=last).filter(|&heap| code.is_live(heap)).collect())
            }
            Rules::Listed(list) => {
                let heaps = 1..=list.heaps();
                Self::Only(heaps.filter(|&heap| code.is_live(heap)).collect())
            }
            Rules::General(digits) => Self::of_general(digits),
            Rules::TakeAndBreak { .. } | Rules::Grundy => {
                Self::AllBut((1..=last).filter(|&heap| !code.is_live(heap)).collect())
            }
        }
    }

    fn of_general(digits: &General) -> Self {
        let (settled, period) = digits.liveness();
        let from = settled + period + 1;
        let heaps = 1..from;
        let (live, dead): (Vec<u32>, Vec<u32>) = heaps.partition(|&heap| digits.is_live(heap));
        let in_period = |heaps: &[u32]| heaps.last().is_some_and(|&last| last + period >= from);
        match (in_period(&live), in_period(&dead)) {
            (_, false) => Self::AllBut(dead),
            (false, _) => Self::Only(live),
            _ => Self::Repeating { live, from, period },
        }
    }

    /// Returns the number of live heaps of at most `heap` beans, which is the rank of a live heap.
    ///
    /// ```
    /// use misere_game::ruleset::LiveHeaps;
    /// let live = LiveHeaps::AllBut(vec![1, 3]);
    /// assert_eq!(live.to(5), 3); // the heaps 2, 4 and 5
    /// ```
    #[must_use]
    pub fn to(&self, heap: u32) -> u32 {
        let listed = |heaps: &[u32]| heaps.partition_point(|&other| other <= heap) as u32;
        match self {
            Self::AllBut(dead) => heap - listed(dead),
            Self::Only(live) => listed(live),
            Self::Repeating { live, from, period } => {
                let below = heap.min(from - 1);
                let listed = |to: u32| live.partition_point(|&other| other <= to) as u32;
                let again = listed(from - 1) - listed(from - 1 - period);
                let rounds = (heap - below) / period;
                let rest = (heap - below) % period;
                let in_rest = listed(from - 1 - period + rest) - listed(from - 1 - period);
                listed(below) + rounds * again + in_rest
            }
        }
    }

    /// Reports whether a heap is live.
    #[must_use]
    pub fn contains(&self, heap: u32) -> bool {
        match self {
            Self::AllBut(dead) => heap > 0 && dead.binary_search(&heap).is_err(),
            Self::Only(live) => live.binary_search(&heap).is_ok(),
            Self::Repeating { live, from, period } => {
                let same = match heap.checked_sub(*from) {
                    Some(past) => from - period + past % period,
                    None => heap,
                };
                live.binary_search(&same).is_ok()
            }
        }
    }

    /// Returns the live heap of a rank, counted from 1; `None` if there are fewer.
    ///
    /// ```
    /// use misere_game::ruleset::LiveHeaps;
    /// let live = LiveHeaps::AllBut(vec![1, 3]);
    /// assert_eq!([1, 2, 3].map(|rank| live.of_rank(rank)), [2, 4, 5].map(Some));
    /// assert_eq!(LiveHeaps::Only(vec![2]).of_rank(2), None);
    /// ```
    #[must_use]
    pub fn of_rank(&self, rank: u32) -> Option<u32> {
        let place = rank.checked_sub(1)?;
        match self {
            Self::AllBut(dead) => dead.iter().try_fold(rank, |heap, &dead| {
                if dead <= heap {
                    heap.checked_add(1)
                } else {
                    Some(heap)
                }
            }),
            Self::Only(live) => live.get(place as usize).copied(),
            Self::Repeating { live, from, period } => {
                let place = place as usize;
                let first = live.partition_point(|&heap| heap + period < *from);
                let again = live.len() - first;
                let round = place.saturating_sub(first) / again.max(1);
                let heap = live.get(place - round * again)?;
                heap.checked_add(period.checked_mul(u32::try_from(round).ok()?)?)
            }
        }
    }

    /// Returns the heap after the greatest one listed.
    ///
    /// From there on all heaps are live, or none is, or liveness repeats.
    #[must_use]
    pub fn settled_from(&self) -> u32 {
        match self {
            Self::AllBut(listed) | Self::Only(listed) => {
                listed.last().map_or(1, |&last| last.saturating_add(1))
            }
            Self::Repeating { from, .. } => *from,
        }
    }
}

/// The correspondence between the live heaps of two codes of the same game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Renumbering {
    from: LiveHeaps,
    to: LiveHeaps,
}

impl Renumbering {
    /// Returns the correspondence from the heaps of one code to those of another.
    ///
    /// Returns `None` if their signatures do not show them to be the same game.
    ///
    /// ```
    /// use misere_game::ruleset::Renumbering;
    /// let renumbering = Renumbering::between(&"0.4".parse()?, &"0.07".parse()?);
    /// let renumbering = renumbering.ok_or("they are the same game")?;
    /// assert_eq!(renumbering.heap(4), Some(3));
    /// assert_eq!(renumbering.shift(), Some(-1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn between(from: &Code, to: &Code) -> Option<Self> {
        let same = from == to || from.signature() == to.signature();
        same.then(|| Self::by_rank(from, to))
    }

    /// Returns the correspondence between the live heaps of equal rank of any two codes.
    ///
    /// The caller must know that the codes are the same game, or prove it
    /// (`misere_check::same_game`).
    ///
    /// ```
    /// use misere_game::ruleset::Renumbering;
    /// // The only live heap of 0.1 is heap 1, and the least live heap of 0.02 is heap 3.
    /// let renumbering = Renumbering::by_rank(&"0.1".parse()?, &"0.02".parse()?);
    /// assert_eq!(renumbering.heap(1), Some(3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn by_rank(from: &Code, to: &Code) -> Self {
        Self {
            from: LiveHeaps::of(from),
            to: LiveHeaps::of(to),
        }
    }

    /// Returns the inverse correspondence.
    ///
    /// ```
    /// use misere_game::ruleset::Renumbering;
    /// let there = Renumbering::between(&"0.4".parse()?, &"0.07".parse()?);
    /// let there = there.ok_or("they are the same game")?;
    /// assert_eq!((there.heap(9), there.inverse().heap(8)), (Some(8), Some(9)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn inverse(&self) -> Self {
        Self {
            from: self.to.clone(),
            to: self.from.clone(),
        }
    }

    /// Returns the composition with `next`, which leads to a third code of the same game.
    #[must_use]
    pub fn then(&self, next: &Self) -> Self {
        Self {
            from: self.from.clone(),
            to: next.to.clone(),
        }
    }

    /// Returns the live heaps of the code whose heaps are renumbered.
    #[must_use]
    pub fn from(&self) -> &LiveHeaps {
        &self.from
    }

    /// Returns the live heaps of the code that gives the new numbers.
    #[must_use]
    pub fn to(&self) -> &LiveHeaps {
        &self.to
    }

    /// Returns the counterpart of a live heap in the other code; `None` for a dead heap.
    ///
    /// ```
    /// use misere_game::ruleset::Renumbering;
    /// // Heap 1 of 0.4 is dead; the others are one smaller in 0.07.
    /// let renumbering = Renumbering::between(&"0.4".parse()?, &"0.07".parse()?);
    /// let renumbering = renumbering.ok_or("they are the same game")?;
    /// assert_eq!((renumbering.heap(1), renumbering.heap(3)), (None, Some(2)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn heap(&self, heap: u32) -> Option<u32> {
        let live = self.from.contains(heap);
        live.then(|| self.to.of_rank(self.from.to(heap)))?
    }

    /// Returns the greatest heap of the other code up to which everything is known.
    ///
    /// Everything is known up to `heap` in this code. Returns `None` if every heap of the other
    /// code is known.
    ///
    /// ```
    /// use misere_game::ruleset::Renumbering;
    /// let renumbering = Renumbering::between(&"0.4".parse()?, &"0.07".parse()?);
    /// let renumbering = renumbering.ok_or("they are the same game")?;
    /// assert_eq!(renumbering.reach(100), Some(99));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn reach(&self, heap: u32) -> Option<u32> {
        let next = self.to.of_rank(self.from.to(heap).saturating_add(1))?;
        Some(next - 1)
    }

    /// Returns the number by which all large heaps change.
    ///
    /// Returns `None` if only finitely many heaps are live.
    #[must_use]
    pub fn shift(&self) -> Option<i32> {
        match (&self.from, &self.to) {
            (LiveHeaps::AllBut(from), LiveHeaps::AllBut(to)) => {
                Some(to.len() as i32 - from.len() as i32)
            }
            _ => None,
        }
    }

    /// Returns the least heap of this code from which on heaps, live or dead, change by the shift.
    ///
    /// If only finitely many heaps are live, no heap of either code is live from here on.
    #[must_use]
    pub fn uniform_from(&self) -> u32 {
        let shift = self.shift().unwrap_or(0);
        let other = self.to.settled_from().saturating_add_signed(-shift);
        self.from.settled_from().max(other).max(1)
    }

    /// Returns a heap of the other code from which on only the shift relates the two codes' heaps.
    ///
    /// From it on heaps correspond to heaps from `heap` on.
    #[must_use]
    pub fn settled(&self, heap: u32) -> u32 {
        let heap = heap.max(self.uniform_from());
        match self.shift() {
            Some(shift) => heap.saturating_add_signed(shift),
            None => self.to.settled_from(),
        }
    }

    /// Reports whether every heap keeps its number.
    #[must_use]
    pub fn is_identity(&self) -> bool {
        self.from == self.to
    }

    /// Returns the shift, if every live heap changes by it; `None` otherwise.
    #[must_use]
    pub fn uniform_shift(&self) -> Option<i32> {
        let first = i64::from(self.to.of_rank(1)?) - i64::from(self.from.of_rank(1)?);
        let last = match (&self.from, &self.to) {
            (LiveHeaps::Only(from), _) => from.len() as u32,
            _ => self.from.to(self.uniform_from()),
        };
        let mut ranks = 1..=last;
        let uniform = ranks.all(
            |rank| match (self.from.of_rank(rank), self.to.of_rank(rank)) {
                (Some(from), Some(to)) => i64::from(to) - i64::from(from) == first,
                _ => false,
            },
        );
        uniform.then_some(i32::try_from(first).ok()?)
    }

    /// Returns the mark that follows a code in lists.
    ///
    /// It is `+1` if every live heap is one larger, empty if every heap keeps its number,
    /// `renumbered` if heaps change by different numbers.
    ///
    /// ```
    /// use misere_game::ruleset::Renumbering;
    /// let renumbering = Renumbering::between(&"0.07".parse()?, &"0.4".parse()?);
    /// let renumbering = renumbering.ok_or("they are the same game")?;
    /// assert_eq!(renumbering.mark().as_deref(), Some("+1"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn mark(&self) -> Option<String> {
        match self.uniform_shift() {
            Some(0) => None,
            Some(shift) => Some(format!("{shift:+}")),
            None => Some("renumbered".to_owned()),
        }
    }

    /// Returns the sentence that tells people how heaps change from one code to the other.
    ///
    /// ```
    /// use misere_game::ruleset::{Code, Renumbering};
    /// let (from, to): (Code, Code) = ("0.4".parse()?, "0.07".parse()?);
    /// let renumbering = Renumbering::between(&from, &to).ok_or("they are the same game")?;
    /// assert_eq!(renumbering.sentence(&from, &to), "0.07 is 0.4 with every heap one smaller");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn sentence(&self, from: &Code, to: &Code) -> String {
        match self.uniform_shift() {
            Some(0) => format!("{to} is {from}, heap for heap"),
            Some(shift) => format!("{to} is {from} with every heap {}", moved(shift)),
            None => {
                let small: Vec<String> = (1..self.uniform_from())
                    .filter_map(|heap| Some(format!("{heap} → {}", self.heap(heap)?)))
                    .collect();
                let rest = self.shift().map_or_else(String::new, |shift| {
                    format!(", then every heap {}", moved(shift))
                });
                format!(
                    "{to} is {from} with heaps renumbered: {}{rest}",
                    small.join(", ")
                )
            }
        }
    }
}

/// Returns a text that says how much larger or smaller heaps get.
fn moved(shift: i32) -> String {
    let by = match shift.unsigned_abs() {
        1 => "one".to_owned(),
        2 => "two".to_owned(),
        3 => "three".to_owned(),
        more => more.to_string(),
    };
    match shift.signum() {
        0 => "as it is".to_owned(),
        1 => format!("{by} larger"),
        _ => format!("{by} smaller"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn code(text: &str) -> Code {
        text.parse().unwrap()
    }

    fn between(from: &str, to: &str) -> Renumbering {
        Renumbering::between(&code(from), &code(to)).unwrap()
    }

    #[test]
    fn live_heaps_are_those_that_have_a_move() {
        for n in 0..4096_u32 {
            let digits = [n >> 6 & 7, n >> 3 & 7, n & 7].map(|digit| digit as u8);
            let d0 = [0, 4, 8, 12][(n >> 9 & 3) as usize];
            let code = Code::new(d0, &digits).unwrap();
            let live = LiveHeaps::of(&code);
            let mut rank = 0;
            for heap in 0..=12 {
                assert_eq!(live.contains(heap), code.is_live(heap), "{code} {heap}");
                rank += u32::from(code.is_live(heap));
                assert_eq!(live.to(heap), rank, "{code} {heap}");
                if code.is_live(heap) {
                    assert_eq!(live.of_rank(rank), Some(heap), "{code}");
                }
            }
        }
        assert_eq!(
            LiveHeaps::of(&Code::grundy()),
            LiveHeaps::AllBut(vec![1, 2])
        );
        assert_eq!(
            LiveHeaps::of(&code("*4")),
            LiveHeaps::Only(vec![1, 2, 3, 4])
        );
    }

    /// The definition: the options of corresponding heaps correspond, with dead heaps removed.
    #[test]
    fn options_of_corresponding_heaps_correspond() {
        let mut games: BTreeMap<_, Vec<Code>> = BTreeMap::new();
        for n in 1..512_u32 {
            let digits = [n >> 6 & 7, n >> 3 & 7, n & 7].map(|digit| digit as u8);
            for d0 in [0, 4] {
                let code = Code::new(d0, &digits[usize::from(d0 > 0)..]).unwrap();
                games.entry(code.signature()).or_default().push(code);
            }
        }
        let mut compared = 0;
        for codes in games.values() {
            for to in &codes[1..] {
                let from = &codes[0];
                let renumbering = Renumbering::between(from, to).unwrap();
                for heap in 1..40 {
                    let Some(other) = renumbering.heap(heap) else {
                        assert!(!from.is_live(heap));
                        continue;
                    };
                    assert_eq!(renumbering.inverse().heap(other), Some(heap));
                    let mut options: Vec<Vec<u32>> = from
                        .options(heap)
                        .into_iter()
                        .map(|option| {
                            let parts = option.parts();
                            parts.filter_map(|part| renumbering.heap(part)).collect()
                        })
                        .collect();
                    let mut others: Vec<Vec<u32>> = to
                        .options(other)
                        .into_iter()
                        .map(|option| option.parts().filter(|&part| to.is_live(part)).collect())
                        .collect();
                    for options in [&mut options, &mut others] {
                        options.sort_unstable();
                        options.dedup();
                    }
                    assert_eq!(options, others, "{from} {heap} = {to} {other}");
                    compared += 1;
                }
            }
        }
        assert!(compared > 5_000, "{compared}");
    }

    #[test]
    fn known_renumberings() {
        let dawson = between("0.4", "0.07");
        assert_eq!(
            (dawson.shift(), dawson.uniform_shift()),
            (Some(-1), Some(-1))
        );
        assert_eq!(dawson.reach(34), Some(33));
        assert_eq!(dawson.heap(1), None);
        let parts = between("0.041", "0.043");
        assert_eq!((parts.shift(), parts.uniform_shift()), (Some(0), Some(0)));
        assert!(parts.is_identity());
        let only = between("0.1", "0.001");
        assert_eq!((only.shift(), only.uniform_shift()), (None, Some(2)));
        assert_eq!(
            (only.heap(1), only.reach(0), only.reach(1)),
            (Some(3), Some(2), None)
        );
        assert!(Renumbering::between(&code("0.7"), &code("0.77")).is_none());
    }

    #[test]
    fn large_heaps_change_by_the_shift() {
        let mut games: BTreeMap<_, Vec<Code>> = BTreeMap::new();
        for n in 1..4096_u32 {
            let digits = [n >> 9, n >> 6 & 7, n >> 3 & 7, n & 7].map(|digit| digit as u8);
            let code = Code::new(0, &digits).unwrap();
            games.entry(code.signature()).or_default().push(code);
        }
        let mut shifted = 0;
        for codes in games.values() {
            for to in &codes[1..] {
                let renumbering = Renumbering::between(&codes[0], to).unwrap();
                let Some(shift) = renumbering.shift() else {
                    continue;
                };
                let from = renumbering.uniform_from();
                for heap in from..from + 9 {
                    let moved = heap.saturating_add_signed(shift);
                    assert_eq!(renumbering.heap(heap), Some(moved), "{} {to}", codes[0]);
                    assert_eq!(renumbering.settled(heap), moved);
                }
                shifted += usize::from(shift != 0);
            }
        }
        assert!(shifted > 100, "{shifted}");
    }

    /// Two live heaps and no others: 1 and 2 in `0.11`, 1 and 3 in `0.101`.
    #[test]
    fn a_renumbering_can_move_heaps_by_different_numbers() {
        let uneven = between("0.11", "0.101");
        assert_eq!((uneven.heap(1), uneven.heap(2)), (Some(1), Some(3)));
        assert_eq!((uneven.shift(), uneven.uniform_shift()), (None, None));
        let sentence = uneven.sentence(&code("0.11"), &code("0.101"));
        assert_eq!(
            sentence,
            "0.101 is 0.11 with heaps renumbered: 1 → 1, 2 → 3"
        );
        assert_eq!(uneven.mark().unwrap(), "renumbered");
    }
}
