//! The mirror image of a branch: the same extensions, with `ax` in the place of `x`.
//!
//! `x` and `ax` generate the same extension of S, and the search finds it under both names. (Both
//! are needed, since construction sequences differ by which of them comes.) Let a new orbit be the
//! orbit of `w = u·xⁿ`. With `ax` as the generator it is the orbit of `aⁿw`, so the numbers of its
//! two elements are exchanged if `n` is odd. A branch whose entries and outcomes stay the same is
//! its own mirror image. At the first entry, or outcomes of a new orbit, that do not stay the same,
//! two branches follow that are mirror images of each other, and only one of them is searched. Its
//! entries and finished tables are counted for both, so that the fuel does not depend on this.
//! (`docs/classification.md`, Lemma 5.)
//!
//! The prunes treat both alike, except for the pairs of 1 and of `a`. These differ only if `x` or
//! `ax` is in P. Then the branch with `x ∈ P` is searched: any extension that passes with `ax`
//! passes with `x`, and the search checks whether it passes with `ax`.

use super::super::small_monoid::{MAX_ORBITS, Mask, SmallElement, SmallMonoid, times_a};

/// The kind of mirror image that a branch has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mirror {
    /// The branch is its own mirror image so far.
    Itself,
    /// The mirror image is another branch, and is finished with this one.
    Another,
    /// A prune ends the mirror image, or the mirror image is searched by itself.
    None,
}

impl Mirror {
    /// Returns the number of branches that an entry represents.
    #[inline]
    pub(super) fn branches(self) -> u64 {
        1 + u64::from(self == Self::Another)
    }
}

/// Returns the monoid with the numbers that it has if `ax` takes the place of `x`.
///
/// The exponents are those of `x` in the orbits.
pub(super) fn mirrored(monoid: &SmallMonoid, exponents: &[u8; MAX_ORBITS]) -> SmallMonoid {
    let is_odd = |orbit: usize| exponents[orbit] & 1;
    let mut mirrored = monoid.clone();
    for (one, row) in mirrored.table[..monoid.orbits].iter_mut().enumerate() {
        for (other, product) in row[..monoid.orbits].iter_mut().enumerate() {
            *product ^= is_odd(one) ^ is_odd(other) ^ is_odd(usize::from(*product >> 1));
        }
    }
    let odd = (0..monoid.orbits).filter(|&orbit| is_odd(orbit) == 1);
    let odd: Mask = odd.fold(0, |set, orbit| set | 3 << (2 * orbit));
    let exchanged = times_a(monoid.p_portion);
    mirrored.p_portion = monoid.p_portion & !odd | exchanged & odd;
    mirrored
}

/// Reports whether an entry is another one in the mirror image of the branch.
///
/// The exponents are those of `x` in the orbit of the entry and in that of its image.
#[inline]
pub(super) fn are_exchanged(exponent: u8, of_image: u8) -> bool {
    (exponent + 1 + of_image) & 1 == 1
}

/// Reports whether an image is the one that is tried, of two that are exchanged.
#[inline]
pub(super) fn is_first(image: SmallElement) -> bool {
    image & 1 == 0
}
