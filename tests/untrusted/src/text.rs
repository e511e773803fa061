//! Texts that people type: codes of games, and presentations of monoids.

use misere_game::control::{Control, Interrupt};
use misere_game::monoid::finitely_presented::FinitePresentation;
use misere_game::monoid::readable::{Readable, WrittenPresentation};
use misere_game::ruleset::Code;

/// The greatest order of a monoid that is built from a presentation.
const MAX_ORDER: usize = 100;

/// The fuel for the completion of the relations, which short texts can make long: commands bound it.
const FUEL: u64 = 100_000;

/// Reads the code of a game; the code is written and read as the same code.
pub fn code(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let Ok(code) = text.parse::<Code>() else {
        return;
    };
    let written = code.to_string();
    let again: Code = written.parse().unwrap();
    assert_eq!(again, code);
    assert_eq!(again.to_string(), written);
    for heap in 0..4 {
        let _ = code.options(heap);
    }
}

/// Reads the presentation of a commutative monoid, with a P-portion or without.
///
/// A finite monoid that is read is written as a presentation of a monoid of the same order.
pub fn presentation(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    if let Ok(presentation) = text.parse::<FinitePresentation>() {
        let _ = presentation.bipartite_monoid_within(&[], MAX_ORDER, &mut control());
    }
    let Ok(written) = text.parse::<WrittenPresentation>() else {
        return;
    };
    let Ok(monoid) = written.bipartite_monoid_within(MAX_ORDER, &mut control()) else {
        return;
    };
    let again: WrittenPresentation = Readable::of(&monoid).to_string().parse().unwrap();
    let again = again.bipartite_monoid(MAX_ORDER).unwrap();
    assert_eq!(again.order(), monoid.order());
    assert_eq!(again.p_size(), monoid.p_size());
}

fn control() -> Control {
    Control::new(FUEL, Interrupt::default())
}
