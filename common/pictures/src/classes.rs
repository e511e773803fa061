//! The picture of the classes of mutual divisibility, with the Rees factors.
//!
//! An egg-box diagram: each box is a class, in the order of divisibility, greater divisors above. A
//! box that is a group is highlighted and names its group; in the others all products fall into
//! lower boxes (Plambeck 2005, sections 7 and 8.2). In a commutative monoid an egg box has one
//! cell, so the cells here are the elements.

use misere_game::bipartite::idempotents::Idempotents;
use misere_game::bipartite::{BipartiteMonoid, Element};
use misere_game::control::Control;
use misere_game::control::Stop;
use misere_game::structure::principal_series::{Class, PrincipalSeries};

use crate::elements::{MAX_ELEMENTS, name};
use crate::idempotents::group_in_words;
use crate::layered::{Item, places};
use crate::svg::{Body, MARGIN, breadth, escaped, number, raised, shortened, title_width};

const CELL_HEIGHT: f64 = 26.0;
const HEAD: f64 = 24.0;
const PAD: f64 = 10.0;
const PER_LINE: usize = 4;
const FONT: f64 = 13.0;
const MIN_WIDTH: f64 = 440.0;
/// The greatest number of elements that are drawn of a class.
const MAX_DRAWN: usize = 32;

/// Draws the classes of mutual divisibility of a quotient.
///
/// `of` names the game of the quotient, for the title; `names` are the words of its elements, by
/// number.
///
/// With more than [`MAX_ELEMENTS`] elements it draws the order of the idempotents instead.
///
/// Cost: that of the principal series, with at most [`MAX_ELEMENTS`] elements.
///
/// ```
/// use misere_game::bipartite::families::tame;
/// let names = ["1", "a", "b^2", "ab^2", "b", "ab"].map(str::to_owned);
/// let picture = misere_pictures::class_diagram("T_2", &tame(2), &names);
/// assert!(picture.contains("2 classes") && picture.contains("group ℤ₂²"));
/// ```
#[must_use]
pub fn class_diagram(of: &str, quotient: &BipartiteMonoid, names: &[String]) -> String {
    let series = match quotient.order() {
        order if order <= MAX_ELEMENTS => PrincipalSeries::new(quotient, &mut Control::unlimited()),
        _ => Err(Stop::FuelSpent),
    };
    match series {
        Ok(series) => drawn(of, quotient, names, &series),
        Err(_) => crate::idempotent_order(of, quotient, names),
    }
}

fn drawn(
    of: &str,
    quotient: &BipartiteMonoid,
    names: &[String],
    series: &PrincipalSeries,
) -> String {
    let found = Idempotents::new(quotient);
    let boxes: Vec<ClassBox> = (1..)
        .zip(&series.classes)
        .map(|(number, class)| ClassBox::new(quotient, names, &found, number, class))
        .collect();
    let items: Vec<Item> = boxes
        .iter()
        .zip(&series.classes)
        .map(|(it, class)| Item {
            layer: class.depth as usize,
            width: it.width(),
            height: it.height(),
        })
        .collect();
    let edges: Vec<(usize, usize)> = series
        .covers
        .iter()
        .map(|&(above, below)| (above as usize, below as usize))
        .collect();
    let placed = places(&items, &edges, 26.0, 44.0);
    let title = format!(
        "{}: {} classes of mutual divisibility, order {}",
        shortened(of),
        series.classes.len(),
        quotient.order()
    );
    let mut body = Body::default();
    body.text((MARGIN, 32.0), "start", 17.0, "mp-ink", &title);
    let (top, least) = (58.0, MIN_WIDTH.max(title_width(&title)));
    let width = (placed.width + 2.0 * MARGIN).max(least);
    let left = (width - placed.width) / 2.0;
    let at = |place: usize| {
        let (x, y) = placed.corners[place];
        (x + left, y + top)
    };
    for (&(above, below), route) in edges.iter().zip(&placed.routes) {
        let from = at(above);
        let from = (
            from.0 + items[above].width / 2.0,
            from.1 + items[above].height,
        );
        let to = (at(below).0 + items[below].width / 2.0, at(below).1);
        let way = route.iter().map(|&(x, y)| (x + left, y + top));
        let points: Vec<String> = std::iter::once(from)
            .chain(way)
            .chain([to])
            .map(|(x, y)| format!("{} {}", number(x), number(y)))
            .collect();
        body.push(&format!(
            "<path d=\"M{}\" class=\"mp-line\" stroke-width=\"1.6\" stroke-linejoin=\"round\"/>",
            points.join("L")
        ));
    }
    for (place, it) in boxes.iter().enumerate() {
        it.draw(&mut body, at(place));
    }
    let bottom = top + placed.height + 28.0;
    let legend = "filled: in P; blue boxes are groups, in the others all products fall lower";
    body.text((MARGIN, bottom), "start", 11.0, "mp-soft", legend);
    let description = "Each box holds the elements that divide one another; greater divisors stand higher. Blue boxes are maximal \
                       subgroups. In any other box every product of two elements lies in a lower box.";
    body.picture(width, bottom + 14.0, &title, description, "")
}

/// A class, laid out.
struct ClassBox {
    head: String,
    cells: Vec<(String, bool)>,
    /// The number of elements that are not drawn.
    more: usize,
    cell_width: f64,
    is_group: bool,
}

impl ClassBox {
    fn new(
        quotient: &BipartiteMonoid,
        names: &[String],
        found: &Idempotents,
        number: u32,
        class: &Class,
    ) -> Self {
        let at = |e: Element| found.elements.iter().position(|&other| other == e);
        let kind = match class.idempotent.and_then(at) {
            Some(place) => format!(
                "group {}",
                group_in_words(&found.invariants(quotient, place))
            ),
            None => "null".to_owned(),
        };
        let cells = class.elements.iter().take(MAX_DRAWN);
        let cells: Vec<(String, bool)> = cells
            .map(|&x| (raised(&name(names, x)), quotient.in_p(x)))
            .collect();
        let widest = cells.iter().map(|(word, _)| breadth(word) * FONT);
        Self {
            head: format!("{}: {kind}", raised(&format!("D_{number}"))),
            cell_width: widest.fold(20.0, f64::max) + 14.0,
            more: class.elements.len() - cells.len(),
            cells,
            is_group: class.idempotent.is_some(),
        }
    }

    fn columns(&self) -> usize {
        self.cells.len().clamp(1, PER_LINE)
    }

    fn width(&self) -> f64 {
        let cells = self.columns() as f64 * self.cell_width;
        cells.max(breadth(&self.head) * 12.0) + 2.0 * PAD
    }

    fn height(&self) -> f64 {
        let lines = self.cells.len().div_ceil(PER_LINE) + usize::from(self.more > 0);
        HEAD + lines as f64 * CELL_HEIGHT + PAD
    }

    fn draw(&self, body: &mut Body, corner: (f64, f64)) {
        let class = if self.is_group { "mp-group" } else { "mp-box" };
        body.rectangle(corner, (self.width(), self.height()), 9.0, class);
        let middle = corner.0 + self.width() / 2.0;
        body.text(
            (middle, corner.1 + 17.0),
            "middle",
            12.0,
            "mp-soft",
            &self.head,
        );
        let left = middle - self.columns() as f64 * self.cell_width / 2.0;
        for (at, (word, in_p)) in self.cells.iter().enumerate() {
            let (column, line) = (at % PER_LINE, at / PER_LINE);
            let x = left + column as f64 * self.cell_width;
            let y = corner.1 + HEAD + line as f64 * CELL_HEIGHT;
            let (cell, ink) = match in_p {
                true => ("mp-p", "mp-on-p"),
                false => ("mp-node", "mp-ink"),
            };
            let size = (self.cell_width - 4.0, CELL_HEIGHT - 4.0);
            body.push(&format!("<g><title>{}</title>", escaped(word)));
            body.rectangle((x + 2.0, y + 2.0), size, 5.0, cell);
            let centre = (x + self.cell_width / 2.0, y + 18.0);
            body.text(centre, "middle", FONT, ink, word);
            body.push("</g>");
        }
        if self.more > 0 {
            let line = self.cells.len().div_ceil(PER_LINE);
            let y = corner.1 + HEAD + line as f64 * CELL_HEIGHT + 18.0;
            let more = format!("… {} more", self.more);
            body.text((middle, y), "middle", 12.0, "mp-soft", &more);
        }
    }
}
