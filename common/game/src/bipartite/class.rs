//! Keys of isomorphism classes of bipartite monoids.
//!
//! The key is the hash of the canonical form ([`super::canonical`]): one class, one key (invariant
//! A-6).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::BipartiteMonoid;

/// The key of an isomorphism class: the hash of the canonical form.
///
/// It is written as 64 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ClassKey(pub [u8; 32]);

/// A text that is not 64 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a class key is 64 hexadecimal digits")]
pub struct ClassKeyError;

/// The number of bytes of [`ClassKey::short`].
const SHORT: usize = 4;

impl ClassKey {
    /// Returns the first eight digits, which distinguish the classes of a census.
    ///
    /// ```
    /// use misere_game::bipartite::families::tame;
    /// let class = tame(2).class_key();
    /// assert_eq!(class.short(), "5c5c173a");
    /// assert!(class.to_string().starts_with(&class.short()));
    /// ```
    #[must_use]
    pub fn short(&self) -> String {
        let bytes = self.0[..SHORT].iter();
        bytes.map(|byte| format!("{byte:02x}")).collect()
    }
}

impl fmt::Display for ClassKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl FromStr for ClassKey {
    type Err = ClassKeyError;
    fn from_str(text: &str) -> Result<Self, ClassKeyError> {
        if text.len() != 64 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(ClassKeyError);
        }
        let mut key = [0; 32];
        for (byte, at) in key.iter_mut().zip((0..).step_by(2)) {
            *byte = u8::from_str_radix(&text[at..at + 2], 16).map_err(|_| ClassKeyError)?;
        }
        Ok(Self(key))
    }
}

impl From<ClassKey> for String {
    fn from(key: ClassKey) -> Self {
        key.to_string()
    }
}

impl TryFrom<String> for ClassKey {
    type Error = ClassKeyError;
    fn try_from(text: String) -> Result<Self, ClassKeyError> {
        text.parse()
    }
}

/// Returns the hash of the order, the number of generators, their rows, and the sorted P-portion.
pub(super) fn key_of_tables(monoid: &BipartiteMonoid) -> ClassKey {
    let mut hasher = blake3::Hasher::new();
    hasher.update(b"misere-census bipartite monoid 1");
    let mut bytes = Vec::with_capacity(4 * monoid.order().max(2));
    let mut take = |entries: &mut dyn Iterator<Item = u32>| {
        bytes.clear();
        entries.for_each(|entry| bytes.extend_from_slice(&entry.to_le_bytes()));
        hasher.update(&bytes);
    };
    take(&mut [monoid.order() as u32, monoid.generators() as u32].into_iter());
    for row in monoid.action() {
        take(&mut row.iter().copied());
    }
    take(&mut monoid.p_portion().iter());
    ClassKey(*hasher.finalize().as_bytes())
}
