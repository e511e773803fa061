//! The links between the pages.

use misere_game::bipartite::ClassKey;
use misere_game::bipartite::families::{name_of_class, printed_name};
use misere_game::ruleset::Code;

use misere_pictures::escaped;

use super::math::math;

/// The number of digits of a class that are shown where its name must be short.
const SHORT_KEY: usize = 8;

/// A link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Link {
    /// The address.
    pub(crate) href: String,
    /// The text of the link.
    pub(crate) text: String,
}

impl Link {
    /// Returns the link to a game.
    pub(crate) fn to_game(code: &Code) -> Self {
        let text = code.to_string();
        let href = format!("/game/{}", encoded(&text));
        Self { href, text }
    }

    /// Returns the link to a class, which may have a name.
    pub(crate) fn to_class(class: &ClassKey, name: Option<&str>) -> Self {
        let href = format!("/class/{class}");
        let text = name.map_or_else(|| short(class), str::to_owned);
        Self { href, text }
    }
}

impl Link {
    /// Returns the link to a class of this order and size of P, by its name if it has one.
    pub(crate) fn to_class_of(class: &ClassKey, order: u32, p_size: u32) -> Self {
        Self::to_class(
            class,
            name_of_class(order as usize, p_size as usize, class).as_deref(),
        )
    }

    /// Returns the text of the link as HTML.
    ///
    /// Names of quotients have their indices lowered; other texts stay as they are.
    pub(crate) fn set(&self) -> String {
        match printed_name(&self.text) {
            Some(name) if name == self.text => math(&self.text),
            _ => escaped(&self.text),
        }
    }
}

/// Returns the first digits of a class.
pub(crate) fn short(class: &ClassKey) -> String {
    class.to_string().chars().take(SHORT_KEY).collect()
}

/// Encodes a text as a part of an address (RFC 3986).
pub(crate) fn encoded(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                encoded.push(char::from(byte));
            }
            _ => encoded.push_str(&format!("%{byte:02X}")),
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_set_and_keys_are_left_alone() {
        let link = |text: &str| Link {
            href: String::new(),
            text: text.to_owned(),
        };
        assert_eq!(link("S'_12").set(), "S'<sub>12</sub>");
        assert_eq!(link("ca78a031").set(), "ca78a031");
        assert_eq!(link("0.77").set(), "0.77");
        assert_eq!(link("<b>").set(), "&lt;b&gt;");
    }

    #[test]
    fn games_of_all_kinds_have_an_address() {
        assert_eq!(encoded("0.123"), "0.123");
        assert_eq!(encoded("{{*2,0},*2}"), "%7B%7B%2A2%2C0%7D%2C%2A2%7D");
        assert_eq!(encoded("a/b?c#ü"), "a%2Fb%3Fc%23%C3%BC");
    }
}
