//! A sheet at a terminal.

use misere_census::running_text::flow;

use super::{Cell, Grid, Part, Sheet};

/// Formats the sheet as text.
pub(super) fn text(sheet: &Sheet, width: usize) -> String {
    let mut text = format!("{}\n", sheet.title);
    for part in &sheet.parts {
        text.push('\n');
        match part {
            Part::Says(says) => {
                text.push_str(&flow(says.split(' '), 0, width));
                text.push('\n');
            }
            Part::Grid(grid) => text.push_str(&columns(grid)),
            Part::Items(grid) => text.push_str(&items(grid, width)),
            Part::Heading(heading) | Part::Subheading(heading) => {
                text.push_str(&format!("{heading}\n"))
            }
            Part::List(lines) => {
                for line in lines {
                    text.push_str(&format!("- {}\n", flow(line.split(' '), 2, width)));
                }
            }
            Part::Formula(name, items) => {
                text.pop();
                let opening = format!("  {name} = ");
                let indent = console::measure_text_width(&opening);
                let set = flow(items.iter().map(String::as_str), indent, width);
                text.push_str(&format!("{opening}{set}\n"));
            }
            Part::Values(values) => {
                text.pop();
                text.push_str(&values.text(width));
            }
            Part::Picture(_) => {
                text.pop();
            }
        }
    }
    text.push('\n');
    for line in &sheet.provenance {
        text.push_str(&flow(line.split(' '), 0, width));
        text.push('\n');
    }
    text
}

/// Formats columns, with numbers aligned to the right.
fn columns(grid: &Grid) -> String {
    let measure = console::measure_text_width;
    let mut widths: Vec<usize> = grid.head.iter().map(|name| measure(name)).collect();
    for row in &grid.rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(measure(cell.plain()));
        }
    }
    let numbers: Vec<bool> = (0..grid.head.len())
        .map(|column| {
            let mut cells = grid.rows.iter().filter_map(|row| row.get(column));
            cells.any(Cell::is_number)
        })
        .collect();
    let line = |cells: &[&str]| {
        let mut line = String::new();
        for ((cell, width), to_the_right) in cells.iter().zip(&widths).zip(&numbers) {
            let space = " ".repeat(width - measure(cell));
            line.push_str("  ");
            if *to_the_right {
                line.push_str(&space);
                line.push_str(cell);
            } else {
                line.push_str(cell);
                line.push_str(&space);
            }
        }
        format!("{}\n", line.trim_end())
    };
    let mut text = heading(grid);
    let head: Vec<&str> = grid.head.iter().map(String::as_str).collect();
    text.push_str(&line(&head));
    for row in &grid.rows {
        let cells: Vec<&str> = row.iter().map(Cell::plain).collect();
        text.push_str(&line(&cells));
    }
    text
}

/// Formats items one after the other.
///
/// The first cell comes first, the others below it, each with the name of its column.
fn items(grid: &Grid, width: usize) -> String {
    let mut text = heading(grid);
    let names = grid.head.iter().skip(1);
    let wide = names.map(|name| console::measure_text_width(name)).max();
    let indent = 4 + wide.unwrap_or(0) + 2;
    for row in &grid.rows {
        let mut cells = row.iter().zip(&grid.head);
        if let Some((first, _)) = cells.next() {
            text.push_str(&format!("{}\n", first.plain()));
        }
        for (cell, name) in cells.filter(|(cell, _)| **cell != Cell::None) {
            let space = " ".repeat(indent - 4 - console::measure_text_width(name));
            let set = flow(cell.plain().split(' '), indent, width);
            text.push_str(&format!("    {name}{space}{set}\n"));
        }
    }
    text
}

fn heading(grid: &Grid) -> String {
    if grid.title.is_empty() {
        String::new()
    } else {
        format!("{}\n", grid.title)
    }
}
