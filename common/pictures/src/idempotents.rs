//! The picture of the order of the idempotents of a quotient.
//!
//! The Hasse diagram (Plambeck 2005, Figure 26): the identity at the top, the idempotent of the
//! kernel at the bottom, a line from each to those next below. Each is shown with the structure of
//! its maximal subgroup, with the subgroup's elements where there is room (loc. cit., Figure 27),
//! and with the size of its archimedean component: all elements with a power equal to it.

use misere_game::bipartite::BipartiteMonoid;
use misere_game::bipartite::idempotents::Idempotents;

use crate::elements::{MAX_ARROWS, MAX_ELEMENTS, name};
use crate::layered::{Item, places};
use crate::svg::{Body, MARGIN, breadth, escaped, number, raised, shortened, title_width};

const LINE: f64 = 17.0;
const MIN_WIDTH: f64 = 440.0;
/// The greatest order of a group whose elements are listed.
const MAX_LISTED: usize = 8;
const PER_LINE: usize = 4;

/// Draws the idempotents of a quotient in their natural order.
///
/// `of` names the game of the quotient, for the title; `names` are the words of its elements, by
/// number.
///
/// ```
/// use misere_game::bipartite::families::tame;
/// let names = ["1", "a", "b^2", "ab^2", "b", "ab"].map(str::to_owned);
/// let picture = misere_pictures::idempotent_order("T_2", &tame(2), &names);
/// assert!(picture.contains("ℤ₂²"));
/// ```
///
/// Cost: that of [`Idempotents::new`], and linear in the idempotents.
#[must_use]
pub fn idempotent_order(of: &str, quotient: &BipartiteMonoid, names: &[String]) -> String {
    let found = Idempotents::new(quotient);
    let sizes = found.component_sizes();
    let lines: Vec<Vec<String>> = (0..found.elements.len())
        .map(|place| lines(quotient, names, &found, &sizes, place))
        .collect();
    let layer = layers(&found);
    let items: Vec<Item> = lines
        .iter()
        .zip(&layer)
        .map(|(lines, &layer)| Item {
            layer,
            width: lines
                .iter()
                .map(|line| breadth(line) * 12.0)
                .fold(0.0, f64::max)
                + 26.0,
            height: lines.len() as f64 * LINE + 16.0,
        })
        .collect();
    let edges: Vec<(usize, usize)> = found
        .covers
        .iter()
        .map(|&(above, below)| (above as usize, below as usize))
        .collect();
    let placed = places(&items, &edges, 26.0, 46.0);
    let title = format!(
        "{}: {} idempotents in a quotient of order {}",
        shortened(of),
        found.elements.len(),
        quotient.order()
    );
    let mut body = Body::default();
    body.text((MARGIN, 32.0), "start", 17.0, "mp-ink", &title);
    let (mut top, mut least) = (58.0, MIN_WIDTH.max(title_width(&title)));
    let mut description = "The natural order of the idempotents: e lies below f if ef = e. Each with its maximal subgroup I(e) and the \
                           number of elements of which it is a power."
        .to_owned();
    if quotient.order() > MAX_ELEMENTS || quotient.order() * quotient.generators() > MAX_ARROWS {
        let why = format!(
            "order {} with {} generators: too large for a Cayley graph to be of use",
            quotient.order(),
            quotient.generators()
        );
        body.text((MARGIN, top), "start", 12.0, "mp-soft", &why);
        least = least.max(breadth(&why) * 12.0 + 2.0 * MARGIN);
        description.push_str(&format!(" ({why}.)"));
        top += 22.0;
    }
    let width = (placed.width + 2.0 * MARGIN).max(least);
    let left = (width - placed.width) / 2.0;
    let at = |place: usize| {
        (
            placed.corners[place].0 + left,
            placed.corners[place].1 + top,
        )
    };
    for (&(above, below), route) in edges.iter().zip(&placed.routes) {
        let from = (
            at(above).0 + items[above].width / 2.0,
            at(above).1 + items[above].height,
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
    for place in 0..found.elements.len() {
        let e = found.elements[place];
        let corner = at(place);
        let in_p = quotient.in_p(e);
        let tooltip = format!(
            "{}: {} elements in its group, {} in its component{}",
            raised(&name(names, e)),
            found.groups[place].len(),
            sizes[place],
            if in_p { "; in P" } else { "" }
        );
        body.push(&format!("<g><title>{}</title>", escaped(&tooltip)));
        body.push(&format!(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"9\" class=\"mp-group\" stroke-width=\"{}\"/>",
            number(corner.0),
            number(corner.1),
            number(items[place].width),
            number(items[place].height),
            if in_p { "2.8" } else { "1.2" }
        ));
        for (number, line) in lines[place].iter().enumerate() {
            let (size, class) = if number == 0 {
                (14.0, "mp-ink")
            } else {
                (12.0, "mp-soft")
            };
            let y = corner.1 + 21.0 + number as f64 * LINE;
            body.text(
                (corner.0 + items[place].width / 2.0, y),
                "middle",
                size,
                class,
                line,
            );
        }
        body.push("</g>");
    }
    let bottom = top + placed.height + 28.0;
    body.text(
        (MARGIN, bottom),
        "start",
        11.0,
        "mp-soft",
        "heavy rim: the idempotent is in P",
    );
    body.picture(width, bottom + 14.0, &title, &description, "")
}

/// Returns the lines of text in the box of an idempotent.
fn lines(
    quotient: &BipartiteMonoid,
    names: &[String],
    found: &Idempotents,
    sizes: &[u32],
    place: usize,
) -> Vec<String> {
    let group = &found.groups[place];
    let e = raised(&name(names, found.elements[place]));
    let structure = group_in_words(&found.invariants(quotient, place));
    let mut lines = vec![e.to_string(), format!("I({e}) ≅ {structure}")];
    if (2..=MAX_LISTED).contains(&group.len()) {
        let listed: Vec<String> = group.iter().map(|&x| raised(&name(names, x))).collect();
        let chunks: Vec<String> = listed
            .chunks(PER_LINE)
            .map(|chunk| chunk.join(", "))
            .collect();
        let last = chunks.len() - 1;
        for (at, chunk) in chunks.iter().enumerate() {
            let open = if at == 0 { "{" } else { "" };
            let close = if at == last { "}" } else { "," };
            lines.push(format!("{open}{chunk}{close}"));
        }
    }
    lines.push(match sizes[place] as usize {
        size if size == group.len() => format!("component: {size}, the group"),
        size => format!("component: {size}, group: {}", group.len()),
    });
    lines
}

/// Returns the name of a finite abelian group, from the orders of its cyclic factors.
///
/// For example `ℤ₂³ × ℤ₄` for the orders 2, 2, 2, 4; `1` for the trivial group.
///
/// ```
/// assert_eq!(misere_pictures::group_in_words(&[2, 2, 4]), "ℤ₂² × ℤ₄");
/// ```
#[must_use]
pub fn group_in_words(orders: &[u32]) -> String {
    if orders.is_empty() {
        return "1".to_owned();
    }
    let factors = orders
        .chunk_by(|one, other| one == other)
        .map(|equal| match equal.len() {
            1 => raised(&format!("ℤ_{}", equal[0])),
            count => raised(&format!("ℤ_{}^{count}", equal[0])),
        });
    factors.collect::<Vec<_>>().join(" × ")
}

/// Returns the length of the longest chain from the identity down to each.
fn layers(found: &Idempotents) -> Vec<usize> {
    let mut layer = vec![0; found.elements.len()];
    // Idempotents above come first in the list, so that their lengths are known.
    for place in 0..found.elements.len() {
        let above = found
            .covers
            .iter()
            .filter(|&&(_, below)| below as usize == place);
        layer[place] = above
            .map(|&(above, _)| layer[above as usize] + 1)
            .max()
            .unwrap_or(0);
    }
    layer
}
