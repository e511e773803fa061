//! The encoding of values on the wire and on disk.
//!
//! An encoding is a version byte, then postcard. Reading takes the whole input or refuses it: a
//! wrong version, a cut or malformed value and trailing bytes are typed errors (A-7).

use serde::Serialize;
use serde::de::DeserializeOwned;

/// The reason why bytes are not the value they should be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EncodingError {
    /// There are no bytes at all.
    #[error("the value is empty")]
    Empty,
    /// The value has another version of the form.
    #[error("version {found} of this form is not known here (known: {known})")]
    Version {
        /// The version byte found.
        found: u8,
        /// The version this program reads.
        known: u8,
    },
    /// The bytes after the version are not such a value.
    #[error("malformed value: {0}")]
    Malformed(postcard::Error),
    /// The value ends before the bytes do.
    #[error("{0} bytes too many after the value")]
    Trailing(usize),
}

/// The length of most values, so that few buffers have to grow while values are written.
const USUAL_BYTES: usize = 128;

/// Returns the bytes of a value in the given version of its form.
///
/// Cost: linear in the bytes.
///
/// ```
/// use misere_census::encoding::encode;
/// // The version, then a number of more than seven bits in two bytes.
/// assert_eq!(encode(1, &300_u32)?, [1, 0xac, 0x02]);
/// # Ok::<(), misere_census::EncodingError>(())
/// ```
///
/// # Errors
/// [`EncodingError::Malformed`] if the value cannot be written, which no type of this project does.
pub fn encode<T: Serialize>(version: u8, value: &T) -> Result<Vec<u8>, EncodingError> {
    let mut bytes = Vec::with_capacity(USUAL_BYTES);
    bytes.push(version);
    postcard::to_extend(value, bytes).map_err(EncodingError::Malformed)
}

/// Returns the value that bytes state in the given version of its form.
///
/// Cost: linear in the bytes.
///
/// ```
/// use misere_census::EncodingError;
/// use misere_census::encoding::decode;
/// assert_eq!(decode::<u32>(1, &[1, 0xac, 0x02])?, 300);
/// let other_version = EncodingError::Version { found: 2, known: 1 };
/// assert_eq!(decode::<u32>(1, &[2, 5]), Err(other_version));
/// assert_eq!(decode::<u32>(1, &[1, 5, 9]), Err(EncodingError::Trailing(1)));
/// # Ok::<(), EncodingError>(())
/// ```
///
/// # Errors
/// [`EncodingError`] if they do not state one.
pub fn decode<T: DeserializeOwned>(version: u8, bytes: &[u8]) -> Result<T, EncodingError> {
    let (&found, rest) = bytes.split_first().ok_or(EncodingError::Empty)?;
    if found != version {
        return Err(EncodingError::Version {
            found,
            known: version,
        });
    }
    let (value, rest) = postcard::take_from_bytes(rest).map_err(EncodingError::Malformed)?;
    if rest.is_empty() {
        Ok(value)
    } else {
        Err(EncodingError::Trailing(rest.len()))
    }
}

/// Reports whether bytes are those that [`encode`] makes of the value they state.
///
/// Numbers have no needless bytes, sets are in order, and names are written as here. It needs
/// almost no memory.
///
/// Cost: linear in the bytes.
///
/// ```
/// use misere_census::encoding::{decode, is_canonical};
/// let needless_byte = [1, 0x85, 0x00];
/// assert_eq!(decode::<u32>(1, &needless_byte)?, 5);
/// assert!(!is_canonical(1, &5_u32, &needless_byte));
/// assert!(is_canonical(1, &5_u32, &[1, 5]));
/// # Ok::<(), misere_census::EncodingError>(())
/// ```
#[must_use]
pub fn is_canonical<T: Serialize>(version: u8, value: &T, bytes: &[u8]) -> bool {
    let Some((&found, rest)) = bytes.split_first() else {
        return false;
    };
    let compared = ByteComparison { rest, same: true };
    let compared = postcard::to_extend(value, compared);
    found == version && compared.is_ok_and(|compared| compared.same && compared.rest.is_empty())
}

/// Bytes that are compared with others instead of being written.
struct ByteComparison<'a> {
    rest: &'a [u8],
    same: bool,
}

impl Extend<u8> for ByteComparison<'_> {
    fn extend<I: IntoIterator<Item = u8>>(&mut self, bytes: I) {
        for byte in bytes {
            match self.rest.split_first() {
                Some((&first, rest)) if first == byte => self.rest = rest,
                _ => self.same = false,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn versions_and_lengths_are_checked() {
        let bytes = encode(3, &(7_u32, "seven")).unwrap();
        assert_eq!(
            decode::<(u32, String)>(3, &bytes),
            Ok((7, "seven".to_owned()))
        );
        assert_eq!(
            decode::<(u32, String)>(4, &bytes),
            Err(EncodingError::Version { found: 3, known: 4 })
        );
        let mut longer = bytes.clone();
        longer.push(0);
        assert_eq!(
            decode::<(u32, String)>(3, &longer),
            Err(EncodingError::Trailing(1))
        );
        assert!(decode::<(u32, String)>(3, &bytes[..bytes.len() - 1]).is_err());
        assert_eq!(decode::<u8>(3, &[]), Err(EncodingError::Empty));
    }

    #[test]
    fn other_spellings_of_a_value_are_seen() {
        let value = (7_u32, "seven".to_owned());
        let bytes = encode(3, &value).unwrap();
        assert!(is_canonical(3, &value, &bytes));
        // 7 in two bytes.
        let long = [&[3, 0x87, 0], &bytes[2..]].concat();
        assert_eq!(decode::<(u32, String)>(3, &long).as_ref(), Ok(&value));
        assert!(!is_canonical(3, &value, &long));
        assert!(!is_canonical(4, &value, &bytes));
        for cut in 0..bytes.len() {
            assert!(!is_canonical(3, &value, &bytes[..cut]));
        }
        assert!(!is_canonical(3, &value, &[&bytes[..], &[0]].concat()));
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = decode::<(Vec<u32>, Option<String>)>(1, &bytes);
            let _ = decode::<misere_game::solution::Solution>(1, &bytes);
        }
    }
}
