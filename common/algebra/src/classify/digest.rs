//! The digest of a list of quotients, in 32 bytes.
//!
//! BLAKE3 of one line `ORDER CLASS` for each quotient, the key of the class in hexadecimal, lines
//! in ascending order of order and key. It depends only on the classes: not on the games that were
//! found for them, nor on the program or the machine.

use std::fmt;

use misere_game::bipartite::ClassKey;
use misere_game::solution::Construction;

/// The digest of a set of classes.
///
/// ```
/// use misere_algebra::classify::digest::ListDigest;
/// let none = ListDigest::of(&[]);
/// assert!(none.to_string().starts_with("af1349b9f5f9a1a6"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListDigest([u8; 32]);

impl ListDigest {
    /// Returns the digest of the quotients of a list.
    ///
    /// ```
    /// use misere_game::bipartite::families::tame;
    /// use misere_algebra::classify::digest::ListDigest;
    /// use misere_game::monoid::word::Word;
    /// use misere_game::solution::Construction;
    /// // T_1 is the quotient of the game * = {0}.
    /// let t1 = Construction::new(tame(1), vec![vec![Word(vec![0])]]);
    /// let by_class = ListDigest::of_classes([(2, tame(1).class_key())]);
    /// assert_eq!(ListDigest::of(&[t1]), by_class);
    /// ```
    #[must_use]
    pub fn of<'a>(list: impl IntoIterator<Item = &'a Construction>) -> Self {
        Self::of_classes(list.into_iter().map(|construction| {
            let quotient = &construction.quotient;
            (quotient.order(), quotient.class_key())
        }))
    }

    /// Returns the digest of classes, each with the order of its quotients.
    ///
    /// ```
    /// use misere_game::bipartite::families::tame;
    /// use misere_algebra::classify::digest::ListDigest;
    /// let [one, two] = [1, 2].map(|n| (tame(n).order(), tame(n).class_key()));
    /// // The order of the list does not matter.
    /// assert_eq!(ListDigest::of_classes([one, two]), ListDigest::of_classes([two, one]));
    /// ```
    #[must_use]
    pub fn of_classes(classes: impl IntoIterator<Item = (usize, ClassKey)>) -> Self {
        let mut classes: Vec<(usize, ClassKey)> = classes.into_iter().collect();
        classes.sort_unstable();
        let mut hasher = blake3::Hasher::new();
        for (order, class) in classes {
            hasher.update(format!("{order} {class}\n").as_bytes());
        }
        Self(*hasher.finalize().as_bytes())
    }
}

impl fmt::Display for ListDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}
