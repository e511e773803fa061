//! The comparison of the search with mirror images and without.

use super::*;
use crate::classify::Classifier;

/// The table, the P-portion and the new generator of an extension.
type ExtensionKey = (Vec<u8>, Mask, SmallElement);

/// Returns the extensions, sorted, and the numbers of entries, of finished tables and of ticks.
fn found(base: &Base<'_>, mirror: Mirror) -> (Vec<ExtensionKey>, [u64; 3], u64) {
    let mut all = Vec::new();
    let control = &mut Control::unlimited();
    let effort = search(base, 8, mirror, control, &mut |extended| {
        let orbits = extended.monoid.orbits;
        let rows = extended.monoid.table[..orbits].iter();
        let table: Vec<u8> = rows.flat_map(|row| row[..orbits].to_vec()).collect();
        all.push((table, extended.monoid.p_portion, extended.x));
    });
    all.sort_unstable();
    let effort = effort.unwrap();
    let counts = [effort.nodes, effort.leaves, control.ticks_spent()];
    (all, counts, effort.gone_through)
}

/// With mirror images the search finds the same, and counts the same, as without.
#[test]
fn mirror_images_change_nothing() {
    let mut classifier = Classifier::new(16);
    let (mut found_at_all, mut gone_through, mut counted_at_all) = (0, 0, 0);
    while classifier.ahead().is_some_and(|(order, _)| order <= 12) {
        let (order, _) = classifier.ahead().unwrap();
        for code in classifier.pending[&order].keys() {
            let monoid = SmallMonoid::of_code(code);
            let base = Base::new(&monoid);
            let (all, counts, through) = found(&base, Mirror::Itself);
            let (by_itself, counted, nodes) = found(&base, Mirror::None);
            assert!((&all, counts) == (&by_itself, counted), "{monoid:?}");
            assert_eq!(counted[0], nodes);
            found_at_all += all.len();
            gone_through += through;
            counted_at_all += nodes;
        }
        classifier.next_order(&mut Control::unlimited()).unwrap();
    }
    assert!(found_at_all > 10_000, "{found_at_all}");
    // Nearly half of the entries are left out. Some branches have no mirror image, since P2 ends
    // it.
    assert!(gone_through * 4 < counted_at_all * 3, "{gone_through}");
    assert!(gone_through * 2 > counted_at_all, "{gone_through}");
}
