//! How is a report set, in whatever format?
//!
//! A [`Sheet`] is a report before it is set: headings, paragraphs, tables, presentations, pretending functions and pictures, and where it comes from.
//! Text, HTML and LaTeX are set from these blocks, so that they say the same; CSV from the [`Records`], one line for each thing the report is
//! about; JSON is the report's own document with the same provenance.

mod data;
mod html;
mod latex;
mod provenance;
mod text;

use serde_json::Value;

pub use provenance::Provenance;

use crate::exit::Failure;
use crate::terminal;

/// The formats of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// For people at a terminal
    Text,
    /// A page by itself
    Html,
    /// To include in a paper
    Latex,
    /// One line for each thing the report is about
    Csv,
    /// One JSON document
    Json,
}

/// The formats of a report that is, or has, a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum PictureFormat {
    /// The picture alone
    Svg,
    /// The same in words and numbers, for a terminal
    Text,
    /// A page by itself, with the picture
    Html,
    /// Words and numbers, to include in a paper
    Latex,
    /// One line for each thing the report is about
    Csv,
    /// One JSON document
    Json,
}

/// A report.
#[derive(Debug)]
pub struct Sheet {
    /// Its name: `figure2`, `summary`, ….
    pub name: &'static str,
    /// What stands above it.
    pub title: String,
    /// What it says.
    pub blocks: Vec<Block>,
    /// Where it comes from, and how sure it is.
    pub provenance: Provenance,
    /// The same for a spreadsheet.
    pub records: Records,
    /// The same for programs: an object, to which schema, name and provenance are added.
    pub document: Value,
}

/// A piece of a report.
#[derive(Clone, Debug)]
pub enum Block {
    /// A heading.
    Heading(String),
    /// Running text.
    Paragraph(String),
    /// Short lines, one below the other.
    List(Vec<String>),
    /// A table.
    Table(Table),
    /// Something named, in mathematical notation: `Q = ⟨a, b | a^2 = 1, …⟩`. The items may be broken between.
    Formula {
        /// The name, in mathematical notation.
        name: String,
        /// What it is.
        items: Vec<String>,
    },
    /// A pretending function.
    Values(Values),
    /// An SVG picture.
    Picture(String),
}

/// A table.
#[derive(Clone, Debug)]
pub struct Table {
    /// The names of its columns.
    pub columns: Vec<&'static str>,
    /// Its rows.
    pub rows: Vec<Vec<Cell>>,
}

/// What stands in a box of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell {
    /// Words.
    Text(String),
    /// A number, set to the right.
    Number(u64),
    /// Mathematical notation: words in generators, names of quotients.
    Math(String),
    /// The name of a game.
    Game(String),
    /// Nothing.
    Empty,
}

impl Cell {
    /// A number, or nothing.
    pub fn number(number: Option<impl Into<u64>>) -> Self {
        number.map_or(Self::Empty, |number| Self::Number(number.into()))
    }

    /// Some words, or nothing.
    pub fn text(text: Option<impl Into<String>>) -> Self {
        text.map_or(Self::Empty, |text| Self::Text(text.into()))
    }

    fn plain(&self) -> String {
        match self {
            Self::Text(text) | Self::Math(text) | Self::Game(text) => text.clone(),
            Self::Number(number) => number.to_string(),
            Self::Empty => String::new(),
        }
    }
}

/// The values of a pretending function, from heap 1 to the end of the first full period or of what is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Values {
    /// Words, from heap 1 on.
    pub values: Vec<String>,
    /// Places in `values` where the period begins and ends (exclusive), if it has one.
    pub period: Option<(usize, usize)>,
    /// How many stand in a row; 0 if all stand in one line that is broken anywhere.
    pub columns: usize,
}

/// What goes into a spreadsheet.
#[derive(Clone, Debug, Default)]
pub struct Records {
    /// The names of the columns.
    pub columns: Vec<&'static str>,
    /// The lines.
    pub rows: Vec<Vec<String>>,
}

impl Sheet {
    /// Prints the report in a format, on standard output.
    ///
    /// # Errors
    /// A [`Failure`] if it cannot be written.
    pub fn print(&self, format: Format) -> Result<(), Failure> {
        match format {
            Format::Text => terminal::print(&text::set(self, terminal::Page::of_stdout().width)),
            Format::Html => terminal::print(&html::set(self)),
            Format::Latex => terminal::print(&latex::set(self)),
            Format::Csv => terminal::print(&data::csv(self)),
            Format::Json => terminal::print_json(&data::document(self)),
        }
    }

    /// The report in a format; SVG is its first picture.
    ///
    /// # Errors
    /// [`Failure::Json`] if its document has no JSON form.
    pub fn set(&self, format: PictureFormat) -> Result<String, Failure> {
        Ok(match format {
            PictureFormat::Svg => {
                let picture = self.blocks.iter().find_map(|block| match block {
                    Block::Picture(svg) => Some(svg),
                    _ => None,
                });
                provenance::commented(picture.map_or("", String::as_str), &self.provenance)
            }
            PictureFormat::Text => text::set(self, terminal::Page::of_stdout().width),
            PictureFormat::Html => html::set(self),
            PictureFormat::Latex => latex::set(self),
            PictureFormat::Csv => data::csv(self),
            PictureFormat::Json => {
                let mut text = serde_json::to_string(&data::document(self))?;
                text.push('\n');
                text
            }
        })
    }
}
