//! The recognition of codes that describe the same game.
//!
//! A heap without options is *dead*: removing it from a position, and from every option, changes
//! nothing. Strike out the dead heaps of a game and number the live ones 1, 2, 3, … in order of
//! size. Two codes whose live heaps then have exactly the same options are the same game, heap for
//! heap: `0.77` and `0.770`; `0.041` and `0.043` (leaving heap `n-3` is leaving `n-3` and a dead
//! heap of 1); Dawson's Kayles `0.07` and Dawson's Chess `0.137` (shifted by one). Nothing coarser
//! is merged: codes with equal nim-sequences can differ in misère play (0.72 and 0.724).
//!
//! # How the same game is recognised
//!
//! Let `d` bound the digits of both codes. If no move of a code leaves a heap, its live heaps are
//! at most `d`, and each has the empty position for its only option: how many there are says all.
//! Else a move (take `t`, leave `k ≥ 1` heaps) exists from every heap of at least `t + k` beans, so
//! only finitely many heaps are dead, say `K`, all of at most `d + 2` beans. Call a heap *small* if
//! its rank is at most `R ≥ d + 3`; all dead heaps lie below the large ones, so a large heap's rank
//! is its size less `K`.
//!
//! An option of the heap of rank `n` consists of dead heaps, small ones, whose ranks make a
//! multiset `μ`, and `j` large ones. If a move takes `t` and leaves `k` heaps, then `n` less the
//! sum of the ranks of the large ones is
//!
//! - `(j − 1)K + t +` the sizes of the dead and the small ones, if `j ≥ 1`: the *offset*. It does
//!   not depend on `n`, and every multiset of `j` large ranks with the right sum occurs. So the
//!   descriptions `(j, μ, offset)` of a code say which options of this kind any heap has; and any
//!   `n` that is large enough shows all of them.
//! - `n`, the rank of the heap of `t +` these sizes, if `j = 0`. Finitely many pairs `(n, μ)` say
//!   which options of this kind there are.
//!
//! Two codes are the same game iff they have the same descriptions and the same pairs: these make
//! the options, and are made from them. [`Signature`] hashes both, with one `R` for all codes of
//! similar length; codes whose lengths differ by more are told apart though they may be the same
//! game (`4` and `0.7`, `0.1` and `0.00001`).
//!
//! Of all this only take-and-break codes are the subject. Any other game is merged with none: a
//! finite game has one text.

use serde::{Deserialize, Serialize};

use super::Code;

/// The most heaps that a move of a take-and-break code leaves: its digits are 0 to F.
const MAX_PARTS: usize = 3;

/// A 256-bit digest of the live heaps' options; equal only for codes that are the same game, and
/// equal for all such codes of at most four digits (but none), of five to twelve, of thirteen to
/// twenty-eight, and so on.
///
/// ```
/// use misere_theory::ruleset::Code;
/// let signature = |code: &str| code.parse::<Code>().map(|code| code.signature());
/// assert_eq!(signature("0.07")?, signature("0.137")?);
/// assert_ne!(signature("0.72")?, signature("0.724")?);
/// # Ok::<(), misere_theory::ruleset::CodeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Signature(pub [u8; 32]);

impl Code {
    /// The signature by which codes that are the same game are merged. See the module's text for
    /// the proof.
    ///
    /// Cost: with `d` digits, `(d + 1) · (4d)²/2` descriptions, sorted; with hexadecimal digits
    /// `(d + 1) · (4d)³/6`.
    ///
    /// ```
    /// use misere_theory::ruleset::Code;
    /// // Heap n of 0.4 is heap n - 1 of 0.07, Dawson's Kayles.
    /// let (one, other): (Code, Code) = ("0.4".parse()?, "0.07".parse()?);
    /// assert_eq!(one.signature(), other.signature());
    /// # Ok::<(), misere_theory::ruleset::CodeError>(())
    /// ```
    #[must_use]
    pub fn signature(&self) -> Signature {
        let mut hasher = blake3::Hasher::new();
        if !self.is_take_and_break() {
            hasher.update(b"misere ruleset by its text 1");
            hasher.update(self.to_string().as_bytes());
            return Signature(*hasher.finalize().as_bytes());
        }
        let longest = longest_alike(self.length());
        hasher.update(b"misere take-and-break ruleset 2");
        hasher.update(&longest.to_le_bytes());
        if self.max_parts() == 0 {
            let live = (1..=self.length()).filter(|&heap| self.digit(heap) & 1 != 0);
            hasher.update(&(live.count() as u32).to_le_bytes());
            return Signature(*hasher.finalize().as_bytes());
        }
        let mut bytes = Vec::new();
        for Description {
            large,
            place,
            small,
        } in descriptions(self, longest + 3)
        {
            bytes.push(large);
            bytes.extend(place.to_le_bytes());
            small
                .iter()
                .for_each(|rank| bytes.extend(rank.to_le_bytes()));
        }
        hasher.update(&bytes);
        Signature(*hasher.finalize().as_bytes())
    }
}

/// The greatest number of digits of the codes that are compared with those of this many.
fn longest_alike(digits: usize) -> u16 {
    let mut longest = 0;
    while longest < digits {
        longest = 2 * longest + 4;
    }
    longest as u16
}

/// The description of the ways in which heaps come to options of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Description {
    /// The number of large heaps in the options.
    large: u8,
    /// The offset; where there is no large heap, the rank of the heap that has the option.
    place: u16,
    /// The ranks of the small live heaps of the options, greatest first, padded with zeros.
    small: [u16; MAX_PARTS],
}

/// The descriptions of all options, ascending, of a code some move of which leaves a heap. Small
/// are the heaps of the first `small` ranks, which must be more than the code's digits by three.
fn descriptions(code: &Code, small: u16) -> Vec<Description> {
    let ranks = ranks_to(code, small);
    // The last of them is the small heap of greatest rank; every dead heap lies below.
    let (sizes, dead) = (ranks.len(), ranks.len() as u16 - small);
    let rank_of = |size: usize| match ranks.get(size.wrapping_sub(1)) {
        Some(&rank) => rank,
        None => size as u16 - dead,
    };
    let mut found = Vec::new();
    for taken in 0..=code.length() {
        let digit = code.digit(taken);
        if digit & 1 != 0 && taken > 0 {
            found.push(Description {
                large: 0,
                place: rank_of(taken),
                small: [0; MAX_PARTS],
            });
        }
        for parts in (1..=MAX_PARTS).filter(|parts| digit >> parts & 1 != 0) {
            for not_large in 0..=parts {
                let large = (parts - not_large) as u16;
                for_each_multiset(not_large, sizes, |chosen| {
                    let size = taken + chosen.iter().sum::<usize>();
                    let place = match large {
                        0 => rank_of(size),
                        _ => (large - 1) * dead + size as u16,
                    };
                    let mut small = [0; MAX_PARTS];
                    for (rank, &size) in small.iter_mut().zip(chosen) {
                        *rank = rank_of(size);
                    }
                    small.sort_unstable_by(|one, other| other.cmp(one));
                    let large = large as u8;
                    found.push(Description {
                        large,
                        place,
                        small,
                    });
                });
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The ranks of heaps 1, 2, … (0 of dead ones), up to the heap of rank `last`.
fn ranks_to(code: &Code, last: u16) -> Vec<u16> {
    let mut rank = 0;
    let mut ranks = Vec::new();
    while rank < last {
        let live = code.is_live(ranks.len() as u32 + 1);
        rank += u16::from(live);
        ranks.push(if live { rank } else { 0 });
    }
    ranks
}

/// Calls `visit` with every multiset of `count ≤ 3` numbers from 1 to `most`, greatest first.
fn for_each_multiset(count: usize, most: usize, mut visit: impl FnMut(&[usize])) {
    match count {
        0 => visit(&[]),
        1 => (1..=most).for_each(|one| visit(&[one])),
        2 => (1..=most).for_each(|one| (1..=one).for_each(|two| visit(&[one, two]))),
        _ => (1..=most).for_each(|one| {
            for two in 1..=one {
                (1..=two).for_each(|three| visit(&[one, two, three]));
            }
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{HeapOption, LiveHeaps};
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};

    fn signature(code: &str) -> Signature {
        code.parse::<Code>().unwrap().signature()
    }

    #[test]
    fn same_games() {
        for (one, other) in [
            ("0.041", "0.043"),
            ("0.056", "0.054"),
            ("0.07", "0.137"),
            ("0.001", "0.1"),
            ("0.77", "0.770"),
        ] {
            assert_eq!(signature(one), signature(other), "{one} {other}");
        }
    }

    #[test]
    fn games_that_only_normal_play_confuses() {
        for (one, other) in [
            ("0.72", "0.724"),
            ("0.57", "4.56"),
            ("0.53", "0.532"),
            ("0.161", "0.36"),
            ("0.1", "0.3"),
        ] {
            assert_ne!(signature(one), signature(other), "{one} {other}");
        }
    }

    /// The definition, as far as it can be listed: a hash of all options of the first so many live
    /// heaps.
    fn listed(code: &Code, ranks: u32) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new();
        let live = LiveHeaps::of(code);
        let live: Vec<u32> = (1..=ranks).map_while(|rank| live.of_rank(rank)).collect();
        for options in relabelled_options(code, &live) {
            hasher.update(&(options.len() as u32).to_le_bytes());
            let bytes = options
                .iter()
                .flat_map(|option| option.0)
                .flat_map(u32::to_le_bytes);
            hasher.update(&bytes.collect::<Vec<u8>>());
        }
        *hasher.finalize().as_bytes()
    }

    fn check_against_listing(ranks: u32, codes: impl Iterator<Item = Code>) {
        let mut games: BTreeMap<(u16, [u8; 32]), Vec<Code>> = BTreeMap::new();
        for code in codes {
            let game = (longest_alike(code.length()), listed(&code, ranks));
            games.entry(game).or_default().push(code);
        }
        let signatures: BTreeSet<Signature> = games
            .values()
            .map(|codes| {
                let signatures: BTreeSet<_> = codes.iter().map(Code::signature).collect();
                assert_eq!(signatures.len(), 1, "the same, but not merged: {codes:?}");
                codes[0].signature()
            })
            .collect();
        assert_eq!(signatures.len(), games.len(), "merged, but not the same");
    }

    #[test]
    fn codes_are_merged_iff_their_options_are_the_same() {
        check_against_listing(
            120,
            (0..512_u16).flat_map(|n| {
                let digits = [n >> 6 & 7, n >> 3 & 7, n & 7].map(|digit| digit as u8);
                let codes = [0, 4].map(|d0| Code::new(d0, &digits[usize::from(d0 > 0)..]).unwrap());
                codes.into_iter().filter(Code::has_moves)
            }),
        );
    }

    /// Codes of five and more digits in which many heaps are dead are merged if and only if their
    /// options are the same.
    #[test]
    fn longer_codes_are_merged_iff_their_options_are_the_same() {
        let digits = [0, 1, 3, 4];
        check_against_listing(
            120,
            (1..256_usize).map(|n| {
                let four = [n >> 6, n >> 4, n >> 2, n].map(|at| digits[at & 3]);
                let [a, b, c, d] = four;
                Code::new(0, &[0, 0, a, b, c, d, 1]).unwrap()
            }),
        );
    }

    #[test]
    fn hexadecimal_codes_are_merged_iff_their_options_are_the_same() {
        let digits = [0, 1, 3, 8, 9, 12];
        let codes = (1..216_usize).filter_map(|n| {
            let [a, b, c] = [n / 36, n / 6, n].map(|at| digits[at % 6]);
            Code::new(if n % 5 == 0 { 8 } else { 0 }, &[a, b, c])
        });
        // Listing their options is dear.
        check_against_listing(60, codes);
    }

    /// For each live heap in turn its options as sorted lists of ranks, dead parts struck out,
    /// sorted and without repetition.
    fn relabelled_options(code: &Code, live: &[u32]) -> Vec<Vec<HeapOption>> {
        let largest = live.last().copied().unwrap_or(0) as usize;
        let mut rank_of = vec![0_u32; largest + 1];
        for (rank, &heap) in live.iter().enumerate() {
            rank_of[heap as usize] = rank as u32 + 1;
        }
        live.iter()
            .map(|&heap| {
                let mut options: Vec<HeapOption> = code
                    .options(heap)
                    .into_iter()
                    .map(|option| {
                        // Ranks keep the order of sizes and dead parts become 0, so sorting moves
                        // the padding to the end.
                        let mut ranks = option.0.map(|part| rank_of[part as usize]);
                        ranks.sort_unstable_by(|a, b| b.cmp(a));
                        HeapOption(ranks)
                    })
                    .collect();
                options.sort_unstable();
                options.dedup();
                options
            })
            .collect()
    }
}
