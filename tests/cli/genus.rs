//! `misere genus`, `misere form` and `misere compare` agree with the theory, in words and as
//! documents, and refuse texts that are not games.

use insta::assert_snapshot;
use serde_json::{Value, json as value};

use crate::cli::command::{error_line, json, text};
use crate::support::transcript::transcript;

/// Plambeck 2005, Figures 2 and 21.
#[test]
fn the_published_genera() {
    let (exit, found) = json(&["genus", "0.123", "--json"]);
    assert_eq!(exit, 0);
    assert_eq!(
        (&found["period"], &found["preperiod"]),
        (&value!(5), &value!(5))
    );
    assert_eq!(found["status"], "complete");
    assert_eq!(found["first_not_tame"], 8);
    assert_eq!(found["genera"][8]["genus"], "2^1420");
    assert_eq!(found["genera"][8]["class"], "restless");
    let (exit, kayles) = json(&["genus", "kayles", "--max-heap", "27", "--json"]);
    assert_eq!((exit, &kayles["period"]), (0, &Value::Null));
    assert_eq!(kayles["genera"][27]["genus"], "8^8(10)");
    let (_, position) = json(&["genus", "0.123", "3+3+5+9", "--json"]);
    assert_eq!(position["genus"], "0^31");
    assert_eq!(position["outcome"], "N");
}

#[test]
fn known_genera_are_printed_when_the_fuel_is_spent() {
    let (exit, found) = json(&[
        "genus",
        "0.77",
        "--max-heap",
        "99",
        "--fuel",
        "50k",
        "--json",
    ]);
    assert_eq!((exit, &found["status"]), (3, &value!("exhausted")));
    let heaps = found["heaps"].as_u64().unwrap();
    assert!((5..99).contains(&heaps));
    assert_eq!(found["genera"].as_array().unwrap().len() as u64, heaps + 1);
    let line = error_line(&["form", "0.77:60", "--fuel", "10k"], 3);
    assert!(line.contains("--fuel"), "{line}");
    let line = error_line(&["genus", "0.3", "4294967295", "--fuel", "10k"], 3);
    assert!(line.contains("--fuel"), "{line}");
}

#[test]
fn genera_and_forms_in_words() {
    let commands: [&[&str]; 11] = [
        &["genus", "0.123"],
        &["genus", "0.77", "--max-heap", "12"],
        &["genus", "0.77", "3+5"],
        &["genus", "*2#320"],
        &["form", "0.123:8"],
        &["form", "2_2"],
        &["form", "2/320"],
        &["form", "--born-by", "2"],
        &["compare", "0.123:3", "0.123:4"],
        &["compare", "0.123:6", "0.123:11"],
        &["compare", "*2", "*3"],
    ];
    assert_snapshot!(transcript(&commands, &[]));
}

/// For a game born late the command says that its parts were not searched: `*33` is one.
#[test]
fn parts_of_late_games_are_not_denied() {
    let (exit, said) = text(&["form", "*33 + *34"]);
    assert_eq!(exit, 0, "{said}");
    assert!(
        said.contains("not looked for, since the game is born after day 64"),
        "{said}"
    );
    let (exit, found) = json(&["form", "*33 + *34", "--json"]);
    assert_eq!((exit, &found["parts"]), (0, &value!(null)));
    let (exit, found) = json(&["form", "*2 + *2", "--json"]);
    assert_eq!((exit, found["parts"].as_array().unwrap().len()), (0, 1));
}

/// Conway: 1, 2, 3, 5, 22 and 4171780 games.
#[test]
fn games_born_by_a_day() {
    let (exit, found) = json(&["form", "--born-by", "5", "--json"]);
    assert_eq!(exit, 0);
    assert_eq!(found["counts"], value!([1, 2, 3, 5, 22, 4_171_780]));
    assert_eq!(found["games"].as_array().unwrap().len(), 22);
}

/// Two games that tell the pair apart: the one of Plambeck 2005, section 11.2, and the least.
#[test]
fn heaps_of_one_genus_are_told_apart() {
    let (exit, found) = json(&["compare", "0.123:6", "0.123:11", "--json"]);
    assert_eq!((exit, &found["equal"]), (0, &value!(false)));
    assert_eq!(found["games"][0]["genus"], found["games"][1]["genus"]);
    let context = &found["distinguisher"];
    assert_eq!(context["least"], true);
    assert_ne!(context["sums"][0]["outcome"], context["sums"][1]["outcome"]);
    let (_, published) = json(&[
        "compare",
        "0.123:6 + (2+3)(2+20)31",
        "0.123:11 + (2+3)(2+20)31",
        "--json",
    ]);
    assert_eq!(published["games"][0]["genus"], "0^20");
    assert_eq!(published["games"][1]["genus"], "0^0520");
}

#[test]
fn texts_that_are_not_games_are_refused() {
    for (arguments, wanted) in [
        (&["form", "0.123"][..], "0.123:8"),
        (&["form", "0.123:"], "not a heap"),
        (&["form", ""], "a game is expected"),
        (&["form", "2_"], "a subscript is"),
        (&["form", "*2:9"], "no follower `9`"),
        (&["form", "{*2"], "character 4"),
        (&["compare", "1", "x"], "a game is expected"),
        (&["genus", "0.77", "3+"], "a heap is missing"),
        (&["genus", "*2", "3"], "no follower `3`"),
        (&["form", "--born-by", "6"], "6"),
    ] {
        let line = error_line(arguments, 2);
        assert!(line.contains(wanted), "{line}");
    }
}

#[test]
fn games_are_searched_by_sequences() {
    let kayles = "0.77      Kayles\n1 game of 71 compared\n";
    for asked in [
        ["--nim", "0,1,2,3,1,4,3,2,1,4"],
        ["--nim", "0 1 2 ? 1 4 3 2 1 4"],
    ] {
        let arguments = ["search", "--digits", "2", asked[0], asked[1]];
        assert_eq!(text(&arguments), (0, kayles.to_owned()), "{asked:?}");
    }
    let (exit, genera) = json(&["genus", "0.123", "--max-heap", "12", "--json"]);
    assert_eq!(exit, 0);
    let genera = genera["genera"].as_array().unwrap();
    let field = |name: &'static str| genera.iter().map(move |heap| heap[name].as_str().unwrap());
    let written: Vec<&str> = field("genus").collect();
    let outcomes: String = field("outcome").skip(1).collect();
    for asked in [
        ["--genera", written.join(",").as_str()],
        ["--outcomes", outcomes.as_str()],
    ] {
        let (exit, found) = json(&["search", "--json", asked[0], asked[1]]);
        let mut games = found["games"].as_array().unwrap().iter();
        assert_eq!(exit, 0);
        assert!(games.any(|game| game["code"] == "0.123"), "{found}");
    }
    error_line(&["search", "--nim", ""], 2);
    error_line(&["search", "--nim", "0,x"], 2);
    for (option, entries, first) in [
        ("--nim", "1,2,3,1,4", "write 0 before"),
        ("--orders", "2,2,6", "write 1 before"),
        ("--genera", "1^031 2^20", "write 0^120 before"),
    ] {
        let line = error_line(&["search", option, entries], 2);
        assert!(line.contains(first), "{line}");
    }
    error_line(&["search"], 2);
    error_line(&["search", "--outcomes", "PNN", "--fuel", "10"], 3);
}
