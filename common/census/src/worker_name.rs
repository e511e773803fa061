//! The ways in which an operator names workers.

use crate::shown_text::visible;

/// Returns the part of a worker's name that identifies it over all connections.
///
/// It is the name in its certificate. Behind a slash follows what the worker calls itself.
///
/// ```
/// assert_eq!(misere_census::worker_name::certified("host-a/7"), "host-a");
/// ```
#[must_use]
pub fn certified(name: &str) -> &str {
    name.split('/').next().unwrap_or_default()
}

/// Reports whether an operator who writes `who` means the worker of this name and fingerprint.
///
/// `who` may be its name, as it is or as it is [shown](visible), the certified part of the name,
/// the fingerprint of its certificate, or a [pattern](is_pattern) for the name as it is shown.
///
/// Cost: the product of both lengths.
///
/// ```
/// use misere_census::worker_name::is_called;
/// assert!(is_called("host-a", "host-a/7", None));
/// assert!(is_called("host-?/*", "host-a/7", None));
/// assert!(is_called("*", "host-a/7", None));
/// assert!(!is_called("host", "host-a/7", None));
/// assert!(is_called("5c0f94d1a27be638", "host-a", Some("5c0f94d1a27be638")));
/// ```
#[must_use]
pub fn is_called(who: &str, name: &str, fingerprint: Option<&str>) -> bool {
    name == who
        || certified(name) == who
        || fingerprint == Some(who)
        || visible(name) == who
        || (is_pattern(who) && matches(who, &visible(name)))
}

/// Reports whether a text is a pattern, in which `*` is any text and `?` any character.
///
/// ```
/// use misere_census::worker_name::is_pattern;
/// assert!(is_pattern("host-*") && !is_pattern("host-a"));
/// ```
#[must_use]
pub fn is_pattern(who: &str) -> bool {
    who.contains(['*', '?'])
}

/// Matches a text by going back to the last `*` alone, so that no pattern takes exponential time.
fn matches(pattern: &str, text: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let text: Vec<char> = text.chars().collect();
    let (mut at, mut read) = (0, 0);
    // The place behind the last `*`, and the end of the text that it covers so far.
    let mut last: Option<(usize, usize)> = None;
    while read < text.len() {
        match (pattern.get(at), last) {
            (Some('*'), _) => {
                at += 1;
                last = Some((at, read));
            }
            (Some(&letter), _) if letter == '?' || letter == text[read] => {
                at += 1;
                read += 1;
            }
            (_, Some((behind, covered))) => {
                at = behind;
                read = covered + 1;
                last = Some((behind, read));
            }
            (_, None) => return false,
        }
    }
    pattern[at..].iter().all(|&letter| letter == '*')
}

#[cfg(test)]
mod tests {
    use super::matches;

    /// The definition, which may take exponential time.
    fn by_definition(pattern: &[char], text: &[char]) -> bool {
        match (pattern, text) {
            ([], []) => true,
            (['*', rest @ ..], _) => {
                (0..=text.len()).any(|covered| by_definition(rest, &text[covered..]))
            }
            ([letter, rest @ ..], [first, others @ ..]) => {
                (*letter == '?' || letter == first) && by_definition(rest, others)
            }
            _ => false,
        }
    }

    fn texts(letters: &str, length: usize) -> Vec<String> {
        let mut all = vec![String::new()];
        let mut begin = 0;
        for _ in 0..length {
            let end = all.len();
            for at in begin..end {
                all.extend(
                    letters
                        .chars()
                        .map(|letter| format!("{}{letter}", all[at]))
                        .collect::<Vec<_>>(),
                );
            }
            begin = end;
        }
        all
    }

    #[test]
    fn patterns_match_as_defined() {
        for pattern in texts("ab*?", 4) {
            for text in texts("ab", 4) {
                let chars = |text: &str| text.chars().collect::<Vec<_>>();
                let expected = by_definition(&chars(&pattern), &chars(&text));
                assert_eq!(matches(&pattern, &text), expected, "{pattern} {text}");
            }
        }
    }

    #[test]
    fn no_pattern_takes_exponential_time() {
        let pattern = "*a".repeat(2_000) + "b";
        assert!(!matches(&pattern, &"a".repeat(4_000)));
    }
}
