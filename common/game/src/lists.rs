//! Lists read from untrusted input, in memory proportional to the bytes of the input.
//!
//! Lists of numbers of any length are read with a quarter of room to spare ([`snug`]), so that a
//! number of one byte on the wire takes five bytes here. An entry that is a list itself may take
//! more memory than its bytes in the input, so the number of such entries is limited ([`at_most`]).

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};

/// The capacity allocated at once for a list whose length is only announced.
const AT_ONCE: usize = 1 << 12;

/// Reads a list of small entries, of any length.
pub fn snug<'de, D, T>(from: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    at_most::<{ usize::MAX }, D, T>(from)
}

/// Reads a list of at most `LIMIT` entries.
pub fn at_most<'de, const LIMIT: usize, D, T>(from: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    from.deserialize_seq(List::<LIMIT, T>(PhantomData))
}

struct List<const LIMIT: usize, T>(PhantomData<T>);

impl<'de, const LIMIT: usize, T: Deserialize<'de>> Visitor<'de> for List<LIMIT, T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Self::Value, A::Error> {
        let announced = from.size_hint().unwrap_or(0);
        let too_many = || A::Error::custom(format_args!("a list of more than {LIMIT} entries"));
        if announced > LIMIT {
            return Err(too_many());
        }
        let mut list = Vec::new();
        list.reserve_exact(announced.min(AT_ONCE));
        while let Some(entry) = from.next_element()? {
            if list.len() == LIMIT {
                return Err(too_many());
            }
            if list.len() == list.capacity() {
                list.reserve_exact(room_after(list.len(), announced));
            }
            list.push(entry);
        }
        Ok(list)
    }
}

/// Returns the capacity to add to a full list: a quarter of its length, at most what is announced.
fn room_after(length: usize, announced: usize) -> usize {
    let more = (length / 4).max(4);
    match announced.checked_sub(length) {
        Some(left) if left > 0 => more.max(AT_ONCE).min(left),
        _ => more,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(serde::Deserialize)]
    struct Lists {
        #[serde(deserialize_with = "snug")]
        numbers: Vec<u32>,
        #[serde(deserialize_with = "at_most::<2, _, _>")]
        words: Vec<Vec<u32>>,
    }

    #[test]
    fn lists_are_read_whole_and_snugly() {
        let numbers: Vec<u32> = (0..100_000).map(|n| n % 100).collect();
        let text = serde_json::json!({ "numbers": numbers, "words": [[1], []] }).to_string();
        let lists: Lists = serde_json::from_str(&text).unwrap();
        assert_eq!(lists.numbers, numbers);
        assert_eq!(lists.words, [vec![1], vec![]]);
        assert!(lists.numbers.capacity() <= numbers.len() + numbers.len() / 4 + AT_ONCE);
    }

    #[test]
    fn lists_that_are_too_long_are_refused() {
        let text = r#"{"numbers":[],"words":[[],[],[]]}"#;
        let error = serde_json::from_str::<Lists>(text).err().unwrap();
        assert!(error.to_string().contains("more than 2 entries"), "{error}");
    }

    /// Adds capacity as entries come, in steps that grow with the list.
    ///
    /// It never exceeds what is announced.
    #[test]
    fn room_is_made_as_entries_come() {
        assert_eq!(room_after(0, 0), 4);
        assert_eq!(room_after(1 << 20, 0), 1 << 18);
        assert_eq!(room_after(1 << 20, (1 << 20) + 7), 7);
        assert_eq!(room_after(AT_ONCE, usize::MAX), AT_ONCE);
        assert_eq!(room_after(1 << 20, usize::MAX), 1 << 18);
    }
}
