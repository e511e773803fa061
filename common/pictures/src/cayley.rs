//! The picture of a Cayley graph.
//!
//! The Cayley graph of a quotient is drawn in the order of divisibility: each box has elements that
//! divide one another, and every arrow between boxes goes down. Layers are the lengths of the
//! longest chains from the units. Boxes that are groups are highlighted, with their structure. An
//! arrow in both directions has no head, and a loop is a dot on the rim: in groups of exponent 2
//! most of the picture is then lines.
//!
//! Figures 7 to 10 of Plambeck 2005 show one generator each; where all at once would be too much,
//! small pictures of each are below.

use misere_game::bipartite::divisibility::Divisibility;
use misere_game::bipartite::idempotents::Idempotents;
use misere_game::bipartite::{BipartiteMonoid, Element};
use misere_game::monoid::word::lex_least_words;

use crate::elements::{MAX_ARROWS, MAX_ELEMENTS, name};
use crate::idempotents::{group_in_words, idempotent_order};
use crate::layered::{Item, Places, places};
use crate::svg::{Body, MARGIN, breadth, escaped, number, raised, shortened, title_width};

/// The number of arrows above which they are also shown generator by generator.
const MAX_ARROWS_IN_ONE_PICTURE: usize = 60;
const HEIGHT: f64 = 26.0;
const FONT: f64 = 13.0;
/// The smallest legible font, which limits the number of small pictures in a row.
const MIN_FONT: f64 = 6.0;
/// The greatest scale of a small picture.
const SMALL: f64 = 0.62;
/// The room between small pictures.
const PANEL_GAP: f64 = 12.0;
const GAP: f64 = 30.0;
const ROW_GAP: f64 = 30.0;
const BETWEEN: f64 = 76.0;
/// The room at the left of a box for its label.
const CAPTION: f64 = 52.0;
const LEGEND_LINE: f64 = 22.0;
const MIN_WIDTH: f64 = 440.0;

const COLOURS: [&str; 10] = [
    "#2f7fd1", "#d9601a", "#1b9e77", "#c0569f", "#b8860b", "#7b61d6", "#3aa6b9", "#a0522d",
    "#6b8e23", "#d23f57",
];
const DASHES: [&str; 3] = ["", "6 3", "2 3"];

/// Draws the Cayley graph of a quotient.
///
/// `of` names the game of the quotient, for the title; `names` are the words of its elements, by
/// number. An element without a word is shown by its number.
///
/// With more than [`MAX_ELEMENTS`] elements or [`MAX_ARROWS`] arrows it draws the
/// [`idempotent_order`] instead, and says so.
///
/// ```
/// use misere_game::bipartite::families::tame;
/// let names = ["1", "a", "b^2", "ab^2", "b", "ab"].map(str::to_owned);
/// assert!(misere_pictures::cayley_graph("T_2", &tame(2), &names).starts_with("<svg"));
/// ```
///
/// Cost: linear in the order times the generators, both limited as above.
#[must_use]
pub fn cayley_graph(of: &str, quotient: &BipartiteMonoid, names: &[String]) -> String {
    let arrows = quotient.order() * quotient.generators();
    if quotient.order() > MAX_ELEMENTS || arrows > MAX_ARROWS {
        return idempotent_order(of, quotient, names);
    }
    let graph = Graph::new(quotient, names);
    let mut body = Body::default();
    let title = format!(
        "{}: Cayley graph, order {}, {} in P, {} generator{}",
        shortened(of),
        quotient.order(),
        quotient.p_size(),
        quotient.generators(),
        if quotient.generators() == 1 { "" } else { "s" }
    );
    let width = (graph.places.width + 2.0 * MARGIN)
        .max(MIN_WIDTH)
        .max(title_width(&title));
    body.text((MARGIN, 32.0), "start", 17.0, "mp-ink", &title);
    body.push("<g class=\"mp-cayley\">");
    let top = legend(&mut body, &graph, width) + 14.0;
    let left = (width - graph.places.width) / 2.0;
    body.push(&format!(
        "<g transform=\"translate({} {})\">",
        number(left),
        number(top)
    ));
    graph.boxes(&mut body);
    for generator in 0..quotient.generators() {
        graph.arrows(&mut body, generator);
    }
    graph.nodes(&mut body);
    body.push("</g>");
    let mut height = top + graph.places.height + MARGIN;
    if arrows > MAX_ARROWS_IN_ONE_PICTURE && quotient.generators() > 1 {
        height = panels(&mut body, &graph, width, height);
    }
    body.push("</g>");
    let description = format!(
        "Boxes hold the elements that divide one another; greater divisors stand higher. Filled elements are the {} of the P-portion. \
         Blue boxes are the {} maximal subgroups.",
        quotient.p_size(),
        graph.idempotents.elements.len()
    );
    body.picture(
        width,
        height,
        &title,
        &description,
        &highlighting(quotient.generators()),
    )
}

/// Returns the style that fades other arrows while the pointer is on a generator in the legend.
fn highlighting(generators: usize) -> String {
    let mut style = ".mp-key{cursor:default}".to_owned();
    for g in 0..generators {
        style.push_str(&format!(
            ".mp-cayley:has(.mp-key{g}:hover) .mp-arrow:not(.mp-arrow{g}){{opacity:.06}}"
        ));
    }
    style
}

struct Graph<'a> {
    quotient: &'a BipartiteMonoid,
    names: &'a [String],
    idempotents: Idempotents,
    /// The elements of each class of associates, in the order in which they are drawn.
    classes: Vec<Vec<Element>>,
    class: Vec<u32>,
    places: Places,
    items: Vec<Item>,
    /// The middle of every element.
    centre: Vec<(f64, f64)>,
    node: f64,
}

impl<'a> Graph<'a> {
    fn new(quotient: &'a BipartiteMonoid, names: &'a [String]) -> Self {
        let divisibility = Divisibility::new(quotient);
        let words = lex_least_words(quotient);
        let mut sorted: Vec<Element> = (0..quotient.order() as Element).collect();
        let word = |x: Element| &words[x as usize].0;
        sorted.sort_by(|&x, &y| word(x).iter().rev().cmp(word(y).iter().rev()));
        let mut classes = vec![Vec::new(); divisibility.size.len()];
        for x in sorted {
            classes[divisibility.class[x as usize] as usize].push(x);
        }
        let widest = (0..quotient.order() as Element)
            .map(|x| breadth(&raised(&name(names, x))))
            .fold(0.0, f64::max);
        let node = (widest * FONT + 14.0).clamp(32.0, 120.0);
        let items: Vec<Item> = classes
            .iter()
            .zip(&divisibility.depth)
            .map(|(class, &depth)| {
                let (columns, rows) = grid(class.len());
                Item {
                    layer: depth as usize,
                    width: columns as f64 * (node + GAP) + GAP * 0.2 + CAPTION,
                    height: rows as f64 * (HEIGHT + ROW_GAP) + ROW_GAP * 0.4,
                }
            })
            .collect();
        let class = |x: Element| divisibility.class[x as usize] as usize;
        let mut edges: Vec<(usize, usize)> = (0..quotient.order() as Element)
            .flat_map(|x| (0..quotient.generators()).map(move |g| (x, g)))
            .map(|(x, g)| (class(x), class(quotient.act(x, g))))
            .filter(|(from, to)| from != to)
            .collect();
        edges.sort_unstable();
        edges.dedup();
        let places = places(&items, &edges, 22.0, BETWEEN);
        let mut centre = vec![(0.0, 0.0); quotient.order()];
        for (number, elements) in classes.iter().enumerate() {
            let (x, y) = places.corners[number];
            let (_, rows) = grid(elements.len());
            for (at, &element) in elements.iter().enumerate() {
                let (column, row) = (at / rows, at % rows);
                centre[element as usize] = (
                    x + CAPTION + GAP * 0.6 + node / 2.0 + column as f64 * (node + GAP),
                    y + ROW_GAP * 0.7 + HEIGHT / 2.0 + row as f64 * (HEIGHT + ROW_GAP),
                );
            }
        }
        Self {
            quotient,
            names,
            idempotents: Idempotents::new(quotient),
            class: divisibility.class,
            classes,
            places,
            items,
            centre,
            node,
        }
    }

    fn boxes(&self, body: &mut Body) {
        for (number, elements) in self.classes.iter().enumerate() {
            let (corner, item) = (self.places.corners[number], self.items[number]);
            let idempotent = elements
                .iter()
                .find_map(|&x| self.idempotents.elements.iter().position(|&e| e == x));
            let style = if idempotent.is_some() {
                "mp-group"
            } else {
                "mp-box"
            };
            body.rectangle(corner, (item.width, item.height), 8.0, style);
            if let Some(place) = idempotent {
                let e = raised(&name(self.names, self.idempotents.elements[place]));
                let group = group_in_words(&self.idempotents.invariants(self.quotient, place));
                let middle = corner.1 + item.height / 2.0;
                for (line, y) in [
                    (format!("I({e})"), middle - 4.0),
                    (format!("≅ {group}"), middle + 10.0),
                ] {
                    let size = ((CAPTION - 6.0) / breadth(&line)).min(11.0);
                    body.text((corner.0 + 8.0, y), "start", size, "mp-soft", &line);
                }
            }
        }
    }

    fn nodes(&self, body: &mut Body) {
        for x in 0..self.quotient.order() as Element {
            let (cx, cy) = self.centre[x as usize];
            let label = raised(&name(self.names, x));
            let in_p = self.quotient.in_p(x);
            let place = self.idempotents.component[x as usize] as usize;
            let e = self.idempotents.elements[place];
            let mut tooltip = format!("{label}{}", if in_p { ", in P" } else { "" });
            match e == x {
                true => tooltip.push_str(", idempotent"),
                false => tooltip.push_str(&format!(
                    "; its idempotent power is {}",
                    raised(&name(self.names, e))
                )),
            }
            body.push(&format!("<g><title>{}</title>", escaped(&tooltip)));
            let shape = if in_p { "mp-p" } else { "mp-node" };
            body.push(&format!(
                "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{HEIGHT}\" rx=\"{}\" class=\"{shape}\" stroke-width=\"{}\"/>",
                number(cx - self.node / 2.0),
                number(cy - HEIGHT / 2.0),
                number(self.node),
                HEIGHT / 2.0,
                if e == x { "2.6" } else { "1.2" }
            ));
            if in_p && e == x {
                // On a filled element a heavy rim does not show, so a second one is drawn around
                // it.
                body.push(&format!(
                    "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\" class=\"mp-q-line\" stroke-width=\"1.4\"/>",
                    number(cx - self.node / 2.0 - 3.0),
                    number(cy - HEIGHT / 2.0 - 3.0),
                    number(self.node + 6.0),
                    HEIGHT + 6.0,
                    HEIGHT / 2.0 + 3.0
                ));
            }
            let room = self.node - 8.0;
            let size = (room / breadth(&label).max(0.1)).min(FONT);
            body.text(
                (cx, cy + 4.5),
                "middle",
                size,
                if in_p { "mp-on-p" } else { "mp-ink" },
                &label,
            );
            body.push("</g>");
            self.fixing(body, x);
        }
    }

    /// Draws a dot on the rim for every generator that fixes the element.
    fn fixing(&self, body: &mut Body, x: Element) {
        let fixing: Vec<usize> = (0..self.quotient.generators())
            .filter(|&g| self.quotient.act(x, g) == x)
            .collect();
        let (cx, cy) = self.centre[x as usize];
        let first = cx - (fixing.len() as f64 - 1.0) * 4.5;
        for (at, &g) in fixing.iter().enumerate() {
            body.push(&format!(
                "<circle cx=\"{}\" cy=\"{}\" r=\"3.2\" fill=\"{}\" class=\"mp-arrow mp-arrow{g}\"/>",
                number(first + 9.0 * at as f64),
                number(cy - HEIGHT / 2.0),
                colour(g)
            ));
        }
    }

    /// Draws the arrows of one generator.
    fn arrows(&self, body: &mut Body, g: usize) {
        let generators = self.quotient.generators();
        let spread = g as f64 - (generators as f64 - 1.0) / 2.0;
        body.push(&format!(
            "<g class=\"mp-arrow mp-arrow{g}\" stroke=\"{0}\" fill=\"{0}\" stroke-width=\"1.5\" stroke-opacity=\"0.85\">",
            colour(g)
        ));
        for x in 0..self.quotient.order() as Element {
            let y = self.quotient.act(x, g);
            let returns = self.quotient.act(y, g) == x;
            if y == x || returns && y < x {
                continue;
            }
            body.push(&self.arrow(x, y, spread, returns, dash(g)));
        }
        body.push("</g>");
    }

    fn arrow(&self, x: Element, y: Element, spread: f64, returns: bool, dash: &str) -> String {
        let (from, to) = (self.centre[x as usize], self.centre[y as usize]);
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let length = dx.hypot(dy).max(1.0);
        let is_within = self.class[x as usize] == self.class[y as usize];
        let is_next = dx.abs() < 1.5 * (self.node + GAP) && dy.abs() < 1.5 * (HEIGHT + ROW_GAP);
        // Within a box longer arrows must bend around the elements between.
        let bend = match (is_within, is_next) {
            (true, true) => 10.0 * spread,
            (true, false) => {
                6.0 * spread + if spread < 0.0 { -1.0 } else { 1.0 } * (18.0 + 0.16 * length)
            }
            (false, _) => 12.0 * spread,
        };
        let middle = (
            (from.0 + to.0) / 2.0 - dy / length * bend,
            (from.1 + to.1) / 2.0 + dx / length * bend,
        );
        let start = self.rim(from, middle, 0.0);
        let end = self.rim(to, middle, if returns { 0.0 } else { 2.0 });
        let mut path = format!(
            "<path d=\"M{} {}Q{} {} {} {}\" fill=\"none\"{dash}/>",
            number(start.0),
            number(start.1),
            number(middle.0),
            number(middle.1),
            number(end.0),
            number(end.1)
        );
        if !returns {
            path.push_str(&head(middle, end));
        }
        path
    }

    /// Returns the point at which a line from an element's middle to a point leaves its rim.
    fn rim(&self, centre: (f64, f64), toward: (f64, f64), gap: f64) -> (f64, f64) {
        let (dx, dy) = (toward.0 - centre.0, toward.1 - centre.1);
        let (half_width, half_height) = (self.node / 2.0 + gap, HEIGHT / 2.0 + gap);
        // An ellipse is near enough to the rounded box, and smooth.
        let reach = ((dx / half_width).powi(2) + (dy / half_height).powi(2)).sqrt();
        if reach < 1.0 {
            return toward;
        }
        (centre.0 + dx / reach, centre.1 + dy / reach)
    }
}

/// Returns the head of an arrow that comes from `from` and ends in `tip`.
fn head(from: (f64, f64), tip: (f64, f64)) -> String {
    let (dx, dy) = (tip.0 - from.0, tip.1 - from.1);
    let length = dx.hypot(dy).max(0.1);
    let (ux, uy) = (dx / length, dy / length);
    let (bx, by) = (tip.0 - 8.0 * ux, tip.1 - 8.0 * uy);
    format!(
        "<path d=\"M{} {}L{} {}L{} {}Z\" stroke=\"none\"/>",
        number(tip.0),
        number(tip.1),
        number(bx - 3.4 * uy),
        number(by + 3.4 * ux),
        number(bx + 3.4 * uy),
        number(by - 3.4 * ux)
    )
}

/// Returns the columns and rows of a box with this many elements.
fn grid(elements: usize) -> (usize, usize) {
    let rows = match elements {
        0..=8 => 1,
        9..=16 => 2,
        17..=64 => 4,
        _ => 8,
    };
    (elements.div_ceil(rows), rows)
}

/// Draws the generators with their colours, and the meaning of the signs.
///
/// Returns the height at which they end.
fn legend(body: &mut Body, graph: &Graph<'_>, width: f64) -> f64 {
    let (mut x, mut y) = (MARGIN, 56.0);
    for g in 0..graph.quotient.generators() {
        let label = format!("·{}", raised(&name(graph.names, graph.quotient.act(0, g))));
        let room = 34.0 + breadth(&label) * 13.0 + 18.0;
        if x > MARGIN && x + room > width - MARGIN {
            x = MARGIN;
            y += LEGEND_LINE;
        }
        body.push(&format!(
            "<g class=\"mp-key mp-key{g}\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"18\" fill-opacity=\"0\"/>\
             <path d=\"M{} {}h24\" stroke=\"{}\" stroke-width=\"2.4\"{}/>",
            number(x),
            number(y - 13.0),
            number(room - 10.0),
            number(x),
            number(y - 4.0),
            colour(g),
            dash(g)
        ));
        body.text((x + 30.0, y), "start", 13.0, "mp-ink", &label);
        body.push("</g>");
        x += room;
    }
    let words = [
        "filled: in P",
        "heavy or double rim: idempotent",
        "line without head: both ways",
        "dot on the rim: stays",
    ];
    let (mut x, mut y) = (MARGIN, y + LEGEND_LINE);
    for word in words {
        let room = breadth(word) * 11.0 + 10.0;
        if x > MARGIN && x + room > width - MARGIN {
            x = MARGIN;
            y += 16.0;
        }
        body.text((x, y), "start", 11.0, "mp-soft", word);
        x += room;
    }
    y
}

/// Draws a small picture for each generator, and returns the height at which they end.
fn panels(body: &mut Body, graph: &Graph<'_>, width: f64, top: f64) -> f64 {
    let room = |columns: usize| (width - 2.0 * MARGIN) / columns as f64 - PANEL_GAP;
    let scale = |columns: usize| (room(columns) / graph.places.width).min(SMALL);
    let columns = (2..=4.min(graph.quotient.generators()))
        .rev()
        .find(|&columns| scale(columns) * FONT >= MIN_FONT)
        .unwrap_or(1);
    let (room, scale) = (room(columns), scale(columns));
    let height = graph.places.height * scale + 40.0;
    for g in 0..graph.quotient.generators() {
        let (column, row) = (g % columns, g / columns);
        let x = MARGIN + column as f64 * (room + PANEL_GAP);
        let y = top + row as f64 * height;
        let label = format!(
            "the action of {}",
            raised(&name(graph.names, graph.quotient.act(0, g)))
        );
        body.text((x, y + 14.0), "start", 13.0, "mp-ink", &label);
        body.push(&format!(
            "<g transform=\"translate({} {}) scale({scale:.4})\">",
            number(x),
            number(y + 22.0)
        ));
        graph.arrows(body, g);
        graph.nodes_alone(body, g);
        body.push("</g>");
    }
    top + graph.quotient.generators().div_ceil(columns) as f64 * height
}

impl Graph<'_> {
    /// Draws the elements in a picture of one generator.
    fn nodes_alone(&self, body: &mut Body, g: usize) {
        for x in 0..self.quotient.order() as Element {
            let (cx, cy) = self.centre[x as usize];
            let stays = self.quotient.act(x, g) == x;
            let in_p = self.quotient.in_p(x);
            body.push(&format!(
                "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{HEIGHT}\" rx=\"13\" class=\"{}\" stroke-width=\"1.4\"{}/>",
                number(cx - self.node / 2.0),
                number(cy - HEIGHT / 2.0),
                number(self.node),
                if in_p { "mp-p" } else { "mp-node" },
                if stays { " stroke-dasharray=\"3 3\"" } else { "" }
            ));
            let label = raised(&name(self.names, x));
            let size = ((self.node - 8.0) / breadth(&label).max(0.1)).min(FONT + 2.0);
            body.text(
                (cx, cy + 5.0),
                "middle",
                size,
                if in_p { "mp-on-p" } else { "mp-ink" },
                &label,
            );
        }
    }
}

fn colour(g: usize) -> &'static str {
    COLOURS[g % COLOURS.len()]
}

fn dash(g: usize) -> &'static str {
    match DASHES[g / COLOURS.len() % DASHES.len()] {
        "6 3" => " stroke-dasharray=\"6 3\"",
        "2 3" => " stroke-dasharray=\"2 3\"",
        _ => "",
    }
}
