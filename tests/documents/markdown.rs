//! The code blocks, commands in running text and tables of a page, with their lines.
//!
//! The pages are Markdown as this project writes it: code is indented by four spaces or is between
//! lines of backticks, and tables have a line of dashes under their head.

use std::fs;
use std::path::{Path, PathBuf};

/// A page: its name, as a reader of the repository would write it, and its lines.
pub(crate) struct Page {
    pub(crate) name: String,
    pub(crate) lines: Vec<String>,
}

/// A code block.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Block {
    /// The number of the first line of code, counted from 1.
    pub(crate) line: usize,
    /// The code, without its indentation.
    pub(crate) code: Vec<String>,
    /// The word in the comment before the block: `slow` of `<!-- run: slow -->`.
    pub(crate) marker: Option<String>,
    /// The number of characters that indent the code.
    pub(crate) indent: usize,
}

/// A piece of code in running text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Inline {
    pub(crate) line: usize,
    pub(crate) code: String,
}

/// A table.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Table {
    /// The comment before the table: `json: misere solve` of `<!-- json: misere solve -->`.
    pub(crate) marker: Option<String>,
    /// The rows below the head, each with its line.
    pub(crate) rows: Vec<(usize, Vec<String>)>,
}

/// Returns the folder that holds the pages.
pub(crate) fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the pages of the book: README.md and docs/*.md, in the order of their names.
pub(crate) fn book() -> Vec<Page> {
    let mut files: Vec<PathBuf> = fs::read_dir(repository().join("docs"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    files.sort();
    files.insert(0, repository().join("README.md"));
    assert!(files.len() > 20, "the book has lost its pages");
    files.iter().map(|file| Page::read(file)).collect()
}

impl Page {
    pub(crate) fn read(file: &Path) -> Self {
        let text = fs::read_to_string(file)
            .unwrap_or_else(|error| panic!("cannot read {}: {error}", file.display()));
        let name = file.strip_prefix(repository()).unwrap_or(file);
        Self::new(&name.display().to_string(), &text)
    }

    pub(crate) fn new(name: &str, text: &str) -> Self {
        Self {
            name: name.to_owned(),
            lines: text.lines().map(str::to_owned).collect(),
        }
    }

    /// Returns the code blocks, in their order.
    pub(crate) fn blocks(&self) -> Vec<Block> {
        let mut blocks = Vec::new();
        let mut at = 0;
        while at < self.lines.len() {
            let (code, indent, next) = if is_fence(&self.lines[at]) {
                let end = self.closing_fence(at);
                ((at + 1)..end, 0, end + 1)
            } else if self.begins_indented(at) {
                let end = self.end_of_indented(at);
                (at..end, 4, end)
            } else {
                at += 1;
                continue;
            };
            blocks.push(Block {
                line: code.start + 1,
                marker: self.comment_before(at),
                code: self.lines[code]
                    .iter()
                    .map(|line| line.get(indent..).unwrap_or("").to_owned())
                    .collect(),
                indent,
            });
            at = next;
        }
        blocks
    }

    fn closing_fence(&self, opening: usize) -> usize {
        let below = &self.lines[opening + 1..];
        let length = below.iter().position(|line| is_fence(line));
        opening + 1 + length.unwrap_or_else(|| panic!("{}:{}: no end", self.name, opening + 1))
    }

    /// Reports whether code begins here: indented, after an empty line or a comment.
    fn begins_indented(&self, at: usize) -> bool {
        let before = at.checked_sub(1).map_or("", |before| &self.lines[before]);
        is_indented(&self.lines[at]) && (before.trim().is_empty() || before.ends_with("-->"))
    }

    /// Returns the end of a block; empty lines belong to it if more code follows.
    fn end_of_indented(&self, at: usize) -> usize {
        let mut end = at;
        for (line, text) in self.lines.iter().enumerate().skip(at) {
            if is_indented(text) {
                end = line + 1;
            } else if !text.trim().is_empty() {
                break;
            }
        }
        end
    }

    /// Returns the text of the comment on the line before, or before one empty line.
    fn comment_before(&self, at: usize) -> Option<String> {
        let before = self.lines[..at].iter().rev().take(2);
        let mut lines = before.filter(|line| !line.trim().is_empty());
        comment(lines.next()?).map(str::to_owned)
    }

    /// Iterates over the texts of the comments on lines of their own.
    pub(crate) fn comments(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().filter_map(|line| comment(line))
    }

    /// Reports for each line whether it belongs to a code block.
    fn is_code(&self) -> Vec<bool> {
        let mut is_code = vec![false; self.lines.len()];
        for block in self.blocks() {
            let start = block.line - 1;
            is_code[start..start + block.code.len()].fill(true);
        }
        for (line, text) in self.lines.iter().enumerate() {
            is_code[line] |= is_fence(text);
        }
        is_code
    }

    /// Returns the code in running text, tables and headings.
    ///
    /// A piece of code may go on in the next line.
    pub(crate) fn inline(&self) -> Vec<Inline> {
        let is_code = self.is_code();
        let mut found = Vec::new();
        let mut open: Option<Inline> = None;
        for (line, text) in self.lines.iter().enumerate() {
            if is_code[line] || text.trim().is_empty() {
                open = None;
                continue;
            }
            let mut pieces = text.split('`');
            let first = pieces.next().unwrap_or("");
            if let Some(inline) = &mut open {
                inline.code = format!("{} {}", inline.code, first.trim());
            }
            for piece in pieces {
                match open.take() {
                    Some(inline) => found.push(inline),
                    None => {
                        let code = piece.replace("\\|", "|");
                        open = Some(Inline {
                            line: line + 1,
                            code,
                        });
                    }
                }
            }
            // A cell of a table ends with its line.
            if text.starts_with('|') {
                open = None;
            }
        }
        found
    }

    /// Returns the tables.
    pub(crate) fn tables(&self) -> Vec<Table> {
        let is_code = self.is_code();
        let mut tables = Vec::new();
        let mut at = 0;
        while at + 1 < self.lines.len() {
            let is_head = self.lines[at].starts_with('|') && self.lines[at + 1].starts_with("|--");
            if is_code[at] || !is_head {
                at += 1;
                continue;
            }
            let body = self.lines[at + 2..].iter();
            let length = body.take_while(|line| line.starts_with('|')).count();
            let rows = (at + 2..at + 2 + length).map(|line| (line + 1, cells(&self.lines[line])));
            tables.push(Table {
                marker: self.comment_before(at),
                rows: rows.collect(),
            });
            at += 2 + length;
        }
        tables
    }
}

/// Returns the text of a comment.
fn comment(line: &str) -> Option<&str> {
    Some(
        line.trim()
            .strip_prefix("<!--")?
            .strip_suffix("-->")?
            .trim(),
    )
}

fn is_fence(line: &str) -> bool {
    line.trim_start().starts_with("```")
}

fn is_indented(line: &str) -> bool {
    line.starts_with("    ") && !line.trim().is_empty()
}

/// Returns the cells of a row; `\|` does not separate.
fn cells(row: &str) -> Vec<String> {
    let inner = row.trim().trim_start_matches('|').replace("\\|", "\u{0}");
    let inner = inner.strip_suffix('|').unwrap_or(&inner);
    let cells = inner.split('|');
    cells
        .map(|cell| cell.trim().replace('\u{0}', "|"))
        .collect()
}

#[test]
fn a_page_is_taken_apart() {
    let page = Page::new(
        "page.md",
        "# Heading of `a`\n\nText\n\n    $ one\n    out\n\n    $ two\n\nText with `code that\ngoes on` and\n    \
         no code.\n\n<!-- run: slow -->\n\n    $ three\n\n```\nx `y`\n```\n\n<!-- json: b -->\n| a | b |\n|---|---|\n\
         | `c\\|d` | e |\n| `f` | |\n",
    );
    let blocks = page.blocks();
    let code: Vec<_> = blocks.iter().map(|block| block.code.join("/")).collect();
    assert_eq!(code, ["$ one/out//$ two", "$ three", "x `y`"]);
    let lines: Vec<_> = blocks.iter().map(|block| block.line).collect();
    assert_eq!(lines, [5, 16, 19]);
    assert_eq!(blocks[0].marker, None);
    assert_eq!(blocks[1].marker.as_deref(), Some("run: slow"));
    let inline: Vec<_> = page
        .inline()
        .into_iter()
        .map(|inline| inline.code)
        .collect();
    assert_eq!(inline, ["a", "code that goes on", "c|d", "f"]);
    let tables = page.tables();
    assert_eq!(tables.len(), 1);
    assert_eq!(tables[0].marker.as_deref(), Some("json: b"));
    assert_eq!(
        tables[0].rows[0],
        (25, vec!["`c|d`".to_owned(), "e".to_owned()])
    );
    assert_eq!(tables[0].rows[1].1, ["`f`", ""]);
}
