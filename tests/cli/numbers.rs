//! Numbers are read as people write them, and refused in words.

use crate::cli::command::{error_line, json};

#[test]
fn numbers_that_are_none_are_refused_in_words() {
    for (arguments, reason) in [
        (
            &["solve", "0.77", "--fuel", "-1"][..],
            "an amount cannot be negative",
        ),
        (&["solve", "0.77", "--fuel="], "a number is missing"),
        (
            &["solve", "0.77", "--fuel", "much"],
            "`much` does not start with a number",
        ),
        (
            &["solve", "0.77", "--fuel", "3X"],
            "`X` is not a known suffix (known: k, M, G, T, s, min, h)",
        ),
        (
            &["solve", "0.77", "--time-limit", "1h30x"],
            "`x` is not a known suffix",
        ),
        (
            &["solve", "0.77", "--max-heap", "-1"],
            "an amount cannot be negative",
        ),
        (
            &["solve", "0.77", "--max-heap", "abc"],
            "`abc` does not start with a number",
        ),
        (
            &["solve", "0.77", "--max-heap", "1.5"],
            "`1.5` is not a whole number",
        ),
        (&["solve", "0.77", "--max-heap="], "a number is missing"),
        (
            &["solve", "0.77", "--max-heap", "4294967296"],
            "`4294967296` is too large",
        ),
        (
            &["solve", "0.77", "--max-heap", "2^64"],
            "`2^64` is too large",
        ),
        (
            &["solve", "0.77", "--max-heap", "2^x"],
            "`x` is not a whole number",
        ),
        (
            &["normal", "run", "0.6", "--data", "d", "--heaps", "0"],
            "the heap must be from 1 to 1073741824",
        ),
        (
            &["solve", "0.77", "--max-order", "99999999999999999999"],
            "the number is too large",
        ),
        (
            &["solve", "0.77", "--max-order", "0"],
            "the number must be at least 1",
        ),
        (&["classify", "--order", "x"], "it is not a whole number"),
        (
            &["classify", "--order", "1"],
            "the number must be at least 2",
        ),
        (
            &["classify", "--order", "99"],
            "the number must be at most 32",
        ),
        (
            &["census", "plan", "--digits", "-3"],
            "the number cannot be negative",
        ),
        (
            &["identify", "0.77", "--heap", "-1"],
            "the number cannot be negative",
        ),
        (
            &["identify", "0.77", "--heap", "x"],
            "it is not a whole number",
        ),
    ] {
        let said = error_line(arguments, 2);
        assert!(said.contains(reason), "{said}");
        let words = arguments
            .iter()
            .take_while(|word| word.chars().all(char::is_alphabetic));
        let called: Vec<&str> = words.copied().collect();
        let help = format!("; try misere {} --help", called.join(" "));
        assert!(said.ends_with(&help), "{said}");
        for rust in [
            "digit found",
            "target type",
            "empty string",
            "-- -1",
            " is not in ",
        ] {
            assert!(!said.contains(rust), "{said}");
        }
    }
}

#[test]
fn heaps_that_are_none_are_refused_in_words() {
    for (heap, reason) in [
        ("-1", "a heap cannot be negative"),
        ("a", "`a` is not a heap"),
        ("1.5", "`1.5` is not a heap"),
        ("", "an argument is empty"),
        ("4294967296", "`4294967296` is too large"),
    ] {
        let said = error_line(&["outcome", "0.77", heap], 2);
        assert!(said.contains(reason), "{said}");
    }
}

#[test]
fn amounts_are_read_as_people_write_them() {
    let spent = |fuel: &str| {
        let (exit, document) = json(&["solve", "0.07", "--fuel", fuel, "--json"]);
        assert_eq!(
            (exit, &document["limit"]),
            (3, &serde_json::json!("fuel")),
            "{fuel}"
        );
        document["heaps"].clone()
    };
    for same in ["1K", "1e3", "1_000", "0.001M"] {
        assert_eq!(spent(same), spent("1k"), "{same}");
    }
    for same in ["16", "2^4", "1.6e1", "0.016k"] {
        let (exit, document) = json(&["solve", "0.07", "--max-heap", same, "--json"]);
        assert_eq!((exit, &document["heaps"]), (3, &16.into()), "{same}");
    }
    for (option, amount) in [
        ("--time-limit", "1h30m"),
        ("--time-limit", "1d"),
        ("--time-limit", "1e3"),
        ("--memory-limit", "20G"),
        ("--memory-limit", "512M"),
    ] {
        let (exit, document) = json(&["solve", "0.3", option, amount, "--json"]);
        assert_eq!(
            (exit, &document["status"]),
            (0, &serde_json::json!("solved"))
        );
    }
}
