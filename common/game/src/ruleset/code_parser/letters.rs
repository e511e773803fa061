//! The letters among the digits of a code that look like the digits 0 and 1.

use super::Code;

/// Returns the code that a reader may have meant by one in which a letter is a digit.
///
/// It has 0 for O, and 1 for I and l. `None` if the text has no such letter, or is not a game
/// either way.
///
/// ```
/// use misere_game::ruleset::digits_for_letters;
/// assert_eq!(digits_for_letters("O.77"), Some(('O', "0.77".parse()?)));
/// assert_eq!(digits_for_letters("0.77"), None);
/// # Ok::<(), misere_game::ruleset::CodeError>(())
/// ```
#[must_use]
pub fn digits_for_letters(text: &str) -> Option<(char, Code)> {
    let looks_like = |c: char| match c {
        'O' | 'o' => Some('0'),
        'I' | 'l' => Some('1'),
        _ => None,
    };
    let letter = text.chars().find(|&c| looks_like(c).is_some())?;
    let read: Code = text.parse().ok()?;
    // In names and words letters are letters.
    read.general()?;
    let digits: String = text.chars().map(|c| looks_like(c).unwrap_or(c)).collect();
    let meant: Code = digits.parse().ok()?;
    (meant != read).then_some((letter, meant))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_seen_where_they_are_digits() {
        let meant = |text: &str| digits_for_letters(text).map(|(c, code)| (c, code.to_string()));
        let said = |c: char, code: &str| Some((c, code.to_owned()));
        assert_eq!(meant("O.77"), said('O', "0.77"));
        assert_eq!(meant("o.77"), said('o', "0.77"));
        assert_eq!(meant("0.7l"), said('l', "0.71"));
        assert_eq!(meant(" 0.I "), said('I', "0.1"));
        assert_eq!(meant("0.[3O]"), said('O', "0.[30]"));
        for text in [
            "0.77",
            "0.V",
            "0.G",
            "nim",
            "laskersnim",
            "officers",
            "splittles(allbut 2)",
            "subtract(allbut 2)",
            "0.x",
            "l.77",
            "",
        ] {
            assert_eq!(meant(text), None, "{text}");
        }
    }
}
