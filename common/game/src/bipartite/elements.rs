//! Sets of elements of a finite monoid.

use super::Element;

/// A set of elements of a monoid of known order, as a bitset.
///
/// Its capacity is the order of the monoid. An operation on whole sets costs a step for each 64
/// elements of the capacity.
///
/// ```
/// use misere_game::bipartite::ElementSet;
/// let mut set = ElementSet::empty(100);
/// assert!(set.insert(64) && !set.insert(64));
/// assert_eq!(set.iter().collect::<Vec<_>>(), [64]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ElementSet {
    capacity: usize,
    words: Box<[u64]>,
}

impl ElementSet {
    /// Returns the empty set of elements `0..capacity`.
    #[must_use]
    pub fn empty(capacity: usize) -> Self {
        Self {
            capacity,
            words: vec![0; capacity.div_ceil(64)].into(),
        }
    }

    /// Returns the set of those elements `x` for which `holds(x)`.
    ///
    /// ```
    /// use misere_game::bipartite::ElementSet;
    /// let even = ElementSet::where_true(5, |x| x % 2 == 0);
    /// assert_eq!(even.iter().collect::<Vec<_>>(), [0, 2, 4]);
    /// ```
    #[must_use]
    pub fn where_true(capacity: usize, mut holds: impl FnMut(Element) -> bool) -> Self {
        let mut set = Self::empty(capacity);
        for (index, word) in set.words.iter_mut().enumerate() {
            let first = index * 64;
            for bit in 0..64.min(capacity - first) {
                *word |= u64::from(holds((first + bit) as Element)) << bit;
            }
        }
        set
    }

    /// Returns the set of those `x` for which `map[x]` is in this set.
    ///
    /// ```
    /// use misere_game::bipartite::ElementSet;
    /// let odd = ElementSet::where_true(4, |x| x % 2 == 1);
    /// assert_eq!(odd.pulled_back(&[1, 2, 3, 0]).iter().collect::<Vec<_>>(), [0, 2]);
    /// ```
    ///
    /// # Panics
    /// If an entry of `map` is not below the capacity (rounded up to a multiple of 64).
    #[must_use]
    pub fn pulled_back(&self, map: &[u16]) -> Self {
        let words = map.chunks(64).map(|chunk| {
            chunk.iter().rev().fold(0, |word, &x| {
                word << 1 | self.words[usize::from(x) / 64] >> (x % 64) & 1
            })
        });
        Self {
            capacity: map.len(),
            words: words.collect(),
        }
    }

    /// Returns the number of elements of the monoid: the set can hold `0..capacity`.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.capacity
    }

    /// Reports whether `x` is in the set.
    ///
    /// # Panics
    /// If `x` is not below the capacity (rounded up to a multiple of 64).
    #[must_use]
    #[inline]
    pub fn contains(&self, x: Element) -> bool {
        self.words[x as usize / 64] >> (x % 64) & 1 != 0
    }

    /// Adds `x` and reports whether it was absent.
    ///
    /// ```
    /// use misere_game::bipartite::ElementSet;
    /// let mut set = ElementSet::empty(6);
    /// assert!(set.insert(5));
    /// assert!(!set.insert(5));
    /// ```
    #[inline]
    pub fn insert(&mut self, x: Element) -> bool {
        let (word, bit) = (&mut self.words[x as usize / 64], 1 << (x % 64));
        let absent = *word & bit == 0;
        *word |= bit;
        absent
    }

    /// Reports whether the set is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// Returns the number of elements in the set.
    #[must_use]
    pub fn len(&self) -> usize {
        self.words
            .iter()
            .map(|word| word.count_ones() as usize)
            .sum()
    }

    /// Reports whether every element of this set is in `other`.
    ///
    /// ```
    /// use misere_game::bipartite::ElementSet;
    /// let fours = ElementSet::where_true(12, |x| x % 4 == 0);
    /// let even = ElementSet::where_true(12, |x| x % 2 == 0);
    /// assert!(fours.is_subset(&even) && !even.is_subset(&fours));
    /// ```
    #[must_use]
    #[inline]
    pub fn is_subset(&self, other: &Self) -> bool {
        self.words
            .iter()
            .zip(&other.words)
            .all(|(a, b)| a & !b == 0)
    }

    /// Reports whether no element of this set is in `other`.
    ///
    /// ```
    /// use misere_game::bipartite::ElementSet;
    /// let even = ElementSet::where_true(9, |x| x % 2 == 0);
    /// assert!(even.is_disjoint(&even.complement()) && !even.is_disjoint(&even));
    /// ```
    #[must_use]
    #[inline]
    pub fn is_disjoint(&self, other: &Self) -> bool {
        self.words.iter().zip(&other.words).all(|(a, b)| a & b == 0)
    }

    /// Adds all elements of `other`.
    ///
    /// ```
    /// use misere_game::bipartite::ElementSet;
    /// let mut set = ElementSet::where_true(9, |x| x < 3);
    /// set.union_with(&ElementSet::where_true(9, |x| x > 6));
    /// assert_eq!(set.iter().collect::<Vec<_>>(), [0, 1, 2, 7, 8]);
    /// ```
    pub fn union_with(&mut self, other: &Self) {
        self.words
            .iter_mut()
            .zip(&other.words)
            .for_each(|(a, b)| *a |= b);
    }

    /// Returns the elements in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = Element> + '_ {
        self.words.iter().enumerate().flat_map(|(index, &word)| {
            std::iter::successors((word != 0).then_some(word), |&rest| {
                let rest = rest & (rest - 1);
                (rest != 0).then_some(rest)
            })
            .map(move |rest| (index * 64) as Element + rest.trailing_zeros())
        })
    }

    /// Returns the 64-bit words of the bitset, lowest elements first.
    ///
    /// Bits beyond the capacity are 0.
    ///
    /// ```
    /// use misere_game::bipartite::ElementSet;
    /// let ends = ElementSet::where_true(66, |x| x == 0 || x == 65);
    /// assert_eq!(ends.words(), [1, 2]);
    /// ```
    #[must_use]
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Removes all elements of `other`.
    ///
    /// ```
    /// use misere_game::bipartite::ElementSet;
    /// let mut set = ElementSet::where_true(6, |_| true);
    /// set.subtract(&ElementSet::where_true(6, |x| x < 4));
    /// assert_eq!(set.iter().collect::<Vec<_>>(), [4, 5]);
    /// ```
    pub fn subtract(&mut self, other: &Self) {
        self.words
            .iter_mut()
            .zip(&other.words)
            .for_each(|(a, b)| *a &= !b);
    }

    /// Returns the elements of the monoid that are not in the set.
    ///
    /// ```
    /// use misere_game::bipartite::ElementSet;
    /// let small = ElementSet::where_true(5, |x| x < 3);
    /// assert_eq!(small.complement().iter().collect::<Vec<_>>(), [3, 4]);
    /// ```
    #[must_use]
    pub fn complement(&self) -> Self {
        let mut words: Box<[u64]> = self.words.iter().map(|word| !word).collect();
        if let Some(last) = words
            .last_mut()
            .filter(|_| !self.capacity.is_multiple_of(64))
        {
            *last &= (1 << (self.capacity % 64)) - 1;
        }
        Self {
            capacity: self.capacity,
            words,
        }
    }
}
