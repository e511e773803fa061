//! The addresses within a page, as they lead from file to file.
//!
//! The pages are our own templates: attributes are in double quotes, and neither texts nor
//! attributes contain `<`, `>` or `"` unescaped. So it suffices to walk from tag to tag.

use super::address::{DATA, Places, Target};

/// Rewrites the addresses of a page to lead to files.
///
/// Also returns the addresses of its pictures and documents. A link to something that the census
/// lacks loses its address. A link that needs a server is removed: with its whole line in a list,
/// with the whole line of a paragraph that begins with it, else with its text.
/// link with its text.
pub(super) fn rewritten(
    html: &str,
    address: &str,
    file: &str,
    places: &Places,
) -> (String, Vec<String>) {
    let mut page = Rewriting {
        from: address,
        up: "../".repeat(file.matches('/').count()),
        places,
        belonging: Vec::new(),
    };
    let mut written = String::with_capacity(html.len());
    let mut navigates = false;
    for line in html.split_inclusive('\n') {
        navigates = (navigates || line.starts_with("<nav")) && !line.starts_with("</nav");
        if navigates && line.starts_with("</ul>") {
            let here = match address == DATA {
                true => " aria-current=\"true\"",
                false => "",
            };
            let up = &page.up;
            written.push_str(&format!(
                "<li><a href=\"{up}data.html\"{here}>Data</a></li>\n"
            ));
        }
        if !page.is_for_a_server(line) {
            page.line(line, &mut written);
        }
    }
    page.belonging.sort_unstable();
    page.belonging.dedup();
    (written, page.belonging)
}

struct Rewriting<'a> {
    from: &'a str,
    /// The relative path from the directory of the file to the directory of all pages.
    up: String,
    places: &'a Places,
    belonging: Vec<String>,
}

impl Rewriting<'_> {
    /// Reports whether a line of a list, or a paragraph, begins with a link that needs a server.
    fn is_for_a_server(&self, line: &str) -> bool {
        let begins = ["<li><a href=\"", "<p><a href=\""];
        let address = begins.iter().find_map(|begin| line.strip_prefix(begin));
        let address = address.and_then(|rest| rest.split('"').next());
        address.is_some_and(|address| self.leads(address) == Target::Server)
    }

    fn leads(&self, address: &str) -> Target {
        match address.starts_with('/') {
            true => self.places.target(self.from, &unescaped(address)),
            // Within the page.
            false => Target::File(String::new(), address.to_owned()),
        }
    }

    fn line(&mut self, line: &str, written: &mut String) {
        let mut rest = line;
        while let Some(at) = rest.find('<') {
            written.push_str(&rest[..at]);
            let end = rest[at..].find('>').map_or(rest.len(), |end| at + end + 1);
            let (tag, behind) = (&rest[at..end], &rest[end..]);
            rest = match self.tag(tag) {
                Some(tag) => {
                    written.push_str(&tag);
                    behind
                }
                None => behind.split_once("</a>").map_or("", |(_, behind)| behind),
            };
        }
        written.push_str(rest);
    }

    /// Returns a tag with its address changed; `None` for a link to be left out with its text.
    fn tag(&mut self, tag: &str) -> Option<String> {
        for attribute in [" href=\"", " src=\"", " action=\""] {
            let Some((before, rest)) = tag.split_once(attribute) else {
                continue;
            };
            let (address, after) = rest.split_once('"')?;
            if !address.starts_with('/') {
                continue;
            }
            // The script of the search reads a form of conditions.
            if attribute == " action=\"" {
                return Some(format!(
                    "{before}{attribute}{}search.html\"{after}",
                    self.up
                ));
            }
            return match self.leads(address) {
                Target::File(file, behind) => {
                    let belongs = address.matches('/').count() == 3;
                    if belongs {
                        self.belonging.push(unescaped(address));
                    }
                    let to = escaped(&format!("{}{file}{behind}", self.up));
                    Some(format!("{before}{attribute}{to}\"{after}"))
                }
                Target::Nowhere => Some(format!("{before}{after}")),
                Target::Server => None,
            };
        }
        Some(tag.to_owned())
    }
}

/// Returns the value of an attribute without the escapes that templates write.
fn unescaped(value: &str) -> String {
    let plain = [
        ("&#38;", "&"),
        ("&#60;", "<"),
        ("&#62;", ">"),
        ("&#34;", "\""),
        ("&#39;", "'"),
    ];
    let mut text = value.replace("&amp;", "&");
    for (escape, sign) in plain {
        text = text.replace(escape, sign);
    }
    text
}

fn escaped(address: &str) -> String {
    address.replace('&', "&amp;").replace('"', "%22")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(html: &str, address: &str, file: &str) -> (String, Vec<String>) {
        rewritten(html, address, file, &Places::sample())
    }

    #[test]
    fn links_lead_to_files() {
        let html = "<a href=\"/game/0.77\" title=\"a\">0.77</a> <a href=\"/game/0.6\" title=\"b\">0.6</a> \
                    <a href=\"#here\">x</a> <img src=\"/class/c3/cayley.svg\" alt=\"y\">\n";
        let (page, belonging) = of(html, "/class/c3", "class/c3.html");
        assert_eq!(
            page,
            "<a href=\"../game/0.77.html\" title=\"a\">0.77</a> <a title=\"b\">0.6</a> \
             <a href=\"#here\">x</a> <img src=\"../class/c3.cayley.svg\" alt=\"y\">\n"
        );
        assert_eq!(belonging, ["/class/c3/cayley.svg"]);
    }

    #[test]
    fn links_that_need_a_server_are_left_out() {
        let html = "<nav aria-label=\"Pages\">\n<ul>\n<li><a href=\"/\">Chart</a></li>\n<li><a href=\"/live\">Live</a></li>\n</ul>\n</nav>\n\
                    <p><a href=\"/games.csv\">CSV</a> <a href=\"/api/v1/games\">This page as JSON</a></p>\n\
                    <form action=\"/games\" method=\"get\">\n<a href=\"/games?sort=order&#38;class=R_8\">order</a>\n";
        let (page, _) = of(html, "/games", "games.html");
        assert_eq!(
            page,
            "<nav aria-label=\"Pages\">\n<ul>\n<li><a href=\"index.html\">Chart</a></li>\n<li><a href=\"data.html\">Data</a></li>\n</ul>\n</nav>\n\
             <p><a href=\"games.csv\">CSV</a> </p>\n\
             <form action=\"search.html\" method=\"get\">\n<a href=\"search.html?sort=order&amp;class=R_8\">order</a>\n"
        );
    }
}
