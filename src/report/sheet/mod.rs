//! How is a report of tables set?
//!
//! A [`Sheet`] is what is to be said: headings, paragraphs and grids of cells. It is set for a terminal, as a page, as LaTeX, and its data as CSV; the cells know whether they
//! are text, numbers or formulas, so that `ab^2` becomes a superscript wherever there are any.

mod cell;
mod csv;
mod html;
mod latex;
mod text;

pub(super) use cell::Cell;

/// A report of tables.
#[derive(Clone, Debug)]
pub(super) struct Sheet {
    pub(super) title: String,
    pub(super) parts: Vec<Part>,
    /// What it is of, what is proved and what is not known.
    pub(super) provenance: Vec<String>,
    /// What CSV says: one table, a line for each item.
    pub(super) data: Grid,
}

/// A piece of a sheet.
#[derive(Clone, Debug)]
pub(super) enum Part {
    /// A paragraph.
    Says(String),
    /// A table.
    Grid(Grid),
    /// Items whose cells are too long for columns, at a terminal: each by itself, a line for each cell.
    Items(Grid),
}

/// A table with a heading.
#[derive(Clone, Debug, Default)]
pub(super) struct Grid {
    pub(super) title: String,
    pub(super) head: Vec<String>,
    pub(super) rows: Vec<Vec<Cell>>,
}

impl Grid {
    pub(super) fn new(title: &str, head: &[&str]) -> Self {
        Self {
            title: title.to_owned(),
            head: head.iter().map(|&name| name.to_owned()).collect(),
            rows: Vec::new(),
        }
    }
}

/// How a sheet is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Format {
    /// For people at a terminal
    Text,
    /// A page by itself
    Html,
    /// Tables to include; needs no packages
    Latex,
    /// One line for each item
    Csv,
    /// One JSON document
    Json,
}

impl Sheet {
    /// The sheet in a format; `None` for JSON, which has its own document.
    pub(super) fn set(&self, format: Format) -> Option<String> {
        match format {
            Format::Text => Some(text::text(self, crate::terminal::Page::of_stdout().width)),
            Format::Html => Some(html::page(self)),
            Format::Latex => Some(latex::tables(self)),
            Format::Csv => Some(csv::lines(&self.data)),
            Format::Json => None,
        }
    }
}
