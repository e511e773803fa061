//! The links between the pages.

use misere_game::bipartite::ClassKey;
use misere_game::bipartite::families::{name_of_class, printed_name};
use misere_game::ruleset::Code;

use misere_pictures::escaped;

use super::math::math;
use crate::request::params::encoded;

/// Returns the address of the page of a class.
pub(super) fn address_of(class: &ClassKey) -> String {
    format!("/class/{}", class.lasting_name())
}

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
        let href = address_of(class);
        let text = name.map_or_else(|| class.brief(), str::to_owned);
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
}
