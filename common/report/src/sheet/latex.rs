//! A sheet as LaTeX, to be included in a paper.
//!
//! Tables are at most as wide as the text: columns that are too wide are broken into lines, and a
//! table that is still too wide is set item by item. Tables continue from page to page. The first
//! lines, a comment, say which packages are needed; the provenance is below the table, for readers.

use super::cell::{Cell, latex_text};
use super::widths::{APART, Column, TEXT, columns};
use super::{Grid, Part, Sheet};

/// The packages that a document needs to include a sheet.
pub(crate) const NEEDS: &str =
    "% Needs \\usepackage[utf8]{inputenc} and \\usepackage{array,booktabs,longtable}.\n";

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
    let Some(columns) = columns(grid) else {
        let mut grid = grid.clone();
        grid.title = caption.to_owned();
        return items(&grid);
    };
    let kinds: Vec<String> = columns.iter().map(kind).collect();
    let line = |cells: Vec<String>| format!("{} \\tabularnewline\n", cells.join(" & "));
    let head = line(grid.head.iter().map(|name| latex_text(name)).collect());
    let mut latex = format!(
        "{{\\footnotesize\\setlength{{\\tabcolsep}}{{{}pt}}\\setlength{{\\LTcapwidth}}{{\\linewidth}}\n\\begin{{longtable}}{{@{{}}{}@{{}}}}\n\\caption{{{}}}\\tabularnewline\n\\toprule\n{head}\\midrule\n\\endfirsthead\n\\toprule\n{head}\\midrule\n\\endhead\n\\bottomrule\n\\endfoot\n",
        APART / 2.0,
        kinds.concat(),
        latex_text(caption),
    );
    for row in &grid.rows {
        latex.push_str(&line(row.iter().map(Cell::latex).collect()));
    }
    latex.push_str("\\end{longtable}}\n");
    latex
}

fn kind(column: &Column) -> String {
    match column {
        Column::Left => "l".to_owned(),
        Column::Right => "r".to_owned(),
        Column::Broken(width) => format!(
            ">{{\\raggedright\\arraybackslash}}p{{{:.3}\\linewidth}}",
            width / TEXT
        ),
    }
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
