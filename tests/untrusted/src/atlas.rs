//! The atlas, which pages show and `misere identify` reads: a file that may come from strangers.

use std::path::Path;

use misere_census::atlas::{Atlas, AtlasPlace};

/// Reads an atlas as `misere report atlas --json` writes it.
///
/// A readable atlas is written and read as the same atlas, every class is found again, and the
/// orders have all quotients of the list.
pub fn atlas(bytes: &[u8]) {
    let path = Path::new("atlas.json");
    let Ok(atlas) = Atlas::of_bytes(path, bytes) else {
        return;
    };
    let written = serde_json::to_vec(&atlas).unwrap();
    let again = Atlas::of_bytes(path, &written).unwrap();
    assert_eq!(again.entries(), atlas.entries());
    assert_eq!(again.censuses(), atlas.censuses());
    assert_eq!(again.complete_orders(), atlas.complete_orders());
    let mut listed = 0;
    for entry in atlas.entries() {
        assert!(atlas.of_order(entry.order).contains(entry));
        let order = Some(entry.order as usize);
        let found = atlas.look_up(&entry.class, order);
        assert_eq!(found, AtlasPlace::Entry(entry));
        let document = atlas.document(&entry.class, order);
        assert_eq!(document.answers.len(), atlas.censuses().len());
        assert_eq!(atlas.sentences(found).len(), atlas.censuses().len());
        let is_first = listed == 0 || atlas.entries()[listed - 1].order < entry.order;
        if is_first {
            listed += atlas.of_order(entry.order).len();
        }
    }
    assert_eq!(listed, atlas.entries().len());
}
