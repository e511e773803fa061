//! Every reader of untrusted input keeps its promises on the stored inputs, and on changes of them.
//!
//! `tests/fuzz/regressions/NAME/` holds the inputs of the reader `NAME`: true ones, and every one
//! that once broke a promise. The changes are made from fixed seeds, so that a failure can be
//! repeated.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use misere_untrusted::{TARGETS, Target};

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/regressions")
}

/// Returns the inputs that are kept for a reader, in the order of their names.
fn kept(name: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let entries = std::fs::read_dir(directory().join(name)).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty(), "no input is kept for {name}");
    let read = |file: PathBuf| (file.clone(), std::fs::read(file).unwrap());
    files.into_iter().map(read).collect()
}

#[test]
fn every_reader_has_a_directory_and_every_directory_a_reader() {
    let entries = std::fs::read_dir(directory()).unwrap();
    let mut found: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    // The enemy is not a reader: its bytes are dice, and tests/checker/tests/enemy runs it
    // on seeds.
    found.retain(|name| name != "enemy");
    found.sort();
    let mut names = TARGETS.map(|(name, _)| name).to_vec();
    names.sort_unstable();
    assert_eq!(found, names);
}

#[test]
fn inputs_that_are_kept_break_no_promise() {
    for (name, target) in TARGETS {
        for (file, bytes) in kept(name) {
            let ran = catch_unwind(|| target(&bytes));
            assert!(ran.is_ok(), "{}", file.display());
        }
    }
}

/// Pseudo-random numbers (splitmix64).
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound.max(1) as u64) as usize
    }
}

/// Flips, cuts, removes, inserts or copies bytes, among others varints of absurd numbers and pieces
/// of another input.
fn change(bytes: &mut Vec<u8>, donor: &[u8], dice: &mut Dice) {
    let at = dice.below(bytes.len() + 1);
    let piece = |from: &[u8], dice: &mut Dice| {
        let start = dice.below(from.len());
        let end = (start + dice.below(24)).min(from.len());
        from[start.min(end)..end].to_vec()
    };
    match dice.below(10) {
        0 => bytes.truncate(at),
        1 if at < bytes.len() => drop(bytes.remove(at)),
        2 => bytes.insert(at, dice.below(256) as u8),
        3 => drop(bytes.splice(at..at, [0xff; 9].into_iter().chain([1]))),
        4 => {
            let copied = piece(bytes, dice);
            drop(bytes.splice(at..at, copied));
        }
        5 => {
            let borrowed = piece(donor, dice);
            drop(bytes.splice(at..at, borrowed));
        }
        6 if at < bytes.len() => bytes[at] = bytes[at].wrapping_add(1),
        7 if at < bytes.len() => bytes[at] = bytes[at].wrapping_sub(1),
        _ if at < bytes.len() => bytes[at] ^= 1 << dice.below(8),
        _ => {}
    }
}

/// Runs a reader on `cases` changed inputs.
///
/// On failure the input stays in the directory of temporary files, for inspection.
fn changed(name: &str, target: Target, cases: u64) {
    let kept = kept(name);
    for seed in 0..cases {
        let dice = &mut Dice(seed);
        let (_, original) = &kept[dice.below(kept.len())];
        let (_, donor) = &kept[dice.below(kept.len())];
        let mut bytes = original.clone();
        for _ in 0..=dice.below(3) {
            change(&mut bytes, donor, dice);
        }
        if catch_unwind(AssertUnwindSafe(|| target(&bytes))).is_err() {
            let file = std::env::temp_dir().join(format!("{name}-{seed}"));
            std::fs::write(&file, &bytes).unwrap();
            panic!("{name} broke a promise on {}", file.display());
        }
    }
}

#[test]
fn changed_inputs_break_no_promise() {
    for (name, target) in TARGETS {
        changed(name, target, 10_000);
    }
}

#[test]
#[ignore = "slow: a hundred thousand changed inputs of every reader"]
fn many_changed_inputs_break_no_promise() {
    for (name, target) in TARGETS {
        changed(name, target, 100_000);
    }
}
