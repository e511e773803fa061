//! A report as text, page, LaTeX or CSV.
//!
//! A `Sheet` is the content: headings, paragraphs and grids of cells. It is formatted for a
//! terminal, as HTML or as LaTeX, and its data as CSV. Cells know whether they are text, numbers or
//! formulas, so that `ab^2` becomes a superscript in every format that has superscripts.

mod cell;
mod csv;
mod html;
mod latex;
mod text;
mod values;

pub(crate) use cell::Cell;
pub(crate) use csv::lines as csv_lines;
pub(crate) use latex::{NEEDS as LATEX_NEEDS, provenance as latex_provenance};
pub(crate) use values::Values;

/// A report of tables.
#[derive(Clone, Debug)]
pub(crate) struct Sheet {
    pub(crate) title: String,
    pub(crate) parts: Vec<Part>,
    /// The provenance: what is proved and what is not known.
    pub(crate) provenance: Vec<String>,
    /// The table for the CSV format, a line for each item.
    pub(crate) data: Grid,
}

/// A piece of a sheet.
#[derive(Clone, Debug)]
pub(crate) enum Part {
    /// A paragraph.
    Says(String),
    /// A table.
    Grid(Grid),
    /// Items whose cells are too long for columns at a terminal.
    ///
    /// Each item is printed by itself, a line for each cell.
    Items(Grid),
    /// A heading.
    Heading(String),
    /// A heading below that.
    Subheading(String),
    /// Short texts, one below the other.
    List(Vec<String>),
    /// A named thing in mathematical notation, broken between the items only: `Q` is `⟨a
    /// |`, `a^2 = 1⟩`.
    Formula(String, Vec<String>),
    /// A pretending function.
    Values(Values),
    /// An SVG picture, which is shown on the page only; the text beside it says the same.
    Picture(String),
}

/// A table with a heading.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grid {
    pub(crate) title: String,
    pub(crate) head: Vec<String>,
    pub(crate) rows: Vec<Vec<Cell>>,
}

impl Grid {
    pub(crate) fn new(title: &str, head: &[&str]) -> Self {
        Self {
            title: title.to_owned(),
            head: head.iter().map(|&name| name.to_owned()).collect(),
            rows: Vec::new(),
        }
    }
}

/// The format in which a sheet is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Text for people at a terminal.
    Text,
    /// A self-contained page.
    Html,
    /// Tables to include in a paper; they need the packages amssymb, array, booktabs and longtable.
    Latex,
    /// One line for each item.
    Csv,
    /// One JSON document.
    Json,
}

/// The format in which a sheet with a picture is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureFormat {
    /// The picture alone.
    Svg,
    /// The content in words and numbers, for a terminal.
    Text,
    /// A self-contained page, with the picture.
    Html,
    /// Tables to include in a paper; they need the packages amssymb, array, booktabs and longtable.
    Latex,
    /// One line for each item.
    Csv,
    /// One JSON document.
    Json,
}

impl Sheet {
    /// Formats the sheet; returns `None` for JSON, and for SVG if it has no picture.
    pub(crate) fn set_or_drawn(&self, format: PictureFormat, width: usize) -> Option<String> {
        self.set(
            match format {
                PictureFormat::Svg => return self.picture(),
                PictureFormat::Text => Format::Text,
                PictureFormat::Html => Format::Html,
                PictureFormat::Latex => Format::Latex,
                PictureFormat::Csv => Format::Csv,
                PictureFormat::Json => return None,
            },
            width,
        )
    }

    /// Returns the first picture of the sheet.
    ///
    /// The provenance is a comment in it, which viewers do not show and which stays with the file.
    fn picture(&self) -> Option<String> {
        let svg = self.parts.iter().find_map(|part| match part {
            Part::Picture(svg) => Some(svg),
            _ => None,
        })?;
        let (first, rest) = svg.split_once('\n')?;
        // Two hyphens would end the comment.
        let comment = self.provenance.join("\n").replace("--", "- -");
        Some(format!("{first}\n<!--\n{comment}\n-->\n{rest}"))
    }

    /// Formats the sheet; returns `None` for JSON, which has its own document.
    pub(crate) fn set(&self, format: Format, width: usize) -> Option<String> {
        match format {
            Format::Text => Some(text::text(self, width)),
            Format::Html => Some(html::page(self)),
            Format::Latex => Some(latex::tables(self)),
            Format::Csv => Some(csv::lines(&self.data)),
            Format::Json => None,
        }
    }
}
