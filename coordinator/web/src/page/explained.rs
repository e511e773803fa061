//! The meanings of the terms of a page, which open beside the term.
//!
//! A term is a link to the glossary. The page has the meanings of its terms as closed popovers, and
//! the script opens them; without the script the link leads to the glossary.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::glossary::TERMS;
use super::math::with_code;

/// The beginning of a link to a term.
const LINK: &str = "href=\"/glossary#";

/// The end of the pages, before which the meanings are inserted.
const END: &str = "</body>";

/// Returns a page with the meanings of the terms that it links to.
pub(super) fn with_meanings(mut page: String) -> String {
    let linked: BTreeSet<&str> = page
        .split(LINK)
        .skip(1)
        .filter_map(|after| after.split('"').next())
        .collect();
    let mut meanings = String::new();
    for term in TERMS.iter().filter(|term| linked.contains(term.anchor)) {
        let (anchor, word) = (term.anchor, with_code(term.word));
        let means = with_code(term.means);
        let _ = writeln!(
            meanings,
            "<div class=\"explained\" id=\"term-{anchor}\" popover role=\"dialog\" \
             aria-labelledby=\"word-{anchor}\" tabindex=\"-1\" autofocus>\
             <p id=\"word-{anchor}\">{word}</p><p>{means}</p>\
             <p><a href=\"/glossary#{anchor}\">Glossary</a></p></div>"
        );
    }
    if let Some(end) = page.rfind(END) {
        page.insert_str(end, &meanings);
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_the_meaning_of_each_of_its_terms_once() {
        let link = |anchor: &str| format!("<a class=\"term\" href=\"/glossary#{anchor}\">x</a>");
        let page = format!(
            "<body>{}{}{}</body>",
            link("order"),
            link("kernel"),
            link("order")
        );
        let explained = with_meanings(page.clone());
        assert!(explained.starts_with(page.trim_end_matches(END)));
        assert_eq!(explained.matches("popover").count(), 2);
        assert_eq!(explained.matches("id=\"term-order\"").count(), 1);
        assert_eq!(with_meanings("<body></body>".to_owned()), "<body></body>");
    }
}
