//! The check that two codes are the same game, heap by heap.
//!
//! Dawson's Kayles `0.07` is `0.4` with every heap one smaller. A census solves one of the two
//! codes and files the result under both. So filing a certificate under another code requires a
//! proof that the code is the same game. The engine recognizes it by hashes of descriptions
//! ([`Code::signature`]); this module compares the options themselves, which it reads from the
//! digits. The theorem and its proof are in the book (docs/mathematics.md, "Several codes of one
//! game").

mod companions;
mod heaps;
mod options;

use misere_game::ruleset::{Code, Renumbering};

use self::companions::{Companions, Comparison};
use self::heaps::Heaps;
use self::options::options;

/// The first reason why two codes are not shown to be the same game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Difference {
    /// One of the codes is not a take-and-break code, and the codes are not equal.
    #[error("only take-and-break codes are compared with others")]
    NotCompared,
    /// A live heap of this rank exists in one of the codes only (hypothesis R1).
    #[error("only one of them has {rank} heaps with moves")]
    LiveHeaps {
        /// The rank.
        rank: u32,
    },
    /// An option of the one heap does not correspond to an option of the other (hypothesis R2).
    #[error("heap {heap} of the one and heap {other} of the other have different options")]
    Options {
        /// The heap of the first code.
        heap: u32,
        /// The heap of the second code with the same rank.
        other: u32,
    },
    /// The renumbering takes a heap to a heap of another rank (hypothesis R3).
    #[error("the renumbering takes heap {heap} to another heap than the one of equal rank")]
    Renumbering {
        /// The heap of the first code.
        heap: u32,
    },
}

/// Proves that two codes are the same game, with the heaps renumbered as claimed.
///
/// The renumbering leads from the heaps of the first to those of the second.
///
/// With at most `d` digits and moves that leave at most `m` heaps, the options of the first
/// `B = d + m(3d + 8)` live heaps of both codes are compared; by the theorem all others then agree.
///
/// ```
/// use misere_game::ruleset::{Code, Renumbering};
/// use misere_check::same_game;
/// let (one, other): (Code, Code) = ("0.4".parse()?, "0.07".parse()?);
/// let renumbering = Renumbering::between(&one, &other).ok_or("they are the same game")?;
/// assert_eq!(same_game::check(&one, &other, &renumbering), Ok(()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Cost: at most `B` heaps. If `m` is at most 2, for each of them a number for each of the first
/// heaps to the last dead one, and at most `B` rows of `B / 64` words in all; else
/// `(d + 1) B^(m−1)` options.
///
/// # Errors
/// The first [`Difference`].
pub fn check(one: &Code, other: &Code, renumbering: &Renumbering) -> Result<(), Difference> {
    Original::new(one).check(other, renumbering)
}

/// A code that is compared with several others in turn.
#[derive(Debug)]
pub struct Original<'a> {
    code: &'a Code,
    /// The heaps that were compared last: codes with as many digits need the same heaps.
    seen: Option<ComparedHeaps>,
}

impl<'a> Original<'a> {
    /// Returns a code before any comparison.
    #[must_use]
    pub fn new(code: &'a Code) -> Self {
        Self { code, seen: None }
    }

    /// Proves that another code is the same game, as [`check`] does.
    ///
    /// ```
    /// use misere_game::ruleset::{Code, Renumbering};
    /// use misere_check::same_game::Original;
    /// let code: Code = "0.77".parse()?;
    /// let mut kayles = Original::new(&code);
    /// for other in ["4.4", "4.6"] {
    ///     let other = other.parse()?;
    ///     let renumbering = Renumbering::by_rank(&code, &other);
    ///     assert_eq!(kayles.check(&other, &renumbering), Ok(()));
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The first [`Difference`].
    pub fn check(&mut self, other: &Code, renumbering: &Renumbering) -> Result<(), Difference> {
        let one = self.code;
        if !(one.is_take_and_break() && other.is_take_and_break()) {
            return match one == other {
                true => Ok(()),
                false => Err(Difference::NotCompared),
            };
        }
        let digits = one.length().max(other.length()) as u32;
        let parts = one.max_parts().max(other.max_parts());
        let bound = digits + parts * (3 * digits + 8);
        // Every heap of more than `digits + 2` beans is live, if infinitely many are.
        let largest = bound + digits + 2;
        let is_enough = |seen: &ComparedHeaps| seen.heaps.largest() == largest;
        let seen = self.seen.take().filter(is_enough);
        let ours = self
            .seen
            .insert(seen.unwrap_or_else(|| ComparedHeaps::to(one, largest)));
        let theirs = ComparedHeaps::to(other, largest);
        same_options(ours, &theirs, parts, bound)?;
        let last = (parts > 0).then_some(bound);
        follows_the_ranks(&ours.heaps, &theirs.heaps, renumbering, last)
    }
}

/// The heaps of a code as far as they are compared.
#[derive(Debug)]
struct ComparedHeaps {
    heaps: Heaps,
    companions: Companions,
}

impl ComparedHeaps {
    fn to(code: &Code, largest: u32) -> Self {
        let heaps = Heaps::to(code, largest);
        let companions = Companions::of(&heaps);
        Self { heaps, companions }
    }

    fn pair(&self) -> (&Heaps, &Companions) {
        (&self.heaps, &self.companions)
    }
}

/// Compares the options of the live heaps of the ranks 1 to `bound` of two codes.
///
/// The moves of both codes leave at most `parts` heaps.
fn same_options(
    ours: &ComparedHeaps,
    theirs: &ComparedHeaps,
    parts: u32,
    bound: u32,
) -> Result<(), Difference> {
    let mut pairs = (parts <= 2).then(|| Comparison::new(ours.pair(), theirs.pair()));
    for rank in 1..=bound {
        match (ours.heaps.of_rank(rank), theirs.heaps.of_rank(rank)) {
            (None, None) => break,
            (Some(heap), Some(counterpart)) => {
                let same = match &mut pairs {
                    Some(pairs) => pairs.same_options(rank),
                    None => options(&ours.heaps, heap) == options(&theirs.heaps, counterpart),
                };
                if !same {
                    let other = counterpart;
                    return Err(Difference::Options { heap, other });
                }
            }
            _ => return Err(Difference::LiveHeaps { rank }),
        }
    }
    Ok(())
}

/// Reports whether a renumbering takes each heap to the heap of equal rank.
///
/// `last` is the last rank compared, if there are greater ones.
fn follows_the_ranks(
    one: &Heaps,
    other: &Heaps,
    renumbering: &Renumbering,
    last: Option<u32>,
) -> Result<(), Difference> {
    let last = last.and_then(|rank| one.of_rank(rank));
    let known = last.unwrap_or(one.largest());
    for heap in 1..=known {
        let counterpart = one.rank(heap).and_then(|rank| other.of_rank(rank));
        if renumbering.heap(heap) != counterpart {
            return Err(Difference::Renumbering { heap });
        }
    }
    // From the last heap compared onward both codes number their heaps without gaps.
    let shift = |heap: u32| {
        renumbering
            .heap(heap)
            .map(|to| i64::from(to) - i64::from(heap))
    };
    let goes_on = match last {
        Some(last) => {
            renumbering.uniform_from() <= last && renumbering.shift().map(i64::from) == shift(last)
        }
        None => renumbering.shift().is_none() && renumbering.from().settled_from() <= known + 1,
    };
    match goes_on {
        true => Ok(()),
        false => Err(Difference::Renumbering { heap: known }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn code(text: &str) -> Code {
        text.parse().unwrap()
    }

    fn codes() -> Vec<Code> {
        let digits = (0..512_u32).map(|n| [n >> 6 & 7, n >> 3 & 7, n & 7].map(|digit| digit as u8));
        digits
            .flat_map(|digits| [Code::new(0, &digits), Code::new(4, &digits[1..])])
            .map(|code| code.unwrap())
            .collect()
    }

    #[test]
    fn codes_with_equal_signatures_are_the_same_game() {
        let mut games: BTreeMap<_, Vec<Code>> = BTreeMap::new();
        for code in codes() {
            games.entry(code.signature()).or_default().push(code);
        }
        for text in ["0.8", "0.88", "8.", "0.08", "8.8", "0.0808", "0.F", "0.0F"] {
            if let Ok(code) = text.parse::<Code>() {
                games.entry(code.signature()).or_default().push(code);
            }
        }
        let mut merged = 0;
        for codes in games.values() {
            for other in codes {
                let renumbering = Renumbering::between(&codes[0], other).unwrap();
                assert_eq!(check(&codes[0], other, &renumbering), Ok(()), "{other}");
                merged += usize::from(*other != codes[0]);
            }
        }
        assert!(merged > 200, "{merged}");
    }

    /// The rows of companions agree with the lists of options for any two heaps.
    #[test]
    fn companions_agree_with_lists() {
        let all: Vec<Code> = codes().into_iter().step_by(5).collect();
        let (mut alike, mut different) = (0, 0);
        for one in &all {
            for other in &all {
                let heaps = [one, other].map(|code| Heaps::to(code, 12));
                let companions = [&heaps[0], &heaps[1]].map(Companions::of);
                let mut pairs =
                    Comparison::new((&heaps[0], &companions[0]), (&heaps[1], &companions[1]));
                for rank in 1..=12 {
                    let [Some(heap), Some(there)] = [0, 1].map(|of: usize| heaps[of].of_rank(rank))
                    else {
                        break;
                    };
                    let same = options(&heaps[0], heap) == options(&heaps[1], there);
                    let found = pairs.same_options(rank);
                    assert_eq!(found, same, "heap {heap} of {one}, heap {there} of {other}");
                    *if same { &mut alike } else { &mut different } += 1;
                }
            }
        }
        assert!(alike > 10_000 && different > 10_000, "{alike} {different}");
    }

    /// From this rank on the live heaps have no gaps, and right before it there is one.
    #[test]
    fn the_last_gap_is_found() {
        let mut gaps = 0;
        for code in codes() {
            let heaps = Heaps::to(&code, 20);
            let from = heaps.gapless_from();
            let is_next = |rank: u32| {
                let pair = heaps.of_rank(rank).zip(heaps.of_rank(rank + 1));
                pair.is_none_or(|(heap, next)| next == heap + 1)
            };
            assert!((from..20).all(is_next), "{code}");
            assert!(from == 1 || !is_next(from - 1), "{code}");
            gaps += u32::from(from > 1);
        }
        assert!(gaps > 50, "{gaps}");
    }

    /// Codes of another game are distinguished, with any renumbering.
    #[test]
    fn other_games_are_distinguished() {
        let all = codes();
        let mut refused = 0;
        for pair in all.windows(2) {
            let [one, other] = pair else { continue };
            if one.signature() == other.signature() {
                continue;
            }
            let itself = Renumbering::between(one, one).unwrap();
            assert!(check(one, other, &itself).is_err(), "{one} {other}");
            refused += 1;
        }
        assert!(refused > 500, "{refused}");
    }

    /// R1: the numbers of live heaps differ.
    #[test]
    fn live_heaps_are_counted() {
        let (one, other) = (code("0.1"), code("0.11"));
        let itself = Renumbering::between(&one, &one).unwrap();
        let flaw = Difference::LiveHeaps { rank: 2 };
        assert_eq!(check(&one, &other, &itself), Err(flaw));
    }

    /// R2: nim-values do not distinguish `0.72` from `0.724`, but options do.
    #[test]
    fn options_are_compared() {
        let (one, other) = (code("0.72"), code("0.724"));
        let itself = Renumbering::between(&one, &one).unwrap();
        let found = check(&one, &other, &itself);
        assert!(
            matches!(found, Err(Difference::Options { .. })),
            "{found:?}"
        );
    }

    /// R3: the same game, with the heaps of another renumbering.
    #[test]
    fn the_renumbering_follows_the_ranks() {
        let (one, other) = (code("0.4"), code("0.07"));
        let itself = Renumbering::between(&one, &one).unwrap();
        let found = check(&one, &other, &itself);
        assert_eq!(found, Err(Difference::Renumbering { heap: 3 }));
    }

    #[test]
    fn a_code_that_is_not_take_and_break_equals_only_itself() {
        let (grundy, nim) = (Code::grundy(), code("*4"));
        let itself = Renumbering::between(&grundy, &grundy).unwrap();
        assert_eq!(check(&grundy, &grundy, &itself), Ok(()));
        let found = check(&grundy, &nim, &itself);
        assert_eq!(found, Err(Difference::NotCompared));
        let octal = code("0.3");
        for (one, other) in [(&grundy, &octal), (&octal, &grundy)] {
            let found = check(one, other, &itself);
            assert_eq!(found, Err(Difference::NotCompared));
        }
    }

    /// R3: beyond twenty live heaps nothing is renumbered, not even a heap beyond all that are
    /// compared.
    #[test]
    fn dead_heaps_are_not_renumbered() {
        let ones = "1".repeat(20);
        let further = |dead: usize| code(&format!("0.{ones}{}1", "0".repeat(dead)));
        let theirs = Renumbering::between(&further(40), &further(41)).unwrap();
        let twenty = code(&format!("0.{ones}"));
        let itself = Renumbering::between(&twenty, &twenty).unwrap();
        assert_eq!(check(&twenty, &twenty, &itself), Ok(()));
        let found = check(&twenty, &twenty, &theirs);
        assert_eq!(found, Err(Difference::Renumbering { heap: 42 }));
        // Twelve heaps of a game with infinitely many live heaps are compared: d = 1 and m = 1.
        let found = check(&code("0.3"), &code("0.3"), &theirs);
        assert_eq!(found, Err(Difference::Renumbering { heap: 12 }));
    }
}
