//! Checks of a page's HTML.
//!
//! The tokenizer of the HTML standard must find nothing wrong; on top of that every element is
//! closed where it was opened, is where it may be, and serves people who do not see the page or do
//! not use a mouse. Nothing may be fetched from elsewhere.

use std::collections::{BTreeMap, BTreeSet};

use html5gum::{Token, Tokenizer};

/// Sites to which a link may lead that is not followed.
const ELSEWHERE: [&str; 2] = ["https://arxiv.org/abs/", "https://oeis.org/search?"];

const VOID: [&str; 8] = ["br", "hr", "img", "input", "link", "meta", "col", "wbr"];

/// The elements that a `p` cannot hold.
const BLOCKS: [&str; 22] = [
    "address",
    "article",
    "aside",
    "blockquote",
    "details",
    "div",
    "dl",
    "fieldset",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "header",
    "main",
    "nav",
    "ol",
    "p",
    "section",
    "table",
    "ul",
];

/// Parents that some elements must have.
const PARENTS: [(&str, &[&str]); 14] = [
    ("li", &["ul", "ol"]),
    ("dt", &["dl"]),
    ("dd", &["dl"]),
    ("tr", &["thead", "tbody"]),
    ("td", &["tr"]),
    ("th", &["tr"]),
    ("thead", &["table"]),
    ("tbody", &["table"]),
    ("caption", &["table"]),
    ("option", &["select"]),
    ("legend", &["fieldset"]),
    ("figcaption", &["figure"]),
    ("summary", &["details"]),
    ("title", &["head"]),
];

/// A page that has passed the checks.
#[derive(Debug, Default)]
pub(crate) struct PageContents {
    /// The targets of its links, pictures and scripts included.
    pub(crate) links: BTreeSet<String>,
    /// The number of elements of each kind.
    pub(crate) elements: BTreeMap<String, usize>,
    /// All text.
    pub(crate) text: String,
    /// The examples in empty fields: the target of the form, the name of the field, the example.
    pub(crate) examples: Vec<(String, String, String)>,
}

#[derive(Default)]
struct Checker {
    /// Whether links lead from file to file, not from the root of a server.
    is_file: bool,
    open: Vec<String>,
    faults: Vec<String>,
    ids: BTreeSet<String>,
    referred: BTreeSet<String>,
    headings: Vec<u8>,
    /// The target of the open form.
    action: String,
    page: PageContents,
}

/// Checks a page; returns all its faults if there are any.
pub(crate) fn check(html: &str) -> Result<PageContents, Vec<String>> {
    checked(html, Checker::default())
}

/// Checks a page of a folder of files, whose links lead from file to file.
pub(crate) fn check_file(html: &str) -> Result<PageContents, Vec<String>> {
    let is_file = true;
    checked(
        html,
        Checker {
            is_file,
            ..Checker::default()
        },
    )
}

fn checked(html: &str, mut checker: Checker) -> Result<PageContents, Vec<String>> {
    if !html.starts_with("<!DOCTYPE html>\n<html lang=\"en\">") {
        checker.fault("it does not begin as a page");
    }
    for token in Tokenizer::new(html) {
        match token.unwrap() {
            Token::StartTag(tag) => {
                let name = text(&tag.name);
                let attributes = tag.attributes.iter();
                let attributes = attributes.map(|(name, value)| (text(name), text(&value.value)));
                checker.start(name, &attributes.collect());
            }
            Token::EndTag(tag) => checker.end(&text(&tag.name)),
            Token::String(string) => checker.page.text.push_str(&text(&string.value)),
            Token::Error(error) => checker.fault(&format!("{:?}", error.value)),
            Token::Comment(_) | Token::Doctype(_) => {}
        }
    }
    checker.finish()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

impl Checker {
    fn fault(&mut self, what: &str) {
        self.faults
            .push(format!("in {}: {what}", self.open.join(" ")));
    }

    fn start(&mut self, name: String, attributes: &BTreeMap<String, String>) {
        *self.page.elements.entry(name.clone()).or_default() += 1;
        let is_open = |wanted: &str| self.open.iter().any(|open| open == wanted);
        let faults = [
            (
                BLOCKS.contains(&name.as_str()) && is_open("p"),
                "a block within a paragraph",
            ),
            (
                ["a", "button"].contains(&name.as_str()) && (is_open("a") || is_open("button")),
                "a link within a link",
            ),
            (name == "form" && is_open("form"), "a form within a form"),
            (
                name == "img" && !attributes.contains_key("alt"),
                "a picture without words",
            ),
            (
                name == "th" && !attributes.contains_key("scope"),
                "a heading of nothing",
            ),
            (attributes.contains_key("style"), "style within the page"),
            (
                attributes.keys().any(|name| name.starts_with("on")),
                "a script within the page",
            ),
            (name == "style", "style within the page"),
            (
                name == "script" && !attributes.contains_key("src"),
                "a script within the page",
            ),
            (
                name == "input"
                    && !is_open("label")
                    && !attributes.contains_key("id")
                    && attributes.get("type").is_none_or(|kind| kind != "hidden"),
                "a field without a label",
            ),
        ];
        for (_, what) in faults.iter().filter(|(is, _)| *is) {
            self.fault(&format!("<{name}>: {what}"));
        }
        let parent = self.open.last().map(String::as_str);
        if let Some((_, parents)) = PARENTS.iter().find(|(child, _)| *child == name)
            && !parent.is_some_and(|parent| parents.contains(&parent))
        {
            self.fault(&format!("<{name}> within {parent:?}"));
        }
        if let Some(id) = attributes.get("id")
            && !self.ids.insert(id.clone())
        {
            self.fault(&format!("two things have the id {id}"));
        }
        let refers = ["for", "aria-labelledby", "aria-describedby"];
        let refers = refers.iter().filter_map(|name| attributes.get(*name));
        self.referred.extend(refers.cloned());
        for link in ["href", "src", "action"]
            .iter()
            .filter_map(|name| attributes.get(*name))
        {
            match link.strip_prefix('#') {
                Some(id) => drop(self.referred.insert(id.to_owned())),
                None if name == "a" && ELSEWHERE.iter().any(|site| link.starts_with(site)) => {}
                None if self.is_file != link.starts_with('/') && !link.starts_with("//") => {
                    self.page.links.insert(link.clone());
                }
                None => self.fault(&format!("{link} leads elsewhere")),
            }
        }
        if name == "form" {
            self.action = attributes.get("action").cloned().unwrap_or_default();
        }
        if let (Some(field), Some(example)) =
            (attributes.get("name"), attributes.get("placeholder"))
        {
            let example = (self.action.clone(), field.clone(), example.clone());
            self.page.examples.push(example);
        }
        if let [b'h', level @ b'1'..=b'6'] = name.as_bytes() {
            self.headings.push(level - b'0');
        }
        if !VOID.contains(&name.as_str()) {
            self.open.push(name);
        }
    }

    fn end(&mut self, name: &str) {
        match self.open.last() {
            Some(open) if open == name => drop(self.open.pop()),
            _ => self.fault(&format!("</{name}> closes nothing")),
        }
    }

    fn finish(mut self) -> Result<PageContents, Vec<String>> {
        if !self.open.is_empty() {
            self.fault("something is left open");
        }
        let unknown: Vec<String> = self.referred.difference(&self.ids).cloned().collect();
        if !unknown.is_empty() {
            self.fault(&format!("nothing has the ids {unknown:?}"));
        }
        let firsts = self.headings.iter().filter(|&&level| level == 1).count();
        let leaps = self.headings.windows(2).any(|pair| pair[1] > pair[0] + 1);
        if firsts != 1 || self.headings.first() != Some(&1) || leaps {
            self.fault(&format!("headings of levels {:?}", self.headings));
        }
        let elements = self.page.elements.clone();
        let count = |name: &str| elements.get(name).copied().unwrap_or(0);
        if count("table") != count("caption") {
            self.fault("a table without a caption");
        }
        for once in ["title", "main", "header", "footer", "nav"] {
            if count(once) != 1 {
                self.fault(&format!("{} times <{once}>", count(once)));
            }
        }
        match self.faults.is_empty() {
            true => Ok(self.page),
            false => Err(self.faults),
        }
    }
}

#[test]
fn bad_pages_are_found_bad() {
    let page = |body: &str| {
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\"><head><title>t</title></head><body><header><nav></nav></header><main><h1>h</h1>{body}</main><footer></footer></body></html>"
        )
    };
    assert!(check(&page("<p>good <a href=\"/x\">x</a></p>")).is_ok());
    for bad in [
        "<p><div></div></p>",
        "<p>a",
        "<ul><p></p></ul></div>",
        "<li></li>",
        "<img src=\"/a\">",
        "<a href=\"https://elsewhere\">x</a>",
        "<a href=\"//elsewhere\">x</a>",
        "<p style=\"color:red\">x</p>",
        "<p onclick=\"x\">x</p>",
        "<script>x</script>",
        "<p id=\"a\">x</p><p id=\"a\">y</p>",
        "<a href=\"#nowhere\">x</a>",
        "<h3>x</h3>",
        "<h1>x</h1>",
        "<table><tbody><tr><td></td></tr></tbody></table>",
        "<p>&nosuch;</p>",
        "<p a=\"1\" a=\"2\">x</p>",
        "<input name=\"x\">",
    ] {
        assert!(check(&page(bad)).is_err(), "{bad}");
    }
}
