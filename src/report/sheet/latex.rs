//! A sheet as LaTeX tables. They need no packages.

use super::cell::{Cell, latex_text};
use super::{Grid, Part, Sheet};

/// Columns of longer texts share this much of the line.
const WIDE: f64 = 0.8;
/// Characters from which on a text may be broken into lines.
const LONG: usize = 24;

/// The tables, their provenance in comments, paragraphs between them.
pub(super) fn tables(sheet: &Sheet) -> String {
    let mut latex = format!("% {}\n", sheet.title);
    for line in &sheet.provenance {
        latex.push_str(&format!("% {line}\n"));
    }
    for part in &sheet.parts {
        match part {
            Part::Says(says) => latex.push_str(&format!("\n{}\n", latex_text(says))),
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
                latex.push_str(&format!("\n\\begin{{itemize}}\n{items}\\end{{itemize}}\n"));
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
    latex
}

/// Items one below the other, each with what is said of it.
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
    let longest = |column: usize| {
        let cells = grid.rows.iter().filter_map(|row| row.get(column));
        cells
            .map(|cell| cell.plain().chars().count())
            .max()
            .unwrap_or(0)
    };
    let columns = 0..grid.head.len();
    let long: Vec<(usize, usize)> = columns
        .clone()
        .map(|column| (column, longest(column)))
        .filter(|&(_, longest)| longest > LONG)
        .collect();
    let all: usize = long.iter().map(|(_, longest)| longest.min(&120)).sum();
    let kind = |column: usize| {
        if let Some((_, longest)) = long.iter().find(|(at, _)| *at == column) {
            let share = WIDE * (*longest.min(&120) as f64) / (all as f64);
            return format!("p{{{share:.2}\\linewidth}}");
        }
        let mut cells = grid.rows.iter().filter_map(|row| row.get(column));
        if cells.any(Cell::is_number) { "r" } else { "l" }.to_owned()
    };
    let kinds: String = columns.map(kind).collect();
    let head: Vec<String> = grid.head.iter().map(|name| latex_text(name)).collect();
    let mut latex = format!(
        "\\begin{{table}}\\centering\\footnotesize\n\\begin{{tabular}}{{{kinds}}}\n{} \\\\ \\hline\n",
        head.join(" & ")
    );
    for row in &grid.rows {
        let cells = row.iter().enumerate().map(|(column, cell)| {
            let is_long = long.iter().any(|(at, _)| *at == column);
            let ragged = if is_long { "\\raggedright{}" } else { "" };
            format!("{ragged}{}", cell.latex())
        });
        let cells: Vec<String> = cells.collect();
        latex.push_str(&format!("{} \\tabularnewline\n", cells.join(" & ")));
    }
    let caption = if grid.title.is_empty() {
        title
    } else {
        &grid.title
    };
    latex.push_str(&format!(
        "\\end{{tabular}}\n\\caption{{{}}}\n\\end{{table}}\n",
        latex_text(caption)
    ));
    latex
}
