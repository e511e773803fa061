//! The picture of a pretending function: the value of each heap, row by row.
//!
//! The layout follows Figures 3 and 23 of Plambeck 2005. The rows have the length of the period, so
//! that a column has one value once the values repeat. Values in P are filled.

use misere_game::bipartite::{BipartiteMonoid, Element};

use crate::elements::name;
use crate::svg::{Body, MARGIN, breadth, escaped, number, raised, shortened, title_width};

/// The longest row.
const MAX_ROW_LENGTH: usize = 24;
/// The number of columns where there is no period.
const FREE_COLUMNS: usize = 10;
/// The greatest number of heaps that are drawn.
const MAX_HEAPS: usize = 600;
const HEIGHT: f64 = 26.0;
const FONT: f64 = 13.0;
const LABEL: f64 = 52.0;
const MIN_WIDTH: f64 = 440.0;

/// A pretending function, as far as it is known.
#[derive(Clone, Copy, Debug)]
pub struct PretendingFunction<'a> {
    /// The values of the heaps from 0 on.
    pub values: &'a [Element],
    /// The period, and the heap from which the values repeat.
    pub repeats: Option<(u32, u32)>,
}

/// Draws the strip of a pretending function.
///
/// `of` is the game; `names` are the words of the elements of its quotient.
///
/// Cost: linear in the heaps that are drawn, at most 600.
///
/// ```
/// use misere_pictures::{PretendingFunction, pretending_strip};
/// use misere_game::bipartite::families::tame;
/// // 0.3: the heaps are 0, *, 0, *, ….
/// let function = PretendingFunction { values: &[0, 1, 0, 1, 0, 1], repeats: Some((2, 0)) };
/// let names = ["1", "a"].map(str::to_owned);
/// let picture = pretending_strip("0.3", &tame(1), &names, function);
/// assert!(picture.contains("period 2 from heap 0 on"));
/// ```
#[must_use]
pub fn pretending_strip(
    of: &str,
    quotient: &BipartiteMonoid,
    names: &[String],
    function: PretendingFunction<'_>,
) -> String {
    let period = function.repeats.map(|(period, _)| period as usize);
    let columns = match period {
        Some(period) if (1..=MAX_ROW_LENGTH).contains(&period) => {
            // Short periods are drawn several times in a row.
            period * (FREE_COLUMNS / period).max(1)
        }
        _ => FREE_COLUMNS,
    };
    let heaps = function.values.len().clamp(1, MAX_HEAPS + 1) - 1;
    let words: Vec<String> = function.values[..function.values.len().min(heaps + 1)]
        .iter()
        .map(|&x| raised(&name(names, x)))
        .collect();
    let widest = words.iter().map(|word| breadth(word) * FONT);
    let cell = widest.fold(24.0, f64::max) + 12.0;
    let repeats = match function.repeats {
        Some((period, preperiod)) => format!("period {period} from heap {preperiod} on"),
        None => format!("heaps to {}", function.values.len().saturating_sub(1)),
    };
    let title = format!("{}: pretending function, {repeats}", shortened(of));
    let width = LABEL + columns as f64 * cell + 2.0 * MARGIN;
    let width = width.max(MIN_WIDTH).max(title_width(&title));
    let mut body = Body::default();
    body.text((MARGIN, 32.0), "start", 17.0, "mp-ink", &title);
    let top = 62.0;
    let left = MARGIN + LABEL;
    for column in 0..columns {
        let x = left + (column as f64 + 0.5) * cell;
        body.text(
            (x, top),
            "middle",
            11.0,
            "mp-soft",
            &(column + 1).to_string(),
        );
    }
    // Heap 1 is the first of the first row.
    for (heap, word) in words.iter().enumerate().take(heaps + 1).skip(1) {
        let (line, column) = ((heap - 1) / columns, (heap - 1) % columns);
        let y = top + 10.0 + line as f64 * HEIGHT;
        if column == 0 {
            let label = format!("{}+", line * columns);
            body.text((left - 10.0, y + 17.0), "end", 11.0, "mp-soft", &label);
        }
        let x = left + column as f64 * cell;
        let in_p = quotient.in_p(function.values[heap]);
        let (shape, ink) = match in_p {
            true => ("mp-p", "mp-on-p"),
            false => ("mp-node", "mp-ink"),
        };
        body.push(&format!(
            "<g><title>{}</title>",
            escaped(&format!("heap {heap}: {word}"))
        ));
        body.rectangle((x + 1.0, y + 1.0), (cell - 2.0, HEIGHT - 2.0), 4.0, shape);
        body.text((x + cell / 2.0, y + 17.0), "middle", FONT, ink, word);
        body.push("</g>");
    }
    let lines = heaps.div_ceil(columns);
    if let Some((_, preperiod)) = function.repeats
        && (2..=heaps as u32).contains(&preperiod)
    {
        // A bar before the first heap of the period.
        let at = preperiod as usize - 1;
        let x = left + (at % columns) as f64 * cell;
        let y = top + 10.0 + (at / columns) as f64 * HEIGHT;
        body.push(&format!(
            "<path d=\"M{} {}V{}\" class=\"mp-wall\" stroke-width=\"3\"/>",
            number(x),
            number(y),
            number(y + HEIGHT)
        ));
    }
    let bottom = top + 10.0 + lines as f64 * HEIGHT + 22.0;
    let known = function.values.len().saturating_sub(1);
    let legend = match known > heaps {
        true => format!("filled: in P; heaps to {heaps} of {known} are drawn"),
        false => "filled: in P; a red bar: from here on the values repeat".to_owned(),
    };
    body.text((MARGIN, bottom), "start", 11.0, "mp-soft", &legend);
    let description =
        "The value of each heap under the pretending function, in rows. Filled values are in P.";
    body.picture(width, bottom + 14.0, &title, description, "")
}
