//! A hash of values that is the same on every machine.
//!
//! Hashes must not depend on a serialization library's byte layout. A [`StableHasher`] takes fields
//! one by one, each with its length, under a domain that says what is being hashed.

use misere_game::ruleset::Code;

/// A hash under construction.
///
/// The state of the hash is two kilobytes. In a box it is not copied for each field.
#[derive(Clone, Debug)]
pub struct StableHasher(Box<blake3::Hasher>);

impl StableHasher {
    /// Starts a hash in a domain; hashes of different domains never have the same meaning.
    ///
    /// ```
    /// use misere_census::stable_hasher::StableHasher;
    /// let in_domain = |domain: &str| StableHasher::of(domain).number(7_u64).finish();
    /// assert_ne!(in_domain("plan"), in_domain("task"));
    /// ```
    #[must_use]
    pub fn of(domain: &str) -> Self {
        Self(Box::new(blake3::Hasher::new())).bytes(domain.as_bytes())
    }

    /// Adds a number.
    #[must_use]
    pub fn number(mut self, number: impl Into<u64>) -> Self {
        self.0.update(&number.into().to_le_bytes());
        self
    }

    /// Adds bytes, after their length.
    ///
    /// Cost: linear in the bytes.
    ///
    /// ```
    /// use misere_census::stable_hasher::StableHasher;
    /// // The lengths separate what would otherwise run together.
    /// let hash = |one: &[u8], two: &[u8]| StableHasher::of("example").bytes(one).bytes(two).finish();
    /// assert_ne!(hash(b"ab", b"c"), hash(b"a", b"bc"));
    /// ```
    #[must_use]
    pub fn bytes(mut self, bytes: &[u8]) -> Self {
        self.0.update(&(bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
        self
    }

    /// Adds a code as it is written.
    #[must_use]
    pub fn code(self, code: &Code) -> Self {
        self.bytes(code.to_string().as_bytes())
    }

    /// Adds a list, after its length.
    ///
    /// ```
    /// use misere_census::stable_hasher::StableHasher;
    /// let hash = |numbers: &[u32]| {
    ///     let facts = StableHasher::of("example");
    ///     facts.list(numbers.iter(), |facts, &number| facts.number(number)).finish()
    /// };
    /// assert_ne!(hash(&[]), hash(&[0]));
    /// ```
    #[must_use]
    pub fn list<T>(
        self,
        items: impl ExactSizeIterator<Item = T>,
        add: impl Fn(Self, T) -> Self,
    ) -> Self {
        let start = self.number(items.len() as u64);
        items.fold(start, add)
    }

    /// Returns the hash.
    #[must_use]
    pub fn finish(self) -> [u8; 32] {
        *self.0.finalize().as_bytes()
    }
}
