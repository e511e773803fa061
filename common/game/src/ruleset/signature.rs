//! The recognition of codes that describe the same game.
//!
//! A heap without options is *dead*: removing it from a position, and from every option, changes
//! nothing. Remove the dead heaps of a game and number the live ones 1, 2, 3, … in order of size.
//! Two codes whose live heaps then have exactly the same options are the same game, heap for heap:
//! `0.77` and `0.770`; `0.041` and `0.043` (leaving heap `n-3` is leaving `n-3` and a dead heap of
//! 1); Dawson's Kayles `0.07` and Dawson's Chess `0.137` (shifted by one). Nothing coarser is
//! merged: codes with equal nim-sequences can differ in misère play (0.72 and 0.724).
//!
//! # How the same game is recognised
//!
//! A move is given by `t`, the beans taken, and by the heaps it leaves. The *offset* of a move is
//! the sum of `t` and the sizes of the *dead* heaps among those left. Let `N_q` be the set of
//! offsets of all moves that leave `q` live heaps of any size. With `B_p` for the `t` whose digit
//! allows `p` heaps to be left, `N_q = B_q ∪ (N_(q+1) + D)`, where `D` is the set of the sizes of
//! the dead heaps: a further dead heap is left, or none.
//!
//! If no move of a code leaves a heap, each live heap has the empty position as its only option,
//! and the number of live heaps determines the game. Otherwise let a move be allowed that takes `t`
//! and leaves `p ≥ 1` heaps. Every heap of at least `t + p` beans has such a move, so finitely many
//! heaps are dead, say `K`, and all of them have fewer than `t + p` beans. Let `s(r)` be the size
//! of the live heap of rank `r`, and `σ(r) = s(r) − K`, which is `r` but for finitely many ranks.
//! The heap of rank `n` has the option of ranks `r_1, …, r_q` iff `s(n) − Σ s(r_i)` lies in `N_q`,
//! that is
//!
//! `σ(n) − Σ σ(r_i) ∈ P_q`, where `P_q = N_q + (q − 1)K`.
//!
//! So `σ` and the sets `P_q` determine the game. The game also determines them, in this order:
//!
//! - `P_q` for `q ≥ 1`: if all `r_i` and `n` are large, `σ` leaves them unchanged, so the options
//!   of large heaps show which differences belong to `P_q`.
//! - `σ(r)`: some `P_q` with `q ≥ 1` has a least element `o`. A heap with an option of at least one
//!   live heap has at least `t + p` beans for a move as above, so `σ` leaves its rank unchanged.
//!   Let `r_2, …, r_q` be large. The least rank of a heap with the option `r, r_2, …, r_q` is
//!   `σ(r) + r_2 + … + r_q + o`.
//! - `P_0`: it consists of the `σ(r)` of the heaps that have the empty option.
//!
//! Two codes are therefore the same game iff they have the same `σ` and the same `P_q`, and
//! [`Signature`] hashes these. It also hashes a bound on the number of digits, so that codes whose
//! lengths differ by much have different signatures even if they are the same game (`4` and `0.7`,
//! `0.1` and `0.00001`): this keeps the tasks of a plan as they were in earlier releases.
//!
//! All of this applies to take-and-break codes only. Any other game is merged with none: a finite
//! game has one text.

use serde::{Deserialize, Serialize};

use super::Code;

/// The most heaps that a move of a take-and-break code leaves: its digits are 0 to F.
const MAX_PARTS: usize = 3;

/// A 256-bit digest of the live heaps' options, equal only for codes that are the same game.
///
/// It is equal for all such codes of one to four digits, of five to twelve, of thirteen to
/// twenty-eight, and so on.
///
/// ```
/// use misere_game::ruleset::Code;
/// let signature = |code: &str| code.parse::<Code>().map(|code| code.signature());
/// assert_eq!(signature("0.07")?, signature("0.137")?);
/// assert_ne!(signature("0.72")?, signature("0.724")?);
/// # Ok::<(), misere_game::ruleset::CodeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Signature(pub [u8; 32]);

impl Code {
    /// Returns the signature by which codes that are the same game are merged.
    ///
    /// The documentation of the module has the proof.
    ///
    /// Cost: with `d` digits and `D ≤ d + 2` dead heaps, `3D` shifts of a set of `4d` bits.
    ///
    /// ```
    /// use misere_game::ruleset::Code;
    /// // Heap n of 0.4 is heap n - 1 of 0.07, Dawson's Kayles.
    /// let (one, other): (Code, Code) = ("0.4".parse()?, "0.07".parse()?);
    /// assert_eq!(one.signature(), other.signature());
    /// # Ok::<(), misere_game::ruleset::CodeError>(())
    /// ```
    #[must_use]
    pub fn signature(&self) -> Signature {
        let mut bytes = Vec::with_capacity(128);
        if !self.is_take_and_break() {
            bytes.extend(b"misere ruleset by its text 1");
            bytes.extend(self.to_string().as_bytes());
            return Signature(*blake3::hash(&bytes).as_bytes());
        }
        bytes.extend(b"misere take-and-break ruleset 3");
        bytes.extend(longest_alike(self.length()).to_le_bytes());
        let heaps = HeapsBeforeLast::of(self);
        if self.max_parts() == 0 {
            bytes.extend((heaps.live.len() as u32).to_le_bytes());
            return Signature(*blake3::hash(&bytes).as_bytes());
        }
        for above in heaps.dead_above() {
            bytes.extend(above.to_le_bytes());
        }
        let dead = heaps.dead.len() as i32;
        for (live_left, offsets) in (0..).zip(offsets(self, &heaps.dead)) {
            // No number of dead heaps and no offset reaches this value.
            bytes.extend(i32::MAX.to_le_bytes());
            for offset in offsets.elements() {
                bytes.extend((offset + (live_left - 1) * dead).to_le_bytes());
            }
        }
        Signature(*blake3::hash(&bytes).as_bytes())
    }
}

/// Returns the greatest number of digits in the class of codes that are compared with these.
fn longest_alike(digits: usize) -> u16 {
    let mut longest = 0;
    while longest < digits {
        longest = 2 * longest + 4;
    }
    longest as u16
}

/// The sizes of the heaps up to a bound that includes all dead ones, ascending.
///
/// If no move leaves a heap, the bound includes all live ones instead.
struct HeapsBeforeLast {
    live: Vec<usize>,
    dead: Vec<usize>,
}

impl HeapsBeforeLast {
    fn of(code: &Code) -> Self {
        let longest = code.length() + MAX_PARTS;
        let (live, dead) = (1..=longest).partition(|&heap| code.is_live(heap as u32));
        Self { live, dead }
    }

    /// Returns for each live heap the number of dead heaps above it, as long as there are any.
    ///
    /// This number is `r − σ(r)`.
    fn dead_above(&self) -> impl Iterator<Item = i32> {
        let above = |live: &usize| {
            let below = self.dead.partition_point(|dead| dead < live);
            (self.dead.len() - below) as i32
        };
        self.live.iter().map(above).take_while(|&above| above > 0)
    }
}

/// Returns the offsets of the moves that leave no live heap, one, and so on.
fn offsets(code: &Code, dead: &[usize]) -> [Offsets; MAX_PARTS + 1] {
    let longest = code.length() + MAX_PARTS * (code.length() + MAX_PARTS);
    let mut offsets = [(); MAX_PARTS + 1].map(|()| Offsets::none_to(longest));
    for parts in (0..=MAX_PARTS).rev() {
        let (these, more) = offsets.split_at_mut(parts + 1);
        let these = &mut these[parts];
        if let Some(more) = more.first().filter(|more| !more.is_empty()) {
            dead.iter().for_each(|&size| these.add_shifted(more, size));
        }
        for taken in (0..=code.length()).filter(|&taken| code.digit(taken) >> parts & 1 != 0) {
            these.add(taken);
        }
    }
    offsets
}

/// A set of offsets up to a greatest one, which all sets that are combined have in common.
struct Offsets(Vec<u64>);

impl Offsets {
    fn none_to(greatest: usize) -> Self {
        Self(vec![0; greatest / 64 + 1])
    }

    fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    fn add(&mut self, offset: usize) {
        self.0[offset / 64] |= 1 << (offset % 64);
    }

    /// Adds the elements of another set, each increased by `by`.
    fn add_shifted(&mut self, other: &Self, by: usize) {
        let (words, bits) = (by / 64, by % 64);
        for (at, &word) in other.0.iter().enumerate() {
            if let Some(low) = self.0.get_mut(at + words) {
                *low |= word << bits;
            }
            if let Some(high) = self.0.get_mut(at + words + 1) {
                // Shifted in two steps, since Rust masks a shift by 64.
                *high |= word >> 1 >> (63 - bits);
            }
        }
    }

    /// Returns the elements, ascending.
    fn elements(&self) -> impl Iterator<Item = i32> {
        let words = (0..).step_by(64).zip(&self.0);
        words.flat_map(|(first, &word)| {
            let bits = std::iter::successors(Some(word), |word| Some(word & word.wrapping_sub(1)));
            let bits = bits.take_while(|&word| word != 0);
            bits.map(move |word| first + word.trailing_zeros() as i32)
        })
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

    /// Returns a hash of all options of the first `ranks` live heaps: the definition as far as
    /// listed.
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

    /// The sets of offsets of codes with that many digits have several words.
    #[test]
    fn codes_of_many_digits_are_merged_iff_their_options_are_the_same() {
        let digits = [0, 1, 2, 3, 4];
        check_against_listing(
            160,
            (1..625_usize).map(|n| {
                let [a, b, c, d] = [n / 125, n / 25, n / 5, n].map(|at| digits[at % 5]);
                let mut all = [0; 27];
                (all[20], all[21], all[23], all[26]) = (a, b, c, d);
                all[0] = if n % 7 == 0 { 1 } else { 0 };
                Code::new(0, &all).unwrap()
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
        // Listing their options is expensive.
        check_against_listing(60, codes);
    }

    /// Returns for each live heap in turn its options as sorted lists of ranks.
    ///
    /// Dead parts are removed; the options are sorted and without repetition.
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
