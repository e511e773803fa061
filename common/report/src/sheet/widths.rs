//! The widths of the columns of a LaTeX table.
//!
//! Widths are estimated for Computer Modern in eight points, too large rather than too small.
//! Columns are as wide as their content if all of them fit beside one another; otherwise the widest
//! are broken into lines, all of these equally wide except where content cannot be broken.

use super::Grid;
use super::cell::{Cell, MAX_UNBROKEN_WORD};

/// The width of the text of LaTeX's article class in ten points, in points.
pub(super) const TEXT: f64 = 345.0;

/// The space between columns, in points.
pub(super) const APART: f64 = 8.0;

/// A column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Column {
    /// As wide as its content, aligned to the left.
    Left,
    /// As wide as its content, aligned to the right.
    Right,
    /// Of this width, in points; broken into lines.
    Broken(f64),
}

/// Chooses the columns of a table; `None` if there are too many for any width.
pub(super) fn columns(grid: &Grid) -> Option<Vec<Column>> {
    let number = grid.head.len();
    let room = TEXT - APART * (number.saturating_sub(1)) as f64 - 2.0;
    let cells = |column: usize| grid.rows.iter().filter_map(move |row| row.get(column));
    let head = |column: usize| Cell::text(grid.head[column].as_str());
    let widest = |column: usize, width: fn(&Cell) -> f64| {
        let widths = cells(column).map(width);
        widths.fold(width(&head(column)), f64::max)
    };
    let whole: Vec<f64> = (0..number).map(|column| widest(column, breadth)).collect();
    let least: Vec<f64> = (0..number)
        .map(|column| widest(column, unbroken).min(whole[column]))
        .collect();
    if least.iter().sum::<f64>() > room {
        return None;
    }
    let cap = cap(&whole, &least, room);
    let column = |at: usize| {
        let is_number = cells(at).any(Cell::is_number);
        match (whole[at] <= cap, is_number) {
            (true, true) => Column::Right,
            (true, false) => Column::Left,
            (false, _) => Column::Broken(cap.max(least[at])),
        }
    };
    Some((0..number).map(column).collect())
}

/// Returns the greatest width to which columns are cut so that all fit; infinite if they fit uncut.
fn cap(whole: &[f64], least: &[f64], room: f64) -> f64 {
    let taken = |cap: f64| -> f64 {
        let widths = whole.iter().zip(least);
        widths
            .map(|(&whole, &least)| whole.min(cap.max(least)))
            .sum()
    };
    if taken(f64::INFINITY) <= room {
        return f64::INFINITY;
    }
    let (mut low, mut high) = (0.0, TEXT);
    for _ in 0..40 {
        let middle = (low + high) / 2.0;
        match taken(middle) <= room {
            true => low = middle,
            false => high = middle,
        }
    }
    low
}

/// Estimates the width of a cell in one line.
pub(super) fn breadth(cell: &Cell) -> f64 {
    let text = cell.plain();
    match cell {
        Cell::Formula(_) | Cell::Game(_) => formula(text),
        Cell::Key(_) => text.chars().count() as f64 * 4.4,
        Cell::None | Cell::Text(_) | Cell::Number(_) => words(text),
    }
}

/// Estimates the width of the widest part of a cell that cannot be broken.
fn unbroken(cell: &Cell) -> f64 {
    let parts: Vec<&str> = match cell {
        // Lines may end after commas, and before and after equals signs.
        Cell::Formula(formula) => formula
            .split(", ")
            .flat_map(|part| part.split(" = "))
            .collect(),
        Cell::Game(game) => game.split([' ', ')']).collect(),
        Cell::None | Cell::Text(_) | Cell::Number(_) | Cell::Key(_) => {
            cell.plain().split([' ', '-']).collect()
        }
    };
    let of = |part: &str| match cell {
        Cell::Formula(_) | Cell::Game(_) => formula(part) + 10.0,
        _ => words(part).min(MAX_UNBROKEN_WORD as f64 * 5.2),
    };
    parts.into_iter().map(of).fold(0.0, f64::max)
}

fn words(text: &str) -> f64 {
    let of = |c: char| match c {
        ' ' => 2.9,
        'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '|' | '\'' => 2.7,
        'm' | 'w' | 'A'..='Z' | 'Φ' | '∞' => 6.6,
        '=' | '<' | '>' | '≤' | '≥' | '+' | '×' | '∈' | '≅' | '↦' => 7.0,
        _ => 4.6,
    };
    text.chars().map(of).sum()
}

fn formula(text: &str) -> f64 {
    let mut width = 0.0;
    let mut is_script = false;
    for c in text.chars() {
        width += match c {
            '^' | '_' => {
                is_script = true;
                0.3
            }
            '0'..='9' if is_script => 3.6,
            '0'..='9' => 4.4,
            '=' | '↦' | '≅' | '∈' => 11.5,
            '|' => 7.2,
            ' ' => 2.9,
            ',' | '⟨' | '⟩' | '(' | ')' => 4.0,
            'A'..='Z' | 'Φ' | 'm' | 'w' | '#' => 7.0,
            _ => 5.0,
        };
        is_script = is_script && c.is_ascii_digit() || matches!(c, '^' | '_');
    }
    width
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(cells: &[&str]) -> Grid {
        let head: Vec<&str> = cells.iter().map(|_| "h").collect();
        let mut grid = Grid::new("", &head);
        grid.rows = vec![cells.iter().map(|&text| Cell::text(text)).collect()];
        grid
    }

    #[test]
    fn columns_that_fit_keep_their_width_and_the_rest_are_cut_evenly() {
        assert_eq!(columns(&grid(&["a", "b c"])), Some(vec![Column::Left; 2]));
        let long = "some words ".repeat(40);
        let found = columns(&grid(&["a", &long, &long, "0.77"])).unwrap();
        let [
            Column::Left,
            Column::Broken(one),
            Column::Broken(other),
            Column::Left,
        ] = found.as_slice()
        else {
            panic!("{found:?}");
        };
        assert!((one - other).abs() < 1e-6 && *one > 100.0);
        let word = "y".repeat(15);
        assert_eq!(columns(&grid(&[word.as_str(); 9])), None);
    }
}
