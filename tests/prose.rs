//! Rules of prose that a program can check: widths and links of pages, terms of the glossary, and
//! words that `docs/style.md` replaces.
//!
//! Pages have lines of at most 100 columns, so that a change shows as the lines that it changes.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The folders whose comments are checked.
const FOLDERS: [&str; 6] = ["common", "coordinator", "proto", "src", "tests", "worker"];

/// Words of comments that an engineer of another team would not write.
const PRIVATE_WORDS: [&str; 5] = ["so many", "whoever", "nobody", "somebody", "anew"];

/// The greatest width of a line of a page.
const WIDTH: usize = 100;

/// The page with the words of all chapters.
const GLOSSARY: &str = "docs/glossary.md";

/// The place of a line in a file of the repository.
type Place = String;

#[test]
fn comments_have_no_private_words() {
    let mut faults: Vec<Place> = Vec::new();
    for folder in FOLDERS {
        for file in files(&root().join(folder), "rs") {
            // The examples of the words are here.
            if file.ends_with("prose.rs") {
                continue;
            }
            let text = fs::read_to_string(&file).unwrap();
            let lines = (1..).zip(text.lines());
            let wrong = lines.filter(|(_, line)| has_private_word(line));
            faults.extend(wrong.map(|(number, line)| place(&file, number, line.trim())));
        }
    }
    assert!(
        faults.is_empty(),
        "docs/style.md has other words for these:\n{}",
        faults.join("\n")
    );
}

#[test]
fn private_words_are_found_in_comments_alone() {
    for line in [
        "/// At most so many.",
        "    // Whoever asks.",
        "x(); // anew",
    ] {
        assert!(has_private_word(line), "{line}");
    }
    for line in ["let anew = 1;", "// renewed", "http://nobody.example"] {
        assert!(!has_private_word(line), "{line}");
    }
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

/// A label of a hypothesis begins its row in the table of one theorem; other tables link to it.
#[test]
fn labels_of_hypotheses_name_one_thing() {
    let mut places: BTreeMap<String, Place> = BTreeMap::new();
    for file in pages() {
        let text = fs::read_to_string(&file).unwrap();
        for (number, line) in (1..).zip(text.lines()) {
            let Some(label) = label_of_row(line) else {
                continue;
            };
            let here = place(&file, number, label);
            let earlier = places.insert(label.to_owned(), here.clone());
            assert_eq!(earlier, None, "{here} has another meaning there");
        }
    }
    assert!(
        places.len() > 100,
        "only {} labels were found",
        places.len()
    );
    assert_eq!(label_of_row("| H12 | two heaps"), Some("H12"));
    assert_eq!(label_of_row("| 12 | two heaps"), None);
}

/// Returns the label with which a row of a table begins: a capital letter and a number.
fn label_of_row(line: &str) -> Option<&str> {
    let (label, _) = line.strip_prefix("| ")?.split_once(" | ")?;
    let number = label.strip_prefix(|letter: char| letter.is_ascii_uppercase())?;
    number.parse::<u32>().is_ok().then_some(label)
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

/// Reports whether a line has a comment with a word that is replaced. Names are in backquotes.
fn has_private_word(line: &str) -> bool {
    let comment = match line.trim_start() {
        line if line.starts_with("//") => line,
        line => line.split_once(" //").map_or("", |(_, comment)| comment),
    };
    // Names are every second piece between backquotes.
    let outside: Vec<&str> = comment.split('`').step_by(2).collect();
    let letters = outside.join("").to_lowercase();
    let words = letters.split(|c: char| !c.is_alphanumeric());
    let text = words.collect::<Vec<_>>().join(" ");
    let text = format!(" {text} ");
    PRIVATE_WORDS
        .iter()
        .any(|word| text.contains(&format!(" {word} ")))
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
