//! The elements of a drawn quotient: their number, and their names.

use misere_game::bipartite::Element;

/// The greatest order of a drawn quotient; greater ones are drawn by their idempotents alone.
pub const MAX_ELEMENTS: usize = 128;
/// The greatest number of arrows: order times generators.
pub const MAX_ARROWS: usize = 1_600;

/// Returns the word of an element, or its number if it has no word.
pub(crate) fn name(names: &[String], x: Element) -> String {
    names
        .get(x as usize)
        .cloned()
        .unwrap_or_else(|| x.to_string())
}
