//! Rules of prose that a program can check, for the pages and for the documentation of items.
//!
//! A list of items shows the first line of each doc comment alone, so that line has to be a noun or
//! verb phrase that is understood without the item's neighbours. Pages have lines of at most 100
//! columns, so that a change shows as the lines that it changes.

use std::fs;
use std::path::{Path, PathBuf};

/// The folders and files whose first lines of doc comments are checked.
///
/// A folder is added here when its comments have been rewritten.
const FOLDERS: [&str; 11] = [
    "common/theory/src",
    "common/census/src",
    "common/pictures/src",
    "common/query/src",
    "common/store/src",
    "common/report/src",
    "common/export/src",
    "coordinator",
    "proto/src",
    "src",
    "worker",
];

/// Beginnings of a first line that mean something only after the line before it.
const BEGINNINGS: [&str; 12] = [
    "That of", "The same", "Such ", "It ", "They ", "Whoever", "Somebody", "What ", "How ", "Who ",
    "Where ", "When ",
];

/// The greatest width of a line of a page.
const WIDTH: usize = 100;

/// The page with the words of all chapters.
const GLOSSARY: &str = "docs/glossary.md";

/// The place of a line in a file of the repository.
type Place = String;

#[test]
fn first_lines_of_doc_comments_are_understood_alone() {
    let mut faults: Vec<Place> = Vec::new();
    let mut count = 0;
    for folder in FOLDERS {
        for file in files(&root().join(folder), "rs") {
            let text = fs::read_to_string(&file).unwrap();
            let lines = first_lines(&text);
            count += lines.len();
            let wrong = lines.into_iter().filter(|(_, line)| is_riddle(line));
            faults.extend(wrong.map(|(number, line)| place(&file, number, line)));
        }
    }
    assert!(count > 1_000, "only {count} doc comments were found");
    assert!(
        faults.is_empty(),
        "write a noun or verb phrase that is understood alone:\n{}",
        faults.join("\n")
    );
}

#[test]
fn lines_of_pages_are_short() {
    let mut faults: Vec<Place> = Vec::new();
    for file in pages() {
        let text = fs::read_to_string(&file).unwrap();
        let wrong = prose(&text)
            .into_iter()
            .filter(|(_, line)| width_that_counts(line) > WIDTH);
        faults.extend(wrong.map(|(number, line)| place(&file, number, line)));
    }
    assert!(
        faults.is_empty(),
        "these lines have more than {WIDTH} columns:\n{}",
        faults.join("\n")
    );
}

#[test]
fn links_between_pages_lead_somewhere() {
    let mut faults: Vec<Place> = Vec::new();
    let mut count = 0;
    for file in pages() {
        let text = fs::read_to_string(&file).unwrap();
        for target in links(&text) {
            count += 1;
            if let Some(fault) = link_fault(&file, &target) {
                faults.push(format!("{}: {target}: {fault}", file.display()));
            }
        }
    }
    assert!(count > 200, "only {count} links were found");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_chapter_is_listed() {
    let list = fs::read_to_string(root().join("docs/README.md")).unwrap();
    for file in pages() {
        if file.ends_with("README.md") {
            continue;
        }
        let name = file.strip_prefix(root().join("docs")).unwrap();
        let name = name.to_str().unwrap();
        assert!(
            list.contains(&format!("]({name})")),
            "docs/README.md does not list {name}"
        );
    }
}

#[test]
fn the_glossary_has_the_words_of_the_web_pages() {
    let glossary = fs::read_to_string(root().join(GLOSSARY)).unwrap();
    let glossary = words(&glossary).to_lowercase();
    let sources = files(&root().join("coordinator"), "rs");
    let source = sources
        .iter()
        .find(|file| file.ends_with("page/glossary.rs"))
        .expect("the page of words has moved");
    let source = fs::read_to_string(source).unwrap();
    let terms: Vec<&str> = source
        .split("word: \"")
        .skip(1)
        .filter_map(|rest| rest.split_once('"'))
        .map(|(word, _)| word)
        .collect();
    assert!(terms.len() > 20, "only {} words were found", terms.len());
    for term in terms {
        assert!(
            glossary.contains(&term.to_lowercase()),
            "{GLOSSARY} lacks the term {term:?} of the page /glossary"
        );
    }
}

#[test]
fn the_glossary_has_every_term_once() {
    let glossary = fs::read_to_string(root().join(GLOSSARY)).unwrap();
    let mut terms: Vec<String> = glossary
        .lines()
        .filter_map(|line| line.strip_prefix("- **"))
        .filter_map(|line| line.split_once("**"))
        .map(|(term, rest)| format!("{term}{}", rest.split(':').next().unwrap_or("")))
        .collect();
    assert!(terms.len() > 80, "only {} terms were found", terms.len());
    terms.sort();
    for pair in terms.windows(2) {
        assert_ne!(pair[0], pair[1], "{GLOSSARY} has this term twice");
    }
}

#[test]
fn riddles_are_seen() {
    for line in [
        "Which records say so?",
        "That of a certificate.",
        "It died.",
    ] {
        assert!(is_riddle(line), "{line}");
    }
    for line in ["The key of its class.", "Item of a list.", "Suchlike."] {
        assert!(!is_riddle(line), "{line}");
    }
    let text =
        "//! Header.\n//! More?\n\n/// First.\n/// Second?\n#[x]\nfn f() {}\n    /// Other.\n";
    let found: Vec<(usize, &str)> = first_lines(text);
    assert_eq!(found, [(1, "Header."), (4, "First."), (8, "Other.")]);
}

#[test]
fn only_prose_counts() {
    let text = "# Head\n\ntext\n\n    code\n    more\n\n- item\n    goes on\n\n| a | b |\n\n```\nx\n```\n\
                <!-- run: never -->\n![picture](file)\nlast\n";
    let found: Vec<usize> = prose(text).into_iter().map(|(number, _)| number).collect();
    assert_eq!(found, [1, 3, 8, 9, 18]);
    assert_eq!(width_that_counts("See [a page](docs/page.md#place)."), 11);
    assert_eq!(
        links("a [b\nc](d.md#e) `[x](y)`\n\n    [f](g)\n"),
        ["d.md#e"]
    );
    assert_eq!(anchor("`misere solve` … `x-y`, Z"), "misere-solve--x-y-z");
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the pages of the book in the order of their names, and README.md.
fn pages() -> Vec<PathBuf> {
    let mut pages = files(&root().join("docs"), "md");
    pages.sort();
    pages.push(root().join("README.md"));
    assert!(pages.len() > 20, "the book has lost its pages");
    pages
}

/// Returns the files below `directory` with this ending; a file instead of a directory is itself.
fn files(directory: &Path, ending: &str) -> Vec<PathBuf> {
    if directory.is_file() {
        return vec![directory.to_owned()];
    }
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path, ending));
        } else if path.extension().is_some_and(|found| found == ending) {
            found.push(path);
        }
    }
    found
}

fn place(file: &Path, number: usize, line: &str) -> Place {
    let name = file.strip_prefix(root()).unwrap_or(file);
    format!("{}:{number}: {line}", name.display())
}

/// Returns the first line of every doc comment, with its number counted from 1.
fn first_lines(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut before = "";
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        for mark in ["//! ", "/// "] {
            if let Some(first) = line.strip_prefix(mark)
                && !before.starts_with(mark.trim_end())
            {
                found.push((number, first));
            }
        }
        before = line;
    }
    found
}

/// Reports whether a first line asks a question, or begins with a word that points to another line.
fn is_riddle(line: &str) -> bool {
    line.ends_with('?') || BEGINNINGS.iter().any(|begin| line.starts_with(begin))
}

/// Returns the lines of a page without code, tables, pictures and markers, each with its number.
fn prose(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut in_fence = false;
    let mut in_code = false;
    let mut before = "";
    for (number, line) in (1..).zip(text.lines()) {
        let is_fence = line.trim_start().starts_with("```");
        in_fence ^= is_fence;
        in_code = line.starts_with("    ")
            && (in_code || before.trim().is_empty() || before.ends_with("-->"))
            || in_code && line.trim().is_empty();
        let is_other = ["|", "<!--", "!["]
            .iter()
            .any(|begin| line.starts_with(begin));
        if !(in_fence || is_fence || in_code || is_other || line.trim().is_empty()) {
            found.push((number, line));
        }
        before = line;
    }
    found
}

/// Returns the number of columns of a line without the targets of its links, which cannot be
/// broken.
fn width_that_counts(line: &str) -> usize {
    let mut width = 0;
    let mut rest = line;
    while let Some((text, after)) = rest.split_once("](") {
        // Of the link itself the brackets do not show.
        width += text.replacen('[', "", 1).chars().count();
        rest = after.split_once(')').map_or("", |(_, rest)| rest);
    }
    width + rest.chars().count()
}

/// Returns the targets of the links of a page to other files or places.
fn links(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| !line.starts_with("    ") && !line.starts_with("!["))
        .collect();
    let text = lines.join("\n");
    // Code is every second piece between backquotes.
    let outside: Vec<&str> = text.split('`').step_by(2).collect();
    let outside = outside.join("`");
    outside
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split_once(')'))
        .map(|(target, _)| target.to_owned())
        .filter(|target| !target.contains("://"))
        .collect()
}

/// Returns the reason why a link of a page leads nowhere, if it does.
fn link_fault(page: &Path, target: &str) -> Option<&'static str> {
    let (file, place) = target.split_once('#').unwrap_or((target, ""));
    let path = if file.is_empty() {
        page.to_owned()
    } else {
        page.parent()?.join(file)
    };
    if !path.exists() {
        return Some("there is no such file");
    }
    if place.is_empty() || path.extension().is_none_or(|ending| ending != "md") {
        return None;
    }
    let text = fs::read_to_string(&path).unwrap();
    let mut headings = text.lines().filter(|line| line.starts_with('#'));
    let is_heading = headings.any(|line| anchor(line.trim_start_matches('#').trim()) == place);
    let is_marked = text.contains(&format!("<a id=\"{place}\">"));
    (!is_heading && !is_marked).then_some("that page has no such heading")
}

/// Returns the name that a heading has in addresses.
fn anchor(heading: &str) -> String {
    heading
        .to_lowercase()
        .chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'))
        .map(|c| if c == ' ' { '-' } else { c })
        .collect()
}

/// Returns the words of a text with one blank between them, without marks of emphasis.
fn words(text: &str) -> String {
    let plain = text.replace("**", "");
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}
