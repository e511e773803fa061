//! The frame around every page.

use misere_store::Store;

use super::assets;
use crate::view::site::Site;

/// The frame around a page.
#[derive(Clone, Debug)]
pub(crate) struct Shell {
    /// The title of the page.
    pub(crate) title: String,
    /// The address of the part of the site that is shown.
    pub(crate) part: &'static str,
    /// The text in the search box.
    pub(crate) query: String,
    /// Whether the site has the solver for browsers.
    pub(crate) solves: bool,
    /// The name of the census, if it could be read.
    pub(crate) census: Option<About>,
}

/// The name and the size of the census that is shown.
#[derive(Clone, Debug)]
pub(crate) struct About {
    has_games: bool,
    pub(crate) space: String,
    pub(crate) plan: String,
    pub(crate) tasks: u64,
    pub(crate) records: u64,
}

impl About {
    fn of(store: &Store) -> Self {
        let counters = store.counters();
        Self {
            has_games: store.plan().space().has_games(),
            space: store.plan().space().to_string(),
            plan: store.plan().id().to_string(),
            tasks: counters.tasks,
            records: counters.records(),
        }
    }
}

impl Shell {
    /// Returns the frame around a page about a census.
    pub(crate) fn of(
        site: &Site,
        store: &Store,
        part: &'static str,
        title: impl Into<String>,
    ) -> Self {
        Self {
            solves: site.browser_solver().is_some(),
            title: title.into(),
            part,
            query: String::new(),
            census: Some(About::of(store)),
        }
    }

    /// Returns the frame around a page that is not about a census.
    pub(crate) fn bare(title: &str) -> Self {
        Self {
            title: title.to_owned(),
            part: "",
            query: String::new(),
            solves: false,
            census: None,
        }
    }

    pub(crate) fn style(&self) -> &'static str {
        assets::style()
    }

    pub(crate) fn script(&self) -> &'static str {
        assets::script()
    }

    pub(crate) fn icon(&self) -> &'static str {
        assets::icon()
    }

    /// Returns the address of the source, if the release has one.
    pub(crate) fn source(&self) -> Option<&'static str> {
        misere_report::citation::address()
    }

    /// Returns the text in the empty search box.
    pub(crate) fn placeholder(&self) -> String {
        crate::view::examples::placeholder()
    }

    /// Returns the parts of the site, with their addresses.
    pub(crate) fn parts(&self) -> Vec<(&'static str, &'static str)> {
        let games = self.census.as_ref().is_none_or(|census| census.has_games);
        let parts = [
            (games, "/", "Chart"),
            (games, "/games", "Games"),
            (true, "/quotients", "Quotients"),
            (games, "/open", "Open"),
            (self.solves, "/solve", "Solve"),
            (games, "/calculator", "Calculator"),
            (true, "/live", "Live"),
            (true, "/glossary", "Glossary"),
            (true, "/about", "About"),
            (true, "/api", "API"),
        ];
        let there = parts.into_iter().filter(|(is_there, ..)| *is_there);
        there.map(|(_, address, name)| (address, name)).collect()
    }
}

/// Returns a number with its thousands separated by narrow blanks.
pub(crate) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut apart = String::new();
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            apart.push('\u{202f}');
        }
        apart.push(digit);
    }
    apart
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_stand_apart() {
        assert_eq!(thousands(7), "7");
        assert_eq!(thousands(1234), "1\u{202f}234");
        assert_eq!(thousands(10_000_000), "10\u{202f}000\u{202f}000");
    }
}
