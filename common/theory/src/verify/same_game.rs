//! The check that two codes are the same game, heap by heap.
//!
//! Dawson's Kayles `0.07` is `0.4` with every heap one smaller. A census solves one of the two
//! codes and files the result under both. So whoever files a certificate under another code has to
//! prove that the code is the same game. The engine tells it by hashes of descriptions
//! ([`Code::signature`]); this module compares the options themselves, which it reads off the
//! digits. The theorem with its proof stands in the book (docs/mathematics.md, "Several codes of
//! one game").

use std::collections::BTreeSet;

use crate::ruleset::{Code, Renumbering};

/// The options of a heap, without their dead heaps, by ranks. Nearly all options have at most two
/// live heaps, and a bit for each such pair is compared much faster than a list.
#[derive(Debug, PartialEq, Eq)]
struct Options {
    /// A number greater than all ranks.
    above: usize,
    /// A bit for each option of at most two live heaps: that of ranks `a ≥ b`, which are 0 where
    /// there is no heap, is `above · b + a`. The last word has a bit.
    few: Vec<u64>,
    /// The ranks of the other options, greatest first.
    many: BTreeSet<Vec<u32>>,
}

/// The first reason why two codes are not shown to be the same game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Difference {
    /// A code is no take-and-break code, and the codes are not equal.
    #[error("only take-and-break codes are compared with others")]
    NotCompared,
    /// A live heap of this rank exists in one of the codes only (hypothesis R1).
    #[error("only one of them has {rank} heaps with moves")]
    LiveHeaps {
        /// The rank.
        rank: u32,
    },
    /// An option of the one heap corresponds to no option of the other (hypothesis R2).
    #[error("heap {heap} of the one and heap {other} of the other have different options")]
    Options {
        /// The heap of the first code.
        heap: u32,
        /// The heap of the second code with the same rank.
        other: u32,
    },
    /// The renumbering takes a heap to another heap than the one of equal rank (hypothesis R3).
    #[error("the renumbering takes heap {heap} to another heap than the one of equal rank")]
    Renumbering {
        /// The heap of the first code.
        heap: u32,
    },
}

/// Proves that two codes are the same game, and that a renumbering leads from the heaps of the
/// first to those of the second.
///
/// With at most `d` digits and moves that leave at most `m` heaps, the options of the first
/// `B = d + m(3d + 8)` live heaps of both codes are compared; by the theorem all others agree then.
///
/// ```
/// use misere_theory::ruleset::{Code, Renumbering};
/// use misere_theory::verify::same_game;
/// let (one, other): (Code, Code) = ("0.4".parse()?, "0.07".parse()?);
/// let renumbering = Renumbering::between(&one, &other).ok_or("they are the same game")?;
/// assert_eq!(same_game::check(&one, &other, &renumbering), Ok(()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Cost: at most `B` heaps with `(d + 1) B^(m−1)` options each.
///
/// # Errors
/// The first [`Difference`].
pub fn check(one: &Code, other: &Code, renumbering: &Renumbering) -> Result<(), Difference> {
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
    let (one, other) = (Heaps::to(one, largest), Heaps::to(other, largest));
    for rank in 1..=bound {
        match (one.of_rank(rank), other.of_rank(rank)) {
            (None, None) => break,
            (Some(heap), Some(counterpart)) => {
                if one.options(heap) != other.options(counterpart) {
                    let other = counterpart;
                    return Err(Difference::Options { heap, other });
                }
            }
            _ => return Err(Difference::LiveHeaps { rank }),
        }
    }
    let last = (parts > 0).then_some(bound);
    follows_the_ranks(&one, &other, renumbering, last)
}

/// Whether a renumbering takes each heap to the heap of equal rank. `last` is the last rank
/// compared, if there are greater ones.
fn follows_the_ranks(
    one: &Heaps<'_>,
    other: &Heaps<'_>,
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
    // From the last heap compared on both codes number their heaps without gaps.
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

/// The heaps of a code up to some size, with their ranks among the live ones.
struct Heaps<'a> {
    code: &'a Code,
    /// For each heap from 0 on its rank, if it is live.
    ranks: Vec<Option<u32>>,
    /// The live heaps, ascending.
    live: Vec<u32>,
}

impl<'a> Heaps<'a> {
    fn to(code: &'a Code, largest: u32) -> Self {
        let live: Vec<u32> = (1..=largest).filter(|&heap| has_move(code, heap)).collect();
        let mut ranks = vec![None; largest as usize + 1];
        for (rank, &heap) in (1..).zip(&live) {
            if let Some(place) = ranks.get_mut(heap as usize) {
                *place = Some(rank);
            }
        }
        Self { code, ranks, live }
    }

    fn largest(&self) -> u32 {
        self.ranks.len() as u32 - 1
    }

    fn rank(&self, heap: u32) -> Option<u32> {
        *self.ranks.get(heap as usize)?
    }

    fn of_rank(&self, rank: u32) -> Option<u32> {
        self.live.get(rank as usize - 1).copied()
    }

    /// The options of a heap, without their dead heaps, by ranks.
    fn options(&self, heap: u32) -> Options {
        let mut options = Options::of_ranks_before(self.ranks.len());
        let rank = |part: u32| self.rank(part).unwrap_or(0);
        for (rest, parts) in moves(self.code, heap) {
            match parts {
                0 => options.add_few(0, 0),
                1 => options.add_few(rank(rest), 0),
                2 => (1..=rest / 2).for_each(|less| options.add_few(rank(rest - less), rank(less))),
                _ => for_each_partition(rest, parts, rest, &mut Vec::new(), &mut |partition| {
                    options.add(
                        partition
                            .iter()
                            .filter_map(|&part| self.rank(part))
                            .collect(),
                    );
                }),
            }
        }
        options
    }
}

impl Options {
    fn of_ranks_before(above: usize) -> Self {
        Self {
            above,
            few: Vec::new(),
            many: BTreeSet::new(),
        }
    }

    /// Adds the option with these ranks of live heaps, greatest first.
    fn add(&mut self, ranks: Vec<u32>) {
        match ranks[..] {
            [] => self.add_few(0, 0),
            [one] => self.add_few(one, 0),
            [one, other] => self.add_few(one, other),
            _ => {
                self.many.insert(ranks);
            }
        }
    }

    /// Adds the option with these ranks of live heaps, of which 0 stands for none.
    fn add_few(&mut self, one: u32, other: u32) {
        let (most, least) = (one.max(other) as usize, one.min(other) as usize);
        let at = self.above * least + most;
        let (word, bit) = (at / 64, at % 64);
        if word >= self.few.len() {
            self.few.resize(word + 1, 0);
        }
        self.few[word] |= 1 << bit;
    }
}

/// The moves in a heap, read off the digits: the beans that stay, and the number of heaps they
/// make.
fn moves(code: &Code, heap: u32) -> impl Iterator<Item = (u32, u32)> {
    (0..=code.length() as u32).flat_map(move |taken| {
        let digit = code.digit(taken as usize);
        let rest = heap.checked_sub(taken);
        let most = u8::BITS - digit.leading_zeros();
        let parts = (0..most).filter(move |&parts| digit >> parts & 1 != 0);
        let possible = move |rest: u32, parts: u32| match parts {
            0 => rest == 0 && taken > 0,
            1 => rest > 0 && taken > 0,
            _ => rest >= parts,
        };
        parts.filter_map(move |parts| {
            rest.filter(|&rest| possible(rest, parts))
                .map(|rest| (rest, parts))
        })
    })
}

fn has_move(code: &Code, heap: u32) -> bool {
    moves(code, heap).next().is_some()
}

/// Calls `found` with every way to make `parts` heaps of at most `most` beans each from `beans`
/// beans.
fn for_each_partition(
    beans: u32,
    parts: u32,
    most: u32,
    chosen: &mut Vec<u32>,
    found: &mut impl FnMut(&[u32]),
) {
    if parts == 0 {
        if beans == 0 {
            found(chosen);
        }
        return;
    }
    // The greatest part has its share at least, and leaves a bean for each of the others.
    let least = beans.div_ceil(parts).max(1);
    let greatest = most.min(beans.saturating_sub(parts - 1));
    for part in least..=greatest {
        chosen.push(part);
        for_each_partition(beans - part, parts - 1, part, chosen, found);
        chosen.pop();
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
    fn whatever_the_signatures_merge_is_the_same_game() {
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

    /// Codes of another game are told apart, whatever renumbering comes with them.
    #[test]
    fn other_games_are_told_apart() {
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

    /// R2: nim-values do not tell `0.72` from `0.724`, but options do.
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
    fn what_is_no_take_and_break_code_equals_itself_alone() {
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

    /// R3: behind twenty live heaps nothing is renumbered, not even a heap further on than all
    /// that are compared.
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
        // Of a game with infinitely many live heaps twelve are compared: d = 1 and m = 1.
        let found = check(&code("0.3"), &code("0.3"), &theirs);
        assert_eq!(found, Err(Difference::Renumbering { heap: 12 }));
    }
}
