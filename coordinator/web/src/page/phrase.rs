//! The reading of phrases that describe games.
//!
//! The search box accepts conditions on games in everyday words: `order 20`, `wild solved period
//! 2`, `|P| = 5`, `R_8 infinite`. Words become the parameters of the list of games, which finally
//! decides whether they make sense.

use misere_census::Status;
use misere_game::bipartite::families::{by_name, printed_name};

use misere_query::{CodePattern, Field, Span, Tameness};

/// Words that carry no condition.
pub(crate) const FILLERS: [&str; 14] = [
    "and", "with", "of", "is", "the", "a", "an", "that", "are", "in", "game", "games", "all",
    "quotient",
];

/// Words for a status, beside its name.
pub(crate) const STATUSES: [(&str, Status); 5] = [
    ("diverging", Status::Diverges),
    ("divergent", Status::Diverges),
    ("growing", Status::Grows),
    ("tamerelative", Status::TameRelative),
    ("relative", Status::TameRelative),
];

/// A parameter of the list of games and its value.
type QueryParam = (&'static str, String);

/// Returns the parameters that the words represent.
///
/// Returns `None` if none of the words is understood, and the first unknown word if others are.
pub(super) fn conditions(text: &str) -> Option<Result<Vec<QueryParam>, String>> {
    let words = words(text);
    let mut asked: Vec<QueryParam> = Vec::new();
    let mut unknown = None;
    let mut at = 0;
    while let Some(word) = words.get(at) {
        at += 1;
        if FILLERS.contains(&word.as_str()) {
            continue;
        }
        if let Some(field) = Field::with_ranges().find(|field| field.is_called(word)) {
            let (span, next) = span(&words, at);
            match span {
                Some(span) => {
                    asked.push((field.name(), span));
                    at = next;
                }
                None => {
                    unknown = unknown.or(Some(format!("{word}, which needs a number behind it")))
                }
            }
            continue;
        }
        match condition(word) {
            Some(condition) => asked.push(condition),
            None => unknown = unknown.or(Some(word.clone())),
        }
    }
    match (asked.is_empty(), unknown) {
        (true, _) => None,
        (false, Some(unknown)) => Some(Err(unknown)),
        (false, None) => Some(Ok(joined(asked))),
    }
}

/// Splits a text into words in lower case, except names of quotients and codes.
///
/// Signs of comparison stay with their number.
fn words(text: &str) -> Vec<String> {
    // The sign `=` alone means nothing; within these it does.
    let text = text.replace(">=", "≥").replace("<=", "≤");
    let apart: String = text
        .chars()
        .map(|c| match c {
            '=' | ':' | ',' | ';' | '&' | '∧' | '(' | ')' => ' ',
            c => c,
        })
        .collect();
    let mut words: Vec<String> = Vec::new();
    for word in apart.split_whitespace() {
        // `order>6` are two words, `> 6` is one.
        let begins = word.find(['<', '>', '≤', '≥']).filter(|&at| at > 0);
        let (first, rest) = word.split_at(begins.unwrap_or(word.len()));
        for part in [first, rest].into_iter().filter(|part| !part.is_empty()) {
            words.push(part.to_lowercase());
        }
    }
    words
}

/// Returns the span that the words from `at` on describe, and the place behind it.
fn span(words: &[String], at: usize) -> (Option<String>, usize) {
    const MAX_WORDS: usize = 4;
    let at = at
        + usize::from(
            words
                .get(at)
                .is_some_and(|word| word == "of" || word == "is"),
        );
    let end = words.len().min(at + MAX_WORDS);
    // The longest span counts.
    for end in (at + 1..=end).rev() {
        let text = words[at..end]
            .join(" ")
            .replace("to", "..")
            .replace(' ', "");
        if let Ok(span) = text.parse::<Span>() {
            return (Some(span.to_string()), end);
        }
    }
    (None, at)
}

/// Returns the condition that a single word represents.
fn condition(word: &str) -> Option<QueryParam> {
    if let Some(tame) = Tameness::ALL.into_iter().find(|tame| tame.name() == word) {
        return Some(("tame", tame.name().to_owned()));
    }
    let other = STATUSES.iter().find(|(name, _)| *name == word);
    if let Some(status) = word.parse().ok().or(other.map(|(_, status)| *status)) {
        let status: Status = status;
        return Some(("status", status.name().to_owned()));
    }
    if let Some(name) = printed_name(word).filter(|name| by_name(name).is_ok()) {
        return Some(("class", name));
    }
    match word.parse() {
        Ok(pattern @ CodePattern::Like { .. }) => Some(("code", pattern.to_string())),
        _ => None,
    }
}

/// Returns the parameters with several statuses joined into one.
fn joined(asked: Vec<QueryParam>) -> Vec<QueryParam> {
    let mut joined: Vec<QueryParam> = Vec::new();
    for (name, value) in asked {
        match joined.iter_mut().find(|(other, _)| *other == name) {
            Some((_, values)) if name == "status" => values.push_str(&format!(",{value}")),
            // Given twice, the later counts.
            Some((_, values)) => *values = value,
            None => joined.push((name, value)),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        let conditions = conditions(text).unwrap_or_else(|| panic!("{text}"));
        let conditions = conditions.unwrap_or_else(|unknown| panic!("{text}: {unknown}"));
        let set = conditions
            .iter()
            .map(|(name, value)| format!("{name}={value}"));
        set.collect::<Vec<_>>().join("&")
    }

    #[test]
    fn conditions_are_read_as_people_say_them() {
        for (message, asked) in [
            ("order 20", "order=20"),
            ("Order = 20", "order=20"),
            ("order: 8..40", "order=8..40"),
            ("order 8 to 40", "order=8..40"),
            ("order>6", "order=7.."),
            ("order >= 6", "order=6.."),
            ("order≤40", "order=..40"),
            ("|P| = 5", "p-size=5"),
            ("period 12", "period=12"),
            ("wild", "tame=wild"),
            ("Wild, solved; period 2", "tame=wild&status=solved&period=2"),
            ("infinite diverges", "status=infinite,diverges"),
            ("growing games", "status=grows"),
            ("solved games with quotient R_8", "status=solved&class=R_8"),
            ("r8 solved", "class=R_8&status=solved"),
            (
                "0.[0-3]?? wild order 8-20",
                "code=0.[0-3]??&tame=wild&order=8..20",
            ),
            ("diverges-at 10..20", "diverges-at=10..20"),
        ] {
            assert_eq!(read(message), asked, "{message}");
        }
    }

    #[test]
    fn every_field_is_understood() {
        for field in Field::with_ranges() {
            let name = field.name();
            assert_eq!(read(&format!("{name} 3..5")), format!("{name}=3..5"));
        }
    }

    #[test]
    fn an_unknown_word_is_named() {
        assert_eq!(conditions("what is this"), None);
        assert_eq!(conditions(""), None);
        assert_eq!(conditions("wild beasts"), Some(Err("beasts".to_owned())));
        let order = conditions("wild order twenty").unwrap().unwrap_err();
        assert!(order.contains("needs a number"), "{order}");
    }
}
