//! Untrusted text in an error or a note: of bounded length, with invisible characters named.
//!
//! An argument, a path or a line of a file may hold characters that control a terminal, change the
//! direction of the text beside them, or have no width. The reader of the error would see nothing
//! wrong, or something other than what is there.

use std::fmt::Write;

/// The most characters of a word that are shown whole.
const LONG_WORD: usize = 1_000;

/// The most characters of an argument that are shown whole.
const LONG_ARGUMENT: usize = 200;

/// The number of characters shown of a long text.
const SHOWN: usize = 60;

/// The most characters of a line.
const LONG_LINE: usize = 20_000;

/// Returns a line with a name in place of each character that controls a terminal or is unseen.
///
/// Such a name is `U+200B`.
///
/// ```
/// use misere_census::shown_text::visible;
/// assert_eq!(visible("0.7\u{200b}7"), "0.7<U+200B>7");
/// assert_eq!(visible("\x1b[31mred\n"), "<U+001B>[31mred<U+000A>");
/// assert_eq!(visible("Φ(7) é 漢"), "Φ(7) é 漢");
/// ```
#[must_use]
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match is_unseen(c) {
            // Writing to a string never fails.
            true => write!(shown, "<U+{:04X}>", u32::from(c)).unwrap_or_default(),
            false => shown.push(c),
        }
    }
    shown
}

/// Reports whether a character controls a terminal, changes direction, or has no width and no form.
fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{00ad}' | '\u{034f}' | '\u{061c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// Returns a line with each long argument and each long word cut.
///
/// Cost: linear in the length of the line, once for each long argument.
///
/// ```
/// use misere_census::shown_text::shortened;
/// let long = "7".repeat(100_000);
/// let line = shortened(&format!("no number: '{long}'"), [long.as_str()]);
/// assert_eq!(line, format!("no number: '{}… (100000 characters)'", "7".repeat(60)));
/// ```
#[must_use]
pub fn shortened<'a>(line: &str, arguments: impl IntoIterator<Item = &'a str>) -> String {
    let mut line = line.to_owned();
    for argument in arguments {
        let value = argument.split_once('=').map(|(_, value)| value);
        for text in [Some(argument), value].into_iter().flatten() {
            if text.len() > LONG_ARGUMENT && text.chars().nth(LONG_ARGUMENT).is_some() {
                line = line.replace(text, &cut(text));
            }
        }
    }
    let words = line.split_inclusive(char::is_whitespace);
    let words = words.map(|word| match word.chars().nth(LONG_WORD) {
        None => word.to_owned(),
        Some(_) => {
            let end = word.trim_end();
            cut(end) + word.get(end.len()..).unwrap_or_default()
        }
    });
    let line: String = words.collect();
    match line.char_indices().nth(LONG_LINE) {
        None => line,
        Some((at, _)) => format!("{}…", line.get(..at).unwrap_or_default()),
    }
}

/// Returns the beginning of a long text, and its length.
fn cut(text: &str) -> String {
    let begin: String = text.chars().take(SHOWN).collect();
    format!("{begin}… ({} characters)", text.chars().count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_texts_stay() {
        let line = "error: `a b` is not --here=c  d\n";
        assert_eq!(shortened(line, ["a b", "--here=c"]), line);
        assert_eq!(shortened("", []), "");
    }

    #[test]
    fn long_texts_are_cut_anywhere() {
        let value = "x y".repeat(1_000);
        let argument = format!("--codes={value}");
        let line = shortened(&format!("'{value}' of {argument}"), [argument.as_str()]);
        assert!(line.len() < 400, "{line}");
        assert!(line.contains("(3000 characters)"), "{line}");
        // A part of an argument that is not one of the arguments.
        let part = "é".repeat(5_000);
        let line = shortened(&format!("a {part} b"), []);
        assert_eq!(line, format!("a {}… (5000 characters) b", "é".repeat(60)));
        assert!(shortened(&"a ".repeat(100_000), []).chars().count() <= LONG_LINE + 1);
    }
}
