//! The picture of the P-positions of an infinite quotient, by the numbers of two heaps.

use crate::svg::{Body, MARGIN, breadth, number, shortened, title_width};

/// The greatest number of grids that are drawn.
pub const MAX_GRIDS: usize = 12;
/// The number of counts along each axis of a grid, from 0 on.
pub const COUNTS: usize = 28;

const CELL: f64 = 6.0;
const COLUMNS: usize = 4;
const LABEL: f64 = 26.0;
const CAPTION: f64 = 22.0;
const GAP: f64 = 26.0;
const FONT: f64 = 11.0;
/// The distance of the numbers beside an axis, in counts.
const STEP: usize = 9;

/// The P-positions among the sums of some heaps with any numbers of one or two others.
#[derive(Clone, Debug)]
pub struct PositionGrid {
    /// The words that name the heaps which are the same in the whole grid.
    pub with: String,
    /// Whether the position with `x` heaps of the first kind and `y` of the second is in P.
    ///
    /// The index is `is_p[y][x]`. There is one row if there is only one kind.
    pub is_p: Vec<Vec<bool>>,
}

/// Draws grids of P-positions, at most [`MAX_GRIDS`].
///
/// `of` is the game, and `axes` names the heaps that are counted: one or two.
///
/// Cost: linear in the fields of the grids.
///
/// ```
/// use misere_pictures::{PositionGrid, p_position_grids};
/// let rows = (0..28).map(|y| (0..28).map(|x| x == y).collect()).collect();
/// let grid = PositionGrid { with: "no other heaps".to_owned(), is_p: rows };
/// let picture = p_position_grids("0.31011", &[4, 5], &[grid]);
/// assert!(picture.starts_with("<svg") && picture.contains("with no other heaps"));
/// ```
#[must_use]
pub fn p_position_grids(of: &str, axes: &[u32], grids: &[PositionGrid]) -> String {
    let counted = match axes {
        [only] => format!("the number of heaps of {only}"),
        [across, up, ..] => {
            format!("the numbers of heaps of {across} (to the right) and {up} (up)")
        }
        [] => "no numbers".to_owned(),
    };
    let title = format!("{}: P-positions", shortened(of));
    let drawn = &grids[..grids.len().min(MAX_GRIDS)];
    let rows = drawn.iter().map(|grid| grid.is_p.len()).max().unwrap_or(0);
    let (across, up) = (COUNTS as f64 * CELL, rows as f64 * CELL);
    let (step_x, step_y) = (LABEL + across + GAP, CAPTION + up + LABEL + GAP / 2.0);
    let columns = drawn.len().clamp(1, COLUMNS);
    let mut legend = format!("Filled: a P-position, by {counted}.");
    if grids.len() > drawn.len() {
        legend.push_str(&format!(" Only the first {MAX_GRIDS} grids are drawn."));
    }
    let width = (MARGIN + columns as f64 * step_x + MARGIN)
        .max(title_width(&title))
        .max(breadth(&legend) * FONT + 2.0 * MARGIN);
    let mut body = Body::default();
    body.text((MARGIN, 32.0), "start", 17.0, "mp-ink", &title);
    let top = 52.0;
    for (place, grid) in drawn.iter().enumerate() {
        let at = (
            MARGIN + LABEL + (place % columns) as f64 * step_x,
            top + CAPTION + (place / columns) as f64 * step_y,
        );
        draw(&mut body, grid, at, up);
    }
    let bottom = top + drawn.len().div_ceil(columns) as f64 * step_y + 14.0;
    body.text((MARGIN, bottom), "start", FONT, "mp-soft", &legend);
    let description = format!(
        "Grids of positions by {counted}. Each grid is that of one choice of the other heaps. \
         P-positions are filled."
    );
    body.picture(width, bottom + 16.0, &title, &description, "")
}

/// Draws a grid whose upper left corner is `at`, and whose height is `up`.
fn draw(body: &mut Body, grid: &PositionGrid, at: (f64, f64), up: f64) {
    let (left, top) = at;
    let caption = format!("with {}", shortened(&grid.with));
    body.text((left, top - 7.0), "start", FONT, "mp-ink", &caption);
    let across = COUNTS as f64 * CELL;
    body.rectangle(at, (across, up), 0.0, "mp-box");
    let bottom = top + up;
    let mut filled = String::new();
    for (y, row) in grid.is_p.iter().enumerate() {
        for (x, _) in row.iter().enumerate().filter(|(_, is_p)| **is_p) {
            filled.push_str(&format!(
                "M{} {}h{CELL}v{CELL}h-{CELL}z",
                number(left + x as f64 * CELL),
                number(bottom - (y + 1) as f64 * CELL)
            ));
        }
    }
    body.push(&format!(
        "<path d=\"{filled}\" class=\"mp-p\" stroke=\"none\"/>"
    ));
    for count in (0..COUNTS).step_by(STEP) {
        let middle = (count as f64 + 0.5) * CELL;
        let name = count.to_string();
        body.text(
            (left + middle, bottom + 13.0),
            "middle",
            9.0,
            "mp-soft",
            &name,
        );
        if count < grid.is_p.len() && grid.is_p.len() > 1 {
            let at = (left - 5.0, bottom - middle + 3.0);
            body.text(at, "end", 9.0, "mp-soft", &name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(with: &str, rows: usize) -> PositionGrid {
        let row = |y| (0..COUNTS).map(|x| (x + y) % 2 == 0).collect();
        PositionGrid {
            with: with.to_owned(),
            is_p: (0..rows).map(row).collect(),
        }
    }

    #[test]
    fn at_most_twelve_grids_are_drawn() {
        let grids: Vec<PositionGrid> = (0..15).map(|n| grid(&format!("{n}·3"), COUNTS)).collect();
        let picture = p_position_grids("0.005", &[13, 18], &grids);
        assert_eq!(picture.matches(">with ").count(), MAX_GRIDS);
        assert!(picture.contains("Only the first 12 grids are drawn"));
        // Every second one of the 784 fields of a grid is filled.
        assert_eq!(picture.matches("h6v6h-6z").count(), 392 * MAX_GRIDS);
    }

    #[test]
    fn one_kind_of_heaps_makes_a_row() {
        let picture = p_position_grids("0.1", &[5], &[grid("a < b", 1)]);
        assert_eq!(picture.matches("h6v6h-6z").count(), COUNTS / 2);
        assert!(picture.contains("with a &lt; b") && picture.contains("the number of heaps of 5"));
        assert!(p_position_grids("0.1", &[], &[]).starts_with("<svg"));
    }
}
