//! When are two codes the same game?
//!
//! A heap without options is *dead*: removing it from a position, and from every option, changes nothing. Strike out the
//! dead heaps of a game and number the live ones 1, 2, 3, … in order of size. Two codes whose live heaps then have
//! exactly the same options are the same game, heap for heap: `0.77` and `0.770`; `0.041` and `0.043` (leaving heap
//! `n-3` is leaving `n-3` and a dead heap of 1); Dawson's Kayles `0.07` and Dawson's Chess `0.137` (shifted by one).
//! Nothing coarser is merged: codes with equal nim-sequences can differ in misère play (0.72 and 0.724).
//!
//! # Why finitely many heaps decide
//!
//! Let `d` bound the digits of both codes, and let every dead heap (if only finitely many are dead) be at most `D`. A
//! move (take `t`, leave `k`) exists from every heap of at least `t + k` beans for `k ≥ 1`, so `D ≤ d + 2`. Call a heap
//! small if its rank is at most `R = d + 3`, so that all dead heaps lie below the large ones and a large heap's rank is
//! its size less the number of dead heaps. An option of a heap of rank `n` is described by its small live parts (a multiset `μ`), the number
//! `j ≤ 3` of its large parts, and the offset `n − (sum of the ranks of large parts)`; which descriptions occur is
//! decided by the code alone and does not depend on `n`, and every multiset of `j ≥ 1` large ranks with the right sum
//! occurs. Offsets are at most `d` plus the small and dead parts (at most three of at most `d + 5` beans) plus a shift
//! of at most `3(d+2)`. Once `n > d + 3(d + 5) + 3(d + 2) + 3(R + 1)` every description shows itself and none without
//! large parts is left, so equality of the options at one such rank is equality of the descriptions, and with it of the
//! options at all greater ranks. That bound is `10d + 33`; [`Signature`] compares all ranks up to `12(d + 4)`, rounded
//! up to 48·2^i. (If cofinitely many heaps are dead, all live ones are at most `d` and are compared outright.)
//!
//! Of all this only take-and-break codes are the subject. Any other game is merged with none: a finite game has one text.

use serde::{Deserialize, Serialize};

use super::Code;

/// A 256-bit digest of the live heaps' options; equal for two codes of a census iff they are the same game.
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
    /// The signature by which codes that are the same game are merged. See the module's text for the proof that the
    /// ranks compared suffice. Cost: all options of the first `12(d+4)` or so heaps.
    #[must_use]
    pub fn signature(&self) -> Signature {
        if !self.is_take_and_break() {
            let mut hasher = blake3::Hasher::new();
            hasher.update(b"misere ruleset by its text 1");
            hasher.update(self.to_string().as_bytes());
            return Signature(*hasher.finalize().as_bytes());
        }
        let ranks = ranks_compared(self.length());
        let mut hasher = blake3::Hasher::new();
        hasher.update(b"misere take-and-break ruleset 1");
        hasher.update(&ranks.to_le_bytes());
        let relabelling = relabelling(self, ranks);
        for options in relabelled_options(self, &relabelling) {
            hasher.update(&(options.len() as u32).to_le_bytes());
            options.iter().flatten().for_each(|part| {
                hasher.update(&part.to_le_bytes());
            });
        }
        Signature(*hasher.finalize().as_bytes())
    }
}

/// The sizes of the live heaps in ascending order: entry `r - 1` is the size of the live heap of rank `r`.
///
/// At most `ranks` of them; fewer if the game has fewer live heaps.
#[must_use]
pub fn relabelling(code: &Code, ranks: u32) -> Vec<u32> {
    // If some move leaves a heap, all heaps of more than d + 2 beans are live; otherwise no heap above d is.
    let last = ranks + code.length() as u32 + 3;
    (1..=last)
        .filter(|&heap| code.is_live(heap))
        .take(ranks as usize)
        .collect()
}

fn ranks_compared(digits: usize) -> u32 {
    let mut ranks = 48;
    while ranks < 12 * (digits as u32 + 4) {
        ranks *= 2;
    }
    ranks
}

/// For each live heap in turn its options as sorted lists of ranks, dead parts struck out, sorted and without repetition.
fn relabelled_options(code: &Code, live: &[u32]) -> Vec<Vec<[u32; 3]>> {
    let largest = live.last().copied().unwrap_or(0) as usize;
    let mut rank_of = vec![0_u32; largest + 1];
    for (rank, &heap) in live.iter().enumerate() {
        rank_of[heap as usize] = rank as u32 + 1;
    }
    live.iter()
        .map(|&heap| {
            let mut options: Vec<[u32; 3]> = code
                .options(heap)
                .into_iter()
                .map(|option| {
                    // Ranks keep the order of sizes and dead parts become 0, so sorting moves the padding to the end.
                    let mut ranks = option.0.map(|part| rank_of[part as usize]);
                    ranks.sort_unstable_by(|a, b| b.cmp(a));
                    ranks
                })
                .collect();
            options.sort_unstable();
            options.dedup();
            options
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

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

    /// Codes merged by the bound of the module's proof stay equal four times further out.
    #[test]
    fn merged_codes_stay_merged() {
        let mut groups: BTreeMap<Signature, Vec<Code>> = BTreeMap::new();
        for n in 0..64_u8 {
            for d0 in [0, 4] {
                let code = Code::new(d0, &[n >> 3, n & 7]).unwrap();
                groups.entry(code.signature()).or_default().push(code);
            }
        }
        assert!(groups.values().any(|group| group.len() > 1));
        for group in groups.values() {
            let far = |code: &Code| relabelled_options(code, &relabelling(code, 200));
            let first = far(&group[0]);
            assert!(
                group[1..].iter().all(|code| far(code) == first),
                "{group:?}"
            );
        }
    }
}
