//! The options of a heap.

use super::Code;
use super::code::Rules;
use super::grundys_game;
pub use super::heap_option::{HeapOption, MAX_PARTS};

impl Code {
    /// Returns the distinct options of a heap of `heap` beans, in ascending order.
    ///
    /// Cost: the number of options, at most `(d+1) · heap/2` for octal codes with `d` digits and
    /// `(d+1) · heap²/12` for hexadecimal ones, times a logarithm.
    ///
    /// ```
    /// use misere_game::ruleset::{Code, HeapOption};
    /// // Dawson's Kayles: two neighbouring beans are taken, and the rest may be split.
    /// let options = "0.07".parse::<Code>()?.options(4);
    /// assert_eq!(options, [HeapOption([1, 1, 0, 0]), HeapOption([2, 0, 0, 0])]);
    /// # Ok::<(), misere_game::ruleset::CodeError>(())
    /// ```
    #[must_use]
    pub fn options(&self, heap: u32) -> Vec<HeapOption> {
        let mut options = Vec::new();
        self.for_each_option(heap, |option| options.push(option));
        options.sort_unstable();
        options.dedup();
        options
    }

    /// Returns the options of a heap whose parts, except the largest, have at most `small` beans.
    ///
    /// They are few, while all options may be too many to examine. For a finite game or Grundy's
    /// game they are all options, or those with such parts. For a code without end they are those
    /// of moves that take or that leave few beans.
    ///
    /// Cost: as [`options`](Self::options) of a heap of twice (for hexadecimal codes three times)
    /// `small` beans.
    ///
    /// ```
    /// use misere_game::ruleset::{Code, HeapOption};
    /// let options = "0.07".parse::<Code>()?.options_with_small_parts(1_000, 1);
    /// assert_eq!(options, [HeapOption([997, 1, 0, 0]), HeapOption([998, 0, 0, 0])]);
    /// # Ok::<(), misere_game::ruleset::CodeError>(())
    /// ```
    #[must_use]
    pub fn options_with_small_parts(&self, heap: u32, small: u32) -> Vec<HeapOption> {
        let mut options = Vec::new();
        let mut visit = |option| options.push(option);
        match &self.0 {
            Rules::TakeAndBreak { .. } => self.for_each_digit_option(heap, small, visit),
            Rules::Grundy => grundys_game::splits(heap)
                .take(small as usize)
                .for_each(|(large, small)| visit(HeapOption([large, small, 0, 0]))),
            Rules::General(digits) => digits.for_each_small_option(heap, small, visit),
            Rules::Finite(_) | Rules::Listed(_) => self.for_each_option(heap, |option| {
                if option.parts().skip(1).all(|part| part <= small) {
                    visit(option);
                }
            }),
        }
        options.sort_unstable();
        options.dedup();
        options
    }

    /// Calls `visit` with every option of a heap, in any order and possibly more than once.
    ///
    /// Cost: as for [`options`](Self::options), but without a list.
    ///
    /// ```
    /// use misere_game::ruleset::Code;
    /// let mut count = 0;
    /// "0.77".parse::<Code>()?.for_each_option(4, |_| count += 1);
    /// assert_eq!(count, 4); // 3, 2 + 1, 2, 1 + 1
    /// # Ok::<(), misere_game::ruleset::CodeError>(())
    /// ```
    pub fn for_each_option(&self, heap: u32, mut visit: impl FnMut(HeapOption)) {
        match &self.0 {
            Rules::TakeAndBreak { .. } => self.for_each_digit_option(heap, u32::MAX, visit),
            Rules::Grundy => grundys_game::splits(heap)
                .for_each(|(large, small)| visit(HeapOption([large, small, 0, 0]))),
            Rules::Finite(game) => game
                .options(heap)
                .iter()
                .for_each(|&option| visit(HeapOption([option.into(), 0, 0, 0]))),
            Rules::General(digits) => digits.for_each_option(heap, &mut visit),
            Rules::Listed(list) => list.options(heap).iter().copied().for_each(visit),
        }
    }

    /// Calls `visit` with the options of a take-and-break code.
    ///
    /// Includes only options whose parts, except the largest, have at most `most` beans.
    fn for_each_digit_option(&self, heap: u32, limit: u32, mut visit: impl FnMut(HeapOption)) {
        for taken in 0..=self.length().min(heap as usize) {
            let digit = self.digit(taken);
            let rest = heap - taken as u32;
            if digit & 1 != 0 && rest == 0 && taken > 0 {
                visit(HeapOption([0; MAX_PARTS]));
            }
            if digit & 2 != 0 && rest >= 1 {
                visit(HeapOption([rest, 0, 0, 0]));
            }
            if digit & 4 != 0 {
                (1..=limit.min(rest / 2))
                    .for_each(|small| visit(HeapOption([rest - small, small, 0, 0])));
            }
            if digit & 8 != 0 {
                for small in 1..=limit.min(rest / 3) {
                    let rest = rest - small;
                    (small..=limit.min(rest / 2))
                        .for_each(|middle| visit(HeapOption([rest - middle, middle, small, 0])));
                }
            }
        }
    }

    /// Returns a bound on the number of options of a heap, to be paid for before listing them.
    #[must_use]
    pub fn most_options(&self, heap: u32) -> u64 {
        match &self.0 {
            Rules::Finite(game) => return game.options(heap).len() as u64,
            Rules::Listed(list) => return list.options(heap).len() as u64,
            Rules::General(digits) => return digits.most_options(heap),
            Rules::TakeAndBreak { .. } | Rules::Grundy => {}
        }
        let (heap, moves) = (u64::from(heap), self.length() as u64 + 1);
        let per_move = if self.max_parts() >= 3 {
            heap.saturating_mul(heap) / 12 + heap
        } else {
            heap / 2
        };
        moves.saturating_mul(per_move + 2)
    }

    /// Reports whether a heap of `heap` beans has any move.
    ///
    /// A heap without a move is *dead*: it is the empty position in all but name.
    ///
    /// ```
    /// use misere_game::ruleset::Code;
    /// // No move of Dawson's Kayles takes a single bean.
    /// let dawsons_kayles: Code = "0.07".parse()?;
    /// assert!(!dawsons_kayles.is_live(1) && dawsons_kayles.is_live(2));
    /// # Ok::<(), misere_game::ruleset::CodeError>(())
    /// ```
    #[must_use]
    pub fn is_live(&self, heap: u32) -> bool {
        match &self.0 {
            Rules::TakeAndBreak { .. } => {}
            Rules::Grundy => return heap >= 3,
            Rules::Finite(game) => return !game.options(heap).is_empty(),
            Rules::General(digits) => return digits.is_live(heap),
            Rules::Listed(list) => return !list.options(heap).is_empty(),
        }
        (0..=self.length().min(heap as usize)).any(|taken| {
            let (digit, rest) = (self.digit(taken), heap - taken as u32);
            (digit & 1 != 0 && rest == 0 && taken > 0)
                || (1..=3).any(|parts| digit >> parts & 1 != 0 && rest >= parts)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(code: &str, heap: u32) -> Vec<[u32; MAX_PARTS]> {
        code.parse::<Code>()
            .unwrap()
            .options(heap)
            .into_iter()
            .map(|o| o.0)
            .collect()
    }

    #[test]
    fn options_of_small_heaps() {
        // 0.123 (Plambeck 2005, section 4): three from any heap, two from a larger one, one as the
        // whole heap.
        assert_eq!(options("0.123", 1), [[0, 0, 0, 0]]);
        assert_eq!(options("0.123", 2), [[0_u32; MAX_PARTS]; 0]);
        assert_eq!(options("0.123", 3), [[0, 0, 0, 0], [1, 0, 0, 0]]);
        assert_eq!(options("0.123", 4), [[1, 0, 0, 0], [2, 0, 0, 0]]);
        assert_eq!(options("4.7", 1), [[0, 0, 0, 0]]);
        assert_eq!(
            options("4.7", 3),
            [[1, 1, 0, 0], [2, 0, 0, 0], [2, 1, 0, 0]]
        );
        assert_eq!(options("0.9", 4), [[1, 1, 1, 0]]);
        assert_eq!(
            options("0.9", 7),
            [[2, 2, 2, 0], [3, 2, 1, 0], [4, 1, 1, 0]]
        );
        assert_eq!(options("8", 3), [[1, 1, 1, 0]]);
    }

    #[test]
    fn options_with_small_parts_are_some_of_the_options() {
        for code in ["0.77", "0.123", "4.7", "0.9092", "grundy", "*3"] {
            let code: Code = code.parse().unwrap();
            for heap in 0..40 {
                for small in [0, 1, 3, 100] {
                    let is_small =
                        |option: &HeapOption| option.parts().skip(1).all(|part| part <= small);
                    let wanted: Vec<HeapOption> =
                        code.options(heap).into_iter().filter(is_small).collect();
                    let found = code.options_with_small_parts(heap, small);
                    assert_eq!(found, wanted, "{code} heap {heap} small {small}");
                }
            }
        }
        let vast: Code = "0.77".parse().unwrap();
        assert_eq!(vast.options_with_small_parts(u32::MAX, 10).len(), 22);
    }

    #[test]
    fn live_heaps_are_those_with_options() {
        for code in [
            "0",
            "0.1",
            "0.102",
            "0.007",
            "4",
            "8",
            "C.9092",
            "0.77",
            "0.0009",
            "0.123",
            "grundy",
            "{}",
            "{{*2},*3,0}",
        ] {
            let code: Code = code.parse().unwrap();
            for heap in 0..40 {
                let options = code.options(heap).len();
                assert_eq!(code.is_live(heap), options > 0, "{code} heap {heap}");
                assert!(
                    options as u64 <= code.most_options(heap),
                    "{code} heap {heap}"
                );
            }
        }
    }
}
