//! The bytes under which a code is stored.

use misere_game::ruleset::Code;

/// The first byte of the key of a game without a take-and-break code: greater than every `d_0`.
const OTHER_GAME: u8 = u8::MAX;

/// Returns the key of a code; keys ascend as codes do.
///
/// For a take-and-break code it is `d_0`, the number of digits, and the digits. For another game it
/// is a mark, the length of its text in four bytes, and the text.
///
/// Cost: linear in the digits, or in the text.
///
/// ```
/// use misere_census::frozen::code_key;
/// assert_eq!(code_key(&"0.77".parse()?), [0, 2, 7, 7]);
/// assert_eq!(code_key(&"4.4".parse()?), [4, 1, 4]);
/// # Ok::<(), misere_game::ruleset::CodeError>(())
/// ```
#[must_use]
pub fn code_key(code: &Code) -> Vec<u8> {
    if !code.is_take_and_break() {
        let text = code.to_string();
        let mut key = vec![OTHER_GAME];
        key.extend((text.len() as u32).to_be_bytes());
        key.extend(text.bytes());
        return key;
    }
    // A code has at most 255 digits, so its length fits in one byte.
    let length = code.length();
    let mut key = vec![code.digit(0), length as u8];
    key.extend((1..=length).map(|j| code.digit(j)));
    key
}

/// Returns the code of such a key; `None` if it has none.
///
/// Cost: linear in the bytes.
///
/// ```
/// use misere_census::frozen::code_of;
/// assert_eq!(code_of(&[0, 2, 7, 7]), Some("0.77".parse()?));
/// assert_eq!(code_of(&[]), None);
/// # Ok::<(), misere_game::ruleset::CodeError>(())
/// ```
#[must_use]
pub fn code_of(key: &[u8]) -> Option<Code> {
    let (&d0, rest) = key.split_first()?;
    if d0 == OTHER_GAME {
        return std::str::from_utf8(rest.get(4..)?).ok()?.parse().ok();
    }
    Code::new(d0, rest.get(1..)?)
}

#[cfg(test)]
mod tests {
    use misere_game::ruleset::games_born_by;

    use super::*;
    use crate::Space;

    #[test]
    fn code_keys_ascend_as_codes_do() {
        let mut codes = Space::Octal { digits: 3 }.codes();
        codes.extend(games_born_by(4).into_iter().map(Code::from));
        codes.extend([Code::grundy(), Code::new(12, &[15, 0, 15]).unwrap()]);
        codes.sort();
        let keys: Vec<_> = codes.iter().map(code_key).collect();
        assert!(keys.windows(2).all(|pair| pair[0] < pair[1]));
        for (code, key) in codes.iter().zip(&keys) {
            assert_eq!(code_of(key).as_ref(), Some(code));
        }
    }
}
