//! The genus of a game: its behaviour in the context of heaps of two.
//!
//! The genus `g^{g₀g₁g₂…}` of a game `G` (Conway, *On Numbers and Games*, chapter 12; Berlekamp,
//! Conway and Guy, *Winning Ways*, chapter 13) has the nim-value `g` of `G` below, and above it the
//! *misère nim-values* of `G`, `G + *2`, `G + *2 + *2`, …. The misère nim-value is 1 for the game
//! without options, and otherwise the mex of the misère nim-values of the options; it is the `n`
//! for which `G + *n` is a P-position in misère play.
//!
//! # Computation
//!
//! `gₖ` is the mex of the `gₖ` of the options and of `gₖ₋₁` and `gₖ₋₁ ⊕ 1`, the values after a move
//! in one of the heaps of two. So only the genera of the options matter.
//!
//! # Termination
//!
//! The superscript ends in two numbers `x`, `x ⊕ 2` that alternate for ever. By induction the
//! superscripts of the options do so from some `k` on; let `Aₖ` be the set of their `gₖ`. Then
//! `gₖ ∉ Aₖ` makes `gₖ ⊕ 2 ∉ Aₖ₊₁`, and neither `gₖ` nor `gₖ ⊕ 1` is that number: hence
//! `gₖ₊₁ ≤ gₖ ⊕ 2`. So `⌊gₖ/4⌋` never grows. Where it stays the same for ever, `gₖ₊₁` is `gₖ ⊕ 2`,
//! or `gₖ ⊕ 3` if that is less, which turns an odd number into an even one and happens once at
//! most. From `k` on `gₖ₊₁` is a function of `gₖ` and of the parity of `k`, so `gₖ₊₂ = gₖ` there
//! proves that the two numbers alternate.
//!
//! - [`class`]: tame, restive, restless and wild games

pub mod class;

use std::fmt;

pub use class::Class;
use misere_game::outcome::Outcome;

/// The genus of a game.
///
/// ```
/// use misere_algebra::genus::Genus;
/// let zero = Genus::of_options(&[]);
/// let star = Genus::of_options(&[&zero]);
/// let two = Genus::of_options(&[&zero, &star]);
/// assert_eq!([&zero, &star, &two].map(ToString::to_string), ["0^120", "1^031", "2^20"]);
/// // {*2}
/// assert_eq!(Genus::of_options(&[&two]).to_string(), "0^02");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Genus {
    nim_value: u32,
    /// The shortest form: the last two numbers alternate for ever.
    superscript: Box<[u32]>,
}

impl Genus {
    /// Returns the genus of the game whose options have these genera.
    ///
    /// Cost: the options, for each number of the superscript and a few more.
    #[must_use]
    pub fn of_options(options: &[&Self]) -> Self {
        let values = options.iter().map(|option| option.nim_value);
        let nim_value = mex(options.len(), values, None);
        // From here on the superscripts of all options alternate.
        let settled = options.iter().map(|option| option.superscript.len() - 2);
        let settled = settled.max().unwrap_or(0);
        let mut superscript: Vec<u32> = Vec::with_capacity(settled + 3);
        loop {
            let at = superscript.len();
            let values = options.iter().map(|option| option.at(at));
            let next = match superscript.last() {
                None if options.is_empty() => 1,
                before => mex(options.len(), values, before.copied()),
            };
            superscript.push(next);
            if at >= settled + 2 && superscript[at - 2] == next {
                break;
            }
        }
        while let [.., before, _, last] = superscript[..]
            && before == last
        {
            superscript.pop();
        }
        Self {
            nim_value,
            superscript: superscript.into_boxed_slice(),
        }
    }

    /// Returns the nim-value of the game in normal play.
    #[must_use]
    pub fn nim_value(&self) -> u32 {
        self.nim_value
    }

    /// Returns the misère nim-value of the game.
    ///
    /// ```
    /// use misere_algebra::genus::Genus;
    /// assert_eq!(Genus::of_options(&[]).misere_nim_value(), 1);
    /// ```
    #[must_use]
    pub fn misere_nim_value(&self) -> u32 {
        self.at(0)
    }

    /// Returns the shortest superscript; its last two numbers alternate for ever.
    #[must_use]
    pub fn superscript(&self) -> &[u32] {
        &self.superscript
    }

    /// Returns the misère nim-value of the game with `twos` heaps of two.
    ///
    /// ```
    /// use misere_algebra::genus::Genus;
    /// let zero = Genus::of_options(&[]);
    /// assert_eq!([0, 1, 2, 3, 4].map(|twos| zero.at(twos)), [1, 2, 0, 2, 0]);
    /// ```
    #[must_use]
    pub fn at(&self, twos: usize) -> u32 {
        let known = self.superscript.len();
        match self.superscript.get(twos) {
            Some(&value) => value,
            None => self.superscript[known - 1 - (twos - known + 1) % 2],
        }
    }

    /// Returns the outcome of the game in misère play.
    ///
    /// ```
    /// use misere_algebra::genus::Genus;
    /// use misere_game::outcome::Outcome;
    /// let zero = Genus::of_options(&[]);
    /// assert_eq!(zero.outcome(), Outcome::N);
    /// assert_eq!(Genus::of_options(&[&zero]).outcome(), Outcome::P);
    /// ```
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        match self.misere_nim_value() {
            0 => Outcome::P,
            _ => Outcome::N,
        }
    }
}

/// Returns the least number that is not among `count` values.
///
/// It also differs from `two` and `two ⊕ 1`, the values after a move in a heap of two.
fn mex(count: usize, values: impl Iterator<Item = u32>, two: Option<u32>) -> u32 {
    let mut met = vec![false; count + 3];
    for value in values.chain(two).chain(two.map(|value| value ^ 1)) {
        if let Some(met) = met.get_mut(value as usize) {
            *met = true;
        }
    }
    met.iter().take_while(|&&met| met).count() as u32
}

/// Text like `2^1420`; parentheses enclose longer numbers in the superscript, `8^8(10)`.
impl fmt::Display for Genus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}^", self.nim_value)?;
        self.superscript.iter().try_for_each(|value| match value {
            0..=9 => write!(f, "{value}"),
            _ => write!(f, "({value})"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Returns the genera of the nimbers below `n`.
    fn nimbers(n: usize) -> Vec<Genus> {
        let mut genera: Vec<Genus> = Vec::new();
        for _ in 0..n {
            let next = Genus::of_options(&genera.iter().collect::<Vec<_>>());
            genera.push(next);
        }
        genera
    }

    #[test]
    fn nimbers_have_the_genera_of_winning_ways() {
        let genera: Vec<String> = nimbers(13).iter().map(ToString::to_string).collect();
        assert_eq!(genera[..5], ["0^120", "1^031", "2^20", "3^31", "4^46"]);
        assert_eq!(
            genera[8..],
            ["8^8(10)", "9^9(11)", "10^(10)8", "11^(11)9", "12^(12)(14)"]
        );
    }

    proptest! {
        /// The superscript is the sequence of the definition, to a far place.
        #[test]
        fn superscripts_alternate_as_claimed(
            picks in prop::collection::vec(prop::collection::vec(any::<prop::sample::Index>(), 0..6), 1..40)
        ) {
            let mut genera: Vec<Genus> = nimbers(2);
            // The first numbers of each superscript, by the rule of mex alone.
            const FAR: usize = 60;
            let plain = |options: &[Vec<u32>]| {
                let mut values: Vec<u32> = Vec::new();
                for k in 0..FAR {
                    let mut met: Vec<u32> = options.iter().map(|option| option[k]).collect();
                    if let Some(&before) = values.last() {
                        met.extend([before, before ^ 1]);
                    }
                    let next = if met.is_empty() { 1 } else { (0..).find(|n| !met.contains(n)).unwrap() };
                    values.push(next);
                }
                values
            };
            let mut sequences = vec![plain(&[])];
            sequences.push(plain(&[sequences[0].clone()]));
            for pick in picks {
                let chosen: Vec<usize> = pick.iter().map(|index| index.index(genera.len())).collect();
                let next = Genus::of_options(&chosen.iter().map(|&at| &genera[at]).collect::<Vec<_>>());
                let options: Vec<Vec<u32>> = chosen.iter().map(|&at| sequences[at].clone()).collect();
                let sequence = plain(&options);
                prop_assert_eq!((0..FAR).map(|k| next.at(k)).collect::<Vec<_>>(), sequence.clone());
                let tail = &next.superscript()[next.superscript().len() - 2..];
                prop_assert_eq!(tail[0] ^ 2, tail[1]);
                genera.push(next);
                sequences.push(sequence);
            }
        }
    }
}
