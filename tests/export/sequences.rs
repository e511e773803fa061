//! The b-files are those of the code requested.

use crate::export::made::{codes_of_names, done, export, export_of, names, read};
use misere_engine::normal::NimValues;
use misere_game::control::Control;
use misere_game::outcome::{Convention, Oracle, Outcome};
use misere_game::ruleset::Code;
use serde_json::Value;
use std::sync::OnceLock;

#[test]
fn b_files_have_the_values_of_the_game() {
    let dir = tempfile::tempdir().unwrap();
    let terms = |code: &str, sequence: &str| {
        let args = [
            "--format",
            "bfile",
            "--sequence",
            sequence,
            "--code",
            code,
            "--terms",
            "150",
        ];
        let (out, _) = export(dir.path(), &format!("{code}-{sequence}"), &args);
        let text = read(&out, &format!("{sequence}.txt"));
        let lines = text.lines().skip_while(|line| line.starts_with('#'));
        let terms: Vec<(u64, u64)> = lines
            .map(|line| {
                let (n, value) = line.split_once(' ').unwrap();
                (n.parse().unwrap(), value.parse().unwrap())
            })
            .collect();
        let first = terms[0].0;
        assert!(terms.iter().zip(first..).all(|(&(n, _), at)| n == at));
        (
            first,
            terms
                .into_iter()
                .map(|(_, value)| value)
                .collect::<Vec<_>>(),
        )
    };
    // Winning Ways, chapter 13: the single heaps that are P-positions of misère Kayles.
    assert_eq!(terms("0.77", "p-heaps"), (1, vec![1, 4, 9, 12, 20]));
    // In 4.4 every heap is one larger.
    assert_eq!(terms("4.4", "p-heaps"), (1, vec![2, 5, 10, 13, 21]));
    let normal: Value =
        serde_json::from_str(&done(&["solve", "0.77", "--normal", "--json"])).unwrap();
    let values: Vec<u64> = serde_json::from_value(normal["nim_values"].clone()).unwrap();
    assert_eq!(terms("0.77", "nim-values").1, values[..150]);
    let (offset, orders) = terms("0.123", "quotient-orders");
    assert_eq!((offset, orders[0], orders[149]), (0, 1, 20));
    for heap in [7, 20, 100, 149] {
        let arguments = ["outcome", "0.77", &heap.to_string(), "--json"];
        let outcome: Value = serde_json::from_str(&done(&arguments)).unwrap();
        let is_p = u64::from(outcome["outcome"] == "P");
        assert_eq!(terms_at(&terms, heap), is_p, "{heap}");
    }
    // For a game that is not solved the file has only the known terms.
    assert!(terms("0.005", "outcomes").1.len() < 150);
}

/// Reports whether a heap is a P-position of Kayles.
///
/// The b-file is written once more for each heap.
fn terms_at(terms: &impl Fn(&str, &str) -> (u64, Vec<u64>), heap: usize) -> u64 {
    static KNOWN: OnceLock<Vec<u64>> = OnceLock::new();
    KNOWN.get_or_init(|| terms("0.77", "outcomes").1)[heap]
}

/// A b-file belongs to the code that was requested, and says which game of the census that is.
#[test]
fn b_files_are_of_the_code_asked_for() {
    let dir = tempfile::tempdir().unwrap();
    let read_back = |name: &str, sequence: &str| {
        let args = [
            "--format",
            "bfile",
            "--sequence",
            sequence,
            "--code",
            name,
            "--terms",
            "20",
        ];
        let place = format!("{}-{sequence}", name.replace(['{', '}', '*', ','], "_"));
        let (out, _) = export_of(names(), dir.path(), &place, &args);
        let text = read(&out, &format!("{sequence}.txt"));
        let (comments, terms): (Vec<&str>, Vec<&str>) =
            text.lines().partition(|line| line.starts_with('#'));
        let terms = terms
            .iter()
            .map(|line| line.split_once(' ').unwrap().1.parse().unwrap());
        (comments.join("\n"), terms.collect::<Vec<u64>>())
    };
    for name in codes_of_names() {
        let code: Code = name.parse().unwrap();
        let mut misere = Oracle::new(&code, Convention::Misere);
        let (_, outcomes) = read_back(&name, "outcomes");
        for (heap, &is_p) in (0..).zip(&outcomes) {
            let outcome = misere.outcome(&[heap], &mut Control::unlimited()).unwrap();
            assert_eq!(is_p == 1, outcome == Outcome::P, "{name} {heap}");
        }
        // A nim-value is the heap of Nim with which the sum is a P-position, in normal play.
        let mut normal = NimValues::new(&code);
        for _ in 0..20 {
            normal.next(&mut Control::unlimited()).unwrap();
        }
        let expected = normal.values()[..20].iter().map(|&nim| u64::from(nim));
        let (comments, values) = read_back(&name, "nim-values");
        assert_eq!(values, expected.collect::<Vec<_>>(), "{name}");
        assert!(comments.contains("computed by the recurrence") && !comments.contains("proved"));
        let (comments, orders) = read_back(&name, "quotient-orders");
        assert!(
            comments.contains("proved by the certificate of "),
            "{comments}"
        );
        // The order changes at the first live heap, to 2, and not before.
        let first = (0..20).find(|&heap| code.is_live(heap)).unwrap() as usize;
        for (heap, &order) in orders.iter().enumerate() {
            assert_eq!(order == 1, heap < first, "{name} {heap}");
        }
    }
    let (comments, _) = read_back("0.137", "p-sizes");
    assert!(comments.starts_with("# 0.137: ") && comments.contains("certificate of 0.4 "));
    assert!(
        comments.contains("# 0.137 is 0.4 with every heap two smaller."),
        "{comments}"
    );
}
