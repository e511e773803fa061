//! The book has every page once, links lead to pages and headings, and the commands that no test
//! runs are listed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::documents::markdown::{Page, book, repository};
use crate::documents::session::never_run;

/// The list of pages that mdBook reads.
const SUMMARY: &str = "docs/SUMMARY.md";

/// The reasons for which no test runs a command, with the number of code blocks. A new block that
/// no test runs changes this table, so a reviewer sees it.
const NEVER_RUN: [(&str, usize); 24] = [
    ("a build of some minutes; make test-python runs it", 1),
    ("a synopsis", 1),
    ("census.lab.example is not a machine", 2),
    ("it builds the program", 1),
    ("it needs Coq", 10),
    ("it needs Slurm", 5),
    ("it needs a cluster", 2),
    ("it needs a game that takes minutes", 1),
    ("it needs a registry of images", 2),
    ("it needs a second machine", 2),
    ("it needs root and systemd", 1),
    ("it needs the logs of many machines", 1),
    ("it needs the repository beside the census", 1),
    (
        "it takes a quarter of an hour of two cores; the tests run it to make the census that other pages read",
        1,
    ),
    ("it takes an hour", 1),
    ("it takes half an hour", 2),
    ("it takes hours", 4),
    ("it takes hours on many machines", 1),
    ("it takes months", 1),
    ("make test-python runs the examples of this page", 9),
    ("needs the data packages", 1),
    ("some minutes, and needs a census", 1),
    ("they build the program", 1),
    ("they build the program and take half an hour", 1),
];

/// Returns every page of the repository whose links are checked.
fn pages() -> BTreeMap<PathBuf, Page> {
    let mut files: Vec<PathBuf> = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"]
        .map(|name| repository().join(name))
        .into();
    let mut folders = vec![repository().join("docs")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false => files.push(path),
            }
        }
    }
    files.retain(|file| file.extension().is_some_and(|ending| ending == "md"));
    files
        .into_iter()
        .map(|file| (file.clone(), Page::read(&file)))
        .collect()
}

/// Returns the links of a page: the number of the line, and the address.
///
/// A link may be broken between its text and its address, not within the address.
fn links(page: &Page) -> Vec<(usize, String)> {
    let code: BTreeSet<usize> = page
        .blocks()
        .iter()
        .flat_map(|block| block.line..block.line + block.code.len())
        .collect();
    let mut links = Vec::new();
    for (at, line) in page.lines.iter().enumerate() {
        if code.contains(&(at + 1)) {
            continue;
        }
        // A link inside code in running text does not count.
        let text: String = line.split('`').step_by(2).collect::<Vec<_>>().join("`");
        for part in text.split("](").skip(1) {
            if let Some((address, _)) = part.split_once(')') {
                links.push((at + 1, address.to_owned()));
            }
        }
    }
    links
}

/// Returns the anchors of the headings of a page, as code hosts and mdBook make them.
fn anchors(page: &Page) -> BTreeSet<String> {
    let mut anchors = BTreeSet::new();
    let headings = page.lines.iter().filter(|line| line.starts_with('#'));
    for heading in headings {
        let text = heading.trim_start_matches('#').trim();
        let anchor: String = text
            .chars()
            .filter_map(|c| match c {
                ' ' => Some('-'),
                '-' | '_' => Some(c),
                c if c.is_alphanumeric() => Some(c.to_ascii_lowercase()),
                _ => None,
            })
            .collect();
        let again = (1..).map(|n| format!("{anchor}-{n}"));
        let mut names = std::iter::once(anchor.clone()).chain(again);
        anchors.insert(names.find(|name| !anchors.contains(name)).unwrap());
    }
    // Anchors within a page that no heading makes.
    for line in &page.lines {
        let named = line.split("<a id=\"").skip(1);
        anchors.extend(named.filter_map(|rest| Some(rest.split_once('"')?.0.to_owned())));
    }
    anchors
}

/// Returns a path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part.as_os_str().to_str() {
            Some("..") => assert!(plain.pop()),
            Some(".") => {}
            _ => plain.push(part),
        }
    }
    plain
}

#[test]
fn the_book_has_every_page_once() {
    let summary = Page::read(&repository().join(SUMMARY));
    let docs = repository().join("docs");
    let listed: Vec<PathBuf> = links(&summary)
        .into_iter()
        .map(|(_, address)| docs.join(address))
        .collect();
    let once: BTreeSet<&PathBuf> = listed.iter().collect();
    assert_eq!(
        once.len(),
        listed.len(),
        "a page is listed twice in {SUMMARY}"
    );
    let pages = pages();
    let there = pages.keys().filter(|file| file.starts_with(&docs));
    let there: BTreeSet<&PathBuf> = there
        .filter(|file| **file != repository().join(SUMMARY))
        .collect();
    let missing: Vec<_> = there.difference(&once).collect();
    assert!(missing.is_empty(), "{SUMMARY} does not list {missing:?}");
    let gone: Vec<_> = once.difference(&there).collect();
    assert!(
        gone.is_empty(),
        "{SUMMARY} lists what is not there: {gone:?}"
    );
}

#[test]
fn every_link_of_a_page_leads_somewhere() {
    let pages = pages();
    let mut faults = Vec::new();
    let mut count = 0;
    for (file, page) in &pages {
        for (line, address) in links(page) {
            if address.contains("://") || address.starts_with("mailto:") {
                continue;
            }
            count += 1;
            let (path, anchor) = address.split_once('#').unwrap_or((&address, ""));
            let to = match path {
                "" => file.clone(),
                path => plain(&file.parent().unwrap().join(path)),
            };
            let is_there = match (pages.get(&to), anchor) {
                (Some(page), anchor) if !anchor.is_empty() => anchors(page).contains(anchor),
                _ => to.exists(),
            };
            if !is_there {
                faults.push(format!("{}:{line}: {address}", page.name));
            }
        }
    }
    assert!(count > 300, "only {count} links were found");
    assert!(
        faults.is_empty(),
        "these links lead nowhere:\n{}",
        faults.join("\n")
    );
}

#[test]
fn the_commands_that_no_test_runs_have_these_reasons() {
    let mut met: BTreeMap<String, usize> = BTreeMap::new();
    for page in book() {
        for reason in never_run(&page) {
            *met.entry(reason).or_default() += 1;
        }
    }
    let known: BTreeMap<String, usize> = NEVER_RUN
        .map(|(reason, count)| (reason.to_owned(), count))
        .into();
    assert_eq!(met, known, "left: on the pages; right: in this test");
}

#[test]
fn anchors_are_those_of_code_hosts() {
    let page = Page::new(
        "page.md",
        "# A `misere` page\n\n## What's (not) there?\n\n## A\n\n## A\n\n<a id=\"the-b\"></a>Text\n",
    );
    let expected = ["a", "a-1", "a-misere-page", "the-b", "whats-not-there"];
    assert_eq!(anchors(&page), expected.map(str::to_owned).into());
}
