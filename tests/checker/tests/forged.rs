//! Known false certificates, each of which the checker refuses for its own reason.

use misere_check::infinite::FamilyCheckError;
use misere_check::{CheckError, check};
use misere_game::solution::Document;

/// Returns the files of `tests/data/forged` with what is wrong with each.
///
/// The README of that folder says how they were made.
fn forged() -> Vec<(&'static str, &'static str, CheckError)> {
    vec![(
        "infinite-0.333.json",
        include_str!("../../../tests/data/forged/infinite-0.333.json"),
        CheckError::Evidence(FamilyCheckError::GreaterLetter { heap: 2, letter: 3 }),
    )]
}

#[test]
fn every_false_certificate_is_refused_for_its_reason() {
    for (file, text, flaw) in forged() {
        let document: Document = serde_json::from_str(text).unwrap();
        let claim = document.into_solution().unwrap();
        assert_eq!(check(&claim), Err(flaw), "{file}");
    }
}

#[test]
fn the_reason_names_the_heap_and_the_letter() {
    let (_, _, flaw) = forged().remove(0);
    assert_eq!(
        flaw.to_string(),
        "the evidence for an infinite quotient does not hold: the word of heap 2 contains heap 3; the letters of a word \
         have to be smaller than its heap"
    );
}

/// A false certificate that no test knows would prove nothing.
#[test]
fn every_file_has_its_reason() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/forged");
    let mut files: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".json"))
        .collect();
    files.sort_unstable();
    let known: Vec<&str> = forged().into_iter().map(|(file, ..)| file).collect();
    assert_eq!(files, known);
}
