//! A sheet as LaTeX, to be included in a paper.
//!
//! Columns with much text share what the others leave of the width of the page, and are broken into
//! lines; a table with too many columns is set item by item. Tables continue from page to page. The
//! first lines, a comment, say which packages are needed; the provenance is below the table, for
//! readers.

use super::cell::{Cell, latex_text};
use super::{Grid, Part, Sheet};

/// The packages that a document needs to include a sheet.
pub(crate) const NEEDS: &str =
    "% Needs \\usepackage[utf8]{inputenc} and \\usepackage{amssymb,array,booktabs,longtable}.\n";

/// The characters of a line of a table, in the size in which tables are set.
const LINE: usize = 76;

/// The most characters of a column that is not broken into lines.
const UNBROKEN: usize = 24;

/// The fewest characters of a line of a column that is broken into lines.
const MIN_BROKEN: usize = 14;

/// The characters that the space between two columns takes.
const APART: usize = 2;

/// Formats the sheet.
pub(super) fn tables(sheet: &Sheet) -> String {
    let mut latex = format!("% {}\n{NEEDS}\\begingroup\\sloppy\n", sheet.title);
    for part in &sheet.parts {
        match part {
            Part::Says(says) => latex.push_str(&format!("\n{}\\par\n", latex_text(says))),
            Part::Grid(grid) => {
                latex.push('\n');
                latex.push_str(&table(grid, &sheet.title));
            }
            Part::Items(grid) => latex.push_str(&items(grid)),
            Part::Heading(heading) => {
                latex.push_str(&format!("\n\\subsection*{{{}}}\n", latex_text(heading)));
            }
            Part::Subheading(heading) => {
                latex.push_str(&format!("\n\\subsubsection*{{{}}}\n", latex_text(heading)));
            }
            Part::List(lines) if lines.is_empty() => {}
            Part::List(lines) => {
                let items = lines
                    .iter()
                    .map(|line| format!("\\item {}\n", latex_text(line)));
                let items: String = items.collect();
                latex.push_str(&format!(
                    "\n\\begin{{itemize}}\\raggedright\n{items}\\end{{itemize}}\n"
                ));
            }
            Part::Formula(name, items) => {
                let set = |text: &String| Cell::Formula(text.clone()).latex();
                let items: Vec<String> = items.iter().map(set).collect();
                latex.push_str(&format!(
                    "\\par\\noindent\\hangindent=2em {} ${{}} = {{}}$ {}\\par\n",
                    set(name),
                    items.join(" ")
                ));
            }
            Part::Values(values) => latex.push_str(&values.latex()),
            Part::Picture(_) => latex.push_str("% a picture: see --format svg\n"),
        }
    }
    latex.push_str(&provenance(&sheet.provenance));
    latex.push_str("\\par\\endgroup\n");
    latex
}

/// Formats the provenance as a note below the table.
pub(crate) fn provenance(sentences: &[String]) -> String {
    let ended = |line: &String| match line.ends_with(['.', ':', ';']) {
        true => latex_text(line),
        false => format!("{}.", latex_text(line)),
    };
    let set: Vec<String> = sentences.iter().map(ended).collect();
    format!(
        "\\par\\medskip\\noindent{{\\footnotesize\\raggedright {}\\par}}\n",
        set.join(" ")
    )
}

/// Formats items one below the other, each with its cells.
fn items(grid: &Grid) -> String {
    let mut latex = String::new();
    if !grid.title.is_empty() {
        let title = latex_text(&grid.title);
        latex.push_str(&format!("\n\\subsection*{{{title}}}\n"));
    }
    latex.push_str("\\begin{description}\\raggedright\n");
    for row in &grid.rows {
        let mut cells = row.iter().zip(&grid.head);
        if let Some((first, _)) = cells.next() {
            latex.push_str(&format!("\\item[{}]", first.latex()));
        }
        let said = cells.filter(|(cell, _)| **cell != Cell::None);
        let said = said.map(|(cell, name)| format!("{}: {}", latex_text(name), cell.latex()));
        let said: Vec<String> = said.collect();
        latex.push_str(&format!(" {}\n", said.join(";\\\\\n")));
    }
    latex.push_str("\\end{description}\n");
    latex
}

fn table(grid: &Grid, title: &str) -> String {
    let caption = match grid.title.is_empty() {
        true => title,
        false => &grid.title,
    };
    let columns: Vec<Column> = (0..grid.head.len())
        .map(|at| Column::of(grid, at))
        .collect();
    if columns.iter().map(Column::width).sum::<usize>() > LINE {
        let mut grid = grid.clone();
        grid.title = caption.to_owned();
        return items(&grid);
    }
    let broken = broken_width(&columns);
    let kinds: String = columns.iter().map(|column| column.kind(broken)).collect();
    let line = |cells: Vec<String>| format!("{} \\tabularnewline\n", cells.join(" & "));
    let head = line(grid.head.iter().map(|name| latex_text(name)).collect());
    let mut latex = format!(
        "{{\\footnotesize\\setlength{{\\tabcolsep}}{{4pt}}\\setlength{{\\LTcapwidth}}{{\\linewidth}}\n\\begin{{longtable}}{{@{{}}{kinds}@{{}}}}\n\\caption{{{}}}\\tabularnewline\n\\toprule\n{head}\\midrule\n\\endfirsthead\n\\toprule\n{head}\\midrule\n\\endhead\n\\bottomrule\n\\endfoot\n",
        latex_text(caption),
    );
    for row in &grid.rows {
        latex.push_str(&line(row.iter().map(Cell::latex).collect()));
    }
    latex.push_str("\\end{longtable}}\n");
    latex
}

/// A column of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    /// Text of at most this many characters.
    Text(usize),
    /// Numbers of at most this many characters, aligned to the right.
    Numbers(usize),
    /// Text that is broken into lines.
    Broken,
}

impl Column {
    fn of(grid: &Grid, at: usize) -> Self {
        let cells = || grid.rows.iter().filter_map(|row| row.get(at));
        let head = grid.head[at].chars().count();
        let widest = cells().map(characters).fold(head, usize::max);
        match widest > UNBROKEN {
            true => Self::Broken,
            false if cells().any(Cell::is_number) => Self::Numbers(widest),
            false => Self::Text(widest),
        }
    }

    fn width(&self) -> usize {
        APART
            + match self {
                Self::Text(characters) | Self::Numbers(characters) => *characters,
                Self::Broken => MIN_BROKEN,
            }
    }

    /// Returns the column in the notation of LaTeX; `broken` is the width if it is broken.
    fn kind(&self, broken: f64) -> String {
        match self {
            Self::Text(_) => "l".to_owned(),
            Self::Numbers(_) => "r".to_owned(),
            Self::Broken => {
                format!(">{{\\raggedright\\arraybackslash}}p{{{broken:.3}\\linewidth}}")
            }
        }
    }
}

/// Returns the width of each column that is broken into lines, as a part of the width of a page.
///
/// They share what the others leave. The packages that compute widths read a table as a whole, and
/// a table of a thousand lines exceeds the memory of TeX.
fn broken_width(columns: &[Column]) -> f64 {
    let (broken, whole): (Vec<Column>, Vec<Column>) = columns
        .iter()
        .partition(|column| matches!(column, Column::Broken));
    let taken = whole.iter().map(Column::width).sum::<usize>() + APART * broken.len();
    LINE.saturating_sub(taken) as f64 / (LINE * broken.len().max(1)) as f64
}

/// Counts the characters that are printed; scripts are smaller.
fn characters(cell: &Cell) -> usize {
    let printed = cell.plain().chars();
    printed.filter(|c| !matches!(c, '^' | '_')).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet(grid: Grid) -> Sheet {
        Sheet {
            title: "A title".to_owned(),
            parts: vec![Part::Grid(grid)],
            provenance: vec!["Digest 0123.".to_owned()],
            data: Grid::default(),
        }
    }

    fn grid(rows: &[&[&str]]) -> Grid {
        let head: Vec<&str> = (0..rows[0].len()).map(|_| "head").collect();
        let mut grid = Grid::new("Numbers", &head);
        grid.rows = rows
            .iter()
            .map(|row| row.iter().map(|&text| Cell::text(text)).collect())
            .collect();
        grid
    }

    /// Tests that every column of a table is printed, regardless of its content.
    #[test]
    fn no_column_is_lost() {
        let long = "words that go on ".repeat(30);
        let latex = tables(&sheet(grid(&[&["a", &long, "b", &long, "c", "d"]])));
        assert!(latex.contains("\\begin{longtable}{@{}l>{"), "{latex}");
        assert_eq!(latex.matches("p{0.").count(), 2);
        let row = latex.lines().find(|line| line.starts_with("a & ")).unwrap();
        assert_eq!(row.matches(" & ").count(), 5);
        assert!(latex.contains("\\toprule") && latex.contains("\\bottomrule"));
        // If nothing can be broken there is no table.
        let wide = "x".repeat(20);
        let cells: Vec<&str> = (0..12).map(|_| wide.as_str()).collect();
        let latex = tables(&sheet(grid(&[&cells])));
        assert!(latex.contains("\\begin{description}") && !latex.contains("longtable}{"));
        assert_eq!(latex.matches(&wide).count(), 12);
    }

    #[test]
    fn the_provenance_is_printed() {
        let latex = tables(&sheet(grid(&[&["a"]])));
        let seen = latex.lines().filter(|line| !line.starts_with('%'));
        assert!(seen.clone().any(|line| line.contains("Digest 0123.")));
        assert!(seen.clone().any(|line| line.contains("\\caption{Numbers}")));
    }
}
