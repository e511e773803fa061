//! `misere outcome` decides positions as the rules do, and lists exactly the winning moves.

use insta::assert_snapshot;

use crate::cli::command::{error_line, json, misere, text};
use crate::support::process::command;
use crate::support::transcript::transcript;
use misere_game::control::Control;
use misere_game::outcome::{Convention, Oracle};
use serde_json::{Value, json as value};

/// Plambeck 2005, section 4.2.
#[test]
fn the_published_position() {
    let (exit, answer) = json(&["outcome", "0.123", "1", "3", "4", "8", "9", "21", "--json"]);
    assert_eq!(exit, 0);
    assert_eq!(answer["outcome"], "N");
    assert_eq!(answer["method"], "quotient");
    assert_eq!(answer["order"], 20);
    // In our names, which are a, b, c, d for the paper's x, z, a, b.
    assert_eq!(answer["word"], "bd^2");
    // The element is z b^2 with z = Φ(3), b = Φ(9).
    let (_, zb2) = json(&[
        "outcome", "0.123", "3", "9", "9", "2", "2", "2", "2", "2", "22", "--json",
    ]);
    assert_eq!(answer["element"], zb2["element"]);
    assert_eq!(answer["word"], zb2["word"]);
    let winning = answer["winning_moves"].as_array().unwrap();
    let whole = winning
        .iter()
        .find(|winning| winning["heap"] == 3 && winning["leaves"] == value!([]))
        .unwrap();
    assert_eq!(whole["position"], value!([1, 4, 8, 9, 21]));

    let (exit, shown) = text(&["outcome", "0.123", "1", "3", "4", "8", "9", "21"]);
    assert_eq!(exit, 0);
    assert!(shown.contains("N: the next player wins"), "{shown}");
    assert!(shown.contains("take the whole heap of 3 "), "{shown}");
}

/// Every answer agrees with the definition of outcomes, move by move, also beyond the heaps
/// computed.
#[test]
fn answers_agree_with_the_definition() {
    let positions: [&[u32]; 12] = [
        &[],
        &[0],
        &[1],
        &[2, 2],
        &[1, 1, 1],
        &[3, 5],
        &[7, 0, 7, 7],
        &[4, 4, 6],
        &[1, 2, 3, 4],
        &[11, 9],
        &[12, 3, 3, 1],
        &[14],
    ];
    for code in [
        "0.77", "0.123", "4.7", "0.15", "0.07", "0.9", "0.3", "0.001", "0",
    ] {
        let mut oracle = Oracle::new(&code.parse().unwrap(), Convention::Misere);
        for heaps in positions {
            let words: Vec<String> = heaps.iter().map(u32::to_string).collect();
            let mut arguments = vec!["outcome", code];
            arguments.extend(words.iter().map(String::as_str));
            arguments.push("--json");
            let (exit, answer) = json(&arguments);
            assert_eq!(exit, 0, "{code} {heaps:?}");
            let control = &mut Control::unlimited();
            let outcome = oracle.outcome(heaps, control).unwrap().to_string();
            assert_eq!(answer["outcome"], outcome.as_str(), "{code} {heaps:?}");
            let wanted: Vec<(u64, Vec<u64>)> = oracle
                .winning_moves(heaps, control)
                .unwrap()
                .into_iter()
                .map(|winning| {
                    (
                        winning.heap.into(),
                        winning.option.parts().map(u64::from).collect(),
                    )
                })
                .collect();
            let found: Vec<(u64, Vec<u64>)> = answer["winning_moves"]
                .as_array()
                .unwrap()
                .iter()
                .map(|winning| {
                    let leaves = winning["leaves"].as_array().unwrap();
                    (
                        winning["heap"].as_u64().unwrap(),
                        leaves.iter().map(|part| part.as_u64().unwrap()).collect(),
                    )
                })
                .collect();
            assert_eq!(found, wanted, "{code} {heaps:?}");
        }
    }
}

#[test]
fn the_empty_position_is_won_by_the_next_player() {
    let (exit, shown) = text(&["outcome", "0.77"]);
    assert_eq!(exit, 0);
    assert!(shown.contains("the empty position"), "{shown}");
    assert!(
        shown.contains("N: the next player has no move and wins"),
        "{shown}"
    );
    let (_, answer) = json(&["outcome", "0.77", "--json"]);
    assert_eq!(
        (&answer["outcome"], &answer["position"]),
        (&value!("N"), &value!([]))
    );
    assert_eq!(answer["word"], "1");
    // The quotient of heaps 0 to 0 is trivial, as `misere solve --max-heap 0` says.
    assert_eq!(answer["order"], 1);
    assert!(
        shown.contains("1  (in the quotient of order 1 of heaps to 0)"),
        "{shown}"
    );
    let (_, zero) = json(&["solve", "0.77", "--max-heap", "0", "--json"]);
    assert_eq!(zero["quotient"]["order"], answer["order"]);
    let (_, dead) = json(&["outcome", "0.77", "0", "0", "--json"]);
    assert_eq!(
        (&dead["order"], &dead["outcome"]),
        (&value!(1), &value!("N"))
    );
}

#[test]
fn large_heaps_go_through_the_period() {
    // The period of Kayles is 12 from heap 71 on.
    let (_, near) = json(&["outcome", "0.77", "160", "167", "--json"]);
    let (exit, far) = json(&["outcome", "0.77", "1200160", "1200167", "--json"]);
    assert_eq!(exit, 0);
    assert_eq!(near["word"], far["word"]);
    assert_eq!(far["method"], "quotient");
    assert_eq!(near["outcome"], far["outcome"]);
    assert_ne!(far["winning_moves"], value!([]));
}

/// With too many moves to list, the outcome and one winning move are given all the same.
#[test]
fn one_winning_move_is_enough_where_there_are_too_many() {
    let (exit, vast) = json(&["outcome", "0.77", "4294967295", "--json"]);
    assert_eq!((exit, &vast["outcome"]), (0, &value!("N")));
    assert_eq!(vast["winning_moves"], Value::Null);
    let after = vast["winning_move"]["position"].as_array().unwrap();
    let after: Vec<String> = after.iter().map(ToString::to_string).collect();
    let mut next = vec!["outcome", "0.77", "--json"];
    next.extend(after.iter().map(String::as_str));
    let (_, lost) = json(&next);
    assert_eq!(lost["outcome"], "P");
    // No move from a P-position wins, however many there are.
    assert_eq!(lost["winning_moves"], value!([]));
    let (_, shown) = text(&["outcome", "0.77", "4294967295"]);
    assert!(
        shown.contains("not all listed")
            && shown.contains("one of them\n  take 1 from the heap of 4294967295, "),
        "{shown}"
    );
    let (_, listed) = json(&["outcome", "0.77", "5", "--json"]);
    assert_eq!(listed["winning_move"], Value::Null);
}

#[test]
fn heaps_of_a_finite_game_are_its_followers() {
    let (exit, by_name) = json(&["outcome", "*[2#320]", "*2", "*3", "*3", "--json"]);
    assert_eq!(exit, 0);
    let numbers = by_name["position"].as_array().unwrap();
    let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    let mut by_number = vec!["outcome", "*[2#320]", "--json"];
    by_number.extend(numbers.iter().map(String::as_str));
    assert_eq!(json(&by_number).1, by_name);
    let (_, zero) = json(&["outcome", "*2", "*0", "{}", "0", "--json"]);
    assert_eq!(zero["position"], value!([0, 0, 0]));
    let no_followers: [&[&str]; 4] = [
        &["outcome", "*2", "3"],
        &["outcome", "*[2#320]", "*4"],
        &["outcome", "0.77", "*4"],
        &["outcome", "*2", "*x"],
    ];
    for command in no_followers {
        error_line(command, 2);
    }
    assert_snapshot!(transcript(&no_followers, &[]));
}

#[test]
fn small_positions_of_a_diverging_game_are_decided_by_the_rules() {
    let asked = ["outcome", "0.07", "35", "2", "--evidence", "0"];
    let (exit, answer) = json(&[&asked[..], &["--json"]].concat());
    assert_eq!(exit, 0);
    assert_eq!(answer["method"], "definition");
    assert_eq!(answer["element"], Value::Null);
    let (_, shown) = text(&asked);
    assert!(shown.contains("decided by the rules alone"), "{shown}");
}

#[test]
fn what_cannot_be_decided_is_said() {
    let commands: [&[&str]; 5] = [
        &["outcome", "0.07", "5000", "--evidence", "0"],
        &["outcome", "0.06", "5^1000000", "17^2"],
        &["outcome", "0.77", "5000", "--fuel", "10"],
        &["outcome", "0.77", "-1"],
        &["outcome", "0.77", "4294967296"],
    ];
    assert_snapshot!(transcript(&commands, &[]));
}

#[test]
fn nim_values_decide_where_the_game_is_tame_relative_to_a_heap() {
    // 0.56 is tame relative to heap 7. Two equal large heaps have nim-value 0.
    let (exit, answer) = json(&["outcome", "0.56", "1000", "1000", "--json"]);
    assert_eq!((exit, &answer["method"]), (0, &value!("normal-play")));
    assert_eq!(
        (&answer["outcome"], &answer["winning_moves"]),
        (&value!("P"), &value!([]))
    );
    let (_, answer) = json(&["outcome", "0.56", "1000", "3", "5", "--json"]);
    assert_eq!(answer["outcome"], "N");
    let moves = answer["winning_moves"].as_array().unwrap();
    assert!(!moves.is_empty());
    let after: Vec<String> = moves[0]["position"]
        .as_array()
        .unwrap()
        .iter()
        .map(ToString::to_string)
        .collect();
    let mut next = vec!["outcome", "0.56", "--json"];
    next.extend(after.iter().map(String::as_str));
    assert_eq!(json(&next).1["outcome"], "P");
}

/// The evidence that 0.005 has an infinite quotient decides, for any number of heaps; computed now,
/// or kept in a certificate.
#[test]
fn proofs_of_infinity_decide() {
    let (exit, answer) = json(&["outcome", "0.005", "18^2001", "13", "--json"]);
    assert_eq!((exit, &answer["method"]), (0, &value!("evidence")));
    assert_eq!(answer["outcome"], "N");
    assert_eq!(answer["position"], Value::Null);
    assert_eq!(answer["copies"], value!([[13, 1], [18, 2001]]));
    let after = &answer["winning_moves"][0]["copies"];
    let after: Vec<String> = after
        .as_array()
        .unwrap()
        .iter()
        .map(|heap| format!("{}^{}", heap[0], heap[1]))
        .collect();
    let mut next = vec!["outcome", "0.005", "--json"];
    next.extend(after.iter().map(String::as_str));
    assert_eq!(json(&next).1["outcome"], "P");

    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("0.005.json");
    let file = file.to_str().unwrap();
    let (exit, _) = text(&["solve", "0.005", "--out", file]);
    assert_eq!(exit, 0);
    let kept = [
        "outcome",
        "0.005",
        "18^2001",
        "13",
        "--json",
        "--certificate",
        file,
    ];
    assert_eq!(json(&kept), (0, answer));
    let (exit, shown) = text(&[
        "outcome",
        "0.005",
        "18^1000000000",
        "3",
        "--certificate",
        file,
    ]);
    assert_eq!(exit, 0);
    assert!(shown.starts_with("0.005  3 + 1000000000·18\n"), "{shown}");
    error_line(&["outcome", "0.007", "3", "--certificate", file], 1);
    error_line(
        &["outcome", "0.005", "3", "--certificate", "nowhere.json"],
        1,
    );
    let wrong = std::fs::read_to_string(file).unwrap();
    std::fs::write(
        file,
        wrong.replacen("\"outcome\":\"P\"", "\"outcome\":\"N\"", 1),
    )
    .unwrap();
    error_line(&["outcome", "0.005", "18", "3", "--certificate", file], 5);
}

/// The explanation has every move with its outcome by the definition, and the product of the
/// factors is the element that decides.
#[test]
fn an_explanation_agrees_with_the_definition() {
    let games: [(&str, &[u32]); 7] = [
        ("0.77", &[3, 5, 7]),
        ("0.77", &[1, 1]),
        ("0.77", &[]),
        ("0.26", &[4, 4, 7]),
        ("0.123", &[21, 8, 9]),
        ("0.07", &[5, 9]),
        ("grundy", &[7, 5]),
    ];
    for (code, heaps) in games {
        let words: Vec<String> = heaps.iter().map(u32::to_string).collect();
        let sum = words.join("+");
        let mut arguments = vec!["outcome", code, "--explain", "--json"];
        if !heaps.is_empty() {
            arguments.push(&sum);
        }
        let (exit, answer) = json(&arguments);
        assert_eq!(exit, 0, "{code} {heaps:?}");
        let told = &answer["explanation"];
        let factors = told["factors"].as_array().unwrap();
        if let Some(last) = factors.last() {
            assert_eq!(last["product"], answer["word"], "{code} {heaps:?}");
        }
        let in_p = answer["outcome"] == "P";
        let p_portion = told["p_portion"].as_array().unwrap();
        assert_eq!(p_portion.contains(&answer["word"]), in_p, "{code}");

        let game = code.parse().unwrap();
        let mut oracle = Oracle::new(&game, Convention::Misere);
        let control = &mut Control::unlimited();
        let options = told["options"].as_array().unwrap();
        for option in options {
            let after: Vec<u32> = serde_json::from_value(option["position"].clone()).unwrap();
            let outcome = oracle.outcome(&after, control).unwrap().to_string();
            assert_eq!(option["outcome"], outcome.as_str(), "{code} {option}");
            let is_in = p_portion.contains(&option["value"]);
            assert_eq!(is_in, outcome == "P", "{code} {option}");
        }
        let wins = answer["winning_moves"].as_array().unwrap().len();
        let moves = &told["moves"];
        assert_eq!(moves["to_p"], wins);
        let mut sizes = heaps.to_vec();
        sizes.dedup();
        let all: usize = sizes.iter().map(|&heap| game.options(heap).len()).sum();
        assert_eq!((options.len(), &moves["to_n"]), (all, &value!(all - wins)));
    }
}

/// Where no finite quotient decides, the explanation names the values that do, and the outcomes
/// after the moves lead to the outcome before them.
#[test]
fn explanations_past_finite_quotients() {
    let cases: [(&[&str], &str, &str); 4] = [
        (&["0.31011", "5^9", "4", "30"], "evidence", "letters"),
        (&["0.26", "1000", "17"], "law", "unit"),
        (&["0.56", "1000", "7"], "normal-play", "nim-value"),
        (
            &["0.07", "35", "2", "--evidence", "0"],
            "definition",
            "No quotient is known",
        ),
    ];
    for (position, method, named) in cases {
        let with = |more: &[&str]| -> Vec<String> {
            let words = ["outcome"].iter().chain(position).chain(more);
            words.map(|&word| word.to_owned()).collect()
        };
        let asked = with(&["--explain", "--json", "--all"]);
        let asked: Vec<&str> = asked.iter().map(String::as_str).collect();
        let (exit, answer) = json(&asked);
        assert_eq!(
            (exit, &answer["method"]),
            (0, &value!(method)),
            "{position:?}"
        );
        let moves = &answer["explanation"]["moves"];
        assert_eq!(moves["undecided"], 0, "{position:?}");
        let wins = moves["to_p"].as_u64().unwrap() > 0;
        assert_eq!(answer["outcome"] == "N", wins, "{position:?}");
        let options = answer["explanation"]["options"].as_array().unwrap();
        let to_p = options.iter().filter(|option| option["outcome"] == "P");
        assert_eq!(value!(to_p.count()), moves["to_p"], "{position:?}");
        let asked = with(&["--explain"]);
        let asked: Vec<&str> = asked.iter().map(String::as_str).collect();
        let (_, shown) = text(&asked);
        assert!(shown.contains(named), "{shown}");
    }
}

/// A long list is cut and counted, and `--all` prints it all.
#[test]
fn long_lists_are_cut_unless_all_is_asked_for() {
    let (_, shown) = text(&["outcome", "0.26", "17", "2000", "1999"]);
    assert!(shown.lines().count() < 120, "{shown}");
    assert!(shown.contains("--all lists them"), "{shown}");
    let (_, all) = text(&["outcome", "0.26", "17", "2000", "1999", "--all"]);
    assert!(!all.contains("--all"));
    let (_, answer) = json(&["outcome", "0.26", "17", "2000", "1999", "--json"]);
    let wins = answer["winning_moves"].as_array().unwrap().len();
    let listed = all.lines().filter(|line| line.contains("  to ")).count();
    assert_eq!(listed, wins);
    assert!(wins > 100);
}

/// The heaps of a list are named by numbers, which count no beans.
#[test]
fn moves_in_a_list_name_its_heaps() {
    let (_, shown) = text(&["outcome", "heaps(0;1;2,1+1;0,1)", "4", "4", "3"]);
    assert!(shown.contains("change heap 3 to heap"), "{shown}");
    for beans in ["leaving", "from the heap of", "splitting"] {
        assert!(!shown.contains(beans), "{shown}");
    }
}

/// A failure names an option that would decide the position, and that option decides it.
#[test]
fn a_failure_names_what_decides() {
    let asked = ["outcome", "0.31011", "5^3000000"];
    let line = error_line(&[&asked[..], &["--evidence", "0"]].concat(), 1);
    assert!(line.contains("raise --evidence"), "{line}");
    assert!(line.contains("--certificate FILE"), "{line}");
    let (_, shown) = text(&asked);
    assert!(shown.contains("5"), "{shown}");
}

/// Tests that a game that a census has proved is not computed again, and that a note says so.
#[test]
fn a_census_answers_for_a_single_game() {
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().join("census");
    let data = data.to_str().unwrap();
    let run = [
        "census",
        "run",
        "--codes",
        "0.77,4.4,0.07",
        "--fuel",
        "1k",
        "--data",
        data,
    ];
    assert_eq!(misere(&run).status.code(), Some(0));
    let said = |arguments: &[&str]| {
        let output = misere(arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        let [out, err] = [output.stdout, output.stderr].map(|it| String::from_utf8(it).unwrap());
        (out, err)
    };
    let known = "note: 4.4 is known to the census in ";
    for asked in [
        &["outcome", "4.4", "1000", "7"][..],
        &["solve", "4.4", "--full"],
    ] {
        let (computed, nothing) = said(asked);
        let (read, note) = said(&[asked, &["--data", data]].concat());
        // The cost alone differs.
        let facts = |text: &str| {
            let lines = text.lines().filter(|line| !line.starts_with("spent"));
            lines.map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(facts(&read), facts(&computed));
        assert!(note.starts_with(known) && nothing.is_empty(), "{note}");
    }
    // 0.07 is not settled there, so a heap beyond is computed, and so is a game of no record.
    for asked in [["outcome", "0.07", "30"], ["outcome", "0.123", "9"]] {
        let (_, nothing) = said(&[&asked[..], &["-d", data]].concat());
        assert!(nothing.is_empty(), "{nothing}");
    }
    error_line(&["outcome", "0.3", "2", "--data", "/no/census"], 1);
    let mut command = command(&["outcome", "0.3", "2"]);
    let output = command.env("MISERE_DATA", "/no/census").output().unwrap();
    assert_eq!(output.status.code(), Some(0));
}
