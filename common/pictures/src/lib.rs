//! Pictures of quotients and games, as SVG.
//!
//! The functions are pure: they turn mathematics into text, without clock or randomness. So the
//! same quotient gives the same bytes. A picture is self-contained: no script, no request, no font
//! to fetch. It is dark where the reader prefers dark pages, and its `<title>` and `<desc>`
//! describe it. Its classes begin with `mp-`, so it can be embedded in a page as it is.
//!
//! - [`cayley_graph`]: elements, and the effect of each generator (Plambeck 2005, Figures 7–10)
//! - [`idempotent_order`]: idempotents, their order, their maximal subgroups (loc. cit., Figures
//!   26–28)
//! - [`class_diagram`]: the classes of mutual divisibility and their Rees factors (loc. cit.,
//!   section 7)
//! - [`pretending_strip`]: the value of each heap (loc. cit., Figures 3 and 23)
//! - [`growth`]: the orders of the partial quotients, heap by heap
//! - [`p_position_grids`]: P-positions of an infinite quotient, by the numbers of two heaps
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod cayley;
mod classes;
mod elements;
mod growth;
mod idempotents;
mod layered;
mod p_positions;
mod pretending;
mod svg;

pub use cayley::cayley_graph;
pub use classes::class_diagram;
pub use elements::{MAX_ARROWS, MAX_ELEMENTS};
pub use growth::{GrowthPlot, ending, growth};
pub use idempotents::{group_in_words, idempotent_order};
pub use p_positions::{COUNTS, MAX_GRIDS, PositionGrid, p_position_grids};
pub use pretending::{PretendingFunction, pretending_strip};
pub use svg::{escaped, raised};
