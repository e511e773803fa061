//! Bags: the comparison of two sets of entries without regard to their order.

/// A hash of a multiset: the sum of the hashes of its elements.
///
/// Two bags with the same hash hold the same elements equally often, except by a chance that no
/// broken disk has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Bag {
    sum: [u64; 4],
    count: u64,
}

impl Bag {
    /// Adds an entry.
    pub(super) fn add(&mut self, key: &[u8], value: &[u8]) {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&(key.len() as u64).to_le_bytes());
        hasher.update(key);
        hasher.update(value);
        let hash = *hasher.finalize().as_bytes();
        let (words, _) = hash.as_chunks::<8>();
        for (sum, word) in self.sum.iter_mut().zip(words) {
            *sum = sum.wrapping_add(u64::from_le_bytes(*word));
        }
        self.count += 1;
    }

    /// Adds all entries of another bag.
    pub(super) fn join(&mut self, other: &Self) {
        for (sum, word) in self.sum.iter_mut().zip(other.sum) {
            *sum = sum.wrapping_add(word);
        }
        self.count += other.count;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_order_does_not_matter() {
        let bag = |entries: &[(&[u8], &[u8])]| {
            let mut bag = Bag::default();
            entries.iter().for_each(|(key, value)| bag.add(key, value));
            bag
        };
        let one: (&[u8], &[u8]) = (b"a", b"1");
        let two: (&[u8], &[u8]) = (b"b", b"2");
        assert_eq!(bag(&[one, two]), bag(&[two, one]));
        assert_ne!(bag(&[one, two]), bag(&[one]));
        assert_ne!(bag(&[one, one]), bag(&[one]));
        assert_ne!(bag(&[(b"a1", b"")]), bag(&[(b"a", b"1")]));
        let mut joined = bag(&[one]);
        joined.join(&bag(&[two]));
        assert_eq!(joined, bag(&[one, two]));
    }
}
