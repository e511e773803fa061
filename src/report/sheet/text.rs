//! A report for people at a terminal.

use super::{Block, Cell, Sheet, Table, Values};
use crate::terminal::{breadth, flow};

pub(super) fn set(sheet: &Sheet, width: usize) -> String {
    let mut text = format!("{}\n\n", sheet.title);
    for block in &sheet.blocks {
        match block {
            Block::Heading(heading) => text.push_str(&format!("{heading}\n")),
            Block::Paragraph(words) => {
                text.push_str(&flow(words.split(' '), 0, width));
                text.push_str("\n\n");
            }
            Block::List(lines) => {
                for line in lines {
                    text.push_str(&format!("- {}\n", flow(line.split(' '), 2, width)));
                }
                text.push('\n');
            }
            Block::Table(shown) => {
                text.push_str(&table(shown));
                text.push('\n');
            }
            Block::Formula { name, items } => {
                let opening = format!("  {name} = ");
                let set = flow(items.iter().map(String::as_str), breadth(&opening), width);
                text.push_str(&format!("{opening}{set}\n"));
            }
            Block::Values(shown) => {
                text.push_str(&values(shown, width));
                text.push('\n');
            }
            // The words beside a picture say the same.
            Block::Picture(_) => {}
        }
    }
    for sentence in sheet.provenance.sentences() {
        text.push_str(&format!("- {}\n", flow(sentence.split(' '), 2, width)));
    }
    text
}

/// Numbers to the right, all else to the left.
fn table(table: &Table) -> String {
    let is_number = |column: usize| {
        table
            .rows
            .iter()
            .any(|row| matches!(row.get(column), Some(Cell::Number(_))))
    };
    let mut lines: Vec<Vec<String>> =
        vec![table.columns.iter().map(|&name| name.to_owned()).collect()];
    lines.extend(
        table
            .rows
            .iter()
            .map(|row| row.iter().map(Cell::plain).collect()),
    );
    let widths: Vec<usize> = (0..table.columns.len())
        .map(|column| {
            let cells = lines.iter().filter_map(|line| line.get(column));
            cells.map(|cell| breadth(cell)).max().unwrap_or(0)
        })
        .collect();
    let mut text = String::new();
    for line in lines {
        let mut set = String::new();
        for (column, (cell, &width)) in line.iter().zip(&widths).enumerate() {
            let padding = " ".repeat(width - breadth(cell));
            match is_number(column) {
                true => set.push_str(&format!("  {padding}{cell}")),
                false => set.push_str(&format!("  {cell}{padding}")),
            }
        }
        text.push_str(set.trim_end());
        text.push('\n');
    }
    text
}

/// The period stands in parentheses, as that of a decimal fraction might.
fn values(values: &Values, width: usize) -> String {
    let marked: Vec<String> = values
        .values
        .iter()
        .enumerate()
        .map(|(at, word)| match values.period {
            Some((begin, end)) => format!(
                "{}{word}{}",
                if at == begin { "(" } else { "" },
                if at + 1 == end { ")" } else { "" }
            ),
            None => word.clone(),
        })
        .chain([if values.period.is_some() { "…" } else { "?" }.to_owned()])
        .collect();
    if values.columns == 0 {
        let opening = "  Φ = ";
        let set = flow(marked.iter().map(String::as_str), breadth(opening), width);
        return format!("{opening}{set}\n");
    }
    let cell = marked.iter().map(|word| breadth(word)).max().unwrap_or(1);
    let margin = values.values.len().to_string().len() + 1;
    let mut text = format!("  {:margin$}", "");
    for heap in 1..=values.columns {
        text.push_str(&format!("  {heap:<cell$}"));
    }
    text = format!("{}\n", text.trim_end());
    for (row, line) in marked.chunks(values.columns).enumerate() {
        let mut set = format!("  {:>margin$}", format!("{}+", row * values.columns));
        for word in line {
            set.push_str(&format!("  {word}{}", " ".repeat(cell - breadth(word))));
        }
        text.push_str(set.trim_end());
        text.push('\n');
    }
    text
}
