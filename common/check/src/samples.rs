//! Certificates for unit tests, since this crate cannot solve games.

use misere_game::solution::{Document, Solution};

/// The certificates of 0.123, 0.77 and 0.3.
pub(crate) const CERTIFICATES: [&str; 3] = [
    include_str!("../../game/tests/data/0.123.json"),
    include_str!("../../game/tests/data/0.77.json"),
    include_str!("../../game/tests/data/0.3.json"),
];

/// Returns the solution that a certificate states.
pub(crate) fn certificate(text: &str) -> Solution {
    let document: Document = serde_json::from_str(text).unwrap();
    document.into_solution().unwrap()
}
